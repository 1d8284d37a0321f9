"""Readers and writers of files of annotation tools for recordings."""
