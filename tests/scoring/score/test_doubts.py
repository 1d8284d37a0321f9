"""Warnings of scores that are probably not the ones that were meant, and none of others."""

import html
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import scoring
from formats.schema.messages import Message
from scoring.cli.scoring import main
from scoring.options import Options
from scoring.results import Rates
from scoring.score.aligned import SEEN
from tests.each_case import each_case
from tests.remarks import Said, said

DEMO = Path(__file__).resolve().parents[3] / "resources/demo"
FRENCH = ["le café est fermé à Noël", "« déjà » dit l’élève", "où êtes-vous né", "ça va très bien"]
RUSSIAN = ["привет всем друзьям", "как ваши дела", "это хороший день", "до свидания"]
ENGLISH = ["the Tom & Jerry show", "we don't know", "AT&T is here", "so it is"]
CYRILLIC = str.maketrans("aeopcxy", "аеорсху")
DOUBTS = ("GARBLED", "UNRELATED", "OTHER-TEXT", "SWAPPED")


def doubts(rates: Rates) -> list[Said]:
    return [each for each in said(rates.remarks) if each[0].startswith(DOUBTS)]


def garbled(text: str, encoding: str) -> str:
    """UTF-8 that was read in another encoding."""
    data = text.encode()
    if encoding == "latin-1":
        return data.decode("latin-1")
    return "".join(bytes([each]).decode("cp1252", "ignore") or chr(each) for each in data)


def trn(path: Path, texts: Sequence[str]) -> Path:
    path.write_text("".join(f"{text} (u-{row})\n" for row, text in enumerate(texts)), "utf-8")
    return path


@each_case("unit", ["word", "char", "char+space"])
@each_case("encoding", ["latin-1", "cp1252"])
@each_case("texts", [FRENCH, RUSSIAN], ids=["French", "Russian"])
@each_case("lower", [False, True])
def test_text_in_another_encoding_is_named(
    tmp_path: Path, texts: list[str], encoding: str, unit: str, lower: bool
) -> None:
    wrong = [garbled(text, encoding) for text in texts]
    if lower:
        texts, wrong = ([text.lower() for text in side] for side in (texts, wrong))
    sides = trn(tmp_path / "a.trn", texts), trn(tmp_path / "b.trn", wrong)
    options = Options(unit=unit)  # type: ignore[arg-type]
    for left, right in (sides, sides[::-1]):
        finds = [
            (key, fields)
            for key, fields in doubts(scoring.wer(left, right, options=options))
            if key.startswith("GARBLED")
        ]
        [(key, fields)] = finds
        assert key == "GARBLED.mojibake"
        assert fields["path"] == str(tmp_path / "b.trn")
        assert fields["place"] == f"{tmp_path / 'b.trn'}:1"
        assert fields["number"] >= 8
        assert fields["meant"] in texts[0] or lower


def test_the_encoding_that_was_chosen_is_the_advice(tmp_path: Path) -> None:
    sides = trn(tmp_path / "a.trn", FRENCH), trn(tmp_path / "b.trn", FRENCH)
    rates = scoring.wer(*sides, hypothesis_encoding="latin-1")
    [message] = [each for each in rates.remarks if each.code == "GARBLED"]
    assert [tuple(each) for each in message.advice] == [("hypothesis_encoding", "utf-8")]  # type: ignore[union-attr]


def test_entities_are_named_with_their_line(tmp_path: Path) -> None:
    wrong = [html.escape(text) for text in ENGLISH]
    sides = trn(tmp_path / "a.trn", ENGLISH), trn(tmp_path / "b.trn", wrong)
    [(key, fields)] = doubts(scoring.wer(*sides))
    assert key == "GARBLED.entities"
    assert fields == {
        "path": str(sides[1]),
        "number": 3,
        "written": "&amp;",
        "meant": "&",
        "place": f"{sides[1]}:1",
        "side": "hypothesis",
    }
    assert doubts(scoring.wer(sides[1], sides[1])) == []
    captions = tmp_path / "b.srt"
    captions.write_text("1\n00:00:00,000 --> 00:00:04,000\nTom &amp; Jerry\n")
    text = tmp_path / "a.txt"
    text.write_text("Tom & Jerry\n")
    [message] = [each for each in scoring.wer(text, captions).remarks if each.code == "GARBLED"]
    assert [tuple(each) for each in message.advice] == [("hypothesis_option", "entities=true")]  # type: ignore[union-attr]
    options = {"entities": "true"}
    assert scoring.wer(text, captions, hypothesis_options=options).counts.errors == 0


