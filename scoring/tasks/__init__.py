"""Tasks that score other things than words: keywords, labels, phonemes, speakers."""
