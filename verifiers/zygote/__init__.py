"""The far side of the sandbox's pipe: one server process, which forks one child for each program.

Standard library and `verifiers.codec` only: the server must be small to fork fast, and must not know the engine. The
server never compiles, decodes or interprets what a program or a model wrote; only its children do, behind the walls.
"""
