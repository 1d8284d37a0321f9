"""Titles, numbers and rules of the parts of a text: acts and scenes, verses, slides, chords."""

from __future__ import annotations

import itertools
from collections import Counter

from formats.reading.speakers import NOBODY, SONG_PARTS, is_sound
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

ACTS = (
    *(
        "act",
        "actus",
        "acte",
        "acto",
        "jornada",
        "akt",
        "akten",
        "aufzug",
        "atto",
        "ato",
        "bedrijf",
    ),
    *(
        "näytös",
        "felvonás",
        "jednání",
        "dějství",
        "perde",
        "hồi",
        "действие",
        "акт",
        "дія",
        "πράξη",
    ),
)
"""Words for the acts of a play in several languages."""
SCENES = (
    *(
        "scoena",
        "scæna",
        "scene",
        "scène",
        "tableau",
        "escena",
        "cuadro",
        "szene",
        "auftritt",
        "bild",
        "scena",
    ),
    *("cena", "quadro", "scenen", "tablån", "tooneel", "toneel", "tafereel", "kohtaus", "kuvaelma"),
    *("jelenet", "odsłona", "výstup", "obraz", "sahne", "сцена", "явление", "картина", "ява"),
    *("σκηνή",),
)
"""Words for the scenes of a play, and for its pictures."""
FIRST_ORDINALS = (
    "first|primus|premi(?:er|ère)|primer[oa]|primeir[oa]|prim[oa]|erste[rs]?|första|første|eerste"
    "|ensimmäinen|első|pierwsz[aey]|první|birinci|перв(?:ое|ый|ая)|перша|πρώτη"
)
"""Words for the first of several parts in these languages."""
ORDINALS = (
    rf"{FIRST_ORDINALS}|second|third|fourth|fifth|sixth|seventh|last"
    "|secund(?:us|a)|terti(?:us|a)|quartus|quintus|deuxième|seconde|troisième|quatrième|cinquième|sixième|septième|huitième|neuvième|dixième"
    "|derni(?:er|ère)|segund[oa]|tercer[oa]|cuart[oa]|quint[oa]|sext[oa]|séptim[oa]|octav[oa]"
    "|últim[oa]|terceir[oa]|quart[oa]|sétim[oa]|second[oa]|terz[oa]|sest[oa]|settim[oa]|ottav[oa]"
    "|ultim[oa]|(?:zweit|dritt|viert|fünft|sechst|siebent|siebt|acht|neunt|zehnt|elft|zwölft|letzt)e[rs]?"
    "|andra|tredje|fjärde|femte|sjätte|sjunde|sista|anden|andet|annen|fjerde|sjette|syvende|siste"
    "|sidste|tweede|derde|vierde|vijfde|zesde|zevende|achtste|negende|tiende|laatste"
    "|toinen|kolmas|neljäs|viides|kuudes|viimeinen|második|harmadik|negyedik|ötödik|hatodik"
    "|hetedik|utolsó|drug[aei]|trzeci[ae]?|czwart[aey]|piąt[aey]|szóst[aey]|ostatni[ae]?"
    "|druhé|druhý|třetí|čtvrt[éý]|pát[éý]|ikinci|üçüncü|dördüncü"
    "|втор(?:ое|ой|ая)|трет(?:ье|ий|ья)|четв[её]рт(?:ое|ый|ая)|пят(?:ое|ый|ая)|шест(?:ое|ой|ая)"
    "|седьм(?:ое|ой|ая)|восьм(?:ое|ой|ая)|последн(?:ее|ий|яя)|друга|третя|четверта"
    "|δεύτερη|τρίτη"
)
NUMERALS = "[ivxlc]{1,6}|[0-9]{1,3}"
PARTS_OF_PLAYS = "|".join((*ACTS, *SCENES))
NUMBERED_PART = (
    rf"(?:(?i:(?:{PARTS_OF_PLAYS})[ \t]{{1,3}}"
    rf"(?:{NUMERALS}|one|two|three|four|(?:the )?(?:{ORDINALS}))"
    rf"|(?:(?:{ORDINALS})|(?:{NUMERALS})\.?)[ ](?:{PARTS_OF_PLAYS}))"
    r"(?:[ \t]{0,3}[.:,;—–-].{0,80})?"
    r"|(?:第[ ]?[0-9一二三四五六七八九十百]{1,4}[ ]?[幕场場]|제[ ]?[0-9]{1,3}[ ]?[막장]"
    r"|(?:الفصل|المشهد|מערכה|תמונה)[ ]\S{1,20})(?:[ :：\u3000].{0,40})?)[ \t]*\Z"
)
PART_OF_PLAY = lazy_pattern(NUMBERED_PART)
"""The title of an act or a scene with its number: ``ACT I. SCENE II. A road.``"""
TITLED_PARTS = "|".join(f"{word.upper()}|{word.capitalize()}" for word in (*ACTS, *SCENES))
"""Words for the parts of plays as titles begin with them."""
HEADING = lazy_pattern(
    rf"(?:{TITLED_PARTS}|CHAPTER|Chapter|PROLOGUE|EPILOGUE|VERSE|CHORUS|Verse|BRIDGE|INTRO|OUTRO"
    r"|Pre-Chorus|Strophe|Refrain|PART|Part)"
    r"(?:[ \t]+(?:[IVXLC]{1,6}|[0-9]{1,3}|ONE|TWO|THREE|FOUR|FIVE|One|Two|Three|Four|Five)\b"
    r"[.:]?.{0,60}"
    r"|[.:]?)[ \t]*\Z"
    r"|(?:INT|EXT|INT\./EXT|I/E)\. .{3,80}\Z"
    r"|(?:Chorus|Bridge|Intro|Outro)[.:]?(?:[ \t]+[0-9]{1,2})?[ \t]*\Z"
    rf"|{NUMBERED_PART}"
)
"""A heading of a play, a script or a song, alone on its line."""
BEGINS_OF_PARTS = frozenset("第제امت")
"""First letters of headings in scripts without capitals."""
LONGEST_PART, LONGEST_TITLE = 120, 100
"""Characters of a title of an act, and of any other title."""
WORDS_OF_PARTS = frozenset((*ACTS, *SCENES))
"""Words that a title of an act has in scripts with capitals."""
PART = lazy_pattern(r"\[([^\W\d_][^\[\]\n:]{0,40})(?::[^\[\]\n]{0,60})?\]\s{0,9}\Z")
"""A line in square brackets that may be the title of a part: ``[Chorus]``, ``[Verse 1: Ann]``."""
SONG_PART = lazy_pattern(
    r"(?i)[\[({*#~<【（ \t-]{0,4}(?:(?:(?:final|last|pre|post)[- ]?)?"
    rf"(?:{SONG_PARTS})|[0-9]{{1,2}}(?:番|절|[.)](?![0-9]))|lời(?=[ ][0-9]))"
    r"(?:[ ]?(?:[0-9]{1,2}|[ivx]{1,4}|[a-d]))?(?:[ ]?[(（]?[x×][ ]?[0-9]{1,2}[)）]?)?"
    r"[ ]?[\])}*~>】）:：. \t-]{0,5}\Z"
)
"""A line that is only the name of a part of a song: ``Chorus:``, ``(Verse 2)``."""
LABEL = lazy_pattern(r"[^\W\d_a-z][^\Wa-z]{0,20}(?:[ &+/]{1,3}[^\Wa-z]{1,20}){0,3}[:：]\s{0,9}\Z")
"""A line that is only a name in capitals with a colon."""
VERSE_NUMBER = lazy_pattern(
    r"\A[ \t]{0,20}([0-9]{1,5})(?=[^\W\d_])"
    r"|(?:\t|[ ][ \t])[ \t]{0,200}([0-9]{1,5})[ \t]{0,20}\Z"
)
"""A number directly before a line of verse, or behind a gap or a tab at its end."""
CLOSE_VERSE_NUMBER = lazy_pattern(r"(?<=[\w.,;:!?’'”\")—–-])[ ]([0-9]{0,4}[05])[ \t]{0,20}\Z")
"""A number behind one blank at the end of a line of verse."""
NUMBER_LAST = lazy_pattern(r"[ ][0-9]{1,5}[ \t]{0,20}\Z")
DIGIT = lazy_pattern("[0-9]")
STEPS_OF_VERSES, FEWEST_OF_VERSES, FEWEST_CLOSE, FEWEST_BLANKS = (5, 10), 3, 10, 3
"""The numbers of verses that have one, the fewest of these numbers, of those behind a blank, and
the blanks in a line with such a number.
"""
ROMAN = "[IVXL]{1,6}"
SLIDES = (
    "slide|page|folie|seite|diapositiv[ao]|diapo|p[áa]gina|pág|слайд|страница|стр|スライド|ページ|슬라이드|"
    "페이지|幻灯片|投影片|شريحة|صفحة|שקף|עמוד|slajd|strona|slayt|sayfa|trang|pp?"
)
COUNTED_LINE = lazy_pattern(
    rf"(?i)(?P<before>\W{{0,4}}(?:(?P<word>{SLIDES})[ .:#№_-]{{0,3}}|第[ ]?)?)"
    rf"(?P<number>[0-9]{{1,4}}|(?-i:{ROMAN})(?=[.)]?\s{{0,9}}\Z))"
    rf"(?P<after>[ ]?(?:页|頁|枚目|쪽)|[ ]?(?:of|von|de|di|/)[ ]?[0-9]{{1,4}})?"
    r"(?:[^\w\n]{0,9}\Z|(?P<title>[ ]?[:：.|–—-]{1,2}[ ]?\S.{0,80})\Z)"
)
"""A line that only counts: ``Slide 3``, ``第3页``, ``[3]``, ``III.``; a slide may have a title."""
RUNNING_HEAD = lazy_pattern(
    r"\s{0,40}(?P<title>[^\W\d].{2,80}?)(?:[ ]{2,60}|\t{1,9}|[ ][|·–-][ ])(?:[Pp]age[ ])?"
    r"(?P<number>[0-9]{1,4})\s{0,9}\Z"
)
"""The head of a page with its number behind a gap: ``Council of May   12``."""
FEWEST_NUMBERS, SHARE_OF_COUNTS = 3, 0.9
"""The fewest lines that count, and the share of the numbers that are one more than the last."""
CHORD = lazy_pattern(
    r"[A-G][#b♯♭]?(?:maj|min|dim|aug|m|M|°|ø|Δ|\+)?[0-9]{0,2}(?:(?:sus|add|maj|b|#|no)[0-9]{0,2})?"
    r"(?:/[A-G][#b♯♭]?)?\Z"
)
BETWEEN_CHORDS = frozenset(("|", "||", "|:", ":|", "%", "-", "/", "N.C.", "x2", "(x2)", "x4"))
STRINGS = lazy_pattern(r"[EADGBe]?[ ]?\|[-0-9hpbrxX/\\~|()^. ]{6,300}\s{0,9}\Z")
"""A chord, what stands beside chords, and the line of a string of a guitar."""
CHORD_INSIDE = lazy_pattern(r"\[([A-G][^\[\]\s]{0,9})\]")
DIRECTIVE = lazy_pattern(r"\{[a-z_]{1,30}(?:[ ]?:[^{}\n]{0,100})?\}\s{0,9}\Z")
"""A chord in brackets inside a text, and a line in braces, as in the format ChordPro."""
SIGNS_ALONE = frozenset("\"'“”„«»‘’■□◆◇●○◎★☆▲△▼▽※♪♫♬•·†")
RULE_SIGNS = frozenset("-=_*~#+─━═")
SHORTEST_RULE, LONGEST_RULE = 3, 200


