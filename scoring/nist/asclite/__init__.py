"""asclite: overlapping speech scored by one alignment of all speakers at once.

Terms: A *stream* is the words of a hypothesis with one speaker; a ctm, which has no speakers, is
one stream. The alignment is a path through a *grid*, which has an *axis* for each reference speaker
and for each stream. A *chain* is the segments of a speaker in one recording and channel, in file
order.

`run.run(choices, output, write)` runs the program once with the options `choices.AscliteOptions`.
`alignment.Aligner` aligns a group of segments with `kernel.align_grid`.
"""
