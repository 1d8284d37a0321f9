"""The input files of NIST's programs, read exactly as those read them.

Unlike the readers of the package `formats`, which know what a file ought to mean, these reproduce
what the original makes of it, losses included, and report through `warn` what it skips in
silence. Words become numbers here; their text is kept once.
"""
