"""`wer_per_spk_details.pl`: counts and rates of each speaker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.compat.kaldi.streams import Stream
from scoring.model import Counts

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


def read_speakers(stream: Stream) -> dict[str, str]:
    """The speaker of each utterance, from a Kaldi `utt2spk`.

    Raises
    ------
    InputError
        If a line has not two fields, or an utterance has two speakers.
    """
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
    stream: Stream, speakers: dict[str, str], *, speaker_width: int = 15, field_width: int = 10
) -> Iterator[str]:
    """Lines, with their ends, from the output of `per_utterance`.

    Parameters
    ----------
    speakers
        The speaker of each utterance.
    speaker_width, field_width
        Of the columns: that of the speakers is wider if one of them has a longer name.

    Raises
    ------
    InputError
        If counts cannot be read or the speaker of an utterance is not known; Kaldi counts such
        utterances for a speaker without a name.

    Examples
    --------
    >>> stream = Stream.of("<stdin>", b"u1 #csid 3 1 1 1")
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


def _tallies(stream: Stream, speakers: dict[str, str]) -> dict[str, SpeakerTally]:
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
