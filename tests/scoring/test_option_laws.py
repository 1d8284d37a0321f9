"""Every option, set to each of its values, goes everywhere that options go.

Through the command, Python, the service, JSON with its published schema, shards and `merge`,
`compare`, and the form of the page. The cases are in `option_cases`. As a program, this module
writes the schema anew: `python -m tests.scoring.test_option_laws`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from formats.schema.errors import FormatError
from formats.schema.shared_options import HELP_OF
from scoring.cli.flags import named_choices
from scoring.cli.regression import compare
from scoring.cli.scoring import main
from scoring.model.counts import MIXED, SCRIPTS, UNITS
from scoring.model.errors import ScoringError
from scoring.options import (
    CHOICES,
    FIELDS,
    FLAGS,
    RULE_OPTIONS,
    USUAL,
    Options,
    Rules,
    flag_choices,
    flag_name,
    options_in,
)
from scoring.results.hashes import with_hashes
from scoring.results.record import document_lines, summary
from scoring.results.stored import NOT_RECORDED
from scoring.score import score
from scoring.score.rates import ErrorRates
from scoring.serve.browser import plain_words
from scoring.serve.browser.page import SCORING as FORM
from scoring.serve.browser.page import page_of_service
from scoring.serve.browser.tasks import OPTIONS as OF_PAGE
from scoring.serve.browser.tasks import answer, packed, unpacked
from scoring.serve.errors import InvalidParamsError
from scoring.serve.measures import COMPARE, WER
from scoring.serve.methods import Methods
from scoring.sides.given import File, Given, References
from tests.each_case import each_case
from tests.scoring.option_cases import TEXTS, VALUES, Setting, settings, write_files
from tests.scoring.score.test_schema import check

SCHEMA = Path(__file__).resolve().parents[2] / "resources" / "schemas" / "error-rates-1.json"
# Values that change nothing but what the result is called by, and why.
WITHOUT_EFFECT = {
    "reference_format": "the format that is detected",
    "hypothesis_format": "the format that is detected",
    "search": "both find the optimum of few words",
    "keep_sources": "for pages alone",
    "jobs": "no result depends on it",
}
METHODS = Methods()
QUICK = ("--replications", "40")
SETTINGS = list(settings())
OF_COMPARE = {
    name
    for row in compare.TABLE.splitlines()
    if row.startswith("@")
    for name in named_choices(row[1:])
} | {"profile", "search"}


def title(setting: Setting) -> str:
    return f"{setting.name}={setting.value}"


each_setting = pytest.mark.parametrize("setting", SETTINGS, ids=map(title, SETTINGS))
PARAMETERS = {row.name for row in WER}
OF_SERVICE = [
    setting
    for setting in SETTINGS
    if setting.name in PARAMETERS
    and not isinstance(setting.value, Path)
    and not (setting.name == "metadata" and isinstance(setting.value, str))
]
OF_FORM = [
    setting
    for setting in SETTINGS
    if setting.name in OF_PAGE
    and (isinstance(setting.value, str) or (setting.value is True and setting.name not in CHOICES))
    and all(name in OF_PAGE for name in setting.beside)
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    (folder / "speakers").write_text(
        "".join(f"{name} {speaker}\n" for name, speaker in VALUES["speakers"][0].items())
    )
    return folder


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(files)
    return files


def sides_of(setting: Setting) -> tuple[Given, Given]:
    """Both sides of a setting for Python."""
    sides: list[Given] = [File(name) for name in setting.pair.reference.split("+")]
    return References(sides) if len(sides) > 1 else sides[0], File(setting.pair.hypothesis)


def scored(setting: Setting, is_set: bool = True) -> ErrorRates | str:
    """The result in Python with the option, or without it; or why there is none."""
    try:
        choices = {setting.name: setting.value} if is_set else {}
        options = Options(**{**beside(setting), **choices})
        return with_hashes(score(*sides_of(setting), options))
    except (ValueError, ImportError, ScoringError, FormatError) as problem:
        return str(problem)


def beside(setting: Setting) -> dict[str, Any]:
    """The options beside."""
    return {name: value for name, value in setting.beside.items() if name != setting.name}


def flags_of(choices: Mapping[str, Any]) -> Iterator[str]:
    """Options as a command has them; fails for an option without flag."""
    for name, value in choices.items():
        if name == "keep_sources":  # reports ask for it
            continue
        if name == "search":
            yield f"--{value}"
            continue
        assert name in FLAGS, f"{name}: state its flag in Options: option(…, '--flag  help')"
        if isinstance(value, Mapping):
            pairs = {"ann_1": ["speakers"]}.get(next(iter(value)), value.items())
            yield from (
                f"{flag_name(name)}={pair if isinstance(pair, str) else '='.join(pair)}"
                for pair in pairs
            )
        elif name == "normalize":
            yield from (
                f"--normalize={step}" for step in (value if isinstance(value, list) else [value])
            )
        elif name == "where":
            yield from (f"--where={condition}" for condition in value)
        elif value is True:
            yield flag_name(name)
        elif isinstance(value, list | tuple):
            yield f"{flag_name(name)}={','.join(map(str, value))}"
        else:
            yield f"{flag_name(name)}={value}"


def command_of(setting: Setting) -> list[str]:
    """`scoring wer` with an option."""
    first, *others = setting.pair.reference.split("+")
    flags = flags_of({**setting.beside, setting.name: setting.value})
    return [
        "wer",
        first,
        setting.pair.hypothesis,
        *(f"--further-reference={name}" for name in others),
        *flags,
    ]


def numbers_of(path: Path) -> list[dict[str, Any]]:
    """The systems of a document, without intervals and what another hypothesis is scored by.

    The same choice has several spellings there, and each is applied: see `test_compare`.
    """
    systems = json.loads(path.read_bytes())["systems"]
    apart = ("interval", "options", "reference_sides")
    for system in systems:
        for measure in system.get("measures", {}).values():
            # a shard does not name counts that are 0
            measure["counts"] = {name: n for name, n in measure["counts"].items() if n}
    return [{key: system[key] for key in system.keys() - {*apart}} for system in systems]


def generated_schema() -> str:
    """The published schema, with the rules of a result as `Options` and `Rules` have them."""
    schema = json.loads(SCHEMA.read_bytes())
    rules = schema["$defs"]["system"]["properties"]["rules"]
    words = {member: choices for _, member, _, choices in RULE_OPTIONS if choices}
    words |= {name: CHOICES[name] for name in ("profile", "missing", "variants_length")}
    properties: dict[str, Any] = {}
    for member, default in Rules()._asdict().items():
        kind: dict[str, Any] = {"type": "boolean" if default is False else "string"}
        if member in words:
            kind = {"enum": list(dict.fromkeys((default, *words[member])))}
        elif member == "unit":
            scripts = "|".join(sorted(SCRIPTS))
            names = "|".join(re.escape(unit) for unit in UNITS if unit != MIXED)
            kind["pattern"] = rf"^({names}|{MIXED}(\+({scripts}))*)$"
        before = rules["properties"].get(member, {})
        if "description" in before:
            kind["description"] = before["description"]
        properties[member] = kind
    rules["properties"] = properties
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def test_the_published_schema_has_every_rule() -> None:
    assert SCHEMA.read_text("utf-8") == generated_schema(), (
        "write it anew: python -m tests.scoring.test_option_laws"
    )


def test_every_option_has_a_case() -> None:
    for item in FIELDS.values():
        values = VALUES.get(item.name, ())
        words = {*flag_choices(item.name)} - {*map(str, values), str(USUAL[item.name])}
        how = f'add `"{item.name}": (value, …)` to VALUES in tests/scoring/option_cases.py'
        assert values, f"{item.name}: expected a value to test, found none: {how}"
        assert not words, f"{item.name}: expected all values, found none of {words}: {how}"
    assert VALUES.keys() == FIELDS.keys()


@each_setting
def test_command_python_json_and_schema_agree(
    setting: Setting, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rates, output = scored(setting), tmp_path / "out.json"
    status = main([*command_of(setting), "--json", str(output)])
    if isinstance(rates, str):
        assert (status, rates in capfd.readouterr().err) == (2, True), rates
        return
    assert status == 0, capfd.readouterr().err
    expected = tmp_path / "python.json"
    expected.write_bytes(b"".join(document_lines([rates])))
    assert numbers_of(output) == numbers_of(expected)
    check(output, SCHEMA.name)


@pytest.mark.parametrize("name", sorted(VALUES.keys() - WITHOUT_EFFECT))
def test_an_option_changes_a_result(name: str, folder: Path, tmp_path: Path) -> None:
    """At least one of its values changes more than what the result is called by."""
    assert any(
        _beyond_rules(scored(setting), tmp_path) != _beyond_rules(scored(setting, False), tmp_path)
        for setting in SETTINGS
        if setting.name == name
    ), f"{name}: no value in VALUES has an effect: write the place where the option takes effect"


def _beyond_rules(rates: ErrorRates | str, folder: Path) -> object:
    """What a result holds besides its rules."""
    if isinstance(rates, str):
        return rates
    path = folder / "numbers.json"
    path.write_bytes(b"".join(document_lines([rates])))
    [system] = numbers_of(path)
    return {
        key: value for key, value in system.items() if key not in ("signature", "rules", "sources")
    }


@pytest.mark.share(5)
@each_setting
def test_shards_and_merge(
    setting: Setting, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command, parts = command_of(setting), [str(tmp_path / f"{part}.json") for part in (1, 2)]
    if isinstance(scored(setting), str) or setting.name == "verdicts":
        pytest.skip("nothing to merge")
    for number, part in enumerate(parts, 1):
        assert main([*command, "--shard", f"{number}/2", "--shard-output", part]) == 0, (
            capfd.readouterr()
        )
        check(Path(part), SCHEMA.name)
    whole, merged = tmp_path / "whole.json", tmp_path / "merged.json"
    assert main([*command, "--json", str(whole)]) == 0
    names = setting.value if setting.name == "by" else setting.beside.get("by")
    by = [f"--by={','.join(names)}"] if names else []
    assert main(["merge", *parts, *by, "--json", str(merged)]) == 0, capfd.readouterr()
    assert numbers_of(merged) == numbers_of(whole)


@pytest.mark.share(5)
@each_setting
def test_compare(
    setting: Setting, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A record is a baseline by its options; where `compare` has the flag, so are two files."""
    rates = scored(setting)
    if isinstance(rates, str) or setting.name == "variants_length":
        pytest.skip("nothing to compare")
    record, output = tmp_path / "record.json", tmp_path / "compared.json"
    assert main([*command_of(setting), "--json", str(record)]) == 0
    choices = {**setting.beside, setting.name: setting.value}
    again = {name: value for name, value in choices.items() if name in NOT_RECORDED & OF_COMPARE}
    sides = [[str(record), setting.pair.hypothesis, *flags_of(again)]]
    if choices.keys() <= OF_COMPARE and "+" not in setting.pair.reference:
        hypothesis = setting.pair.hypothesis
        flags = list(flags_of(choices))
        sides.append(["--reference", setting.pair.reference, hypothesis, hypothesis, *flags])
    for arguments in sides:
        assert main(["compare", *arguments, *QUICK, "--json", str(output)]) == 0, capfd.readouterr()
        compared = json.loads(output.read_bytes())
        for side in ("baseline", "new"):
            assert compared["overall"][side]["errors"] == rates.counts.errors


