"""Names of speakers inside lines: ``Agent: so it is. Caller: no.`` in a line or a cell.

`names_inside` decides whether the lines of a text, or the texts of a table or of JSON, have such
names; `names_of_talks` decides it for texts that are each a talk. `NamesInside.divided` puts a line
end before each of the names, so that a reader of text finds them where it expects them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from formats.reading.patterns import TITLE_OF_MEMBER
from formats.reading.speakers import (
    LONGEST_TEXT,
    SPEAKER_WORDS,
    common_prefix,
    is_label,
    is_name,
    split_name,
)
from formats.schema import lazy_pattern
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

BETWEEN = r"(?:\A[ \t]{0,9}|(?:[ ]?(?:\|{1,2}|//|<br ?/?>)[ ]?|[ ]))"
"""The beginning of a text, or what is between two turns in one line."""
LABEL_INSIDE = lazy_pattern(
    rf"{BETWEEN}(?P<name>(?i:{SPEAKER_WORDS})[ _-]?[0-9]{{1,3}}(?=:[ ])"
    rf"|\[(?i:{SPEAKER_WORDS})[ _-]?[0-9]{{1,3}}\](?=:?[ ]))"
)
"""A generic name before a colon or in brackets."""
ROLE_WORDS = (
    "user|assistant|human|gpt|chatgpt|ai|bot|chatbot|system|customer|agent|client|therapist|patient"
    "|doctor|teacher|student|interviewer|interviewee|caller|operator|q|a"
)
ROLE_INSIDE = lazy_pattern(rf"{BETWEEN}(?P<name>(?i:{ROLE_WORDS}))(?=:[ ])")
"""A role in a chat before a colon."""
CAPITAL = r"[A-Z\u00c0-\u00de\u0410-\u042f]"
PERSON_INSIDE = lazy_pattern(
    rf"(?:{BETWEEN}|(?<=[a-z)][.?!…])|(?<=[.?!…][.?!…]))"
    r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\.[ ])?(?:[A-Z]\.[ ])?"
    rf"{CAPITAL}[\w'’-]{{0,30}}"
    r"(?:[ ][A-Z0-9\u00c0-\u00de\u0410-\u042f][\w'’-]{0,30}){0,2})(?=:[ ])"
)
"""One to three words with capitals before a colon."""
TITLE_BEFORE = lazy_pattern(
    r"(?:[A-Z]|Dr|Mrs?|Ms|Prof|Hon|Rev|Sen|Rep|Gov|Gen|Col|Capt|Maj|Lt|Sgt|Pres|Se?c|Amb|Sra?|St"
    r"|Mme|Mlle|Dra)\.\Z"
)
ENDS_OF_TURNS = frozenset('.?!…)]"”»')
"""A title or an initial before a name, and signs at the end of the turn before a name."""
NAME_INSIDE = lazy_pattern(
    rf"{BETWEEN}(?P<name>(?:{TITLE_OF_MEMBER})?{CAPITAL}[A-Z\u00c0-\u00de\u0410-\u042f.'’-]{{1,30}}"
    r"(?:[ ](?:(?:DE|DEL|LA|Y|I|de|del|la|y|i|da|dos)[ ])?"
    rf"{CAPITAL}[A-Z\u00c0-\u00de\u0410-\u042f.'’-]{{1,30}}){{0,4}})"
    r"(?:[ ]\([^()\n]{1,80}\))?(?=:[ ])"
)
"""A name in capitals, perhaps with a title before it."""
BOLD_INSIDE = lazy_pattern(
    rf"(?:[ ]?-{{3,9}}[ ]?|{BETWEEN}|(?<=[.?!…)\]\"”»]))"
    r"(?P<name>(?P<sign>\*\*|__)[^\W\d_][^*_:\n]{0,40}(?::(?P=sign)|(?P=sign):?))(?=[ ]?\S)"
)
"""A name in bold, with or without a colon, perhaps behind a rule."""
FEWEST_LABELS, FEWEST_ROLES, FEWEST_PERSONS, FEWEST_IN_CAPITALS = 3, 2, 3, 8
"""The fewest names of each kind inside lines."""
FEWEST_NAMES, MOST_CAST = 2, 12
"""The fewest names that return, and the most different ones."""
FEWEST_OF_TALK, FEWEST_WITHIN = 3, 10
"""The fewest turns in a line that is a talk, and in one that begins with other words."""
MOST_WITH_CAPITALS, LONG_LINE = 3, 400
"""The most lines of a text that has all its turns in one, and characters for such a line."""
NEARLY_ALL = 0.9
SAMPLE = 3000
"""Lines by which the names are looked for."""


class NamesInside(NamedFields):
    """The names that begin turns inside texts.

    `pattern` has the group ``name``. With `names`, only these begin turns; with `is_ended`, only
    behind the end of a sentence or a sign between turns.
    """

    pattern: re.Pattern[str]
    names: frozenset[str] | None = None
    is_ended: bool = False

    def divided(self, text: str) -> str:
        r"""Return a text with a line end before each name inside it.

        >>> texts = ["Citizen: The lamp is out. Executive: Noted.", "Citizen: So. Executive: No."]
        >>> names_inside([*texts, *texts]).divided(texts[0])
        'Citizen: The lamp is out.\nExecutive: Noted.'
        """
        return self.pattern.sub(self._divided, text) if _may_have_names(text) else text

    def _divided(self, match: re.Match[str]) -> str:
        """Return a name with a line end in place of what is before it; another text as it is."""
        is_known = self.names is None or match["name"] in self.names
        is_inside = _is_inside(match)
        if not is_known or (is_inside and self.is_ended and not _is_ended(match)):
            return match[0]
        name = match["name"]
        if name[0] in "*_":  # one form for all names in bold
            name = f"**{name.strip('*_: ')}:**"
        return f"\n{name}" if is_inside else name


def _is_inside(match: re.Match[str]) -> bool:
    """Return True if there is text before a name."""
    return bool(match.string[: match.start("name")].strip())


def _is_ended(match: re.Match[str]) -> bool:
    """Return True if a name is behind the end of a sentence or a sign between turns."""
    between = match.string[match.start() : match.start("name")]
    if between.strip():
        return True
    before = match.string[: match.start()].rstrip()
    return before[-1:] in ENDS_OF_TURNS and not TITLE_BEFORE.match(before[before.rfind(" ") + 1 :])


def names_inside(texts: Sequence[str]) -> NamesInside | None:
    """Return the names that begin turns inside the lines of a text, or in several texts together.

    >>> bool(names_inside(["Ann: so? Bob: no. Ann: Well. Bob: Yes."]))
    True
    >>> bool(names_inside(["Ann: a list: one", "Bob: two", "Ann: so"]))
    False
    """
    sample = [text.strip() for text in texts[:SAMPLE] if _may_have_names(text)]
    first = next((text.strip() for text in texts if text.strip()), "")
    if not sample:
        return None
    return (
        _roles_inside(sample, first)
        or _persons_inside(sample, first)
        or _capitals_inside([text for text in texts if text.strip()], first)
        or _labels_inside(sample, first)
        or _bold_inside(sample, first)
    )


def _may_have_names(text: str) -> bool:
    """Return True if a text has one of the signs that are behind names."""
    return ":" in text or "]" in text or "**" in text or "__" in text


def _labels_inside(sample: Sequence[str], first: str) -> NamesInside | None:
    """Return the generic names inside lines, if several are, and the text begins with one."""
    if not LABEL_INSIDE.match(first):
        return None
    labels = [match for line in sample for match in LABEL_INSIDE.finditer(line)]
    inside = sum(map(_is_inside, labels))
    is_enough = inside >= FEWEST_LABELS or (
        len(labels) >= FEWEST_LABELS and 2 * inside >= len(labels)
    )
    are_several = len({match["name"] for match in labels}) >= FEWEST_NAMES
    return NamesInside(LABEL_INSIDE) if is_enough and are_several else None


def _roles_inside(sample: Sequence[str], first: str) -> NamesInside | None:
    """Return the roles of a chat that begin turns inside lines, if several do.

    The text begins with one of them, and most are inside lines: ``User: so. Assistant: no.``
    """
    if ROLE_INSIDE.match(first) is None:
        return None
    roles = [match for line in sample for match in ROLE_INSIDE.finditer(line)]
    inside = sum(map(_is_inside, roles))
    begun = sum(ROLE_INSIDE.match(line) is not None for line in sample)
    is_enough = (
        len({match["name"].casefold() for match in roles}) >= FEWEST_NAMES
        and begun >= NEARLY_ALL * len(sample)
        and inside >= FEWEST_ROLES
        and 2 * inside >= len(roles)
    )
    return NamesInside(ROLE_INSIDE) if is_enough else None


def _persons_inside(sample: Sequence[str], first: str) -> NamesInside | None:
    """Return names inside lines, if at least two that return are behind sentences.

    The text begins with such a name, and at least as many names are inside lines as before them.
    """
    if PERSON_INSIDE.match(first) is None:
        return None
    begins = Counter(match["name"] for line in sample if (match := PERSON_INSIDE.match(line)))
    if begins.total() < NEARLY_ALL * len(sample):
        return None
    inside = Counter(match["name"] for match in _inside(PERSON_INSIDE, sample) if _is_ended(match))
    counts = begins + inside
    names = [name for name in inside if counts[name] > 1]
    returning = sum(count > 1 for count in counts.values())
    are_few = returning >= FEWEST_NAMES and len(counts) <= MOST_CAST
    total = sum(map(inside.__getitem__, names))
    if not are_few or total < max(FEWEST_PERSONS, begins.total()):
        return None
    are_names = len(names) == len(inside) and all(map(is_name, names))
    return NamesInside(PERSON_INSIDE, frozenset(counts), is_ended=True) if are_names else None


def _capitals_inside(filled: Sequence[str], first: str) -> NamesInside | None:
    """Return names in capitals inside a text of very few lines that begins with such a name.

    Two names return, and nearly all are behind the end of a sentence or a bracket.
    """
    is_long = any(len(line) > LONG_LINE for line in filled)
    if len(filled) > MOST_WITH_CAPITALS or not is_long or not NAME_INSIDE.match(first):
        return None
    names = [match for line in filled for match in NAME_INSIDE.finditer(line)]
    counts = Counter(match["name"] for match in names)
    inside = [match for match in names if _is_inside(match)]
    is_enough = len(names) >= FEWEST_IN_CAPITALS and sum(n > 1 for n in counts.values()) > 1
    is_ended = sum(map(_is_ended, inside)) >= NEARLY_ALL * len(inside)
    return NamesInside(NAME_INSIDE) if is_enough and is_ended else None


def _bold_inside(sample: Sequence[str], first: str) -> NamesInside | None:
    """Return names in bold inside lines, if nearly all that is bold is a name that returns.

    The lines begin with such a name: ``**Ann** so. **Ben** no.``.

    >>> bold = _bold_inside(["**Ann** So? **Ben** No. **Ann:** Well. **Ben:** Yes."], "**Ann** So?")
    >>> bold.divided("**Ann** So? **Ben** No.").splitlines()
    ['**Ann:** So?', '**Ben:** No.']
    """
    if BOLD_INSIDE.match(first) is None:
        return None
    bold = [
        match for line in sample for match in BOLD_INSIDE.finditer(line)
        if not _is_inside(match) or _is_ended(match)
    ]  # fmt: skip
    inside = sum(map(_is_inside, bold))
    begun = sum(BOLD_INSIDE.match(line) is not None for line in sample)
    counts = Counter(match["name"].strip("*_: ") for match in bold)
    again = {name for name, n in counts.items() if n > 1 and (is_name(name) or is_label(name))}
    are_names = sum(map(counts.__getitem__, again)) >= NEARLY_ALL * len(bold)
    if len(again) < FEWEST_NAMES or not are_names or begun < NEARLY_ALL * len(sample):
        return None
    if inside < max(FEWEST_PERSONS, begun / 2):
        return None
    forms = {match["name"] for match in bold if match["name"].strip("*_: ") in again}
    return NamesInside(BOLD_INSIDE, frozenset(forms), is_ended=True)


def _inside(pattern: re.Pattern[str], lines: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the names that are behind other words of a line."""
    return (match for line in lines for match in pattern.finditer(line) if _is_inside(match))


