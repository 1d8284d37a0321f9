"""The page itself: its text, and the policy that allows its own style and scripts alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from formats.detection.registry import all_formats, by_name
from formats.schema import VERSION
from scoring.drawing.templates import embedded, rendered
from scoring.options import FIELDS, UNITS, flag_choices, options_in
from scoring.pages.html import report
from scoring.text.bundled import BUNDLED
from scoring.text.recipes import recipes
from scoring.text.registry import REQUIRED, STEPS

# Choices of the form: these first, then the switches and the words of their groups.
SCORING = dict.fromkeys(
    ("unit", "profile", "missing", "measure", "like", *options_in("aligning", "matching"))
)
# Their titles, where the name says less.
LABELS = {
    "profile": "Alignment",
    "missing": "No hypothesis",
    "measure": "Speakers",
    "like": "Recipe",
    "match": "Pair by",
    "forgive_optional": "Forgive optional words",
    "allow_unmatched": "Allow extra utterances",
}
# Units that need a package which browsers lack.
LACKING = ("grapheme", "mixed")
OFFLINE = (
    "Your files stay in this browser: nothing is sent anywhere. The units grapheme and mixed are "
    "in `scoring ui` only."
)
SERVED = "Your files stay on this machine: the program that opened this page reads them."


def page_of_export(parts: Sequence[str]) -> str:
    """The page that works by itself, of scripts with these parts."""
    units = [unit for unit in UNITS if unit not in LACKING]
    values = {"service": "", "parts": parts, "note": OFFLINE, "history": None}
    return _page("'none'", units, values)


def page_of_service(address: str, history: str | None = None) -> str:
    """The page whose tasks go to an address of the server it is from."""
    values = {"service": address, "parts": (), "note": SERVED, "history": history}
    return _page("'self'", UNITS, values)


def _page(connections: str, units: Sequence[str], values: dict[str, Any]) -> str:
    style, script = (
        files("scoring.serve.browser").joinpath(f"assets/ui.{kind}").read_text("utf-8")
        for kind in ("css", "js")
    )
    helpers = ["elements.js", "data.js", "tables.js"]
    own = embedded(["page.css"], helpers, style=style, script=script)
    inner = embedded(report.STYLES, report.SCRIPTS)
    # a report in a frame is under the policy of the page as well as under its own
    policy = (
        f"default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' '{own['script_hash']}' "
        f"'{inner['script_hash']}'; style-src '{own['style_hash']}' '{inner['style_hash']}'; "
        f"img-src data:; connect-src {connections}; worker-src blob:; frame-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    formats = {spec.name: spec for spec in (by_name("srt"), *all_formats())}
    steps = [step for step in STEPS if all(p.default is not REQUIRED for p in step.parameters)]
    shown: dict[str, Any] = {
        "policy": policy,
        "version": VERSION,
        "reads": {name: spec.title for name, spec in formats.items()},
        "writes": {name: spec.title for name, spec in formats.items() if spec.write is not None},
        "steps": {name: title for name, title, *_ in (*BUNDLED, *steps)},
        **_controls({"unit": units, "like": recipes()}),
    }
    return rendered("ui.html.j2", {**own, **shown, **values}, "scoring.serve.browser").decode(
        "utf-8"
    )


def _controls(listed: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """The selects of the form with their choices, some of which are `listed`, and its switches."""
    titles = {name: LABELS.get(name, name.replace("_", " ").capitalize()) for name in SCORING}
    choices = {name: tuple(listed.get(name, flag_choices(name))) for name in SCORING}
    return {
        "selects": [
            (name, titles[name], dict.fromkeys(words)) for name, words in choices.items() if words
        ],
        "switches": [
            (name, titles[name])
            for name, words in choices.items()
            if not words and FIELDS[name].default is False
        ],
    }
