"""Code that all commands share: start and exit, command lines, checks of output paths."""

SIGNS = {True: "✓ ", False: "✗ "}
"""What precedes good and bad news, so that it is seen without colours."""
