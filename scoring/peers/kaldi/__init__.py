"""Kaldi's scoring tools: they read tables of transcripts and return text in Kaldi's format.

Text is byte text here: one character per byte, since Kaldi compares bytes and assumes no encoding.
`scoring.cli.peers.kaldi` has the commands.
"""
