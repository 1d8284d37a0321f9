"""Pairing: assigns hypothesis words to each reference utterance before the alignment.

There are four methods: by identifier (trn with trn), by time (stm with ctm), by shared pauses (ctm
with ctm), and by the program `diff`. Each method returns a `Pairing`: both sides, divided into the
same utterances.
"""
