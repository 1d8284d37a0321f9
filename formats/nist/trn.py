"""trn: one utterance per line, ``words … (id)``, without times.

The id is the text between the last ``(`` and the last ``)`` of the line, inner blanks included;
the words may carry `formats.nist.markup`. Lines that begin with ``;;`` or ``**`` are comments,
except ``;; LABEL`` and ``;; CATEGORY`` definitions.

==========  ==========================================================================
its word    ours
==========  ==========================================================================
id          `Segment.utterance`
speaker     `Segment.speaker`, taken from the id, see `speaker_of`
(none)      `Segment.recording`: the stem of the file's name
==========  ==========================================================================

Where sclite differs: it drops an unterminated last line in silence (we read it), takes a line
without parentheses for an utterance with an empty id (an error here), drops what follows the id
(a warning here), and keeps parentheses in the names of ``sp`` speakers and of very short ``wsj``
ids (we do not).
"""

from __future__ import annotations

from itertools import count
from operator import itemgetter

from formats.columns import cutter, read_in_bulk
from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import SeenIds, records_of, split_words, strip_blanks, write_definition
from formats.loss import refused
from formats.model import Segment
from formats.nist.markup import parse_columns, write_text
from formats.spec import ESCAPE_MARKUP, FormatSpec, Option, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource
    from formats.words import Definition

__all__ = ["ID_TYPES", "SPEC", "read", "sniff", "speaker_of", "write"]

MARKUP = "{}@"
BY_MARK = ("spu_id", "rm", "swb")
ID_TYPES = (*BY_MARK, "wsj", "atis", "sp")


def speaker_of(utterance: str, id_type: str = "spu_id") -> str | None:
    """The speaker that an utterance id names, or `None` if it names none.

    ``spu_id``, ``rm``, ``swb``: the text before the first hyphen, or where there is none before
    the first underscore. ``wsj``, ``atis``: the first three characters. ``sp``: the whole id.

    >>> speaker_of("a_b-c"), speaker_of("a_b"), speaker_of("4k0c0301", "wsj")
    ('a_b', 'a', '4k0')
    """
    if id_type in BY_MARK:
        mark = "-" if "-" in utterance else "_"
        return utterance.partition(mark)[0] if mark in utterance else None
    if id_type in ("wsj", "atis"):
        return utterance[:3]
    if id_type == "sp":
        return utterance
    raise OptionError(expected=f"id type {', '.join(ID_TYPES)}", found=quoted(id_type))


def read(
    source: Source, *, id_type: str = "spu_id", alternations: bool = True
) -> Iterator[Segment]:
    """One segment per utterance, in the order of the file.

    Parameters
    ----------
    id_type: how ids name speakers, one of `ID_TYPES`.
    alternations: `False` makes braces ordinary characters, as Buckwalter Arabic needs.
    """
    speaker_of("", id_type)
    seen = SeenIds()
    recording = source.recording
    cut = cutter(";*", MARKUP).cut
    kinds = "wip" if id_type in BY_MARK else "wi"

    def at_once(first: int, text: str) -> list[Segment] | None:
        columns = cut(text, kinds)
        if columns is None or not seen.all_new(columns[1], first, columns[0]):
            return None
        texts, utterances, *parts = columns
        speakers = parts[0] if parts else [speaker_of(name, id_type) for name in utterances]
        rows = zip(texts, speakers, utterances, count(first), strict=False)
        return [
            Segment(recording, words, speaker=speaker, utterance=utterance, line=line)
            for words, speaker, utterance, line in rows
        ]

    def one_by_one(first: int, lines: list[str]) -> Iterator[Segment]:
        for number, line in records_of(source, first, lines, (";;", "**")):
            try:
                opening, utterance = _split_id(source, number, line)
                speaker = speaker_of(utterance, id_type)
                if speaker is None:
                    source.log.warn(
                        "TRN-SPEAKER",
                        f'the id {quoted(utterance)} has neither "-" nor "_": '
                        "all of it is taken for the speaker",
                        number,
                        opening + 2,
                    )
                    speaker = utterance
                words, optional, choices = parse_columns(
                    source, number, line, 0, opening, alternations=alternations
                )
                said = split_words(line[:opening])
                if seen.is_repeated(source, number, utterance, said, "TRN-DUPLICATE"):
                    continue
            except SyntaxFormatError as error:
                source.log.reject("TRN-SYNTAX", error)
                continue
            yield Segment(
                recording,
                words,
                speaker=speaker,
                utterance=utterance,
                optional=optional,
                alternations=choices,
                line=number,
            )

    return read_in_bulk(source, at_once, one_by_one)


