"""Commands that score keywords, labels, phonemes and speakers."""
