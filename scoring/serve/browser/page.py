"""The HTML of the page, and the policy that allows only the page's own style and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

from formats.detection import all_formats, by_name, has_captions
from formats.schema import VERSION
from scoring.drawing import markup
from scoring.drawing.templates import asset, embedded, rendered
from scoring.measures import MEASURES, measure_named
from scoring.options import UNITS, USUAL, is_switch, options_in
from scoring.pages.html import report
from scoring.serve.browser.plain_words import format_titles, labels, offered
from scoring.serve.browser.tasks import WITH_CER
from scoring.sides.matching.clocks import RATES
from scoring.text.bundled import BUNDLED
from scoring.text.recipes import recipes
from scoring.text.registry import REQUIRED, STEPS

# Choices of the form: these first, then the switches and the words of their groups.
SCORING = dict.fromkeys(
    (
        *("unit", "profile", "missing", "meeting", "like", "by", "shift"),
        *options_in("aligning", "matching"),
    )
)
# The values that are used if nothing is chosen. Other controls name their default in the label.
DEFAULTS = {"unit": "word", "profile": "sclite", "missing": "delete"}
# Units and switches that need a package which browsers lack.
LACKING = ("grapheme", "mixed", WITH_CER)
SPOKEN = "spoken-forms"


def page_of_export(parts: Mapping[str, int], prepared: Mapping[str, Any] | None = None) -> str:
    """Return the page that works without a server; `parts` has the size of each of its scripts.

    With `prepared`, the page shows this scored request and loads the parts when they are needed.
    """
    values = {"service": "", "parts": parts, "note": "offline", "history": None}
    return _page("'none'", LACKING, {**values, "prepared": prepared})


def page_of_service(address: str, history: str | None = None) -> str:
    """Return the page that sends its tasks to an address of this server."""
    values = {"service": address, "parts": None, "note": "served", "history": history}
    return _page("'self'", (), {**values, "prepared": None})


def _page(connections: str, lacking: Sequence[str], values: dict[str, Any]) -> str:
    from formats.subtitles.rules import RULE_SETS, languages_of
    from scoring.tasks.speakers.der.rules import LIKE

    style, script = (asset(f"ui.{kind}", "scoring.serve.browser") for kind in ("css", "js"))
    helpers = ["elements.js", "data.js", "tables.js"]
    own = embedded(["page.css"], helpers, style=style, script=script)
    # a report in a frame is under the policy of the page as well as under its own
    frames = [embedded(room.STYLES, room.SCRIPTS) for room in (report, markup)]
    scripts, styles = (
        " ".join(f"'{assets[f'{kind}_hash']}'" for assets in (own, *frames))
        for kind in ("script", "style")
    )
    policy = (
        f"default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' {scripts}; "
        f"style-src {styles}; "
        f"img-src data:; media-src blob:; connect-src {connections}; worker-src blob:; "
        "frame-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    formats = {spec.name: spec for spec in (by_name("srt"), *all_formats())}
    steps = [step for step in STEPS if all(p.default is not REQUIRED for p in step.parameters)]
    units = [unit for unit in UNITS if unit not in lacking]
    controls = _controls({"unit": units, "like": recipes()})
    controls["switches"] = [name for name in controls["switches"] if name not in lacking]
    shown: dict[str, Any] = {
        "policy": policy,
        "version": VERSION,
        "reads": {name: spec.title for name, spec in formats.items()},
        "writes": {name: spec.title for name, spec in formats.items() if spec.write is not None},
        "captions": [name for name in formats if has_captions(name)],
        "steps": {name: title for name, title, *_ in (*BUNDLED, *steps)},
        "measures": {} if lacking else _measures(),
        "lacking": tuple(lacking),
        "turn_rules": tuple(LIKE),
        "forms": _languages(),
        "frame_rates": tuple(permutations(RATES, 2)),
        "guides": {rules.name: rules.date for rules in RULE_SETS},
        "guide_languages": {rules.name: languages_of(rules) for rules in RULE_SETS},
        "messages": labels(),
        "titles": format_titles(),
        "m": labels()["en"],
        "defaults": DEFAULTS,
        **controls,
    }
    return rendered("ui.html.j2", {**own, **shown, **values}, "scoring.serve.browser").decode(
        "utf-8"
    )


def _measures() -> dict[str, str]:
    """Return the titles of the measures that need no file, by name.

    The measure of characters is excluded, because the page has a switch for it.
    """
    measures = map(measure_named, MEASURES)
    return {
        measure.name: measure.title
        for measure in measures
        if measure.name != "characters" and not any(each.is_file for each in measure.parameters)
    }


def _languages() -> Sequence[str]:
    """Return the languages in which written and spoken forms count as equal."""
    return next(
        (
            parameter.choices
            for step in STEPS
            if step.name == SPOKEN
            for parameter in step.parameters
            if parameter.name == "lang"
        ),
        (),
    )


def _controls(listed: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Return the form's select fields with their choices (by default all), and its switches."""
    choices = {name: tuple(listed.get(name) or offered(name)) for name in SCORING}
    return {
        "selects": {
            name: [word for word in dict.fromkeys(words) if word != USUAL[name]]
            for name, words in choices.items()
            if words
        },
        "switches": [
            WITH_CER,
            *(name for name, words in choices.items() if not words and is_switch(name)),
        ],
    }
