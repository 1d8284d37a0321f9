"""Sentence units, edits, fillers and interruption points, as md-eval scores them."""
