"""Messages of measures."""

from formats.schema.messages import ERROR, PART, Advice, Entry

CHANGED = Entry("WORD-LIST", PART, "{entry!r} becomes {prepared!r}", "entry")
EMPTIED = Entry("WORD-LIST", PART, "{entry!r} becomes empty", "emptied")
NO_SOURCES = Entry(
    "MEASURE-SOURCES",
    ERROR,
    "expected the words as read, found only words after normalisation: keep the words "
    "when the files are scored ({advice} keeps them, and so does keep_sources=True in "
    "Python)",
    advice=(Advice("measures", ""),),
)
DEALT_BY_TIME = Entry(
    "MEASURE-SEGMENTS",
    ERROR,
    "measure {measure}: expected segments of the hypothesis, found words matched by "
    "time ({advice} matches whole recordings)",
    advice=(Advice("cut", "plain-alignment"),),
)
LOGARITHMS = Entry(
    "CONFIDENCES",
    ERROR,
    "expected confidences from 0 to 1, found {number:g} for {subject} ({advice} reads logarithms)",
    advice=(Advice("measure_option", "{setting}=yes"),),
)
