"""The page in a real browser: the exported one without network, and the one that is served."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.serve.browser.export import ExportError, export
from tests.scoring.pages.html.conftest import PATIENCE, Browser, browser, screen  # noqa: F401

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
# the report has tests of its own, and axe does not enter a frame of another origin
OWN = {"exclude": ["#report"]}
HOSTILE = "<img src=x onerror=window.top.hacked=1>"


class Screen:
    """The page in a browser: what a person does with it."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:  # noqa: F811
        self.browser, self.address, self.folder = browser, address, folder

    def open(self, fragment: str = "") -> None:
        self.browser.driver.switch_to.default_content()
        self.browser.driver.get("about:blank")
        self.browser.driver.get_log("browser")
        self.browser.driver.get_log("performance")
        where = {"behavior": "allow", "downloadPath": str(self.folder)}
        command = self.browser.driver.execute_cdp_cmd
        command("Page.setDownloadBehavior", where)
        command("Network.enable", {})
        blocked = ["http*", "ws*"] if self.address.startswith("file:") else []
        command("Network.setBlockedURLs", {"urls": blocked})
        self.browser.driver.get(self.address + fragment)
        self.browser.wait("return document.documentElement.dataset.ready !== undefined")

    def give(self, slot: str, *paths: Path) -> None:
        picker = "folder" if paths[0].is_dir() else "file"
        found = self.browser.driver.find_element("id", f"{slot}-{picker}")
        found.send_keys("\n".join(map(str, paths)))
        self._wait_for_formats(slot, paths)

    def drop(self, slot: str, *paths: Path) -> None:
        """Drop files and folders on a box, as from a file manager."""
        place = "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
        x, y = self.browser.run(f"{place} return [box.x + 20, box.y + 20]", slot)
        data = {"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": x, "y": y, "data": data}
            self.browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", event)
        self._wait_for_formats(slot, paths)

    def _wait_for_formats(self, slot: str, paths: Sequence[Path]) -> None:
        """Wait until the list has these files, not those before, with their formats."""
        self.browser.wait(
            "const list = document.getElementById(arguments[0]).querySelector('ul').innerText;"
            "return arguments[1].every((name) => list.includes(name)) && !list.includes('…')",
            slot,
            [path.name for path in paths],
        )

    def press(self, button: str) -> str:
        """Press a button and wait until the page has done that; its status."""
        self.browser.click(f"#{button}")
        self.browser.wait(
            "return document.getElementById('working').hidden &&"
            " /^(Done|Cancelled|This)/.test(document.getElementById('status').textContent)"
        )
        return self.browser.text("#status")

    def download(self, text: str) -> tuple[str, bytes]:
        """The file behind a button, with its name."""
        before = set(self.folder.iterdir())
        self.browser.run(
            "[...document.querySelectorAll('#downloads button')]"
            ".find((button) => button.textContent === arguments[0]).click()",
            text,
        )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            new = [p for p in set(self.folder.iterdir()) - before if p.suffix != ".crdownload"]
            if new and new[0].stat().st_size:
                return new[0].name, new[0].read_bytes()
            time.sleep(0.02)
        raise AssertionError(f"no download: {self.browser.text('#result')}")

    def report(self) -> dict[str, Any]:
        """What the report in the frame shows."""
        driver = self.browser.driver
        driver.switch_to.frame(driver.find_element("id", "report"))
        try:
            self.browser.wait("return document.documentElement.dataset.ready !== undefined")
            rows = self.browser.rows("#systems")
            return {"rows": rows, "text": self.browser.text("body")}
        finally:
            driver.switch_to.default_content()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "page"
    try:
        export(str(folder))
    except ExportError as problem:
        pytest.skip(f"the page's runtime cannot be had here: {problem}")
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    history = tmp_path_factory.mktemp("history") / "runs.db"
    record = ["wer", str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")]
    assert main([*record, "--record", str(history)]) == 0
    command = [sys.executable, "-m", "scoring", "ui", "--no-open", "--port", "0"]
    with subprocess.Popen(
        [*command, "--history", str(history)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        yield process.stderr.readline().rpartition(" ")[2].strip()
        process.terminate()


@pytest.fixture(params=[pytest.param("exported", marks=pytest.mark.release), "served"])
def page(
    request: pytest.FixtureRequest,
    screen: Browser,  # noqa: F811
    tmp_path: Path,
) -> Screen:
    place = request.getfixturevalue(request.param)
    address = place if request.param == "served" else (place / "index.html").as_uri()
    (tmp_path / "saved").mkdir()
    return Screen(screen, address, tmp_path / "saved")


@pytest.fixture
def offline(exported: Path, screen: Browser, tmp_path: Path) -> Screen:  # noqa: F811
    (tmp_path / "saved").mkdir()
    return Screen(screen, (exported / "index.html").as_uri(), tmp_path / "saved")


def test_two_files_are_scored_without_network(page: Screen, current_folder: Path) -> None:
    """Choices from a link, the report, downloads equal to the command's; nothing is asked for."""
    page.open("#normalize=lowercase&ignore_case=true&unit=word&missing=nonsense&other=1")
    page.drop("reference", DEMO / "reference.stm")
    page.give("hypothesis", DEMO / "baseline.ctm")
    assert "reference.stm stm" in page.browser.text("#panel-score").replace("\n", " ")
    assert page.press("score").startswith("Done")
    assert page.report()["rows"][0][:2] == ["baseline.ctm", "20.49"]
    fragment = page.browser.run("return document.getElementById('share').hash")
    assert fragment == "#unit=word&normalize=lowercase&ignore_case=true"
    command = re.search("scoring (wer .*) --html", page.browser.text("#command"))
    assert command is not None
    for name in ("reference.stm", "baseline.ctm"):
        (current_folder / name).write_bytes((DEMO / name).read_bytes())
    for text, flags in {
        "HTML": ["--html", "report.html"],
        "JSON": ["--json", "report.json"],
        "CSV": ["--csv", "report.csv"],
        ".sys": ["-O", ".", "-o", "sum"],
        ".pra": ["-O", ".", "-o", "pralign"],
    }.items():
        name, content = page.download(text)
        assert main([*command[1].split(" "), *flags]) == 0
        assert content == (current_folder / name).read_bytes(), name
    own = (page.address.partition("#")[0].rpartition("/")[0], "blob:", "data:")
    assert [url for url in page.browser.requests() if not url.startswith(own)] == []
    assert page.browser.complaints() == []


@pytest.mark.release
def test_other_tabs_errors_and_hostile_texts(offline: Screen, tmp_path: Path) -> None:
    page = offline
    page.open()
    units = "return [...document.getElementById('unit').options].map((one) => one.value)"
    assert page.browser.run(units) == ["", "word", "char", "char+space"]
    page.browser.click("#tab-convert")
    page.give("convert-in", DEMO / "interview.TextGrid")
    page.browser.choose("to", "eaf")
    assert page.press("convert").startswith("Done")
    document = tmp_path / "talk.eaf"
    document.write_bytes(page.download("interview.eaf")[1])
    page.drop("convert-in", document)
    page.browser.choose("to", "srt")
    assert page.press("convert").startswith("Done")
    assert "not preserved" in page.browser.text("#remarks")
    assert page.download("talk.srt")[1].startswith(b"1\n00:00:00,")
    page.browser.click("#tab-check")
    broken = tmp_path / f"{HOSTILE.replace('/', '')}.stm"
    broken.write_text(f"{HOSTILE} 1 x zero 2 word\n")
    page.give("check-in", broken)
    page.browser.choose("check-in-format", "stm")
    page.press("validate")
    assert f"{broken.name}:1:" in page.browser.text("#result")
    page.browser.click("#tab-score")
    folders = [tmp_path / name / "talks" for name in ("r", "h")]
    for folder, word in zip(folders, ("said", HOSTILE.replace(" ", "/")), strict=True):
        folder.mkdir(parents=True)
        for number in range(2):
            (folder / f"{number}.txt").write_text(f"a {word} {number}\n")
    page.give("reference", folders[0])
    page.drop("hypothesis", folders[1])
    assert page.press("score").startswith("Done")
    assert "hypothesis/talks" in page.browser.text("#command")
    page.report()
    assert page.browser.run("return window.hacked") is None
    assert page.browser.run("return [localStorage.length, document.cookie]") == [0, ""]
    page.browser.choose("reference-format", "stm")
    assert page.press("score") == "This did not work."
    assert re.search(r"talks/\d\.txt:1", page.browser.text("#problem"))


def test_a_task_can_be_cancelled(page: Screen, tmp_path: Path) -> None:
    page.open()
    # much work in every core, in little memory
    for name, step in (("forwards.txt", 1), ("backwards.txt", -1)):
        (tmp_path / name).write_text(" ".join(str(n % 9_973) for n in range(60_000)[::step]))
    page.give("reference", tmp_path / "forwards.txt")
    page.give("hypothesis", tmp_path / "backwards.txt")
    # both in one turn of the page: the task still reads its files when a person cancels it
    page.browser.run("['score', 'cancel'].forEach((id) => document.getElementById(id).click())")
    page.browser.wait("return document.getElementById('working').hidden")
    assert page.browser.text("#status") == "Cancelled.", page.browser.text("#problem")
    page.browser.run("document.getElementById('status').textContent = ''")
    page.browser.click("#score")
    page.browser.wait("return !document.getElementById('working').hidden")
    assert page.press("cancel") == "Cancelled.", page.browser.text("#problem")
    page.browser.click("#tab-check")
    page.give("check-in", DEMO / "interview.TextGrid")
    assert page.press("validate").startswith("Done")


def test_everybody_can_use_it(page: Screen) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.browser.look(1400)
    page.open()
    assert page.press("demo").startswith("Done")
    assert [row[0] for row in page.report()["rows"]] == ["baseline.ctm", "improved.ctm"]
    for width, theme in ((1400, "light"), (390, "dark")):
        page.browser.look(width, theme)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
        assert page.browser.violations(OWN) == []
    page.browser.run("document.getElementById('tab-score').focus()")
    ActionChains(page.browser.driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert page.browser.run("return document.activeElement.id") == "tab-check"
    assert page.browser.violations(OWN) == []


def test_the_service_is_for_this_machine(served: str) -> None:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    with urlopen(served, timeout=PATIENCE) as answer:
        text = answer.read().decode()
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert "connect-src 'self'" in text
    with urlopen(f"{served}history/", timeout=PATIENCE) as answer:
        assert b'href="/history/run/1"' in answer.read()
    for headers in ({"Host": "example.org"}, {"Origin": "http://example.org"}):
        with pytest.raises(HTTPError, match=r"40[03]"):
            urlopen(Request(served, headers=headers), timeout=PATIENCE)
    command = [sys.executable, "-m", "scoring", "ui", "--host", "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--allow-host" in done.stderr


def test_work_ends_with_its_client() -> None:
    import asyncio

    ended = []

    async def application(_scope: object, receive: Any, _send: object) -> None:
        try:
            while (await receive())["more_body"]:
                pass
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            ended.append(True)
            raise

    async def call() -> None:
        messages = [
            {"type": "http.request", "more_body": True},
            {"type": "http.request", "more_body": False},
            {"type": "http.disconnect"},
        ]

        async def receive() -> Any:
            return messages.pop(0)

        service = pytest.importorskip("scoring.serve.browser.service", reason="starlette")
        await service.ended_with_client(application)({"type": "http"}, receive, None)

    asyncio.run(call())
    assert ended == [True]
