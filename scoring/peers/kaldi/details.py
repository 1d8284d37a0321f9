"""Kaldi's scripts for details, which read the output of `align-text` or of each other.

`wer_per_utt_details.pl`: alignments in columns, and the counts of each utterance;
`wer_ops_details.pl`: how often each word was correct, or recognised as another word;
`wer_per_spk_details.pl`: the counts and rates of each speaker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.schema import words_of_text
from scoring.drawing import speaker_rows
from scoring.model.counts import Counts, edit_of
from scoring.model.errors import InputError

SHOWN_FIELDS = 5  # of a line that is quoted
# the lines of an utterance; counts have the order of the name `#csid`
LINES = ("ref", "hyp", "ops", "csid")


class StreamLine(NamedTuple):
    """A line that is not blank: its line number from 1, and its fields, split at ASCII blanks."""

    number: int
    fields: tuple[str, ...]


class EncodedText(NamedTuple):
    """A text and the encoding of its characters."""

    name: str
    text: str
    encoding: str

    @classmethod
    def of(cls, name: str, data: bytes) -> EncodedText:
        """Decode bytes and return the text with its encoding."""
        try:
            return cls(name, data.decode("utf-8"), "utf-8")
        except UnicodeDecodeError:
            return cls(name, data.decode("latin-1"), "latin-1")

    @classmethod
    def like(cls, other: EncodedText, name: str, data: bytes) -> EncodedText:
        """Decode bytes in the encoding of another text, so that both can be compared.

        Bytes that are invalid in this encoding equal no character of that text.
        """
        return cls(name, data.decode(other.encoding, "surrogateescape"), other.encoding)

    def note(self) -> str:
        """Return a note about the encoding, in the words of Kaldi's scripts."""
        kind = "utf-8 text" if self.encoding == "utf-8" else "byte stream"
        return f"Note: handling as {kind}"

    def lines(self) -> Iterator[StreamLine]:
        """Yield the lines that are not blank."""
        for number, line in enumerate(self.text.split("\n"), 1):
            if fields := words_of_text(line):
                yield StreamLine(number, fields)

    def unfit(self, expected: str) -> InputError | None:
        """Return an error if no line of the text is of the expected kind.

        For an empty text, return None.
        """
        for number, fields in self.lines():
            found = " ".join(fields[:SHOWN_FIELDS])
            problem = f"expected the output of wer_per_utt_details.pl, with {expected}"
            return self.error(number, f"{problem}, found {found!r}")
        return None

    def error(self, line: int, problem: str) -> InputError:
        """Create an error at a line of the text."""
        return InputError(self.name, line, None, problem)


def shown_keys(names: Sequence[str], most: int = 10) -> str:
    """Return at most `most` of the names as text, and how many names follow."""
    listed = ", ".join(names[:most])
    return listed if len(names) <= most else f"{listed} and {len(names) - most} more"


class ShownLines(NamedTuple):
    """The marks that the input uses, and which kinds of lines are written."""

    special_symbol: str = "<eps>"
    separator: str = ";"
    lines: frozenset[str] = frozenset(LINES)


def per_utterance(stream: EncodedText, selection: ShownLines) -> Iterator[str]:
    r"""Read output of `align-text`; yield the lines of `wer_per_utt_details.pl`, with line ends.

    >>> stream = EncodedText.of("<stdin>", b"u1 a b ; longer <eps> \n")
    >>> for line in per_utterance(stream, ShownLines()):
    ...     print(repr(line))
    'u1 ref  a  longer\n'
    'u1 hyp  b   <eps>\n'
    'u1 op   S     D  \n'
    'u1 #csid 0 1 0 1\n'
    """
    for line in stream.lines():
        yield from _utterance(line.fields[0], _pairs(stream, line, selection.separator), selection)


def _pairs(stream: EncodedText, line: StreamLine, separator: str) -> list[tuple[str, str]]:
    words = line.fields[1:]
    for wrong in words[2::3]:
        if wrong != separator:
            problem = f"Detected incorrect separator {wrong} (expected {separator})."
            raise stream.error(line.number, problem)
    if words and len(words) % 3 != 2:
        raise stream.error(
            line.number,
            f"expected pairs of words with {separator} between them, found {words[-1]!r} at the "
            f"end of utterance {line.fields[0]}",
        )
    return list(zip(words[::3], words[1::3], strict=True))


def _utterance(name: str, pairs: Sequence[tuple[str, str]], selection: ShownLines) -> Iterator[str]:
    special = selection.special_symbol
    edits = [_edit(reference, hypothesis, special) for reference, hypothesis in pairs]
    widths = [max(map(len, pair)) for pair in pairs]
    rows = (
        ("ref", "ref", [reference for reference, _ in pairs]),
        ("hyp", "hyp", [hypothesis for _, hypothesis in pairs]),
        ("ops", "op ", edits),
    )
    for line, title, words in rows:
        if line in selection.lines:
            columns = map(_centred, words, widths)
            yield f"{name} {title}  {'  '.join(columns)}\n"
    if "csid" in selection.lines:
        counts = " ".join(str(edits.count(edit)) for edit in "CSID")
        yield f"{name} #csid {counts}\n"


def _edit(reference: str, hypothesis: str, special: str) -> str:
    # where both sides lack a word the original reads a deletion
    return "D" if hypothesis == special else edit_of(reference, hypothesis, special).letter


