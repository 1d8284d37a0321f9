"""Archives (zip, tar, compressed tar), read member by member without extraction to disk.

Archives may be hostile. An archive is rejected if it has paths that lead outside of it, links,
devices, encrypted or sparse members, or decompression bombs. The limits on decompressed bytes are
those for gzip in `formats.io.decoding`; this module adds two limits for archives.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import cast

from formats.io.decoding import GZIP, LARGEST_RATIO, RATIO_COUNTS_FROM
from formats.io.errors import EncodingFormatError, SizeLimitError, UnreadableFileError
from formats.io.source import LARGEST_TEXT, PackedFolder
from formats.io.trees import tree_of
from formats.schema import lazy_pattern
from formats.schema.errors import FormatError, quoted, reason_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tarfile
    import zipfile
    from typing import IO, Any, TypeAlias

Entries: TypeAlias = "dict[str, Entries | None]"

NO_TRANSCRIPTS = (
    *(".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".sph", ".aif", ".aiff"),
    *(".wma", ".amr", ".mp4", ".m4v", ".mkv", ".mov", ".avi", ".webm", ".mpg", ".mpeg", ".wmv"),
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf"),
)
MOST_MEMBERS = 200_000
LARGEST_HEADER = 1 << 22
"""Most bytes taken in at once: headers of tar may claim any size, and are held in memory."""
BLOCK = 512
OUTSIDE = lazy_pattern(r"\A[A-Za-z]:|\A[/\\]|(?:\A|[/\\])\.\.(?:[/\\]|\Z)|\0")
ENCRYPTED = 1


class Archive:
    """An archive that is open for reading; a context manager."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._members: dict[str, Any] = {}
        self._tar: tarfile.TarFile | None = None
        self.is_compressed = False
        self._zip: zipfile.ZipFile | None = None
        try:
            self._raw: IO[bytes] = open(path, "rb")  # noqa: SIM115 -- `close` does
            self._packed = os.fstat(self._raw.fileno()).st_size
        except OSError as problem:
            reason = reason_of(problem)
            raise UnreadableFileError(f"cannot be read: {reason.lower()}", path=path) from None
        try:
            with _damage_reported(path):
                is_zip = path.lower().endswith(".zip")
                for name, member in self._listed_zip() if is_zip else self._listed_tar():
                    self._add(name, member)
        except BaseException:
            self.close()
            raise

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files in the archive."""
        return tuple(self._members)

    def folders(self) -> dict[str, FolderInside]:
        """Map paths to folders that are a single input, such as a corpus.

        Folders inside such a folder are not returned.
        """
        root: Entries = {}
        for name in self._members:
            *above, last = name.split("/")
            inside = root
            for part in above:
                if (lower := inside.get(part)) is None:
                    lower = inside[part] = {}
                inside = lower
            inside.setdefault(last, None)
        return {part.place: part for part in self._folders_in("", root)}

    def _folders_in(self, folder_path: str, entries: Entries) -> Iterator[FolderInside]:
        folder = FolderInside(self, folder_path, entries)
        if folder.is_one_input:
            yield folder
            return
        for name, inside in entries.items():
            if inside and not name.startswith("."):
                yield from self._folders_in(f"{folder_path}/{name}".lstrip("/"), inside)

    def keep(self, folder_path: str) -> dict[str, bytes]:
        """Read the files of a folder, except audio and pictures; return their bytes by name."""
        kept: dict[str, bytes] = {}
        for name in self._members:
            if not name.startswith(folder_path) or name.lower().endswith(NO_TRANSCRIPTS):
                continue
            kept[name] = self.open(name).read(LARGEST_TEXT)
            if sum(map(len, kept.values())) >= LARGEST_TEXT:
                most = f"more than {LARGEST_TEXT} bytes of text in it: unpack it"
                raise SizeLimitError(most, path=f"{self.path}/{folder_path}")
        return kept

    def _listed_zip(self) -> Iterator[tuple[str, Any]]:
        """Yield the name and the zip entry of every file in a zip archive."""
        import zipfile

        self._zip = zipfile.ZipFile(self._raw)
        self._raw.seek(0)
        is_archive = self._raw.read(4) == b"PK\x03\x04"
        if is_archive and all(entry.header_offset for entry in self._zip.infolist()):
            raise self._concatenated()
        total = 0
        for entry in self._zip.infolist():
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if entry.is_dir():
                continue
            if kind not in (0, stat.S_IFREG):
                raise self._refusal(entry.filename, "a link or device")
            if entry.flag_bits & ENCRYPTED:
                raise self._refusal(entry.filename, "an encrypted file")
            # The sizes are claims, but no more than these is ever taken out.
            total += entry.file_size
            self._check_size(max(total, entry.file_size))
            yield entry.filename, entry

    def _listed_tar(self) -> Iterator[tuple[str, Any]]:
        import tarfile

        stream: Any = _Bounded(self._raw, None, self.path)
        if self._raw.read(2) == GZIP:
            import gzip

            self._raw.seek(0)
            most = max(RATIO_COUNTS_FROM, self._packed * LARGEST_RATIO)
            stream = _Bounded(gzip.GzipFile(fileobj=self._raw), most, self.path)
            self.is_compressed = True
        self._raw.seek(0)
        self._tar = tarfile.TarFile(fileobj=stream)
        for entry in self._tar:
            if entry.isdir():
                continue
            if not entry.isreg() or entry.issparse():
                kind = "a sparse file" if entry.isreg() else "a link or device"
                raise self._refusal(entry.name, kind)
            yield entry.name, entry
        # The library takes damage after the first member for the end.
        stream.seek(self._tar.offset)
        if stream.read(BLOCK) != bytes(BLOCK):
            raise EOFError("no end of the archive")
        # up to the checksum of gzip, after which nothing is damaged
        while data := stream.read(LARGEST_HEADER):
            if data.strip(b"\0"):
                raise self._concatenated()

    def _add(self, name: str, member: Any) -> None:
        # Names that say the same place are the same name.
        safe = "/".join(part for part in name.split("/") if part not in ("", "."))
        if OUTSIDE.search(name) or OUTSIDE.search(safe) or not safe:
            raise self._refusal(name, "a name that leads out of the archive")
        if safe in self._members:
            raise self._refusal(name, "the same name twice")
        self._members[safe] = member
        if len(self._members) > MOST_MEMBERS:
            raise SizeLimitError(f"more than {MOST_MEMBERS} members: unpack it", path=self.path)

    def _check_size(self, size: int) -> None:
        if size > max(RATIO_COUNTS_FROM, self._packed * LARGEST_RATIO):
            raise _too_large(self.path)

    def _concatenated(self) -> EncodingFormatError:
        return EncodingFormatError(
            path=self.path,
            expected="one archive: unpack it",
            found="several, one after another, or other data after its end",
        )

    def _refusal(self, name: str, found: str) -> EncodingFormatError:
        return EncodingFormatError(
            path=self.path,
            expected="an archive that holds only files and folders",
            found=f"{found}: {quoted(name)}",
        )

    def open(self, name: str) -> IO[bytes]:
        """Open a file of the archive. Read this file before the next file is opened."""
        path = f"{self.path}/{name}"
        with _damage_reported(path):
            if self._zip is not None:
                entry = self._members[name]
                return cast("IO[bytes]", _Member(self._zip.open(entry), path, entry.file_size))
            assert self._tar is not None
            stream = self._tar.extractfile(self._members[name])
            assert stream is not None
            return cast("IO[bytes]", _Member(stream, path, self._members[name].size))

    def close(self) -> None:
        """Close the archive and its members."""
        for opened in (self._zip, self._tar, self._raw):
            if opened is not None:
                opened.close()


class FolderInside(PackedFolder):
    """A folder in an archive, whose files can be read in any order."""

    def __init__(self, archive: Archive, folder_path: str, entries: Entries) -> None:
        self.place = folder_path
        self.name = f"{archive.path}/{folder_path}".rstrip("/")
        self._archive = archive
        self._entries = entries
        self._kept: dict[str, bytes] | None = None
        is_kaldi = "text" in entries and entries["text"] is None
        self.tree = None if is_kaldi else tree_of(f"/{folder_path}", self.below)
        self.is_one_input = is_kaldi or self.tree is not None

    def below(self, pattern: str) -> Iterator[str]:
        """Yield names that match a pattern; see `formats.io.source.PackedFolder`."""
        return _fitting(self._entries, pattern.split("/"))

    def open(self, name: str) -> IO[bytes] | None:
        """Open a file of the folder; see `formats.io.source.PackedFolder`."""
        member = f"{self.place}/{name}".lstrip("/")
        if member not in self._archive._members:
            return None
        if not self._archive.is_compressed:
            return self._archive.open(member)
        if self._kept is None:
            self._kept = self._archive.keep(self.place)
        content = self._kept[member]
        path = f"{self._archive.path}/{member}"
        return cast("IO[bytes]", _Member(io.BytesIO(content), path, len(content)))


def _fitting(entries: Entries, parts: Sequence[str]) -> Iterator[str]:
    """Yield the names that match a pattern, given as parts between slashes; skip hidden ones."""
    for name, inside in entries.items():
        if name.startswith(".") or not fnmatchcase(name, parts[0]):
            continue
        if len(parts) == 1:
            yield name
        elif inside is not None:
            yield from (f"{name}/{path}" for path in _fitting(inside, parts[1:]))


class _Member:
    """A file of an archive as a binary stream, with only the methods that readers need."""

    def __init__(self, stream: IO[bytes], name: str, size: int) -> None:
        self._stream = stream
        self.name = name
        self.size = size

    def read(self, size: int = -1) -> bytes:
        with _damage_reported(self.name):
            return self._stream.read(size)


@contextmanager
def _damage_reported(path: str) -> Iterator[None]:
    """Convert errors of the archive libraries to `FormatError`."""
    try:
        yield
    except (FormatError, MemoryError):
        raise
    except Exception as error:
        raise EncodingFormatError(
            path=path,
            expected="a whole zip or tar archive (plain or of gzip)",
            found=f"damage ({error})" if f"{error}" else "damage",
        ) from None


class _Bounded(io.RawIOBase):
    """A stream with limits for its size and for the size of a read; exceeding one is an error."""

    def __init__(self, stream: Any, most: int | None, path: str) -> None:
        self._stream = stream
        self._most = most
        self._path = path
        self.packs = most is not None

    def read(self, size: int = -1) -> bytes:
        if size > LARGEST_HEADER or size < 0:
            raise SizeLimitError(f"a header of more than {LARGEST_HEADER} bytes", path=self._path)
        data: bytes = self._stream.read(size)
        self._check(self._stream.tell())
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        assert whence == os.SEEK_SET
        self._check(offset)
        position: int = self._stream.seek(offset)
        return position

    def tell(self) -> int:
        position: int = self._stream.tell()
        return position

    def _check(self, position: int) -> None:
        if self._most is not None and position > self._most:
            raise _too_large(self._path)


def _too_large(path: str) -> SizeLimitError:
    return SizeLimitError(
        f"expands more than {LARGEST_RATIO}-fold, which no archive of transcripts does", path=path
    )
