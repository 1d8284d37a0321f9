"""Paragraphs between turns that tell what happens, and that nobody speaks.

A position is the index of a line, from 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Set

from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.lines import BOLD_ALONE, FOOTER, TextLines
from formats.meetings.turns.plain import LEAST, SEPARATED
from formats.meetings.turns.screenplay import SCENE, TRANSITION
from formats.reading.speakers import is_label
from formats.schema import lazy_pattern

ADDRESS = lazy_pattern(
    r"\b(?:I|I['’](?:m|ll|d|ve)|[Yy]ou|[Yy]our|[Ww]e|[Mm]e|[Mm]y|us|[Oo]ur|ich|du|Sie|[Ww]ir|mir|uns"
    r"|[Jj]e|[Vv]ous|[Nn]ous|moi|[Yy]o|tú|usted|nosotros|[Ee]u|você|nós|io|tu|voi|noi|[Яя]|[Тт]ы|[Вв]ы"
    r"|[Мм]ы|мне|нас|[Yy]eah|[Oo]kay|OK|[Tt]hanks?|[Hh]ello|[Hh]i|[Ss]iz|[Bb]iz|[Ee]vet|pan[iu]?"
    r"|[Tt]ak|[Tt]ôi|[Aa]nh|[Cc]hị|[Ww]ij|[Ii]k|أنا|أنت|نحن|نعم|شكرا|لك|אני|אתה|את|אנחנו|תודה|כן|לא)\b"
    r"|[我你您们]|\b[Jj]['’]|です|ます|ください|でしょう|[요죠][.?!]|니다|मैं|आप|हम"
)
"""A word by which one person speaks to another, in some languages."""
QUESTION = frozenset("?？؟")
OF_OTHERS = lazy_pattern(
    r"(?i)(?:he|she|they|his|her|their|er|sie|ihr|il|elle|ils|elles|él|ella|ellos|ellas|ele|ela|eles|elas"
    r"|lui|lei|loro|он|она|они|hij|zij|hon|han|fade|cut|open|close|pan|zoom|smash|dissolve|int|ext)\b"
)
"""The first word of a sentence about other persons, or of what a camera does."""
TITLE_OF_SCENE = lazy_pattern(
    r"(?:[〇○◯][ \u3000]?|(?:S?#|씬|[Ss]cene|SCENE)[ ]?[0-9]{1,3}[.:、 ]{1,2}"
    r"|第[一二三四五六七八九十0-9]{1,3}[场場][ ]|[0-9]{1,3}[. 、][ ]?(?:INT|EXT)\b"
    r"|[0-9]{1,3}-[0-9]{1,3}[ ]\S{1,10}[ ](?:日|夜|内|外))[^:：「]{1,60}\Z"
)
"""The heading of a scene in scripts of some countries: ``〇公園・昼``, ``#1. 부엌, 아침``."""
FEWEST_TURNS, LEAST_ADDRESSED, LEAST_TOLD, LEAST_NAMED = 5, 0.25, 0.6, 0.3
"""The fewest turns, the share of turns with a word that addresses somebody, the share of paragraphs
that are about persons, and of those that name a speaker."""
WORD_END, SIGNS_BESIDE = lazy_pattern("['’]"), '.,;:!?()[]"“”—–-*_'
"""What begins the ending of a name, ``Ann's``, and the signs beside a word."""
ENDS_OF_NARRATION = frozenset(".!…。")
"""Signs at the end of a paragraph that tells what happens."""
IN_QUOTES = frozenset("\"“«„”»'‘’")


