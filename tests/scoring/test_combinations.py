"""What cannot go together: one table, which every door asks, and all else is scored.

Every two choices on every kind of data are scored, or refused with an entry of the table; the
command, Python and the service say the same. The page on several references lists the table.
"""

import contextlib
import json
import pickle
import re
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from formats.schema.errors import FormatError
from formats.schema.messages import Advice
from scoring.cli.scoring import main
from scoring.model.combinations import TABLE, CombinationError, check, refusals
from scoring.model.errors import ScoringError
from scoring.options import Options
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.serve.errors import InvalidParamsError, text_of
from scoring.serve.measures import WER
from scoring.serve.methods import Methods
from scoring.sides.given import File, References
from tests.scoring.test_option_laws import flags_of

PAGE = Path(__file__).resolve().parents[2] / "docs/several-references.md"
FILES = {
    "r.stm": "rec 1 A 0 2 we paid { a / the } bill\n"
    "rec 1 B 1 3 (well) it's fine twenty five\n"
    "rec 1 A 3 5 black board is here\n",
    "r2.stm": "rec 1 A 0 2 we pay the bill\n"
    "rec 1 B 1 3 it is fine twenty five\n"
    "rec 1 A 3 5 blackboard is here\n",
    "h.stm": "rec 1 x 0 2 we paid the bill\n"
    "rec 1 y 1 3 it is fine 25\n"
    "rec 1 x 3 5 blackboard is hear\n",
    "r.trn": "we paid { a / the } bill (u-1)\n(well) it's fine twenty five (u-2)\n"
    "black board is here (u-3)\n",
    "r2.trn": "we pay the bill (u-1)\nit is fine twenty five (u-2)\nblackboard is here (u-3)\n",
    "h.trn": "we paid the bill (u-1)\nit is fine 25 (u-2)\nblackboard is hear (u-3)\n",
    "equal.variants": "here | hear\n",
}
CHOICES: tuple[Mapping[str, Any], ...] = (
    *({"meeting": name} for name in ("auto", "cp", "tcp", "orc", "tcorc", "mimo", "tcmimo")),
    *({"meeting": name} for name in ("dicp", "ditcp")),
    *({"merge_compounds": name} for name in ("words", "any", "regions")),
    {"variants": True},
    {"variants_file": "equal.variants"},
    {"variants_length": "written"},
    *({"cut": name} for name in ("time", "alignment", "plain-alignment", "hypothesis")),
    *({"references": name} for name in ("each", "lowest-errors", "mr-wer")),
    *({"unit": name} for name in ("char", "char+space", "mixed")),
    {"normalize": "spoken-forms:lang=en"},
    {"normalize": "contractions"},
    {"forgive_optional": True},
    {"ignore_case": True},
    {"profile": "kaldi"},
)


class Data(NamedTuple):
    """The files of one reference and of another one."""

    reference: str
    other: str
    hypothesis: str
    several: bool

    @property
    def given(self) -> Any:
        if not self.several:
            return File(self.reference)
        return References([File(self.reference), File(self.other)])


