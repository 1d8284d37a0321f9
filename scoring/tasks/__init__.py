"""Tasks that score other units than words: keywords, labels, phonemes, speakers."""
