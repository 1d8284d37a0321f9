"""The registry of steps, which Python code, files and command lines create by name.

To add a step, write a class with a name, an entry here, and a section of the manual.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import Signature, signature
from typing import NamedTuple

from formats.schema.errors import close_names
from formats.schema.plugins import OTHER_KIND, OTHER_NAME, Door, Plugin, PluginError
from scoring.model.errors import OptionValueError
from scoring.text import (
    casing,
    config_file,
    contractions,
    fillers,
    punctuation,
    replacing,
    sclite_words,
    script_spelling,
    spoken_forms,
    transliteration,
    unicode_forms,
    wenet,
    whisper,
)
from scoring.text.bundled import BUNDLED
from scoring.text.config_file import UTF_8
from scoring.text.csv_dialects import read_file
from scoring.text.glm.step import Glm, read_glm
from scoring.text.glm.synonyms import Synonyms, read_synonyms
from scoring.text.step import FileName, Step

REQUIRED = Signature.empty
_KINDS = {"bool": "flag", "tuple[str, ...]": "names", "FileName": "file"}


class Parameter(NamedTuple):
    """An argument of a step's constructor."""

    name: str
    title: str
    kind: str = "text"  # `text`; `names`: several out of the choices; `flag`; `file`
    default: object = REQUIRED
    choices: tuple[str, ...] = ()  # all values, if they are few


class StepSpec(NamedTuple):
    """The description of a step: name, title, constructor, parameters."""

    name: str  # as people type it, in lower case
    title: str
    build: Callable[..., Step]
    parameters: tuple[Parameter, ...] = ()

    @property
    def removes(self) -> bool:
        """True if the step may remove letters or marks; rules from files may do so."""
        return bool(getattr(self.build, "removes", True))

    @property
    def from_file(self) -> bool:
        """True if a config file can give the step a CSV file of rules."""
        return [parameter.name for parameter in self.parameters] == ["search", "replace"]


def _step(build: Callable[..., Step], title: str, name: str = "", **titles: str) -> StepSpec:
    """Return the description of a step. `titles` describe the arguments of `build`."""
    arguments = signature(build).parameters
    choices: Mapping[str, Sequence[str | None]] = getattr(build, "choices", {})
    parameters = [
        Parameter(
            argument,
            argument_title,
            _KINDS.get(str(arguments[argument].annotation).removesuffix(" | None"), "text"),
            arguments[argument].default,
            tuple(filter(None, choices.get(argument, ()))),
        )
        for argument, argument_title in titles.items()
    ]
    return StepSpec(name or vars(build)["name"], title, build, tuple(parameters))


def _file(normalizer: str, file: FileName, encoding: str = UTF_8) -> config_file.RuleFile:
    return config_file.read_rules(spec_named(normalizer).build, normalizer.lower(), file, encoding)


def _config(
    file: FileName,
    section: str | None = config_file.DEFAULT_SECTION,
    encoding: str = UTF_8,
    *,
    depth: int = 0,
) -> config_file.Config:
    rows = read_file(file, encoding, spaced=True)
    return config_file.parse_config(rows, build_from_row, section, file, depth)


def _glm(file: FileName, encoding: str = UTF_8) -> Glm:
    return Glm(file, read_glm(file, encoding))


def _leaderboard_english(tables: FileName | None = None) -> Step:
    from scoring.text.leaderboard import LeaderboardEnglish

    return LeaderboardEnglish(tables)


def _leaderboard_multilingual(lang: str, package: str | None = None) -> Step:
    from scoring.text.leaderboard_multilingual import LeaderboardMultilingual

    return LeaderboardMultilingual(lang, package)


def _synonyms(
    file: FileName | None = None, implicit: bool = True, encoding: str = UTF_8
) -> Synonyms:
    return Synonyms(file or "", read_synonyms(file, encoding) if file else {}, implicit)


