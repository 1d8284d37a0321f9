"""What is installed: the built wheel works away from the sources, with and without a compiler."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import msgspec
import pytest

from formats.schema import VERSION
from scoring.model.data_files import names_in, text_of

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "resources" / "demo"
# The folders whose texts a wheel has in one compressed file each.
PACKED = re.compile(r"scoring/(?:text/tables/\w+|(?:pages/html|serve/browser)/assets)(?=/)")


def sources(folder: Path) -> Path:
    source = folder / "source"
    shutil.copytree(
        ROOT,
        source,
        ignore=shutil.ignore_patterns(".*", "build", "*.so", "*.egg-info", "__pycache__", "tests"),
    )
    return source


def sources_of_cores(folder: Path) -> Path:
    """What a build of the cores alone reads."""
    source = folder / "source"
    for package in ("formats", "scoring"):
        shutil.copytree(ROOT / package / "_native", source / package / "_native")
    for name in ("setup.py", "setup.cfg", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    return source


def compiled(source: Path) -> None:
    """Have what the checkout has compiled packed; what is older than its sources is compiled anew."""
    built = source / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    for package in ("formats", "scoring"):
        module = Path(package, f"_native{sysconfig.get_config_var('EXT_SUFFIX')}")
        if (ROOT / module).exists():
            (built / package).mkdir(parents=True)
            shutil.copy2(ROOT / module, built / module)


def build_wheel(source: Path, folder: Path, **environment: str) -> Path:
    # what an installation of the checkout has tried already: packages for the build of its own
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "-w", str(folder), str(source)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def plain_wheel(source: Path, folder: Path, **environment: str) -> Path:
    """A wheel as pip has it built, but by the packages that are here, and not compressed."""
    run = [sys.executable, "setup.py", "-q", "bdist_wheel", "--compression", "stored"]
    done = subprocess.run(
        [*run, "-d", str(folder)],
        cwd=source,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def fresh_environment(folder: Path) -> Path:
    """The packages of an environment with the one dependency without which no format is known.

    All others are loaded when they are used.
    """
    venv.create(folder)
    [packages] = folder.glob("lib/python*/site-packages")
    shutil.copytree(Path(msgspec.__file__).parent, packages / "msgspec")
    return packages


def install(wheel: Path, folder: Path) -> Path:
    fresh_environment(folder)
    python = str(folder / "bin" / "python")
    # nor is compiled what no command loads
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-compile"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    return folder / "bin"


def unpack(wheel: Path, folder: Path) -> Path:
    """As after an installation, but for programs; these are written in a tenth of the time."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(fresh_environment(folder))
    programs = folder / "bin"
    for name in ("sclite", "scoring"):
        line = f"import sys; from scoring.cli.start import {name}; sys.exit({name}())"
        (programs / name).write_text(f"#!{programs}/python\n{line}\n")
        (programs / name).chmod(0o755)
    return programs


def score_demo(programs: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    files = ["-r", str(DEMO / "reference.trn"), "-h", str(DEMO / "baseline.trn")]
    return subprocess.run(
        [programs / "sclite", *files, "-i", "spu_id", "-o", "sum", "stdout"],
        cwd=programs,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="programs lie elsewhere there")
def test_wheel(tmp_path: Path) -> None:
    source = sources(tmp_path)
    compiled(source)
    wheel = build_wheel(
        source,
        tmp_path,
        SCLITE_KIT_REQUIRE_NATIVE="1",
        SCLITE_KIT_WERROR="1",
    )
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        # the folder in .data has the man pages
        assert {top for top in tops if not re.search(r"\.(dist-info|data)$", top)} == {
            "formats",
            "sclite_kit",
            "scoring",
        }
        manuals = {name for name in archive.namelist() if "/data/share/man/man1/" in name}
        assert {Path(name).name for name in manuals} >= {"sclite.1", "hubscr.pl.1", "md-eval.pl.1"}
        quick = {name for name in archive.namelist() if ".data/scripts/" in name}
        assert {Path(name).name for name in quick} == {"sclite", "scoring", "sclite-kit"}
        for name in quick:
            text = archive.read(name).decode()
            assert text.startswith("#!python\nimport sys\nfrom scoring.cli.start import ")
        assert {name for name in archive.namelist() if ".data/" in name} == manuals | quick
        assert {"formats/py.typed", "scoring/py.typed"} <= set(archive.namelist())
        data = [
            path.relative_to(ROOT).as_posix()
            for top in ("formats", "scoring")
            for path in (ROOT / top).rglob("*.*")
            if path.suffix not in (".py", ".pyc", ".so", ".cpp", ".hpp", ".map")
        ]
        assert {name for name in data if not PACKED.search(name)} <= set(archive.namelist())
        assert not {name for name in data if PACKED.search(name)} & set(archive.namelist())
        archive.extractall(tmp_path / "unpacked")
    folders = {match[0]: match[0] for name in data if (match := PACKED.search(name))}
    assert len(folders) > 5
    for inside, home in {
        **folders,
        "sclite_kit/docs": "docs",
        "sclite_kit/resources": "resources",
    }.items():
        pattern = "*.md" if home == "docs" else "*"
        originals = {
            path.relative_to(ROOT / home).as_posix(): path.read_text("utf-8")
            for path in (ROOT / home).rglob(pattern)
            if path.is_file()
        }
        folder = str(tmp_path / "unpacked" / inside)
        assert {name: text_of(folder, name) for name in names_in(folder)} == originals
    programs = install(wheel, tmp_path / "installed")
    native = score_demo(programs, SCORING_ALIGN="native")
    plain = score_demo(programs, SCORING_ALIGN="plain")
    assert (native.returncode, native.stderr) == (0, "")
    assert "Sum/Avg" in native.stdout
    assert (plain.returncode, plain.stderr, plain.stdout) == (0, "", native.stdout)
    detected = subprocess.run(
        [programs / "formats", "detect", DEMO / "reference.stm"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "stm" in detected.stdout
    work = tmp_path / "work"
    work.mkdir()
    for command in (["docs", "--resources"], ["docs", "first-score"]):
        done = subprocess.run(
            [programs / "scoring", *command], cwd=work, capture_output=True, text=True, check=True
        )
    assert done.stdout == (ROOT / "docs" / "first-score.md").read_text("utf-8")
    assert (work / "resources" / "demo" / "reference.trn").is_file()
    copied, original = (
        {
            path.relative_to(home).as_posix(): path.read_bytes()
            for path in home.rglob("*")
            if path.is_file()
        }
        for home in (work / "resources", ROOT / "resources")
    )
    assert copied == original


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="programs lie elsewhere there")
def test_wheel_without_a_compiler(tmp_path: Path) -> None:
    none = "/nonexistent"
    wheel = plain_wheel(
        sources(tmp_path), tmp_path, CC=none, CXX=none, SCLITE_KIT_REQUIRE_NATIVE="0"
    )
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".so")]
    done = score_demo(unpack(wheel, tmp_path / "unpacked"))
    assert done.returncode == 0
    assert "Sum/Avg" in done.stdout
    assert done.stderr.count("native core is not installed") == 1


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="programs lie elsewhere there")
def test_the_pure_wheel_names_packages_that_are_missing(tmp_path: Path) -> None:
    wheel = plain_wheel(sources(tmp_path), tmp_path, SCLITE_KIT_PURE="1")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        required = archive.read(metadata).decode("utf-8")
    assert 'Requires-Dist: numpy>=1.24; extra == "full"' in required
    assert "](https://github.com/" in required  # links of README work on an index page
    assert "](docs/" not in required
    programs = unpack(wheel, tmp_path / "unpacked")
    assert "Sum/Avg" in score_demo(programs).stdout
    texts = [str(tmp_path / name) for name in ("r.txt", "h.txt")]
    for path in texts:
        Path(path).write_text("hello\n", "utf-8")
    read = [str(programs / "scoring"), "wer", *texts, "--unit", "grapheme"]
    done = subprocess.run(read, capture_output=True, text=True, check=False)
    message = (
        "scoring: error: expected the package regex to be installed, found none "
        "(pip install regex) [MISSING-PACKAGE]"
    )
    assert (done.returncode, done.stdout, done.stderr.splitlines()[1:]) == (2, "", [message])
    shown = [str(programs / "scoring"), "--version", "--verbose"]
    lines = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "native core: not installed" in lines
    assert "jinja2: not installed (pip install 'jinja2')" in lines
    assert "lxml: not installed (pip install 'sclite-kit[full]')" in lines


