"""kaldi: ``text``, an utterance and its words per line, alone or in its data directory.

Fields are cut at blanks and tabs. Nothing in the text is markup; scores, ``<unk>``, ``[noise]``
and ``<eps>`` are words.

==========================  ===========================================================
file                        ours
==========================  ===========================================================
``text``                    `Segment.utterance`, `Segment.words`
``segments``                `Segment.recording`, times; an end of ``-1`` is `None`
``utt2spk``, or ``spk2utt``  `Segment.speaker`
``reco2file_and_channel``   `Segment.recording` is the file, `Segment.channel`
``wav.scp``                 which recordings there are: only its first column is read
``utt2dur``                 end of an utterance that is a whole recording
``reco2dur``                end of a segment that ends with its recording
``utt2lang``                ``properties["language"]``
``spk2gender``              ``properties["gender"]``
==========================  ===========================================================

Of a directory all of them are read, of a ``text`` alone those that options name. Without
``segments`` an utterance of a directory is a recording of its own; of a text alone nothing is known
of recordings, and the file's name stands for it.

Where Kaldi's scripts differ: they refuse Unicode blanks, unsorted files, and missing or surplus
entries, which are told here, and read.
"""

from __future__ import annotations

from itertools import count, pairwise
from operator import le

from formats.columns import cutter, read_in_bulk
from formats.errors import SyntaxFormatError, quoted
from formats.kaldi.tables import TABLES, Place, Tables, records, split_key
from formats.kaldi.writer import write
from formats.lines import SeenIds, note_unicode_blanks, split_words, strip_blanks
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.beginning import Head
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff", "write"]

OVERSHOOT = 500_000_000
"""Nanoseconds by which Kaldi lets a segment end after its recording."""


def read(
    source: Source,
    *,
    segments: str = "",
    utt2spk: str = "",
    spk2utt: str = "",
    reco2file_and_channel: str = "",
    wav_scp: str = "",
    utt2dur: str = "",
    reco2dur: str = "",
    utt2lang: str = "",
    spk2gender: str = "",
) -> Iterator[Segment]:
    """One segment per utterance, in the order of the text.

    Parameters
    ----------
    segments, utt2spk, spk2utt, reco2file_and_channel, wav_scp, utt2dur, reco2dur, utt2lang,
    spk2gender: paths of the tables; of a directory, by default, those that it holds.
    """
    given = {
        "segments": segments,
        "utt2spk": utt2spk,
        "spk2utt": spk2utt,
        "reco2file_and_channel": reco2file_and_channel,
        "wav.scp": wav_scp,
        "utt2dur": utt2dur,
        "reco2dur": reco2dur,
        "utt2lang": utt2lang,
        "spk2gender": spk2gender,
    }
    _warn_of_integers(source)
    places = _Places(source, Tables(source, given))
    seen = SeenIds()
    last: str | None = ""  # `None` where it has been told that they are not sorted

    def at_once(first: int, text: str) -> Iterable[Segment] | None:
        nonlocal last
        columns = cut(text, "sw")
        if columns is None:
            return None
        ids, texts = columns
        if last is not None and not all(map(le, [last, *ids], ids)):
            return None
        if not seen.all_new(ids, first, texts):
            return None
        last = None if last is None else ids[-1]
        if not places.is_alone:
            return map(places.segment, ids, texts, count(first))
        recording = source.recording
        return [
            Segment(recording, words, utterance=utterance, line=number)
            for number, utterance, words in zip(count(first), ids, texts, strict=False)
        ]

    def one_by_one(first: int, lines: list[str]) -> Iterator[Segment]:
        nonlocal last
        for number, line in records(enumerate(lines, first)):
            utterance, said = split_key(line)
            if not line.isascii():
                note_unicode_blanks(source, number, line)
            words = tuple(split_words(said))
            try:
                if seen.is_repeated(source, number, utterance, words, "KALDI-DUPLICATE", 1):
                    continue
            except SyntaxFormatError as error:
                source.log.reject("KALDI-DUPLICATE", error)
                continue
            if last is not None and utterance < last:
                last = None
                source.log.note(
                    "KALDI-ORDER", "not sorted by bytes, as Kaldi's programs want it", number
                )
            last = None if last is None else utterance
            yield places.segment(utterance, words, number)

    cut = cutter("").cut
    yield from read_in_bulk(source, at_once, one_by_one)
    places.tell_unused(seen.ids)


def _warn_of_integers(source: Source) -> None:
    words = [word for line in source.head_lines() for word in split_words(split_key(line)[1])]
    numbers = sum(1 for word in words if word.isdecimal())
    if numbers > 1 and numbers >= 0.95 * len(words):
        source.log.warn(
            "KALDI-INTEGERS",
            f"{numbers} of {len(words)} words are integers: are they still to be looked up in "
            "words.txt?",
        )


