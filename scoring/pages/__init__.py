"""Pages of results for people: every report but NIST's.

A page is a function from a result to the blocks of `scoring.drawing`: `rates` and `differences` of
error rates, `entities`, `sessions`. `html` is the page with scripts. Pages of labels, phonemes and
comparisons are in their own rooms.
"""
