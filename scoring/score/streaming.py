"""Scores of large tables in parts: counts stay in memory, words are read again on access."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from formats.schema.messages import Message
from scoring.alignment.results import Alignments, CountsTable, LazyColumn
from scoring.results.groups import CodedColumn
from scoring.results.messages import EMPTIED, OTHER_SCRIPT, WORDS_MET
from scoring.results.streamed import AlignedRow, StreamedAlignments, aligned_row
from scoring.results.where import RowFilter, selected_sides
from scoring.score import doubts_about, score
from scoring.score.doubts import CODES
from scoring.score.plan import WORDS, ScorePlan, plan_of
from scoring.sides.corpus import (
    SHOWN,
    Account,
    Basis,
    Corpus,
    ListedNames,
    NamedRows,
    RowNumbers,
    sum_of_accounts,
)
from scoring.sides.matching.in_common import check_all, check_rows
from scoring.text.readings import ReadingsStep

if TYPE_CHECKING:
    from scoring.options import Missing, Options
    from scoring.results.record import Shard
    from scoring.score.rates import ErrorRates
    from scoring.sides.corpus import SideRemark

# Tables of more rows are scored in parts of so many.
LARGE, PART = 500_000, 1 << 16
# The first rows, and some of all, whose words stay: hints look at them.
HEAD, SAMPLED = 5_001, 800
# What a part may have to say of its texts, in the order in which it says it.
ON_TEXTS = (EMPTIED, OTHER_SCRIPT, WORDS_MET)


def may_stream(options: Options) -> bool:
    """Return True if rows are scored separately and only words and counts are needed."""
    is_plain = not (options.chooses or options.keep_sources or options.verdicts)
    is_plain = is_plain and not (options.measures or options.measure_options or options.meeting)
    is_by_row = options.cut is None and options.shift is None and options.match is None
    if not is_plain or not is_by_row or options.rules("").compounds:
        return False
    pipeline = plan_of(options).pipeline
    steps = () if pipeline is None else chain(*map(pipeline.steps, ("reference", "hypothesis")))
    return not any(isinstance(step, ReadingsStep) for step in steps)


class StreamedScore:
    """The score of one system, part by part.

    Rows are numbered in the order in which they are added. `read` returns both sides of a range of
    rows.
    """

    def __init__(
        self,
        options: Options,
        rows: int,
        read: Callable[[int, int], tuple[Corpus, Corpus]],
        shard: Shard | None = None,
    ) -> None:
        self._options = options
        self._shard = shard
        self._nothing: tuple[Corpus, Corpus] | None = None  # the first part without rows
        self._step = max(1, -(-rows // SAMPLED))
        self._read = read
        self._plan: ScorePlan | None = None
        self._bounds = [0]
        self._first: ErrorRates | None = None  # the first part, without words
        self._account = Account("", 0, 0, 0)
        self._sizes: list[int] = []
        self._counts = bytearray()
        self._kinds = set[int]()
        self._kept: dict[int, AlignedRow] = {}
        self._rows = array("q")
        self._has_all_rows = True
        self._filter = RowFilter(options.where, "") if options.where else None
        self._remarks: dict[tuple[Any, ...], SideRemark] = {}

    def add(self, left: Corpus, right: Corpus) -> None:
        """Score the next rows."""
        if self._plan is None:
            self._plan = plan_of(self._options, left, [(left, right)], WORDS)
            self._sides = left._replace(words=()), right._replace(words=())
        size = left.rows or 0
        if self._filter is not None:
            self._filter.path = left.name
            left, right = self._filter.sides(left, right)
        if not len(left.words) and self._filter is not None and not len(right.words):
            self._nothing = self._nothing or (left, right)
            self._add_nothing(size)
            return
        rates = self._scored(left, right)
        aligned, begin = rates.aligned, sum(self._sizes)
        head = range(min(len(aligned), max(HEAD - begin, 0)))
        for row in chain(head, range(-begin % self._step, len(aligned), self._step)):
            self._kept[begin + row] = aligned_row(aligned, row)
        self._kinds |= set(bytes(aligned.edits).translate(None, bytes(self._kinds)))
        self._sizes.append(len(aligned))
        self._counts += aligned.counts.array
        assert isinstance(rates.identifiers, RowNumbers)
        if len(rates) < size or not self._has_all_rows:
            self._list_rows()
            self._rows.extend(rates.identifiers.rows)
        self._bounds.append(self._bounds[-1] + size)
        for remark in rates.reader_messages:
            self._take(remark)
        account = rates.matching_summary
        if self._first is None:
            self._first = _without_texts(rates)
        else:
            account = sum_of_accounts(self._account, account)
        self._account = account

    def _list_rows(self) -> None:
        """List the rows that are scored, because some rows are skipped."""
        if self._has_all_rows:
            self._rows.extend(range(self._bounds[-1]))
            self._has_all_rows = False

    def _add_nothing(self, size: int) -> None:
        """Add rows of which none is scored."""
        self._list_rows()
        self._sizes.append(0)
        self._bounds.append(self._bounds[-1] + size)

    def _scored(self, left: Corpus, right: Corpus) -> ErrorRates:
        """Return the result of some rows.

        Missing partners are checked only at the end of the table.
        """
        assert self._plan is not None
        missing: Missing = "skip" if self._plan.options.missing == "skip" else "delete"
        options = self._plan.options.changed(allow_unmatched=True, missing=missing, where=())
        plan = self._plan._replace(options=options, notes=())
        return score(left, right, options, plan=plan, is_doubted=False)

    def _take(self, remark: SideRemark) -> None:
        """Record a remark on a part; remarks of the same kind are added up."""
        if not isinstance(remark, Message):
            self._remarks.setdefault((remark,), remark)
            return
        if remark.code in CODES:
            return  # of a part, see `doubts_about`
        fields = remark.fields
        summed = {"number", "names", "words"} if remark.entry in (EMPTIED, WORDS_MET) else set()
        key = (
            remark.entry.key,
            *(str(fields[name]) for name in sorted(fields) if name not in summed),
        )
        earlier = self._remarks.get(key)
        if earlier is None:
            if (
                remark.entry is not OTHER_SCRIPT or self._first is None
            ):  # which the first texts decide
                self._remarks[key] = remark
        elif remark.entry is WORDS_MET and isinstance(earlier, Message):
            words = earlier.fields["words"] + fields["words"]
            self._remarks[key] = Message(WORDS_MET, {**fields, "words": words})
        elif remark.entry is EMPTIED and isinstance(earlier, Message):
            both = _listed(earlier.fields).merged(_listed(fields))
            self._remarks[key] = Message(EMPTIED, {**fields, **both.fields})

    def result(self) -> ErrorRates | None:
        """Return the result; None if no row has texts on both sides.

        Raises MatchingError if rows lack a partner and the options do not allow this.
        """
        if self._first is None and self._shard is not None and self._nothing is not None:
            self._first = _without_texts(self._scored(*self._nothing))
            self._account = self._first.matching_summary
        first, plan, account = self._first, self._plan, self._account
        is_part = self._shard is not None
        on_rows = () if self._filter is None else self._filter.remarks(is_part=is_part)
        assert first is not None
        assert plan is not None
        left, right = self._sides
        lacking, extra = account.reference_only, account.hypothesis_only
        if lacking.number == account.references and extra.number:
            return None
        are_named = isinstance(right.identifiers, NamedRows)
        allowed = plan.options.allow_unmatched
        check_rows(left.name, right.name, extra, allowed, are_named=are_named)
        if plan.options.missing == "error":
            check_all(left.name, right.name, lacking, extra)
        rows: Sequence[int] = range(self._bounds[-1]) if self._has_all_rows else self._rows
        unknown = CodedColumn(bytes(len(rows)), [None])
        counts = CountsTable(cast("bytes", self._counts))  # without a copy
        aligned = StreamedAlignments(
            counts, first.aligned.costs, self._kinds, self._sizes, self._again, self._kept
        )
        names = cast("RowNumbers", left.identifiers).of_rows(rows)
        lines = _NoLines(rows)
        sides = [side._replace(identifiers=names, lines=lines) for side in (left, right)]
        options = plan.options
        doubts = doubts_about(
            aligned, options, (left, right), (sides[0], sides[1]), range(len(rows))
        )
        on_texts, others = self._in_order(left.name)
        return first._replace(
            matching_summary=account,
            identifiers=names,
            speakers=unknown,
            aligned=aligned,
            reader_messages=(*on_texts, *on_rows, *doubts, *plan.notes, *others),
            basis=Basis((), options, sources=plan.sources),
        )

    def _in_order(self, reference: str) -> tuple[list[SideRemark], list[SideRemark]]:
        """Return remarks in the order of a result, as two lists.

        The first list has the remarks on the reference; the second has those on the hypothesis,
        then all others.
        """
        places = {entry.key: place for place, entry in enumerate(ON_TEXTS)}
        on_texts = [key for key in self._remarks if key[0] in places]
        on_texts.sort(key=lambda key: (key[1] != reference, places[key[0]]))
        others = [remark for key, remark in self._remarks.items() if key not in on_texts]
        return [self._remarks[key] for key in on_texts], others

    def _again(self, number: int) -> Alignments:
        """Read and score the rows of a part again."""
        begin, end = self._bounds[number : number + 2]
        left, right = self._read(begin, end)
        if self._filter is not None:
            rows = set(self._rows[bisect_left(self._rows, begin) : bisect_left(self._rows, end)])
            are_kept = [row in rows for row in range(begin, end)]
            left, right = selected_sides(left._replace(begin=begin), right, are_kept)
        return self._scored(left, right).aligned


def _without_texts(rates: ErrorRates) -> ErrorRates:
    """Return a result without the texts, utterances and messages."""
    empty = Alignments((), (), b"", (), CountsTable(b""), rates.aligned.costs)
    return rates._replace(
        aligned=empty, identifiers=(), speakers=(), reader_messages=(), basis=None
    )


class _NoLines(LazyColumn[None]):
    """The line numbers of table rows: always None."""

    __slots__ = ()

    def value(self, row: int) -> None:
        """Return None, because table rows have no line number."""
        return


def _listed(fields: Mapping[str, Any]) -> ListedNames:
    """Return the names that the fields of a message list, with their number."""
    number = fields["number"]
    return ListedNames(number, tuple(fields["names"][: min(number, SHOWN)]))