def test_letters_of_another_script_are_named(tmp_path: Path) -> None:
    left = trn(tmp_path / "a.trn", ["the copy is here", "we copy it"])
    right = trn(tmp_path / "b.trn", ["the copy is here", "we copy it".translate(CYRILLIC)])
    [(key, fields)] = doubts(scoring.wer(left, right))
    assert (key, fields["path"], fields["number"]) == ("GARBLED.look-alikes", str(right), 2)
    assert (fields["meant"], fields["place"]) == ("we", f"{right}:2")
    [(key, fields)] = doubts(scoring.wer(right, left))
    # the side with letters of both scripts in a word
    assert (key, fields["path"]) == ("GARBLED.look-alikes", str(right))


@each_case(
    ("reference", "hypothesis"),
    [
        (["café noir", "a b"], ["cafe noir", "a c"]),
        (["créée en été", "ça"], ["crée en été", "sa"]),
        (["été"], ["été déjà où"]),
        (["rock & roll", "a;b"], ["rock and roll", "a;c"]),
        (["R&D; it", "x"], ["R & D it", "x"]),
        (["мама мыла раму"], ["мама мила раму"]),
        (["он сказал okay"], ["он сказал окей"]),
        (["STRASSE ist weit"], ["straße ist weit"]),
        (["今日 は 天気"], ["今日 は 天 気"]),
        (["São João não"], ["Sao Joao nao"]),
        (["ããã"], ["ãã ã"]),
    ],
)
def test_plain_errors_are_no_doubt(reference: list[str], hypothesis: list[str]) -> None:
    assert doubts(scoring.wer(reference * 6, hypothesis * 6)) == []
    assert doubts(scoring.wer(hypothesis * 6, reference * 6)) == []


def test_a_long_result_is_counted_whole_if_a_part_has_it() -> None:
    texts = [f"le café {row}" for row in range(3 * SEEN)]
    wrong = [text.replace("é", "Ã©") for text in texts]
    [(key, fields)] = doubts(scoring.wer(texts, wrong))
    assert (key, fields["number"]) == ("GARBLED.mojibake", 3 * SEEN)


def talk(words: Sequence[str], seed: int, rows: int = 60) -> list[str]:
    """Texts in which some words are far more frequent than others."""
    drawn = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [" ".join(drawn.choices(words, weights, k=drawn.randint(6, 14))) for _ in range(rows)]


VOCABULARY = [f"w{number}" for number in range(400)]


@pytest.mark.parametrize("rows", [1, 60])
def test_texts_of_other_recordings_agree_by_chance(rows: int) -> None:
    left, right = (talk(VOCABULARY, seed) for seed in (1, 2))
    if rows == 1:
        left, right = [" ".join(left)], [" ".join(right)]
    rates = scoring.wer(left, right)
    assert 0.05 < rates.counts.correct / rates.counts.reference_tokens < 0.35
    [(key, fields)] = doubts(rates)
    assert key == ("UNRELATED.backwards" if rows == 1 else "UNRELATED.rows")
    assert fields["correct"] <= 1.15 * fields["chance"]


def subtitles(path: Path, texts: Sequence[str]) -> Path:
    cues = [f"{n}\n00:{n:02}:01,000 --> 00:{n:02}:04,000\n{t}\n" for n, t in enumerate(texts)]
    path.write_text("\n".join(cues))
    return path


def test_subtitles_of_another_recording_are_doubted(tmp_path: Path) -> None:
    left = subtitles(tmp_path / "a.srt", talk(VOCABULARY, 1, 59))
    other = subtitles(tmp_path / "b.srt", talk(VOCABULARY, 2, 40))
    rates = scoring.wer(left, other)
    assert rates.rules.matched_by == "recording"
    [(key, fields)] = doubts(rates)
    assert key == "UNRELATED.backwards"
    assert fields["correct"] <= 1.15 * fields["chance"]
    # half of the words are right, in other cues
    words = " ".join(talk(VOCABULARY, 1, 59)).split()
    words[::2] = ["wrong"] * len(words[::2])
    cues = [" ".join(words[start : start + 7]) for start in range(0, 59 * 7, 7)]
    assert doubts(scoring.wer(left, subtitles(tmp_path / "c.srt", cues))) == []


@pytest.mark.parametrize("rows", [1, 10])
def test_a_hypothesis_of_several_times_the_length_is_doubted(tmp_path: Path, rows: int) -> None:
    words = [f"w{number}" for number in range(40)]
    texts = [" ".join(words[row::rows]) for row in range(rows)]
    more = [*texts[:-1], f"{texts[-1]} {' '.join(VOCABULARY[100:180])}"]
    fields = {"words": 40, "heard": 120}
    if rows == 1:
        [(key, found)] = doubts(scoring.wer(texts[0], more[0]))
        assert (key, {name: found[name] for name in fields}) == ("UNRELATED.longer", fields)
    sides = trn(tmp_path / "a.trn", texts), trn(tmp_path / "b.trn", more)
    rates = scoring.wer(*sides)
    assert rates.counts.correct == 40
    assert doubts(rates) == [
        ("UNRELATED.longer", {"path": str(sides[1]), "reference": str(sides[0]), **fields})
    ]
    assert doubts(scoring.wer(*sides[::-1])) == []
    fewer = [*texts[:-1], f"{texts[-1]} {' '.join(VOCABULARY[100:179])}"]
    assert doubts(scoring.wer(texts, fewer)) == []
    # a short text, such as a single answer, may be far longer by chance
    assert doubts(scoring.wer(" ".join(words[:19]), more[0])) == []


