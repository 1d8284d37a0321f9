"""Reports of evaluations: text, Markdown, HTML and JSON.

=============  ====================================================================================
``text``       for people and terminals
``markdown``   for pages written in Markdown
``html``       one file that needs no other files
``json``       everything, for programs
=============  ====================================================================================

evalmate's names (``event``, ``event_confusion``, ``asr``, ``asr_detail``, ``kws``, ``kws_detail``,
``segment``, ``segment_detail``) mean text with the sections of evalmate's templates with these
names, in the layout of this package.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.drawing.data import json_text
from scoring.drawing.forms import lines_of
from scoring.drawing.text import Appearance, text_lines
from scoring.model.errors import ScoringError
from scoring.tasks.labels.reports.page import (
    CLASSES,
    CONFUSIONS,
    DEFAULT_SECTIONS,
    LENGTHS,
    OVERALL,
    SECTIONS,
    UTTERANCES,
    page_of,
)
from scoring.tasks.labels.reports.record import record_of
from scoring.tasks.labels.scored import AlignedOutcomes
from scoring.tasks.labels.thresholds import ThresholdReport

TEMPLATES: Mapping[str, Sequence[str]] = {
    "event": (OVERALL, CLASSES),
    "event_confusion": (CONFUSIONS,),
    "asr": (OVERALL,),
    "asr_confusion": (CONFUSIONS,),
    "asr_detail": (OVERALL, CLASSES, UTTERANCES),
    "kws": (OVERALL, CLASSES),
    "kws_detail": (OVERALL, CLASSES, CONFUSIONS),
    "segment": (OVERALL, LENGTHS, CLASSES),
    "segment_detail": (OVERALL, LENGTHS, CLASSES, UTTERANCES),
}
__all__ = [
    "DEFAULT_SECTIONS",
    "FORMS",
    "SECTIONS",
    "TEMPLATES",
    "ReportTemplateError",
    "render",
    "render_file",
]
FORMS = ("text", "markdown", "html", "json")


def render(
    evaluation: AlignedOutcomes,
    template: str | None = None,
    *,
    sections: Sequence[str] | None = None,
    names: tuple[str, str] = ("reference", "hypothesis"),
    columns: int = 100,
    colour: bool = False,
    operation: ThresholdReport | None = None,
) -> str:
    """Return an evaluation as one of the reports, with optional thresholds of scores."""
    form = template or "text"
    if form in TEMPLATES:
        form, sections = "text", sections or TEMPLATES[form]
    if form not in FORMS:
        names_of_reports = ", ".join((*FORMS, *TEMPLATES))
        raise ValueError(f"template: expected one of {names_of_reports}, found {template!r}")
    for section in sections or ():
        if section not in SECTIONS:
            names_of_sections = ", ".join(SECTIONS)
            raise ValueError(f"sections: expected some of {names_of_sections}, found {section!r}")
    if form == "json":
        return json_text(record_of(evaluation, names, operation), indent=1) + "\n"
    sections = sections or (SECTIONS if form == "html" else DEFAULT_SECTIONS)
    blocks = page_of(evaluation, sections, operation)
    title = f"{evaluation.title}: {names[1]} against {names[0]}"
    look = Appearance(columns, colour, rule="#")
    lines = (
        text_lines(blocks, look, title) if form == "text" else lines_of(blocks, form, title, look)
    )
    return "".join(f"{line}\n" for line in lines)


def render_file(template: str | os.PathLike[str], values: Mapping[str, Any]) -> str:
    """Render a report from a Jinja2 template file, which may include files in its folder.

    Raises
    ------
    ReportTemplateError
        If there is no such template, it cannot be read, or a value that it uses is missing.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

    folder, name = os.path.split(os.path.abspath(template))
    environment = Environment(
        loader=FileSystemLoader(folder), undefined=StrictUndefined, keep_trailing_newline=True
    )
    try:
        return environment.get_template(name).render(values)
    except (TemplateError, OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        line = getattr(problem, "lineno", None)
        place = f"{os.fspath(template)}{'' if line is None else f':{line}'}"
        raise ReportTemplateError(f"{place}: expected a Jinja2 template, found {reason}") from None


class ReportTemplateError(ScoringError):
    """The template of a report cannot be used."""

    status = 2
