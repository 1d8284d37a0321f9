"""Corpora that are folders: which one a folder is, and what its files say together."""

import tarfile
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats import FormatError
from formats.io.messages import FILES, FILES_SKIPPED
from formats.io.trees import tree_of
from formats.manifests.messages import COMMONVOICE_LIST, COMMONVOICE_SPLIT, LIBRISPEECH_OTHERS
from tests.formats.checks import message_text, remark_line
from tests.formats.conftest import RunCommand

MakeTree = Callable[[dict[str, str]], str]


@pytest.fixture
def make_tree(tmp_path: Path) -> MakeTree:
    """A function that makes a folder of files by their paths, and gives its path."""

    def make(files: dict[str, str]) -> str:
        for name, text in files.items():
            path = tmp_path / "corpus" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="")
        return str(tmp_path / "corpus")

    return make


def refused(path: str, format: str | None = None, **options: object) -> str:  # noqa: A002
    with pytest.raises(FormatError) as caught:
        formats.read(path, format, **options)  # type: ignore[arg-type]
    return str(caught.value)


LIBRISPEECH = {
    "SPEAKERS.TXT": ';ID  |SEX| SUBSET |MINUTES| NAME\n17  | F | dev | 8.0 | "ANNE" | X\n18 | M\n',
    "dev/18/5/18-5.trans.txt": "18-5-0000 GOOD DAY\n",
    "dev/17/22/17-22.trans.txt": "17-22-0000 HELLO THERE\n17-22-0001\n",
    "dev/17/22/17-22-0000.flac": "no text",
}


def test_a_tree_is_one_input(make_tree: MakeTree) -> None:
    root = make_tree(LIBRISPEECH)
    for folder in (root, f"{root}/", f"{root}/dev"):
        transcript = formats.read(folder)
        assert transcript.format == "librispeech"
        assert [(s.utterance, s.speaker, s.get("gender"), s.words) for s in transcript] == [
            ("17-22-0000", "17", "female", ("HELLO", "THERE")),
            ("17-22-0001", "17", "female", ()),
            ("18-5-0000", "18", "male", ("GOOD", "DAY")),
        ]
    assert [s.get("gender") for s in formats.read(f"{root}/dev/17/22")] == ["female", "female"]


def test_an_id_of_another_chapter_is_refused_with_its_file(make_tree: MakeTree) -> None:
    root = make_tree({"17/22/17-22.trans.txt": "17-22-0000 A\n17-23-0001 B\n"})
    assert refused(root) == (
        f"{root}/17/22/17-22.trans.txt:2: expected an id that begins with \"17-22-\", "
        'found "17-23-0001"'
    )  # fmt: skip
    lenient = formats.read(root, tolerance="lenient")
    assert len(lenient) == 1
    assert [d.code for d in lenient.diagnostics] == ["LIBRISPEECH-LINE"]
    Path(f"{root}/17/22/17-22.trans.txt").write_text("17-22-0 A\n17-22-0 B\n")
    assert refused(root).endswith('expected a unique id, found "17-22-0" as in line 1')


def test_blanks_at_the_end_of_a_line_are_no_column(make_tree: MakeTree) -> None:
    text = "17-22-0000 A B\t\n17-22-0001 C \t \n17-22-0002\tD E\t\t\n"
    spoken = [("A", "B"), ("C",), ("D", "E")]
    root = make_tree({"17/22/17-22.trans.txt": text})
    assert [segment.words for segment in formats.read(root)] == spoken
    root = make_tree({"18/5/18_5.trans.tsv": "18_5_0\tA b.\ta b\t\n18_5_1\tC.\t\n"})
    assert [segment.words for segment in formats.read(root)] == [*spoken, ("a", "b"), ()]
    stream = BytesIO(b"10_20_0\ta b\t\n10_20_1\tc\n")
    assert [s.words for s in formats.read(stream, "librispeech")] == [("a", "b"), ("c",)]


def test_what_lies_beside_a_corpus_is_told(make_tree: MakeTree) -> None:
    root = make_tree({**LIBRISPEECH, "talk.srt": "", "README.TXT": "", "x.flac": ""})
    assert [str(d) for d in formats.read(root).diagnostics] == [
        remark_line(LIBRISPEECH_OTHERS, file=root, files=1, names=["talk.srt"])
    ]


