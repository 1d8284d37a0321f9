"""Rules of subtitle guides, each with its date, and detection of cues that break the rules.

Only limits with a confirmed source are listed; `docs/subtitle-rules.md` lists the sources. Because
files round times, a comparison of times tolerates a difference of `precision` nanoseconds.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from unicodedata import category

from formats.reading.lines import split_words
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import SECOND
from formats.subtitles.messages import LINT_LANGUAGE, LINT_RULES

if TYPE_CHECKING:
    from formats.reading.described_formats import Description

INVISIBLE = frozenset(("Cc", "Cf", "Me", "Mn"))
"""Categories of characters that take no place of their own: marks, controls, joiners."""
LARGEST_LIMIT = 1e6
DECIMALS = 3
# Decimals in texts; other values have `DECIMALS`.
SHOWN_DECIMALS = {"CPS": 1, "WPM": 0}
SHOWN_KINDS = ("segment", "event")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The limits of a guide at a certain date; `None` means that the guide has no such rule.

    `language` is the code of the language that the limits are for, if it is known. Durations and
    gaps are in seconds, `least_gap_frames` in frames of the video, `most_cps` in characters per
    second, `most_wpm` in words per minute.
    """

    name: str
    date: str
    language: str = ""
    most_cps: float | None = None
    most_wpm: float | None = None
    most_line_characters: float | None = None
    most_lines: float | None = None
    least_duration: float | None = None
    most_duration: float | None = None
    least_gap: float | None = None
    least_gap_frames: float | None = None
    may_touch: bool = False
    may_overlap: bool = False

    @property
    def title(self) -> str:
        """The name and the date of the guide, in the form that `--rules` accepts."""
        return f"{self.name}@{self.date}" if self.date else self.name

    @property
    def full_title(self) -> str:
        """The name and the date of the guide, and the language that its limits are for."""
        name = LANGUAGES.get(self.language, self.language)
        return f"{self.title} for {name}" if name else self.title


NETFLIX = RuleSet(
    name="netflix",
    date="2025-12",
    language="en",
    most_cps=20,
    most_line_characters=42,
    most_lines=2,
    least_duration=5 / 6,
    most_duration=7,
    least_gap_frames=2,
)
ARD_ZDF = RuleSet(
    name="ard-zdf",
    date="2015-03",
    language="de",
    most_cps=15,
    most_line_characters=37,
    most_lines=2,
    least_duration=1,
    least_gap_frames=1,
)
RULE_SETS = (
    NETFLIX,
    replace(NETFLIX, name="netflix-children", most_cps=17),
    replace(NETFLIX, name="netflix-sdh"),
    replace(NETFLIX, name="netflix-sdh-children", most_cps=17),
    RuleSet(
        name="bbc",
        date="2026-03",
        language="en",
        most_wpm=180,
        most_line_characters=37,
        most_lines=2,
        least_gap=1,
        may_touch=True,
        may_overlap=True,
    ),
    ARD_ZDF,
    replace(ARD_ZDF, name="ard-zdf-children", most_cps=11),
)
LANGUAGES = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ms": "Malay",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
}
"""Languages whose guides of Netflix count characters as `width` does."""
_SPEEDS = {
    name: dict.fromkeys(LANGUAGES, usual) | others
    for name, usual, others in (
        ("netflix", 17, {"en": 20, "ar": 20}),
        ("netflix-children", 13, {"en": 17, "ar": 17}),
        ("netflix-sdh", 20, {"ar": 23}),
        ("netflix-sdh-children", 17, {"ar": 20}),
    )
}
"""Characters per second of the guides of Netflix, by language."""


class ShownCue(NamedTuple):
    """A cue on the screen. Numbers begin at 1. `has_lines` means that the line breaks are known."""

    number: int
    line: int | None
    start_ns: int | None
    end_ns: int | None
    lines: tuple[str, ...]
    has_lines: bool = True

    @property
    def characters(self) -> int:
        """The number of visible characters and blanks in all lines."""
        return sum(map(width, self.lines))

    @property
    def words(self) -> int:
        """The number of words."""
        return len(split_words(" ".join(self.lines)))


class Breach(NamedTuple):
    """A violation of a rule by a cue. `value` and `limit` have the unit of the rule."""

    code: str
    cue: int
    line: int | None
    value: float | None
    limit: float | None
    message: str

    def record(self) -> dict[str, object]:
        """Return the violation as members of a JSON object."""
        return {**dict(zip(self._fields[:-1], self, strict=False)), "text": self.message}


