"""Counts, costs, edits and errors that all packages of `scoring` use."""
