"""Directions inside texts: what a person does or what is heard, in brackets or between asterisks.

A sound is a direction anywhere: ``so (laughs) it is``. Any other must be between sentences, ``Come
in. *opens the door* Sit down.``, and must not be one. What may be said is none: ``*really*``, ``(as
I told you)``, ``[Name]``. Directions inside texts are read as words, and a note counts them. Those
in square brackets, and sounds in others, are no words where several turns, lines of a plain text,
or rows of a table or of JSON have some.
"""

from __future__ import annotations

from formats.reading.speakers import is_label, is_sound
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

WITHIN = lazy_pattern(
    r"\((?P<round>[^()]{2,400})\)|（(?P<wide>[^（）]{1,60})）|\[(?P<square>[^\[\]]{2,400})\]"
    r"|(?<![\w*])\*(?P<starred>(?=[^\s*])[^*]{2,200}(?<=\S))\*(?![\w*])"
)
"""A part of a turn that may be a direction."""
SIGNS = frozenset("([*（")
STARTS, AFTER_ENDS = frozenset(".?!…:;—–-。？！"), "\"'”’»)]* "
"""Signs of the end of a sentence, and what may follow them."""
BEFORE_STARTS = "\"'“‘«([*-–—… "
"""What may stand before the first letter of a sentence."""
PERSONAL = lazy_pattern(
    r"(?i)(?<![\w'’])(?:I|me|my|mine|we|us|our|ours|you|your|yours|let['’]s|please|yes|no|okay|"
    r"thanks?|hello)(?![\w-])"
)
"""Words of speech that descriptions do not have."""
DOING = lazy_pattern(r"(?i)[a-z]{2,20}(?:[a-rtv-z]s|ing|ed|ly)\b")
"""A word that tells what somebody does, or how: ``nods``, ``laughing``, ``softly``."""
NO_DOING = frozenset(
    (
        *("always", "perhaps", "really", "exactly", "absolutely", "definitely", "probably"),
        *("actually", "literally", "anything", "something", "nothing", "everything", "morning"),
    )
)
WHO = frozenset(("He", "She", "They", "It", "The", "A", "An", "Both", "All", "Everyone", "Someone"))
"""The first words of a description that is a sentence."""
MANY = frozenset(
    ("crowd", "audience", "everyone", "everybody", "all", "group", "students", "children")
)
"""The first word of a description of what many do, who may shout: ``(CROWD chanting So!)``."""
TO_WHOM = frozenset(("to", "on", "off", "into", "from", "over"))
"""The first words of a description with names: ``(to Ann)``."""
SHORTEST = 4
"""The fewest letters of a word that tells more than ``the`` or ``and``."""
STILL = lazy_pattern(
    r"(?i)(?:[^.]{0,40} )?(?:asides?|aparte|beiseite|within|pauses?|pausa|silence|stille|beat"
    r"|break|noises?|sounds?"
    r"|off[ -]mi[ck]e?|off[ -]?screen|voice[ -]?over|v\.?o\.?|o\.?s\.?|cont['’]?d|continued"
    r"|operator instructions?)\.?\Z"
)
"""A direction that is no verb: ``long pause``, ``brief silence``, ``off-mike``."""
SQUARE = lazy_pattern(r"[ \t]?\[([^\[\]\n]{2,1000})\][ \t]?")
QUOTED = lazy_pattern(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”")
FEWEST_SQUARE, SHARE_OF_SQUARE, FEWEST_WORDS = 3, 0.6, 3
"""A part in square brackets, what it quotes, the fewest of them that are directions, their least
share of such parts, and the fewest words of other parts that are then directions, too."""
OF_SOUNDS, FEWEST_SOUNDS, MOST_OF_SOUND, MOST_AT_SOUND = "(（*", 3, 4, 12
"""The signs besides square brackets in which sounds are, the fewest sounds, and their words; and
the words of a part that begins or ends with a sound: ``(applause from the left of the hall)``.
"""
CLOSING = ",.;:?!…"
"""What follows a word without a blank."""
UNSPACED = lazy_pattern(r"[\u2e80-\u9fff\uff00-\uffef]{2}")
"""The sign before and behind a part in a script without blanks."""
OF_CODE = frozenset('{}"=\\|/<>')


def directions_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the directions in a text.

    >>> text = "So (laughs) it is. *opens the door* Come in, *really* [as I said]."
    >>> [direction[0] for direction in directions_in(text)]
    ['(laughs)', '*opens the door*']
    """
    if SIGNS.isdisjoint(text):
        return
    spoken, position = "", 0
    for match in WITHIN.finditer(text):
        spoken += text[position : match.start()]
        position = match.end()
        if _is_direction(match, spoken):
            yield match
        else:
            spoken += match[0]


def have_directions(texts: Iterable[str]) -> str:
    """Return the signs that begin the parts of texts which are no words; empty if there are none.

    Of square brackets most are directions, and several; of others, several are sounds.

    >>> have_directions(["So [laughs] it is.", "[opens the door] Come in.", "No. [he waits]"])
    '['
    >>> have_directions(["So (laughs) it is.", "Come in. (Laughter.)", "No. *sighs* Well."])
    '(（*'
    >>> have_directions(["The road [to Bern] is long, [sic] and the river [Aare] is [very] cold."])
    ''
    """
    count = total = sounds = 0
    for text in texts:
        if SIGNS.isdisjoint(text):
            continue
        total += len(SQUARE.findall(text)) if "[" in text else 0
        for match in directions_in(text):
            if match[0][0] != "[":
                sounds += _has_sound(match)
            elif ":" not in match[0]:
                count += 1  # ``[Slide: a map]`` is a cue
        count += text.count("[_")
    are_directions = count >= max(FEWEST_SQUARE, SHARE_OF_SQUARE * total)
    return ("[" if are_directions else "") + (OF_SOUNDS if sounds >= FEWEST_SOUNDS else "")


def _has_sound(match: re.Match[str]) -> bool:
    """Return True for a part of a few words of which one is the name of a sound.

    The first or the last of several words may be one.
    """
    words = match[match.lastgroup or 0].split()
    if len(words) <= MOST_OF_SOUND:
        return any(map(is_sound, words))
    return len(words) <= MOST_AT_SOUND and (is_sound(words[0]) or is_sound(words[-1]))


def without_directions(text: str, signs: str = "[") -> tuple[str, list[str]]:
    """Return a text without its directions, and these; `signs` is what `have_directions` returns.

    In square brackets, these are what is surely a direction, what is emphasised, and other parts of
    several words that nobody says; in other signs, sounds.

    >>> without_directions("So [laughs] it is. [Ann opens the door of the hall] Come in, [Ben].")
    ('So it is. Come in, [Ben].', ['[laughs]', '[Ann opens the door of the hall]'])
    >>> without_directions("So it is. (Beifall bei der einen und der anderen Seite) Ja.", "(（*")
    ('So it is. Ja.', ['(Beifall bei der einen und der anderen Seite)'])
    >>> without_directions("So (laughs), it is (as I said).", "(（*")
    ('So, it is (as I said).', ['(laughs)'])
    """
    if not any(sign in text for sign in signs):
        return text, []
    directions = [*directions_in(text)]
    sure = {match.start(match.lastgroup or 0) for match in directions}
    squares = SQUARE.finditer(text) if "[" in signs else ()
    spans = [match.span() for match in squares if match.start(1) in sure or _is_unsaid(match[1])]
    sounds = [
        match.span()
        for match in directions
        if match[0][0] in signs.removeprefix("[") and _has_sound(match)
    ]
    spans = [(a, b) for a, b in spans if ":" not in QUOTED.sub("", text[a:b])] + sounds
    plain, position, removed = "", 0, list[str]()
    for begin, end in sorted(spans):
        end += len(behind := text[end : end + 3]) - len(behind.lstrip(" \t"))
        before, after = text[position:begin].rstrip(" \t"), text[end : end + 1]
        is_joined = after in CLOSING or UNSPACED.match(before[-1:] + after) is not None
        plain += before + ("" if is_joined or not before else " ")
        removed.append(text[begin:end].strip())
        position = end
    return ((plain + text[position:]).strip(), removed) if removed else (text, removed)


def _is_unsaid(part: str) -> bool:
    """Return True for a part that is emphasised, or of several words of which nobody says any."""
    plain = QUOTED.sub("", part)
    is_long = len(plain.split()) >= FEWEST_WORDS and PERSONAL.search(plain) is None
    return part[0] == "_" or (is_long and OF_CODE.isdisjoint(plain))


def _is_direction(match: re.Match[str], before: str) -> bool:
    """Return True for a part in signs that is a sound, or a description between sentences."""
    kind = match.lastgroup or ""
    part = match[kind].strip("_ ")
    after = match.string[match.end() :]
    if not part or after[:1] == "(":
        return False  # a link of Markdown
    if is_sound(part) and (" " not in part or kind == "square"):
        return True
    above, after = before.rstrip(AFTER_ENDS), after.lstrip()
    first = after[:1] if after[:1] in SIGNS else after.lstrip(BEFORE_STARTS)[:1]
    is_before_word = first.islower() and (above != "" or not _is_doing(part.partition(" ")[0]))
    return (
        not is_before_word and (above == "" or above[-1] in STARTS)
        and _describes(part, is_starred=kind == "starred")
    )  # fmt: skip


def _describes(part: str, *, is_starred: bool) -> bool:
    """Return True unless a part may be said, be a name or stand for one, or be code or a number."""
    words = part.split()
    first = words[0].rstrip(".,")
    if part[0].upper() == part[0].lower() or not OF_CODE.isdisjoint(part):
        return False
    if len(words) > 1 and first.lower() in MANY and _is_doing(words[1]):
        return True
    if part[-1] in "?!”" or PERSONAL.search(part):
        return False
    if is_starred and part[-1] == "." and not (_is_doing(first) or first in WHO):
        return False
    if STILL.match(part) or any(map(is_sound, words)) or first.lower() in TO_WHOM:
        return True
    if len(words) == 1 or all(word[0].isupper() or len(word) < SHORTEST for word in words):
        is_verb = any(map(_is_doing, words)) and first.isalpha() and not part.isupper()
        is_small = first.islower() and first.isalpha() and len(first) >= SHORTEST
        return (is_verb or (is_small and not is_starred)) and not is_label(part)
    return True


def _is_doing(word: str) -> bool:
    """Return True for a word with the ending of a verb or an adverb."""
    return DOING.match(word) is not None and word.lower() not in NO_DOING
