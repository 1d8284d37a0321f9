"""Which hypothesis words belong to which reference words, before anything is aligned.

By identifier (trn with trn), by time (stm with ctm), by shared pauses (ctm with ctm), or by the
program diff. Each kind of pairing gives a `Pairing`: two sides, utterance by utterance.
"""
