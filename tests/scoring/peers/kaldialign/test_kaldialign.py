"""Programs that say `from scoring import kaldialign`."""

import json
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import scoring
from scoring import UNIT_COSTS, Counts, kaldialign
from scoring.alignment import kernel, plain
from tests.each_case import each_case

EPS = "*"
UNTYPED: Any = scoring
module: Any = kaldialign  # untyped, for calls that type checkers refuse, too


@each_case(
    ("reference", "hypothesis", "expected"),
    [
        ("a b c", "a s x c", [("a", "a"), ("b", "s"), (EPS, "x"), ("c", "c")]),
        ("a b", "b c", [("a", EPS), ("b", "b"), (EPS, "c")]),
        ("A B C", "D C A", [("A", "D"), ("B", EPS), ("C", "C"), (EPS, "A")]),
        ("", "", []),
        ("", "x", [(EPS, "x")]),
        ("x", "", [("x", EPS)]),
    ],
)
def test_alignments(reference: str, hypothesis: str, expected: list[tuple[str, str]]) -> None:
    words = reference.split(), hypothesis.split()
    assert module.align(*words, EPS) == expected
    assert module.align(ref=words[0], hyp=words[1], eps_symbol=EPS) == expected
    assert module.align(iter(words[0]), iter(words[1]), EPS) == expected
    characters = reference.replace(" ", ""), hypothesis.replace(" ", "")
    assert module.align(*characters, EPS) == expected


def test_counts() -> None:
    found = module.edit_distance(list("abc"), list("asxc"))
    assert found == {"ins": 1, "del": 0, "sub": 1, "total": 2, "ref_len": 3, "err_rate": 2 / 3}
    assert list(found) == ["ins", "del", "sub", "total", "ref_len", "err_rate"]
    assert isinstance(found, dict)
    assert json.loads(json.dumps(found)) == found
    assert module.edit_distance(ref="ab", hyp="bc")["total"] == 2
    assert module.edit_distance(iter("ab"), iter("ab"))["total"] == 0
    assert module.edit_distance([], [])["err_rate"] == 0.0
    assert module.edit_distance([], ["a"])["err_rate"] == math.inf
    assert module.edit_distance([1, 2], [1, 3])["sub"] == 1


def test_costs_of_sclite_can_take_more_errors() -> None:
    # five substitutions cost 20, three deletions and three insertions 18
    sides = list("pqrab"), list("abxyz")
    assert module.edit_distance(*sides) == {
        "ins": 0, "del": 0, "sub": 5, "total": 5, "ref_len": 5, "err_rate": 1.0,
    }  # fmt: skip
    assert module.edit_distance(*sides, sclite_mode=True) == {
        "ins": 3, "del": 3, "sub": 0, "total": 6, "ref_len": 5, "err_rate": 1.2,
    }  # fmt: skip
    assert module.align(*sides, EPS, sclite_mode=True) == [
        *zip("pqr", [EPS] * 3, strict=True), ("a", "a"), ("b", "b"), *zip([EPS] * 3, "xyz", strict=True),
    ]  # fmt: skip


def test_compounds() -> None:
    apart = ["the", "white", "paper", "is", "good"]
    together = ["the", "whitepaper", "is", "good"]
    assert module.edit_distance(apart, together)["total"] == 2
    for sides in ((apart, together), (together, apart)):
        assert module.edit_distance(*sides, merge_compounds=True)["total"] == 0
        assert module.edit_distance(*sides, merge_compounds=True)["ref_len"] == len(sides[0])
    assert module.align(apart, together, EPS, merge_compounds=True) == [
        ("the", "the"), ("white paper", "whitepaper"), ("is", "is"), ("good", "good"),
    ]  # fmt: skip
    assert module.align([1, 2], [12], 0, merge_compounds=True) == [("1 2", "12")]
    assert module.align(["", "a", "", "b"], ["ab"], EPS, merge_compounds=True) == [("a  b", "ab")]
    assert module.align(["x"], ["y", "z"], EPS, merge_compounds=True) == [("x", "y"), (EPS, "z")]


