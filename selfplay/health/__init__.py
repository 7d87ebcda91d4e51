"""Monitors of a run: what must hold, measured every step, and what happens when it does not."""
