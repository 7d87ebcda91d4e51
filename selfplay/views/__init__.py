"""What a person sees of a run: live and after. Every view has a twin of plain data."""
