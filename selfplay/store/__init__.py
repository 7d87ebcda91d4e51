"""The run's database and its folder: one SQLite file is the one truth, one transaction a step."""
