"""What to ask for next, what is worth keeping, and what a task is worth."""
