"""Manifests and tables of corpora and data sets: one record per utterance."""
