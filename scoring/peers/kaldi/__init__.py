"""Kaldi's scoring tools: tables of transcripts in, Kaldi's text out.

Text is byte text here: one character per byte, since Kaldi compares bytes and assumes no encoding.
`scoring.cli.peers.kaldi` has the commands.
"""
