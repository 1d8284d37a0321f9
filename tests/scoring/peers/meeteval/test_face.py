"""What a caller of meeteval finds here; all that is expected was printed by meeteval 0.4.3."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring.peers import meeteval
from scoring.peers.meeteval.error_rates import ErrorRate
from tests.each_case import each_case

ONE_SESSION: list[tuple[str, Any, Any, str, str | None]] = [
    ("siso_word_error_rate", "a b c", "a c", "ErrorRate(error_rate=0.3333333333333333, errors=1, length=3, insertions=0, deletions=1, substitutions=0)", None),
    ("cp_word_error_rate", ["a b c", "d e f"], ["d e", "a b c"], "CPErrorRate(error_rate=0.16666666666666666, errors=1, length=6, insertions=0, deletions=1, substitutions=0, missed_speaker=0, falarm_speaker=0, scored_speaker=2, assignment=((0, 1), (1, 0)))", "(['a b c', 'd e f'], ['a b c', 'd e'])"),
    ("cp_word_error_rate", {"r0": "a b", "r1": "k"}, {"h0": " ", "h1": "a e f", "h2": "q"}, "CPErrorRate(error_rate=1.0, errors=3, length=3, insertions=1, deletions=0, substitutions=2, missed_speaker=0, falarm_speaker=1, scored_speaker=2, assignment=(('r0', 'h1'), ('r1', 'h2'), (None, 'h0')))", "({'r0': 'a b', 'r1': 'k', 'a': ''}, {'r0': 'a e f', 'r1': 'q', 'a': ' '})"),
    ("cp_word_error_rate", ["a"], [], "CPErrorRate(error_rate=1.0, errors=1, length=1, insertions=0, deletions=1, substitutions=0, missed_speaker=1, falarm_speaker=0, scored_speaker=1, assignment=((0, None),))", "(['a'], [''])"),
    ("cp_word_error_rate", [], ["a"], "CPErrorRate(errors=1, length=0, insertions=1, deletions=0, substitutions=0, missed_speaker=0, falarm_speaker=1, scored_speaker=0, assignment=((None, 0),))", "([''], ['a'])"),
    ("orc_word_error_rate", ["a", "c d", "e"], ["a c", "d e"], "OrcErrorRate(error_rate=0.5, errors=2, length=4, insertions=1, deletions=1, substitutions=0, assignment=(0, 0, 1))", "([['a', 'c d'], ['e']], ['a c', 'd e'])"),
    ("greedy_orc_word_error_rate", ["a", "c d e"], {"A": "a c", "B": "d e"}, "OrcErrorRate(error_rate=0.5, errors=2, length=4, insertions=1, deletions=1, substitutions=0, assignment=('A', 'B'))", "({'A': ['a'], 'B': ['c d e']}, {'A': 'a c', 'B': 'd e'})"),
    ("mimo_word_error_rate", [["a b", "c d"], ["e f"]], ["a b", "e f c d"], "MimoErrorRate(error_rate=0.0, errors=0, length=6, insertions=0, deletions=0, substitutions=0, assignment=[(1, 1), (0, 0), (0, 1)])", "([['a b'], ['e f', 'c d']], ['a b', 'e f c d'])"),
    ("mimo_word_error_rate", {"A": ["a b", "c d"], "B": ["e f"]}, {"O1": "c d", "O2": "a b e f"}, "MimoErrorRate(error_rate=0.0, errors=0, length=6, insertions=0, deletions=0, substitutions=0, assignment=[('A', 'O2'), ('B', 'O2'), ('A', 'O1')])", "({'O1': ['c d'], 'O2': ['a b', 'e f']}, {'O1': 'c d', 'O2': 'a b e f'})"),
]  # fmt: skip


def said(session: str, speaker: str, start: float, end: float, words: str) -> dict[str, Any]:
    times = {"start_time": start, "end_time": end}
    return {"session_id": session, "speaker": speaker, **times, "words": words}


REFERENCE = [said("s", "A", 0, 2, "a b"), said("s", "A", 4, 6, "c"), said("t", "A", 0, 9, "d")]
HYPOTHESIS = [said("s", "x", 0, 2, "a"), said("s", "y", 5, 6, "e"), said("t", "y", 20, 29, "d")]


class Lines:
    """As meeteval's own containers: something that becomes segments, and is made of them again."""

    def __init__(self, segments: list[dict[str, Any]]) -> None:
        self.segments = segments

    def __iter__(self) -> Any:
        return iter(self.segments)

    def to_seglst(self) -> Lines:
        return self

    def new(self, segments: Lines) -> Lines:
        return Lines(list(segments))


@pytest.mark.filterwarnings("ignore:Assuming sort=False")
@each_case(("name", "reference", "hypothesis", "expected", "applied"), ONE_SESSION)
def test_one_session_of_texts(
    name: str, reference: Any, hypothesis: Any, expected: str, applied: str | None
) -> None:
    found = getattr(meeteval, name)(reference, hypothesis)
    assert repr(found) == expected
    if applied is not None:
        assert repr(found.apply_assignment(reference, hypothesis)) == applied


