"""Replacements for other packages, with the same functions under the same names.

>>> import sclite_kit.compat.jiwer as jiwer
>>> jiwer.wer("the cat sat", "the bat sat")
0.3333333333333333

Modules have the same paths as in the package that they replace: `benchmarkstt.metrics.core` is
`sclite_kit.compat.benchmarkstt.metrics.core`. For code that cannot be changed, `scoring compat
install NAME --into DIR` writes a package with the name of the replaced package. These modules
contain only imports; the code is in `scoring.peers` and `scoring.tasks`.
"""
