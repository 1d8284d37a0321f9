"""Directions inside texts: what a person does or what is heard, in brackets or between asterisks.

A sound is a direction anywhere: ``so (laughs) it is``. Any other must be between sentences, ``Come
in. *opens the door* Sit down.``, and must not be one. What may be said is none: ``*really*``, ``(as
I told you)``, ``[Name]``. Directions inside texts are read as words, and a note counts them. Only
those in square brackets are no words, where several turns, or lines of a plain text, have some.
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


def have_directions(texts: Iterable[str]) -> bool:
    """Return True if most parts of texts in square brackets, and several, are directions.

    >>> have_directions(["So [laughs] it is.", "[opens the door] Come in.", "No. [he waits]"])
    True
    >>> have_directions(["The road [to Bern] is long, [sic] and the river [Aare] is [very] cold."])
    False
    """
    count = total = 0
    for text in texts:
        if "[" in text:
            total += len(SQUARE.findall(text))
            squares = (m[0] for m in directions_in(text) if m[0][0] == "[")
            count += sum(":" not in part for part in squares)  # ``[Slide: a map]`` is a cue
            count += text.count("[_")
    return count >= max(FEWEST_SQUARE, SHARE_OF_SQUARE * total)


def without_directions(text: str) -> tuple[str, list[str]]:
    """Return a text without the directions in square brackets, and these, where texts have some.

    Such are what is surely one, what is emphasised, and other parts of several words that nobody
    says.

    >>> without_directions("So [laughs] it is. [Ann opens the door of the hall] Come in, [Ben].")
    ('So it is. Come in, [Ben].', ['[laughs]', '[Ann opens the door of the hall]'])
    """
    if "[" not in text:
        return text, []
    sure = {match.start(match.lastgroup or 0) for match in directions_in(text)}
    left: list[str] = []

    def kept(match: re.Match[str]) -> str:
        part = QUOTED.sub("", match[1])
        is_long = len(part.split()) >= FEWEST_WORDS and PERSONAL.search(part) is None
        is_long = is_long and OF_CODE.isdisjoint(part)
        if ":" in part or (match.start(1) not in sure and match[1][0] != "_" and not is_long):
            return match[0]
        left.append(match[0].strip())
        return " "

    plain = SQUARE.sub(kept, text)
    return (plain.strip(), left) if left else (text, left)


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
