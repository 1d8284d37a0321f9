"""The system summaries: percentages (`.sys`), counts (`.raw`) and weighted scores (`.wws`).

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.alignment.system import CHARACTER_ALIGNED, HYPOTHESIS_CONFIDENCES, System
from scoring.model.counts import Edit
from scoring.nist.report.rounding import (
    Tally,
    by_speaker,
    mean,
    median,
    percentage,
    rounded,
    standard_deviation,
    total,
    truncated,
)
from scoring.nist.report.tables import PAGE_WIDTH, ReportRow, TableDrawer, centred

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.model.aliases import Say
    from scoring.nist.report.entropy import CrossEntropies

_HEADING = f"\n\n\n{centred('SYSTEM SUMMARY PERCENTAGES by SPEAKER', PAGE_WIDTH)}\n\n"
_DELETED = -1000.0
_FOOTNOTE = """
* No Reference words for this/these speaker(s).  Word counts supplied
  rather than percents.
# No Reference words for this/these speaker(s).  NCE not computable.
+ Speaker(s) with no reference data is ignored
"""


class Scopes(NamedTuple):
    """The data of a summary: title, name and tally of each speaker, heading of the counts."""

    title: str
    names: Sequence[str]
    tallies: Sequence[Tally]
    amounts: str  # heading of what is counted

    @property
    def overall(self) -> Tally:
        """The tally over all speakers."""
        return total(self.tallies) if self.tallies else Tally()


class _Line(NamedTuple):
    """The values in the line of a speaker, or in that of all speakers."""

    utterances: int
    words: int
    values: Sequence[float]  # correct, substitutions, deletions, insertions, errors; not rounded
    utterances_with_errors: float
    cross_entropy: float | None
    decimals: int
    # What stands after each of them: a blank, or a star where counts stand for percentages
    suffix: str = " "
    # All speakers together, whose cross entropy is shown even without reference words
    whole: bool = False

    def texts(self, name: str) -> list[str]:
        """Return the cells of the line, with `name` first."""
        decimals, suffix = self.decimals, self.suffix
        cells = [name, f"{self.utterances:5d}", f"{self.words:5d}"]
        shown = 0 if suffix == "*" else decimals
        cells += [f"{rounded(value, decimals):5.{shown}f}{suffix}" for value in self.values]
        cells.append(f"{rounded(self.utterances_with_errors, decimals):5.{decimals}f} ")
        if self.cross_entropy is not None:
            value = f"{rounded(self.cross_entropy, 3):7.3f} "
            cells.append(value if self.words or self.whole else "# ")
        return cells


def percentages(system: System, drawer: TableDrawer, warn: Say) -> Iterator[bytes]:
    """Yield the `.sys` report: percentages of the reference words, by speaker.

    The line of a speaker without reference words has counts with stars, and the statistics exclude
    this speaker. If there are several such speakers, sclite excludes wrong ones, and this report
    does the same (see `_without_zero_speakers`).
    """
    scopes, entropies = _by_speaker(system, warn)
    yield from percentages_of(scopes, drawer, entropies)


def percentages_of(
    scopes: Scopes, drawer: TableDrawer, entropies: CrossEntropies | None = None
) -> Iterator[bytes]:
    """Yield the rows of percentages as byte text: speakers, total and statistics."""
    yield _HEADING.encode("latin-1")
    shares = [_shares(tally) if tally.counts.reference_tokens else None for tally in scopes.tallies]
    whole = _shares(scopes.overall)
    yield from _percentage_table(scopes, drawer, shares, whole, entropies)


def raw(system: System, drawer: TableDrawer, warn: Say) -> Iterator[bytes]:
    """Yield the `.raw` report: word counts by speaker."""
    scopes, entropies = _by_speaker(system, warn)
    yield from amounts_of(scopes, drawer, entropies)


def amounts_of(
    scopes: Scopes, drawer: TableDrawer, entropies: CrossEntropies | None = None
) -> Iterator[bytes]:
    """Yield the rows of counts as byte text: speakers, total and statistics."""
    *lines, whole = (
        _line(tally, _raw_values(tally), entropy, decimals=0)
        for tally, entropy in _with_entropies(scopes, entropies)
    )
    yield _HEADING.encode("latin-1")
    statistics = _statistics(lines, "", "")
    whole = whole._replace(whole=True)
    yield from _table(scopes, drawer, "Sum", lines, whole, statistics)


def weighted(system: System, drawer: TableDrawer, warn: Say) -> Iterator[bytes]:
    """Yield the `.wws` report: percentages of the weight of the reference words, by speaker.

    A substitution has the weight of both of its words together. As in sclite, the totals are
    truncated to integers after every speaker. With fractional weights, the line of the totals is
    therefore not the weighted mean of the lines above it.
    """
    scopes, entropies = _by_speaker(system, warn)
    weights = _weights_by_speaker(system)
    totals = [0] * len(_Weights._fields)
    for own in weights:
        totals = [truncated(sofar + more) for sofar, more in zip(totals, own, strict=True)]
    stars = centred("*" * 70, PAGE_WIDTH)
    words = "*****     Word Percentages Computed using Weighted Word Scoring  *****"
    file = centred(f"** Weights defined by file: '{system.weights_name or ''}'", PAGE_WIDTH)
    banner = f"\n\n{stars}\n{centred(words, PAGE_WIDTH)}\n{stars}\n\n{file}\n\n"
    yield f"{_HEADING}{banner}".encode("latin-1")
    shares = [_weighted_shares(own) if own.reference else None for own in weights]
    whole = _weighted_shares(_Weights(*totals))
    yield from _percentage_table(scopes, drawer, shares, whole, entropies)


def _by_speaker(system: System, warn: Say) -> tuple[Scopes, CrossEntropies | None]:
    tallies = by_speaker(system)
    attributes = set(system.utterances.attributes)
    by_characters = any(bits & CHARACTER_ALIGNED for bits in attributes)
    amounts = "# Chr" if by_characters else "# Wrd"
    entropies: CrossEntropies | None = None
    if any(bits & HYPOTHESIS_CONFIDENCES for bits in attributes):
        from scoring.nist.report.entropy import cross_entropies

        entropies = cross_entropies(system, [tally.counts for tally in tallies], warn)
    return Scopes(system.title, system.speakers, tallies, amounts), entropies


def _with_entropies(
    scopes: Scopes, entropies: CrossEntropies | None
) -> Iterator[tuple[Tally, float | None]]:
    """Yield the tallies, each with its cross entropy if known; the last tally is the total."""
    tallies = [*scopes.tallies, scopes.overall]
    entropies_of: Sequence[float | None] = [None] * len(tallies)
    if entropies is not None:
        entropies_of = [*entropies.speakers, entropies.overall]
    return zip(tallies, entropies_of, strict=True)


def _raw_values(tally: Tally) -> list[float]:
    return [*tally.counts, tally.counts.errors]


def _shares(tally: Tally) -> list[float]:
    """Return the counts as percentages of the reference words; all 0 without reference words."""
    counts = tally.counts
    return [percentage(count, counts.reference_tokens) for count in (*counts, counts.errors)]


def _line(
    tally: Tally,
    values: Sequence[float],
    cross_entropy: float | None,
    *,
    decimals: int,
    whole: bool = False,
) -> _Line:
    """Return a speaker's line; with `decimals` 0, its values are counts."""
    words, wrong = tally.counts.reference_tokens, tally.utterances_with_errors
    return _Line(
        tally.utterances,
        words,
        values,
        percentage(wrong, tally.utterances) if decimals else wrong,
        cross_entropy,
        decimals,
        "*" if decimals and not whole and not words else " ",
        whole,
    )


