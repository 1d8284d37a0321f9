"""Pages of blocks have the frame of the report: themes, phones, accessible, a timeline that zooms."""

from pathlib import Path

import pytest

from scoring.cli.scoring import main
from scoring.drawing.blocks import Table
from scoring.drawing.markup import html_lines

from .conftest import DEMO, Browser

DESK, PHONE = 1400, 390
NAMES = ("compare", "der", "per", "events", "segments", "bench", "kws.sum", "kws.bsum", "kws")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    turn = "SPEAKER t 1 {} {} <NA> <NA> {} <NA> <NA>\n".format
    (folder / "r.rttm").write_text("".join(turn(10 * n, 8, "ab"[n % 2]) for n in range(40)))
    (folder / "h.rttm").write_text("".join(turn(10 * n, 9, "xyx"[n % 3]) for n in range(40)))
    found = {name: folder / f"{name}.html" for name in NAMES}
    texts = [str(DEMO / name) for name in ("reference.trn", "baseline.trn", "improved.trn")]
    options = ["--by", "speaker", "--html", str(found["compare"])]
    assert main(["compare", *texts, *options]) == 0
    turns = [str(folder / name) for name in ("r.rttm", "h.rttm")]
    assert main(["der", *turns, "--speaker-confusions", "--html", str(found["der"])]) == 0
    (folder / "w.trn").write_text("hello guy (anne-1)\nhello (bob-1)\n")
    (folder / "p.trn").write_text("h a l a i (anne-1)\nh e l l o (bob-1)\n")
    (folder / "lexicon.txt").write_text("hello h e l l o\nhello h a l l o\nguy g a i\n")
    words = [str(folder / name) for name in ("w.trn", "p.trn")]
    lexicon = ["--lexicon", str(folder / "lexicon.txt")]
    assert main(["per", *words, *lexicon, "--html", str(found["per"])]) == 0
    (folder / "r.txt").write_text("1\t2\tbell\n5\t6\tbark\n8\t9\tbell\n")
    (folder / "h.txt").write_text("1.1\t2\tbell\n5\t6\tdog\n20\t21\tbell\n")
    for name in ("events", "segments"):
        labels = [str(folder / name) for name in ("r.txt", "h.txt")]
        formats = ["--reference-format", "audacity", "--hypothesis-format", "audacity"]
        assert main([name, *labels, *formats, "--html", str(found[name])]) == 0
    systems = "".join(f"[systems.{n}]\ndemo = '{DEMO / n}.trn'\n" for n in ("baseline", "improved"))
    bench = f"[sets.demo]\nreference = '{DEMO / 'reference.trn'}'\n{systems}"
    (folder / "bench.toml").write_text(bench)
    assert main(["bench", str(folder / "bench.toml"), "--html", str(found["bench"])]) == 0
    kinds = ("ecf", "kwlist", "rttm", "kwslist")
    searched = [
        argument
        for kind in kinds
        for argument in (f"--{kind}", str(next((DEMO / "keyword_search").glob(f"demo.{kind}*"))))
    ]
    root = ["--root", str(folder / "kws"), "-o", "-b", "--report-type", "HTML"]
    assert main(["kws", *searched, *root, "--html", str(found["kws"])]) == 0
    found |= {name: folder / f"{name}.html" for name in ("kws.sum", "kws.bsum")}
    return found


SCREENS = [(width, theme) for width in (PHONE, DESK) for theme in ("light", "dark")]


# every second page on one of the screens, in turn; in a release the others, too, and each page with
# the other width and the other theme
@pytest.mark.parametrize(
    ("name", "width", "theme"),
    [
        pytest.param(name, *SCREENS[at], marks=pytest.mark.release if number % 2 or other else ())
        for number, name in enumerate(NAMES)
        for other, at in enumerate((number % 8 // 2, 3 - number % 8 // 2))
    ],
)
def test_pages_fit_and_are_accessible(
    screen: Browser, pages: dict[str, Path], name: str, width: int, theme: str
) -> None:
    screen.look(width, theme)
    screen.open(pages[name])
    assert screen.run("return document.documentElement.scrollWidth") <= width
    assert screen.violations() == []
    assert screen.complaints() == []
    assert screen.requests() == [pages[name].as_uri()]


def test_a_comparison_opens_with_its_verdict_and_a_plot(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["compare"])
    first = browser.text("main .panel").replace("\N{NO-BREAK SPACE}", " ")
    assert first.startswith("Better by 6.56 points (20.57 % to 14.01 %), 95 % interval ")
    assert "not chance" in first
    assert browser.run("return document.querySelectorAll('.roomy .dot').length") == 5
    axis = "return [...document.querySelectorAll('.changes .axis')].map((one) => one.textContent)"
    assert (
        browser.run(axis)[0] == "change of the error rate in percentage points (negative: better)"
    )
    # both versions stand below one reference
    rows = "return document.querySelector('.places .alignment').rows.length"
    assert browser.run(rows) == 3


def test_a_timeline_of_turns_zooms(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["der"])
    assert browser.run("return document.querySelectorAll('.turn-box.S').length") > 0
    assert browser.run("return document.querySelectorAll('.turn-box.I').length") > 0
    width = "return document.querySelector('.lane-space').offsetWidth"
    before = browser.run(width)
    browser.click("[aria-label='Zoom in']")
    assert browser.run(width) > 1.5 * before
    names = browser.run(
        "return [...document.querySelectorAll('.lane-names strong')].map((n) => n.innerText)"
    )
    assert names[:2] == ["a", "b"]


def test_keywords_are_sorted_by_a_click_on_a_heading(
    browser: Browser, pages: dict[str, Path]
) -> None:
    browser.open(pages["kws"])
    order = "return [...document.querySelectorAll('.sortable tbody tr')].map((r) => r.cells[0].innerText.slice(-1)).join('')"
    heading = ".sortable th:nth-child({}) button".format
    for column, expected in ((3, "2314"), (3, "1324"), (1, "1234"), (1, "4321")):
        browser.click(heading(column))
        assert browser.run(order) == expected
    marks = "return document.querySelectorAll('.over-time [x] > .outcome title').length"
    assert browser.run(marks) == 7


PHONE_ROWS = [
    ("telephone", "10.48", "20.96", "+10.48", "+5.00 to +15.96 (only 9 speakers)", "0.0117", "FAIL")
]


def test_phones_show_every_number_of_a_row(browser: Browser, tmp_path: Path) -> None:
    """A verdict stays in the row; intervals and what the table can spare have lines of their own."""
    names = ("set", "baseline", "new", "change", "interval", "p corrected", "verdict")
    marks = {(0, 6): False}
    table = Table(
        names, PHONE_ROWS, 1, marks, spare=(("p corrected",), ("interval",), ("baseline",))
    )
    path = tmp_path / "table.html"
    path.write_text("\n".join(html_lines([table], "Sets")), "utf-8")
    browser.look(PHONE)
    browser.open(path)
    edges = (
        "return [...document.querySelectorAll('td')].map((cell) => cell.getBoundingClientRect())"
    )
    cells = browser.run(edges)
    assert max(cell["right"] for cell in cells) <= PHONE
    heights = [cell["bottom"] for cell in cells]
    assert heights[0] == heights[2] == heights[3] == heights[6] < heights[1] < heights[4]
    assert heights[4] < heights[5]
    label = "return getComputedStyle(document.querySelectorAll('td')[4], '::before').content"
    assert browser.run(label).strip('" ') == "interval"
    assert browser.violations() == []
