"""Files that only look like a format are rejected by name; ordinary files of the format are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import formats
from formats import UnknownFormatError

WriteFile = Callable[[str, "str | bytes"], str]


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        (
            "spk2utt.txt",
            "0003 000030012 000030024 000030040 000030047\n0024 000240010 000240031 000240060 000240071\n",
            "Kaldi's spk2utt",
        ),
        ("spk2utt.stm", "s1 s1-a s1-b\ns2 s2-a\n", "Kaldi's spk2utt"),
    ],
)  # fmt: skip
def test_lookalikes_are_rejected_by_name(
    write_file: WriteFile, name: str, content: str, title: str
) -> None:
    path = write_file(name, content)
    for action in (formats.detect, formats.read):
        with pytest.raises(UnknownFormatError) as caught:
            action(path)
        assert f"{name}: expected a transcript, found what looks like {title}" in str(caught.value)
        read_as = caught.value.candidates[0]
        assert f"--from {read_as} reads it as {read_as} all the same" in str(caught.value)
    assert read_as in ("txt", "stm")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "s1 s1-a s1-b\n", "txt"),
        ("a.txt", "[anne] 21:54:00\nhello there\n\n[bob] 21:54:02\nhi\n", "speaker-text"),
        ("a.txt", "16:02:22 One moment.\n16:02:24 Yes.\n", "speaker-text"),
        ("a.txt", "0 46797 She had a dark suit.\n", "timit"),
        ("a.txt", "data/a/1.wav|88|It had happened.\n", "ljspeech"),
        ("a.csv", "audio_file|text|speaker_name\n1.wav|Hello there|bob\n", "ljspeech"),
        ("a.lab", "0.2 4.83 speech\n8.18 10.8 speech\n37 39 speech\n", "speech-activity"),
        ("a.lab", "0.000 25.150 sp\n25.520 34.490 sp\n", "speech-activity"),
        ("a.csv", "labels\tstart\tstop\nmusic\t0.0\t3.2\n", "ina-segments"),
        ("a.match", "he was not (book_1-0880 -11423)\n(book_1-0890 -12)\n", "sphinx-hyp"),
        ("a.txt", "A|Well, what are your,|qw\nB|Uh, not very often.|ng\n", "dialogue-acts"),
        ("a.txt", "me003|okay.|S|s|bk\nme010|let's see.|S|s|s\n", "dialogue-acts"),
        (
            "a.txt",
            "Found 2 args.\nObservation: q1; Result size: 2; atts: 2\nwho\t$m\ng\tso\n",
            "nxt-query",
        ),
        ("a.txt", "no no no\nyes yes\n", "txt"),
        ("a.txt", "[anne] hello\n", "txt"),
        ("a.txt", "16:02:22 was the time\nshe said\n", "txt"),
        ("a.txt", "0 46797 She had\n0 5 a dark suit.\n", "txt"),
        ("a.txt", "a | b\nc d\n", "txt"),
        ("a.txt", "data/a/1.wav|It had happened.\ndata/a/2.wav|Yes no.\n", "ljspeech"),
        ("a.lab", "0 100000 sp\n100000 200000 sp\n", "htk"),
        ("a.lab", "0.2 4.83 speech\n8.18 10.8 music\n", "htk"),
        ("a.trn", "he was not (book_1 0880)\n", "trn"),
        ("a.stm", "f1 1 f1 0 1 f1\nf2 1 f2 0 1 a\n", "stm"),
    ],
)
def test_ordinary_files_are_still_detected(
    write_file: WriteFile, name: str, content: str, expected: str
) -> None:
    assert formats.detect(write_file(name, content)) == expected


def test_a_named_format_wins(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("a.txt", "a1 a1-1 a1-2\nb1 b1-1\n"), "txt")
    assert transcript[0].words == ("a1", "a1-1", "a1-2", "b1", "b1-1")


def test_a_long_field_takes_no_time(write_file: WriteFile) -> None:
    line = "a1" * 20_000
    assert formats.detect(write_file("a.txt", f"{line} b{line}\n" * 2)) == "txt"
