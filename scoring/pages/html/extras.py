"""Optional content of a page: recordings in a folder to play, and a vocabulary."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from scoring.pages.messages import NO_AUDIO, NOT_LINKED, Message
from scoring.sides.corpus import ListedNames

if TYPE_CHECKING:
    from scoring.results import Rates

AUDIO = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".aac", ".webm", ".mp4")


class Extras(NamedTuple):
    """The optional content of a page."""

    # By utterance the address of its audio file, as browsers ask for it from the page
    audio: Mapping[str, str] = {}
    vocabulary: frozenset[str] | None = None  # the words that the systems know; None: not given


NO_EXTRAS = Extras()


def extras_of(
    systems: Iterable[Rates],
    page: str | os.PathLike[str],
    audio: str | os.PathLike[str] | None,
    vocabulary: str | os.PathLike[str] | Iterable[str] | None,
) -> tuple[Extras, Message | None]:
    """Return the extras of a page, and a warning about recordings that the page cannot play."""
    files: dict[str, str] = {}
    remark = None
    if audio is not None:
        files, remark = linked_audio(systems, os.fspath(audio), os.fspath(page))
    if isinstance(vocabulary, (str, os.PathLike)):
        from scoring.results.vocabulary import read_vocabulary

        vocabulary = read_vocabulary(vocabulary).words
    words = None if vocabulary is None else frozenset(vocabulary)
    if words is not None and not words:
        raise ValueError("expected a vocabulary of words, found none")
    return Extras(files, words), remark


def linked_audio(
    systems: Iterable[Rates], folder: str, page: str
) -> tuple[dict[str, str], Message | None]:
    """Return the audio file of each utterance, and a warning about missing files.

    Paths are relative to the page. A file has the name of the recording, or of the utterance if it
    has no times, and the suffix of an audio format that browsers play.
    """
    from formats.io.errors import UnreadableFileError

    try:
        names = sorted(os.listdir(folder))
    except OSError as problem:
        raise UnreadableFileError(f"{folder}: cannot be read: {problem.strerror}") from None
    files: dict[str, str] = {}
    for name in names:
        stem, ending = os.path.splitext(name)
        if ending.lower() in AUDIO:
            files.setdefault(stem, name)
    if not files:
        return {}, Message(NO_AUDIO, {"path": folder, "expected": AUDIO})
    base = os.path.relpath(os.path.abspath(folder), os.path.dirname(os.path.abspath(page)))
    paths: dict[str, str] = {}
    missing: dict[str, None] = {}
    for rates in systems:
        references = [None] * len(rates) if rates.sources is None else rates.sources.references
        for utterance, segment in zip(rates.identifiers, references, strict=True):
            timed = segment is not None and segment.start_ns is not None
            candidates = [] if timed else [utterance]
            if segment is not None and segment.recording != "-":
                candidates.append(segment.recording)
            stems = (os.path.splitext(os.path.basename(name))[0] for name in candidates)
            keys = [key for key in (*candidates, *stems) if key in files]
            if keys:
                path = os.path.normpath(os.path.join(base, files[keys[0]]))
                # a name of a file may begin as an address does, so it begins with a dot
                paths[utterance] = "./" + quote(path.replace(os.sep, "/"))
            else:
                missing[candidates[0] if candidates else utterance] = None
    if not missing:
        return paths, None
    first, ending = os.path.splitext(os.path.basename(next(iter(missing))))
    first += "" if ending.lower() in AUDIO else ending
    listed = ListedNames.of(tuple(missing))
    fields = {"path": folder, "expected": f"{first}.wav", **listed.fields}
    return paths, Message(NOT_LINKED, fields)
