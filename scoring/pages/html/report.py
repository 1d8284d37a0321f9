"""An HTML page of one or more results, which loads nothing from elsewhere.

Texts from transcripts cannot inject markup: the template escapes them, the script writes them as
text nodes, and the content security policy forbids all foreign scripts and styles.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from formats.schema import VERSION
from scoring.drawing.templates import embedded, pieces
from scoring.model.errors import warn_caller
from scoring.pages import SPEAKERS, items_of
from scoring.pages.html.extras import NO_EXTRAS, Extras, extras_of
from scoring.pages.html.payload import payload
from scoring.pages.html.view import (
    Ranks,
    interval_heading,
    question_views,
    rate_name,
    system_views,
)
from scoring.pages.sentence import names_of_systems

if TYPE_CHECKING:
    from scoring.pages.group_gaps import GroupGap
    from scoring.results import Rates
    from scoring.stats.intervals import ConfidenceInterval

TEMPLATE = "page.html.j2"
STYLES = ("page.css", "blocks.css", "reading.css", "utterances.css", "lanes.css", "print.css")
# In this order: each uses those before it.
SCRIPTS = (
    "theme.js",
    "elements.js",
    "data.js",
    "selection.js",
    "groups.js",
    "tables.js",
    "charts.js",
    "alignment.js",
    "waveform.js",
    "utterances.js",
    "reading.js",
    "verdicts.js",
    "timeline.js",
    "lanes.js",
    "page.js",
)


def html_report(
    results: Rates | Sequence[Rates],
    path: str | os.PathLike[str],
    *,
    intervals: Sequence[ConfidenceInterval | None] | None = None,
    title: str | None = None,
    ranking: Ranks | None = None,
    audio: str | os.PathLike[str] | None = None,
    vocabulary: str | os.PathLike[str] | Iterable[str] | None = None,
) -> None:
    r"""Write results as one HTML page that needs neither network nor other files.

    The page compares the systems if there are several. It shows times, confidences, subset labels
    and the words before normalisation if the results were computed with `keep_sources=True`. Equal
    results give equal bytes.

    Parameters
    ----------
    results
        One or more results of `scoring.wer`; their references may differ.
    path
        Output file, written completely or not at all; compressed if its name ends in `.gz`.
    intervals
        Results of `scoring.confidence_interval`, one per result, or None.
    title
        Title of the page; None: the error rate and the reference's file.
    ranking
        Result of `scoring.regression.ranking.rank`: shown with a table of all pairs of systems.
    audio
        A folder of audio files, to which the page links. A file has the name of a recording or, if
        segments have no times, of an utterance. A warning lists missing files.
    vocabulary
        The words that the systems know, or a file whose lines begin with them; the page marks all
        other words. Case matters unless the results ignore it.

    Raises
    ------
    ValueError
        If there are no results, not as many intervals as results, or no word in the vocabulary.
    formats.UnreadableFileError
        If the folder of recordings, or the file of the vocabulary, cannot be read.
    scoring.model.errors.InputError
        If the file of the vocabulary has no word.
    formats.UnwritableFileError
        If the file cannot be written.

    Examples
    --------
    >>> import scoring, tempfile, pathlib
    >>> rates = scoring.wer(reference={"u1": "a b"}, hypothesis={"u1": "a c"}, keep_sources=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pathlib.Path(folder, "report.html")
    ...     scoring.html_report(rates, page)
    ...     page.read_text("utf-8").startswith("<!doctype html>")
    True
    """
    from formats.io.sink import open_sink

    systems = list(results) if isinstance(results, Sequence) else [results]
    extras, remark = extras_of(systems, path, audio, vocabulary)
    if remark is not None:
        warn_caller(str(remark))
    pieces = page(systems, intervals, title, ranking, extras)
    with open_sink(path) as sink:
        for piece in pieces:
            sink.write(piece.decode("utf-8"))


def page(
    systems: Sequence[Rates],
    intervals: Sequence[ConfidenceInterval | None] | None = None,
    title: str | None = None,
    ranking: Ranks | None = None,
    extras: Extras = NO_EXTRAS,
    gaps: Sequence[Sequence[GroupGap]] = (),
    signatures: Sequence[str] | None = None,
) -> Iterator[bytes]:
    """Return the page in pieces of UTF-8; arguments and errors are those of `html_report`.

    `gaps` are the group comparisons of each system. `signatures` replace the signatures of word
    scoring, for a task with more rules.
    """
    if not systems:
        raise ValueError("expected results, found none")
    for rates in systems:
        rates.refuse_lengths("the page")
    if intervals is None:
        intervals = [None] * len(systems)
    if len(intervals) != len(systems):
        raise ValueError(f"expected {len(systems)} intervals or None, found {len(intervals)}")
    name, counted = rate_name(systems)
    reference = os.path.basename(systems[0].reference.path) or systems[0].reference.path
    values: dict[str, object] = {
        "title": title or f"{name}: {reference}",
        "rate_name": name,
        "counted": counted,
        "items": _items(systems),
        "systems": system_views(systems, intervals, signatures),
        "interval_heading": interval_heading(found and found.bootstrap for found in intervals),
        "ranking": None if ranking is None else ranking.view(),
        "version": VERSION,
        **embedded(STYLES, SCRIPTS),
        "payload": payload(systems, names_of_systems(systems), extras),
        "has_audio": bool(extras.audio),
        "questions": list(question_views(systems, gaps)),
    }
    return pieces(TEMPLATE, values)


def _items(systems: Sequence[Rates]) -> str:
    """Return the noun for the rows of the page.

    A speaker of a meeting has a row for each session, unlike in the view of all speakers.
    """
    [items, *others] = {items_of(rates) for rates in systems}
    if others:
        return "utterances"
    return f"session {items}" if items == SPEAKERS else items
