"""Titles, dates and names above a plain text, which nobody speaks.

A line is a title only if that is certain: it is brief, it has no end of a sentence, nobody greets
or speaks of persons in it, and a blank line or many sentences follow it.
"""

from __future__ import annotations

import itertools

from formats.reading.document_heads import FIRST, TRANSCRIPTS
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.part_titles import is_part
from formats.reading.speakers import (
    DATE,
    HEAD_NAMES,
    MINUTES_NAMES,
    MONTH,
    NOBODY,
    is_label,
    is_name,
)
from formats.schema import lazy_pattern
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_OF_LABEL = 4
MOST_TITLES, LONGEST_TITLE, LONGEST_DATE = 4, 100, 60
LONGEST_DATELINE, LONGEST_HEADLINE = 80, 250
"""The words of a generic name, the most lines above a text, and the characters of a title and of a
date; those of a date with a place, and of a title above it.
"""
SHORTEST_TEXT, TIMES_LONGER = 60, 3
"""Characters of a text below titles, and how many times longer it is."""
FEWEST_SENTENCES, FEWEST_LINES, SHARE_OF_SENTENCES = 2, 10, 0.8
"""The fewest sentences below a title, and lines of them without a blank line between."""
MOST_CAPITALS = 0.3
"""The largest share of words with a capital in a text without sentences, as recognisers write."""
CLOSING = "\"”’)»'*_ "
SMALL = lazy_pattern(
    r"(?:a|an|the|of|and|or|nor|but|in|on|to|for|with|at|by|from|as|is|vs|via|into|over|per"
    r"|de|la|le|les|du|des|et|en|au|aux|à|von|vom|und|der|die|das|den|dem|im|zu|zur|zum|für"
    r"|mit|ein|eine|del|el|los|las|y|con|por|para|un|una|do|da|dos|e|em|no|na|di|il|lo|gli"
    r"|della|delle|van|het|op|te|og|i|på|av|och|w|z|o|nach|aus|bei|über|unter|vor|sous|sans|chez|sur|dans|hacia|sobre|sin|entre|senza|nel"
    r"|nella|sul|tra|naar|и|в|на|с|о|об|к|от|для"
    r")\Z"
)
"""Words that titles write without a capital."""
SAID = lazy_pattern(
    r"(?:hello|hi|hey|greetings|welcome|thank|thanks|dear|ladies|gentlemen|everyone"
    r"|everybody|folks|guys|friends|mr|mister|madam|name|amen|allahu|okay|ok|yes|yeah|no"
    r"|well|so|alright|right|now|oh|um|uh|today|and|but|because|if|please|sorry|let|let's"
    r"|lets|here|this|that|that's|there|it|it's|its|i|i'm|i'll|i've|i'd|me|my|we|we're"
    r"|we'll|we've|us|our|you|you're|your|he|she|they|them|his|her|who's|hallo|guten|liebe"
    r"|lieber|liebes|sehr|herzlich|willkommen|danke|meine|ich|wir|sie|heute|also|bonjour"
    r"|bonsoir|mesdames|messieurs|cher|chers|chère|chères|merci|je|nous|vous|salut"
    r"|bienvenue|buenos|buenas|hola|queridos|queridas|señoras|señores|gracias|bienvenidos"
    r"|yo|nosotros|bom|boa|olá|oi|caros|caras|obrigado|obrigada|eu|nós|você|buongiorno"
    r"|buonasera|ciao|cari|grazie|signore|signori|io|noi|дорогие|уважаемые|здравствуйте"
    r"|привет|добрый|доброе|спасибо|друзья|я|мы|вы|ты|goedemorgen|dag|beste|dames|hej|kära"
    r"|dzień|drodzy|szanowni|merhaba|sayın"
    r")\Z"
)
"""Words of those who greet or speak of themselves and others."""
GREETING = lazy_pattern(r"(?i)good (?:morning|afternoon|evening|night|day)\b")
GREETED, LONGEST_CASELESS = (
    lazy_pattern(
        "大家好|各位|[你您]好|尊敬|亲爱|親愛|朋友|同志|女士|先生|谢|謝|皆さ|みなさ|こんにち|こんばん|おはよう|ようこそ"
        "|ありがとう|여러분|안녕|감사|أيها|السلام|مرحبا|صباح|مساء|شكرا|أعزائي|मित्रों|नमस्|भाइयो|धन्यवाद|שלום|תודה|สวัสดี"
    ),
    40,
)
"""Words of those who greet in scripts without capitals, and characters of a title in them."""
ADDRESSED = lazy_pattern(
    r"(?i)\b(?:citizens|countrymen|comrades|friends|brothers|sisters|colleagues|students|americans"
    r"|delegates|guests|ladies|gentlemen|excellencies|conciudadan[oa]s|ciudadan[oa]s|compatriot[ae]s"
    r"|compañer[oa]s|camaradas|amig[oa]s|señor[ea]s|colegas|herman[oa]s|senhor[ea]s|companheir[oa]s"
    r"|brasileir[oa]s|irmãos|concittadini|compagni|amici|colleghi|signor[ei]|concitoyens|camarades"
    r"|amis|collègues|mitbürger(?:innen)?|genoss(?:en|innen)|freunde|kollegen|kolleginnen|damen"
    r"|herren|landsleute|граждане|товарищи|друзья|коллеги|соотечественники)\b"
    r"|们[：:]|各位|同志|同学|同學|女士|朋友|来宾|來賓|여러분"
)
"""Those whom a speech addresses: ``Fellow citizens:``."""
PART_OF_TEXT = lazy_pattern(
    r"(?i)(?:introduction|preface|foreword|prologue|preamble|abstract|opening (?:remarks|statement)"
    r"|einleitung|vorwort|einführung|avant-propos|préface|introducción|prefacio|prólogo|introdução"
    r"|prefácio|introduzione|prefazione|inleiding|voorwoord|wstęp|введение|предисловие|вступление"
    r"|序文|序章|前言|引言|はじめに|서론|머리말)[:.]?\Z"
)
"""The title of a first part."""
KIND_OF_TEXT = lazy_pattern(
    r"(?i)(?:(?:\S{2,20} ){0,2}(?:interview|conversation|dialogue|speech|lecture|lesson|episode"
    r"|module|unit|session|podcast|sermon|homily|keynote|testimony|webinar|remarks|address)"
    r" (?:with|by|of|from|on|to|number|no\.?|#|(?=[0-9]))"
    r"|(?:lecture|lesson|episode|module|unit|session|video|week)"
    r" ?#?[0-9]{1,3}(?:[:.–—-]|\Z)).{0,80}\Z"
)
"""How a title begins that tells what kind of text is below it."""
FIELD_ALONE = lazy_pattern(
    r"(?i)(?:(?:detected|audio|source|file|video|recording|total|average|mean) )?"
    r"(?:language|confidence(?: score)?|duration|word count|model|processing time|sample rate"
    r"|length|sprache|langue|idioma|lingua|язык|语言|言語)[ ]?[:=：][ ]?"
    r"[^\s.?!]{1,20}(?: [^\s.?!]{1,20}){0,2}"
    r"(?:[.,][0-9]{1,9}(?:[ ]?(?:%|s|sec|seconds|min|minutes))?)?\Z"
)
"""What a program tells of a recording: ``Detected language: English``, ``Confidence: 0.93``."""
PLACE_BEFORE = r"(?:[^\W\d_a-z][^\n,.;:?!]{1,40},[ ])?"
PLACE_BEHIND = r"(?:[,–—-]{1,2}[ ]?[^\W\d_a-z][^\n,.;:?!]{1,40}){0,2}"
DATED = lazy_pattern(
    rf"[\[(（*_]{{0,3}}{PLACE_BEFORE}(?:[^\W\d_]{{2,15}},?[ ])?(?:"
    r"[0-9]{4}([-/. ])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/. ])[0-9]{1,2}\2[0-9]{4}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.|er|º)?[ ](?:(?:of|de)[ ])?{MONTH},?[ ](?:del?[ ])?[0-9]{{4}}"
    rf"|{MONTH}[ ](?:[0-9]{{1,2}}(?:st|nd|rd|th)?,?[ ])?[0-9]{{4}}"
    r"|[0-9]{4}[年년][ ]?[0-9]{1,2}[月월][ ]?[0-9]{1,2}[日일])(?:[ ]?г(?:ода|\.)|\.)?"
    rf"(?:,?[ ][0-9]{{1,2}}[:.h][0-9]{{2}})?{PLACE_BEHIND}[\])）*_]{{0,3}}\s{{0,9}}\Z"
)
"""A date with its year on a line of its own, perhaps with a place and a time."""
VERSES = r"[0-9]{1,3}(?:[ab])?(?:[ ]?[-–~,;][ ]?[0-9:]{1,7}[ab]?){0,4}"
PASSAGE = (
    r"(?:[1-3]\.?[ ]?)?[^\W\d_]{2,20}(?: of [A-Z][a-z]{2,12})?"
    rf"(?: [0-9]{{1,3}}(?::[ ]?|,){VERSES}|[ ]?[0-9]{{1,3}}[장章篇][ ]?{VERSES}[ ]?[절節节]?)"
)
REFERENCE = lazy_pattern(
    r"(?i)[\[(]?(?:(?:본문|말씀|성경|经文|經文|聖書|text|scriptures?(?: reading)?"
    r"|bible(?: text| reading)?"
    r"|passage|reading|predigttext|lesung|bibeltext|lecture|texte(?: biblique)?|lectura"
    r"|texto(?: bíblico)?|leitura|текст|чтение)[ ]?[:：][ ]?)?"
    rf"{PASSAGE}(?:[;,] {PASSAGE}){{0,4}}[\])]?\.?\Z"
)
"""Passages of a book alone on a line: ``John 3:16-18``, ``Text: Psalm 23:1``."""
BOOK_BESIDE, LOOKED_AT = 3, 30
"""The most lines above a passage that are titles, and the lines that have no other passage."""
TITLE_AND_NAME = lazy_pattern(r".{2,60}[ ](?:[-–—|]|by)[ ].{2,40}\Z")
"""A title and who made it: ``The Lost Coin - Ann Ex``."""
BOLD = lazy_pattern(r"(\*{1,3}|_{1,3})(?![*_\s])(.{1,100}?)(?<![*_\s])\1\Z")
OF_TEXT = lazy_pattern(
    rf"(?i)(?:(?:full |final |whole )?(?:text|lyrics|letra|paroles)|(?:{TRANSCRIPTS})\w{{0,8}})\Z"
)
"""The name of the field that has a text."""
ROLES = lazy_pattern(r"(?i)(?:host|narrator|moderator|presenter|lecturer|instructor|interviewer)\Z")
"""Those who may be the only speaker of a text."""
INTRODUCED = lazy_pattern(
    r"(?i)(?:the )?(?:following|below|here) (?:is|are|follows)\b[^.!?]{0,160}"
    r"\b(?:text|transcript\w{0,5}|remarks|speech|address|statement)\b[^.!?]{0,80}[:.]?\Z"
    r"|(?:full |complete )?(?:text|transcript) (?:of|from)\b[^.!?]{0,160}"
    r"\b(?:prepared for delivery|as delivered)[^.!?]{0,20}[:.]?\Z"
    rf"|\[[^\[\]]{{0,120}}\b(?:{TRANSCRIPTS})[^\[\]]{{0,80}}\]\Z"
)
"""A line that introduces the text of a speech: ``The following is the full text:``."""
OF_BOOK = lazy_pattern(r"(?i)(?:chapter|part|book|section|kapitel|chapitre|cap[íi]tulo|capitolo)\b")
OF_TRANSCRIPT = lazy_pattern(rf"(?i)(?:\S{{1,30}} ){{0,4}}\S{{0,6}}(?:{TRANSCRIPTS})")
EMPTY_FIELD = lazy_pattern(r"([^\W\d_]{2,20}(?: [^\W\d_]{2,20})?)[ ]{0,2}[-–—:：]{1,2}\Z")
"""The name of a field of a document without its value: ``Time -``."""
BY = lazy_pattern(r"(?i)(?:by|von|par|por|di|автор)[:： ][ ]?[^\W\d_].{0,60}\Z")
NAME_ALONE = lazy_pattern(
    r"[*_]{0,2}(?P<name>[^\W\d_][^:：()\[\]]{0,40}?)[ ]?(?:[(\[][ 0-9:.]{0,12}[)\]])?[*_]{0,2}"
    r"[:：][*_]{0,2}\Z"
)
"""The name of the only speaker, perhaps with an empty bracket or a time: ``ANN ():``."""


