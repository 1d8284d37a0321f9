"""What all tests share: random examples, which are the same in every run, their order, and a browser.

`HYPOTHESIS_PROFILE=explore` draws new ones, to look for what nobody thought of.
"""

from __future__ import annotations

import os
import re
import sys

# Compiling takes half of a collection, and tests start Python by the hundred: what one process
# compiles is kept for the others, even where the environment says otherwise. This stands before
# other imports, because pytest compiles all of hypothesis to look for assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Hypothesis would load the packages that extend it; that of trio, which selenium needs, takes as
# long as all of Hypothesis.
os.environ.setdefault("HYPOTHESIS_NO_PLUGINS", "1")

# ruff: noqa: E402
import compileall
import gc
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.internal import charmap
from hypothesis.internal.conjecture import providers
from hypothesis.internal.intervalsets import IntervalSet

from tests.chromium import HANGS, end, is_installed
from tests.each_case import Chosen
from tests.more_words import SEED, add_words
from tests.named_options import check_usage_errors

if TYPE_CHECKING:
    from tests.scoring.pages.html.conftest import Browser

TESTS = Path(__file__).parent
WORDY = {TESTS / "formats", TESTS / "scoring" / "cli", TESTS / "scoring" / "sides"}
"""Folders whose tests see every message with more words."""
MARKS = re.compile(rb"mark\.(?:release|share)\b")
"""How a file marks tests of a release."""
WAITING = ("tests/scoring/pages/", "tests/scoring/serve/")
"""Folders whose tests wait for browsers and services."""
FOLDERS = count()
"""Numbers of the folders of tests."""
NOT_SENT = "not sent"
"""The only field of a report of a worker that nobody reads."""
WORTH_TELLING = 0.05
"""Seconds of a setup or teardown that durations of tests show."""
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeat")
WORKER, WORKERS = (
    int("0" + os.environ.get(name, "").removeprefix("gw"))
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT")
)

# A run in the background ignores interrupts, and so would all processes that tests start and
# interrupt. Whoever ignores them there has no terminal to interrupt them from.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# every run draws the same examples: more of them would find nothing new
settings.register_profile("repeat", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("explore", deadline=None)
settings.load_profile(PROFILE)
if PROFILE == "repeat":
    # Hypothesis mixes constants of all modules that are loaded into what it draws: examples would
    # depend on what ran before, and each worker would parse a thousand modules
    vars(providers)["_get_local_constants"] = lambda: providers._local_constants

# Hypothesis would encode every code point to find those that UTF-8 has: three seconds of each worker
# of a fresh checkout
UTF_8 = IntervalSet([(0, 0xD7FF), (0xE000, sys.maxunicode)]), IntervalSet([])
intervals_of = charmap.intervals_from_codec
vars(charmap)["intervals_from_codec"] = lambda codec: (
    UTF_8 if codec == "utf-8" else intervals_of(codec)
)

check_usage_errors()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a test that loops over cases run some of them."""
    parser.addoption("--case", default="", help="run only cases whose names contain this text")


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker a part in one piece: tests of a module share what its fixtures hold.

    Whoever ends first takes half of what another has left. All find the packages compiled.
    """
    Chosen.text = config.getoption("--case", "")
    if getattr(config.option, "dist", "no") == "load" and not WORKERS:
        config.option.dist = "worksteal"
        for package in ("formats", "scoring", "sclite_kit"):
            compileall.compile_dir(TESTS.parent / package, quiet=2, workers=0)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker begin elsewhere: it finds compiled what another has loaded before."""
    with words_for(collector):
        report = yield
    if WORKERS and isinstance(collector, pytest.Directory) and report.result:
        begin = len(report.result) * WORKER // WORKERS
        report.result = [*report.result[begin:], *report.result[:begin]]
    return report


def pytest_sessionstart(session: pytest.Session) -> None:
    """Keep a worker from sending what only a verbose terminal and JUnit's file read.

    These are starts and ends of tests, and setups and teardowns that passed quickly. Sending one
    takes as long as a small test.
    """
    option = session.config.option
    if option.verbose > 0 or option.xmlpath:
        return
    manager = session.config.pluginmanager
    for plugin in manager.get_plugins():
        if hasattr(plugin, "sendevent"):
            plugin.sendevent = partial(_send, plugin.sendevent)
            manager.register(FewerReports())


def _send(send: Callable[..., None], name: str, **fields: Any) -> None:
    """Send an event of a worker, unless nothing depends on it."""
    is_report = name == "testreport"
    if name not in ("logstart", "logfinish") and not (is_report and NOT_SENT in fields["data"]):
        send(name, **fields)


class FewerReports:
    """A plugin of a worker: it writes down no report that is not sent."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(
        self, report: pytest.TestReport | pytest.CollectReport
    ) -> dict[str, Any] | None:
        is_empty = getattr(report, "when", "call") in ("setup", "teardown") and report.passed
        return {NOT_SENT: True} if is_empty and report.duration < WORTH_TELLING else None


