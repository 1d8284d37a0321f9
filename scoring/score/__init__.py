"""Score two sides and return `ErrorRates`: pairs, columns, tables and clusters.

The module `score.wer` has all steps on one screen. The package `scoring.results` has the numbers of
the result.
"""