class TitlesAbove(NamedFields):
    """What is above a text: the number of the last line, the first one, and who speaks below."""

    last: int = 0
    lines: int = 0
    text: str = ""
    speaker: str | None = None


OF_SHEET = lazy_pattern(r"(?i)(?:capo|tuning|key|tempo|bpm|strumming)\b[^.?!\n]{1,40}\Z")
"""How a song is played: ``Capo 2``."""


def titles_above(lines: Sequence[str], *, titles: bool = False) -> TitlesAbove:
    """Return the lines above a text that are surely no speech.

    With `titles`, these are only dates, fields and names: somebody may have read a title aloud.

    >>> rest = ["", "So it was. Nobody knew the old bridge, and the river had no name."]
    >>> titles_above(["The Lost Coin", *rest])
    TitlesAbove(last=1, lines=1, text='The Lost Coin', speaker=None)
    >>> titles_above(["The Lost Coin", *rest], titles=True).last
    0
    >>> titles_above(["Good Evening Bern", *rest]).last
    0
    >>> titles_above(["ANN EX ():", *rest]).speaker
    'ANN EX'
    """
    filled = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    passage = 0 if titles else _passage_above(filled) or _dateline_above(filled)
    while passage and passage < len(filled) - 1 and INTRODUCED.match(filled[passage][1]):
        passage += 1
    if passage:
        return TitlesAbove(filled[passage - 1][0], passage, filled[0][1])
    sure = list(
        itertools.takewhile(lambda row: _may_be_title(row[1], titles), filled[: MOST_TITLES + 1])
    )
    has_part = len(filled) > len(sure) and is_part(filled[len(sure)][1], is_below_blank=True)
    if sure and has_part:
        return TitlesAbove(sure[-1][0], len(sure), sure[0][1])
    for count in range(min(len(sure), MOST_TITLES), 0, -1):
        above = [line for _, line in sure[:count]]
        rest = list(lines[sure[count - 1][0] :])
        if _are_titles(above, rest):
            speaker = _speaker(above[-1])
            return TitlesAbove(sure[count - 1][0], count, above[0], speaker)
    return TitlesAbove()


