"""mgb: transcripts of the MGB challenges, broadcasts aligned to their subtitles, in XML.

======================================  ======================================================
its word                                ours
======================================  ======================================================
``segment`` with its ``id``             `Segment.utterance`; recording is what stands before
                                        ``_utt_`` in it
``starttime``, ``endtime``              times in seconds; 0 and 0 are none
``who``                                 `Segment.speaker`
``element`` of type ``word``            a word, with times if it has any
``element`` ``#…``                      an ``event``; a segment of nothing else is `ignored`
``WMER``, ``PMER``, ``AWD``             properties ``wmer``, ``pmer``, ``awd``, if numbers
======================================  ======================================================

Of several lists of segments that with ``align`` in its ``annotation_id`` is read, or the first.
Known by its attributes ``WMER``; older files need ``--from mgb``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from formats.beginning import Head
from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import split_words
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, Sniff
from formats.times import is_time, parse_time, plain_span
from formats.words import unless_empty
from formats.xml_document import line_of, parse_xml, xml_error

if TYPE_CHECKING:
    from lxml.etree import _Element

RATES = (("AWD", "awd"), ("PMER", "pmer"), ("WMER", "wmer"))
NO_RATE = 999


def read(source: Source, *, annotation: str = "") -> Iterator[Segment]:
    """One segment per ``segment``, its events after it.

    Parameters
    ----------
    annotation: which list of segments to read, by its ``annotation_id``.
    """
    root = parse_xml(source, ["transcript"])
    if root is None:
        return
    lists = {one.get("annotation_id") or "": one for one in root.iter("segments")}
    chosen = annotation or next((name for name in lists if "align" in name), next(iter(lists), ""))
    if chosen not in lists:
        found = quoted(annotation) if annotation else "none"
        there = ", ".join(map(quoted, lists)) or "of segments"
        raise OptionError(path=source.name, expected=f"a list {there}", found=found)
    others = ", ".join(quoted(name) for name in lists if name != chosen)
    if others and not annotation:
        message = f"of several lists {quoted(chosen)} is read, not {others} (--annotation)"
        source.log.note("MGB-LISTS", message)
    for element in lists[chosen].iter("segment"):
        try:
            yield from _segment(source, element)
        except SyntaxFormatError as error:
            source.log.reject("MGB-SEGMENT", error)


def _segment(source: Source, element: _Element) -> Iterator[Segment]:
    named = dict(element.items())
    start, end = _span(source, element, named)
    name = named.get("id") or None
    words: list[tuple[str, int | None, int | None]] = []
    events: list[tuple[str, int | None, int | None]] = []
    for one in element.iter("element"):
        said = split_words((one.text or "").replace("\n", " "))
        span = _span(source, one, one) if said else (None, None)
        for text in said:
            (events if text.startswith("#") else words).append((text, *span))
    known = [(shown, named[rate]) for rate, shown in RATES if _is_rate(named.get(rate, ""))]
    texts, starts, ends = zip(*words, strict=True) if words else ((), (), ())
    recording, mark, _ = name.partition("_utt_") if name else ("", "", "")
    plain = Segment(
        recording if mark else source.recording,
        texts,
        speaker=named.get("who") or None,
        utterance=name,
        start_ns=start,
        end_ns=end,
        starts_ns=unless_empty(starts),
        ends_ns=unless_empty(ends),
        properties=tuple(known),
        kind="ignored" if events and not words else "segment",
        line=line_of(element),
    )
    yield plain
    for text, begin, stop in events:
        yield plain.replace(
            words=(text,), start_ns=begin, end_ns=stop, starts_ns=None, ends_ns=None, kind="event",
            properties=(),
        )  # fmt: skip


@lru_cache(maxsize=1024)
def _is_rate(text: str) -> bool:
    """Whether it is a number, and none that stands for none."""
    return is_time(text) and float(text) != NO_RATE


def _span(
    source: Source, element: _Element, named: Mapping[str, str] | _Element
) -> tuple[int | None, int | None]:
    """Begin and end of an element with these attributes, in nanoseconds."""
    plain = plain_span(named.get("starttime"), named.get("endtime"))
    if plain is not None:
        return plain if plain[1] else (None, None)
    times: list[int] = []
    for name in ("starttime", "endtime"):
        text = named.get(name)
        if not text:
            return None, None
        try:
            times.append(parse_time(text.strip()))
        except ValueError:
            times.append(-1)
        if times[-1] < 0:
            raise xml_error(source, element, f"{name} in seconds", quoted(text))
    if times[1] < times[0]:
        expected = f"an endtime not before {element.get('starttime')}"
        raise xml_error(source, element, expected, quoted(element.get("endtime") or ""))
    return (times[0], times[1]) if times[1] else (None, None)


def sniff(head: Head) -> Sniff:
    """Sure of a transcript whose segments have rates and elements; other roots of that name: no."""
    text = "\n".join(head)
    is_mgb = head.root == "transcript" and " WMER=" in text and "<element" in text
    return Sniff.SURE if is_mgb else Sniff.NO


SPEC = FormatSpec(
    title="transcripts of the MGB challenges: segments of broadcasts in XML",
    sign="the root element transcript",
    read=read,
    sniff=sniff,
    read_options=(Option("annotation", "", "which list of segments to read"),),
    manual="Segments with their elements: words, times, speaker.",
)
