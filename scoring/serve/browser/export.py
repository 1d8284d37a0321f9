"""Export of the page to a folder or archive: scripts contain the runtime, packages and demo.

Browsers load scripts beside a page even from a disk, but no other files. Therefore, scripts contain
all data of the page, compressed and as base64.
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
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from scoring.cli.docs import installed
from scoring.drawing.templates import asset
from scoring.model.data_files import text_of
from scoring.model.errors import ScoringError
from scoring.model.outputs import put
from scoring.serve.browser.page import page_of_export
from scoring.serve.browser.tasks import DEMO, answer, archive, packed, unpacked

RUNTIME_VERSION = "314.0.7"
STANDARD_LIBRARY = "python_stdlib.zip"
RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", STANDARD_LIBRARY)
SOURCES = "sources.zip"
COMPILER = "compile.mjs"
PLATFORM = "pyemscripten_2026_0_wasm32"
# Packages of the runtime: file, checksum, and the command that fetches it.
RUNTIME = (
    f"pyodide-{RUNTIME_VERSION}.tgz",
    "sha512",
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4",
    f"npm pack --silent pyodide@{RUNTIME_VERSION}",
)
MSGSPEC = (
    f"msgspec-0.22.0-cp314-cp314-{PLATFORM}.whl",
    "sha256",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
    "pip download --quiet msgspec==0.22.0 --no-deps --only-binary=:all: --python-version=3.14 "
    f"--implementation=cp --abi=cp314 --platform={PLATFORM}",
)
# Pure packages, copied from this installation without their compiled parts.
PACKAGES = (
    *("anyascii", "charset-normalizer", "jinja2", "markupsafe"),
    *("pysubs2", "pyyaml", "textgrid", "unicode-rbnf"),
)
# These, too, if they are installed here: they read workbooks and RTF.
PACKAGES_IF_INSTALLED = ("openpyxl", "et-xmlfile", "striprtf")
OURS = ("formats", "scoring", "sclite_kit")
COMPILED = (".so", ".pyd", ".dll", ".dylib", ".pyc", ".cpp", ".hpp")
PART = 'sclitePart({name!r}, "{text}");\n'


class ExportError(ScoringError):
    """The page cannot be exported, because a package is missing or the target exists."""

    status = 2


def export(target: str) -> int:
    """Write the page to a new folder, or to a .zip archive; return the number of bytes.

    npm fetches the Python runtime, and pip fetches msgspec. The runtime compiles the modules, so
    that the page starts sooner.

    Raises
    ------
    ExportError
        If a package cannot be fetched, differs from the expected package, or `target` exists.
    """
    path = Path(target)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise ExportError(f"{target}: expected no file or an empty folder, found one with content")
    with tempfile.TemporaryDirectory(prefix="sclite-kit-") as folder:
        contents = {name: text.encode() for name, text in _texts(Path(folder))}
    if path.suffix == ".zip":
        contents = {path.name: archive(contents, zipfile.ZIP_DEFLATED)}
        path = path.parent
    for name, content in contents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        put(str(path / name), [content])
    return sum(map(len, contents.values()))


def prepared_demo() -> dict[str, Any]:
    """Return the scored demo for the page: its answer with a report, its request, and its files."""
    _, files = unpacked(answer(packed({"task": "demo"}, {})))
    reference, *hypotheses = files
    request = {"task": "score", "reference": reference, "hypotheses": hypotheses, "is_demo": True}
    request["choices"] = []
    record, outputs = unpacked(answer(packed(request, files)))
    texts = {name: content.decode() for name, content in files.items()}
    return {**record, "report": outputs["report.html"].decode(), "request": request, "files": texts}


def write_demo(folder: Path, parts: bool) -> None:
    """Write the page with the scored demo; without `parts`, the page can only show the demo.

    Raises
    ------
    ExportError
        If `parts` is true and a package cannot be fetched.
    """
    sizes: dict[str, int] = {}
    if parts:
        export(str(folder))
        sizes = sizes_of_parts(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page_of_export(sizes, prepared_demo()), "utf-8")


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file of the page. The HTML file is last."""
    parts = dict(_runtime(folder))
    parts[SOURCES] = archive({**dict(_packages()), **dict(_ours())})
    parts |= _compiled(folder, parts, (STANDARD_LIBRARY, SOURCES))
    with zipfile.ZipFile(io.BytesIO(parts.pop(SOURCES))) as file:
        parts["packages"] = packed({}, {name: file.read(name) for name in file.namelist()})
    parts["worker.js"] = asset("worker.js", "scoring.serve.browser").encode("utf-8")
    sizes = {}
    for name, content in parts.items():
        text = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")
        script = PART.format(name=name, text=text)
        sizes[name] = len(script)
        yield f"parts/{name}.js", script
    yield "index.html", page_of_export(sizes)


