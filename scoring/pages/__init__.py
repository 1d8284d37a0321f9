"""Pages of results for people, and their text form: all reports except those of NIST's programs.

A page is a function from a result to the blocks of `scoring.drawing`; the modules of this package
have those that few commands need. `html` is the interactive page. The packages for labels, phonemes
and comparisons have their own pages.
"""

from __future__ import annotations

from formats.console import shown
from formats.schema.messages import Message
from formats.schema.values import NamedFields
from scoring.drawing import (
    Appearance,
    kaldi_percentage,
    percent,
    scored_line,
    sentence_line,
    wer_line,
)
from scoring.model.counts import CHARACTER_UNITS, NO_HYPOTHESIS, Counts
from scoring.sides.corpus import ListedNames
from scoring.sides.side_files import is_manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from scoring.drawing.blocks import Block, Heading, Table
    from scoring.pages.group_gaps import GroupGap
    from scoring.results import Rates
    from scoring.stats.intervals import ConfidenceInterval

# The number of utterances, their counts, and the words by which errors are divided.
GroupSums: TypeAlias = tuple[int, Counts, int]
HEADINGS = ("correct", "sub", "del", "ins", "errors", "rate %")
# Measures whose rows are all words of a speaker in a session; those of others are segments.
OF_SPEAKERS, SPEAKERS = ("cp", "tcp", "dicp", "ditcp"), "speakers"
# Columns that narrow terminals drop, the first group first
SPARE = (("correct",), ("sub", "del", "ins"), ("errors",), ("utterances", "sessions", SPEAKERS))
# Errors below which no class of them is looked for, and the first utterances of a long result,
# in which a step is looked for that removes errors.
FEWEST, SEEN = 5, 5_000
# Characters whose spelling cannot differ.
_BARE = b"abcdefghijklmnopqrstuvwxyz0123456789 "
LABELS = ("  reference:", "  hypothesis:")


def summary_lines(rates: Rates, interval: ConfidenceInterval | None = None) -> Iterator[str]:
    """Yield Kaldi's three lines, all counts, the matched utterances and the signature."""
    yield from counts_of(rates)
    yield rates_line(rates)
    if rates.counts.insertions >= FEWEST:
        from scoring.pages.hint import invention_hint

        if (hint := invention_hint(rates, FEWEST)) is not None:
            yield str(hint)
    if rates.rules.like:
        yield f"headline: {headline_of(rates)} (as {rates.rules.like} prints it)"
    if rates.rules.compounds:
        without = percent(rates.counts_without_merges.error_rate)
        yield f"compounds: {rates.merges} merged; corpus rate without merging {without} %"
    if kinds := rates.forgiven_kinds:
        from scoring.pages.messages import FORGIVEN

        yield f"forgiven: {_forgiven_text(kinds)} ({Message(FORGIVEN)})"
    if interval is not None:
        yield interval.line
    sums = rates.adjudication
    if sums is not None:
        yield from sums.lines()
    yield from account_lines(rates, is_warned=True)
    yield f"signature: {rates.signature}"


def hint_of(rates: Rates) -> Message | None:
    """Return a hint if a step removes errors or if many errors are of one class, else None.

    The hint reports even a single error in invisible characters, in Unicode's forms (NFC, NFD) or
    in blanks that join words. If there is none, it reports the errors that the pipeline `plain`
    removes, if these are at least a tenth of all errors. Only the first 5,000 utterances of a long
    result are checked. In all other cases, the hint is that of `scoring.pages.hint.advice_of`.

    >>> from scoring import wer
    >>> hint = hint_of(wer("THE CAT SAT", "the cat, sat"))
    >>> print(hint)
    3 of 3 errors are case or punctuation only; see --normalize plain
    >>> hint.advice[0].option, hint.advice[0].value, hint.fields
    ('normalize', 'plain', {'number': 3, 'errors': 3})
    """
    if rates.rules.like:
        # the recipe forbids what a hint suggests
        return None
    sides = rates.aligned.references, rates.aligned.hypotheses
    is_bare = all(_is_bare("".join(_texts(side))) for side in sides)
    if is_bare and rates.counts.errors < FEWEST:
        return None
    from scoring.pages.hint import advice_of, step_hint

    hint = None if is_bare else step_hint(rates, SEEN)
    hint = hint or advice_of(rates, FEWEST)
    if hint is not None and rates.remarks:
        from formats.kaldi.messages import KALDI_INTEGERS

        if any(remark.code == KALDI_INTEGERS.code for remark in rates.remarks):
            # the integers stand for words, so their errors have no class
            return None
    return hint


