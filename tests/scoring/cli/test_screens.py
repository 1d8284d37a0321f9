"""Results on a terminal fit its width, and a comparison its first screen."""

import re
from pathlib import Path

import pytest

from formats.console.screen import table_lines, wrapped
from formats.console.terminal import width
from scoring.cli.scoring import main
from tests.terminal import needs_terminal, on_a_terminal

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REFERENCE, BASELINE, NEW = (
    str(DEMO / f"{name}.trn") for name in ("reference", "baseline", "improved")
)
COMPARE = ["compare", REFERENCE, BASELINE, NEW, "--by", "speaker", "--replications", "99"]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PLOT = set("├┤─●│")


def screen(command: list[str], columns: int, **environment: str) -> list[str]:
    """The lines of a command on a terminal, without escape codes."""
    _, shown = on_a_terminal(
        "scoring.cli.scoring", *command, "--quiet", COLUMNS=str(columns), **environment
    )
    assert "Traceback" not in shown
    return ESCAPE.sub("", shown).replace("\r\n", "\n").splitlines()


def words(lines: list[str]) -> set[str]:
    """Words of a screen, without plots, and signatures, which are broken at their separators."""
    every = {word for line in lines for word in line.split()}
    return {word.rstrip(":;") for word in every if not PLOT & set(word) and "|" not in word}


@needs_terminal
@pytest.mark.parametrize("command", [COMPARE, [*COMPARE, "--details"], ["wer", REFERENCE, NEW]])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_broken(command: list[str]) -> None:
    whole = words(screen([*command, *["--details"] * (command == COMPARE)], 400))
    for columns in (60, 80, 120, 200):
        lines = screen(command, columns)
        assert [line for line in lines if width(line) > columns] == []
        if command != COMPARE:
            # a signature is broken at its separators
            assert {word for word in words(lines) - whole if ":" not in word} == set()


@needs_terminal
def test_several_systems_begin_with_who_is_best_and_a_pipe_ends_with_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["wer", REFERENCE, BASELINE, NEW]
    lines = screen(command, 80)
    assert lines[0] == "Ranking"
    assert " ".join(lines[1:4]).find("improved.trn has the lowest rate, 14.01 %") >= 0
    assert lines.index(f"== {BASELINE}") < 24
    assert main([*command, "--quiet"]) == 0
    piped = capsys.readouterr().out
    assert piped.startswith(f"== {BASELINE}\n")
    assert "lowest rate" not in piped


LISTS = [
    ("scoring.cli.scoring", ["--help"]),
    ("scoring.cli.scoring", ["recipes"]),
    ("scoring.cli.scoring", ["recipes", "show", "kaldi@5.5"]),
    ("scoring.cli.scoring", ["explain", "wer|unit:word|norm:plain|align:sclite(4,3,3)|v:0.1.0"]),
    ("scoring.cli.scoring", ["normalize", "--list"]),
    ("scoring.cli.scoring", ["docs", "--search", "gate"]),
    ("scoring.cli.scoring", ["oracle"]),
    ("scoring.cli.scoring", ["wer", REFERENCE, str(DEMO / "interview.json")]),
    ("scoring.cli.formats", ["list"]),
    ("scoring.cli.formats", ["detect", "--explain", str(DEMO / "interview.json")]),
    ("scoring.cli.formats", ["lint", str(DEMO / "museum.srt")]),
    ("scoring.cli.formats", ["--help"]),
]


@needs_terminal
@pytest.mark.parametrize(("command", "arguments"), LISTS)
def test_lists_helps_and_messages_break_between_words(command: str, arguments: list[str]) -> None:
    def lines_at(columns: int) -> list[str]:
        shown = on_a_terminal(command, *arguments, COLUMNS=str(columns), CI="1")[1]
        return ESCAPE.sub("", shown).replace("\r\n", "\n").splitlines()

    whole = words(lines_at(400))
    for columns in (60, 80):
        lines = lines_at(columns)
        assert [line for line in lines if width(line) > columns] == []
        pieces = words(lines) - whole
        # long paths are broken at their separators
        paths = [word for word in whole if "/" in word]
        assert {piece for piece in pieces if not any(piece in path for path in paths)} == set()


@needs_terminal
def test_a_keyword_search_shows_its_value_and_the_worst_keywords_first() -> None:
    files = sorted(map(str, (DEMO / "keyword_search").glob("demo.*")))
    for columns in (60, 80, 200):
        lines = screen(["kws", *files], columns)
        assert ": the term-weighted value is 0.0482 (ATWV)" in lines[0]
        assert len(lines) <= 22
        assert [line for line in lines if width(line) > columns] == []
        text = " ".join(lines)
        assert text.index("ferry") < text.index("lighthouse") < text.index("olive")
    lines = screen(["kws", *files, "--summary"], 200)
    assert lines[0] == "Summary Report:"


@needs_terminal
@pytest.mark.parametrize("name", ["detect", "validate"])
def test_the_progress_is_cleared_before_each_result(name: str) -> None:
    files = [REFERENCE, BASELINE, NEW]
    status, shown = on_a_terminal("scoring.cli.formats", name, *files)
    assert status == 0
    assert "files" in shown
    for file in files:
        before = shown[: shown.index(f"{file}: trn")].removesuffix("✓ ")
        assert before == "" or before.endswith(("\r\n", "\x1b[2K", "\x1b[?25h"))


@needs_terminal
@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_a_comparison_fits_the_first_screen(columns: int) -> None:
    lines = screen(COMPARE, columns)
    assert len(lines) <= 22
    assert lines[0].startswith("✓ Better by 6.56 points")
    assert "--details" in " ".join(lines[-2:])