def is_act(line: str) -> bool:
    """Return True for the title of an act or a scene with its number.

    >>> is_act("ACT I. SCENE II. A road."), is_act("Act one was long"), is_act("第二幕")
    (True, False, True)
    >>> is_act("ANDRA SCENEN"), is_act("2. felvonás"), is_act("TWEEDE BEDRIJF.")
    (True, True, True)
    """
    if len(line) > LONGEST_PART:
        return False
    if line[:1] not in BEGINS_OF_PARTS:
        words = line.split(None, 2)[:2]
        if WORDS_OF_PARTS.isdisjoint(word.rstrip(".,:;-–—").lower() for word in words):
            return False
    return PART_OF_PLAY.match(line) is not None


def is_rule(line: str) -> bool:
    """Return True for a line of signs, or a title with such signs on both sides.

    >>> is_rule("-----"), is_rule("--- so ---"), is_rule("■"), is_rule("so")
    (True, True, True, False)
    """
    text = line.strip()[:LONGEST_RULE].replace("\\", "")
    signs = text.replace(" ", "")
    sign = signs[:1]
    if sign in SIGNS_ALONE:
        return SIGNS_ALONE.issuperset(text)
    if sign not in RULE_SIGNS or len(signs) < SHORTEST_RULE:
        return False
    if RULE_SIGNS.issuperset(signs):
        return True
    inner = text.strip(sign)
    is_ruled = text.startswith(SHORTEST_RULE * sign) and text.endswith(SHORTEST_RULE * sign)
    return is_ruled and inner.strip() != inner and any(map(str.isalpha, inner))


