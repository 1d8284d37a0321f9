"""Files of a side are read once, whatever their formats: beyond their heads, each byte is read once."""

import builtins
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from formats.io.decoding import BLOCK
from formats.io.messages import UTF_16
from formats.io.progress import heard_by
from scoring.cli.scoring import main
from tests.formats.checks import message_text

WORDS = "the cat sat on the mat and looked at all of the dogs"
MARGIN = 3 * BLOCK  # heads, read to find the format
COUNT = (MARGIN + BLOCK // 4) // len(WORDS)  # so that a second reading is beyond it


def clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},000"


LINES = {
    "txt": lambda n: WORDS,
    "trn": lambda n: f"{WORDS} (anna-{n:06d})",
    "kaldi": lambda n: f"anna-{n:06d} {WORDS}",
    "stm": lambda n: f"talk 1 anna {2 * n} {2 * n + 1} {WORDS}",
    "ctm": lambda n: "\n".join(
        f"talk 1 {2 * n}.{k:02d} 0.01 {w}" for k, w in enumerate(WORDS.split())
    ),
    "srt": lambda n: f"{n + 1}\n{clock(2 * n)} --> {clock(2 * n + 1)}\n{WORDS}\n",
}


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("txt", "txt"),
        ("txt", "longer"),
        ("txt", "trn"),
        ("trn", "trn"),
        ("kaldi", "kaldi"),
        ("stm", "ctm"),
        ("srt", "srt"),
    ],
)
def test_files_are_read_once(
    reference: str, hypothesis: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = []
    for side, given in (("ref", reference), ("hyp", hypothesis)):
        extra, kind = (1, "txt") if given == "longer" else (0, given)
        path = tmp_path / f"{side}.{'text' if kind == 'kaldi' else kind}"
        path.write_text("".join(f"{LINES[kind](n)}\n" for n in range(COUNT + extra)))
        paths.append(str(path))
    sizes: Counter[str] = Counter()
    open_file = builtins.open

    class Counted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data: bytes = super().read(-1 if size is None else size) or b""
            sizes[str(self.name)] += len(data)
            return data

        def readall(self) -> bytes:
            data: bytes = super().readall() or b""
            sizes[str(self.name)] += len(data)
            return data

    def counting(file: Any, *arguments: Any, **options: Any) -> Any:
        is_side = file in paths and options.get("buffering") == 0
        return Counted(file) if is_side else open_file(file, *arguments, **options)

    monkeypatch.setattr(builtins, "open", counting)
    assert main(["wer", *paths]) == 0
    monkeypatch.undo()
    for name in paths:
        size = Path(name).stat().st_size
        assert size <= sizes[name] <= size + MARGIN, (name, size, sizes[name])


def kaldi_text(side: str) -> str:
    return "".join(f"anna-{number} {WORDS} {side}\n" for number in range(9))


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("ref", "hyp"), kaldi_text),
        (("ref.txt", "hyp.txt"), kaldi_text),
        (("ref", "hyp"), lambda side: f"{WORDS} {side}\n" * 9),
        (("ref", "hyp"), lambda side: json.dumps({"anna-1": side, "anna-2": WORDS})),
    ],
)
def test_a_file_of_an_unknown_format_is_opened_once(
    names: tuple[str, str],
    text: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = [str(tmp_path / name) for name in names]
    for path in paths:
        Path(path).write_text(text(path))
    opened: Counter[str] = Counter()
    open_file = builtins.open

    def counting(file: Any, *arguments: Any, **options: Any) -> Any:
        opened[file] += file in paths and options.get("buffering") == 0
        return open_file(file, *arguments, **options)

    heard: list[str] = []
    monkeypatch.setattr(builtins, "open", counting)
    with heard_by(lambda stage, done, of: heard.append(stage)):
        status = main(["wer", *paths])
    monkeypatch.undo()
    assert status == 0
    assert [opened[path] for path in paths] == [1, 1]
    assert [heard.count(f"reading {path}") for path in paths] == [1, 1]


def test_a_file_that_is_opened_once_has_the_remarks_of_its_encoding_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ref", "hyp"):
        (tmp_path / name).write_text(kaldi_text("cats"), "utf-16-le")
    assert main(["wer", str(tmp_path / "ref"), str(tmp_path / "hyp")]) == 0
    assert capsys.readouterr().err.count(message_text(UTF_16, encoding="utf-16-le")) == 2
