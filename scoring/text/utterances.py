"""Apply steps to utterances: plain words in batches, alternatives branch by branch."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, chain, groupby
from operator import eq, is_
from typing import TYPE_CHECKING, NamedTuple

from formats.io.progress import told
from formats.schema import words_of_text, words_of_texts
from formats.schema.model import Segment
from formats.schema.words import (
    WILDCARD_KIND,
    Alternation,
    Item,
    Token,
    Words,
    plain_token,
    plain_words,
)
from scoring.alignment.results import taken
from scoring.alignment.texts import ColumnWords, Rewriting, column_of
from scoring.text.readings import (
    PlacesStep,
    ReadingsStep,
    ScreenedReadingsStep,
    WordReadingsStep,
)
from scoring.text.step import Step

if TYPE_CHECKING:
    from scoring.model.counts import Costs
    from scoring.text.facing import SettledPath
    from scoring.text.settled_forms import SettledForm
    from scoring.text.settling import SettlingColumns, TurnedPairs

# Of words that are not optional, nor of any kind.
PLAIN = (False, None)
# Shorter lists of utterances are compared row by row, longer ones in columns.
FEWEST_IN_COLUMNS = 256


class Facing(NamedTuple):
    """The other side, with which readings are compared: utterances as read, and edit costs."""

    words: Sequence[Words]
    special: Set[int]
    """Utterances of the other side that have alternatives of their own."""
    costs: Costs
    turned: list[TurnedPairs] | None = None
    """The numbered words of both sides, which the first direction leaves for the second."""

    def facing_words(self, rows: Sequence[int]) -> Iterator[Words | None]:
        """Yield the words of the other side for some rows; None for rows with alternatives."""
        for row, words in zip(rows, taken(self.words, rows), strict=True):
            yield None if row in self.special else words


class Normalized(NamedTuple):
    """Utterances after all steps."""

    words: Sequence[Words]  # those of each utterance, alternatives left aside
    special: dict[int, Segment]  # the utterances with alternatives or optional words, by position
    emptied: tuple[int, ...] = ()  # positions of the utterances that had words and have none now
    counts: tuple[tuple[str, int], ...] = ()
    settled: Mapping[int, Sequence[SettledForm]] = {}
    """The places of the utterances that have the words of a decided path, by position."""


def normalize_utterances(
    words: Sequence[Words],
    special: Mapping[int, Segment],
    steps: Sequence[Step],
    settled: Set[int] = frozenset(),
    facing: Facing | None = None,
) -> Normalized:
    """Normalise many utterances; if steps allow it, each distinct word is processed once.

    A step processes the words of an utterance joined by blanks. In an utterance with alternatives
    or optional words, it processes each branch, and each run of words between them, separately. The
    result for an optional word is optional. Written forms of `settled` utterances get no readings,
    because no reading would be chosen. If `facing`, the other side, has a reading of a place, the
    place gets only this reading, unless another reading might be chosen.
    """
    stages = _stages(steps)
    readings = None if facing is None else _said_readings(stages, facing)
    work = _Work(words, special, settled, readings)
    for stage in stages:
        if isinstance(stage, _TextStage):
            work.rewrite(stage)
        else:
            work.leave_open(stage)
    return work.result(words, special)


def normalize_words(words: Words, steps: Sequence[Step]) -> tuple[Words, list[Item] | None]:
    """Return an utterance's words, and its items if it has alternatives (otherwise None)."""
    normalized = normalize_utterances([words], {}, steps)
    items = list(normalized.special[0].items()) if normalized.special else None
    return normalized.words[0], items


class _Memory(NamedTuple):
    """The cached results of some steps for words, and rewriters that can be used again."""

    steps: Sequence[Step]
    words: dict[str, Words]
    kept: set[str]  # of these words those that stay as they are
    idle: list[Rewriting]


