"""Every report but NIST's: what is told of results, and how it is drawn.

`blocks` says what a page consists of; `forms.lines_of` draws one as text, Markdown,
reStructuredText or HTML, `data` writes JSON and CSV. A report is a function from a result to
blocks: `rates` and `differences` of error rates, `entities`; those of labels, phonemes and
comparisons stand in their own rooms. `html` is the page with scripts to look around in.
"""
