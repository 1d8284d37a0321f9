"""Score two sides and return `ErrorRates`: pairs, columns, tables and clusters.

`score.wer` shows all steps on one screen; the package `scoring.results` has its numbers.
"""
