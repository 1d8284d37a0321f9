"""Sessions as lanes over time: what stands where, and what a browser makes of it."""

import wave
from pathlib import Path

import pytest

import scoring
from scoring.options import Measure
from scoring.pages.html.lanes import lanes_of
from scoring.score.rates import ErrorRates
from tests.scoring.score.test_meetings import written

from .conftest import Browser
from .test_payload import unpacked

REFERENCE = """\
m1 1 Alice 0 4 hello how are you
m1 1 Bob 3 6 i am fine
m1 1 Alice 6 9 good to hear
m2 1 Carl 0 3 one two three
"""
# `fine` of Bob is heard on Alice's stream, and somebody else says `well`.
HYPOTHESIS = """\
m1 1 s1 0 4 hello how are you
m1 1 s2 3 5 i am
m1 1 s1 5 6 fine
m1 1 s1 6 9 good too hear
m1 1 s3 9 10 well
m2 1 s1 0 3 one three
"""
HOSTILE = '<img/src=x/onerror="hacked=1">'


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path, REFERENCE, HYPOTHESIS)


def scored(sides: tuple[Path, Path], measure: Measure) -> ErrorRates:
    return scoring.wer(*sides, meeting=measure, keep_sources=True)


@pytest.mark.parametrize("measure", ["cp", "tcp", "orc", "tcmimo", "dicp", "ditcp"])
def test_words_given_to_another_speaker(sides: tuple[Path, Path], measure: Measure) -> None:
    rates = scored(sides, measure)
    lanes = lanes_of(rates)
    assert lanes is not None
    assert [one.name for one in lanes.meetings] == ["m1", "m2"]
    first, second = (set(one.lanes) for one in lanes.meetings)
    assert {("Alice", "s1"), ("Bob", "s2")} <= first
    assert second == {("Carl", "s1")}
    assert sum(one.utterances for one in lanes.meetings) == len(rates)
    said, heard = (
        [word for words in side for word in words]
        for side in (rates.aligned.references, rates.aligned.hypotheses)
    )
    assert (len(lanes.spoken), len(lanes.heard)) == (len(said), len(heard))
    assert ("fine", "fine") in [(said[one], heard[other]) for one, other in lanes.moved]
    for one, other in lanes.moved:
        assert lanes.spoken[one] != lanes.heard[other]


def test_the_same_word_long_after_is_another_one(tmp_path: Path) -> None:
    for start, found in ((6, 1), (12, 0)):
        hypothesis = f"m 1 x 0 1 a\nm 1 x {start} {start + 1} b\nm 1 y 1 2 d e\n"
        sides = written(tmp_path, "m 1 A 0 1 a\nm 1 B 1 2 d e\nm 1 B 2 3 b\n", hypothesis)
        lanes = lanes_of(scored(sides, "cp"))
        assert lanes is not None
        assert len(lanes.moved) == found


def test_without_times_or_speakers_there_are_no_lanes(
    tmp_path: Path, sides: tuple[Path, Path]
) -> None:
    assert lanes_of(scoring.wer(*sides, meeting="cp")) is None
    assert lanes_of(scoring.wer("a", "b", keep_sources=True)) is None
    found = unpacked(scored(sides, "cp"))
    assert [one["name"] for one in found.head["systems"][0]["meetings"]] == ["m1", "m2"]
    assert len(found.column("system0.said.lanes")) == 13
    # in proportion to the letters of `hello how are you`
    assert found.steps("system0.said.starts")[:4] == [0, 1429, 2286, 3143]


