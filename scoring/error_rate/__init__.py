"""Word error rates of any two transcripts: read, match by identifier or time, align, count, tell."""
