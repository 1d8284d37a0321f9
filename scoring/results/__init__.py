"""Results of scores: the counts of every utterance, with rates and selections computed from them.

The modules of this package have groups, sources, forgiven words and records. Other packages print
results.
"""

from __future__ import annotations

from itertools import chain, pairwise

from formats.schema import NamedTuple
from formats.schema.values import NamedFields
from scoring.alignment.kernel import count_token_pairs, tie_number
from scoring.alignment.results import Alignments, CountsTable, Framed, concatenated, taken
from scoring.model.counts import CHARACTER_UNITS, Alignment, Counts, Edit
from scoring.model.errors import InputError, NoReferenceError, OptionValueError
from scoring.options import Rules, profile_named
from scoring.sides.corpus import (
    Account,
    InputFile,
    RowNumbers,
    joined_side,
    sum_of_accounts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from numbers import Real
    from typing import Any, TypeAlias, overload

    from typing_extensions import Self

    from formats.schema.messages import Message
    from scoring.alignment.frames import Values
    from scoring.results.choices import ReferenceChoices
    from scoring.results.forgiven import Forgiven, Forgiveness
    from scoring.results.groups import Group, Groups
    from scoring.results.measured import Measured
    from scoring.results.sources import Sources
    from scoring.results.verdicts import Adjudication, DifferingSpan, Verdicts
    from scoring.sides.corpus import Basis, SideRemark
    from scoring.sides.matching.outcome import SessionErrors

SEVERAL = InputFile("<several>")
NAMES_SHOWN = 3
_MOST_GROUPS = 5  # shown in `repr`
# Edits that forgive a difference.
_FORGIVING = (
    Edit.SKIPPED_REFERENCE,
    Edit.SKIPPED_HYPOTHESIS,
    Edit.JOINED_REFERENCE,
    Edit.JOINED_HYPOTHESIS,
)

Operand: TypeAlias = "float | Number"


def _computed(operation: Callable[[Any, Any], Any]) -> Callable[[Number, Operand], float]:
    """Return a method for an arithmetic operator.

    The method applies it to the `float` of both operands.
    """

    def method(self: Number, operand: Operand) -> Any:
        if not isinstance(operand, real_numbers()):
            return NotImplemented
        return operation(float(self), float(operand))

    return method


def _compared(operation: Callable[[Any, Any], bool]) -> Callable[[Number, Operand], bool]:
    """Return a method for a comparison. The method compares the `float` of both operands."""
    return _computed(operation)  # type: ignore[return-value]


class Number:
    """A value that behaves as its `float` in comparisons and arithmetic. It is not hashable.

    If `float` raises `NoReferenceError`, the value equals only itself.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        try:
            return self is other or _equal(self, other)  # type: ignore[arg-type]
        except NoReferenceError:
            return False

    __lt__ = _compared(lambda value, right: value < right)
    __le__ = _compared(lambda value, right: value <= right)
    __gt__ = _compared(lambda value, right: value > right)
    __ge__ = _compared(lambda value, right: value >= right)
    __add__ = __radd__ = _computed(lambda value, right: value + right)
    __sub__ = _computed(lambda value, right: value - right)
    __rsub__ = _computed(lambda value, left: left - value)
    __mul__ = __rmul__ = _computed(lambda value, right: value * right)
    __truediv__ = _computed(lambda value, right: value / right)
    __rtruediv__ = _computed(lambda value, left: left / value)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)


_equal = _compared(lambda value, right: value == right)


def real_numbers() -> type[Real]:
    """Return the class of real numbers, with `Number` among them.

    `pytest.approx` and others ask whether a value is a number. Short commands do not, so that they
    do not load `numbers`.
    """
    from numbers import Real

    Real.register(Number)
    return Real


def _account_of(parts: Sequence[Rates]) -> Account:
    """Return the sum of the accounts of inputs of all parts."""
    total, *more = (part.matching_summary for part in parts)
    for account in more:
        total = sum_of_accounts(total, account)
    return total


def _common(files: Sequence[InputFile]) -> InputFile:
    """Return the input that all results share; `SEVERAL` if the results have different inputs."""
    return files[0] if all(file == files[0] for file in files) else SEVERAL


class UtteranceScore(NamedTuple):
    """The name, the speaker (or None) and the counts of one utterance."""

    identifier: str
    speaker: str | None
    counts: Counts


# Names that people try as attributes, each with the expression that they mean.
_MEANT = {
    "rate": "error_rate",
    "confusions": "report('dtl')",
    **dict.fromkeys(("worst", "worst_utterances"), "show(top=20)"),
    **dict.fromkeys(("markdown", "to_markdown"), "to_pandas().to_markdown()"),
}


class Rates(Framed, Number, NamedFields, frozen=False):
    """The scores of one hypothesis as numbers; the subclass `ErrorRates` also prints them.

    `scoring.score.rates.ErrorRates` describes the fields.
    """

    reference: InputFile
    hypothesis: InputFile
    rules: Rules
    matching_summary: Account
    identifiers: Sequence[str]
    speakers: Sequence[str | None]
    aligned: Alignments
    reader_messages: Sequence[SideRemark] = ()
    sources: Sources | None = None
    groups: Groups = {}
    sessions: Sequence[SessionErrors] = ()
    session_of: Sequence[str] = ()
    measured: Mapping[str, Measured] = {}
    verdicts: Verdicts | None = None
    choices: ReferenceChoices | None = None
    basis: Basis | None = None
    forgiveness: Forgiveness | None = None
    _forgiven: dict[int, list[Forgiven]] | None = None
    _forgiven_kinds: Mapping[str, int] | None = None
    _positions: dict[str, int] = {}

    if not TYPE_CHECKING:  # which know this signature

        def __init__(
            self,
            reference: InputFile,
            hypothesis: InputFile,
            rules: Rules,
            matching_summary: Account,
            identifiers: Sequence[str],
            speakers: Sequence[str | None],
            aligned: Alignments,
            reader_messages: Sequence[SideRemark] = (),
            sources: Sources | None = None,
            groups: Groups | None = None,
            sessions: Sequence[SessionErrors] = (),
            session_of: Sequence[str] = (),
            measured: Mapping[str, Measured] | None = None,
            verdicts: Verdicts | None = None,
            choices: ReferenceChoices | None = None,
            basis: Basis | None = None,
            forgiveness: Forgiveness | None = None,
        ) -> None:
            """Take the fields as the inherited constructor does, in a third of its time."""
            self.reference = reference
            self.hypothesis = hypothesis
            matched_by = matching_summary.matched_by
            is_named = rules.matched_by == matched_by
            self.rules = rules if is_named else rules._replace(matched_by=matched_by)
            self.matching_summary = matching_summary
            self.identifiers = identifiers
            self.speakers = speakers
            self.aligned = aligned
            self.reader_messages = reader_messages
            self.sources = sources
            self.groups = {} if groups is None else groups
            self.sessions = sessions
            self.session_of = session_of
            self.measured = {} if measured is None else measured
            self.verdicts = verdicts
            self.choices = choices
            self.basis = basis
            self.forgiveness = forgiveness
            # a copy with changes computes these again
            self._forgiven = self._forgiven_kinds = None
            self._positions = {}

    def __len__(self) -> int:
        return len(self.identifiers)

    def __iter__(self) -> Iterator[UtteranceScore]:
        return map(UtteranceScore, self.identifiers, self.speakers, iter(self.aligned.counts))

    def __repr__(self) -> str:
        from scoring.drawing import percent

        rate = self.corpus_rate
        shown = percent(rate) + " %" * (rate is not None)
        extra = self.matching_summary.hypothesis_only.number
        unscored = f", {extra} hypotheses not scored" if extra else ""
        rates = f"{shown} of {len(self)} utterances, {self.counts}{unscored}"
        return f"<ErrorRates {rates}{self._groups_text()}>"

    def _groups_text(self) -> str:
        """Return the rates of the first groups of `by` as text, empty without groups."""
        from scoring.drawing import kaldi_percentage
        from scoring.results.groups import value_cells

        groups = self.per_group() if self.groups else []
        shown = [
            f"{'/'.join(value_cells(list(self.groups), group.values))} "
            + kaldi_percentage(group.counts.errors, self.length_of(group.counts, group.positions))
            for group in groups[:_MOST_GROUPS]
        ]
        if len(groups) > _MOST_GROUPS:
            shown.append(f"and {len(groups) - _MOST_GROUPS:,} more")
        return f", % by {', '.join(self.groups)}: {', '.join(shown)}" if groups else ""

    def __format__(self, spec: str) -> str:
        """Format the corpus rate like a number, as in `f"{rates:.2%}"`."""
        return format(self.error_rate, spec) if spec else str(self)

    if not TYPE_CHECKING:  # or type checkers accept any name

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError with the attribute that is meant."""
            from scoring.model.calls import missing_attribute

            counted = [name for name in dir(Counts) if not callable(getattr(Counts, name))]
            meant = {name: f"counts.{name}" for name in counted} | _MEANT
            return missing_attribute(self, name, meant)

    def __float__(self) -> float:
        """Return `error_rate`."""
        return self.error_rate

    @property
    def error_rate(self) -> float:
        """Errors per reference word over all utterances, as a ratio (not percent).

        Raises
        ------
        NoReferenceError
            If the reference has no words.
        """
        rate = self.corpus_rate
        if rate is None:
            raise NoReferenceError(
                f"{self.reference.path}: expected {self.rules.noun}s in the reference, found "
                f"none in {len(self)} utterances: there is no error rate"
            )
        return rate

    @property
    def error_rate_or_none(self) -> float | None:
        """The error rate; None without reference words."""
        return self.corpus_rate

    @property
    def unscored(self) -> Message | None:
        """A warning about hypotheses without reference; None if there are none."""
        account = self.matching_summary
        if not account.hypothesis_only.number:
            return None
        from scoring.results.messages import UNSCORED, Message

        fields = {"words": account.unscored_words, "unit": self.rules.noun}
        fields |= account.hypothesis_only.fields
        return Message(UNSCORED, {"path": self.hypothesis.path, **fields})

    @property
    def skipped_sessions(self) -> list[Message]:
        """Warnings about sessions that were too large to score."""
        if not any(session.errors is None for session in self.sessions):
            return []
        from scoring.results.messages import SESSION_UNSCORED, Message

        about = {"path": self.reference.path}
        return [
            Message(
                SESSION_UNSCORED,
                {**about, "session": session.session, "reason": session.reason.message},
            )
            for session in self.sessions
            if session.errors is None and session.reason
        ]

    @property
    def remarks(self) -> tuple[SideRemark, ...]:
        """Messages of the readers, and messages about words that are not scored.

        `str` returns the line of a message. Programs use the entry and the fields of a message.
        """
        unscored = self.unscored
        if unscored is None:
            return tuple(self.reader_messages)
        # a record has it among the messages
        key = unscored.entry.key, unscored.fields["path"]
        messages = (
            remark
            for remark in self.reader_messages
            if not isinstance(remark, tuple) or key != (remark.entry.key, remark.fields.get("path"))
        )
        return (*messages, unscored)

    def named(self, system: str) -> Self:
        """Return a copy with this name for the system."""
        return self._replace(hypothesis=self.hypothesis._replace(name=system))

    @property
    def signature(self) -> str:
        """The signature: one line with every option that affects the numbers."""
        return self.rules.signature()

    def frame_columns(self) -> Mapping[str, Values]:
        """Return the columns of the table that a data frame shows, with one row per utterance."""
        from scoring.alignment.frames import count_columns_of

        named = {"utterance": self.identifiers, "speaker": self.speakers, **self.groups}
        return {**named, **count_columns_of(self.aligned.counts.array)}

    @property
    def per_utterance(self) -> CountsTable:
        """The counts of every utterance."""
        return self.aligned.counts

    @property
    def counts(self) -> Counts:
        """The sum over all utterances."""
        return self.aligned.counts.total()

    @property
    def path_counts(self) -> CountsTable:
        """The counts of every utterance along the chosen paths, as its alignment shows them.

        They differ from `per_utterance` if the words of a place with several readings count as the
        words of its written form (see `scoring.results.places`).
        """
        if not self.rules.is_by_places:
            return self.aligned.counts
        from scoring.results.places import path_counts

        return path_counts(self.aligned)

    @property
    def merges(self) -> int:
        """The number of merged compounds."""
        is_joined = bytes(edit >= Edit.JOINED_REFERENCE for edit in range(256))
        edits = bytes(self.aligned.edits if self.rules.compounds else b"")
        return edits.translate(is_joined).count(b"\1\0")

    @property
    def counts_without_merges(self) -> Counts:
        """The sum of the counts over all utterances, as if no compounds were merged."""
        if not self.merges:
            return self.counts
        fold = str.casefold if self.rules.ignore_case else str
        sides = self.aligned.references, self.aligned.hypotheses
        left, right = ([list(map(fold, words)) for words in side] for side in sides)
        profile = profile_named(self.rules.profile)
        counts = count_token_pairs(left, right, *profile.costs, tie_number(profile.ties), 1)
        total = CountsTable(counts).total()
        if not self.rules.is_by_places:
            return total
        sums = zip(total, self.counts, self.path_counts.total(), strict=True)
        return Counts(*(apart + counted - along for apart, counted, along in sums))

    @property
    def corpus_rate(self) -> float | None:
        """Errors per reference word over all utterances, a ratio; None without reference words."""
        length = self.length
        return self.aligned.errors / length if length else None

    @property
    def lengths(self) -> Sequence[int]:
        """The numbers of words by which each utterance's errors are divided.

        The list is empty if they are divided by the numbers of reference words.
        """
        return () if self.choices is None else self.choices.lengths

    @property
    def length(self) -> int:
        """The number of words to divide all errors by: reference words, or the sum of `lengths`."""
        return sum(self.lengths) if self.lengths else self.aligned.reference_tokens

    def refuse_lengths(self, report: str) -> None:
        """Raise ValueError unless errors are divided by the number of words in the alignments.

        Raises
        ------
        ValueError
            If `variants_length` is not `chosen`.
        """
        if self.lengths:
            found = repr(self.rules.variants_length)
            raise OptionValueError(report, expected="variants_length 'chosen'", found=found)

    def length_of(self, counts: Counts, rows: Sequence[int]) -> int:
        """Return the number of words that the errors of some utterances are divided by."""
        lengths = self.lengths
        return sum(lengths[row] for row in rows) if lengths else counts.reference_tokens

    @property
    def headline(self) -> float | None:
        """The rate as the original program of the recipe prints it, with its scale and rounding.

        Without a recipe, `corpus_rate`; None if the original program prints no number.
        """
        if not self.rules.like:
            return self.corpus_rate
        from scoring.text.recipes import recipe_named

        return recipe_named(self.rules.like).headline.value(self.counts, self.aligned.counts)

    def rate_at(self, row: int) -> float | None:
        """Return the rate of an utterance, clipped to 1 if the rules say so; None without words."""
        counts = self.aligned.counts[row]
        length = self.length_of(counts, [row])
        if not length:
            return None
        rate = counts.errors / length
        return min(rate, 1.0) if self.rules.clip_rate else rate

    @property
    def mean_of_utterances(self) -> float | None:
        """Mean of the utterances' rates, in which short and long utterances have equal weight.

        Utterances without reference words are excluded. The mean is None if no utterance has a
        rate.
        """
        if self.lengths or self.rules.clip_rate:
            rates = [rate for row in range(len(self)) if (rate := self.rate_at(row)) is not None]
            return sum(rates) / len(rates) if rates else None
        sums = self.aligned.counts.sums
        return sums.rates / sums.rated if sums.rated else None

    @property
    def match_error_rate(self) -> float | None:
        """Match error rate (MER): errors per alignment slot, 0 to 1; None without slots."""
        counts = self.counts
        places = counts.correct + counts.errors
        return counts.errors / places if places else None

    @property
    def word_information_preserved(self) -> float | None:
        """Word information preserved (WIP): the product of both sides' shares of correct words.

        Defined by Morris, Maier and Green (2004). None without reference words; 0 if only the
        hypothesis has no words.
        """
        counts = self.counts
        if not counts.reference_tokens:
            return None
        if not counts.hypothesis_tokens:
            return 0.0
        return (counts.correct / counts.reference_tokens) * (
            counts.correct / counts.hypothesis_tokens
        )

    @property
    def word_information_lost(self) -> float | None:
        """Word information lost (WIL): 1 minus `word_information_preserved`."""
        preserved = self.word_information_preserved
        return None if preserved is None else 1 - preserved

    @property
    def wer(self) -> float | None:
        """The word error rate, equal to `corpus_rate`; only for results in words."""
        return self._rate_of("wer", self.rules.unit not in CHARACTER_UNITS)

    @property
    def cer(self) -> float | None:
        """The character error rate, equal to `corpus_rate`; only for results in characters."""
        return self._rate_of("cer", self.rules.unit in CHARACTER_UNITS)

    def _rate_of(self, name: str, has_unit: bool) -> float | None:
        if not has_unit:
            raise AttributeError(
                f"{name}: this result counts the unit {self.rules.unit}; "
                f"scoring.{name}(reference, hypothesis) counts the other"
            )
        return self.corpus_rate

    @property
    def hits(self) -> int:
        """The number of correct words."""
        return self.counts.correct

    @property
    def substitutions(self) -> int:
        """The number of substituted words."""
        return self.counts.substitutions

    @property
    def deletions(self) -> int:
        """The number of deleted words."""
        return self.counts.deletions

    @property
    def insertions(self) -> int:
        """The number of inserted words."""
        return self.counts.insertions

    @property
    def forgiven(self) -> Sequence[Forgiven]:
        """The places where the chosen alternative is not the written one.

        >>> from scoring import wer
        >>> wer("it is 50", "it's fifty", normalize=["contractions", "numbers"]).forgiven[0]
        Forgiven(utterance='000001', kind='number', side='reference', ...)
        """
        return list(chain.from_iterable(self.forgiven_by_row.values()))

    @property
    def forgiven_by_row(self) -> Mapping[int, Sequence[Forgiven]]:
        """The `forgiven` places by position of the utterance.

        Utterances without such places are absent.
        """
        if self._forgiven is None:
            if not self._may_forgive:
                return {}
            from scoring.results.forgiven import forgiven_by_row

            self._forgiven = forgiven_by_row(self.identifiers, self.aligned, self.forgiveness)
        return self._forgiven

    @property
    def forgiven_kinds(self) -> Mapping[str, int]:
        """The number of `forgiven` places of each kind, the most frequent kinds first."""
        if self._forgiven_kinds is None:
            if not self._may_forgive:
                return {}
            from scoring.results.forgiven import by_frequency, kinds_of

            self._forgiven_kinds = by_frequency(kinds_of(self.aligned, self.forgiveness))
        return self._forgiven_kinds

    @property
    def _may_forgive(self) -> bool:
        """True if the result may have forgiven places."""
        # streamed ones have the kinds of their edits instead
        kinds: bytes | None = getattr(self.aligned, "kinds", None)
        edits = bytes(self.aligned.edits) if kinds is None else kinds
        return self.forgiveness is not None or any(code in edits for code in _FORGIVING)

    @property
    def adjudication(self) -> Adjudication | None:
        """The errors by verdict on differing spans; None without `verdicts`."""
        if self.verdicts is None:
            return None
        from scoring.results.verdicts import adjudicate

        return adjudicate(self.verdicts, self.differing_spans(), self.counts)

    def differing_spans(self) -> Iterator[DifferingSpan]:
        """Return the runs of substitutions, deletions and insertions of all utterances."""
        from scoring.results.verdicts import spans_of

        return spans_of(self.identifiers, self.aligned)

    @property
    def sentence_errors(self) -> int:
        """The number of utterances with an error."""
        return self.aligned.counts.sums.wrong

    @property
    def sentence_error_rate(self) -> float | None:
        """Share of utterances with an error; None without utterances."""
        return self.sentence_errors / len(self) if len(self) else None

    # the short names these measures have in the literature, and in jiwer
    mer = match_error_rate
    wil = word_information_lost
    wip = word_information_preserved
    ser = sentence_error_rate

    def per_speaker(self) -> dict[str | None, list[int]]:
        """Return the positions of each speaker's utterances, speakers in order of appearance."""
        positions: dict[str | None, list[int]] = {}
        for position, speaker in enumerate(self.speakers):
            positions.setdefault(speaker, []).append(position)
        return positions

    def per_session(self) -> Self:
        """Return a result with one row per session, the sum over its speakers."""
        begins = [
            0,
            *(n for n, pair in enumerate(pairwise(self.session_of), 1) if pair[0] != pair[1]),
        ]
        names = [self.session_of[begin] for begin in begins] if self.session_of else []
        return self._replace(
            identifiers=names,
            speakers=[None] * len(names),
            aligned=self.aligned.joined_at([*begins, len(self)]) if names else self.aligned,
            sources=None,
            groups={},
            session_of=names,
            measured={},
            forgiveness=None,
        )

    def grouped(self, names: Sequence[str]) -> Self:
        """Return the result grouped by the given columns only.

        Raises
        ------
        InputError
            If a column is missing; the option `by` of `scoring.wer` adds columns.
        """
        columns = {"speaker": self.speakers, **self.groups}
        missing = [name for name in names if name not in columns]
        if missing:
            name = missing[0]
            message = (
                f"expected a result with groups by {name}, found {', '.join(columns)} (score by "
                f"{name} first)"
            )
            raise InputError(self.hypothesis.path, None, None, message)
        return self._replace(groups={name: columns[name] for name in names})

    def per_group(self) -> list[Group]:
        """Return the sums over the groups of `by`, see `scoring.results.groups.groups_of`."""
        from scoring.results.groups import groups_of

        return groups_of(self.groups, self.aligned.counts)

    if TYPE_CHECKING:

        @overload
        def by(self, name: str, /) -> dict[str | None, Self]: ...
        @overload
        def by(
            self, name: str, second: str, /, *more: str
        ) -> dict[tuple[str | None, ...], Self]: ...

    def by(self, *names: str) -> dict[str | None, Self] | dict[tuple[str | None, ...], Self]:
        """Return the result of each group by name; with several `names`, keys are tuples.

        Parameters
        ----------
        names
            `speaker`, or names from the option `by` of `scoring.wer`. Utterances without a group
            are under None.

        Raises
        ------
        InputError
            If a column is missing.

        Examples
        --------
        >>> from scoring import wer
        >>> rates = wer({"u1": "a b", "u2": "c"}, {"u1": "a", "u2": "c"},
        ...     speakers={"u1": "anne", "u2": "ben"})
        >>> {name: float(group) for name, group in rates.by("speaker").items()}
        {'anne': 0.5, 'ben': 0.0}
        """
        scores = {
            group.values: self.select(group.positions) for group in self.grouped(names).per_group()
        }
        return {key[0]: value for key, value in scores.items()} if len(names) == 1 else scores

    def group_names(self) -> list[str | None]:
        """Return the group of each utterance as one text, which joins all columns of `by`."""
        from scoring.results.groups import group_names

        return group_names(self.groups)

    def sum_of(self, positions: Sequence[int]) -> Counts:
        """Return the sum of the counts of some utterances."""
        return sum((self.aligned.counts[position] for position in positions), Counts())

    def position(self, identifier: str) -> int:
        """Return the position of the utterance with the given name.

        Raises
        ------
        KeyError
            If no utterance has this name.
        """
        if not self._positions:
            self._positions.update((name, number) for number, name in enumerate(self.identifiers))
        try:
            return self._positions[identifier]
        except KeyError:
            from formats.schema.errors import close_names

            near = close_names(identifier, list(self._positions)) or self.identifiers[:NAMES_SHOWN]
            names = ", ".join(map(repr, near)) or "none"
            expected = f"an identifier out of {len(self._positions)}, such as {names}"
            raise KeyError(f"expected {expected}, found {identifier!r}") from None

    def alignment_at(self, position: int) -> Alignment:
        """Return the alignment of the utterance at a position."""
        return self.aligned[position]

    def merge_shards(self, shards: Sequence[Rates], *, own_rows: bool = False) -> Self:
        """Merge this shard with all other shards of the run into one result.

        The result has this shard's account of inputs. With `own_rows`, it has the sum of the
        accounts of all shards.
        """
        messages = dict.fromkeys(chain.from_iterable(shard.reader_messages for shard in shards))
        joined = self._joined(shards)
        joined = joined._replace(sources=None, reader_messages=tuple(messages))
        if not own_rows:
            return joined
        account = _account_of(shards)
        return joined._replace(matching_summary=account, basis=_joined_basis(shards))

    def _joined(self, parts: Sequence[Rates]) -> Self:
        """Join the utterances of all parts into one result.

        All other fields are those of this part.
        """
        identifiers, speakers, sessions, session_of = (
            list(chain.from_iterable(getattr(part, name) for part in parts))
            for name in ("identifiers", "speakers", "sessions", "session_of")
        )
        return self._replace(
            identifiers=identifiers,
            speakers=speakers,
            aligned=concatenated([part.aligned for part in parts]),
            groups=_joined_groups(parts),
            sessions=sessions,
            session_of=session_of,
            measured=_joined_measures(parts),
            choices=_joined_choices(parts),
            forgiveness=_joined_forgiveness(parts),
        )

    def merge(self, *others: Rates) -> Self:
        """Merge results with different utterances, such as batches, into one result.

        Utterances without names, for example texts of a list, are numbered anew.

        Raises
        ------
        ValueError
            If the rules differ, or utterances of two results have the same name.

        Examples
        --------
        >>> from scoring import wer
        >>> wer({"u1": "a b"}, {"u1": "a c"}).merge(wer({"u2": "c d"}, {"u2": "c d"})) == 0.25
        True
        >>> batches = [wer(["a b"], ["a c"]), wer(["c d"], ["c d"]), wer(["e"], ["e"])]
        >>> batches[0].merge(*batches[1:]).error_rate
        0.2
        """
        parts: list[Rates] = [self, *others]
        for part in others:
            if self.signature != part.signature:
                raise ValueError(
                    f"expected results of the same rules, found {self.signature} and "
                    f"{part.signature}"
                )
        joined = self._joined(parts)
        if all(part.has_numbers_for_names for part in parts):
            joined = joined._replace(identifiers=RowNumbers(range(len(joined))))
        elif len(set(joined.identifiers)) < len(joined):
            from collections import Counter

            counts = Counter(chain.from_iterable(set(part.identifiers) for part in parts))
            if repeated := [name for name, number in counts.items() if number > 1]:
                raise ValueError(f"utterance {min(repeated)!r} is in two results")
        sources = self.sources
        for part in others:
            sources = None if sources is None else sources.joined(part.sources)
        return joined._replace(
            reference=_common([part.reference for part in parts]),
            hypothesis=_common([part.hypothesis for part in parts]),
            matching_summary=_account_of(parts),
            reader_messages=tuple(chain.from_iterable(part.reader_messages for part in parts)),
            sources=sources,
            basis=None,
        )

    @property
    def has_numbers_for_names(self) -> bool:
        """True if utterances have no names: their positions are their names."""
        if self.matching_summary.matched_by != "position":
            return False
        return RowNumbers(range(len(self))) == self.identifiers

    def select(self, positions: Sequence[int]) -> Self:
        """Return the result for the utterances at these positions; the matching is unchanged."""
        return self._replace(
            identifiers=taken(self.identifiers, positions),
            speakers=taken(self.speakers, positions),
            aligned=self.aligned.select(positions),
            sources=None,
            groups={name: taken(column, positions) for name, column in self.groups.items()},
            sessions=(),
            session_of=taken(self.session_of, positions),
            measured={name: part.select(positions) for name, part in self.measured.items()},
            choices=None if self.choices is None else self.choices.select(positions),
            basis=None,
            forgiveness=(None if self.forgiveness is None else self.forgiveness.select(positions)),
        )

    def slice(self, begin: int, end: int) -> Self:
        """Return the result of a range of utterances.

        Unlike with `select`, sources and sessions are kept.
        """
        sources = None if self.sources is None else self.sources.slice(begin, end)
        part = self.select(range(begin, end))
        return part._replace(sources=sources, sessions=self.sessions, basis=self.basis)


def _joined_basis(parts: Sequence[Rates]) -> Basis | None:
    """Return the joined basis of all parts, with all their references; None if a part has none."""
    bases = [part.basis for part in parts if part.basis is not None]
    if len(bases) < len(parts):
        return None
    sides = zip(*(basis.references for basis in bases), strict=True)
    return bases[0]._replace(references=tuple(map(joined_side, sides)))


def _joined_choices(parts: Sequence[Rates]) -> ReferenceChoices | None:
    """Return the joined choices of all parts; None if a part has none."""
    choices = [part.choices for part in parts if part.choices is not None]
    return choices[0].joined(choices[1:]) if len(choices) == len(parts) else None


def _joined_forgiveness(parts: Sequence[Rates]) -> Forgiveness | None:
    """Return the joined forgiven places of all parts; None if no part has any."""
    if all(part.forgiveness is None for part in parts):
        return None
    from scoring.results.forgiven import joined

    return joined([(part.forgiveness, len(part)) for part in parts])


def _joined_groups(parts: Sequence[Rates]) -> Groups:
    """Return the joined group columns that all parts with utterances have."""
    parts = [part for part in parts if len(part)] or parts[:1]
    return {
        name: [value for part in parts for value in part.groups[name]]
        for name in parts[0].groups
        if all(name in part.groups for part in parts)
    }


def _joined_measures(parts: Sequence[Rates]) -> dict[str, Measured]:
    """Return the joined measures that all parts have with the same settings."""
    if not parts[0].measured:
        return {}
    from scoring.results.counted import joined

    return {
        name: first.with_columns(joined([part.measured[name].columns for part in parts]))
        for name, first in parts[0].measured.items()
        if {part.measured[name].settings if name in part.measured else None for part in parts}
        == {first.settings}
    }