def is_part(line: str, is_below_blank: bool) -> bool:
    """Return True for the name of a part of a song, and for a title in brackets, but no sound.

    Titles that are no parts of songs are below a blank line.
    """
    if SONG_PART.match(line):
        return True
    part = PART.match(line) if line[:1] == "[" else None
    if part is None or is_sound(part[1]):
        return False
    return is_below_blank or bool(HEADING.match(part[1]) or NOBODY.match(part[1]))


def labels_of_parts(lines: Sequence[str]) -> frozenset[str]:
    """Return the lines in capitals with a colon below blank lines, if one names a part of a song.

    The others say who sings: ``CHOIR:``.

    >>> sorted(labels_of_parts(["SOLO:", "so it was", "", "CHOIR:", "so it is", "NO: not"]))
    ['CHOIR:', 'SOLO:']
    """
    rows = zip(("", *lines), lines, strict=False)
    labels = {line.strip() for above, line in rows if not above.strip() and LABEL.match(line)}
    return frozenset(labels if any(map(SONG_PART.match, labels)) else ())


def verse_numbers(lines: Iterable[str]) -> re.Pattern[str] | None:
    r"""Return the pattern of numbers at every fifth or tenth line of verse; scenes may count again.

    >>> verse_numbers(["5so it was", "and so", "10it is", "well", "so   15"]) is VERSE_NUMBER
    True
    >>> bool(verse_numbers(["so\t5", "and so", "it is\t10", "so\t15", "down\t5", "well\t10"]))
    True

    Behind a single blank, ten such numbers are enough.

    >>> close = verse_numbers(f"So it was {n if n % 5 == 0 else ''}" for n in range(1, 60))
    >>> close.sub("", "So it was 25")
    'So it was'
    """
    counted = [line for line in lines if DIGIT.search(line)]
    if _are_of_verses(VERSE_NUMBER, counted, FEWEST_OF_VERSES):
        return VERSE_NUMBER
    ends = [
        line for line in counted if NUMBER_LAST.search(line) and not HEADING.match(line.strip())
    ]
    verses = [line for line in ends if CLOSE_VERSE_NUMBER.search(line)]
    brief = sum(line.strip().count(" ") < FEWEST_BLANKS for line in verses)
    are_all = len(verses) - brief >= SHARE_OF_COUNTS * len(ends)
    is_close = are_all and _are_of_verses(CLOSE_VERSE_NUMBER, verses, FEWEST_CLOSE)
    return CLOSE_VERSE_NUMBER if is_close else None


