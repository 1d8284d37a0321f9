"""Which member or column of a table says what, by the names that data sets use."""

from __future__ import annotations

from formats.errors import OptionError, SyntaxFormatError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["ROLES", "TEXT_SIDES", "Roles", "has_text"]

ROLES: dict[str, tuple[str, ...]] = {
    "text": (
        *("text", "sentence", "transcription", "transcript", "normalized_text", "reference"),
        *("ref", "label"),
    ),
    "pred_text": (
        *("pred_text", "prediction", "predicted", "pred", "hypothesis", "hyp", "model_output"),
    ),
    "id": ("id", "utt_id", "uttid", "segment_id"),
    "recording": ("recording", "recording_id", "file", "path", "audio", "audio_filepath"),
    "speaker": ("speaker", "speaker_id", "client_id"),
    "channel": ("channel",),
    "start": ("start", "start_time", "begin", "offset"),
    "end": ("end", "end_time"),
    "duration": ("duration",),
}
TEXT_SIDES = ("text", "pred_text")


def has_text(names: Collection[str]) -> bool:
    """Whether one of the names means a text of either side."""
    return any(name in names for side in TEXT_SIDES for name in ROLES[side])


class Roles:
    """Which name has which role in one table.

    Parameters
    ----------
    names: of the columns, or of the members of the first record.
    field: ``text`` or ``pred_text`` for one of the usual names of that side, or the very name of
        the column that holds the words.
    path: of the file, for messages.

    Attributes
    ----------
    by_role: the name for each role that some name has.

    Raises
    ------
    SyntaxFormatError: no name means a text, or two names mean the same.
    OptionError: no column is called `field`.

    Examples
    --------
    >>> Roles(["utt_id", "sentence", "age"]).by_role
    {'text': 'sentence', 'id': 'utt_id'}
    """

    def __init__(
        self, names: Collection[str], field: str = "text", path: str | None = None
    ) -> None:
        self.by_role: dict[str, str] = {}
        wanted = {role: known for role, known in ROLES.items() if role not in TEXT_SIDES}
        sides = {"text": ROLES[field]} if field in TEXT_SIDES else {"text": (field,)}
        for role, known in {**sides, **wanted}.items():
            found = [name for name in known if name in names]
            if len(found) > 1 and role not in ("recording",):
                raise SyntaxFormatError(
                    path=path,
                    line=1,
                    expected=f"one name for the {role} (see --field)"
                    if role == "text"
                    else f"one name for the {role}",
                    found=" and ".join(map(quoted, found)),
                )
            if found:
                self.by_role[role] = found[0]
        if "text" not in self.by_role:
            self._refuse(names, field, path)

    def _refuse(self, names: Collection[str], field: str, path: str | None) -> None:
        shown = ", ".join(map(quoted, list(names)[:10])) or "none"
        if field not in TEXT_SIDES:
            raise OptionError(path=path, expected=f"a column {quoted(field)}", found=shown)
        raise SyntaxFormatError(
            path=path,
            line=1,
            expected=f"a name such as {', '.join(ROLES[field][:4])} (or --field)",
            found=shown,
        )
