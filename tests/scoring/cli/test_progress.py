"""On a terminal the commands show how far long work is."""

import subprocess
import sys
from pathlib import Path

import pytest

from formats.cli.progress import ProgressLine
from formats.io.progress import expect, heard_by, is_heard, tell, told
from scoring.cli.scoring import main
from scoring.score import aligned, wer
from tests.console import session_environment
from tests.terminal import needs_terminal, on_a_terminal

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
SEARCH = DEMO / "keyword_search"
TEXTS = {
    "ref.trn": "".join(f"the wind drops (s-{n})\n" for n in range(10_500)),
    "hyp.trn": "".join(f"the wind stops (s-{n})\n" for n in range(10_500)),
    "few.trn": "".join(f"the wind drops (s-{n})\n" for n in range(500)),
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


@needs_terminal
def test_the_bar_is_removed_before_messages(folder: Path) -> None:
    """A message begins at the left end of an empty line."""
    (folder / "short.trn").write_text("the wind stops (s-1)\n")
    status, shown = on_a_terminal("scoring.cli.scoring", "wer", "ref.trn", "short.trn")
    assert status == 0
    before = shown[: shown.index("scoring: warning: ")]
    assert "reading ref.trn" in before
    assert before.endswith("\x1b[2K")


def test_the_remaining_time_is_that_of_all_announced_stages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    seen: list[tuple[float, float | None]] = []
    monkeypatch.setattr("time.monotonic", lambda: clock[-1])
    line = ProgressLine()
    monkeypatch.setattr(line, "_show", lambda stage, share, left, *_: seen.append((share, left)))
    with heard_by(line.hear):
        expect([("reading", 1.0), ("reading", 1.0), ("aligning", 2.0)])
        expect([("of a command that is called", 1.0)])
        for now, stage, done in (
            *((2.0, "reading", 50), (4.0, "reading", 100), (4.0, "reading", 0)),
            *((6.0, "reading", 50), (6.0, "unannounced", 1), (8.0, "aligning", 0)),
            (20.0, "aligning", 75),
        ):
            clock.append(now)
            tell(stage, done, 100)
    shares, seconds = zip(*seen, strict=True)
    assert shares == (0.125, 0.25, 0.25, 0.375, 0.375, 0.5, 0.875)
    # the running stage counts with its own speed, those that follow with the speed of all so far
    assert seconds == (12.0, 12.0, 12.0, 10.0, 10.0, 8.0, 4.0)


@needs_terminal
def test_a_file_and_a_pipe_get_no_bar_and_load_no_rich(folder: Path) -> None:
    commands = [list(map(str, COMMANDS[name][0])) for name in ("wer", "compare")]
    code = (
        "import sys; from scoring.cli.scoring import main; from formats.cli import progress; "
        f"progress.SHOWN_AFTER = progress.SECONDS_BETWEEN = 0.0; [main(each) for each in {commands}]; "
        "print(sorted(name for name in sys.modules if name.partition('.')[0] == 'rich'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=session_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert len(done.stdout.splitlines()) > len(commands)
    assert "aligning" not in done.stderr