def pytest_report_header() -> str:
    """Say why messages read oddly."""
    return "messages have more words: see tests/more_words.py" if SEED else ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Add words to all messages, but for a test that quotes them."""
    with words_for(item):
        return (yield)


def words_for(node: pytest.Item | pytest.Collector) -> AbstractContextManager[None]:
    """More words in all messages, for tests of `WORDY` that do not quote them."""
    has_words = not WORDY.isdisjoint((node.path, *node.path.parents))
    quotes = node.get_closest_marker("quotes")
    return add_words() if SEED and has_words and not quotes else nullcontext()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected out of the garbage collector, which would search it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        # what tests load stays, too: the collector searches all of it less often than its default of
        # 10, and new values less often than after 700, as Hypothesis listens to each search
        gc.set_threshold(10_000, 10, 50)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out files without a test of a release, where only those run, unless somebody names them.

    A search for tests loads the module.
    """
    collectors = yield
    if collectors and parent.config.option.markexpr == "release":
        is_named = parent.session.isinitpath(file_path)
        if not is_named and not MARKS.search(file_path.read_bytes()):
            return []
    return collectors


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Begin with the tests of whole packages, which take longest: nobody waits for them at the end.

    Workers, which collect in several orders, all take the same one, before pytest groups the tests
    by what they share. Modules that read the syntax of our sources stand together, so that one
    worker parses them for all. Of tests marked with `share` some cases are tests of a release, or
    are left out if other cases of a release try the same and more. A test whose browser hangs is
    run again, with a new browser.
    """
    if WORKERS:
        items.sort(key=lambda item: str(item.path))
    numbers: Counter[tuple[Path, str]] = Counter()
    kept: list[pytest.Item] = []
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        share = item.get_closest_marker("share") if "share" in marks else None
        if share and "release" not in marks:
            test = item.path, getattr(item, "originalname", item.name)
            number, numbers[test] = numbers[test], numbers[test] + 1
            if number % share.args[0] and share.kwargs.get("covered"):
                continue
            if number % share.args[0]:
                item.add_marker(pytest.mark.release)
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=list(HANGS)))
        kept.append(item)
    firsts = {str(TESTS), str(TESTS / "scoring")}
    kept.sort(
        key=lambda item: (not reads_syntax(item.path), os.path.dirname(item.path) not in firsts)
    )
    items[:] = kept
    yield
    if WORKERS > 1:
        spread(items)


@cache
def reads_syntax(path: Path) -> bool:
    """Whether a file has tests that read the syntax of our sources."""
    return b"\nfrom tests.syntax import " in path.read_bytes()


def waits(item: pytest.Item, folders: str | tuple[str, ...]) -> bool:
    """Whether a test of these folders waits for browsers and services."""
    return item.nodeid.startswith(folders) and not reads_syntax(item.path)


def spread(items: list[pytest.Item]) -> None:
    """Let the last workers begin with tests that wait, each with those of a folder.

    The others compute meanwhile; if all waited together, processors would be idle.
    """
    rest = [item for item in items if not waits(item, WAITING)]
    for number, folder in enumerate(WAITING, WORKERS - len(WAITING)):
        begin = len(items) * number // WORKERS
        rest[begin:begin] = [item for item in items if waits(item, folder)]
    items[:] = rest


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A fresh folder, which stays if its test fails.

    Pytest's own takes as long as a small test: it searches the folders of all tests for a free number.
    """
    number, failed = next(FOLDERS), request.session.testsfailed
    path = tmp_path_factory.getbasetemp() / f"{request.node.name.partition('[')[0][:30]}{number}"
    path.mkdir()
    yield path
    if request.session.testsfailed == failed:
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder that is the current one, so that messages and commands stay short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    if not is_installed():
        pytest.skip("chromium and chromedriver are not installed")
    from tests.scoring.pages.html.conftest import Browser

    running = Browser()
    yield running
    end(running.driver.service)


@pytest.fixture
def browser(request: pytest.FixtureRequest, chromium: Browser) -> Browser:
    """The browser, which answers; a new one for a test that is run again."""
    if getattr(request.node, "execution_count", 1) > 1 or not chromium.is_alive():
        chromium.restart()
    return chromium


@pytest.fixture
def screen(browser: Browser) -> Iterator[Browser]:
    """A browser whose size and theme a test may change, and what it may ask for."""
    yield browser
    browser.look(0)
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: tests of services and browsers wait."""
    return (os.cpu_count() or 1) + 1
