"""The built site: its links, and its looks in a browser; SCLITE_KIT_SITE names its folder."""

import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from tests.scoring.pages.html.conftest import Browser, browser, screen  # noqa: F401

SITE = Path(os.environ.get("SCLITE_KIT_SITE", "no site"))
pytestmark = pytest.mark.skipif(not SITE.is_dir(), reason="SCLITE_KIT_SITE names no built site")
PAGES = ["index", "reference/commands", "formats/srt", "search"]
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
def test_a_page_fits_and_can_be_used_by_all(page: str, width: int, screen: Browser) -> None:  # noqa: F811
    screen.look(width)
    screen.driver.get_log("performance")
    screen.driver.get((SITE / f"{page}.html").resolve().as_uri())
    assert screen.run("return document.documentElement.scrollWidth") <= width
    assert screen.violations("article") == []  # around it is the theme
    assert [url for url in screen.requests() if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize(
    ("query", "page", "place"),
    [
        ("--measure", "reference/commands.html#cmdoption-scoring-wer-measure", 1),
        ("--collar", "reference/commands.html#cmdoption-scoring-wer-collar", 1),
        ("confidence interval", "wer.html", 3),
        ("subtitles", "score-subtitles.html", 3),
    ],
)
def test_search_lists_an_option_and_its_page_before_formats(
    query: str,
    page: str,
    place: int,
    screen: Browser,  # noqa: F811
) -> None:
    screen.driver.get(f"{(SITE / 'search.html').resolve().as_uri()}?q={quote(query)}")
    links = "[...document.querySelectorAll('#search-results li > a')].map(link => link.href)"
    screen.wait(f"return {links}.length >= 10")
    paths = [re.sub(r"\?[^#]*", "", link) for link in screen.run(f"return {links}")]
    assert any(path.endswith(page) for path in paths[:place]), paths[:place]