def _centred(word: str, width: int) -> str:
    """Return a centred text; if the blanks cannot be halved, one more is on the left."""
    return (word + (width - len(word)) // 2 * " ").rjust(width)


GREATEST_WIDTH = 16


def operations(stream: EncodedText, special_symbol: str = "<eps>") -> Iterator[str]:
    """Read output of `per_utterance`; yield the lines of `wer_ops_details.pl`, with line ends."""
    pairs = _facing(stream)
    width = min(GREATEST_WIDTH, max((len(word) for pair in pairs for word in pair), default=0))
    count_width = len(str(max(pairs.values(), default=0)))
    for pair in sorted(pairs):
        reference, hypothesis = pair
        count = str(pairs[pair]).rjust(count_width)
        yield (
            f"{edit_of(*pair, special_symbol).name.lower():<14}{reference.rjust(width)}    "
            f"{hypothesis.rjust(width)}    {count}\n"
        )


def _facing(stream: EncodedText) -> Counter[tuple[str, str]]:
    """Count each pair of a reference word and the hypothesis word aligned with it."""
    sides: dict[str, dict[str, StreamLine]] = {"ref": {}, "hyp": {}}
    for line in stream.lines():
        utterance, kind = line.fields[0], "".join(line.fields[1:2])
        if kind not in sides:
            continue
        if utterance in sides[kind]:
            problem = f"The input stream contains duplicate entry {utterance} {kind}"
            earlier = sides[kind][utterance].number
            raise stream.error(line.number, f"{problem} (line {earlier} has it, too)")
        sides[kind][utterance] = line
    for missing, kind in (("hyp", "ref"), ("ref", "hyp")):
        for utterance, line in sides[kind].items():
            if utterance not in sides[missing]:
                problem = f'does not contain entry "{missing}" for utterance {utterance}'
                raise stream.error(line.number, f"The input stream {problem}")
    if not sides["ref"] and (unfit := stream.unfit("lines `UTTERANCE ref` and `UTTERANCE hyp`")):
        raise unfit
    pairs: Counter[tuple[str, str]] = Counter()
    for utterance, line in sides["hyp"].items():
        words, references = line.fields[2:], sides["ref"][utterance].fields[2:]
        if len(words) != len(references):
            raise stream.error(
                line.number,
                f"expected {len(references)} fields as in the reference of utterance {utterance}, "
                f"found {len(words)}",
            )
        pairs.update(zip(references, words, strict=True))
    return pairs


def read_speakers(stream: EncodedText) -> dict[str, str]:
    """Read a Kaldi file `utt2spk`; return the speaker of each utterance."""
    speakers: dict[str, str] = {}
    for number, fields in stream.lines():
        if len(fields) != 2:
            raise stream.error(
                number, f"expected an utterance and its speaker, found {len(fields)} fields"
            )
        utterance, speaker = fields
        if speakers.setdefault(utterance, speaker) != speaker:
            raise stream.error(
                number,
                f"expected speaker {speakers[utterance]} for utterance {utterance} as on a line "
                f"before, found {speaker}",
            )
    return speakers


def per_speaker(
    stream: EncodedText, speakers: dict[str, str], *, speaker_width: int = 15, field_width: int = 10
) -> Iterator[str]:
    """Read output of `per_utterance`; yield the lines of `wer_per_spk_details.pl`."""
    width = max([speaker_width, *map(len, speakers.values())])

    def row(name: str, kind: str, fields: Sequence[object]) -> str:
        columns = " ".join(str(field).rjust(field_width) for field in fields)
        return f"{name.ljust(width)} {kind} {columns}\n"

    counts_by_speaker = _counts_by_speaker(stream, speakers)
    total = [counts for listed in counts_by_speaker.values() for counts in listed]
    titles = ("#SENT", "#WORD", "Corr", "Sub", "Ins", "Del", "Err", "S.Err")
    yield row("SPEAKER", "id ", titles)
    for name, listed in (*sorted(counts_by_speaker.items()), ("SUM", total)):
        yield from (row(name, kind, fields) for kind, fields in speaker_rows(listed))


def _counts_by_speaker(stream: EncodedText, speakers: dict[str, str]) -> dict[str, list[Counts]]:
    """Return the counts of each utterance of each speaker."""
    counts: dict[str, list[Counts]] = {}
    strangers: list[StreamLine] = []
    for line in stream.lines():
        utterance, *numbers = line.fields
        if numbers[:1] != ["#csid"]:
            continue
        numbers = numbers[1:]
        if len(numbers) != 4 or not all(n.isascii() and n.isdecimal() for n in numbers):
            raise stream.error(line.number, f"expected four counts after #csid, found {numbers!r}")
        if utterance not in speakers:
            strangers.append(line)
            continue
        correct, substitutions, insertions, deletions = map(int, numbers)
        own = Counts(correct, substitutions, deletions, insertions)
        counts.setdefault(speakers[utterance], []).append(own)
    if strangers:
        listed = shown_keys([line.fields[0] for line in strangers])
        problem = f"the speaker of {listed} is not in the utt2spk file"
        raise stream.error(strangers[0].number, problem)
    if not counts and (unfit := stream.unfit("lines `UTTERANCE #csid`")):
        raise unfit
    return counts
