"""Tables in several files: a folder, a pattern such as ``data/*.parquet``, or a saved data set."""

from __future__ import annotations

import json
import os
import re

from formats.io.errors import UnreadableFileError
from formats.io.trees import fitting
from formats.schema.errors import OptionError, SyntaxFormatError, quoted

SUFFIXES = (".parquet", ".pq", ".arrow", ".feather")
SPLIT = re.compile(r"(?:\A|[-_.])(train|validation|valid|val|dev|test|eval)(?=[-_.])")
SHARD = re.compile(r"(.*)-([0-9]{5})-of-([0-9]{5})\.[a-z]+\Z", re.DOTALL)


def files_of_table(path: str, *, is_remote: bool = False) -> tuple[str, ...]:
    """Return the files of a table in order; empty if the path is neither a folder nor a pattern.

    `is_remote` means that the path is a URL.
    """
    try:
        if os.path.isdir(path):
            return _files_in(path)
        if is_remote or not os.path.lexists(path):
            files = _files_at(path) if is_remote else fitting(path)
            is_table = all(file.lower().endswith(SUFFIXES) for file in files)
            return _one_table(path, files) if is_table else ()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise UnreadableFileError(f"cannot be read: {reason}", path=path) from None
    return ()


def _files_at(url: str) -> list[str]:
    from formats.io.remote import files_at

    return files_at(url, SUFFIXES)


def _files_in(folder: str) -> tuple[str, ...]:
    state = os.path.join(folder, "state.json")
    if os.path.isfile(state):
        return tuple(os.path.join(folder, name) for name in _named_in(state))
    if os.path.isfile(os.path.join(folder, "dataset_dict.json")):
        splits = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
        if len(splits) == 1:
            return _files_in(os.path.join(folder, splits[0]))
        raise _of_several(folder, splits, os.path.join(folder, splits[0]) if splits else "a folder")
    for directory in (folder, os.path.join(folder, "data")):
        if os.path.isdir(directory):
            names = sorted(
                name
                for name in os.listdir(directory)
                if name.lower().endswith(SUFFIXES) and not name.startswith((".", "_", "cache-"))
            )
            if names:
                _check_deeper(folder, directory)
                return _one_table(folder, [os.path.join(directory, name) for name in names])
    return ()


def _check_deeper(folder: str, directory: str) -> None:
    """Reject a folder that holds tables, if one of its subfolders also holds tables."""
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_dir() and not entry.name.startswith((".", "_")):
            for name in sorted(os.listdir(entry.path)):
                is_file = os.path.isfile(os.path.join(entry.path, name))
                if is_file and name.lower().endswith(SUFFIXES):
                    expected = "tables in one folder (or a pattern: …/**/*.parquet)"
                    deeper = f"{quoted(f'{entry.name}/{name}')} besides"
                    raise SyntaxFormatError(path=folder, expected=expected, found=deeper)


def _named_in(state: str) -> list[str]:
    """Return the file names that ``state.json`` of a saved data set lists."""
    try:
        with open(state, encoding="utf-8") as file:
            content = json.load(file)
        names = [entry["filename"] for entry in content["_data_files"]]
        is_picked = bool(content.get("_indices_data_files"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        names, is_picked = [], False
    fits = all(isinstance(name, str) and os.path.basename(name) == name for name in names)
    if not names or not fits or is_picked:
        rows = "rows picked by other files: save it anew" if is_picked else "something else"
        raise SyntaxFormatError(path=state, expected="names of data files", found=rows)
    return names


def _one_table(path: str, files: list[str]) -> tuple[str, ...]:
    """Return the files if they form one table.

    Several splits (such as train and test) or missing shards are an error.
    """
    splits: dict[str, str] = {}
    shards: dict[tuple[str, int], int] = {}
    for file in files:
        name = os.path.basename(file)
        split = SPLIT.search(name)
        splits.setdefault(split[1] if split else "", name)
        shard = SHARD.match(file)
        if shard:
            key = shard[1], int(shard[3])
            shards[key] = shards.get(key, 0) + 1
    if len(splits) > 1:
        raise _of_several(path, [name or "others" for name in splits], next(iter(splits.values())))
    for (stem, number), count in shards.items():
        if count != number:
            name = quoted(f"{os.path.basename(stem)}-…-of-{number:05d}")
            raise SyntaxFormatError(path=path, expected=f"{number} files {name}", found=f"{count}")
    return tuple(files)


def _of_several(path: str, found: list[str], example: str) -> OptionError:
    return OptionError(
        path=path,
        expected=f"the files of one split, such as {quoted(example)}",
        found=", ".join(found) or "none",
    )
