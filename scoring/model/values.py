"""The base class of values; a signature shows types as the source code has them."""

from __future__ import annotations

from msgspec import NODEFAULT, Struct, StructMeta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from inspect import Signature


class ValueDefinition(StructMeta):
    """The metaclass of values."""

    @property
    def __signature__(self) -> Signature:
        """The constructor; its types are texts, because modules load some for type checkers only.

        Fields whose names begin with `_` are not shown.
        """
        from inspect import Parameter, Signature, get_annotations

        types: dict[str, str] = {}
        for base in reversed(self.__mro__):
            types.update(get_annotations(base))
        names, defaults = self.__struct_fields__, self.__struct_defaults__
        defaults = (NODEFAULT,) * (len(names) - len(defaults)) + defaults
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.POSITIONAL_OR_KEYWORD
                    if name in self.__match_args__
                    else Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if default is NODEFAULT else default,
                    annotation=types[name],
                )
                for name, default in zip(names, defaults, strict=True)
                if name[0] != "_"
            ]
        )


class Value(Struct, metaclass=ValueDefinition, frozen=True):
    """A value with fields, as `msgspec.Struct`; it cannot be changed."""