@pytest.mark.release
@pytest.mark.parametrize("required", ["0", "1"])
def test_no_module_of_an_earlier_build_is_left(tmp_path: Path, required: str) -> None:
    """Who changes what does not compile is not to go on with what was compiled before."""
    source = sources_of_cores(tmp_path)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    old = [source / package / f"_native{suffix}" for package in ("formats", "scoring")]
    for module in old:
        module.touch()
    for part in source.glob("*/_native/source/**/*.cpp"):
        part.write_text("no C++\n")
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=source,
        env={**os.environ, "SCLITE_KIT_REQUIRE_NATIVE": required},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) == (required == "1"), done.stderr
    assert ("the plain Python core will be used" in done.stderr) == (required == "0")
    assert done.stderr.count("of an earlier build is removed") == 2
    assert not any(module.exists() for module in old)


def test_the_version_is_the_same_everywhere() -> None:
    lines = {
        "setup.cfg": f"version = {VERSION}\n",
        "CITATION.cff": f"version: {VERSION}\n",
        "recipe/recipe.yaml": f'version: "{VERSION}"\n',
        "CHANGELOG.md": f"## {VERSION}",
    }
    missing = [file for file, line in lines.items() if line not in (ROOT / file).read_text("utf-8")]
    assert missing == []


def test_the_conda_recipe_requires_what_the_package_requires() -> None:
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text("utf-8")
    setup = (ROOT / "setup.cfg").read_text("utf-8")
    required = re.search(r"^install_requires =\n((?:    .*\n)+)", setup, re.MULTILINE)
    assert required
    names = [line.partition(";")[0].strip() for line in required[1].splitlines()]
    assert names
    assert [name for name in names if name.replace(">=", " >=") not in recipe] == []


@pytest.mark.release
def test_sources_have_the_site_the_demo_and_what_is_compiled(tmp_path: Path) -> None:
    source = sources(tmp_path)
    built = source / "docs" / "_build" / "html"
    (built / "_static").mkdir(parents=True, exist_ok=True)
    for page in (built / "index.html", built / "_static" / "style.css"):
        page.write_text("as if the site were built")
    there = [path for name in ("docs", "resources") for path in (source / name).rglob("*")]
    there += [path for suffix in ("cpp", "hpp") for path in source.rglob(f"*.{suffix}")]
    expected = {path.relative_to(source).as_posix() for path in there if path.is_file()}
    # not compressed, which would take half of the time
    kind = ["--formats", "tar", "-d", str(tmp_path / "made")]
    run = [sys.executable, "setup.py", "-q", "sdist", *kind]
    subprocess.run(run, cwd=source, check=True, capture_output=True)
    [archive] = (tmp_path / "made").glob("*.tar")
    with tarfile.open(archive) as members:
        names = {name.partition("/")[2] for name in members.getnames()}
    assert expected <= names
    assert {"README.md", "tox.ini", "setup.py", "docs/conf.py"} <= names