def rules_named(text: str, language: str = "") -> RuleSet:
    """Return the rules that NAME@DATE, an unambiguous NAME, or @FILE means, for a language.

    Without `language`, the language is that of FILE, or that of the guide. Raise `OptionError` for
    any other text, and for a language without limits. `load_rules` describes FILE.
    """
    if text.startswith("@"):
        rules = load_rules(text[1:])
        return rules if language in ("", rules.language) else _no_limits(rules, language, ())
    matches = [rules for rules in RULE_SETS if text.lower() in (rules.name, rules.title)]
    if len(matches) == 1:
        return in_language(matches[0], language)
    names = [rules.title for rules in RULE_SETS]
    raise OptionError(value=Message(LINT_RULES, {"names": names, "text": text}))


def languages_of(rules: RuleSet) -> Sequence[str]:
    """Return the codes of the languages for which a guide of the table has limits."""
    return tuple(_SPEEDS.get(rules.name, (rules.language,)))


def in_language(rules: RuleSet, language: str) -> RuleSet:
    """Return the limits of a guide of the table for a language, or for its own."""
    code = language.lower().partition("-")[0]
    if code in ("", rules.language):
        return rules
    if code not in languages_of(rules):
        return _no_limits(rules, language, languages_of(rules))
    return replace(rules, language=code, most_cps=_SPEEDS[rules.name][code])


def _no_limits(rules: RuleSet, language: str, languages: Sequence[str]) -> NoReturn:
    """Raise the error that a guide has no limits for a language."""
    fields = {"guide": rules.title, "languages": languages or [rules.language or "none"]}
    raise OptionError(value=Message(LINT_LANGUAGE, {**fields, "language": language}))


def load_rules(path: str) -> RuleSet:
    """Return the rules in a TOML file.

    Its keys are the members of `RuleSet` with hyphens, such as ``most-cps = 17``; ``name`` is
    required. ``based-on`` names a guide whose limits for ``language``, or for English, apply where
    the file has no key; false instead of a number removes a limit.

    Raises
    ------
    FormatError: the file cannot be read, or ``FILE:line:column: expected …, found …``.
    """
    from formats.reading.described_formats import read_description

    description = read_description(path, "rules for subtitles in TOML")
    values = {key.replace("-", "_"): value for key, value in description.values.items()}
    name = str(values.pop("based_on", ""))
    names = {name: rules for rules in RULE_SETS for name in (rules.name, rules.title)}
    if name and name not in names:
        raise description.error("based_on", f"one of {', '.join(names)}", quoted(name))
    for key, value in values.items():
        _check_limit(description, key, value)
    if "name" not in values:
        raise description.error("", "the key name", "none")
    limits: dict[str, Any] = {
        key: None if value is False and _MEMBERS[key].type is not bool else value
        for key, value in values.items()
    }
    base = names.get(name, RuleSet(name="", date=""))
    language = limits.get("language", base.language)
    if name and language not in languages_of(base):
        expected = f"one of {', '.join(languages_of(base))}"
        raise description.error("language", expected, quoted(language))
    if name:
        base = in_language(base, language)
    return replace(base, **{"date": "", **limits})


def _check_limit(description: "Description", key: str, value: object) -> None:
    """Raise an error if a key in a file of rules is unknown, or its value has the wrong type."""
    from formats.reading.described_formats import kind_of

    if key not in _MEMBERS:
        raise description.unknown(key, (*_MEMBERS, "based_on"))
    expected = _KINDS.get(_MEMBERS[key].type, "a number of at least 0, or false")
    if not _fits(value, expected):
        shown = quoted(value) if isinstance(value, str) else kind_of(value)
        raise description.error(key, expected, shown)


_MEMBERS = RuleSet.__dataclass_fields__
_KINDS: dict[object, str] = {str: "a text without blanks", bool: "true or false"}


def _fits(value: object, kind: str) -> bool:
    """Return True if a TOML value has the type that an attribute of `RuleSet` needs."""
    if kind == _KINDS[str]:
        return isinstance(value, str) and len(value.split()) == 1 and value.isprintable()
    if kind == _KINDS[bool]:
        return isinstance(value, bool)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value is False or (is_number and 0 <= float(str(value)) < LARGEST_LIMIT)


def shown_cues(
    segments: Iterable[Segment], *, by_line: bool = False, has_lines: bool = True
) -> Iterator[ShownCue]:
    """Yield the cues that segments come from, with numbers. A cue may have several segments.

    Adjacent segments with the same line and the same times are the voices of one cue. With
    `by_line`, adjacent segments with the same line are one cue even if their times differ: they are
    its pieces with times, as in WebVTT, where each cue has a line of its own. The line breaks of a
    cue with several segments are unknown. Without `has_lines`, all line breaks are unknown.
    """

    def place(segment: Segment) -> tuple[object, ...]:
        if segment.line is None:
            return (object(),)
        return (segment.line,) if by_line else (segment.line, segment.start_ns, segment.end_ns)

    shown = (segment for segment in segments if segment.kind in SHOWN_KINDS)
    for number, (_, group) in enumerate(groupby(shown, place), 1):
        parts = list(group)
        ends = [part.end_ns for part in parts if part.end_ns is not None]
        end = max(ends) if len(ends) == len(parts) else None
        text = "\n".join(part.get("lines") or " ".join(part.words) for part in parts)
        lines = tuple(line for line in text.split("\n") if line)
        are_known = has_lines and len(parts) == 1
        yield ShownCue(number, parts[0].line, parts[0].start_ns, end, lines, are_known)


