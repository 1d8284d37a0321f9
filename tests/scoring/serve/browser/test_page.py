"""The page in a real browser: the exported one without network, and the one that is served."""

import gzip
import re
import shutil
import subprocess
import sys
import time
import wave
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scoring.cli.scoring import main
from scoring.serve.browser.export import (
    ExportError,
    export,
    prepared_demo,
    sizes_of_parts,
    write_demo,
)
from scoring.serve.browser.page import page_of_export
from scoring.serve.browser.plain_words import labels
from tests.made_once import made_once
from tests.scoring.pages.html.conftest import PATIENCE, Browser

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
# the report has tests of its own, and axe does not enter a frame of another origin
OWN = {"exclude": ["#report"]}
# what is around these parts is the same in all tests, of which one sees all of the page
SHOWN = {"include": [".panel:not([hidden])", "#result"], **OWN}
HOSTILE = "<img src=x onerror=window.top.hacked=1>"


class Screen:
    """The page in a browser: what a person does with it."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self.browser, self.address, self.folder = browser, address, folder

    def open(self, fragment: str = "") -> None:
        self.browser.driver.switch_to.default_content()
        self.browser.leave()
        self.set_downloads()
        command = self.browser.driver.execute_cdp_cmd
        command("Network.enable", {})
        blocked = ["http*", "ws*"] if self.address.startswith("file:") else []
        command("Network.setBlockedURLs", {"urls": blocked})
        self.browser.driver.get(self.address + fragment)
        self.browser.wait("return document.documentElement.dataset.ready !== undefined")

    def set_downloads(self) -> None:
        """Save what is downloaded in the folder."""
        where = {"behavior": "allow", "downloadPath": str(self.folder)}
        self.browser.driver.execute_cdp_cmd("Page.setDownloadBehavior", where)

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
        if slot != "tabs":
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
            " /^(Done|Cancelled|This|Drop)/.test(document.getElementById('status').textContent)"
        )
        return self.browser.text("#status")

    def download(self, text: str, box: str = "downloads") -> tuple[str, bytes]:
        """The file behind a button of a box, with its name."""
        before = set(self.folder.iterdir())
        self.browser.run(
            "[...document.getElementById(arguments[1]).querySelectorAll('button')]"
            ".find((button) => button.textContent === arguments[0]).click()",
            text,
            box,
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
        self.browser.run("document.getElementById('details').open = true")
        driver.switch_to.frame(driver.find_element("id", "report"))
        try:
            self.browser.wait("return document.documentElement.dataset.ready !== undefined")
            rows = self.browser.rows("#systems")
            return {"rows": rows, "text": self.browser.text("body")}
        finally:
            driver.switch_to.default_content()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        with pytest.MonkeyPatch.context() as patch:
            # to browsers it is the same, and to make it as small as can be takes five seconds
            fast = partial(gzip.compress, compresslevel=1)
            patch.setattr(gzip, "compress", lambda part, _level, mtime: fast(part, mtime=mtime))
            return made_once(tmp_path_factory, "page", lambda path: export(str(path)))
    except ExportError as problem:
        pytest.skip(f"the page's runtime cannot be had here: {problem}")


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
    screen: Browser,
    tmp_path: Path,
) -> Screen:
    place = request.getfixturevalue(request.param)
    address = place if request.param == "served" else (place / "index.html").as_uri()
    (tmp_path / "saved").mkdir()
    return Screen(screen, address, tmp_path / "saved")


# what the page itself does, whoever computes: to start the runtime of each export takes long
in_served = pytest.mark.parametrize("page", ["served"], indirect=True)


@pytest.fixture
def offline(exported: Path, screen: Browser, tmp_path: Path) -> Screen:
    (tmp_path / "saved").mkdir()
    return Screen(screen, (exported / "index.html").as_uri(), tmp_path / "saved")


def test_two_files_are_scored_without_network(page: Screen, current_folder: Path) -> None:
    """Choices from a link, the report, downloads equal to the command's; nothing is asked for."""
    page.open(
        "#normalize=lowercase&ignore_case=true&with_cer=true&unit=word&missing=nonsense&other=1"
    )
    page.drop("reference", DEMO / "reference.stm")
    page.give("hypothesis", DEMO / "baseline.ctm")
    assert "reference.stm stm" in page.browser.text("#panel-score").replace("\n", " ")
    assert page.press("score").startswith("Done")
    assert page.report()["rows"][0][:2] == ["baseline.ctm", "20.49"]
    fragment = page.browser.run("return document.getElementById('share').hash")
    counts_characters = not page.address.startswith("file:")  # what counts them needs numpy
    chosen = "&with_cer=true" * counts_characters
    assert fragment == f"#normalize=lowercase{chosen}&ignore_case=true"
    assert page.browser.text("#words h2") == "116 of 566 words are wrong: 20.5 %"
    told = "characters are wrong: " in page.browser.text("#words")
    assert told is counts_characters
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
    assert page.browser.run(units) == ["", "char", "char+space"]
    page.browser.click("#tab-convert")
    page.give("convert-in", DEMO / "interview.TextGrid")
    page.browser.choose("to", "eaf")
    assert page.press("convert").startswith("Done")
    document = tmp_path / "talk.eaf"
    document.write_bytes(page.download("interview.eaf")[1])
    page.drop("convert-in", document)
    page.browser.choose("to", "srt")
    assert page.press("convert").startswith("Done")
    assert "does not hold everything" in page.browser.text("#remarks")
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
    assert "hypothesis/talks" in page.browser.run(
        "return document.getElementById('command').textContent"
    )
    page.report()
    assert page.browser.run("return window.hacked") is None
    assert page.browser.run("return [localStorage.length, document.cookie]") == [0, ""]
    page.browser.choose("reference-format", "stm")
    assert page.press("score") == "This did not work."
    assert re.search(r"talks/\d\.txt:1", page.browser.text("#problem"))
    large_files_are_said_to_take_long(page, tmp_path)
    # what is asked of the served page, too, where it opens in no time
    page.browser.choose("language", "en")
    page.browser.choose("reference-format", "")
    take_all_away(page)
    tables_folders_and_archives_are_dropped(page, tmp_path)
    take_all_away(page)
    written_and_spoken_forms_count_as_equal(page, tmp_path)


