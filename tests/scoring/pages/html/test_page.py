"""The page as a text: escaped, self-contained, reproducible."""

import base64
import re
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

import scoring
from formats import UnwritableFileError
from scoring.drawing import markup
from scoring.model.aliases import Unit
from scoring.pages.html import transcript
from scoring.pages.html.report import SCRIPTS, STYLES, page
from scoring.pages.messages import DELETED, NO_RATE
from scoring.pages.sentence import names_of_systems
from scoring.results.messages import UNSCORED
from scoring.score.rates import ErrorRates
from scoring.stats.intervals import ConfidenceInterval
from tests.each_case import each_case
from tests.formats.checks import message_text

from .unpacking import of_page

HOSTILE = "</script><script>hacked=1</script><img src=x onerror=hacked=1>\"'&"


def html(*systems: ErrorRates, title: str | None = None) -> str:
    return b"".join(page(systems, title=title)).decode("utf-8")


def hostile() -> ErrorRates:
    rates = scoring.wer(
        {HOSTILE: f"{HOSTILE} a", "lone\udc80": "b \udc80"},
        {HOSTILE: f"{HOSTILE} b", "lone\udc80": "b \udcff"},
        speakers={HOSTILE: HOSTILE, "lone\udc80": "\udc80"},
        keep_sources=True,
    )
    named = rates.reference._replace(path=HOSTILE)
    hypothesis = rates.hypothesis._replace(path=f"{HOSTILE}\udc80")
    return rates._replace(reference=named, hypothesis=hypothesis)


class Elements(HTMLParser):
    """Counts elements and gathers addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: dict[str, int] = {}
        self.addresses: list[str | None] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            if name in ("src", "href", "action", "data", "srcset"):
                self.addresses.append(value)
            if name.startswith("on") or name == "style":
                self.handlers.append(name)


def test_texts_never_become_markup() -> None:
    text = html(hostile(), title=HOSTILE)
    found = Elements()
    found.feed(text)
    assert found.tags["script"] == 2
    assert "img" not in found.tags
    assert found.handlers == []
    assert found.addresses == ["data:,"]
    assert "hacked" in text


def test_lone_surrogates_are_kept_in_the_data_and_shown_as_escapes() -> None:
    text = html(hostile())
    found = of_page(text).head
    assert found["utterances"][1] == "lone\udc80"
    assert "\udc80" in found["words"]
    assert found["speakers"] == [HOSTILE, "\udc80"]
    assert "\\udc80" in text


def test_the_policy_allows_the_page_s_own_script_and_style_only() -> None:
    text = html(hostile())
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(sha256(content.encode()).digest()).decode()
        assert directives[directive] == f"'sha256-{digest}'"


def test_nothing_is_loaded() -> None:
    folder = (
        Path(str(__import__("importlib.resources").resources.files("scoring.pages.html")))
        / "assets"
    )
    names = {*STYLES, *SCRIPTS, *markup.SCRIPTS, *transcript.STYLES, *transcript.SCRIPTS}
    for name in names:
        content = (folder / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        for word in ("http:", "https:", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML"):
            # of linked audio, which the policy of other pages forbids
            allowed = (name, word) == ("waveform.js", "fetch(")
            assert content.count(word) == allowed, (name, word)
    assert {path.name for path in folder.iterdir()} == names


def test_equal_results_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        scoring.html_report(hostile(), tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()


def test_a_page_that_cannot_be_written_leaves_what_was_there(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFileError):
        scoring.html_report(hostile(), tmp_path / "missing" / "page.html")
    target = tmp_path / "page.html"
    target.write_text("before")
    with pytest.raises(ValueError, match="expected 1 intervals or None, found 0"):
        scoring.html_report(hostile(), target, intervals=[])
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_page_needs_results() -> None:
    with pytest.raises(ValueError, match="expected results, found none"):
        html()


def test_every_choice_and_every_missing_utterance_is_told() -> None:
    rates = scoring.wer(
        {"u1": "a b", "u2": "c d"},
        {"u1": "a b", "u9": "x"},
        normalize="lowercase",
        keep_sources=True,
        allow_unmatched=True,
    )
    text = html(rates)
    assert f"<code>{rates.signature}</code>" in text
    path, unit = rates.hypothesis.path, "word"
    unscored = {"path": path, "unit": unit, "words": 1, "number": 1, "names": ["u9"]}
    assert escape(message_text(UNSCORED, **unscored)) in text
    assert "in the reference only, deleted: u2" in text
    many = {f"u{number:02}": "a" for number in range(12)}
    assert "deleted: u01, u02, u03, u04, u05, u06, u07, u08, u09, u10, …" in html(
        scoring.wer(many, {"u00": "a"})
    )
    missing = {"path": path, "unit": unit, "number": 1, "names": ["u2"]}
    assert escape(message_text(DELETED, **missing)) in text
    assert "<li><code>lowercase</code></li>" in text
    assert 'class="rate">50.00<' in text


def test_intervals_are_shown_or_why_there_are_none() -> None:
    rates = scoring.wer([f"a b {n}" for n in range(20)], ["a c"] * 20)
    interval = scoring.confidence_interval(rates.per_utterance)
    assert interval.bootstrap is not None
    low, high = interval.bootstrap.limits
    text = b"".join(page([rates], [interval])).decode()
    assert f"{100 * low:.2f} – {100 * high:.2f}" in text
    assert "95 % Student&#39;s t of the log rate, 20 units by utterance" in text
    none = ConfidenceInterval("x", "utterance", None, "too few units")
    text = b"".join(page([rates], [none])).decode()
    assert "too few units" in text


def test_no_reference_words_have_no_rate() -> None:
    rates = scoring.wer({"u": ""}, {"u": "a"})
    text = html(rates)
    assert 'class="rate">n/a<' in text
    assert escape(message_text(NO_RATE, path=rates.reference.path, unit="word")) in text


@each_case(
    ("paths", "names"),
    [
        (["a/x.trn", "b/y.trn"], ["x.trn", "y.trn"]),
        (["a/x.trn", "b/x.trn"], ["a/x.trn", "b/x.trn"]),
        (["/exp/a1/x.trn", "/exp/a2/x.trn"], ["a1/x.trn", "a2/x.trn"]),
        (["exp/a/x.trn", "x.trn", "exp/a/y.trn"], ["exp/a/x.trn", "x.trn", "exp/a/y.trn"]),
        (["x.trn", "x.trn"], ["x.trn (1)", "x.trn (2)"]),
    ],
)
def test_names_tell_systems_apart(paths: list[str], names: list[str]) -> None:
    rates = scoring.wer("a", "a")
    systems = [rates._replace(hypothesis=rates.hypothesis._replace(path=path)) for path in paths]
    assert names_of_systems(systems) == names


@pytest.mark.parametrize(
    ("unit", "name"), [("word", "Word error rate"), ("char", "Character error rate")]
)
def test_the_rate_is_named_by_its_unit(unit: Unit, name: str) -> None:
    assert f"<h2>{name}</h2>" in html(scoring.wer("a", "a", unit=unit))
