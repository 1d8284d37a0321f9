"""Meetings in reports: who was taken for whom, and rows that are streams or segments."""

import re
from pathlib import Path

import pytest

from scoring.cli.scoring import main

REFERENCE = """m1 1 anna 0 4 good morning everybody
m1 1 ben 3.5 7 thank you anna
m1 1 carl 12 15 i have a question
m2 1 ben 0 4 shall we begin
"""
HYPOTHESIS = """m1 1 spk1 0 4 good morning everybody
m1 1 spk0 3.5 7 thank you hannah
m2 1 x 0 4 shall we begin
m2 1 y 4 5 oh
"""


@pytest.fixture(autouse=True)
def meeting(current_folder: Path) -> None:
    (current_folder / "r.stm").write_text(REFERENCE)
    (current_folder / "h.stm").write_text(HYPOTHESIS)


def test_the_assignment_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """In text and on the page; with a dash for nobody."""
    assert main(["wer", "r.stm", "h.stm", "--meeting", "cp", "--html", "page.html"]) == 0
    lines = capsys.readouterr().out.splitlines()
    pairs = {"m1": "anna=spk1, ben=spk0, carl=-", "m2": "ben=x, -=y"}
    for session, text in pairs.items():
        assert f"assignment of {session}: {text}" in lines
    page = Path("page.html").read_text()
    found = re.findall('<p class="assignment"><bdi>(.*?)</bdi>: <bdi>(.*?)</bdi>', page)
    assert dict(found) == pairs


@pytest.mark.parametrize(
    ("measure", "items", "rows"),
    [("cp", "speakers", "session speakers"), ("orc", "segments", "segments")],
)
def test_rows_have_the_name_of_the_measure(
    capsys: pytest.CaptureFixture[str], measure: str, items: str, rows: str
) -> None:
    flags = ["--meeting", measure, "--by", "speaker", "--html", "page.html"]
    assert main(["wer", "r.stm", "h.stm", *flags]) == 0
    text = capsys.readouterr().out
    assert f"Scored 5 {items}, " in text
    assert f"mean of {items}" in text
    assert re.search(rf"(?m)^speaker +{items} +words", text)
    assert "utterances" not in text
    page = Path("page.html").read_text()
    assert f'data-items="{rows}"' in page
    assert f'<th scope="col">{items.capitalize()}</th>' in page
    assert ("assignment of" in text) == (measure == "cp")
    # counts of zero are left out of the page
    assert re.search("sessions: 2 matched by [a-z]+</span>", page)