# Of the steps that were used last: batches of a table have the same steps.
_memory: deque[_Memory] = deque(maxlen=2)
_MOST_REMEMBERED = 500_000


def _remembered(steps: Sequence[Step]) -> _Memory:
    """Return the cache of these steps' results for words, to which new results are added."""
    for memory in tuple(_memory):
        is_same = len(memory.steps) == len(steps) and all(map(is_, memory.steps, steps))
        if is_same and len(memory.words) < _MOST_REMEMBERED:
            return memory
    fresh = _Memory(steps, {}, set(), [])
    _memory.append(fresh)
    return fresh


class _TextStage:
    """Consecutive steps that map texts to texts."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.by_word = all(step.by_word for step in steps)
        self._memory = _remembered(steps) if self.by_word else _Memory(steps, {}, set(), [])
        self._known = self._memory.words
        # alternatives after the stage, with those before it: steps that name one object for equal
        # alternatives have them done once
        self.alternatives: dict[int, tuple[Item, list[Item]]] = {}

    def words(self, words: Sequence[str]) -> Words:
        """Return the normalised words of an utterance, or of a part of an utterance."""
        if not self.by_word:
            return self._text(" ".join(words))
        if self._memory.kept.issuperset(words):
            return tuple(words)
        known = self._known
        if not all(map(known.__contains__, words)):
            for word in words:
                self.of_word(word)
        return tuple(chain.from_iterable(map(known.__getitem__, words)))

    def all(
        self, utterances: Sequence[Words], vocabulary: Callable[[], set[str]]
    ) -> Sequence[Words]:
        """Return the normalised words of all utterances.

        `vocabulary` returns the distinct words.
        """
        if not self.by_word:
            same: dict[str, str] = {}  # equal words become one object, of many that are made
            rewritten = (
                self._text(" ".join(words)) if words else ()
                for words in told(utterances, "normalising")
            )
            return [tuple(map(same.setdefault, words, words)) for words in rewritten]
        if isinstance(utterances, ColumnWords) and utterances.unit == "word":
            # a thread takes it away for as long as it needs it
            try:
                rewriting = self._memory.idle.pop()
            except IndexError:
                rewriting = Rewriting(self.text_of_word)
            column = utterances.rewritten(rewriting)
            self._memory.idle.append(rewriting)
            return column
        pieces = {word: self.of_word(word) for word in vocabulary()}
        if any(len(piece) != 1 for piece in pieces.values()):
            look_up = pieces.__getitem__
            return [tuple(chain.from_iterable(map(look_up, words))) for words in utterances]
        single = {word: piece[0] for word, piece in pieces.items() if piece[0] != word}
        if not single:
            return utterances
        every = {word: piece[0] for word, piece in pieces.items()}.__getitem__
        return [tuple(map(every, words)) for words in utterances]

    def of_word(self, word: str) -> Words:
        """Return the normalised form of a word."""
        made = self._known.get(word)
        if made is None:
            made = self._known[word] = self._text(word)
            if made == (word,):
                self._memory.kept.add(word)
        return made

    def text_of_word(self, word: str) -> str:
        """Return the normalised form of a word as a text."""
        return " ".join(self.of_word(word))

    def _text(self, text: str) -> Words:
        for step in self.steps:
            text = step(text)
        return words_of_text(text)


class _ReadingsStage:
    """A step that adds readings; its results for words are cached."""

    def __init__(self, step: ReadingsStep) -> None:
        self.step = step
        self._words = step if isinstance(step, WordReadingsStep) else None
        self._screen = step if isinstance(step, ScreenedReadingsStep) else None
        self._concerned: dict[str, bool] = {}
        self._made: dict[str, list[Item]] = {}

    def touched(self, utterances: Sequence[Words], vocabulary: Callable[[], set[str]]) -> list[int]:
        """Return the indices of the utterances that the step may change."""
        if self._screen is None:
            touches = self.step.touches
            return [index for index, words in enumerate(utterances) if words and touches(words)]
        concerned = set(filter(self.concerns, vocabulary()))
        if not concerned:
            return []
        if isinstance(utterances, ColumnWords) and utterances.unit == "word":
            return utterances.rows_with(concerned)
        apart = concerned.isdisjoint
        return [index for index, words in enumerate(utterances) if not apart(words)]

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if the step changes the words."""
        return self.step.touches(words) if self._screen is None else any(map(self.concerns, words))

    def concerns(self, word: str) -> bool:
        """Return True if the step changes the word, under any policy."""
        if self._screen is None:
            return False
        if word not in self._concerned:
            self._concerned[word] = self._screen.concerns(word)
        return self._concerned[word]

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives at the places to which the step applies."""
        if self._words is None:
            return self.named(self.step.items(words))
        for word in words:
            if word not in self._made:
                self._made[word] = self.named(self.step.items([word]))
        return list(chain.from_iterable(map(self._made.__getitem__, words)))

    def named(self, items: Iterable[Item]) -> list[Item]:
        """Return the items; new alternatives get the name of the step as their origin."""
        origin = self.step.origin_of_readings or self.step.name
        return [
            item._replace(origin=origin)
            if isinstance(item, Alternation) and not item.origin
            else item
            for item in items
        ]


def _stages(steps: Sequence[Step]) -> list[_TextStage | _ReadingsStage]:
    """Return the steps grouped into stages. Consecutive steps from text to text form one stage."""
    stages: list[_TextStage | _ReadingsStage] = []
    for (leaves_open, _), group in groupby(
        steps, lambda step: (isinstance(step, ReadingsStep), step.by_word)
    ):
        together = list(group)
        if leaves_open:
            stages += [_ReadingsStage(step) for step in together if isinstance(step, ReadingsStep)]
        else:
            stages.append(_TextStage(together))
    return stages


def _said_readings(
    stages: Sequence[_TextStage | _ReadingsStage], facing: Facing
) -> _SaidBeside | None:
    """Return an object that selects readings by the other side.

    None if the steps do not allow this.

    Each step after the step for written forms must change a word independently of other words.
    """
    first, *rest = stages
    if not isinstance(first, _ReadingsStage) or not isinstance(first.step, PlacesStep):
        return None
    texts = [stage for stage in rest if isinstance(stage, _TextStage) and stage.by_word]
    if len(texts) < len(rest) or len(rest) > 1 or not first.step.has_blanks:
        return None
    return _SaidBeside(facing, texts[0] if texts else None)


class _SaidBeside:
    """Selects the readings that occur on the other side, if these readings are sufficient."""

    def __init__(self, facing: Facing, last: _TextStage | None) -> None:
        from scoring.text.facing import SaidReadings

        self._facing, self._last = facing, last
        self._readings = SaidReadings(facing.costs, None if last is None else last.words)
        self._inert: set[str] = set()
        """Words of the other side with which no written form begins."""

    def columns(self, stage: _ReadingsStage, words: Sequence[Words]) -> SettlingColumns | None:
        """Return both sides as columns to settle together; None if a side cannot be one."""
        if min(self._facing.costs) <= 0:
            return None
        from scoring.text.settling import FormPairs, SettlingColumns, TurnedPairs

        assert isinstance(stage.step, PlacesStep)
        forms, heard, turned = stage.step.finder, self._facing.words, self._facing.turned
        if turned and turned[-1].fits(words, forms):
            return SettlingColumns(turned.pop().pairs, forms, self._finals)
        left, right = _column_of_words(words), _column_of_words(heard)
        if left is None or right is None:
            return None
        pairs = FormPairs(left.texts, right.texts, forms.longest)
        if turned is not None:
            turned.append(TurnedPairs(heard, forms, pairs.turned()))
        return SettlingColumns(pairs, forms, self._finals)

    def _finals(self, words: list[str]) -> list[str]:
        """Return the text of each word after all steps."""
        return words if self._last is None else list(map(self._last.text_of_word, words))

    def settled(self, columns: SettlingColumns, rows: Sequence[int]) -> list[int]:
        """Decide readings where possible, and return the utterances that are not decided."""
        special = self._facing.special
        left_over = columns.settle(
            [row for row in rows if row not in special] if special else rows, self._facing.costs
        )
        return sorted({*left_over, *(row for row in rows if row in special)})

    def outcomes(
        self, stage: _ReadingsStage, rows: Sequence[int], column: Iterable[Words]
    ) -> Iterator[SettledPath | list[Item] | None]:
        """Yield each utterance's decided path, or its items, or None without written forms."""
        step = stage.step
        assert isinstance(step, PlacesStep)
        for words, heard in zip(column, self._facing.facing_words(rows), strict=True):
            places = list(step.places(words))
            if not places:
                yield None
                continue
            search = None
            if heard is not None and not (
                self._may_have_forms(stage, heard) and any(step.places(heard))
            ):
                search = self._readings.search(words, places, heard)
            path = None if search is None else search.path()
            if path is not None:
                yield path
                continue
            kept = places if search is None else search.places()
            yield stage.named(step.items_of(words, kept))

    def _may_have_forms(self, stage: _ReadingsStage, heard: Words) -> bool:
        """Return True if a written form may begin with one of the words `heard`."""
        if not self._inert.issuperset(heard):
            self._inert.update(word for word in heard if not stage.concerns(word))
            return not self._inert.issuperset(heard)
        return False