def test_lanes_in_a_browser(tmp_path: Path, sides: tuple[Path, Path], browser: Browser) -> None:
    rates = scored(sides, "cp")
    path = tmp_path / "page.html"
    scoring.html_report([rates, rates], path)
    browser.open(path)
    assert browser.text("h1") == "cpWER, word error rate: reference.stm"
    # speakers by name, and what they said in each session, are different views and choices
    tabs = browser.run(
        "return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)"
    )
    assert len(set(tabs)) == len(tabs)
    assert {"Rates by speaker", "Session speakers"} < set(tabs)
    first = "return document.querySelector(arguments[0]).options[0].text"
    assert browser.run(first, "#kind") == "all session speakers"
    assert browser.run(first, "#group-speaker") == "any speaker"
    assert browser.text("#state strong").endswith(" session speakers")
    browser.click("#tab-lanes")
    browser.wait("return document.querySelectorAll('.lane-word').length === 21")
    assert browser.text("#panel-lanes .lane-names").split() == [
        "Alice", "s1", "Bob", "s2", "nobody", "s3",
    ]  # fmt: skip
    count = "return document.querySelectorAll(arguments[0]).length"
    letters = {letter: browser.run(count, f".lane-word.{letter}") for letter in "CSDI"}
    # a substitution is seen on both sides
    expected = rates.select([at for at, one in enumerate(rates.session_of) if one == "m1"]).counts
    assert letters == {
        "C": 2 * expected.correct,
        "S": 2 * expected.substitutions,
        "D": expected.deletions,
        "I": expected.insertions,
    }
    assert browser.run(count, ".lane-line") == 1
    assert browser.rows("#panel-lanes") == [["4.29 s", "fine", "Bob", "Alice"]]
    title = "return document.querySelector('.lane-word.D.given title').textContent"
    assert browser.run(title) == "fine, deletion, 4.29 s, said by Bob, given to Alice"

    browser.run("document.querySelector('.lane-word.D.given rect').dispatchEvent("
                "new MouseEvent('click', {bubbles: true}))")  # fmt: skip
    assert browser.run("return document.getElementById('tab-utterances').ariaSelected") == "true"
    assert browser.text("#detail h2 bdi") == "m1-Bob"
    assert browser.text("#detail td.here .letter") == "D"
    # a page that grows narrower is drawn anew
    browser.run("document.getElementById('detail').querySelector('.words').dataset.old = ''")
    browser.run("document.body.style.maxInlineSize = '1000px'")
    browser.wait("return !document.querySelector('#detail .words[data-old]')")
    assert browser.text("#detail td.here .letter") == "D"

    browser.click("#tab-lanes")
    browser.choose("lanes-session", "1")
    browser.wait("return document.querySelectorAll('.lane-word').length === 5")
    assert browser.text("#panel-lanes .lane-names").split() == ["Carl", "s1"]
    browser.choose("lanes-session", "0")
    browser.choose("lanes-scale", "400")
    browser.wait("return document.querySelector('.lane-space').clientWidth > 3600")
    width = "return document.querySelector('.lane-space').clientWidth"
    widest = browser.run(width)
    for zoom, factor in (("in", 1), ("out", 0.5), ("out", 0.25), ("in", 0.5)):
        browser.click(f"[aria-label='Zoom {zoom}']")
        assert browser.run(width) == pytest.approx(factor * widest, abs=33)
    browser.run("document.getElementById('lanes').focus()")
    browser.driver.switch_to.active_element.send_keys("-")
    assert browser.run(width) == pytest.approx(widest / 4, abs=33)
    assert browser.run("return document.getElementById('lanes-scale').value") == "100"
    assert browser.complaints() == []
    asked = {address for address in browser.requests() if not address.startswith("data:")}
    assert asked <= {path.as_uri()}


