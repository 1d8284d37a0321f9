"""The built site: its links, and its looks in a browser; SCLITE_KIT_SITE names its folder."""

import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from tests.scoring.pages.html.conftest import Browser

SITE = Path(os.environ.get("SCLITE_KIT_SITE", "no site"))
pytestmark = pytest.mark.skipif(not SITE.is_dir(), reason="SCLITE_KIT_SITE names no built site")
PAGES = ["index", "reference/commands", "reference/commands/scoring-wer", "formats/srt", "search"]
OWN = ("file:", "data:", "blob:")
TARGET = re.compile(r"""<(?:a|img|link|script)\b[^>]*?\b(?:href|src)="([^"]*)\"""")
ANCHOR = re.compile(r"""\b(?:id|name)="([^"]*)\"""")


def test_every_link_leads_somewhere() -> None:
    texts = {path: path.read_text("utf-8") for path in SITE.rglob("*.html")}
    assert len(texts) > 100
    anchors = {path: {unescape(name) for name in ANCHOR.findall(texts[path])} for path in texts}
    broken = []
    for path, text in texts.items():
        for link in map(unescape, TARGET.findall(text)):
            address, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", address):
                continue
            address = unquote(address.partition("?")[0])
            target = (path.parent / address).resolve() if address else path
            known = anchors.get(target)
            if not target.exists() or (
                anchor and known is not None and unquote(anchor) not in known
            ):
                broken.append(f"{path.relative_to(SITE)}: {link}")
    assert broken == []


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_can_be_used_by_all(page: str, width: int, screen: Browser) -> None:
    screen.look(width)
    screen.driver.get_log("performance")
    screen.driver.get((SITE / f"{page}.html").resolve().as_uri())
    assert screen.run("return document.documentElement.scrollWidth") <= width
    # the page in the frame has tests of its own
    screen.run("document.querySelectorAll('iframe').forEach((frame) => frame.remove())")
    assert screen.violations("article") == []  # around it is the theme
    assert [url for url in screen.requests() if not url.startswith(OWN)] == []


def first_links(query: str, number: int, screen: Browser) -> list[str]:
    """The first links that a search lists; it adds the others to them, a line every few milliseconds."""
    screen.driver.get(f"{(SITE / 'search.html').resolve().as_uri()}?q={quote(query)}")
    links = "[...document.querySelectorAll('#search-results li > a')].map(link => link.href)"
    is_at_end = "(Search.status && Search.status.innerText)"
    screen.wait(f"return {links}.length >= {number} || {is_at_end}")
    found: list[str] = screen.run(f"return {links}")
    return [re.sub(r"\?[^#]*", "", link) for link in found[:number]]


@pytest.mark.parametrize(
    ("query", "page", "place"),
    [
        ("--meeting", "reference/commands/scoring-wer.html#cmdoption-scoring-wer-meeting", 1),
        ("--collar", "reference/commands/scoring-wer.html#cmdoption-scoring-wer-collar", 1),
        ("confidence interval", "wer.html", 3),
        ("subtitles", "score-subtitles.html", 3),
    ],
)
def test_search_lists_an_option_and_its_page_before_formats(
    query: str,
    page: str,
    place: int,
    screen: Browser,
) -> None:
    paths = first_links(query, place, screen)
    assert any(path.endswith(page) for path in paths), paths


@pytest.mark.parametrize(("width", "theme"), [(1400, "light"), (390, "dark")])
def test_the_first_page_shows_the_scored_demo(width: int, theme: str, screen: Browser) -> None:
    screen.look(width, theme)
    screen.driver.get((SITE / "index.html").resolve().as_uri())
    cut = "[...document.querySelectorAll('.landing pre')].filter(one => one.scrollWidth > one.clientWidth)"
    assert screen.run(f"return {cut}.length") == 0
    assert screen.run("return document.querySelectorAll('.toctree-wrapper li').length") == 0
    frame = screen.driver.find_element("css selector", ".landing iframe")
    screen.run("arguments[0].scrollIntoView()", frame)
    screen.driver.switch_to.frame(frame)
    try:
        screen.wait("return document.querySelector('#words h2') !== null")
        assert screen.text("#words h2") == "baseline.ctm: 116 of 566 words are wrong: 20.5 %"
        assert screen.violations({"exclude": ["#report"]}) == []
    finally:
        screen.driver.switch_to.default_content()


# Systems that are replaced, and their pages.
SYSTEMS = {
    **{name: f"from-{name.lower()}" for name in ("ESPnet", "jiwer", "kaldialign", "meeteval")},
    **dict.fromkeys(("evalmate", "evaluate", "fstalign", "pyannote"), "in-place-of"),
    **dict.fromkeys(("pyannote.metrics", "speechline", "torchmetrics"), "in-place-of"),
    "BenchmarkSTT": "benchmarkstt",
}


@pytest.mark.parametrize("query", SYSTEMS)
def test_a_system_finds_its_page_first(query: str, screen: Browser) -> None:
    links = first_links(query, 3, screen)
    assert links[0].partition("#")[0].endswith(f"/{SYSTEMS[query]}.html"), links


# What people ask, in their words, and the page that answers.
QUESTIONS = [
    ("diarization", "diarisation"),
    ("hallucination", "measures"),
    ("normalization", "normalization"),
    ("Excel", "tables"),
    ("speaker labels", "many-speakers"),
    ("ignore case", "normalization"),
    ("confidence interval", "wer"),
    ("significance test", "regression"),
    ("character error rate", "wer"),
    ("punctuation", "normalization"),
    ("GitHub Actions", "continuous-integration"),
    ("meeting", "many-speakers"),
    ("pandas", "tables"),
    ("subtitles", "score-subtitles"),
    ("why different WER", "two-numbers"),
]


@pytest.mark.parametrize(("query", "page"), QUESTIONS)
def test_a_question_finds_its_page_among_the_first_three(
    query: str,
    page: str,
    screen: Browser,
) -> None:
    paths = first_links(query, 3, screen)
    assert any(path.endswith(f"/{page}.html") for path in paths), paths


# What people search for, and the page that is first.
SEARCHES = {
    "signature": "signature",
    "ATWV": "keyword-search",
    "DER": "diarisation",
    "latex": "signature",
    "gitlab": "continuous-integration",
    "plug-in": "plugins",
    "contribute format": "formats",
    "replace sclite": "from-sctk",
    "cpWER": "many-speakers",
    "reading speed": "subtitle-rules",
    "convert srt": "first-conversion",
    "many speakers": "many-speakers",
    "compare two systems": "regression",
    "cite": "signature",
    "word error rate formula": "first-score",
    "wer": "wer",
    "exit status": "reference/exit-statuses",
}


def test_a_search_finds_its_page_first(screen: Browser) -> None:
    first = {}
    for query in SEARCHES:
        found = first_links(query, 1, screen)[0].partition("#")[0]
        first[query] = found.removeprefix(f"{SITE.resolve().as_uri()}/").removesuffix(".html")
    assert first == SEARCHES
