"""Roles of members and columns by the names that data sets use."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from formats.io.source import Source
from formats.manifests.messages import NO_NAMES, NO_TEXT, ROLE, ROLE_OF_SEVERAL, TEXT_OF_SEVERAL
from formats.reading.member_names import check_members, is_time, plain_name, time_role
from formats.schema.errors import OptionError, SyntaxFormatError, quoted
from formats.schema.messages import Message

ROLES: dict[str, tuple[str, ...]] = {
    "text": (
        *("text", "sentence", "transcription", "transcript", "normalized_text", "wrd"),
        *("reference", "ref", "label"),
    ),
    "pred_text": (
        *("pred_text", "prediction", "predicted", "pred", "hypothesis", "hyp", "model_output"),
        *("asr", "asr_text", "recognized", "generated", "output"),
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
LOOSE: dict[str, tuple[str, ...]] = {
    "text": (
        "segment",
        "content",
        "body",
        "utterance",
        "caption",
        "subtitle",
        "words",
        "line",
        "asrtranscript",
        "asrtext",
        *("sentences", "transcripts", "message", "quote", "dialogue", "speech", "word", "phrase"),
    ),
    "start": (
        "start",
        "starttime",
        "begin",
        "begintime",
        "startoffset",
        "time",
        "timestamp",
        "timecode",
    ),
    "end": ("end", "endtime", "stop", "stoptime", "endoffset"),
    "duration": ("duration", "dur"),
    "speaker": (
        *("speaker", "speakerid", "speakername", "speakerlabel", "spk", "spkid"),
        *("speakers", "speakertag", "participant", "character"),
    ),
}
"""Names, as `plain_name` writes them, for roles without a name of `ROLES`; the likeliest first."""
TEXT_SIDES = ("text", "pred_text")
VAGUE = frozenset(("recognized", "generated", "output"))
"""Names of predictions that count only where no other name of one is there."""
SAID = ("reference", "ref", "text", "transcript", "transcription", "sentence")
"""Names that usually have the spoken text; if a file has two of them, neither is certain."""
SPANS = (
    *(("start", "end"), ("start_time", "end_time"), ("begin", "end"), ("begin_time", "end_time")),
    *(("in", "out"), ("start_time", "stop_time"), ("start", "stop")),
)
"""Starts and ends that belong together; some data sets have times and numbers of samples."""


def has_text(names: Collection[str]) -> bool:
    """Return True if one of the names, in any case, means a text of either side."""
    small = {name.lower() for name in names}
    return any(name in small for side in TEXT_SIDES for name in ROLES[side])


def has_both_sides(first: str) -> bool:
    """Return True if the first line of a table, or of JSON lines, names a text of either side."""
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
        *,
        members: Mapping[str, str] | None = None,
        values: Mapping[str, Sequence[Any]] | None = None,
    ) -> None:
        self.by_role: dict[str, str] = {}
        self._source, self._line = source, line
        self._values = values
        path = None if source is None else source.name
        others = {role: usual for role, usual in ROLES.items() if role not in TEXT_SIDES}
        sides = {"text": ROLES[field]} if field in TEXT_SIDES else {"text": (field,)}
        for role, usual in {**sides, **others}.items():
            fitting = [n for k in usual for n in names if n.lower() == k.lower()]
            first, *rest = sorted(fitting, key=lambda name: name not in usual) or [""]
            if first:
                self.by_role[role] = first
            if rest and source is not None and role != "recording":
                if role == "text":
                    source.log.say(TEXT_OF_SEVERAL, line, name=first, others=rest)
                else:
                    source.log.say(ROLE_OF_SEVERAL, line, role=role, name=first, others=rest)
        small = {name.lower(): name for name in reversed(list(names))}
        if field == "text" and "text" not in self.by_role and {"key", "target"} <= small.keys():
            # FunASR's names: each alone means something else in other tables
            self.by_role = {"id": small["key"], **self.by_role, "text": small["target"]}
        self._add_loose(names, field)
        span = next(((a, b) for a, b in SPANS if a in small and b in small), None)
        if span is not None:
            self.by_role["start"], self.by_role["end"] = small[span[0]], small[span[1]]
        check_members(members or {}, names, path or "")
        self.by_role.update(members or {})
        if "text" not in self.by_role:
            found = list(names)[:10]
            if field not in TEXT_SIDES:
                listed = ", ".join(map(quoted, found)) or "none"
                raise OptionError(path=path, expected=f"a column {quoted(field)}", found=listed)
            entry = NO_TEXT if found else NO_NAMES
            fields = {"names": list(ROLES[field][:4]), "found": found}
            value = Message(entry, fields, "" if source is None else source.log.side)
            raise SyntaxFormatError(value=value, path=path, line=line)

    def per_second(self, usual: int = 1) -> int:
        """Return the units of times in a second, where the name of the start says it."""
        return plain_name(self.by_role.get("start", ""))[1] or usual

    def _add_loose(self, names: Collection[str], field: str) -> None:
        """Give roles that no usual name has to names that differ in joints, affixes and units."""
        plain = {name: plain_name(name)[0] for name in names if name not in self.by_role.values()}
        for role, usual in LOOSE.items():
            is_text = role == "text"
            if role in self.by_role or (is_text and field != "text"):
                continue
            exact = [name for entry in usual for name in plain if plain[name] == entry]
            affixed = [name for name in plain if time_role(name) == role]
            name = next(filter(partial(self._fits, role), [*exact, *affixed]), "")
            if name and (role != "end" or "start" in self.by_role):
                self.by_role[role] = name
                if self._source is not None:
                    self._source.log.say(ROLE, self._line, role=role, name=name)

    def _fits(self, role: str, name: str) -> bool:
        """Return True if the values of a member may have a role; without values, times do not."""
        if self._values is None or role == "speaker":
            return role not in ("start", "end", "duration")
        values = [value for value in self._values.get(name, ()) if value not in (None, "")]
        if role == "text":
            return all(isinstance(value, str) and not is_time(value) for value in values)
        return bool(values) and all(map(is_time, values))