def large_files_are_said_to_take_long(page: Screen, folder: Path) -> None:
    """Before they are scored, in the browser alone: the installed program takes seconds."""
    for name, size in (("small.txt", 10), ("large.txt", 1_500_000)):
        (folder / name).write_text("word up\n" * size)
    take_all_away(page)
    page.give("reference", folder / "small.txt")
    assert visible(page, "large") == []
    page.give("hypothesis", folder / "large.txt")
    assert page.browser.text("#large").startswith("These files are 12 MB. ")
    assert "about 2 minutes" in page.browser.text("#large")
    page.browser.choose("language", "fr")
    assert page.browser.text("#large").startswith("Ces fichiers font 12 Mo.")
    title = "document.querySelector('#to option[value=\"srt\"]').textContent"
    assert page.browser.run(f"return {title}") == "srt: sous-titres SubRip"


def give_long_texts(page: Screen, folder: Path) -> None:
    """Two texts that take long in every core."""
    for name, step in (("forwards.txt", 1), ("backwards.txt", -1)):
        (folder / name).write_text(" ".join(str(n % 9_973) for n in range(60_000)[::step]))
    page.give("reference", folder / "forwards.txt")
    page.give("hypothesis", folder / "backwards.txt")


def visible(page: Screen, *names: str) -> list[str]:
    """Those of some elements that a person sees."""
    shown = "return arguments[0].filter((id) => document.getElementById(id).checkVisibility())"
    found: list[str] = page.browser.run(shown, names)
    return found


PARTS = ("words", "downloads", "details", "problem", "remarks", "text")


@pytest.mark.release
@in_served
def test_a_new_run_removes_the_old_result(page: Screen, tmp_path: Path) -> None:
    """Also one that fails, one that is cancelled, and one that lacks a file."""
    page.open()
    assert page.press("demo").startswith("Done")
    assert visible(page, *PARTS) == ["words", "downloads", "details"]
    give_long_texts(page, tmp_path)
    # a person's own files are not scored with those of the demo
    names = "return [...document.querySelectorAll('.slot li strong')].map((one) => one.innerText)"
    assert page.browser.run(names) == ["forwards.txt", "backwards.txt"]
    page.browser.click("#score")
    page.browser.wait("return !document.getElementById('working').hidden")
    assert visible(page, *PARTS) == []
    assert page.browser.run("return document.getElementById('command').textContent") == ""
    status = page.press("cancel")
    assert status == "Cancelled.", page.browser.text("#problem")
    assert visible(page, *PARTS) == []
    assert page.press("demo").startswith("Done")
    page.browser.run("document.querySelector('#reference ul .link').click()")
    page.browser.run(
        "for (const one of document.querySelectorAll('#hypothesis ul .link')) one.click()"
    )
    assert page.press("score") == "This did not work."
    assert visible(page, *PARTS) == ["problem"]
    assert "both boxes" in page.browser.text("#problem")


@pytest.mark.release
@in_served
def test_it_speaks_to_people_without_a_command_line(page: Screen, tmp_path: Path) -> None:
    page.open()
    assert "sclite" not in page.browser.text("body")
    defaults = page.browser.run(
        "return [...document.querySelectorAll('select')].filter((one) => !['to', 'language',"
        " 'guide', 'guide-language', 'forms-language', 'meeting-rate'].includes(one.id)).map((one) => one.options[0].textContent)"
    )
    assert len(defaults) > 10
    assert [text for text in defaults if "(default)" not in text] == []
    assert defaults.count("word (default)") == 1
    (tmp_path / "r.txt").write_text("the cat sat on the mat\n")
    (tmp_path / "h.txt").write_text("The cat sat at mat\n")
    page.give("reference", tmp_path / "r.txt")
    page.give("hypothesis", tmp_path / "h.txt")
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2") == "3 of 6 words are wrong: 50.0 %"
    assert page.browser.text("#remarks") == (
        "1 of 3 errors: only case or punctuation; score without them"
    )
    page.browser.click("#remarks button")
    page.browser.wait("return /^2 of 6/.test(document.querySelector('#words h2')?.textContent)")
    assert page.browser.run("return document.getElementById('ignore-spelling').checked")
    (tmp_path / "m.stm").write_text("a 1 ann 0 5 one two three\na 1 ben 3 8 four five six\n")
    (tmp_path / "m.ctm").write_text("a 1 0 1 one\na 1 4 1 five\n")
    page.browser.run("document.querySelector('#hypothesis ul .link').click()")
    page.give("reference", tmp_path / "m.stm")
    page.give("hypothesis", tmp_path / "m.ctm")
    assert page.press("score").startswith("Done")
    assert "Speakers overlap: score as a meeting" in page.browser.text("#remarks")
    page.browser.run(
        "[...document.querySelectorAll('#remarks button')].find((one) => /meeting/.test(one.innerText)).click()"
    )
    page.browser.wait("return document.getElementById('meeting').value === 'auto'")
    page.browser.wait("return /^Done/.test(document.getElementById('status').textContent)")
    picture = tmp_path / "scan.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    page.browser.driver.find_element("id", "hypothesis-file").send_keys(str(picture))
    page.browser.wait("return document.querySelector('#hypothesis [role=alert]')")
    reason = "scan.png is a picture, not a transcript."
    assert page.browser.text("#hypothesis [role=alert]") == reason
    (tmp_path / "damaged.txt").write_bytes(b"caf\xc3\xa9 na\xefve\n")
    page.give("reference", tmp_path / "r.txt")
    page.give("hypothesis", tmp_path / "damaged.txt")
    page.press("score")
    said = page.browser.text("#problem")
    assert "Encoding of the hypothesis" in said
    assert "--" not in page.browser.text("body")
    assert "scoring:" not in page.browser.text("body")


