"""Detection of files with the sums of tables, without the packages that compute sums."""

from __future__ import annotations

import gzip
import os
import zlib

from formats.io.source import is_url
from scoring.score.record_reader import content_of

SCHEMA, SCHEMA_VERSION = "sclite-kit/sums-of-tables", 1
HEAD = 4096
ENDINGS = (".json", ".json.gz")


def holds_sums(head: bytes) -> bool:
    """Return True if the first bytes of a file are those of a file of sums."""
    return head.lstrip().startswith(b"{") and SCHEMA.encode() in head


def is_sums(path: str) -> bool:
    """Return True if a file or URL, which may be compressed by gzip, has the sums of tables."""
    if is_url(path):
        return path.endswith(ENDINGS) and holds_sums(content_of(path, HEAD))
    if not os.path.isfile(path):
        return False
    if not path.endswith(".gz"):
        with open(path, "rb") as file:
            return holds_sums(file.read(HEAD))
    try:
        with gzip.open(path) as packed:
            return holds_sums(packed.read(HEAD))
    except (OSError, EOFError, zlib.error):
        return False  # the reader of the file names the problem
