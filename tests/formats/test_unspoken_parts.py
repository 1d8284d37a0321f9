"""Parts and rows of tables and JSON that nobody says: directions, sounds, notices of chats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import formats
from formats import Transcript

Row = dict[str, object]
DOORS = ("csv", "jsonl", "json")
SAID = "so it is, and well"


def read(folder: Path, door: str, rows: list[Row]) -> Transcript:
    """Read rows as a table, as JSON lines, or as a list of JSON."""
    path = folder / f"talk.{door}"
    if door == "csv":
        table = io.StringIO()
        writer = csv.DictWriter(table, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
        text = table.getvalue()
    elif door == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        text = json.dumps({"turns": rows}, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return formats.read(path)


def turns(texts: list[str], names: str = "AB") -> list[Row]:
    """Return turns of people in order."""
    return [{"speaker": f"P{names[n % len(names)]}", "text": t} for n, t in enumerate(texts)]


def codes(transcript: Transcript) -> list[str]:
    """Return the codes of the remarks."""
    return [diagnostic.code for diagnostic in transcript.diagnostics]


def texts(transcript: Transcript) -> list[str]:
    """Return the texts of the segments."""
    return [" ".join(segment.words) for segment in transcript]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("So [laughs] it is. [opens the door] Come in.", "So it is. Come in."),
        ("So (laughs), it is. Come (all of us) in.", "So, it is. Come (all of us) in."),
        ("そう（笑）だね。はい。", "そうだね。はい。"),
        ("*sighs* So it is. *Really* so.", "So it is. *Really* so."),
    ],
)
def test_directions_that_return_are_no_words(
    door: str, marked: str, plain: str, tmp_path: Path
) -> None:
    transcript = read(tmp_path, door, turns([marked, SAID] * 4))
    assert texts(transcript) == [plain, SAID] * 4
    assert "DIRECTIONS-LEFT" in codes(transcript)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "text",
    ["So [Ben] it is.", "So it (as I said) is.", "The road [to Bern] is [very] long [sic]."],
)
def test_other_parts_in_brackets_are_words(door: str, text: str, tmp_path: Path) -> None:
    assert texts(read(tmp_path, door, turns([text, SAID] * 4))) == [text, SAID] * 4


@pytest.mark.parametrize("door", DOORS)
def test_a_single_sound_is_a_word_and_told(door: str, tmp_path: Path) -> None:
    transcript = read(tmp_path, door, turns(["So (laughs) it is.", SAID, SAID, SAID]))
    assert texts(transcript)[0] == "So (laughs) it is."
    assert {"BRACKETS-LEFT"} == {*codes(transcript)} & {"BRACKETS-LEFT", "DIRECTIONS-LEFT"}


def test_directions_in_our_own_rows_are_words(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"recording": "r", "start": n, "end": n + 1, "text": "So [laughs] it is."} for n in range(5)
    ]
    assert texts(read(tmp_path, "jsonl", rows)) == ["So [laughs] it is."] * 5


@pytest.mark.parametrize("door", DOORS)
def test_what_the_program_of_a_chat_wrote_is_no_turn(door: str, tmp_path: Path) -> None:
    rows = turns([SAID, "<Media omitted>", "well then", SAID, "image omitted", "no", SAID])
    secured = "Messages to this group are now secured with end-to-end encryption."
    rows.insert(0, {"speaker": "server", "text": secured})
    rows.insert(3, {"speaker": "group_notification", "text": "Ann added Ben"})
    transcript = read(tmp_path, door, rows)
    assert texts(transcript) == [SAID, "well then", SAID, "no", SAID]
    assert [
        d.value.fields["count"] for d in transcript.diagnostics if d.code == "CHAT-NOTICES"
    ] == [4]


@pytest.mark.parametrize("door", DOORS)
def test_people_may_talk_of_encryption_and_serve(door: str, tmp_path: Path) -> None:
    rows = turns([SAID, "Messages are encrypted end-to-end, they say.", "well then", SAID])
    rows += [{"speaker": "server", "text": "what may it be today"}] * 2
    transcript = read(tmp_path, door, rows)
    assert len(texts(transcript)) == len(rows)
    assert "CHAT-NOTICES" not in codes(transcript)


@pytest.mark.parametrize("door", DOORS)
def test_notices_without_people_are_read(door: str, tmp_path: Path) -> None:
    rows = turns(["<Media omitted>", "image omitted", SAID, "video omitted"], names="A")
    assert len(texts(read(tmp_path, door, rows))) == len(rows)
