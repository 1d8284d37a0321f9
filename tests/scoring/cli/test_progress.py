"""On a terminal the commands show how far long work is."""

from pathlib import Path

import pytest

from formats.cli.progress import ProgressLine
from formats.io.progress import heard_by, is_heard, tell, told
from scoring.cli.scoring import main
from scoring.score import aligned
from scoring.score.score import wer
from tests.terminal import needs_terminal, on_a_terminal

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
SEARCH = DEMO / "keyword_search"
TEXTS = {
    "ref.trn": "".join(f"the wind drops (s-{n})\n" for n in range(10_500)),
    "hyp.trn": "".join(f"the wind stops (s-{n})\n" for n in range(10_500)),
    "few.trn": "".join(f"the wind drops (s-{n})\n" for n in range(2_500)),
    "lexicon": "the dh ax\nwind w ih n d\n",
    "ref.lab.rttm": "SPEAKER a 1 0.00 2.00 <NA> <NA> x <NA> <NA>\n",
    "hyp.lab.rttm": "SPEAKER a 1 0.00 1.00 <NA> <NA> x <NA> <NA>\n",
    "ref.stm": "talk 1 anne 0 4 speech\ntalk 1 anne 4 6 music\n",
    "hyp.stm": "talk 1 x 0 5 speech\n",
    "said.trn": "the wind (s-1)\n",
    "heard.trn": "dh ax w ih n (s-1)\n",
}
COMMANDS = {
    "wer": (["wer", "ref.trn", "hyp.trn"], ["reading ref.trn", "aligning"]),
    "normalised": (["wer", "few.trn", "few.trn", "--normalize", "whisper-basic"], ["normalising"]),
    "compare": (
        ["compare", "hyp.trn", "ref.trn", "--reference", "ref.trn", "--replications", "50"],
        ["aligning", "drawing replications"],
    ),
    "der": (["der", "ref.lab.rttm", "hyp.lab.rttm"], ["recordings"]),
    "events": (["events", "ref.stm", "hyp.stm"], ["utterances"]),
    "segments": (["segments", "ref.stm", "hyp.stm"], ["utterances"]),
    "kws": (
        [
            *("kws", "--ecf", f"{SEARCH}/demo.ecf.xml", "--kwlist", f"{SEARCH}/demo.kwlist.xml"),
            *("--rttm", f"{SEARCH}/demo.rttm", "--kwslist", f"{SEARCH}/demo.kwslist.xml"),
        ],
        ["keywords"],
    ),
    "per": (["per", "said.trn", "heard.trn", "--lexicon", "lexicon"], ["utterances"]),
}


@pytest.fixture
def folder(current_folder: Path) -> Path:
    for name, text in TEXTS.items():
        (current_folder / name).write_text(text)
    return current_folder


@needs_terminal
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_sees_stages(name: str, folder: Path) -> None:
    arguments, stages = COMMANDS[name]
    status, shown = on_a_terminal("scoring.cli.scoring", *arguments)
    assert status == 0, shown
    for stage in stages:
        assert stage in shown


@needs_terminal
@pytest.mark.parametrize("how", ["--quiet", "TERM", "CI"])
def test_nobody_watches(how: str, folder: Path) -> None:
    arguments = ["wer", "ref.trn", "hyp.trn", *([how] if how[0] == "-" else [])]
    environment = {"TERM": {"TERM": "dumb"}, "CI": {"CI": "1"}}.get(how, {})
    status, shown = on_a_terminal("scoring.cli.scoring", *arguments, **environment)
    assert status == 0
    assert "aligning" not in shown
    assert "reading" not in shown


def test_elsewhere_nothing_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", "ref.trn", "hyp.trn", "--quiet"]) == 0
    assert "aligning" not in "".join(capsys.readouterr())
    assert not is_heard()


def test_what_is_aligned_in_parts_is_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = DEMO / "reference.trn", DEMO / "baseline.trn"
    whole = wer(*sides)
    heard: list[tuple[str, int, int]] = []
    monkeypatch.setattr(aligned, "PART", 7)
    with heard_by(lambda *words: heard.append(words)):
        parts = wer(*sides)
    assert [one[1:] for one in heard if one[0] == "aligning"] == [(n, 60) for n in range(0, 60, 7)]
    assert list(parts) == list(whole)
    assert list(parts.aligned) == list(whole.aligned)


def test_items_are_told_one_by_one() -> None:
    heard: list[tuple[str, int, int]] = []
    with heard_by(lambda *words: heard.append(words)):
        assert list(told("ab", "letters")) == ["a", "b"]
        with heard_by(None):
            tell("unheard", 1, 2)
    assert heard == [("letters", 0, 2), ("letters", 1, 2)]


def test_without_rich_it_is_a_plain_line_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("formats.cli.progress.find_spec", lambda name: None)
    monkeypatch.setattr("formats.cli.progress.tells_remarks", lambda: True)
    monkeypatch.setattr("formats.cli.progress.SHOWN_AFTER", 0.0)
    monkeypatch.setattr("formats.cli.progress.SECONDS_BETWEEN", 0.0)
    line = ProgressLine()
    line.show("aligning \x1b[31m", 0.0)
    line.end()
    line.end()
    assert capsys.readouterr().err == "\raligning \\x1b[31m\x1b[K\r\x1b[K"
