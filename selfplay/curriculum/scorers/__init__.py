"""Learnability scorers, one file each."""
