"""Fixed measures: the same questions, the same seeds, before the first step and after the last. Nothing here is trained
on."""
