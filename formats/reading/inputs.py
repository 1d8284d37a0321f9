"""Expansion of folders, patterns and archives to the files in them, in order.

A folder that is a single input (Kaldi's data, a table of several files, a corpus) is not expanded.
From any other folder, all files are read, except audio, video, pictures, hidden files, READMEs and
licences, which are skipped and counted.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import groupby

from formats.detection import by_suffix
from formats.io.errors import UnreadableFileError
from formats.io.messages import FILES, FILES_SKIPPED
from formats.io.source import Readable, is_archive, is_collection, is_one_input, without_media
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.errors import FormatError, near_file
from formats.schema.messages import Message

ABOUT = lazy_pattern(
    r"(?i)(?:readme|licen[sc]e|copying|authors|citation|changelog)(?:[._-].*)?|metadata_mls\.json"
)
"""Names of files about the others; the last one repeats M-AILABS's lists."""
SHOWN = 5
PREFERRED = (".json", ".ctm", ".srt", ".vtt", ".tsv", ".txt")
"""The order of a transcript's formats, as Whisper writes them: the one with most data first."""
OF_SYSTEMS = ("__MACOSX", "Thumbs.db", "desktop.ini")


class Input(NamedTuple):
    """A file to read: its path, its path relative to the named folder, and its archive if any."""

    path: str
    below: str
    """The path below the folder or archive that was named; otherwise the file's own name."""
    archive: str | None = None


class Inputs(NamedTuple):
    """The files to read, in order, and counts of the files that were skipped."""

    files: list[Input]
    left_out: Counter[str]
    are_collected: bool

    @property
    def report(self) -> Message:
        """A message with the number of files for each suffix, and of skipped files."""
        names = (os.path.basename(file.below) for file in self.files)
        read = _counted(Counter(os.path.splitext(name)[1] or name for name in names))
        if not self.left_out:
            return Message(FILES, {"read": read})
        return Message(FILES_SKIPPED, {"read": read, "skipped": _counted(self.left_out)})


def expand(paths: Iterable[str]) -> Inputs:
    """Return the files that paths, folders, archives and patterns name."""
    files: list[Input] = []
    left_out: Counter[str] = Counter()
    collected = False
    for path in paths:
        if path == "-" or not is_collection(path):
            files.append(Input(path, os.path.basename(path)))
            continue
        collected = True
        begin = len(files)
        if os.path.isdir(path):
            files += _in_folder(path, "", left_out)
        elif os.path.isfile(path):
            files += _in_archive(path, "", left_out)
        else:
            from formats.io.trees import fitting

            root = _fixed_part(path)
            inside: set[str] = set()
            for match in fitting(path):
                # Patterns as ** fit folders besides the files in them.
                if os.path.isdir(match):
                    if not _is_one(match):
                        continue
                    inside.update(_read_with(match))
                elif not inside.isdisjoint((match, *_above(match))):
                    continue
                relative = os.path.relpath(match, root or ".")
                name = os.path.basename(match) if relative == "." else relative
                files += _taken(match, name, left_out)
        if len(files) == begin:
            skipped = f", but {', '.join(_counted(left_out))}" if left_out else _near_folder(path)
            skipped = f"none{skipped}"
            raise UnreadableFileError(path=path, expected="files of transcripts", found=skipped)
    return Inputs(files, left_out, collected)


def _near_folder(path: str) -> str:
    """Return a suggestion for a pattern of folders with a name that is in none of them."""
    from glob import has_magic

    is_name = not os.path.exists(path) and not has_magic(os.path.basename(path))
    return near_file(path) if is_name else ""


def in_one_format(inputs: Inputs, suffixes: Sequence[str] = PREFERRED) -> Inputs:
    """Keep only the files with one suffix, if every transcript has a file with this suffix.

    Other files of the same transcripts are dropped and counted. If there is no such suffix, return
    the inputs unchanged.
    """
    stems: dict[str, dict[str, Input]] = {}
    for file in inputs.files:
        stem, suffix = os.path.splitext(file.below.removesuffix(".gz"))
        named = stems.setdefault(without_media(stem), {})
        if named.setdefault(suffix.lower(), file) is not file:
            return inputs
    best = next((end for end in suffixes if all(end in named for named in stems.values())), None)
    if best is None or len(stems) == len(inputs.files):
        return inputs
    others = Counter(suffix for named in stems.values() for suffix in named if suffix != best)
    files = [named[best] for named in stems.values()]
    return inputs._replace(files=files, left_out=inputs.left_out + others)


