"""What a plain text may hold apart from spoken words: remarks on its first lines."""

from __future__ import annotations

import itertools
from collections import Counter
from operator import itemgetter

from formats.detection.data_kinds import data_in
from formats.detection.line_shapes import IDENTIFIER, is_markup, shape_of_lines
from formats.io.source import Source
from formats.nist.foot_of_text import MOST_OF_FOOT, foot_of
from formats.nist.markdown_text import MarkdownText, PlainText, is_markdown
from formats.nist.messages import (
    SPEAKER_TEXT,
    TXT_ALONE,
    TXT_ANSWERS,
    TXT_BEGINNINGS,
    TXT_CODES,
    TXT_COUNTED,
    TXT_HEAD,
    TXT_IDS,
    TXT_IDS_BEHIND,
    TXT_INSIDE,
    TXT_LANGUAGES,
    TXT_MARKUP,
    TXT_NAMES,
    TXT_PROMPT,
    TXT_QUOTED,
    TXT_REPEATED,
    TXT_RESIDUE,
    TXT_SECTIONS,
    TXT_SHAPES,
    TXT_SHORT,
    TXT_SIGN,
    TXT_TABLE,
    TXT_TIMES,
    TXT_TRANSLATION,
    TXT_TWO_LANGUAGES,
)
from formats.nist.titles_above import ADDRESSED, is_headline
from formats.nist.unlike_lines import say_unlike
from formats.reading.data_texts import say_data
from formats.reading.document_heads import FIRST
from formats.reading.document_parts import (
    NOTICE,
    SPEECH,
    book_in,
    books_in,
    edge_of_book,
    sections_in,
    titles_in,
    transcript_in,
    translations_in,
)
from formats.reading.line_beginnings import (
    answers_with_dashes,
    letters_first,
    names_unmarked,
    names_with_point,
    names_within,
    numbers_first,
    signs_first,
)
from formats.reading.line_languages import do_lines_alternate, lines_of_two_languages
from formats.reading.lines import SENTENCE_ENDS, split_words, strip_blanks
from formats.reading.marks import NUMBER_ALONE, codes_in, say_brackets
from formats.reading.part_titles import headings_in
from formats.reading.residue import Residue, columns_of, residue_of
from formats.reading.speakers import SOUNDS_TOO, is_label
from formats.reading.written_pages import document_of, outline_of, sheet_of
from formats.schema import is_installed, lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

