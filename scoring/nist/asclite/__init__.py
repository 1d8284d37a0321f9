"""asclite: overlapping speech scored by one alignment of all speakers at once.

`run.run(choices, output, write)` is one run, `choices.AscliteOptions` what it can be asked for;
`alignment.Aligner` aligns a group of segments through `kernel.align_grid`.
"""
