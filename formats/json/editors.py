"""autoedit, digital-paper-edit, transcribee: what editors of transcripts save.

==========================================  =====================================================
its word                                    ours
==========================================  =====================================================
autoedit: a ``paragraph`` of ``line``       one `Segment`; words ``text startTime endTime``
its ``speaker``                             `Segment.speaker`; ``Unnamed Speaker`` is none
digital-paper-edit: ``paragraphs``          segments with their times and speakers
its ``words``                               words, of the paragraph in which they begin
transcribee: a child ``paragraph``          one `Segment`, its language the property ``language``
its ``children``                            pieces of text: one that begins with a blank begins a
                                            word; ``start end conf``, of a word the mean
``speaker_names``                           `Segment.speaker`; without a name, or where two have
                                            one name, the id
==========================================  =====================================================

Times are seconds. autoEdit keeps its paragraphs in ``text`` of a project, or alone as a list.
Where no piece of a whole file of transcribee has a blank at its ends, each is a word.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from formats.json.answer import Answer, with_extent
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record
from formats.json.spoken_words import Parent, SpokenWord, begins_word, joined_pieces, owners_of
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["AUTOEDIT_SPEC", "PAPER_EDIT_SPEC", "TRANSCRIBEE_SPEC"]

UNNAMED = ("", "Unnamed Speaker")


class LineWord(Record, rename="camel"):
    """A word of autoEdit."""

    unread = frozenset({"id", "accuracy"})

    text: str
    start_time: Number = None
    end_time: Number = None


class Line(Record):
    """A line of a paragraph."""

    line: list[LineWord]


class Paragraph(Record):
    """A paragraph of autoEdit."""

    unread = frozenset({"id"})

    paragraph: list[Line]
    speaker: Name = None


class Word(Record):
    """A word of Digital Paper Edit."""

    unread = frozenset({"id", "index"})

    text: str
    start: Number = None
    end: Number = None


class Place(Record):
    """A paragraph of Digital Paper Edit."""

    unread = frozenset({"id"})

    start: Number = None
    end: Number = None
    speaker: Name = None


class Atom(Record):
    """A piece of text of transcribee."""

    unread = frozenset({"conf_ts"})

    text: str
    start: Number = None
    end: Number = None
    conf: Number = None


class Turn(Record):
    """A paragraph of transcribee."""

    unread = frozenset({"type"})

    children: list[Atom]
    speaker: Name = None
    lang: str | None = None


def _named(speaker: str | None) -> str | None:
    return None if speaker in UNNAMED else speaker


def read_autoedit(source: Source) -> Iterator[Segment]:
    """One segment per paragraph.

    Raises
    ------
    SyntaxFormatError: no JSON, members missing or of a wrong type, no words.
    """
    document = JsonDocument(source)
    answer = Answer(source, "autoEdit", "AUTOEDIT")
    made: list[Segment] = []

    def take(one: Paragraph) -> None:
        words = [
            SpokenWord(word.text, *word.span("start_time", "end_time"))
            for line in one.paragraph
            for word in line.line
        ]
        made.append(with_extent(answer.segment(words, speaker=_named(one.name_of("speaker")))))

    for value in document.values:
        answer.each(value, None if isinstance(value.value, list) else "text", Paragraph, take)
        answer.spoke = answer.spoke or value.value in ([], {"text": []})
    yield from made
    answer.finish(document)


def read_paper_edit(source: Source) -> Iterator[Segment]:
    """One segment per paragraph; words of none make segments of their own, with a warning.

    Raises
    ------
    SyntaxFormatError: no JSON, members missing or of a wrong type, no words.
    """
    document = JsonDocument(source)
    answer = Answer(source, "Digital Paper Edit", "PAPER-EDIT")
    for value in document.values:
        words: list[SpokenWord] = []
        parents: list[Parent] = []
        speakers: list[str | None] = []

        def take(word: Word, words: list[SpokenWord] = words) -> None:
            words.append(SpokenWord(word.text, *word.span()))

        answer.each(value, "words", Word, take)
        for place in value.taken("paragraphs", Place, lambda p: (p.span(), p.name_of("speaker"))):
            parents.append(Parent(*place[0], None, ()))
            speakers.append(_named(place[1]))
        for word, owner in zip(words, owners_of(words, parents), strict=True):
            word.speaker = None if owner is None else speakers[owner]
        yield from answer.within_parents(words, parents, None)
        answer.spoke = answer.spoke or value.value.get("words") == []
    answer.finish(document)


def read_transcribee(source: Source) -> Iterator[Segment]:
    """One segment per paragraph.

    Raises
    ------
    SyntaxFormatError: no JSON, members missing or of a wrong type, no words.
    """
    document = JsonDocument(source)
    answer = Answer(source, "transcribee", "TRANSCRIBEE")
    for value in document.values:
        turns: list[Turn] = []
        answer.each(value, "children", Turn, turns.append)
        texts = [atom.text for turn in turns for atom in turn.children]
        are_words = not any(text[:1] == " " or text[-1:] == " " for text in texts)
        if are_words and len(texts) > 1:
            source.log.note("TRANSCRIBEE-WORDS", "no blanks around pieces: each is a word")
        speakers = Speakers(value)
        made: list[Segment] = []
        take = partial(_take_turn, answer, made, speakers, are_words)
        answer.each(value, "children", Turn, take)
        answer.spoke = answer.spoke or value.value.get("children") == []
        yield from made
    answer.finish(document)


class Speakers:
    """The names of speakers by their ids, as far as no two have the same."""

    def __init__(self, value: JsonValue) -> None:
        named = value.get("speaker_names")
        pairs = [] if named is None else [(name, one.text()) for name, one in named.members()]
        uses = Counter(name for _, name in pairs)
        self._names = {key: name for key, name in pairs if name and uses[name] == 1}

    def named(self, key: str | None) -> str | None:
        """The name of a speaker, or the id."""
        return self._names.get(key or "", key)


def _take_turn(
    answer: Answer, made: list[Segment], speakers: Speakers, are_words: bool, turn: Turn
) -> None:
    runs: list[list[SpokenWord]] = []
    for atom in turn.children:
        piece = SpokenWord(atom.text, *atom.span(), atom.sureness("conf"))
        is_new = are_words or not runs or begins_word(atom.text)
        if is_new or runs[-1][-1].text.endswith(" "):
            runs.append([])
        runs[-1].append(piece)
    segment = answer.segment(
        list(map(joined_pieces, runs)),
        speaker=speakers.named(turn.name_of("speaker")),
        properties=answer.other_language(turn.lang),
    )
    made.append(with_extent(segment))


AUTOEDIT_SPEC = FormatSpec(
    title="JSON of autoEdit 2: paragraphs of lines of timed words",
    sign='"paragraph" with "line"',
    read=read_autoedit,
    manual="Paragraphs with speakers; words with start and end.",
)
PAPER_EDIT_SPEC = FormatSpec(
    title="JSON of Digital Paper Edit and of slate's editor: words, and paragraphs with speakers",
    sign='"words" with "text", and "paragraphs"',
    read=read_paper_edit,
    manual="A list of timed words and a list of paragraphs with times and speakers.",
)
TRANSCRIBEE_SPEC = FormatSpec(
    title="JSON of transcribee: paragraphs of timed pieces of text",
    sign='"children" of the type "paragraph"',
    read=read_transcribee,
    manual="Paragraphs with speakers; pieces of text with times and confidences.",
)
