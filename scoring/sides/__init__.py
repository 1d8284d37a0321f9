"""The sides of a comparison, before alignment: each read from files or given as lists."""
