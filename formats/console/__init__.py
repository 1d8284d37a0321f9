"""The library of commands: their start and end, command lines, checks of outputs."""
