"""Readers and writers of the file formats of tools with which people annotate recordings."""
