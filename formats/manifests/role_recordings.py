"""Columns that name the recordings of rows: files, sources, talks and shared ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from formats.io.source import without_media
from formats.manifests.messages import FILES_JOINED, FOLDERS_NAME, ROLE
from formats.manifests.records import are_videos, folder_of_audio, name_around, recording_of_audio
from formats.manifests.role_columns import FEWEST_LISTED, RoleColumns
from formats.reading.member_names import KINDS_OF_TALKS, OF_TALKS, name_parts, plain_name
from formats.reading.time_values import is_time_code, number_of, time_number

SOURCE_PARTS = frozenset(("source", "original", "origin", "parent"))
"""Parts of names of the recordings from which clips were cut."""
FEWEST_CHANGES = 3
"""The fewest changes from file to file that show whether times go on."""
TALK_PARTS = frozenset((*KINDS_OF_TALKS, "ep", "show", "song", "track", "file", "part", "chapter"))
"""Parts of the names of columns that may name the recordings of rows."""
TALKS = OF_TALKS.union(KINDS_OF_TALKS, ("fileid", "recordingname", "filenumber"))
"""Names of ids and of talks; the second are recordings if the times begin again in each."""


class RoleRecordings(RoleColumns):
    """Roles of recordings."""

    def _add_talks(self, names: Collection[str]) -> None:
        """Use the first column of ids of talks as the recordings, if turns share them."""
        if "recording" in self.by_role or "speaker" not in self.by_role:
            return
        for name in names:
            values = list((self._values or {}).get(name, ()))
            is_free = plain_name(name)[0] in OF_TALKS and name not in self.by_role.values()
            is_full = len(values) > 1 and all(v != "" and type(v) in (str, int) for v in values)
            if is_free and is_full and len({*values}) < len(values):
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)
                self.around = name_around(self._values or {}, name, [*self.by_role.values()])
                return

    def add_talks(self, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Use a column of talks as the recordings if the times begin again behind each."""
        start = self.by_role.get("start", "")
        whole = [row for row in rows if len(row) == len(names)]
        if not start or "recording" in self.by_role or len(whole) < FEWEST_LISTED:
            return
        columns = dict(zip(names, zip(*whole, strict=True), strict=True))
        roles = {*self.by_role.values()} - {start}
        if name := talk_column({n: c for n, c in columns.items() if n not in roles}, start):
            self.by_role["recording"] = name
            self._say(ROLE, role="recording", name=name)

    def _add_ids(self, names: Collection[str], start: str) -> None:
        """Use ids or names of talks that rows share, if the times begin again behind each.

        The starts are in the column `start` if it is given.
        """
        column = (self._values or {}).get(start or self.by_role.get("start", ""), ())
        starts = list(map(_time_of, column))
        talks = [n for n in names if n not in self.by_role.values() and plain_name(n)[0] in TALKS]
        for name in (self.by_role.get("id", ""), *talks):
            ids = list(map(str, (self._values or {}).get(name, ())))
            rows = [row for row in zip(ids, starts, strict=False) if row[1] is not None]
            changes = [(a or 0, b or 0) for (id_, a), (other, b) in pairwise(rows) if id_ != other]
            is_shared = 2 * len({*ids}) <= len(ids) == len(starts) and len(changes) < len({*ids})
            begins_again = bool(changes) and all(after < before for before, after in changes)
            if is_shared and begins_again and "recording" not in self.by_role:
                self.by_role = {r: n for r, n in self.by_role.items() if n != name}
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)

    def _add_files(self, names: Collection[str]) -> None:
        """Use the first column of audio or video files as the recordings."""
        if "recording" in self.by_role or self._values is None:
            return
        for name in names:
            files = self._spoken(name)
            is_free = bool(files) and name not in self.by_role.values()
            is_free = is_free and not self._goes_on(self._values[name])
            are_files = all(isinstance(f, str) and without_media(f) != f for f in files)
            if is_free and (are_files or are_videos(files)):
                self.by_role["recording"] = name
                return

    def _use_sources(self, names: Collection[str]) -> None:
        """Use the column of sources as the recordings, if rows are clips with times in a source.

        Each row has a clip of its own, and in each source the times go on.
        """
        clips, starts = self._column("recording") or (), self._column("start") or ()
        if len({*map(str, clips)}) < len(clips) or len(starts) != len(clips) or len(clips) < 2:
            return
        for name in names:
            sources = list(map(str, (self._values or {}).get(name, ())))
            is_source = not SOURCE_PARTS.isdisjoint(name_parts(name))
            if not is_source or len(sources) != len(clips) or 2 * len({*sources}) > len(clips):
                continue
            times: dict[str, list[float]] = {}
            for source, start in zip(sources, map(_time_of, starts), strict=True):
                times.setdefault(source, []).append(-1 if start is None else start)
            if all(part == sorted(part) and part[-1] > part[0] >= 0 for part in times.values()):
                self.by_role["recording"] = name
                self._say_once(ROLE, role="recording", name=name)
                return

    def _say_joined(self) -> None:
        """Warn about audio files of equal names in different folders, which are one recording."""
        role = self.by_role.get("recording", "")
        is_file = role.lower() not in ("", "recording", "recording_id")
        values = self._spoken(role) if is_file else ()
        paths = sorted({value for value in values if isinstance(value, str)})
        by_name: dict[str, list[str]] = {}
        for path in paths:
            by_name.setdefault(recording_of_audio(path), []).append(path)
        joined = [same for same in by_name.values() if len(same) > 1]
        self.named_by_folder = _named_by_folder(paths, joined)
        if self.named_by_folder:
            self._say_once(FOLDERS_NAME, name=role, file=joined[0][0])
        elif joined:
            self._say_once(FILES_JOINED, name=role, count=len(joined), files=joined[0][:2])

    def _goes_on(self, files: Sequence[Any]) -> bool:
        """Return True if times continue from file to file: the files are parts of one recording."""
        starts = [number_of(start) for start in self._column("start") or ()]
        pairs = list(zip(starts, files, strict=False))
        changes = [(a, b) for (a, file), (b, other) in pairwise(pairs) if file != other]
        is_whole = len(changes) >= FEWEST_CHANGES and None not in starts
        return is_whole and all((a or 0) < (b or 0) for a, b in changes)