def sizes_of_parts(folder: Path) -> dict[str, int]:
    """Return the sizes of the scripts of an exported page, by the names of the parts."""
    scripts = sorted((folder / "parts").iterdir())
    return {path.stem: path.stat().st_size for path in scripts}


def _ours() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the pure wheel: the packages without compiled modules, and the demo."""
    for package in OURS:
        home = Path(str(files(package)))
        for path in home.rglob("*"):
            name = f"{package}/{path.relative_to(home).as_posix()}"
            if path.is_file() and "/__pycache__/" not in name and not name.endswith(COMPILED):
                yield name, path.read_bytes()
    resources = str(installed("resources", "demo"))
    for name in DEMO:
        content = text_of(resources, f"demo/{name}").encode("utf-8")
        yield f"sclite_kit/resources/demo/{name}", content


def _packages() -> Iterator[tuple[str, bytes]]:
    for name in (*PACKAGES, *filter(_is_installed, PACKAGES_IF_INSTALLED)):
        try:
            listed = metadata.distribution(name).files
        except metadata.PackageNotFoundError:
            listed = None
        if not listed:
            raise ExportError(f"expected the package {name} to be installed with a list of files")
        for path in listed:
            is_compiled = path.name.endswith(COMPILED)
            # the list of an old installer also has sources that it did not install
            if path.parts[0] != ".." and not is_compiled and os.path.isfile(path.locate()):
                yield path.as_posix(), path.read_binary()


def _compiled(folder: Path, parts: Mapping[str, bytes], names: Sequence[str]) -> dict[str, bytes]:
    """Return the archives `names` of the parts, with compiled modules in place of sources.

    The runtime itself must compile them; node, which npm needs, runs the runtime.
    """
    program = shutil.which("node")
    if program is None:
        raise ExportError("expected node to be installed, which compiles the modules, found none")
    for name in (*RUNTIME_FILES, *names):
        (folder / name).write_bytes(parts[name])
    (folder / COMPILER).write_bytes(asset(COMPILER, "scoring.serve.browser").encode("utf-8"))
    command = [program, COMPILER, str(folder), *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = re.findall(r"(?m)^\w*Error: .*$", done.stderr) or ["it failed"]
        raise ExportError(f"node could not compile the modules of the page: {lines[-1]}")
    return {name: (folder / name).read_bytes() for name in names}


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _runtime(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the runtime, and msgspec's wheel for it."""
    with tarfile.open(fileobj=io.BytesIO(_fetched(folder, *RUNTIME))) as members:
        for name in RUNTIME_FILES:
            member = members.extractfile(f"package/{name}")
            assert member is not None
            yield name, member.read()
    yield "msgspec.whl", _fetched(folder, *MSGSPEC)


def _fetched(folder: Path, name: str, kind: str, digest: str, command: str) -> bytes:
    """Return a verified package, which npm or pip fetches into a folder."""
    program, *words = command.split()
    path = shutil.which(program)
    if program == "pip":
        path, words = sys.executable, ["-m", "pip", *words]
    if path is None:
        raise ExportError(f"expected npm to be installed, which fetches {words[-1]}, found none")
    done = subprocess.run([path, *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (re.findall(r"(?m)^(?:npm error|ERROR:).*$", done.stderr) or ["it failed"])[0]
        raise ExportError(f"{program} could not fetch a package: {reason}")
    content = (folder / name).read_bytes()
    if hashlib.new(kind, content).hexdigest() != digest:
        raise ExportError(f"{name}: expected the {kind} {digest[:12]}…, found another")
    return content