class _Work:
    """Utterances during normalisation: as words, or as items if they have alternatives."""

    def __init__(
        self,
        words: Sequence[Words],
        special: Mapping[int, Segment],
        settled: Set[int],
        facing: _SaidBeside | None,
    ) -> None:
        self._words, self._settled, self._facing = words, settled, facing
        self._vocabulary: tuple[Sequence[Words], set[str]] | None = None
        self._items = {index: list(segment.items()) for index, segment in special.items()}
        self._counts: list[tuple[str, int]] = []
        # of those that got alternatives before all other steps, the words without these
        self._as_written: dict[int, Words] = {}
        self._paths: dict[int, SettledPath] = {}
        self._columns: SettlingColumns | None = None

    def rewrite(self, stage: _TextStage) -> None:
        """Apply steps from text to text."""
        self._words = stage.all(self._words, self._every)
        self._items = {index: _staged(items, stage) for index, items in self._items.items()}
        if stage.by_word:
            return
        for index, before in self._as_written.items():
            self._as_written[index] = expected = stage.words(before)
            if tuple(_first_path(self._items[index])) != expected:
                # a step over several words has changed the written form: its readings go
                self._items[index] = list(map(Token, expected))

    def _every(self) -> set[str]:
        """Return the distinct words of the utterances that have no alternatives."""
        if self._vocabulary is None or self._vocabulary[0] is not self._words:
            words = self._words
            if isinstance(words, ColumnWords) and words.unit == "word":
                self._vocabulary = words, words.vocabulary()
            else:
                self._vocabulary = words, set(chain.from_iterable(words))
        return self._vocabulary[1]

    def leave_open(self, stage: _ReadingsStage) -> None:
        """Apply a step that adds readings."""
        facing = self._facing if stage.step.reads_written else None
        columns = None if facing is None else facing.columns(stage, self._words)
        touched = stage.touched(self._words, self._every) if columns is None else columns.touched()
        if self._items:
            touched = [index for index in touched if index not in self._items]
        if stage.step.counted:
            self._count(stage, touched)
        if stage.step.reads_written and self._settled:
            touched = [index for index in touched if index not in self._settled]
        self._items = {index: _staged(items, stage) for index, items in self._items.items()}
        for index in self._as_written:
            self._as_written[index] = tuple(_first_path(self._items[index]))
        if facing is not None and columns is not None and touched:
            touched = facing.settled(columns, touched)
            self._columns = columns
            self._words = _without_rows(self._words, columns.rows)
        if not touched:
            return
        column = taken(self._words, touched)
        every: Iterable[SettledPath | list[Item] | None] = (
            map(stage.items, column) if facing is None else facing.outcomes(stage, touched, column)
        )
        changed: list[int] = []
        tokens: list[Words] = []
        for index, words, outcome in zip(touched, column, every, strict=True):
            if isinstance(outcome, tuple):
                self._paths[index] = outcome
                continue
            if outcome is None:
                continue
            if any(isinstance(item, Alternation) for item in outcome):
                self._items[index] = outcome
                if stage.step.reads_written:
                    self._as_written[index] = tuple(words)
            changed.append(index)
            tokens.append(tuple([item.text for item in outcome if isinstance(item, Token)]))
        self._words = _with_words(self._words, changed, tokens)

    def _count(self, stage: _ReadingsStage, touched: Iterable[int]) -> None:
        number = sum(sum(map(stage.concerns, self._words[index])) for index in touched)
        for items in self._items.values():
            number += sum(stage.concerns(token.text) for token in _tokens(items))
        self._counts.append((str(stage.step), number))

    def result(self, before: Sequence[Words], special: Mapping[int, Segment]) -> Normalized:
        """Return the normalised utterances, with the changes relative to the words `before`."""
        kept: dict[int, Segment] = {}
        changed: list[Words] = []
        for index, items in self._items.items():
            old = special.get(index)
            segment = Segment.from_items("-", items) if old is None else old.with_items(items)
            changed.append(segment.words)
            if segment.alternations or segment.optional is not None:
                kept[index] = segment
        changed += (path.words for path in self._paths.values())
        words = self._words
        if self._columns is not None:
            rows, settled = self._columns.rows, ColumnWords(self._columns.texts)
            if isinstance(words, ColumnWords):
                words = words.replaced(rows, settled)
            else:
                same: dict[str, str] = {}  # equal words become one object
                paths = [tuple(map(same.setdefault, path, path)) for path in settled]
                words = _with_words(words, rows, paths)
        words = _with_words(words, [*self._items, *self._paths], changed)
        empty: Iterable[int] = (
            words.empty_rows()
            if isinstance(words, ColumnWords)
            else (index for index, word in enumerate(words) if not word)
        )
        emptied = tuple(
            index for index in empty if index not in kept and (before[index] or index in special)
        )
        return Normalized(words, kept, emptied, tuple(self._counts), self._settled_forms())

    def _settled_forms(self) -> Mapping[int, Sequence[SettledForm]]:
        """Return the written forms of all utterances whose readings are decided."""
        forms = {index: path.forms for index, path in self._paths.items()}
        if self._columns is None:
            return forms
        self._columns.forms.apart |= forms
        return self._columns.forms


