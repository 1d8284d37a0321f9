"""Pages of results for people: all reports except those of NIST's programs.

A page is a function from a result to the blocks of `scoring.drawing`. `html` is the interactive
page. The packages for labels, phonemes and comparisons have their own pages.
"""
