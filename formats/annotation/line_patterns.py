"""Formats whose lines each match one pattern: dialogue-acts, nxt-query, speech-activity and others.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
``A|Right.|aa``                        dialogue-acts: SwDA and MRDA as lines of speaker, text and
                                       acts; the acts become the property ``act``
``g<TAB>right so``                     nxt-query: the output of a search with NXT, as for Map Task;
                                       ``Observation: q1`` in a line above gives the recording
``so it was (book-0870 -30200)``       sphinx-hyp: words, utterance id and score of PocketSphinx
``0.2 4.83 speech``                    speech-activity: a `Segment` without words; any label other
                                       than speech is an event
``u1 0 -1 how are you``                ynop: words of an utterance, as audiomate and evalmate write
                                       them; ``-1`` is the end of its audio
``rec1 0.2 4.83 speaker_1``            speaker-labels: turns, as NeMo's clustering writes them
``male<TAB>0.0<TAB>3.2``               turns of inaSpeechSegmenter, below ``labels start stop``;
                                       property ``gender``
=====================================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, sniff_share, split_words, strip_blanks
from formats.reading.member_names import are_columns
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

SPEECH = {"speech": "", "sp": "", "voice": "", "voiced": "", "male": "male", "female": "female"}
"""Labels of speech, and what they say of the speaker."""
PROPERTIES = {"act": "act", "score": "score"}


class LinePattern(NamedTuple):
    """A format in which every record is one line that matches a pattern."""

    title: str
    description: str
    """The title and the sign of its `FormatSpec`."""
    expected: str
    """The expected line, for error messages."""
    record: re.Pattern[str]
    """Its groups are the fields: ``text``, ``speaker``, ``utterance``, ``start``, …"""
    heading: re.Pattern[str]
    """Lines that are no records; a group ``recording`` names that of the records below."""
    needs_heading: bool = False
    """True if the first line must be a heading for the format to be detected."""
    least: int = 2
    """Fewest lines that show the format."""
    sign: re.Pattern[str] | None = None
    """The pattern that detects records, if that is not `record`."""
    has_one_recording: bool = False

    @property
    def spec(self) -> FormatSpec:
        """The description of the format for the registry."""
        return FormatSpec(
            title=self.title, sign=self.description, read=self.read, sniff=self.sniff,
            has_one_recording=self.has_one_recording,
        )  # fmt: skip

    def read(self, source: Source) -> Iterator[Segment]:
        """Yield one segment per line that matches the pattern."""
        recording = source.recording
        for line in filled_lines(source):
            heading = self.heading.fullmatch(line.text)
            if heading is not None:
                recording = heading.groupdict().get("recording") or recording
                continue
            records = source.log.accepted("LINE", partial(self._segment, recording), [line])
            yield from records

    def _segment(self, recording: str, line: Line) -> Iterator[Segment]:
        record = self.record.fullmatch(line.text)
        if record is None:
            raise line.source.syntax_error(line.number, self.expected, quoted(line.text), 1)
        fields = record.groupdict()
        times = [None if (text := fields.get(name)) is None else parse_time(text)
                 for name in ("start", "end")]  # fmt: skip
        if None not in times and times[1] < times[0]:  # type: ignore[operator]
            raise line.source.syntax_error(
                line.number, f"an end not before {fields['start']}", quoted(fields["end"])
            )
        label = fields.get("label") or ""
        is_event = bool(label) and label.lower() not in SPEECH
        properties = [(name, fields[name]) for name in PROPERTIES if fields.get(name)]
        if gender := SPEECH.get(label.lower()):
            properties.append(("gender", gender))
        utterance = fields.get("utterance")
        yield Segment(
            utterance or fields.get("recording") or recording,
            (label,) if is_event else tuple(split_words(fields.get("text") or "")),
            utterance=utterance,
            speaker=fields.get("speaker"),
            start_ns=times[0],
            end_ns=times[1],
            properties=tuple(properties),
            kind="event" if is_event else "segment",
            line=line.number,
        )

    def sniff(self, lines: Sequence[str]) -> Sniff:
        """Return `SURE` if at least 95 % of the lines match the pattern, apart from headings."""
        filled = [line for line in lines if strip_blanks(line)]
        headings = [line for line in filled if self.heading.fullmatch(line)]
        if self.needs_heading and headings[:1] != filled[:1]:
            return Sniff.NO
        records = len(filled) - len(headings)
        if not filled or are_columns(re.split(r"[|\t]", filled[0])):
            return Sniff.NO
        if records < (0 if self.needs_heading else self.least):
            return Sniff.NO
        sign = self.sign or self.record
        return sniff_share(filled, sign.fullmatch, 0.95, self.heading.fullmatch)


NO_HEADING = re.compile(r"(?!)")
NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,20})?"
DIALOGUE_ACTS = LinePattern(
    "dialogue acts of Switchboard (SwDA) or of meetings (MRDA): speaker|text|acts",
    "lines of a speaker, a text and acts with bars between them",
    "a speaker, a text and dialogue acts with bars between them",
    re.compile(
        r"(?P<speaker>[^|\s./]{1,40})\|(?P<text>[^|]*)\|(?P<act>[^|\s]{1,20}(?:\|[^|\s]{0,20}){0,3})"
    ),
    NO_HEADING,
    # lists of LJSpeech hold a text twice, those of audio files have numbers
    sign=re.compile(
        r"[^|\s./]{1,40}\|(?P<text>[^|]*)\|(?!(?=\w)(?P=text)\Z|[0-9.]+(?:\||\Z))[^|\s]{1,20}(?:\|[^|\s]{0,20}){0,3}"
    ),
    has_one_recording=True,
)
NXT_QUERY = LinePattern(
    "results of an NXT search, as of the Map Task corpus: who and utterance",
    'a line "who" and "$m" above the records',
    "who and an utterance with a tab between them",
    re.compile(r"(?P<speaker>[^\t]{1,40})\t(?P<text>[^\t]*)\t? *"),
    re.compile(
        r"Found [0-9]+ args?\. *|Observation: (?P<recording>[^;]+); Result size:.*|who\t\$.*"
    ),
    needs_heading=True,
)
SPHINX_HYP = LinePattern(
    "output of PocketSphinx for a list of files (-hyp): words, id and score",
    "lines that end in an id and a score in parentheses",
    "words, and an id and a score in parentheses",
    re.compile(r"(?P<text>(?:.* )?)\((?P<utterance>[^\s()]+) (?P<score>-[0-9]{1,18})\) *"),
    NO_HEADING,
    least=1,
)
ACTIVITY = LinePattern(
    "speech activity: begin, end and speech, without words",
    "lines of begin, end and speech",
    "begin, end and speech or non-speech",
    re.compile(rf"(?P<start>{NUMBER})[ \t]+(?P<end>{NUMBER})[ \t]+(?P<label>[^ \t]+) *"),
    NO_HEADING,
    sign=re.compile(
        rf"{NUMBER}[ \t]+{NUMBER}[ \t]+(?i:speech|non-?speech|voiced?|unvoiced) *"
        r"|[0-9]+\.[0-9]+[ \t]+[0-9]+\.[0-9]+[ \t]+sp *"
    ),
    has_one_recording=True,
)
YNOP = LinePattern(
    "label files of audiomate and evalmate (ynop): utterance, begin, end and words",
    "lines of an utterance, begin, end -1 and words",
    "an utterance, its begin, its end or -1, and words",
    re.compile(
        rf"(?P<utterance>\S+)[ \t]+(?P<start>{NUMBER})[ \t]+(?:-1(?:\.0)?|(?P<end>{NUMBER}))"
        r"(?:[ \t](?P<text>.*))?"
    ),
    NO_HEADING,
    sign=re.compile(rf"\S+[ \t]+{NUMBER}[ \t]+-1(?:\.0)?[ \t]+\S.*"),
)
SPEAKER_LABELS = LinePattern(
    "labels of speakers, as NeMo's clustering writes them: recording, begin, end and speaker",
    "lines of a recording, begin, end and a speaker such as speaker_0",
    "a recording, begin, end and speaker",
    re.compile(
        rf"(?P<recording>[^ \t]+)[ \t]+(?P<start>{NUMBER})[ \t]+(?P<end>{NUMBER})"
        r"[ \t]+(?P<speaker>[^ \t]+) *"
    ),
    NO_HEADING,
    sign=re.compile(rf"[^ \t]+[ \t]+{NUMBER}[ \t]+{NUMBER}[ \t]+(?i:speaker|spk)_?[0-9]{{1,4}} *"),
)
SEGMENTER = LinePattern(
    "csv of inaSpeechSegmenter: speech, music and noise, without words",
    'the columns "labels", "start" and "stop"',
    "a label, its start and its stop with tabs or commas between them",
    re.compile(rf"(?P<label>[^\t,]+)[\t,](?P<start>{NUMBER})[\t,](?P<end>{NUMBER})"),
    re.compile(r"labels[\t,]start[\t,]stop"),
    needs_heading=True,
    has_one_recording=True,
)