def _are_of_verses(pattern: re.Pattern[str], lines: Iterable[str], fewest: int) -> bool:
    """Return True if the numbers that a pattern finds grow by five or by ten."""
    matches = (pattern.search(line) for line in lines)
    numbers = [int(match[1] or match[match.re.groups]) for match in matches if match is not None]
    steps = [b - a for a, b in itertools.pairwise(numbers) if b > a or b > STEPS_OF_VERSES[-1]]
    step, count = Counter(steps).most_common(1)[0] if steps else (0, 0)
    are_steps = count >= SHARE_OF_COUNTS * len(steps) and step in STEPS_OF_VERSES
    return are_steps and len(numbers) >= fewest and not any(n % step for n in numbers)


def counts_between(lines: Sequence[str]) -> frozenset[str]:
    """Return the forms of lines that count slides, pages or stanzas, with other lines between.

    >>> counts_between(["Slide 1", "So it was.", "Slide 2", "Well.", "Slide 3", "Thanks."])
    frozenset({'slide 0'})
    """
    numbers: dict[str, dict[int, int]] = {}
    for n, line in enumerate(filter(str.strip, lines)):
        if (counted := counted_form(line)) is not None:
            form, number = counted
            numbers.setdefault(form, {})[n] = number
    return frozenset(
        form for form, places in numbers.items()
        if len(places) >= FEWEST_NUMBERS and min(places.values()) <= FEWEST_NUMBERS
        and _are_many(b == a + 1 for a, b in itertools.pairwise(places.values()))
        and _are_many(b > a + 1 for a, b in itertools.pairwise(places))
    )  # fmt: skip


