"""The vectors of the originals: they ship, we answer them, and differences are found."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.options import ProfileName
from scoring.peers.conformance.comparison import AnswerError, compare
from scoring.peers.conformance.ours import ours
from scoring.peers.conformance.programs import program_named
from scoring.peers.conformance.vectors import (
    AREAS,
    SCHEMA,
    Answer,
    Vector,
    exported_files,
    read_vectors,
)
from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.conformance.inputs import draw

EVERY = 25  # of the vectors one is answered here; the judge takes all


@pytest.fixture(scope="module")
def vectors() -> list[Vector]:
    return read_vectors()


def answer_to(vector: Vector) -> Answer:
    """The answer that is expected."""
    return {"id": vector["id"], **vector["expected"]}


def test_more_than_five_thousand_vectors_ship(vectors: list[Vector]) -> None:
    assert len(vectors) > 5000
    assert len({vector["id"] for vector in vectors}) == len(vectors)
    numbers = Counter(vector["area"] for vector in vectors)
    assert tuple(numbers) == AREAS
    assert min(numbers.values()) > 200


def test_vectors_are_as_their_schema_says(vectors: list[Vector]) -> None:
    schema = json.loads(dict(exported_files())[SCHEMA])
    properties = schema["properties"]
    kinds: dict[str, Any] = {"integer": int, "number": (int, float), "string": str, "array": list, "null": type(None)}  # fmt: skip
    for vector in vectors:
        assert set(schema["required"]) <= set(vector) <= set(properties)
        assert vector["area"] in properties["area"]["enum"]
        for name, value in vector["options"].items():
            rule = properties["options"]["properties"][name]
            assert "enum" not in rule or value in rule["enum"]
            assert rule.get("const", value) == value
        for name, value in vector["expected"].items():
            named = properties["expected"]["properties"][name]["type"]
            allowed = [named] if isinstance(named, str) else named
            assert any(isinstance(value, kinds[kind]) for kind in allowed)
        if "alignment" in vector["expected"]:
            letters = Counter(vector["expected"]["alignment"])
            names = ("correct", "substitutions", "deletions", "insertions")
            assert [letters[letter] for letter in "CSDI"] == [vector["expected"][n] for n in names]


def test_the_inputs_are_those_of_the_maker(vectors: list[Vector]) -> None:
    shipped = {vector["id"]: vector for vector in vectors}
    drawn = {vector["id"]: vector for vector in draw(1)}
    assert shipped.keys() <= drawn.keys()
    # what an original failed on, and what rounding would decide
    assert len(drawn) - len(shipped) == 18
    for name in list(shipped)[::7]:
        given = {key: shipped[name][key] for key in drawn[name] if key != "source"}
        assert given == {key: value for key, value in drawn[name].items() if key != "source"}


def test_ours_answers_as_the_originals(
    vectors: list[Vector], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPEN_ASR_LEADERBOARD", raising=False)  # its table is in a clone
    sample = vectors[::EVERY]
    report = compare(sample, ours(sample))
    assert {name: area.examples for name, area in report.areas.items() if area.examples} == {}
    without_table = sum(vector["source"].startswith("open_asr") for vector in sample)
    assert sum(area.same for area in report.areas.values()) == len(sample) - without_table


@pytest.mark.parametrize(("profile", "costs"), [("kaldi", [1, 1, 1]), ("sclite", [4, 3, 3])])
def test_merged_compounds_are_counted_as_by_kaldialign(
    vectors: list[Vector], profile: ProfileName, costs: list[int]
) -> None:
    own = {
        vector["id"]: vector
        for vector in vectors
        if vector["area"] == "compounds" and vector["options"]["costs"] == costs
    }
    sides = ({name: v[side] for name, v in own.items()} for side in ("reference", "hypothesis"))
    rates = scoring.wer(*sides, profile=profile, merge_compounds=True)
    names = ("substitutions", "deletions", "insertions")
    expected = {name: tuple(map(v["expected"].get, names)) for name, v in own.items()}
    assert {name: counts[1:] for name, _, counts in rates} == expected


@pytest.mark.parametrize("name", ["kaldialign", "jiwer", "meeteval"])
def test_packages_answer_their_own_vectors(vectors: list[Vector], name: str) -> None:
    pytest.importorskip(name)
    sample = vectors[::EVERY]
    answers = list(program_named(name)(sample))
    assert [answer["id"] for answer in answers] == [vector["id"] for vector in sample]
    own = [vector for vector in sample if vector["source"].split(" ")[0] == name]
    named = {vector["id"] for vector in own}
    report = compare(own, (answer for answer in answers if answer["id"] in named))
    assert sum(area.same for area in report.areas.values()) == len(own) > 0


@pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
@pytest.mark.parametrize(("name", "interpreter"), [("sclite", []), ("md-eval.pl", ["perl"])])
def test_programs_answer_their_own_vectors(
    vectors: list[Vector], name: str, interpreter: list[str]
) -> None:
    own = [vector for vector in vectors[::EVERY] if vector["source"].startswith(name)]
    report = compare(own, program_named(name, [*interpreter, str(judge(name))])(own))
    assert (sum(area.same for area in report.areas.values()), report.differences) == (len(own), 0)


def test_differences_are_counted_by_kind(vectors: list[Vector]) -> None:
    plain = [vector for vector in vectors if vector["area"] == "plain"][:6]
    answers = [answer_to(vector) for vector in plain]
    answers[1]["alignment"] += "C"
    answers[2]["correct"] += 1
    del answers[3]["alignment"]  # which may be missing
    answers[4] = {"id": answers[4]["id"], "unsupported": "costs"}
    del answers[5]
    report = compare(plain, answers)
    assert report.areas["plain"].numbers() == [6, 2, 2, 1, 1]
    assert report.differences == 3
    assert list(map(str, report.areas["plain"].examples[:2])) == [
        f"{plain[1]['id']}: alignment: expected "
        f'"{plain[1]["expected"]["alignment"]}", found "{plain[1]["expected"]["alignment"]}C"',
        f"{plain[2]['id']}: correct: expected {plain[2]['expected']['correct']}, "
        f"found {plain[2]['expected']['correct'] + 1}",
    ]
    assert str(report.areas["plain"].examples[2]).endswith("found none")


@each_case(
    ("expected", "answer", "differences"),
    [
        (0.5, {"rate": 0.5 + 1e-12}, 0),
        (0.5, {"rate": 0.5001}, 1),
        (0.5, {"rate": "0.5"}, 1),
        (0.5, {"rate": None}, 1),
        (1, {"rate": True}, 1),
        (None, {"rate": None}, 0),
        (None, {"rate": 0}, 1),
        (None, {}, 1),
    ],
)
def test_numbers_are_compared_within_a_tolerance(
    expected: object, answer: Answer, differences: int
) -> None:
    vector: Vector = {"id": "a", "area": "plain", "options": {}, "expected": {"rate": expected}}
    assert compare([vector], [{"id": "a", **answer}]).differences == differences
    near = {**vector, "tolerance": 0.01, "expected": {"rate": 0.5}}
    assert compare([near], [{"id": "a", "rate": 0.509}]).differences == 0


def test_answers_belong_to_one_vector_each(vectors: list[Vector]) -> None:
    answer = answer_to(vectors[0])
    with pytest.raises(AnswerError, match="expected one answer to 'plain-0000', found several"):
        compare(vectors[:1], [answer, answer])
    with pytest.raises(AnswerError, match="answer: unknown vector id 'x'"):
        compare(vectors[:1], [{"id": "x"}])


def test_export_writes_a_file_for_each_area(tmp_path: Path, vectors: list[Vector]) -> None:
    assert main(["conformance", "export", str(tmp_path / "kit")]) == 0
    names = {path.name for path in (tmp_path / "kit").iterdir()}
    assert names == {SCHEMA, *(f"{area}.jsonl" for area in AREAS)}
    texts = [(tmp_path / "kit" / f"{area}.jsonl").read_text("utf-8") for area in AREAS]
    assert [json.loads(line) for text in texts for line in text.splitlines()] == vectors


def check(tmp_path: Path, body: str) -> int:
    """The status of a check of a program."""
    path = tmp_path / "program.py"
    path.write_text(
        f"import json, sys\nfor line in sys.stdin:\n    vector = json.loads(line)\n{body}"
    )
    command = ["--area", "recipes", "--examples", "1", sys.executable, str(path)]
    return main(["conformance", "check", *command])


def test_a_program_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "    print(json.dumps({'id': vector['id'], 'rate': 10 + len(vector)}))\n"
    assert check(tmp_path, body) == 3
    out = capsys.readouterr().out
    assert out.startswith(
        "area     cases  the same  counts differ  alignment differs  not answered"
    )
    assert "\nrecipes    880         0            880                  0             0\n" in out
    assert "recipes-0000: rate: expected " in out
    for name in ("reference", "hypothesis"):
        assert f'\n  {name}: [["' in out
    assert '\n  options: {"recipe": "' in out
    # the program is not shown what is expected
    assert "found 16\n" in out
    body = "    print(json.dumps({'id': vector['id'], 'unsupported': 'lists'}))\n"
    assert check(tmp_path, body) == 0
    assert "not answered, lists: 880" in capsys.readouterr().out
    assert check(tmp_path, "    pass\n") == 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    print('hello')\n", "1: expected an answer as a JSON object, found b'hello'"),
        ("    print('[1]')\n", "1: expected an answer as a JSON object, found b'[1]'"),
        ("    sys.exit(4)\n", "expected exit status 0, found 4"),
        ("    print('{}')\n", "answer: unknown vector id 'None'"),
    ],
)
def test_output_that_is_no_answer_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, message: str
) -> None:
    assert check(tmp_path, body) == 2
    assert message in capsys.readouterr().err


def test_a_program_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "check", "no-such-program"]) == 2
    assert "no-such-program: cannot be run: No such file" in capsys.readouterr().err
    assert main(["conformance", "check"]) == 2


def test_answer_is_such_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    vector = {
        "id": "own-1",
        "area": "ties",
        "reference": "a b",
        "hypothesis": "b",
        "options": {"costs": [1, 1, 1], "ties": "kaldialign", "case": "exact"},
    }
    other = {**vector, "id": "own-2", "options": {"ties": "dice"}}
    path = tmp_path / "vectors.jsonl"
    path.write_text(f"{json.dumps(vector)}\n{json.dumps(other)}\n")
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert main(["conformance", "answer"]) == 0
    unsupported, answer = map(json.loads, capsys.readouterr().out.splitlines())
    assert unsupported == {"id": "own-2", "unsupported": "ties of dice"}
    assert (answer["alignment"], answer["rate"]) == ("DC", 0.5)
    for line, message in (
        ("[]", "<stdin>:1: expected a vector as a JSON object, found b'[]"),
        ("{}", "<stdin>:1: expected id, area and options, found b'{}"),
    ):
        path.write_text(f"{line}\n")
        with path.open() as file:
            monkeypatch.setattr("sys.stdin", file)
            assert main(["conformance", "answer"]) == 2
        assert message in capsys.readouterr().err
