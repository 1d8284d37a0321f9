"""Metrics beside the word error rate: phonemes, tokens in training, events, segments."""