def names_of_talks(texts: Sequence[str], parties: frozenset[str]) -> NamesInside | None:
    """Return the names inside texts of one line, if a name returns in one of these.

    Names that return in all texts, those in such texts, and `parties`, begin turns.

    >>> texts = ["Ann: Is it late? Bob: No. Ann: So.", "Cy: Are you in? Di: Yes. Cy: Well."]
    >>> names_of_talks(texts, frozenset()).divided(texts[1]).splitlines()
    ['Cy: Are you in?', 'Di: Yes.', 'Cy: Well.']
    """
    talks = [
        [
            match for match in PERSON_INSIDE.finditer(text[:LONGEST_TEXT].strip())
            if not _is_inside(match) or _is_ended(match)
        ]
        for text in texts
    ]  # fmt: skip
    are_of_parties = all(
        match["name"].lower() in parties or is_label(match["name"])
        for talk in talks for match in talk
    )  # fmt: skip
    if not any(
        _is_talk(talk, FEWEST_OF_TALK if are_of_parties else FEWEST_WITHIN) for talk in talks
    ):
        return None
    counts = Counter(match["name"] for talk in talks for match in talk)
    begun = (talk for talk in talks if talk and not _is_inside(talk[0]) and _is_talk(talk))
    of_talks = {match["name"] for talk in begun for match in talk}
    known = (
        name for name, count in counts.items()
        if count > 1 or name in of_talks or name.lower() in parties or is_label(name)
    )  # fmt: skip
    return NamesInside(PERSON_INSIDE, frozenset(known), is_ended=True)


