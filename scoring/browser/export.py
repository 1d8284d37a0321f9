"""The page as a folder or an archive: scripts that hold the runtime, packages and demo.

Browsers load scripts beside a page even from a disk, but no other files. All that the page needs is
therefore in scripts, compressed and as base64.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.resources import files
from pathlib import Path

from formats.version import VERSION
from scoring.browser.page import page_of_export
from scoring.cli.docs import installed
from scoring.cli.output import put
from scoring.errors import ScoringError

RUNTIME = "pyodide"
RUNTIME_VERSION = "314.0.7"
RUNTIME_SHA512 = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
MSGSPEC_VERSION = "0.22.0"
MSGSPEC_SHA256 = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
MSGSPEC_TAGS = ("--python-version=3.14", "--implementation=cp", "--abi=cp314")
MSGSPEC_PLATFORM = "--platform=pyemscripten_2026_0_wasm32"
# Pure packages, copied from this installation without their compiled parts.
PACKAGES = ("anyascii", "charset-normalizer", "jinja2", "markupsafe", "pyyaml", "wcwidth")
OURS = ("formats", "scoring", "sclite_kit")
COMPILED = (".so", ".pyd", ".dll", ".dylib", ".pyc", ".cpp", ".hpp")
OLDEST = (1980, 1, 1, 0, 0, 0)
INDEX = "index.html"
PART = 'sclitePart({name!r}, "{text}");\n'


class ExportError(ScoringError):
    """The page cannot be exported: something is missing, or in the way."""

    status = 2


def export(target: str, runtime: str | None = None) -> int:
    """Write the page to a new folder, or an archive if the name ends in .zip; the bytes written.

    Parameters
    ----------
    runtime
        A folder with the runtime's npm archive and msgspec's wheel; None: npm and pip fetch them.

    Raises
    ------
    ExportError
        If a package cannot be fetched or is another than expected, or `target` exists.
    """
    path = Path(target)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ExportError(f"{target}: expected no file or an empty folder, found one with content")
    with tempfile.TemporaryDirectory(prefix="sclite-kit-") as folder:
        contents = {name: text.encode() for name, text in _texts(Path(folder), runtime)}
    if path.suffix == ".zip":
        contents = {path.name: _archive(contents, deflated=True)}
        path = path.parent
    for name, content in contents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        put(str(path / name), [content])
    return sum(map(len, contents.values()))


def _texts(folder: Path, runtime: str | None) -> Iterator[tuple[str, str]]:
    """The files of the page; the last one makes it complete."""
    parts = dict(_runtime(folder, runtime))
    parts |= {f"sclite_kit-{VERSION}-py3-none-any.whl": _archive(dict(_ours()))}
    parts |= {"packages.zip": _archive(dict(_packages()))}
    parts |= {"worker.js": files("scoring.browser").joinpath("assets/worker.js").read_bytes()}
    for name, content in parts.items():
        text = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")
        yield f"parts/{name}.js", PART.format(name=name, text=text)
    yield INDEX, page_of_export(list(parts))


def _archive(contents: Mapping[str, bytes], deflated: bool = False) -> bytes:
    """A zip; what is compressed afterwards is only stored."""
    target = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as archive:
        for name, content in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(name, OLDEST), content, method)
    return target.getvalue()


def _ours() -> Iterator[tuple[str, bytes]]:
    """The files of the pure wheel: our packages without what is compiled, and the demo."""
    for package in OURS:
        home = Path(str(files(package)))
        for path in home.rglob("*"):
            name = f"{package}/{path.relative_to(home).as_posix()}"
            if path.is_file() and "/__pycache__/" not in name and not name.endswith(COMPILED):
                yield name, path.read_bytes()
    demo = installed("resources", "demo") / "demo"
    for path in demo.glob("*.?t?"):
        yield f"sclite_kit/resources/demo/{path.name}", path.read_bytes()


def _packages() -> Iterator[tuple[str, bytes]]:
    for name in PACKAGES:
        try:
            listed = metadata.distribution(name).files
        except metadata.PackageNotFoundError:
            listed = None
        if not listed:
            raise ExportError(f"expected the package {name} to be installed with a list of files")
        for path in listed:
            if path.parts[0] != ".." and not path.name.endswith(COMPILED):
                yield path.as_posix(), path.read_binary()


def _runtime(folder: Path, runtime: str | None) -> Iterator[tuple[str, bytes]]:
    """The files of the runtime, and msgspec's wheel for it."""
    if runtime is None:
        _fetch(folder)
    source = Path(runtime or folder)
    archive = _verified(source, f"{RUNTIME}-{RUNTIME_VERSION}.tgz", "sha512", RUNTIME_SHA512)
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for name in RUNTIME_FILES:
            member = members.extractfile(f"package/{name}")
            assert member is not None
            yield name, member.read()
    wheel = f"msgspec-{MSGSPEC_VERSION}-cp314-cp314-{MSGSPEC_PLATFORM.partition('=')[2]}.whl"
    yield "msgspec.whl", _verified(source, wheel, "sha256", MSGSPEC_SHA256)


def _verified(folder: Path, name: str, kind: str, digest: str) -> bytes:
    try:
        content = (folder / name).read_bytes()
    except OSError:
        raise ExportError(f"{folder}: expected {name}, found none") from None
    if hashlib.new(kind, content).hexdigest() != digest:
        raise ExportError(f"{folder / name}: expected the {kind} {digest[:12]}…, found another")
    return content


def _fetch(folder: Path) -> None:
    """Have npm and pip fetch the two packages."""
    npm = shutil.which("npm")
    if npm is None:
        raise ExportError(
            f"expected npm to be installed, which fetches {RUNTIME} {RUNTIME_VERSION}, found none; "
            "or name a folder with the packages: --runtime DIR"
        )
    wheel = (f"msgspec=={MSGSPEC_VERSION}", "--no-deps", "--only-binary=:all:")
    pip = (sys.executable, "-m", "pip", "download", "--quiet", *wheel, *MSGSPEC_TAGS)
    for command in (
        (npm, "pack", "--silent", f"{RUNTIME}@{RUNTIME_VERSION}"),
        (*pip, MSGSPEC_PLATFORM),
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (re.findall(r"(?m)^(?:npm error|ERROR:).*$", done.stderr) or ["it failed"])[0]
            name = os.path.basename(command[0])
            raise ExportError(f"{name} could not fetch a package: {reason}")