@pytest.mark.filterwarnings("ignore:Assuming sort=False")
def test_assignments_of_segments() -> None:
    hypothesis = [said("s", "x", 0, 2, "a b"), said("s", "y", 4, 6, "c")]
    for kind in (list, Lines):
        both = kind(REFERENCE[:2]), kind(hypothesis)
        cp = meeteval.cp_word_error_rate(*both)
        for style, names in (("ref", ["A", "a"]), ("hyp", ["x", "x"])):
            own, other = cp.apply_assignment(*both, style=style)
            assert type(own) is kind
            changed = other if style == "ref" else own
            assert [one["speaker"] for one in changed] == names
        orc = meeteval.orc_word_error_rate(*both)
        assert [one["speaker"] for one in orc.apply_assignment(*both)[0]] == ["x", "y"]
        mimo = meeteval.mimo_word_error_rate(*both)
        assert [one["speaker"] for one in mimo.apply_assignment(*both)[0]] == ["x", "y"]
        di = meeteval.greedy_di_cp_word_error_rate(*both)
        assert [one["speaker"] for one in di.apply_assignment(*both)[1]] == ["A", "A"]
    with pytest.raises(RuntimeError, match="fallback_keys: expected more"):
        cp.apply_assignment({"A": ""}, {"x": "", "y": ""}, fallback_keys="")
    with pytest.raises(ValueError, match="style: expected 'ref' or 'hyp', found 'both'"):
        cp.apply_assignment({"A": ""}, {"x": "", "y": ""}, style="both")
    with pytest.raises(ValueError, match="expected 2 segments, found 1"):
        orc.apply_assignment(["a"], ["b"])


@pytest.mark.parametrize(
    ("region", "counts"),
    [((2, 3), [(1, 2, 0, 1, 0), (0, 1, 0, 0, 0)]), ((2, 5), [(3, 3, 1, 2, 0), (0, 1, 0, 0, 0)])],
)
def test_regions(region: tuple[int, int], counts: list[tuple[int, ...]], tmp_path: Path) -> None:
    file = tmp_path / "region.uem"
    file.write_text(f"s 1 {region[0]} {region[1]}\n")
    for uem in (file, [str(file)], {"s": region}):
        found = meeteval.cpwer(REFERENCE, HYPOTHESIS, uem=uem)
        assert [
            (one.errors, one.length, one.insertions, one.deletions, one.substitutions)
            for one in found.values()
        ] == counts


def test_regions_that_leave_too_little(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Missing 100"):
        meeteval.cpwer(REFERENCE, HYPOTHESIS, uem={"s": (3, 3.5), "t": (0, 1)})
    (tmp_path / "region.uem").write_text("s 1 0 1\ns 1 2 3\n")
    with pytest.raises(ValueError, match="uem: expected one region of each session"):
        meeteval.cpwer(REFERENCE, HYPOTHESIS, uem=tmp_path / "region.uem")
    untimed = [{"session_id": "s", "speaker": "A", "words": "a"}]
    with pytest.raises(ValueError, match="uem: expected start_time and end_time"):
        meeteval.cpwer(untimed, HYPOTHESIS, uem={"s": (0, 1)})


def test_single_lines() -> None:
    reference = [said("s", "A", 0, 1, "a b"), said("s", "B", 0, 1, "c")]
    hypothesis = [said("s", "A", 0, 1, "a"), said("s", "B", 0, 1, "d c")]
    assert meeteval.sisower(reference, hypothesis) == {
        ("s", "A"): ErrorRate(1, 2, 0, 1, 0),
        ("s", "B"): ErrorRate(1, 1, 1, 0, 0),
    }
    with pytest.raises(ValueError, match="expected one segment of each session"):
        meeteval.sisower(reference * 2, hypothesis)
    with pytest.raises(RuntimeError, match="Missing 50"):
        meeteval.sisower(reference, hypothesis[:1])
    with pytest.raises(ValueError, match="expected a single speaker on each side, found 2"):
        meeteval.time_constrained_siso_word_error_rate(reference, hypothesis, collar=0)
    found = meeteval.time_constrained_siso_word_error_rate(
        reference[:1], hypothesis[:1], collar=5, hypothesis_pseudo_word_level_timing="full_segment"
    )
    assert (found.errors, found.reference_self_overlap.total_time) == (1, 1)


def test_normalizers_of_chime(monkeypatch: pytest.MonkeyPatch) -> None:
    chime = SimpleNamespace(get_txt_norm=lambda name: lambda text: text.replace("e", name))
    monkeypatch.setitem(sys.modules, "chime_utils.text_norm", chime)
    spoken = [said("s", "A", 0, 2, "chime8")]
    found = meeteval.cpwer(spoken, [said("s", "A", 0, 2, "e")], normalizer="chime8")
    assert found["s"].substitutions == 1
    assert meeteval.cpwer(spoken, spoken, normalizer="chime8")["s"].errors == 0
    monkeypatch.setitem(sys.modules, "chime_utils.text_norm", None)
    with pytest.raises(ValueError, match="normalizer: expected the package chime_utils"):
        meeteval.cpwer(spoken, spoken, normalizer="chime8")


def test_what_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="hypothesis_sort: expected another choice"):
        meeteval.greedy_tcorcwer(REFERENCE, REFERENCE, collar=0, hypothesis_sort="word")
    with pytest.raises(ValueError, match="normalizer: expected one of"):
        meeteval.cpwer(REFERENCE, REFERENCE, normalizer="chime9")
    with pytest.raises(TypeError, match="expected segments with words, found 5"):
        meeteval.cpwer([5], REFERENCE)


