"""Kaldi's files for the contract suite."""

from hypothesis import strategies as st

from formats import Segment
from tests.formats.case import MILLISECONDS, WORDS, Case

CASES = [
    Case(
        "kaldi",
        "spk1-utt1 hello wörld\nspk1-utt2\nspk2-utt1 how are you\n",
        [("hello", "wörld"), (), ("how", "are", "you")],
        suffix="/text",
        line=lambda n: f"spk{n // 100:04d}-utt{n:06d} hello world number {n}\n",
        objects_kept=400_000,
    ),
    Case(
        "kaldi-segments",
        "spk1-utt1 hello 0.500 2.250\nspk2-utt1 hello 2.250 -1\nspk2-utt2 rec2 1.000 2.000 1\n",
        [(), (), ()],
        suffix="/segments",
        line=lambda n: f"utt{n:06d} rec 0.25 {n}.75\n",
        objects_kept=400_000,
    ),
]


def text_segments() -> st.SearchStrategy[list[Segment]]:
    def build(texts: dict[str, list[str]]) -> list[Segment]:
        return [
            Segment.of("rec", texts[utterance], utterance=utterance)
            for utterance in sorted(texts, key=str.encode)
        ]

    return st.dictionaries(WORDS, st.lists(WORDS, max_size=4), max_size=4).map(build)


def places() -> st.SearchStrategy[list[Segment]]:
    def build(rows: dict[str, tuple[str, str | None, int, int | None]]) -> list[Segment]:
        return [
            Segment(
                recording,
                (),
                channel=channel,
                utterance=utterance,
                start_ns=start,
                end_ns=None if length is None else start + length,
            )
            for utterance in sorted(rows, key=str.encode)
            for recording, channel, start, length in [rows[utterance]]
        ]

    place = st.tuples(WORDS, st.none() | WORDS, MILLISECONDS, st.none() | MILLISECONDS.filter(bool))
    return st.dictionaries(WORDS, place, max_size=4).map(build)


STRATEGIES: dict[str, st.SearchStrategy[list[Segment]]] = {
    "kaldi": text_segments(),
    "kaldi-segments": places(),
}
