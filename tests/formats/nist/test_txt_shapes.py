"""Plain text earns its status: lines that share what is no word are warned of."""

import pytest

from formats import UnknownFormatError, detect
from formats.nist.messages import TXT_SHAPES
from tests.formats.checks import message_text
from tests.formats.conftest import ReadText, WriteFile


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("[1.0s - 1.9s] a{n}: hello you", "stamp-in-brackets"),
        ("0:00:0{n} - 0:00:09 hello you", "stamp"),
        ("SPEAKER_00 [0.4{n}s-1.63s]: hello", "name-and-stamp"),
        ("talk-0{n} 0 -1 hello you", "identifier-and-numbers"),
        ("ctell1-01-00{n} je suis", "identifier"),
        ("Speaker Unknown hello {n}", "speaker"),
    ],
)
def test_lines_that_share_a_beginning_are_warned_of(
    line: str, shape: str, read_text: ReadText
) -> None:
    text = "".join(line.format(n=n) + "\n" for n in range(4))
    transcript = read_text(text, "txt")
    messages = [d.message for d in transcript.diagnostics if d.code == "TXT-SHAPE"]
    assert messages == [message_text(TXT_SHAPES[shape], lines=4, total=4)]


@pytest.mark.parametrize("text", ["we met\non 3 May\nat noon\n", "2021-01-05 we met\n" * 4])
def test_prose_is_not(text: str, read_text: ReadText) -> None:
    assert not read_text(text, "txt").diagnostics


def test_a_list_of_paths_is_rejected(write_file: WriteFile) -> None:
    path = write_file("a.txt", "data/a.wav|data/a.npy\ndata/b.wav|data/b.npy\n")
    with pytest.raises(UnknownFormatError, match="a list of paths of files"):
        detect(path)


def test_labels_of_few_classes_are_warned_of(read_text: ReadText) -> None:
    text = "".join(f"{n}\t{n + 1}\t{'music' if n % 2 else 'other'}\n" for n in range(6))
    assert "AUDACITY-CLASSES" in [d.code for d in read_text(text, "audacity").diagnostics]
