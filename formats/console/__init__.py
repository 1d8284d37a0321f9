"""Shared code of all commands: start and exit, command lines, checks of output paths."""
