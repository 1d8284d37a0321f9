"""Manifests and tables of corpora and data sets, with one record per utterance."""
