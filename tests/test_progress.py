"""Code that runs only when somebody listens: commands and readers with a listener for progress.

Commands run twice, silently and with a listener. Files and standard output are the same, and every
report of progress is a stage with a share.
"""

import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from time import gmtime

import pytest

import formats
from formats.cli.arguments import parser
from formats.io.progress import heard_by
from formats.reading.inputs import expand, opened
from scoring.cli import scoring
from scoring.cli.formats import VERBS
from scoring.cli.tasks import md_eval
from tests.formats.case import Case
from tests.formats.test_contract import CASES
from tests.terminal import needs_terminal, on_a_terminal

DEMO = Path(__file__).resolve().parents[1] / "resources" / "demo"
SEARCH = DEMO / "keyword_search"
CAPTIONS = "1\n00:00:00,000 --> 00:00:02,000\nthe wind drops\n\n"
TURNS = "SPEAKER a 1 0.00 {} <NA> <NA> x <NA> <NA>\n"
VERDICT = '{"reference": "drops", "hypothesis": "stops", "verdict": "same"}\n'
FILES = {
    "ref/s.trn": "the wind drops (s-1)\nit is cold (s-2)\n",
    "hyp/s.trn": "the wind stops (s-1)\nit was cold (s-2)\n",
    "caps/s.srt": CAPTIONS,
    "turns.rttm": TURNS.format("2.00"),
    "heard.rttm": TURNS.format("1.00"),
    "ref.stm": "talk 1 anne 0 4 speech\ntalk 1 anne 4 6 music\n",
    "hyp.stm": "talk 1 x 0 5 speech\n",
    "sounds.trn": "dh ax w ih n (s-1)\n",
    "said.trn": "the wind (s-1)\n",
    "lexicon": "the dh ax\nwind w ih n d\n",
    "names.json": '{"wind": 1}',
    "verdicts.jsonl": VERDICT,
    "nbest.txt": "s-1-1 the wind stops\ns-1-2 the wind drops\ns-2-1 it was cold\n",
    "rules.glm": ";;\n[wind] => [breeze] / [ ] __ [ ]\n",
    "bench.toml": (
        '[sets.s]\nreference = "ref/s.trn"\n[systems.a]\ns = "hyp/s.trn"\n'
        '[systems.b]\ns = "ref/s.trn"\n'
    ),
    "suite.toml": (
        '[sets.s]\nreference = "ref/s.trn"\nbaseline = "hyp/s.trn"\nhypothesis = "ref/s.trn"\n'
        "fail-if-significant = true\n"
    ),
    "table.csv": "text,pred\nthe wind,the wine\nit is,it was\n",
}
PAIR = ["ref.zip", "hyp.tgz"]
COMMANDS: dict[str, list[str]] = {
    "formats convert": ["convert", "caps.zip", "out", "--to", "stm"],
    "formats detect": ["detect", "ref.tgz"],
    "formats diff": ["diff", "ref/s.trn", "hyp/s.trn"],
    "formats info": ["info", "ref.tar"],
    "formats lint": ["lint", "caps.zip"],
    "formats list": ["list"],
    "formats show": ["show", "caps/s.srt", "--html", "out/page.html"],
    "formats validate": ["validate", "ref.zip"],
    "scoring beer": ["beer", *PAIR, "--entity-weights", "names.json", "--output", "out/b.txt"],
    "scoring bench": ["bench", "bench.toml", "--json", "out/b.json", "--html", "out/b.html"],
    "scoring cer": ["cer", *PAIR, "--csv", "out/c.csv"],
    "scoring gate": ["gate", "suite.toml", "--json", "out/g.json"],
    "scoring compare": [
        *("compare", "hyp.tgz", "ref.zip", "--reference", "ref.tar", "--replications", "50"),
        *("--html", "out/c.html", "--json", "out/c.json"),
    ],
    "scoring compat": ["compat", "list"],
    "scoring conformance": ["conformance", "export", "out"],
    "scoring der": ["der", "turns.rttm", "heard.rttm", "--json", "out/d.json"],
    "scoring diff": ["diff", *PAIR, "--output", "out/d.txt"],
    "scoring docs": ["docs", "wer"],
    "scoring events": ["events", "ref.stm", "hyp.stm", "--html", "out/e.html"],
    "scoring explain": ["explain", "wer|unit:word|norm:none"],
    "scoring history": ["history", "export", "runs.db", "--output", "out/runs.jsonl"],
    "scoring kaldi": ["kaldi", "compute-wer", "ark:said.trn", "ark:said.trn"],
    "scoring kws": [
        *("kws", "--ecf", f"{SEARCH}/demo.ecf.xml", "--kwlist", f"{SEARCH}/demo.kwlist.xml"),
        *("--rttm", f"{SEARCH}/demo.rttm", "--kwslist", f"{SEARCH}/demo.kwslist.xml"),
        *("--root", "out/kws"),
    ],
    "scoring measures": ["measures", "loops"],
    "scoring merge": ["merge", "shard-1", "shard-2", "--json", "out/m.json"],
    "scoring normalize": ["normalize", "ref/s.trn", "--normalize", "lowercase", "--output", "out/n.trn"],
    "scoring oracle": ["oracle", "ref/s.trn", "nbest.txt", "--json", "out/o.json"],
    "scoring per": ["per", "said.trn", "sounds.trn", "--lexicon", "lexicon", "--json", "out/p.json"],
    "scoring recipes": ["recipes", "show", "jiwer@4"],
    "scoring sctk": ["sctk", "sclite", "-r", "ref.zip", "auto", "-h", "hyp.tgz", "auto", "-O", "out", "-n", "s"],
    "scoring segments": ["segments", "ref.stm", "hyp.stm", "--json", "out/s.json"],
    "scoring verdicts": ["verdicts", "todo", *PAIR],
    "scoring wer": [
        *("wer", *PAIR, "--html", "out/w.html", "--json", "out/w.json", "--csv", "out/w.csv"),
        *("-O", "out", "-o", "all", "--measures", "loops", "--confidence-interval"),
        *("--normalize", "lowercase", "--verdicts", "verdicts.jsonl"),
    ],
    "scoring wer of a table": [
        *("wer", "table.csv", "--reference-column", "text", "--hypothesis-column", "pred"),
    ],
    "scoring wer of meetings": ["wer", "ref.stm", "hyp.stm", "--meeting", "cp"],
    "sctk asclite": [
        *("asclite", "-r", f"{DEMO}/reference.stm", "stm", "-h", f"{DEMO}/baseline.ctm", "ctm"),
        *("-O", "out", "-o", "sum"),
    ],
    "sctk ctmValidator.pl": ["ctmValidator.pl", "-i", f"{DEMO}/baseline.ctm"],
    "sctk md-eval.pl": ["md-eval.pl", "-r", "turns.rttm", "-s", "heard.rttm"],
    "sctk rover": [
        *("rover", "-h", f"{DEMO}/baseline.ctm", "ctm", "-h", f"{DEMO}/improved.ctm", "ctm"),
        *("-o", "out/both.ctm", "-m", "meth1"),
    ],
    "sctk sclite": [
        *("sclite", "-r", f"{DEMO}/reference.stm", "stm", "-h", f"{DEMO}/baseline.ctm", "ctm"),
        *("-o", "all", "-O", "out", "-n", "s"),
    ],
}  # fmt: skip
INTERACTIVE = {"scoring serve", "scoring ui"}
BEFORE = {
    "scoring history": [["wer", *PAIR, "--record", "runs.db", "--tag", "set=dev"]],
    "scoring merge": [
        ["wer", *PAIR, "--shard", f"{n}/2", "--shard-output", f"shard-{n}"] for n in (1, 2)
    ],
}
PROGRAMS = {
    "formats": "scoring.cli.formats",
    "scoring": "scoring.cli.scoring",
    "sctk": "scoring.cli.nist.sctk",
}
# On a terminal: what people do with archives, with sound readings of each kind of report.
ON_A_TERMINAL = [
    *("formats convert", "formats detect", "formats info", "formats lint", "formats validate"),
    *("scoring cer", "scoring compare", "scoring diff", "scoring sctk", "scoring verdicts"),
    "scoring wer",
]
Report = tuple[str, int, int]