@in_served
def test_a_person_shows_one_entry_of_a_text(page: Screen, tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("<0:12> (Ann) so it was\n")
    page.open()
    page.browser.click("#tab-convert")
    page.give("convert-in", path)
    page.browser.wait("return document.querySelector('#convert-in li .link')")
    page.browser.run("document.querySelector('#convert-in li .link').click()")
    page.browser.wait("return !document.getElementById('convert-in-entry').hidden")
    page.browser.run(
        "document.querySelector('#convert-in-entry textarea').setSelectionRange(0, 22);"
        "document.querySelector('#convert-in-entry button').click()"
    )
    value = "document.getElementById('convert-in-pattern').value"
    page.browser.wait(f"return {value}")
    assert page.browser.run(f"return {value}") == "<{start}> ({speaker}) {text}"
    page.browser.run(f"{value} += ' '")  # a person may edit it
    page.browser.choose("to", "jsonl")
    assert page.press("convert").startswith("Done")
    assert '"speaker": "Ann", "start": 12.0, "text": "so it was"' in page.browser.text("#text")
    assert page.browser.violations(SHOWN) == []


@in_served
def test_the_result_opens_with_one_sentence(page: Screen) -> None:
    page.open()
    assert page.press("demo").startswith("Done")
    heads = page.browser.run(
        "return [...document.querySelectorAll('#words h2')].map((one) => one.innerText)"
    )
    assert heads[0] == "baseline.ctm: 116 of 566 words are wrong: 20.5 %"
    assert heads[1].startswith("improved.ctm: ")
    assert page.browser.run("return document.querySelectorAll('#texts .talk .error').length") > 100
    rows = page.browser.rows("#texts .frequent")
    assert len(rows) == 10  # five of each system
    assert visible(page, "report", "command") == []
    assert "numpy" not in page.browser.text("#result")
    # the sums, hashes and the signature
    page.browser.run("document.getElementById('details').open = true")
    assert visible(page, "report", "command") == ["report", "command"]
    assert "scoring docs --resources && scoring wer resources/demo/reference.stm" in (
        page.browser.text("#command")
    )
    page.browser.run("document.getElementById('ignore-spelling').click()")
    assert page.press("score").startswith("Done")
    assert "--normalize=plain" in page.browser.run(
        "return document.getElementById('command').textContent"
    )
    below = page.browser.run(
        "const box = (id) => document.getElementById(id).getBoundingClientRect();"
        "return Math.abs(box('ignore-spelling').top - box('score').top)"
    )
    assert below < 40  # beside the button


@pytest.mark.release
@in_served
def test_written_and_spoken_forms_count_as_equal(page: Screen, tmp_path: Path) -> None:
    page.open()
    fragment = written_and_spoken_forms_count_as_equal(page, tmp_path)
    page.open(fragment)
    assert page.browser.run("return document.getElementById('spoken-forms').checked")


def written_and_spoken_forms_count_as_equal(page: Screen, folder: Path) -> str:
    """Score them in a page that is open and has no files; the fragment of the link to its choices."""
    (folder / "r.txt").write_text("it is twenty one degrees\n")
    (folder / "h.txt").write_text("it is 21 degrees\n")
    page.give("reference", folder / "r.txt")
    page.give("hypothesis", folder / "h.txt")
    assert page.browser.run("return document.getElementById('forms-language').value") == "en"
    page.browser.run("document.getElementById('spoken-forms').click()")
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2") == "All 5 words are right."
    assert "spoken-forms:lang=en" in page.browser.run(
        "return document.getElementById('command').textContent"
    )
    fragment: str = page.browser.run("return document.getElementById('share').hash")
    assert "spoken-forms" in fragment
    return fragment


def take_all_away(page: Screen) -> None:
    """Empty both boxes; to open the page again would load its runtime again."""
    remove = "document.querySelector('.slot li .link:last-child')?.click()"
    page.browser.wait(f"{remove}; return !document.querySelector('.slot li')")


@pytest.mark.release
@in_served
def test_tables_folders_and_archives_are_dropped(page: Screen, tmp_path: Path) -> None:
    page.open()
    tables_folders_and_archives_are_dropped(page, tmp_path)


def tables_folders_and_archives_are_dropped(page: Screen, folder: Path) -> None:
    """Real events, on boxes and beside them, and the numbers of the command."""
    table = folder / "both.csv"
    table.write_text(
        "id,reference,hypothesis\n1,the cat sat,the bat sat\n2,on the mat,on the mat\n"
    )
    page.drop("reference", table)
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2") == "1 of 6 words are wrong: 16.7 %"
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in table.read_text().splitlines():
        book.active.append(row.split(","))
    book.save(folder / "both.xlsx")
    take_all_away(page)
    page.drop("reference", folder / "both.xlsx")
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2") == "1 of 6 words are wrong: 16.7 %"
    folders = [folder / name for name in ("reference", "output")]
    for texts, word in zip(folders, ("wind", "rain"), strict=True):
        texts.mkdir()
        for number in "12":
            (texts / f"{number}.txt").write_text(f"the {word} drops {number}\n")
        shutil.make_archive(str(texts), "zip", texts)
    for suffix in ("", ".zip"):
        take_all_away(page)
        page.drop("tabs", *(texts.with_suffix(suffix) for texts in reversed(folders)))
        page.browser.wait("return document.querySelectorAll('.slot li').length === 2")
        assert page.browser.text("#reference li").startswith(f"reference{suffix}")
        assert page.press("score").startswith("Done")
        assert page.browser.text("#words h2") == "2 of 8 words are wrong: 25.0 %"
    take_all_away(page)
    page.give("hypothesis", folders[0] / "1.txt")
    assert page.press("score") == "This did not work."
    assert "both boxes" in page.browser.text("#problem")


@in_served
def test_long_work_shows_its_share(page: Screen, tmp_path: Path) -> None:
    page.open()
    lines = [f"{' '.join(str(n * 7 % 991) for n in range(k, k + 12))}\n" for k in range(60_000)]
    for name, some in (("r.txt", lines), ("h.txt", [line.replace("4", "5") for line in lines])):
        (tmp_path / name).write_text("".join(some))
    page.give("reference", tmp_path / "r.txt")
    page.give("hypothesis", tmp_path / "h.txt")
    page.browser.click("#score")
    page.browser.wait(
        "return / \\d+ %$/.test(document.getElementById('status').textContent) &&"
        " document.getElementById('progress').value > 0"
    )
    # work that ended would be done
    assert page.press("cancel") == "Cancelled."
    assert visible(page, "working", *PARTS) == []


@pytest.mark.release
@pytest.mark.parametrize(
    ("language", "button", "sentence"),
    [
        ("de", "Bewerten", "baseline.ctm: 116 von 566 Wörtern sind falsch: 20,5 %"),
        *(
            pytest.param(*row, marks=pytest.mark.release)
            for row in (
                ("fr", "Évaluer", "baseline.ctm: 116 mots sur 566 sont faux : 20,5 %"),
                ("es", "Evaluar", "baseline.ctm: 116 de 566 palabras son erróneas: 20,5 %"),
                ("zh", "评分", "baseline.ctm: 566 个词中有 116 个错误：20.5 %"),
                ("ja", "採点", "baseline.ctm: 566 語のうち 116 語が誤り：20.5 %"),
            )
        ),
    ],
)
def test_labels_follow_the_language_of_the_browser(
    served: str,
    screen: Browser,
    tmp_path: Path,
    language: str,
    button: str,
    sentence: str,
) -> None:
    page = Screen(screen, served, tmp_path)
    command = screen.driver.execute_cdp_cmd
    agent = screen.run("return navigator.userAgent")
    command("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})
    try:
        page.open()
        assert screen.text("#score") == button
        assert screen.run("return document.documentElement.lang") == language
        screen.click("#demo")
        screen.wait("return document.querySelector('#words h2')")
        assert screen.text("#words h2") == sentence
        screen.thin("#result")
        assert screen.violations(OWN) == []
        screen.choose("language", "en")
        assert screen.text("#words h2") == "baseline.ctm: 116 of 566 words are wrong: 20.5 %"
    finally:
        command("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "en"})


VISIBLE_TEXTS = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
for (let node; (node = walker.nextNode());) {
  const box = node.parentElement;
  if (node.data.trim() && box.checkVisibility() && !box.closest("script, bdi, code, select")) {
    texts.push(node.data.trim());
  }
}
for (const option of document.querySelectorAll("option[data-t]")) texts.push(option.textContent);
for (const node of document.querySelectorAll("[aria-label]")) texts.push(node.getAttribute("aria-label"));
return [...new Set([...texts, ...(window.statuses || [])])]
"""
# keeps every status that is shown
WATCH = """
window.statuses = new Set();
const node = document.getElementById("status");
new MutationObserver(() => statuses.add(node.textContent)).observe(node, { childList: true });
"""

# a service that works without end, and reports `state`
ENDLESS = """
window.state = {};
window.fetch = (address, { signal }) => String(address).startsWith("/progress/")
  ? Promise.resolve(new Response(JSON.stringify(state)))
  : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
"""


@pytest.mark.release
@pytest.mark.parametrize("language", ["de", "fr", "es", "zh", "ja"])
def test_no_english_is_left_in_a_run(
    served: str,
    screen: Browser,
    tmp_path: Path,
    language: str,
) -> None:
    """Of the page's messages none is visible in English: before, during and after a run."""
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.choose("language", language)
    screen.run(WATCH)
    words, english = labels()[language], labels()["en"]
    foreign = {english[key] for key in english if english[key] != words[key]}
    # a text of a command alone says nothing of the page's own
    known = {*words.values(), "{text}"}
    patterns = [
        re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(text))) for text in sorted(foreign - known)
    ]

    def left() -> list[str]:
        seen = screen.run(VISIBLE_TEXTS)
        assert len(seen) > 20
        return [text for text in seen if any(one.fullmatch(text) for one in patterns)]

    assert left() == []
    screen.click("#demo")
    screen.wait("return document.querySelector('#words h2')")
    screen.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert left() == []
    # what commands say: advice, warnings and refusals
    for name, text in (("r.trn", "ann: good day (x-{})\n"), ("h.trn", "good day (x-{})\n")):
        (tmp_path / name).write_text("".join(map(text.format, range(8))))
    (tmp_path / "none.trn").write_text("")
    (tmp_path / "damaged.trn").write_bytes(b"caf\xc3\xa9 na\xefve (x-1)\n")
    page.give("reference", tmp_path / "r.trn")
    label = words["encodingOf"].format(words["hypothesis"])
    for hypothesis, place, message, values in (
        ("h.trn", "remarks", "SPEAKER-NAMES", {"number": 8, "errors": 8}),
        ("none.trn", "remarks", "EMPTY", {"path": "none.trn"}),
        (
            "damaged.trn",
            "problem",
            "EncodingFormatError",
            {"path": "damaged.trn:1:8", "choice": label},
        ),
    ):
        removed = "for (const one of document.querySelectorAll('#hypothesis ul .link')) one.click()"
        screen.run(removed)
        page.give("hypothesis", tmp_path / hypothesis)
        screen.click("#score")
        screen.wait("return document.getElementById(arguments[0]).innerText", place)
        assert words[f"said.{message}"].format(**values) in screen.text(f"#{place}")
        assert left() == []
    screen.run(ENDLESS)
    screen.click("#score")
    for key in (key for key in english if key.startswith("stage.")):
        stage = key.removeprefix("stage.")
        stage = f"{stage} a.txt" if stage == "reading" else stage
        screen.run("window.state = arguments[0]", {"stage": stage, "done": 1, "of": 4})
        begin = words[key].format("a.txt")
        screen.wait(
            "return document.getElementById('status').textContent === arguments[0]", f"{begin} 25 %"
        )
    screen.click("#cancel")
    assert screen.text("#status") == words["cancelled"]
    for tab, button, problem in (
        ("meetings", "score-turns", words["needTwo"]),
        ("keywords", "score-search", words["stillNeeded"].partition("{")[0].strip()),
        ("convert", "convert", words["needOne"]),
        ("check", "validate", words["needOne"]),
    ):
        screen.click(f"#tab-{tab}")
        page.browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert left() == []
        screen.click(f"#{button}")
        assert screen.text("#problem").startswith(problem)
    assert left() == []


def test_every_stage_of_scoring_has_a_message() -> None:
    root = Path(__file__).resolve().parents[4]

    told = re.compile(r"\bt(?:ell|old)\((?:[^()\"]*, )?f?\"([a-z]+(?: [a-z]+)*)")
    rooms = ("formats/io", "scoring/score", "scoring/text", "scoring/stats")
    files = [path for room in rooms for path in (root / room).rglob("*.py")]
    stages = {stage for path in files for stage in told.findall(path.read_text("utf-8"))}
    assert {"reading", "aligning", "normalising", "sessions"} <= stages
    assert {f"stage.{stage}" for stage in stages} <= labels()["en"].keys()


@in_served
def test_on_a_phone_the_button_is_on_the_first_screen(page: Screen) -> None:
    page.browser.look(390)
    page.open()
    for language in ("en", "de", "fr", "es", "zh", "ja"):
        page.browser.choose("language", language)
        bottom = "return document.getElementById('score').getBoundingClientRect().bottom"
        assert page.browser.run(bottom) < 780, language
        assert page.browser.run("return document.documentElement.scrollWidth") <= 390
    assert visible(page, "unit", "reference-format") == []


def test_a_task_can_be_cancelled(page: Screen, tmp_path: Path) -> None:
    page.open()
    # much work in every core, in little memory
    give_long_texts(page, tmp_path)
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
    assert page.browser.text("#words").endswith("The whole file could be read.")
    page.browser.choose("language", "de")
    assert page.browser.text("#words").startswith("interview.TextGrid: Format textgrid, Segmente: ")
    page.browser.choose("language", "en")


CANCEL_AFTER = (
    "const [wait, done] = arguments; const press = (id) => document.getElementById(id).click();"
    "press('score'); setTimeout(() => { press('cancel'); setTimeout(() => done("
    "[document.getElementById('status').textContent, document.getElementById('problem').innerText]"
    "), 0); }, wait)"
)


@pytest.mark.release
def test_a_cancel_at_any_moment(page: Screen, tmp_path: Path) -> None:
    """On a slow machine, while files are read, while the runtime loads, while words are aligned."""
    page.open()
    give_long_texts(page, tmp_path)
    command = page.browser.driver.execute_cdp_cmd
    command("Emulation.setCPUThrottlingRate", {"rate": 6})
    try:
        for wait in (0, 1, 7, 30, 100, 300, 1000):
            ends = page.browser.driver.execute_async_script(CANCEL_AFTER, wait)
            assert ends == ["Cancelled.", ""], wait
        assert page.press("demo").startswith("Done")
    finally:
        command("Emulation.setCPUThrottlingRate", {"rate": 1})


@pytest.mark.release
def test_the_page_says_how_far_it_is_while_it_starts(offline: Screen) -> None:
    """It counts the bytes of its parts, then the steps of the runtime, and never goes back."""
    watch = (
        "addEventListener('DOMContentLoaded', () => { const node = document.getElementById('progress');"
        "window.shares = []; new MutationObserver(() => shares.push(node.value))"
        ".observe(node, { attributes: true, attributeFilter: ['value'] }); });"
    )
    driver = offline.browser.driver
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch})
    try:
        offline.open()
        shares = offline.browser.run("return window.shares")
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    assert len(set(shares)) > 5
    assert shares == sorted(shares)
    assert 0.6 < shares[-1] < 1
    assert offline.browser.text("#status") == "Ready."


