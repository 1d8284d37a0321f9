"""Measures of how two texts differ: statistics per utterance, and a score from their sum."""
