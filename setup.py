"""Build the native core; without a compiler, install the plain one and say so.

With SCLITE_KIT_PURE=1 no core is built: the wheel is one for every platform and needs only packages
that have such wheels, and msgspec.
"""

from __future__ import annotations

import bz2
import gzip
import json
import os
import re
import subprocess
import sys
import sysconfig
from configparser import ConfigParser
from glob import glob
from itertools import chain
from pathlib import Path

import pybind11
from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import Distribution, Extension, setup
from setuptools.command.build_py import build_py

PURE = os.environ.get("SCLITE_KIT_PURE") == "1"
# What the pure wheel leaves to those who want it: packages that are compiled.
COMPILED = ("lxml", "numpy", "pyyaml", "regex")
SANITIZE = os.environ.get("SCLITE_KIT_SANITIZE") == "1"
# The headers of pybind11 are not ours to mend: -isystem keeps their warnings out.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
WARNINGS += ["-isystem", pybind11.get_include()]
# Programs that often run for a moment only. The scripts that many versions of pip write for entry
# points load `re`, which takes a fifth of such a run. Windows needs entry points, and so do tools
# that look for the programs of a checkout.
IS_EDITABLE = "editable_wheel" in sys.argv
NEEDS_ENTRY_POINTS = PURE or sys.platform == "win32" or IS_EDITABLE
QUICK = () if NEEDS_ENTRY_POINTS else ("sclite", "scoring", "sclite-kit")
SCRIPT = """#!python
import sys
from {module} import {function}
if __name__ == "__main__":
    sys.exit({function}())
"""
# Files that are compiled as one: the headers of pybind11 cost each that has them five seconds.
TOGETHER = (
    ("formats", "columns json textgrid values"),
    (
        "scoring",
        "arrow/bindings arrow/pairs arrow/stream asclite/bindings blocks/bindings "
        "columns/bindings decimals/bindings module resampling/bindings rover/bindings "
        "speakers/bindings",
    ),
    ("scoring", "alignment/bindings spoken/bindings spoken/forms"),
)


EXPORTS = "scoring/_native/source/exports.map"


def has_static_library() -> bool:
    """Return True if the compiler has the library of C++ as an archive; some systems do not."""
    compiler = os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++"
    command = [*compiler.split(), "-print-file-name=libstdc++.a"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return False
    return os.path.isabs(done.stdout.strip())


def native_core(package: str) -> Pybind11Extension:
    """The extension module of a package: C++17 below its `_native/source`."""
    compile_arguments: list[str] = []
    link_arguments: list[str] = []
    if sys.platform != "win32":
        compile_arguments += ["-O2", "-g0", "-fvisibility=hidden"]
        # numbers are the same on machines that could fuse operations
        compile_arguments += ["-ffp-contract=off"]
        if os.environ.get("SCLITE_KIT_WERROR") == "1" or SANITIZE:
            compile_arguments += WARNINGS
        if SANITIZE:
            flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
            # what these find ends in the address sanitizer as well; they take a third of the build,
            # and so does -O1 instead of -Og
            less = "-fno-sanitize=vptr,null,object-size"
            compile_arguments += [*flags, less, "-g1", "-Og"]
            link_arguments += flags
        elif sys.platform == "linux":
            link_arguments += ["-s"]  # names for debuggers are a fifth of the module
            # only the function that Python looks for is exported, so that what is unused goes
            compile_arguments += ["-ffunction-sections", "-fdata-sections"]
            link_arguments += [f"-Wl,--version-script={EXPORTS}", "-Wl,--gc-sections"]
            if has_static_library():
                # short runs load these modules: the shared library takes half of their loading time
                link_arguments += ["-static-libstdc++", "-static-libgcc"]
    return Pybind11Extension(
        f"{package}._native",
        sorted(glob(f"{package}/_native/source/**/*.cpp", recursive=True)),
        depends=sorted(glob("*/_native/source/**/*.hpp", recursive=True)),
        cxx_std=17,
        extra_compile_args=compile_arguments,
        extra_link_args=link_arguments,
    )


# Folders of texts: tables of languages, styles, scripts and texts of pages.
TEXTS = ("scoring/text/tables/*", "scoring/pages/html/assets", "scoring/serve/browser/assets")


class WithTexts(build_py):
    """Build the packages, and put what `scoring docs` shows and copies into one of them.

    The texts of a folder become one compressed file, which `scoring.model.data_files` reads: a
    fourth of the size, and a third of that of compressed files.
    """

    def run(self) -> None:
        """Build; an editable installation finds the folders where they are."""
        super().run()
        if self.editable_mode:
            return
        for folder in chain.from_iterable(map(Path().glob, TEXTS)):
            built = Path(self.build_lib, folder)
            for name in self.pack(folder, built / "packed.json.gz"):
                (built / name).unlink(missing_ok=True)
        home = Path(self.build_lib, "sclite_kit")
        self.pack(Path("resources"), home / "resources" / "packed.json.gz")
        # the largest text: a fifth smaller than by gzip, and slower to read
        self.pack(Path("docs"), home / "docs" / "packed.json.bz2", "*.md")

    def pack(self, folder: Path, target: Path, pattern: str = "*") -> list[str]:
        """Write the texts below a folder that have a name of the pattern; return their names."""
        paths = sorted(filter(Path.is_file, folder.rglob(pattern)))
        texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        decoded = {name: content.decode("utf-8") for name, content in texts.items()}
        data = json.dumps(decoded, ensure_ascii=False).encode("utf-8")
        self.mkpath(str(target.parent))
        is_gzip = target.suffix == ".gz"
        target.write_bytes(gzip.compress(data, mtime=0) if is_gzip else bz2.compress(data))
        return list(texts)


def man_pages() -> list[tuple[str, list[str]]]:
    """Write a man page for each drop-in program with a usage text; where they are installed."""
    settings = ConfigParser()
    settings.read("setup.cfg")
    installed = settings["options.entry_points"]["console_scripts"].split()
    paths = []
    for usage in sorted(Path("scoring/cli/nist/usage").glob("*.txt")):
        if usage.stem in installed:
            target = Path("build", "man", f"{usage.stem}.1")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(man_page(usage.stem, usage.read_text("utf-8")), "utf-8")
            paths.append(target.as_posix())
    return [("share/man/man1", paths)] if paths else []


def man_page(name: str, usage: str) -> str:
    """The man page of a program, with its usage text as it is."""
    lines = usage.replace("\\", r"\e").replace("-", r"\-").splitlines()
    text = "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in lines)
    return (
        f'.TH "{name.upper()}" 1 "" "sclite\\-kit" "Programs of SCTK"\n'
        f".SH NAME\n{name} \\- program of SCTK, as sclite\\-kit has it\n"
        f".SH USAGE\n.nf\n{text}\n.fi\n"
        ".SH SEE ALSO\nscoring docs from\\-sctk\n"
    )


def script(entry: str) -> str:
    """Write the script of an entry point; its path."""
    name, _, place = entry.partition("=")
    module, _, function = place.strip().partition(":")
    path = Path("build", "programs", name.strip())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCRIPT.format(module=module, function=function), "utf-8")
    return path.as_posix()