@pytest.mark.release
def test_a_cancel_while_the_page_starts(offline: Screen, tmp_path: Path) -> None:
    page = offline
    page.browser.driver.get(page.address)
    page.browser.run("document.getElementById('cancel').click()")
    page.browser.wait("return document.documentElement.dataset.ready !== undefined")
    assert page.browser.text("#status") == "Cancelled."
    assert page.press("demo").startswith("Done")


@pytest.mark.parametrize(
    ("width", "theme"), [(1400, "light"), pytest.param(390, "dark", marks=pytest.mark.release)]
)
@in_served
def test_everybody_can_use_it(page: Screen, width: int, theme: str) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.browser.look(width, theme)
    page.open()
    assert page.press("demo").startswith("Done")
    assert [row[0] for row in page.report()["rows"]] == ["baseline.ctm", "improved.ctm"]
    assert page.browser.run("return document.documentElement.scrollWidth") <= width
    # all panels at a time, as axe reads all of the page whatever it is asked about
    hidden = page.browser.run(
        "const panels = [...document.querySelectorAll('.panel[hidden]')];"
        "for (const panel of panels) panel.hidden = false; return panels.map(({ id }) => id)"
    )
    assert len(hidden) == 4
    page.browser.thin("#result")
    assert page.browser.violations(OWN) == []
    page.browser.run(
        "for (const id of arguments[0]) document.getElementById(id).hidden = true", hidden
    )
    page.browser.run("document.getElementById('tab-score').focus()")
    for tab in ("meetings", "keywords", "convert", "check"):
        ActionChains(page.browser.driver).send_keys(Keys.ARROW_RIGHT).perform()
        assert page.browser.run("return document.activeElement.id") == f"tab-{tab}"
        assert page.browser.run("return document.documentElement.scrollWidth") <= width


