"""What leaves a run: tables, training pairs, the model and its curves, in the formats that other tools read."""