def _passage_above(filled: Sequence[tuple[int, str]]) -> int:
    """Return how many lines are above a sermon: titles, and the passage that it is about.

    The title may be a sentence.

    >>> _passage_above([(1, "Do not fear."), (2, "Luke 12:4-7"), (3, "So it was. " * 20)])
    2
    """
    passages = [n for n, (_, line) in enumerate(filled[:LOOKED_AT], 1) if REFERENCE.match(line)]
    last = passages[0] if len(passages) == 1 else 0  # ``Ann 0:12`` returns
    above = [line for _, line in filled[:last]]
    size = sum(len(line) for _, line in filled[last:])
    are_brief = all(len(line) <= LONGEST_TITLE for line in above)
    are_said = any(map(GREETING.match, above)) or any(
        SAID.match(line.split()[0].strip(",.!").casefold()) for line in above[:-1]
    )
    is_long = size >= max(SHORTEST_TEXT, TIMES_LONGER * len(" ".join(above)))
    return last if 1 < last <= BOOK_BESIDE + 1 and are_brief and is_long and not are_said else 0


def is_dated(line: str) -> bool:
    """Return True for a line that is only a date, perhaps with a place.

    >>> is_dated("4 May 2014, Bern"), is_dated("[May 4, 2014]"), is_dated("May 2014 was warm")
    (True, True, False)
    >>> is_dated("Bern, 4 de maio de 2014"), is_dated("（2014年5月4日）")
    (True, True)
    """
    has_digit = len(line) <= LONGEST_DATELINE and any(map(str.isdigit, line))
    return has_digit and DATED.match(line.strip()) is not None