def _counted(names: Counter[str]) -> list[str]:
    more = ["…"] if len(names) > SHOWN else []
    return [f"{count} {name}" for name, count in names.most_common(SHOWN)] + more


def _fixed_part(pattern: str) -> str:
    """Return the folder that contains all files that a pattern can match."""
    from glob import has_magic

    while has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern


def _in_folder(folder: str, below: str, left_out: Counter[str]) -> Iterator[Input]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise UnreadableFileError(f"cannot be read: {reason.lower()}", path=folder) from None
    for entry in entries:
        inner = os.path.join(below, entry.name)
        if entry.is_dir() and not _is_one(entry.path):
            # A link to a folder may lead back to one that it is in.
            if entry.is_symlink() or _is_hidden(entry.name):
                left_out[f"{entry.name}/"] += 1
            else:
                yield from _in_folder(entry.path, inner, left_out)
        else:
            yield from _taken(entry.path, inner, left_out)


def _is_one(folder: str) -> bool:
    """Return True if a folder is a single input.

    A table with errors also counts as an input, so that the reader reports the errors.
    """
    try:
        return is_one_input(folder)
    except FormatError:
        return True


def _read_with(folder: str) -> Sequence[str]:
    """Return the files that belong to a folder: the files of its table, or the folder itself."""
    from formats.io.folders import files_of_table

    try:
        return files_of_table(folder) or [folder]
    except FormatError:
        return [folder]


def _taken(path: str, below: str, left_out: Counter[str]) -> Iterator[Input]:
    """Yield a file, or the members of an archive; skip and count files that are not transcripts."""
    if _is_left_out(below, left_out):
        return
    if not os.path.isdir(path) and os.path.exists(path) and not os.path.isfile(path):
        left_out["pipes and devices"] += 1  # to read one may take for ever
    elif is_archive(path) and os.path.isfile(path):
        yield from _in_archive(path, below, left_out)
    else:
        yield Input(path, below)


def _in_archive(path: str, below: str, left_out: Counter[str]) -> Iterator[Input]:
    from formats.io.archive import Archive

    with closing(Archive(path)) as archive:
        folders: dict[str, Input | None] = dict.fromkeys(archive.folders())
        for name in archive.names:
            above = next((parent for parent in _above(name) if parent in folders), None)
            if above is None:
                if not _is_left_out(name, left_out):
                    yield Input(f"{path}/{name}", os.path.join(below, name), path)
            elif folders[above] is None:
                folder = Input(f"{path}/{above}".rstrip("/"), os.path.join(below, above), path)
                folders[above] = folder
                yield folder


def _above(name: str) -> Iterator[str]:
    """Yield the folders around an archive member; the name of the root is empty."""
    end = 0
    while end >= 0:
        yield name[:end]
        end = name.find("/", end + 1)


def _is_left_out(name: str, left_out: Counter[str]) -> bool:
    from formats.io.archive import NO_TRANSCRIPTS

    base = os.path.basename(name)
    suffix = os.path.splitext(base)[1].lower()
    is_about = ABOUT.fullmatch(base) is not None and _is_text(base)
    if is_about or any(map(_is_hidden, name.split("/"))) or suffix in NO_TRANSCRIPTS:
        left_out[base if is_about else suffix or base] += 1
        return True
    return False


def _is_text(name: str) -> bool:
    """Return True if a name has the suffix of plain text, or no suffix of a known format."""
    spec = by_suffix(name)
    return spec is None or spec.name == "txt"


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in OF_SYSTEMS


def opened(files: Iterable[Input]) -> Iterator[tuple[Input, Callable[[], Readable]]]:
    """Yield each file with a function that opens it.

    Call this function before the next file is taken.
    """
    for path, members in groupby(files, key=lambda file: file.archive):
        if path is None:
            for file in members:
                yield file, partial(str, file.path)
            continue
        from formats.io.archive import Archive

        with closing(Archive(path)) as archive:
            folders = archive.folders()
            for file in members:
                name = file.path[len(path) + 1 :]
                yield file, partial(folders.__getitem__ if name in folders else archive.open, name)


def said_alike(files: Iterable[Iterable[tuple[str, str]]]) -> tuple[tuple[str, str], ...]:
    """Return the properties that have the same value in all files."""
    first, *others = map(dict, files)
    return tuple(
        item for item in first.items() if all(item in properties.items() for properties in others)
    )
