"""The word diarisation error rate, against a plain computation."""

import random
from collections import Counter
from itertools import permutations
from pathlib import Path

import scoring
from scoring.measures.speakers import speaker_partners
from scoring.results.measured import Measured
from tests.each_case import each_case


def stm(path: Path, turns: list[tuple[str, list[str]]]) -> Path:
    lines = (
        f"talk 1 {speaker} {2 * n} {2 * n + 2} {' '.join(words)}\n"
        for n, (speaker, words) in enumerate(turns)
    )
    path.write_text("".join(lines), "utf-8")
    return path


def wder(
    folder: Path, ours: list[tuple[str, list[str]]], theirs: list[tuple[str, list[str]]]
) -> Measured:
    paths = stm(folder / "r.stm", ours), stm(folder / "h.stm", theirs)
    return scoring.measure(scoring.wer(*paths, keep_sources=True, cut="plain-alignment"), "wder")


def plain(pairs: list[tuple[str, str]]) -> int:
    """The fewest wrong speakers over all one-to-one mappings."""
    ours = sorted({ours for ours, _ in pairs})
    theirs = sorted({theirs for _, theirs in pairs})
    padded = theirs + [""] * len(ours)
    return min(
        sum(dict(zip(ours, chosen, strict=True))[left] != right for left, right in pairs)
        for chosen in permutations(padded, len(ours))
    )


def test_a_word_of_a_wrong_speaker(tmp_path: Path) -> None:
    ours = [("anne", ["we", "left", "at", "dawn"]), ("ben", ["and", "came", "back", "late"])]
    theirs = [("s1", ["we", "left", "at", "dawn", "and"]), ("s2", ["came", "back", "that"])]
    measured = wder(tmp_path, ours, theirs)
    assert measured.columns.totals() == {"paired": 8, "wrong_speaker": 1, "unknown": 0}
    assert measured["wder"] == 1 / 8


@each_case("seed", range(20))
def test_equal_words_as_a_plain_computation(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    words = [f"w{n}" for n in range(30)]

    def turns(names: str) -> tuple[list[tuple[str, list[str]]], list[str]]:
        parts: list[tuple[str, list[str]]] = []
        speakers = []
        for word in words:
            if not parts or draw.random() < 0.3:
                parts.append((draw.choice(names), []))
            parts[-1][1].append(word)
            speakers.append(parts[-1][0])
        return parts, speakers

    (ours, left), (theirs, right) = turns("abc"), turns("wxyz"[: draw.randint(1, 4)])
    totals = wder(tmp_path, ours, theirs).columns.totals()
    assert totals["paired"] == 30
    assert totals["wrong_speaker"] == plain(list(zip(left, right, strict=True)))


def test_the_mapping_is_the_best() -> None:
    draw = random.Random(1)
    for _ in range(70):
        pairs = [(draw.choice("abcd"), draw.choice("wxyz")) for _ in range(draw.randint(1, 12))]
        partners = speaker_partners(Counter(pairs))
        assert sum(partners.get(left) != right for left, right in pairs) == plain(pairs)


def test_meetings_and_files_without_speakers(tmp_path: Path) -> None:
    ours = [("anne", ["we", "left", "at", "dawn"]), ("ben", ["and", "came", "back", "late"])]
    theirs = [("s1", ["we", "left", "at", "dawn"]), ("s1", ["and", "came", "back", "late"])]
    paths = stm(tmp_path / "r.stm", ours), stm(tmp_path / "h.stm", theirs)
    rates = scoring.wer(*paths, keep_sources=True, meeting="orc")
    assert scoring.measure(rates, "wder")["wder"] == 0.5
    unknown = scoring.measure(scoring.wer(["a b"], ["a c"], keep_sources=True), "wder")
    assert (unknown["wder"], unknown["unknown"]) == (None, 2)
