"""A run that nobody played, as large as one likes: what the benches of the reading side open."""
