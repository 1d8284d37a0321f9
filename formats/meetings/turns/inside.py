"""Reader of texts with times inside their paragraphs. A turn lasts from one time to the next."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from formats.io.source import Source
from formats.meetings.layouts import PICTURES
from formats.meetings.messages import (
    LINES_LEFT,
    LONG_ABOVE,
    LONG_BETWEEN,
    SPEECH_ABOVE,
    TURNS_ABOVE,
    TURNS_BETWEEN,
)
from formats.meetings.turns.accounts import times_inside
from formats.meetings.turns.completed import DAY, SEPARATOR, times_after_midnight
from formats.meetings.turns.lines import BARE_STAMP, FOOTER, RULE, STAMP
from formats.meetings.turns.names import LONE_NAME, NAME_ENDS
from formats.meetings.turns.plain import FEWEST_BLANKS, LEAST, SEPARATED, Lines
from formats.reading.lines import HEADING, SENTENCE_ENDS, split_words, strip_blanks
from formats.reading.patterns import parse_stamp
from formats.reading.speakers import PICTURE, is_label, is_name
from formats.reading.time_values import FASTEST, SLOWEST
from formats.schema.model import Segment
from formats.schema.times import SECOND

MOST_OF_TITLE, LONG, AT_EASE = 3, 12, 1
"""Lines of a title, words of a long sentence, and the fewest words a second of speech."""
OF_MYSELF, SHARE_OF_SMALL = "I", 0.8
"""A word that captions begin with, and their share of words without capitals."""
LATE = 60
"""The seconds of speech above the first time that are longer than a jingle."""
MANY_LEFT, SHARE_LEFT, FEWEST_LEFT = 50, 0.05, 20
"""The words of sentences that are not read, and their share of the others, that are many; and how
many they are at least.
"""
DATED = re.compile(
    r"\W{0,2}[0-9]{1,4}([-./])[0-9]{1,2}\1[0-9]{1,4},? {1,3}.{0,4}[0-9]{1,2}[:.][0-9]{2}"
)
"""The date and time of a message, before which a chat without a name has only notices."""
STAGE = re.compile(
    r"(?i:(?:act|scene|chapter) (?:[ivxlc]{1,7}|[0-9]{1,3}))\b"
    r"|(?:(?:Re-?e|E)nter|Exeunt|Exit)\b"
)
"""The title of a part of a play, and who enters and leaves."""
NOT_SAID = frozenset("#*_-+•|([{<>=©%")
"""Signs that begin headings, items, directions, rows of tables and notes."""
POINTS = (".", "。", "।")
"""Full stops, which titles hardly have."""
STAMP_LAST = re.compile(r"(?:\A|(?<=[\[\]]))([^\[\]]*[^\[\]\s])[ \t]*(\[[0-9:.,]{4,20}\])\Z")
LINK = re.compile(r"(?<=\])[ ]?\(https?://[^()\s]{1,300}\)")
HEADED = re.compile(r"#{1,6}[ \t]+(?=\[[0-9])")
"""The mark of a heading before a time."""
ITEM = re.compile(rf"(?:[-*+•][ \t]{{1,4}}|{PICTURE})(?=[*_`]{{0,2}}\[[0-9]|.*[0-9]\]\Z)")


def _sign_behind_stamps(lines: Lines, heads: Sequence[re.Match[str] | None]) -> str:
    """Return the separator that follows nearly all times at line beginnings; empty if none does."""
    after = [
        line[match.end() :].strip() for (_, line), match in zip(lines, heads, strict=True) if match
    ]
    signs = Counter(match[0].strip() for text in after if (match := SEPARATOR.match(text)))
    sign, count = signs.most_common(1)[0] if signs else ("", 0)
    return sign if len(after) >= LEAST and count >= SEPARATED * len(after) else ""


def _say_unstamped(
    source: Source, lines: Lines, heads: Sequence[re.Match[str] | None], names: Container[str]
) -> None:
    """Report lines that begin with neither a time nor a name, if these lines are few."""
    first = next((n for n, match in enumerate(heads) if match is not None), 0)
    lines, heads = lines[first:], heads[first:]
    count = sum(bool(line) and line not in names for _, line in lines)
    left = [
        (n, line) for (n, line), match in zip(lines, heads, strict=True)
        if match is None and line and line not in names and not RULE.match(line)
    ]  # fmt: skip
    if left and len(left) < 0.4 * count:
        source.log.say(
            LINES_LEFT, left[0][0], count=len(left), total=count,
            pattern="[{start}] {text}", text=left[0][1],
        )  # fmt: skip


def _without_marks(line: str) -> str:
    """Remove the list mark before the time of a line, and the link after it."""
    if "](http" in line or "] (http" in line:
        line = LINK.sub("", line)
    return ITEM.sub("", line, count=1) if line[:1] in "-*+•" or line > PICTURES else line


def _without_titles(lines: Lines) -> tuple[Lines, list[tuple[int, str]]]:
    """Return the lines without marks and titles of headings, and these titles."""
    lines = [(number, _without_marks(strip_blanks(line))) for number, line in lines]
    titles = _titles_beside_times(lines)
    plain = [
        (number, titles[index][0] if index in titles else HEADED.sub("", line))
        for index, (number, line) in enumerate(lines)
    ]
    return plain, [(lines[index][0], title) for index, (_, title) in titles.items()]


def _titles_beside_times(lines: Lines) -> dict[int, tuple[str, str]]:
    """Return the headings that begin with a time, by index: the time, and the title behind it.

    Most must be above a text; otherwise they are the text.
    """
    titles = {}
    above = 0
    filled = [n for n, (_, line) in enumerate(lines) if line]
    for n, below in itertools.pairwise([*filled, len(lines)]):
        line = lines[n][1]
        if HEADING.match(line) and (match := STAMP.match(line.lstrip("# "))) is not None:
            titles[n] = (match[0], match.string[match.end() :].strip())
            above += below < len(lines) and HEADING.match(lines[below][1]) is None
    return titles if 2 * above > len(titles) else {}


def _are_last(lines: Lines) -> bool:
    """Return True if the times are at the ends of lines."""
    stamped = [line for _, line in lines if BARE_STAMP.search(line)]
    last = sum(STAMP_LAST.match(line) is not None for line in stamped)
    return last >= max(LEAST, SEPARATED * len(stamped))


def _are_starts(lines: Lines) -> bool:
    """Return True if times at the ends of lines are starts, because the first time is zero."""
    first = next((match[1] for _, line in lines if (match := BARE_STAMP.search(line))), "1")
    return parse_stamp(first) == 0


def _end_of_speech(lines: Lines, heads: Sequence[re.Match[str] | None], last: int) -> int:
    """Return the index of a rule below the last time with notes below it, or the number of lines.

    A time begins every paragraph from the first time to the rule, and less than half of the text
    is below the rule.
    """
    texts = [line for _, line in lines]
    rule = next((n for n in range(last + 1, len(texts)) if RULE.match(texts[n])), len(texts))
    first = next((n for n, head in enumerate(heads) if head is not None), rule)
    begins = [
        heads[n] is not None for n in range(first, rule)
        if texts[n] and not (n and texts[n - 1]) and not RULE.match(texts[n])
    ]  # fmt: skip
    is_less = 2 * sum(map(len, texts[rule:])) < sum(map(len, texts))
    are_several = sum(head is not None for head in heads[:rule]) >= LEAST
    return rule if is_less and are_several and all(begins) else len(texts)


def stamped_turns(
    source: Source, lines: Lines, over: Mapping[str, str] | None = None
) -> Iterator[Segment]:
    """Yield a segment for the text between each time and the next.

    Only a title, or sentences in the same line, may precede the first time. `over` maps lines above
    turns to names of speakers.
    """
    start: int | None = None
    speaker: str | None = None
    words: list[str] = []
    begin = 0
    above: list[tuple[int | None, str]] = []
    lines, rules = _without_titles(lines)
    names = names_between(lines) | dict(over or {})
    heads = [STAMP.match(line) for _, line in lines]
    sign = _sign_behind_stamps(lines, heads)
    are_last = _are_last(lines)
    if are_last and _are_starts(lines):
        lines = [(number, STAMP_LAST.sub(r"\2\1", line)) for number, line in lines]
        are_last = False
    last = max((n for n, (_, line) in enumerate(lines) if BARE_STAMP.search(line)), default=0)
    border = len(lines) if names else _end_of_speech(lines, heads, last)
    _say_unstamped(source, lines[:border], heads[:border], names)
    has_midnight = times_after_midnight(times_inside(line for _, line in lines)) is not None
    for n, (number, line) in enumerate(lines):
        if line in names:
            if words and start is not None:
                yield Segment(
                    source.recording, tuple(words), speaker=speaker, start_ns=start, line=begin
                )
                words = []
            speaker = names[line]
            continue
        is_below = n >= border or (n > last and FOOTER.match(line) is not None)
        if (line[:1] != "[" and RULE.match(line)) or is_below:
            if any(map(str.isalnum, line)):
                rules.append((number, line))
            continue
        if start is None:
            above.append((number, line))
        is_marked = "*" in line or "_" in line or "`" in line or "\\" in line
        pieces = (STAMP if is_marked else BARE_STAMP).split(line)
        words.extend(split_words(pieces[0]))
        for time, text in zip(pieces[1::2], pieces[2::2], strict=True):
            stop = parse_stamp(time)
            if has_midnight and stop < DAY / 2:
                stop += DAY
            if words and start is None:
                is_whole = len(above) > MOST_OF_TITLE and all(line for _, line in above)
                above[-1] = (number, strip_blanks(pieces[0]))
                pace = 0 if are_last or _is_begun(above, stop) else SLOWEST if is_whole else AT_EASE
                yield from speech_above(source, above, stop, pace)
            elif words:
                end = stop if start is None or stop >= start else None
                yield Segment(
                    source.recording, tuple(words), speaker=speaker, start_ns=start, end_ns=end,
                    line=begin,
                )  # fmt: skip
            start, words, begin = stop, split_words(text), number
            if sign and words[:1] == [sign]:
                del words[0]
    if words:
        yield Segment(source.recording, tuple(words), speaker=speaker, start_ns=start, line=begin)
    say_between(source, sorted(rules))


def _is_begun(above: Sequence[tuple[int | None, str]], stop: int) -> bool:
    """Return True if only a sentence in the line of the first time is before it."""
    return len(above) == 1 and stop > 0 and above[0][1].endswith(SENTENCE_ENDS)


def say_above(
    source: Source, above: Sequence[tuple[int | None, str]], total: int | None = None
) -> None:
    """Report the lines above the first turn, if any; warn if they have many sentences.

    `total` is the number of words that are read.
    """
    if filled := [(number, line) for number, line in above if line]:
        number, line = filled[0]
        if words := _words_left((line for _, line in filled), total):
            line = next(line for _, line in filled if _is_sentence(line))
            source.log.say(LONG_ABOVE, number, lines=len(filled), words=words, text=line)
        else:
            source.log.say(TURNS_ABOVE, number, lines=len(filled), text=line)


def say_between(source: Source, skipped: Lines, total: int | None = None) -> None:
    """Report the lines between turns that were skipped, if any; warn if they have many sentences.

    `total` is the number of words that are read; without it, the lines are known as no speech.
    """
    if skipped:
        number, line = skipped[0]
        words = 0 if total is None else _words_left((line for _, line in skipped), total)
        if words:
            line = next(line for _, line in skipped if _is_sentence(line))
            source.log.say(LONG_BETWEEN, number, lines=len(skipped), words=words, text=line)
        else:
            source.log.say(TURNS_BETWEEN, number, lines=len(skipped), text=line)


def _words_left(lines: Iterable[str], total: int | None) -> int:
    """Return the number of words in sentences that are not read, if they are many; otherwise 0.

    >>> _words_left(["Talks of May", "So we met again at last."] * 9, 60), _words_left(["So?"], 60)
    (54, 0)
    """
    words = sum(map(len, map(split_words, filter(_is_sentence, lines))))
    least = MANY_LEFT if total is None else min(MANY_LEFT, SHARE_LEFT * total)
    return words if words >= max(FEWEST_LEFT, least) else 0


def _is_sentence(line: str) -> bool:
    """Return True for a sentence of several words that may be spoken, and is no notice of a chat.

    >>> _is_sentence("So it was, and so it is."), _is_sentence("08/01/26, 14:14 - We call you.")
    (True, False)
    >>> _is_sentence("SCENE II. A camp near the river."), _is_sentence("Enter ANN, with a letter.")
    (False, False)
    """
    line = line.strip()
    is_brief = line.count(" ") < FEWEST_BLANKS
    return not (is_brief or DATED.match(line) or STAGE.match(line)) and _may_be_said(line)


def _may_be_said(line: str, longest: int = 0) -> bool:
    """Return True if a line ends as sentences do, and is no heading, item, link or note.

    With `longest`, which is the number of words of the longest title, longer lines may have any
    end.
    """
    line = line.strip()
    is_long = 0 < longest <= line.count(" ")
    is_plain = line[:1] not in NOT_SAID and "http" not in line
    return is_plain and (is_long or line.endswith(SENTENCE_ENDS))


def is_speech(above: Sequence[tuple[int | None, str]], stop: int) -> bool:
    """Return True if there are only sentences above the first time, and as many as speech has.

    The time is late, so that they are more than a description of the recording.

    >>> is_speech([(1, "So we came to the old town of my mother.")] * 20, 90 * SECOND)
    True
    >>> is_speech([(1, "A talk"), (2, "So we came to the old town of my mother.")], 3 * SECOND)
    False
    """
    texts = [line for _, line in above if line]
    words = sum(len(split_words(line)) for line in texts)
    is_at_pace = AT_EASE * stop <= words * SECOND <= FASTEST * stop
    are_said = all(_may_be_said(line, longest=LONG) for line in texts)
    return stop >= LATE * SECOND and is_at_pace and are_said


def goes_on(above: Sequence[tuple[int | None, str]], stop: int, below: Sequence[str]) -> bool:
    """Return True if lines above the first time are captions that the words below go on with.

    They end no sentence, the words below begin with a small letter, and all could be said by then.

    >>> words = "of sick so I might cough".split()
    >>> goes_on([(1, "I want to say sorry in advance I'm kind")], 2 * SECOND, words)
    True
    >>> goes_on([(1, "How We Built a Bridge")], 2 * SECOND, words)
    False
    >>> goes_on([(1, "so this is a talk on bridges")], 0, words)
    False
    """
    words = [word for _, line in above for word in split_words(line)]
    if len(words) < FEWEST_BLANKS or not below or len(words) * SECOND > FASTEST * stop:
        return False
    is_open = not any(line.endswith(SENTENCE_ENDS) or HEADING.match(line) for _, line in above)
    small = sum(word[0].islower() or word[0] == OF_MYSELF for word in words)
    is_begun = words[0][0].islower() or words[0].partition("'")[0] == OF_MYSELF
    is_next = below[0][:1].islower()
    return is_begun and is_open and is_next and small >= SHARE_OF_SMALL * len(words)


def speech_above(
    source: Source, above: Sequence[tuple[int | None, str]], stop: int, pace: float = AT_EASE
) -> Iterator[Segment]:
    """Yield the speech above the first time, if any, and report the head of the document above it.

    Speech has at least `pace` words a second; 0 means that all is speech. At the usual pace, it
    begins with a long sentence, unless all lines end with a full stop.
    """
    texts = [split_words(line) for _, line in above]
    are_said = all(line.rstrip().endswith(POINTS) for _, line in above if line.strip())
    first, words = len(above) if pace else 0, 0
    for n in range(first - 1, -1, -1):
        if HEADING.match(above[n][1]):
            break
        words += len(texts[n])
        is_long = len(texts[n]) >= LONG and above[n][1].endswith(SENTENCE_ENDS)
        if (is_long or are_said or pace < AT_EASE) and pace <= words * SECOND / max(
            stop, 1
        ) <= FASTEST:
            first = n
    if written := [(number, line) for number, line in above[:first] if line]:
        source.properties.setdefault("title", written[0][1])
        say_above(source, written)
    if spoken := tuple(itertools.chain(*texts[first:])):
        if pace:
            source.log.say(SPEECH_ABOVE, above[first][0], text=" ".join(spoken))
        yield Segment(source.recording, spoken, end_ns=stop, line=above[first][0] or 1)


def names_between(lines: Lines) -> dict[str, str]:
    """Map each line that holds only a speaker's name, such as ``Speaker A:``, to the name."""
    ended = (line for _, line in lines if line[-1:] in NAME_ENDS)
    ended_by = Counter(line for line in ended if LONE_NAME.match(line))
    names = {line: match[1] for line in ended_by if (match := LONE_NAME.match(line))}
    labels = {line: name for line, name in names.items() if is_label(name)}
    again = {line: name for line, name in names.items() if ended_by[line] > 1 and is_name(name)}
    return labels | (again if len(again) > 1 else {})
