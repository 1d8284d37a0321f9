"""Commands that compare systems and remember runs."""
