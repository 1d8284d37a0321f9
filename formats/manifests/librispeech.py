"""librispeech: folders of LibriSpeech, LibriTTS and Multilingual LibriSpeech as one input.

====================================  ========================================================
file                                  in the schema
====================================  ========================================================
``*.trans.txt`` (LibriSpeech)         an id and its words per line
``*.trans.tsv`` (LibriTTS)            id, written text, spoken text: the words come from the spoken
                                      text, and the written text is the property ``display``
``transcripts.txt`` (MLS)             an id, a tab, the words
``segments.txt`` (MLS)                file, start and end in the audiobook: properties ``source``,
                                      ``source_start``, ``source_end``
id                                    `Segment.utterance`, `Segment.recording`
id up to its first ``-`` or ``_``     `Segment.speaker`
``SPEAKERS.TXT``, above or inside     property ``gender``
====================================  ========================================================

The folder may be the whole corpus, a subset, a speaker or a chapter. The lines of one file are also
read from standard input. A single file is detected as Kaldi's ``text``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.manifests.messages import LIBRISPEECH_OTHERS
from formats.manifests.records import recording_of_audio
from formats.reading.lines import split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment

DEEPEST = 4
SPEAKER = re.compile("[^-_]+")
OWN = re.compile(
    r"(?i)\.trans\.t(?:xt|sv)\Z|\.tsv\Z|\.(?:normalized|original)\.txt\Z|\A(?:speakers|chapters|books"
    r"|transcripts|segments|readme|licen[sc]e|metainfo|note)(?![a-z])"
)
"""Names of the corpora's own files."""
GENDERS = {"F": "female", "M": "male"}
CHAPTERS = ((".trans.txt", "-"), (".trans.tsv", "_"))
"""Endings of a chapter's list, and what stands after the chapter in its ids."""


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per utterance; files are read in the order of their paths."""
    if source.folder is None:
        yield from _utterances(source, "", {}, {})
        return
    _tell_of_others(source)
    genders = _genders(source)
    for ending, mark in CHAPTERS:
        for depth in range(DEEPEST):
            for path in source.below(f"{'*/' * depth}*{ending}"):
                chapter = os.path.basename(path)[: -len(ending)]
                with source.beside(path) as table:
                    yield from _utterances(table, chapter + mark, genders, {})
    for depth in range(2):
        for path in source.below(f"{'*/' * depth}transcripts.txt"):
            with source.beside(os.path.join(os.path.dirname(path), "segments.txt")) as table:
                places = dict(_places(table))
            with source.beside(path) as table:
                yield from _utterances(table, "", genders, places)


def _tell_of_others(source: Source) -> None:
    """Report the files of the folder that are not part of the corpus."""
    there = (os.path.basename(path) for path in source.below("*"))
    others = [name for name in there if not OWN.search(name) and recording_of_audio(name) == name]
    if others:
        source.log.say(LIBRISPEECH_OTHERS, files=len(others), names=others[:3])


def _utterances(
    table: Source,
    prefix: str,
    genders: Mapping[str, str],
    places: Mapping[str, tuple[tuple[str, str], ...]],
) -> Iterator[Segment]:
    """Yield the utterances of one list. Each id must begin with `prefix`."""
    seen: dict[str, int] = {}
    for number, line in table.lines():
        if not strip_blanks(line):
            continue
        fields = line.split("\t")
        if " " in fields[0] or len(fields) == 1:
            fields = line.split(" ", 1)
        while len(fields) > (3 if prefix.endswith("_") else 2) and not strip_blanks(fields[-1]):
            fields.pop()
        name = fields[0]
        speaker = SPEAKER.match(name)
        expected = found = ""
        if not name.startswith(prefix) or speaker is None or speaker[0] == name:
            begin = f"that begins with {quoted(prefix)}" if prefix else "such as 17-22-0001"
            expected, found = f"an id {begin}", quoted(name)
        elif seen.setdefault(name, number) != number:
            expected, found = "a unique id", f"{quoted(name)} as in line {seen[name]}"
        elif len(fields) > 3 or (prefix.endswith("_") and len(fields) != 3):
            expected, found = "an id and two texts with tabs between them", f"{len(fields)} fields"
        if expected or speaker is None:
            table.log.reject("LIBRISPEECH-LINE", table.syntax_error(number, expected, found))
            continue
        text = fields[-1] if len(fields) > 1 else ""
        properties = list(places.get(name, ()))
        if len(fields) == 3 and fields[1] != text:
            properties.append(("display", strip_blanks(fields[1])))
        if speaker[0] in genders:
            properties.append(("gender", genders[speaker[0]]))
        yield Segment(
            name,
            tuple(split_words(text)),
            utterance=name,
            speaker=speaker[0],
            properties=tuple(sorted(properties)),
            line=number,
        )


def _places(table: Source) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Yield the ids of MLS, each with properties for its file and its times in the audiobook."""
    for number, line in table.lines():
        fields = line.split("\t")
        if strip_blanks(line) and len(fields) != 4:
            error = table.syntax_error(
                number, "an id, a file, begin and end", f"{len(fields)} fields"
            )
            table.log.reject("LIBRISPEECH-PLACE", error)
        elif strip_blanks(line):
            names = ("source", "source_start", "source_end")
            yield fields[0], tuple(zip(names, fields[1:], strict=True))


def _genders(source: Source) -> dict[str, str]:
    """Return the readers' genders from ``SPEAKERS.TXT`` in the folder or in a folder above it."""
    folder, above = source.name, os.path.abspath(source.name)
    for _ in range(DEEPEST):
        path = os.path.join(folder, "SPEAKERS.TXT")
        if source.is_there(path):
            with source.beside(path) as table:
                rows = [line.split("|") for _, line in table.lines() if not line.startswith(";")]
            pairs = ((strip_blanks(row[0]), strip_blanks(row[1])) for row in rows if len(row) > 1)
            return {name: GENDERS[letter] for name, letter in pairs if letter in GENDERS}
        folder = above = os.path.dirname(above)
    return {}


def sniff(head: Head) -> Sniff:
    """Return `NO`: a single file is detected as Kaldi's, and a folder by the names of its files."""
    return Sniff.NO


SPEC = FormatSpec(
    title="the folders of LibriSpeech, LibriTTS and MLS, all their lists as one input",
    sign="lines of an id and words",
    read=read,
    sniff=sniff,
)
