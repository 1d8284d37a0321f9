"""Measures for labels: phonemes, training tokens, events, segments."""
