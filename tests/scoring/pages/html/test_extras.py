"""`--audio` and `--vocabulary`: recordings that are heard, and words that no system knows."""

import functools
import http.server
import json
import threading
import wave
from pathlib import Path
from typing import Any

import pytest

import formats
import scoring
from scoring.cli.scoring import main
from scoring.pages.messages import NO_AUDIO, NOT_LINKED

from .conftest import Browser
from .unpacking import of_page

HEARD = "return [...document.querySelectorAll('#detail .heard bdi')].map((one) => one.innerText)"


@pytest.fixture
def talk(tmp_path: Path) -> list[str]:
    """Two recordings, of which one has a file; its name is written otherwise in addresses."""
    (tmp_path / "sounds").mkdir()
    with wave.open(str(tmp_path / "sounds" / "a#1_%.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(2 * 8000 * 6))
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text("a#1_% A x 1.0 3.0 we go home\nb A x 0.0 2.0 zebra Yes\n")
    hypothesis.write_text(
        "a#1_% A 1.0 0.5 we\na#1_% A 1.6 0.4 goo\na#1_% A 2.2 0.5 home\nb A 0.2 0.3 yes\n"
    )
    return [str(reference), str(hypothesis)]


def unlinked(capsys: pytest.CaptureFixture[str]) -> list[tuple[str | None, dict[str, Any]]]:
    """The variant and the fields of warnings of recordings that are lacking."""
    records = map(json.loads, capsys.readouterr().err.splitlines())
    return [
        (record.get("variant"), record["fields"])
        for record in records
        if record["code"] == NOT_LINKED.code
    ]


def test_the_words_run_along(
    talk: list[str], tmp_path: Path, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    page = tmp_path / "pages" / "page.html"
    flags = ["--audio", str(tmp_path / "sounds"), "--html", str(page), "--remarks", "json"]
    assert main(["wer", *talk, *flags]) == 0
    missing = {"number": 1, "names": ["b"], "expected": "b.wav"}
    assert unlinked(capsys) == [(None, {"path": str(tmp_path / "sounds"), **missing})]
    browser.open(page)
    browser.click("#tab-utterances")
    browser.choose("order", "position")
    source = browser.run("return document.querySelector('#detail audio').getAttribute('src')")
    assert source == "./../sounds/a%231_%25.wav#t=1,3"
    # loaded, and at the beginning of the utterance
    browser.wait("return document.querySelector('#detail audio').readyState >= 1")
    assert browser.run("return document.querySelector('#detail audio').duration") == 6
    for place, word in ((2, "goo"), (1, "we"), (3, "home")):
        browser.click(f"#detail .words tr:nth-child(2) td:nth-child({place + 1})")
        browser.wait(f"return String(({HEARD[7:]})) === '{word}'")
    browser.run("document.querySelector('#detail audio').currentTime = 5")
    browser.wait(f"return ({HEARD[7:]}).length === 0")
    browser.click(".list .row:nth-child(2)")
    assert browser.text("#detail .no-sound") == (
        "No sound of b · A: the folder given with --audio has no file of this name."
    )
    assert browser.run("return document.querySelector('#detail audio')") is None
    assert browser.complaints() == []


@pytest.mark.parametrize("kind", ["names", "manifest", "without sources"])
def test_utterances_without_times_are_heard_too(
    kind: str, tmp_path: Path, browser: Browser, recwarn: pytest.WarningsRecorder
) -> None:
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    for name in ("u1", "other"):
        with wave.open(str(sounds / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(bytes(8000))
    reference = tmp_path / "r.trn"
    reference.write_text("a b (u1)\nc (u2)\n")
    if kind == "manifest":
        reference = tmp_path / "r.json"
        line = '{{"audio_filepath": "x/{}.flac", "text": "a", "pred_text": "a"}}\n'
        reference.write_text(line.format("u1") + line.format("u2"))
    rates = scoring.wer(reference, reference, keep_sources=kind != "without sources")
    page = tmp_path / "page.html"
    scoring.html_report(rates, page, audio=sounds)
    [warning] = [str(one.message) for one in recwarn]
    assert warning.startswith(f"{sounds}: 1 recording has no audio file: ")
    assert warning.endswith("u2.wav")
    browser.open(page)
    browser.click("#tab-utterances")
    source = browser.run("return document.querySelector('#detail audio').getAttribute('src')")
    assert source == "./sounds/u1.wav"
    browser.click(".list .row:nth-child(2)")
    assert "no file of this name" in browser.text("#detail .no-sound")


def test_a_folder_without_audio_says_so(
    talk: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    flags = ["--audio", str(tmp_path), "--html", str(page), "--remarks", "json"]
    assert main(["wer", *talk, *flags]) == 0
    [(variant, fields)] = unlinked(capsys)
    assert (variant, fields["path"]) == (NO_AUDIO.variant, str(tmp_path))
    assert ".wav" in fields["expected"]
    assert "media-src" not in page.read_text("utf-8").partition("<style>")[0]


def test_the_file_stands_by_itself_without_sounds(talk: list[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["wer", *talk, "--html", str(page)]) == 0
    policy = page.read_text("utf-8").partition("<style>")[0]
    assert "media-src" not in policy
    assert "connect-src" not in policy


def test_the_waveform_is_decoded_by_the_browser(
    talk: list[str], tmp_path: Path, browser: Browser
) -> None:
    with wave.open(str(tmp_path / "sounds" / "a#1_%.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        # loud in the second half of the first utterance only
        file.writeframes(bytes(2 * 8000 * 2) + b"\0\x60" * 8000 + bytes(2 * 8000 * 3))
    (tmp_path / "sounds" / "b.wav").write_bytes(b"no audio")
    flags = ["--audio", str(tmp_path / "sounds"), "--html", str(tmp_path / "page.html")]
    assert main(["wer", *talk, *flags]) == 0
    text = "return document.querySelector('#detail .waveform')?.innerText"
    browser.open(tmp_path / "page.html")
    browser.click("#tab-utterances")
    browser.choose("order", "position")
    assert browser.run(text) is None
    browser.click("#show-waveform")
    browser.wait(f"{text}.startsWith('No waveform: a page opened as a file must not')")
    assert browser.complaints() == []

    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            browser.driver.get(f"http://127.0.0.1:{server.server_port}/page.html")
            browser.wait("return document.documentElement.dataset.ready !== undefined")
            browser.click("#tab-utterances")
            browser.choose("order", "position")
            browser.wait("return document.querySelector('#detail .waveform path') !== null")
            path = browser.run("return document.querySelector('.waveform path').getAttribute('d')")
            heights = [float(part.partition("v")[2]) for part in path.split("M")[1:]]
            assert len(heights) == 200  # hundredths of its two seconds
            assert max(heights[:95]) == 1
            assert min(heights[105:]) == pytest.approx(48)
            assert browser.violations("#panel-utterances") == []
            browser.click(".list .row:nth-child(2)")
            browser.wait(f"{text}.startsWith('No waveform: ')")
            assert "decode" in browser.run(text)
            browser.click("#show-waveform")
            assert browser.run(text) is None
        finally:
            server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: object, **__: object) -> None:
        pass


def test_words_out_of_the_vocabulary_are_marked(
    talk: list[str], tmp_path: Path, browser: Browser
) -> None:
    lexicon = tmp_path / "lexicon.txt"
    lexicon.write_text("we W IY\ngo G OW\n\nhome HH OW M\nyes Y EH S\n")
    page = tmp_path / "page.html"
    flags = ["--vocabulary", str(lexicon), "--ignore-case", "--html", str(page)]
    assert main(["wer", *talk, *flags]) == 0
    browser.open(page)
    browser.click("#tab-utterances")
    marked = (
        "return [...document.querySelectorAll('#detail td:has(.outside) bdi')]"
        ".map((one) => one.innerText)"
    )
    assert browser.run(marked) == ["goo"]
    browser.choose("kind", "outside")
    assert browser.text("#state strong").startswith("1 of 2")
    assert browser.run(marked) == ["zebra"]


@pytest.mark.parametrize("given", ["file", "words"])
def test_python_writes_the_same_data(talk: list[str], tmp_path: Path, given: str) -> None:
    words, sounds = ["we", "home", "yes"], tmp_path / "sounds"
    (tmp_path / "words").write_text("\n".join(words))
    page, other = tmp_path / "page.html", tmp_path / "other.html"
    flags = ["--audio", str(sounds), "--vocabulary", str(tmp_path / "words")]
    assert main(["wer", *talk, *flags, "--html", str(page)]) == 0
    rates = scoring.wer(*map(Path, talk), keep_sources=True)
    vocabulary = tmp_path / "words" if given == "file" else words
    with pytest.warns(UserWarning, match="sounds: 1 recording has no audio file: b"):
        scoring.html_report(rates, other, audio=sounds, vocabulary=vocabulary)
    written = other.read_text("utf-8")
    found, wanted = (of_page(one) for one in (written, page.read_text("utf-8")))
    assert found.head == wanted.head
    assert found.column("outside") == wanted.column("outside")
    assert "media-src" in written.partition("<style>")[0]
    with pytest.raises(ValueError, match="expected a vocabulary of words, found none"):
        scoring.html_report(rates, other, vocabulary=[])
    with pytest.raises(formats.UnreadableFileError, match="nowhere"):
        scoring.html_report(rates, other, audio=tmp_path / "nowhere")
    assert other.read_text("utf-8") == written


@pytest.mark.parametrize("flag", ["--audio", "--vocabulary"])
def test_what_cannot_be_read_is_told(
    talk: list[str], tmp_path: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, page = str(tmp_path / "missing"), tmp_path / "page.html"
    assert main(["wer", *talk, flag, missing]) == 2
    told = (
        "--audio needs --html"
        if flag == "--audio"
        else f"scoring: error: {missing}: expected a readable file"
    )
    assert told in capsys.readouterr().err
    assert main(["wer", *talk, flag, missing, "--html", str(page)]) == 2
    [*_, line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"scoring: error: {missing}: ")
    assert not page.exists()


def test_a_vocabulary_without_words(
    talk: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words").write_text("\n \n")
    flags = ["--vocabulary", str(tmp_path / "words"), "--html", str(tmp_path / "page.html")]
    assert main(["wer", *talk, *flags]) == 2
    assert "expected a word in each line, found none" in capsys.readouterr().err
