"""What commands share: their start and end, command lines, checks of outputs."""