def test_diarisation(tmp_path: Path) -> None:
    turns = "SPEAKER rec 1 {} 5 <NA> <NA> A <NA> <NA>\nSPEAKER rec 1 10 10 <NA> <NA> B <NA> <NA>\n"
    files = []
    for name, first in (("reference", "5"), ("hypothesis", "0")):
        files.append(tmp_path / f"{name}.rttm")
        files[-1].write_text(turns.format(first))
    both = files[0], files[1]
    assert repr(meeteval.dscore(*both)["rec"]) == (
        "DiaErrorRate(error_rate=Decimal('0.6667'), scored_speaker_time=Decimal('15.000000'), "
        "missed_speaker_time=Decimal('5.000000'), falarm_speaker_time=Decimal('5.000000'), "
        "speaker_error_time=Decimal('0.000000'))"
    )
    (tmp_path / "region.uem").write_text("rec 1 6 15\n")
    found = meeteval.md_eval_22(*both, collar=0.25, uem=tmp_path / "region.uem")
    assert repr(found["rec"]) == (
        "DiaErrorRate(error_rate=Decimal('0.4412'), scored_speaker_time=Decimal('8.500000'), "
        "missed_speaker_time=Decimal('3.750000'), falarm_speaker_time=Decimal('0.000000'), "
        "speaker_error_time=Decimal('0.000000'))"
    )
    total: Any = meeteval.combine_error_rates({"one": found["rec"], "other": found["rec"]})
    assert (total.scored_speaker_time, float(total.error_rate)) == (17, 7.5 / 17)
    with pytest.warns(UserWarning, match="sessions of one side only"):
        assert meeteval.dscore(REFERENCE[:1], HYPOTHESIS).keys() == {"s"}
    with pytest.raises(ValueError, match="regions: expected one of"):
        meeteval.dscore(*both, regions="some")


def test_segments_without_words_are_refused() -> None:
    with pytest.raises(TypeError, match="expected segments with words"):
        meeteval.cpwer([{"session_id": "s", "speaker": "A"}], HYPOTHESIS)


def test_rates_become_dictionaries_and_come_back() -> None:
    overlap = meeteval.SelfOverlap(1, 4)
    rates = [
        ErrorRate(1, 2, 0, 0, 1, overlap),
        meeteval.CPErrorRate(1, 2, 0, 0, 1, None, None, 1, 0, 2, (("a", "b"),)),
        meeteval.OrcErrorRate(1, 2, 0, 0, 1, assignment=(0, 1)),
        meeteval.MimoErrorRate(1, 2, 0, 0, 1, assignment=[("a", 0)]),
    ]
    for rate in rates:
        assert ErrorRate.from_dict(asdict(rate)) == rate
        assert (rate + type(rate).zero()).errors == 1
    for rate in (*rates, meeteval.DICPErrorRate(1, 2, 0, 0, 1, assignment=(0,))):
        assert ErrorRate.from_dict(rate.asdict()) == rate
        assert type(rate.zero()) is type(rate)
    seconds = meeteval.DiaErrorRate(None, 4, 1, 0, 0)
    assert seconds.asdict()["type"] == "diarization-error-rate"
    again: object = ErrorRate.from_dict(seconds.asdict())
    assert again == seconds
    with pytest.raises(ValueError, match="expected the fields of an error rate, found errors, x"):
        ErrorRate.from_dict({"errors": 1, "x": 2})
    assert sum([overlap, meeteval.SelfOverlap.zero()]) == overlap
    assert meeteval.DiaErrorRate.zero().error_rate == 0
    assert repr(ErrorRate.zero()) == (
        "ErrorRate(errors=0, length=0, insertions=0, deletions=0, substitutions=0)"
    )
    assert repr(meeteval.DICPErrorRate(1, 2, 0, 0, 1, assignment=(0,))) == (
        "DICPErrorRate(error_rate=0.5, errors=1, length=2, insertions=0, deletions=0, "
        "substitutions=1, reference_self_overlap=None, hypothesis_self_overlap=None, "
        "assignment=(0,))"
    )


def test_a_path_without_suffix_is_a_text_of_kaldi(tmp_path: Path) -> None:
    """`a we are here` is no other format for sure, so that nothing would detect it."""
    (tmp_path / "text_ref").write_text("a we are here\nb so\n")
    (tmp_path / "text_hyp").write_text("a we are\nb so\n")
    rates = meeteval.sisower(tmp_path / "text_ref", tmp_path / "text_hyp")
    assert {name: (rate.errors, rate.length) for name, rate in rates.items()} == {
        "a": (1, 3),
        "b": (0, 1),
    }