@needs_terminal
@pytest.mark.parametrize("number", [0, 1])
def test_the_first_screen_lists_no_more_utterances_than_requested(number: int) -> None:
    lines = screen([*COMPARE, "--show", str(number)], 120)
    headings = [line for line in lines if line.startswith(("Worse", "Better ("))]
    assert len(headings) <= 2 * number
    utterances = [line for line in lines if re.match(r"\W*(anna|ben|carla|dan)-\d{4}", line)]
    assert len(utterances) <= 2 * number


@needs_terminal
def test_a_rate_on_a_terminal_is_a_sentence_first() -> None:
    lines = screen(["wer", REFERENCE, BASELINE], 80)
    assert lines[0] == "116 of 564 words are wrong: 20.6 %"
    assert lines[1].startswith("%WER 20.57")


@needs_terminal
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_gets_none(environment: dict[str, str]) -> None:
    _, shown = on_a_terminal("scoring.cli.scoring", *COMPARE, "--quiet", **environment)
    assert "\x1b[3" not in shown
    assert "✓" in shown


def test_a_pipe_gets_what_a_log_needs_and_details_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outputs = []
    for flags in ([], ["--show", "1"], ["--show", "0"], ["--details"]):
        assert main([*COMPARE, *flags]) == 0
        outputs.append(capsys.readouterr().out)
    short, one, none, whole = outputs
    assert all("signature: " in output and "\x1b" not in output for output in outputs)
    lines = short.splitlines()
    assert len(lines) <= 52, short
    assert {*lines[:3]} <= {*whole.splitlines()}, "the verdict is first everywhere"
    assert [line.split() for line in lines if "error rate %" in line] == [
        ["error", "rate", "%", "20.57", "14.01", "-6.56"]
    ]
    assert "--details" in lines[-1]
    assert ("  reference:" in short, "  reference:" in one, "mcnemar" in short) == (0, 1, 0)
    assert "Worse" not in none
    assert whole.count("  reference:") == 18
    assert "mcnemar: " in whole


def test_tables_separate_thousands_wrap_texts_and_mark_cells() -> None:
    rows = [["a long name of a group", "12345", "+2000"], ["b", "1", "-1"]]
    marks = {(0, 2): False, (1, 2): True}
    lines = table_lines(["name", "words", "change"], rows, 30, 1, marks)
    assert lines == [
        "name           words    change",
        "a long name   12,345  ✗ +2,000",
        "of a group",
        "b                  1      ✓ -1",
    ]
    listed = table_lines(["name", "words", "change"], rows[1:], 12)
    assert listed == ["b", "  words: 1;", "    change:", "    -1"]


def test_a_range_or_a_short_name_is_never_broken() -> None:
    headings = ["accent", "snr", "words", "correct", "sub", "rate %"]
    rows = [
        ["(no accent)", "[5, 15)", "149600", "137000", "1300", "8.05"],
        ["gb", ">= 25", *"1111"],
    ]
    spare = [("correct",), ("sub", "del")]
    whole = table_lines(headings, rows, 80, spare=spare)
    assert whole[0].split() == ["accent", "snr", "words", "correct", "sub", "rate", "%"]
    narrow = table_lines(headings, rows, 37, spare=spare, marks={(0, 5): True, (1, 3): False})
    assert narrow == [
        "accent           snr    words  rate %",
        "(no accent)  [5, 15)  149,600  ✓ 8.05",
        "gb             >= 25        1       1",
        "not shown at this width: correct, sub",
    ]
    for columns in range(10, 80):
        lines = table_lines(headings, rows, columns, spare=spare)
        assert all(width(line) <= columns for line in lines)
        if columns >= 20:
            text = "\n".join(lines)
            assert all(value in text for value in ("(no accent)", "[5, 15)", ">= 25", "149,600"))


def test_long_words_are_broken_at_separators() -> None:
    assert wrapped("see aaaa|bbbb|cccc", 10) == ["see aaaa|", "bbbb|cccc"]
    signature = "signature: der|like:x|collar:0s each-side|align:sclite(4,3,3)|v:1"
    lines = wrapped(signature, 40, 2)
    assert lines == [
        "signature: der|like:x|",
        "  collar:0s each-side|",
        "  align:sclite(4,3,3)|v:1",
    ]


def test_a_number_stays_with_its_name() -> None:
    line = "rates: corpus 11.19 %; mean of utterances 11.08 %; MER 11.13 %; WIL 18.35 %"
    first = "rates: corpus 11.19 %; mean of utterances 11.08 %;"
    assert wrapped(line, 60, 2) == [first, "  MER 11.13 %; WIL 18.35 %"]
    # not if that needs another line
    assert wrapped("aaaa bbbb, cc dddd eeee ff", 14) == ["aaaa bbbb, cc", "dddd eeee ff"]
    assert wrapped("  one two three", 11, 2) == ["  one two", "    three"]
    assert wrapped("a rate of 12.5 %", 14, 2) == ["a rate of", "  12.5 %"]


@pytest.mark.parametrize("columns", [60, 80])
def test_an_interval_in_a_table_stays_whole(columns: int) -> None:
    rows = [
        ["clean.a", "1", "93", "10.76", "9.54 to 12.15 (only 8 speakers)", ""],
        ["clean.c", "2", "1100", "12.73", "-6.57 to +24.66 (only 6 speakers)", "0.5938"],
    ]
    headings = ["system", "rank", "errors", "rate %", "interval", "p against the first"]
    text = "\n".join(table_lines(headings, rows, columns))
    assert max(map(len, text.splitlines())) <= columns
    for whole in ("9.54 to 12.15", "-6.57 to +24.66", "(only 8 speakers)", "(only 6 speakers)"):
        assert whole in text
