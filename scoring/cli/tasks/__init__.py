"""Commands of keywords, labels, phonemes and speakers."""
