"""Detection of the layout of a text, and parsing of its speaker turns.

`formats.meetings.layouts` is the table of layouts. The layout of a file explains its lines best.
Each line begins a turn or goes on with one, or is a name alone, a separator, a heading or a footer;
other lines are counted and reported.

A layout needs three lines, times that increase, and names that repeat. Names without times, before
texts, must begin most lines, because a sentence may contain a colon. A text without a layout is
prose. If the user names the format, 70 % of the paragraphs are enough.
"""
