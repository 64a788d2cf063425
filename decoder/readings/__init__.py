"""Readings: what a stored score means, the run that shows it, and the sentence that says it."""
