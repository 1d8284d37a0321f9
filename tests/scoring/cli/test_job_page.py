"""A command as a step of a job: the page, the annotations, the status; and what `action.yml` runs."""

import json
import os
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs
from xml.etree import ElementTree

import pytest
import yaml

from formats.schema.diagnostics import Diagnostic
from formats.schema.errors import SyntaxFormatError
from formats.schema.messages import Entry, Message
from scoring.cli.peers.job_page import annotation
from tests.console import script_of
from tests.forks import shared_forks
from tests.programs import forked

ROOT = Path(__file__).resolve().parents[3]


def step(folder: Path, *words: str, page: str | None = "page.md") -> tuple[int, str, str]:
    environment = {**os.environ}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    if page:
        environment["GITHUB_STEP_SUMMARY"] = str(folder / page)
    done = forked(folder, "scoring.cli.peers.job_page", *words, environment=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "r.trn").write_text("a b (s-1)\nc d (s-2)\n")
    (tmp_path / "h.trn").write_text("a b (s-1)\nc (s-2)\n")
    (tmp_path / "cut, a:b.trn").write_text("a b (s-1)\nc d\n")
    return tmp_path


def test_the_page_has_the_tables(files: Path) -> None:
    (files / "page.md").write_text("before\n")
    status, output, errors = step(files, "wer", "r.trn", "h.trn")
    assert (status, errors) == (0, "")
    assert output.startswith("%WER 25.00 ")
    page = (files / "page.md").read_text()
    assert page.startswith("before\n# Error rates against r.trn\n")
    assert "%WER 25.00" in page


def test_a_gate_that_fails_is_told_and_ends_so(files: Path) -> None:
    status, output, errors = step(files, "wer", "r.trn", "h.trn", "--fail-above", "10")
    said = "h.trn: error rate 25.00 % is above 10 %"
    assert status == 3
    assert errors == f"scoring: error: {said}\n"
    assert output.splitlines()[-1] == "::error::h.trn: error rate 25.00 %25 is above 10 %25"


