"""Read the input files of NIST's programs exactly as these programs do.

The readers of the package `formats` read what a file means. The readers here reproduce how the
original program reads it, losses included, and report through `warn` what the original skips
silently. Words become numbers, and the text of each distinct word is kept once.
"""
