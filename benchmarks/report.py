"""Benchmark of the HTML report in a browser: how fast it opens, and how fast a search is.

Run it from the root of the repository. It needs chromium, chromedriver and selenium; the browser
runs without a window::

    python benchmarks/report.py --utterances 50000

Opening lasts from the request for the page until the page can be used. A search lasts from the
typed letter until the list and the rates have changed. The clock of the page measures both. The
program prints the best and the median of several runs, and for a search also the first, directly
after the page was opened. `--timed` gives every word of the hypothesis a time and a confidence.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from selenium import webdriver

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import scoring
from benchmarks.corpus import Shape, generate, write_timed, write_trn
from tests.chromium import start_chromium

SEARCH = """
const [text, done] = arguments;
const field = document.getElementById("search");
new MutationObserver((_, observer) => {
  observer.disconnect();
  const took = performance.now() - begun;
  done([took, document.querySelector("#state strong").innerText]);
}).observe(document.getElementById("state"), { childList: true });
field.value = text;
const begun = performance.now();
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


def main() -> None:
    """Create an HTML report; print its size, and how fast it opens and how fast searches are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=50_000)
    parser.add_argument("--words", type=int, default=20, help="of an utterance")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--timed", action="store_true", help="words have times and confidences")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shape = Shape(utterances=arguments.utterances, words=arguments.words)
        corpus = generate(shape)
        (write_timed if arguments.timed else write_trn)(corpus, folder)
        page = folder / "page.html"
        sides = ("ref.stm", "hyp.ctm") if arguments.timed else ("ref.trn", "hyp.trn")
        rates = scoring.wer(*(folder / side for side in sides), keep_sources=True)
        scoring.html_report(rates, page)
        size = page.stat().st_size / 1e6
        words = rates.counts.reference_tokens
        print(f"{len(rates):,} utterances, {words:,} words: {size:.1f} MB")
        driver = start_chromium()
        try:
            tell("open", [opened(driver, page) for _ in range(arguments.runs)])
            [first, second, *_] = corpus[len(corpus) // 2].reference
            names = (first, f"{first} {second}", f'"{first} {second}"', rates.identifiers[-1], "zz")
            for text in names:
                found = [driver.execute_async_script(SEARCH, text) for _ in range(arguments.runs)]
                tell(f"search {text}: {found[0][1]}", [took for took, _ in found])
        finally:
            driver.quit()


def opened(driver: webdriver.Chrome, page: Path) -> float:
    """Open a page; return the milliseconds until it could be used."""
    driver.get("about:blank")
    driver.get(page.as_uri())
    ready = None
    while ready is None:
        ready = driver.execute_script("return document.documentElement.dataset.ready ?? null")
    return float(ready)


def tell(what: str, times: list[float]) -> None:
    """Print the first, the lowest and the median of these milliseconds."""
    [first, *_] = times
    best, median = min(times), statistics.median(times)
    print(f"{what}: first {first:.0f} ms, best {best:.0f} ms, median {median:.0f} ms")


if __name__ == "__main__":
    main()
