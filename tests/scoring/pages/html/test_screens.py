"""The page on small and large screens, in both themes, by touch and by keys."""

from pathlib import Path

import pytest

import scoring
from scoring.score.rates import ErrorRates

from .conftest import Browser

PHONE, DESK = 390, 1400
LEAST_LETTER = 9.0  # pixels; what is smaller on a screen nobody reads
# Heights of letters as they are seen, of all texts in drawings.
LETTERS = (
    "return [...document.querySelectorAll('.panel:not([hidden]) svg.chart text')].map((text) => {"
    " const { a, b } = text.getScreenCTM();"
    " return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b); })"
)
# Words of headings that stand on more than one line though they are short.
BROKEN = """
const found = [];
for (const heading of document.querySelectorAll(":is(.panel:not([hidden]), #runs) :is(th, h2, h3, caption)")) {
  const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (word[0].length < 13 && lines.size > 1) found.push(word[0]);
    }
  }
}
return found;
"""
NOTE_FOCUS = "document.addEventListener('focusin', (event) => event.target.dataset.reached = '')"
UNREACHED = (
    "return [...document.querySelectorAll('a[href], button, input, select, summary, audio,"
    ' [tabindex="0"]\')].filter((one) => one.checkVisibility() && one.tabIndex >= 0'
    " && !('reached' in one.dataset)).map((one) => one.outerHTML.slice(0, 120))"
)


@pytest.mark.parametrize(
    ("width", "theme", "part", "rules"),
    [
        # what is around the views is the same for all of them, which one case sees by itself
        pytest.param(PHONE, "light", ".panel", (), marks=pytest.mark.release),
        pytest.param(DESK, "dark", "html", (), marks=pytest.mark.release),
        # a theme changes only colours, which only this rule checks
        pytest.param(PHONE, "dark", ".panel", ("color-contrast",), marks=pytest.mark.release),
        pytest.param(DESK, "light", ".panel", ("color-contrast",), marks=pytest.mark.release),
    ],
)
def test_axe_finds_nothing(
    demo: Path, screen: Browser, width: int, theme: str, part: str, rules: tuple[str, ...]
) -> None:
    screen.look(width, theme)
    screen.open(demo)
    for view in screen.views():
        screen.show(view)
    # all views at a time, as axe reads all of the page whatever it is asked about
    screen.run("for (const panel of document.querySelectorAll('.panel')) panel.hidden = false")
    screen.thin()
    assert screen.violations(part, *rules) == []


def test_axe_would_find_something(demo: Path, screen: Browser) -> None:
    screen.open(demo)
    screen.run("document.getElementById('search').removeAttribute('aria-label')")
    screen.run("document.getElementById('search').removeAttribute('placeholder')")
    assert [name for name, _ in screen.violations("#search")] == ["label"]
    # also where much is alike, of which it sees a part
    cells = "document.querySelectorAll('#panel-speaker tbody tr:last-child td')"
    screen.show("speaker")
    screen.run(
        f"{cells}[0].style = 'color: #eee; background: white'; {cells}[1].setAttribute('role', 'x')"
    )
    screen.thin()
    found = {name for name, _ in screen.violations("#panel-speaker")}
    assert {"color-contrast", "aria-roles"} <= found


@pytest.mark.share(2)
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_charts_and_headings_can_be_read(demo: Path, screen: Browser, width: int) -> None:
    screen.look(width)
    screen.open(demo)
    letters = 0
    for view in screen.views():
        screen.show(view)
        heights = screen.run(LETTERS)
        letters += len(heights)
        assert min(heights, default=LEAST_LETTER) >= LEAST_LETTER, view
        assert screen.run(BROKEN) == [], view
        # what is too wide scrolls in its own box
        assert screen.run("return document.documentElement.scrollWidth") <= width, view
    assert letters > 30


