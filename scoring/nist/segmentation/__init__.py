"""Inferred words: a lexicon determines the words of texts with unreliable blanks."""
