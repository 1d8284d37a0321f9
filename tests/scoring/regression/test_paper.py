"""The table of a paper has the numbers, intervals and tests of the reports."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.drawing import percent
from scoring.regression.bench.plan import read_benchmark
from scoring.regression.bench.ranking import ranking_of
from scoring.regression.bench.runs import scored_cells
from scoring.regression.paper import PaperColumn, PaperTable, paper_table, table_of_ranking
from scoring.regression.ranking import rank
from scoring.stats.intervals import Resampling
from scoring.stats.limits import Interval

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
NAMES = ("baseline", "improved")


@pytest.fixture(autouse=True)
def among_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)


def systems(by: tuple[str, ...] = ("speaker",)) -> list[scoring.ErrorRates]:
    return [scoring.wer(Path("reference.trn"), Path(f"{name}.trn"), by=list(by)) for name in NAMES]


def test_numbers_are_those_of_the_groups() -> None:
    rated = systems()
    table = paper_table(rated)
    assert [column.name for column in table.columns] == ["all", "anna", "ben", "carla", "dan"]
    assert table.systems == ("baseline.trn", "improved.trn")
    for place, rates in enumerate(rated):
        whole, *groups = (column.cells[place] for column in table.columns)
        assert whole.rate == rates.corpus_rate
        [found] = [row for row in rank(rated).systems if row.rates is rates]
        assert whole.interval == found.interval
        own = rates.by("speaker")
        for cell, group in zip(groups, own.values(), strict=True):
            assert cell.rate == group.corpus_rate
            interval = scoring.confidence_interval(group).bootstrap
            assert cell.interval is not None
            assert interval is not None
            assert cell.interval.limits == interval.limits
    assert [column.words for column in table.columns] == [564, 149, 146, 139, 130]


def test_marks_are_those_of_the_ranking() -> None:
    rated = systems()
    ranking, table = rank(rated), paper_table(rated)
    [pair] = ranking.pairs
    first, second = table.columns[0].cells
    assert (first.differs, second.differs) == (ranking.tests.differ(pair), False)
    assert first.p_value == pair.adjusted
    assert (first.is_best, second.is_best) == (False, True)
    turned = paper_table(rated, against="baseline.trn").columns[0].cells
    assert [cell.differs for cell in turned] == [False, True]


def test_a_group_that_one_system_lacks_has_no_rate_there() -> None:
    reference = {"u1": "a b c", "u2": "d e f"}
    one, other = (
        scoring.wer(reference, hypothesis, by=["speaker"], speakers={"u1": "x", "u2": name})
        for hypothesis, name in (({"u1": "a b c", "u2": "d"}, "y"), ({"u1": "a", "u2": "d e"}, "z"))
    )
    columns = {column.name: column.cells for column in paper_table([one, other]).columns}
    assert [cell.rate for cell in columns["y"]] == [2 / 3, None]
    assert [cell.rate for cell in columns["z"]] == [None, 1 / 3]
    assert not any(cell.is_best or cell.differs for cell in (*columns["y"], *columns["z"]))


def test_a_group_called_all_is_a_group() -> None:
    speakers = {"u1": "all", "u2": "y"}
    rates = scoring.wer(
        {"u1": "a b", "u2": "c"}, {"u1": "a x", "u2": "c"}, by=["speaker"], speakers=speakers
    )
    columns = paper_table([rates]).columns
    assert [column.name for column in columns] == ["all", "all", "y"]
    assert [column.cells[0].rate for column in columns] == [1 / 3, 1 / 2, 0]


def cells(line: str) -> list[str]:
    return line.strip().removesuffix(r"\\").split("&")


def test_latex_has_as_many_cells_as_columns() -> None:
    text = paper_table(systems()).to_latex()
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(cells(row)) for row in rows] == [6] * 6
    # the limits of a system belong to the rates above them: a gap separates two systems
    body = text.partition("\\midrule\n")[2].partition("    \\bottomrule")[0].splitlines()
    assert [line.strip() == r"\addlinespace" for line in body] == [False, False, True, False, False]
    assert text.count("{") == text.count("}")
    assert re.search(r"begin\{tabular\}\{@\{\}lr{5}@\{\}\}", text)
    for name in ("table*", "tabular"):
        assert text.index(f"\\begin{{{name}}}") < text.index(f"\\end{{{name}}}")


def test_a_wide_table_is_set_smaller_and_then_over_both_columns() -> None:
    table = paper_table(systems())
    [whole, *groups] = table.columns
    expected = {
        1: ("table", ""),
        3: ("table", r"\small"),
        4: ("table*", ""),
        5: ("table*", r"\small"),
    }
    columns = [whole, *groups, whole]
    for number, (environment, size) in expected.items():
        text = table._replace(columns=tuple(columns[:number])).to_latex()
        assert f"\\begin{{{environment}}}" in text
        assert (r"\tabcolsep" in text) == (size != "")
        assert size in text


def test_three_columns_of_three_systems_fit_one_column_of_a_paper() -> None:
    table = paper_table(systems())
    cell = table.columns[0].cells[0]
    assert cell.interval is not None
    longer = cell.interval._replace(limits=Interval(0.1072, 0.1466))
    column = PaperColumn("other", 743, (cell._replace(rate=0.1252, interval=longer),) * 3)
    names = ("conformer_large", "whisper-ft", "wav2vec2 & LM")
    text = table._replace(systems=names, columns=(column,) * 3, missing=()).to_latex()
    assert "\\begin{table}" in text
    assert r"\small\setlength{\tabcolsep}{2pt}" in text


def test_a_table_of_many_groups_has_a_row_for_each_group() -> None:
    table = paper_table(systems())
    [whole, *groups] = table.columns
    many = table._replace(columns=(whole, *groups * 4))
    text = many.to_latex()
    heads = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [cell.strip() for cell in cells(heads[0])] == ["", "ref. words", *many.systems]
    assert len(heads) == 1 + 2 * len(many.columns)
    assert {len(cells(row)) for row in heads} == {2 + len(many.systems)}
    assert "lowest rate of the row" in text
    assert "lowest rate of the column" in many.to_markdown()


def test_names_are_escaped() -> None:
    rates = scoring.wer("a b", "a c")
    odd = paper_table([rates])._replace(systems=(r"50% a_b & c#1 {x} \y ~z^2 <p> $",))
    assert (
        r"50\% a\_b \& c\#1 \{x\} \textbackslash{}y \textasciitilde{}z\textasciicircum{}2 "
        r"\textless{}p\textgreater{} \$ & 50.00" in odd.to_latex()
    )


def test_markdown_and_frame_have_the_same_numbers() -> None:
    pytest.importorskip("pandas")
    table = paper_table(systems())
    lines = table.to_markdown().splitlines()
    assert str(table).splitlines() == table._repr_markdown_().splitlines() == lines
    assert lines[2].startswith(r"| baseline.trn | 20.57\* [10.51, 40.23] |")
    assert lines[3].startswith("| improved.trn | **14.01** [6.75, 29.09] |")
    frame = table.to_frame()
    assert len(frame) == 10
    row = frame[(frame.system == "improved.trn") & (frame.column == "ben")].iloc[0]
    assert row.error_rate == table.columns[2].cells[1].rate
    assert list(frame.differs) == [
        cell.differs for column in table.columns for cell in column.cells
    ]


def test_names_of_files_choose_the_form() -> None:
    table = paper_table(systems())
    assert table.table_for("t.MD") == table.to_markdown()
    assert table.table_for("-") == table.to_latex()
    assert table.methods_for("a.bib") == table.bibtex()
    assert table.bibtex().startswith("@misc{")
    assert table.methods_for("-").endswith(f"\n\n{table.bibtex()}")


def test_methods_in_latex_have_no_bare_special_characters() -> None:
    table = paper_table(systems())
    paragraph, blank, *entry = table.methods_for("m.TEX").splitlines()
    assert blank == ""
    assert all(line.startswith("% ") for line in entry)
    assert "".join(f"{line[2:]}\n" for line in entry) == table.bibtex()
    assert not re.search(r"(?<!\\)[%&#_|]", paragraph)
    assert "\\texttt{wer\\textbar\\allowbreak{}unit:word" in paragraph
    assert "95~\\% confidence intervals" in paragraph


def test_systems_by_name_have_their_names() -> None:
    found = scoring.wer({"u": "a b", "v": "c"}, {"old": {"u": "a b"}, "new": {"u": "a", "v": "c"}})
    assert isinstance(found, Mapping)
    table = paper_table(found, against="old")
    assert table.systems == ("old", "new")
    assert paper_table({"A": found["old"]}).systems == ("A",)


def test_a_notebook_shows_the_table() -> None:
    table = paper_table(systems())
    page = table._repr_html_()
    for column in table.columns:
        for cell in column.cells:
            assert percent(cell.rate) in page
    assert table.signature in page


def test_methods_name_what_the_numbers_rest_on() -> None:
    few = Resampling(replications=500, seed=3, level=0.9)
    rated = systems()
    text = paper_table(rated, resampling=few, test="bootstrap").methods()
    for part in (str(rated[0].signature), "90 %", "500 replications", "seed 3", "bootstrap", "0.1"):
        assert part in text
    assert text.count("{") == text.count("}")


def test_a_table_of_meetings_names_the_measure(tmp_path: Path) -> None:
    lines = ["s 1 anne 0 2 a b c\n", "s 1 bob 2 4 d e f\n"]
    for name, text in (("ref", "".join(lines)), ("one", lines[0]), ("two", lines[1])):
        (tmp_path / f"{name}.stm").write_text(text)
    reference = tmp_path / "ref.stm"
    rated = [
        scoring.wer(reference, tmp_path / f"{name}.stm", meeting="cp") for name in ("one", "two")
    ]
    table = paper_table(rated)
    assert table.caption.startswith("Word error rates of meetings (cpWER) in percent")
    assert "Word error rates of meetings (cpWER) were computed" in table.methods()


def test_methods_name_each_method_and_unit_once() -> None:
    """Sets of a benchmark differ in method and unit, and their mean has the methods of all."""
    table = paper_table(systems())
    sorts = (("M", "speaker"), ("M and T", "utterance"), ("T", "given blocks"), ("M", "speaker"))
    columns = []
    for column, (method, block) in zip(table.columns, sorts, strict=False):
        first, second = column.cells
        assert first.interval is not None
        interval = first.interval._replace(method=method, block=block)
        cells = (first._replace(interval=interval), second._replace(interval=None))
        columns.append(column._replace(cells=cells))
    mixed = table._replace(columns=tuple(columns), blocks=("utterance", "speaker"))
    text = mixed.methods()
    assert "intervals are by M or T, with speakers, utterances or given blocks as units. " in text
    assert "(seed 0) with utterances or speakers as units (design effect 0.83" in text


def test_the_command_writes_both(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    files = [f"{name}.trn" for name in ("reference", *NAMES)]
    out = [str(tmp_path / name) for name in ("t.tex", "m.txt", "r.json")]
    flags = ["--by", "speaker", "--latex", out[0], "--methods", out[1], "--json", out[2]]
    assert main(["wer", *files, *flags, "--marks-against", "baseline.trn"]) == 0
    expected = paper_table(systems(), against="baseline.trn")
    assert Path(out[0]).read_text() == expected.to_latex()
    assert Path(out[1]).read_text() == expected.methods()
    record = json.loads(Path(out[2]).read_text())
    rates = [system["rates"]["error_rate"] for system in record["systems"]]
    assert [cell.rate for cell in expected.columns[0].cells] == rates
    capsysbinary.readouterr()


@pytest.mark.parametrize(
    ("flags", "status"),
    [(["--marks-against", "baseline.trn"], 2), (["--marks-against", "nobody", "--latex", "-"], 2)],
)
def test_a_system_that_cannot_be_marked_is_an_error(
    flags: list[str], status: int, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    files = ["reference.trn", "baseline.trn"]
    assert main(["wer", *files, *flags]) == status
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert b"--marks-against" in err


def test_a_benchmark_has_its_sets_as_columns(tmp_path: Path) -> None:
    plan = tmp_path / "bench.toml"
    lines = [f'[sets.{name}]\nreference = "{DEMO / "reference.trn"}"' for name in ("one", "two")]
    for name in NAMES:
        lines.append(f"[systems.{name}]")
        sets = ("one", "two") if name == "baseline" else ("one",)
        lines += [f'{entry} = "{DEMO / name}.trn"' for entry in sets]
    plan.write_text("\n".join(lines))
    benchmark = read_benchmark(str(plan))
    ranking = ranking_of(list(scored_cells(benchmark)), benchmark.sets, Resampling(500), "auto")
    table: PaperTable = table_of_ranking(ranking)
    assert [column.name for column in table.columns] == ["mean", "one", "two"]
    by_system = {row.system: row for row in ranking.systems}
    for place, name in enumerate(table.systems):
        mean, *rates = [column.cells[place].rate for column in table.columns]
        row = by_system[name]
        assert mean == row.macro
        found = [row.sets.get(entry) for entry in ranking.sets]
        assert rates == [None if result is None else result.rate for result in found]
    assert "--" in table.to_latex()