def _texts(words: Sequence[tuple[str, ...]]) -> Iterable[str]:
    """Return the words of each of the first utterances, joined to one text."""
    if not isinstance(words, (list, tuple)):
        from scoring.alignment.texts import ColumnWords

        if isinstance(words, ColumnWords):
            return (text or "" for text in words.texts.texts(0, min(len(words), SEEN)))
    return map(" ".join, words[:SEEN])


def _is_bare(text: str) -> bool:
    """Return True if a text has only lower-case letters, digits and blanks of ASCII."""
    return text.isascii() and not text.encode().translate(None, _BARE)


def rates_line(rates: Rates) -> str:
    """Return a line with the corpus rate, the mean rate of the utterances, MER and WIL.

    >>> from scoring import wer
    >>> rates_line(wer("the cat sat", "the bat sat"))
    'rates: corpus 33.33 %; mean of utterances 33.33 %; MER 33.33 %; WIL 55.56 %'
    """
    return (
        f"rates: corpus {percent(rates.corpus_rate)} %; mean of {items_of(rates)} "
        f"{percent(rates.mean_of_utterances)} %; MER {percent(rates.match_error_rate)} %; "
        f"WIL {percent(rates.word_information_lost)} %"
    )


def _forgiven_text(kinds: Mapping[str, int]) -> str:
    from scoring.results.forgiven import several

    return ", ".join(several(kind, number) for kind, number in kinds.items())


def forgiven_of(rates: Rates) -> Iterator[Block]:
    """Yield a table of the places where another path than the written one was chosen."""
    from scoring.drawing.blocks import Items, Table

    rows = [
        (
            place.utterance,
            place.side,
            place.kind,
            " ".join(place.written) or "-",
            " ".join(place.chosen) or "-",
        )
        for place in rates.forgiven
    ]
    if not rows:
        yield Items(["forgiven: nothing"])
        return
    yield Table(("utterance", "side", "forgiven", "written", "chosen"), rows, 5)


def headline_of(rates: Rates) -> str:
    """Return the error rate by a recipe, printed as by the program that the recipe reproduces."""
    from scoring.text.recipes import recipe_named

    return recipe_named(rates.rules.like).headline.text(rates.headline)


def counts_of(rates: Rates) -> Iterator[str]:
    """Yield Kaldi's three lines and all counts.

    The rate of wrong sentences is omitted if a row is all that a speaker says in a session.
    """
    counts, missing = rates.counts, rates.matching_summary.reference_only.number
    heard, line = (
        counts.hypothesis_tokens,
        wer_line(counts, partial=missing > 0, length=rates.length),
    )
    if rates.rules.noun == "phoneme":
        # the method of columns has epsilons in the alignment that stand for no phoneme
        heard, line = sum(map(len, rates.aligned.hypotheses)), line.replace("%WER", "%PER", 1)
    elif rates.rules.compounds:
        edits = rates.aligned.edits
        heard = len(edits) - sum(map(edits.count, NO_HYPOTHESIS))
    noun = rates.rules.noun
    if rates.rules.unit in CHARACTER_UNITS:
        noun, line = "character", line.replace("%WER", "%CER", 1)
    items = items_of(rates)
    # as Kaldi's [PARTIAL]: a greedy search may count too many errors
    is_bound = any(session.errors is not None and not session.exact for session in rates.sessions)
    yield line + " [UPPER BOUND]" * is_bound
    if items != SPEAKERS:
        yield sentence_line(rates.sentence_errors, len(rates))
    yield scored_line(len(rates), missing, items if rates.session_of else "sentences")
    yield (
        f"{noun}s: {counts.reference_tokens:,} in the reference, {heard:,} in the "
        f"hypothesis, {counts.correct:,} correct"
    )


def items_of(rates: Rates) -> str:
    """Return the noun for the rows of a result: utterances; in meetings speakers or segments.

    >>> from scoring import wer
    >>> items_of(wer("the cat sat", "the bat"))
    'utterances'
    """
    if not rates.session_of:
        return "utterances"
    return SPEAKERS if rates.rules.meeting.partition("(")[0] in OF_SPEAKERS else "segments"