def test_libritts_has_two_texts(make_tree: MakeTree) -> None:
    root = make_tree(
        {
            "dev/84/12/84_12.trans.tsv": "84_12_0_1\tHe paid $5.\tHe paid five dollars.\n"
            '84_12_0_2\t"Well," he said.\t"Well," he said.\n',
            "dev/84/12/84_12.book.tsv": "84_12_0_1\tx\ty\ttrue\t0\t1\t2\n",
        }
    )
    first, second = formats.read(root)
    assert (first.speaker, first.words) == ("84", ("He", "paid", "five", "dollars."))
    assert first.get("display") == "He paid $5."
    assert (second.words, second.properties) == (('"Well,"', "he", "said."), ())
    Path(f"{root}/dev/84/12/84_12.trans.tsv").write_text("84_12_0_1\tonly one\n")
    assert "expected an id and two texts with tabs between them, found 2 fields" in refused(root)


def test_mls_has_lists_of_texts_and_places(make_tree: MakeTree) -> None:
    root = make_tree(
        {
            "dev/transcripts.txt": "48_10_00\tgood day\n49_11_00\thow are you\n",
            "dev/segments.txt": "48_10_00\thttp://a.example/b.mp3\t1.5\t3.25\n",
        }
    )
    first, second = formats.read(root)
    assert (first.speaker, first.words) == ("48", ("good", "day"))
    assert dict(first.properties) == {
        "source": "http://a.example/b.mp3", "source_start": "1.5", "source_end": "3.25",
    }  # fmt: skip
    assert second.properties == ()
    Path(f"{root}/dev/segments.txt").write_text("48_10_00 1.5\n")
    assert "segments.txt:1: expected an id, a file, begin and end, found 1 fields" in refused(root)


COMMON_VOICE = {
    "clips/a.mp3": "no text",
    "validated.tsv": 'client_id\tpath\tsentence\tlocale\nx\ta.mp3\tgood "day\t\ny\tb.mp3\thi\tfr\n',
    "test.tsv": "client_id\tpath\tsentence\nx\ta.mp3\tgood day\n",
    "reported.tsv": "sentence\tsentence_id\tlocale\treason\n",
    "clip_durations.tsv": "clip\tduration[ms]\na.mp3\t1500\n",
}


def test_a_language_of_common_voice_is_one_of_its_lists(make_tree: MakeTree) -> None:
    root = make_tree(COMMON_VOICE)
    transcript = formats.read(root)
    assert transcript.format == "commonvoice"
    first, second = transcript
    assert (first.words, first.start, first.end) == (("good", '"day'), 0.0, 1.5)
    assert (first.get("locale"), second.get("locale")) == ("corpus", "fr")
    assert (second.start, second.end) == (None, None)
    assert [s.words for s in formats.read(root, split="test")] == [("good", "day")]
    lists = message_text(COMMONVOICE_SPLIT, lists=["test", "validated"], split="reported")
    assert refused(root, split="reported") == f"{root}: {lists}"
    assert message_text(COMMONVOICE_LIST) in refused(f"{root}/test.tsv", split="test")
    Path(f"{root}/clip_durations.tsv").write_text("clip\tduration[ms]\na.mp3\tlong\n")
    assert "clip_durations.tsv:2: expected a clip and its milliseconds" in refused(root)


def test_a_folder_is_read_as_nothing_else(make_tree: MakeTree) -> None:
    root = make_tree(LIBRISPEECH)
    assert refused(root, "trn") == f"{root}: expected a file of trn, found a folder of librispeech"
    assert "expected a file of whisper" in refused(root, "whisper")


def test_other_folders_are_no_corpora(make_tree: MakeTree, tmp_path: Path) -> None:
    files = {"talk.srt": "", "deep/er/x.trn": "", "17-22.trans.txt": "", "a/b/17-22.trans.txt": ""}
    assert tree_of(make_tree(files)) is None
    assert "expected files of one format" in refused(str(tmp_path / "corpus"))


def test_a_tree_is_one_input_of_the_command(make_tree: MakeTree, run_command: RunCommand) -> None:
    root = make_tree(LIBRISPEECH)
    assert run_command("detect", root)[:2] == (0, f"{root}: librispeech\n")
    status, output, _ = run_command("convert", f"{root}/dev/", "-", "--to", "trn")
    assert (status, output) == (
        0, "HELLO THERE (17-22-0000)\n(17-22-0001)\nGOOD DAY (18-5-0000)\n",
    )  # fmt: skip


def packed(root: str, name: str) -> str:
    """The folder `corpus` as an archive beside it, with the folder in it."""
    path = str(Path(root).parent / name)
    files = sorted(path for path in Path(root).rglob("*") if path.is_file())
    # last things first: readers want them in another order than they stand in
    files.reverse()
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            for file in files:
                archive.write(file, file.relative_to(Path(root).parent))
    else:
        with tarfile.open(path, "w:gz" if name.endswith("gz") else "w") as tar:
            for file in files:
                tar.add(file, file.relative_to(Path(root).parent))
    return path


