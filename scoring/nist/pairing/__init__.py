"""Pairing: the hypothesis words that belong to each reference word, found before aligning.

By identifier (trn with trn), by time (stm with ctm), by shared pauses (ctm with ctm), or by the
program diff. Each kind of pairing gives a `Pairing`: two sides, utterance by utterance.
"""