DATA = {
    f"{kind}{' of two references' * several}": Data(f"r.{kind}", f"r2.{kind}", f"h.{kind}", several)
    for kind in ("stm", "trn")
    for several in (False, True)
}
PAIRS = [
    {**first, **second}
    for first, second in combinations(CHOICES, 2)
    if first.keys().isdisjoint(second)
]
METHODS = Methods()
# What the files lack, whatever else is chosen.
OF_FILES = (
    "needs the start and the end of every segment",
    "needs the speaker of every segment",
    "expected a file with speakers",
    "expected the segments and speakers of",
    "--cut time needs files that are matched by time",
    "--cut alignment needs",
    "--cut plain-alignment needs",
    "--cut hypothesis needs",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("apart")
    for name, text in FILES.items():
        (place / name).write_text(text)
    return place


def outcome(data: Data, options: Mapping[str, Any]) -> tuple[Any, ...] | str:
    """The counts and the signature, the variant of the refusal, or what the files lack."""
    try:
        rates: ErrorRates = score(data.given, File(data.hypothesis), Options(**options))
    except CombinationError as problem:
        return "" if problem.value is None else problem.value.entry.variant
    except (ScoringError, FormatError) as problem:
        return f"files: {problem}"
    return (*rates.counts, rates.signature)


@pytest.mark.share(9)
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("part", range(6))
def test_every_pair_is_scored_or_in_the_table(
    name: str, part: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    data = DATA[name]
    variants = {row.entry.variant for row in TABLE}
    for options in PAIRS[part::6]:
        found = outcome(data, options)
        features = Options().features()
        with contextlib.suppress(CombinationError):
            features = Options(**options).features(1 + data.several)
        if isinstance(found, tuple):
            # the table refuses nothing that is scored
            assert not list(refusals(features)), options
        elif found.startswith("files: "):
            assert any(re.search(reason, found) for reason in OF_FILES), (options, found)
        else:
            assert found in variants, options


@pytest.mark.share(9)
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("part", range(8))
def test_the_command_says_what_python_says(
    name: str,
    part: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    data = DATA[name]
    for options in PAIRS[part::40]:
        found = outcome(data, options)
        more = ["--further-reference", data.other] if data.several else []
        command = ["wer", data.reference, data.hypothesis, *more, *flags_of(options)]
        status = main([*command, "--quiet", "--remarks", "json", "--json", "a.json"])
        text = capsys.readouterr().err
        if not isinstance(found, tuple):
            assert status == 2, options
        if isinstance(found, str) and not found.startswith("files: "):
            assert [json.loads(line).get("variant") for line in text.splitlines()] == [found], (
                options
            )
        if isinstance(found, tuple):
            assert status == 0, (options, text)
            [system] = json.loads(Path("a.json").read_bytes())["systems"]
            assert system["signature"] == found[-1]
            assert [*system["counts"].values()][:4] == list(found[:4])


def test_the_service_names_the_same_reason() -> None:
    parameters = {row.name for row in WER}
    sides: dict[str, Any] = {"reference": {"u": "a {b|c}"}, "hypothesis": {"u": "a c"}}
    refused = 0
    for options in PAIRS:
        if not options.keys() <= parameters or "variants_file" in options:
            continue
        try:
            rates = score(sides["reference"], sides["hypothesis"], Options(**options))
        except CombinationError as problem:
            refused += 1
            expected = text_of(problem)
            with pytest.raises(InvalidParamsError) as error:
                METHODS("wer", {**sides, **options})
            assert error.value.data["message"] in expected, options
        except (ScoringError, FormatError):
            continue
        else:
            assert METHODS("wer", {**sides, **options})["signature"] == rates.signature
    assert refused > 3


def test_an_error_keeps_both_choices() -> None:
    for options in ({"meeting": "tcp", "merge_compounds": "any"}, {"meeting": "cp", "cut": "time"}):
        with pytest.raises(CombinationError) as error:
            Options(**options)  # type: ignore[arg-type]
        again = pickle.loads(pickle.dumps(error.value))
        assert (str(again), again.option) == (str(error.value), error.value.option)
        assert error.value.value is not None
        fields = error.value.value.fields
        assert {fields["option"].option, fields["other"].option} == set(options)


def test_a_row_of_the_table_is_reached_and_gives_its_reason() -> None:
    for first, second, entry in TABLE:
        message = next(refusals({first: Advice(first), second: Advice(second)}))
        assert message.entry == entry
        assert message.fields == {"option": Advice(first), "other": Advice(second)}
        with pytest.raises(CombinationError):
            check({first: Advice(first), second: Advice(second)})
    assert len({row.entry.key for row in TABLE}) == len(TABLE)


def rows_of_page() -> list[str]:
    """The table as the page has it: a row for each reason and what it refuses beside what."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for first, second, entry in TABLE:
        reason = entry.text.partition("{other}: ")[2].partition(" (")[0]
        reasons.setdefault((second, reason), []).append(first)
    rows: dict[tuple[str, str], list[str]] = {}
    for (second, reason), firsts in reasons.items():
        rows.setdefault((", ".join(f"`{first}`" for first in firsts), reason), []).append(second)
    return [
        f"| {firsts} | {', '.join(f'`{second}`' for second in seconds)} | {reason} |"
        for (firsts, reason), seconds in rows.items()
    ]


def test_the_page_lists_the_table() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| what | cannot go with | because |") + 2
    assert lines[begin : lines.index("", begin)] == rows_of_page()
