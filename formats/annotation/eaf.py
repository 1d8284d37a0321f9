"""eaf: ELAN's annotation format, tiers of annotations in XML.

=====================================  ======================================================
its word                               ours
=====================================  ======================================================
annotation of a tier                   a segment, a word or an event, as the tier says
                                       (`formats.annotation.tiers`,
                                       `formats.annotation.tier_reading`)
``TIER_ID``                            `Segment.tier`
``PARTICIPANT``                        `Segment.speaker`; where there is none that of the tier
                                       above, or the name of the tier
annotation on an annotation, slots     times worked out from neighbours, marked as
without value                          ``interpolated`` (`formats.annotation.eaf_times`)
property ``recording``                 `Segment.recording`; without one the stem of the only
                                       audio file, or of this file
``DATE``, ``AUTHOR``                   ``date``, ``author`` of the file
=====================================  ======================================================

Times are milliseconds; frames of NTSC (29.97 a second) and PAL (25) are converted. The text of an
annotation of a controlled vocabulary stands in the annotation, and is what is read.

Where pympi-ling 1.71 differs: it ends in a `KeyError` where the root names no schema, gives
annotations of slots without value no times, and adds a tier ``default`` of its own.
"""

from __future__ import annotations

import re
from operator import itemgetter, le

from formats.annotation.eaf_times import Annotation, TierParts, timed_tiers
from formats.annotation.eaf_writer import write
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import (
    KEEP_EMPTY,
    TIER_OPTIONS,
    TIERED,
    Tier,
    TierRules,
    split_name,
    unnumbered,
)
from formats.errors import quoted
from formats.source import recording_of
from formats.spec import FormatSpec, Option, Sniff
from formats.xml_document import (
    attributes_in,
    found_in,
    line_of,
    local_name,
    stream_xml,
    xml_error,
)
from formats.xml_runs import BLANKS, TAG, TEXT, AlikeElements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from lxml.etree import _Element

    from formats.beginning import Head
    from formats.errors import SyntaxFormatError
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff", "write"]

MILLISECOND = 10**6
UNITS = {
    "milliseconds": (MILLISECOND, 1),
    "NTSC-frames": (100 * 10**9, 2997),
    "PAL-frames": (40 * MILLISECOND, 1),
}
PARTS = ("HEADER", "TIME_ORDER", "TIER")
ANNOTATIONS = {
    "ALIGNABLE_ANNOTATION": {
        "id": "ANNOTATION_ID",
        "begin": "TIME_SLOT_REF1",
        "end": "TIME_SLOT_REF2",
    },
    "REF_ANNOTATION": {
        "id": "ANNOTATION_ID",
        "reference": "ANNOTATION_REF",
        "previous": "PREVIOUS_ANNOTATION",
    },
}
VALUE = "ANNOTATION_VALUE"
TEXT_VALUE = rf"<{VALUE}>({TEXT})</{VALUE}>|<{VALUE} ?/>"
RECORD = re.compile(
    rf"<TIME_SLOT{TAG} ?/>{BLANKS}|"
    rf"<ANNOTATION>{BLANKS}<(ALIGNABLE|REF)_ANNOTATION{TAG}>{BLANKS}(?P<value>{TEXT_VALUE}){BLANKS}"
    rf"</\1_ANNOTATION>{BLANKS}</ANNOTATION>{BLANKS}"
)
"""A slot or an annotation as they are usually written."""


