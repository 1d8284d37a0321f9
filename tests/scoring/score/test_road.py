"""How far a reader goes who follows the reference from `wer` to what is scored."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from scoring import wer
from scoring.sides.corpus import Corpus

TEXTS = {
    "r.trn": "a b c (s-1)\nd e (s-2)\n",
    "h.trn": "a x c (s-1)\nd e (s-2)\n",
    "r.stm": "rec A spk 0 1 a b\nrec A spk 1 2 c\n",
    "h.ctm": "rec A 0.1 0.2 a\nrec A 0.5 0.2 x\nrec A 1.1 0.2 c\n",
}
MOST = 12


def corpora(values: Iterator[object]) -> Iterator[Corpus]:
    for value in values:
        if isinstance(value, Corpus):
            yield value
        elif isinstance(value, tuple) and not hasattr(value, "_fields"):
            yield from (one for one in value if isinstance(one, Corpus))


@pytest.mark.parametrize(("reference", "hypothesis"), [("r.trn", "h.trn"), ("r.stm", "h.ctm")])
def test_a_reader_enters_few_modules(reference: str, hypothesis: str, tmp_path: Path) -> None:
    paths = tmp_path / reference, tmp_path / hypothesis
    for path in paths:
        path.write_text(TEXTS[path.name])
    entered: set[str] = set()

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        if event not in ("call", "return") or not name.startswith("scoring."):
            return
        values = list(frame.f_locals.values())
        if any(value is paths[0] for value in values) or any(corpora(iter(values))):
            entered.add(name)

    wer(*paths)  # loads what is loaded late
    sys.setprofile(look)
    try:
        wer(*paths)
    finally:
        sys.setprofile(None)
    assert {"scoring.score", "scoring.score.aligned"} <= entered
    # and the module that holds the result
    assert len(entered | {"scoring.score.rates"}) <= MOST, sorted(entered)