def account_lines(
    rates: Rates, others: Iterable[tuple[int, str]] = (), *, is_warned: bool = False
) -> Iterator[str]:
    """Yield a line with the numbers of matched, missing, skipped and repeated utterances.

    `others` are more numbers, each with its text. Numbers that are 0 are dropped. With `is_warned`,
    a warning beside the text names the references without a hypothesis.
    """
    account = rates.matching_summary
    units = "sessions" if rates.sessions else "utterances"
    parts = (
        (account.matched, f"matched by {account.matched_by}"),
        (account.reference_only.number, "in the reference only"),
        (account.hypothesis_only.number, "in the hypothesis only"),
        *others,
        (account.repeated, "repeated"),
    )
    texts = [f"{number:,} {text}" for number, text in parts if number]
    yield f"{units}: {', '.join(texts) or 'none'}"
    if account.reference_only.number and not is_warned:
        fate = "deleted" if rates.rules.missing == "delete" else "skipped"
        words = f" ({account.skipped_words:,} words)" if fate == "skipped" else ""
        yield f"  in the reference only, {fate}{words}: {listed_names(account.reference_only)}"
    if account.hypothesis_only.number:
        yield (
            f"  in the hypothesis only, not scored ({account.unscored_words:,} "
            f"{rates.rules.noun}s): "
            f"{listed_names(account.hypothesis_only)}"
        )
    if account.ignored_words:
        yield f"  in segments not to be scored: {account.ignored_words:,} {rates.rules.noun}s"
    yield from _choice_lines(rates)


def _choice_lines(rates: Rates) -> Iterator[str]:
    """Yield lines about the choice of references, and about words that wildcards match."""
    choices = rates.choices
    if choices is None:
        return
    if len(choices.inputs) > 1:
        files = listed([file.path for file in choices.inputs])
        mixed = sum(len(numbers) > 1 for numbers in choices.chosen)
        words = f"; utterances that mix several references: {mixed}" if mixed else ""
        yield f"references: {files}{words}"
    if choices.wildcard_words:
        yield f"  matched by wildcards, not scored: {choices.wildcard_words} {rates.rules.noun}s"


def listed_names(names: ListedNames) -> str:
    """Join the first names of a list, with `…` if the list has more."""
    return listed(names.fields["names"])


def listed(identifiers: Sequence[str]) -> str:
    """Join identifiers to one text that is safe for a terminal."""
    return ", ".join(map(shown, identifiers))


def warnings_of(rates: Rates) -> Iterator[Message]:
    """Yield warnings if a result has signs of a likely mistake."""
    account, name, unit = rates.matching_summary, rates.hypothesis.title, rates.rules.noun
    silent = _silent(rates)
    if not account.reference_only.number and rates.counts.reference_tokens and not silent:
        return
    from scoring.pages import messages

    if account.reference_only.number:
        fields = {"path": name, **account.reference_only.fields}
        if rates.rules.missing == "skip":
            yield messages.Message(messages.DROPPED, {**fields, "words": account.skipped_words})
        else:
            yield messages.Message(messages.DELETED, {**fields, "unit": unit})
    if not rates.counts.reference_tokens:
        yield messages.Message(messages.NO_RATE, {"path": rates.reference.path, "unit": unit})
    elif silent:
        listed = ListedNames.of(silent).fields
        inserted = {"path": rates.reference.path, "unit": unit, **listed}
        yield messages.Message(messages.INSERTED, inserted)


def _silent(rates: Rates) -> list[str]:
    """Return the rows of a table without reference words whose other words are insertions."""
    counts = rates.aligned.counts
    if len(counts) == counts.sums.rated or not is_manifest(rates.reference.format):
        return []
    rows = zip(rates.identifiers, *counts.columns(), strict=True)
    return [str(name) for name, *edits, inserted in rows if inserted and not any(edits)]


def groups_of(rates: Rates) -> Iterator[Block]:
    """Yield a table of the requested groups, with the sum of all utterances."""
    yield group_rows(rates)
    if text := _labels_text(rates):
        from scoring.drawing.blocks import Note

        yield Note(text)


def _labels_text(rates: Rates) -> str:
    """Return how utterances with several labels are counted; empty if no utterance has several.

    >>> from scoring import wer
    >>> rates = wer({"u1": "a", "u2": "b"}, {"u1": "a", "u2": "c"})
    >>> _labels_text(rates._replace(groups={"label": ["o,f0", "o,f1"]}))
    'an utterance counts in the row of each of its labels; all utterances have o'
    """
    from scoring.results.groups import LABEL

    values = [value for value in rates.groups.get(LABEL, ()) if value]
    if all("," not in value for value in values):
        return ""
    common = set.intersection(*(set(value.split(",")) for value in values))
    of_all = sorted(common) if len(values) == len(rates) else []
    text = "an utterance counts in the row of each of its labels"
    return f"{text}; all utterances have {' and '.join(of_all)}" if of_all else text


