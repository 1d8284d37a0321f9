"""Diarisation error by the rules of several tools: errors in who speaks when.

`score.der` scores two files or lists of turns, `rules.LIKE` has the rules of md-eval, dscore,
pyannote.metrics and meeteval, `explain.explained` tells which rule moved which seconds. The same
`pieces`, `exclusion` and `mapping` stand after the `md-eval.pl` of `scoring.nist.hub`.
"""
