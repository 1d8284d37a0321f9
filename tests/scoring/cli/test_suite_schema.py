"""The published schema of a suite refuses what `scoring gate` refuses, and has every option.

After a change of an option of `scoring compare`, this writes the schema anew:
`python -m tests.scoring.cli.test_suite_schema`.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from formats.reading.toml_places import key_places
from scoring.cli.regression import gate
from scoring.cli.regression.compare import compare_parser
from scoring.model.errors import InputError
from scoring.regression.suite import OF_GATE, OWN, TOP
from tests.scoring.score.test_schema import complaints

RESOURCES = Path(__file__).resolve().parents[3] / "resources"
SCHEMA = RESOURCES / "schemas" / "gate-suite-1.json"
NUMBER = r"([0-9]*\.?[0-9]+|[0-9]+\.)"
# `max` and `min` may be nested without end, which a pattern cannot say; nobody needs more than this
SIMPLE = rf"{NUMBER}\s*(%|pt)"
INNER = rf"({SIMPLE}|(max|min)\s*\(\s*{SIMPLE}(\s*,\s*{SIMPLE})*\s*\))"
AMOUNT = rf"({SIMPLE}|(max|min)\s*\(\s*{INNER}(\s*,\s*{INNER})*\s*\))"
ENDINGS = r"(\s*:\s*significant)?(\s*:\s*undecided-(fails|passes))?"
GROUP = r"([^=]*[^=\s][^=]*=[^:]*[^:\s][^:]*:\s*)?"
RATE = {"type": ["number", "string"], "minimum": 0, "pattern": rf"^{NUMBER}%?$"}
# Values of options that follow a grammar; `fail-above = 12.5` is a number, `5` of `fail-increase`
# would be ambiguous.
GRAMMARS: dict[str, dict[str, Any]] = {
    "fail-above": RATE,
    "fail-group-above": {**RATE, "pattern": rf"^{GROUP}{NUMBER}%?$"},
    "fail-increase": {"type": "string", "pattern": rf"^\s*{AMOUNT}{ENDINGS}\s*$"},
    "fail-group-increase": {"type": "string", "pattern": rf"^{GROUP}\s*{AMOUNT}{ENDINGS}\s*$"},
    "equal-within": {"type": "string", "pattern": rf"^\s*{AMOUNT}\s*$"},
    "fail-measure": {
        "type": "string",
        "pattern": rf"^[^.=]+\.[^=]+=({NUMBER}|\+\s*(({AMOUNT}|{NUMBER}){ENDINGS}))\s*$",
    },
    "confidence-level": {
        "type": ["number", "string"],
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 100,
        "pattern": rf"^{NUMBER}$",
    },
    "bins": {"type": ["number", "string"], "pattern": r"^[-+0-9.e, ]+$"},
    **{
        name: {"type": "string", "pattern": "^[^=]+=.*$"}
        for name in ("reference-option", "hypothesis-option", "measure-option")
    },
    "where": {"type": "string", "pattern": "^[^!=<>]+(!=|==?|[<>]=?).*$"},
    "channel-alias": {"type": "string", "pattern": "^[^=]+=.+$"},
    **{
        name: {"type": ["integer", "string"], "minimum": least, "pattern": "^[0-9]+$"}
        for name, least in {"seed": 0, "replications": 1, "jobs": 1, "group-words": 1}.items()
    },
}
# Names of steps, recipes, units, measures and times, which plugins and files extend.
NAMES = {"normalize", "unit", "measures", "collar", "shift", "metadata-key"}
DESCRIPTIONS = {
    "reference": "file; {set} and {system} stand for their names",
    "hypothesis": "file or pattern; several files are runs of the new system",
    "baseline": "a result, record, history or transcript; default: the accepted run of the history",
    "tags": "tags of accepted runs",
    "option": "an option of scoring compare, without its dashes",
}
NAME = {"type": "string", "pattern": "^[^,@]+$"}


def option_schema(name: str) -> dict[str, Any]:
    """Return the values of an option in the file."""
    shape = gate.option_shapes()[name]
    action = compare_parser().options[f"--{name}"]
    item: dict[str, Any] = {"type": ["string", "number"], "minLength": 1}
    if action.choices:
        item = {"enum": list(action.choices)}
    item = GRAMMARS.get(name, item)
    forms = [
        *([{"type": "boolean"}] if shape.is_flag else []),
        *([item] if shape.has_value else []),
        *([{"type": "array", "items": item}] if shape.is_repeatable else []),
    ]
    values = {"anyOf": forms} if len(forms) > 1 else forms[0]
    return {"description": DESCRIPTIONS["option"], **values}


def everywhere(name: str) -> list[dict[str, Any]]:
    """Return the schemas of which one holds if each set has a key."""
    return [
        {"properties": {"sets": {"additionalProperties": {"required": [name]}}}},
        {"properties": {"defaults": {"required": [name]}}, "required": ["defaults"]},
    ]


def generated_schema() -> str:
    path = {"type": "string", "minLength": 1}
    tags = {
        "type": "object",
        "propertyNames": {"pattern": f"^(?!({'|'.join(OF_GATE)})$)[^,@=]+$"},
        "additionalProperties": NAME,
    }
    own = {
        name: {**(tags if name == "tags" else path), "description": DESCRIPTIONS[name]}
        for name in OWN
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "gate-suite-1.json",
        "title": "A suite of scoring gate (TOML)",
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "history": {"type": "string", "description": "file of accepted runs"},
            "systems": {"type": "array", "items": NAME, "minItems": 1, "uniqueItems": True},
            "significance": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "defaults": {"$ref": "#/$defs/set"},
            "sets": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": NAME,
                "additionalProperties": {"$ref": "#/$defs/set"},
            },
        },
        "required": ["sets"],
        "additionalProperties": False,
        "allOf": [
            {"anyOf": everywhere("hypothesis")},
            {"anyOf": [{"required": ["history"]}, *everywhere("baseline")]},
        ],
        "$defs": {
            "set": {
                "type": "object",
                "properties": {
                    **own,
                    **{name: option_schema(name) for name in gate.option_shapes()},
                },
                "additionalProperties": False,
            }
        },
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def schema_complaints(text: str) -> list[str]:
    schema = json.loads(SCHEMA.read_bytes())
    return complaints(msgspec.toml.decode(text), schema, schema)


# Lines of a set that is wrong, below a good beginning.
BAD_KEYS = """
fail-if-significant = "yes"
fail-if-significant = 1
fail-if-significant = []
fail-if-recorded-differs = "no"
merge-compounds = "nosuch"
fail-increase = true
fail-increase = 5
fail-increase = "5"
fail-increase = "-5%"
fail-increase = "nan%"
fail-increase = ""
fail-increase = "1pt, 2pt"
fail-increase = "max(1pt, 5)"
fail-increase = "5%:signif"
fail-increase = ["1pt", "x"]
fail-increase = [["1pt"]]
fail-above = "12.5pt"
fail-above = -1
fail-above = true
fail-group-above = "speaker=anna"
fail-group-increase = "speaker=anna: 1"
fail-group-increase = "speaker=: 1pt"
fail-measure = "loops.loop_rate"
fail-measure = "loops.loop_rate=x"
equal-within = "0.3"
equal-within = "1pt:significant"
by = ""
by = true
by = ["speaker", true]
by = {column = "speaker"}
seed = 1.5
seed = "x"
seed = false
replications = 0
group-words = -3
confidence-level = 200
bins = "few"
test = "nosuch"
test = ["bootstrap"]
block = "x"
interval = "x"
undecided = "maybe"
fail-when = "some"
allow = "nothing"
hypothesis-option = "field"
channel-alias = "A"
json = "x.json"
width = 80
help = true
significance = 0.5
fail_increase = "1pt"
date = 2026-01-01
tags = "a"
tags = {a = 1}
tags = {a = "b@c"}
tags = {"a,b" = "c"}
tags = {set = "x"}
reference = 3
reference = ["a"]
baseline = ""
"""
GOOD_KEYS = """
fail-if-significant = false
fail-above = 12.5
fail-above = "12.5%"
fail-increase = "5% : significant"
fail-increase = "min(max(1pt, 5%), 10%):significant:undecided-fails"
fail-increase = []
fail-group-increase = ["speaker=anna: 1pt", "2pt:significant"]
fail-group-above = "speaker=anna: 30"
fail-measure = "loops.loop_rate=+0.5pt:significant"
fail-measure = ["loops.longest_loop=20", "loops.longest_loop=+3"]
equal-within = "0.3pt"
by = ["speaker", "channel"]
bins = "0,2,5"
merge-compounds = true
merge-compounds = "any"
normalize = ["casefold"]
seed = 3
confidence-level = 99.5
tags = {lexicon = "v=2"}
"""
# Whole files, with the place of the error.
BAD_FILES = {
    '[sets]\ntalks.hypothesis = "improved.trn"\ntalks . by = true': (3, 1),
    '[sets]\no = {hypothesis = "improved.trn", "fail-increase" = "5"}': (2, 35),
    '[sets."o.p"]\nhypothesis = "improved.trn"\nmetadata = """\n[sets.o]\n"""\nseed = -1': (6, 1),
    '[sets."a,b"]\nhypothesis = "improved.trn"': (1, 1),
    '[sets.""]\nhypothesis = "improved.trn"': (1, 1),
    '[[sets.o]]\nhypothesis = "improved.trn"': (1, 1),
    "[sets.o]": (1, 1),
    "[sets]\no = 3": (2, 1),
    'titel = "x"\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    'title = 3\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    'history = 3\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    'systems = ["a", "a"]\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    'systems = [1]\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    'significance = 1\n[sets.o]\nhypothesis = "improved.trn"': (1, 1),
    '[defaults]\nfail-increase = "5"\n[sets.o]\nhypothesis = "improved.trn"\nfail-increase = []': (
        3,
        1,
    ),
    'title = "no set"': (None, None),
}
HEAD = '[sets.talks]\nbaseline = "baseline.trn"\nhypothesis = "improved.trn"\n'


USUAL = '[defaults]\nbaseline = "baseline.trn"'


def refusal(text: str, path: Path) -> str:
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as problem:
        gate.checked_suite(str(path), [])
    return str(problem.value)


def test_reader_and_schema_refuse_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("baseline.trn", "improved.trn"):
        (tmp_path / name).write_text("a (s_1)\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    path = Path("s.toml")
    for line in BAD_KEYS.split("\n")[1:-1]:
        # a key that is there already would be an error of TOML
        head = "".join(row for row in HEAD.splitlines(True) if row.split()[0] != line.split()[0])
        at = head.count("\n") + 1
        assert refusal(head + line, path).startswith(f"s.toml:{at}:1: "), line
        assert schema_complaints(head + line), line
    for text, place in BAD_FILES.items():
        begin = ":".join(map(str, ("s.toml", *filter(None, place)))) + ": "
        whole = text.replace("[defaults]", USUAL) if "[defaults]" in text else f"{text}\n{USUAL}"
        assert refusal(whole, path).startswith(begin), text
        assert schema_complaints(whole), text
    assert refusal('[sets.a]\nhypothesis = "improved.trn"', path).startswith("s.toml:1:1: ")
    assert schema_complaints('[sets.a]\nhypothesis = "improved.trn"')


def test_reader_and_schema_take_the_same_files(tmp_path: Path) -> None:
    for name in ("baseline.trn", "improved.trn"):
        (tmp_path / name).write_text("a (s_1)\n", "utf-8")
    path = tmp_path / "s.toml"
    for line in GOOD_KEYS.split("\n")[1:-1]:
        path.write_text(HEAD + line, "utf-8")
        assert schema_complaints(HEAD + line) == [], line
        assert gate.checked_suite(str(path), [])[0].cases, line
    assert schema_complaints((RESOURCES / "demo/suite.toml").read_text("utf-8")) == []


def test_the_published_schema_has_every_option() -> None:
    assert SCHEMA.read_text("utf-8") == generated_schema(), (
        "run python -m tests.scoring.cli.test_suite_schema"
    )
    assert {*json.loads(SCHEMA.read_bytes())["properties"]} == {*TOP}
    # a value that no option takes is refused by the schema, too, unless names decide
    parser = compare_parser()
    for name, shape in gate.option_shapes().items():
        kind: Any = parser.options[f"--{name}"].type
        if not shape.has_value or kind is None or name in NAMES:
            continue
        try:
            kind("no such\nvalue")
        except Exception:
            assert schema_complaints(f'{HEAD}{name} = "no such\\nvalue"'), name


def test_keys_have_their_places() -> None:
    text = '''\
# c = 1
title = "a = b # x" # d
"quoted.key" . 'b' = [ # in
 "x=1", ["]", {z = 1}], # ]
]
multi = """
[no]
a = 1 \\""" still"""""
[ sets . "o.p" ]
a={b = 1, c.d = [ {e=2} ], f = 'x'}
[[arr]]
k=1979-05-27T07:32:00Z
'''
    msgspec.toml.decode(text)
    assert [(".".join(place.path), *place[1:]) for place in key_places(text)] == [
        ("title", 2, 1),
        ("quoted.key.b", 3, 1),
        ("quoted.key.b.z", 4, 16),
        ("multi", 6, 1),
        ("sets.o.p", 9, 1),
        ("sets.o.p.a", 10, 1),
        ("sets.o.p.a.b", 10, 4),
        ("sets.o.p.a.c.d", 10, 11),
        ("sets.o.p.a.c.d.e", 10, 20),
        ("sets.o.p.a.f", 10, 28),
        ("arr", 11, 1),
        ("arr.k", 12, 1),
    ]


if __name__ == "__main__":
    SCHEMA.write_text(generated_schema(), "utf-8")