class _Places:
    """Finds out where an utterance is and whose it is."""

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self.tables = tables
        self.is_alone = source.folder is None and not tables.has_any

    def segment(self, utterance: str, words: tuple[str, ...], number: int) -> Segment:
        """The segment of an utterance."""
        if self.is_alone:
            return Segment(self.source.recording, words, utterance=utterance, line=number)
        tables = self.tables
        recording, channel, start, end = self.place(utterance, number)
        properties: list[tuple[str, str]] = []
        speaker = self.speaker(utterance, number)
        if speaker in tables.genders:
            properties.append(("gender", tables.genders[speaker]))
        if utterance in tables.languages:
            properties.append(("language", tables.languages[utterance]))
        file = tables.files.get(recording)
        if file is not None:
            if recording not in (file[0], f"{file[0]}-{file[1]}"):
                properties.append(("recording_id", recording))
            recording, channel = file
        return Segment(
            recording,
            words,
            channel=channel,
            speaker=speaker,
            utterance=utterance,
            start_ns=start,
            end_ns=end,
            properties=tuple(properties),
            line=number,
        )

    def speaker(self, utterance: str, number: int) -> str | None:
        """The speaker of an utterance, with a warning where the table says none."""
        speakers = self.tables.speakers
        if speakers is None:
            return None
        if utterance not in speakers:
            message = f"no speaker of {quoted(utterance)} in utt2spk"
            self.source.log.warn("KALDI-SPEAKER", message, number)
        return speakers.get(utterance)

    def place(self, utterance: str, number: int) -> tuple[str, str | None, int | None, int | None]:
        """Recording, channel, start and end of an utterance."""
        tables = self.tables
        if tables.places is None:
            if self.source.folder is None:
                return self.source.recording, None, None, None
            self._check_recording(utterance, number)
            length = tables.durations.get(utterance, tables.lengths.get(utterance))
            return utterance, None, None if length is None else 0, length
        place = tables.places.get(utterance)
        if place is None:
            self.source.log.warn(
                "KALDI-NO-SEGMENT", f"{quoted(utterance)} is not in segments: no times", number
            )
            return self.source.recording, None, None, None
        self._check_recording(place.recording, number)
        return place.recording, place.channel, place.start_ns, self._end(place, number)

    def _end(self, place: Place, number: int) -> int | None:
        length = self.tables.lengths.get(place.recording)
        if place.end_ns is None and length is not None and length <= place.start_ns:
            self.source.log.warn(
                "KALDI-END",
                f"begins after the end of {quoted(place.recording)}, {length / 1e9} s: no end",
                number,
            )
            return None
        if place.end_ns is None:
            return length
        if length is not None and place.end_ns > length + OVERSHOOT:
            self.source.log.warn(
                "KALDI-END",
                f"ends {(place.end_ns - length) / 1e9} s after the end of "
                f"{quoted(place.recording)}",
                number,
            )
        return place.end_ns

    def _check_recording(self, recording: str, number: int) -> None:
        known = self.tables.recordings
        if known is not None and recording not in known:
            message = f"no recording {quoted(recording)} in wav.scp"
            self.source.log.warn("KALDI-NO-RECORDING", message, number)

    def tell_unused(self, seen: set[str]) -> None:
        """Say which utterances have a place or a speaker but no text."""
        places = self.tables.places or {}
        for utterance, place in places.items():
            if utterance not in seen:
                self.source.log.warn(
                    "KALDI-NO-TEXT",
                    f"{quoted(utterance)} of line {place.line} of segments has no text",
                )
        for utterance, speaker in (self.tables.speakers or {}).items():
            if utterance not in seen and utterance not in places:
                self.source.log.warn(
                    "KALDI-NO-TEXT", f"{quoted(utterance)} of {quoted(speaker)} has no text"
                )


def sniff(lines: Head) -> Sniff:
    """Sure where all ids begin as the file is called, as in LibriSpeech's ``*.trans.txt``.

    Maybe, if there are two lines or more whose first fields are unique and sorted by bytes.
    """
    keys = [split_key(x)[0] for x in lines if strip_blanks(x)]
    if keys and any(map(str.isdigit, lines.stem)):
        prefix = f"{lines.stem}-"
        if len(set(keys)) == len(keys) and all(key.startswith(prefix) for key in keys):
            return Sniff.SURE
    rising = len(keys) > 1 and all(a < b for a, b in pairwise(keys))
    return Sniff.MAYBE if rising and _look_like_ids(keys) else Sniff.NO


def _look_like_ids(keys: Sequence[str]) -> bool:
    return all(any("0" <= character <= "9" for character in key) for key in keys)


SPEC = FormatSpec(
    title="Kaldi's text: an utterance and its words per line; or its data directory",
    sign="lines of an id and words",
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "recordings",
        "channels",
        "speakers",
        "utterance ids",
        "segment times",
        "properties",
        "empty segments",
        "segment boundaries",
    ),
    properties=("gender", "language", "recording_id"),
    read_options=(
        Option("segments", "", "Kaldi's segments: where utterances are", is_path=True),
        Option("utt2spk", "", "Kaldi's utt2spk: whose utterances are", is_path=True),
        Option("spk2utt", "", "Kaldi's spk2utt, in the place of utt2spk", is_path=True),
        Option("reco2file_and_channel", "", "Kaldi's reco2file_and_channel", is_path=True),
        Option(
            "wav_scp", "", "Kaldi's wav.scp, of which only the first column is read", is_path=True
        ),
        Option("utt2dur", "", "Kaldi's utt2dur: lengths of utterances", is_path=True),
        Option("reco2dur", "", "Kaldi's reco2dur: lengths of recordings", is_path=True),
        Option("utt2lang", "", "Kaldi's utt2lang: languages of utterances", is_path=True),
        Option("spk2gender", "", "Kaldi's spk2gender", is_path=True),
    ),
    write_options=(decimals(),),
    folder_files=("text", *TABLES),
    has_plain_names=True,
    manual="One utterance per line: its id, then its words; times and speakers in files beside it.",
)