def _column_of_words(utterances: Sequence[Words]) -> ColumnWords | None:
    """Return utterances as a column of texts that is cut into words; None if that is impossible.

    For a few utterances, the result is None, because creating the column would take too long.
    """
    if isinstance(utterances, ColumnWords):
        return utterances if utterances.unit == "word" else None
    if len(utterances) < FEWEST_IN_COLUMNS:
        return None
    texts = list(map(" ".join, utterances))
    if not all(map(eq, words_of_texts(texts), utterances)):
        return None  # a word has a blank
    try:
        pieces = list(map(str.encode, texts))
        ends = array("i", accumulate(map(len, pieces), initial=0))
    except (UnicodeEncodeError, OverflowError):
        return None
    return ColumnWords(column_of(b"".join(pieces), ends.tobytes()))


def _with_words(
    column: Sequence[Words], rows: Sequence[int], words: Sequence[Words]
) -> Sequence[Words]:
    """Return the column with the words of some rows replaced. It stays compact if possible."""
    if not rows:
        return column
    if isinstance(column, ColumnWords) and column.unit == "word":
        order = sorted(range(len(rows)), key=rows.__getitem__)
        changed = column.with_words([rows[at] for at in order], [words[at] for at in order])
        if changed is not None:
            return changed
    values = list(column)
    for row, text in zip(rows, words, strict=True):
        values[row] = text
    return values


