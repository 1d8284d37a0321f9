"""The base of immutable things that cannot be frozen dataclasses: steps, generic segments."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Self = TypeVar("Self", bound="Value")

__all__ = ["Value"]

_set = object.__setattr__


def _empty(kind: type[Value]) -> Value:
    return object.__new__(kind)


class Value:
    """Base of the immutable things: equality, hash, pickling and `repr` over the slots.

    Those of the classes it is derived from are among them. A slot named in `uncompared` takes no
    part in equality and hash.
    """

    __slots__: tuple[str, ...] = ()
    uncompared: frozenset[str] = frozenset()
    _slots: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = (name for base in cls.__mro__[::-1] for name in base.__dict__.get("__slots__", ()))
        cls._slots = tuple(dict.fromkeys(own))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def _key(self) -> tuple[object, ...]:
        return tuple(getattr(self, n) for n in self._slots if n not in self.uncompared)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self._slots}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            _set(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return _empty, (type(self),), self.__getstate__()

    def _changed(self: Self, changes: dict[str, object]) -> Self:
        """A copy with some slots changed."""
        made: Self = object.__new__(type(self))
        for name in self._slots:
            _set(made, name, getattr(self, name))
        unknown = changes.keys() - self._slots
        if unknown:
            kind = type(self).__name__.lower()
            raise TypeError(f"a {kind} has no {', '.join(sorted(unknown))}")
        for name, value in changes.items():
            _set(made, name, value)
        return made

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: object) -> Value:
        return self