class Metadata(Distribution):
    """What setup.cfg says, for an index page, and without compiled packages for the pure wheel.

    Some entry points become scripts of our own.
    """

    def parse_config_files(self, *arguments: object, **options: object) -> None:
        """Read the configuration; links become absolute, compiled packages an extra."""
        super().parse_config_files(*arguments, **options)
        sources = f"{self.metadata.project_urls['Source']}/blob/main"
        text = self.metadata.long_description
        self.metadata.long_description = re.sub(
            r"\]\((?=\w+[/.])(?!https?:)", f"]({sources}/", text
        )
        entries = self.entry_points["console_scripts"]
        quick = [entry for entry in entries if entry.partition("=")[0].strip() in QUICK]
        self.entry_points["console_scripts"] = [entry for entry in entries if entry not in quick]
        self.scripts = list(map(script, quick))
        if PURE:
            required = list(self.install_requires)
            compiled = [line for line in required if line.startswith(COMPILED)]
            extras = {**self.extras_require, "full": compiled}
            for holder in (self, self.metadata):  # newer setuptools reads the second
                holder.install_requires = [line for line in required if line not in compiled]
                holder.extras_require = extras


class OptionalBuild(build_ext):
    """Build the extensions; a machine without a compiler gets the plain core instead."""

    def run(self) -> None:
        """Build, or go on without; what an earlier build left is not of these sources any more."""
        built = [self.get_ext_fullpath(one.name) for one in self.extensions]
        self.parallel = self.parallel or True  # a core waits for no other package's last unit
        try:
            super().run()
        except Exception as problem:
            for path in filter(os.path.exists, built):
                os.remove(path)
                print(f"sclite-kit: {path} of an earlier build is removed", file=sys.stderr)
            if os.environ.get("SCLITE_KIT_REQUIRE_NATIVE") == "1":
                raise
            self.extensions = []
            print(
                "sclite-kit: the native core could not be built, the plain Python core will be "
                f"used (same results, slower): {problem}",
                file=sys.stderr,
            )

    def build_extension(self, extension: Extension) -> None:
        """Build one extension, its units of several files first: they take longest."""
        files = [path.replace(os.sep, "/") for path in extension.sources]
        units: list[str] = []
        for number, (package, names) in enumerate(TOGETHER):
            paths = [f"{package}/_native/source/{name}.cpp" for name in names.split()]
            if not set(paths) <= set(files):
                continue
            unit = Path(self.build_temp, f"unit_{number}.cpp")
            text = "".join(f'#include "{Path(path).absolute().as_posix()}"\n' for path in paths)
            if not unit.exists() or unit.read_text("utf-8") != text:
                self.mkpath(str(unit.parent))
                unit.write_text(text, "utf-8")
            # as old as what it includes: what is compiled already is not compiled anew for it
            os.utime(unit, (os.path.getatime(unit), max(map(os.path.getmtime, paths))))
            units.append(str(unit))
            files = [path for path in files if path not in paths]
        sources = extension.sources
        extension.depends += sources
        extension.sources = [*units, *sorted(files, key=os.path.getsize, reverse=True)]
        try:
            super().build_extension(extension)
        finally:
            extension.sources = sources


ParallelCompile(max=os.cpu_count() or 1).install()
setup(
    distclass=Metadata,
    # a checkout is then a line in a file of paths; otherwise it is a finder of modules, and to load
    # that takes each start of Python twice as long as the rest
    package_dir={"": "."} if IS_EDITABLE else {},
    ext_modules=[] if PURE else [native_core("formats"), native_core("scoring")],
    cmdclass={"build_ext": OptionalBuild, "build_py": WithTexts},
    data_files=man_pages(),
)