def _dateline_above(filled: Sequence[tuple[int, str]]) -> int:
    """Return how many lines are above a speech: titles, and the day and the place below them.

    >>> _dateline_above([(1, "Talk at the bridge"), (2, "Bern, 4 May 2014"), (3, "So. " * 60)])
    2
    """
    dates = [n for n, (_, line) in enumerate(filled[:LOOKED_AT], 1) if is_dated(line)]
    last = dates[0] if len(dates) == 1 else 0
    above = [line for _, line in filled[: max(0, last - 1)]]
    are_titles = all(
        len(line) <= LONGEST_HEADLINE and not line.endswith((*SENTENCE_ENDS, ",", ":", "："))
        and not GREETING.match(line) and not SAID.match(line.split()[0].casefold())
        for line in above
    )  # fmt: skip
    size = sum(len(line) for _, line in filled[last:])
    is_long = size >= max(SHORTEST_TEXT, len(" ".join(above)))
    return last if 1 < last <= BOOK_BESIDE + 1 and are_titles and is_long else 0


def _may_be_title(line: str, titles: bool) -> bool:
    """Return True for a brief line that is no sentence, and in which nobody speaks."""
    bold = BOLD.match(line)
    line = line if bold is None else bold[2]
    if line[:1] == "#":
        return False
    if INTRODUCED.match(line):
        return True
    if len(line) > LONGEST_TITLE or line.rstrip(CLOSING).endswith((*SENTENCE_ENDS, ",", ";")):
        return False
    words = [word.strip(".,:;-–—()\"'").casefold().replace("’", "'") for word in line.split()]
    if FIELD_ALONE.match(line) or OF_SHEET.match(line):
        return True
    if GREETING.match(line):
        return False
    return not any(map(SAID.match, words)) and (
        _is_sure(line)
        or _speaker(line) is not None
        or (not titles and (BY.match(line) is not None or is_headline(line)))
    )


