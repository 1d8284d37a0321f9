"""Inferred word segmentation: texts written without blanks, or with others, aligned all the same."""
