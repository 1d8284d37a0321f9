"""Roles of members and columns by the names that data sets use."""

from __future__ import annotations

import re
from collections.abc import Collection

from formats.io.source import Source
from formats.schema.errors import OptionError, SyntaxFormatError, quoted

ROLES: dict[str, tuple[str, ...]] = {
    "text": (
        *("text", "sentence", "transcription", "transcript", "normalized_text", "wrd"),
        *("reference", "ref", "label"),
    ),
    "pred_text": (
        *("pred_text", "prediction", "predicted", "pred", "hypothesis", "hyp", "model_output"),
        *("asr", "asr_text"),
    ),
    "id": ("id", "utt_id", "uttid", "segment_id"),
    "recording": (
        *("recording", "recording_id", "file", "path", "audio", "audio_filepath", "wav"),
        *("audio_path", "file_name", "filename"),
    ),
    "speaker": ("speaker", "speaker_id", "spk_id", "client_id"),
    "channel": ("channel",),
    "start": ("start", "start_time", "begin", "begin_time", "in", "offset"),
    "end": ("end", "end_time", "stop", "stop_time", "out"),
    "duration": ("duration",),
}
"""The names of each role, in small letters; where several are there, the first one has it."""
TEXT_SIDES = ("text", "pred_text")
SAID = ("reference", "ref", "text", "transcript", "transcription", "sentence")
"""Names that each are likely to mean what was said; of two of them nobody knows which does."""
SPANS = (
    *(("start", "end"), ("start_time", "end_time"), ("begin", "end"), ("begin_time", "end_time")),
    *(("in", "out"), ("start_time", "stop_time"), ("start", "stop")),
)
"""Starts and ends that belong together; some data sets have times and numbers of samples."""


def has_text(names: Collection[str]) -> bool:
    """True if one of the names, in any case, means a text of either side."""
    small = {name.lower() for name in names}
    return any(name in small for side in TEXT_SIDES for name in ROLES[side])


def has_both_sides(first: str) -> bool:
    """True if the first line of a table, or of JSON lines, names a text of either side."""
    if first.lstrip("[ ").startswith("{"):
        names = re.findall(r'"([^"\\]+)"\s*:', first)
    else:
        names = first.split(max(",;\t", key=first.count))
    small = {name.strip().strip('"').lower() for name in names}
    return not small.isdisjoint(SAID) and not small.isdisjoint(ROLES["pred_text"])


class Roles:
    """The role of each name in one table; names count in any case.

    >>> Roles(["ID", "sentence", "age"]).by_role
    {'text': 'sentence', 'id': 'ID'}
    """

    def __init__(
        self,
        names: Collection[str],
        field: str = "text",
        source: Source | None = None,
        line: int | None = 1,
    ) -> None:
        self.by_role: dict[str, str] = {}
        path = None if source is None else source.name
        option = "--field" if source is None else source.field_option
        others = {role: usual for role, usual in ROLES.items() if role not in TEXT_SIDES}
        sides = {"text": ROLES[field]} if field in TEXT_SIDES else {"text": (field,)}
        for role, usual in {**sides, **others}.items():
            fitting = [n for k in usual for n in names if n.lower() == k.lower()]
            first, *rest = sorted(fitting, key=lambda name: name not in usual) or [""]
            if first:
                self.by_role[role] = first
            if rest and source is not None and role != "recording":
                message = (
                    f"the {role} is {quoted(first)}, and not {' and '.join(map(quoted, rest))}"
                )
                way = f" ({option} names another)" if role == "text" else ""
                source.log.note("ROLE", message + way, line)
        small = {name.lower(): name for name in reversed(list(names))}
        if field == "text" and "text" not in self.by_role and {"key", "target"} <= small.keys():
            # FunASR's names: each alone means something else in other tables
            self.by_role = {"id": small["key"], **self.by_role, "text": small["target"]}
        span = next(((a, b) for a, b in SPANS if a in small and b in small), None)
        if span is not None:
            self.by_role["start"], self.by_role["end"] = small[span[0]], small[span[1]]
        if "text" not in self.by_role:
            listed = ", ".join(map(quoted, list(names)[:10])) or "none"
            if field not in TEXT_SIDES:
                raise OptionError(path=path, expected=f"a column {quoted(field)}", found=listed)
            expected = f"a name such as {', '.join(ROLES[field][:4])} (or {option})"
            raise SyntaxFormatError(path=path, line=line, expected=expected, found=listed)
        camel = next((name for name in names if name.lower() in ("starttime", "begintime")), None)
        if camel is not None and "start" not in self.by_role:
            expected = "times named start and end, or start_time and end_time"
            raise SyntaxFormatError(path=path, line=line, expected=expected, found=quoted(camel))
