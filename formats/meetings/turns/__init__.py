"""Detection of the layout of a text, and the speaker turns that it contains.

`formats.meetings.layouts` is the table of layouts. The layout of a file is the row that explains
its lines best. Each line is a head of a turn, text below one, a name alone, a rule of signs, the
head or the foot of the document, or it does not fit, which is counted and reported.

A row is accepted if at least three lines have it, times go forward, and if names come again: there
are at most half as many names as heads, or two. Where text is behind the heads, names without times
have to begin most *lines*, not only most paragraphs: sentences with colons are no turns. What is
below that is prose. If the format is named, 70 % of the paragraphs suffice.

=============== ==================================================================
`heads`         the heads of turns: lines that a row or a notation of names takes
`lines`         the lines of a text, folded once, and the heads of each row
`accounts`      what each row explains of a text
`choice`        the row that explains most, if it explains enough
`names`         names of speakers apart from heads with times
`reading`       the turns of a text in its layout
`records`       turns of records of fields: below each other, in brackets, between bars
`inside`        turns of a text with times inside its paragraphs
`corrections`   units, frames, times of day and stamps in turns that are read
`description`   the rules by which a text is read, as `formats detect --pattern` prints them
=============== ==================================================================
"""
