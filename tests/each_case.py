"""One test of many small cases: a law whose cases take a millisecond each.

Pytest spends a millisecond or more on every item: each worker collects it, one runs and reports it. `each_case` takes the
arguments of `pytest.mark.parametrize` and loops over the cases in one item. All of them run; the failure lists those that
failed and begins with the first one's. `pytest --case TEXT` runs only those whose names contain a text.

Cases share the fixtures of their test, but each has a folder (`tmp_path`, `current_folder`) and patches (`monkeypatch`) of
its own, and nothing that another one printed (`capsys`, `capfd` and their kin). Marks of single cases, and cases that take longer, need
`pytest.mark.parametrize`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import pytest

Test = Callable[..., None]
Names = Callable[[Any], object] | Sequence[object] | None


class CasesError(AssertionError):
    """Some cases of a test failed."""


class Case(NamedTuple):
    name: str
    values: dict[str, object]


class Chosen:
    """The text that names of cases must contain."""

    text = ""


def each_case(
    arguments: str | Sequence[str], values: Iterable[Any], ids: Names = None
) -> Callable[[Test], Test]:
    """Run a test on each of the values, in one item."""
    names = (
        [name.strip() for name in arguments.split(",")] if isinstance(arguments, str) else arguments
    )
    cases = [*named_cases(names, [*values], ids)]
    assert cases, "no case"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        rest = [each for each in signature.parameters.values() if each.name not in names]
        assert len(rest) + len(names) == len(signature.parameters), "the test takes other arguments"

        @wraps(test)
        def run(**fixtures: Any) -> None:
            failures: dict[str, BaseException] = {}
            skipped: list[BaseException] = []
            # a test of several loops chooses by the names of the innermost one
            chosen = [case for case in cases if Chosen.text in case.name or hasattr(test, "loops")]
            for number, case in enumerate(chosen):
                try:
                    with pytest.MonkeyPatch.context() as patch:
                        test(**case.values, **own_fixtures(fixtures, number, patch))
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, pytest.fail.Exception) as problem:
                    failures[case.name] = problem
            if failures:
                first = next(iter(failures.values()))
                listed = "".join(f"\n  {name}: {shown(each)}" for name, each in failures.items())
                raise CasesError(
                    f"{len(failures)} of {len(chosen)} cases failed{listed}"
                ) from first
            if not chosen:
                pytest.skip(f"no case is called {Chosen.text}")
            if len(skipped) == len(chosen):
                raise skipped[0]

        run.loops = True  # type: ignore[attr-defined]
        run.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return run

    return decorate


def own_fixtures(
    fixtures: dict[str, Any], number: int, patch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """The fixtures of a test as a case has them: whatever keeps traces is fresh."""
    own = dict(fixtures)
    if "monkeypatch" in fixtures:
        own["monkeypatch"] = patch
    if folders := fixtures.keys() & {"tmp_path", "current_folder", "write_file"}:
        outer = fixtures.get("tmp_path") or fixtures.get("current_folder") or Path.cwd()
        folder = Path(outer) / str(number)
        folder.mkdir()
        own.update(dict.fromkeys(folders - {"write_file"}, folder))
        if folders != {"tmp_path"}:
            patch.chdir(folder)
    for name, fixture in fixtures.items():
        if name.startswith("cap"):
            fixture.readouterr()
    return own


def named_cases(names: Sequence[str], values: list[Any], ids: Names) -> Iterator[Case]:
    """The cases, with names like those of pytest."""
    for number, value in enumerate(values):
        name = None if ids is None or callable(ids) else str([*ids][number])
        if hasattr(value, "marks"):  # of `pytest.param`
            assert not value.marks, "marks need pytest.mark.parametrize"
            name, parts = value.id or name, value.values
        else:
            parts = [value] if len(names) == 1 else [*value]
        shown_parts = [part_name(*each, number, ids) for each in zip(names, parts, strict=True)]
        yield Case(name or "-".join(shown_parts), dict(zip(names, parts, strict=True)))


def part_name(name: str, value: object, number: int, ids: Names) -> str:
    """The name of one value of a case."""
    found = ids(value) if callable(ids) else value
    return str(found) if isinstance(found, str | int | float | bool | None) else f"{name}{number}"


def shown(problem: BaseException) -> str:
    """An error in a line, or those of the cases of a loop in a loop."""
    if isinstance(problem, CasesError):
        return str(problem).replace("\n", "\n  ")
    text = f"{type(problem).__name__}: {problem}".split("\n")[0]
    return text if len(text) < 200 else f"{text[:200]}…"
