"""Messages as data: an entry of a catalogue and the values of its fields.

Each package of `formats` or `scoring` has a catalogue (``messages.py``), which is loaded with the
readers that use it::

    CUE_END = Entry("CUE-END", WARNING, "the cue ends before it begins ({shown!r})")
    source.log.say(CUE_END, number, shown=shown)

Programs use code, variant and fields. No program parses the text, so that the wording may change.
"""

from __future__ import annotations

from formats.schema import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any
else:
    from formats.schema import Mapping

    Any = object  # msgspec reads the types of messages; `typing` costs a short run 4 ms

NOTE = "note"
LOSS = "loss"
HINT = "hint"
WARNING = "warning"
ERROR = "error"
PART = "part"
SEVERITIES = (NOTE, LOSS, HINT, WARNING, ERROR, PART)
"""A loss is what was not converted or not taken, as asked for; a part is only in other messages."""


LONGEST_QUOTE = 80


def quoted(text: str) -> str:
    r"""Return `text` in double quotes, safe for a terminal.

    The result has at most 80 characters; control characters are escaped.
    """
    beginning = text[:LONGEST_QUOTE]
    safe = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in beginning
    )
    return f'"{safe}"' if len(text) <= LONGEST_QUOTE else f'"{safe}…"'


OF_COMMANDS = ("verbose",)
"""Options that every command has for itself, whatever it reads."""
TOLERANT = ("strict", "lenient")
"""Options that are values of the reader's option ``tolerance``."""
OF_SIDES = {"from": "format", "encoding": "encoding"}
"""Options of reading that programs with two inputs have for each, by their names there."""


class Advice(NamedTuple):
    """An option that solves the problem, in a form for command line and Python.

    Attributes
    ----------
    option: the name of the option with underscores, such as ``normalize``. Option and value may
        contain placeholders for fields.
    value: the recommended value; True for a flag, False for its opposite (``--no-…``). A value in
        capitals stands for a value that the user chooses; if empty, only the option is shown.
    """

    option: str
    value: str | bool = True

    def of_side(self, side: str) -> Advice:
        """Return the option in the form of commands that read reference and hypothesis files.

        >>> Advice("rttm_merge").of_side("reference").flag
        '--reference-option rttm_merge=true'
        """
        if not side or self.option in OF_COMMANDS:
            return self
        if self.option in OF_SIDES:
            return Advice(f"{side}_{OF_SIDES[self.option]}", self.value)
        option, value = self
        if option in TOLERANT:
            option, value = "tolerance", option
        if value == "":
            value = option.upper()
        text = value if isinstance(value, str) else str(value).lower()
        return Advice(f"{side}_option", f"{option}={text}")

    @property
    def flag(self) -> str:
        """The option as typed on a command line.

        >>> Advice("normalize", "numbers").flag, Advice("dedupe_youtube", False).flag
        ('--normalize numbers', '--no-dedupe-youtube')
        >>> Advice("encoding", "").flag
        '--encoding'
        """
        name = self.option.replace("_", "-")
        if self.value == "":
            return f"--{name}"
        if isinstance(self.value, str):
            text = self.value
            if not (text.isascii() and text.isalnum()):
                from shlex import quote

                text = quote(text)
            return f"--{name} {text}"
        return f"--{name}" if self.value else f"--no-{name}"

    def __str__(self) -> str:
        return self.flag


class Entry(NamedTuple):
    """A kind of message: code, severity and text template.

    Attributes
    ----------
    code: stable upper-case name that users filter by, such as ``CTM-ORDER``.
    severity: ``note``, ``loss``, ``hint``, ``warning`` or ``error``.
    text: template of `str.format` with the names of fields. ``{name!r}`` quotes a piece of a file,
        ``{cues:cue/cues}`` is a number with its noun, ``{advice}`` are the options that help.
        A list is joined by commas, or as its format says: ``{names: or }`` gives "a, b or c".
    variant: distinguishes entries with the same code; empty for the first.
    advice: the options that help; ``{advice}`` shows all, ``{advice[0]}`` the first.
    several: template for many messages of this kind; ``{times}`` is their number. Its other fields
        are those of the first message.
    is_shown: True for a note that commands print by default.
    """

    code: str
    severity: str
    text: str
    variant: str = ""
    advice: tuple[Advice, ...] = ()
    several: str = ""
    is_shown: bool = False

    @property
    def key(self) -> str:
        """The code with the variant, unique in all catalogues."""
        return f"{self.code}.{self.variant}" if self.variant else self.code