PACKED = ("c.zip", "c.tar", "c.tar.gz")
COMMONVOICE = {
    "de/validated.tsv": "client_id\tpath\tsentence\na\tx.mp3\tHallo Welt\n",
    "de/clip_durations.tsv": "clip\tduration[ms]\nx.mp3\t1500\n",
    "de/clips/x.mp3": "",
    "de/other.tsv": "client_id\tpath\tsentence\n",
}
KALDI = {"data/text": "u1 a b\n", "data/utt2spk": "u1 anne\n", "data/segments": "u1 r 0 1\n"}


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("files", [LIBRISPEECH, COMMONVOICE, KALDI])
def test_a_tree_in_an_archive_is_one_input(
    make_tree: MakeTree, name: str, files: dict[str, str]
) -> None:
    root = make_tree(files)
    archive = packed(root, name)
    folder = next((f"{root}/{one}" for one in ("de", "data") if Path(root, one).is_dir()), root)
    expected = formats.read(folder)
    found = formats.read(archive)
    assert list(found) == list(expected)
    assert found.format == expected.format
    [note] = found.diagnostics
    assert note.message == message_text(FILES, read=f"1 {Path(folder).name}")


@pytest.mark.parametrize("name", PACKED)
def test_trees_and_files_in_one_archive(
    make_tree: MakeTree, name: str, run_command: RunCommand
) -> None:
    more = {"talks/a.stm": "a 1 x 0 1 hello\n", "talks/README.txt": "of talks", "kaldi/.x/text": ""}
    root = make_tree({f"libri/{path}": text for path, text in LIBRISPEECH.items()} | more | KALDI)
    archive = packed(root, name)
    status, output, errors = run_command("detect", archive)
    assert status == 0
    assert sorted(output.splitlines()) == [
        f"{archive}/corpus/data: kaldi",
        f"{archive}/corpus/libri: librispeech",
        f"{archive}/corpus/talks/a.stm: stm",
    ]
    assert "skipped: 1 README.txt, 1 text" in errors or "skipped: 1 text, 1 README.txt" in errors
    status, _, errors = run_command("convert", archive, f"{root}/out/", "--to", "jsonl")
    assert status == 0
    assert len(Path(root, "out/corpus/libri.jsonl").read_text().splitlines()) == 3


def test_a_bad_file_of_a_tree_in_an_archive_is_named(make_tree: MakeTree) -> None:
    root = make_tree({"17/22/17-22.trans.txt": "17-22-0000 A\n17-23-0001 B\n"})
    for name in PACKED:
        assert refused(packed(root, name)) == (
            f"{Path(root).parent}/{name}/corpus/17/22/17-22.trans.txt:2: expected an id that begins "
            'with "17-22-", found "17-23-0001"'
        )  # fmt: skip
    Path(f"{root}/17/22/17-22.trans.txt").write_bytes(b"17-22-0000 \xff\n")
    assert "c.zip/corpus/17/22/17-22.trans.txt:1:12: expected UTF-8" in refused(
        packed(root, PACKED[0])
    )


def test_a_tree_in_a_compressed_archive_is_bounded(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formats.io.archive.LARGEST_TEXT", 50)
    root = make_tree(LIBRISPEECH)
    assert "more than 50 bytes of text in it: unpack it" in refused(packed(root, "c.tgz"))
    assert len(formats.read(packed(root, "c.tar"))) == 3


def test_corpora_of_lists_are_read_list_by_list(make_tree: MakeTree) -> None:
    root = make_tree({
        "by_book/female/mary/north/metadata.csv": "n_1|Chapter 1.|Chapter one.\n",
        "by_book/female/mary/north/metadata_mls.json": '{"n_1.wav": {"clean": ""}}',
        "by_book/male/bob/south/metadata.csv": "s_1|South 2.|South two.\n",
        "by_book/male/bob/south/wavs/s_1.wav": "",
        "LICENSE": "free",
    })  # fmt: skip
    transcript = formats.read(root)
    assert transcript.format == "ljspeech"
    assert [(s.utterance, s.speaker, s.get("gender")) for s in transcript] == [
        ("n_1", "mary", "female"),
        ("s_1", "bob", "male"),
    ]
    assert transcript.diagnostics[0].message == (
        message_text(
            FILES_SKIPPED, read=["2 .csv"], skipped=["1 LICENSE", "1 metadata_mls.json", "1 .wav"]
        )
    )