@each_case("rows", [1, 60])
@each_case("wrong", [0.5, 0.7, 0.8])
def test_a_poor_recogniser_is_not_doubted(wrong: float, rows: int) -> None:
    drawn, left = random.Random(7), talk(VOCABULARY, 1)
    right = [
        " ".join(
            drawn.choice(VOCABULARY) if drawn.random() < wrong else word for word in text.split()
        )
        for text in left
    ]
    if rows == 1:
        left, right = [" ".join(left)], [" ".join(right)]
    assert doubts(scoring.wer(left, right)) == []


def rows_of(path: Path, rows: Sequence[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_another_text_of_the_rows_is_named(tmp_path: Path) -> None:
    texts = ["the cat sat", "on the mat", "and left"]
    left = rows_of(
        tmp_path / "ref.jsonl", [{"id": f"u{n}", "text": t} for n, t in enumerate(texts)]
    )

    def hypothesis(name: str, change: Callable[[str], str]) -> Path:
        rows = [{"id": f"u{n}", "text": t, name: change(t)} for n, t in enumerate(texts)]
        return rows_of(tmp_path / "hyp.jsonl", rows)

    right = hypothesis("whisper_large", lambda text: text.replace("the", "a"))
    rates = scoring.wer(left, right)
    assert rates.counts.errors == 0
    [message] = [each for each in rates.remarks if each.code == "OTHER-TEXT"]
    assert isinstance(message, Message)
    assert (message.severity, message.fields["column"]) == ("warning", "whisper_large")
    assert [tuple(each) for each in message.advice] == [
        ("hypothesis_option", "field=whisper_large")
    ]
    options = {"field": "whisper_large"}
    assert scoring.wer(left, right, hypothesis_options=options).counts.errors == 2
    assert doubts(scoring.wer(left, right, hypothesis_options={"field": "text"})) == []
    for name, change in (
        ("audio", lambda text: f"/data/{text.replace(' ', '_')}.wav"),
        ("note", lambda _: "spoken by a child"),
        ("text_again", lambda text: text),
    ):
        assert doubts(scoring.wer(left, hypothesis(name, change))) == []


def test_captions_have_no_other_text(tmp_path: Path) -> None:
    path = tmp_path / "a.sbv"
    path.write_text("0:00:00.000,0:00:02.000\nthe cat\nsat down\n")
    assert doubts(scoring.wer(path, path)) == []


def test_sides_with_marks_of_a_reference_look_swapped(tmp_path: Path) -> None:
    plain, marked = tmp_path / "a.stm", tmp_path / "b.stm"
    plain.write_text("r A s 0 1 one\nr A s 1 2 two\nr A s 2 3 three\n")
    marked.write_text("r A s 0 1 one\nr A s 1 2 ignore_time_segment_in_scoring\nr A s 2 3 three\n")
    assert doubts(scoring.wer(marked, plain, meeting="orc")) == []
    [(key, fields)] = doubts(scoring.wer(plain, marked, meeting="orc"))
    assert (key, fields) == ("SWAPPED.marks", {"path": str(plain)})
    # a hypothesis may have alternatives
    left = trn(tmp_path / "c.trn", ["a b", "c"])
    right = trn(tmp_path / "d.trn", ["a { b / c }", "c"])
    for pair in ((left, right), (right, left), (right, right)):
        assert doubts(scoring.wer(*pair)) == []


def test_names_of_files_look_swapped(tmp_path: Path) -> None:
    for names, is_doubted in (
        (("my-hyps.trn", "b.trn"), True),
        (("a.trn", "ref2.trn"), True),
        (("hyp.trn", "hyp_b.trn"), False),
        (("ref.trn", "hyp.trn"), False),
        (("a.trn", "preferred.trn"), False),  # no word of a reference
        (("hyperion.trn", "refined.trn"), False),
    ):
        left, right = (trn(tmp_path / name, ["a b", "c"]) for name in names)
        expected = [("SWAPPED.names", {"path": str(left)})] * is_doubted
        assert doubts(scoring.wer(left, right)) == expected


def test_every_door_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = (
        trn(tmp_path / "a.trn", FRENCH),
        trn(tmp_path / "b.trn", [garbled(t, "cp1252") for t in FRENCH]),
    )
    record = tmp_path / "r.json"
    assert main(["wer", *map(str, sides), "--json", str(record)]) == 0
    assert "once read in another encoding" in capsys.readouterr().err
    codes = [each["code"] for each in json.loads(record.read_text())["systems"][0]["remarks"]]
    assert "GARBLED" in codes
    assert "GARBLED.mojibake" in [key for key, _ in doubts(scoring.load(record))]
    assert [key for key, _ in doubts(scoring.wer(FRENCH, [garbled(t, "cp1252") for t in FRENCH]))]


@each_case("hypothesis", ["baseline", "improved"])
@each_case(("left", "right"), [("trn", "trn"), ("stm", "ctm"), ("stm", "trn")])
def test_the_demo_is_not_doubted(hypothesis: str, left: str, right: str) -> None:
    reference, path = DEMO / f"reference.{left}", DEMO / f"{hypothesis}.{right}"
    if not path.exists() or (left, right) == ("stm", "trn"):
        pytest.skip("not in the demo")
    assert doubts(scoring.wer(reference, path)) == []


def doubtful(kind: str) -> list[tuple[str, str]]:
    """Rows of a table with a fault that a careful person would notice."""
    rows = [(f"{text} number {n}", f"{text} number {n} so") for n, text in enumerate(FRENCH * 20)]
    if kind == "mojibake":
        return [(left, garbled(right, "latin-1")) for left, right in rows]
    if kind == "unrelated":
        return [(left, "nothing of this was ever spoken anywhere") for left, _ in rows]
    return rows


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("mojibake", ["GARBLED.mojibake"]), ("unrelated", ["UNRELATED"]), ("plain", [])],
)
def test_tables_have_the_doubts_of_files(
    kind: str, expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"text": left, "pred_text": right} for left, right in doubtful(kind)]
    table, path = pa.Table.from_pylist(rows), tmp_path / "rows.parquet"
    parquet.write_table(table, path)
    for size in (1000, 7):
        batches = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(size))
        scored = scoring.score_columns(batches)
        with pytest.raises(ValueError, match="known only after"):
            _ = scored.doubts
        scored.to_arrow()
        assert [doubt.entry.key for doubt in scored.doubts] == expected
    shown = []
    for engine in ([], ["--engine", "local"]):
        command = ["wer", str(path), "--reference-column", "text", "--remarks", "json", *engine]
        assert main(command) == 0
        remarks = map(json.loads, capsys.readouterr().err.splitlines())
        doubts = [each for each in remarks if each["code"].startswith(DOUBTS)]
        assert [each["code"] for each in doubts] == [key.partition(".")[0] for key in expected]
        shown.append([each["fields"] for each in doubts])
    assert shown[0] == shown[1]


