"""Results of scores: their numbers, selections, groups and sources; other packages print them."""
