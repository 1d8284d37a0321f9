"""The report opens with words: a sentence, the marked text, frequent errors; views have addresses."""

from pathlib import Path

import pytest

import scoring
from tests.scoring.pages.html.conftest import Browser

REFERENCE = {"u1": "the cat sat on the mat", "u2": "a dog ran", "u3": "the bird sang"}
HYPOTHESIS = {"u1": "the hat sat on a mat", "u2": "a dog ran away", "u3": "the hat sang"}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reading") / "report.html"
    speakers = {"u1": "ann", "u2": "bob", "u3": "bob"}
    rates = scoring.wer(REFERENCE, HYPOTHESIS, speakers=speakers, keep_sources=True)
    scoring.html_report(rates, path)
    return path


def test_the_first_line_is_the_rate_in_words(written: Path) -> None:
    text = written.read_text("utf-8")
    assert '<p class="lead">4 of 12 words are wrong: 33.3\u00a0%.</p>' in text


def test_the_text_shows_the_errors_by_speaker(browser: Browser, written: Path) -> None:
    browser.open(written, "#view=text")
    assert browser.text("#tab-text[aria-selected=true]") == "Text"
    heads = browser.run(
        "return [...document.querySelectorAll('#reading header')].map((one) => one.innerText.trim())"
    )
    assert heads == ["ann", "bob"]
    read = browser.run("return document.querySelector('#reading .turn p').textContent")
    assert " ".join(read.replace("¶", "").split()) == "the cat hat sat on the a mat"
    marks = browser.run(
        "return [...document.querySelectorAll('#reading :is(del, ins)')]"
        ".map((one) => one.className + one.textContent)"
    )
    assert marks == ["Scat", "Shat", "Sthe", "Sa", "Iaway", "Sbird", "Shat"]
    browser.click('#reading [data-row="2"] button')
    assert "u3" in browser.text("#detail h2")
    assert browser.complaints() == []


def test_an_address_brings_back_view_and_filters(browser: Browser, written: Path) -> None:
    browser.open(written)
    browser.click("#tab-speaker")
    browser.run(
        "const kind = document.querySelector('#kind'); kind.value = 'substitutions';"
        "kind.dispatchEvent(new Event('change'))"
    )
    address = browser.run("return location.hash")
    assert address == "#kind=substitutions&view=speaker"
    browser.open(written, address)
    assert browser.run("return document.querySelector('#kind').value") == "substitutions"
    assert browser.text("#state strong") == "2 of 3 utterances"
    assert browser.run("return document.querySelector('#panel-speaker').hidden") is False
    browser.open(written, "#view=nothing")
    assert browser.run("return document.querySelector('#panel-overview').hidden") is False


def test_the_text_of_a_talk_is_accessible(browser: Browser, written: Path) -> None:
    browser.open(written, "#view=text")
    assert browser.violations() == []
