"""Programs of SCTK's that call each other, without processes: their streams are held in memory."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from formats.process import status_of_exit
from scoring.cli.drop_in import complain
from scoring.cli.sctk import PROGRAMS
from scoring.nist.transcripts.characters import byte_text

# As shells report what a signal has ended: 128 plus its number.
_BY_A_SIGNAL = range(129, 160)


class Ran(NamedTuple):
    """What a program gave: its exit status, standard output and error output.

    The two are empty if they went to those of the process.
    """

    status: int
    output: bytes
    said: bytes


def call(words: Sequence[str], given: bytes | None = None, held: Sequence[str] = ()) -> Ran:
    """Run a program, the first word, on the other words."""
    program, *arguments = words
    with ExitStack() as streams:
        if given is not None:
            streams.enter_context(_standing_in("stdin", given))
        kept = {name: streams.enter_context(_standing_in(name, b"")) for name in held}
        try:
            status = PROGRAMS[program](arguments)
        except SystemExit as leaving:
            status = status_of_exit(leaving)
        output, said = (
            kept[name].getvalue() if name in kept else b"" for name in ("stdout", "stderr")
        )
    if status in _BY_A_SIGNAL:
        complain(byte_text(said))
        raise SystemExit(status)
    return Ran(status, output, said)


@contextmanager
def _standing_in(name: str, data: bytes) -> Iterator[io.BytesIO]:
    buffer = io.BytesIO(data)
    stream = io.TextIOWrapper(buffer, "utf-8", "surrogateescape", write_through=True)
    ours = getattr(sys, name)
    setattr(sys, name, stream)
    try:
        yield buffer
    finally:
        setattr(sys, name, ours)
        stream.detach()  # or the buffer would be closed with it
