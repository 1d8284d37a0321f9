"""Reader of the turns of a text. Every line is part of a turn, or is counted as skipped."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import itemgetter

from formats.detection.line_shapes import DATE_AND_TIME
from formats.io.source import Source
from formats.meetings.layouts import IN_ANGLES, INSIDE, NAME_AND_ROLE, TextLayout, fold
from formats.meetings.messages import (
    CHANGES_AT_DASHES,
    COLUMN_LEFT,
    DIRECTIONS_LEFT,
    FIELDS_LEFT,
    LINES_LEFT,
    LINES_LIKE_TURNS,
    LIST_MARKS_LEFT,
    MINUTES_LEFT,
    NAMES_ALONE,
    NAMES_BEFORE_SIGN,
    NUMBERS_LEFT,
    OTHER_FORM,
    SAME_PERSONS,
    SPEAKER_TEXT,
    SPEAKER_TEXT_FOOTER,
    TAGS_LEFT,
    TEXT_ABOVE_TURNS,
    TEXT_AGAIN,
    TIMES_BELOW,
    TITLES_JOINED,
    TURN_EMPTY,
    TURNS_DOUBTFUL,
    WORDS_JOINED,
)
from formats.meetings.turns.accounts import ENDED, TurnLayout, TurnText
from formats.meetings.turns.chats import (
    attached_lines,
    mark_of_edit,
    quoting_lines,
    without_notices,
)
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.completed import (
    after_midnight,
    stamped_heads,
    unnamed_heads,
    without_addressees,
    without_field_names,
)
from formats.meetings.turns.corrections import (
    checked_turns,
    corrected_turns,
    since_first,
    without_tags,
)
from formats.meetings.turns.dashes import heads_at_dashes
from formats.meetings.turns.dated_messages import with_dates_before_names
from formats.meetings.turns.dense_script import play_of
from formats.meetings.turns.headed import TIME_OF_SITTING, is_direction
from formats.meetings.turns.heads import (
    BLOCKS,
    LIST_SIGNS,
    UNTIMED,
    TurnHead,
    any_untimed,
    filled_pattern,
    row_of,
    turn_head,
    written_timed,
)
from formats.meetings.turns.indented_names import directions_behind
from formats.meetings.turns.inside import (
    goes_on,
    is_speech,
    say_above,
    say_between,
    speech_above,
    stamped_turns,
)
from formats.meetings.turns.lines import BARE_STAMP, FOOTER, RULE, STAMP
from formats.meetings.turns.margins import are_notes, chapters_in, is_count
from formats.meetings.turns.names import (
    carries,
    is_said,
    lone_names,
    names_over_turns,
    only_lines,
    return_names,
)
from formats.meetings.turns.outside import (
    ITEM,
    LINKS,
    is_brief,
    is_of_minutes,
    minutes_of,
    parts_above,
)
from formats.meetings.turns.places import with_times_behind_first
from formats.meetings.turns.plain import (
    END_MARK,
    HTML,
    INSTRUCTION_MARK,
    LEAST,
    LONE,
    LONGEST_PART,
    MOST_ALIKE,
    ROLE_MARK,
    SAMPLE,
    SEPARATED,
    STAMP_FIRST,
    Lines,
    with_plain_times,
    with_times_first,
    without_bars,
    without_html,
    without_numbers,
)
from formats.meetings.turns.records import FieldRecords, records_of, times_of_records
from formats.meetings.turns.screenplay import Screenplay
from formats.meetings.turns.titles import titles_behind_times
from formats.meetings.turns.written_names import (
    merge_marks,
    sign_of_names,
    with_colons_for_sign,
    without_merge_marks,
)
from formats.reading.cut_words import compounds_if_cut, with_whole_words
from formats.reading.directions import have_directions, without_directions
from formats.reading.document_heads import head_of_document
from formats.reading.document_parts import SPEECH, is_text_of_turns, text_again
from formats.reading.lines import split_words, strip_blanks
from formats.reading.marks import NUMBER_ALONE
from formats.reading.part_titles import headings_in
from formats.reading.patterns import parse_stamp
from formats.reading.speakers import HEAD_NAMES, NO_ONE, is_name, is_sound
from formats.reading.time_values import SLOWEST
from formats.schema import lazy_pattern
from formats.schema.model import Segment
from formats.schema.times import format_time

TAGS = (HTML, ROLE_MARK, END_MARK, INSTRUCTION_MARK)
"""What is reported of a text whose tags are no words."""
FEWEST_TITLES, SHARE_OF_TITLES = 2, 0.005
"""The fewest headings and numbers alone that are reported, and their share of the turns."""
EMPHASIS = lazy_pattern(r"(\*{1,3}|_{1,3})(?![*_\s]).{1,2000}(?<![*_\s])\1\Z")
"""A line that is emphasised as a whole."""
CHANGE = ">> {text}"
"""A layout with a mark where another person begins, without names."""
BEHIND_TIME = lazy_pattern(r"\S{1,20}(?:[ ][AaPp][Mm][\])])?[ ]{1,9}(?:\*\*\*|-!-|-->|<--)[ ]")
"""A time and a program's remark in a chat: ``[12:05] *** Ann joined``."""
OF_CHANNEL = lazy_pattern(r"(?:\*{1,3}|-!-|-->|<--|←|→)[ ]{1,9}\S")
"""What a program says in a chat without times, or what somebody does: ``* Ann joined``."""
TYPISTS = lazy_pattern(r"(?i)transcri(?:bers?|ptionists?)\Z")
"""A field with those who typed a text."""
ITEM_COUNTED = lazy_pattern(r"[0-9]{1,3}[.)][ ]")
SHARE_OF_LISTED = 0.6
"""An item with a number, and the share of lines below headings that are items of lists."""
WRITERS_NOTE = lazy_pattern(r"\[\[[^\[\]]{1,2000}\]\]")
"""A note of the writer in a screenplay: ``[[check the name]]``."""
FEWEST_PARTS = 2
"""The fewest parts between rules or headings that begin with a turn."""
MOST_BELOW = 0.15
"""The largest share of a text that is below a rule and no speech."""
VALUE = lazy_pattern(
    r"[^\w\n]{0,6}[^\W\d_][^\n:=0-9]{1,30}[ ]{0,3}[:=][^\w\n]{0,6}[0-9][0-9.,]{0,9}[^\w\n]{0,4}"
    r"[^\W\d_]{0,6}[^\w\n]{0,3}\Z"
)
NUMBERS, FEWEST_VALUES = lazy_pattern(r"[0-9]+(?:[.,][0-9]+)?"), 5
"""A name and a number that a program measured, its numbers, and the fewest such lines."""
FEWEST_NAMES = 2
SHARE_OF_APART = 0.3
"""The largest share of turns with a second paragraph below a name alone that may be no speech."""
FEWEST_OTHERS, SHARE_OF_OTHERS = 3, 0.05
"""The fewest lines that look like turns of another layout, and the share that is reported."""