def read(
    source: Source,
    *,
    tier_map: str = "",
    speaker_from: str = "auto",
    keep_empty: bool = False,
    apply_origin: bool = False,
) -> Iterator[Segment]:
    """The segments of every tier, tier by tier in the order of the file.

    Parameters
    ----------
    tier_map, speaker_from: see `formats.annotation.tiers.TierRules`; ``auto`` is the participant
        of a tier.
    keep_empty: annotations without text are events without words.
    apply_origin: take the time at which the first audio file begins (``TIME_ORIGIN``) from all
        times; otherwise it is only noted.

    Raises
    ------
    SyntaxFormatError
        XML that is not well-formed or not of ELAN, times that are none, references to what does
        not exist or to themselves, an end before its begin.
    """
    rules = TierRules(tier_map, speaker_from)
    document = _Document(source)
    roots = ["ANNOTATION_DOCUMENT"]
    alike = AlikeElements(RECORD, TEXT_VALUE, document.take_alike)
    for element in stream_xml(source, roots, PARTS, alike=alike, growing=document.grows):
        document.take(element)
    timed_tiers(source, document.parts, document.slots)
    tiers = [part.tier for part in document.parts]
    for tier in tiers:
        _check_order(source, tier)
    if speaker_from == "auto":
        _inherit_participants(source, document.parts)
    shift = document.origin_ns if apply_origin else 0
    recording = document.recording()
    segments = segments_of_tiers(
        source, recording, tiers, rules, keep_empty=keep_empty, single_is_speaker=True
    )
    yield from (_shifted(source, segment, shift) for segment in segments) if shift else segments


class _Growing:
    """A part that is still open.

    Attributes
    ----------
    line: of the part as it was when something was taken out of it for the first time.
    columns: a list for each field of the annotations that were taken out of it.
    is_plain: whether all was plain until now.
    """

    def __init__(self, part: _Element | None) -> None:
        self.part = part
        self.line: int | None = None
        self.columns: list[list[Any]] = [[] for _ in Annotation._fields]
        self.is_plain = False


