"""The rttm tools: sorting, smoothing, and conversion from stm or ctm, to ctm or to speech turns.

All functions take and return the bytes of a file. If the order of a NIST script's output changes
from run to run, keys are sorted in byte order here, and ties keep the order of the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.model.errors import OriginalError
from scoring.nist.hub.lines import leading_number
from scoring.nist.transcripts.characters import byte_text

DIED = 255
TYPES = (
    *("SPKR-INFO", "NOSCORE", "NORTMETADATA", "SEGMENT", "SPEAKER", "SU", "A/P", "CB", "IP"),
    *("EDIT", "FILLER", "NON-SPEECH", "NON-LEX", "LEXEME"),
)
ORDER = {name.encode(): rank for rank, name in enumerate(TYPES)}
TIME = rb"[0-9]+(?:\.[0-9]+)?|\.[0-9]+|<NA>"
RECORD = re.compile(
    rb"(%b)\s+(\S+)\s+([0-9]+)\s+(%b)\s+(%b)\s+(\S+)\s+([A-Za-z0-9_&-]+|<NA>)\s+(\S+)\s+(%b)"
    % ("|".join(TYPES).encode(), TIME, TIME, TIME)
)
LINE = re.compile(rb"[^\n]*\n|[^\n]+")
LONGEST_GAP = 0.3  # seconds


class DiedError(OriginalError):
    """Raised where NIST's script stops with this error's message.

    `output` is what the script has written before.
    """

    def __init__(self, text: str, output: bytes = b"", status: int = DIED) -> None:
        super().__init__(text)
        self.output = byte_text(output)
        self.status = status


class RttmFields(NamedTuple):
    """The nine fields of an rttm line."""

    type: bytes
    recording: bytes
    channel: bytes
    begin: bytes
    duration: bytes
    text: bytes
    subtype: bytes
    speaker: bytes
    confidence: bytes


def _records(data: bytes) -> Iterator[RttmFields]:
    """Yield the records of a file, without comments.

    Raise `DiedError` for an invalid or empty line.
    """
    for number, line in enumerate(LINE.findall(data), 1):
        if b";;" in line:
            continue
        match = RECORD.search(line)
        if match is None:
            raise DiedError(f"malformed line {number}\n--> {byte_text(line)}\n")
        yield RttmFields(*match.groups())


def _line(fields: Sequence[bytes]) -> bytes:
    return b" ".join(fields) + b"\n"


def sort_rttm(data: bytes) -> bytes:
    r"""Sort rttm like `rttmSort.pl`: SPKR-INFO first, then recording, channel, start and type.

    Raises
    ------
    DiedError
        A malformed line, or a speaker of a recording that is described twice.

    >>> print(sort_rttm(b"LEXEME a 1 2 1 b lex x <NA>\nLEXEME a 1 1 1 a lex x <NA>\\n").decode())
    LEXEME a 1 1 1 a lex x <NA>
    LEXEME a 1 2 1 b lex x <NA>
    <BLANKLINE>
    """
    speakers: dict[bytes, RttmFields] = {}
    others: list[RttmFields] = []
    for record in _records(data):
        if record.type != b"SPKR-INFO":
            others.append(record)
            continue
        name = record.recording + b" " + record.speaker
        if name in speakers:
            raise DiedError(f"Error: spkrinfo exists for '{byte_text(name)}'\n")
        absent = dict.fromkeys(("begin", "duration", "text"), b"<NA>")
        speakers[name] = record._replace(**absent)
    # begins that are equal but not written alike stay apart
    groups: dict[tuple[bytes, bytes, bytes], int] = {}
    keys = []
    for number, record in enumerate(others):
        rank = groups.setdefault((record.recording, record.channel, record.begin), number)
        begin = -1.0 if record.begin == b"<NA>" else float(record.begin)
        key = record.recording, record.channel, begin, rank, ORDER[record.type], number
        keys.append(key)
    ordered = [speakers[name] for name in sorted(speakers)]
    return b"".join(map(_line, (*ordered, *(others[key[-1]] for key in sorted(keys)))))


def rttm_to_ctm(data: bytes) -> bytes:
    """Convert rttm to ctm like `rttm2ctm.pl`.

    Only words of the subtype `lex` are converted, in the order of the input.

    Raises
    ------
    DiedError
        A malformed line; its `output` has the words before this line.
    """
    words: list[bytes] = []
    try:
        for kind, recording, channel, begin, duration, text, subtype, _, sure in _records(data):
            if (kind, subtype) == (b"LEXEME", b"lex"):
                words.append(_line((recording, channel, begin, duration, text, sure)))
    except DiedError as error:
        raise DiedError(str(error), b"".join(words)) from None
    return b"".join(words)


def _fields(data: bytes) -> tuple[list[bytes], list[list[bytes]]]:
    """Return the comment lines, and the fields of every other line."""
    lines = LINE.findall(data)
    comments = [line for line in lines if line.startswith(b";")]
    return comments, [line.split() for line in lines if not line.startswith(b";")]


def _field(fields: Sequence[bytes], index: int) -> bytes:
    return fields[index] if index < len(fields) else b""


def _begin(fields: Sequence[bytes]) -> float:
    return leading_number(_field(fields, 3))


def _end(fields: Sequence[bytes]) -> float:
    return _begin(fields) + leading_number(_field(fields, 4))


def smooth_rttm(data: bytes, longest_gap: float = LONGEST_GAP) -> bytes:
    """Join the turns of a speaker over short gaps, like `rttmSmooth.pl`.

    Turns of different channels are also joined. `longest_gap` is in seconds.
    """
    lines, records = _fields(data)
    groups: dict[bytes, dict[bytes, list[list[bytes]]]] = {}
    for fields in records:
        name = _field(fields, 1) + b" " + _field(fields, 7)
        groups.setdefault(name, {}).setdefault(_field(fields, 0), []).append(fields)
    for name in sorted(groups):
        turns = sorted(groups[name].pop(b"SPEAKER", []), key=_begin)
        lines += [_line(fields) for some in groups[name].values() for fields in some]
        smoothed: list[list[bytes]] = []
        for turn in turns:
            if smoothed and _end(smoothed[-1]) >= _begin(turn) - longest_gap:
                last = smoothed[-1]
                end = max(_end(last), _end(turn))
                last += [b""] * (5 - len(last))
                last[4] = b"%.3f" % (end - _begin(last))
            else:
                smoothed.append(turn)
        lines += map(_line, smoothed)
    return b"".join(lines)


def speakers_to_speech(data: bytes) -> bytes:
    """Replace all speakers of a recording by one speaker, `speech`, like `spkr2sad.pl`.

    Overlapping turns are not joined.

    Raises
    ------
    DiedError
        A recording with neither turns nor speakers; a blank line counts as one.
    """
    lines, records = _fields(data)
    groups: dict[bytes, dict[bytes, list[list[bytes]]]] = {}
    for fields in records:
        kinds = groups.setdefault(_field(fields, 1), {})
        kinds.setdefault(_field(fields, 0), []).append(fields)
    for recording in sorted(groups):
        turns = sorted(groups[recording].get(b"SPEAKER", []), key=_begin)
        infos = groups[recording].get(b"SPKR-INFO")
        if infos:
            head = _with_speaker(infos[0], b"unknown")
        elif turns:
            head = _with_speaker(groups[recording][b"SPEAKER"][0], b"unknown")
            head[0], head[3:6] = b"SPKR-INFO", [b"<NA>"] * 3
        else:
            raise DiedError("Error: No SPKR-INFO and no SPEAKER Tags\n", b"".join(lines))
        lines += [_line(head), *(_line(_with_speaker(turn)) for turn in turns)]
    return b"".join(lines)


def _with_speaker(fields: Sequence[bytes], subtype: bytes | None = None) -> list[bytes]:
    """Return a record with the speaker `speech`, and with `subtype` unless it is None."""
    padded = [*fields, *[b""] * (8 - len(fields))]
    padded[7] = b"speech"
    if subtype is not None:
        padded[6] = subtype
    return padded


# -- stm -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """The settings for converting an stm to turns, which depend on the evaluation.

    Attributes
    ----------
    longest_gap
        Longest gap, in seconds, over which two segments of one speaker are joined.
    sex
        Index, from 0, of the label that gives the sex; None if the evaluation does not use it.
    """

    longest_gap: float
    sex: int | None = None


EVALUATIONS: Mapping[str, TurnRequest] = {
    "rt02": TurnRequest(0.5, 2),
    "rt04s": TurnRequest(0.0, 1),
    "rt05s": TurnRequest(0.3),
}
SEXES = {b"male": b"adult_male", b"female": b"adult_female"}
NO_TURN = re.compile(rb"\A;;|inter_?segment_gap", re.IGNORECASE)
SPEAKER, START, END, LABELS = 2, 3, 4, 5


def stm_to_rttm(data: bytes, evaluation: str) -> bytes:
    """Convert stm to rttm turns with a SPKR-INFO per speaker, like `stm2rttm.pl -e EVALUATION`.

    As in `stm2rttm.pl`, the two segments after a joined pair of segments are neither joined nor
    checked.

    Raises
    ------
    DiedError
        An unknown evaluation or sex, segments of one speaker that overlap.
    """
    if evaluation not in EVALUATIONS:
        raise DiedError(f"Unknown target evaluation code!\n{SUPPORTED}")
    rules = EVALUATIONS[evaluation]
    groups: dict[tuple[bytes, bytes, bytes], list[list[bytes]]] = {}
    sexes: dict[bytes, bytes] = {}
    for line in LINE.findall(data):
        if not line.strip() or NO_TURN.search(line):
            continue
        fields = re.split(rb"\s+", line, maxsplit=6)
        if len(fields) < 3:
            raise DiedError("No file, channel, or speaker defined\n")
        fields += [b""] * (6 - len(fields))
        recording, channel, speaker = fields[:3]
        sex = b"unknown"
        if rules.sex is not None:
            sex = _sex(fields[LABELS], rules.sex)
            known_sex = sexes.get(speaker, sex)
            if known_sex != sex and b"excluded_region" not in speaker.lower():
                names = f"{byte_text(speaker)}=>{byte_text(sex)} but had {byte_text(known_sex)}"
                raise DiedError(f"Error: ambiguous spkr info {names}\n")
        sexes.setdefault(speaker, sex)
        groups.setdefault((speaker, recording, channel), []).append(fields)
    infos: list[bytes] = []
    turns: list[bytes] = []
    for speaker, recording, channel in sorted(groups):
        segments = groups[speaker, recording, channel]
        is_excluded = b"excluded_region" in speaker.lower()
        if not is_excluded:
            named = b"%b %b <NA>" % (sexes[speaker], speaker)
            infos.append(b"SPKR-INFO %b %b <NA> <NA> <NA> %b\n" % (recording, channel, named))
        kind, name = (b"NOSCORE", b"<NA>") if is_excluded else (b"SPEAKER", speaker)
        for fields in _joined(segments, rules.longest_gap):
            duration = leading_number(fields[END]) - leading_number(fields[START])
            times = b"%b %.3f" % (fields[START], duration)
            turns.append(
                b"%b %b %b %b <NA> <NA> %b <NA>\n" % (kind, recording, channel, times, name)
            )
    return b"".join((*infos, *turns))


SUPPORTED = """\
Supported evaluations are:
	- Rich Transcription 02 (code: rt02)
	- Rich Transcription 05s (code: rt05s)
	- Rich Transcription 04 Spring (code: rt04s)
