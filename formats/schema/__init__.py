"""The schema of transcripts: segments, words, labels, times; errors, messages and losses.

This module has basic code for all packages: the version, names that are imported at their first
use, patterns that are compiled at their first use, named tuples, and access to the compiled module.
"""

from __future__ import annotations

import sys

# `collections.abc` without `collections`, which takes a start 0.8 ms
from _collections_abc import Mapping as Mapping
from _collections_abc import Sequence as Sequence

VERSION = "0.1.0"
ENTRY_POINTS = "sclite_kit."
"""The beginning of the names of our groups of entry points."""
METADATA = (".dist-info", ".egg-info")
LARGEST = 2**63 - 1
"""The last time that a segment may have, in nanoseconds."""
# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from contextvars import ContextVar
    from enum import IntEnum as IntEnum
    from functools import cache as cache
    from functools import cached_property as cached_property
    from typing import Any, AnyStr
    from typing import Literal as Literal
    from typing import NamedTuple as NamedTuple

    SequenceBase = Sequence
else:

    class _Record(tuple):
        """What named tuples of all classes share, as `collections.namedtuple` defines it."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Any:
            """Create a named tuple of as many values as there are fields."""
            record = tuple.__new__(cls, values)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _replace(self, /, **changes: Any) -> Any:
            """Return a copy with other values of some fields."""
            record = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return record

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            """Return the values of the fields by name."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    _new = tuple.__new__
    # `__new__` of classes, by their numbers of fields, whose names the arguments get
    _TEMPLATES = (
        lambda _cls: _new(_cls, ()),
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t)
        ),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v: _new(
            _cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v)
        ),
    )
    _CONSTRUCTORS = {new.__code__.co_argcount - 1: new for new in _TEMPLATES}
    _CONSTRUCTOR_GLOBALS = {"_new": _new, "__name__": "namedtuple"}
    # the attributes of a named tuple read an item of any tuple, faster than a property
    try:
        from _collections import _tuplegetter  # `collections` itself takes a start 0.8 ms

        _ITEMS = [
            _tuplegetter(index, f"Alias for field number {index}")
            for index in range(max(_CONSTRUCTORS))
        ]
    except ImportError:  # another Python than CPython
        from collections import namedtuple

        _Items = namedtuple("_Items", "a b c d e f g h i j k m n o p q r s t u v")
        _ITEMS = [getattr(_Items, name) for name in _Items._fields]

    class _NamedTupleDefinition(type):
        """The metaclass of `NamedTuple`: creates a named tuple from a class body.

        `collections.namedtuple`, which compiles a text for each class, takes four times as long.
        """

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            # in the body where annotations are texts: from Python 3.14 on nowhere else
            types = body.pop("__annotations__")
            fields = tuple(types)
            defaults = {field: body.pop(field) for field in fields if field in body}
            module = body.pop("__module__")
            template = _CONSTRUCTORS.get(len(fields))
            if template is None:
                from collections import namedtuple

                record = namedtuple(name, fields, defaults=defaults.values(), module=module)
                record.__annotations__ = record.__new__.__annotations__ = types
                for key, value in body.items():
                    setattr(record, key, value)
                return record
            # profiles show it as the constructor that `collections.namedtuple` compiles
            code = template.__code__.replace(
                co_varnames=("_cls", *fields), co_filename=f"<{module}.{name}>"
            )
            defaults_of_last = tuple(defaults.values())
            new = type(template)(code, _CONSTRUCTOR_GLOBALS, "__new__", defaults_of_last)
            new.__module__, new.__qualname__ = module, f"{name}.__new__"
            new.__annotations__ = types
            return type(
                name,
                (_Record,),
                {
                    "__slots__": (),
                    "__module__": module,
                    "__doc__": f"{name}({', '.join(fields)})",
                    "__new__": new,
                    "__annotations__": types,
                    "__match_args__": fields,
                    "_fields": fields,
                    "_field_defaults": defaults,
                    **dict(zip(fields, _ITEMS, strict=False)),
                    **body,
                },
            )

    class NamedTuple(metaclass=_NamedTupleDefinition):
        """Base class of named tuples; subclasses are created faster than those of `typing`."""

    class _IntEnumDefinition(type):
        """The metaclass of `IntEnum`: the integers of a class body become its members."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            # from Python 3.13 on, a body also has the number of its first line
            values = {
                key: value
                for key, value in body.items()
                if type(value) is int and not key.startswith("__")
            }
            kind = super().__new__(cls, name, bases, body)
            kind.__members__, kind._by_value = {}, {}
            for key, value in values.items():
                member = int.__new__(kind, value)
                member.name, member.value = key, value
                kind.__members__[key] = kind._by_value[value] = member
                setattr(kind, key, member)
            return kind

        def __call__(cls, value: int) -> Any:
            """Return the member with a value."""
            member = cls._by_value.get(value)
            if member is None:
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
            return member

        def __iter__(cls) -> Iterator[Any]:
            return iter(cls.__members__.values())

        def __len__(cls) -> int:
            return len(cls.__members__)

        def __getitem__(cls, name: str) -> Any:
            return cls.__members__[name]

    class IntEnum(int, metaclass=_IntEnumDefinition):
        """Base class of named integers, like that of `enum`, which takes a short run 1 ms."""

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value}>"

        __str__ = int.__repr__

        def __reduce__(self) -> tuple[object, ...]:
            return type(self), (self.value,)

        def __copy__(self) -> Any:
            return self

        def __deepcopy__(self, _: object) -> Any:
            return self

    class _Words:
        """What `Literal` is at run time: `Literal["a", "b"]` is the tuple of its words.

        So a choice is written once: type checkers read it as a type, the program as values.
        """

        def __getitem__(self, words: str | tuple[str, ...]) -> tuple[str, ...]:
            return words if isinstance(words, tuple) else (words,)

    Literal = _Words()

    class SequenceBase:
        """Base class of sequences, which are created in half the time of those of `abc`."""

        __slots__ = ()
        __class_getitem__ = classmethod(lambda cls, _: cls)
        __contains__, __iter__ = Sequence.__contains__, Sequence.__iter__
        __reversed__ = Sequence.__reversed__
        index, count = Sequence.index, Sequence.count

    Sequence.register(SequenceBase)

    class cached_property:  # noqa: N801
        """A property that is computed at its first use, like that of `functools`."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self._compute, self._name, self.__doc__ = compute, "", compute.__doc__

        def __set_name__(self, _: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, _: type | None = None) -> Any:
            if instance is None:
                return self
            value = vars(instance)[self._name] = self._compute(instance)
            return value

    def cache(compute: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that remembers its results by its arguments, as in `functools`."""
        results: dict[tuple[Any, ...], Any] = {}

        def remembered(*arguments: Any) -> Any:
            try:
                return results[arguments]
            except KeyError:
                value = results[arguments] = compute(*arguments)
                return value

        remembered.__doc__, remembered.__name__ = compute.__doc__, compute.__name__
        remembered.__module__, remembered.__qualname__ = compute.__module__, compute.__qualname__
        remembered.cache_clear = results.clear
        return remembered


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled at its first use."""
    return _LazyPattern(text, flags)  # type: ignore[return-value]


class _LazyPattern:
    """A pattern that is compiled when one of its methods is used first."""

    __slots__ = (
        *("_flags", "_text", "findall", "finditer", "flags", "fullmatch", "groupindex", "groups"),
        *("match", "pattern", "scanner", "search", "split", "sub", "subn"),
    )

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> object:
        import re

        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        for each in self.__slots__:
            if each[0] != "_":
                setattr(self, each, getattr(compiled, each))
        value: object = getattr(self, name)
        return value


def words_of(choice: object) -> tuple[Any, ...]:
    """Return the words of a `Literal` of this module."""
    return choice if isinstance(choice, tuple) else ()


def head_of(schema: str, version: int) -> dict[str, object]:
    """Return the first members of every JSON document: schema, version and generator."""
    return {"schema": schema, "version": version, "generator": f"sclite-kit {VERSION}"}


def lazy_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that imports names at their first use."""
    homes: dict[str, str] = {}

    def fill() -> None:
        homes.update({name: home for home, listed in modules.items() for name in listed.split()})

    def look_up(name: str) -> object:
        if not homes:
            fill()
        home = homes.get(name)
        if home is None:
            text = f"module {package!r} has no attribute {name!r}"
            if name[:1] != "_":
                from difflib import get_close_matches

                near = get_close_matches(name, homes, n=1)
                text += f"; did you mean {near[0]!r}?" if near else ""
            # without an object, or Python adds a guess of its own
            raise AttributeError(text, name=name, obj=None)
        module = f"{package}{home}" if home[0] == "." else home
        try:
            value: object = getattr(module_named(module), name)
        except ModuleNotFoundError as problem:
            if not is_ours(problem.name):
                raise
            raise AttributeError(f"{package}.{name}: {absence(problem)}") from problem
        vars(sys.modules[package])[name] = value
        return value

    def names() -> list[str]:
        fill()
        return sorted({*(name for name in vars(sys.modules[package]) if name[:2] == "__"), *homes})

    return look_up, names


def module_named(name: str) -> Any:
    """Import and return a module; `importlib` would load `warnings`, too."""
    __import__(name)
    return sys.modules[name]


def is_ours(module: str | None) -> bool:
    """Return True if the module with this name is part of this distribution."""
    return str(module).partition(".")[0] in ("formats", "scoring")


def is_installed(module: str) -> bool:
    """Return True if a package of this distribution is installed; some packages are optional."""
    package = module.rpartition(".")[0]
    try:
        if package:
            __import__(package)
    except ModuleNotFoundError:
        return False
    path = sys.modules[package].__path__ if package else None
    # what `importlib.util` does, which takes a short run 0.3 ms
    specs = (finder.find_spec(module, path) for finder in sys.meta_path)
    spec = next(filter(None, specs), None)
    # a folder without files is a package without origin
    return spec is not None and spec.origin is not None


def may_have_plugins(path: Sequence[str] | None = None) -> bool:
    """Return True if a folder of modules has metadata with an entry point group of ours.

    Importing `importlib.metadata` is slow; only environments that contain a plug-in need it.
    """
    return any(map(_declares_plugins, sys.path if path is None else path))


@cache
def _declares_plugins(folder: str) -> bool:
    import os

    own = os.path.dirname(os.__file__)  # of Python's own modules, which have no metadata
    if folder in (own, os.path.join(own, "lib-dynload")):
        return False
    try:
        names = os.listdir(folder or ".")
    except NotADirectoryError:
        return os.path.isfile(folder)  # an archive may hold anything
    except OSError:
        return False
    homes = [f"{folder or '.'}/{name}" for name in names if name.endswith(METADATA)]
    return any(map(_has_group, homes))


def _has_group(home: str) -> bool:
    import os

    path = f"{home}/entry_points.txt"
    if not os.access(path, os.R_OK):  # most packages have none, and errors take long
        return False
    try:
        with open(path, "rb", buffering=0) as file:
            return f"[{ENTRY_POINTS}".encode() in file.read()
    except OSError:
        return False


class ContextValue:
    """A value of the context, or `None`; loads `contextvars` only when a value is set."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._variable: ContextVar[Any] | None = None

    def get(self) -> Any:
        """Return the value."""
        return None if self._variable is None else self._variable.get()

    def set(self, value: object) -> Any:
        """Set the value; return what `reset` takes."""
        from contextvars import ContextVar

        if self._variable is None:
            new: ContextVar[Any] = ContextVar(self._name, default=None)
            # of threads that are here at the same time, the first decides
            vars(self)["_variable"] = vars(self).setdefault("_made", new)
        assert self._variable is not None
        return self._variable.set(value)

    def reset(self, token: Any) -> None:
        """Restore the value before `set`."""
        assert self._variable is not None
        self._variable.reset(token)


class Within:
    """Sets a value of the context within a ``with`` block."""

    def __init__(self, variable: ContextValue | ContextVar[Any], value: object) -> None:
        self._variable, self._value = variable, value

    def __enter__(self) -> None:
        self._token = self._variable.set(self._value)

    def __exit__(self, *_: object) -> None:
        self._variable.reset(self._token)


def reason_of(problem: OSError) -> str:
    """Return a short reason why a file or stream could not be read."""
    import errno

    if problem.errno == errno.EBADF:
        return "it is closed"
    return problem.strerror or str(problem)


def absence(problem: ModuleNotFoundError) -> str:
    """Return the text of the message about a missing module of this distribution."""
    return f"expected the module {problem.name}, found an installation of sclite-kit without it"


def compiled(name: str) -> Any:
    """Return an object of the compiled module; `None` if the module is missing or switched off."""
    import os

    if os.environ.get("SCORING_ALIGN") == "plain":
        return None
    try:
        # Without the compiled file the folder of its sources is an empty package.
        return getattr(module_named("formats._native"), name, None)
    except ImportError:
        return None


_split: Any = ...  # not looked up yet


def _compiled_split() -> Any:
    global _split
    if _split is ...:
        _split = compiled("split_words")
    return _split


def split_words(text: str) -> list[str]:
    r"""Split a text into words at ASCII blanks: space, tab, VT, FF."""
    if text.isascii() and text.isprintable():  # as fast as the compiled module
        return text.split()
    split = _compiled_split() if _split is ... else _split
    if split is not None:
        fields: list[str] | None = split(text)
        if fields is not None:
            return fields
    words = text.split()
    if " ".join(words) == text:  # nothing else than single spaces was cut at
        return words
    for blank in "\t\v\f":
        if blank in text:
            text = text.replace(blank, " ")
    return [word for word in text.split(" ") if word]


def words_of_texts(texts: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Split each text into words at ASCII blanks and line ends."""
    joined = "".join(texts)
    if "\n" in joined or "\r" in joined:
        return map(words_of_text, texts)
    split = _compiled_split()
    rows: list[list[str] | None] = [None] if split is None else list(map(split, texts))
    return map(tuple, map(split_words, texts) if None in rows else rows)  # type: ignore[arg-type]


def words_of_text(text: str) -> tuple[str, ...]:
    r"""Split a text into words at ASCII blanks and line ends."""
    return tuple(split_words(text.replace("\n", " ").replace("\r", " ")))
