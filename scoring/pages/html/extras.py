"""What a page may be given beside results: a folder of recordings to be heard, and a vocabulary."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from scoring.sides.account import ListedNames

if TYPE_CHECKING:
    from scoring.rates.result import Rates

AUDIO = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".aac", ".webm", ".mp4")


class Extras(NamedTuple):
    """What else a page shows."""

    # By recording the address of its file, as browsers ask for it from the page
    audio: Mapping[str, str] = {}
    vocabulary: frozenset[str] | None = None  # the words that the systems know; None: not given


NO_EXTRAS = Extras()


def extras_of(
    systems: Iterable[Rates],
    page: str | os.PathLike[str],
    audio: str | os.PathLike[str] | None,
    vocabulary: str | os.PathLike[str] | Iterable[str] | None,
) -> tuple[Extras, str | None]:
    """What a page is given beside results, and a remark on recordings that are not heard in it."""
    files: dict[str, str] = {}
    remark = None
    if audio is not None:
        files, missing = linked_audio(systems, os.fspath(audio), os.fspath(page))
        if missing:
            remark = f"no file of recordings {ListedNames.of(missing)}"
        elif not files:
            remark = "no recording with times is named by the reference"
    if isinstance(vocabulary, (str, os.PathLike)):
        return Extras(files, read_vocabulary(os.fspath(vocabulary))), remark
    words = None if vocabulary is None else frozenset(vocabulary)
    if words is not None and not words:
        raise ValueError("expected a vocabulary of words, found none")
    return Extras(files, words), remark


def linked_audio(
    systems: Iterable[Rates], folder: str, page: str
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The addresses of recordings, relative to the page, and those without a file.

    The name of a file is that of its recording, with the suffix of an audio format for browsers.
    """
    from formats.errors import UnreadableFileError

    try:
        names = sorted(os.listdir(folder))
    except OSError as problem:
        raise UnreadableFileError(f"{folder}: cannot be read: {problem.strerror}") from None
    files: dict[str, str] = {}
    for name in names:
        stem, ending = os.path.splitext(name)
        if ending.lower() in AUDIO:
            files.setdefault(stem, name)
    recordings = dict.fromkeys(
        segment.recording
        for rates in systems
        if rates.sources is not None
        for segment in rates.sources.references
        if segment.start_ns is not None and segment.recording != "-"
    )
    start = os.path.dirname(os.path.abspath(page))
    paths: dict[str, str] = {}
    for recording in recordings:
        name = files.get(recording) or files.get(
            os.path.splitext(os.path.basename(recording))[0], ""
        )
        if name:
            path = os.path.relpath(os.path.join(os.path.abspath(folder), name), start)
            # a name of a file may begin as an address does, so it begins with a dot
            paths[recording] = "./" + quote(path.replace(os.sep, "/"))
    return paths, tuple(recording for recording in recordings if recording not in paths)


def read_vocabulary(path: str, encoding: str = "utf-8") -> frozenset[str]:
    """The first field of each line: a list of words, a lexicon, or a table of symbols."""
    from formats.lines import split_words
    from formats.source import open_source
    from scoring.errors import InputError

    with open_source(path, encoding=encoding) as source:
        words = frozenset(fields[0] for _, line in source.lines() if (fields := split_words(line)))
        if not words:
            raise InputError(source.name, 1, 1, "expected a word in each line, found none")
    return words