def _are_titles(above: Sequence[str], rest: Sequence[str]) -> bool:
    """Return True if lines are titles above these lines."""
    text = " ".join(line.strip() for line in rest if line.strip())
    if len(text) < max(SHORTEST_TEXT, TIMES_LONGER * len(" ".join(above))):
        return False
    is_apart = bool(rest) and not rest[0].strip()
    is_named = _speaker(above[-1]) is not None
    if is_named and any(_speaker(line.strip()) for line in rest):
        return False  # one of several names
    are_fields = all(map(FIELD_ALONE.match, above))
    are_apart = is_apart or is_named or are_fields
    if not are_apart and len(list(filter(str.strip, rest))) < FEWEST_LINES:
        return False
    others = [
        line for line in above
        if not _is_sure(line) and _speaker(line) is None
        and not (TITLE_AND_NAME.match(line) and is_headline(line))
    ]  # fmt: skip
    if not others:
        return are_apart
    return _are_sentences(rest, are_lines=not is_apart) or (is_apart and _are_small(text, rest))


def _is_sure(line: str) -> bool:
    """Return True for a date, the title of a part, or what names a transcript."""
    if any(map(str.isdigit, line)) and len(line) <= LONGEST_DATE and DATE.match(line):
        return True
    field = EMPTY_FIELD.match(line)
    return (
        (field is not None and HEAD_NAMES.match(field[1]) is not None)
        or PART_OF_TEXT.match(line) is not None
        or FIRST.match(line) is not None
        or OF_TRANSCRIPT.match(line) is not None
        or FIELD_ALONE.match(line) is not None
        or REFERENCE.match(line) is not None
        or INTRODUCED.match(line) is not None
    )


