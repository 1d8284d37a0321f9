"""A trial: an input drawn from the seed and the number of the case, and what is asked of it."""

import random

from formats.detection import by_name
from tests.fuzz import commands, compiled
from tests.fuzz.documents import document, dumped
from tests.fuzz.inputs import Input
from tests.fuzz.mutators import mutated
from tests.fuzz.round_trips import BY_NAME, TARGETS, check_read, check_write, options_for

__all__ = ["check", "drawn"]

CHECKS = {
    "read": check_read,
    "write": check_write,
    "compiled": compiled.check_compiled,
    "command": commands.check_command,
}
KINDS = ("read",) * 8 + ("write",) * 8 + ("compiled",) * 3 + ("command",)


def drawn(seed: int, number: int) -> Input:
    """The input of a case: the same for the same seed and number."""
    chooser = random.Random(f"{seed} {number}")
    kind = chooser.choice(KINDS)
    if kind == "compiled":
        return compiled.draw(chooser)
    if kind == "command":
        return commands.draw(chooser)
    if kind == "write":
        target = chooser.choice(TARGETS)
        options = options_for(chooser, target)
        return Input("write", target, dumped(document(chooser), options=options))
    case = BY_NAME[chooser.choice(tuple(BY_NAME))]
    data = case.sample_bytes
    if case.line is not None and chooser.random() < 0.2:
        data = f"{case.before}{''.join(map(case.line, range(30)))}{case.after}".encode()
    if chooser.random() < 0.1:
        other = BY_NAME[chooser.choice(tuple(BY_NAME))]
        data += other.pack(other.sample)
    return Input("read", case.name, mutated(chooser, data, by_name(case.name).shape))


def check(given: Input) -> None:
    """Try the input.

    Raises
    ------
    Finding
    """
    CHECKS[given.kind](given)