def _without_rows(column: Sequence[Words], rows: Sequence[int]) -> Sequence[Words]:
    """Return a column without the words of some rows, if that needs no copy of its texts."""
    if not isinstance(column, ColumnWords) or not rows:
        return column
    kept = array("q", range(len(column)))
    for row in rows:
        kept[row] = -1
    return column.chosen(kept)


def _first_path(items: Iterable[Item]) -> Iterator[str]:
    """Yield the words of items, taking the first alternatives."""
    for item in items:
        if isinstance(item, Token):
            yield item.text
        else:
            yield from (token.text for token in item.first_branch())


def _tokens(items: Iterable[Item]) -> Iterable[Token]:
    for item in items:
        if isinstance(item, Token):
            yield item
        else:
            yield from item.tokens()


def _staged(items: Iterable[Item], stage: _TextStage | _ReadingsStage) -> list[Item]:
    """Return the items after applying a stage."""
    staged: list[Item] = []
    for marks, group in groupby(items, _marks):
        together = list(group)
        if marks is None:
            for item in together:
                staged += _branches(item, stage)
            continue
        tokens = [item for item in together if isinstance(item, Token)]
        if marks[1] == WILDCARD_KIND:
            staged += tokens
            continue
        texts = [token.text for token in tokens]
        if not isinstance(stage, _TextStage):
            if stage.touches(texts):
                together = stage.items(texts)
                if marks != PLAIN:
                    together = [_marked(item, *marks) for item in together]
            staged += together
            continue
        words = stage.words(texts)
        if len(words) == len(tokens):
            staged += [
                token if token.text == word else token.replace(text=word)
                for token, word in zip(tokens, words, strict=True)
            ]
        else:
            optional, kind = marks
            staged += [Token(word, optional=optional, kind=kind) for word in words]
    return staged