def _is_talk(talk: Sequence[re.Match[str]], fewest: int = FEWEST_WITHIN) -> bool:
    """Return True if a text has these names of a talk, and begins with one.

    A text with at least `fewest` names may begin with other words if two names return.
    """
    counts = Counter(match["name"] for match in talk)
    if len(talk) < FEWEST_OF_TALK or max(counts.values()) < FEWEST_NAMES:
        return False
    least = FEWEST_OF_TALK if fewest == FEWEST_WITHIN else 1
    again = sum(count >= least for count in counts.values())
    return not _is_inside(talk[0]) or (again >= FEWEST_NAMES and len(talk) >= fewest)


def are_talks(texts: Sequence[str]) -> bool:
    r"""Return True if each of several texts has lines of two speakers, and the speakers return.

    >>> are_talks(["Ann: so\nBob: no", "Ann: well\nBob: yes"] * 2)
    True
    >>> are_talks(["Ann: so\nand so on", "Ann: well\nBob: yes"] * 2)
    False
    """
    talks = [[line for line in text.splitlines() if line.strip()] for text in texts]
    prefix = common_prefix([line for lines in talks for line in lines])
    if len(talks) < FEWEST_PERSONS or prefix is None:
        return False
    names = [{split_name(prefix.notation, line)[0] for line in lines} - {None} for lines in talks]
    counts = Counter(name for each in names for name in each)
    are_few = len(counts) <= MOST_CAST and min(counts.values()) > 1
    return are_few and sum(len(each) > 1 for each in names) >= NEARLY_ALL * len(talks)