_CASE = {"lang": "language with case rules of its own: Turkish, Azerbaijani or Lithuanian"}
_TABLE = {"lang": "language of the table"}
_RULE = {"search": "text or pattern to search for", "replace": "text to put in its place"}
_ENCODING = {"encoding": "encoding of the file"}
_PACKAGE = {"package": "version of the package to require"}
_POLICY = {
    "policy": "score: count it like any other word; optional: it may be missing on either side; "
    "ignore: drop it"
}
STEPS = (
    _step(casing.Lowercase, "write all letters in lower case", **_CASE),
    _step(casing.Casefold, "apply Unicode's full case folding", **_CASE),
    _step(unicode_forms.UnicodeForm, "apply a normalisation form of Unicode", form="which"),
    _step(unicode_forms.Whitespace, "one blank in place of any whitespace"),
    _step(unicode_forms.Controls, "remove invisible characters"),
    _step(punctuation.Apostrophes, "write apostrophes inside words as '"),
    _step(
        punctuation.Punctuation,
        "remove punctuation, by Unicode class",
        keep="characters to keep inside words",
        becomes="characters in place of which words are cut, or joined",
        symbols="symbols too",
    ),
    _step(punctuation.Brackets, "remove annotations in brackets", kinds="which"),
    _step(
        fillers.Fillers,
        "treat hesitations such as uh by a policy",
        **_POLICY,
        **_TABLE,
        words="file with hesitations, in place of the table",
    ),
    _step(fillers.Fragments, "treat broken-off words by a policy", **_POLICY),
    _step(contractions.Contractions, "accept both contractions and their full forms", **_TABLE),
    _step(spoken_forms.Numbers, "accept numbers both in digits and in words", **_TABLE),
    _step(
        spoken_forms.SpokenForms,
        "accept numbers, dates, money, units and abbreviations both as written and as spoken",
        **_TABLE,
        classes="classes of written forms to accept (default: all)",
        rows="file with further rows for the table, or with a whole table",
    ),
    _step(
        _glm,
        "apply the rules of a NIST global mapping file (GLM)",
        "glm",
        file="the .glm file",
        **_ENCODING,
    ),
    _step(
        _synonyms,
        "accept other wordings of the reference, from a file of fstalign",
        "synonyms",
        file="file with lines WORDS | WORDS ; WORDS (default: none, only implicit wordings)",
        implicit="also accept words with hyphens without them",
        **_ENCODING,
    ),
    _step(
        script_spelling.HindiSpelling,
        "Devanagari without joiners and nukta, with anusvara",
        kinds="what to change",
    ),
    _step(
        script_spelling.ArabicSpelling,
        "Arabic without marks, with one letter for those that writers exchange",
        kinds="what to change",
    ),
    _step(
        script_spelling.HebrewSpelling,
        "Hebrew without vowel points and accents",
        kinds="what to remove",
    ),
    _step(transliteration.Transliterate, "write any script in ASCII letters"),
    _step(
        transliteration.Unidecode,
        "write any script in ASCII letters, under BenchmarkSTT's name",
        tables=("package that has the tables"),
    ),
    _step(replacing.Replace, "replace a text", **_RULE),
    _step(
        replacing.ReplaceWords,
        "replace whole words, keeping the case of the first letter",
        **_RULE,
    ),
    _step(replacing.Regex, "replace matches of a regular expression", **_RULE),
    _step(whisper.WhisperBasic, "Whisper's rules for all languages except English"),
    _step(whisper.WhisperEnglish, "Whisper's rules for English", **_PACKAGE),
    _step(whisper.WhisperSpelling, "American spelling, by Whisper's list", **_PACKAGE),
    _step(sclite_words.ScliteWords, "words and alternatives as sclite reads them in a trn"),
    _step(
        sclite_words.ScliteCharacters,
        "characters and alternatives as sclite reads them in a trn, as in ESPnet's CER",
    ),
    _step(wenet.WenetCharacters, "words of WeNet's compute-wer.py --char=1"),
    _step(
        _leaderboard_english,
        "rules of the Open ASR Leaderboard for English",
        "leaderboard-english@2026-08-21",
        tables="the leaderboard's file english_abbreviations.py",
    ),
    _step(
        _leaderboard_multilingual,
        "rules of the Open ASR Leaderboard for other languages",
        "leaderboard-multilingual@2026-08-21",
        lang="a language of num2words",
        **_PACKAGE,
    ),
    _step(
        _file,
        "apply rules of one kind from a CSV file",
        "file",
        normalizer="normalizer whose arguments each row holds",
        file="file with the rules",
        **_ENCODING,
    ),
    _step(
        _config,
        "apply the steps of a BenchmarkSTT config file",
        "config",
        file="the config file",
        section="section of the config file",
        **_ENCODING,
    ),
)
_BY_NAME = {spec.name: spec for spec in STEPS}
UNDATED = {spec.name.partition("@")[0]: spec for spec in STEPS if "@" in spec.name}
PLUGINS = Door("step", lambda: (*_BY_NAME, *UNDATED, *(pipeline.name for pipeline in BUNDLED)))
"""The steps that other packages provide."""


