"""Lists and folders of corpora, for the contract suite."""

from __future__ import annotations

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import Case

CASES = [
    Case(
        "librispeech",
        "17-22-0001 hello wörld\n17-22-0002\n",
        [("hello", "wörld"), ()],
        suffix=None, line=lambda n: f"17-22-{n} hello number {n}\n", segments=100_000,
        signs=b"\0 -\n\r\t.x\xc3\xff",
    ),
]  # fmt: skip
STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {}