LONGEST_SHOWN = 40
QUOTED_NAME, FEWEST_QUOTED = lazy_pattern(r'"[\w.]{1,40}"\Z'), 5
"""The name of a column of texts in quotes, and the fewest lines of such a column."""
FEWEST_LINES, MOST_REPEATED, LONGEST_TITLE = 10, 0.3, 100
CLOSING = "\"”’)»'*_ "
MOST_TITLES, SHARE_OF_SENTENCES = 8, 0.95
"""The most titles above a text, and the share of the lines below that end like sentences."""
DIRECTION_LAST = lazy_pattern(r"\s{0,9}[\[(][^()\[\]\n]{1,80}[\])]\s{0,9}\Z")
"""A part in brackets at the end of a line."""
NAME_LIKE = lazy_pattern(r"[^\W\d_]\S{0,40}(?: [^\Wa-z_]\S{0,40}){0,2}\Z")
NUMBERS_IN = lazy_pattern("[0-9]+")
IN_BRACKETS = lazy_pattern(
    r"\[[^\[\]\n]{1,60}\]\Z|<[0-9]{1,6}>\Z|[(（][ \t\u3000][^()（）\n]{1,60}[)）]\Z"
)
"""A line in brackets; in round ones with a blank inside, which prose does not have."""
ENTRANCE = lazy_pattern(
    r"(?:[A-Z][a-z]{3,12}[.,] )?(?:Re-?e|E)nter (?:[A-Z]{2}|[a-z ]{0,30}[A-Z]{3}).*\Z"
)
LEAVING = lazy_pattern(r"(?:Exit|Exeunt)(?: .{0,60}[^.?!])?\Z")
"""Lines that begin and end a part of a play, in which persons are in capitals."""
ROLES_OF_MODELS = (
    r"\b(?:AI|assistant|helper|evaluator|classifier|proofreader|agent|model|chatbot|bot|expert|specialist|translator|transcriber|summari[sz]er|"
    r"writer|analyst|engineer|assistent|experte|asistente|experto|assistente|especialista|"
    r"ассистент|помощник|эксперт)\b|助手|助理|专家|專家|アシスタント|専門家|어시스턴트|전문가|비서"
)
PROMPT = lazy_pattern(
    r"(?i)\W{0,6}(?:system(?: prompt| message)?\W{1,4}|prompt\W{1,4})?(?:"
    r"(?:you are|act as|du bist|sie sind|tu es|vous êtes|eres|usted es|você é|sei|ты|вы"
    r"|你是|您是|あなたは|당신은)"
    rf"[^.!?。！？\n]{{0,160}}(?:{ROLES_OF_MODELS})"
    r"|your (?:task|job|role|goal) is to\b"
    r"|(?:please )?(?:summari[sz]e|transcribe|translate|extract|classify|rewrite|analy[sz]e)"
    r" (?:the|this|each) (?:following|given|provided|above|below)\b"
    r"|you are an? [^.!?\n]{3,160}[.!] (?:extract|summari[sz]e|classify|transcribe|translate"
    r"|rewrite|analy[sz]e|generate|identify|organi[sz]e) [^\n]{20})"
)
TITLE_OF_PROMPT = lazy_pattern(
    r"(?i)\W{0,6}prompts?(?:[ ](?:used|utili[sz]ad[oa]s?|usad[oa]s?|utilis[ée]s?|verwendet))?"
    r"[ ]?[:：]\W{0,6}\Z"
)
MOST_OF_PROMPT = 3
"""How instructions to a language model begin, the title above them, and in which of the first lines
they are without it.
"""
NUMBERS, BRACKETS, HEADINGS = "numbers", "brackets", "headings"
DIRECTIONS = "directions"
NICK_ALONE = lazy_pattern(r"[a-z][a-z0-9_.-]{1,20}:?\Z")
"""One word in small letters that is a line, as a name in a chat."""
FEWEST_AGAIN, SHARE_OF_SHORT = 3, 0.05
"""How often a line that may be a name alone returns, and the share of such lines."""
NUMBER_BEFORE = lazy_pattern("[0-9]{1,6}(?![0-9.,:%])")
FEWEST_COUNTED, MOST_FORWARD = 5, 0.9
"""The fewest lines with a number that counts up, and the share of times that increase."""
TIME_AT_END = lazy_pattern(
    r"\A\W{0,3}([0-9]{1,2}(?::[0-9]{2}){1,2})(?![0-9:])"
    r"|(?<![0-9:])([0-9]{1,2}(?::[0-9]{2}){1,2})\W{0,3}\Z"
)
"""A time at the beginning or the end of a line."""
NUMBER_FIRST = lazy_pattern(r"(?=[^\s,0-9]{0,300}[0-9])[^\s,]{1,300},")
PAIRS_AND_TRIPLES, FEWEST_PAIRS, SHARE_OF_PAIRS = (2, 3), 20, 0.99
"""The words of a line, the fewest lines and the share of lines of a table without separator."""
LONGEST_NAME = 70
"""Characters before the colon of what may be a turn."""
FEWEST_NAMES, SHARE_OF_IDS = 3, 0.5
"""The fewest lines with a name or an identifier that are reported, and the share of the latter."""
SHARE_OF_NAMED, SHARE_OF_TURNS, SHARE_OF_TOLD = 0.1, 0.05, 0.5
"""The share of lines below which names must return, of paragraphs below which only names with a
colon are reported, and of paragraphs that tell who said something.
"""
WORDS_OF_CLAUSE, NAME_AND_TEXT = 3, "{speaker}: {text}"
"""Words before a colon that are rather a clause than a name, and the usual layout."""
TELLS, NUMBERS_AND_TEXT = "{speaker} said", "{start} {end} {text}"
"""The beginning of a layout of prose that tells who said what, and one of numbers without signs."""
LONGEST_OVER, SHARE_OF_OVER = 60, 0.2
"""Characters of a line over a sentence that may be a title, and the least share of such lines."""
BY = lazy_pattern(r"(?i)\W{0,3}(?:by|von|par|por|di|автор|tekst|词|作者)[:： ][ ]?\S.{0,60}\Z")
"""A line that names the author."""
DATE_ALONE = lazy_pattern(
    r"(?:[0-9]{1,2}([-./])[0-9]{1,2}\1[0-9]{2,4}|[0-9]{4}([-./])[0-9]{1,2}\2[0-9]{1,2}"
    r"|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日|[0-9]{1,2}\.? [^\W\d_]{3,12}\.?,? [0-9]{4})\Z"
)
"""A date that is a whole line."""
ID_BEHIND = lazy_pattern(r"[ \t]\((?=[^()]*[-_0-9])[^\s()]{1,80}\)[ \t]*\Z")


