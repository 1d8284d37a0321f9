"""The two sides of a score before alignment, read from files or given as lists."""
