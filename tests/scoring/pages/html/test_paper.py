"""The page on paper: how many sheets it takes, and what is on them."""

import re
from pathlib import Path

import pytest

import scoring
from scoring.regression.ranking import rank
from scoring.score.rates import ErrorRates

from .conftest import Browser, scored, scored_with_times

UTTERANCES = 5_000
MOST_SHEETS = 13
LETTER, A4 = (8.5, 11.0), (8.27, 11.69)
ROOM = round(96 * (210 - 24) / 25.4)  # pixels between the margins of A4
TABLES = """
return [...document.querySelectorAll("table.numbers")].filter((one) => one.checkVisibility())
  .map((one) => ({
    name: one.caption?.innerText ?? "Systems",
    heads: [...one.tHead.rows[one.tHead.rows.length - 1].cells].map((cell) => cell.innerText.trim()),
    systems: [...one.querySelectorAll("thead .system")].map((cell) => cell.innerText),
    rows: one.tBodies[0].rows.length,
    right: Math.max(...[...one.querySelectorAll("th, td")]
      .map((cell) => cell.getBoundingClientRect().left + cell.scrollWidth)),
  }))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[ErrorRates], Path]:
    folder = tmp_path_factory.mktemp("paper")
    systems = scored(UTTERANCES, folder)
    scoring.html_report(systems, folder / "page.html")
    return systems, folder / "page.html"


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with all views: labels, recordings, durations, time, confidences, ranking."""
    folder = tmp_path_factory.mktemp("rich")
    systems = scored_with_times(UTTERANCES, folder)
    intervals = [scoring.confidence_interval(one) for one in systems]
    page = folder / "page.html"
    scoring.html_report(systems, page, intervals=intervals, ranking=rank(systems))
    return page


def sheets_of(printed: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", printed))


@pytest.mark.release
def test_it_takes_few_sheets_with_all_views(rich: Path, browser: Browser) -> None:
    assert 8 <= sheets_of(browser.printed(rich, *LETTER)) <= MOST_SHEETS
    views = {"label", "speaker", "recording", "length", "duration", "time", "confidence", "errors"}
    assert views < set(browser.views())


@pytest.mark.release
def test_it_takes_few_sheets(large: tuple[list[ErrorRates], Path], browser: Browser) -> None:
    assert 4 <= sheets_of(browser.printed(large[1], *A4)) <= MOST_SHEETS
    # and the screen is as it was
    assert browser.run("return document.getElementById('printed')") is None
    browser.click("#tab-speaker")
    assert len(browser.rows("#panel-speaker")) == 40


def test_the_worst_utterances_are_on_it(
    large: tuple[list[ErrorRates], Path], screen: Browser
) -> None:
    systems, path = large
    screen.open(path)
    screen.run("dispatchEvent(new Event('beforeprint'))")
    screen.look(ROOM, media="print")
    most = [
        max(one.errors, other.errors)
        for one, other in zip(*(rates.per_utterance for rates in systems), strict=True)
    ]
    wrong = sum(map(bool, most))
    worst = sorted(range(UTTERANCES), key=lambda at: -most[at])[:50]
    names = screen.run(
        "return [...document.querySelectorAll('#printed h3')].map((one) => one.innerText)"
    )
    assert names == [systems[0].identifiers[at] for at in worst]
    title = f"The 50 with the most errors of {wrong:,} utterances with errors"
    assert screen.text("#printed h2") == title
    for selector in ("#tabs", "#search", "#panel-utterances", ".more"):
        hidden = "return !document.querySelector(arguments[0]).checkVisibility()"
        assert screen.run(hidden, selector), selector
    assert "utterances" in screen.text("#state")


def test_tables_have_all_columns(tmp_path: Path, screen: Browser) -> None:
    reference = tmp_path / "r.trn"
    reference.write_text("".join(f"a b c d ({name}-1)\n" for name in "xyz"))
    texts = ("a x c d", "a c d", "a b b c d", "a b c d", "b c d", "x x x x", "a b x d")
    systems = []
    for number, text in enumerate(texts):
        hypothesis = tmp_path / f"system{number}.trn"
        hypothesis.write_text("".join(f"{text} ({name}-1)\n" for name in "xyz"))
        systems.append(scoring.wer(reference, hypothesis))
    path = tmp_path / "page.html"
    scoring.html_report(systems, path, intervals=[scoring.confidence_interval(x) for x in systems])
    screen.open(path)
    screen.run("dispatchEvent(new Event('beforeprint'))")
    screen.look(ROOM, media="print")
    tables = screen.run(TABLES)
    assert [one for one in tables if one["right"] > ROOM + 1] == []
    speakers = [table for table in tables if table["name"] == "Rates by speaker (3)"]
    assert len(speakers) > 1
    assert [name for one in speakers for name in one["systems"]] == [
        f"system{number}.trn" for number in range(len(texts))
    ]
    assert [one["heads"][0] for one in speakers] == ["Speaker"] * len(speakers)
    heads = [head for one in speakers for head in one["heads"][1:]]
    assert (
        heads.count("Rate\N{NO-BREAK SPACE}%")
        == heads.count("Sub")
        == heads.count("Ins")
        == len(texts)
    )
    assert heads[:2] == ["Utterances ▾", "Words"]
    substitutions = [one for one in tables if one["name"].startswith("Substitutions")]
    assert [head for one in substitutions for head in one["heads"] if "system" in head] == [
        f"system{number}.trn" for number in range(len(texts))
    ]


def test_long_tables_say_what_is_left_out(tmp_path: Path, screen: Browser) -> None:
    path = tmp_path / "page.html"
    words = [f"word{number}" for number in range(90)]
    rates = scoring.wer({"u": " ".join(words)}, {"u": " ".join(reversed(words))})
    scoring.html_report(rates, path)
    screen.open(path)
    screen.run("dispatchEvent(new Event('beforeprint'))")
    screen.look(ROOM, media="print")
    for table in screen.run(TABLES):
        assert table["rows"] <= 12
    rests = screen.run(
        "return [...document.querySelectorAll('.rest')].filter((one) => one.checkVisibility())"
        ".map((one) => one.innerText)"
    )
    substitutions = len({pair for pair in rates.alignment("u") if pair.edit.letter == "S"})
    assert f"and {substitutions - 12} more" in rests
    assert any(rest.endswith("more lines") for rest in rests)
    screen.run("dispatchEvent(new Event('afterprint'))")
    screen.look(0)
    screen.click("#tab-errors")
    assert len(screen.rows("#panel-errors .wide")) > 25