def of_same_file(rates: Rates) -> list[Said]:
    return [each for each in said(rates.remarks) if each[0].startswith("SAME-FILE")]


def test_the_same_file_on_both_sides_is_named(tmp_path: Path) -> None:
    path = trn(tmp_path / "ref.trn", ENGLISH)
    linked = tmp_path / "linked.trn"
    linked.symlink_to(path)
    for other in (path, linked):
        rates = scoring.wer(path, other)
        assert rates.counts.errors == 0
        [doubt] = of_same_file(rates)
        assert doubt[0] == "SAME-FILE"
    # a set of few words may be recognised without errors
    copy = trn(tmp_path / "copy.trn", ENGLISH)
    assert of_same_file(scoring.wer(path, copy)) == []
    path, copy = (trn(tmp_path / name, ENGLISH * 20) for name in ("long.trn", "other.trn"))
    [doubt] = of_same_file(scoring.wer(path, copy))
    assert doubt[0] == "SAME-FILE.equal"
    # one of several systems
    systems = scoring.wer(path, {"other": copy, "own": path, "wrong": linked})
    assert [len(of_same_file(rates)) for rates in systems.values()] == [1, 1, 0]
    trn(copy, [*(ENGLISH * 20)[1:], "so it as"])
    assert of_same_file(scoring.wer(path, copy)) == []


def test_a_table_with_both_sides_is_no_same_file(tmp_path: Path) -> None:
    rows = [{"id": f"u{n}", "text": t, "pred_text": t} for n, t in enumerate(ENGLISH * 20)]
    path = rows_of(tmp_path / "both.jsonl", rows)
    assert of_same_file(scoring.wer(path, path)) == []


def test_the_status_of_the_same_file_is_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(trn(tmp_path / "ref.trn", ENGLISH))
    assert main(["wer", path, path]) == 0
    assert capsys.readouterr().err.count("[SAME-FILE]") == 1