def test_every_plot_has_titles_of_its_axes(demo: Path, screen: Browser) -> None:
    screen.look(DESK)
    screen.open(demo)
    titles = (
        "return [...document.querySelectorAll('.panel:not([hidden]) svg.chart')].map((chart) =>"
        " [...chart.querySelectorAll('.axis')].map((title) => title.textContent))"
    )
    found: dict[str, list[list[str]]] = {}
    for view in screen.views():
        screen.show(view)
        found[view] = screen.run(titles)
    assert all(chart for charts in found.values() for chart in charts)
    assert found["overview"] == [["Word error rate"]]
    assert found["length"][0] == ["Reference words", "Word error rate"]
    assert found["confidence"] == [["Confidence", "Share of correct words"]]


def test_a_chart_follows_its_room(demo: Path, screen: Browser) -> None:
    screen.look(DESK)
    screen.open(demo)
    screen.show("overview")
    wide = screen.run("return document.querySelector('#chart-rates svg').viewBox.baseVal.width")
    screen.look(PHONE)
    screen.wait("return document.querySelector('#chart-rates svg').viewBox.baseVal.width < 390")
    assert wide > 900


def test_a_long_button_breaks_on_a_phone(demo: Path, screen: Browser) -> None:
    screen.look(PHONE)
    screen.open(demo)
    screen.run("document.querySelector('.plain').textContent = 'measure again '.repeat(12)")
    assert screen.run("return document.documentElement.scrollWidth - innerWidth") <= 0


def test_long_names_of_systems_leave_room(tmp_path: Path, screen: Browser) -> None:
    path = tmp_path / "page.html"
    reference = tmp_path / "reference.trn"
    reference.write_text("a b c (u)\n")
    systems: list[ErrorRates] = []
    for text in ("a x c", "a c", "a b b c"):
        hypothesis = tmp_path / f"a-long-name-of-a-system-with-{len(systems)}-parts-and-more.trn"
        hypothesis.write_text(f"{text} (u)\n")
        systems.append(scoring.wer(reference, hypothesis))
    scoring.html_report(systems, path)
    screen.look(PHONE)
    screen.open(path)
    for view in screen.views():
        screen.show(view)
        assert screen.run(BROKEN) == []
        assert screen.run("return document.documentElement.scrollWidth") <= PHONE


def test_a_tapped_utterance_comes_into_view(demo: Path, screen: Browser) -> None:
    screen.look(PHONE)
    screen.open(demo)
    screen.show("utterances")
    screen.choose("order", "position")
    top = "return document.getElementById('detail').getBoundingClientRect().top"
    assert screen.run(top) > 500
    screen.click(".list .row:nth-child(2)")
    screen.wait(f"{top} < 200")
    assert screen.text("#detail h2 bdi") == "tour-A-0002"


def test_filters_are_folded_on_a_phone(demo: Path, screen: Browser) -> None:
    visible = "return document.getElementById(arguments[0]).checkVisibility()"
    for width, is_folded in ((PHONE, True), (480, True), (481, False), (DESK, False)):
        screen.look(width)
        screen.open(demo)
        assert screen.run(visible, "search")
        assert screen.run(visible, "kind") is not is_folded
        summary = "document.querySelector('.controls summary')"
        assert screen.run(f"return {summary}.checkVisibility()") is is_folded
        if is_folded:
            screen.run(f"{summary}.click()")
            assert screen.run(visible, "kind")
        if width == PHONE:
            assert screen.violations() == []


def test_keys_reach_everything(tmp_path: Path, screen: Browser) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text("t 1 A 0 2 <o> So, it goes\nt 1 B 3 4 <o> well then\n")
    hypothesis.write_text("t 1 0.1 0.2 so 0.9\nt 1 0.6 0.2 he 0.5\nt 1 3.5 0.2 then 0.3\n")
    systems = [
        scoring.wer(reference, hypothesis, normalize=normalize, keep_sources=True)
        for normalize in ("plain", "lowercase")
    ]
    path = tmp_path / "page.html"
    scoring.html_report(systems, path)
    screen.look(DESK)
    screen.open(path)
    screen.run(NOTE_FOCUS)
    for view in screen.views():
        screen.run("document.activeElement.blur(); document.body.tabIndex = -1")
        screen.run("document.body.focus()")
        screen.show(view)
        for _ in range(15):
            ActionChains(screen.driver).send_keys(Keys.TAB * 10).perform()
            if not screen.run(UNREACHED):
                break
        assert screen.run(UNREACHED) == [], view
