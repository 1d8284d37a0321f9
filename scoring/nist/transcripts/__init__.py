"""Read the input files of NIST's programs exactly as these programs do.

The readers of the package `formats` return the meaning of a file. The readers here reproduce how
NIST's program reads it, including losses. `warn` reports input that the program skips silently.
Words become numbers, and the text of each distinct word is kept once.
"""
