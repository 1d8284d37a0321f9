"""Bag of Entities Error Rate: hand-computed rates, matching, weights, files, reports."""

import json
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.model.errors import InputError
from scoring.pages.entities import EntityReport, pieces_of
from scoring.results.entities import BagOfEntities, read_entities, shares
from tests.each_case import each_case
from tests.scoring.score.test_schema import complaints
from tests.tables import table_of

SCHEMAS = Path(__file__).resolve().parents[3] / "resources" / "schemas"


def occurrences(entity: str, text: str) -> int:
    return BagOfEntities.of([entity]).errors([(text.split(), [])]).entities[0].reference


@each_case(("entity", "text", "number"), table_of(__file__, "matching"))
def test_matching(entity: str, text: str, number: int) -> None:
    assert occurrences(entity, text) == number


def test_rates_and_average() -> None:
    beer = BagOfEntities.of(["aa bb", "cc", "dd"])
    pair = (
        ["aa", "bb", "cc", "dd", "bb", "aa", "dd"],
        ["aa", "bb", "cc", "d", "ee", "ff", "gg", "hh", "dd"],
    )
    found = beer.errors([pair])
    assert [one.rate for one in found.entities] == [0, 0, 0.5]
    assert found.weighted_average == pytest.approx(1 / 3 * 1 / 4)
    assert found.occurrences == 4


def test_weights() -> None:
    beer = BagOfEntities.of({"madam": 100, "here": 10})
    found = beer.errors([(["madam", "is", "here"], ["adam", "is", "here"])])
    assert found.weighted_average == pytest.approx(100 / 110 / 2)
    assert shares([1, -1, 3]) == (0.25, 0, 0.75)
    assert shares([]) == ()


def test_entities_may_overlap_one_another() -> None:
    found = BagOfEntities.of(["new york", "york times"]).errors([(["new", "york", "times"], [])])
    assert [(one.reference, one.hypothesis) for one in found.entities] == [(1, 0), (1, 0)]


def test_entities_do_not_reach_over_utterances() -> None:
    found = BagOfEntities.of(["new york"]).errors([(["new"], ["new"]), (["york"], ["york"])])
    assert found.entities[0][2:] == (0, 0)
    assert found.weighted_average is None
    assert found.entities[0].rate is None


def test_what_one_utterance_lacks_another_makes_up_for() -> None:
    assert BagOfEntities.of(["a"]).errors([(["a"], ["b"]), (["b"], ["a"])]).entities[0].rate == 0


def test_the_signature_tells_lists_apart() -> None:
    first, second = BagOfEntities.of({"a": 1, "b": 1}), BagOfEntities.of({"a": 1})
    assert first.signature != second.signature
    assert first.signature == BagOfEntities.of({"a": 2, "b": 2}).signature


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), "3", None])
def test_weights_are_numbers(weight: float) -> None:
    with pytest.raises(ValueError, match="weight: expected a finite number"):
        BagOfEntities.of({"a": weight})


def test_entities_have_words() -> None:
    with pytest.raises(ValueError, match="expected words"):
        BagOfEntities.of(["a", " "])


def test_read_entities(tmp_path: Path) -> None:
    path = tmp_path / "entities.json"
    path.write_text('\ufeff{"Zoë": 0.5, "a b": 2, "c": -1}', "utf-8")
    assert read_entities(str(path)) == {"Zoë": 0.5, "a b": 2, "c": -1}


@each_case(("text", "problem"), table_of(__file__, "bad_entity_files"))
def test_bad_entity_files(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "entities.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_entities(str(path))
    assert str(caught.value).startswith(str(path))
    assert problem in str(caught.value)


def test_unreadable_entity_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a readable file"):
        read_entities(str(tmp_path / "none.json"))
    (tmp_path / "latin.json").write_bytes(b'{"\xe9": 1}')
    with pytest.raises(InputError, match="expected JSON in UTF-8"):
        read_entities(str(tmp_path / "latin.json"))


@pytest.fixture
def report() -> EntityReport:
    beer = BagOfEntities.of({"x|y": 3, "z": 1})
    return EntityReport("r", "h", 1, beer.errors([(["x|y", "x|y"], ["x|y"])]), beer.signature)


def drawn(report: EntityReport, form: str) -> list[str]:
    return b"".join(pieces_of(report, form)).decode().splitlines()


def test_tables(report: EntityReport) -> None:
    terminal = drawn(report, "terminal")
    assert [line.split() for line in terminal[:4]] == [
        ["entity", "weight", "reference", "hypothesis", "BEER"],
        ["x|y", "0.750", "2", "1", "0.500"],
        ["z", "0.250", "0", "0", "n/a"],
        ["weighted", "average", "2", "1", "0.375"],
    ]
    assert r"| x\|y | 0.750 | 2 | 1 | 0.500 |" in drawn(report, "markdown")
    rst = drawn(report, "restructuredtext")
    assert rst[3] == rst[5] == rst[9]
    assert rst[6].startswith(r"x\|y")


def test_json(report: EntityReport) -> None:
    document = json.loads("\n".join(drawn(report, "json")))
    [found] = document["systems"]
    assert found["entities"][0] == {
        "entity": "x|y",
        "weight": 0.75,
        "reference_count": 2,
        "hypothesis_count": 1,
        "beer": 0.5,
    }
    assert (found["entities"][1]["beer"], found["weighted_average"]) == (None, 0.375)
    assert document["schema"] == "sclite-kit/entity-error-rates"


def test_places_are_by_utterance_and_side(
    current_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (current_folder / "ref.trn").write_text("in new york new york (u-1)\nrain (u-2)\n")
    (current_folder / "hyp.trn").write_text("new york (u-1)\nsun rain (u-2)\n")
    (current_folder / "names.json").write_text('{"new york": 1, "rain": 1}')
    command = ["beer", "ref.trn", "hyp.trn", "--entity-weights", "names.json", "-f", "json"]
    assert main(command) == 0
    document = json.loads(capfd.readouterr().out)
    [found] = document["systems"]
    rows = [tuple(place.values()) for place in found["places"]]
    assert rows == [
        ("u-1", "reference", "new york", 1, 3),
        ("u-1", "reference", "new york", 3, 5),
        ("u-1", "hypothesis", "new york", 0, 2),
        ("u-2", "reference", "rain", 0, 1),
        ("u-2", "hypothesis", "rain", 1, 2),
    ]
    schema = json.loads((SCHEMAS / "entity-error-rates-1.json").read_text("utf-8"))
    assert complaints(document, schema, schema) == []


@pytest.mark.parametrize("digits", [400, 4000, 200_000])
def test_huge_weights(tmp_path: Path, digits: int) -> None:
    path = tmp_path / "entities.json"
    path.write_text('{"a": ' + "9" * digits + "}")
    with pytest.raises(InputError, match=r"entities\.json: .*(finite|integer string)"):
        read_entities(str(path))
