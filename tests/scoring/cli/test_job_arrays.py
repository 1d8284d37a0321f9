"""The commands of the page on job arrays, run as its schedulers run them, without these."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scoring.cli.scoring import main
from tests.scoring.cli.test_table_shards import COLUMN, table_of, write

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "job-arrays.md").read_text("utf-8")
PARTS = 2


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Runs a command among two tables; in the end there has to be the total of all parts.

    The shell expands it, and this process runs the program with the arguments that it gets.
    """
    (tmp_path / "data").mkdir()
    for number in (0, 1):
        write(tmp_path / "data" / f"{number}.parquet", table_of(9, number), 4)
    program = tmp_path / "scoring"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{tmp_path}/arguments"\n')
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)

    def run(command: str, **environment: object) -> None:
        more = {key: str(value) for key, value in environment.items()}
        path = f"{tmp_path}:{os.environ['PATH']}"
        subprocess.run(["/bin/sh", "-ec", command], env={"PATH": path, **more}, check=True)
        assert main(Path("arguments").read_text().splitlines()) == 0

    yield run
    assert main(["wer", "data", *COLUMN, "--engine", "local", "--json", "whole.json"]) == 0
    total, whole = (json.loads(Path(file).read_bytes()) for file in ("total.json", "whole.json"))
    assert total == {**whole, "name": total["name"]}


def test_slurm(shell: Callable[..., None]) -> None:
    task, after = blocks("sh")
    assert task.startswith("#!/bin/sh\n#SBATCH ")
    [last] = re.findall(r"--wrap '(.*)'", after)
    for number in range(1, PARTS + 1):
        shell(task, SLURM_ARRAY_TASK_COUNT=PARTS, SLURM_ARRAY_TASK_ID=number)
    shell(last.replace("--fail-above 12", "--fail-above 100"))


class Wildcards(NamedTuple):
    part: int


def test_snakemake(shell: Callable[..., None]) -> None:
    [rules] = blocks("python")
    total, part = (
        "".join(re.findall('"(.*?)"', command))
        for command in re.findall(r'shell:((?:\s+".*")+)', rules)
    )
    outputs = [f"sums/{number}.json" for number in range(1, PARTS + 1)]
    Path("sums").mkdir()  # as snakemake does for outputs
    for number, output in enumerate(outputs, 1):
        shell(part.format(wildcards=Wildcards(number), PARTS=PARTS, output=output))
    shell(total.format(input=" ".join(outputs), output="total.json"))


def test_nextflow(shell: Callable[..., None]) -> None:
    [script] = blocks("groovy")
    part, total = re.findall(r'"""\n(.*?)"""', script, re.DOTALL)

    def filled(command: str, **values: object) -> str:
        return re.sub(r"\$\{(?:params\.)?(\w+)\}", lambda name: str(values[name[1]]), command)

    for number in range(1, PARTS + 1):
        shell(filled(part, tables="data/0.parquet data/1.parquet", parts=PARTS, part=number))
    shell(filled(total, sums=" ".join(f"{number}.json" for number in range(1, PARTS + 1))))
