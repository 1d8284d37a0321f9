"""`chfilt.pl`: converts CallHome and similar transcripts to sorted stm or pem.

`formats.nist.callhome_text` converts the words of a line. This module converts lines and segments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from formats.nist.callhome_text import CallhomeText, TangledError, without_comments
from scoring.model.errors import InputError
from scoring.nist.hub.hubscr_sorting import sort_stm
from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DiedError
from scoring.nist.transcripts.characters import byte_text

PROGRAM = b"chfilt.pl"
HEAD = b';; CATEGORY "0" "" ""\n;; LABEL "O" "Overall" "All Segments in the test set"\n'
TURN = re.compile(rb"\A\s*[0-9]+\.[0-9]*\s+[0-9]+\.[0-9]*\s+[AB][0-9]*:")
TURN_HEAD = re.compile(rb"[AB][0-9]*:\s*")
CONTRACTION = re.compile(rb'(<contraction\s+e_form="([^"<]+)">)([^ \t\n\r\f)]+)', re.IGNORECASE)
PLAIN_CONTRACTION = re.compile(rb"[A-Za-z0-9_]'[A-Za-z0-9_]")
EXPANSION = re.compile(rb"\[[^\[=]+=>")
HYPHEN = re.compile(rb"[A-Za-z][_-][A-Za-z]")
CHANNELS = {
    "numbers": ((re.compile(b"[Aa]"), b"1"), (re.compile(b"[Bb]"), b"2")),
    "letters": ((re.compile(b"1"), b"A"), (re.compile(b"2"), b"B")),
}
NEAR = 0.5  # seconds by which turns may reach out of the window
GAP = 0.01  # seconds


@dataclass(frozen=True, slots=True)
class ChfiltOptions:
    """The options of chfilt, with their letters in chfilt.pl; times are in seconds."""

    text: CallhomeText = field(default_factory=CallhomeText)  # language and marks (`-l -d -m`)
    begin: float = 0.0  # the window (`-b -e`)
    end: float = 999999.0
    # words to replace (`-t`), and words with the alternatives they stand for (`-q`)
    translations: Mapping[bytes, bytes] = field(default_factory=dict)
    equivalents: Mapping[bytes, bytes] = field(default_factory=dict)
    hyphens: bool = False  # hyphenated words become alternatives (`-a`)
    gaps: bool = False  # records between the segments (`-i`)
    keep_empty: bool = False  # segments without words are kept (`-k`)
    # seconds to pad segments with (`-p`), and up to which to join them (`-s`)
    padding: float | None = None
    joining: float | None = None
    without_overlap: bool = False  # what overlaps is excluded (`-E`)
    expand: bool = True  # annotated contractions are expanded (not `-c`)
    channels: str = ""  # `numbers`, `letters`, or as they are (`-C`)
    pem: bool = False  # partitioned evaluation map instead of stm (`-o pem`)


@dataclass(slots=True)
class _Segment:
    """A record; its end time is text, because it is printed unchanged."""

    name: bytes
    channel: bytes
    speaker: bytes
    begin: bytes
    end: bytes
    text: bytes

    @property
    def start(self) -> float:
        return leading_number(self.begin)

    @property
    def stop(self) -> float:
        return leading_number(self.end)

    def move_end(self, end: bytes) -> None:
        """Replace the end time; the blanks before it stay."""
        self.end = self.end[: len(self.end) - len(self.end.lstrip())] + end


def chfilt(data: bytes, name: bytes, options: ChfiltOptions) -> tuple[bytes, bytes]:
    """Convert a transcript as `chfilt.pl` does; return the output and the warnings."""
    recording = re.sub(rb"\.[^.]*\Z", b"", name.rpartition(b"/")[2])
    warnings: list[bytes] = []
    segments: list[_Segment] = []
    pem: list[bytes] = []
    for number, turn in _turns(data, options, warnings):
        heads = list(TURN_HEAD.finditer(turn))
        if not heads:
            raise DiedError(f"Unable to strip the line header of '{byte_text(turn)}'\n")
        head, text = turn[: heads[-1].end()].rstrip()[:-1], turn[heads[-1].end() :]
        begin, end, speaker = (*re.split(rb"\s+", head), b"", b"")[:3]
        if len(heads) > 1:
            text_lost = (
                b"%b: warning: %b:%d: all before the last mark of a speaker, %b, is left out\n"
            )
            warnings.append(text_lost % (PROGRAM, name, number, heads[-1][0].strip()))
        try:
            text = _words(text, options)
        except TangledError as error:
            raise DiedError(f"Error: expected {error}, found '{byte_text(turn)}'\n") from None
        inside = _is_at_least(leading_number(begin), options.begin) and _is_at_least(
            options.end, leading_number(end)
        )
        if not inside or not (options.keep_empty or text.strip()):
            continue
        if not begin:
            problem = "expected a turn without blanks before it"
            raise InputError(byte_text(name), number, 1, f"{problem}, found {byte_text(head)!r}")
        channel = _channel(re.sub(rb"[0-9]\Z", b"", speaker), options.channels)
        if options.pem:
            pem.append(b" ".join((recording, channel, b"unknown_speaker", begin, end)) + b"\n")
        else:
            end_text = b"%6.2f" % leading_number(end)
            who = recording + b"_" + speaker
            segments.append(_Segment(recording, channel, who, begin, end_text, text))
    if not options.pem:
        segments = _arranged(segments, options)
    lines = [
        b"%b %b %b %b %b <O> %b\n"
        % (segment.name, segment.channel, segment.speaker, segment.begin, segment.end, segment.text)
        for segment in segments
    ]
    return sort_stm(HEAD + b"".join(lines or pem)), b"".join(warnings)


def _turns(data: bytes, options: ChfiltOptions, warnings: list[bytes]) -> list[tuple[int, bytes]]:
    """Return the turns: the line number of each, and its lines joined.

    Contractions in the first line of a turn are expanded.
    """
    turns: list[tuple[int, bytes]] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        line = without_comments(line)
        if not line.strip() or line.startswith(b"#"):
            continue
        if options.text.is_mississippi:
            # the end of a line counts as a blank after its only word
            ended = line + b"\n" * (number < len(lines))
            line = re.sub(rb"\A\S+\s+", b"", ended).removesuffix(b"\n")
        if TURN.match(line):
            turns.append((number, _without_contractions(line, options.expand, warnings)))
        elif turns:
            begun, turn = turns[-1]
            turns[-1] = begun, turn + b" " + line
        else:
            raise DiedError(
                "Illegal format, first line does not have a begin time, end time and channel\n"
            )
    return turns


def _without_contractions(line: bytes, expand: bool, warnings: list[bytes]) -> bytes:
    if expand:
        for word in re.split(rb"[\s,.?]+", CONTRACTION.sub(b"", line)):
            if PLAIN_CONTRACTION.search(word) and not re.search(rb"[A-Za-z0-9_]'s\Z", word):
                warnings.append(b'Warning: Possible non-annotated contraction "%b"\n' % word)

    def said(found: re.Match[bytes]) -> bytes:
        form = EXPANSION.sub(b" ", found[2]).replace(b"]", b"").lstrip()
        return form if expand else found[3]

    replaced = CONTRACTION.sub(said, line)
    if b"<contrac" in replaced:
        raise DiedError(f"Error: Contraction not handled {byte_text(replaced)}\n")
    return replaced


def _words(text: bytes, options: ChfiltOptions) -> bytes:
    text = options.text.words_of(text)
    for table in (options.translations, options.equivalents):
        if table:
            text = b"".join(b" " + (table.get(word) or word) for word in text.split())
    if options.hyphens:
        text = b"".join(b" " + _alternatives(word) for word in text.split())
    return text.replace(b"()", b"") if options.text.is_optional else text


def _alternatives(word: bytes) -> bytes:
    if not HYPHEN.search(word):
        return word
    parts = re.split(rb"[_-]", word)
    return b"{ %b / %b / %b }" % (b" ".join(parts), b"".join(parts), b"-".join(parts))


def _channel(channel: bytes, kind: str) -> bytes:
    for pattern, other in CHANNELS.get(kind, ()):
        channel = pattern.sub(other, channel, count=1)
    return channel


def _is_at_least(time: float, least: float) -> bool:
    return time >= least or least - time < NEAR


def _arranged(segments: list[_Segment], options: ChfiltOptions) -> list[_Segment]:
    """Return the segments padded, joined, cut and with gaps added, as the options require."""
    if options.padding is not None:
        _pad(segments, options.padding, options)
    if options.joining is not None:
        segments = _merged(segments, options.joining, options.begin, _joined)
    if options.without_overlap:
        segments = _merged(segments, None, options.begin, _excluded)
    return _with_gaps(segments, options) if options.gaps else segments


def _pad(segments: list[_Segment], padding: float, options: ChfiltOptions) -> None:
    """Extend segments into the silence around them by at most `padding` seconds.

    Neighbours share the silence between them.
    """
    ends: dict[bytes, float] = {}
    last: dict[bytes, _Segment] = {}
    for segment in segments:
        end = ends.get(segment.channel, options.begin)
        stop = segment.stop
        if end < segment.start:
            shift = min((segment.start - end) / 2.0, padding)
            if segment.channel in last:
                last[segment.channel].move_end(b"%.2f" % (end + shift))
            segment.begin = b"%.2f" % (segment.start - shift)
        ends[segment.channel], last[segment.channel] = stop, segment
    for channel, end in ends.items():
        if end < options.end:
            shift = min((options.end - end) / 2.0, padding)
            last[channel].move_end(b"%.15g" % (end + shift))


def _joined(first: _Segment, second: _Segment) -> bool:
    """Append `second` to `first` and return True if they have the same speaker.

    Otherwise return False.
    """
    if first.speaker != second.speaker:
        return False
    first.end, first.text = second.end.strip(), first.text.lstrip() + b" " + second.text.lstrip()
    return True


def _excluded(first: _Segment, second: _Segment) -> bool:
    """Turn `first` into a region that is not scored and ends with `second`.

    Always return True.
    """
    first.speaker, first.text = b"excluded_region", b"ignore_time_segment_in_scoring"
    first.end = second.end.strip()
    return True


def _merged(
    segments: list[_Segment],
    gap: float | None,
    begin: float,
    merge: Callable[[_Segment, _Segment], bool],
) -> list[_Segment]:
    ends: dict[bytes, float] = {}
    last: dict[bytes, _Segment] = {}
    merged: list[_Segment] = []
    for segment in segments:
        end = ends.get(segment.channel, begin)
        ends[segment.channel] = segment.stop
        before = last.get(segment.channel)
        reaches = end > segment.start - (gap or 0.0)
        if before is not None and reaches and merge(before, segment):
            continue
        last[segment.channel] = segment
        merged.append(segment)
    return merged


def _with_gaps(segments: list[_Segment], options: ChfiltOptions) -> list[_Segment]:
    """Return the segments in order, with an added record for each gap between two segments."""
    ends: dict[bytes, bytes] = {}
    filled: list[_Segment] = []
    first = b"%.15g" % options.begin
    for segment in segments:
        channel, end = segment.channel, ends.get(segment.channel, first)
        if leading_number(end) < segment.start - GAP:
            filled.append(_gap(segment, end, segment.start))
        filled.append(segment)
        ends[channel] = segment.end.strip()
    for segment in {
        channel_segment.channel: channel_segment for channel_segment in segments
    }.values():
        end = ends[segment.channel]
        if leading_number(end) < options.end - GAP:
            filled.append(_gap(segment, end, options.end))
    return filled


def _gap(segment: _Segment, begin: bytes, end: float) -> _Segment:
    who = b"%b_%b_inter_segment_gap" % (segment.name, segment.channel)
    return _Segment(segment.name, segment.channel, who, begin, b"%6.2f" % end, b"")