@pytest.mark.parametrize("table", [WER, COMPARE], ids=["wer", "compare"])
def test_the_service_has_the_options_of_aligning(table: Any) -> None:
    names = {row.name for row in table}
    # what `compare` allows has the missing in it
    gaps = "missing" if table is WER else "allow"
    assert {*options_in("aligning"), gaps, "allow_unmatched", "normalize"} <= names


@each_case("setting", OF_SERVICE, ids=[title(one) for one in OF_SERVICE])
def test_the_service_counts_as_python_does(setting: Setting) -> None:
    sides = [_texts_of(name) for name in ("ref.trn", "hyp.trn")]
    more = [_texts_of("ref2.trn")] if setting.name == "references" else []
    beside = {name: value for name, value in setting.beside.items() if name in PARAMETERS}
    choices = {**beside, setting.name: setting.value}
    reference: Any = References([sides[0], *more]) if more else sides[0]
    try:
        rates = score(reference, sides[1], Options(**choices))
    except (ValueError, ScoringError):
        with pytest.raises((InvalidParamsError, ScoringError)):
            METHODS("wer", _parameters(sides, more, choices))
        return
    answered = METHODS("wer", _parameters(sides, more, choices))
    expected = json.loads(json.dumps(summary(rates)))
    assert {name: answered[name] for name in ("signature", "rules", "counts", "rates")} == {
        name: expected[name] for name in ("signature", "rules", "counts", "rates")
    }


