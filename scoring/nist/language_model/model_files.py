"""Search for the files of language models, and reading of these files."""

from __future__ import annotations

import os
from collections.abc import Sequence

from scoring.nist.language_model.model import LanguageModel, ModelError

STANDARD_INPUT = "-"
ARPA = "arpa:"
SUFFIXES = (".Z", ".gz")
LONGEST_NAME = 239
COMPRESS_MARK = b"\x1f\x9d"


def read_model(argument: str, name: str) -> LanguageModel:
    """Read the model that an option names.

    `-` is standard input. A file whose name ends in `.gz` or `.Z` is decompressed. If the file is
    missing, the same name with one of these endings is tried. `arpa:FILE` reads an ARPA text (our
    addition), unless a binary model has exactly this name.
    """
    if argument.startswith(ARPA) and _found(argument) is None:
        from scoring.nist.language_model.arpa import ArpaModel

        file = name.removeprefix(ARPA)
        return ArpaModel(file, _content(argument.removeprefix(ARPA), file))
    from scoring.nist.language_model.binary import read_binary

    return read_binary(name, _content(argument, name))


def _found(path: str) -> str | None:
    """Return the path of a file, with a suffix of compression if needed; None if it is missing."""
    suffixes: Sequence[str] = ("",) if path.endswith(SUFFIXES) else ("", *SUFFIXES)
    candidates = [path + suffix for suffix in suffixes]
    return next((candidate for candidate in candidates if os.path.exists(candidate)), None)


def _content(path: str, name: str) -> bytes:
    if path == STANDARD_INPUT:
        return _read(0, name)
    if len(name) > LONGEST_NAME:
        raise ModelError(f"rr_iopen: pathname '{name}' is too long\n")
    found = _found(path)
    if found is None:
        if path.endswith(SUFFIXES):
            raise ModelError(f"rr_iopen: file '{name}' not found\n")
        raise ModelError(f"rr_iopen: None of '{name}' '{name}.Z' or '{name}.gz' exist.\n")
    data = _read(found, name)
    if not found.endswith(SUFFIXES):
        return data
    if data.startswith(COMPRESS_MARK):  # what Python has no library for
        import subprocess

        try:
            done = subprocess.run(
                ["gzip", "-dc", "--", found],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
            )
        except (OSError, subprocess.CalledProcessError) as problem:
            raise ModelError(f"sclite: {name}: gzip cannot decompress it: {problem}\n") from None
        return done.stdout
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as problem:
        raise ModelError(
            f"sclite: {name}: expected a file compressed by gzip or compress, found {problem}\n"
        ) from None


def _read(file: str | int, name: str) -> bytes:
    """Read a file, given by its path or its descriptor."""
    try:
        with open(file, "rb", closefd=isinstance(file, str)) as stream:
            return stream.read()
    except OSError as problem:
        raise ModelError(f"sclite: {name}: cannot be read: {problem.strerror}\n") from None
