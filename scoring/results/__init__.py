"""Results of scores: numbers, selections, groups and sources. Other packages print them."""