def talk_column(columns: Mapping[str, Sequence[Any]], start: str) -> str:
    """Return the column of talks in which the times begin again at each change; empty if none.

    >>> columns = {"debate": ["a", "a", "b"], "day": [1, 1, 1], "time": ["0:01", "0:09", "0:00"]}
    >>> talk_column(columns, "time"), talk_column({"time": ["0:01"]}, "time")
    ('debate', '')
    """
    starts = list(map(_time_of, columns[start]))
    for name, values in columns.items():
        if name == start or TALK_PARTS.isdisjoint(name_parts(name)):
            continue
        rows = [(v, t) for v, t in zip(values, starts, strict=True) if t is not None]
        changes = [(a or 0, b or 0) for (v, a), (following, b) in pairwise(rows) if v != following]
        begins_again = bool(changes) and all(after < before for before, after in changes)
        if begins_again and len({value for value, _ in rows}) == len(changes) + 1:
            return name
    return ""


def _time_of(value: Any) -> float | None:
    """Return a time as a number, without frames; `None` for any other value."""
    return time_number(value.rpartition(":")[0] if is_time_code(value) else value)


def _named_by_folder(paths: Sequence[str], joined: Sequence[Sequence[str]]) -> Collection[str]:
    """Return the names of files that are equal in several folders, if each folder has one file.

    >>> paths = ["a/audio.wav", "b/audio.wav"]
    >>> _named_by_folder(paths, [paths]), _named_by_folder([*paths, "a/other.wav"], [paths])
    (frozenset({'audio'}), frozenset())
    """
    folders = [folder_of_audio(path) for path in paths]
    is_one = bool(joined) and "" not in folders and len({*folders}) == len(folders)
    return frozenset(recording_of_audio(same[0]) for same in joined) if is_one else frozenset()
