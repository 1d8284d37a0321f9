"""Kaldi's detail scripts, which read what `align-text` and the first of them write.

`wer_per_utt_details.pl`: alignments in columns, and counts of each utterance;
`wer_ops_details.pl`: how often each word was right or taken for another;
`wer_per_spk_details.pl`: counts and rates of each speaker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.compat.kaldi.streams import EncodedText, StreamLine
from scoring.model import Counts

# In this order, and the counts in the order of the name `#csid`.
LINES = ("ref", "hyp", "ops", "csid")


class ShownLines(NamedTuple):
    """What is read and what is written."""

    special_symbol: str = "<eps>"
    separator: str = ";"
    lines: frozenset[str] = frozenset(LINES)


def per_utterance(stream: EncodedText, selection: ShownLines) -> Iterator[str]:
    r"""Lines, with their ends, from the output of `align-text`.

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
    if hypothesis == special:
        return "D"
    if reference == special:
        return "I"
    return "C" if reference == hypothesis else "S"


def _centred(word: str, width: int) -> str:
    """With the odd blank on the left; `str.center` has it now here, now there."""
    return (word + (width - len(word)) // 2 * " ").rjust(width)


GREATEST_WIDTH = 16


def operations(stream: EncodedText, special_symbol: str = "<eps>") -> Iterator[str]:
    r"""Lines, with their ends, from the output of `per_utterance`.

    >>> stream = EncodedText.of("<stdin>", b"u1 ref a <eps> b\nu1 hyp a x <eps>\n")
    >>> print(*operations(stream), sep="", end="")
    insertion     <eps>        x    1
    correct           a        a    1
    deletion          b    <eps>    1
    """
    pairs = _facing(stream)
    width = min(GREATEST_WIDTH, max((len(word) for pair in pairs for word in pair), default=0))
    count_width = len(str(max(pairs.values(), default=0)))
    for reference, hypothesis in sorted(pairs):
        count = str(pairs[reference, hypothesis]).rjust(count_width)
        yield (
            f"{_kind(reference, hypothesis, special_symbol):<14}{reference.rjust(width)}    "
            f"{hypothesis.rjust(width)}    {count}\n"
        )


def _kind(reference: str, hypothesis: str, special_symbol: str) -> str:
    if reference == hypothesis:
        return "correct"
    if reference == special_symbol:
        return "insertion"
    return "deletion" if hypothesis == special_symbol else "substitution"


def _facing(stream: EncodedText) -> Counter[tuple[str, str]]:
    """How often each reference word faces each hypothesis word."""
    sides: dict[str, dict[str, tuple[int, list[str]]]] = {"ref": {}, "hyp": {}}
    for number, fields in stream.lines():
        side = sides.get(fields[1]) if len(fields) > 1 else None
        if side is None:
            continue
        if fields[0] in side:
            raise stream.error(
                number,
                f"The input stream contains duplicate entry {fields[0]} {fields[1]} "
                f"(line {side[fields[0]][0]} has it, too)",
            )
        side[fields[0]] = number, fields[2:]
    for name, other in (("hyp", "ref"), ("ref", "hyp")):
        for utterance, (number, _) in sides[other].items():
            if utterance not in sides[name]:
                raise stream.error(
                    number,
                    f'The input stream does not contain entry "{name}" for utterance {utterance}',
                )
    pairs: Counter[tuple[str, str]] = Counter()
    for utterance, (number, words) in sides["hyp"].items():
        _, references = sides["ref"][utterance]
        if len(words) != len(references):
            raise stream.error(
                number,
                f"expected {len(references)} fields as in the reference of utterance {utterance}, "
                f"found {len(words)}",
            )
        pairs.update(zip(references, words, strict=True))
    return pairs


_FIELDS = 6  # utterance, #csid, four counts
_MOST_SHOWN = 10


class SpeakerTally(NamedTuple):
    """What a speaker said."""

    counts: Counts = Counts()
    sentences: int = 0
    wrong_sentences: int = 0

    def plus(self, other: SpeakerTally) -> SpeakerTally:
        """Both together."""
        return SpeakerTally(
            self.counts + other.counts,
            self.sentences + other.sentences,
            self.wrong_sentences + other.wrong_sentences,
        )

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """The counts and, unless there are no words, the percentages."""
        correct, substitutions, deletions, insertions = self.counts
        words = self.counts.reference_tokens
        shown = [correct, substitutions, insertions, deletions, self.counts.errors]
        head = [str(self.sentences), str(words)]
        yield "raw", [*head, *map(str, shown), str(self.wrong_sentences)]
        if words:
            rates = [f"{100 * number / words:.2f}" for number in shown]
            yield "sys", [*head, *rates, f"{100 * self.wrong_sentences / self.sentences:.2f}"]


def read_speakers(stream: EncodedText) -> dict[str, str]:
    """The speaker of each utterance, from a Kaldi `utt2spk`."""
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
    """Lines, with their ends, from the output of `per_utterance`.

    >>> stream = EncodedText.of("<stdin>", b"u1 #csid 3 1 1 1")
    >>> print(list(per_speaker(stream, {"u1": "A"}, speaker_width=3, field_width=5))[2], end="")
    A   sys     1     5 60.00 20.00 20.00 20.00 60.00 100.00
    """
    tallies = _tallies(stream, speakers)
    width = max([speaker_width, *map(len, speakers.values())])
    titles = ("#SENT", "#WORD", "Corr", "Sub", "Ins", "Del", "Err", "S.Err")
    yield _row("SPEAKER", width, "id ", list(titles), field_width)
    total = SpeakerTally()
    for speaker in sorted(tallies):
        total = total.plus(tallies[speaker])
        for kind, numbers in tallies[speaker].rows():
            yield _row(speaker, width, kind, numbers, field_width)
    for kind, numbers in total.rows():
        yield _row("SUM", width, kind, numbers, field_width)


def _row(speaker: str, width: int, kind: str, fields: list[str], field_width: int) -> str:
    columns = " ".join(field.rjust(field_width) for field in fields)
    return f"{speaker.ljust(width)} {kind} {columns}\n"


def _tallies(stream: EncodedText, speakers: dict[str, str]) -> dict[str, SpeakerTally]:
    tallies: dict[str, SpeakerTally] = {}
    strangers: list[tuple[int, str]] = []
    for number, fields in stream.lines():
        if len(fields) < 2 or fields[1] != "#csid":
            continue
        if len(fields) != _FIELDS or not all(map(_is_count, fields[2:])):
            raise stream.error(
                number, "expected four counts after #csid, found " + repr(fields[2:])
            )
        if fields[0] not in speakers:
            strangers.append((number, fields[0]))
            continue
        correct, substitutions, insertions, deletions = map(int, fields[2:])
        counts = Counts(correct, substitutions, deletions, insertions)
        speaker = speakers[fields[0]]
        one = SpeakerTally(counts, 1, int(counts.errors > 0))
        tallies[speaker] = tallies.get(speaker, SpeakerTally()).plus(one)
    if strangers:
        shown = ", ".join(name for _, name in strangers[:_MOST_SHOWN])
        more = len(strangers) - _MOST_SHOWN
        rest = f" and {more} more" if more > 0 else ""
        raise stream.error(
            strangers[0][0], f"the speaker of {shown}{rest} is not told by the utt2spk file"
        )
    return tallies


def _is_count(field: str) -> bool:
    return field.isascii() and field.isdecimal()