def segments_of_turns(
    source: Source, lines: Lines, line: int | None, expected: str, *, close_gaps: bool = False,
    least: Trust = Trust.SURE, fps: str = "",
    prose: Callable[[], Iterator[Segment]] | None = None,
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per turn.

    Times inside paragraphs begin segments. `least` is how far a layout must explain the text: less
    if the user named the format. `prose` yields the segments of a text without turns, which is an
    error otherwise.
    """
    if not any(text.strip() for _, text in lines):
        return
    if least < Trust.SURE and (rows := _written_heads(lines)) is not None:
        yield from _of_written(source, lines, *rows, close_gaps=close_gaps)
        return
    bare = without_bars(with_dates_before_names(_with_written_names(source, lines)))
    if (untagged := without_html(bare)) is not bare:
        tags = [match[0] for _, line in bare for tag in TAGS for match in tag.finditer(line)]
        source.log.say(TAGS_LEFT, count=len(tags), text=tags[0])
    changed = with_plain_times(_with_whole_words(source, untagged))
    if (plain := without_numbers(changed)) is not changed:
        source.log.say(NUMBERS_LEFT)
    if least < Trust.SURE and plain is not lines and (rows := _written_heads(plain)) is not None:
        yield from _of_written(source, plain, *rows, close_gaps=close_gaps)
        return
    if (lines := with_times_behind_first(with_times_first(plain))) is not plain:
        source.log.say(TIMES_BELOW)
    is_known = bool(source.layouts)
    if not is_known and (records := records_of(lines)) is not None:
        yield from checked_turns(source, _of_records(source, lines, records), close_gaps=close_gaps)
        return
    if not is_known and (play := play_of(lines, source.name)) is not None:
        yield from _of_screenplay(source, play)
        return
    listed, lines = _without_chapters(source, _without_text_again(source, lines))
    trust, layout, text, margin = choice_of(lines, source.layouts)
    if layout is None or text is None:
        if prose is None:
            raise source.syntax_error(line, expected, "prose")
        yield from prose()
        return
    if trust < least:
        reason = f'{layout.heads} of {layout.paragraphs} paragraphs look like "{layout.shown}"'
        raise source.syntax_error(line, expected, reason)
    source.log.say(
        SPEAKER_TEXT,
        pattern=layout.shown,
        heads=layout.heads,
        paragraphs=layout.paragraphs,
        speakers=layout.speakers,
    )
    is_doubtful = margin < 0 or _are_items(text, layout)
    if is_doubtful and trust is not Trust.NAMED:
        source.log.say(
            TURNS_DOUBTFUL, heads=layout.heads, paragraphs=layout.paragraphs, pattern=layout.shown
        )
    source.layouts = source.layouts or text.likely_patterns(layout)
    say_between(source, listed)
    is_inside = layout.pattern == INSIDE
    turns = list(_inside(source, text) if is_inside else _turns(source, text, layout))
    del text  # and the memory of its lines
    turns = _without_directions(source, turns)
    turns = corrected_turns(source, lines, turns, layout, fps)
    are_sparse = layout.pattern == BLOCKS
    yield from checked_turns(source, turns, close_gaps=close_gaps, are_sparse=are_sparse)


def _with_written_names(source: Source, lines: Lines) -> Lines:
    """Return lines without the marks of a merge, and with colons for a sign behind names."""
    if marks := merge_marks(lines):
        source.log.say(TAGS_LEFT, count=len(marks), text=marks[0][:LONGEST_PART])
        lines = without_merge_marks(lines)
    if sign := sign_of_names([line for _, line in lines]):
        source.log.say(NAMES_BEFORE_SIGN, sign=sign)
    return with_colons_for_sign(lines)


def _with_whole_words(source: Source, lines: Lines) -> Lines:
    """Return lines with the rests of words that are cut at their ends; report these."""
    compounds = compounds_if_cut([line for _, line in lines])
    if compounds is None:
        return lines
    joined = list(with_whole_words(lines, compounds))
    source.log.say(WORDS_JOINED, None, count=sum(is_joined for *_, is_joined in joined))
    return [(number, line) for number, line, _ in joined]


def _without_directions(source: Source, turns: Sequence[Segment]) -> list[Segment]:
    """Return turns without directions in brackets if several turns have some."""
    texts = [" ".join(map(str, turn.words)) for turn in turns]
    if not (signs := have_directions(texts)):
        return list(turns)
    parts: list[str] = []
    plain: list[Segment] = []
    for turn, text in zip(turns, texts, strict=True):
        spoken, left = without_directions(text, signs)
        parts += left
        plain.append(turn.replace(words=tuple(split_words(spoken))) if left else turn)
    source.log.say(DIRECTIONS_LEFT, None, count=len(parts), text=parts[0][:LONGEST_PART])
    return plain


def _inside(source: Source, text: TurnText) -> Iterator[Segment]:
    """Yield the turns of a text with times inside its paragraphs."""
    return stamped_turns(source, *_without_margins(source, text))


def _without_margins(source: Source, text: TurnText) -> tuple[Lines, Mapping[str, str]]:
    """Return the lines of a text whose times begin lines, without lines that nobody speaks.

    The names over turns are returned by their lines. What nobody speaks are titles, rules and
    directions between the times, minutes, and an end with a time.
    """
    lines, heads = list(text.lines), text.heads(INSIDE)
    begun = {n: head for n, head in heads.items() if STAMP.match(text.folded[n].text.lstrip("# "))}
    if len(begun) < SEPARATED * len(heads):
        return lines, {}
    names = names_over_turns(text, begun)
    for n, name in names.items():
        lines[n] = (lines[n][0], f"{name}:")
    first, last = min(begun), max(begun)
    footer = FOOTER.match(text.folded[last].text)
    if footer is not None and footer["at"] and len(begun) > 1:
        source.log.say(SPEAKER_TEXT_FOOTER, lines[last][0], text=text.folded[last].line)
        lines[last] = (lines[last][0], f"[{footer['at']}]")
    rules = text.is_rule | text.is_heading
    outside = rules | text.directions(begun) | text.titles_between(begun, rules)
    outside |= parts_above(begun, text) | _values_between(text, begun)
    minutes = sorted(minutes_of(begun, text, None))
    outside |= {*minutes} if are_notes([text.folded[n].line for n in minutes]) else set()
    outside = {
        n for n in outside - heads.keys() - names.keys()
        if n > first and not FOOTER.match(text.folded[n].text)
        and not (n > last and n in rules and n not in text.marks)
    }  # fmt: skip
    are_headings = not text.is_heading.isdisjoint(begun)  # `stamped_turns` reads these
    titles = {} if are_headings else titles_behind_times(begun, text)
    said = [
        (lines[n][0], titles.get(n, text.folded[n].line)) for n in sorted(outside | titles.keys())
    ]
    for n in titles:
        lines[n] = (lines[n][0], lines[n][1].replace(titles[n], "", 1))
    say_between(source, [row for row in said if any(map(str.isalnum, row[1]))])
    over = {f"{name}:": name for name in names.values()}
    left = [(number, "" if n in outside else line) for n, (number, line) in enumerate(lines)]
    return left, over


def _without_chapters(source: Source, lines: Lines) -> tuple[Lines, Lines]:
    """Return the lists of chapters of a text and its other lines, if these have turns as well."""
    chapters = set() if source.layouts else chapters_in([line for _, line in lines])
    speech = [line for n, line in enumerate(lines) if n not in chapters] if chapters else []
    if not chapters or choice_of(speech).trust < choice_of(lines).trust:
        return [], lines
    return [lines[n] for n in sorted(chapters)], speech


def _without_text_again(source: Source, lines: Lines) -> Lines:
    """Return the lines without a text below them that has the same words; report it."""
    first = text_again([line for _, line in lines])
    if not first:
        return lines
    left = [line.strip() for _, line in lines[first:] if line.strip()]
    source.log.say(TEXT_AGAIN, lines[first][0], count=len(left), text=left[0][:LONGEST_PART])
    return lines[:first]


def _written_heads(lines: Lines) -> tuple[str, list[tuple[int, TurnHead]]] | None:
    """Return the pattern and all heads, if our own writers may have written every line.

    Some heads may have no time, but not all.
    """
    if not any("[" in line or "［" in line for _, line in lines):
        return None
    pattern = ""
    heads = []
    for number, line in lines:
        if not strip_blanks(line):
            continue
        folded = fold(line)
        timed = written_timed(folded)
        head = any_untimed(folded) if timed is None else turn_head(folded, timed)
        if head is None or (
            timed is None
            and (folded.text[:2] in LIST_SIGNS or is_of_minutes(head) or RULE.match(folded.line))
        ):
            return None
        if head.name and (HTML.search(head.name) or (not head.text and is_sound(head.name))):
            return None
        if timed is not None and not pattern:
            pattern = filled_pattern(folded, timed.spans)
        heads.append((number, head))
    names = {head.name for _, head in heads if head.start is not None}
    others = [head for _, head in heads if head.start is None and head.name not in names]
    if any(HEAD_NAMES.match(head.name or "") or is_count(head.text) for head in others) or any(
        SPEECH.match(head.name or "") for head in others if not head.text
    ):
        return None  # fields of the document: ``Date: 4 May``
    inside = sum(BARE_STAMP.search(head.text) is not None for _, head in heads if "[" in head.text)
    if inside >= LEAST and not any("." in line.partition("]")[0] for _, line in lines):
        return None  # our times have fractions
    return (pattern, heads) if pattern else None


def _of_written(
    source: Source, lines: Lines, pattern: str, heads: list[tuple[int, TurnHead]], *,
    close_gaps: bool,
) -> Iterator[Segment]:  # fmt: skip
    """Yield the segments of a text that our own writers wrote.

    `heads` are pairs (line number, head).
    """
    names = {head.name for _, head in heads}
    source.log.say(
        SPEAKER_TEXT, pattern=pattern, heads=len(heads), paragraphs=len(heads), speakers=len(names)
    )
    complete = without_addressees(without_field_names(dict(heads)))
    heads = list(after_midnight(complete).items())
    turns = [turn_segment(source, head, split_words(head.text), number) for number, head in heads]
    turns = since_first(source, lines, without_tags(source, turns))
    yield from checked_turns(source, turns, close_gaps=close_gaps)


def _of_records(source: Source, lines: Lines, fields: FieldRecords) -> list[Segment]:
    """Return a turn for each record of fields; report the unused fields."""
    records = fields.records
    names = {record.values.get("speaker") for record in records} - {None, ""}
    source.log.say(
        SPEAKER_TEXT, pattern=fields.pattern, heads=len(records), paragraphs=len(records),
        speakers=len(names),
    )  # fmt: skip
    say_above(source, [(None, line) for line in fields.above])
    if fields.left:
        source.log.say(FIELDS_LEFT, None, count=fields.left.total(), names=list(fields.left))
    turns = [
        turn_segment(
            source,
            TurnHead(
                record.values.get("speaker", "").rstrip(": ") or None, times.start, times.end, ""
            ),
            split_words(record.values.get("text", "")),
            record.line,
        )
        for record, times in zip(records, times_of_records(fields), strict=True)
    ]
    are_clocks = all(":" in record.values.get("start", "") for record in records)
    return since_first(source, lines, turns) if are_clocks else turns


def _are_items(text: TurnText, layout: TurnLayout) -> bool:
    """Return True if heads are items below numbers or headings, or headings above items of lists.

    ``- **Aim:** …`` below ``1. **Roads**`` is a list of fields, and no dialogue.
    """
    if layout.timed or layout.pattern in (BLOCKS, INSIDE):
        return False
    heads = text.heads(layout.pattern)
    first, last = min(heads, default=0), max(heads, default=0)
    others = [n for n in text.filled if first < n <= last and n not in heads]
    lines = {n: text.folded[n].line for n in (*heads, *others)}
    items = sum(lines[n][:2] in LIST_SIGNS for n in heads)
    numbered = sum(ITEM_COUNTED.match(lines[n]) is not None or lines[n][:1] == "#" for n in others)
    if items == len(heads) and numbered >= LEAST and 2 * numbered >= len(others):
        return True
    listed = sum(lines[n].lstrip()[:2] in LIST_SIGNS for n in others)
    are_headings = all(lines[n][:1] == "#" for n in heads)
    return are_headings and listed >= max(LEAST, SHARE_OF_LISTED * len(others))


def _of_screenplay(source: Source, play: Screenplay) -> Iterator[Segment]:
    """Yield the turns of a screenplay; report the lines that nobody speaks."""
    names = {part.head.name for part in play.turns}
    source.log.say(
        SPEAKER_TEXT, pattern="{speaker}", heads=len(play.turns), paragraphs=len(play.turns),
        speakers=len(names),
    )  # fmt: skip
    say_between(source, play.others)
    if play.doubtful:
        (line, text), count = play.doubtful[0], len(play.doubtful)
        source.log.say(COLUMN_LEFT, line, count=count, text=text[:LONGEST_PART])
    texts = [(part, " ".join(part.texts)) for part in play.turns]
    say_between(
        source, [(part.line, x) for part, text in texts for x in WRITERS_NOTE.findall(text)]
    )
    for part, text in texts:
        yield turn_segment(source, part.head, split_words(WRITERS_NOTE.sub(" ", text)), part.line)


def _turns(source: Source, text: TurnText, layout: TurnLayout) -> list[Segment]:
    """Return a segment for each turn; report lines that are not speech or do not match."""
    lines, has_blocks = text.lines, layout.pattern == BLOCKS
    pattern = UNTIMED if has_blocks else layout.pattern
    minutes, rules = text.minutes(pattern), text.rules(pattern)
    heads = _with_other_forms(source, text, layout)
    return_names(layout.pattern, heads, text)
    heads, sounds = _with_unnamed(heads, text)
    row = row_of(pattern)
    is_chat = row is not None and row.is_dated
    names = lone_names(text, heads) if layout.timed and not has_blocks and not is_chat else {}
    reader = _TurnReader(source, layout, text)
    titles = _titles_left(reader, text, pattern)
    heads = _without_minutes(source, text, heads, minutes)
    filled = [n for n in text.filled if n not in minutes]
    last_head, has_ended = max(heads, default=-1), False
    are_behind = sum(bool(head.text) for head in heads.values()) > 0.9 * len(heads)
    has_ends = are_behind and layout.speakers == 0
    ends = _end_marks(text, heads, rules, are_behind=are_behind)
    heads = without_notices(heads) if is_chat else heads
    directions = {*sounds, *_directions(text, heads, names, rules, row)}
    mark = _list_mark(text, heads, rules)
    heads, lines = _plain_heads(reader, text, heads, rules | minutes | directions)
    said = only_lines(text, heads, filled) - (rules - text.is_rule)
    for index, n in enumerate(filled := reader.skip_head(text, filled)):
        number, line, head = lines[n][0], text.folded[n].line, heads.get(n)
        is_last = index + 1 == len(filled)
        lone = LONE.match(line) if has_ends or has_blocks or is_last else None
        if n in names:
            reader.name(names[n], number)
        elif has_blocks and lone is not None:
            reader.time(lone, number, below="" if is_last else text.folded[filled[index + 1]].line)
        elif head is not None and is_last and lone is not None and layout.speakers == 0 and index:
            reader.end(parse_stamp(lone[1]))
        elif head is not None and is_last and head.start and n in titles:
            reader.end(head.start)
        elif head is not None and is_last and head.start != 0 and _is_footer(head):
            reader.end(head.start)
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)
        elif head is not None:
            reader.head(head, number)
        elif n in said:
            reader.more(lines[n][1], number, is_alone=False, mark=mark)
        elif n in rules or (n in text.is_heading and reader.current is not None):
            reader.skip(line, number)
            has_ended = has_ended or n in ends
        elif (footer := FOOTER.match(text.folded[n].text)) is not None:
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)
            has_ended = has_ended or n > last_head
            if footer["at"] and n > last_head:
                reader.end(parse_stamp(footer["at"]))
        elif (has_ended and n > last_head) or (n in directions and reader.current is not None):
            reader.skip(line, number)
        elif has_blocks and len(filled) - index < 4 and (ended := ENDED.match(line)) is not None:
            source.log.say(SPEAKER_TEXT_FOOTER, number, text=line)
            source.properties["duration"] = format_time(parse_stamp(ended[1]))
        elif lone is not None:
            reader.end(parse_stamp(lone[1]))
        else:
            reader.more(lines[n][1], number, is_alone=text.is_name_alone(n), mark=mark)
    return reader.finish()


def _plain_heads(
    reader: _TurnReader, text: TurnText, heads: dict[int, TurnHead], outside: set[int]
) -> tuple[dict[int, TurnHead], Lines]:
    """Return heads and lines without times and directions at their edges, and heads at dashes."""
    heads = _without_clocks(reader, text, heads)
    heads, lines = _without_directions_behind(reader, text, heads)
    dashed = heads_at_dashes(heads, text, outside | text.is_heading)
    if not dashed:
        return heads, lines
    first = min(dashed)
    reader.source.log.say(
        CHANGES_AT_DASHES, lines[first][0], count=len(dashed), text=dashed[first].text
    )
    return dict(sorted({**heads, **dashed}.items())), lines


def _without_clocks(
    reader: _TurnReader, text: TurnText, heads: dict[int, TurnHead]
) -> dict[int, TurnHead]:
    """Return heads without the times of a sitting before their texts; report these."""
    timed = {n: match for n, x in heads.items() if (match := TIME_OF_SITTING.match(x.text))}
    if len(timed) < LEAST:
        return heads
    for n, match in timed.items():
        reader.skip(match[0], text.lines[n][0])
    rests = {n: heads[n]._replace(text=heads[n].text[match.end() :]) for n, match in timed.items()}
    return {**heads, **rests}


def _without_directions_behind(
    reader: _TurnReader, text: TurnText, heads: dict[int, TurnHead]
) -> tuple[dict[int, TurnHead], Lines]:
    """Return heads and lines without directions behind gaps in a printed play; report these."""
    behind = directions_behind(heads, text)
    if not behind:
        return heads, text.lines
    heads, lines = dict(heads), list(text.lines)
    for n, direction in behind.items():
        number, line = lines[n]
        reader.skip(direction, number)
        lines[n] = number, line.rstrip().removesuffix(direction)
        if n in heads:
            heads[n] = heads[n]._replace(text=heads[n].text.rstrip().removesuffix(direction))
    return heads, lines


def _titles_left(reader: _TurnReader, text: TurnText, pattern: str) -> dict[int, str]:
    """Return the titles beside times by position; report them, and names of the same persons."""
    if shorter := text.shorter_names(pattern):
        name, brief = next(iter(shorter.items()))
        reader.source.log.say(SAME_PERSONS, count=len(shorter), name=name, shorter=brief)
    titles = text.titles(pattern) | text.titles_of_chapters()
    for n, title in titles.items():
        reader.skip(title, text.lines[n][0])
    return titles


def _with_unnamed(
    heads: dict[int, TurnHead], text: TurnText
) -> tuple[dict[int, TurnHead], set[int]]:
    """Return the heads with those that have a time and no name, and the positions of sounds."""
    unnamed = unnamed_heads(heads, text) or stamped_heads(heads, text)
    silent = {n for n, head in heads.items() if head.name and not head.text and is_sound(head.name)}
    if silent and sum(not head.text for head in heads.values()) == len(silent):
        heads = {n: head for n, head in heads.items() if n not in silent}
    sounds = {
        n for n, head in unnamed.items()
        if is_direction(head.text) or BEHIND_TIME.match(text.folded[n].line)
    }  # fmt: skip
    sounds |= silent - heads.keys()
    if not unnamed:
        return heads, sounds
    every = sorted({**heads, **unnamed}.items())
    return {n: head for n, head in every if n not in sounds}, sounds


def _without_minutes(
    source: Source, text: TurnText, heads: dict[int, TurnHead], minutes: set[int]
) -> dict[int, TurnHead]:
    """Return the heads that are not in the minutes of a meeting; report the minutes."""
    if not minutes:
        return heads
    first = min(minutes)
    source.log.say(
        MINUTES_LEFT, text.lines[first][0], count=len(minutes), text=text.folded[first].line
    )
    return {n: head for n, head in heads.items() if n not in minutes}


def _with_other_forms(source: Source, text: TurnText, layout: TurnLayout) -> dict[int, TurnHead]:
    """Return the heads of a layout, and those of one other layout with the same speakers."""
    heads = dict(text.heads(UNTIMED if layout.pattern == BLOCKS else layout.pattern))
    counts = Counter(head.name for head in heads.values() if head.name)
    names = {name for name, count in counts.items() if count > 1}
    if layout.pattern == BLOCKS or len(names) < FEWEST_NAMES:
        return heads
    best: dict[int, TurnHead] = {}
    shown, first = "", min(heads)
    for other in text.layouts:
        if other.pattern in (layout.pattern, INSIDE, BLOCKS) or not other.speakers:
            continue
        found = {
            n: head for n, head in text.heads(other.pattern).items()
            if n not in heads and head.name in names and head.text and not is_said(n, head, heads)
            and not (is_brief(head) and (n < first or ITEM.match(text.lines[n][1])))  # a list
            and not LINKS.match(head.text)
        }  # fmt: skip
        if len(found) > len(best):
            best, shown = found, other.shown
    if len(best) < FEWEST_OTHERS:
        return heads
    source.log.say(OTHER_FORM, text.lines[min(best)][0], count=len(best), pattern=shown)
    return dict(sorted({**heads, **best}.items()))


def _directions(
    text: TurnText, heads: Mapping[int, TurnHead], names: Mapping[int, str], rules: set[int],
    row: TextLayout | None,
) -> Collection[int]:  # fmt: skip
    """Return the positions of lines between turns that nobody speaks.

    A message of a chat may have a line in brackets.
    """
    is_chat = row is not None and row.is_dated
    alone = {n: TurnHead(name, None, None, "") for n, name in names.items()}
    directions = text.titles_between({**heads, **alone}, rules)
    directions |= notices_of(text, heads) if is_chat else text.directions(heads)
    if any(head.start is not None for head in heads.values()):
        directions |= _values_between(text, heads)
    if row is not None and row.is_clock:
        texts = [line for _, line in text.lines]
        directions |= attached_lines(texts) | (quoting_lines(texts) - heads.keys())
    if row is not None and row.name == IN_ANGLES:
        directions |= {n for n in text.filled if OF_CHANNEL.match(text.folded[n].line)}
    if text.acts or (row is not None and row.is_of_play):
        directions |= text.stage_directions(heads)
    return directions


def _values_between(text: TurnText, heads: Mapping[int, TurnHead]) -> set[int]:
    """Return the positions of brief lines that return with other numbers: ``Level: 53``.

    A program writes such measured values between turns with times.
    """
    forms: dict[str, list[int]] = {}
    for n in text.filled:
        line = text.folded[n].text
        if n not in heads and text.has_digit[n] and VALUE.match(line):
            forms.setdefault(NUMBERS.sub("0", line), []).append(n)
    values: set[int] = set()
    for places in forms.values():
        if len(places) >= FEWEST_VALUES and len({text.folded[n].text for n in places}) > MOST_ALIKE:
            values.update(places)
    return values


def _list_mark(text: TurnText, heads: Mapping[int, TurnHead], rules: set[int]) -> str:
    """Return the list mark before nearly all heads, or all lines below names alone, or nothing."""
    if not heads:
        return ""
    begins = Counter(text.folded[n].line[:2] for n in heads)
    mark, count = begins.most_common(1)[0]
    if mark in LIST_SIGNS and count >= max(LEAST, SEPARATED * len(heads)):
        return mark
    if any(head.text for head in heads.values()):
        return ""
    first = min(heads)
    below = [
        folded.line for n, folded in enumerate(text.folded)
        if n > first and folded.line and n not in heads and n not in rules
        and n not in text.is_heading
    ]  # fmt: skip
    marks = Counter(line[:2] for line in below if line[:2] in LIST_SIGNS)
    mark, count = max(marks.items(), key=itemgetter(1), default=("", 0))
    return mark if count >= max(LEAST, SEPARATED * len(below)) else ""


def _end_of_speech(text: TurnText) -> int:
    """Return the position from which only a small part of the text is left."""
    rest = MOST_BELOW * sum(len(folded.line) for folded in text.folded)
    for n in range(len(text.folded) - 1, -1, -1):
        rest -= len(text.folded[n].line)
        if rest < 0:
            return n
    return 0


def _end_marks(
    text: TurnText, heads: Mapping[int, TurnHead], rules: set[int], *, are_behind: bool
) -> Collection[int]:
    """Return the positions of rules and headings below the last turn that end the speech."""
    first, last = min(heads, default=0), max(heads, default=0)
    borders = rules | text.is_heading
    begin = next((n for n in range(first - 1, -1, -1) if text.is_filled[n]), first)
    above, parts = False, 0
    for n in range(begin if begin in borders else first, last + 1):
        if n in borders and n not in heads:
            above = True
        elif text.is_filled[n] and above:
            if n not in heads:
                return ()
            above, parts = False, parts + 1
    if parts >= FEWEST_PARTS:
        return {n for n in borders if n > last}
    end = max(last + 1, _end_of_speech(text))
    if are_behind:
        return {n for n in borders if n >= end}
    below = (n for n in borders if n > last)
    after = {n: [folded.line for folded in text.folded[n + 1 :] if folded.line] for n in below}
    return {n for n, rest in after.items() if are_notes(rest) or all(map(EMPHASIS.match, rest))}


def _is_footer(head: TurnHead) -> bool:
    """Return True if a turn has only the end of a recording, as its name or text: ``1:02 End``."""
    name = head.name or ""
    if head.start is None:  # a field, as who transcribed
        return TYPISTS.match(name) is not None and head.text != ""
    return FOOTER.match(f"{name}{head.text}") is not None


def notices_of(text: TurnText, heads: Collection[int]) -> set[int]:
    """Return the positions of a chat's notices: ``05/11/2018, 9:55 - Ann added Bob``."""
    return {
        n for n, folded in enumerate(text.folded)
        if n not in heads and DATE_AND_TIME.match(folded.text) is not None
    }  # fmt: skip


class _TurnReader:
    """Collects the lines of each turn, and counts the lines that belong to no turn."""

    def __init__(self, source: Source, layout: TurnLayout, text: TurnText) -> None:
        self.source = source
        self.layout = layout
        self.carries = carries(layout.pattern)
        is_play = layout.pattern == NAME_AND_ROLE and not layout.timed
        self.begins = {text.lines[n][0] for n in text.is_first} if is_play else frozenset[int]()
        self.done: list[Segment] = []
        self.above: list[tuple[int | None, str]] = []
        self.skipped: list[tuple[int, str]] = []
        is_of_changes = layout.shown.startswith(CHANGE)
        self.current = TurnHead(None, None, None, "") if is_of_changes else None
        self.words: list[str] = []
        self.begin = 1
        self.speaker: str | None = None
        self.block: int | None = None
        self.is_waiting = is_of_changes  # words may stand above the first change
        self.left: list[tuple[int, str]] = []
        self.apart: list[tuple[int, str]] = []
        self.others: list[tuple[int, str, str]] = []
        self.alone: list[tuple[int, str]] = []
        self.titles: list[tuple[int, str]] = []
        self.mark = ""
        row = row_of(layout.pattern)
        self.is_chat = row is not None and row.is_dated

    def head(self, head: TurnHead, number: int) -> None:
        """Begin a new turn, unless the head only repeats the time above it in another notation."""
        current = self.current
        if current is not None and head == current and not self.words and head.start is not None:
            return
        if head.name is None and self.speaker is not None:
            head = head._replace(name=self.speaker)
        elif self.carries and head.name is None and self.current is not None:
            head = head._replace(name=self.current.name)
        if self.is_waiting:  # a name alone, which this head is for
            self.current = None
        if head.start is None and self.block is not None:
            head = head._replace(start=self.block)
            self.block = None
        self._end_turn()
        self.current, self.begin = head, number
        self.words = split_words(self._without_edit(head.text, number))
        self.is_waiting = False

    def name(self, name: str, number: int) -> None:
        """Store a name that is alone on a line, for the turn just begun or for the next."""
        current = self.current
        is_new = current is not None and current.start is not None and not self.words
        if current is not None and is_new and current.name in (None, self.speaker):
            self.current = current._replace(name=name)
            return
        self.speaker = name
        self._end_turn()
        self.current, self.begin = TurnHead(name, None, None, ""), number
        self.is_waiting = True

    def time(self, lone: re.Match[str], number: int, below: str) -> None:
        """Store a time that is alone on a line, for the next turn; skip the title beside it.

        Above a line such as ``[no audio]``, the turn begins at the second of two times.
        """
        self.block = parse_stamp((below.startswith(("[", "(")) and lone["until"]) or lone[1])
        self.skip(lone["title"] or "", number)

    def end(self, time: int | None) -> None:
        """Set the end of the last turn."""
        if time is not None and self.current is not None and self.current.end is None:
            is_later = time >= (self.current.start or 0)
            self.current = self.current._replace(end=time if is_later else None)

    def skip_head(self, text: TurnText, filled: list[int]) -> list[int]:
        """Return the positions of lines without the head of a document above changes of speaker.

        Other words may stand above the first change.
        """
        if self.current is None:
            return filled
        above = head_of_document([line for _, line in text.lines[:SAMPLE]])
        first = bisect_left(filled, above)
        for n in filled[:first]:
            self.skip(text.folded[n].line, text.lines[n][0])
        return filled[first:]

    def skip(self, line: str, number: int) -> None:
        """Count a skipped line, if it has letters or digits."""
        if any(map(str.isalnum, line)):
            self.skipped.append((number, line))

    def _without_edit(self, line: str, number: int) -> str:
        """Return a line of a message without the remark of a chat that it was edited."""
        mark = mark_of_edit(line) if self.is_chat else ""
        if mark:
            self.skip(mark.strip(" \u200e"), number)
        return line.removesuffix(mark)

    def more(self, line: str, number: int, *, is_alone: bool = False, mark: str = "") -> None:
        """Add a line to the current turn; before the first turn, to the document's heading.

        `is_alone` means that the line is a whole paragraph and may be the name of a speaker.
        `mark` is the list mark that begins such lines.
        """
        if self.current is None:
            self.above.append((number, line.strip(" \t\xa0\u200b")))
            return
        line = self._without_edit(line, number)
        if self.current.text:
            self.left.append((number, line))
        elif is_alone and self.words:
            self.alone.append((number, line.strip()))
        elif number in self.begins and self.words:
            self.apart.append((number, line.strip()))
        self.is_waiting = False
        if mark:
            self.mark = mark.strip()
            line = line.lstrip().removeprefix(mark)
        text = line.strip()
        if headings_in((text,)) or NUMBER_ALONE.match(text):
            self.titles.append((number, text))
        self.words.extend(split_words(line))
        beginning = _beginning_of(line)
        if beginning is not None and (self.layout.speakers or not beginning):
            self.others.append((number, line, beginning))

    def finish(self) -> list[Segment]:
        """Return all turns; report the lines outside turns."""
        self._end_turn()
        if self.above:
            self.done[:0] = self._above()
        say_between(self.source, self.skipped, self._total())
        if self.mark:
            self.source.log.say(LIST_MARKS_LEFT, text=self.mark)
        heads = self.layout.heads
        if self.alone:
            number, line = self.alone[0]
            self.source.log.say(NAMES_ALONE, number, count=len(self.alone), text=line)
        self._say_others()
        if len(self.titles) >= max(FEWEST_TITLES, SHARE_OF_TITLES * len(self.done)):
            number, line = self.titles[0]
            self.source.log.say(TITLES_JOINED, number, count=len(self.titles), text=line)
        if len(self.apart) <= SHARE_OF_APART * heads:
            self.left += self.apart
        if self.left and self.layout.timed + heads:
            self.source.log.say(
                LINES_LEFT, self.left[0][0], count=len(self.left), total=len(self.left) + heads,
                pattern=self.layout.shown, text=self.left[0][1],
            )  # fmt: skip
        return self.done

    def _above(self) -> Iterator[Segment]:
        """Yield the speech above the first turn, if that has a time; report the head otherwise.

        Above turns with names, all is speech or nothing: sentences that fill the time.
        """
        texts = [line for _, line in self.above]
        if is_text_of_turns(texts, (" ".join(turn.words) for turn in self.done)):
            text = max(texts, key=len)[:LONGEST_PART]
            self.source.log.say(
                TEXT_ABOVE_TURNS, self.above[0][0], count=len(self.above), text=text
            )
            return
        start = self.done[0].start_ns if self.done else None
        if start and goes_on(self.above, start, self.done[0].words):
            yield from speech_above(self.source, self.above, start, SLOWEST)
            return
        if start and (not self.layout.speakers or is_speech(self.above, start)):
            yield from speech_above(self.source, self.above, start)
            return
        self.source.properties.setdefault("title", self.above[0][1])
        say_above(self.source, self.above, self._total())

    def _total(self) -> int:
        """Return the number of words that are read."""
        return sum(len(turn.words) for turn in self.done)

    def _say_others(self) -> None:
        """Warn about lines that look like turns of another layout, if they are many."""
        counts = Counter(beginning for _, _, beginning in self.others)
        others = [row for row in self.others if not row[2] or counts[row[2]] > 1]
        total = len(self.done) + len(others)
        if len(others) >= max(FEWEST_OTHERS, SHARE_OF_OTHERS * total):
            self.source.log.say(
                LINES_LIKE_TURNS, others[0][0], count=len(others), total=total,
                pattern=self.layout.shown, text=others[0][1],
            )  # fmt: skip

    def _end_turn(self) -> None:
        if self.current is not None and not (self.is_waiting and not self.words):
            self.done.append(turn_segment(self.source, self.current, self.words, self.begin))
        self.current, self.words = None, []


def _beginning_of(line: str) -> str | None:
    """Return the name with which a line begins, empty for a time, or `None` without either."""
    text = line.lstrip()
    if STAMP_FIRST.match(text):
        return ""
    head = any_untimed(fold(line)) if ":" in text[:LONGEST_PART] or "：" in text else None
    return head.name if head is not None and head.text and is_name(head.name or "") else None


def turn_segment(source: Source, head: TurnHead, words: Sequence[str], line: int) -> Segment:
    """Create the segment of a turn; report a turn without words."""
    if not words:
        source.log.say(TURN_EMPTY, line)
    return Segment(
        head.recording or source.recording, tuple(words), utterance=head.utterance or None,
        speaker=None if head.name in NO_ONE else head.name,
        start_ns=head.start,
        end_ns=head.end if head.end is None or head.end >= (head.start or 0) else None,
        line=line, properties=(("role", head.role),) if head.role else (),
    )  # fmt: skip