def lines_of_text(source: Source) -> tuple[list[str], Iterable[tuple[int, str]]]:
    """Return the first lines and all lines of a text, without the frame of a published book.

    Of sections, only those of the transcript are returned.
    """
    source.check_head()
    head = source.head_lines()
    text, is_whole = source.head()
    if not is_whole and 2 * sum(map(len, head)) < len(text):  # a line longer than the head
        head.append(text[text.rfind("\n") + 1 : text.rfind(" ")])
    if _are_quoted(head):
        lines = _without_quotes(f"{line}\n" for _, line in source.lines())
        source.log.say(TXT_QUOTED, 1, text=head[0].strip('" '))
        return lines[: len(head)], enumerate(lines, 1)
    is_book = any(book_in(head))
    if not is_book and not any(SPEECH.match(head[n].strip()) for n in titles_in(head)):
        return head, source.lines() if is_whole else _above_end_of_book(source)
    lines = [line for _, line in source.lines()]
    parts = books_in(lines) if is_book else [transcript_in(lines)]
    parts = [(begin, end) for begin, end in parts if end]
    if parts:
        begin, end = parts[0]
        spoken = [line for begin, end in parts for line in lines[begin:end]]
        left = sum(map(_is_filled, lines)) - sum(map(_is_filled, spoken))
        edges = [*reversed(lines[:begin]), *lines[end:]]
        title = next(x.strip() for x in edges if any(map(str.isalpha, x)))
        source.log.say(TXT_SECTIONS, begin, lines=left, text=title)
        lines = spoken
    return lines[: len(head)], enumerate(lines, 1)


def _is_filled(line: str) -> bool:
    return line.strip() != ""


