"""Files at URLs, read and written by fsspec."""

import builtins
import gzip
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pyarrow.parquet as parquet
import pytest

import formats
import scoring
from formats.io.errors import UnreadableFileError, UnwritableFileError
from formats.io.source import open_source
from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
from scoring.cli.scoring import main
from tests.scoring.cli.test_table_shards import COLUMN, table_of, write

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    """Two tables and two transcripts in memory."""
    system = pytest.importorskip("fsspec").filesystem("memory")
    for number in (0, 1):
        path = write(tmp_path / f"{number}.parquet", table_of(9, number), 4)
        system.put_file(path, f"/data/{number}.parquet")
    for name in ("reference.trn", "baseline.trn"):
        system.put_file(str(DEMO / name), f"/{name}")
    yield system
    system.rm("/", recursive=True)


def test_transcripts(memory: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = [str(DEMO / name) for name in ("reference.trn", "baseline.trn")]
    assert main(["wer", *here]) == 0
    shown = capsys.readouterr()
    for sides in (
        ["memory://reference.trn", "memory://baseline.trn"],
        [f"file://{path}" for path in here],
    ):
        assert main(["wer", *sides]) == 0
        assert capsys.readouterr() == shown
    assert main(["diff", *sides]) == 0
    rates = scoring.wer(*map(scoring.File, sides))
    assert rates == scoring.wer(*map(Path, here))
    assert list(formats.read("memory://reference.trn")) == list(formats.read(here[0]))
    target = f"file://{tmp_path}/copy.trn"
    formats.write(formats.read(here[0]), target)
    assert (tmp_path / "copy.trn").read_text() == Path(here[0]).read_text()


def test_tables(memory: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file, a pattern, a folder; outputs, shards and their sums are at URLs, too."""
    assert main(["wer", str(tmp_path), *COLUMN, "--engine", "local"]) == 0
    shown = capsys.readouterr()
    for tables in ("memory://data/*.parquet", "memory://data"):
        outputs = ["--scored-table", "memory://o/s.parquet", "--json", "memory://o/w.json"]
        assert main(["wer", tables, *COLUMN, "--engine", "local", *outputs]) == 0
        remote = capsys.readouterr()
        assert (remote.out, remote.err) == (shown.out, shown.err.replace(str(tmp_path), tables))
    with memory.open("/o/s.parquet") as file:
        assert parquet.read_table(file).num_rows == 18
    parts = []
    for number in (1, 2):
        parts.append(f"memory://o/{number}.json")
        shard = ["--shard", f"{number}/2", "--shard-output", parts[-1]]
        assert main(["wer", "memory://data", *COLUMN, "--engine", "local", *shard]) == 0
    assert main(["merge", *parts, "--by", "accent", "--json", "memory://o/m.json"]) == 0
    assert memory.cat("/o/m.json") == memory.cat("/o/w.json")
    assert main(["wer", "memory://data/0.parquet", *COLUMN]) == 0


@pytest.mark.parametrize("protocol", ["gs", "hf"])
def test_addresses_reach_the_file_system_as_they_are(
    protocol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a file system of another package, which fsspec finds by the protocol."""
    fsspec = pytest.importorskip("fsspec")
    files = {
        "datasets/team/set@main/data/0.parquet": write(tmp_path / "0", table_of(9, 0), 4),
        "datasets/team/set@main/data/1.parquet": write(tmp_path / "1", table_of(9, 1), 4),
        "bucket/a b/reference.trn": str(DEMO / "reference.trn"),
    }

    class Store(fsspec.get_filesystem_class("memory")):  # type: ignore[misc]
        store: ClassVar[dict[str, Any]] = {}
        pseudo_dirs: ClassVar[list[str]] = [""]

        @classmethod
        def _strip_protocol(cls, path: str) -> Any:
            asked.append(str(path))
            bare = str(path).removeprefix(f"{protocol}://").strip("/")
            return f"/{bare}" if bare else ""

    asked: list[str] = []
    monkeypatch.setattr(Store, "protocol", protocol)
    monkeypatch.setitem(import_module("fsspec.registry")._registry, protocol, Store)
    system = fsspec.filesystem(protocol, skip_instance_cache=True)
    for name, path in files.items():
        system.put_file(path, f"/{name}")
    asked.clear()
    tables = f"{protocol}://datasets/team/set@main/data/*.parquet"
    reference = f"{protocol}://bucket/a b/reference.trn"
    output = f"{protocol}://bucket/results/sums.json"
    assert main(["wer", tables, *COLUMN, "--engine", "local", "--json", output]) == 0
    packed = tmp_path / "sums.json.gz"
    packed.write_bytes(gzip.compress(system.cat("/bucket/results/sums.json")))
    assert main(["compare", str(packed), output]) == 0
    assert main(["wer", reference, str(DEMO / "baseline.trn")]) == 0
    assert {tables, reference, output} <= set(asked)
    assert b'"rows": 18' in system.cat("/bucket/results/sums.json")


def test_files_of_a_table_at_a_url_are_checked_as_those_here_are(
    memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are of one split and no shard is missing; transcripts are no table of several files."""
    for name in ("/splits/train-0.parquet", "/splits/test-0.parquet"):
        memory.copy("/data/0.parquet", name)
    with pytest.raises(OptionError, match="split"):
        open_source("memory://splits")
    memory.copy("/data/0.parquet", "/shards/a-00000-of-00002.parquet")
    with pytest.raises(SyntaxFormatError, match="2"):
        open_source("memory://shards/*.parquet")
    with pytest.raises(UnreadableFileError):
        open_source("memory://*.trn")

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("no route")

    monkeypatch.setattr(type(memory), "isdir", fail)
    with pytest.raises(UnreadableFileError, match="route") as error:
        open_source("memory://data")
    assert error.value.path == "memory://data"


def test_only_needed_bytes_are_read(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from formats.io.remote import RemoteFile

    table = table_of(30_000, 0)
    sound = table.append_column("audio", [[f"{row:0300d}" for row in range(len(table))]])
    with memory.open("/long.parquet", "wb") as file:
        parquet.write_table(sound, file, row_group_size=1000, compression="none")
    read = [0]
    readinto = RemoteFile.readinto

    def counted(self: RemoteFile, buffer: Any) -> int:
        number = readinto(self, buffer)
        read[0] += number
        return number

    monkeypatch.setattr(RemoteFile, "readinto", counted)
    assert main(["wer", "memory://long.parquet", *COLUMN, "--engine", "local"]) == 0
    assert read[0] < memory.size("/long.parquet") / 3


def test_what_is_missing(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableFileError) as error:
        open_source("memory://none.trn")
    assert error.value.path == "memory://none.trn"
    with pytest.raises(UnreadableFileError):
        open_source("unheard://a.trn")
    with pytest.raises(UnwritableFileError):
        formats.write(formats.read("memory://reference.trn"), "memory://reference.trn/a.trn")
    plain = builtins.__import__

    def without(name: str, *arguments: Any, **more: Any) -> Any:
        if name.partition(".")[0] in ("fsspec", "s3fs"):
            raise ImportError(name)
        return plain(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(OptionError) as missing:
        open_source("s3://bucket/a.trn")
    assert "extra remote" in str(missing.value)
    assert isinstance(missing.value, FormatError)


def test_an_output_is_no_input(memory: Any) -> None:
    url = "memory://reference.trn"
    before = memory.cat("/reference.trn")
    assert main(["wer", url, "memory://baseline.trn", "--json", url]) == 2
    assert memory.cat("/reference.trn") == before
