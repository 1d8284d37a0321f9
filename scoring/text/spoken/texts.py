"""Readers of letters and signs: serials, telephone numbers, addresses, abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from unicodedata import category

from scoring.text.spoken.amounts import DASHES, SpokenAmounts, quantity_at
from scoring.text.spoken.combining import combine, fill_all, in_turn
from scoring.text.spoken.view import FoundForm, WordsView

# A word and a decimal: `covid-19.5`. `_RUNS` is enough for whole numbers.
_NAMED = re.compile(r"([^\W\d_]+)[-–](\d+[.,٫]\d+)")
_RUNS = re.compile(r"\d+|[^\W\d_]+|[\W_]")
_WEB = re.compile(
    r"(?:[a-z]{3,6}://\S+|www\.\S+|[\w.&+-]+@[\w.-]+|@\w[\w.]*"
    r"|(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|info|app|[a-z]{2,3})(?:/\S*)?"
    r"|\.(?:pdf|docx?|xlsx?|pptx?|txt|csv|png|jpe?g|gif|svg|mp[34]|wav|zip|html?|json))/?",
    re.IGNORECASE,
)
_HAS_LABEL = re.compile(r"[a-z]{2}")
_TELEPHONE = re.compile(r"[+(]?[(]?\d[\d().-]*(?:/\d[\d().-]*)?")
_INTERNET = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,8}(?:[^\W\d_])?|[^\W\d_]\.[^\W\d_]")
_ROMAN = re.compile(r"(?=[IVXLCM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
LONGEST_SERIAL = 40
LONGEST_ADDRESS = 100
_LONGEST_ACRONYM = 6


def letters(amounts: SpokenAmounts, text: str) -> tuple[str, ...]:
    """Return a text spelled letter by letter, with the letter names in the table."""
    plain = " ".join(text)
    folded = text.casefold()
    if not any(letter in amounts.table.letters for letter in folded):
        return (plain,)
    named = [amounts.table.letters.get(letter, (letter,)) for letter in folded]
    most = max(map(len, named))
    spelled = [" ".join(names[min(at, len(names) - 1)] for names in named) for at in range(most)]
    return tuple(dict.fromkeys((plain, *spelled)))


def read_serials(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of a word that mixes letters, digits and signs: `12B`, `A380`, `S&P`."""
    quantity = quantity_at(view, amounts)
    if quantity is not None and quantity.rest[:1] in DASHES and quantity.rest[1:].isalpha():
        yield FoundForm(
            "serial", quantity.size, tuple(combine([quantity.readings, (quantity.rest[1:],)]))
        )
    named = _NAMED.fullmatch(view.core)
    number = amounts.parse(named[2]) if named is not None else None
    if named is not None and number is not None and number.end == len(named[2]):
        yield FoundForm("serial", 1, tuple(combine([(named[1],), amounts.say(number)])))
    for text in dict.fromkeys((view.core, view.full)):
        parts = _RUNS.findall(text)
        if len(parts) < 2 or len(text) > LONGEST_SERIAL or text.isalpha():
            continue
        has_digits = any(map(str.isdecimal, text))
        if not has_digits and not any(part in amounts.table.symbols for part in parts):
            continue
        readings = _spelled(amounts, tuple(parts))
        if readings:
            yield FoundForm("serial", 1, readings)


