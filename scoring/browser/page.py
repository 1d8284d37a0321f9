"""The page itself: its text, and the policy that allows its own style and scripts alone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from formats.version import VERSION
from scoring.pages.html import report
from scoring.pages.html.templates import embedded

OFFLINE = "Your files stay in this browser: nothing is sent anywhere."
SERVED = "Your files stay on this machine: the program that opened this page reads them."
HISTORY = '<a href="{address}">History</a>'


def page_of_export(parts: Sequence[str]) -> str:
    """The page that works by itself, of scripts with these parts."""
    return _page(f'data-parts="{escape(" ".join(parts))}"', OFFLINE, "'none'")


def page_of_service(address: str, history: str | None = None) -> str:
    """The page whose tasks go to an address of the server it is from."""
    link = "" if history is None else HISTORY.format(address=escape(history))
    return _page(f'data-service="{escape(address)}"', SERVED, "'self'", link)


def _page(service: str, where: str, connections: str, history: str = "") -> str:
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
        "history": history,
        "style": own["style"],
        "script": own["script"],
    }
    text = assets.joinpath("ui.html").read_text("utf-8")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
