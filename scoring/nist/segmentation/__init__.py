"""Inferred word segmentation: texts in which blanks mean little, aligned by a lexicon."""
