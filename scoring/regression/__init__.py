"""A new system against a baseline: recorded numbers checked, changes found, thresholds applied."""