class _Weights(NamedTuple):
    reference: float = 0.0
    correct: float = 0.0
    substitutions: float = 0.0
    deletions: float = 0.0
    insertions: float = 0.0


def _weights_by_speaker(system: System) -> list[_Weights]:
    reference = system.weights_of(system.reference)
    hypothesis = system.weights_of(system.hypothesis)
    if reference is None or hypothesis is None:
        raise ValueError(f"word weights of system {system.title!r}: expected some, found none")
    sums = [[0.0] * len(_Weights._fields) for _ in system.speakers]
    for utterance, speaker in enumerate(system.utterances.speakers):
        row = sums[speaker]
        for edit, left, right in system.slots(utterance):
            left_weight = reference[left] if left is not None else 0.0
            right_weight = hypothesis[right] if right is not None else 0.0
            row[0] += left_weight
            if edit == Edit.SUBSTITUTION:
                row[2] += left_weight + right_weight
            elif edit == Edit.DELETION:
                row[3] += left_weight
            elif edit == Edit.INSERTION:
                row[4] += right_weight
            else:
                row[1] += right_weight
    return [_Weights(*row) for row in sums]


def _weighted_shares(weights: _Weights) -> list[float]:
    """Return the percentages of the reference words' weight; all 0 if this weight is 0."""
    errors = weights.substitutions + weights.insertions + weights.deletions
    return [percentage(value, weights.reference) for value in (*weights[1:], errors)]


