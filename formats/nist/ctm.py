"""ctm: one timed word per line.

``recording channel begin duration word [confidence [type [speaker]]]``

Times are decimal seconds. A line that begins with ``;`` is a comment. Alternations are written
with marker words, and are not nested::

    rec1 1 * * <ALT_BEGIN>
    rec1 1 1.10 0.20 um
    rec1 1 * * <ALT>
    rec1 1 * * <ALT_END>

===========================  ===========================================================
its word                     ours
===========================  ===========================================================
file, channel                `Segment.recording`, `Segment.channel`
begin, duration              `Token.start`, and `Token.end` as their sum
confidence; ``NA``           `Token.confidence`; `None`
type                         `Token.kind`, as written; the default ``lex`` is `None`
speaker                      `Segment.speaker`
an empty branch; word ``@``  the null word; `NULL` outside alternations
===========================  ===========================================================

The words of one recording and channel make one segment, or several where the speaker changes.
One recording is held in memory at a time.

Of Kaldi's ctm, whose first column holds utterances and whose times begin with each of them,
``segments`` makes recordings; each utterance is a segment then.

Where sclite differs: it takes any text for a time and crashes on four fields (errors here), scores
unsorted words in the order of the file (sorted here, with a warning), loses words in malformed
alternations (errors here), and keeps the CR of CRLF in the last word.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.fields import field_count_error, read_confidence
from formats.lines import column_of_field, data_lines, read_time, split_fields, strip_blanks
from formats.nist.checks import CHECKS
from formats.nist.ctm_channel import Channel
from formats.nist.ctm_utterances import Utterances, hint
from formats.nist.ctm_writer import write
from formats.nist.markup import read_token
from formats.spec import FormatSpec, Option, Sniff
from formats.times import LARGEST, is_time, plain_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "TYPES", "read", "sniff", "write"]

TYPES = frozenset({"lex", "frag", "fp", "un-lex", "for-lex", "non-lex", "misc", "noscore"})
MISSING = frozenset({"na", "<na>", "-"})
NO_TYPE = MISSING | {"lex"}
NONSPEECH = "<eps>,<b>,SIL"


def read(
    source: Source,
    *,
    segments: str = "",
    nonspeech: str = NONSPEECH,
    nist_checks: str = "none",
) -> Iterator[Segment]:
    """Segments of one recording after another, its channels in order of first appearance.

    Words are sorted by begin within recording and channel; a recording that appears again after
    another one gives further segments, with a warning.

    Parameters
    ----------
    segments: path of Kaldi's ``segments``: the first column holds utterances, and their times are
        those of the utterance. Each gives a segment of its recording.
    nonspeech: words of the kind ``non-lex`` where the file does not say their type, with commas
        between them; empty for none.
    nist_checks: report what NIST's validator refuses, too; see `formats.nist.checks`.

    Raises
    ------
    SyntaxFormatError
        Fewer than five or more than eight fields, a begin, duration or confidence that is no
        number, a negative time, an alternation that is not closed or is nested, an utterance that
        `segments` does not have.
    """
    if not segments:
        hint(source)
        yield from _read(source, nonspeech, nist_checks)
        return
    utterances = Utterances(source, segments)
    for segment in _read(source, nonspeech, nist_checks):
        try:
            yield utterances.placed(segment)
        except SyntaxFormatError as error:
            source.log.reject("CTM-UTTERANCE", error)


def _read(source: Source, nonspeech: str, nist_checks: str) -> Iterator[Segment]:
    unspoken = frozenset(nonspeech.split(",")) if nonspeech else frozenset()
    recording: str | None = None
    seen: set[str] = set()
    channels: dict[str, Channel] = {}
    vocabulary: dict[str, str] = {}
    for number, line in data_lines(source, (";",)):
        try:
            fields = split_fields(line)
            if fields[0] != recording and len(fields) >= 5:
                for channel in channels.values():
                    yield from channel.segments()
                channels.clear()
                vocabulary.clear()
                recording = fields[0]
                _remember(source, recording, seen, number)
            _read_line(source, number, line, fields, channels, unspoken, vocabulary)
            if nist_checks != "none":
                from formats.nist.checks import check_ctm

                check_ctm(source, number, line, fields, nist_checks)
        except SyntaxFormatError as error:
            source.log.reject("CTM-SYNTAX", error)
    for channel in channels.values():
        yield from channel.segments()


def _remember(source: Source, recording: str, seen: set[str], number: int) -> None:
    if recording in seen:
        source.log.warn(
            "CTM-SPLIT",
            f"{quoted(recording)} goes on after another recording: its words come as further "
            "segments (sort the file by recording to have them together)",
            number,
        )
    seen.add(recording)


def _read_line(
    source: Source,
    number: int,
    line: str,
    fields: list[str],
    channels: dict[str, Channel],
    unspoken: frozenset[str],
    vocabulary: dict[str, str],
) -> None:
    count = len(fields)
    if not 5 <= count <= 8:
        some = "recording, channel, begin, duration, word"
        expected = f"{some} and at most confidence, type and speaker"
        raise field_count_error(source, number, line, count, 8, expected)
    recording, name, begin, duration, word = fields[:5]
    channel = channels.get(name)
    if channel is None:
        channel = channels[name] = Channel(source, recording, name, number)
    if word[:4].upper() == "<ALT":
        channel.mark(number, line, word)
        return
    start_ns, length = plain_time(begin), plain_time(duration)
    if start_ns is None or length is None:
        start_ns = read_time(source, number, line, 2, begin, "begin time")
        length = read_time(source, number, line, 3, duration, "duration")
    end_ns = start_ns + length
    if end_ns > LARGEST:
        expected = "an end of at most 292 years"
        raise source.syntax_error(number, expected, quoted(duration), column_of_field(line, 3))
    confidence = _confidence(source, number, line, fields[5]) if count > 5 else None
    kind = fields[6] if count > 6 and fields[6].lower() not in NO_TYPE else None
    if kind is not None and kind.lower() not in TYPES:
        source.log.warn(
            "CTM-TYPE",
            f"{quoted(kind)} is not one of {', '.join(sorted(TYPES))}",
            number,
            column_of_field(line, 6),
        )
    elif kind is None and word in unspoken and count < 7:
        kind = "non-lex"
    speaker = fields[7] if count > 7 and fields[7].lower() not in MISSING else None
    optional = False
    if word[0] == "(":
        token = read_token(word)
        word, optional = token.text, token.optional
    word = vocabulary.setdefault(word, word)
    channel.add(number, word, start_ns, end_ns, confidence, kind, optional, speaker)


def _confidence(source: Source, number: int, line: str, text: str) -> float | None:
    if not text[0].isdigit() and text.lower() in MISSING:
        source.log.note(
            "CTM-NO-CONFIDENCE", f"{text} is no confidence", number, column_of_field(line, 5)
        )
        return None
    value = read_confidence(source, number, line, 5, text, "a confidence or NA")
    if not 0.0 <= value <= 1.0:
        source.properties["confidence_scale"] = "unknown"
        source.log.note(
            "CTM-CONFIDENCE",
            f"confidence {text} is not within 0 and 1",
            number,
            column_of_field(line, 5),
        )
    return value


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 90 % of the records have 5 to 8 fields, begin and duration being times.

    Only maybe where nearly all words are numbers: they may be something else's times.
    """
    records = [split_fields(x) for x in lines if strip_blanks(x) and not x.startswith(";")]
    if not records:
        return Sniff.NO
    fitting = [r for r in records if _fits(r)]
    if len(fitting) < 0.9 * len(records):
        return Sniff.NO
    worded = sum(1 for r in fitting if not is_time(r[4]))
    return Sniff.SURE if worded >= 0.2 * len(fitting) else Sniff.MAYBE