def _above_end_of_book(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the lines of a long text, of a published book without what is printed below it."""
    title, left, is_below_blank = "", 0, False
    for number, line in source.lines():
        if not title and edge_of_book(line, is_below_blank=is_below_blank) == "end":
            title = line.strip()
        if title:
            left += bool(line.strip())
        else:
            is_below_blank = not line.strip()
            yield number, line
    if title:
        source.log.say(TXT_SECTIONS, None, lines=left, text=title)


def _are_quoted(head: Sequence[str]) -> bool:
    """Return True if lines are one column of texts in quotes below its name, as R writes them.

    >>> _are_quoted(['"x"', *['"So it was."', '"She said ""no"" and left.', '"'] * 3])
    True
    >>> _are_quoted(['"So it was."', *['"Well."'] * 6])
    False
    """
    if not head or QUOTED_NAME.match(head[0].strip()) is None or len(head) < FEWEST_QUOTED:
        return False
    begun = sum(line[:1] == '"' for line in head)
    rows = _rows_in_quotes(f"{line}\n" for line in head)
    return 2 * begun > len(head) and rows is not None and all(len(row) == 1 for row in rows[:-1])


def _rows_in_quotes(lines: Iterable[str]) -> list[list[str]] | None:
    """Return the rows of a table with commas; `None` if a value is too long for one."""
    import csv

    try:
        return [row for row in csv.reader(lines) if row]
    except csv.Error:
        return None


def _without_quotes(lines: Iterable[str]) -> list[str]:
    """Return the lines of the values of a column below its name."""
    values = (row[0] for row in (_rows_in_quotes(lines) or [])[1:])
    return [line for value in values for line in value.split("\n")]


def spoken_text(head: list[str], *, is_named: bool, titles: bool) -> MarkdownText | PlainText:
    """Return the filter of lines of a text, which is Markdown if its name or its lines say so."""
    return (MarkdownText if is_named or is_markdown(head) else PlainText)(head, titles)


def say_remarks(
    source: Source, head: list[str], whole: Sequence[str], *, is_markdown: bool
) -> None:
    """Log what the first lines of a text hold apart from words, such as names and tables.

    `whole` has the same lines with the signs of lists, and with lines without words.
    """
    filled = list(filter(None, map(str.strip, head)))
    data = data_in(filled)
    say_data(source, data)
    are_data = data is not None and data.are_most
    reported: set[str] = set()
    if translated := translations_in(whole):
        text = translated[0].strip()[:LONGEST_SHOWN]
        source.log.say(TXT_TRANSLATION, None, text=text)
    if not is_markdown and not are_data:
        reported.update(filled[: _say_titles(source, head)])
    if separator := _separator_of(head):
        source.log.say(TXT_TABLE, 1, separator=separator)
    again = sum(second == first for first, second in itertools.pairwise(filled))
    if len(filled) >= FEWEST_LINES and again >= MOST_REPEATED * len(filled):
        source.log.say(TXT_REPEATED, 1, lines=again, total=len(filled))
    reported |= _say_lines_alone(source, head, filled)
    if is_markup(head):
        source.log.say(TXT_MARKUP, 1)
    elif not are_data:
        rows = list(filter(None, map(str.strip, whole)))
        page = _document_in(rows) or outline_of(head)
        is_told = _say_shape(source, head, filled) or page is not None or bool(separator)
        _say_residue(source, page)
        if answers := answers_with_dashes(rows):
            source.log.say(
                TXT_ANSWERS,
                None,
                lines=len(answers),
                total=len(rows),
                text=answers[0][:LONGEST_SHOWN],
            )
        if not is_told:
            foot = foot_of(filled[-MOST_OF_FOOT:], filled[0]) if filled else 0
            reported.update(filled[len(filled) - foot :], filter(NOTICE.match, filled))
            say_unlike(source, head, reported)


def _document_in(lines: Sequence[str]) -> Residue | None:
    """Return what shows that lines are notes, minutes or a page; `None` above a transcript."""
    if any(line[:1] == "#" and SPEECH.match(line) for line in lines):
        return sheet_of(lines)
    return document_of(lines)


def _say_titles(source: Source, head: Sequence[str]) -> int:
    """Warn if titles are above lines or paragraphs of sentences; return their number."""
    filled = list(filter(None, map(str.strip, head)))
    first = next((n for n, line in enumerate(head) if line.strip()), 0)
    is_apart = first + 1 < len(head) and not head[first + 1].strip()
    is_apart = bool(filled) and is_apart and len(filled[0]) <= LONGEST_TITLE
    above = _titles_above(filled, FEWEST_NAMES)
    if not is_apart and not all(map(is_headline, filled[:above])):
        above = _titles_above(filled, FEWEST_LINES)
    above = above or _titles_of_verses(_paragraphs(head)) or _dated_head(_paragraphs(head))
    name = filled[0].rstrip(":：") if filled else ""
    is_name = is_label(name) or (
        name not in ("", *filled[:1])
        and len(name) <= LONGEST_SHOWN
        and not ADDRESSED.search(filled[0])
    )
    is_title = above == 1 and is_apart and not ADDRESSED.search(filled[0])
    is_title = is_title and filled.count(filled[0]) == 1  # what is sung again is no title
    if above > 1 or is_title or is_name:
        source.log.say(TXT_HEAD, 1, lines=above or 1, text=filled[0])
        return above or 1
    return 0


def _titles_above(lines: Sequence[str], least: int) -> int:
    """Return the number of lines above the first sentence, if nearly all others are sentences.

    Lines in brackets, such as ``(Laughter)``, do not count.

    >>> _titles_above(["8 May", "A talk", *["So it was."] * 10], 10)
    2
    """
    lines = [line for line in lines if f"{line[0]}{line[-1]}" not in ("()", "[]")]
    ends = list(map(_ends_sentence, lines))
    first = next((n for n, is_end in enumerate(ends) if is_end), 0)
    rest = ends[first:]
    is_most = len(rest) >= least and sum(rest) >= SHARE_OF_SENTENCES * len(rest)
    return first if first <= MOST_TITLES and is_most else 0


def _ends_sentence(line: str) -> bool:
    """Return True if a line ends like a sentence, perhaps before a direction.

    >>> _ends_sentence("So it was. (Applause)"), _ends_sentence("So it was,")
    (True, False)
    """
    if line.rstrip()[-1:] in (")", "]"):
        line = DIRECTION_LAST.sub("", line)
    return line.rstrip(CLOSING).endswith(SENTENCE_ENDS)


def _titles_of_verses(paragraphs: Sequence[Sequence[str]]) -> int:
    """Return the number of lines above stanzas: brief paragraphs of a line, and no other ones.

    >>> _titles_of_verses([["The river"], ["by Ann"], ["so it was", "and so on"], ["well", "oh"]])
    2
    """
    above = list(itertools.takewhile(lambda rows: len(rows) == 1 or BY.match(rows[1]), paragraphs))
    lines = [line for rows in above for line in rows]
    are_brief = all(
        len(line) <= LONGEST_OVER and not line.rstrip(CLOSING).endswith(SENTENCE_ENDS)
        for line in lines
    )
    stanzas = paragraphs[len(above) :]
    are_stanzas = bool(above and stanzas) and all(len(rows) > 1 for rows in stanzas)
    return len(lines) if len(lines) <= FEWEST_NAMES and are_brief and are_stanzas else 0


def _dated_head(paragraphs: Sequence[Sequence[str]]) -> int:
    """Return the number of lines of the first paragraph if they are brief, and one is a date.

    No date is needed if all other paragraphs end like sentences.

    >>> _dated_head([["A talk", "23.03.2018"], ["Dear all,"]]), _dated_head([["A talk"], ["So."]])
    (2, 0)
    >>> _dated_head([["A talk", "Ann Ex"], ["So it was."], ["(Music)"], ["And so on."]])
    2
    """
    paragraphs = [*paragraphs[:1], *(p for p in paragraphs[1:] if not _are_directions(p))]
    first = [line.strip() for line in paragraphs[0]] if len(paragraphs) > 1 else []
    are_brief = not any(
        len(line) > LONGEST_TITLE or line.rstrip(CLOSING).endswith(SENTENCE_ENDS) for line in first
    )
    are_said = len(paragraphs) > FEWEST_NAMES - 1 and all(
        _ends_sentence(rows[-1]) for rows in paragraphs[1:]
    )
    is_head = 1 < len(first) <= MOST_TITLES and (are_said or any(map(DATE_ALONE.match, first)))
    return len(first) if are_brief and is_head else 0


def _are_directions(lines: Sequence[str]) -> bool:
    """Return True if all lines of a paragraph are in brackets."""
    return all(DIRECTION_LAST.fullmatch(line.rstrip()) for line in lines)


def _say_shape(source: Source, head: Sequence[str], filled: Sequence[str]) -> bool:
    """Report beginnings that lines share, and signs of speakers, ids, lists and translations.

    Return True after a remark on most lines.
    """
    shape = shape_of_lines(head)
    foot = foot_of(filled[-MOST_OF_FOOT:], filled[0]) if filled else 0  # it is left
    read = filled[: len(filled) - foot]
    rest = (line.partition(" ")[2] if shape else line for line in read)
    are_several = sum(map(_is_in_brackets, filled)) > 1  # another remark counts them
    rest = (line for line in rest if not (are_several and _is_in_brackets(line)))
    rest = (line for line in rest if not NOTICE.match(line))
    say_brackets(source, rest)
    if shape is not None and shape.text:
        source.log.say(TXT_SIGN, 1, lines=shape.lines, total=shape.total, text=shape.text)
    elif shape is not None:
        source.log.say(TXT_SHAPES[shape.name], 1, lines=shape.lines, total=shape.total)
    elif not (
        _say_signs(source, filled)
        or _say_counted(source, filled)
        or _say_speakers(source, head, len(filled))
        or _say_prompt(source, filled)
        or _say_ids(source, filled)
        or _say_inside(source, filled)
        or _say_beginnings(source, "letters", letters_first(filled), len(filled))
        or _say_beginnings(source, "points", names_with_point(filled), len(filled), ".")
        or _say_beginnings(source, "unmarked", names_unmarked(filled), len(filled))
        or _say_languages(source, filled)
        or _say_languages(source, _texts_of_pairs(_paragraphs(head)))
        or _say_times(source, filled)
        or _say_short(source, filled)
    ):
        residue = residue_of(filled)
        _say_residue(source, residue)
        return residue is not None
    else:  # beside another sign, as on a page with two columns
        _say_residue(source, columns_of(filled))
    return True


def _say_counted(source: Source, lines: Sequence[str]) -> bool:
    """Warn and return True if most lines begin with their numbers, with or without a blank."""
    numbered = filter(_begins_with_digit, lines)
    matches = [match for line in numbered if (match := NUMBER_BEFORE.match(line))]
    steps = sum(int(b[0]) == int(a[0]) + 1 for a, b in itertools.pairwise(matches))
    if len(matches) >= FEWEST_COUNTED and 2 * steps >= len(lines):
        source.log.say(TXT_COUNTED, 1, lines=len(matches), total=len(lines))
        return True
    if items := numbers_first(lines):
        source.log.say(TXT_COUNTED, 1, lines=len(items), total=len(lines))
    return False


def _say_prompt(source: Source, lines: Sequence[str]) -> bool:
    """Warn and return True if a text has instructions to a language model, above or below it."""
    prompt = next(filter(PROMPT.match, lines[:MOST_OF_PROMPT]), "")
    prompt = prompt or next(filter(TITLE_OF_PROMPT.match, lines), "")
    if prompt:
        source.log.say(TXT_PROMPT, None, text=prompt[:LONGEST_TITLE])
    return bool(prompt)


def _say_signs(source: Source, lines: Sequence[str]) -> bool:
    """Warn about lines that begin with the signs of lists, and about numbers and codes.

    Return True if most words are numbers or codes.
    """
    if signs := signs_first(lines):
        source.log.say(TXT_SIGN, None, lines=len(signs), total=len(lines), text=signs[0])
    words = [word for line in lines for word in split_words(line)]
    if codes := codes_in(words):
        source.log.say(TXT_CODES, None, count=len(codes), words=len(words), text=codes[0])
    return bool(codes)


def _say_inside(source: Source, lines: Sequence[str]) -> bool:
    """Report names with a colon inside lines; return True if there are any."""
    if names := names_within(lines):
        source.log.say(TXT_INSIDE, None, count=len(names), text=names[0])
    return bool(names)


def _say_beginnings(
    source: Source, kind: str, names: Sequence[str], total: int, sign: str = ""
) -> bool:
    """Warn about the names, and the sign behind them, that begin lines; return True if any do."""
    if names:
        source.log.say(
            TXT_BEGINNINGS[kind], None, lines=len(names), total=total, text=f"{names[0]}{sign}",
            names="|".join(dict.fromkeys(names)),
        )  # fmt: skip
    return bool(names)


def _say_languages(source: Source, lines: Sequence[str]) -> bool:
    """Warn and return True if lines or paragraphs alternate between two languages.

    Each line may have both.
    """
    if both := lines_of_two_languages(lines):
        text = both[0][:LONGEST_SHOWN]
        source.log.say(TXT_TWO_LANGUAGES, None, lines=len(both), total=len(lines), text=text)
        return True
    if not do_lines_alternate(lines):
        return False
    first, second = (line[:LONGEST_SHOWN] for line in lines[:2])
    source.log.say(TXT_LANGUAGES, None, first=first, second=second)
    return True


def _texts_of_pairs(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    """Return the texts of paragraphs that differ if every two have as many lines; else nothing."""
    pairs = zip(paragraphs[::2], paragraphs[1::2], strict=False)
    are_pairs = all(len(first) == len(second) for first, second in pairs)
    texts = [" ".join(rows) for rows in paragraphs]
    return texts if are_pairs and len(set(texts)) == len(texts) else []


def _say_residue(source: Source, residue: Residue | None) -> None:
    """Warn about general signs of structure."""
    if residue is not None:
        source.log.say(
            TXT_RESIDUE[residue.kind],
            None,
            count=residue.count,
            total=residue.total,
            text=residue.text[:LONGEST_SHOWN],
        )


def _say_times(source: Source, lines: Sequence[str]) -> bool:
    """Warn and return True if lines begin or end with times that increase, unlike in prose."""
    lines_with_colon = (line for line in lines if ":" in line)
    timed = [(match, line) for line in lines_with_colon if (match := TIME_AT_END.search(line))]
    if len(timed) < FEWEST_NAMES:
        return False
    from formats.reading.patterns import parse_stamp

    times = [parse_stamp(match[1] or match[2]) for match, _ in timed]
    forward = sum(a < b for a, b in itertools.pairwise(times))
    if forward < MOST_FORWARD * (len(times) - 1):
        return False
    text = timed[0][1][:LONGEST_SHOWN]
    source.log.say(TXT_TIMES, None, lines=len(times), total=len(lines), text=text)
    return True


def _say_speakers(source: Source, head: Sequence[str], total: int) -> bool:
    """Report lines that may begin with speaker names; return True if there are any."""
    if not any(sign in line[: LONGEST_NAME + 1] for line in head for sign in (":", "：")):
        return False
    return _say_turns(source, head) or _say_names(source, head, total)


def _say_turns(source: Source, head: Sequence[str]) -> bool:
    """Warn if lines look like turns of speakers; return True after a warning."""
    if not is_installed("formats.meetings"):
        return False
    from formats.meetings.turns.choice import choice_of

    layout = choice_of(list(enumerate(head, 1))).layout
    is_likely = layout is not None and layout.heads > 1
    if layout is not None and layout.pattern in SOUNDS_TOO and layout.speakers == 1:
        is_likely = False  # a remark that returns: ``(no lyrics)``
    if layout is not None and is_likely:
        paragraphs = layout.paragraphs
        if layout.heads > len(_paragraphs(head)):  # each line is one
            paragraphs = max(paragraphs, sum(map(bool, map(str.strip, head))))
        is_rare = TELLS in layout.shown or layout.shown == NUMBERS_AND_TEXT
        least = SHARE_OF_TOLD if is_rare else SHARE_OF_TURNS
        if ":" not in layout.shown and layout.heads < least * paragraphs:
            return False  # prose
        if layout.shown == NAME_AND_TEXT:
            from formats.reading.speakers import split_name

            pairs = (split_name("Name: text", line.strip()) for line in head)
            names = [name for name, rest in pairs if name and rest]
            if len(names) > FEWEST_NAMES and _are_single(names) and _are_clauses(names):
                return False
        source.log.say(
            SPEAKER_TEXT, heads=layout.heads, paragraphs=paragraphs, pattern=layout.shown
        )
    return is_likely


def _say_names(source: Source, head: Sequence[str], total: int) -> bool:
    """Report lines that begin with a name and a colon; return False if there are too few."""
    from formats.reading.speakers import HEAD_NAMES, is_name, split_name

    pairs = ((number, split_name("Name: text", line)) for number, line in enumerate(head, 1))
    named = [(number, name) for number, (name, rest) in pairs if name and rest and is_name(name)]
    least = FEWEST_NAMES if any(HEAD_NAMES.match(name) for _, name in named) else 2
    if len(named) < min(FEWEST_NAMES, max(least, total / 2)):
        return False
    names = [name for _, name in named]
    if _are_single(names) and (len(names) < SHARE_OF_NAMED * total or _are_clauses(names)):
        return False  # each of them once, and they are few or long
    (first, name), *_ = named
    source.log.say(TXT_NAMES, first, lines=len(named), total=total, text=f"{name}:")
    return True


def _are_single(names: Sequence[str]) -> bool:
    """Return True if most names occur once, unlike those of persons who talk."""
    again = Counter(names)
    return 2 * sum(count for count in again.values() if count > 1) < len(names)


def _are_clauses(names: Sequence[str]) -> bool:
    """Return True if names have as many words as clauses.

    >>> _are_clauses(["Why it matters", "And one more thing"]), _are_clauses(["Ann", "Ben Ex"])
    (True, False)
    """
    return sum(len(name.split()) for name in names) >= WORDS_OF_CLAUSE * len(names)


def _say_ids(source: Source, lines: Sequence[str]) -> bool:
    """Warn if most lines begin or end with identifiers; return True after a warning."""
    size = len(lines)
    if size < FEWEST_NAMES:
        return False
    if ids := _ids(map(IDENTIFIER.match, lines), size):
        source.log.say(TXT_IDS, None, lines=len(ids), total=size, text=ids[0])
    elif ids := _ids(map(ID_BEHIND.search, lines), size):
        source.log.say(TXT_IDS_BEHIND, None, lines=len(ids), total=size, text=ids[0])
    return bool(ids)


def _ids(matches: Iterable[re.Match[str] | None], size: int) -> list[str]:
    """Return the matched identifiers if most lines have one and all differ; otherwise nothing."""
    ids = [match[0].strip() for match in matches if match is not None]
    is_most = len(ids) >= max(FEWEST_NAMES, SHARE_OF_IDS * size)
    return ids if is_most and len(set(ids)) == len(ids) else []


def _stage_directions(lines: Sequence[str]) -> list[str]:
    """Return the directions of a play, ``Enter ANNA`` and ``Exeunt``, if there are both."""
    entrances = [line for line in lines if "nter " in line and ENTRANCE.match(line)]
    leavings = [line for line in lines if line[:2] == "Ex" and LEAVING.match(line)]
    return entrances + leavings if entrances and leavings else []


def _say_lines_alone(source: Source, head: Sequence[str], lines: Sequence[str]) -> set[str]:
    """Warn about lines that hold only a number, only signs, or a text in brackets; return them."""
    numbered = filter(_begins_with_digit, lines)
    alone = {
        NUMBERS: [line for line in numbered if NUMBER_ALONE.match(line)],
        BRACKETS: list(filter(_is_in_brackets, lines)) or _remarks_again(lines),
        HEADINGS: headings_in(lines)
        or sections_in(lines)
        or _titles_with_colons(lines)
        or _lines_over_paragraphs(head)
        or _over_sentences(lines)
        or _in_capitals(_paragraphs(head)),
        DIRECTIONS: _stage_directions(lines),
    }
    several = {kind: alike for kind, alike in alone.items() if len(alike) > 1}
    for kind, alike in several.items():
        source.log.say(TXT_ALONE[kind], None, count=len(alike), text=alike[0][:LONGEST_SHOWN])
    return {line for alike in several.values() for line in alike}


def _titles_with_colons(lines: Sequence[str]) -> list[str]:
    """Return the lines such as ``Transcript:`` or ``08-06-2022:`` if there are two of them.

    Three lines with a name and a colon are enough, too.
    """
    ended = [line for line in lines if line[-1] in ":："]
    titles = [x for x in ended if FIRST.match(x) or DATE_ALONE.match(x[:-1])]
    names = [x for x in ended if len(x) <= LONGEST_SHOWN and _is_name_like(x[:-1] or x)]
    return titles if len(titles) > 1 else names if len(names) >= FEWEST_NAMES else []


def _in_capitals(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    """Return the brief paragraphs in capitals that end no sentence, if most are not in capitals.

    >>> _in_capitals([["A ROAD"], ["So it was."], ["It fell."], ["A BRIDGE"], ["And so on."]])
    ['A ROAD', 'A BRIDGE']
    """
    single = [rows[0].strip() for rows in paragraphs if len(rows) == 1]
    titles = [
        line for line in single
        if line.isupper() and FEWEST_NAMES < len(line) <= LONGEST_OVER
        and not line.endswith((".", "…", ",", ";"))
    ]  # fmt: skip
    return titles if 2 * len(titles) < len(paragraphs) else []


def _remarks_again(lines: Sequence[str]) -> list[str]:
    """Return the lines in round brackets that return, such as ``(no lyrics)``."""
    remarks = [line for line in lines if line[0] in "(（" and line[-1] in ")）"]
    counts = Counter(remarks)
    return [line for line in remarks if counts[line] >= FEWEST_AGAIN]


def _lines_over_paragraphs(lines: Sequence[str]) -> list[str]:
    """Return the brief first lines of paragraphs, if most paragraphs have one.

    They may be titles, or names of persons who speak once.
    """
    paragraphs = _paragraphs(lines)
    first = [rows[0].strip() for rows in paragraphs if len(rows) > 1]
    brief = [
        line for line in first
        if len(line) <= LONGEST_SHOWN and _is_name_like(line)
    ]  # fmt: skip
    is_most = len(brief) >= max(FEWEST_NAMES, SHARE_OF_IDS * len(paragraphs))
    return brief if is_most and len(set(brief)) > 1 else []


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of each paragraph."""
    groups = itertools.groupby(lines, key=lambda line: bool(line.strip()))
    return [list(rows) for is_filled, rows in groups if is_filled]


def _over_sentences(lines: Sequence[str]) -> list[str]:
    """Return the brief lines over longer sentences if nearly all other lines are sentences."""
    ends = [line.rstrip(CLOSING).endswith(SENTENCE_ENDS) for line in lines]
    over = [
        line for (line, below), (is_end, is_next) in zip(
            itertools.pairwise(lines), itertools.pairwise(ends), strict=True
        )
        if is_next and not is_end and line[0].isupper() and len(line) <= LONGEST_OVER
        and len(line) < len(below)
    ]  # fmt: skip
    least = SHARE_OF_OVER * len(lines)
    return over if len(over) >= least >= ends.count(False) - len(over) else []


def _say_short(source: Source, lines: Sequence[str]) -> bool:
    """Warn about repeated short lines, which may be names of speakers; return True after it."""
    if len(lines) < FEWEST_AGAIN:
        return False
    short = [line for line in lines if len(line) <= LONGEST_SHOWN and _is_name_like(line)]
    short = short or [line for line in lines if NICK_ALONE.match(line)]
    counts = Counter(NUMBERS_IN.sub("0", line) for line in short)
    again = {line: n for line, n in counts.items() if n >= FEWEST_AGAIN}
    total = sum(again.values())
    is_odd = len(again) > 1 or any("0" in line for line in again)
    if not is_odd or total < SHARE_OF_SHORT * len(lines):
        return False
    source.log.say(
        TXT_SHORT,
        None,
        count=total,
        total=len(lines),
        text=max(again, key=lambda line: again[line]),
    )
    return True


def _is_name_like(line: str) -> bool:
    line = line.strip("\"'“”") or line
    is_title = line[:1].isupper() and line[-1] not in ".,?!…"
    return is_title and NAME_LIKE.match(line) is not None


def _is_in_brackets(line: str) -> bool:
    return (
        line[:1] in ("[", "<", "(", "（")
        and bool(IN_BRACKETS.match(line))
        and not NOTICE.match(line)
    )


def _begins_with_digit(line: str) -> bool:
    return line[:1].isdigit()


def _separator_of(lines: Sequence[str]) -> str:
    """Return the separator of a table without header; empty if the lines are not a table.

    Commas need a number or an identifier first, a single separator several lines, a single bar
    blanks around it. Blanks separate if nearly all of many lines have two words, or three.
    """
    filled = [line for line in lines if strip_blanks(line)]
    for separator in "\t|;,":
        counts = {line.count(separator) for line in filled}
        count = counts.pop() if len(counts) == 1 else 0
        is_pair = count == 1 and len(filled) >= FEWEST_COUNTED
        is_pair = is_pair and (separator != "|" or all(" | " in line for line in filled))
        is_table = len(filled) > 1 and (count > 1 or (is_pair and separator != ","))
        if is_table and (separator != "," or all(map(NUMBER_FIRST.match, filled))):
            return separator
    sizes = Counter(len(split_words(line)) for line in filled)
    size, count = max(sizes.items(), key=itemgetter(1), default=(0, 0))
    least = max(FEWEST_PAIRS, SHARE_OF_PAIRS * len(filled))
    return " " if size in PAIRS_AND_TRIPLES and count >= least else ""