def _without_zero_speakers(lines: Sequence[_Line]) -> list[Sequence[float]]:
    """Return the values for the statistics: a sequence for each of the five columns.

    sclite deletes the entries of speakers without reference words by their positions, although each
    deletion moves the later entries. It therefore deletes wrong entries after the first deletion.
    This function deletes the same entries.
    """
    columns = [list(column) for column in zip(*(line.values for line in lines), strict=True)]
    zero_speakers = [position for position, line in enumerate(lines) if not line.words]
    for position in zero_speakers:
        for column in columns:
            del column[position]
            column.append(_DELETED)
    return [column[: len(lines) - len(zero_speakers)] for column in columns]


def _statistics(
    lines: Sequence[_Line], mark: str, entropy_mark: str, columns: Sequence[Sequence[float]] = ()
) -> list[list[str]]:
    """Return the cells for the mean, the standard deviation and the median."""
    values = columns or list(zip(*(line.values for line in lines), strict=True)) or [()] * 5
    entropies = [line.cross_entropy for line in lines if line.cross_entropy is not None]
    shown = [
        ([float(line.utterances) for line in lines], " "),
        ([float(line.words) for line in lines], " "),
        *((column, mark or " ") for column in values),
        ([float(line.utterances_with_errors) for line in lines], " "),
    ]
    rows = []
    for name, statistic in ((" Mean ", mean), (" S.D. ", standard_deviation), ("Median", median)):
        cells = [f"{rounded(statistic(column), 1):5.1f}{suffix}" for column, suffix in shown]
        if entropies:
            cells.append(f"{rounded(statistic(entropies), 3):7.3f}{entropy_mark or ' '}")
        rows.append([name, *cells])
    return rows


def _percentage_table(
    scopes: Scopes,
    drawer: TableDrawer,
    shares: Sequence[Sequence[float] | None],
    whole: Sequence[float],
    entropies: CrossEntropies | None,
) -> Iterator[bytes]:
    """Yield the table of percentages (or of counts), and the note below the table."""
    *lines, last = (
        _line(
            tally,
            row or _raw_values(tally),
            entropy,
            decimals=1,
            whole=index == len(shares),
        )
        for index, (row, (tally, entropy)) in enumerate(
            zip([*shares, whole], _with_entropies(scopes, entropies), strict=True)
        )
    )
    any_zero = any(not line.words for line in lines)
    marks = ("+", "#") if any_zero else ("", "")
    statistics = _statistics(lines, *marks, _without_zero_speakers(lines))
    yield from _table(scopes, drawer, "Sum/Avg", lines, last, statistics)
    if any_zero:
        yield _FOOTNOTE.encode("latin-1")


def _table(
    scopes: Scopes,
    drawer: TableDrawer,
    total_name: str,
    lines: Sequence[_Line],
    whole: _Line,
    statistics: Sequence[Sequence[str]],
) -> Iterator[bytes]:
    """Yield one table.

    As in sclite, this centres all later tables of the run.
    """
    drawer.centring = True
    confidences = "|c" if whole.cross_entropy is not None else ""
    body, foot = f"l|cc|cccccc{confidences}", f"c|cc|cccccc{confidences}"
    header = [" SPKR", " # Snt", scopes.amounts]
    header += ["Corr", " Sub", " Del", " Ins", " Err", "S.Err"]
    header += ["NCE"] * bool(confidences)
    rows = [ReportRow("c", [scopes.title]), ReportRow(body, header, before="-")]
    for speaker, line in zip(scopes.names, lines, strict=True):
        rows.append(ReportRow(body, line.texts(f" {speaker} "), before="-"))
    rows.append(ReportRow(body, whole.texts(f" {total_name}"), before="="))
    rows += [
        ReportRow(foot, cells, before="=" * (not index)) for index, cells in enumerate(statistics)
    ]
    yield "".join(drawer.draw(rows, 0)).encode("latin-1")
