"""The pages of a history: what they show in a browser, what they refuse."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import scoring
from scoring.regression.history import History
from scoring.regression.runs import tag_of_series
from tests.each_case import each_case
from tests.scoring.pages.html.conftest import Browser
from tests.scoring.pages.html.test_screens import BROKEN, DESK, PHONE
from tests.scoring.serve.running import Service

WORDS = ["wind", "and", "rain", "move", "in", "from", "the", "west", "before", "the", "night"]
NAME = "<b>spoken</b> & said"


def hypotheses(wrong: int) -> list[str]:
    """Twelve utterances, so many with a word that was not said."""
    return [" ".join([*WORDS[:-1], "day" if at < wrong else WORDS[-1]]) for at in range(12)]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "runs.db"
    reference = [" ".join(WORDS)] * 12
    with History(path, create=True) as made:
        for number, (wrong, set_name) in enumerate(
            ((9, "dev"), (10, "test"), (4, "dev"), (6, "test"))
        ):
            rates = scoring.wer(reference, hypotheses(wrong))
            made.record(rates, {"set": set_name, "model": f"v{number // 2}"})
        made.record(scoring.wer(reference, hypotheses(2)), {"note": NAME}, alignments=False)
    return path


@pytest.fixture(scope="module")
def service(history: Path) -> Iterator[Service]:
    running = Service(str(history), command=("history", "serve"))
    yield running
    running.end_at_once()


def see(browser: Browser, service: Service, path: str) -> None:
    browser.leave()
    browser.driver.get(f"http://127.0.0.1:{service.port}{path}")


def test_tags_choose_runs(browser: Browser, service: Service) -> None:
    see(browser, service, "/")
    rows = browser.rows("#runs")
    # the latest first
    assert [row[2] for row in rows] == ["5", "4", "3", "2", "1"]
    assert [row[9] for row in rows] == ["1.52", "4.55", "3.03", "7.58", "6.82"]
    assert rows[0][5] == f"note={NAME}"
    # nothing is loaded from anywhere, and no part of the page is refused
    assert browser.complaints() == []
    assert {one.split("/", 3)[2] for one in browser.requests()} == {f"127.0.0.1:{service.port}"}
    browser.run(
        "const form = document.querySelector('form.choices');"
        "form.elements.tag.value = 'set=dev'; form.querySelector('button').click()"
    )
    browser.wait("return location.search.includes('set') && document.readyState === 'complete'")
    assert [row[2] for row in browser.rows("#runs")] == ["3", "1"]
    see(browser, service, "/?tag=set=dev&tag=model=v1")
    assert [row[2] for row in browser.rows("#runs")] == ["3"]


def test_lines_by_tag(service: Service) -> None:
    page = service.get("/?by=set").body.decode()
    assert [page.count(f">{name}</h") for name in ("set=dev", "set=test", "no set")] == [1, 1, 0]
    # for wide and for narrow screens
    assert page.count("<circle ") == 3 * 4
    assert "<title>run 3" in page
    assert "Run 3: 3.03&nbsp;%, 3.79 points below the first run, run 1." in page
    assert service.get("/").body.decode().count("<circle ") == 3 * 5


def test_alternating_sets_are_separate_lines(tmp_path: Path) -> None:
    """Nightly runs of two sets are no single line, and the last run meets the one of its set."""
    path = tmp_path / "nightly.db"
    with History(path, create=True) as nightly:
        for night in range(3):
            for name, size in (("news", 12), ("calls", 6)):
                rates = scoring.wer([" ".join(WORDS)] * size, hypotheses(night)[:size])
                nightly.record(rates, {"night": f"{night}", "set": name})
        runs = nightly.runs()
    assert tag_of_series(runs) == "set"
    # one after the other, they are changes of a single line
    assert tag_of_series([*runs[::2], *runs[1::2]]) is None
    running = Service(str(path), command=("history", "serve"))
    try:
        page = running.get("/").body.decode()
    finally:
        running.end_at_once()
    assert re.findall(r">(set=\w+)</h", page) == ["set=calls", "set=news"]
    chosen = re.findall(r'name="(\w+)" value="(\d)"[^>]* checked', page)
    assert sorted(chosen) == [("baseline", "4"), ("new", "6")]


def test_a_limit_marks_the_runs_above_it(browser: Browser, service: Service) -> None:
    """Run 2 has one error more than the first, 11 % more; a click compares the two."""
    see(browser, service, "/?limit=10%25")
    titles = "return [...document.querySelectorAll('.mark.failed title')].map((t) => t.textContent)"
    (title,) = {*browser.run(titles)}
    assert title.startswith("run 2 ")
    assert "above the limit of 7.50 %" in title
    browser.run(
        "document.querySelector('.mark.failed').closest('a').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    browser.wait("return location.pathname === '/compare' && document.readyState === 'complete'")
    assert "Run 2 against run 1" in browser.text("main")
    assert browser.complaints() == []


def test_two_runs_are_compared_down_to_words(browser: Browser, service: Service) -> None:
    see(browser, service, "/")
    browser.run(
        "document.querySelector('[name=baseline][value=\"1\"]').checked = true;"
        "document.querySelector('[name=new][value=\"3\"]').checked = true;"
        "document.querySelector('#compare').click()"
    )
    browser.wait("return location.pathname === '/compare' && document.readyState === 'complete'")
    text = browser.text("main")
    assert "Run 3 against run 1" in text
    assert "Better\n5 utterances" in text.replace("\n\n", "\n")
    assert "000005: 1 → 0 errors in 11 words" in text
    wrong = "return document.querySelectorAll('.alignment td.S').length"
    assert browser.run(wrong) == 5  # of the baseline alone
    assert browser.complaints() == []


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (PHONE, "light"),
        pytest.param(DESK, "dark", marks=pytest.mark.release),
        pytest.param(PHONE, "dark", marks=pytest.mark.release),
        pytest.param(DESK, "light", marks=pytest.mark.release),
    ],
)
def test_screens(screen: Browser, service: Service, width: int, theme: str) -> None:
    screen.look(width, theme)
    for path in ("/", "/run/1", "/compare?baseline=1&new=3", "/compare?baseline=3&new=5"):
        see(screen, service, path)
        # what is too wide scrolls in its own box
        assert screen.run("return document.documentElement.scrollWidth") <= width, path
        assert screen.run(BROKEN) == [], path
        assert screen.violations() == [], path
    # the drawing shows all runs, whatever the width
    see(screen, service, "/")
    ends = screen.run(
        "return [...document.querySelectorAll('.trend .mark')].filter((mark) => mark.checkVisibility())"
        ".map((mark) => mark.getBoundingClientRect().right)"
    )
    assert len(ends) == 5
    assert 0 < min(ends) <= max(ends) <= width


def test_without_words_errors_of_utterances_are_compared(service: Service) -> None:
    answer = service.get("/compare?baseline=3&new=5")
    text = answer.body.decode()
    assert answer.status == 200
    assert "2 utterances; their words were not kept" in text
    assert (
        '<td class="text" dir="auto">000003</td><td>11</td><td>1</td><td>0</td><td>-1</td>' in text
    )
    assert re.findall("<(.*?)>Run 5 against run 3<", text) == ["title", "h1"]


def test_a_run_has_a_page(service: Service) -> None:
    text = service.get("/run/2").body.decode()
    assert re.findall("<(.*?)>Run 2: ", text) == ["title", "h1"]
    assert "<h2>Run" not in text
    assert "rate: 7.58&nbsp;%: 10 errors in 132 words (10 sub, 0 del, 0 ins)" in text
    assert "&lt;b&gt;spoken&lt;/b&gt; &amp; said" in service.get("/run/5").body.decode()


@each_case(
    ("path", "status", "told"),
    [
        ("/run/9", 404, "expected run 9, found none"),
        (f"/run/{9**30}", 404, "number below 1000000000000000000"),
        (f"/run/{'9' * 5000}", 404, "number below 1000000000000000000"),
        (f"/compare?baseline={9**30}&new=1", 404, "number below 1000000000000000000"),
        ("/compare?baseline=1&new=x", 404, "for example model=v3"),
        ("/?tag=a", 404, "for example model=v3"),
        ("/?limit=5", 422, "which of 5% and 5pt is meant?"),
        ("/?limit=x", 422, "limit: expected"),
        ("/other", 404, "Not Found"),
    ],
)
def test_what_is_not_there_is_told(path: str, status: int, told: str, service: Service) -> None:
    answer = service.get(path)
    assert (answer.status, told in answer.body.decode()) == (status, True)


def test_pages_of_others_may_not_read_it(service: Service) -> None:
    assert service.get("/", Host="elsewhere.example").status == 400
    assert service.get("/", Origin="http://elsewhere.example").status == 403
    assert service.get("/", "POST").status == 405
