"""asclite: overlapping speech scored by one alignment of all speakers at once.

`run.run(choices, output, write)` runs the program once with the options `choices.AscliteOptions`.
`alignment.Aligner` aligns a group of segments with `kernel.align_grid`.
"""
