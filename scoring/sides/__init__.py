"""What is compared, before it is aligned: each side read from files or given as lists."""
