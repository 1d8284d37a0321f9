"""Word error rates of any two transcripts: read, match, align, count, tell."""