def rule(variant: str, text: str, *advice: Advice) -> Entry:
    """Return a catalogue entry for the reason of a loss; its template is a short phrase."""
    return Entry("LOST", LOSS, text, variant, advice)


EXPECTED = Entry("EXPECTED", ERROR, "expected {expected}, found {found}")
"""The entry of errors that only say what was expected and found."""
TEXT = Entry("MESSAGE", ERROR, "{text}")
"""The entry of errors of a library, or of a user's function, which have a text alone."""


class Message(NamedTuple):
    """An entry with the values of its fields; `str` returns the text.

    A field is a number, a name from a closed list, a piece of the user's file, an option
    (`Advice`), another message, or a list of such values.
    """

    entry: Entry
    fields: Mapping[str, Any] = {}  # noqa: RUF012 - a mapping is not changed
    side: str = ""
    """Which of two inputs was read, such as ``reference``, whose readers take its options."""

    def __hash__(self) -> int:
        return hash((self.entry, *self.fields))

    def __str__(self) -> str:
        return render(self.entry.text, self.fields, self.advice)

    @property
    def severity(self) -> str:
        """The severity of the entry."""
        return self.entry.severity

    @property
    def code(self) -> str:
        """The code of the entry."""
        return self.entry.code

    @property
    def advice(self) -> tuple[Advice, ...]:
        """The advised options, with field values inserted."""
        return tuple(
            Advice(
                render(option, self.fields),
                render(value, self.fields) if isinstance(value, str) else value,
            ).of_side(self.side)
            for option, value in self.entry.advice
        )

    def shown(self, advised: Callable[[Advice], str]) -> str:
        """Return the text; `advised` formats each advised option.

        >>> entry = Entry("A", NOTE, "see {advice}", advice=(Advice("field", "NAME"),))
        >>> Message(entry).shown(lambda advice: advice.option)
        'see field'
        """
        fields = {name: _shown(value, advised) for name, value in self.fields.items()}
        names = list(map(advised, self.advice))
        return render(self.entry.text, {**fields, "advice": names})

    @property
    def in_python(self) -> str:
        """The text for Python users: keyword arguments instead of command-line options.

        >>> text = "see {advice}"
        >>> advice = (Advice("normalize", "unicode"), Advice("normalize", "controls"))
        >>> Message(Entry("A", "hint", text, advice=advice)).in_python
        "see normalize=['unicode', 'controls']"
        >>> Message(Entry("A", "hint", text, advice=(Advice("unit", "mixed"),))).in_python
        "see unit='mixed'"
        """
        fields = {name: _shown(value, _keyword) for name, value in self.fields.items()}
        if "{advice[" in self.entry.text:
            return render(self.entry.text, {**fields, "advice": [*map(_keyword, self.advice)]})
        values: dict[str, list[str | bool]] = {}
        for option, value in self.advice:
            values.setdefault(option, []).append(value)
        keywords = [
            _keyword(Advice(option, each[0])) if len(each) == 1 else f"{option}={each!r}"
            for option, each in values.items()
        ]
        return render(self.entry.text, {**fields, "advice": keywords})

    def with_option(self, option: str, other: Advice) -> Message:
        """Return the message with one advised option replaced by another.

        >>> entry = Entry("A", NOTE, "see {advice}", advice=(Advice("field", "NAME"),))
        >>> str(Message(entry).with_option("field", Advice("column", "NAME")))
        'see --column NAME'
        """
        advice = tuple(other if each.option == option else each for each in self.entry.advice)
        return self._replace(entry=self.entry._replace(advice=advice))

    def record(self) -> dict[str, Any]:
        """Return the message as a dictionary for JSON."""
        entry = self.entry
        record: dict[str, Any] = {"severity": entry.severity, "code": entry.code}
        if entry.variant:
            record["variant"] = entry.variant
        record["text"] = str(self)
        record["fields"] = {name: _plain(value) for name, value in self.fields.items()}
        if entry.advice:
            record["advice"] = [advice._asdict() for advice in self.advice]
        return record


