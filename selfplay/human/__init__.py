"""A person at the terminal in one of the policy's places: a seat of a game, or the solver of a run's tasks.

The games go through the same `rollouts.play` and the answers through the same verifiers as the policy's.
"""
