"""The seeded generator: a kind, a seed and a number give always the same case."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

from tests.judges.sclite.case import Case
from tests.judges.sclite.characters import character_case
from tests.judges.sclite.errors import error_case, option_error_case, piped_case
from tests.judges.sclite.reports import report_case
from tests.judges.sclite.segmentation import segmentation_case
from tests.judges.sclite.timed import ctm_case, stm_case
from tests.judges.sclite.trn import trn_case

KINDS: dict[str, Callable[[Random, str], Case]] = {
    "trn": trn_case,
    "stm": stm_case,
    "ctm": ctm_case,
    "reports": report_case,
    "errors": error_case,
    "characters": character_case,
    "segmentation": segmentation_case,
    "piped": piped_case,
    "option-errors": option_error_case,
}
DEFAULT_KINDS = tuple(KINDS)


def generate(kind: str, seed: int, number: int) -> Case:
    """The case `number` of a kind under a seed."""
    return KINDS[kind](Random(f"{seed}/{kind}/{number}"), f"{kind}-{seed}-{number:05d}")


def cases(kinds: Sequence[str], seed: int, count: int) -> Iterator[Case]:
    """`count` cases, the kinds taking turns."""
    for number in range(count):
        yield generate(kinds[number % len(kinds)], seed, number // len(kinds))
