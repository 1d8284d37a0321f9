"""Members of a row that JSON manifests share: channels, and everything that has no field."""

from formats.errors import quoted
from formats.json.value import JsonValue
from formats.manifests.records import text_of


def one_channel(value: JsonValue) -> str:
    """A channel: a number or a name; several of a list are joined by commas, with a warning."""
    if isinstance(value.value, list):
        names = ",".join(element.name() for element in value.elements())
        if len(value.value) != 1:
            value.document.source.log.warn(
                "CHANNELS", f"{value.path}: several channels are read as one, {quoted(names)}"
            )
        return names
    return value.name()


def others_of(value: JsonValue, known: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The members of an object that are not `known` and not null, as properties."""
    members = value.value
    if known.issuperset(members):
        return ()
    members_left = [
        (name, text_of(member))
        for name, member in members.items()
        if member is not None and name not in known
    ]
    return tuple(sorted(members_left))