def group_rows(rates: Rates) -> Table:
    """Return a table of the requested groups, with the sum of all utterances in the last row."""
    rows = [
        (
            group.values,
            (len(group.positions), group.counts, rates.length_of(group.counts, group.positions)),
        )
        for group in rates.per_group()
    ]
    total = len(rates), rates.counts, rates.length
    things = f"{rates.rules.noun}s"
    return group_table(list(rates.groups), rows, total, things, items=items_of(rates))


def group_table(
    names: Sequence[str],
    rows: Iterable[tuple[Sequence[str | None], GroupSums]],
    total: GroupSums,
    things: str,
    text_columns: int = 1,
    items: str = "utterances",
) -> Table:
    """Return a table with a row for each group and a row for the sum of all groups.

    Each of `rows` is a group's values and its numbers. `things` is the heading of the words.
    """
    from scoring.drawing.blocks import Table
    from scoring.results.groups import value_cells

    cells = [(*value_cells(names, values), *count_cells(*numbers)) for values, numbers in rows]
    cells.append(("sum", *[""] * (len(names) - 1), *count_cells(*total)))
    return Table((*names, items, things, *HEADINGS), cells, text_columns, spare=SPARE)


def count_cells(utterances: int, counts: Counts, length: int) -> tuple[str, ...]:
    """Return the cells of a row: utterances, words, then the columns of `HEADINGS`."""
    numbers = (utterances, length, *counts, counts.errors)
    return (*map(str, numbers), kaldi_percentage(counts.errors, length))


def utterances_of(rates: Rates, words: Sequence[Sequence[str]] | None = None) -> Iterator[Block]:
    """Yield every utterance with its counts and its alignment."""
    for position in range(len(rates)):
        yield from utterance_of(rates, position, None if words is None else words[position])


def utterance_of(
    rates: Rates, position: int, words: Sequence[str] | None = None
) -> Iterator[Block]:
    """Yield an utterance with its counts and its alignment."""
    from scoring.drawing.blocks import Items, Rows

    counts = rates.aligned.counts[position]
    length = rates.length_of(counts, [position])
    about = rates.identifiers[position], rates.speakers[position], counts
    heading = utterance_heading(*about, rates.rules.noun, length, rates.rules.clip_rate)
    yield heading._replace(remark=f"{heading.remark}{_chosen(rates, position)}")
    if words is not None:
        yield Items([" ".join(filter(None, words))], lead="  words:       ")
    yield Rows(rates.alignment_at(position), LABELS)


def worst_utterances(rates: Rates, number: int) -> Iterator[Block]:
    """Yield the utterances with the most errors, the worst first, with their alignments."""
    from scoring.drawing.blocks import Items

    errors = [counts.errors for counts in rates.aligned.counts]
    wrong = [row for row, count in enumerate(errors) if count]
    worst = sorted(wrong, key=lambda row: -errors[row])[:number]
    for row in worst:
        yield from utterance_of(rates, row)
    yield Items([f"{len(worst)} of {len(wrong)} utterances with errors, most errors first"])


def _chosen(rates: Rates, position: int) -> str:
    """Return which references the words of an utterance come from, as text.

    The text is empty if there is only one reference.
    """
    choices = rates.choices
    if choices is None or len(choices.inputs) < 2:
        return ""
    return f", reference {' '.join(map(str, choices.chosen[position])) or '-'}"


def utterance_heading(
    identifier: str,
    speaker: str | None,
    counts: Counts,
    noun: str = "word",
    length: int | None = None,
    is_clipped: bool = False,
) -> Heading:
    """Return a heading with the utterance, its speaker and its errors.

    >>> utterance_heading("u1", None, Counts(3, 1, 0, 0)).remark
    '1 error in 4 words, 25.00 %'
    """
    from scoring.drawing.blocks import Heading

    name = identifier if speaker is None else f"{identifier} ({speaker})"
    words = counts.reference_tokens if length is None else length
    rate = kaldi_percentage(min(counts.errors, words) if is_clipped else counts.errors, words)
    numbers = f"{_several(counts.errors, 'error')} in {_several(words, noun)}"
    return Heading(name, remark=f"{numbers}, {rate}{' %' if rate != 'n/a' else ''}", apart=False)


