"""exb: basic transcriptions of EXMARaLDA in XML, with tiers of events on one timeline.

======================================  ========================================================
in the file                             in the schema
======================================  ========================================================
``event`` of a tier of type ``t``       a segment; the name of the tier determines its kind
                                        (`formats.annotation.tiers`)
an event without a blank at its end     continues in the adjacent event, if at least half of the
                                        events end in a blank: ``to|gether`` is one word
tier of type ``a`` (annotation)         words if its category or name means words; otherwise events
                                        of the same speaker
tier of type ``d`` or ``l``             events
``display-name``; or ``category``       `Segment.tier`
``abbreviation`` of a speaker           `Segment.speaker`; the id if there is no abbreviation or two
                                        speakers share it
``tli`` without time, or ``intp``       a time interpolated from its neighbours in timeline order,
                                        marked as ``interpolated``
``referenced-file``                     `Segment.recording`: the stem of the first audio file
======================================  ========================================================

Times are seconds. Conventions inside the text (HIAT, GAT) are not interpreted.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import TIER_OPTIONS, Tier, TierLabel, TierRules, guess_kind
from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.reading.xml_document import Element, line_of, parse_xml, required, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

ROOT = "basic-transcription"
AUDIO = (".wav", ".mp3", ".ogg", ".flac", ".aif", ".aiff", ".wma", ".m4a")
BLANKS = " \t\n"
WORDS = ("w", "word", "words", "tok", "token")


def read(source: Source, *, tier_map: str = "", speaker_from: str = "auto") -> Iterator[Segment]:
    """Yield the segments of all tiers, in the order of the tiers in the file."""
    rules = TierRules(tier_map, speaker_from)
    root = parse_xml(source, [ROOT])
    if root is None:
        return
    timeline = _Timeline(source, root)
    speakers = _speakers(root)
    elements = list(root.iter("tier"))
    glued = _is_glued(elements)
    tiers: list[Tier] = []
    for element in elements:
        name = element.get("display-name") or element.get("category") or ""
        if not name or any(tier.name == name for tier in tiers):
            name = f"{name} {element.get('id') or len(tiers)}".strip()
        kind, category = element.get("type"), (element.get("category") or "").lower()
        tier = Tier(name, participant=speakers.get(element.get("speaker") or ""))
        if kind == "a" and (category in WORDS or guess_kind(name) == "word"):
            tier.level = "word"
        elif kind != "t":
            tier.level = "comment"
        tier.labels = list(timeline.labels(element, glued and kind == "t"))
        tiers.append(tier)
    yield from segments_of_tiers(
        source, _recording(source, root), tiers, rules, single_is_speaker=True
    )


class _Timeline:
    """The times of the points at which events begin and end."""

    def __init__(self, source: Source, root: Element) -> None:
        self.source = source
        self._times: dict[str, tuple[int, int | None, bool]] = {}
        points: list[tuple[str, int | None, bool]] = []
        for element in root.iter("tli"):
            name, text = required(source, element, "id"), element.get("time")
            try:
                time = None if not text else parse_time(text.strip())
            except ValueError:
                raise xml_error(source, element, "a time in seconds", quoted(text or "")) from None
            points.append((name, time, element.get("type") == "intp"))
        timed = [number for number, (_, time, _) in enumerate(points) if time is not None]
        after = iter([*timed, len(points)])
        before, following = -1, next(after)
        for number, (name, time, is_guess) in enumerate(points):
            if number == following:
                before, following = number, next(after)
            if time is None and before >= 0 and following < len(points):
                low, high = points[before][1] or 0, points[following][1] or 0
                time = low + (high - low) * (number - before) // (following - before)
                is_guess = True
            self._times[name] = number, time, is_guess

    def labels(self, tier: Element, glued: bool) -> Iterator[TierLabel]:
        """Yield the labels of a tier.

        If `glued` is true, events that are parts of one word are joined.
        """
        last: tuple[str, TierLabel] | None = None
        for event in tier.iter("event"):
            try:
                label = self._label(event)
            except SyntaxFormatError as error:
                self.source.log.reject("EXB-EVENT", error)
                continue
            is_open = last is not None and last[1].text[-1:].strip() != ""
            if last is not None and glued and last[0] == event.get("start") and is_open:
                both = last[1].text + label.text
                guessed = last[1].is_interpolated or label.is_interpolated
                label = last[1]._replace(text=both, end_ns=label.end_ns, is_interpolated=guessed)
            elif last is not None:
                yield last[1]
            last = event.get("end") or "", label
        if last is not None:
            yield last[1]

    def _label(self, event: Element) -> TierLabel:
        points = []
        for name in ("start", "end"):
            point = self._times.get(event.get(name) or "")
            if point is None:
                reference = quoted(event.get(name) or "")
                raise xml_error(self.source, event, f"an event whose {name} is a tli", reference)
            points.append(point)
        (first, begin, begin_is_guess), (last, end, end_is_guess) = points
        if last < first or (begin is not None and end is not None and end < begin):
            expected = f"an event that ends after {event.get('start')}"
            raise xml_error(self.source, event, expected, quoted(event.get("end") or ""))
        text = (event.text or "") + "".join(child.tail or "" for child in event)
        return TierLabel(begin, end, text, line_of(event), begin_is_guess or end_is_guess)


def _is_glued(tiers: list[Element]) -> bool:
    """Return True if an event without a blank at its end continues in the next event.

    This convention (of HIAT and GAT) applies if a blank ends at least half of the events that
    another event follows directly.
    """
    ends: Counter[bool] = Counter()
    for tier in tiers:
        events = list(tier.iter("event")) if tier.get("type") == "t" else []
        for event, following in pairwise(events):
            text = event.text or ""
            if text.strip() and event.get("end") == following.get("start"):
                ends[text[-1].isspace()] += 1
    return ends[True] >= max(ends[False], 1)


def _speakers(root: Element) -> dict[str, str]:
    pairs = [
        (speaker.get("id") or "", (speaker.findtext("abbreviation") or "").strip(BLANKS))
        for speaker in root.iter("speaker")
    ]
    uses = Counter(name for _, name in pairs)
    return {key: name if name and uses[name] == 1 else key for key, name in pairs}


def _recording(source: Source, root: Element) -> str:
    for entry in root.iter("ud-information"):
        if entry.get("attribute-name") == "recording" and (entry.text or "").strip("\t\n"):
            return entry.text or ""
    files = [url for file in root.iter("referenced-file") if (url := file.get("url"))]
    best = next((url for url in files if url.lower().endswith(AUDIO)), files[0] if files else "")
    return recording_of(best.replace("\\", "/")) if best else source.recording


SPEC = FormatSpec(
    title="EXMARaLDA basic transcriptions: tiers of events on one timeline, in XML",
    sign=f"the root element {ROOT}",
    read=read,
    has_one_recording=True,
    read_options=TIER_OPTIONS,
)
