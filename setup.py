"""Build the native core; without a compiler, install the plain one and say so.

With SCLITE_KIT_PURE=1 no core is built: the wheel is one for every platform and needs only packages
that have such wheels, and msgspec.
"""

from __future__ import annotations

import os
import re
import sys
from glob import glob
from pathlib import Path

import pybind11
from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

PURE = os.environ.get("SCLITE_KIT_PURE") == "1"
# What the pure wheel leaves to those who want it: packages that are compiled.
COMPILED = ("lxml", "numpy", "pyyaml", "regex")
SANITIZE = os.environ.get("SCLITE_KIT_SANITIZE") == "1"
# The headers of pybind11 are not ours to mend: -isystem keeps their warnings out.
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
WARNINGS += ["-isystem", pybind11.get_include()]


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
            # what these find ends in the address sanitizer as well; they take a third of the build
            less = "-fno-sanitize=vptr,null,object-size"
            compile_arguments += [*flags, less, "-g1", "-O1"]
            link_arguments += flags
    return Pybind11Extension(
        f"{package}._native",
        sorted(glob(f"{package}/_native/source/**/*.cpp", recursive=True)),
        depends=sorted(glob("*/_native/source/**/*.hpp", recursive=True)),
        cxx_std=17,
        extra_compile_args=compile_arguments,
        extra_link_args=link_arguments,
    )


class WithPages(build_py):
    """Build the packages, and put what `scoring docs` shows and copies into one of them."""

    def run(self) -> None:
        """Build; an editable installation finds the folders where they are."""
        super().run()
        if not self.editable_mode:
            for folder, pattern in (("docs", "*.md"), ("resources", "*")):
                for path in filter(Path.is_file, Path(folder).rglob(pattern)):
                    target = Path(self.build_lib, "sclite_kit", path)
                    self.mkpath(str(target.parent))
                    self.copy_file(str(path), str(target))


class Metadata(Distribution):
    """What setup.cfg says, for an index page, and without compiled packages for the pure wheel."""

    def parse_config_files(self, *arguments: object, **options: object) -> None:
        """Read the configuration; links become absolute, compiled packages an extra."""
        super().parse_config_files(*arguments, **options)
        sources = f"{self.metadata.project_urls['Source']}/blob/main"
        text = self.metadata.long_description
        self.metadata.long_description = re.sub(
            r"\]\((?=\w+[/.])(?!https?:)", f"]({sources}/", text
        )
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


ParallelCompile(max=os.cpu_count() or 1).install()
setup(
    distclass=Metadata,
    ext_modules=[] if PURE else [native_core("formats"), native_core("scoring")],
    cmdclass={"build_ext": OptionalBuild, "build_py": WithPages},
)
