"""Messages of measures."""

from formats.schema.messages import ERROR, NOTE, Advice, Entry

CHANGED = Entry("WORD-LIST", NOTE, "{entry!r} is {prepared!r}", "entry")
EMPTIED = Entry("WORD-LIST", NOTE, "{entry!r} is empty", "emptied")
NO_SOURCES = Entry(
    "MEASURE-SOURCES",
    ERROR,
    "expected the words as read, found only words after normalisation: keep them when the files "
    "are scored ({advice} does so; keep_sources=True in Python)",
    advice=(Advice("measures", ""),),
)
DEALT_BY_TIME = Entry(
    "MEASURE-SEGMENTS",
    ERROR,
    "measure {measure}: expected segments of the hypothesis, found words matched by time; match "
    "whole recordings with {advice}",
    advice=(Advice("cut", "plain-alignment"),),
)
LOGARITHMS = Entry(
    "CONFIDENCES",
    ERROR,
    "expected confidences from 0 to 1, found {number:g} of {subject} ({advice} reads logarithms)",
    advice=(Advice("measure_option", "{setting}=yes"),),
)
