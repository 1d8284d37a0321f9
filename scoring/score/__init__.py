"""Score two sides and return `ErrorRates`: pairs, columns, tables and clusters.

The module `score.score` has all steps. The package `scoring.results` has the numbers of the result.
"""
