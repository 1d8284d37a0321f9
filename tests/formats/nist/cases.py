"""NIST's text formats for the contract suite."""

from typing import Any

from hypothesis import strategies as st

from formats import Alternation, Segment, Token
from tests.formats.case import MILLISECONDS, NAMES, WORDS, Case

CASES = [
    Case(
        "trn",
        ";; LABEL \"F\" \"Female\" \"\"\nhello { um / uh / @ } wörld (spk1-1)\na (b) (spk1-2)\n(c-1)\n",
        [("hello", "wörld"), ("a", "b"), ()],
        line=lambda n: f"hello world number {n} (spk{n % 9}-{n:06d})\n",
        objects_kept=400_000,
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
        objects_kept=20_000,  # texts that the cutter remembers
    ),
    Case(
        "stm",
        ";; LABEL \"F\" \"Female\" \"\"\nrec1 1 spk1 0.500 2.250 <F> hello { um / @ } wörld\n"
        "rec1 1 spk2 2.250 3.900 how (are) you\n",
        [("hello", "wörld"), ("how", "are", "you")],
        line=lambda n: f"rec1 1 spk{n % 9} {n}.25 {n}.75 hello world number {n}\n",
        objects_kept=20_000,  # texts that the cutter remembers
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
    Case(
        "rttm",
        "SPKR-INFO rec1 1 <NA> <NA> <NA> adult_female anne <NA> <NA>\n"
        "NOSCORE rec1 1 0.000 0.500 <NA> <NA> <NA> <NA> <NA>\n"
        "SPEAKER rec1 1 0.500 1.750 <NA> <NA> anne 0.5 <NA>\n"
        "LEXEME rec1 1 0.500 0.250 hello lex anne 0.98 <NA>\n"
        "LEXEME rec1 1 0.750 0.300 wör- frag anne <NA> <NA>\n"
        "NON-LEX rec1 1 1.000 0.200 <NA> breath anne <NA> <NA>\n",
        [(), ("hello", "wör-"), ("breath",)],
        line=lambda n: f"LEXEME rec{n // 100:06d} 1 {n % 100}.25 0.50 hello lex anne 0.5 <NA>\n",
        segments=1000,
        write_options={"rttm_words": True, "speaker_info": True},
    ),
    Case(
        "uem", ";; regions\nhello 1 0.000 60.000\nhello 1 75.500 120.000\n", [(), ()],
        rewritten="hello 1 0.000 60.000\nhello 1 75.500 120.000\n",
        line=lambda n: f"rec{n:06d} 1 0.25 {n}.75\n",
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


FIELDS = WORDS.filter(lambda w: w.lower() != "<na>" and not set(w) & set("#"))


def rttm_segments() -> st.SearchStrategy[list[Segment]]:
    """Turns of changing speakers one after the other, with words inside, events and regions."""

    def build(parts: list[tuple[Any, ...]]) -> list[Segment]:
        made: list[Segment] = []
        begin = 0
        for kind, words, sure, subtype, gender in parts:
            end = begin + (len(words) + 1) * 10**9
            common: dict[str, Any] = {
                "channel": "1", "start_ns": begin, "end_ns": end, "confidence": sure,
            }  # fmt: skip
            if kind == "segment":
                tokens = [
                    Token(text, begin + n * 10**9, begin + (n + 1) * 10**9, score, type_)
                    for n, (text, score, type_) in enumerate(words)
                ]
                segment = Segment.from_items("rec", tokens, speaker=f"s{len(made)}", **common)
                if gender:
                    segment = segment.replace(properties=(("gender", gender),))
            elif kind == "event":
                segment = Segment.from_items(
                    "rec", [Token(subtype)], kind="event", tier="NON-LEX", **common
                )
            else:
                segment = Segment.from_items("rec", [], kind=kind, **common)
            made.append(segment)
            begin = end + 10**9
        return made

    words = st.lists(
        st.tuples(FIELDS, st.none() | st.floats(0, 1), st.sampled_from([None, "fp", "frag"])),
        max_size=3,
    )
    parts = st.tuples(
        st.sampled_from(["segment", "event", "ignored", "scored"]),
        words,
        st.none() | st.floats(0, 1),
        FIELDS,
        st.sampled_from([None, "adult_male", "child"]),
    )
    return st.lists(parts, max_size=4).map(build)


def uem_segments() -> st.SearchStrategy[list[Segment]]:
    def build(lengths: list[int]) -> list[Segment]:
        made: list[Segment] = []
        begin = 0
        for length in lengths:
            made.append(
                Segment(
                    "rec", (), channel="1", start_ns=begin, end_ns=begin + length, kind="scored"
                )
            )
            begin += 2 * length
        return made

    return st.lists(MILLISECONDS.filter(bool), max_size=4).map(build)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "trn": trn_segments(),
    "txt": st.lists(WORDS, min_size=1).map(lambda words: [Segment.of("rec", words)]),
    "txt-lines": st.lists(st.lists(WORDS)).map(
        lambda lines: [
            Segment.of("rec", words, utterance=f"{number:06d}")
            for number, words in enumerate(lines, 1)
        ]
    ),
    "stm": stm_segments(),
    "ctm": ctm_segments(),
    "rttm": rttm_segments(),
    "uem": uem_segments(),
}
