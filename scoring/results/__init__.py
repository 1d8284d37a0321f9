"""Numbers of a score, with selections, groups and sources; other packages print them."""