def test_lanes_show_all_at_first_and_the_text_of_both_sides(
    tmp_path: Path, sides: tuple[Path, Path], screen: Browser
) -> None:
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    for name in ("m1", "m2"):
        with wave.open(str(sounds / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(16000))
    path = tmp_path / "page.html"
    scoring.html_report(scored(sides, "cp"), path, audio=sounds)
    screen.look(1400, "light")
    screen.open(path)
    screen.click("#tab-lanes")
    screen.wait("return document.querySelectorAll('.lane-text li').length > 2")
    assert screen.run("return document.getElementById('lanes-scale').value") == "0"
    box = "const box = document.getElementById('lanes');"
    screen.wait(f"{box} return box.scrollWidth <= box.clientWidth")  # fitted after each resize
    window = "return Number(document.querySelector('.lane-window').getAttribute('width'))"
    screen.wait(f"{window} > 380")  # of 400 columns
    screen.choose("lanes-scale", "400")
    screen.wait(f"{window} < 380")
    screen.run(
        "const strip = document.querySelector('.lane-overview').getBoundingClientRect();"
        "document.querySelector('.lane-overview').dispatchEvent(new PointerEvent('pointerdown',"
        " {clientX: strip.right - 1, clientY: strip.top + 5, bubbles: true}))"
    )
    screen.wait(f"{box} return box.scrollLeft > 0")
    screen.choose("lanes-scale", "0")
    screen.wait("return document.querySelectorAll('.lane-text li:not(.lane-head)').length === 3")
    rows = screen.run(
        "return [...document.querySelectorAll('.lane-text li:not(.lane-head)')].map((row) =>"
        " [...row.children].slice(1).map((cell) => cell.textContent.trim()))"
    )
    assert rows == [
        ["Alice", "hello how are you good to hear", "hello how are you fine good too hear"],
        ["Bob", "i am fine", "i am"],
        ["s3", "", "well"],
    ]
    screen.run(
        "document.querySelector('.lane-word.D.given rect').dispatchEvent("
        "new MouseEvent('mouseover', {bubbles: true}))"
    )
    assert screen.text(".lane-pointed") == "fine, deletion, 4.29 s, said by Bob, given to Alice"
    screen.run("document.querySelector('.lane-text [aria-label^=Play]').click()")
    assert "m1.wav#t=0," in screen.run("return document.querySelector('#panel-lanes audio').src")
    screen.look(390, "light")
    screen.open(path)
    screen.show("lanes")
    screen.wait("return document.querySelectorAll('.lane-text li').length > 2")
    assert screen.violations("#panel-lanes") == []
    # a theme changes only colours, which only this rule checks
    screen.look(390, "dark")
    screen.wait("return document.getAnimations().length === 0")
    assert screen.violations("#panel-lanes", "color-contrast") == []


def test_a_place_far_down_is_found(tmp_path: Path, browser: Browser) -> None:
    words = [f"word{at}" for at in range(900)]
    sides = written(
        tmp_path,
        f"m 1 A 0 300 {' '.join(words)}\n",
        f"m 1 x 0 300 {' '.join([*words[:-5], 'other', *words[-4:]])}\n",
    )
    path = tmp_path / "page.html"
    scoring.html_report(scored(sides, "tcp"), path)
    browser.open(path)
    browser.click("#tab-lanes")
    # at first all is in view, and correct words that are close together are one box
    browser.wait("return document.querySelectorAll('.lane-word.S').length === 2")
    assert browser.run("return document.querySelectorAll('.lane-word').length") < 20
    browser.choose("lanes-scale", "100")
    browser.run("document.getElementById('lanes').scrollLeft = 0")
    browser.wait("return document.querySelectorAll('.lane-word').length > 20")
    assert browser.run("return document.querySelectorAll('.lane-word').length") < 300
    browser.run("const box = document.getElementById('lanes'); box.scrollLeft = box.scrollWidth")
    browser.wait("return document.querySelectorAll('.lane-word.S').length === 2")
    browser.run("document.querySelector('.lane-word.S rect').dispatchEvent("
                "new MouseEvent('click', {bubbles: true}))")  # fmt: skip
    assert "other" in browser.text("#detail td.here")


def test_lanes_are_narrow_and_their_texts_are_texts(tmp_path: Path, browser: Browser) -> None:
    sides = written(
        tmp_path,
        f"{HOSTILE} 1 {HOSTILE} 0 4 {HOSTILE} a\n{HOSTILE} 1 B 4 8 c c\n",
        f"{HOSTILE} 1 {HOSTILE} 0 4 a\n{HOSTILE} 1 y 3 8 {HOSTILE} c c\n",
    )
    path = tmp_path / "page.html"
    scoring.html_report(scored(sides, "cp"), path)
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        browser.open(path)
        browser.click("#tab-lanes")
        browser.wait("return document.querySelectorAll('.lane-word').length > 0")
        assert browser.run("return document.documentElement.scrollWidth") <= 390
        # long names are in two parts, of which the first may be cut
        names = "return document.querySelector('#panel-lanes .lane-names').textContent"
        assert HOSTILE in browser.run(names)
        assert HOSTILE in browser.text("#panel-lanes table")
        assert browser.run("return window.hacked") is None
        assert browser.run("return document.images.length") == 0
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.complaints() == []
