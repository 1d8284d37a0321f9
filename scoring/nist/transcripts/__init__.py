"""Read the input files of NIST's programs exactly as these programs do.

The readers of the package `formats` return the meaning of a file. The readers here reproduce the
original program's reading, including its losses. `warn` reports input that the original skips
silently. Words become numbers, and the text of each distinct word is kept once.
"""
