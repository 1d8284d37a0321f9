"""Notes on options that have no effect because an option they need is missing."""

from __future__ import annotations

from formats.schema.messages import Advice, Message
from scoring.cli.scoring import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from formats.console.command_parser import AnyParser

SEVERAL = "SYSTEMS"
"""Stands for several systems where the name of an option is expected."""
CONDITIONS = ("fail_above", "fail_measure", "fail_gap_above", "fail_group_above")
_SAMPLES = "confidence_interval compare_groups fail_gap_above"
_TABLE = f"""
collar search assignment explain reference_times hypothesis_times: meeting
cluster_timeout: engine
bins: by metadata
csv_safe: csv pairs
group_words: fail_group_above
correction: compare_groups fail_gap_above
level interval: confidence_interval
replications seed: {_SAMPLES} {SEVERAL}
block: confidence_interval {SEVERAL}
test sort best: {SEVERAL}
tolerance: all_rates json
system_id: det conditional_det
"""
OF_HYPOTHESES = ("hypothesis_format", "hypothesis_encoding", "hypothesis_options")
"""How hypotheses are read, in a command with another file that may be one."""
NEEDS: dict[str, Sequence[str]] = {
    name: needed.split()
    for names, _, needed in (row.partition(": ") for row in _TABLE.strip().split("\n"))
    for name in names.split()
}
"""Attributes of the options without which an option has no effect, by its attribute."""


def tell_idle(
    parser: AnyParser,
    arguments: Namespace,
    *,
    systems: int = 1,
    needs: Mapping[str, Sequence[str]] = NEEDS,
) -> None:
    """Print a note on each option that has no effect, and set it to its default.

    `systems` is the number of scored systems. `needs` maps each option to the options of which it
    needs one.
    """
    for name, others in needs.items():
        usual, value = parser.get_default(name), getattr(arguments, name, None)
        if value is None or value == usual or _has_effect(others, arguments, systems):
            continue
        from scoring.cli import messages

        needed = [_option(parser, each) for each in others if hasattr(arguments, each)]
        entry = messages.IDLE_WITHOUT
        if SEVERAL in others:
            entry = messages.IDLE_FOR_ONE_WITHOUT if needed else messages.IDLE_FOR_ONE
        elif not needed:  # an option of that name that needs no other
            continue
        tell(Message(entry, {"option": _option(parser, name, value), "needed": needed}))
        setattr(arguments, name, usual)
    conditions = (getattr(arguments, name, None) for name in CONDITIONS)
    number = sum(len(each) if isinstance(each, list) else each is not None for each in conditions)
    if number < 2 and getattr(arguments, "fail_when", None) == "all":
        from scoring.cli import messages

        fields = {"option": Advice("fail_when", ""), "conditions": number}
        tell(Message(messages.IDLE_CONDITION, fields))


def _has_effect(needed: Sequence[str], arguments: Namespace, systems: int) -> bool:
    """Return True if any of the `needed` options is set, or if several systems are scored."""
    is_met = any(getattr(arguments, each, None) not in (None, False, [], ()) for each in needed)
    return is_met or (systems > 1 and SEVERAL in needed)


def _option(parser: AnyParser, name: str, value: object = None) -> Advice:
    """Return the flag of an attribute of the arguments, as advice.

    If each value has its own flag, as for `search`, return the flag of `value`.
    """
    flags = [
        flag
        for flag, action in parser.options.items()
        if action.dest == name and action.const in (None, True, value) and flag.startswith("--")
    ]
    return Advice(flags[0][2:].replace("-", "_"), "")