def _several(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class SystemText(NamedFields):
    """The data for the text about a system.

    `lines` come first. `words` are shown instead of the aligned words if they are not None.
    """

    rates: Rates
    lines: Sequence[str]
    words: Sequence[Sequence[str]] | None = None
    gaps: Sequence[GroupGap] = ()
    least_confusions: int = 1
    worst: int = 0  # utterances to list

    def parts(self, tables: Collection[str]) -> Iterator[Iterator[Block]]:
        """Yield the parts of the report that follow its first lines.

        `tables` has the names of the `TABLES` to include.
        """
        asked = [table for table in TABLES if table.name in tables]
        yield from (table.blocks(self) for table in asked if not table.is_last)
        if self.rates.sessions:
            from scoring.pages.sessions import assignments_of, sessions_of

            yield sessions_of(self.rates)
            yield assignments_of(self.rates)
        if self.rates.groups:
            yield groups_of(self.rates)
        for measured in self.rates.measured.values():
            yield measured.blocks(self.rates)
        for gap in self.gaps:
            yield gap.blocks()
        yield from (table.blocks(self) for table in asked if table.is_last)


class TextTable(NamedFields):
    """A table of the text output that a flag requests.

    It has the row of the flag, and a function that yields the blocks. Tables with `is_last` follow
    the tables of groups and measures.
    """

    flag: str
    blocks: Callable[[SystemText], Iterator[Block]]
    is_last: bool = False

    @property
    def name(self) -> str:
        """The attribute of the parsed arguments that has the value of the flag."""
        return name_of_flag(self.flag)


def name_of_flag(row: str) -> str:
    """Return the attribute of the parsed arguments that has a flag's value, given the flag's row.

    >>> name_of_flag("* --per-speaker  print a table by speaker")
    'per_speaker'
    """
    return row.removeprefix("* ").split()[0].removeprefix("--").replace("-", "_")


def _confusions(system: SystemText) -> Iterator[Block]:
    from scoring.pages.edit_tables import confusions_of

    return confusions_of(system.rates, system.least_confusions)


def _characters(system: SystemText) -> Iterator[Block]:
    from scoring.pages.edit_tables import characters_of

    return characters_of(system.rates)


# A row here is all that a new table needs beside the function that draws it.
TABLES = (
    TextTable(
        "--per-speaker  print a table by speaker",
        lambda system: groups_of(system.rates.grouped(["speaker"])),
    ),
    TextTable(
        "--show-forgiven  list the places where an alternative of the reference was scored "
        "instead of the words as written",
        lambda system: forgiven_of(system.rates),
    ),
    TextTable(
        "--confusions N  list words that were substituted, deleted or inserted at least N times",
        _confusions,
    ),
    TextTable(
        "--per-character  print how often each character is right, and its error rate",
        _characters,
    ),
    TextTable(
        "--worst N  print the N utterances with the most errors, the worst first",
        lambda system: worst_utterances(system.rates, system.worst),
        is_last=True,
    ),
    TextTable(
        "* --per-utterance  print every utterance with its alignment",
        lambda system: utterances_of(system.rates, system.words),
        is_last=True,
    ),
)


def text_of_systems(
    systems: Sequence[SystemText],
    look: Appearance,
    last: Sequence[Block],
    tables: Collection[str],
    lead: str = "",
) -> Iterator[str]:
    """Yield the text about one or several systems; `tables` names the requested tables.

    If there is a `lead` (a sentence about the `last` blocks), a terminal shows both before the
    systems.
    """
    is_lead_first = look.is_screen and bool(lead)
    if is_lead_first:
        from scoring.drawing.blocks import Lead

        yield from _drawn([*last[:1], Lead(lead), *last[1:]], look)
    for number, system in enumerate(systems):
        if len(systems) > 1:
            between = "\n" if number or is_lead_first else ""
            yield f"{between}== {shown(system.rates.hypothesis.title)}"
        if look.is_screen:
            from scoring.drawing.blocks import Items, Lead
            from scoring.pages.sentence import rate_sentence

            # scripts find Kaldi's lines first, people a sentence
            blocks = (Lead(rate_sentence(system.rates)), Items(system.lines))
            yield from _drawn(blocks, look)
        else:
            yield from map(shown, system.lines)
        for part in system.parts(tables):
            yield ""
            yield from _drawn(part, look)
    if last and not is_lead_first:
        if systems:
            yield ""
        yield from _drawn(last, look)


def _drawn(blocks: Iterable[Block], look: Appearance) -> Iterator[str]:
    """Yield the lines of blocks; most runs have none."""
    from scoring.drawing.text import text_lines

    return text_lines(blocks, look)
