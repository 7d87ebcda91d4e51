"""Mathematics: formulas and problems as text, their truth by sympy behind the sandbox's walls, answers by meaning.

`formula`, `writing`, `exact`, `forms`, `statement`, `spelling` and `judging` are plain Python on plain trees and run in
the caller's process. `expression`, `meaning`, `numeric`, `problems` and `kinds` need sympy and run in the sandbox.
"""
