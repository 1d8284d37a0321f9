"""Log of the changes that normalizers make; the innermost normalizer logs first.

A listener receives only the changes during its own call, so that simultaneous requests stay
separate. The logger `benchmarkstt.normalize` receives all changes.

>>> from scoring.peers.benchmarkstt.normalization import Lowercase
>>> with LogCapturer(dialect="text", diff_formatter_dialect="dict") as capturer:
...     text = Lowercase().normalize("A b")
...     [(log["stack"], log["diff"]) for log in capturer.logs]
[(['Lowercase'], 'A̸a͙·b')]
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any, ClassVar, NamedTuple, TypeAlias

from scoring.peers.benchmarkstt.diff import DiffFormatter, format_diff


class NormalizedLogItem(NamedTuple):
    """One change of a text by a normalizer; `stack` has the names of the active normalizers."""

    stack: tuple[str, ...]
    original: str
    normalized: str


class Logger:
    """The logger of changes.

    `title` precedes each line of text, unless the line has its own title.
    """

    def __init__(self) -> None:
        self.title: str | None = None
        self.logger = logging.getLogger("benchmarkstt.normalize")
        self.logger.setLevel(logging.INFO)
        self.logger.propagate = False

    @property
    def stack(self) -> list[str]:
        """The normalizers that are running, outermost first."""
        return list(_stack.get())


Listener: TypeAlias = Callable[[NormalizedLogItem], None]
_stack: ContextVar[tuple[str, ...]] = ContextVar("_stack", default=())
_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("_listeners", default=())
normalization_logger = Logger()


def logged(title: str, normalize: Callable[[str], str], text: str) -> str:
    """Return the normalized text; if the text changed, pass the change to the listeners."""
    stack = (*_stack.get(), title)
    token = _stack.set(stack)
    try:
        normalized = normalize(text)
    finally:
        _stack.reset(token)
    if normalized != text:
        item = NormalizedLogItem(stack, text, normalized)
        for listener in _listeners.get():
            listener(item)
        normalization_logger.logger.info(item)
    return normalized


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a listener with each change that a normalizer makes during a `with` block."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def log(func: Callable[[Any, str], str]) -> Callable[[Any, str], str]:
    """Decorate a method of a normalizer: changes are logged under the `repr` of the normalizer."""

    @wraps(func)
    def normalize(self: Any, text: str) -> str:
        return logged(repr(self), partial(func, self), text)

    return normalize


class DiffLoggingFormatterDialect(ABC):
    """Base of dialects that format a change for a log."""

    @abstractmethod
    def format(self, title: str | None, stack: list[str], diff: Any) -> Any:
        """Return the log entry of a change."""
        raise NotImplementedError


class DiffLoggingTextFormatterDialect(DiffLoggingFormatterDialect):
    """Formats a change as a line: title, normalizers and difference."""

    def format(self, title: str | None, stack: list[str], diff: Any) -> str:
        """Return a change as a line of text."""
        title = normalization_logger.title if title is None else title
        return ": ".join([*([] if title is None else [title]), "/".join(stack), diff])


class DiffLoggingDictFormatterDialect(DiffLoggingFormatterDialect):
    """Formats a change as a dictionary with `title`, `stack` and `diff`."""

    def format(self, title: str | None, stack: list[str], diff: Any) -> dict[str, Any]:
        """Return a change as a dictionary."""
        return {"title": title, "stack": stack, "diff": diff}


class DiffLoggingFormatter(logging.Formatter):
    """Formats changes in a dialect, and other log records like `logging.Formatter`.

    Parameters
    ----------
    dialect
        Dialect of the difference, as in `DiffFormatter`; arguments after `title` are passed to it.
    diff_formatter_dialect
        `text` or `dict`; any other name raises ValueError. None: `dict` if `dialect` is `dict`,
        otherwise `text`.
    title
        Precedes the change.
    """

    diff_logging_formatter_dialects: ClassVar[dict[str, type[DiffLoggingFormatterDialect]]] = {
        "text": DiffLoggingTextFormatterDialect,
        "dict": DiffLoggingDictFormatterDialect,
    }

    def __init__(
        self,
        dialect: str | None = None,
        diff_formatter_dialect: str | None = None,
        title: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self._title = title
        self._differ = DiffFormatter(dialect, *args, **kwargs)
        wanted = diff_formatter_dialect or dialect
        self._dialect = self.get_dialect(wanted, diff_formatter_dialect is not None)

    def format(self, record: logging.LogRecord) -> Any:
        """Return a log record in the dialect of the formatter."""
        item: object = record.msg
        if not isinstance(item, NormalizedLogItem):
            return super().format(record)
        difference = self._differ.diff(item.original, item.normalized)
        return self._dialect.format(self._title, list(item.stack), difference)

    @classmethod
    def has_dialect(cls, dialect: object) -> bool:
        """Return True if there is a dialect with that name."""
        return dialect in cls.diff_logging_formatter_dialects

    @classmethod
    def get_dialect(
        cls, dialect: str | None, strict: bool | None = None
    ) -> DiffLoggingFormatterDialect:
        """Return the dialect with a name.

        For an unknown name, return `text`, or raise ValueError if `strict`.
        """
        if not cls.has_dialect(dialect):
            if strict and dialect is not None:
                raise ValueError("Unknown diff formatter dialect", dialect)
            dialect = "text"
        return cls.diff_logging_formatter_dialects[str(dialect)]()


class ListHandler(logging.Handler):
    """Collects formatted records until `flush` returns them."""

    def __init__(self) -> None:
        super().__init__()
        self._logs: list[Any] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Collect a record."""
        self._logs.append(self.format(record))

    @property
    def logs(self) -> list[Any]:
        """The collected records."""
        return self._logs

    def flush(self) -> Any:
        """Return the collected records and clear the list."""
        logs, self._logs = self._logs, []
        return logs


class LogCapturer:
    """A context that collects changes; the arguments are those of `DiffLoggingFormatter`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._formatter = DiffLoggingFormatter(*args, **kwargs)
        self.handler: ListHandler | None = None

    def __enter__(self) -> LogCapturer:
        self.handler = ListHandler()
        self.handler.setFormatter(self._formatter)
        normalization_logger.logger.addHandler(self.handler)
        return self

    @property
    def logs(self) -> list[Any]:
        """The changes that were collected so far."""
        return [] if self.handler is None else list(self.handler.logs)

    def __exit__(self, *error: object) -> None:
        assert self.handler is not None
        normalization_logger.logger.removeHandler(self.handler)
        self.handler = None


def log_line(item: NormalizedLogItem, title: str | None) -> str:
    """Return a change as a line for terminals, with differing characters in colour."""
    difference = DiffFormatter("ansi", show_color_key=False).diff(item.original, item.normalized)
    head = "" if title is None else f"{title}: "
    return f"{head}{'/'.join(item.stack)}: {difference}"


def log_record(item: NormalizedLogItem, title: str | None) -> dict[str, object]:
    """Return a change in the form in which remote methods return it; the difference is HTML."""
    difference = format_diff(item.original, item.normalized, dialect="html")
    return {"title": title, "stack": list(item.stack), "diff": difference}