def test_the_verdict_is_an_output(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_OUTPUT", str(files / "outputs"))
    for limit, passed in (("10", False), ("30", True)):
        status, _, _ = step(files, "wer", "r.trn", "h.trn", "--fail-above", limit)
        assert status == (0 if passed else 3)
        lines = (files / "outputs").read_text().splitlines()
        assert lines[-2] == f"passed={str(passed).lower()}"
        assert json.loads(lines[-1].removeprefix("summary="))["passed"] is passed
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["outputs"]["passed"]["value"] == "${{ steps.gate.outputs.passed }}"
    assert [part.get("id") for part in action["runs"]["steps"]] == [None, "gate"]


def test_bad_input_is_shown_at_its_line(files: Path) -> None:
    name = "cut, a:b.trn"
    status, output, errors = step(files, "wer", name, "h.trn", "--reference-format", "trn")
    wanted = 'expected "(id)" at the end of the line, found no parentheses'
    assert (status, errors) == (2, f"scoring: error: {name}:2:4: {wanted}\n")
    assert output == f"::error file=cut%2C a%3Ab.trn,line=2,col=4::{wanted}\n"
    assert not (files / "page.md").exists()

    # so are findings of validate
    status, output, _ = step(files, "validate", name, "--from", "trn")
    assert status == 2
    assert "::error file=cut%2C a%3Ab.trn,line=2,col=4::record skipped" in output
    assert not (files / "page.md").exists()


def test_without_a_page_nothing_is_written(files: Path) -> None:
    before = {*os.listdir(files)}
    assert step(files, "wer", "r.trn", "h.trn", page=None)[0] == 0
    assert {*os.listdir(files)} == before


def test_usage(files: Path) -> None:
    assert step(files)[0] == 2
    status, output, errors = step(files, "wer", "r.trn")
    assert status == 2
    assert errors.startswith("scoring")
    assert output.startswith("::error::")


def test_kinds() -> None:
    def said(severity: str) -> Message:
        return Message(Entry("ODD", severity, "warning: {n}"), {"n": 2})

    text = str(said("note"))
    assert annotation(said("note")) == f"::notice::{text}"
    assert annotation(said("loss"), "a.trn") == f"::notice::a.trn: {text}"
    assert annotation(said("warning")) == f"::warning::{text}"
    assert annotation(Diagnostic(said("hint"), "a,b.trn", 2)) == (
        f"::notice file=a%2Cb.trn,line=2::{text}"
    )
    assert annotation(SyntaxFormatError("odd", path="a.trn")) == "::error::a.trn: odd"


def test_remarks_are_annotations_unless_quiet(files: Path) -> None:
    (files / "h.ctm").write_text("s 1 1.0 0.5 a\ns 1 0.5 0.5 b\n")
    for words, remarks in (((), 1), (("--quiet",), 0)):
        _, output, errors = step(files, "validate", "h.ctm", "--from", "ctm", *words)
        shown = [line for line in output.splitlines() if line.startswith("::warning file=h.ctm,")]
        assert len(shown) == remarks
        assert errors.count("warning: ") == remarks
    _, output, errors = step(files, "validate", "h.ctm", "--from", "ctm", "--remarks", "json")
    assert "::warning file=h.ctm,line=" in output
    assert json.loads(errors.splitlines()[0])["severity"] == "warning"


def run_bash(
    script: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a script as GitHub and GitLab do."""
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def write_program(path: Path) -> None:
    """Write the program `scoring`, which runs in a fork where libraries endure that."""
    text_of = shared_forks().client if sys.platform == "linux" else script_of
    path.write_text(text_of("scoring.cli.start", "scoring"))
    path.chmod(0o755)


def run_action(
    folder: Path, temporary: Path, command: str, arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run the second step of `action.yml`."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    programs = temporary / "sclite-kit" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    environment = {
        "RUNNER_TEMP": str(temporary),
        "GITHUB_STEP_SUMMARY": str(temporary / "page.md"),
        "GITHUB_OUTPUT": str(temporary / "outputs"),
        "COMMAND": command,
        "ARGUMENTS": arguments,
    }
    return run_bash(action["runs"]["steps"][1]["run"], folder, environment)


@pytest.mark.skipif(sys.platform == "win32", reason="written for a shell")
def test_the_action_runs_a_suite(tmp_path: Path) -> None:
    done = run_action(ROOT / "resources" / "demo", tmp_path, "gate", "suite.toml")
    assert done.returncode == 3, done.stderr
    [passed, summary] = (tmp_path / "outputs").read_text().splitlines()
    assert passed == "passed=false"
    verdict = json.loads(summary.removeprefix("summary="))
    assert verdict["passed"] is False
    table = [line for line in verdict["comment"].splitlines() if line.startswith("|")]
    assert [line.split("|")[-2].strip() for line in table[:3]] == ["verdict", "---:", "PASS"]
    page = (tmp_path / "page.md").read_text()
    assert all(name in page for name in ("talks", "phone", "museum"))


class NotesServer(BaseHTTPRequestHandler):
    """The notes of a merge request, as GitLab's API lists, creates and edits them."""

    def do_GET(self) -> None:
        self.answer([{"id": at, "body": body} for at, body in self.server.notes.items()])  # type: ignore[attr-defined]

    def do_POST(self) -> None:
        self.save(5 + len(self.server.notes))  # type: ignore[attr-defined]

    def do_PUT(self) -> None:
        self.save(int(self.path.rpartition("/")[2]))

    def save(self, number: int) -> None:
        assert self.headers["PRIVATE-TOKEN"] == "secret"
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.notes[number] = parse_qs(form)["body"][0]  # type: ignore[attr-defined]
        self.answer({})

    def answer(self, value: object) -> None:
        assert self.path.startswith("/api/v4/projects/3/merge_requests/7/notes")
        content = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None: ...


def _write_notes(script: list[str], work: Path, environment: dict[str, str]) -> None:
    """Run the step of the note twice: it creates one note, and edits it."""
    if shutil.which("curl") is None:
        return
    other = "A remark of a person"
    with HTTPServer(("127.0.0.1", 0), NotesServer) as server:
        server.notes = {1: other}  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/api/v4"
        for report in (None, "# Gate\n\nold\n"):
            if report is not None:
                (work / "report.md").write_text(report)
            done = run_bash(
                "\n".join(script),
                work,
                {**environment, "CI_API_V4_URL": address, "CI_PROJECT_ID": "3"},
            )
            assert done.returncode == 0, done.stderr
            notes = dict(server.notes)  # type: ignore[attr-defined]
            assert notes.pop(1) == other
            [(number, body)] = notes.items()
            assert (number, body) == (6, (work / "report.md").read_text())
        server.shutdown()


def git(*words: str, folder: Path) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(sys.platform == "win32", reason="written for a shell")
def test_the_file_of_gitlab_runs(tmp_path: Path) -> None:
    """The jobs in the documentation, by their own words: only the installation is not done."""
    page = (ROOT / "docs" / "continuous-integration.md").read_text()
    text = page.split("## GitLab\n")[1].split("```yaml\n")[1].split("```")[0]
    jobs = yaml.safe_load(text)
    programs, work, origin = (tmp_path / name for name in ("bin", "work", "group/project.git"))
    programs.mkdir()
    origin.mkdir(parents=True)
    shutil.copytree(ROOT / "resources" / "demo", work)
    (work / "suite.toml").write_text(
        "history = 'runs.db'\n[defaults]\nfail-if-significant = true\nfail-if-missing = true\n"
        "[sets.talks]\nreference = 'reference.trn'\nhypothesis = 'new/talks.trn'\n"
    )
    for place, name, line in (
        (programs, "pip", f'echo "$@" >> "{tmp_path}/installed"'),
        (work, "recognise.sh", "mkdir -p new; cp $MODEL.trn new/talks.trn"),
    ):
        (place / name).write_text(f"#!/bin/sh\n{line}\n")
        (place / name).chmod(0o755)
    write_program(programs / "scoring")
    git("init", "-q", "--bare", folder=origin)
    git("init", "-q", folder=work)
    environment = {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "GITLAB_USER_NAME": "Ann Example",
        "GITLAB_USER_EMAIL": "ann@example.org",
        "GATE_TOKEN": "secret",
        "CI_SERVER_HOST": "git.example.org",
        "CI_PROJECT_PATH": "group/project",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "new-model",
        "PYTHONPATH": str(ROOT),
        # pushes go to the folder in place of the server
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{tmp_path}/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://gate:secret@git.example.org/",
    }

    def run(job: str, model: str, status: int) -> str:
        script = "\n".join(jobs[job]["script"])
        done = run_bash(script, work, {**environment, "MODEL": model})
        assert done.returncode == status, done.stderr
        return done.stdout

    run("recognise", "improved", 0)
    assert "scoring gate accept" in run("gate", "", 2)  # no baseline yet
    run("accept", "", 0)
    run("gate", "", 0)
    run("recognise", "baseline", 0)
    run("gate", "", 3)
    assert set((tmp_path / "installed").read_text().splitlines()) == {"install sclite-kit"}
    artifacts = jobs["gate"]["artifacts"]
    assert artifacts["when"] == "always"  # the gate failed, and its pages are kept
    pages = [(work / name).read_text() for name in artifacts["paths"]]
    assert all("talks" in page for page in pages)
    cases = ElementTree.parse(work / artifacts["reports"]["junit"]).findall(".//testcase")
    assert any(case.find("failure") is not None for case in cases)
    run("accept", "", 0)
    run("gate", "", 0)
    git("fetch", "-q", str(origin), "new-model", folder=work)
    git("diff", "--exit-code", "HEAD", "FETCH_HEAD", folder=work)
    for needed, job in (("recognise", "gate"), ("recognise", "accept")):
        assert jobs[job]["needs"] == [needed]
    assert jobs["recognise"]["artifacts"]["paths"] == ["new"]
    _write_notes(jobs["gate"]["after_script"], work, environment)


@pytest.mark.skipif(sys.platform == "win32", reason="written for a shell")
def test_the_action_runs_its_command(files: Path) -> None:
    """The second step of `action.yml`, as a runner calls it: words are parted, nothing expanded."""
    (files / "my hyp.trn").write_text("a b (s-1)\nc (s-2)\n")
    arguments = "r.trn 'my hyp.trn' --fail-above 10 $(touch expanded)"
    done = run_action(files, files, "wer", arguments)
    # the words "$(touch" and "expanded)" are two more files that are not there
    assert done.returncode == 2, done.stderr
    assert "::error::" in done.stdout
    assert not (files / "expanded").exists()
