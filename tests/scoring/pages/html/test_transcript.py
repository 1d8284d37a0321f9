"""`formats show`: one file as a page, and what a browser makes of it."""

from pathlib import Path

import pytest

from formats.nist.messages import OVERLAP_SEGMENT, STM_ORDER
from scoring.cli.formats import main
from tests.formats.checks import message_text

from .conftest import Browser
from .test_screens import BROKEN, DESK, PHONE

HOSTILE = '</script><img/src=x/onerror="hacked=1">'
STM = (
    "rec 1 anne 0.5 2.25 hello { um / uh } world\n"
    "rec 1 bob 2.0 3.9 how are you\n"
    "rec 1 anne 1.0 1.5 again\n"
    "other 1 שלום 0 1 שלום לך\n"
    f"other 1 eve 1 2 {HOSTILE}\n"
)
ROWS = "return [...document.querySelectorAll('.stretches tbody tr')].map((row) => row.children[2].innerText)"
DRAWN = "return [...document.querySelectorAll('.lane-word title')].map((one) => one.textContent)"
WIDE = "return document.documentElement.scrollWidth"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return shown(tmp_path, "talk.stm", STM)


def drawn(browser: Browser) -> list[str]:
    """Return the titles of the words on the lanes, as soon as there are some."""
    browser.wait("return document.querySelector('.lane-word title') !== null")
    titles: list[str] = browser.run(DRAWN)
    return titles


def shown(folder: Path, name: str, text: str, *flags: str) -> Path:
    (folder / name).write_text(text)
    made = folder / f"{name}.html"
    assert main(["show", str(folder / name), "--html", str(made), *flags]) == 0
    return made


def test_tiers_and_segments(page: Path, browser: Browser) -> None:
    browser.open(page)
    assert browser.text("h1") == "talk.stm"
    assert browser.text(".lane-names").split("\n") == ["anne, channel 1", "bob, channel 1"]
    unsorted = message_text(STM_ORDER, recording="rec", channel="1")
    assert drawn(browser) == [
        "hello { um / uh } world, 0.50 s",
        f"how are you, 2.00 s, {message_text(OVERLAP_SEGMENT)}",
        f"again, 1.00 s, {unsorted}",
    ]
    assert browser.run(ROWS)[:2] == [
        "hello { um / uh } world",
        f"how are you\n{message_text(OVERLAP_SEGMENT)}",
    ]
    assert browser.run(ROWS)[4].startswith(f"{HOSTILE}\n")
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []
    assert [one for one in browser.requests() if not one.startswith(("file:", "data:"))] == []
    browser.choose("recording", "1")
    assert browser.text(".lane-names").split("\n")[1] == "eve, channel 1"


def test_a_remark_leads_to_its_place(page: Path, browser: Browser) -> None:
    browser.open(page)
    assert browser.run(ROWS)[2].startswith("again\n")
    browser.choose("recording", "1")
    browser.click("#remarks li:nth-child(2) button")
    assert browser.text(".stretches tr.named td:nth-child(4)") == "3"
    assert browser.run("return document.getElementById('recording').value") == "0"
    assert browser.run("return document.querySelectorAll('.lane-word.named.wrong').length") == 1


def test_words_are_found_and_drawn_one_by_one(tmp_path: Path, browser: Browser) -> None:
    words = "".join(f"f 1 {n / 2:.2f} 0.40 w{n} 0.9\n" for n in range(2000))
    browser.open(shown(tmp_path, "a.ctm", words))
    assert drawn(browser) != []
    browser.choose("lanes-scale", "100")
    browser.run("document.getElementById('lanes').scrollLeft = 0")
    browser.wait("return document.querySelector('.lane-word title').textContent === 'w0, 0.00 s'")
    assert 10 < len(drawn(browser)) < 60, "what is not seen is not drawn"
    browser.run("document.getElementById('lanes').scrollLeft = 50000")
    browser.wait("return document.querySelector('.lane-word title').textContent.startsWith('w99')")


def test_a_text_without_times(tmp_path: Path, browser: Browser) -> None:
    browser.open(shown(tmp_path, "a.trn", "hello (anne-1)\ngood bye (anne-2)\n"))
    assert "There are no times." in browser.text("#timeline")
    browser.run("document.getElementById('search').value = 'BYE'")
    browser.click("#list form button")
    assert browser.text(".stretches tr.named td:nth-child(3)") == "good bye"
    assert browser.complaints() == []


def test_a_hundred_thousand_words(tmp_path: Path, browser: Browser) -> None:
    lines = [
        f"rec 1 spk{n % 8} {n * 2} {n * 2 + 3} {' '.join(f'word{n * 10 + k}' for k in range(10))}\n"
        for n in range(10_000)
    ]
    browser.open(shown(tmp_path, "a.stm", "".join(lines)))
    assert len(browser.run(ROWS)) == 100
    assert len(drawn(browser)) < 200
    browser.run("document.getElementById('search').value = 'word91234 '")
    browser.click("#list form button")
    assert browser.text("#state") == "9,121 to 9,220 of 10,000 segments"
    assert any("word91234" in one for one in drawn(browser))
    assert browser.run("return document.querySelectorAll('*').length") < 3000


@pytest.mark.share(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_screens(page: Path, screen: Browser, width: int, theme: str) -> None:
    screen.look(width, theme)
    screen.open(page)
    assert screen.run(WIDE) <= width
    assert drawn(screen) != []
    assert screen.run(BROKEN) == []
    assert screen.violations() == []


def test_what_cannot_be_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.stm"
    source.write_text("rec 1 anne\n")
    assert main(["show", str(source), "--html", str(tmp_path / "a.html"), "--strict"]) == 2
    assert capsys.readouterr().err.startswith(f"formats: error: {source}:1:")
    assert main(["show", str(source)]) == 2
    assert main(["show", str(source), "--html", str(source)]) == 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.stm"]
