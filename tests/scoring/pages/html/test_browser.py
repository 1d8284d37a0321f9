"""The page in a headless browser: what it shows, what it answers, and that it asks for nothing."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import scoring
from scoring.pages.sentence import names_of_systems
from scoring.score.rates import ErrorRates

from .conftest import Browser, scored
from .test_page import HOSTILE, hostile

SIZES = (100, pytest.param(20_000, marks=pytest.mark.release))


@pytest.fixture(scope="module", params=SIZES)
def report(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, chromium: Browser
) -> tuple[list[ErrorRates], Path]:
    folder = tmp_path_factory.mktemp("report")
    systems = scored(request.param, folder)
    scoring.html_report(systems, folder / "page.html")
    return systems, folder / "page.html"


def test_it_opens_quietly_and_soon(
    report: tuple[list[ErrorRates], Path],
    browser: Browser,
    record_property: Callable[[str, object], None],
) -> None:
    systems, path = report
    seconds = browser.open(path)
    record_property("seconds until usable", round(seconds, 3))
    record_property("megabytes", round(path.stat().st_size / 1e6, 2))
    print(f"{len(systems[0])} utterances: {seconds:.2f} s, {path.stat().st_size / 1e6:.1f} MB")
    assert path.stat().st_size < 6_000_000
    shown = browser.text("#state")
    assert f"{len(systems[0]):,} utterances" in shown
    for rates in systems:
        assert f"{100 * (rates.corpus_rate or 0):.2f} %" in shown
    for view in browser.run("return [...document.querySelectorAll('[role=tab]')].map((t) => t.id)"):
        browser.click(f"#{view}")
    assert browser.complaints() == []
    asked = {address for address in browser.requests() if not address.startswith("data:")}
    assert asked <= {path.as_uri()}


def test_tables_agree_with_the_library(
    report: tuple[list[ErrorRates], Path], browser: Browser
) -> None:
    systems, path = report
    browser.open(path)
    browser.click("#tab-speaker")
    shown = {row[0]: row[1:] for row in browser.rows("#panel-speaker")}
    speakers = systems[0].per_speaker()
    assert len(shown) == len(speakers)
    for speaker, positions in speakers.items():
        cells = [f"{len(positions):,}", f"{systems[0].sum_of(positions).reference_tokens:,}"]
        for rates in systems:
            counts = rates.sum_of(positions)
            cells.append(f"{100 * (counts.error_rate or 0):.2f}")
            cells += [f"{number:,}" for number in counts[1:]]
        found = shown[str(speaker)][:-1]
        # without the intervals
        assert found[:3] + found[4:8] + found[9:] == cells
    browser.click("#tab-errors")
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    for rates in systems:
        for position in range(len(rates)):
            alignment = rates.alignment_at(position)
            pairs.update((p.reference, p.hypothesis) for p in alignment if p.edit.letter == "S")
    rows = browser.rows("#panel-errors .wide:nth-child(1)")
    assert {(row[0], row[1]): int(row[4]) for row in rows}.items() <= pairs.items()
    assert int(rows[0][4]) == max(pairs.values())
    caption = browser.text("#panel-errors .wide:nth-child(1) caption")
    assert caption == f"Substitutions ({len(pairs):,})"


def test_search_and_filters(report: tuple[list[ErrorRates], Path], browser: Browser) -> None:
    systems, path = report
    browser.open(path)
    browser.click("#tab-utterances")
    words = [systems[0].aligned.references[3][0], systems[0].aligned.references[3][-1]]
    browser.search(" ".join(words))
    texts = [
        {*left, *right, *other}
        for left, right, other in zip(
            systems[0].aligned.references,
            systems[0].aligned.hypotheses,
            systems[1].aligned.hypotheses,
            strict=True,
        )
    ]
    found = sum(all(word in text for word in words) for text in texts)
    assert selected(browser) == found
    assert browser.run("return document.querySelectorAll('#detail mark').length") > 0
    browser.search(systems[0].identifiers[42])
    assert selected(browser) == 1
    assert browser.text("#detail h2 bdi") == systems[0].identifiers[42]
    browser.search("")
    for kind, expected in (
        ("none", sum(not (a.errors or b.errors) for a, b in both(systems))),
        ("insertions", sum(bool(a.insertions or b.insertions) for a, b in both(systems))),
        ("better", sum(b.errors < a.errors for a, b in both(systems))),
    ):
        browser.choose("kind", kind)
        assert selected(browser) == expected
    browser.choose("kind", "all")
    browser.choose("group-speaker", "7")
    assert selected(browser) == len(systems[0].per_speaker()["speaker 7"])
    browser.click("#clear")
    assert selected(browser) == len(systems[0])


def both(systems: list[ErrorRates]) -> zip[tuple[scoring.Counts, scoring.Counts]]:
    return zip(systems[0].per_utterance, systems[1].per_utterance, strict=True)


def selected(browser: Browser) -> int:
    number = re.match(r"[\d,]+", browser.text("#state strong"))
    assert number is not None
    return int(number[0].replace(",", ""))


def test_an_alignment_is_shown_word_by_word(
    report: tuple[list[ErrorRates], Path], browser: Browser
) -> None:
    systems, path = report
    at = len(systems[0]) - 3
    name = systems[0].identifiers[at]
    browser.open(path, f"#utterance={name}")
    assert browser.text("#detail h2 bdi") == name
    read = (
        "return [...document.querySelectorAll(`#detail .words tr:nth-child(${arguments[0]}) td`)]"
        ".map((cell) => [cell.querySelector('bdi')?.innerText ?? null,"
        " cell.querySelector('.letter')?.innerText ?? 'C'])"
    )
    references = [word for word, _ in browser.run(read, 1) if word is not None]
    assert references == list(systems[0].aligned.references[at])
    for number, rates in enumerate(systems):
        cells = browser.run(read, number + 2)
        letters = "".join(letter for word, letter in cells if word is not None or letter != "C")
        assert letters == rates.alignment(name).letters
        assert [word for word, _ in cells if word] == list(rates.aligned.hypotheses[at])
    assert browser.run("return document.getElementById('list').scrollTop > 0")


def test_the_list_holds_only_what_is_seen(
    report: tuple[list[ErrorRates], Path], browser: Browser
) -> None:
    _, path = report
    browser.open(path)
    browser.click("#tab-utterances")
    assert browser.run("return document.querySelectorAll('.list .row').length") < 60
    browser.run("const list = document.getElementById('list'); list.scrollTop = list.scrollHeight")
    last = "return document.querySelector('.list .row:last-child').getAttribute('aria-posinset')"
    size = "return document.querySelector('.list .row').getAttribute('aria-setsize')"
    browser.wait(f"return ({last[7:]}) === ({size[7:]})")


def test_sorting(report: tuple[list[ErrorRates], Path], browser: Browser) -> None:
    systems, path = report
    browser.open(path)
    browser.click("#tab-utterances")
    worst = max(max(a.errors, b.errors) for a, b in both(systems))
    name = browser.text("#detail h2 bdi")
    assert max(rates.alignment(name).counts().errors for rates in systems) == worst
    browser.choose("order", "position")
    assert browser.text("#detail h2 bdi") == systems[0].identifiers[0]
    assert not browser.run("return document.getElementById('descending').checked")


def test_keys(report: tuple[list[ErrorRates], Path], browser: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    systems, path = report
    browser.open(path)
    browser.choose("order", "position")
    browser.driver.switch_to.active_element.send_keys("/")
    search = browser.driver.switch_to.active_element
    assert search.get_attribute("id") == "search"
    search.send_keys("speaker 3", Keys.ESCAPE)
    browser.wait("return document.getElementById('search').value === ''")
    browser.run("document.getElementById('tab-overview').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.END)
    assert browser.driver.switch_to.active_element.get_attribute("id") == "tab-utterances"
    browser.run("document.getElementById('list').focus()")
    listed = browser.driver.switch_to.active_element
    for keys, position in ((Keys.ARROW_DOWN, 1), (Keys.END, len(systems[0]) - 1), ("k", -2)):
        listed.send_keys(keys)
        assert browser.text("#detail h2 bdi") == systems[0].identifiers[position]
    active = browser.run(
        "return document.getElementById('list').getAttribute('aria-activedescendant')"
    )
    assert (
        browser.run("return document.getElementById(arguments[0]).ariaSelected", active) == "true"
    )
    listed.send_keys(Keys.ENTER)
    assert browser.driver.switch_to.active_element.get_attribute("id") == "detail"


def test_hostile_texts_stay_texts(tmp_path: Path, browser: Browser) -> None:
    rates = hostile()
    path = tmp_path / "page.html"
    scoring.html_report([rates, rates], path, title=HOSTILE)
    browser.open(path)
    for view in ("speaker", "length", "errors", "words", "utterances"):
        browser.click(f"#tab-{view}")
    assert browser.text("#detail h2 bdi") == HOSTILE
    for selector in ("#panel-errors .examples", "#panel-words table"):
        assert browser.run(
            "return document.querySelector(arguments[0]).textContent.includes(arguments[1])",
            selector,
            HOSTILE,
        )
    assert HOSTILE in browser.text("#detail .words")
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.images.length") == 0
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []
    assert names_of_systems([rates, rates])[0].startswith(HOSTILE)


def test_what_a_script_from_elsewhere_would_do_is_refused(tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer("a", "a"), path)
    text = path.read_text("utf-8")
    foreign = "<script>window.hacked = 1</script><img src='http://127.0.0.1:9/x'>"
    path.write_text(text.replace("</main>", f"{foreign}</main>"), encoding="utf-8")
    browser.open(path)
    assert browser.run("return window.hacked") is None
    assert all("Content Security Policy" in one for one in browser.complaints())


def test_text_from_right_to_left_runs_so(tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer({"u": "שלום עולם"}, {"u": "שלום"}), path)
    browser.open(path, "#utterance=u")
    first, second = browser.run(
        "return [...document.querySelectorAll('#detail .reference td')]"
        ".map((cell) => cell.getBoundingClientRect().left)"
    )
    assert first > second


def test_themes(tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer("a b", "a c"), path)

    def ground(preferred: str, theme: str) -> int:
        features = [{"name": "prefers-color-scheme", "value": preferred}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for _ in range(3):
            if browser.text("#theme span") != theme:
                browser.click("#theme")
        colour = browser.run("return getComputedStyle(document.documentElement).backgroundColor")
        return int(re.findall(r"\d+", colour)[0])

    browser.open(path)
    try:
        shades = {
            (preferred, theme): ground(preferred, theme) > 128
            for preferred, theme in itertools.product(("light", "dark"), ("auto", "light", "dark"))
        }
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.run("localStorage.clear()")
    assert shades == {
        ("light", "auto"): True,
        ("light", "light"): True,
        ("light", "dark"): False,
        ("dark", "auto"): False,
        ("dark", "light"): True,
        ("dark", "dark"): False,
    }


@pytest.mark.parametrize(
    ("damage", "said"),
    [("cut", "the file may be incomplete"), ("old browser", "DecompressionStream")],
)
def test_what_cannot_be_shown_is_said(
    tmp_path: Path, browser: Browser, damage: str, said: str
) -> None:
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer("a b", "a c"), path)
    if damage == "cut":
        text = path.read_text("utf-8")
        path.write_text(re.sub(r'(id="data">[\w+/=]{40})[\w+/=]*', r"\1", text), encoding="utf-8")
    script = "delete window.DecompressionStream" if damage == "old browser" else ""
    added = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": script}
    )
    try:
        browser.driver.get(path.as_uri())
        browser.wait("return !document.getElementById('notice').hidden")
        assert said in browser.text("#notice")
        # what needs no script is there all the same
        assert browser.rows("#systems")[0][1] == "50.00"
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_normalisation_times_and_confidences_of_an_utterance(
    tmp_path: Path, browser: Browser
) -> None:
    (tmp_path / "ref.stm").write_text("rec A anne 0.00 2.00 <o,f0> So, it goes\n")
    (tmp_path / "hyp.ctm").write_text(
        "rec A 0.10 0.20 so 0.91\nrec A 0.55 0.25 it 0.5\nrec A 1.00 0.5 GOES 0.25\n"
    )
    rates = scoring.wer(
        tmp_path / "ref.stm", tmp_path / "hyp.ctm", normalize="plain", keep_sources=True
    )
    scoring.html_report(rates, tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    browser.click("#tab-confidence")
    shown = {row[0]: row[1] for row in browser.rows("#panel-confidence")}
    assert {title: words for title, words in shown.items() if words != "0"} == {
        "0.2 – 0.3": "1",
        "0.5 – 0.6": "1",
        "0.9 – 1": "1",
    }
    browser.click("#tab-label")
    assert [row[0] for row in browser.rows("#panel-label")] == ["o", "f0"]
    browser.click("#tab-utterances")
    assert "So, it goes" in browser.text("#detail .normalisation")
    assert "so it goes" in browser.text("#detail .normalisation")
    browser.click("#show-times")
    browser.click("#show-confidences")
    assert re.findall(r"0\.10 s|0\.55 s|1\.00 s|0\.91|0\.50|0\.25", browser.text("#detail .words")) == [
        "0.10 s", "0.91", "0.55 s", "0.50", "1.00 s", "0.25",
    ]  # fmt: skip
    assert browser.complaints() == []


def test_words_that_were_forgiven_are_marked(tmp_path: Path, browser: Browser) -> None:
    rates = scoring.wer(
        {"u1": "it is 50 uh"},
        {"u1": "it's fifty"},
        normalize=["contractions", "numbers", "fillers"],
    )
    scoring.html_report([rates], tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    browser.click("#tab-utterances")
    browser.click("#row-0")
    marks = browser.run(
        "return [...document.querySelectorAll('td.forgiven')]"
        ".map((cell) => [cell.querySelector('bdi').textContent, cell.title])"
    )
    number = "number: written “50”, chosen “fifty”"
    contraction = "contraction: written “it's”, chosen “it is”"
    assert marks == [
        ["fifty", f"{number}\nfiller: written “uh”, omitted"],
        ["it", contraction],
        ["is", contraction],
    ]
