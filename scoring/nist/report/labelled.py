"""The report `.lur`: error rates by speaker and by label of the utterances."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from scoring.alignment.system import LabelDefinition, System
from scoring.model.special_errors import SubsetLabelError
from scoring.nist.report.rounding import mean, median, percentage, rounded, standard_deviation
from scoring.nist.report.tables import ReportRow, TableDrawer

_UNUSED = -1


class LabelCell:
    """The sums over the utterances of one speaker with one label."""

    __slots__ = ("errors", "words")

    def __init__(self) -> None:
        self.words = self.errors = 0

    @property
    def share(self) -> float:
        """Errors in percent of the reference words, 0 without words."""
        return percentage(self.errors, self.words)


class LabelSums:
    """The cells of all labels and speakers, and the category of each label."""

    def __init__(
        self,
        system: System,  # whose utterances are added up
        labels: Sequence[LabelDefinition] | None = None,  # the definitions, if not the system's own
        categories: list[int] | None = None,
    ) -> None:
        labels = system.labels if labels is None else labels
        # By label and speaker
        self.cells = [[LabelCell() for _ in system.speakers] for _ in labels]
        # By label; -1 for one no utterance has
        self.categories = [_UNUSED] * len(labels) if categories is None else categories
        # the first of several definitions of an identifier counts
        self._positions: dict[str, int] = {}
        for position, label in enumerate(labels):
            self._positions.setdefault(system.vocabulary.lower(label.identifier), position)
        texts = system.utterances.labels or ()
        speakers = system.utterances.speakers
        for utterance in sorted(range(len(texts)), key=lambda utterance: speakers[utterance]):
            if (text := texts[utterance]) is not None:
                self._add(system, utterance, text)

    def _add(self, system: System, utterance: int, text: str) -> None:
        identifier = system.utterances.identifiers[utterance]
        counts = system.counts[utterance]
        speaker = system.utterances.speakers[utterance]
        bad = SubsetLabelError(
            f"Error: Bad Label '{text}' for utt {identifier}\n"
            "       Make sure utterance labels have been properly formatted in the "
            "reference file.\n"
        )
        if not text.startswith("<"):
            raise bad
        for category, field in enumerate(re.split("[<,>]", text[1:])):
            if not field:
                continue
            position = self._positions.get(system.vocabulary.lower(field))
            if position is None:
                raise SubsetLabelError(
                    f"Error: Label id '{field}' lookup failed for utt {identifier}\n"
                    "       Make sure labels have been defined in the comment lines of the "
                    "reference file.\n"
                )
            if self.categories[position] == _UNUSED:
                self.categories[position] = category
            elif self.categories[position] != category:
                raise SubsetLabelError(
                    f"Error: Label id '{field}' of utt '{identifier}' (label def {text}) occurs "
                    "in multiple label category fields.\n"
                )
            cell = self.cells[position][speaker]
            cell.words += counts.reference_tokens
            cell.errors += counts.errors
        if ">" not in text:
            raise bad


def render(system: System, drawer: TableDrawer) -> Iterator[bytes]:
    """Yield the `.lur` report."""
    sums = LabelSums(system)
    yield "".join(drawer.draw(list(_rows(system, sums)), 1)).encode("latin-1")


def _rows(system: System, sums: LabelSums) -> Iterator[ReportRow]:
    data, titles, categories = layouts(sums.categories)
    yield ReportRow("c", [f"System: {system.title}"])
    yield from described(system)
    if system.categories:
        yield ReportRow(categories, category_titles(system, categories), before="-")
    yield ReportRow(titles, ["SPKR", *(label.title for label in system.labels)], before="-")
    yield ReportRow(titles, ["", *[" #Wrd %WE"] * len(system.labels)])
    for number, name in enumerate(system.speakers):
        texts = [name]
        for cell in (row[number] for row in sums.cells):
            if cell.words:
                texts += rate_cells(cell.words, cell.share)
            else:
                texts += ["0", f"* {cell.errors} *"] if cell.errors else ["", ""]
        yield ReportRow(data, texts, before="-")
    # a star in a cell means: errors, but no words they could be a percentage of
    starred = any(cell.errors and not cell.words for row in sums.cells for cell in row)
    totals = [text for row in sums.cells for text in sum_cells(row)]
    yield ReportRow(data, ["Set Sum/Avg", *totals], before="=")
    mark = " +" if starred else ""
    for name, statistic, rule in (
        (f"Mean{mark}", mean, "-"),
        (f"StdDev{mark}", standard_deviation, ""),
        ("Median", median, " "),
    ):
        counted = [[cell for cell in row if cell.words] for row in sums.cells]
        texts = [text for row in counted for text in statistic_cells(row, statistic)]
        yield ReportRow(data, [name, *texts], before=rule)
    if starred:
        note = "Note:  * Speaker Has no reference word tokens.  Number of incorrect words presented"
        yield ReportRow("l", [note], before="-")
        yield ReportRow("l", ["       + Speakers with no reference words ignored"])


def described(system: System) -> Iterator[ReportRow]:
    """Yield a row for each label with its description, then an empty row."""
    rows = [[label.title.replace("//", " "), "->", label.description] for label in system.labels]
    for number, texts in enumerate([*rows, ["", "", ""]]):
        after = " " if number == len(rows) else ""
        yield ReportRow("ccc", texts, before="" if number else " ", after=after)


def layouts(categories: Sequence[int]) -> tuple[str, str, str]:
    """Return three column layouts: of data rows, of label titles, and of category titles."""
    data = titles = joined = "c"
    previous = None
    for category in categories:
        separator = "=" if previous is not None and category != previous else "|"
        data += f"{separator}rr"
        titles += f"{separator}ca"
        joined += f"{separator}{'ca' if previous is None or separator == '=' else 'aa'}"
        previous = category
    return data, titles, joined


def category_titles(system: System, layout: str) -> list[str]:
    """Return the cells of the row of category titles: an empty cell, then the titles.

    The titles are in order of definition.
    """
    groups = layout.count("c") - 1
    titles = [category.title for category in system.categories][:groups]
    return ["", *titles, *[""] * (groups - len(titles))]


def rate_cells(words: float, share: float) -> list[str]:
    """Return two cells: the truncated number of words in brackets, and a percentage."""
    return [f"[{int(words)}]", f"{rounded(share, 1):.1f}"]


def sum_cells(cells: Sequence[LabelCell]) -> list[str]:
    """Return two cells for the sum of label cells: the words, and the errors in percent of them."""
    words = sum(cell.words for cell in cells)
    return rate_cells(words, percentage(sum(cell.errors for cell in cells), words))


def statistic_cells(
    cells: Sequence[LabelCell], statistic: Callable[[Sequence[float]], float]
) -> list[str]:
    """Return two cells with a statistic, such as the mean: of the words, and of the error rates."""
    words, shares = [float(cell.words) for cell in cells], [cell.share for cell in cells]
    return rate_cells(statistic(words), statistic(shares))
