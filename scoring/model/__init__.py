"""Counts, costs, edits and errors that every room knows."""
