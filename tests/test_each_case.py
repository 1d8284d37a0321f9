"""What a loop over cases must do that pytest does for items: all run, failures have names, nothing is left over."""

import os
from pathlib import Path

import pytest

from tests.each_case import CasesError, Chosen, each_case


def test_all_cases_run_and_those_that_fail_are_named() -> None:
    ran = []

    @each_case("number", range(6))
    def odd(number: int) -> None:
        ran.append(number)
        assert number % 2

    with pytest.raises(CasesError, match=r"^3 of 6 cases failed\n  0: ") as found:
        odd()
    assert ran == [*range(6)]
    assert [line.split(":")[0].strip() for line in str(found.value).splitlines()[1:]] == [*"024"]
    assert isinstance(found.value.__cause__, AssertionError)


def test_loops_in_loops_name_both() -> None:
    @each_case("first", ["a", "b"])
    @each_case(("second", "third"), [(1, "x"), (2, "y")])
    def product(first: str, second: int, third: str) -> None:
        if (first, second) == ("b", 2):
            pytest.fail("here")

    with pytest.raises(CasesError) as found:
        product()
    expected = "1 of 2 cases failed b: 1 of 2 cases failed 2-y: Failed: here"
    assert " ".join(str(found.value).split()) == expected


def test_names_are_given_or_those_of_values() -> None:
    seen: list[str] = []

    def names_of(test: object) -> list[str]:
        with pytest.raises(CasesError) as found:
            test()  # type: ignore[operator]
        return [line.split(":")[0].strip() for line in str(found.value).splitlines()[1:]]

    def fails(value: object) -> None:
        seen.append(str(value))
        raise ValueError

    assert names_of(each_case("value", [b"x", None])(fails)) == ["value0", "None"]
    assert names_of(each_case("value", [b"x", b"y"], ids=["one", "two"])(fails)) == ["one", "two"]
    assert names_of(each_case("value", [b"x"], ids=len)(fails)) == ["1"]
    assert names_of(each_case("value", [pytest.param(b"x", id="p")])(fails)) == ["p"]
    with pytest.raises(AssertionError, match="marks"):
        each_case("value", [pytest.param(1, marks=pytest.mark.release)])(fails)
    with pytest.raises(AssertionError, match="no case"):
        each_case("value", [])(fails)
    with pytest.raises(AssertionError, match="other arguments"):
        each_case("values", [1])(fails)


@each_case("number", range(3))
def test_a_case_has_what_no_other_left(
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not [*tmp_path.iterdir()]
    assert "SCLITE_KIT_CASE" not in os.environ
    assert capsys.readouterr().out == ""
    (tmp_path / "file").touch()
    monkeypatch.setenv("SCLITE_KIT_CASE", str(number))
    print(number)


def test_a_case_that_is_skipped_leaves_the_others() -> None:
    ran = []

    @each_case("number", range(3))
    def skips(number: int) -> None:
        if number == 1:
            pytest.skip("one")
        ran.append(number)

    skips()
    assert ran == [0, 2]
    with pytest.raises(pytest.skip.Exception, match="always"):
        each_case("number", [1, 2])(lambda number: pytest.skip("always"))()


def test_some_cases_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []

    @each_case("first", ["a", "b"])
    @each_case("second", ["cat", "hat"])
    def product(first: str, second: str) -> None:
        ran.append(first + second)

    monkeypatch.setattr(Chosen, "text", "ha")
    product()
    assert ran == ["ahat", "bhat"]
    monkeypatch.setattr(Chosen, "text", "none")
    with pytest.raises(pytest.skip.Exception):
        product()