def expected_found(expected: str, actual: object) -> Message:
    """Return the message of an error that states only what was expected and found.

    >>> str(expected_found("one system", 2))
    'expected one system, found 2'
    """
    return Message(EXPECTED, {"expected": expected, "found": actual})


def message_of(error: Exception) -> Message:
    """Return the message of an error; for an error of another library, its text."""
    value = getattr(error, "value", None)
    return value if isinstance(value, Message) else Message(TEXT, {"text": str(error)})


def render(template: str, fields: Mapping[str, Any], advice: Sequence[Advice] = ()) -> str:
    """Return the text of a template with field values inserted.

    >>> render("{cues:cue/cues} of {name!r}", {"cues": 2, "name": "a"})
    '2 cues of "a"'
    """
    if "{" not in template and "}" not in template:
        return template
    if advice:
        fields = {**fields, "advice": _Flags(each.flag for each in advice)}
    return template.format_map({name: _Field(value) for name, value in fields.items()})


def fields_of(template: str) -> set[str]:
    """Return the names of the fields in a template.

    >>> sorted(fields_of("{cues:cue/cues} of {name!r} ({advice})"))
    ['cues', 'name']
    """
    from string import Formatter

    names = (name for _, name, _, _ in Formatter().parse(template) if name)
    return {name.partition("[")[0].partition(".")[0] for name in names} - {"advice"}


class _Field:
    """The value of a field as `str.format` shows it.

    Pieces of files are quoted, lists are joined, and numbers stand before their nouns.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, index: int) -> _Field:
        return _Field(self._value[index])

    def __repr__(self) -> str:
        """Quote the value, or each element of a list: ``{name!r}``."""
        value = self._value
        is_list = isinstance(value, (list, tuple))
        return _Quoted(value if is_list else [value])

    def __str__(self) -> str:
        return str(self._value)

    def __format__(self, format_spec: str) -> str:
        """Join a list by commas, or write a number and its noun, as `format_spec` says.

        With `~`, only the noun or the verb that fits the number is written.
        """
        value = self._value
        if isinstance(value, (Message, Advice)):
            return format(str(value), format_spec)
        if isinstance(value, (list, tuple)) and not isinstance(value, _Flags):
            return _joined(list(map(str, value)), format_spec)
        singular, slash, plural = format_spec.removeprefix("~").partition("/")
        if slash:
            word = singular if value == 1 else plural
            return word if format_spec.startswith("~") else f"{value} {word}"
        return format(value, format_spec)


class _Quoted(str):
    """Quoted pieces of files; a format joins them."""

    __slots__ = ("_pieces",)
    _pieces: list[str]

    def __new__(cls, values: Sequence[object]) -> _Quoted:
        pieces = [quoted(str(value)) for value in values]
        text = super().__new__(cls, _joined(pieces))
        text._pieces = pieces
        return text

    def __format__(self, format_spec: str) -> str:
        return _joined(self._pieces, format_spec)


def _joined(texts: list[str], format_spec: str = "") -> str:
    """Join texts by commas, or as the format of a field says: ``, or `` before the last."""
    if format_spec in (" and ", " or ") and len(texts) > 2:
        texts = [", ".join(texts[:-1]), texts[-1]]
    return (format_spec or ", ").join(texts)


class _Flags(tuple[str, ...]):
    """Options that an advice names together."""

    def __format__(self, _: str) -> str:
        return " ".join(self)


def _keyword(advice: Advice) -> str:
    """Return an option as a Python keyword argument."""
    return advice.option if advice.value == "" else f"{advice.option}={advice.value!r}"


def _shown(value: Any, advised: Callable[[Advice], str]) -> Any:
    """Return the value of a field as text; `advised` formats options."""
    if isinstance(value, Message):
        return value.shown(advised)
    if isinstance(value, Advice):
        return advised(value)
    if isinstance(value, (list, tuple)):
        return [_shown(each, advised) for each in value]
    return value


def _plain(value: Any) -> Any:
    """Return the value of a field in the types of JSON."""
    if isinstance(value, Message):
        return value.record()
    if isinstance(value, Advice):
        return value._asdict()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