def _speaker(line: str) -> str | None:
    """Return the name that is a whole line, with a colon behind it or a generic one."""
    if is_label(line) and _are_capitalised(line.split()):
        return line
    match = NAME_ALONE.match(line)
    if match is None:
        return None
    name = match["name"].strip()
    is_person = is_label(name) or (
        is_name(name) and name[0].isupper() and _are_capitalised(name.split())
    )
    are_others = (HEAD_NAMES, NOBODY, MINUTES_NAMES, PART_OF_TEXT, OF_TRANSCRIPT)
    is_other = any(other.match(name) for other in are_others) and not ROLES.match(name)
    return name if is_person and not is_other else None


def is_headline(line: str) -> bool:
    """Return True if all words of a line but small ones have capitals, or it tells its kind."""
    if KIND_OF_TEXT.match(line):
        return True
    if OF_BOOK.match(line):
        return False  # readers of books say it
    words = [word for word in line.split() if any(map(str.isalpha, word))]
    if words and line.lower() == line.upper():  # a script without capitals
        return len(line) <= LONGEST_CASELESS and GREETED.search(line) is None
    if line.isupper():
        return len(words) > 1
    capitals = sum(word.strip("\"'“‘(")[:1].isupper() for word in words)
    return capitals > 1 and _are_capitalised(words)


def _are_capitalised(words: Sequence[str]) -> bool:
    """Return True if all words begin with capitals, numbers or signs, except small ones inside."""
    return not any(
        word.strip("\"'“‘(")[:1].islower() and (not n or SMALL.match(word) is None)
        for n, word in enumerate(words)
    )


def _are_sentences(lines: Sequence[str], *, are_lines: bool) -> bool:
    """Return True if nearly all paragraphs, or lines, end like sentences."""
    groups = itertools.groupby(lines, key=lambda line: bool(line.strip()))
    paragraphs = [list(rows) for is_filled, rows in groups if is_filled]
    lasts = (
        [line for rows in paragraphs for line in rows]
        if are_lines
        else [rows[-1] for rows in paragraphs]
    )
    lasts = [line.strip() for line in lasts if line.strip()[:1] not in ("[", "(")]
    ended = sum(line.rstrip(CLOSING).endswith(SENTENCE_ENDS) for line in lasts)
    sentences = sum(line.count(f"{end} ") for line in lines for end in SENTENCE_ENDS) + ended
    return ended >= max(1, SHARE_OF_SENTENCES * len(lasts)) and sentences >= FEWEST_SENTENCES


def _are_small(text: str, lines: Sequence[str]) -> bool:
    """Return True if a text is in small letters and without sentences, as recognisers write."""
    words = [word for word in text.split() if word[:1].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    first = next((line.strip() for line in lines if line.strip()), "")
    ends = sum(text.count(end) for end in SENTENCE_ENDS)
    return first[:1].islower() and not ends and capitals <= MOST_CAPITALS * len(words)


def label_first(words: Sequence[str]) -> tuple[str | None, int]:
    """Return who speaks a text that begins with a generic name, and how many words are none.

    >>> label_first("Speaker 1: so it was".split()), label_first("Ann: so it was".split())
    (('Speaker 1', 2), (None, 0))
    >>> label_first("Speaker 1: so. Speaker 2: no".split())
    (None, 0)
    >>> label_first("Transcript: so it was".split())
    (None, 1)
    """
    ended = [n for n, word in enumerate(words) if word[-1:] in (":", "：")]
    size = ended[0] + 1 if ended else 0
    name = " ".join(words[:size])[:-1]
    if not 0 < size < MOST_OF_LABEL or len(words) <= size:
        return None, 0
    if OF_TEXT.match(name):
        return None, size
    others = (" ".join(words[max(0, n - 1) : n + 1])[:-1] for n in ended[1:])
    are_several = any(map(_is_label, others)) or any(_is_label(words[n][:-1]) for n in ended[1:])
    return (name, size) if _is_label(name) and not are_several else (None, 0)


def _is_label(name: str) -> bool:
    """Return True for a generic name, and for a role with a capital."""
    return is_label(name) or (name[:1].isupper() and ROLES.match(name) is not None)
