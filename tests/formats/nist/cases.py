"""NIST's text formats for the contract suite."""

from __future__ import annotations

from hypothesis import strategies as st

from formats import Alternation, Segment, Token
from tests.formats.case import MILLISECONDS, NAMES, WORDS, Case

CASES = [
    Case(
        "trn",
        ";; LABEL \"F\" \"Female\" \"\"\nhello { um / uh / @ } wörld (spk1-1)\na (b) (spk1-2)\n(c-1)\n",
        [("hello", "wörld"), ("a", "b"), ()],
        line=lambda n: f"hello world number {n} (spk{n % 9}-{n:06d})\n",
        segments=100_000, objects_kept=400_000,
    ),
    Case(
        "txt", "hello wörld\nhow are you\n", [("hello", "wörld", "how", "are", "you")],
        suffix=".txt", rewritten="hello wörld how are you\n",
        line=lambda n: f"hello world number {n % 9}\n",
        segments=1, objects_kept=400_000,
    ),
    Case(
        "txt-lines", "hello wörld\nhow are you\n", [("hello", "wörld"), ("how", "are", "you")],
        suffix=None, lost=("utterance ids",), lost_always=("utterance ids",),
        line=lambda n: f"hello world number {n}\n",
        segments=100_000, objects_kept=1000,
    ),
    Case(
        "stm",
        ";; LABEL \"F\" \"Female\" \"\"\nrec1 1 spk1 0.500 2.250 <F> hello { um / @ } wörld\n"
        "rec1 1 spk2 2.250 3.900 how (are) you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"rec1 1 spk{n % 9} {n}.25 {n}.75 hello world number {n}\n",
        segments=100_000, objects_kept=1000,
    ),
    Case(
        "ctm",
        "rec1 1 0.500 0.250 hello 0.98\nrec1 1 * * <ALT_BEGIN>\nrec1 1 1.100 0.200 um NA\n"
        "rec1 1 * * <ALT>\nrec1 1 1.100 0.000 @ NA\nrec1 1 * * <ALT_END>\n"
        "rec1 1 1.750 0.300 wörld 0.87\n",
        [("hello", "wörld")],
        line=lambda n: f"rec{n // 100:06d} 1 {n % 100}.25 0.50 hello 0.5\n",
        segments=1000, objects_kept=2000,
    ),
]  # fmt: skip


def alternations(
    tokens: st.SearchStrategy[Token], nested: bool
) -> st.SearchStrategy[Token | Alternation]:
    def choice(
        items: st.SearchStrategy[Token | Alternation],
    ) -> st.SearchStrategy[Token | Alternation]:
        return st.builds(Alternation, st.lists(st.lists(items, max_size=3), min_size=1, max_size=3))

    return st.recursive(tokens, choice, max_leaves=4) if nested else tokens | choice(tokens)


PLAIN_ITEMS = st.lists(
    alternations(st.builds(Token, WORDS, optional=st.booleans()), nested=True), max_size=5
)


def trn_segments() -> st.SearchStrategy[list[Segment]]:
    def build(number: int, speaker: str, items: list[Token | Alternation]) -> Segment:
        return Segment.from_items("rec", items, speaker=speaker, utterance=f"{speaker}-{number}")

    def number_all(parts: list[tuple[str, list[Token | Alternation]]]) -> list[Segment]:
        return [build(number, *part) for number, part in enumerate(parts)]

    speakers = NAMES.filter(lambda name: "-" not in name)
    return st.lists(st.tuples(speakers, PLAIN_ITEMS), max_size=4).map(number_all)


def stm_segments() -> st.SearchStrategy[list[Segment]]:
    def build(
        speaker: str, start: int, length: int, labels: list[str], items: list[Token | Alternation]
    ) -> Segment:
        return Segment.from_items(
            "rec", items, channel="1", speaker=speaker, start_ns=start, end_ns=start + length,
            labels=tuple(labels),
        )  # fmt: skip

    labels = WORDS.filter(lambda x: "," not in x and not any(c.isspace() for c in x))
    segments = st.builds(
        build,
        NAMES,
        MILLISECONDS,
        MILLISECONDS.filter(bool),
        st.lists(labels, max_size=2),
        PLAIN_ITEMS,
    )
    return st.lists(segments, max_size=4).map(lambda s: sorted(s, key=lambda x: x.start_ns or 0))


def ctm_segments() -> st.SearchStrategy[list[Segment]]:
    def at(start: int, length: int, text: str, confidence: float | None, optional: bool) -> Token:
        return Token(text, start, start + length, confidence, None, optional)

    tokens = st.builds(
        at, MILLISECONDS, MILLISECONDS, WORDS.filter(lambda w: w[:4].upper() != "<ALT"),
        st.none() | st.floats(0, 1), st.booleans(),
    )  # fmt: skip

    def build(items: list[Token | Alternation]) -> list[Segment]:
        def start(item: Token | Alternation) -> int:
            inner = (item,) if isinstance(item, Token) else tuple(item.tokens())
            return min((t.start_ns or 0 for t in inner), default=0)

        ordered = sorted(items, key=start)
        return [Segment.from_items("rec", ordered, channel="1")] if ordered else []

    return st.lists(alternations(tokens, nested=False), max_size=6).map(build)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "trn": trn_segments(),
    "txt": st.lists(WORDS, min_size=1).map(lambda words: [Segment("rec", words)]),
    "txt-lines": st.lists(st.lists(WORDS)).map(
        lambda lines: [
            Segment("rec", words, utterance=f"{number:06d}")
            for number, words in enumerate(lines, 1)
        ]
    ),
    "stm": stm_segments(),
    "ctm": ctm_segments(),
}
