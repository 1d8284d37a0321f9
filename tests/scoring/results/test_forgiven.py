"""What a result forgave: kinds, places, and that they lead back to what is written."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring import References, wer
from scoring.cli.scoring import main
from scoring.score.rates import ErrorRates
from scoring.score.record_reader import RecordError
from tests.each_case import each_case
from tests.scoring.score.test_schema import check

STEPS = ("contractions", "numbers", "fillers")
GLM = "* name = 'g'\n* desc = 'd'\n* format = 'NIST1'\nyeah => { yeah / yes } / [ ] __ [ ]\n"


def places(rates: ErrorRates) -> list[tuple[str, str, str, str]]:
    return [
        (place.kind, place.side, " ".join(place.written), " ".join(place.chosen))
        for place in rates.forgiven
    ]


@each_case(
    ("reference", "hypothesis", "options", "expected"),
    [
        ("it is 50", "it is fifty", {}, [("number", "reference", "50", "fifty")]),
        ("it is 50", "it is 50", {}, []),
        ("it is", "it's", {}, [("contraction", "hypothesis", "it's", "it is")]),
        ("well uh no", "well no", {}, [("filler", "reference", "uh", "")]),
        (
            "on {the seventh|7} (uh) we",
            "on 7 we",
            {"variants": True},
            [("variant", "reference", "the seventh", "7"), ("optional", "reference", "uh", "")],
        ),
        (
            "the data base",
            "the database",
            {"merge_compounds": "words"},
            [("compound", "reference", "data base", "database")],
        ),
        (
            "the database",
            "the data base",
            {"merge_compounds": "words"},
            [("compound", "hypothesis", "data base", "database")],
        ),
    ],
)
@each_case("profile", ["sclite", "levenshtein"])
def test_kinds(
    reference: str, hypothesis: str, options: Any, expected: list[Any], profile: Any
) -> None:
    rates = wer(reference, hypothesis, normalize=STEPS, profile=profile, **options)
    assert places(rates) == expected


@pytest.mark.parametrize("unit", ["char", "char+space", "grapheme", "mixed"])
def test_units_name_words_and_count_in_pieces(unit: Any) -> None:
    rates = wer("so 50 uh", "so fifty", normalize=STEPS, unit=unit)
    assert places(rates) == [
        ("number", "reference", "50", "fifty"),
        ("filler", "reference", "uh", ""),
    ]
    number = rates.forgiven[0]
    chosen = rates.aligned.references[0][number.place : number.place + number.size]
    assert "".join(chosen).strip() == "fifty"


def test_a_table_of_variants(tmp_path: Path) -> None:
    table = tmp_path / "v.txt"
    table.write_text("the seventh | 7\n~ ph | f\n")
    for unit in ("word", "char"):
        rates = wer("on the seventh photo", "on 7 foto", variants_file=table, unit=unit)
        assert places(rates) == [
            ("variant", "reference", "the seventh", "7"),
            ("variant", "reference", "photo", "foto"),
        ]


@pytest.mark.parametrize("choice", ["network", "each", "lowest-errors"])
def test_several_references(choice: Any) -> None:
    sides = ["the cat sat 50 down", "the dog sat 50 up"]
    rates = wer(References(sides), "the dog sat fifty up", references=choice, normalize=STEPS)
    assert sorted(places(rates)) == [
        ("number", "reference", "50", "fifty"),
        ("reference 2", "reference", "cat", "dog"),
        ("reference 2", "reference", "down", "up"),
    ]


def test_words_of_several_references_are_of_the_second() -> None:
    sides = ["the cat sat on down", "a dog sat on top"]
    rates = wer(References(sides), "the cat sat on top")
    assert places(rates) == [("reference 2", "reference", "down", "top")]


def test_optional_words_of_a_file_by_sclites_profile(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "r.trn", tmp_path / "h.trn"
    reference.write_text("so (uh) { don't / do not } go (a_1)\n")
    hypothesis.write_text("so do not go (a_1)\n")
    rates = wer(reference, hypothesis, forgive_optional=True)
    assert places(rates) == [
        ("optional", "reference", "uh", ""),
        ("alternative", "reference", "don't", "do not"),
    ]


def test_rules_of_a_glm(tmp_path: Path) -> None:
    (tmp_path / "g.glm").write_text(GLM)
    rates = wer("a yeah b", "a yes b", normalize=str(tmp_path / "g.glm"))
    assert places(rates) == [("glm rule", "reference", "yeah", "yes")]


def meeting(folder: Path) -> tuple[Path, Path]:
    reference, hypothesis = folder / "r.stm", folder / "h.stm"
    reference.write_text("m 1 ann 0 2 so { don't / do not } go\nm 1 ben 2 4 it is 50\n")
    hypothesis.write_text("m 1 A 0 2 so do not go\nm 1 B 2 4 it's fifty\n")
    return reference, hypothesis


@pytest.mark.parametrize("measure", [None, "cp", "tcp"])
def test_meetings_and_whole_recordings(measure: Any, tmp_path: Path) -> None:
    rates = wer(*meeting(tmp_path), meeting=measure, normalize=["contractions", "numbers"])
    assert set(places(rates)) == {
        ("contraction", "reference", "don't", "do not"),
        ("number", "reference", "50", "fifty"),
        ("contraction", "hypothesis", "it's", "it is"),
    }
    assert len({place.utterance for place in rates.forgiven}) == 2
    for row, own in rates.forgiven_by_row.items():
        words = {"reference": rates.aligned.references, "hypothesis": rates.aligned.hypotheses}
        for place in own:
            assert tuple(words[place.side][row][place.place :][: place.size]) == place.chosen


def test_places_lead_back_to_what_is_written() -> None:
    generator = random.Random(7)
    words = ["it's", "50", "uh", "do", "not", "don't", "fifty", "it", "is", "a"]
    texts = [
        [" ".join(generator.choices(words, k=generator.randint(0, 6))) for _ in range(300)]
        for _ in range(2)
    ]
    for profile in ("sclite", "kaldi"):
        rates = wer(*texts, normalize=STEPS, profile=profile)
        assert len(rates.forgiven) > 100
        for row in range(300):
            sides = {
                "reference": list(rates.aligned.references[row]),
                "hypothesis": list(rates.aligned.hypotheses[row]),
            }
            for place in reversed(rates.forgiven_by_row.get(row, ())):
                side, end = sides[place.side], place.place + place.size
                assert tuple(side[place.place : end]) == place.chosen
                side[place.place : end] = place.written
            assert [" ".join(side) for side in sides.values()] == [text[row] for text in texts]


def results() -> tuple[ErrorRates, ErrorRates]:
    options: Any = {"normalize": STEPS, "merge_compounds": "words"}
    return (
        wer(
            {"u1": "it is 50", "u2": "a data base"},
            {"u1": "it's 50", "u2": "a database"},
            **options,
        ),
        wer({"u3": "50", "u4": "b"}, {"u3": "fifty", "u4": "b"}, **options),
    )


def test_parts_and_merged_results_keep_their_places() -> None:
    first, second = results()
    merged = first.merge(second)
    assert merged.forgiven == [*first.forgiven, *second.forgiven]
    assert [place.utterance for place in merged.select([2, 0]).forgiven] == ["u3", "u1"]
    assert merged.slice(2, 4).forgiven == second.forgiven


def test_a_record_keeps_them(tmp_path: Path) -> None:
    first, second = results()
    first.save(tmp_path / "rates.json")
    system = check(tmp_path / "rates.json", "error-rates-1.json")["systems"][0]
    assert system["forgiven_counts"] == {"compound": 1, "contraction": 1}
    loaded = scoring.load(tmp_path / "rates.json")
    assert loaded.forgiven == first.forgiven
    assert loaded.merge(second).forgiven == [*first.forgiven, *second.forgiven]


def test_a_record_whose_places_are_beyond_its_words_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "rates.json"
    results()[0].save(path)
    document = json.loads(path.read_text())
    document["systems"][0]["utterances"][0]["forgiven"][0]["place"] = 9
    path.write_text(json.dumps(document))
    with pytest.raises(RecordError, match="expected forgiven words among those of 'u1'"):
        scoring.load(path)


def test_the_text_counts_and_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("u1 it is 50\nu2 50 uh\n")
    Path("h.txt").write_text("u1 it's fifty\nu2 fifty\n")
    steps = [argument for step in STEPS for argument in ("--normalize", step)]
    assert main(["wer", "r.txt", "h.txt", *steps, "--show-forgiven"]) == 0
    text = capsys.readouterr().out
    line = "forgiven: 2 numbers, 1 contraction, 1 filler (--show-forgiven lists them)\n"
    assert line in text
    rows = [line.split() for line in text.partition("utterance  side")[2].splitlines()[1:]]
    assert rows == [
        ["u1", "reference", "number", "50", "fifty"],
        ["u1", "hypothesis", "contraction", "it's", "it", "is"],
        ["u2", "reference", "number", "50", "fifty"],
        ["u2", "reference", "filler", "uh", "-"],
    ]
    assert main(["wer", "r.txt", "h.txt"]) == 0
    assert "forgiven" not in capsys.readouterr().out


def test_shards_keep_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("u1 it is 50\nu2 50 uh\n")
    Path("h.txt").write_text("u1 it's fifty\nu2 fifty\n")
    run = ["wer", "r.txt", "h.txt", "--normalize", "numbers"]
    for number in ("1", "2"):
        assert main([*run, "--shard", f"{number}/2", "--shard-output", f"{number}.json"]) == 0
    assert main(["merge", "1.json", "2.json", "--json", "merged.json"]) == 0
    assert main([*run, "--json", "whole.json"]) == 0
    merged, whole = (
        check(Path(name), "error-rates-1.json")["systems"][0]
        for name in ("merged.json", "whole.json")
    )
    assert merged["forgiven_counts"] == whole["forgiven_counts"] == {"number": 2}
    assert merged["utterances"] == whole["utterances"]
