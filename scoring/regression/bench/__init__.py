"""Several systems on several sets: one ranking for each recipe."""