def _split_id(source: Source, number: int, line: str) -> tuple[int, str]:
    """Position of the ``(`` of the id, and the id."""
    opening, closing = line.rfind("("), line.rfind(")")
    if opening < 0 or closing < 0 or closing < opening:
        if opening < 0 and closing < 0:
            expected, found, column = '"(id)" at the end of the line', "no parentheses", len(line)
        elif closing < opening:
            expected, found, column = '")" after the id', "the end of the line", len(line)
        else:
            expected, found, column = '"(" before the id', '")"', closing
        raise source.syntax_error(number, expected, found, column=column + 1)
    utterance = line[opening + 1 : closing]
    if not strip_blanks(utterance):
        raise source.syntax_error(
            number, "an id", quoted(line[opening : closing + 1]), column=opening + 2
        )
    rest = strip_blanks(line[closing + 1 :])
    if rest:
        source.log.warn(
            "TRN-TRAILING", f"not read: {quoted(rest)} after the id", number, closing + 2
        )
    return opening, utterance


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    id_type: str = "spu_id",
    alternations: bool = True,
    escape_markup: bool = False,
    sort: str = "input",
) -> None:
    """Write one line per segment, in the order given; definitions come as comments.

    Parameters
    ----------
    id_type: how a reader will take speakers from ids; those it would get wrong are counted lost.
    alternations: `False` writes braces in words as ordinary characters.
    escape_markup: write look-alikes for characters that are markup, instead of refusing.
    sort: ``id`` sorts by utterance id as bytes instead, which holds all lines in memory.
    """
    written = 0
    path = segments.source
    used: set[str] = set()
    held: list[tuple[str, str]] = []
    for segment in segments:
        written = _write_definitions(segments.definitions, written, sink)
        utterance = _checked_id(segment, path, used)
        speaker = segment.speaker
        if speaker is not None and speaker != (speaker_of(utterance, id_type) or utterance):
            sink.losses.add("speakers", 1, "the id names another speaker", path, segment.line)
        text = write_text(segment, path, alternations=alternations, escape=escape_markup)
        if text.startswith((";", "*")):
            text = " " + text
        line = f"{text} ({utterance})\n" if text else f"({utterance})\n"
        if sort == "id":
            held.append((utterance, line))
        else:
            sink.write(line)
    for _, line in sink.losses.in_order(held, itemgetter(0), "by utterance id", path):
        sink.write(line)
    _write_definitions(segments.definitions, written, sink)


def _checked_id(segment: Segment, path: str | None, used: set[str]) -> str:
    utterance = segment.utterance
    if utterance is None or not strip_blanks(utterance):
        raise refused(path, segment.line, "an utterance id", "none")
    for character in "()\n\r\0":
        if character in utterance:
            raise refused(
                path,
                segment.line,
                "an utterance id without parentheses and line ends",
                quoted(utterance),
            )
    if utterance in used:
        raise refused(path, segment.line, "an utterance id not used before", quoted(utterance))
    used.add(utterance)
    return utterance


def _write_definitions(definitions: Sequence[Definition], written: int, sink: Sink) -> int:
    for definition in definitions[written:]:
        sink.write(write_definition(definition))
    return len(definitions)


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if at least 95 % of the records end in ``(…)``, the last two parentheses balanced."""
    records = [x for x in lines if strip_blanks(x) and not x.startswith((";;", "**"))]
    if not records:
        return Sniff.NO
    fitting = sum(1 for x in records if _ends_in_id(strip_blanks(x)))
    if fitting >= 0.95 * len(records):
        return Sniff.SURE
    return Sniff.MAYBE if fitting * 2 > len(records) else Sniff.NO


def _ends_in_id(line: str) -> bool:
    opening = line.rfind("(")
    return line.endswith(")") and opening >= 0 and ")" not in line[opening:-1]


SPEC = FormatSpec(
    title="NIST transcript: one utterance per line, id in parentheses at the end",
    sign='words and "(id)" at the end of each line',
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "utterance ids",
        "speakers",
        "definitions",
        "optional marks",
        "alternations",
        "empty segments",
        "segment boundaries",
    ),
    needs=("utterance ids",),
    read_options=(
        Option("id_type", "spu_id", "how utterance ids name speakers", ID_TYPES),
        Option("alternations", True, "read braces as alternations", (True, False)),
    ),
    write_options=(
        Option("id_type", "spu_id", "how utterance ids name speakers", ID_TYPES),
        Option("alternations", True, "braces are alternations", (True, False)),
        ESCAPE_MARKUP,
        Option("sort", "input", "order of the utterances", ("input", "id")),
    ),
    streams=True,
    manual="One utterance per line: words, then the utterance id in parentheses. No times.",
)
