"""What scoring gives: numbers, and every way to show them, each made in a room below."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scoring.rates.result import Rates

if TYPE_CHECKING:
    import pandas

    from scoring.alignment.system import System
    from scoring.nist.report.registry import ReportName, ReportPart
    from scoring.pages.result import UtteranceAlignment


class ErrorRates(Rates):
    """The scores of one hypothesis.

    A result computes and compares as its `error_rate`: `rates == 0.25`, `round(rates, 3)`,
    `1 - rates`. Two results are equal if their rates are, whatever else they hold. Without
    reference words, arithmetic and order raise `NoReferenceError`, and `==` is False. Results are
    unhashable. `merge` gives one result of the utterances of two.

    Results are a table, too, for polars and whatever speaks Arrow (`to_polars`, `to_arrow`): a row
    an utterance, with its name, speaker, groups, counts and `rate`; `to_pandas` has the words, too.

    Attributes
    ----------
    reference, hypothesis
        Where the words come from.
    rules
        How they were scored.
    matching_summary
        What was matched, and what was not.
    identifiers, speakers
        Of the utterances, in the order of the reference.
    aligned
        Their alignments in columns.
    reader_messages
        Notes and warnings of the readers, one line each; see `remarks`.
    sources
        What was read beside the words; None if it was not kept.
    groups
        By name of a group (`speaker`, `recording`, …) to what each utterance belongs; those that
        `by` asked for.
    columns
        All that sclite's reports show, where `sclite` itself has scored; else None.
    sessions
        The errors of each session, where speakers were assigned; else empty.
    session_of
        The session of each utterance; empty where there are none.

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

    __slots__ = ()

    def __str__(self) -> str:
        from scoring.pages.result import short_lines

        return "\n".join(short_lines(self))

    def _repr_html_(self) -> str:
        from scoring.pages.result import html_of

        return html_of(self)

    def alignment(self, identifier: str) -> UtteranceAlignment:
        """The alignment of an utterance; printed in rows, in notebooks in colour.

        Raises
        ------
        KeyError
            If there is none of this name.
        """
        from scoring.pages.result import utterance_alignment

        return utterance_alignment(self, self.position(identifier))

    def show(self, *, only_errors: bool = True, top: int | None = 20) -> None:
        """Print alignments, or show them in a notebook.

        Parameters
        ----------
        only_errors
            Leave out utterances without any.
        top
            At most so many, those with most errors first; None: all, in their order.

        Raises
        ------
        ValueError
            If `top` is negative.

        Examples
        --------
        >>> from scoring import wer
        >>> wer(["the cat", "sat"], ["the hat", "sat"]).show()
        000001: 1 error in 2 words, 50.00 %
        REF:  the cat
        HYP:  the hat
                  S
        <BLANKLINE>
        1 of 1 utterances with errors
        """
        from scoring.pages.result import display, worst_of

        if top is not None and top < 0:
            raise ValueError(f"top: expected a number from 0, found {top}")
        display(worst_of(self, only_errors=only_errors, top=top))

    def system(self, title: str | None = None, first_sequence: int = 0) -> System:
        """What sclite's reports are drawn from, see `scoring.rates.columns.system_of`."""
        if self.columns is not None and title is None and not first_sequence:
            return self.columns
        from scoring.rates.columns import system_of

        return system_of(self, title, first_sequence)

    def report(self, name: ReportName, *, line_width: int = 1000) -> str:
        """One of sclite's reports as a text; those of several files one after the other.

        Times, confidences and subset labels are in it if the result was made with `keep_sources`.

        Parameters
        ----------
        name
            As sclite's `-o` knows it: `sum`, `rsum`, `pralign`, `prf`, `sgml`, `dtl`, `lur`, …
        line_width
            Of the lines of `pralign` and `prf`, in bytes.

        Raises
        ------
        ValueError
            If there is no such report, or it is not one.
        LabelError
            If the report by labels cannot be made.

        Warns
        -----
        UserWarning
            If the report has nothing to show, as that by labels without labels.

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
        """Write reports of sclite to files as `sclite -O FOLDER -o NAMES` does; their paths.

        Parameters
        ----------
        folder
            Where to; it is made if it is not there.
        names
            As of `report`; `all`: those of sclite's `-o all`.
        title
            What the files and the system in them are called; None: as the hypothesis's file.
        line_width
            As of `report`.

        Raises
        ------
        ValueError
            If there is no report of a name, or no name.
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
            warnings.warn(line.strip(), UserWarning, stacklevel=2)

        reports = reports_named(names)
        return parts_of(
            self.system(title), reports, ReportSettings(TableDrawer(), warn, line_width)
        )

    def to_dict(self) -> dict[str, Any]:
        """The record of `scoring wer --json` for one system: dictionaries, lists, numbers.

        Examples
        --------
        >>> from scoring import wer
        >>> found = wer("a b", "a c").to_dict()
        >>> found["rates"]["corpus"], found["utterances"][0]["edits"]
        (0.5, 'CS')
        """
        from scoring.rates.record import system_record

        return system_record(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The record of `to_dict` as JSON; `indent`: blanks before each level, None: one line."""
        import msgspec

        document = msgspec.json.encode(self.to_dict())
        return (
            document if indent is None else msgspec.json.format(document, indent=indent)
        ).decode()

    def to_pandas(self) -> pandas.DataFrame:
        """An utterance a row: names, groups, counts, rate, the words of both sides.

        The columns are those of `scoring wer --csv`; the rate is NaN without reference words.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas

        from scoring.pages.spreadsheet import utterance_table

        columns, rows = utterance_table([self])
        return pandas.DataFrame(list(rows), columns=list(columns)).astype({"rate": float})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything but the sources as JSON, for `scoring.load` and `scoring compare`.

        The file appears whole or not at all; it is compressed if its name ends in `.gz`.

        Raises
        ------
        formats.UnwritableFileError
            If it cannot be written.
        """
        from formats.sink import open_sink
        from scoring.rates.record import document_lines

        with open_sink(path) as sink:
            for piece in document_lines([self]):
                sink.write(piece.decode("utf-8"))