def _are_many(are_so: Iterable[bool]) -> bool:
    steps = list(are_so)
    return sum(steps) >= SHARE_OF_COUNTS * len(steps)


def counted_form(line: str) -> tuple[str, int] | None:
    """Return the form of a line that only counts, with 0 for the number, and the number.

    >>> counted_form("III."), counted_form("■P-02"), counted_form("Slide 3: so")
    (('i', 3), ('■p-0', 2), ('slide 0', 3))
    """
    may_count = len(line) <= LONGEST_TITLE and (DIGIT.search(line) or line.strip(" \t.)").isupper())
    match = COUNTED_LINE.match(line) if may_count else None
    if match is None or (match["title"] and not match["word"]):
        head = RUNNING_HEAD.match(line) if may_count else None
        if head is None:
            return None
        return f"{head['title']}  0", int(head["number"])
    number, before = match["number"], match["before"].lstrip().casefold()
    if not number.isdigit():
        return f"{before}i", _value_of_roman(number)
    return f"{before}0{match['after'] or ''}", int(number)


def _value_of_roman(number: str) -> int:
    """Return the value of a Roman number.

    >>> [_value_of_roman(number) for number in ("III", "IV", "IX", "XL")]
    [3, 4, 9, 40]
    """
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in number]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def is_of_chords(line: str) -> bool:
    """Return True for a line of chords, or of a string of a guitar.

    >>> is_of_chords("Am  F/C  G7"), is_of_chords("|: C | G :|"), is_of_chords("Am Abend")
    (True, True, False)
    """
    words = line.split()
    chords = sum(CHORD.match(word) is not None for word in words)
    are_all = chords > 0 and chords + sum(word in BETWEEN_CHORDS for word in words) == len(words)
    return are_all or ("|" in line and STRINGS.match(line) is not None)


def have_chords(lines: Sequence[str]) -> bool:
    """Return True if a text has several lines of chords, or chords in brackets inside lines."""
    chords = [line for line in lines if line.strip() and is_of_chords(line)]
    several = sum(len(line.split()) > 1 or "|" in line for line in chords)
    if len(chords) >= FEWEST_NUMBERS and 2 * several >= len(chords):
        return True
    inside = [name for line in lines if "[" in line for name in CHORD_INSIDE.findall(line)]
    return len(inside) >= FEWEST_NUMBERS and all(map(CHORD.match, inside))


def headings_in(lines: Iterable[str]) -> list[str]:
    """Return the lines that are headings of plays, scripts and songs."""
    return [
        line for line in lines
        if (line[:1].isupper() or line[:1] in BEGINS_OF_PARTS or line[:1].isdigit())
        and HEADING.match(line)
    ]  # fmt: skip