def test_bootstrap() -> None:
    references, first, second = [("a", "b", "c"), ("d", "e", "f")], ["abd", "eff"], ["abc", "eef"]
    found = module.bootstrap_wer_ci(references, first)
    assert list(found) == ["wer", "ci95", "ci95min", "ci95max"]
    # the tolerance allows for the random numbers of other platforms
    assert found["wer"] == pytest.approx(0.4989, abs=3e-3)
    assert found["ci95"] == pytest.approx(0.2312, abs=3e-3)
    assert found["ci95min"] == found["wer"] - found["ci95"]
    assert found["ci95max"] == found["wer"] + found["ci95"]
    both = module.bootstrap_wer_ci(references, first, hyps2=second)
    assert list(both) == ["system1", "system2", "p_s2_improv_over_s1"]
    assert both["system1"] == found
    assert both["system2"]["wer"] == pytest.approx(0.1656, abs=3e-3)
    assert both["system2"]["ci95min"] == pytest.approx(-0.0656, abs=3e-3)
    assert both["p_s2_improv_over_s1"] == 1.0
    assert module.bootstrap_wer_ci(["ab"], [["ab"]], merge_compounds=True)["wer"] == 0.0
    assert math.isnan(module.bootstrap_wer_ci([], [])["wer"])
    assert module.bootstrap_wer_ci([[]], [["a"]])["wer"] == math.inf


