"""The road from two sides to `ErrorRates`, for pairs, columns, tables and clusters.

`score.wer` is the whole road on one screen; its numbers are in `scoring.results`.
"""
