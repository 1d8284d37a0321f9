"""Merging compounds counts as kaldialign and the Open ASR Leaderboard do."""

import random
from array import array
from pathlib import Path

import pytest

import scoring
from scoring.alignment import kernel, plain
from scoring.cli.scoring import main
from scoring.model.combinations import CombinationError
from scoring.options import Options
from scoring.peers.kaldialign.pairs import edit_distance
from scoring.score.rates import ErrorRates
from tests.each_case import each_case
from tests.tables import table_of

GOLDEN = table_of(__file__, "golden")
Pairs = list[tuple[str, str]]
Expected = tuple[int, int, int, int]


def scored(pairs: Pairs, **choices: object) -> ErrorRates:
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    return scoring.wer(left, right, options=Options(**{"profile": "kaldi", **choices}))  # type: ignore[arg-type]


def numbers(rates: ErrorRates) -> Expected:
    counts = rates.counts
    return (counts.insertions, counts.deletions, counts.substitutions, counts.reference_tokens)


@each_case(("pairs", "unmerged", "merged", "both", "joined"), GOLDEN)
def test_counts_of_the_originals(
    pairs: Pairs, unmerged: Expected, merged: Expected, both: Expected, joined: Pairs
) -> None:
    assert numbers(scored(pairs)) == unmerged
    rates = scored(pairs, merge_compounds=True)
    assert numbers(rates) == merged
    assert rates.counts_without_merges == scored(pairs).counts
    rates = scored(pairs, merge_compounds="regions")
    assert numbers(rates) == both
    texts = zip(rates.aligned.references, rates.aligned.hypotheses, strict=True)
    assert [(" ".join(left), " ".join(right)) for left, right in texts] == joined


def made_pairs(seed: int, number: int) -> Pairs:
    """Random pairs with compounds: words of few letters, cut anew on the other side."""
    draw = random.Random(seed)
    pairs: Pairs = []
    for _ in range(number):
        words = [
            "".join(draw.choices("abA", k=draw.randint(1, 3))) for _ in range(draw.randint(0, 7))
        ]
        text = " ".join(words)
        other = "".join(
            ("" if draw.random() < 0.4 else " ")
            if letter == " "
            else letter + " " * (draw.random() < 0.1)
            for letter in text
            if draw.random() > 0.05
        )
        pairs.append((text, other))
    return pairs


@pytest.mark.parametrize("ignore_case", [False, True])
def test_counts_as_the_replacement_of_kaldialign(ignore_case: bool) -> None:
    pairs = made_pairs(1, 300)
    rates = scored(pairs, merge_compounds=True, ignore_case=ignore_case)
    merges = 0
    for (left, right), counts in zip(pairs, rates.per_utterance, strict=True):
        sides = [text.casefold() if ignore_case else text for text in (left, right)]
        expected = edit_distance(sides[0].split(), sides[1].split(), merge_compounds=True)
        assert (counts.insertions, counts.deletions, counts.substitutions) == (
            expected["ins"],
            expected["del"],
            expected["sub"],
        )
        assert counts.reference_tokens == len(left.split())
        merges += counts != scoring.edit_distance(sides[0].split(), sides[1].split())
    assert rates.merges >= merges > 50


def test_both_cores_merge_any_words_alike() -> None:
    saved = 0
    for left, right in made_pairs(2, 300):
        sides = left.split(), right.split()
        steps = kernel.align_compounds(*sides, 1, 1, 1, several=True)
        assert steps == plain.align_compounds(*sides, 1, 1, 1, several=True)
        groups = list(zip(array("i", steps)[::2], array("i", steps)[1::2], strict=True))
        if not steps:
            continue
        places = [0, 0]
        for group in groups:
            parts = [
                "".join(side[place : place + size])
                for side, place, size in zip(sides, places, group, strict=True)
            ]
            assert sum(group) < 3 or parts[0] == parts[1]
            places = [place + size for place, size in zip(places, group, strict=True)]
        assert places == [len(side) for side in sides]
        saved += any(min(group) > 1 for group in groups)
    assert saved > 20


def test_any_merges_words_cut_elsewhere() -> None:
    rates = scored([("ab cd ef x", "abc def y")], merge_compounds="any")
    assert numbers(rates) == (0, 0, 1, 4)
    assert rates.alignment("000001").letters == "CCCCS"
    assert rates.merges == 1
    assert "|compounds:any|" in rates.signature


