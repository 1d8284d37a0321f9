"""Files that were probably not meant: other recordings, patterns without quotes."""

from pathlib import Path

import pytest

import scoring
from scoring.cli.messages import UNQUOTED
from scoring.cli.scoring import main
from scoring.score.messages import UNRELATED
from scoring.sides.messages import ONLY_RECORDING
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import said

TALK = "the harbour lies east of town and ferries leave it every hour from six until nine at night"
COOKING = "peel two onions chop them finely then fry both in butter over low heat while stirring"


def write(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(f"{text}\n")


@each_case(
    ("reference", "hypothesis", "is_asked"),
    [
        (f"{TALK} {TALK}", f"{COOKING} {COOKING}", True),
        (f"{TALK} {TALK} so", f"{COOKING} so {COOKING}", True),
        (TALK, COOKING, False),
        (f"{TALK} {TALK}", f"{TALK} {COOKING}", False),
        (f"{TALK} {TALK}", f"{TALK}, {TALK}.".upper(), False),
        (f"{TALK} {TALK}", "", False),
    ],
)
def test_texts_of_different_recordings_are_asked_about(
    reference: str, hypothesis: str, is_asked: bool
) -> None:
    codes = [code for code, _ in said(scoring.wer(reference, hypothesis).remarks)]
    assert ("UNRELATED" in codes) == is_asked


def test_the_command_warns(current_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"a.txt": f"{TALK} {TALK}", "b.txt": f"{COOKING} {COOKING}"})
    assert main(["wer", "a.txt", "b.txt"]) == 0
    warning = message_text(UNRELATED, path="b.txt", reference="a.txt", correct=0, words=36)
    assert f"scoring: warning: {warning} [UNRELATED]\n" in capsys.readouterr().err


def test_single_texts_of_two_folders_are_a_pair_with_a_note(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"d1/a.txt": "a b c", "d2/b.txt": "a b d", "d3/a.txt": "a b d"})
    assert main(["wer", "d1", "d2"]) == 0
    note = message_text(ONLY_RECORDING, path="d2", recording="b", target="a")
    assert f"scoring: note: {note} [ONLY-RECORDING]\n" in capsys.readouterr().err
    for others in (["d1", "d3"], ["d1/a.txt", "d2/b.txt"]):
        assert main(["wer", *others]) == 0
        assert "recording" not in capsys.readouterr().err


@each_case(
    ("paths", "patterns"),
    [
        ("R/1.txt R/2.txt R/3.txt H/1.txt H/2.txt H/3.txt", "'R/*.txt' 'H/*.txt'"),
        ("1.txt 2.txt H/1.txt H/2.txt", "'./*.txt' 'H/*.txt'"),
        ("R/1.txt H/1.txt H/2.txt", None),
        ("R/1.txt R/2.txt R/3.txt", None),
        ("R/2.txt R/1.txt H/1.txt H/2.txt", None),
        ("R/1.txt H/1.txt R/2.txt H/2.txt", None),
    ],
)
def test_patterns_without_quotes_are_named(
    paths: str,
    patterns: str | None,
    current_folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(dict.fromkeys(paths.split(), "a b"))
    assert main(["wer", *paths.split()]) == 0
    errors = capsys.readouterr().err
    reference, *hypotheses = paths.split()
    own = sum(Path(each).parent == Path(reference).parent for each in hypotheses)
    if patterns is None:
        assert "*" not in errors
    else:
        counts = {"systems": len(hypotheses), "own": own}
        note = message_text(UNQUOTED, path=reference, **counts, patterns=patterns.split())
        assert f"note: {note} [UNQUOTED]\n" in errors
