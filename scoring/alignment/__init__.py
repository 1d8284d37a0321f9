"""Align reference and hypothesis: which words are right, substituted, deleted, inserted.

`sequences` aligns token sequences of any kind, single pairs and many. Beneath it, on numbers:
`kernel`, whose functions exist twice, compiled and in plain Python, and `network` for words that
offer alternatives. `docs/alignment.md` explains how it works.
"""
