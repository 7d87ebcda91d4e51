"""From scored turns to new weights: rows, packed micro-batches, TRL's trainer, checkpoints."""
