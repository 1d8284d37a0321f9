"""Reports on several systems, scored on the same reference, side by side."""
