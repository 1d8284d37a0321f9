"""Diarisation error by the rules of several tools: errors in who speaks when.

`score.der` scores two files or lists of turns, `rules.LIKE` has the rules of md-eval, dscore,
pyannote.metrics and meeteval, and `explain.explained` shows how many seconds each rule changes.
`md-eval.pl` in `scoring.nist.hub` also uses `pieces`, `exclusion` and `mapping`.
"""