"""


def _sex(labels: bytes, index: int) -> bytes:
    sex = _field(labels.split(b","), index).replace(b">", b"", 1)
    if sex not in SEXES and b"unk" not in sex:
        raise DiedError(f"Unknown sex {byte_text(sex)}\n")
    return SEXES.get(sex, b"unknown")


def _joined(segments: list[list[bytes]], longest_gap: float) -> list[list[bytes]]:
    """Return the segments of one speaker sorted by start, and joined over short gaps.

    As in `stm2rttm.pl`, the two segments after a joined pair are neither joined nor checked.
    """
    segments.sort(key=lambda fields: leading_number(fields[START]))
    joined = segments[:1]
    last, passed = segments[0], 0
    for fields in segments[1:]:
        if passed:
            passed -= 1
            joined.append(fields)
            continue
        gap = leading_number(fields[START]) - leading_number(last[END])
        if leading_number(fields[START]) < leading_number(last[END]):
            both = "\n  ".join(byte_text(b" ".join(part)) for part in (last, fields))
            raise DiedError(
                f"Error: segments from the same speaker overlap\n  {both}".rstrip("\n") + "\n"
            )
        if gap <= longest_gap:
            last[END], passed = fields[END], 2
        else:
            joined.append(fields)
            last = fields
    return joined


# -- ctm -------------------------------------------------------------------------------------------


def merge_ctm(rttm: bytes, ctm: bytes) -> bytes:
    """Merge the words of a ctm with the turns of an rttm, like `mergectm2rttm.pl`.

    A word of type `lex` belongs to the speaker whose turn contains the word's midpoint. If several
    turns contain the midpoint, the turn whose start time is first in text order wins;
    `mergectm2rttm.pl` chooses a turn at random.
    """
    speakers: dict[tuple[bytes, bytes], set[bytes]] = {}
    turns: dict[tuple[bytes, bytes], dict[bytes, list[bytes]]] = {}
    for fields in _uncommented(rttm):
        kind, recording, channel, begin, _, _, _, speaker = (*fields, *[b""] * 8)[:8]
        if kind.upper() == b"SPKR-INFO":
            speakers.setdefault((recording, channel), set()).add(speaker)
        elif kind.upper() == b"SPEAKER":
            turns.setdefault((recording, channel), {}).setdefault(begin, fields)
    words: dict[tuple[bytes, bytes], dict[bytes, list[bytes]]] = {}
    for fields in _uncommented(ctm):
        if _field(fields, 6) == b"lex":
            words.setdefault((fields[0], fields[1]), {}).setdefault(fields[2], fields)
    lines: list[bytes] = []
    for rank in sorted(speakers):
        where = b"%b %b" % rank
        for speaker in sorted(speakers[rank]):
            lines.append(b"SPKR-INFO %b <NA> <NA> <NA> unknown %b <NA>\n" % (where, speaker))
        spoken = sorted(turns.get(rank, {}).items())
        for begin, fields in sorted(
            words.get(rank, {}).items(), key=lambda item: leading_number(item[0])
        ):
            _, _, _, duration, text, sure, kind = fields[:7]
            middle = float(f"{leading_number(begin) + leading_number(duration) / 2:.4f}")
            message = (
                _field(turn, 7)
                for _, turn in spoken
                if _begin(turn) <= middle <= float(f"{_end(turn):.3f}")
            )
            speaker = next(message, b"")
            if speaker:
                times = b"%b %b %b" % (where, begin, duration)
                lines.append(b"SPEAKER %b <NA> <NA> %b <NA>\n" % (times, speaker))
                lines.append(b"LEXEME %b %b %b %b %b\n" % (times, text, kind, speaker, sure))
    return sort_rttm(smooth_rttm(b"".join(lines)))


def _uncommented(data: bytes) -> Iterator[list[bytes]]:
    """Yield the fields of each line before a comment (`;;`); lines without fields are skipped."""
    for line in data.split(b"\n"):
        fields = line.partition(b";;")[0].split()
        if fields:
            yield fields
