"""Verdicts on differing spans in the page: marked, saved, and read by `wer`."""

import json
from pathlib import Path

import pytest

import scoring

from .conftest import Browser

REFERENCE = {
    "u1": "it costs fifty dollars today",
    "u2": "we saw it",
    "u3": "the fifty brave <b>men",
}
HYPOTHESIS = {"u1": "it costs 50 dollars to day", "u2": "we saw it", "u3": "the 50 brave men"}
CHOOSE = (
    "const one = [...document.querySelectorAll('select')].find((select) =>"
    " select.getAttribute('aria-label') === arguments[0]); one.value = arguments[1];"
    "one.dispatchEvent(new Event('change', {bubbles: true}))"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    verdicts = tmp_path / "before.jsonl"
    verdicts.write_text(
        '{"reference":"today","hypothesis":"to day","verdict":"same","reviewer":"ben"}\n'
    )
    rates = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=verdicts, keep_sources=True)
    scoring.html_report(rates, tmp_path / "page.html")
    return tmp_path / "page.html"


def save(browser: Browser, path: Path) -> None:
    path.unlink(missing_ok=True)
    browser.saved("#save-verdicts", path)


def test_marks_are_saved_as_a_file_that_counts(page: Path, browser: Browser) -> None:
    browser.open(page)
    browser.click("#tab-verdicts")
    rows = [row[:3] for row in browser.rows("#panel-verdicts")]
    assert rows == [["fifty", "50", "2"], ["today", "to day", "1"], ["<b>men", "men", "1"]]
    browser.run(
        "const by = document.getElementById('verdicts-by'); by.value = 'anna';"
        "by.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    browser.run(CHOOSE, "Verdict on fifty → 50", "minor")
    # in one place otherwise
    browser.click("#tab-utterances")
    browser.run("location.hash = '#utterance=u3'")
    browser.wait("return document.querySelector('#detail h2 bdi').textContent === 'u3'")
    browser.wait("return document.querySelectorAll('#detail select').length === 2")
    browser.run(CHOOSE, "Verdict on fifty → 50, here", "error")
    browser.click("#tab-verdicts")
    path = page.with_name("verdicts.jsonl")
    save(browser, path)
    head, kept, anywhere, here = list(map(json.loads, path.read_text("utf-8").splitlines()))
    assert head == {"schema": "sclite-kit/verdicts", "version": 1}
    assert kept == {
        "reference": "today",
        "hypothesis": "to day",
        "context": None,
        "verdict": "same",
        "reviewer": "ben",
        "decided_at": None,
    }
    assert (anywhere["context"], anywhere["verdict"], anywhere["reviewer"]) == (
        None,
        "minor",
        "anna",
    )
    assert anywhere["decided_at"].endswith("Z")
    spans = scoring.wer(REFERENCE, HYPOTHESIS).differing_spans()
    contexts = {
        span.context for span in spans if (span.utterance, span.reference) == ("u3", "fifty")
    }
    assert {here["context"]} == contexts
    found = scoring.wer(REFERENCE, HYPOTHESIS, verdicts=path).adjudication
    assert found is not None
    assert [tally.errors for tally in found[:4]] == [2, 1, 1, 1]
    assert browser.complaints() == []


def test_the_page_shows_the_rates_and_takes_decisions_back(page: Path, browser: Browser) -> None:
    browser.open(page)
    heads = browser.run(
        "return [...document.querySelectorAll('#systems thead th')].map((one) => one.innerText)"
    )
    [cells] = browser.rows("#systems")
    shown = dict(zip(heads, cells, strict=True))
    assert (shown["Rate\N{NO-BREAK SPACE}%"], shown["After verdicts\N{NO-BREAK SPACE}%"]) == (
        "41.67",
        "25.00",
    )
    browser.click("#panel-overview > details > summary")
    assert "verdicts: 5 errors before; 2 forgiven" in browser.text(".card")

    # a decision is taken back
    browser.click("#tab-verdicts")
    browser.run(CHOOSE, "Verdict on today → to day", "")
    browser.run(CHOOSE, "Verdict on <b>men → men", "same")
    path = page.with_name("verdicts.jsonl")
    save(browser, path)
    [_, line] = path.read_text("utf-8").splitlines()
    assert (json.loads(line)["reference"], json.loads(line)["reviewer"]) == ("<b>men", None)


def test_the_view_is_accessible(page: Path, screen: Browser) -> None:
    screen.open(page)
    for width in (1400, 400):
        screen.look(width)
        for view in ("verdicts", "utterances"):
            screen.show(view)
            assert screen.run("return document.documentElement.scrollWidth <= innerWidth")
        # both views at a time, as axe reads all of the page
        screen.run("document.getElementById('panel-verdicts').hidden = false")
        assert screen.violations() == []
