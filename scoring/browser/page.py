"""The page itself: its text, and the policy that allows its own style and scripts alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from html import escape
from importlib.resources import files

from formats.registry import by_name, names
from formats.version import VERSION
from scoring.normalize.bundled import BUNDLED
from scoring.normalize.registry import REQUIRED, STEPS
from scoring.options import UNITS, Options
from scoring.pages.html import report
from scoring.pages.html.templates import embedded
from scoring.recipes import recipes

OFFLINE = "Your files stay in this browser: nothing is sent anywhere."
SERVED = "Your files stay on this machine: the program that opened this page reads them."
HISTORY = '<a href="{address}">History</a>'
# Units that need a package which browsers lack.
CUT = ("grapheme", "mixed")


def page_of_export(parts: Sequence[str]) -> str:
    """The page that works by itself, of scripts with these parts."""
    units = [unit for unit in UNITS if unit not in CUT]
    return _page(f'data-parts="{escape(" ".join(parts))}"', OFFLINE, "'none'", units)


def page_of_service(address: str, history: str | None = None) -> str:
    """The page whose tasks go to an address of the server it is from."""
    link = "" if history is None else HISTORY.format(address=escape(history))
    return _page(f'data-service="{escape(address)}"', SERVED, "'self'", UNITS, link)


def choices(units: Sequence[str]) -> dict[str, object]:
    """What the page lets people choose from: names, most with titles."""
    formats = {name: by_name(name) for name in names()}
    steps = [step for step in STEPS if all(p.default is not REQUIRED for p in step.parameters)]
    offered = {field.name: field.metadata.get("choices", ()) for field in fields(Options)}
    return {
        "reads": {name: spec.title for name, spec in formats.items()},
        "writes": [name for name, spec in formats.items() if spec.write is not None],
        "steps": {name: title for name, title, *_ in (*BUNDLED, *steps)},
        "choices": {**offered, "unit": units, "like": list(recipes())},
    }


def _page(
    service: str, where: str, connections: str, units: Sequence[str], history: str = ""
) -> str:
    assets = files("scoring.browser").joinpath("assets")
    own = embedded(
        ["page.css"],
        ["elements.js"],
        style=assets.joinpath("ui.css").read_text("utf-8"),
        script=assets.joinpath("ui.js").read_text("utf-8"),
    )
    shown = embedded(report.STYLES, report.SCRIPTS)
    # a report in a frame is under the policy of the page as well as under its own
    policy = (
        f"default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' '{own['script_hash']}' "
        f"'{shown['script_hash']}'; style-src '{own['style_hash']}' '{shown['style_hash']}'; "
        f"img-src data:; connect-src {connections}; worker-src blob:; frame-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    values = {
        "service": service,
        "policy": policy,
        "version": VERSION,
        "where": where,
        "choices": json.dumps(choices(units)).replace("<", "\\u003c"),
        "history": history,
        "style": own["style"],
        "script": own["script"],
    }
    text = assets.joinpath("ui.html").read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