def narration(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of the lines of paragraphs that tell what the speakers do.

    Persons address each other in their turns. No paragraph between the turns does, most of them are
    about persons, and some name a speaker: ``Ann goes to the window.`` Where scenes have headings
    as in screenplays, these may be about anything.

    >>> lines = ["Ann: I am cold.", "", "Ann goes to the window.", "", "Bob: You are late.", ""]
    >>> text = TextLines(list(enumerate(lines * 3)))
    >>> turns = {n: TurnHead(x[:3], None, None, x[5:]) for n, x in enumerate(lines * 3) if ":" in x}
    >>> sorted(narration(turns, text))
    [2, 8, 14]
    """
    if len(heads) < FEWEST_TURNS or any(x.start is not None or not x.name for x in heads.values()):
        return set()
    behind = sum(bool(head.text) for head in heads.values())
    if (1 - SEPARATED) * len(heads) < behind < SEPARATED * len(heads):
        return set()
    paragraphs = _paragraphs_between(heads, text, are_alone=2 * behind < len(heads))
    if not paragraphs:
        return set()
    texts = {n: " ".join(text.folded[m].text for m in lines) for n, lines in paragraphs.items()}
    titles = {n for n in text.filled if TITLE_OF_SCENE.match(text.folded[n].text)} - heads.keys()
    lines = (folded.text for folded in text.folded)
    is_script = bool(titles) or any(SCENE.match(x) or TRANSITION.match(x) for x in lines)
    paragraphs = {n: lines for n, lines in paragraphs.items() if n not in titles}
    texts = {n: line for n, line in texts.items() if n not in titles}
    if len(texts) < (1 if is_script else LEAST) or any(
        line[:1] in IN_QUOTES or not QUESTION.isdisjoint(line) or ADDRESS.search(line)
        for line in texts.values()
    ):
        return set()
    next_lines = dict(itertools.pairwise(text.filled))
    spoken = [head.text or text.folded[next_lines.get(n, n)].text for n, head in heads.items()]
    names = {head.name or "" for head in heads.values()}
    first = {name.split()[0] for name in names if not is_label(name)}
    forms = {form for name in first for form in (name, name.title(), name.upper())}
    named = {n for n, line in texts.items() if has_name(line, forms)}
    about = named | {n for n, line in texts.items() if OF_OTHERS.match(line)}
    are_told = len(about) >= LEAST_TOLD * len(texts) and len(named) >= LEAST_NAMED * len(texts)
    addressed = sum(ADDRESS.search(line) is not None for line in spoken)
    are_addressed = bool(titles) or addressed >= LEAST_ADDRESSED * len(spoken)
    if not (are_told or is_script) or not are_addressed:
        return set()
    return titles.union(*paragraphs.values())


def has_name(line: str, names: Set[str]) -> bool:
    """Return True if a line has a name as a word, or anywhere in a script without capitals."""
    words = {WORD_END.split(word.strip(SIGNS_BESIDE), 1)[0] for word in line.split()}
    return not names.isdisjoint(words) or any(
        name in line for name in names if name.lower() == name.upper()
    )


def _paragraphs_between(
    heads: Mapping[int, TurnHead], text: TextLines, *, are_alone: bool
) -> dict[int, list[int]]:
    """Return the lines of each paragraph between turns, by its first line.

    A paragraph in brackets, a title, a rule and a footer are none. `are_alone` means that the text
    of a turn is below its name.
    """
    paragraphs: dict[int, list[int]] = {}
    first, begin = min(heads), -1
    outside = text.is_rule | text.is_heading | text.part_titles
    above = first
    for n in (n for n in text.filled if n > first):
        if n in heads:
            begin = -1
        elif n in text.is_first:
            is_text = are_alone and above in heads
            is_told = text.folded[n].text[-1:] in ENDS_OF_NARRATION
            is_said = n in outside or is_text or FOOTER.match(text.folded[n].text) is not None
            begin = -1 if is_said else n
            if begin == n and (is_told or text.is_filled[n + 1 : n + 2] == [True]):
                paragraphs[n] = [n]
            else:
                begin = -1
        elif begin >= 0:
            paragraphs[begin].append(n)
        above = n
    return paragraphs


def titles_in_bold(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of whole lines in bold between the turns of a script.

    All names are in capitals, and alone on their lines.
    """
    alone = sum(not head.text for head in heads.values())
    capitals = sum((head.name or "").isupper() for head in heads.values())
    if min(alone, capitals) < max(LEAST, SEPARATED * len(heads)):
        return set()
    bold = {n for n, folded in enumerate(text.folded) if folded.line[:1] in "*_"}
    return {n for n in bold - heads.keys() if BOLD_ALONE.match(text.folded[n].line)}
