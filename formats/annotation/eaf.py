"""eaf: ELAN documents in XML, with tiers of annotations.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
annotation of a tier                   a segment, a word or an event, depending on the tier
                                       (`formats.annotation.tiers`,
                                       `formats.annotation.tier_reading`)
``TIER_ID``                            `Segment.tier`
``PARTICIPANT``                        `Segment.speaker`; if missing, the participant of the parent
                                       tier, or the name of the tier
annotation that refers to another;     times computed from neighbours, marked as
slot without value                     ``interpolated``
property ``recording``                 `Segment.recording`; if missing, the stem of the only
                                       audio file, or of this file
``DATE``, ``AUTHOR``                   ``date``, ``author`` of the file
=====================================  ======================================================

Times are milliseconds. Frames of NTSC (29.97 per second) and PAL (25) are converted. The text of an
annotation is read from the annotation, even if a controlled vocabulary defines it.

Consecutive time slots without a value divide the time between their neighbours (in the same tier
and in the parent tier) into equal parts. An annotation that refers to another annotation has the
other annotation's times. If several annotations refer to the same one, they divide its time into
equal parts; each follows the annotation that it names as its predecessor.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from formats.annotation.eaf_writer import write
from formats.annotation.messages import (
    EAF_BEFORE,
    EAF_BEFORE_ORIGIN,
    EAF_EMPTY,
    EAF_ID,
    EAF_NESTED,
    EAF_ORIGIN,
    EAF_ORIGIN_APPLIED,
    EAF_OVERLAP,
    EAF_PARENT,
    EAF_REVERSED,
    EAF_SPEAKER,
    EAF_TIME,
)
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import (
    KEEP_EMPTY,
    TIER_OPTIONS,
    TIERED,
    Tier,
    TierLabel,
    TierRules,
    split_name,
    unnumbered,
)
from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source, recording_of
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.reading.xml_document import Element, local_name, stream_xml, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment

UNITS = {"milliseconds": (10**6, 1), "NTSC-frames": (10**11, 2997), "PAL-frames": (4 * 10**7, 1)}
AnnotationSpan: TypeAlias = tuple[int | None, int | None, bool]
"""Begin and end of an annotation, and whether they are worked out."""
KINDS = ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION")


@reads_labels
def read(
    source: Source,
    *,
    tier_map: str = "",
    speaker_from: str = "auto",
    keep_empty: bool = False,
    apply_origin: bool = False,
) -> Iterator[Segment]:
    """Yield the segments of all tiers, in the order of the tiers in the file."""
    rules = TierRules(tier_map, speaker_from)
    document = _Document(source, applies_origin=apply_origin)
    parts = ("HEADER", "TIME_SLOT", "ANNOTATION", "TIER")
    for element in stream_xml(source, ["ANNOTATION_DOCUMENT"], parts):
        document.take(element)
    document.place_all()
    if speaker_from == "auto":
        document.inherit_participants()
    tiers = [annotated.tier for annotated in document.tiers.values()]
    for tier in tiers if apply_origin and document.origin_ns else ():
        tier.labels = [_shifted(source, label, document.origin_ns) for label in tier.labels]
    yield from segments_of_tiers(
        source, document.recording(), tiers, rules, keep_empty=keep_empty, single_is_speaker=True
    )


class Annotation(NamedTuple):
    """An annotation. It has time slots, or it refers to another annotation."""

    id: str
    text: str
    line: int | None
    begin: str | None
    end: str | None
    reference: str | None
    previous: str | None


class Annotated(NamedTuple):
    """A tier with its annotations, in the order of the file."""

    tier: Tier
    line: int | None
    annotations: list[Annotation]


class _Document:
    def __init__(self, source: Source, *, applies_origin: bool) -> None:
        self.applies_origin = applies_origin
        self.source = source
        self.slots: dict[str | None, int | None] = {}
        self.tiers: dict[str, Annotated] = {}
        self.origin_ns = 0
        self.unit = UNITS["milliseconds"]
        self.audio: list[str] = []
        self.named: str | None = None
        self.current: tuple[Element | None, Annotated | None] = (None, None)
        self.outer: list[Element] = []
        """Annotations that are still open and were read before the ones inside them."""
        self.inner: list[int | None] = []
        """Lines of annotations inside others."""

    def take(self, element: Element) -> None:
        """Process an XML element at its end; process the root element at its start."""
        name = local_name(element)
        if name == "TIME_SLOT":
            self.slot(element)
        elif name == "ANNOTATION":
            self.nested(element)
        elif name == "TIER":
            self.tier(element)
        elif name == "HEADER":
            self.header(element)
        elif name == "ANNOTATION_DOCUMENT":
            for attribute in ("DATE", "AUTHOR"):
                if text := element.get(attribute):
                    self.source.properties[attribute.lower()] = text

    def nested(self, element: Element) -> None:
        """Process an annotation at its end.

        An annotation inside another annotation belongs to the same tier as the outer annotation.
        """
        if any(outer is element for outer in self.outer):
            self.outer.pop()
            return
        line = [element]
        parent = element.getparent()
        while parent is not None and local_name(parent) == "ANNOTATION":
            line.append(parent)
            parent = parent.getparent()
        if parent is None:
            return
        annotated = self.tier(parent)
        for outer in line[::-1][len(self.outer) :]:
            annotated.annotations.append(self.annotation(outer))
            if outer is not line[-1]:
                self.inner.append(outer.sourceline)
            if outer is not element:
                self.outer.append(outer)

    def header(self, header: Element) -> None:
        unit = header.get("TIME_UNITS", "milliseconds")
        if unit not in UNITS:
            raise self.error(header, f"TIME_UNITS {', '.join(UNITS)}", quoted(unit))
        self.unit = UNITS[unit]
        for element in header:
            if local_name(element) == "MEDIA_DESCRIPTOR":
                self.media(element)
            elif local_name(element) == "PROPERTY" and element.get("NAME") == "recording":
                text = element.text or ""
                self.named = text if text.strip("\t\n") else None

    def media(self, media: Element) -> None:
        url = media.get("MEDIA_URL") or media.get("RELATIVE_MEDIA_URL") or ""
        if url and media.get("MIME_TYPE", "").startswith("audio/"):
            self.audio.append(url)
        origin = media.get("TIME_ORIGIN")
        if not origin or origin == "0":
            return
        try:
            time = int(origin) * 10**6
        except ValueError:
            raise self.error(media, "a TIME_ORIGIN in milliseconds", quoted(origin)) from None
        entry = EAF_ORIGIN_APPLIED if self.applies_origin else EAF_ORIGIN
        fields = {"recording": recording_of(url), "milliseconds": origin}
        self.source.log.say(entry, media.sourceline, **fields)
        self.origin_ns = self.origin_ns or time

    def slot(self, slot: Element) -> None:
        name, value = slot.get("TIME_SLOT_ID"), slot.get("TIME_VALUE")
        if not name:
            raise self.error(slot, "a time slot with an id (TIME_SLOT_ID)", "none")
        time = None
        if value is not None:
            digits = value.strip()
            if digits[:1] == "-" and digits[1:].isdigit():
                self.source.log.say(EAF_BEFORE, slot.sourceline, time=digits)
                digits = "0"
            if not (digits.isdigit() and digits.isascii() and len(digits) < 14):
                raise self.error(slot, "a TIME_VALUE of whole units, 0 or more", quoted(value))
            multiplier, divisor = self.unit
            time = (int(digits) * multiplier + divisor // 2) // divisor
        if name in self.slots:
            raise self.error(slot, "a time slot whose id no other slot has", quoted(name))
        self.slots[name] = time

    def tier(self, element: Element) -> Annotated:
        """Return the tier that contains an XML element; create this tier if it is new."""
        before, annotated = self.current
        if annotated is None or element is not before:
            name = element.get("TIER_ID")
            if name is None:
                raise self.error(element, "a tier with a name (TIER_ID)", "none")
            if name in self.tiers:
                expected = f"a tier with a name of its own (line {self.tiers[name].line} has it)"
                raise self.error(element, expected, quoted(name))
            tier = Tier(
                name,
                participant=element.get("PARTICIPANT") or None,
                parent=element.get("PARENT_REF") or None,
                level=element.get("LINGUISTIC_TYPE_REF"),
            )
            annotated = self.tiers[name] = Annotated(tier, element.sourceline, [])
            self.current = element, annotated
        for child in element:
            if local_name(child) != "ANNOTATION":
                raise self.error(child, f"an {' or a '.join(KINDS)}", "neither")
        return annotated

    def annotation(self, outer: Element) -> Annotation:
        element = outer[0] if len(outer) else outer
        kind = local_name(element)
        if kind not in KINDS:
            raise self.error(outer, f"an {' or a '.join(KINDS)}", "neither")
        id_ = element.get("ANNOTATION_ID")
        if not id_:
            raise self.error(element, "an annotation with an id (ANNOTATION_ID)", "none")
        text = ""
        if len(element) and local_name(element[0]) == "ANNOTATION_VALUE":
            text = "".join(element[0].itertext())
        begin = end = reference = previous = None
        if kind == "REF_ANNOTATION":
            reference = element.get("ANNOTATION_REF")
            if not reference:
                raise self.error(element, "a REF_ANNOTATION with an ANNOTATION_REF", "none")
            previous = element.get("PREVIOUS_ANNOTATION") or None
        else:
            begin, end = element.get("TIME_SLOT_REF1"), element.get("TIME_SLOT_REF2")
        return Annotation(id_, text, element.sourceline, begin, end, reference, previous)

    def recording(self) -> str:
        """Return the recording name."""
        if self.named is None and len(self.audio) == 1:
            return recording_of(self.audio[0].replace("\\", "/"))
        return self.named or self.source.recording

    def place_all(self) -> None:
        """Create the labels of all tiers, sorted by time."""
        if self.inner:
            self.source.log.say(EAF_NESTED, self.inner[0], annotations=len(self.inner))
        self.check_parents()
        self.rename_repeated()
        order = {name: rank for rank, name in enumerate(self.slots)}
        lines: dict[str, int | None] = {}
        spans: dict[str, AnnotationSpan] = {}
        for annotated in self.tiers.values():
            filled = self.filled_slots(annotated, order)
            for annotation in annotated.annotations:
                lines[annotation.id] = annotation.line
                if annotation.reference is None:
                    spans[annotation.id] = self.span(annotation, filled)
        self.share_spans(lines, spans)
        for tier, _, members in self.tiers.values():
            for annotation in members:
                begin, end, is_guess = spans[annotation.id]
                label = TierLabel(begin, end, annotation.text, annotation.line, is_guess)
                tier.labels.append(label)
            timed = [label for label in tier.labels if label.start_ns is not None]
            timed.sort(key=attrgetter("start_ns", "end_ns"))
            if len(timed) == len(tier.labels):
                tier.labels = timed
            self.warn_of_overlaps(tier.name, timed)

    def rename_repeated(self) -> None:
        """Rename annotations whose id an earlier annotation has.

        A reference to such an id means the annotation with this id in the parent tier. If there is
        none, it means the first annotation with this id.
        """
        owners: dict[str, str] = {}
        renamed: dict[tuple[str | None, str | None], str] = {}
        lines: list[int | None] = []
        for tier, _, members in self.tiers.values():
            for n, annotation in enumerate(members):
                id_ = annotation.id
                if id_ not in owners:
                    owners[id_] = tier.name
                    continue
                members[n] = annotation._replace(id=f"{id_}\0{len(lines)}")
                lines.append(annotation.line)
                if owners[id_] != tier.name:
                    renamed.setdefault((tier.name, id_), members[n].id)
        for tier, _, members in self.tiers.values() if renamed else ():
            for n, annotation in enumerate(members):
                reference, previous = annotation.reference, annotation.previous
                members[n] = annotation._replace(
                    reference=renamed.get((tier.parent, reference), reference),
                    previous=renamed.get((tier.name, previous), previous),
                )
        if lines:
            self.source.log.say(EAF_ID, lines[0], annotations=len(lines))

    def check_parents(self) -> None:
        checked: set[str] = set()
        for annotated in self.tiers.values():
            path: dict[str, None] = {}
            current: Annotated | None = annotated
            while current is not None and (name := current.tier.name) not in checked:
                if name in path:
                    names = " in ".join(map(quoted, list(path)[:5]))
                    raise self.error(annotated.line, "parent tiers that lead to a top tier", names)
                path[name] = None
                above = current.tier.parent
                if above is not None and above not in self.tiers:
                    self.source.log.say(
                        EAF_PARENT, current.line, name=current.tier.name, parent=above
                    )
                    current.tier.parent = above = None
                    current.tier.has_lost_parent = True
                current = None if above is None else self.tiers[above]
            checked.update(path)

    def filled_slots(self, tier: Annotated, order: dict[str | None, int]) -> dict[str | None, int]:
        """Return the time slots of a tier that have no value, each with its interpolated time."""
        names = _slots_of(tier)
        if all(self.slots.get(name, 0) is not None for name in names):
            return {}
        above = self.tiers.get(tier.tier.parent or "")
        names |= _slots_of(above) if above is not None else set()
        ordered = sorted(names & self.slots.keys(), key=order.__getitem__)
        timed = [
            (n, time) for n, name in enumerate(ordered) if (time := self.slots[name]) is not None
        ]
        return {
            ordered[n]: first + (last - first) * (n - low) // (high - low)
            for (low, first), (high, last) in pairwise(timed)
            for n in range(low + 1, high)
        }

    def span(self, annotation: Annotation, filled: dict[str | None, int]) -> AnnotationSpan:
        names = {"TIME_SLOT_REF1": annotation.begin, "TIME_SLOT_REF2": annotation.end}
        for attribute, name in names.items():
            if name not in self.slots:
                expected = f"the id of a time slot ({attribute})"
                raise self.error(
                    annotation.line, expected, "none" if name is None else quoted(name)
                )
        begin, end = (filled.get(name, self.slots[name]) for name in names.values())
        if begin is None or end is None:
            self.source.log.say(EAF_TIME, annotation.line, annotation=annotation.id)
            return None, None, False
        if end < begin:
            self.source.log.say(EAF_REVERSED, annotation.line, begin=begin / 1e9, end=end / 1e9)
            return None, None, False
        if end == begin:
            fields = {"annotation": annotation.id, "time": begin / 1e9}
            self.source.log.say(EAF_EMPTY, annotation.line, **fields)
        return begin, end, annotation.begin in filled or annotation.end in filled

    def share_spans(self, lines: dict[str, int | None], spans: dict[str, AnnotationSpan]) -> None:
        """Set the times of annotations that refer to other annotations.

        Parents are processed first.
        """
        children: dict[str, list[list[Annotation]]] = defaultdict(list)
        for annotated in self.tiers.values():
            siblings: dict[str, list[Annotation]] = defaultdict(list)
            for annotation in annotated.annotations:
                if annotation.reference is not None:
                    if annotation.reference not in lines:
                        expected = "the id of an annotation (ANNOTATION_REF)"
                        raise self.error(annotation.line, expected, quoted(annotation.reference))
                    siblings[annotation.reference].append(annotation)
            for reference, group in siblings.items():
                children[reference].append(self.in_order(group))
        waiting = list(spans)
        while waiting:
            parent = waiting.pop()
            begin, end, _ = spans[parent]
            for group in children.pop(parent, ()):
                for n, annotation in enumerate(group):
                    spans[annotation.id] = (None, None, False)
                    if begin is not None and end is not None:
                        length, size = end - begin, len(group)
                        first, last = length * n // size, length * (n + 1) // size
                        spans[annotation.id] = (begin + first, begin + last, True)
                    waiting.append(annotation.id)
        for (annotation, *_), *_ in children.values():
            expected = "references (ANNOTATION_REF) that lead to an annotation with times"
            raise self.error(
                annotation.line, expected, f"a circular reference at {quoted(annotation.id)}"
            )

    def in_order(self, group: list[Annotation]) -> list[Annotation]:
        """Sort the annotations of a group, so that each follows its predecessor."""
        ids = {annotation.id for annotation in group}
        after: dict[str | None, list[Annotation]] = defaultdict(list)
        for annotation in group:
            if annotation.previous not in {None, *ids}:
                expected = "the id of an annotation of the same parent and tier"
                previous = quoted(annotation.previous or "")
                raise self.error(annotation.line, f"{expected} (PREVIOUS_ANNOTATION)", previous)
            after[annotation.previous].append(annotation)
        ordered: list[Annotation] = []
        waiting = after.pop(None, [])[::-1]
        while waiting:
            ordered.append(waiting.pop())
            waiting += after.pop(ordered[-1].id, [])[::-1]
        for annotation, *_ in after.values():
            expected = "predecessors (PREVIOUS_ANNOTATION) that lead to a first annotation"
            raise self.error(
                annotation.line, expected, f"a circular reference at {quoted(annotation.id)}"
            )
        return ordered

    def warn_of_overlaps(self, name: str, timed: Iterable[TierLabel]) -> None:
        """Warn if annotations of a tier overlap, which ELAN does not allow."""
        last = -1
        for label in timed:
            begin, end, line = label.start_ns, label.end_ns, label.line
            assert begin is not None
            assert end is not None
            if begin < last:
                self.source.log.say(EAF_OVERLAP, line, tier=name, time=begin / 1e9, end=last / 1e9)
            last = max(last, end)

    def inherit_participants(self) -> None:
        """Give each tier without a participant the participant of its parent tier.

        If tiers are named ``ref@anne``, ``tx@anne``, as Toolbox names them, anne speaks.
        """
        behind = Counter(name.partition("@")[2] for name in self.tiers)
        for tier, line, _ in self.tiers.values():
            top = tier
            while top.participant is None and top.parent is not None:
                top = self.tiers[top.parent].tier
            tail = top.name.partition("@")[2]
            is_shared = tail != "" and behind[tail] > 1
            speaker = tail if is_shared else split_name(unnumbered(top.name))[0]
            if top is not tier:
                tier.participant = top.participant or speaker
            elif top.participant is None and speaker and top.labels:
                self.source.log.say(EAF_SPEAKER, line, tier=top.name)

    def error(self, origin: Element | int | None, expected: str, found: str) -> SyntaxFormatError:
        if origin is None or isinstance(origin, int):
            return self.source.syntax_error(origin, expected, found)
        return xml_error(self.source, origin, expected, found)


def _slots_of(tier: Annotated) -> set[str | None]:
    return {name for a in tier.annotations for name in (a.begin, a.end) if name is not None}


def _shifted(source: Source, label: TierLabel, shift: int) -> TierLabel:
    """Return the label with its times reduced by `shift` nanoseconds, but not below 0."""
    times: list[int | None] = []
    for time in (label.start_ns, label.end_ns):
        if time is not None and time < shift:
            source.log.say(EAF_BEFORE_ORIGIN, label.line)
        times.append(None if time is None else max(time - shift, 0))
    return label._replace(start_ns=times[0], end_ns=times[1])


SPEC = FormatSpec(
    title="ELAN annotation format: tiers of annotations in XML",
    sign="the root element ANNOTATION_DOCUMENT",
    turn_text="{}",
    read=read,
    write=write,
    has_one_recording=True,
    holds=TIERED,
    needs=("segment times",),
    read_options=(
        LABEL_IS,
        *TIER_OPTIONS,
        KEEP_EMPTY,
        Option(
            "apply_origin", False, "subtract the TIME_ORIGIN of the media file from all times (eaf)"
        ),
    ),
)
