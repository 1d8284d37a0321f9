"""All steps by name, and how each is made from arguments in Python, in files and on command lines.

*Adding a step* is one class with a name, one entry here, one section of the manual.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from formats.errors import close_names
from scoring.normalize import (
    casing,
    config_file,
    contractions,
    fillers,
    numbers,
    punctuation,
    replacing,
    transliteration,
    unicode_forms,
    wenet,
    whisper,
)
from scoring.normalize.glm.step import Glm, Synonyms, read_glm, read_synonyms
from scoring.normalize.language_tables import languages
from scoring.normalize.step import Step

REQUIRED = object()


class Parameter(NamedTuple):
    """One argument of a step."""

    name: str
    title: str
    kind: str = "text"  # `text`; `names`: several out of the choices; `flag`; `file`
    default: object = REQUIRED
    choices: tuple[str, ...] = ()  # all values, if they are few


class StepSpec(NamedTuple):
    """What a step tells about itself."""

    name: str  # as people type it, in lower case
    title: str
    build: Callable[..., Step]
    parameters: tuple[Parameter, ...] = ()

    @property
    def removes(self) -> bool:
        """Whether it may remove letters or marks; rules of files may."""
        return bool(getattr(self.build, "removes", True))

    @property
    def from_file(self) -> bool:
        """Whether a config file names a CSV file of its rules."""
        return self.parameters == _SEARCH_AND_REPLACE


def _step(
    build: Callable[..., Step], title: str, *parameters: Parameter, name: str = ""
) -> StepSpec:
    return StepSpec(name or vars(build)["name"], title, build, parameters)


def _file(normalizer: str, file: str, encoding: str = config_file.UTF_8) -> config_file.RuleFile:
    return config_file.read_rules(spec_named(normalizer).build, normalizer.lower(), file, encoding)


def _config(
    file: str,
    section: str | None = config_file.DEFAULT_SECTION,
    encoding: str = config_file.UTF_8,
    depth: int = 0,
) -> config_file.Config:
    return config_file.read_config(file, build_from_row, section, encoding, depth)


def _glm(file: str, encoding: str = config_file.UTF_8) -> Glm:
    return Glm(file, read_glm(file, encoding))


def _leaderboard_english(tables: str | None = None) -> Step:
    from scoring.normalize.leaderboard import LeaderboardEnglish

    return LeaderboardEnglish(tables)


def _leaderboard_multilingual(lang: str, package: str | None = None) -> Step:
    from scoring.normalize.leaderboard_multilingual import LeaderboardMultilingual

    return LeaderboardMultilingual(lang, package)


def _synonyms(file: str, implicit: bool = True, encoding: str = config_file.UTF_8) -> Synonyms:
    return Synonyms(file, read_synonyms(file, encoding), implicit)


_CASE_LANGUAGE = Parameter(
    "lang", "rules of Turkish, Azerbaijani or Lithuanian", default=None, choices=casing.LANGUAGES
)
_SEARCH_AND_REPLACE = (
    Parameter("search", "what to search for"),
    Parameter("replace", "what to put in its place"),
)
_ENCODING = Parameter("encoding", "of the file", default=config_file.UTF_8)
_POLICY = Parameter(
    "policy",
    "score: a word like any other; optional: may be there or not, on either side; ignore: dropped",
    default="optional",
    choices=fillers.POLICIES,
)
_PACKAGE = Parameter("package", "version the package must have", default=None)


def _language(kind: str) -> Parameter:
    return Parameter("lang", "whose table", default="en", choices=languages(kind))


STEPS = (
    _step(
        casing.Lowercase, "lower case", _CASE_LANGUAGE._replace(choices=casing.Lowercase.languages)
    ),
    _step(casing.Casefold, "full case folding", _CASE_LANGUAGE),
    _step(
        unicode_forms.UnicodeForm,
        "a normalisation form of Unicode",
        Parameter("form", "which", default="NFC", choices=unicode_forms.FORMS),
    ),
    _step(unicode_forms.Whitespace, "single blanks for all whitespace"),
    _step(unicode_forms.Controls, "without invisible characters"),
    _step(punctuation.Apostrophes, "apostrophes inside words as '"),
    _step(
        punctuation.Punctuation,
        "without punctuation, by Unicode class",
        Parameter(
            "keep", "what stays inside words", "names", ("apostrophe",), tuple(punctuation.KEEP)
        ),
        Parameter(
            "becomes", "what cuts words or joins them", "text", "blank", ("blank", "nothing")
        ),
        Parameter("symbols", "symbols too", "flag", False),
    ),
    _step(
        punctuation.Brackets,
        "without annotations in brackets",
        Parameter("kinds", "which", "names", ("square", "angle"), punctuation.BRACKETS),
    ),
    _step(
        fillers.Fillers,
        "hesitations such as uh, by policy",
        _POLICY,
        _language("fillers"),
        Parameter("words", "a file of fillers instead of the table", "file", None),
    ),
    _step(fillers.Fragments, "words broken off, by policy", _POLICY),
    _step(
        contractions.Contractions,
        "contractions and their full forms, both right",
        _language("contractions"),
    ),
    _step(numbers.Numbers, "numbers in digits and in words, both right", _language("numbers")),
    _step(
        _glm,
        "the rules of a NIST global mapping file",
        Parameter("file", "the .glm file", "file"),
        _ENCODING,
        name="glm",
    ),
    _step(
        _synonyms,
        "other wordings of the reference, from a file of fstalign",
        Parameter("file", "lines of WORDS | WORDS ; WORDS", "file"),
        Parameter("implicit", "words with hyphens also without", "flag", True),
        _ENCODING,
        name="synonyms",
    ),
    _step(transliteration.Transliterate, "ASCII letters for any script"),
    _step(
        transliteration.Unidecode,
        "the same, under BenchmarkSTT's name",
        Parameter("tables", "whose tables", default="anyascii", choices=("anyascii", "unidecode")),
    ),
    _step(replacing.Replace, "a text for another", *_SEARCH_AND_REPLACE),
    _step(
        replacing.ReplaceWords,
        "whole words for others, the case of the first letter kept",
        *_SEARCH_AND_REPLACE,
    ),
    _step(replacing.Regex, "matches of a regular expression", *_SEARCH_AND_REPLACE),
    _step(whisper.WhisperBasic, "Whisper's, for all languages but English"),
    _step(whisper.WhisperEnglish, "Whisper's, for English", _PACKAGE),
    _step(whisper.WhisperSpelling, "American spelling, by Whisper's list", _PACKAGE),
    _step(wenet.WenetCharacters, "words of WeNet's compute-wer.py --char=1"),
    _step(
        _leaderboard_english,
        "the Open ASR Leaderboard's, for English",
        Parameter("tables", "its file english_abbreviations.py", "file", None),
        name="leaderboard-english@2026-08-21",
    ),
    _step(
        _leaderboard_multilingual,
        "the Open ASR Leaderboard's, for other languages",
        Parameter("lang", "a language of num2words"),
        _PACKAGE,
        name="leaderboard-multilingual@2026-08-21",
    ),
    _step(
        _file,
        "rules of one kind from a CSV file",
        Parameter("normalizer", "what each row is an argument list of"),
        Parameter("file", "the rules", "file"),
        _ENCODING,
        name="file",
    ),
    _step(
        _config,
        "the steps of a BenchmarkSTT config file",
        Parameter("file", "the config file", "file"),
        Parameter("section", "which of its sections", default=config_file.DEFAULT_SECTION),
        _ENCODING,
        name="config",
    ),
)
_BY_NAME = {spec.name: spec for spec in STEPS}
UNDATED = {spec.name.partition("@")[0]: spec for spec in STEPS if "@" in spec.name}


def spec_named(name: str) -> StepSpec:
    """What there is to know of a step; upper and lower case are the same.

    A name with a date is also known without, as long as there is one date.

    >>> spec_named("Regex").parameters[0].name
    'search'
    """
    try:
        return _BY_NAME.get(name.lower()) or UNDATED[name.lower()]
    except KeyError:
        near = " or ".join(close_names(name, tuple(_BY_NAME)))
        hint = f" (near: {near})" if near else ""
        raise config_file.UnknownStepError(
            f"expected the name of a step, found {name!r}{hint}"
        ) from None


def build(name: str, arguments: Mapping[str, object], folder: str = "") -> Step:
    """A step of its name and its arguments by name.

    >>> build("lowercase", {"lang": "tr"})
    Lowercase(lang='tr')
    """
    spec = spec_named(name)
    parameters = {parameter.name: parameter for parameter in spec.parameters}
    for argument in arguments:
        if argument not in parameters:
            expected = ", ".join(parameters) or "no arguments"
            raise ValueError(f"{spec.name}: expected {expected}, found {argument!r}")
    for parameter in spec.parameters:
        if parameter.default is REQUIRED and parameter.name not in arguments:
            raise ValueError(f"{spec.name}: expected {parameter.name}, found nothing")
    values = {
        argument: _value(spec.name, parameters[argument], value, folder)
        for argument, value in arguments.items()
    }
    return spec.build(**values)


def build_from_row(name: str, fields: Sequence[str], folder: str, depth: int) -> Step:
    """A step as a line of a config file says: a file of rules, or arguments in their order."""
    spec = spec_named(name)
    if spec.name == "config":
        if not 1 <= len(fields) <= 3:
            raise ValueError(f"config: expected FILE [SECTION [ENCODING]], found {list(fields)}")
        section, encoding = (
            *fields[1:],
            *(config_file.DEFAULT_SECTION, config_file.UTF_8)[len(fields) - 1 :],
        )
        return _config(os.path.join(folder, fields[0]), section, encoding, depth + 1)
    if spec.from_file:
        if not 1 <= len(fields) <= 2:
            raise ValueError(f"{spec.name}: expected FILE [ENCODING], found {list(fields)}")
        encoding = fields[1] if len(fields) > 1 else config_file.UTF_8
        return config_file.read_rules(spec.build, spec.name, fields[0], encoding, folder)
    if len(fields) > len(spec.parameters):
        raise ValueError(
            f"{spec.name}: expected at most {len(spec.parameters)} arguments, found {list(fields)}"
        )
    names = [parameter.name for parameter in spec.parameters]
    return build(spec.name, dict(zip(names, fields, strict=False)), folder)


def _value(step: str, parameter: Parameter, value: object, folder: str) -> object:
    """What a step takes, of what was given."""
    where = f"{step}: {parameter.name}"
    if value is None or (value == "none" and parameter.default is None):
        return None
    if parameter.kind == "names":
        return _names(where, parameter, value)
    if parameter.kind == "flag":
        words = {"true": True, "false": False, True: True, False: False}
        if not isinstance(value, (str, bool)) or value not in words:
            raise ValueError(f"{where}: expected true or false, found {value!r}")
        return words[value]
    if not isinstance(value, (str, os.PathLike)):
        raise ValueError(f"{where}: expected a text, found {value!r}")
    if parameter.kind == "file":
        return os.path.join(folder, value)
    if parameter.choices and value not in parameter.choices:
        raise ValueError(f"{where}: expected {', '.join(parameter.choices)}, found {value!r}")
    return os.fspath(value)


def _names(where: str, parameter: Parameter, value: object) -> tuple[str, ...]:
    names: object = value
    if isinstance(names, str):
        names = [] if names in ("", "none") else names.split("+")
    if not isinstance(names, (list, tuple)) or any(not isinstance(name, str) for name in names):
        raise ValueError(f"{where}: expected names, found {value!r}")
    for name in names:
        if parameter.choices and name not in parameter.choices:
            raise ValueError(f"{where}: expected {', '.join(parameter.choices)}, found {name!r}")
    return tuple(names)
