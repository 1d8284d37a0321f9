"""Commands that compare systems and record runs."""
