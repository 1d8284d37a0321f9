"""Replacements for other packages, with the same functions under the same names.

>>> import sclite_kit.compat.jiwer as jiwer
>>> jiwer.wer("the cat sat", "the bat sat")
0.3333333333333333

Modules have the same paths as in the original: `benchmarkstt.metrics.core` is
`sclite_kit.compat.benchmarkstt.metrics.core`. `scoring compat install NAME --into DIR` writes a
package with the original's name, for code that cannot be changed. These modules contain only
imports; the code is in `scoring.peers` and `scoring.tasks`.
"""