@each_case(
    ("call", "message"),
    [
        (lambda m: m.bootstrap_wer_ci(["a"], ["a", "b"]), "Inconsistent number of reference (1) and hypothesis (2) sequences."),
        (lambda m: m.bootstrap_wer_ci(["a"], ["a"], ["a", "b"]), "Inconsistent number of reference (1) and hypothesis (2) sequences for the second system (hyp2_seqs)."),
        (lambda m: m.bootstrap_wer_ci(["a"], ["a"], replications=0), "The number of replications must be greater than 0."),
        (lambda m: m.bootstrap_wer_ci(["a"], ["a"], seed=-1), "The seed must be 0 or greater."),
        (lambda m: m.bootstrap_wer_ci("a", ["a"]), "The input must be a list of strings or list of lists of ints."),
        (lambda m: m.batch_error_rate("a", ["a"]), "The input must be an iterable of reference and hypothesis sequences."),
        (lambda m: m.batch_error_rate(["a"], []), "Inconsistent number of reference (1) and hypothesis (0) sequences."),
    ],
)  # fmt: skip
def test_refusals(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(AssertionError) as refusal:
        call(module)
    assert str(refusal.value) == message


def test_symbols_without_an_order() -> None:
    calls: list[Callable[[], object]] = [
        lambda: module.align(["a"], ["b"], 1),
        lambda: module.align(["a", 1], ["b"], EPS),
        lambda: module.edit_distance(["a"], [1]),
        lambda: module.bootstrap_wer_ci([["a", 1]], [["a"]]),
        lambda: module.batch_error_rate([["a"]], [[1]]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"^'<' not supported between instances of '\w+' and"):
            call()
    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        module.align([["a"]], ["b"], EPS)
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        module.align(5, ["b"], EPS)
    with pytest.raises(TypeError, match="from 0 to 2\\*\\*32 - 1, found"):
        module.bootstrap_wer_ci(["a"], ["a"], seed=2**32)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        module.bootstrap_wer_ci(["a"], ["a"], replications=2.5)


@pytest.mark.parametrize("merge", [False, True])
def test_epsilon_must_not_be_a_symbol(merge: bool) -> None:
    with pytest.raises(ValueError, match=r"found '\*' at place 1 of the hypothesis"):
        module.align(["a"], ["a", EPS], EPS, merge_compounds=merge)


def test_each_function_of_ours_has_one_result_and_one_rule() -> None:
    """They changed result, costs and ties by which arguments were given."""
    sides = list("ab"), list("bc")
    assert scoring.align(*sides).letters == "DCI"
    assert scoring.align(*sides, costs=UNIT_COSTS).letters == "SS"
    assert scoring.edit_distance(*sides) == Counts(1, 0, 1, 1)
    assert scoring.edit_distance(*sides, costs=UNIT_COSTS) == Counts(0, 2, 0, 0)
    assert scoring.align(*sides, costs=UNIT_COSTS, ties="compute-wer").letters == "DCI"
    batch = [sides[0]], [sides[1]]
    assert scoring.align_batch(*batch)[0] == scoring.align(*sides)
    assert scoring.edit_distance_batch(*batch)[0] == scoring.edit_distance(*sides)
    assert type(scoring.edit_distance(*sides)) is Counts


@pytest.mark.parametrize("name", ["batch_error_rate", "bootstrap_wer_ci"])
def test_what_is_of_kaldialign_stands_there_alone(name: str) -> None:
    assert hasattr(kaldialign, name)
    assert not hasattr(scoring, name)


@each_case(
    "call",
    [
        lambda: UNTYPED.align(["a"], ["b"], EPS),
        lambda: UNTYPED.align(ref=["a"], hyp=["b"]),
        lambda: UNTYPED.edit_distance(["a"], ["b"], True),
        lambda: UNTYPED.edit_distance(["a"], ["b"], merge_compounds=True),
        lambda: UNTYPED.align_batch([["a"]], [["b"]], EPS),
        lambda: UNTYPED.edit_distance_batch([["a"]], [["b"]], sclite_mode=False),
    ],
)
def test_arguments_of_kaldialign_are_refused_elsewhere(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"positional arguments|unexpected keyword"):
        call()


def test_ties_are_known_by_name() -> None:
    calls = [UNTYPED.align, UNTYPED.edit_distance]
    for call in calls:
        with pytest.raises(
            ValueError, match=r"expected one of sclite, align-text, .*compute-wer, .*found 'x'"
        ):
            call(["a"], ["b"], ties="x")
    for call in [UNTYPED.align_batch, UNTYPED.edit_distance_batch]:
        with pytest.raises(ValueError, match="ties: expected one of"):
            call([["a"]], [["b"]], ties=None)


def test_both_implementations_merge_alike() -> None:
    rng = random.Random(20_260)
    for _ in range(300):
        sides = [rng.choices(["a", "b", "ab", "aba", "", "é"], k=rng.randint(0, 7)) for _ in "rh"]
        for costs in ((1, 1, 1), (4, 3, 3), (0, 2, 1)):
            expected = plain.align_compounds(sides[0], sides[1], *costs)
            assert kernel.align_compounds(sides[0], sides[1], *costs) == expected


@pytest.mark.parametrize("module", [kernel, plain], ids=["kernel", "plain"])
def test_compounds_are_made_of_strings(module: Any) -> None:
    with pytest.raises(TypeError, match=r"^reference: expected a list of strings, found tuple$"):
        module.align_compounds(("a",), ["a"], 1, 1, 1)
    with pytest.raises(TypeError, match=r"^hypothesis: expected a list of strings, found int$"):
        module.align_compounds(["a"], [1], 1, 1, 1)
    with pytest.raises(UnicodeEncodeError):
        module.align_compounds(["\ud800"], ["a"], 1, 1, 1)
    with pytest.raises(
        ValueError, match=r"substitution: expected a whole number from 0 to .*, found -1"
    ):
        module.align_compounds(["a"], ["a"], -1, 1, 1)


@pytest.mark.parametrize(("ref", "hyp"), [(None, ["a"]), (["a"], None)])
@pytest.mark.parametrize("compounds", [False, True])
def test_none_is_no_sequence(ref: Any, hyp: Any, compounds: bool) -> None:
    name = "ref" if ref is None else "hyp"
    message = rf"^{name}: expected a sequence of symbols, found None$"
    with pytest.raises(TypeError, match=message):
        kaldialign.align(ref, hyp, "*", merge_compounds=compounds)
    with pytest.raises(TypeError, match=message):
        kaldialign.edit_distance(ref, hyp, merge_compounds=compounds)
