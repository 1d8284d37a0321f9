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
from scoring.normalize.config_file import (
    DEFAULT_SECTION,
    UTF_8,
    Config,
    RuleFile,
    UnknownStepError,
    read_config,
    read_rules,
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
    from_file: bool = False  # a config file names a CSV file of its rules

    @property
    def removes(self) -> bool:
        """Whether it may remove letters or marks; rules of files may."""
        return bool(getattr(self.build, "removes", True))


def _file(normalizer: str, file: str, encoding: str = UTF_8) -> RuleFile:
    return read_rules(spec_named(normalizer).build, normalizer.lower(), file, encoding)


def _config(
    file: str, section: str | None = DEFAULT_SECTION, encoding: str = UTF_8, depth: int = 0
) -> Config:
    return read_config(file, build_from_row, section, encoding, depth)


def _glm(file: str, encoding: str = UTF_8) -> Glm:
    return Glm(file, read_glm(file, encoding))


def _leaderboard_english(tables: str | None = None) -> Step:
    from scoring.normalize.leaderboard import LeaderboardEnglish

    return LeaderboardEnglish(tables)


def _leaderboard_multilingual(lang: str, package: str | None = None) -> Step:
    from scoring.normalize.leaderboard_multilingual import LeaderboardMultilingual

    return LeaderboardMultilingual(lang, package)


def _synonyms(file: str, implicit: bool = True, encoding: str = UTF_8) -> Synonyms:
    return Synonyms(file, read_synonyms(file, encoding), implicit)


_CASE_LANGUAGE = Parameter(
    "lang", "rules of Turkish, Azerbaijani or Lithuanian", default=None, choices=casing.LANGUAGES
)
_SEARCH_AND_REPLACE = (
    Parameter("search", "what to search for"),
    Parameter("replace", "what to put in its place"),
)
_ENCODING = Parameter("encoding", "of the file", default=UTF_8)
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
    StepSpec(
        "lowercase",
        "lower case",
        casing.Lowercase,
        (_CASE_LANGUAGE._replace(choices=casing.Lowercase.languages),),
    ),
    StepSpec("casefold", "full case folding", casing.Casefold, (_CASE_LANGUAGE,)),
    StepSpec(
        "unicode",
        "a normalisation form of Unicode",
        unicode_forms.UnicodeForm,
        (Parameter("form", "which", default="NFC", choices=unicode_forms.FORMS),),
    ),
    StepSpec("whitespace", "single blanks for all whitespace", unicode_forms.Whitespace),
    StepSpec("controls", "without invisible characters", unicode_forms.Controls),
    StepSpec("apostrophes", "apostrophes inside words as '", punctuation.Apostrophes),
    StepSpec(
        "punctuation",
        "without punctuation, by Unicode class",
        punctuation.Punctuation,
        (
            Parameter(
                "keep",
                "what stays inside words",
                "names",
                ("apostrophe",),
                tuple(punctuation.KEEP),
            ),
            Parameter(
                "becomes", "what cuts words or joins them", "text", "blank", ("blank", "nothing")
            ),
            Parameter("symbols", "symbols too", "flag", False),
        ),
    ),
    StepSpec(
        "brackets",
        "without annotations in brackets",
        punctuation.Brackets,
        (Parameter("kinds", "which", "names", ("square", "angle"), punctuation.BRACKETS),),
    ),
    StepSpec(
        "fillers",
        "hesitations such as uh, by policy",
        fillers.Fillers,
        (
            _POLICY,
            _language("fillers"),
            Parameter("words", "a file of fillers instead of the table", "file", None),
        ),
    ),
    StepSpec("fragments", "words broken off, by policy", fillers.Fragments, (_POLICY,)),
    StepSpec(
        "contractions",
        "contractions and what they stand for, both right",
        contractions.Contractions,
        (_language("contractions"),),
    ),
    StepSpec(
        "numbers",
        "numbers in digits and in words, both right",
        numbers.Numbers,
        (_language("numbers"),),
    ),
    StepSpec(
        "glm",
        "the rules of a NIST global mapping file",
        _glm,
        (Parameter("file", "the .glm file", "file"), _ENCODING),
    ),
    StepSpec(
        "synonyms",
        "other wordings of the reference, from a file of fstalign",
        _synonyms,
        (
            Parameter("file", "lines of WORDS | WORDS ; WORDS", "file"),
            Parameter("implicit", "words with hyphens also without", "flag", True),
            _ENCODING,
        ),
    ),
    StepSpec("transliterate", "ASCII letters for any script", transliteration.Transliterate),
    StepSpec(
        "unidecode",
        "the same, under BenchmarkSTT's name",
        transliteration.Unidecode,
        (
            Parameter(
                "tables", "whose tables", default="anyascii", choices=("anyascii", "unidecode")
            ),
        ),
    ),
    StepSpec("replace", "a text for another", replacing.Replace, _SEARCH_AND_REPLACE, True),
    StepSpec(
        "replacewords",
        "whole words for others, the case of the first letter kept",
        replacing.ReplaceWords,
        _SEARCH_AND_REPLACE,
        True,
    ),
    StepSpec(
        "regex", "matches of a regular expression", replacing.Regex, _SEARCH_AND_REPLACE, True
    ),
    StepSpec("whisper-basic", "Whisper's, for all languages but English", whisper.WhisperBasic),
    StepSpec("whisper-english", "Whisper's, for English", whisper.WhisperEnglish, (_PACKAGE,)),
    StepSpec(
        "whisper-spelling",
        "American spelling, by Whisper's list",
        whisper.WhisperSpelling,
        (_PACKAGE,),
    ),
    StepSpec("wenet-characters", "words of WeNet's compute-wer.py --char=1", wenet.WenetCharacters),
    StepSpec(
        "leaderboard-english@2026-08-21",
        "the Open ASR Leaderboard's, for English",
        _leaderboard_english,
        (Parameter("tables", "its file english_abbreviations.py", "file", None),),
    ),
    StepSpec(
        "leaderboard-multilingual@2026-08-21",
        "the Open ASR Leaderboard's, for other languages",
        _leaderboard_multilingual,
        (Parameter("lang", "a language of num2words"), _PACKAGE),
    ),
    StepSpec(
        "file",
        "rules of one kind from a CSV file",
        _file,
        (
            Parameter("normalizer", "what each row is an argument list of"),
            Parameter("file", "the rules", "file"),
            _ENCODING,
        ),
    ),
    StepSpec(
        "config",
        "the steps of a BenchmarkSTT config file",
        _config,
        (
            Parameter("file", "the config file", "file"),
            Parameter("section", "which of its sections", default=DEFAULT_SECTION),
            _ENCODING,
        ),
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
        raise UnknownStepError(f"expected the name of a step, found {name!r}{hint}") from None


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
        section, encoding = (*fields[1:], *(DEFAULT_SECTION, UTF_8)[len(fields) - 1 :])
        return _config(os.path.join(folder, fields[0]), section, encoding, depth + 1)
    if spec.from_file:
        if not 1 <= len(fields) <= 2:
            raise ValueError(f"{spec.name}: expected FILE [ENCODING], found {list(fields)}")
        encoding = fields[1] if len(fields) > 1 else UTF_8
        return read_rules(spec.build, spec.name, fields[0], encoding, folder)
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