@lru_cache(1 << 12)
def _spelled(amounts: SpokenAmounts, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return readings of a word's parts: numbers or single digits, words or single letters."""
    return in_turn([list(_in_style(amounts, parts, style)) for style in range(8)])


def _in_style(amounts: SpokenAmounts, parts: Sequence[str], style: int) -> Iterator[str]:
    by_digit, by_letter, silent = style & 1, style & 2, style & 4
    chosen: list[Sequence[str]] = []
    for at, part in enumerate(parts):
        is_joint = style == 1 and part.isdecimal() and 0 < at < len(parts) - 1
        joint = amounts.table.joints.get(part, ()) if is_joint else ()
        if joint and parts[at - 1].isalpha() and parts[at + 1].isalpha():
            chosen.append(joint)
        elif part.isdecimal():
            digits = amounts.names.digits(part)[:3] if by_digit else ()
            chosen.append(digits or amounts.names.groups(part)[:6])
        elif part.isalpha():
            spell = by_letter and len(part) <= 12
            chosen.append(letters(amounts, part)[:2] if spell else (part,))
        elif part in "-–/.'’:" and silent:
            chosen.append(("",))
        else:
            names = amounts.table.symbols.get(part) or amounts.table.web.get(part)
            chosen.append(names or (() if _is_mathematical(part) else ("",)))
    if all(chosen):
        yield from combine(chosen, 12)


def _is_mathematical(sign: str) -> bool:
    """Return True if a sign changes the value of a number beside it: `√`, `²`, `^`."""
    return sign == "^" or category(sign[0]) in ("Sm", "No")


def read_telephones(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of telephone numbers, IP addresses, and digits in groups."""
    groups: list[str] = []
    for distance in range(6):
        word = view.at(distance).rstrip(".") if distance else view.core
        if distance == 0 and view.before.endswith("("):
            word = "(" + word
        if not _TELEPHONE.fullmatch(word):
            break
        groups.append(word)
        text = " ".join(groups)
        digits = sum(map(str.isdecimal, text))
        parts = re.findall(r"\d+|\+|\.(?=\d)", text)
        if text.count(".") == 3 and _INTERNET.fullmatch(text):
            yield FoundForm("telephone", 1, _by_groups(amounts, parts))
        elif (digits >= 7 and len(parts) > 1 and digits <= 20) or (digits >= 7 and text[0] == "+"):
            yield FoundForm("telephone", distance + 1, _by_groups(amounts, parts))
        if not view.goes_on(distance) and not view.words[view.place + distance].endswith(")"):
            break


def _by_groups(amounts: SpokenAmounts, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the readings of groups of digits. A reading reads all groups in the same way."""
    plus = amounts.table.values("plus")
    points = amounts.table.points.get(".", ())
    dot = dict.fromkeys((*amounts.table.web.get(".", ())[:1], *points[:1]))
    found: list[Sequence[str]] = []
    for style in range(8):
        chosen: list[Sequence[str]] = []
        for at, part in enumerate(parts):
            if part == "+":
                chosen.append(plus[:2])
            elif part == ".":
                chosen.append(tuple(dot) if parts.count(".") == 3 else ("",))
            else:
                begins = (at < 2 and parts[0] == "+") or at == 0
                chosen.append(_group(amounts, part, style, begins))
        found.append(list(combine(chosen, 16)) if all(chosen) else [])
        if style < 2 and "-" in amounts.table.joints and all(chosen):
            found.append(_with_joints(chosen, amounts.table.joints["-"]))
    return in_turn(found)


def _with_joints(groups: Sequence[Sequence[str]], joints: Sequence[str]) -> list[str]:
    """Return readings of groups, with optional words between groups: `공일공에 일이삼사`."""
    between = ("", *joints)
    parts = [part for group in groups for part in (between, group)]
    return list(combine(parts[1:], 16))[1:]


def _group(amounts: SpokenAmounts, part: str, style: int, begins: bool) -> Sequence[str]:
    digits = amounts.names.digits(part)
    if style == 0:
        return digits[:1]
    if style == 1:
        return digits[-1:]
    if style == 2 and begins and part[0] != "0":
        return amounts.names.cardinals(int(part))[:2]
    if style == 3:
        return amounts.names.groups(part)[1:3] or digits[:1]
    if style == 7:
        # `913` as a number, and `01` with its zero
        zeros = len(part) - len(part.lstrip("0"))
        most = 4 if len(part) > 3 else 1
        rest = amounts.names.cardinals(int(part))[:most] if zeros < len(part) else ("",)
        return tuple(combine([amounts.names.digits(part[:zeros])[:1] if zeros else ("",), rest]))
    if style == 6:
        return amounts.names.repeated(part)[:1] or digits[:1]
    if style == 4:
        return amounts.names.groups(part)[-1:]
    return (*digits[:2], *amounts.names.groups(part)[1:2])


def read_addresses(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of e-mail and web addresses."""
    for text in dict.fromkeys(
        (view.words[view.place].strip("()[]<>,;:!?\"'"), view.full, view.core)
    ):
        if len(text) > LONGEST_ADDRESS or not _WEB.fullmatch(text.rstrip(".")):
            continue
        parts = _RUNS.findall(text)
        if not any(part in amounts.table.web for part in parts) or (
            text[0].isdecimal() and "@" not in text and not _HAS_LABEL.search(text)
        ):
            continue
        yield FoundForm("electronic", 1, _address(amounts, parts))


def _address(amounts: SpokenAmounts, parts: Sequence[str]) -> tuple[str, ...]:
    ends = {len(parts) - 1}
    found = []
    table = amounts.table
    names = {part: table.web.get(part) or table.symbols.get(part) or () for part in parts}
    # a sign has the same name everywhere
    choices = range(max(1, *map(len, names.values())))
    ways = product(choices, ((False, False), (True, False), (True, True)), (True, False), (0, 1))
    for choice, (spell_short, spell_long), by_digit, alphabet in ways:
        chosen: list[Sequence[str]] = []
        for at, part in enumerate(parts):
            if part.isdecimal():
                digits = amounts.names.digits(part)[:2]
                chosen.append(digits if by_digit else amounts.names.groups(part)[1:2] or digits)
            elif part.isalpha():
                spelled = letters(amounts, part)[alphabet:][: 1 + alphabet * 2]
                spelled = spelled or letters(amounts, part)
                chosen.append(_label(amounts, part, spelled, at in ends, spell_short, spell_long))
            else:
                known = names[part] or ("",)
                chosen.append(known[min(choice, len(known) - 1) :][:1])
        found.append(list(combine(chosen, 16)))
    return in_turn(found)


def _label(
    amounts: SpokenAmounts,
    part: str,
    spelled: Sequence[str],
    is_last: bool,
    spell_short: bool,
    spell_long: bool,
) -> Sequence[str]:
    """Return readings of one part of an address: unchanged, spelled, or both (`g mail`)."""
    named = amounts.table.web.get(part.casefold(), ())
    if named:
        return named
    if len(part) <= 2:
        return (*spelled, part) if not is_last else (part, *spelled)
    if spell_long or (
        spell_short and len(part) <= 4 and part.casefold() not in ("com", "net", "org")
    ):
        return (*spelled, part) if is_last else spelled
    return (part,)


def read_titles(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of titles and abbreviations before or after words: `Dr. Jones`, `No. 5`."""
    table = amounts.table
    for text in dict.fromkeys((view.full, view.core)):
        folded = text.casefold()
        names = list(table.abbreviations.get(folded, ()))
        if folded in table.titles and view.place + 1 < len(view.words):
            names += table.titles[folded]
        previous = view.previous[:1]
        # `10 St. Paul` has no street: a title goes before the word that follows
        if folded in table.after and (previous.isupper() or (previous.isdecimal() and not names)):
            names += table.after[folded]
        if names:
            yield FoundForm("title", 1, names)
    for size, phrase in view.phrases(0, 3) if view.goes_on(0) else ():
        names = list(table.abbreviations.get(phrase.casefold(), ()))
        if size > 1 and names:
            yield FoundForm("title", size, names)


def read_acronyms(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of acronyms, letter by letter: `TV`, `U.S.A.`."""
    text = view.full
    if _INITIALS.fullmatch(text):
        plain = text.replace(".", "")
        yield FoundForm("acronym", 1, (plain, *letters(amounts, plain)))
        return
    core = view.core
    stem = core[:-1] if len(core) > 2 and core[-1] == "s" and core[:-1].isupper() else core
    if not (1 < len(stem) <= _LONGEST_ACRONYM and stem.isalpha() and stem.isupper()):
        return
    if view.capitals:
        return
    ending = core[len(stem) :]
    yield FoundForm("acronym", 1, [name + ending for name in letters(amounts, stem)])


def read_symbols(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of a single sign: `&`, `+`, `@`."""
    names = amounts.table.symbols.get(view.words[view.place].strip("()[]"))
    if names:
        yield FoundForm("symbol", 1, names)


def read_romans(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of a Roman numeral after a word: `Henry VIII`, `Part II`."""
    text, templates = view.core, amounts.table.values("roman")
    if text.casefold() in amounts.table.before_romans and view.goes_on(0) and view.bare(1):
        # after such a word also small letters, and one letter alone
        following = view.bare(1).upper()
        if _ROMAN.fullmatch(following):
            readings = _roman_readings(amounts, following, templates)
            yield FoundForm("roman", 2, [f"{text} {reading}" for reading in readings])
        return
    if text[-1:] == "ᵉ" and _ROMAN.fullmatch(text[:-1]):
        # French `XIXᵉ`
        yield FoundForm("roman", 1, amounts.names.ordinals(roman_value(text[:-1])))
        return
    if not templates or not view.previous or not _ROMAN.fullmatch(text):
        return
    if len(text) == 1 and (text not in "VX" or not view.previous[:1].isupper()):
        return
    yield FoundForm("roman", 1, _roman_readings(amounts, text, templates))


def _roman_readings(amounts: SpokenAmounts, text: str, templates: Sequence[str]) -> tuple[str, ...]:
    number = roman_value(text)
    slots = {"c": amounts.names.cardinals(number)[:3], "o": amounts.names.ordinals(number)[:6]}
    return fill_all(templates, slots)


def roman_value(text: str) -> int:
    """Return the value of a Roman numeral.

    >>> roman_value("XIV")
    14
    """
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(
        -value if at + 1 < len(values) and value < values[at + 1] else value
        for at, value in enumerate(values)
    )


def read_varieties(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield the spellings of a word in other countries: British `colour`."""
    names = amounts.table.varieties.get(view.core.casefold())
    if names:
        yield FoundForm("variety", 1, names)


def read_spellings(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield other spellings of a word that the table lists."""
    names = amounts.table.spellings.get(view.core.casefold())
    if names:
        yield FoundForm("spelling", 1, names)
