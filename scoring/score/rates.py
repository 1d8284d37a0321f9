"""The result of scoring: numbers and every way to print them."""

from __future__ import annotations

import os

from scoring.model.errors import OptionValueError, warn_caller
from scoring.results import Rates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, overload

    import pandas
    from typing_extensions import Self

    from scoring.alignment.system import System
    from scoring.model.aliases import ReportName
    from scoring.nist.report.registry import ReportPart
    from scoring.pages.notebook import NamedRates, UtteranceAlignment


class ErrorRates(Rates, frozen=False):
    """The scores of one hypothesis.

    A result behaves like its `error_rate` in arithmetic and comparisons: `rates == 0.25`,
    `round(rates, 3)`, `1 - rates`. Two results are equal if their rates are. Without reference
    words, arithmetic and order raise `NoReferenceError`, and `==` is False. Results are unhashable.
    `merge` combines the utterances of two results.

    Polars and libraries that read Arrow (`to_polars`, `to_arrow`) see a table with one row per
    utterance: name, speaker, groups, counts and `rate`; `to_pandas` adds the words.

    Attributes
    ----------
    reference, hypothesis
        Sources of the words.
    rules
        Rules of scoring.
    matching_summary
        Numbers of matched and unmatched utterances.
    identifiers, speakers
        One per utterance, in the order of the reference.
    aligned
        Alignments in columns.
    reader_messages
        Notes and warnings of the readers, one line each; see `remarks`.
    sources
        Times, confidences and other content besides words; None if not kept.
    groups
        A mapping from the name of a grouping (`speaker`, `recording`, …) to the group of each
        utterance; it has the groupings requested with `by`.
    sessions
        The errors of each session, if speakers were assigned; otherwise empty.
    session_of
        The session of each utterance; empty without sessions.
    measured
        A mapping from names to the measures requested with `measures`; `scoring.measure` counts
        further measures.
    verdicts
        Decisions on differences, None if there are none; `adjudication` has the resulting counts.
    choices
        Which of several references or variants were chosen; None if there was no choice.
    basis
        The references as read and the options, for scoring another hypothesis in the same way.
    forgiveness
        The alternatives of both sides, or None; `forgiven` has the chosen alternatives.

    Examples
    --------
    >>> from scoring import wer
    >>> rates = wer(reference=["a b c", "d"], hypothesis=["a x c", ""])
    >>> rates.counts
    Counts(correct=2, substitutions=1, deletions=1, insertions=0)
    >>> rates.error_rate, rates.mean_of_utterances
    (0.5, 0.6666666666666666)
    >>> rates < 0.6, f"{rates:.1%}"
    (True, '50.0%')
    >>> print(rates)  # doctest: +ELLIPSIS
    utterances  words  correct  substitutions  deletions  insertions  WER %
             2      4        2              1          1           0  50.00
    signature: wer|unit:word|norm:none|align:sclite(4,3,3)|ties:sclite|...
    >>> rates.alignment("000001").letters
    'CSC'
    """

    def __str__(self) -> str:
        from scoring.pages.notebook import short_lines

        return "\n".join(short_lines(self))

    def _repr_html_(self) -> str:
        from scoring.pages.notebook import NotebookView

        return NotebookView(self)._repr_html_()

    def alignment(self, identifier: str) -> UtteranceAlignment:
        """Return the alignment of an utterance. It prints as rows, and in colour in notebooks.

        Raises
        ------
        KeyError
            If no utterance has this name.
        """
        from scoring.pages.notebook import utterance_alignment

        return utterance_alignment(self, self.position(identifier))

    if TYPE_CHECKING:

        @overload
        def by(self, name: str, /) -> NamedRates[str | None, Self]: ...
        @overload
        def by(
            self, name: str, second: str, /, *more: str
        ) -> NamedRates[tuple[str | None, ...], Self]: ...

    def by(
        self, *names: str
    ) -> NamedRates[str | None, Self] | NamedRates[tuple[str | None, ...], Self]:
        """Return the result of each group by name, like `Rates.by`.

        The results print as a table.
        """
        from scoring.pages.notebook import NamedRates

        return NamedRates(super().by(*names), list(dict.fromkeys(names)))

    def show(self, *, only_errors: bool = True, top: int | None = 20) -> None:
        """Print the rate in words and alignments, or show them in a notebook.

        Parameters
        ----------
        only_errors
            Skip utterances without errors.
        top
            Largest number of utterances to show, most errors first; None for all utterances in
            order.

        Raises
        ------
        ValueError
            If `top` is negative.

        Examples
        --------
        >>> from scoring import wer
        >>> wer(["the cat", "sat"], ["the hat", "sat"]).show()
        1 of 3 words are wrong: 33.3 %
        <BLANKLINE>
        000001: 1 error in 2 words, 50.00 %
        REF:  the cat
        HYP:  the hat
                  S
        <BLANKLINE>
        1 of 1 utterances with errors
        """
        from scoring.drawing.notebook import display
        from scoring.pages.notebook import headline, worst_of

        if top is not None and top < 0:
            raise OptionValueError("top", expected="a number from 0", found=f"{top}")
        title = headline(self)
        display(worst_of(self, only_errors=only_errors, top=top, headline=title))

    def system(self, title: str | None = None, first_sequence: int = 0) -> System:
        """Return the data of sclite's reports, see `scoring.results.columns.system_of`."""
        from scoring.results.columns import system_of

        return system_of(self, title, first_sequence)

    def report(self, name: ReportName, *, line_width: int = 1000) -> str:
        """Return one of sclite's reports as text; several files are joined.

        The report has times, confidences and subset labels if the result was created with
        `keep_sources`.

        Parameters
        ----------
        name
            A name for sclite's `-o`: `sum`, `rsum`, `pralign`, `prf`, `sgml`, `dtl`, `lur`, …
        line_width
            Line width of `pralign` and `prf`, in bytes.

        Raises
        ------
        ValueError
            If no single report has this name.
        LabelError
            If the report by labels cannot be created.

        Warns
        -----
        UserWarning
            If the report is empty, such as one by labels without labels.

        Examples
        --------
        >>> from scoring import wer
        >>> rates = wer({"anne-1": "a b"}, {"anne-1": "a c"})
        >>> print(rates.report("pralign").split("sitve")[1])  # doctest: +NORMALIZE_WHITESPACE
        REF:  a b
        HYP:  a c
        Eval:   S
        """
        if name == "all":
            raise ValueError("expected the name of one report, found 'all' (see write_reports)")
        parts = self._parts([name], None, line_width)
        content = b"".join([piece for part in parts for piece in part.content])
        return content.decode("utf-8", "surrogateescape")

    def write_reports(
        self,
        folder: str | os.PathLike[str],
        *names: ReportName,
        title: str | None = None,
        line_width: int = 1000,
    ) -> list[str]:
        """Write reports of sclite to files like `sclite -O FOLDER -o NAMES`; return their paths.

        Parameters
        ----------
        folder
            Output folder; created if missing.
        names
            Names of reports, as in `report`; `all` stands for the reports of sclite's `-o all`.
        title
            Name of the files and of the system in them; None for the name of the hypothesis file.
        line_width
            As in `report`.

        Raises
        ------
        ValueError
            If no report has such a name, or there is no name.
        OutputError
            If a file cannot be written, or is the reference or the hypothesis.
        """
        from scoring.nist.report.writer import write_parts

        if not names:
            raise ValueError("expected names of reports, such as 'sum' and 'pralign', found none")
        parts = self._parts(names, title, line_width)
        inputs = [self.reference.path, self.hypothesis.path]
        name = title or os.path.basename(self.hypothesis.path.strip("<>"))
        os.makedirs(folder, exist_ok=True)
        root = os.fsencode(os.path.join(folder, name)).decode("latin-1")
        written = write_parts(parts, root, inputs)
        return [os.fsdecode(path.encode("latin-1")) for path in written]

    def _parts(
        self, names: Sequence[str], title: str | None, line_width: int
    ) -> Iterator[ReportPart]:
        from scoring.nist.report.registry import ReportSettings
        from scoring.nist.report.tables import TableDrawer
        from scoring.nist.report.writer import parts_of, reports_named

        def warn(text: str) -> None:
            line = text.encode("latin-1", "replace").decode("utf-8", "replace")
            warn_caller(line.strip())

        reports = reports_named(names)
        return parts_of(
            self.system(title), reports, ReportSettings(TableDrawer(), warn, line_width)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record of `scoring wer --json` for one system: dictionaries, lists, numbers.

        Examples
        --------
        >>> from scoring import wer
        >>> found = wer("a b", "a c").to_dict()
        >>> found["rates"]["error_rate"], found["utterances"][0]["edits"]
        (0.5, 'CS')
        """
        from scoring.results.record import system_record

        return system_record(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the record of `to_dict` as JSON.

        `indent` is the number of blanks per level; None for a single line.
        """
        import msgspec

        document = msgspec.json.encode(self.to_dict())
        return (
            document if indent is None else msgspec.json.format(document, indent=indent)
        ).decode()

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with one row per utterance: names, groups, counts, rate and words.

        The columns are the same as in `scoring wer --csv`. The rate is NaN without reference words.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas

        from scoring.pages.spreadsheet import utterance_table

        columns, rows = utterance_table([self])
        return pandas.DataFrame(list(rows), columns=list(columns)).astype({"error_rate": float})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything but the sources as JSON, for `scoring.load` and `scoring compare`.

        The file is written completely or not at all. A name that ends in `.gz` selects gzip
        compression.

        Raises
        ------
        formats.UnwritableFileError
            If it cannot be written.
        """
        from formats.io.sink import open_sink
        from scoring.results.hashes import with_hashes
        from scoring.results.record import document_lines

        with open_sink(path) as sink:
            for piece in document_lines([with_hashes(self)]):
                sink.write(piece.decode("utf-8"))