def test_a_page_can_begin_with_the_scored_demo(screen: Browser, tmp_path: Path) -> None:
    """The first page of the docs shows it: it has no runtime, and says so where that is needed."""
    write_demo(tmp_path / "page", parts=False)
    (tmp_path / "saved").mkdir()
    page = Screen(screen, (tmp_path / "page" / "index.html").as_uri(), tmp_path / "saved")
    page.open()
    assert page.browser.text("#words h2") == "baseline.ctm: 116 of 566 words are wrong: 20.5 %"
    assert page.browser.text("#reference li").split() == ["reference.stm", "stm", "remove"]
    assert [row[0] for row in page.report()["rows"]] == ["baseline.ctm", "improved.ctm"]
    assert page.download("HTML")[0] == "report.html"
    assert page.press("score") == "This did not work."
    assert page.browser.text("#problem") == "This copy of the page shows the demo only."
    assert page.browser.complaints() == []


def test_a_frame_with_the_scored_demo_shows_the_result(screen: Browser, tmp_path: Path) -> None:
    write_demo(tmp_path / "page", parts=False)
    around = tmp_path / "index.html"
    frame = '<iframe src="page/index.html" style="inline-size: 700px; block-size: 600px"></iframe>'
    around.write_text(f"<!doctype html><div style='block-size: 300px'></div>{frame}")
    screen.driver.get(around.as_uri())
    screen.driver.switch_to.frame(0)
    heading = "return document.querySelector('#words h2')?.getBoundingClientRect().top ?? 9999"
    try:
        screen.wait(f"return (() => {{ {heading} }})() < 600")
    finally:
        screen.driver.switch_to.default_content()
    assert screen.run("return document.scrollingElement.scrollTop") == 0


