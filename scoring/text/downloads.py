"""External files that recipes need and that are not part of this package.

`scoring recipes install NAME` stores a file in the user's cache, from its source at a pinned commit
or version, or from a copy, and verifies its SHA-256. No other function here uses the network.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from typing import NamedTuple

from formats.io.temporary import create_beside
from formats.schema.errors import OptionError
from formats.schema.messages import Message, message_of
from scoring.text.messages import NOT_FETCHED

CACHE = "XDG_CACHE_HOME"
_LARGEST = 1 << 26  # bytes; all pinned files are far smaller
_PATIENCE = 60  # seconds without an answer


class DownloadError(OptionError, ValueError):
    """Raised if a required external file is missing, or differs from the pinned file."""


class Download(NamedTuple):
    """A pinned file: the recipe that installs it, its path at the source, its URL and its hash.

    The Python package `package` has the same content in version `version`.
    """

    recipe: str
    path: str
    url: str
    digest: str
    licence: str
    package: str = ""
    version: str = ""

    @property
    def command(self) -> str:
        """The command that downloads the file."""
        return f"scoring recipes install {self.recipe}"

    @property
    def file(self) -> str:
        """The name of the file, without folders."""
        return self.path.rpartition("/")[2]

    @property
    def place(self) -> str:
        """The path of the file in the cache."""
        return os.path.join(cache_folder(), self.digest[:16], self.file)

    @property
    def is_installed(self) -> bool:
        """True if the file is in the cache."""
        return os.path.isfile(self.place)


WHISPER_LIST = Download(
    "whisper-paper",
    "whisper/normalizers/english.json",
    "https://raw.githubusercontent.com/openai/whisper/c0d2f624c09dc18e709e37c2ad90c039a4eb72a2/"
    "whisper/normalizers/english.json",
    "6607f948be9824d2e1b2fa2223cd94c06c45afa4e05ea0e3d5e1f2bdffde2465",
    "MIT",
    "whisper-normalizer",
    "0.1.15",
)
LEADERBOARD_LISTS = Download(
    "open-asr",
    "normalizer/english_abbreviations.py",
    "https://raw.githubusercontent.com/huggingface/open_asr_leaderboard/"
    "d1e99b25524814332d6868a5645e568670834cfb/normalizer/english_abbreviations.py",
    "d3b2c326bdb700b954b2c7125cd0c0b502deb7e22dbb57f707f914646098eaab",
    "Apache-2.0",
)
NUM2WORDS = Download(
    "open-asr/de",
    "num2words-0.5.14-py3-none-any.whl",
    "https://files.pythonhosted.org/packages/d6/5b/"
    "545e9267a1cc080c8a1be2746113a063e34bcdd0f5173fd665a5c13cb234/num2words-0.5.14-py3-none-any.whl",
    "1c8e5b00142fc2966fd8d685001e36c4a9911e070d1b120e1beb721fa1edb33d",
    "LGPL-2.1",
    "num2words",
    "0.5.14",
)
# The steps of normalisation that need one.
OF_STEPS = {
    "whisper-english": WHISPER_LIST,
    "whisper-spelling": WHISPER_LIST,
    "leaderboard-english": LEADERBOARD_LISTS,
    "leaderboard-multilingual": NUM2WORDS,
}


def cache_folder() -> str:
    """Return the folder of external files in the user's cache."""
    above = os.environ.get(CACHE) or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(above, "sclite-kit", "recipes")


def install(download: Download, source: str | None = None) -> str:
    """Store a file in the cache, from its URL or from a copy; return its path.

    Parameters
    ----------
    source
        The file, or a folder or archive (zip, wheel) that has it; None: its URL.

    Raises
    ------
    DownloadError
        If the file cannot be fetched or written, or its hash is not the pinned hash.
    """
    data = _downloaded(download) if source is None else _copied(download, source)
    origin = source or download.url
    if sha256(data).hexdigest() != download.digest:
        raise DownloadError(
            f"{origin}: expected {download.file} with the SHA-256 {download.digest}, "
            f"found {sha256(data).hexdigest()}"
        )
    try:
        os.makedirs(os.path.dirname(download.place), exist_ok=True)
        temporary, descriptor = create_beside(download.place)
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(temporary, download.place)
    except OSError as problem:
        raise DownloadError(f"{download.place}: cannot be written: {problem}") from None
    return download.place


def package_version(download: Download, expected: str | None = None) -> str:
    """Return the version of the installed package, or of the cached file.

    The cached file is used if no package, or a version other than `expected`, is installed. Raise
    DownloadError if both are missing.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        installed = version(download.package)
    except PackageNotFoundError:
        installed = None
    if installed is not None and expected in (None, installed):
        return installed
    if expected not in (None, download.version):
        raise DownloadError(
            f"expected {download.package} {expected}, found {installed or 'none'}: "
            f"pip install {download.package}=={expected}"
        )
    if not download.is_installed:
        raise DownloadError(
            f"expected {download.package} {download.version}, found {installed or 'none'}: "
            f"{download.command}"
        )
    if download.file.endswith(".whl"):
        _add_wheel(download)
    return download.version


def files_of_package(download: Download) -> list[str]:
    """Return the paths at which an installed package may have the file."""
    from importlib.metadata import PackageNotFoundError, files

    try:
        members = files(download.package) or []
    except PackageNotFoundError:
        return []
    return [str(path.locate()) for path in members if path.name == download.file]


def _add_wheel(download: Download) -> None:
    """Make Python import a package from the wheel in the cache, not another version of it."""
    if download.place in sys.path:
        return
    sys.path.insert(0, download.place)
    for name in [name for name in sys.modules if name.partition(".")[0] == download.package]:
        del sys.modules[name]


def _downloaded(download: Download) -> bytes:
    from urllib.request import urlopen

    try:
        with urlopen(download.url, timeout=_PATIENCE) as answer:
            data = answer.read(_LARGEST)
    except (OSError, ValueError) as problem:
        fields = {"problem": message_of(problem), "command": download.command}
        value = Message(NOT_FETCHED, fields)
        raise DownloadError(value=value, path=download.url) from None
    return bytes(data)


def _copied(download: Download, source: str) -> bytes:
    from zipfile import BadZipFile, ZipFile, is_zipfile

    try:
        if os.path.isdir(source):
            return _bytes_of(_within_folder(download, source))
        if not is_zipfile(source) or download.file.endswith(".whl"):
            return _bytes_of(source)
        with ZipFile(source) as archive:
            for member in archive.infolist():
                if member.filename.rpartition("/")[2] == download.file:
                    with archive.open(member) as file:
                        return file.read(_LARGEST)
    except (OSError, BadZipFile) as problem:
        raise DownloadError(f"{source}: cannot be read: {problem}") from None
    raise DownloadError(f"{source}: expected an archive with {download.file}, found none in it")


def _within_folder(download: Download, folder: str) -> str:
    paths = [os.path.join(folder, name) for name in (download.path, download.file)]
    for path in paths:
        if os.path.isfile(path):
            return path
    raise DownloadError(f"{folder}: expected {download.path} in it, found none")


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(_LARGEST)
