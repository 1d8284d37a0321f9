"""A hint that is printed, works: each remark that advises an option is provoked, the advice followed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import formats
from formats import FormatError
from formats.detection import by_name
from formats.schema.messages import Advice, Message
from tests.each_case import each_case
from tests.formats.case import sample
from tests.formats.test_message_laws import ENTRIES

CONVERSION = ("interpolate", "inner_space", "text_view", "cues", "cue_line_length")


@dataclass(frozen=True)
class Provoked:
    """A file that provokes a message, how it is read and written, and what is chosen."""

    format: str
    text: str | bytes
    to: str = ""
    """The format to write; none for reading only."""
    options: dict[str, Any] = field(default_factory=dict)
    chosen: str = ""
    """The value that a user chooses, where the advice leaves that open."""
    together: bool = False
    """True if all the options are one piece of advice; otherwise each helps alone."""
    remains: bool = False
    """True if the message is still true afterwards: it tells what was decided."""
    files: dict[str, str | bytes] = field(default_factory=dict)
    """Files beside it, by their names; ``{folder}`` in an option or a choice is where they are."""
    name: str = "talk"


ROLLING = "".join(
    f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n + 2:02},000\nline {n}\nline {n + 1}\n\n"
    for n in range(12)
)
STM_LINE = "rec 1 anne 0.5 2.25 {}\n"
CAPTIONS = "1\n00:00:00,500 --> 00:00:02,250\n{}\n\n2\n00:00:02,250 --> 00:00:04,000\n{}\n"
TIERS = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n3\n<exists>\n{}\n{}'
TIER = '"IntervalTier"\n"{}"\n0\n3\n1\n0\n3\n"{}"\n'
GAZE = TIERS.format(
    1,
    '"IntervalTier"\n"eyes"\n0\n3\n6\n'
    + "".join(f'{n / 2}\n{n / 2 + 0.5}\n"{("left", "right")[n % 2]}"\n' for n in range(6)),
)
SIGNS = TIERS.format(
    3,
    TIER.format("anne", "so it")
    + '"IntervalTier"\n"anne - words"\n0\n3\n2\n0\n1\n"so"\n1\n3\n"it"\n"IntervalTier"\n{}',
)
TALK = ("so it was then", "was it so at all", "no more of this", "so be it", "and so on we went")
PREDICTED = sample("label-studio.txt").strip()[1:-1]
TIMED = '{"words": [{"word": "hello", "start": 0.5, "end": 1.0}]}'


def elan(*tiers: str, media: bool = False) -> str:
    """Return a document of ELAN with tiers, of an audio file that begins later with `media`."""
    origin = '<MEDIA_DESCRIPTOR MEDIA_URL="a.wav" MIME_TYPE="audio/x-wav" TIME_ORIGIN="400"/>'
    slots = "".join(f'<TIME_SLOT TIME_SLOT_ID="t{n}" TIME_VALUE="{n}000"/>' for n in (1, 2))
    head = f"<HEADER>{origin if media else ''}</HEADER><TIME_ORDER>{slots}</TIME_ORDER>"
    return f"<ANNOTATION_DOCUMENT>{head}{''.join(tiers)}</ANNOTATION_DOCUMENT>"


def aligned(name: str, text: str, kind: str = "x") -> str:
    """Return a tier of ELAN with a text between two times."""
    return (
        f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}"><ANNOTATION><ALIGNABLE_ANNOTATION '
        f'ANNOTATION_ID="a-{name}" TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"><ANNOTATION_VALUE>{text}'
        "</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>"
    )


def referring(name: str, parent: str, text: str) -> str:
    """Return a tier of ELAN with a text about that of another tier."""
    return (
        f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="x" PARENT_REF="{parent}"><ANNOTATION>'
        f'<REF_ANNOTATION ANNOTATION_ID="a-{name}" ANNOTATION_REF="a-{parent}"><ANNOTATION_VALUE>'
        f"{text}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER>"
    )


def grid(*tiers: tuple[str, str]) -> str:
    """Return a TextGrid of tiers with a text each."""
    return TIERS.format(len(tiers), "".join(TIER.format(*tier) for tier in tiers))


def segments(members: str) -> str:
    """Return JSON of four segments with these members and a start."""
    rows = (f'{{"start": {n}8, {members.replace("{n}", str(n))}}}' for n in range(1, 5))
    return f'{{"segments": [{", ".join(rows)}]}}'


def stl() -> bytes:
    """Return subtitles of EBU that say when their programme starts."""
    output = BytesIO()
    formats.write(formats.read(BytesIO(CAPTIONS.format("a", "b").encode()), "srt"), output, "stl")
    return output.getvalue()[:256] + b"10000000" + output.getvalue()[264:]


def styled(styles: str | bytes) -> Provoked:
    """Return subtitles written with the styles of a file, which is none; another is chosen."""
    files = {
        "good.ass": "[V4+ Styles]\nFormat: Name, Fontsize\nStyle: Default, 20\n",
        "bad.ass": styles,
    }
    options = {"styles_from": "{folder}/bad.ass"}
    return Provoked(
        "srt", CAPTIONS.format("a", "b"), "ass", options, chosen="{folder}/good.ass", files=files
    )


ROWS: dict[str, Provoked] = {
    "ENCODING.codec": Provoked(
        "txt", b"h\xc3\xa9llo", options={"encoding": "utf-16"}, chosen="utf-8"
    ),
    "LOST.all-columns": Provoked("ctm", "rec 1 0.5 0.4 hello 0.9 fp anne\n", "ctm"),
    "MARKUP-WORD": Provoked("jsonl", '{"id": "u-1", "text": "a{b"}\n', "trn"),
    "MARKUP-WORD.null": Provoked("jsonl", '{"id": "u-1", "text": "@"}\n', "trn"),
    "MARKUP-WORD.optional": Provoked("jsonl", '{"id": "u-1", "text": "(a)"}\n', "trn"),
    "SPEAKER-NAMES": Provoked(
        "srt",
        "".join(
            f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n + 1:02},000\n{'AB'[n % 2]}nne: so it was\n\n"
            for n in range(8)
        ),
    ),
    "NEMO-NAMES": Provoked(
        "nemo",
        "".join(
            f'{{"audio_filepath": "{a}/x.wav", "duration": 1, "text": "hello"}}\n' for a in "ab"
        ),
    ),
    "NO-TEXT-NAME.nemo": Provoked(
        "nemo",
        '{"audio_filepath": "x.wav", "duration": 1, "text": "a"}\n',
        options={"field": "said"},
        chosen="text",
    ),
    "NO-TEXT-NAME.speechbrain": Provoked(
        "speechbrain",
        '{"u1": {"wav": "a.wav", "length": 1, "wrd": "hello"}}',
        options={"field": "said"},
        chosen="wrd",
    ),
    "JSON-NAMES.table": Provoked(
        "json",
        json.dumps(
            {"calls": [{"n": 1, "log": {"transcript": "so it was and so on " * 5}, "x": [{}]}]}
        ),
        chosen="text=transcript",
    ),
    "JSON-NAMES.people": Provoked(
        "json",
        json.dumps([{"human_transcript": "so it is", "asr_transcript": "so is it"}] * 2),
        chosen="text=asr_transcript",
    ),
    "ROLE.table": Provoked(
        "json",
        json.dumps([{"n": n, "kept": f"so it was {word} then"} for n, word in enumerate("abc")]),
        chosen="text=kept",
    ),
    "JSON-SPEAKER": Provoked(
        "json",
        '{"items": [{"text": "so it was", "start": 1.5, "end": 2.5, "sayer": "anne"}, '
        '{"text": "was it so", "start": 2.5, "end": 3.5, "sayer": "bob"}]}',
        together=True,
    ),
    "BLANKS.words": Provoked(
        "jsonl",
        '{"recording": "r", "start": 0, "end": 1, "text": "a b", "words": '
        '[{"word": "a b", "start": 0, "end": 1}]}\n',
        "ctm",
        options={"inner_space": "error"},
        chosen="underscore",
    ),
    "SPEAKER-TEXT?.names": Provoked(
        "txt", "Anna: so it was\nBob: was it\nCy: no\n" + "so it was all along\n" * 4
    ),
    "TXT-SHAPE.ids": Provoked(
        "txt", "".join(f"utt-{n} so it was\n" for n in range(1, 6)) + "and so on\n"
    ),
    "TXT-SHAPE.ids-behind": Provoked(
        "txt", "".join(f"so it was (utt-{n})\n" for n in range(1, 6)) + "and so on\n"
    ),
    "KALDI-COLUMNS": Provoked(
        "kaldi",
        "".join(f"utt-{n}\tso it was\t0.{n}\n" for n in range(1, 4)),
        chosen="{id}\t{text}\t{_}",
    ),
    "KALDI-COLUMNS.codes": Provoked(
        "kaldi", "".join(f"utt-{n} M so it was\n" for n in range(5)), chosen="{id} M {text}"
    ),
    "SPEAKER-TEXT?.txt": Provoked("txt", "Anna: so it was\n\nBob: was it so\n\n" * 4),
    "SPEAKER-TEXT-INSIDE": Provoked(
        "speaker-text",
        "".join(f"Ann: so it was {n}. Bob: yes.\n" + "Ann: so.\n" * 6 for n in range(8)),
        chosen="inline\npattern {speaker Ann|Bob}: {text}\n",
    ),
    "SPEAKER-TEXT-NAMES": Provoked(
        "speaker-text",
        "".join(f"Speaker {n}: so it was {n}\n" for n in range(1, 7)),
        chosen="{_}: {text}",
    ),
    "SPEAKER-TEXT-DOUBT.longest": Provoked(
        "speaker-text",
        "Ann: so\nBob: oh\n" * 4 + "Ann: " + "so it was " * 20 + "\n",
        remains=True,
        chosen="{speaker}: {text}",
    ),
    "SPEAKER-TEXT-DOUBT.untimed": Provoked(
        "speaker-text",
        "[00:01] Ann: so\n[00:02] Bob: oh\n[00:03] Ann: so\n[00:04] Bob: no\n"
        + "Ann: so\nBob: oh\n" * 3,
        remains=True,
        chosen="{speaker}: {text}",
    ),
    "SPEAKER-TEXT-DOUBT.evidence": Provoked(
        "speaker-text",
        "Ann Ex: Is it to begin here today?\n"
        + "".join(
            f"{name}: It is late and dark.\n"
            for name in ("Ben Lee", "Cy Orr", "Dan Poe", "Eve Rae", "Fay Sun")
        )
        + "So it was.\n",
    ),
    "SPEAKER-TEXT-ALIKE": Provoked(
        "speaker-text",
        "Speaker1: (Ann) so it was\nSpeaker1: (Bob) yes it was\n" * 5,
        chosen="{_}: ({speaker}) {text}",
    ),
    "SPEAKER-TEXT-TITLES": Provoked(
        "speaker-text",
        "ANN EX:\nso it was\n\nBOB LE:\nyes it was\n12\n\n" * 4,
        chosen="skip 12\npattern {speaker}:\n  {text}\n",
    ),
    "BRACKETS-LEFT": Provoked(
        "speaker-text",
        "Ann: so it [Ann] was\nBob: yes [Ann] it was\n" * 3,
        chosen="drop [{_}]\npattern {speaker}: {text}\n",
    ),
    "SPEAKER-TEXT?.inside": Provoked(
        "txt",
        "so it was. Speaker 1: yes it\nwas. Speaker 2: no\n",
        chosen="inline\npattern {speaker Speaker 1|Speaker 2}: {text}\n",
    ),
    "TXT-LAYOUT.names": Provoked(
        "txt", "Ann So it was.\nBob Was it?\n" * 4, chosen="{speaker Ann|Bob} {text}"
    ),
    "TXT-LAYOUT.first": Provoked(
        "txt", "".join(f"*a{n % 3}* so it was\n" for n in range(8)), chosen="{_} {text}"
    ),
    "TXT-LAYOUT.last": Provoked(
        "txt", "".join(f"so it was (Ann{n % 3})\n" for n in range(8)), chosen="{text} ({speaker})"
    ),
    "TXT-LAYOUT.columns": Provoked(
        "txt", "so it was        then\nand so        it was not\n" * 4, chosen="{text}        {_}"
    ),
    "TXT-LAYOUT.again": Provoked(
        "txt",
        "".join(f"So it was {x}.\nso it was {x}\n" for x in ("then", "there", "here", "now")),
        chosen="{text}\n{_}",
    ),
    "TXT-LAYOUT.pages": Provoked(
        "txt",
        "".join(f"so it was\nand so on\nHall {n} of May\n" for n in range(1, 8)),
        chosen="pattern {text}\nskip Hall {_}\n",
    ),
    "TXT-LAYOUT.outline": Provoked(
        "txt", "The menu\n\tPay here\n\t\tBy card\n" * 4, chosen="{text}\n{_}\n{_}"
    ),
    "TXT-LAYOUT.sheet": Provoked(
        "txt", "What is it:\n- a list\n- of two\n" * 4, chosen="{text}\n- {_}\n- {_}"
    ),
    "TXT-LAYOUT.labels": Provoked(
        "txt",
        "".join(
            f"{label} {word} was late\n"
            for word in ("so", "it", "he", "she", "we", "they", "and", "then", "there")
            for label in ("question", "statement", "agreement")
        ),
        chosen="{_} {text}",
    ),
    "TXT-LAYOUT.list": Provoked(
        "txt", "apple\nbridge\ncandle\ndance\nengine\nforest\ngarden\nhammer\n", chosen="{text}"
    ),
    "TXT-LAYOUT.items": Provoked(
        "txt", "- The bridge\n- Roads and rivers\n- What it costs\n" * 2, chosen="- {text}"
    ),
    "TXT-LAYOUT.listed": Provoked(
        "txt",
        "1. Be on time.\n2. Bring what you need.\n3. Ask them.\n4. Write it down.\n",
        chosen="{_}. {text}",
    ),
    "TXT-LAYOUT.sources": Provoked(
        "txt",
        "".join(f"{x}oe, {x}. (2014). The roads of {x}.\n" for x in "ABCDEF"),
        chosen="{_}). {text}",
    ),
    "TXT-LAYOUT.arrows": Provoked(
        "txt", "bridge → closed?\n⇒ ask Ann\nroads → Ben\nriver\nboats\n", chosen="{text}"
    ),
    "TXT-LAYOUT.gaps": Provoked(
        "txt",
        "Why did ___ leave?\n\nHas ___ come?\n\nIs ___ here?\n\nIs ___ late?\n",
        chosen="{text}",
    ),
    "TXT-LAYOUT.roll": Provoked(
        "txt", "The guests:\n\nAnn Ex\nBen Roe\nCarla Wu\nDan Ey\n", chosen="{text}"
    ),
    "TXT-LAYOUT.code": Provoked(
        "txt",
        "stage_one\nthe road by the river\nend_of_day\nit is late\nand dark\n" * 3,
        chosen="{text}",
    ),
    "TXT-LAYOUT.kind": Provoked(
        "txt", "---\ntype: insight\ntitle: A bridge\n---\nSo it was.\n", chosen="{text}"
    ),
    "TXT-LAYOUT.minutes": Provoked(
        "txt", "# Talk\n\n## Summary\nSo it was.\n\n## Decisions\nWe go.\n", chosen="{text}"
    ),
    "TXT-LAYOUT.page": Provoked(
        "txt", "## The tool\n- Press `x` to save\nIt is done.\n" * 6, chosen="{text}"
    ),
    "TXT-LAYOUT.authors": Provoked(
        "txt",
        "So it was. ~Ann Ex\nIt fell. ~Ben Wy\nWell, no. ~Ann Ex\n" * 2,
        chosen="{text} ~{speaker}",
    ),
    "TXT-LAYOUT.links": Provoked(
        "txt",
        "".join(f'{x} over <a href="{x}.html">a bridge</a>\n' for x in "qwerty"),
        chosen="{text} <{_}>{_}",
    ),
    "TXT-LAYOUT.phrases": Provoked(
        "txt",
        "".join(
            f"{x} unemployment {y}\n"
            for x in ("natural", "full", "low", "high", "steady")
            for y in ("rate", "level", "here", "abroad")
        ),
        chosen="{text}",
    ),
    "TXT-LAYOUT.fields": Provoked(
        "txt",
        "Chosen topic: the bridge\nKind of text: a letter\nReason for it: the road is closed\n"
        "Place of it: the town of Bern\nNumber of pages: two\n",
        chosen="{_}: {text}",
    ),
    "TXT-LAYOUT.form": Provoked(
        "txt",
        "".join(f"STEP - Digging hole {n} with care: YES\n" for n in range(8)),
        chosen="{text}: {_}",
    ),
    "TXT-LAYOUT.glossary": Provoked(
        "txt",
        "apple - Good morning, and welcome to all of you.\nbridge - I have a question about it.\n"
        "carry - Please go ahead with what you say.\ndance - They will be open again in May.\n"
        "early - And what of the road beside it?\nforest - One at a time, please, or none.\n"
        "garden - As far as I know that is not so.\nhappy - That is all we have for today.\n",
        chosen="{_} - {text}",
    ),
    "TXT-SHAPE.letters": Provoked("txt", "C it was.\nE was it?\nC yes.\nE oh.\n"),
    "TXT-SHAPE.points": Provoked("txt", "Hor. It was.\nBer. Was it?\nP. Queen. It was.\n" * 4),
    "TXT-SHAPE.unmarked": Provoked(
        "txt", "".join(f"Operator Hi.\nAnn Lee {x} was.\nit was\n" for x in ("It", "So", "Then"))
    ),
    "TIME-PACE.even": Provoked(
        "speaker-text",
        "".join(f"[00:{n:02}:00] A{n % 2}: so it was {'so ' * 5}\n" for n in range(5, 50, 3)),
        chosen="[{start 00:00}:00] {speaker}: {text}",
    ),
    "TXT-SHAPE.languages": Provoked(
        "txt",
        "so it was\nтак и было\nand so on\nи так далее\nwell then\nну что же\n",
        chosen="pattern\n  {text}\n  {_}\n",
    ),
    "TXT-SHAPE.name-in-wide-brackets": Provoked("txt", "（あん）そうです\n（ぼぶ）はい\n" * 3),
    "TXT-SHAPE.date-and-time": Provoked(
        "txt",
        "".join(f"05/11/2018, 9.5{n} - so it was\n" for n in range(5)),
        chosen="{date}, {_} - {text}",
    ),
    "SPEAKER-TEXT-OTHER": Provoked(
        "speaker-text",
        "".join(f"Ann ({n}:05): so it was\n\n" for n in range(7))
        + "".join(f"{n}:30 and on it went\n\n" for n in range(7, 10)),
        chosen="pattern {speaker} ({start}): {text}\npattern {start} {text}\n",
    ),
    "COLUMNS-LEFT": Provoked(
        "csv", "text,english_text\n" + "eins zwei drei vier,so it was said\n" * 3
    ),
    "FORMAT-SEVERAL.turns": Provoked("", "text: so it was.\nid: was it so.\n" * 4, name="talk.txt"),
    "LOST.stamps": Provoked("stm", STM_LINE.format("hello") * 3, "speaker-text"),
    "FRAME-RATE": Provoked(
        "spruce", "00:00:00:07 , 00:00:02:06 , hello\n", options={"fps": "x"}, chosen="30"
    ),
    "MEMBER": Provoked(
        "json",
        '{"items": [{"said": "so", "start": 1.5}]}',
        options={"member": "x=said"},
        chosen="text=said",
    ),
    "PATTERN": Provoked(
        "speaker-text",
        "<Anna> so it was\n" * 4,
        options={"pattern": "{x}"},
        chosen="<{speaker}> {text}",
    ),
    "PATTERN.text": Provoked(
        "speaker-text",
        "Anna: so it was\n" * 4,
        "speaker-text",
        options={"write_pattern": "<{speaker}>"},
        chosen="<{speaker}> {text}",
    ),
    "PATTERN.write": Provoked(
        "speaker-text",
        "Anna: so it was\n" * 4,
        "speaker-text",
        options={"write_pattern": "{x}"},
        chosen="<{speaker}> {text}",
    ),
    "PATTERN.written": Provoked(
        "speaker-text",
        "Anna: so it was\n" * 4,
        "speaker-text",
        options={"write_pattern": "inline\npattern {text}\n"},
        chosen="<{speaker}> {text}",
    ),
    "SPEECHBRAIN-TEXTS": Provoked(
        "speechbrain",
        '{"u1": {"wav": "a.wav", "length": 1, "wrd": "hello", "text": "Hello"}}',
        chosen="text",
        remains=True,
    ),
    "LJSPEECH-FIELDS": Provoked("ljspeech", "a|b|c|d\n", chosen="id,text,x,y"),
    "LJSPEECH-SPEAKERS.files": Provoked(
        "ljspeech", "a.wav|so it was|1\nb.wav|and then|1\n", chosen="id,text,speaker"
    ),
    "MGB-LISTS": Provoked(
        "mgb",
        "<transcript>"
        + "".join(
            f'<segments annotation_id="{name}"><segment starttime="0" endtime="1"><element>hi</element>'
            "</segment></segments>"
            for name in "ab"
        )
        + "</transcript>",
    ),
    "TRS-ENCODING": Provoked(
        "trs",
        b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<Trans><Episode><Section type="report" '
        b'startTime="0" endTime="1"><Turn startTime="0" endTime="1"><Sync time="0"/>\x93so\x94</Turn>'
        b"</Section></Episode></Trans>",
    ),
    "WORD-SPEAKER": Provoked(
        "whisperx",
        '{"segments": [{"start": 0, "end": 2, "text": "a b", "speaker": "S1", "words": ['
        '{"word": "a", "start": 0, "end": 1, "score": 1, "speaker": "S1"}, '
        '{"word": "b", "start": 1, "end": 2, "score": 1, "speaker": "S2"}]}]}',
    ),
    "TTML-SMPTE.start": Provoked(
        "ttml",
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
        'ttp:timeBase="smpte" ttp:frameRate="25"><body><div><p begin="10:00:01:00" end="10:00:02:00">'
        "hi</p></div></body></tt>",
        chosen="-36000",
        remains=True,
    ),
    "FORMAT-KALDI": Provoked(
        "", "".join(f"utt-{n} so it was\n" for n in range(4)), name="talk.txt"
    ),
    "FORMAT-UNKNOWN": Provoked("", "so\n", chosen="txt"),
    "FORMAT-UNKNOWN.empty": Provoked("", "", chosen="txt"),
    "FORMAT-UNKNOWN.content": Provoked("", "<a/>", chosen="txt"),
    "FORMAT-UNKNOWN.json": Provoked("", '[["so it is then", 3]]', chosen="txt"),
    "FORMAT-UNKNOWN.sentences": Provoked("", '{"a": 1, "b": 2}', chosen="txt"),
    "FORMAT-UNKNOWN.text": Provoked(
        "",
        '[{"en": "so it was", "de": "so war das"}, {"en": "and so on", "de": "und so fort"}]',
        together=True,
    ),
    "NO-TRANSCRIPT.paths": Provoked("", "/a/b.wav\n/a/c.wav\n", name="talk.txt"),
    "NO-TRANSCRIPT.spk2utt": Provoked(
        "", "anne1 anne1-1 anne1-2\nbob2 bob2-1 bob2-2\n", name="talk.txt"
    ),
    "TIME-UNIT.open": Provoked(
        "json",
        '{"words": [{"word": "a", "start": 1, "end": 2}, {"word": "b", "start": 3, "end": 4}]}',
    ),
    "TIME-UNIT.doubt": Provoked(
        "csv", "start,end,text\n" + f"1.5,2.5,{'so it was and then ' * 10}\n" * 3, remains=True
    ),
    "UNIT?.htk": Provoked("htk", "0 40 hello\n40 90 good\n90 150 day\n"),
    "ASS-LAYERS": Provoked(
        "ass",
        "[Script Info]\n[Events]\n"
        + "Dialogue: 0,0:00:00.50,0:00:02.25,Default,,0,0,0,,hello\n" * 2,
    ),
    "ENCODING.other": Provoked(
        "txt", b"h\xe9llo\n", options={"encoding": "utf-8"}, chosen="cp1252"
    ),
    "FRAMES-ASSUMED": Provoked(
        "speaker-text", "[00:00:01:10 - 00:00:02:00]\nAnna\nhello there\n\n" * 4, chosen="25"
    ),
    "HTK-TEXT": Provoked("htk", "hello world\n"),
    "HTK-UNIT.ticks": Provoked("htk", "0.5 1.5 hello\n", options={"htk_unit": "ticks"}),
    "JSONL-TEXT": Provoked("jsonl", '{"text": 5}\n'),
    "LOST.speaker-prefix": Provoked("stm", STM_LINE.format("hello"), "srt"),
    "LOST.word-times": Provoked("ctm", "rec 1 0.5 0.4 hello\n", "vtt"),
    "LRC-OFFSET": Provoked("lrc", "[offset:500]\n[00:01.00]hello\n[00:02.00]\n"),
    "LRC-OFFSET.ignored": Provoked(
        "lrc", "[offset:500]\n[00:01.00]hello\n[00:02.00]\n", options={"lrc_offset": "ignore"}
    ),
    "MICRODVD-RATE.open": Provoked("microdvd", "{12}{56}hello\n"),
    "MICRODVD-RATE.needed": Provoked("srt", CAPTIONS.format("a", "b"), "microdvd", chosen="25"),
    "NO-TEXT-NAME": Provoked("csv", "id,said\n1,hello\n", chosen="said"),
    "NO-TEXT-NAME.texts": Provoked(
        "csv", "said in german,said in dutch\n" + "so ist es eben,zo is het nu\n" * 3
    ),
    "NO-TIMES.end": Provoked("lrc", "[00:01.00]hello\n", "srt"),
    "NO-WORD-TIMES": Provoked("stm", STM_LINE.format("hello"), "ctm"),
    "PARTITUR-RATE": Provoked("partitur", "LHD: Partitur 1.3\nLBD:\nORT: 0 hello\nMAU: 0 99 0 a\n"),
    "ROLE.guessed": Provoked(
        "csv", "start,said of it,remarks\n" + "0.5,so it was,ok\n" * 3, chosen="remarks"
    ),
    "ROLE.people": Provoked(
        "csv",
        "human_transcript,raw_transcript\n" + "so it is,well then no\nand so on,so is it\n" * 2,
        chosen="raw_transcript",
    ),
    "ROLE.replies": Provoked(
        "csv", "text,answer\nso it is,well then no\nand so on,yes indeed\n", chosen="answer"
    ),
    "ROLE.text": Provoked("csv", "text,sentence\na,hello\n", chosen="sentence"),
    "CUE-SIGNS": Provoked("srt", CAPTIONS.format("[music]", "so it was")),
    "CUE-ENTITIES.srt": Provoked("srt", CAPTIONS.format("fish &amp; chips", "so it was")),
    "ROLLING": Provoked(
        "srt",
        "".join(
            f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n + 1:02},000\nline {n}\nline {n + 1}\n\n"
            for n in range(12)
        ),
    ),
    "RTTM-OVERLAP": Provoked(
        "rttm", "".join(f"SPEAKER a 1 {n} 2 <NA> <NA> x <NA> <NA>\n" for n in range(2))
    ),
    "SALT-MARKS": Provoked("salt", "$ Anne\nA hello (um) wor/ld/s.\n"),
    "SPRUCE-TIME": Provoked("spruce", "00:00:00:27 , 00:00:02:06 , hello\n", chosen="30"),
    "STM-ONE-BRANCH": Provoked("stm", STM_LINE.format("{BREATH} hello")),
    "UEM-OVERLAP": Provoked("uem", "rec 1 0 5\nrec 1 4 6\n"),
    "TXT-SHAPE.stamp": Provoked(
        "txt", "".join(f"00:0{n}:05 so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.number-in-brackets": Provoked(
        "txt", "(1) so it was\n(2) we went on\n(3) and home\n"
    ),
    "TXT-SHAPE.stamp-in-brackets": Provoked(
        "txt", "".join(f"[{n}.5s] so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.name-and-stamp": Provoked(
        "txt", "".join(f"Anna [0{n}:05] so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.identifier-and-numbers": Provoked(
        "txt", "".join(f"rec-{n} 0.5 1.5 so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.speaker": Provoked(
        "txt", "".join(f"speaker_{n} so it was\n" for n in range(1, 6)), chosen="{speaker} {text}"
    ),
    "TXT-SHAPE.name-in-brackets": Provoked(
        "txt", "".join("<Anna> so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.name-in-capitals": Provoked(
        "txt", "".join("ANNA: so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.label-and-tab": Provoked(
        "txt", "".join(f"{x}\tso it was\n" for x in ("tx", "ge", "ft") * 2), chosen="{_} {text}"
    ),
    "TXT-SHAPE.identifier": Provoked(
        "txt", "".join(f"utt-{n} so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.identifier-and-sign": Provoked(
        "txt", "".join(f"utt-{n} : so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.sign": Provoked(
        "txt", "".join("$ so it was\n" for n in range(1, 6)), name="talk.txt"
    ),
    "TXT-SHAPE.times": Provoked(
        "txt",
        "".join(
            f"{text} 0:{n}2\nall along\nand so on\n"
            for n, text in enumerate(("so it was", "well then", "oh no", "and yes", "but so"), 1)
        ),
        chosen="{text} {start}",
    ),
    "TXT-SHORT": Provoked(
        "txt",
        "ANNA\n\nso it was all along\n\nBEN\n\nwas it so all along\n\n" * 3,
        chosen="{speaker ANNA|BEN}\n{text}",
    ),
    "VTT-TIMESTAMP-MAP": Provoked(
        "vtt",
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n"
        "00:00:00.500 --> 00:00:02.250\nhello\n",
    ),
    "BLANKS.name": Provoked(
        "jsonl",
        '{"recording": "my rec", "start": 0, "end": 1, "text": "a"}\n',
        "stm",
        options={"inner_space": "error"},
        chosen="underscore",
    ),
    "DATA-TEXTS": Provoked("csv", "id,text\na,0.5\nb,0.25\nc,1.5\n", chosen="text=text"),
    "EAF-ORIGIN": Provoked("eaf", elan(aligned("anne", "x"), media=True)),
    "ENCODING.uncertain": Provoked(
        "txt", b"\xc1\xc2\xc3\xe1\xe2 " * 3, options={"encoding": "auto"}, chosen="cp1251"
    ),
    "ESPS-TONES": Provoked("esps", "signal a\nnfields 1\n#\n 0.5 121 H*\n 1.0 121 L-\n"),
    "FORMAT-SEVERAL": Provoked(
        "",
        '{"transcription": [{"offsets": {"from": 0, "to": 10}, "text": "a"}], "monologues": []}',
        chosen="whispercpp",
    ),
    "HTK-UNIT.frames": Provoked("htk", "0.5 1.5 hello\n", options={"htk_unit": "frames:10ms"}),
    "JSON-TEXT": Provoked(
        "json",
        segments('"end": {n}9, "text": "so it was", "other_words": "clear good words {n}"'),
        together=True,
        remains=True,
    ),
    "JSON-TEXT.kept": Provoked(
        "jsonl",
        "".join(
            f'{{"text": "we land on runway {n}", "transcript-result": "no {n} left"}}\n'
            for n in range(9)
        ),
        together=True,
    ),
    "JSON-TIME": Provoked("json", segments('"text": "so it was", "tcx": {n}9.5'), together=True),
    "LABEL-STUDIO-PREDICTIONS": Provoked(
        "label-studio",
        f"[{PREDICTED}, {PREDICTED}]".replace('"predictions"', '"annotations"', 1),
    ),
    "LOST.level": Provoked("ctm", "rec 1 0.5 0.4 hello\n", "audacity"),
    "LOST.speaker-info": Provoked(
        "jsonl",
        '{"recording": "r", "start": 0, "end": 1, "speaker": "anne", "gender": "female", "text": "a"}\n',
        "rttm",
    ),
    "NO-HEADER": Provoked(
        "tsv",
        "".join(f"{n * 2}.5\t{n * 2 + 1}.5\t{text}\n" for n, text in enumerate(TALK)),
        chosen="start,end,text",
    ),
    "NO-HEADER.texts": Provoked(
        "csv",
        "".join(f"Talk {n // 2},So it is.,Is it {n}?\n" for n in range(2))
        + "".join(f"Talk {n // 2},Not {n}.,Was it {n}?\n" for n in range(2, 6)),
    ),
    "TABLE-SYNTAX.cut": Provoked(
        "csv", "dull , slow .\nit is fun .\nwell , so , not bad .\nfine , so .\n"
    ),
    "OTHER-FORMAT": Provoked("ctm", CAPTIONS.format("a", "b")),
    "SCC-ROWS": Provoked(
        "srt", CAPTIONS.format("so it was and then " * 5, "b"), "scc", together=True
    ),
    "SPLIT-NAME": Provoked("", "my rec 1 0.0 0.5 a 0.9\n", name="talk.ctm"),
    "STL-START": Provoked("stl", stl(), chosen="36000", remains=True),
    "TABLE-SYNTAX.values": Provoked(
        "csv", "1.5,2.5,so it was\n2.5,3.5,yes it is\n", chosen="start,end,text"
    ),
    "WORD-LIST": Provoked("csv", "text,count\nday,7\nnight,5\nnoon,3\n"),
    "TRN-SENTENCES": Provoked("trn", "<s> so it was </s> (ann-1)\n<s> well </s> (ann-2)\n"),
    "TIER-LAYER": Provoked(
        "eaf", elan(aligned("anne", "so it was"), aligned("gl", "etwas", kind="gloss"))
    ),
    "TIER-LAYER.above": Provoked(
        "eaf", elan(aligned("anne", "so it was"), referring("meaning", "anne", "etwas"))
    ),
    "TIER-LAYER.named": Provoked(
        "textgrid", grid(("anne", "so it was"), ("words", "so"), ("ipa", "und so"))
    ),
    "TIER-CLASSES": Provoked("textgrid", GAZE),
    "TIER-CLASSES.signs": Provoked(
        "textgrid", SIGNS.format('"marks"\n0\n3\n2\n0\n2\n"x"\n2\n3\n"y"\n')
    ),
    "TIER-LAYER.words": Provoked(
        "textgrid", SIGNS.format('"pho"\n0\n3\n2\n0\n1\n"s @U"\n1\n3\n"I t"\n')
    ),
    "TIER-LAYER.codes": Provoked(
        "textgrid",
        TIERS.format(2, TIER.format("anne", "so it was"))
        + '"IntervalTier"\n"score"\n0\n3\n5\n0\n1\n"7"\n1\n1.5\n"5"\n'
        + '1.5\n2\n"7"\n2\n2.5\n"6"\n2.5\n3\n"5"\n',
    ),
    "TIER-SPEAKER": Provoked(
        "eaf",
        elan(aligned("log", "so it was"), aligned("talk", "well then")).replace(
            "<TIER ", '<TIER PARTICIPANT="ann" '
        ),
    ),
    "TIME-OF-DAY.recording": Provoked(
        "csv", "text,time,audio\n" + "so it was,21:52,a.wav\n" * 4 + "well,21:53,b.wav\n" * 4
    ),
    "TIME-OF-DAY.day": Provoked(
        "csv", "date,time,speaker,text\n" + "2026-05-01,09:15,Ann,so it was\n" * 4
    ),
    "TIER-LEVELS": Provoked("textgrid", grid(("anne", "x"), ("bob", "y"), ("words", "x"))),
    "TIER-TEXT": Provoked(
        "textgrid", grid(("anne", "so it was"), ("anne - words", "hello my friend"))
    ),
    "TIME-UNIT.pace": Provoked(
        "csv",
        "start,end,text\n"
        + "".join(f"{n}000,{n}900,so it was and so on we\n" for n in range(1, 9, 2)),
    ),
    "TIME-UNIT.turns": Provoked(
        "speaker-text",
        "".join(f"{n}000 - {n}900 Anna: so it was and so on we\n" for n in range(1, 9, 2)),
        chosen="{start s} - {end s} {speaker}: {text}",
    ),
    "TIME-UNIT.whole": Provoked(
        "tsv",
        "start\tend\ttext\n"
        + "".join(f"{n}500\t{n + 1}500\tso it was and on we went\n" for n in range(1, 2500))
        + "9999.5\t99999.5\tit\n",
        chosen="s",
    ),
    "YOUTUBE-ROLLING": Provoked("vtt", sample("youtube-rolling.txt")),
    "ASS-STYLES.encoding": styled(b"[V4+ Styles]\nStyle: \x00\xff\xfe\x00\n"),
    "ASS-STYLES.file": styled("[V4+ Styles]\n[Events]\nDialogue: 0,x,y,Default,,0,0,0,,hi\n"),
    "ASS-STYLES.none": styled("no styles\n"),
    "CTM-RELATIVE?.known": Provoked(
        "ctm", "anne-1 1 0.5 0.4 hello\n", files={"segments": "anne-1 rec 5 9\n"}, name="talk.ctm"
    ),
    "CTM-RELATIVE?.short": Provoked(
        "ctm",
        "".join(f"anne-{n} 1 0.5 0.4 hello\n" for n in range(40)),
        chosen="{folder}/segs",
        files={"segs": "".join(f"anne-{n} rec {n} {n + 1}\n" for n in range(40))},
    ),
}


COMMANDS = "of the command line: tests/formats/test_commands.py"
FOLDER = "needs a folder of files or a package"
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(
        (
            "EXISTS",
            "IDLE-OPTION.single-file",
            "LIMITS-LANGUAGE.file",
            "LIMITS-LANGUAGE.shell",
            "LINT-RULES",
            "NOT-PRESERVED",
            "ONE-RECORDING",
            "TARGET-FORMAT",
            "TARGET-FORMAT.shared",
            "TARGET-FORMAT.stdout",
            "TARGET-FORMAT.suffix",
        ),
        COMMANDS,
    ),
    **dict.fromkeys(
        (
            "COMMONVOICE-SPLIT",
            "MUSTC-TEXTS",
            "XLSX-SHEETS.several",
        ),
        FOLDER,
    ),
    "LINT-LANGUAGE": "of rules of subtitles: tests/formats/subtitles/test_rules.py",
    "LOST.tier-names": "about reading what is written: the test below",
    "HTK-UNIT": "the option refuses the file, as the message says",
    "ENCODING.binary": "to follow it, the option is left out",
    "COMMONVOICE-SPLIT.list": "to follow it, the option is left out",
    "NO-COLUMN.text": "about columns of a data frame, which scoring reads",
}
"""Messages that are not provoked here, and why."""


def followed(row: Provoked, given: tuple[Advice, ...]) -> Provoked:
    """Return how the file is read and written with the advice."""
    name, options = row.format, dict(row.options)
    for option, value in given:
        is_open = isinstance(value, str) and (not value or value.isupper())
        choice = row.chosen if is_open else value
        if option == "from":
            name = str(choice)
        elif option == "pattern":
            name, options[option] = "speaker-text", choice
        else:
            options[option] = choice
    return Provoked(name, row.text, row.to, options, files=row.files, name=row.name)


def messages_of(row: Provoked, folder: Path) -> tuple[list[Message], bool]:
    """Read a file and write it; return the messages, and whether that failed."""
    for name, text in row.files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    path = folder / row.name
    path.write_bytes(row.text if isinstance(row.text, bytes) else row.text.encode())
    taken = {option.name for option in by_name(row.to).write_options} if row.to else set()
    taken.update(CONVERSION)
    options: dict[str, Any] = {
        name: value.replace("{folder}", str(folder)) if isinstance(value, str) else value
        for name, value in row.options.items()
    }
    reading = {name: value for name, value in options.items() if name not in taken}
    writing = {name: value for name, value in options.items() if name in taken}
    said: list[Message] = []
    try:
        read = formats.read(path, row.format or None, **reading)
        said += [diagnostic.value for diagnostic in read.diagnostics]
        if row.to:
            losses = formats.write(read, BytesIO(), row.to, **writing)
            said += [loss.value for loss in losses if loss.value is not None]
    except FormatError as error:
        return [*said, *([] if error.value is None else [error.value])], True
    return said, False


ADVISED = {entry.key: entry for entry in ENTRIES if entry.advice}


def test_every_message_that_advises_is_provoked_or_says_why_not() -> None:
    assert sorted({*ROWS, *ELSEWHERE}) == sorted(ADVISED)
    assert not ROWS.keys() & ELSEWHERE.keys()


@each_case("key", ROWS)
def test_what_is_advised_helps(key: str, tmp_path: Path) -> None:
    row = ROWS[key]
    if key == "ENCODING.codec" and sys.version_info >= (3, 13):
        pytest.skip("the codec names the byte")
    said, _ = messages_of(row, tmp_path)
    provoked = [message for message in said if message.entry is ADVISED[key]]
    assert provoked, [message.entry.key for message in said]
    advice = provoked[0].advice
    for given in [advice] if row.together else [(each,) for each in advice]:
        after, has_failed = messages_of(followed(row, given), tmp_path)
        assert not has_failed, after
        assert row.remains or ADVISED[key] not in [message.entry for message in after]


def test_what_is_advised_for_reading_an_output_helps() -> None:
    """`LOST.tier-names`: the option is one of the reader of the file that was written."""
    text = elan(aligned("anne", "x")).replace("<TIER ", '<TIER PARTICIPANT="bob" ')
    transcript, output = formats.read(BytesIO(text.encode()), "eaf"), BytesIO()
    losses = formats.write(transcript, output, "textgrid")
    values = [loss.value for loss in losses if loss.value is not None]
    (given,) = [dict(value.advice) for value in values if value.entry.key == "LOST.tier-names"]
    plain, followed_up = (
        formats.read(BytesIO(output.getvalue()), "textgrid", **options)  # type: ignore[arg-type]
        for options in ({}, given)
    )
    assert [[s.speaker for s in each] for each in (plain, followed_up)] == [[None], ["bob"]]
