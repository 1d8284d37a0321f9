"""What `sclite -P` makes of piped SGML, and what our reader and reports make of it."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from scoring.alignment.system import System
from scoring.model.errors import InputError
from scoring.nist.report import alignments, sgml
from scoring.nist.sgml.errors import ExchangeError
from scoring.nist.sgml.reader import read_systems
from tests.judges import frame
from tests.judges.frame import run_limited, run_with

ARGUMENTS = ("-P", "-f", "0", "-o", "pra", "sgml", "stdout")


class Result(NamedTuple):
    """Exit status, standard output, error stream. Status None: refused where sclite crashes."""

    status: int | None
    stdout: bytes
    stderr: bytes


def original(data: bytes, arguments: Sequence[str] = ARGUMENTS) -> Result:
    """The original; a negative status is a crash."""
    run = run_with({}, partial(run_limited, [frame.original("sclite"), *arguments]), data)
    return Result(-1 if run.status is None else run.status, run.stdout, run.stderr)


def ours(data: bytes) -> Result:
    """Our reader, and the two reports that show all it read."""
    said: list[str] = []
    warned: list[str] = []
    try:
        systems = read_systems(data, said.append, warned.append)
    except ExchangeError as error:
        stderr = "".join(warned) + error.text()
        return Result(1, "".join(said).encode("latin-1"), stderr.encode("latin-1"))
    except InputError as error:
        return Result(None, b"", str(error).encode("latin-1"))
    stdout = "".join(said).encode("latin-1") + b"".join(map(shown, systems))
    return Result(0, stdout, "".join(warned).encode("latin-1"))


def shown(system: System) -> bytes:
    """A system in the two reports."""
    return b"".join([*alignments.pra(system), *sgml.render(system)])