def spec_named(name: str) -> StepSpec:
    """Return the description of the step with a name, ignoring case.

    A name with a date is also found without the date if only one date exists.
    """
    spec = _BY_NAME.get(name.lower()) or UNDATED.get(name.lower())
    if spec is not None:
        return spec
    plugin = PLUGINS.find(name.lower())
    if plugin is not None:
        return _spec_of(plugin)
    near = " or ".join(close_names(name, step_names()))
    hint = f" (near: {near})" if near else ""
    raise config_file.UnknownStepError(f"expected the name of a step, found {name!r}{hint}")


def step_names() -> tuple[str, ...]:
    """Return the names of all steps; names of plug-ins are last."""
    return (*_BY_NAME, *PLUGINS.plugins())


def is_step(name: str) -> bool:
    """Return True if this package or another package has a step with this name."""
    name = name.lower()
    return name in _BY_NAME or name in UNDATED or PLUGINS.find(name) is not None


def all_steps() -> Iterator[StepSpec]:
    """Yield the steps of this package, then those plug-in steps that can be loaded."""
    yield from STEPS
    yield from PLUGINS.loaded(_spec_of)


def plugin_problems() -> list[PluginError]:
    """Return the errors of plug-in steps."""
    return PLUGINS.problems(_spec_of)


@cache
def _spec_of(plugin: Plugin) -> StepSpec:
    """Return the description of a plug-in step, from the docstring and the fields of its class."""
    step = plugin.load(type)
    if not issubclass(step, Step) or not is_dataclass(step):
        raise plugin.error(OTHER_KIND, expected="data class derived from Step", found=step.__name__)
    if step.name != plugin.name:
        raise plugin.error(OTHER_NAME, found=step.name)
    title = (step.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    arguments = {
        argument.name: str(argument.metadata.get("title", argument.name))
        for argument in fields(step)
        if argument.init and argument.name[0] != "_"
    }
    return _step(step, title, **arguments)


def build(name: str, arguments: Mapping[str, object], folder: str = "") -> Step:
    """Create a step from its name and its arguments by name."""
    spec = spec_named(name)
    parameters = {parameter.name: parameter for parameter in spec.parameters}
    for argument in arguments:
        if argument not in parameters:
            expected = ", ".join(parameters) or "no arguments"
            raise OptionValueError(spec.name, expected=expected, found=repr(argument))
    for parameter in spec.parameters:
        if parameter.default is REQUIRED and parameter.name not in arguments:
            raise OptionValueError(spec.name, expected=parameter.name, found="nothing")
    values = {
        argument: _value(spec.name, parameters[argument], value, folder)
        for argument, value in arguments.items()
    }
    return spec.build(**values)


def build_from_row(name: str, fields: Sequence[str], folder: str, depth: int) -> Step:
    """Create a step from a line of a config file: arguments in order, or a file of rules."""
    spec = spec_named(name)
    if spec.name == "config":
        if not 1 <= len(fields) <= 3:
            raise OptionValueError(
                "config", expected="FILE [SECTION [ENCODING]]", found=f"{list(fields)}"
            )
        return _config(os.path.join(folder, fields[0]), *fields[1:], depth=depth + 1)
    if spec.from_file:
        if not 1 <= len(fields) <= 2:
            raise OptionValueError(spec.name, expected="FILE [ENCODING]", found=f"{list(fields)}")
        return config_file.read_rules(spec.build, spec.name, *fields, folder=folder)
    if len(fields) > len(spec.parameters):
        raise OptionValueError(
            spec.name, expected=f"at most {len(spec.parameters)} arguments", found=f"{list(fields)}"
        )
    names = [parameter.name for parameter in spec.parameters]
    return build(spec.name, dict(zip(names, fields, strict=False)), folder)


def _value(step: str, parameter: Parameter, value: object, folder: str) -> object:
    """Convert and check the value of a step's parameter."""
    where = f"{step}: {parameter.name}"
    if value is None or (value == "none" and parameter.default is None):
        return None
    if parameter.kind == "names":
        return _names(where, value)
    if parameter.kind == "flag":
        words = {"true": True, "false": False, True: True, False: False}
        if not isinstance(value, (str, bool)) or value not in words:
            raise OptionValueError(where, expected="true or false", found=repr(value))
        return words[value]
    if not isinstance(value, (str, os.PathLike)):
        raise OptionValueError(where, expected="a text", found=repr(value))
    if parameter.kind == "file":
        return os.path.join(folder, value)
    return os.fspath(value)


def _names(where: str, value: object) -> tuple[str, ...]:
    names: object = value
    if isinstance(names, str):
        names = [] if names in ("", "none") else names.split("+")
    if not isinstance(names, (list, tuple)) or any(not isinstance(name, str) for name in names):
        raise OptionValueError(where, expected="names", found=repr(value))
    return tuple(names)
