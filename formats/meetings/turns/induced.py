"""Layouts that the lines of a text give, because nearly all have the same signs around a time.

The table of `formats.meetings.layouts` has the layouts whose signs need a rule of their own. For
any other signs, as in ``{0:12} text``, ``• 0:12 • text`` or ``Ann / 0:12 / text``, the pattern is
derived from the lines: if most lines have the same signs before, between and after the times, these
signs become literal text of the pattern.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from formats.reading.member_names import field_role
from formats.reading.patterns import CLOCK, FRAMES, MILLIS, TENTHS
from formats.reading.speakers import is_label, is_name
from formats.schema import NamedTuple, lazy_pattern

MOST_SIGNS = 4
LEAST, SHARE = 3, 0.8
"""The fewest lines with the same signs, and their least share of all lines with a time."""
RETURNING = 2
TIME = rf"(?:{MILLIS}|{FRAMES}|{TENTHS}|{CLOCK})(?![0-9]|:[0-9])"
NO_SIGN = r"\w\s\"'“”‘’«»¿¡♪.…!?&$"
"""What begins a text, not a sign around a time."""
SIGNS = rf"[ \t]{{0,8}}(?:[^{NO_SIGN}(\[{{{{<]{{1,{MOST_SIGNS}}}[ \t]{{0,8}})?"
OPENING = rf"[ \t]{{0,8}}(?:[^{NO_SIGN}]{{1,{MOST_SIGNS}}}[ \t]{{0,8}})?"
NAME = r"[^\W\d_](?:[^\n:\[\](){}<>|;/0-9]{0,38}[^\W_])?(?:[ ]?[0-9]{1,3})?"
LINE = lazy_pattern(
    rf"(?P<before>{OPENING})(?:(?P<name>{NAME})(?P<sign>{OPENING}))?(?<![0-9:.,])(?P<start>{TIME})"
    rf"(?:(?P<between>[ \t]{{0,8}}(?:[^\w\s]{{1,{MOST_SIGNS}}}|to|bis|a)?[ \t]{{0,8}})"
    rf"(?P<end>{TIME}))?"
    rf"(?P<after>(?:[ ]?(?:min(?:ute)?s?|sec(?:ond)?s?|hours?)\b)?{SIGNS})"
)
"""A line that begins with a time, or with a name and a time."""
BEHIND = lazy_pattern(rf"({NAME})([ \t]{{0,8}}[^{NO_SIGN},;-]{{1,2}}[ \t]{{1,8}})")
"""A name and a sign behind a time."""
BLANKS = lazy_pattern(r"[ \t]{1,30}")


class StampSigns(NamedTuple):
    """The signs around the name and the times of a line.

    `sign` is after the name, and `between` is between start and end. `None` means that the line has
    no name or no end.
    """

    before: str
    sign: str | None
    between: str | None
    after: str

    @property
    def has_signs(self) -> bool:
        """True if there are signs other than blanks around the times."""
        return any(part and not part.isspace() for part in self)

    @property
    def pattern(self) -> str:
        """The signs in the syntax of patterns, with fields for the name and the times."""
        name = "" if self.sign is None else f"{{speaker}}{self.sign}"
        end = "" if self.between is None else f"{self.between}{{end clock}}"
        return f"{self.before}{name}{{start clock}}{end}{self.after}"


IN_BRACKETS = StampSigns("[", None, None, "]")


def induced_patterns(lines: Iterable[str]) -> Iterator[str]:
    """Yield patterns that fit at least four of five lines with a time, the most exact first.

    >>> list(induced_patterns(["{0:01} so", "{0:05} well", "{0:09} then"]))
    ['{{start clock}}{? {text}?}']
    >>> list(induced_patterns(["0:01 / Ann / so", "0:05 / Bob / well", "0:09 / Ann / then",
    ...                        "0:12 / Bob / no"]))[0]
    '{start clock} / {speaker} / {text}'
    """
    matches: dict[StampSigns, list[re.Match[str]]] = {}
    for line in lines:
        if (match := LINE.match(line)) is not None:
            matches.setdefault(_shape(match), []).append(match)
    if not matches:
        return
    shape = max(matches, key=lambda shape: len(matches[shape]))
    fitting = matches[shape]
    if len(fitting) < max(LEAST, SHARE * sum(map(len, matches.values()))) or not shape.has_signs:
        return
    names = [match["name"] for match in fitting]
    is_field = shape.sign is not None and field_role(names[0]) == "start" and len(set(names)) == 1
    if shape.sign is not None and not is_field and not _do_return(names):
        return
    pattern = shape.pattern.replace("{speaker}", names[0]) if is_field else shape.pattern
    if shape.sign is None:
        named = [BEHIND.match(match.string, match.end()) for match in fitting]
        signs = Counter(_blanks(name[2]) for name in named if name is not None)
        sign, count = signs.most_common(1)[0] if signs else ("", 0)
        names = [name[1] for name in named if name is not None and _blanks(name[2]) == sign]
        if count >= SHARE * len(fitting) and _do_return(names):
            yield f"{shape.pattern} {{speaker}}{sign}{{text}}"
    if shape == IN_BRACKETS:
        return  # as times inside paragraphs, which end turns
    is_close = sum(
        match.end() < len(match.string) and match["after"][-1:] > " " for match in fitting
    )
    yield pattern + ("{text}" if 2 * is_close > len(fitting) else "{? {text}?}")


def _shape(match: re.Match[str]) -> StampSigns:
    """Return the signs in a line, without outer blanks."""
    sign, between = match["sign"], match["between"]
    return StampSigns(
        _blanks(match["before"]).lstrip(),
        None if sign is None else _blanks(sign),
        None if between is None else _blanks(between),
        _blanks(match["after"]).rstrip(),
    )


def _do_return(names: list[str]) -> bool:
    """Return True if all texts are names, several repeat, and each occurs twice on average."""
    counts = Counter(names)
    are_names = all(is_name(name) or is_label(name) for name in counts)
    returning = sum(count > 1 for count in counts.values())
    return are_names and returning >= RETURNING and 2 * len(counts) <= len(names)


def _blanks(signs: str) -> str:
    """Replace each run of blanks in the signs by a single blank."""
    return BLANKS.sub(" ", signs)