def test_groups_words_and_records_agree(tmp_path: Path) -> None:
    rates = scored(made_pairs(3, 40), merge_compounds=True)
    for row, counts in enumerate(rates.per_utterance):
        alignment = rates.alignment_at(row)
        assert alignment.counts() == counts
        pairs = alignment.pairs()
        assert tuple(p.reference for p in pairs if p.reference is not None) == alignment.reference
        assert (
            tuple(p.hypothesis for p in pairs if p.hypothesis is not None) == alignment.hypothesis
        )
    rates.save(tmp_path / "rates.json")
    loaded = scoring.load(tmp_path / "rates.json")
    assert loaded.signature == rates.signature
    assert (loaded.counts, loaded.merges) == (rates.counts, rates.merges)
    assert loaded.counts_without_merges == rates.counts_without_merges
    # NIST's formats have no compounds: their words appear as optional ones that were skipped
    report = rates.report("rsum")
    errors = rates.counts.errors
    assert f" {errors} " in " ".join(report.split()) + " "


def test_what_does_not_go_together() -> None:
    with pytest.raises(CombinationError) as caught:
        Options(meeting="tcorc", merge_compounds=True)
    assert caught.value.value is not None
    assert caught.value.value.entry.variant == "merge_compounds timed"
    with pytest.raises(ValueError, match="merge_compounds: expected words, any, regions, found"):
        Options(merge_compounds="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", ["sclite", "levenshtein", "jiwer", "kaldi"])
def test_alternatives_and_compounds_go_together(tmp_path: Path, profile: str) -> None:
    (tmp_path / "ref.trn").write_text("a { black board / white wall } of 50 (u1)\n")
    (tmp_path / "hyp.trn").write_text("a blackboard { of / off } fifty (u1)\n")
    sides = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    rates = scoring.wer(
        *sides,
        merge_compounds=True,
        normalize="numbers",
        profile=profile,  # type: ignore[call-overload]
    )
    assert rates.counts == scoring.Counts(correct=5)
    assert rates.alignment("u1").reference == ("a", "black", "board", "of", "fifty")


def test_characters_know_compounds_by_their_blanks() -> None:
    assert scoring.cer("a black board", "a blackboard").counts.errors == 1
    rates = scoring.cer("a black board", "a blackboard", merge_compounds=True)
    assert rates.counts == scoring.Counts(correct=12)
    rates = scoring.wer("a black board", "a blackboard", unit="char", merge_compounds=True)
    assert rates.counts == scoring.Counts(correct=11)


def test_the_flag_alone_takes_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.trn").write_text("a white paper (u1)\nab cd ef (u2)\n")
    (tmp_path / "h.trn").write_text("a whitepaper (u1)\nabc def (u2)\n")
    paths = [str(tmp_path / "r.trn"), str(tmp_path / "h.trn")]
    assert main(["wer", "--merge-compounds", *paths]) == 0
    text = capsys.readouterr().out
    assert "%WER 50.00 [ 3 / 6, 0 ins, 1 del, 2 sub ]" in text
    assert "compounds: 1 merged; corpus rate without merging 83.33 %" in text
    assert main(["wer", "--merge-compounds", "any", *paths]) == 0
    assert "%WER 0.00" in capsys.readouterr().out
    # shards of a run add up to the run
    for number in "12":
        shard = ["--shard", f"{number}/2", "--shard-output", str(tmp_path / f"{number}.json")]
        assert main(["wer", *paths, *shard, "--merge-compounds"]) == 0
    assert main(["merge", str(tmp_path / "1.json"), str(tmp_path / "2.json")]) == 0
    assert capsys.readouterr().out.splitlines() == text.splitlines()


def test_rows_of_tables_merge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("text,pred_text\nwhite paper,whitepaper\nb,c\n")
    argv = ["wer", "--reference-column", "text", str(tmp_path / "t.csv"), "--merge-compounds"]
    assert main(argv) == 0
    assert "%WER 33.33 [ 1 / 3, 0 ins, 0 del, 1 sub ]" in capsys.readouterr().out


def test_a_long_table_is_filled_in_blocks_alike() -> None:
    rng = random.Random(5)
    words = ["a", "b", "ab", "aa", "ba", "abc", "c", "bc", ""]
    for _ in range(200):
        left, right = ([rng.choice(words) for _ in range(rng.randrange(12))] for _ in range(2))
        for several in (False, True):
            whole = plain.align_compounds(left, right, 4, 3, 3, several=several)
            for most_bytes in (1, 40, 1 << 26):
                blocks = kernel.align_compounds(
                    left, right, 4, 3, 3, several=several, most_bytes=most_bytes
                )
                assert blocks == whole