def test_subtitles_show_where_they_break_a_guide(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    page.browser.click("#tab-check")
    shown = "return [...document.querySelectorAll('#checks .main')].map(({ id }) => id)"
    # the main button is that of the usual check
    assert page.browser.run(shown) == ["validate"]
    page.give("check-in", DEMO / "museum.srt")
    assert page.browser.run(shown) == ["lint"]
    page.browser.choose("guide", "bbc")
    assert page.press("lint").startswith("Done")
    assert page.browser.text("#words h2") == "9 of 12 cues break a rule"
    count = "return document.querySelectorAll(arguments[0]).length"
    assert page.browser.run(count, "#words .strip rect") == 12
    assert page.browser.run(count, "#words .cues li") == 9
    # the strip shows speed: long lines and short gaps have no colour there
    assert page.browser.run(count, "#words .strip .broken") == 3
    menu = (
        "const menu = document.querySelector('#words select'); menu.value = arguments[0];"
        "menu.dispatchEvent(new Event('change'))"
    )
    page.browser.run(menu, "BBC-WPM")
    rows = page.browser.run(
        "return [...document.querySelectorAll('#words .cues li')].map((row) => row.innerText)"
    )
    assert rows[0].split("\n") == [
        "0:09.000 cue 3",
        "3.0 s · 19.0 characters/s · 240 words/min",
        "The first one begins in 1897, with a storm from the west.",
        "240 words per minute, at most 180",
    ]
    assert len(rows) == page.browser.run(count, "#words .strip .broken") == 3
    page.browser.run(menu, "*")
    assert page.browser.run(count, "#words .cues li") == 12
    assert page.browser.violations("#result") == []
    page.browser.choose("language", "de")
    assert page.browser.text("#words h2") == "9 von 12 Untertiteln verletzen eine Regel"
    page.browser.run(menu, "BBC-WPM")
    assert "240 Wörter pro Minute, höchstens 180" in page.browser.text("#words .cues")
    assert "0:09,000" in page.browser.text("#words .cues")
    # the saved page is what the page shows, in its language and without controls
    (tmp_path / "saved").mkdir()
    page.folder = tmp_path / "saved"
    page.set_downloads()
    name, content = page.download("HTML")
    assert name == "report.html"
    screen.driver.get((page.folder / name).as_uri())
    assert screen.text("h1") == "museum.srt"
    assert screen.text("h2") == "9 von 12 Untertiteln verletzen eine Regel"
    assert screen.run(count, ".cues li") == screen.run(count, ".strip .broken") == 3
    assert "höchstens 180" in screen.text(".cues")
    assert screen.run(count, "script, select, button") == 0
    assert b"http://" not in content.replace(b"http://www.w3.org/2000/svg", b"")
    assert screen.violations() == []


def test_subtitles_are_moved_while_they_are_converted(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.click("#tab-convert")
    (tmp_path / "late.srt").write_text("1\n00:00:03,400 --> 00:00:04,000\nHi.\n")
    page.give("convert-in", tmp_path / "late.srt")
    screen.choose("to", "vtt")
    field = screen.driver.find_element("id", "offset")
    for text in ("two", "1.000,5", "1e3", "--2", "-360001"):
        field.clear()
        field.send_keys(text)
        assert page.press("convert") == "This did not work."
        assert screen.text("#problem") == (
            "“Move all times by (s)”: expected a number from -360000 to 360000 with a point or a "
            f"comma before its decimals, found “{text}”."
        )
        assert screen.run("return document.activeElement.id") == "offset"
        assert screen.run("return document.getElementById('offset').ariaInvalid") == "true"
        assert screen.text("#text") == ""
    # the field is wrong, not the file
    field.clear()
    field.send_keys("-3,5")
    screen.choose("language", "de")
    screen.click("#convert")
    screen.wait("return document.getElementById('problem').innerText.includes('läge')")
    assert screen.text("#problem").split("\n") == [
        "late.srt:2: Nach dem Verschieben läge eine Zeit vor 0. Dieser Untertitel wird nicht "
        "geschrieben.",
        "Ändern Sie es unter „Alle Zeiten verschieben um (s)“.",
    ]
    assert screen.run("return document.querySelectorAll('.slot.wrong').length") == 0
    # in any language of the browser and of the page
    for language, text in (("de", "-2,4"), ("de", "-2.4"), ("en", "−2,4"), ("en", "-2.4")):
        screen.choose("language", language)
        field.clear()
        field.send_keys(text)
        screen.click("#convert")
        screen.wait(
            "return document.getElementById('text').textContent.includes('00:00:01.000 --> 00:00:01.600')"
        )


def silence(path: Path) -> Path:
    """A sound of 50 seconds."""
    with wave.open(str(path), "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(1)
        target.setframerate(8000)
        target.writeframes(b"\x80" * 8000 * 50)
    return path


def test_cues_are_checked_by_a_guide_of_one_s_own_beside_their_sound(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.click("#tab-check")
    page.give("check-in", DEMO / "museum.srt")
    guide = tmp_path / "house.toml"
    for text, status in (("most-cps = 1\n", "This"), ('name = "house"\nmost-cps = 15\n', "Done")):
        guide.write_text(text)
        screen.driver.find_element("id", "own-guide").send_keys(str(guide))
        assert page.press("lint").startswith(status)
        if status == "This":
            assert screen.text("#problem").startswith("house.toml:1:1: expected the key name")
    assert screen.text("#words h2") == "7 of 12 cues break a rule"
    assert "17.3 characters per second, at most 15" in screen.text("#words .cues")
    assert visible(page, "player") == []
    page.drop("tabs", silence(tmp_path / "talk.wav"))
    screen.wait("return document.querySelector('#player video')?.readyState > 0")
    screen.click("#words .cues button")
    screen.wait("return document.querySelector('#words li[aria-current]')")
    start = "return Number(document.querySelector('#words .cues li').dataset.start)"
    time = "return document.querySelector('#player video').currentTime"
    assert screen.run(time) >= screen.run(start)
    assert screen.violations(SHOWN) == []
    assert screen.complaints() == []
    screen.click("#medium-note button")
    assert visible(page, "player", "medium-note") == []
    assert screen.run("return document.querySelectorAll('#words .cues button').length") == 0


TURNS = "SPEAKER m 1 {} {} <NA> <NA> {} <NA> <NA>\n"


def test_a_meeting_is_scored_by_turns_and_by_words(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    (tmp_path / "saved").mkdir()
    page = Screen(screen, served, tmp_path / "saved")
    page.open()
    screen.click("#tab-meetings")
    (tmp_path / "said.rttm").write_text(TURNS.format(0, 4, "ann") + TURNS.format(4, 4, "bob"))
    (tmp_path / "seen.rttm").write_text(TURNS.format(0, 4, "x") + TURNS.format(4, 2, "y"))
    page.give("turns", tmp_path / "said.rttm")
    page.give("system-turns", tmp_path / "seen.rttm")
    collar = screen.driver.find_element("id", "boundary-collar")
    collar.send_keys("0,25")
    assert page.press("score-turns").startswith("Done")
    command = screen.run("return document.getElementById('command').textContent")
    assert "--boundary-collar=0.25" in command
    collar.clear()
    assert page.press("score-turns").startswith("Done")
    assert screen.text("#words h2").startswith("25.0 % of the speaker time is wrong: 2.0 s missed")
    screen.driver.switch_to.frame(screen.driver.find_element("id", "report"))
    screen.wait("return document.querySelector('.turn-box')")
    sound = screen.driver.find_element("css selector", ".turns input[type=file]")
    sound.send_keys(str(silence(tmp_path / "m.wav")))
    screen.wait("return document.querySelector('.turns audio').readyState > 0")
    screen.run(
        "[...document.querySelectorAll('.turn-box')].find((box) => box.dataset.start === '4000')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )
    assert screen.run("return document.querySelector('.turns audio').currentTime") >= 4
    screen.driver.switch_to.default_content()
    assert screen.complaints() == []
    assert page.download("CSV")[0] == "report.csv"
    lines = "m 1 {} {} {} {}\n"
    for name, speakers in (("r.stm", ("ann", "bob")), ("h.stm", ("bob", "ann"))):
        texts = zip(speakers, ("one two", "three four"), strict=True)
        rows = (lines.format(who, 2 * n, 2 * n + 1, text) for n, (who, text) in enumerate(texts))
        (tmp_path / name).write_text("".join(rows))
    page.give("turns", tmp_path / "r.stm")
    page.give("system-turns", tmp_path / "h.stm")
    screen.choose("meeting-rate", "cp")
    assert page.press("score-words").startswith("Done")
    assert screen.text("#words h2") == "cpWER: All 4 words are right."
    assert "--meeting=cp" in screen.run("return document.getElementById('command').textContent")
    assert screen.violations(SHOWN) == []


def test_the_files_of_a_keyword_search_come_in_any_order(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.click("#tab-keywords")
    folder = DEMO / "keyword_search"
    page.give("search", folder / "demo.rttm", folder / "demo.ecf.xml")
    assert page.press("score-search") == "This did not work."
    assert screen.text("#problem") == "Still needed: keywords; what the system found."
    page.give("search", folder / "demo.kwslist.xml", folder / "demo.kwlist.xml")
    assert page.press("score-search").startswith("Done")
    sentence = "Spoken keywords that were found: 3 of 5; false alarms: 1; ATWV: 0.0482"
    assert screen.text("#words h2") == sentence
    assert visible(page, "report") == ["report"]
    assert screen.violations(SHOWN) == []
    screen.choose("language", "de")
    assert screen.text("#words h2").startswith("Gefundene gesprochene Suchwörter: 3 von 5")


def test_two_systems_of_a_keyword_search_are_compared(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.click("#tab-keywords")
    folder = DEMO / "keyword_search"
    second = tmp_path / "second.kwslist.xml"
    second.write_bytes((folder / "demo.kwslist.xml").read_bytes())
    names = ("demo.rttm", "demo.ecf.xml", "demo.kwlist.xml", "demo.kwslist.xml")
    # the button waits until the kinds of all files are known
    paths = (*(folder / name for name in names), second)
    screen.driver.find_element("id", "search-file").send_keys("\n".join(map(str, paths)))
    assert page.press("score-search").startswith("Done"), screen.text("#problem")
    name, report = page.download("HTML")
    assert name == "report.html"
    assert b"have the highest term-weighted value" in report
    assert b"second.kwslist.xml: ATWV" in report
    buttons = (
        "return [...document.querySelectorAll('#downloads button')].map((one) => one.innerText)"
    )
    assert screen.run(buttons) == ["HTML"]


def test_a_refusal_names_the_box_to_change(served: str, screen: Browser, tmp_path: Path) -> None:
    page = Screen(screen, served, tmp_path)
    page.open("#measures=timing")
    marked = "return [...document.querySelectorAll('.slot.wrong')].map((box) => box.id)"
    (tmp_path / "h.srt").write_text("1\n00:00:01,000 --> soon\nHi.\n")
    (tmp_path / "r.txt").write_text("hi there\n")
    page.give("reference", tmp_path / "r.txt")
    page.give("hypothesis", tmp_path / "h.srt")
    screen.choose("hypothesis-format", "srt")
    assert page.press("score") == "This did not work."
    assert screen.text("#problem").endswith("Change it in the box “Hypotheses”.")
    assert screen.run(marked) == ["hypothesis"]
    (tmp_path / "h.txt").write_text("hi here\n")
    screen.choose("hypothesis-format", "")
    screen.run("document.querySelector('#hypothesis ul .link').click()")
    page.give("hypothesis", tmp_path / "h.txt")
    assert page.press("score") == "This did not work."
    assert screen.text("#problem").endswith("Change it under “Further measures”.")
    screen.choose("language", "de")
    screen.click("#score")
    screen.wait("return document.getElementById('problem').innerText.includes('Weitere Maße')")
    assert screen.violations(SHOWN) == []


@in_served
def test_a_picture_replaces_no_transcript(page: Screen, tmp_path: Path) -> None:
    """The transcript stays in the box, and the reason beside it until another file comes."""
    page.open()
    page.browser.click("#tab-check")
    page.give("check-in", DEMO / "museum.srt")
    picture = tmp_path / "scan.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    reason = "scan.png is a picture, not a transcript."
    page.browser.driver.find_element("id", "check-in-file").send_keys(str(picture))
    page.browser.wait("return document.querySelector('#check-in [role=alert]')")
    for button in ("validate", "lint"):
        assert page.press(button).startswith("Done")
        lines = page.browser.text("#check-in ul").split("\n")
        assert (lines[0].split()[0], lines[-1]) == ("museum.srt", reason)
    page.browser.choose("language", "de")
    translated = labels()["de"]["isPicture"].format("scan.png")
    assert page.browser.text("#check-in [role=alert]") == translated
    page.give("check-in", DEMO / "interview.TextGrid")
    assert translated not in page.browser.text("#check-in")


def test_a_file_in_the_only_likely_encoding_is_scored_with_a_remark(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    page = Screen(screen, served, tmp_path)
    page.open()
    screen.choose("language", "de")
    cue = "1\n00:00:01,000 --> 00:00:02,000\nDie Bürger hören die schöne Musik über den Dächern\n"
    (tmp_path / "new.srt").write_text(cue, encoding="utf-8")
    (tmp_path / "old.srt").write_bytes(cue.encode("latin-1"))
    page.give("reference", tmp_path / "new.srt")
    page.give("hypothesis", tmp_path / "old.srt")
    screen.click("#score")
    words = labels()["de"]
    screen.wait("return document.querySelector('#words h2')")
    assert words["right.word"].format(9) in screen.text("#words")
    remark = words["said.ENCODING.not-utf-8"].format(path="old.srt", encoding="cp1252")
    assert remark in screen.text("#remarks")


def test_late_subtitles_are_measured_again_without_the_shift(
    served: str, screen: Browser, tmp_path: Path
) -> None:
    """The numbers before and after stand side by side; two systems get columns of their names."""
    page = Screen(screen, served, tmp_path)
    page.open("#measures=nonsense")
    cues = (DEMO / "museum.srt").read_text()
    (tmp_path / "live.srt").write_text(re.sub(r",\d{3}", ",700", cues))
    page.give("reference", DEMO / "museum.srt")
    page.give("hypothesis", tmp_path / "live.srt")
    assert page.press("score").startswith("Done")
    assert "live.srt: 0.7 s late throughout." in screen.text("#remarks")
    name, moved = page.download("save the file moved by -0.70 s", "remarks")
    assert (name, moved) == ("live-moved.srt", (DEMO / "museum.srt").read_bytes() + b"\n")
    screen.run(
        "[...document.querySelectorAll('#remarks button')]"
        ".find((button) => button.textContent.includes('shift')).click()"
    )
    screen.wait("return document.querySelector('#texts thead')?.innerText.includes('before')")
    assert screen.text("#texts thead").split() == ["before", "after"]
    [row] = [row for row in screen.rows("#texts table") if row[0] == "coverage: F1 %"]
    assert row == ["coverage: F1 %", "76.67", "100.00"]
    assert (
        screen.run("return document.getElementById('share').hash")
        == "#shift=auto&measures=subtitles"
    )
    screen.choose("language", "de")
    assert screen.text("#texts caption").strip() == "Untertitel"
    assert ["Abdeckung: F1 %", "76,67", "100,00"] in screen.rows("#texts table")
    assert "Datei um -0,70 s verschoben speichern" in screen.text("#remarks")
    assert screen.run("return [...document.getElementById('unit')].map((o) => o.text)")[:2] == [
        "Wort (Standard)",
        "Zeichen",
    ]
    screen.choose("language", "en")
    assert screen.violations(SHOWN) == []
    page.give("hypothesis", DEMO / "museum.srt")
    screen.run(
        "const name = document.querySelector('#hypothesis input.title'); name.value = 'live one';"
        "name.dispatchEvent(new Event('input'))"
    )
    assert page.press("score").startswith("Done")
    assert screen.text("#texts thead").strip().split("\t")[-2:] == [
        "live one",
        "hypothesis/museum.srt",
    ]
    assert "--system 'live one=live.srt'" in screen.run(
        "return document.getElementById('command').textContent"
    )


@pytest.mark.release
def test_a_page_with_the_scored_demo_loads_its_runtime_late(
    exported: Path,
    screen: Browser,
    tmp_path: Path,
) -> None:
    parts = sizes_of_parts(exported)
    shutil.copytree(exported / "parts", tmp_path / "page" / "parts")
    (tmp_path / "page" / "index.html").write_text(page_of_export(parts, prepared_demo()))
    page = Screen(screen, (tmp_path / "page" / "index.html").as_uri(), tmp_path)
    page.open()
    assert [url for url in screen.requests() if "/parts/" in url] == []
    page.browser.run("document.getElementById('ignore-spelling').click()")
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2").startswith("baseline.ctm: ")


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


@in_served
def test_missing_times_of_words_are_estimated_by_a_button(page: Screen) -> None:
    page.open()
    page.browser.click("#tab-convert")
    page.give("convert-in", DEMO / "museum.srt")
    page.browser.choose("to", "ctm")
    assert page.press("convert") == "This did not work."
    assert "ctm needs the time of every word" in page.browser.text("#problem")
    assert "Change it under “Missing word times”." in page.browser.text("#problem")
    assert page.browser.violations(SHOWN) == []
    page.browser.run("document.querySelector('#problem button').click()")
    page.browser.wait("return document.getElementById('status').textContent.startsWith('Done')")
    assert page.browser.run("return document.getElementById('interpolate').value") == "uniform"
    assert "--interpolate=uniform" in page.browser.run(
        "return document.getElementById('command').textContent"
    )


@in_served
def test_only_some_utterances_are_scored(page: Screen) -> None:
    page.open("#where=speaker%3Danna")
    page.give("reference", DEMO / "reference.stm")
    page.give("hypothesis", DEMO / "baseline.ctm")
    assert page.press("score").startswith("Done")
    assert page.browser.text("#words h2") == "21 of 149 words are wrong: 14.1 %"
    assert "utterances that are scored: 15 of 60 (speaker=anna)" in page.browser.text("#notes")
    share = page.browser.run("return document.getElementById('share').hash")
    assert share == "#where=speaker%3Danna"
    page.browser.run("document.getElementById('where').value = 'speaker=zoe'")
    assert page.press("score") == "This did not work."
    assert "no utterance meets speaker=zoe" in page.browser.text("#problem")
    page.browser.run("document.getElementById('where').value = 'speaker'")
    assert page.press("score") == "This did not work."
    assert "“speaker” is not a condition" in page.browser.text("#problem")
    assert "Change it under “Only utterances with”." in page.browser.text("#problem")