def _fits(fields: Sequence[str]) -> bool:
    if not 5 <= len(fields) <= 8:
        return False
    is_marker = fields[2] == "*" and fields[3] == "*"
    return is_marker or (is_time(fields[2]) and is_time(fields[3]))


SPEC = FormatSpec(
    title="NIST conversation time marks: one timed word per line",
    sign="lines of file, channel, begin, duration, word",
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "recordings",
        "channels",
        "speakers",
        "definitions",
        "word times",
        "confidences",
        "word types",
        "optional marks",
        "alternations",
        "segment boundaries",
    ),
    needs=("recordings", "channels", "word times"),
    read_options=(
        Option("segments", "", "Kaldi's segments: where utterances are", is_path=True),
        Option("nonspeech", NONSPEECH, "words that are no speech, with commas between them"),
        Option(
            "nist_checks", "none", "report what NIST's validators refuse, for a language", CHECKS
        ),
    ),
    write_options=(
        Option("precision", 3, "decimals of times", tuple(range(10))),
        Option("conf_missing", "NA", "what to write for a missing confidence: NA, a number, drop"),
        Option("all_columns", False, "write word types and speakers, too", (False, True)),
        Option("escape_markup", False, "write look-alikes for markup characters", (False, True)),
    ),
    has_plain_names=True,
    manual="One word per line: recording, channel, begin, duration, word, confidence, …",
)
