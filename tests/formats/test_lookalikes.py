"""Files that only look like a format are rejected by name; ordinary files of the format are not."""

from collections.abc import Callable

import pytest

import formats
from formats import FormatError, UnknownFormatError
from formats.io.messages import PATHS, SPEAKER_MAP, SPLIT_NAME
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.tables import table_of

WriteFile = Callable[[str, "str | bytes"], str]


@pytest.mark.parametrize(
    ("name", "content", "title"), table_of(__file__, "lookalikes_are_rejected_by_name")
)
def test_lookalikes_are_rejected_by_name(
    write_file: WriteFile, name: str, content: str, title: str
) -> None:
    path = write_file(name, content)
    for action in (formats.detect, formats.read):
        with pytest.raises(UnknownFormatError) as caught:
            action(path)
        read_as = caught.value.candidates[0]
        entry = SPEAKER_MAP if title == "Kaldi's spk2utt" else PATHS
        assert caught.value.value == Message(entry, {"format": read_as})
    assert read_as in ("txt", "stm")


@each_case(
    ("name", "content", "position", "read_as"),
    table_of(__file__, "blanks_in_names_of_recordings_are_rejected"),
)
def test_blanks_in_names_of_recordings_are_rejected(
    write_file: WriteFile, name: str, content: str, position: str, read_as: str
) -> None:
    path = write_file(name, content)
    for action in (formats.detect, formats.read):
        with pytest.raises(FormatError) as caught:
            action(path)
        assert caught.value.value == Message(SPLIT_NAME, {"name": "my rec", "format": read_as})
        assert str(caught.value).startswith(f"{name}:{position}: ")
    assert formats.read(path, read_as).segments


@each_case(("name", "content", "expected"), table_of(__file__, "ordinary_files_are_still_detected"))
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
