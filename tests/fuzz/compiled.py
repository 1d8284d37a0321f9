"""The compiled functions beside their plain twins, on arguments that are as JSON says them."""

import json
import random
from array import array
from types import ModuleType
from typing import Any

import numpy as np

from scoring import alignment
from scoring.alignment import plain as plain_alignment
from scoring.alignment.network import Network, build
from scoring.nist.transcripts import plain as plain_columns
from scoring.stats import plain as plain_resampling
from scoring.stats.resampling import plan
from tests.fuzz.inputs import Finding, Input
from tests.fuzz.mutators import mutated
from tests.fuzz.round_trips import BY_NAME

__all__ = ["check_compiled", "draw"]

PLAIN_TWINS: dict[str, ModuleType] = {
    **dict.fromkeys(
        (
            "align_tokens", "count_tokens", "align_token_pairs", "align_text_pairs", "count_token_pairs",
            "align_compounds", "align_network",
        ),
        plain_alignment,
    ),
    **dict.fromkeys(("number", "scan_trn", "scan_ctm", "tokenize"), plain_columns),
    "resample": plain_resampling,
}  # fmt: skip
COSTS = (0, 1, 2, 3, 4, 4, 3, 3, 10, -1, 2**31, 2**58, 2**61, 2**62 - 1, 2**62, 2**63, 2**64)
WORDS = ("a", "b", "ab", "aba", "", " ", "A", "é", "e\u0301", "\ud800", "日本", "a b", "\0")
ODD_NUMBERS = tuple(map(float, ("inf", "nan", "-inf", "1e300", "-1e300", "-1", "-0.5", "1e-320")))
NUMBERS = (0.0, 1.0, 0.5, 2.25, 7.0)


def draw(chooser: random.Random) -> Input:
    """A call of one of the functions."""
    name = chooser.choice(tuple(PLAIN_TWINS))
    return Input("compiled", name, json.dumps(_arguments(chooser, name)).encode())


def _arguments(chooser: random.Random, name: str) -> list[Any]:
    wild = chooser.random() < 0.3
    odd = chooser.random() < 0.2

    def costs() -> list[int]:
        return [chooser.choice(COSTS if wild else COSTS[:9]) for _ in range(3)]

    def words() -> list[str]:
        return chooser.choices(WORDS if wild else WORDS[:4], k=chooser.choice((0, 1, 2, 5, 9, 40)))

    def numbers(count: int) -> list[float]:
        return chooser.choices(NUMBERS + ODD_NUMBERS if odd else NUMBERS, k=count)

    count = chooser.choice((0, 1, 2, 5))
    ties = chooser.choice((0, 1, 2, 3) if wild else (0, 1))
    if name in ("align_tokens", "count_tokens"):
        return [words(), words(), costs(), ties]
    if name == "align_compounds":
        return [words()[:9], words()[:9], *costs()]
    if name.endswith("pairs"):
        sides: list[Any] = [[words() for _ in range(count)] for _ in range(2)]
        if name == "align_text_pairs":
            sides = [[" ".join(one) for one in side] for side in sides]
        return [*sides, *costs(), ties, 1]
    if name == "align_network":
        networks = [_items(chooser, 3) for _ in range(2)]
        return [
            networks,
            [numbers(200) for _ in range(4)],
            chooser.randrange(4 if wild else 3),
            chooser.random() < 0.5,
        ]
    if name == "resample":
        size = chooser.choice((1, 2, 7, 40))
        units = [chooser.choices((0, 1, 2, 9), k=2) for _ in range(size)]
        return [
            units,
            chooser.choice((0, 1, 2**64 - 1, -1, 2**64)),
            chooser.choice((1, 3, 30)),
            chooser.choice((0, 1, 4)),
        ]
    if name == "number":
        return [
            _spoiled(chooser, chooser.choice((b"1.5", b"-12", b"0x1p3", b"1e5", b" 7"))).decode(
                "latin-1"
            )[:400]
        ]
    sample = BY_NAME["ctm" if name == "scan_ctm" else "trn"].sample.encode()
    return [_spoiled(chooser, sample * chooser.choice((1, 1, 3))).decode("latin-1")]


def _spoiled(chooser: random.Random, data: bytes) -> bytes:
    return mutated(chooser, data, "text") if chooser.random() < 0.9 else data


def _items(chooser: random.Random, depth: int) -> list[Any]:
    """Words as numbers and alternatives as lists of branches."""
    made: list[Any] = []
    for _ in range(chooser.randrange(1 if depth < 3 else 0, 7)):
        if depth and chooser.random() < 0.3:
            made.append([_items(chooser, depth - 1) for _ in range(chooser.randrange(1, 4))])
        else:
            made.append(chooser.randrange(5))
    return made


def _graph(items: list[Any]) -> Any:
    return [tuple(map(_graph, one)) if isinstance(one, list) else one for one in items]


def _made(name: str, said: list[Any], module: ModuleType) -> list[Any]:
    """The arguments as the function takes them."""
    if name in ("number", "scan_trn"):
        return [said[0].encode("latin-1")]
    if name == "scan_ctm":
        data = said[0].encode("latin-1")
        return [data, data, module.TokenTable()]
    if name == "tokenize":
        data = said[0].encode("latin-1")
        return [data, data, array("q", [0]).tobytes(), array("q", [len(data)]).tobytes()]
    if name == "resample":
        return [*plan(np.array(said[0], np.int64)), *said[1:]]
    if name == "align_network":
        items, columns, mode, has_matches = said
        sides: list[Any] = []
        for one in items:
            graph = build(_graph(one))
            size = len(graph.types)
            numbers = [array("d", column[:size]) for column in columns]
            sides.append(Network(*graph, bytes(kind == 0 for kind in graph.types), *numbers))
        cells = len(sides[0].types) * len(sides[1].types)
        return [*sides, mode, bytes(n % 3 == 0 for n in range(cells)) if has_matches else None]
    return list(said)


def _outcome(name: str, said: list[Any], module: ModuleType) -> object:
    """The result, or the kind of error and its words."""
    try:
        found: Any
        if name == "tokenize":
            table = module.TokenTable()
            found = table.tokenize(*_made(name, said, module)), [table.texts(0)]
        else:
            found = getattr(module, name)(*_made(name, said, module))
    except Exception as error:
        return type(error).__name__, str(error)
    return repr(found.tolist() if name == "resample" else found)


def check_compiled(given: Input) -> None:
    """Both say the same, refusals included."""
    said = json.loads(given.data)
    plain = PLAIN_TWINS[given.name]
    core = alignment.load_core()
    if core is None:
        return
    outcome, expected = _outcome(given.name, said, core), _outcome(given.name, said, plain)
    if outcome != expected:
        message = (
            f"compiled: {str(outcome)[:200]}, plain: {str(expected)[:200]}, of {str(said)[:200]}"
        )
        raise Finding(f"compiled {given.name}", message, given)
