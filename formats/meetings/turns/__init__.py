"""Detection of the layout of a text, and parsing of its speaker turns.

`formats.meetings.layouts` is the table of layouts. The layout of a file explains its lines best.
Each line begins a turn or goes on with one, or is a name alone, a separator, a heading or a footer;
other lines are counted and reported.

Names and times may also be those of lists, logs and sentences with colons: a score of all evidence
tells turns from them, one for names alone and one for times. A text without a layout is prose. If
the user names the format, fewer heads are enough.

=============== ==================================================================
`heads`         the heads of turns (name, times or both), by a layout or by names alone
`plain`         the lines without bars, tags, counters, links and repeated times
`written_names` names before a fixed sign or behind a number, written as others are
`bold_names`    names of which some are bold, written as the others
`places`        times above, below and behind the names and texts of turns, moved before them
`chapters`      titles of chapters with times above speech, whose times are alone then
`margins`       dates, heads of pages and fields between and below turns, which nobody speaks
`lines`         the lines of a text, normalised once
`completed`     names and times that heads have from their texts and from other lines
`outside`       lines that look like heads: fields of documents, lists, minutes, contents
`headed`        the heads of each layout, and the lines between turns
`induced`       layouts that are derived from lines of the same shape
`accounts`      how many lines each layout explains
`evidence`      the score of names without times: how much shows that they are speakers
`timed`         the score of times, with and without names: how much shows that they begin turns
`choice`        the choice of the layout that explains most, if it explains enough
`names`         names of speakers that are not on the lines of the times
`persons`       the longer and shorter names of one person
`reading`       the turns of a text in its layout
`records`       turns of records of fields: below each other, in brackets, between bars
`screenplay`    turns of a script whose names are indented above the speeches
`dense_script`  turns of a script without blank lines
`inside`        turns of a text with times inside its paragraphs
`corrections`   corrections of times and texts in turns: units, frames, times of day, stamps
`description`   the rules by which a text is read, as `formats detect --pattern` prints them
=============== ==================================================================
"""
