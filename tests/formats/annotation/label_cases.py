"""Label files (Audacity, HTK, TIMIT) for the contract suite."""

from hypothesis import strategies as st

from formats import Segment, Token
from tests.formats.case import MILLISECONDS, SPOKEN, WORDS, Case, words_together

CASES = [
    Case(
        "callhome",
        "# call 1\n0.50 2.25 A: ((hello)) wörld\n  and %uh {laugh} wor-\n\n2.25 3.00 B1: [[noise]]\n",
        [("hello", "wörld", "and", "%HESITATION", "wor-"), ()],
        line=lambda n: f"{n}.25 {n}.75 A: hello world number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "dialogue-acts",
        "A|hello wörld|sd\nB|good|b\n",
        [("hello", "wörld"), ("good",)],
        line=lambda n: f"A|hello world number {n}|sd\n",
        objects_kept=1000,
    ),
    Case(
        "nxt-query",
        "Found 2 args.\nObservation: q1; Result size: 2; atts: 2\nwho\t$m\ng\thello wörld\nf\tgood\t\n",
        [("hello", "wörld"), ("good",)],
        before="who\t$m\n",
        line=lambda n: f"g\thello world number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "sphinx-hyp",
        "hello wörld (rec-1 -12)\n(rec-2 -3)\n",
        [("hello", "wörld"), ()],
        line=lambda n: f"hello world (rec-{n} -{n})\n",
        objects_kept=1000,
    ),
    Case(
        "speech-activity",
        "".join(f"{n}.0 {n}.5 speech\n" for n in range(19)) + "19.5 20.5 hello\n",
        [()] * 19 + [("hello",)],
        line=lambda n: f"{n}.25 {n}.75 speech\n",
        objects_kept=1000,
    ),
    Case(
        "speaker-labels",
        "hello 0.5 1.75 speaker_0\nhello 2 3 speaker_1\n",
        [(), ()],
        line=lambda n: f"hello {n}.25 {n}.75 speaker_{n % 9}\n",
        objects_kept=1000,
    ),
    Case(
        "ynop",
        "u1 0 -1 hello wörld\nu2 0.5 -1 good\n",
        [("hello", "wörld"), ("good",)],
        line=lambda n: f"u{n} 0 -1 hello number {n}\n",
    ),
    Case(
        "ina-segments",
        "labels\tstart\tstop\nmale\t0.0\t3.2\nhello\t3.2\t4\n",
        [(), ("hello",)],
        before="labels\tstart\tstop\n",
        line=lambda n: f"female\t{n}.25\t{n}.75\n",
        objects_kept=1000,
    ),
    Case(
        "audacity",
        "0.500000\t2.250000\thello wörld\n2.250000\t2.250000\tclick\n"
        "\\\t200.000000\t4000.000000\n3.000000\t3.000000\t\n",
        [("hello", "wörld"), ("click",), ()],
        line=lambda n: f"{n}.25\t{n}.75\thello world number {n}\n",
        objects_kept=1000,
    ),
    Case(
        "htk",
        '5000000 7500000 hello -123.5\n7500000 10500000 "2nd"\n10500000 11000000 sil\n///\nhallo\n',
        [("hello", "2nd"), ("sil",)],
        suffix=".lab",
        lost=("utterance ids",),
        lost_always=("utterance ids",),
        line=lambda n: f"{n}0000000 {n}5000000 hello -1.5\n",
        segments=1,
    ),
    Case(
        "mlf",
        '#!MLF!#\n"*/rec1.lab"\n0 5000000 sil\n5000000 7500000 hello -123.5\n'
        '7500000 10500000 wörld -1.0\n.\n"*/rec2.lab"\n.\n',
        [("hello", "wörld"), ("sil",), ()],
        before="#!MLF!#\n",
        line=lambda n: f'"*/rec{n}.lab"\n0 500000000 hello\n.\n',
        utterance=lambda n: (
            f'"*/rec{n}.lab"\n'
            + words_together(0, lambda i: f"{i}0000000 {i}5000000 hello\n", "")
            + ".\n"
        ),
        objects_kept=400_000,
        empty="#!MLF!#\n",
    ),
    Case(
        "timit",
        "0 8000 h#\n8000 12000 hello\n12000 16800 wörld\n",
        [("hello", "wörld"), ("h#",)],
        suffix=".wrd",
        line=lambda n: f"{n * 16} {n * 16 + 16} hello\n",
        segments=1,
    ),
]

TICKS = st.integers(0, 10**9).map(lambda n: n * 100)


def audacity_segments() -> st.SearchStrategy[list[Segment]]:
    def build(words: list[str], start: int, length: int, low: int | None) -> Segment:
        return Segment(
            "rec",
            tuple(words),
            start_ns=start,
            end_ns=start + length,
            properties=() if low is None else (("frequencies", f"{low}.5 9000"),),
            kind="segment" if words or length else "event",
        )

    labels = st.builds(
        build,
        st.lists(SPOKEN, max_size=4),
        MILLISECONDS,
        MILLISECONDS,
        st.none() | st.integers(0, 8000),
    )
    return st.lists(labels, max_size=4)


def utterance(
    name: str, starts: list[int], words: list[tuple[str, int, float | None]], pause: int | None
) -> list[Segment]:
    """One utterance of timed words, and a pause after them."""
    tokens = [
        Token(text, start, start + length, score)
        for start, (text, length, score) in zip(sorted(starts), words, strict=False)
    ]
    made = [Segment.from_items(name, tokens, utterance=name)]
    if pause is not None:
        end = max((t.end_ns or 0 for t in tokens), default=0)
        made.append(
            Segment(name, ("sil",), utterance=name, start_ns=end, end_ns=end + pause, kind="event")
        )
    return made if tokens or pause is None else made[1:]


def utterances(name: str) -> st.SearchStrategy[list[Segment]]:
    words = st.lists(
        st.tuples(WORDS, st.integers(10**6, 10**8).map(lambda n: n * 100), SCORES), max_size=4
    )
    starts = st.lists(st.integers(10**6, 10**9).map(lambda n: n * 100), min_size=4, max_size=4)
    return st.builds(utterance, st.just(name), starts, words, st.none() | TICKS)


SCORES = st.none() | st.floats(-1e9, 1e9)


def timit_segments() -> st.SearchStrategy[list[Segment]]:
    def build(starts: list[int], words: list[tuple[str, int]]) -> list[Segment]:
        tokens = [
            Token(text, start, start + length)
            for start, (text, length) in zip(sorted(starts), words, strict=False)
        ]
        return [Segment.from_items("rec", tokens)] if tokens else []

    samples = st.integers(0, 10**8).map(lambda n: n * 62_500)
    return st.builds(
        build,
        st.lists(samples, min_size=4, max_size=4),
        st.lists(st.tuples(WORDS, samples), max_size=4),
    )


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "audacity": audacity_segments(),
    "htk": utterances("rec").map(lambda all_of: [s for s in all_of if s.words]),
    "mlf": st.tuples(utterances("rec1"), utterances("rec2")).map(lambda two: [*two[0], *two[1]]),
    "timit": timit_segments(),
}
