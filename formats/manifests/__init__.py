"""Manifests and tables: one record per utterance, as corpora and data sets are listed."""