@pytest.fixture
def folder(current_folder: Path) -> Path:
    """The files, and archives of every kind of those in folders."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    for name in ("ref", "hyp", "caps"):
        pack(name, sorted(Path(name).iterdir()))
    return current_folder


def pack(name: str, paths: Sequence[Path]) -> None:
    """Write NAME.zip, NAME.tar and NAME.tgz with these files."""
    with zipfile.ZipFile(f"{name}.zip", "w") as packed:
        for path in paths:
            packed.write(path, path.name)
    for ending, mode in ((".tar", "w"), (".tgz", "w:gz")):
        with tarfile.open(f"{name}{ending}", mode) as tar:  # type: ignore[call-overload]
            for path in paths:
                tar.add(path, path.name)


def run(command: str, arguments: Sequence[str]) -> int:
    """Run a command in this process; its exit status."""
    main: Callable[[Sequence[str]], int] = import_module(PROGRAMS[command.split()[0]]).main
    Path("out").mkdir()
    return main(arguments)


def written() -> Iterator[tuple[str, bytes]]:
    """The files in the folder of outputs, which is removed."""
    folder = Path("out")
    for path in sorted(folder.iterdir()):
        yield path.name, path.read_bytes()
        path.unlink()
    folder.rmdir()


def test_every_command_is_here() -> None:
    names = {f"formats {name}" for name in parser(VERBS).commands}
    names |= {f"scoring {name}" for name in scoring.COMMANDS}
    assert names - INTERACTIVE == {" ".join(name.split()[:2]) for name in COMMANDS} - {
        name for name in COMMANDS if name.startswith("sctk ")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_listener_changes_no_command(
    name: str, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # md-eval prints when it runs
    monkeypatch.setattr(md_eval, "localtime", lambda: gmtime(0))
    for arguments in BEFORE.get(name, ()):
        assert scoring.main(arguments) == 0
    reports: list[Report] = []
    capfd.readouterr()
    silent = run(name, COMMANDS[name]), capfd.readouterr(), dict(written())
    Path("bench.db").unlink(missing_ok=True)
    with heard_by(lambda *report: reports.append(report)):
        heard = run(name, COMMANDS[name]), capfd.readouterr(), dict(written())
    assert heard == silent
    assert silent[0] in (0, 3), silent[1].err
    assert all(0 <= done <= of or not of for _, done, of in reports)


@needs_terminal
@pytest.mark.parametrize("name", ON_A_TERMINAL)
def test_archives_on_a_terminal(name: str, folder: Path) -> None:
    Path("out").mkdir()
    status, shown = on_a_terminal(PROGRAMS[name.split()[0]], *COMMANDS[name])
    assert status in (0, 3), shown
    assert "Traceback" not in shown


@pytest.mark.share(7)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_listener_changes_no_reader(case: Case, current_folder: Path) -> None:
    """A file, and the same file in archives, read silently and with a listener."""
    path = current_folder / f"talk{case.suffix or '.data'}"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(case.sample_bytes)
    pack("all", [path])

    def segments(name: str) -> list[tuple[formats.Segment, ...]]:
        options = {"recording": "rec", **case.read_options}
        inputs = opened(expand([name]).files)
        return [formats.read(open_it(), case.name, **options).segments for _, open_it in inputs]

    for name in (str(path), "all.zip", "all.tar", "all.tgz"):
        silent = segments(name)
        reports: list[Report] = []
        with heard_by(lambda *report, heard=reports: heard.append(report)):
            assert segments(name) == silent
        stages = {stage: (done, of) for stage, done, of in reports}
        assert stages
        assert all(done == of for done, of in stages.values())
