"""Manifests and tables of corpora and data sets: one record per utterance."""

SAID = ("reference", "ref", "text", "transcript", "transcription", "sentence", "ground_truth")
"""Names that usually have the spoken text; if a file has two of them, neither is certain."""
