"""The exception tree: messages, attributes, pickling."""

import pickle
from pathlib import Path

import pytest

import formats
from formats.detection import signs
from formats.detection.errors import UnknownFormatError
from formats.detection.spec import FormatSpec
from formats.schema import errors
from formats.schema.errors import FileLine, FormatError, SyntaxFormatError, message_line, quoted
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.tables import table_of

KINDS = [kind for name, kind in vars(errors).items() if name.endswith("Error")]


def test_message_names_place_and_both_sides() -> None:
    error = SyntaxFormatError(
        path="ref.stm", line=12, column=8, expected="end time", found=quoted("abc")
    )
    assert str(error) == 'ref.stm:12:8: expected end time, found "abc"'
    assert (error.path, error.line, error.column) == ("ref.stm", 12, 8)
    assert (error.expected, error.found) == ("end time", '"abc"')


@each_case(("place", "expected"), table_of(__file__, "unknown_parts_of_the_place_are_left_out"))
def test_unknown_parts_of_the_place_are_left_out(
    place: dict[str, int | str], expected: str
) -> None:
    assert str(FormatError("no good", **place)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_is_a_format_error_and_survives_pickling(kind: type[FormatError]) -> None:
    assert issubclass(kind, FormatError)
    error = kind("no good", path="a.trn")
    error.line = 4
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert str(back) == "a.trn:4: no good"
    assert vars(back) == vars(error)


def test_candidates_survive_pickling() -> None:
    error = UnknownFormatError("which?", candidates=["trn", "stm"])
    assert pickle.loads(pickle.dumps(error)).candidates == ("trn", "stm")


def test_quotes_are_short_and_safe_for_a_terminal() -> None:
    assert quoted("a\x1b[31m\u202e") == '"a\\x1b[31m\\u202e"'
    assert quoted("x" * 81) == '"' + "x" * 80 + '…"'


def test_a_line_may_know_its_file() -> None:
    line = pickle.loads(pickle.dumps(FileLine(3, "b.trn")))
    assert (line, line.path) == (3, "b.trn")
    error = pickle.loads(pickle.dumps(FormatError("no good", path="a.trn", line=line)))
    assert str(error) == "b.trn:3: no good"


@each_case("size", [0, 399, 400, 401, 800, 801, 10**7])
def test_messages_end_at_400_characters_with_the_middle_left_out(size: int) -> None:
    text = "a" * (size // 2) + "z" * (size - size // 2)
    line = message_line(text)
    assert line == text if size <= 400 else len(line) == 400
    assert ("…" in line) == (size > 400)
    assert (line[:1], line[-1:]) == (text[:1], text[-1:])


@each_case("sign", ["\0", "\t", "\n", "\r", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\udcff"])
def test_messages_are_one_line_that_no_terminal_obeys(sign: str) -> None:
    assert message_line(f"é{sign}ü") == f"é\\u{ord(sign):04x}ü"
    assert len(message_line(sign * 1000)) == 400


def test_a_text_of_unknown_format_is_tried_once_and_reported_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    trial = signs._trial

    def counted(spec: FormatSpec, text: str) -> tuple[int, Message | None, int | None]:
        tried.append(spec.name)
        return trial(spec, text)

    monkeypatch.setattr(signs, "_trial", counted)
    path = tmp_path / "a.dat"
    for number in range(3):
        path.write_text(f"u{number} 1.5 a 2.5\nu2 2.5 b 3.5\n")
        reports = []
        for _ in range(2):
            with pytest.raises(formats.UnknownFormatError) as caught:
                formats.read(path)
            reports.append((str(caught.value), caught.value.candidates))
        assert reports[0] == reports[1]
        assert tried
        assert len(tried) == len(set(tried))
        tried.clear()
