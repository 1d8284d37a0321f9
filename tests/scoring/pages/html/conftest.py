"""A headless browser for the tests that need one, and what they ask of it."""

import base64
import csv
import json
import os
import random
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.regression.ranking import rank
from scoring.score.rates import ErrorRates
from tests.chromium import end, hangs, start_chromium

NAMES = ("first.trn", "second.trn")
VOCABULARY = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "klmnrst"]
WEIGHTS = [1 / rank for rank in range(1, len(VOCABULARY) + 1)]
QUICK = ["--js-flags=--liftoff-only --no-turbofan"]
"""To a browser: pages, and Python in them, start anew for each test; what would be optimised hardly runs."""
PATIENCE = 180.0  # seconds: a test fails for what is seen, not because a machine is slow
VIOLATIONS = (
    "const done = arguments[arguments.length - 1];"
    "axe.run(arguments[0], arguments[1]).then(({violations}) => done(violations.map((one) =>"
    " [one.id, one.nodes.map((node) => node.html.slice(0, 200))])),"
    " (problem) => done(String(problem)))"
)


def drawn_texts(utterances: int) -> Iterator[list[list[str]]]:
    """A reference and two hypotheses with errors of all kinds, twenty words on average.

    Where utterances are many it is they who are asked about: they have four words.
    """
    drawn = random.Random(utterances)
    most = 35 if utterances <= 10_000 else 7
    for _ in range(utterances):
        words = drawn.choices(VOCABULARY, WEIGHTS, k=drawn.randint(most // 7, most))
        texts = [words]
        for share in (0.12, 0.08):
            made = []
            for word in words:
                chance = drawn.random()
                if chance > share / 4:
                    made.append(word if chance > share else drawn.choice(VOCABULARY))
                if chance > 1 - share / 5:
                    made.append(drawn.choice(VOCABULARY))
            texts.append(made)
        yield texts


def scored(utterances: int, folder: Path) -> list[ErrorRates]:
    """Two systems of texts by themselves."""
    reference, hypotheses = [], ([], [])  # type: ignore[var-annotated]
    for number, (words, *heard) in enumerate(drawn_texts(utterances)):
        name = f"(spk{number % 40:02d}-{number:06d})"
        reference.append(f"{' '.join(words)} {name}\n")
        for lines, made in zip(hypotheses, heard, strict=True):
            lines.append(f"{' '.join(made)} {name}\n")
    (folder / "reference.trn").write_text("".join(reference))
    for name, lines in zip(NAMES, hypotheses, strict=True):
        (folder / name).write_text("".join(lines))
    speakers = {f"spk{n % 40:02d}-{n:06d}": f"speaker {n % 40}" for n in range(utterances)}
    return [
        scoring.wer(folder / "reference.trn", folder / name, speakers=speakers, keep_sources=True)
        for name in NAMES
    ]


def scored_with_times(utterances: int, folder: Path) -> list[ErrorRates]:
    """Two systems whose words have times and confidences; utterances have labels."""
    label = ';; LABEL "{0}" "Group {0}" ""\n'.format
    stm, ctms = [label(name) for name in ("even", "odd", "long")], ([], [])  # type: ignore[var-annotated]
    drawn = random.Random(utterances)
    for number, (words, *heard) in enumerate(drawn_texts(utterances)):
        place, start = f"talk{number // 250:02d} A", number % 250 * 20.0
        labels = ("even", "odd")[number % 2] + ",long" * (len(words) > 20)
        speaker = f"speaker{number % 40:02d}"
        stm.append(f"{place} {speaker} {start} {start + 19} <{labels}> {' '.join(words)}\n")
        for lines, made in zip(ctms, heard, strict=True):
            for at, word in enumerate(made):
                lines.append(f"{place} {start + 0.4 * at:.2f} 0.3 {word} {drawn.random():.2f}\n")
    (folder / "reference.stm").write_text("".join(stm))
    found = []
    for name, lines in zip(("first.ctm", "second.ctm"), ctms, strict=True):
        (folder / name).write_text("".join(lines))
        found.append(scoring.wer(folder / "reference.stm", folder / name, keep_sources=True))
    return found


# Leaves three of the neighbours that differ in nothing but their texts and numbers: of any more axe says the same, which
# takes most of its time. What has colours of its own, or another tag, class, role or attribute somewhere, stays.
THIN = """
const kind = (one) => [one.tagName, ...one.getAttributeNames().map((name) => name + "=" +
  (["class", "role", "style", "fill", "type"].includes(name) || name.startsWith("aria-") && !/label|describe|control/.test(name)
    ? one.getAttribute(name) : Boolean(one.getAttribute(name)))), Boolean(one.textContent),
  ...[...one.children].map(kind)].join(" ");
for (const parent of document.querySelectorAll(arguments[0] + " *")) {
  const numbers = new Map();
  for (const child of [...parent.children]) {
    const own = kind(child), number = (numbers.get(own) ?? 0) + 1;
    numbers.set(own, number);
    if (number > 3) child.remove();
  }
}
"""
# Asks a script until it says so: within the page, as every question from outside takes both a while.
# One that throws does so outside of a timer.
WAITING = """
const done = arguments[arguments.length - 1], values = [...arguments].slice(0, -1);
const ask = () => (function () { SCRIPT }).apply(null, values);
const end = performance.now() + 1000;
const again = () => {
  let answer = null;
  try { answer = ask(); } catch { return done(null); }
  if (answer || performance.now() > end) done(answer);
  else setTimeout(again, 10);
};
const first = ask();
if (first) done(first);
else setTimeout(again, 5);
"""


class Browser:
    """A page in a headless browser."""

    def __init__(self) -> None:
        self.driver = start_chromium(*QUICK)

    def is_alive(self) -> bool:
        """Whether it answers."""
        try:
            self.driver.get("about:blank")
        except Exception as problem:
            if not hangs(problem):
                raise
            return False
        return True

    def restart(self) -> None:
        """Replace the browser with a new one."""
        end(self.driver.service)
        self.driver = start_chromium(*QUICK)

    def open(self, path: Path, fragment: str = "") -> float:
        """Open a page and wait until it can be used; seconds from navigation to then."""
        self.leave()
        begun = time.monotonic()
        self.driver.get(path.as_uri() + fragment)
        self.wait("return document.documentElement.dataset.ready !== undefined")
        return time.monotonic() - begun

    def leave(self) -> None:
        """Leave the page, and forget what it has asked for and complained of."""
        if self.driver.current_url != "about:blank":  # there is a test when it begins
            self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")

    def look(self, width: int, theme: str = "light", media: str = "") -> None:
        """Be so wide, in pixels (0: as the window is), and in a theme, on a screen or on paper."""
        command = self.driver.execute_cdp_cmd
        features = [{"name": "prefers-color-scheme", "value": theme}]
        command("Emulation.setEmulatedMedia", {"media": media, "features": features})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": 0 < width < 600}
        command("Emulation.setDeviceMetricsOverride", size)

    def views(self) -> list[str]:
        """The names of the views, in the order of their tabs."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.id.slice(4))"
        )
        return found

    def show(self, view: str) -> None:
        """Open a view with all that it can unfold, and wait until its charts have their room."""
        self.click(f"#tab-{view}")
        self.run(
            "for (const one of document.querySelectorAll('.panel:not([hidden]) details'))"
            " one.open = true"
        )
        self.wait(
            "return [...document.querySelectorAll('.panel:not([hidden]) .fitted')].every((box) =>"
            " box.querySelector('svg').viewBox.baseVal.width === Math.round(box.clientWidth))"
        )
        # whoever watches sizes is told within a frame
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()))"
        )

    def printed(self, path: Path, width: float, height: float) -> bytes:
        """A page as PDF, on paper of so many inches."""
        size = {"paperWidth": width, "paperHeight": height, "printBackground": True}
        self.open(path)
        found = self.driver.execute_cdp_cmd("Page.printToPDF", size)
        return base64.b64decode(found["data"])

    def saved(self, selector: str, path: Path) -> list[list[str]]:
        """The rows of a file that a button saves."""
        where = {"behavior": "allow", "downloadPath": str(path.parent)}
        self.driver.execute_cdp_cmd("Page.setDownloadBehavior", where)
        self.click(selector)
        deadline = time.monotonic() + PATIENCE
        while not path.exists() or path.stat().st_size == 0:  # its name is taken before its text
            assert time.monotonic() < deadline, os.listdir(path.parent)
            time.sleep(0.02)
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str, *arguments: object) -> Any:
        deadline = time.monotonic() + PATIENCE
        waiting = WAITING.replace("SCRIPT", script)
        while time.monotonic() < deadline:
            try:
                found = self.driver.execute_async_script(waiting, *arguments)
            except Exception as problem:
                if "unloaded" not in str(problem):  # another page comes
                    raise
                continue
            if found:
                return found
        raise AssertionError(f"not within {PATIENCE} s: {script}")

    def click(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).click()", selector)

    def text(self, selector: str) -> str:
        # a driver cannot carry lone surrogates
        read = "return document.querySelector(arguments[0]).innerText.toWellFormed()"
        found = self.run(read, selector)
        assert isinstance(found, str)
        return found

    def rows(self, selector: str) -> list[list[str]]:
        """The cells of a table's body."""
        found: list[list[str]] = self.run(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
            "(row) => [...row.children].map((cell) => cell.innerText))",
            selector,
        )
        return found

    def choose(self, identifier: str, value: str) -> None:
        self.run(
            "const one = document.getElementById(arguments[0]); one.value = arguments[1];"
            "one.dispatchEvent(new Event('change', {bubbles: true}))",
            identifier,
            value,
        )

    def search(self, text: str) -> None:
        """Type into the search field and wait until the list follows."""
        self.run(
            "window.before = document.getElementById('state').firstChild;"
            "const one = document.getElementById('search'); one.value = arguments[0];"
            "one.dispatchEvent(new Event('input', {bubbles: true}))",
            text,
        )
        self.wait("return document.getElementById('state').firstChild !== window.before")

    def thin(self, part: str = "body") -> None:
        """Leave only some of what repeats in a part of the page, before axe is asked."""
        self.run(THIN, part)

    def violations(
        self, part: str | dict[str, list[str]] = "html", *rules: str
    ) -> list[tuple[str, list[str]]]:
        """Rules that elements of a part of the page break, of all rules of axe or of these."""
        pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
        if self.run("return window.axe === undefined"):
            self.run(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        # otherwise every element that keeps a rule is described, too
        options: dict[str, object] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = rules
        found: list[tuple[str, list[str]]] = self.driver.execute_async_script(
            VIOLATIONS, part, options
        )
        return found

    def complaints(self) -> list[str]:
        """What the console says."""
        return [f"{one['level']}: {one['message']}" for one in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since the page was opened."""
        events = [
            json.loads(one["message"])["message"] for one in self.driver.get_log("performance")
        ]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the demo's two systems, with times, confidences and labels."""
    path = tmp_path_factory.mktemp("demo") / "page.html"
    systems = [
        scoring.wer(DEMO / "reference.stm", DEMO / name, normalize="lowercase", keep_sources=True)
        for name in ("baseline.ctm", "improved.ctm")
    ]
    scoring.html_report(
        systems,
        path,
        intervals=[scoring.confidence_interval(x) for x in systems],
        ranking=rank(systems),
    )
    return path