class _Document:
    """What is taken out of the elements as they pass."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.slots: dict[str | None, int | None] = {}
        self.parts: list[TierParts] = []
        self.origin_ns = 0
        self._names: dict[str, int | None] = {}
        self._recording: str | None = None
        self._audio: list[str] = []
        self._unit = UNITS["milliseconds"]
        self._growing = _Growing(None)
        # Columns of what was taken from the text after an element: slots with lines, annotations.
        self._after: dict[_Element, list[list[Any]]] = {}

    def take_alike(
        self, record: str, element: _Element, lines: list[int], named: dict[str, list[str]]
    ) -> bool:
        """Take slots or annotations from the text, which stand after an element of their form."""
        part = element.getparent()
        count = len(lines)
        if part is None or part.tag != ("TIME_ORDER" if element.tag == "TIME_SLOT" else "TIER"):
            return False
        if part.tag == "TIME_ORDER":
            nothing: list[Any] = [None] * count
            names, values = (named.get(name, nothing) for name in ("TIME_SLOT_ID", "TIME_VALUE"))
            self._after[element] = [names, values, lines]
            return True
        above = record.count("\n", 0, record.index("<", 1))
        lines = [line + above for line in lines]
        columns = _columns(element[0].tag, named, named[""], lines)
        if columns is None:
            return False
        self._after[element] = columns
        return True

    def _with_alike(self, part: _Element, count: int, columns: Sequence[list[Any]]) -> None:
        """Put what was taken from the text into the columns of the first elements of a part."""
        elements = part[:count] if self._after else ()
        runs = [(n, self._after.get(element)) for n, element in enumerate(elements, 1)]
        for place, run in reversed(runs):
            for column, more in zip(columns, run or (), strict=False):
                column[place:place] = more

    def _forget(self, elements: Iterable[_Element]) -> None:
        """Let go of what was taken after elements, which is in its place now."""
        for element in elements if self._after else ():
            self._after.pop(element, None)

    def grows(self, root: _Element) -> None:
        """Take what is finished out of a part that is still open, as long as it is plain."""
        part = root[-1] if len(root) else root
        if part is not self._growing.part:
            self._growing = _Growing(part)
            is_new = part.tag == "TIER" and part.get("TIER_ID") not in (None, *self._names)
            self._growing.is_plain = is_new or part.tag == "TIME_ORDER"
        count = len(part) - 1
        if self._growing.is_plain and count > 0:
            if part.tag == "TIER":
                is_plain = self._annotations_at_once(part, count, self._growing.columns)
            else:
                is_plain = self._slots_at_once(part, count)
            self._growing.is_plain = is_plain
            if is_plain:
                self._growing.line = self._growing.line or part.sourceline
                self._forget(part[:count])
                del part[:count]

    def take(self, element: _Element) -> None:
        """Take one finished element, or the root as it opens."""
        name = local_name(element)
        if name == "TIME_ORDER":
            self._slots(element)
        elif name == "TIER":
            self._tier(element)
        elif name == "HEADER":
            self._header(element)
        else:
            for attribute in ("DATE", "AUTHOR"):
                if text := element.get(attribute):
                    self.source.properties[attribute.lower()] = text

    def _header(self, header: _Element) -> None:
        unit = header.get("TIME_UNITS", "milliseconds")
        if unit not in UNITS:
            expected = f"TIME_UNITS {', '.join(UNITS)}"
            raise xml_error(self.source, header, expected, quoted(unit))
        self._unit = UNITS[unit]
        for element in header:
            if local_name(element) == "PROPERTY" and element.get("NAME") == "recording":
                named = element.text or ""
                self._recording = named if named.strip("\t\n") else None
            elif local_name(element) == "MEDIA_DESCRIPTOR":
                self._media(element)

    def _media(self, media: _Element) -> None:
        url = media.get("MEDIA_URL") or media.get("RELATIVE_MEDIA_URL") or ""
        is_audio = media.get("MIME_TYPE", "").startswith("audio/")
        if is_audio and url:
            self._audio.append(url)
        origin = media.get("TIME_ORIGIN")
        if not origin or origin == "0":
            return
        try:
            time = int(origin) * MILLISECOND
        except ValueError:
            expected = "a TIME_ORIGIN in milliseconds"
            raise xml_error(self.source, media, expected, quoted(origin)) from None
        message = f"{quoted(recording_of(url))} begins at {origin} ms (--apply-origin subtracts it)"
        self.source.log.note("EAF-ORIGIN", message, media.sourceline)
        if not self.origin_ns:
            self.origin_ns = time

    def _slots_at_once(self, order: _Element, count: int) -> bool:
        """Take the first slots if all of them are plain."""
        size = len(order)
        names = attributes_in(order, "*", "TIME_SLOT_ID", size)[:count]
        values = attributes_in(order, "*", "TIME_VALUE", size)[:count]
        self._with_alike(order, count, (names, values))
        count = len(names)
        texts = [text for text in values if text is not None]
        digits = "".join(texts) or "0"
        if not (digits.isdigit() and digits.isascii() and all(names) and all(texts)):
            return False
        if max(map(len, texts), default=0) > 13:
            return False
        multiplier, divisor = self._unit
        half = divisor // 2
        numbers = map(int, texts)
        times: list[int | None] = [(number * multiplier + half) // divisor for number in numbers]
        if len(texts) < count:
            valued = iter(times)
            times = [None if value is None else next(valued) for value in values]
        slots = dict(zip(names, times, strict=True))
        if len(slots) != count or not self.slots.keys().isdisjoint(slots):
            return False
        self.slots.update(slots)
        return True

    def _slots(self, order: _Element) -> None:
        if self._slots_at_once(order, len(order)):
            self._forget(order)
            return
        multiplier, divisor = self._unit
        for name, value, place in self._slots_of(order):
            if not name:
                raise self._error(place, "a time slot with an id (TIME_SLOT_ID)", "none")
            time = None
            if value is not None:
                text = value.strip()
                if not (text.isdigit() and text.isascii() and len(text) < 14):
                    expected = "a TIME_VALUE of whole units, 0 or more"
                    raise self._error(place, expected, quoted(value))
                time = (int(text) * multiplier + divisor // 2) // divisor
            if name in self.slots:
                raise self._error(place, "a time slot with an id of its own", quoted(name))
            self.slots[name] = time

    def _slots_of(self, order: _Element) -> Iterator[tuple[Any, Any, _Element | int]]:
        """Name and value of each slot, and where it stands."""
        for slot in order:
            yield slot.get("TIME_SLOT_ID"), slot.get("TIME_VALUE"), slot
            yield from zip(*self._after.pop(slot, ()), strict=True)

    def _error(self, place: _Element | int, expected: str, found: str) -> SyntaxFormatError:
        line = place if isinstance(place, int) else line_of(place)
        return self.source.syntax_error(line, expected, found)

    def _annotations_at_once(
        self, tier: _Element, count: int, columns: Sequence[list[Any]]
    ) -> bool:
        new = _annotations_at_once(tier, count)
        if new is None:
            return False
        self._with_alike(tier, count, new)
        for column, more in zip(columns, new, strict=True):
            column += more
        return True

    def _annotation(self, outer: _Element) -> Annotation:
        element = outer[0] if len(outer) else outer
        tag = element.tag
        # names of namespaces are rare and take longer
        name = tag if tag in ANNOTATIONS else local_name(element)
        if name not in ANNOTATIONS:
            expected = "an ALIGNABLE_ANNOTATION or a REF_ANNOTATION"
            raise xml_error(self.source, outer, expected, "neither")
        id_ = element.get("ANNOTATION_ID")
        if not id_:
            expected = "an annotation with an id (ANNOTATION_ID)"
            raise xml_error(self.source, element, expected, "none")
        text = ""
        if len(element):
            value = element[0]
            if value.tag == VALUE or local_name(value) == VALUE:
                text = "".join(value.itertext()) if len(value) else value.text or ""
        line = element.sourceline
        if name == "ALIGNABLE_ANNOTATION":
            begin, end = element.get("TIME_SLOT_REF1"), element.get("TIME_SLOT_REF2")
            return Annotation(id_, text, line, begin, end)
        reference = element.get("ANNOTATION_REF")
        if not reference:
            expected = "a REF_ANNOTATION with an ANNOTATION_REF"
            raise xml_error(self.source, element, expected, "none")
        previous = element.get("PREVIOUS_ANNOTATION") or None
        return Annotation(id_, text, line, None, None, reference, previous)

    def _tier(self, element: _Element) -> None:
        name = element.get("TIER_ID")
        if name is None:
            raise xml_error(self.source, element, "a tier with a name (TIER_ID)", "none")
        if name in self._names:
            expected = f"a tier with a name of its own (line {self._names[name]} has it)"
            raise xml_error(self.source, element, expected, quoted(name))
        begun = self._growing if element is self._growing.part else _Growing(element)
        line = self._names[name] = begun.line or element.sourceline
        tier = Tier(
            name,
            participant=element.get("PARTICIPANT") or None,
            parent=element.get("PARENT_REF") or None,
            level=element.get("LINGUISTIC_TYPE_REF"),
        )
        if self._annotations_at_once(element, len(element), begun.columns):
            self._forget(element)
        else:
            for child in element:
                annotation = self._annotation(child)
                after = self._after.pop(child, ((),) * len(annotation))
                for column, field, more in zip(begun.columns, annotation, after, strict=True):
                    column += field, *more
        self.parts.append(TierParts(tier, line, begun.columns))

    def recording(self) -> str:
        """Name of the recording."""
        if self._recording is not None:
            return self._recording
        if len(self._audio) == 1:
            return recording_of(self._audio[0].replace("\\", "/"))
        return self.source.recording


def _annotations_at_once(tier: _Element, count: int) -> list[list[Any]] | None:
    """The first annotations if all are plain: of one kind, each with one value."""
    kind = tier[0][0].tag if len(tier) and len(tier[0]) else ""
    path = f"*/{kind}"
    if kind not in ANNOTATIONS or found_in(tier, "*/*[2] or */*/*[2] or */*/*/*"):
        return None
    inner = found_in(tier, path)
    # the last one of a tier that is open may lack what the others have
    is_open = len(tier) > count
    if len(inner) != len(tier) - (is_open and not len(tier[-1])):
        return None
    size = len(inner) - (len(inner) > count and not len(inner[-1]))
    texts = found_in(tier, f"{path}/{VALUE}/text()")
    if len(texts) != size:
        texts = [value.text or "" for value in found_in(tier, f"{path}/{VALUE}")]
        if len(texts) != size:
            return None
    named = {
        attribute: attributes_in(tier, path, attribute, len(inner))[:count]
        for attribute in ANNOTATIONS[kind].values()
    }
    return _columns(kind, named, texts[:count], [one.sourceline for one in inner[:count]])


def _columns(
    kind: str,
    named: Mapping[str, Sequence[str | None]],
    texts: list[str],
    lines: list[Any],
) -> list[list[Any]] | None:
    """A list for each field of annotations of a kind; `None` where one lacks what it must have."""
    nothing: list[Any] = [None] * len(lines)
    attributes = ANNOTATIONS.get(kind, {})
    fields: dict[str, Any] = {
        field: named.get(attribute, nothing) for field, attribute in attributes.items()
    }
    # an empty name of an annotation is none
    if not all(fields.get("id", nothing)) or not all(fields.get("reference", ())):
        return None
    before = [one or None for one in fields.get("previous", nothing)]
    fields.update(text=texts, line=lines, previous=before)
    return [list(fields.get(field, nothing)) for field in Annotation._fields]


def _check_order(source: Source, tier: Tier) -> None:
    """Remark annotations that overlap in one tier, which ELAN itself forbids."""
    begins, ends, *_ = zip(*tier.labels, strict=True) if tier.labels else ((), ())
    if None not in begins and None not in ends and all(map(le, ends, begins[1:])):
        return
    spans = [
        (begin, end, line)
        for begin, end, _, line, _ in tier.labels
        if begin is not None and end is not None
    ]
    spans.sort(key=itemgetter(0, 1))
    last = -1
    for begin, end, line in spans:
        if begin < last:
            source.log.warn(
                "EAF-OVERLAP",
                f"an annotation of tier {quoted(tier.name)} begins at {begin / 1e9:g} s, before "
                f"another one ends ({last / 1e9:g} s)",
                line,
            )
        last = max(last, end)


def _inherit_participants(source: Source, parts: list[TierParts]) -> None:
    by_name = {part.tier.name: part.tier for part in parts}
    for part in parts:
        top = part.tier
        while top.participant is None and top.parent is not None:
            top = by_name[top.parent]
        if top is not part.tier:
            # A tier below another one says more about what the same person says.
            part.tier.participant = top.participant or split_name(unnumbered(top.name))[0]
        elif top.participant is None and split_name(unnumbered(top.name))[0] and top.labels:
            message = f"tier {quoted(top.name)} names no participant: its name says whose it is"
            source.log.note("EAF-SPEAKER", message, part.line)


def _shifted(source: Source, segment: Segment, shift: int) -> Segment:
    """The segment with all times `shift` nanoseconds earlier."""

    def earlier(time: int | None) -> int | None:
        if time is not None and time < shift:
            message = "begins before the audio file does: its time is set to 0"
            source.log.warn("EAF-ORIGIN", message, segment.line)
            return 0
        return None if time is None else time - shift

    def all_earlier(times: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
        return None if times is None else tuple(map(earlier, times))

    return segment.replace(
        start_ns=earlier(segment.start_ns),
        end_ns=earlier(segment.end_ns),
        starts_ns=all_earlier(segment.starts_ns),
        ends_ns=all_earlier(segment.ends_ns),
    )


def sniff(head: Head) -> Sniff:
    """Sure if the root element is ELAN's."""
    return Sniff.SURE if head.root == "ANNOTATION_DOCUMENT" else Sniff.NO


SPEC = FormatSpec(
    title="ELAN annotation format: tiers of annotations in XML",
    sign="the root element ANNOTATION_DOCUMENT",
    read=read,
    write=write,
    has_one_recording=True,
    sniff=sniff,
    holds=TIERED,
    needs=("segment times",),
    read_options=(
        *TIER_OPTIONS,
        KEEP_EMPTY,
        Option("apply_origin", False, "subtract the time at which the media begins", (False, True)),
    ),
    manual="Tiers of annotations with times; a tier names its speaker, and its name what it holds.",
)