def _marks(item: Item) -> tuple[bool, str | None] | None:
    """Return the properties of a word; None for alternatives.

    Only words with equal properties are processed together.
    """
    return (item.optional, item.kind) if isinstance(item, Token) else None


def _marked(item: Item, optional: bool, kind: str | None) -> Item:
    if isinstance(item, Token):
        return item.replace(optional=optional, kind=kind)
    branches = [[_marked(i, optional, kind) for i in branch] for branch in item.branches]
    return item._replace(branches=tuple(map(tuple, branches)))


def _branches(item: Item, stage: _TextStage | _ReadingsStage) -> list[Item]:
    """Return alternatives after a stage. Equal branches merge; a single branch becomes words."""
    assert isinstance(item, Alternation)
    if item.is_null:
        return [item]
    if isinstance(stage, _TextStage):
        if id(item) not in stage.alternatives:
            stage.alternatives[id(item)] = item, _new_branches(item, stage)
        return stage.alternatives[id(item)][1]
    return _new_branches(item, stage)


def _branch(
    branch: tuple[Token | Alternation, ...], stage: _TextStage | _ReadingsStage
) -> tuple[Item, ...]:
    """Return a branch after a stage; a branch of plain words is processed as one text."""
    if isinstance(stage, _TextStage) and (words := plain_words(branch)) is not None:
        changed = stage.words(words) if words else words
        return branch if changed == words else tuple(map(plain_token, changed))
    return tuple(_staged(branch, stage))


def _new_branches(item: Alternation, stage: _TextStage | _ReadingsStage) -> list[Item]:
    branches = dict.fromkeys(_branch(branch, stage) for branch in item.branches)
    if len(branches) == 1:
        return list(next(iter(branches)))
    return [item._replace(branches=tuple(branches))]
