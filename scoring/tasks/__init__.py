"""Other things than words: keywords, labels, phonemes, speakers."""