def width(text: str) -> int:
    """Return the number of visible characters and blanks. A full-width character counts as one."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(category(character) not in INVISIBLE for character in text)


def check_cues(
    cues: Iterable[ShownCue], rules: RuleSet, *, precision: int, frames_per_second: float
) -> list[Breach]:
    """Return the violations of the rules, in the order of the cues.

    `precision` is the possible error, in nanoseconds, of a difference of two times;
    `frames_per_second` is needed for gaps in frames.
    """
    if rules.least_gap_frames is not None:
        rules = replace(rules, least_gap=rules.least_gap_frames / frames_per_second)
    cues = list(cues)
    findings = [finding for cue in cues for finding in _check_cue(cue, rules, precision)]
    before: ShownCue | None = None
    for cue in sorted(cues, key=lambda cue: cue.start_ns or 0):
        if before is not None and cue.start_ns is not None:
            findings += _check_gap(before, cue, rules, precision)
        if cue.end_ns is not None and (before is None or cue.end_ns >= (before.end_ns or 0)):
            before = cue
    return sorted(findings, key=lambda finding: finding.cue)


def _check_cue(cue: ShownCue, rules: RuleSet, precision: int) -> Iterator[Breach]:
    """Yield the violations of a single cue."""
    # code, value, value rounded in favour of the cue, unit, limit
    rows: list[tuple[str, float, float, str, float | None]] = []
    if cue.start_ns is None or cue.end_ns is None or cue.end_ns <= cue.start_ns:
        lack = "no end" if cue.end_ns is None else "no time between begin and end"
        lack = "no times" if cue.start_ns is None else lack
        text = f"expected a begin and a later end, found {lack}"
        yield Breach("CUE-TIMES", cue.number, cue.line, None, None, text)
    else:
        span, count, words = cue.end_ns - cue.start_ns, cue.characters, cue.words
        longest, shortest = (span + precision) / SECOND, (span - precision) / SECOND
        seconds = span / SECOND
        rows = [
            ("CPS", count / seconds, count / longest, "characters per second", rules.most_cps),
            ("WPM", 60 * words / seconds, 60 * words / longest, "words per minute", rules.most_wpm),
            ("MAX-DURATION", seconds, shortest, "s", rules.most_duration),
        ]
        if rules.least_duration is not None and longest < rules.least_duration:
            yield _limit(rules, "MIN-DURATION", cue, seconds, "s", rules.least_duration, "least")
    if cue.has_lines:
        lines, length = len(cue.lines), max(map(width, cue.lines), default=0)
        rows += [
            ("LINES", lines, lines, "lines", rules.most_lines),
            ("LINE-LENGTH", length, length, "characters in a line", rules.most_line_characters),
        ]
    for code, value, lenient, unit, limit in rows:
        if limit is not None and lenient > limit:
            yield _limit(rules, code, cue, value, unit, limit, "most")


def _check_gap(before: ShownCue, cue: ShownCue, rules: RuleSet, slack: int) -> Iterator[Breach]:
    """Yield the violations between `cue` and `before`, the earlier cue with the latest end."""
    gap = (cue.start_ns or 0) - (before.end_ns or 0)
    if gap < -slack and not rules.may_overlap:
        unit = f"s of overlap with cue {before.number}"
        yield _limit(rules, "OVERLAP", cue, -gap / SECOND, unit, 0, "most")
    is_gap = gap > slack or (gap >= -slack and not rules.may_touch)
    least = rules.least_gap
    if is_gap and least is not None and gap + slack < least * SECOND:
        unit = f"s after cue {before.number}"
        yield _limit(rules, "GAP", cue, gap / SECOND, unit, least, "least")


def _shown(code: str, value: float, limit: float) -> str:
    """Return a value with the usual decimals, or with more if rounding would hide the violation."""
    texts = [round(value, places) for places in range(SHOWN_DECIMALS.get(code, DECIMALS), DECIMALS)]
    apart = (text for text in texts if (text - limit) * (value - limit) > 0)
    return f"{next(apart, value):g}"


def _limit(
    rules: RuleSet, code: str, cue: ShownCue, value: float, unit: str, limit: float, kind: str
) -> Breach:
    """Create a violation with its message."""
    value, limit = round(value, DECIMALS), round(limit, DECIMALS)
    text = f"{_shown(code, value, limit)} {unit}, at {kind} {limit:g}"
    return Breach(f"{rules.name.upper()}-{code}", cue.number, cue.line, value, limit, text)