def _parameters(sides: list[Any], more: list[Any], choices: Mapping[str, Any]) -> dict[str, Any]:
    return {"reference": sides[0], "hypothesis": sides[1], "further_references": more, **choices}


def _texts_of(name: str) -> dict[str, str]:
    """The utterances of a file, by identifier."""
    rows = (line.rstrip(")").rpartition(" (") for line in TEXTS[name].splitlines())
    return {identifier: text.replace("(", "").replace(")", "") for text, _, identifier in rows}


@pytest.mark.parametrize("setting", OF_FORM, ids=[title(one) for one in OF_FORM])
def test_the_form_of_the_page_has_the_option(
    setting: Setting, folder: Path, tmp_path: Path
) -> None:
    """The page offers the value, and what it scores with it is what Python counts."""
    page = page_of_service("tasks")
    if setting.value is True:
        assert f'<input type="checkbox" id="{setting.name}"' in page
    elif setting.name in FORM and setting.name != "unit":
        control = page.partition(f'<select id="{setting.name}"')[2].partition("</select>")[0]
        # of a value that is free, the page offers the usual ones
        is_offered = setting.value in plain_words.OFFERED.get(setting.name, (setting.value,))
        assert (f'<option value="{setting.value}"' in control) is is_offered
    names = [setting.pair.reference, setting.pair.hypothesis]
    contents = {name: TEXTS[name].encode() for name in names}
    choices = {**setting.beside, setting.name: setting.value}
    request = {
        "task": "score",
        "reference": names[0],
        "hypotheses": names[1:],
        "report": "json",
        "choices": [
            (name, str(value).lower() if value is True else value)
            for name, value in choices.items()
        ],
    }
    record, outputs = unpacked(answer(packed(request, contents)))
    rates = scored(setting)
    if isinstance(rates, str):
        assert (record["status"], rates in record["messages"]) == (2, True), record
        return
    assert record["status"] == 0, record
    output, expected = tmp_path / "page.json", tmp_path / "python.json"
    output.write_bytes(outputs["report.json"])
    expected.write_bytes(b"".join(document_lines([rates])))
    assert numbers_of(output) == numbers_of(expected)


def test_a_control_without_a_label_shows_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_words, "options_in", lambda *groups: ("jobs", "ignore_case"))
    german = plain_words.labels.__wrapped__()["de"]
    assert german["jobs"] == HELP_OF["--jobs"]
    assert german["default.jobs"] == "1 (Standard)"
    assert german["ignore_case"] == "Groß- und Kleinschreibung ignorieren"


if __name__ == "__main__":
    SCHEMA.write_text(generated_schema(), "utf-8")
