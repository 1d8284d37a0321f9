"""Sums by groups of utterances: speakers, recordings, channels, labels, properties."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.results.value_order import value_order
from tests.tables import table_of

STM = """\
;; LABEL "f" "Female" "women"
m 1 anne 0 1 <o,f> a b
m 1 ben 1 2 <o,m> c
n 1 anne 0 1 <o,f> d e
n 2 anne 1 2 x
"""
CTM = """\
m 1 0.1 0.2 a
m 1 1.1 0.2 c
n 1 0.1 0.2 d
n 1 0.5 0.2 e
n 2 1.1 0.2 y
"""
# Errors of anne in m, ben in m, anne in n on channel 1 and on channel 2.
ERRORS = (1, 0, 0, 1)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.chdir(tmp_path)
    Path("ref.stm").write_text(STM, "utf-8")
    Path("hyp.ctm").write_text(CTM, "utf-8")
    return Path("ref.stm"), Path("hyp.ctm")


def run(capsys: pytest.CaptureFixture[str], *flags: str, status: int = 0) -> str:
    assert main(["wer", "ref.stm", "hyp.ctm", *flags]) == status
    captured = capsys.readouterr()
    return captured.err if status else captured.out


@pytest.mark.parametrize(("by", "expected"), table_of(__file__, "sums"))
def test_sums(files: tuple[Path, Path], by: list[str], expected: dict[Any, int]) -> None:
    rates = scoring.wer(*files, by=by)
    found = rates.per_group()
    assert {group.values: group.counts.errors for group in found} == expected
    in_order = sorted(expected, key=lambda values: list(map(value_order, values)))
    assert [group.values for group in found] == in_order
    for group in found:
        assert group.counts.errors == sum(ERRORS[at] for at in group.positions)
    if "label" not in by:
        assert sum((group.counts for group in found), Counts()) == rates.counts
    assert rates.sources is None
    assert rates.counts == scoring.wer(*files).counts


def test_properties_are_groups_too(tmp_path: Path) -> None:
    rows = [
        {"audio_filepath": "1.wav", "text": "a b", "accent": "north"},
        {"audio_filepath": "2.wav", "text": "c", "accent": "south"},
        {"audio_filepath": "3.wav", "text": "d"},
    ]
    reference, hypothesis = tmp_path / "r.json", tmp_path / "h.json"
    for path, text in ((reference, None), (hypothesis, "a")):
        changed = [row if text is None else {**row, "text": text} for row in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in changed), "utf-8")
    found = scoring.wer(reference, hypothesis, by=["accent"]).per_group()
    assert [(group.values, group.counts.errors) for group in found] == [
        (("north",), 1),
        (("south",), 1),
        ((None,), 1),
    ]
    with pytest.raises(InputError, match=r"no utterance has 'colour', so .*accent"):
        scoring.wer(reference, hypothesis, by=["colour"])
    with pytest.raises(InputError, match=r"available: .*accent\); did you mean accent\?"):
        scoring.wer(reference, hypothesis, by=["acent"])
    with pytest.raises(InputError, match=r"'utt_id' identifies utterances, so .*accent\)"):
        scoring.wer(reference, hypothesis, by=["utt_id"])


def test_texts_have_speakers_only() -> None:
    sides: tuple[dict[str, str], dict[str, str]] = {"u1": "a", "u2": "b"}, {"u1": "a", "u2": "c"}
    rates = scoring.wer(*sides, by=["speaker"], speakers={"u1": "x", "u2": "y"})
    assert [group.values for group in rates.per_group()] == [("x",), ("y",)]
    with pytest.raises(InputError, match="no utterance has 'recording', so"):
        scoring.wer(*sides, by=["recording"])
    by_text = scoring.wer(*sides, by="speaker", speakers={"u1": "x", "u2": "y"})
    assert [group.values for group in by_text.per_group()] == [("x",), ("y",)]
    assert Options(by="speaker", measures="loops") == Options(by=["speaker"], measures=["loops"])
    wrong: tuple[tuple[Any, str], ...] = ((3, "found int"), (["speaker", 3], "found 3 in it"))
    for names, found in wrong:
        with pytest.raises(TypeError, match=f"by: expected a list of names, {found}"):
            scoring.wer(*sides, by=names)


def test_text_json_and_csv(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    by = ["--by", "recording", "--by", "channel"]
    rows = [line.split() for line in run(capsys, *by).splitlines()[-5:]]
    assert rows[0][:4] == ["recording", "channel", "utterances", "words"]
    assert [(*row[:3], row[-1]) for row in rows[1:]] == [
        ("m", "1", "2", "33.33"),
        ("n", "1", "1", "0.00"),
        ("n", "2", "1", "100.00"),
        ("sum", "4", "6", "33.33"),
    ]
    system = json.loads(run(capsys, *by, "--json", "-"))["systems"][0]
    assert [(one["group"], one["utterance_count"], one["errors"]) for one in system["groups"]] == [
        ({"recording": "m", "channel": "1"}, 2, 1),
        ({"recording": "n", "channel": "1"}, 1, 0),
        ({"recording": "n", "channel": "2"}, 1, 1),
    ]
    assert system["utterances"][3]["group"] == {"recording": "n", "channel": "2"}
    table = list(csv.DictReader(io.StringIO(run(capsys, *by, "--csv", "-"))))
    assert [(row["recording"], row["channel"]) for row in table] == [
        ("m", "1"),
        ("m", "1"),
        ("n", "1"),
        ("n", "2"),
    ]
    plain = json.loads(run(capsys, "--json", "-"))["systems"][0]
    assert "groups" not in plain
    assert "groups" not in plain["utterances"][0]


def test_reports_of_sclite_show_groups_in_the_place_of_speakers(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    by = ["--by", "recording", "--by", "speaker"]
    out = run(capsys, *by, "-o", "sum", "stdout")
    names = [line.split()[1] for line in out.splitlines() if line.count("/") == 1]
    assert names[: names.index("Sum/Avg|")] == ["m/anne", "m/ben", "n/anne"]
    # utterances are called as without groups
    assert "id: (anne-" in run(capsys, *by, "-o", "pralign", "stdout")
    speakers = run(capsys, "--by", "speaker", "-o", "sum", "pralign", "stdout")
    assert speakers == run(capsys, "-o", "sum", "pralign", "stdout")


def test_pages_for_browsers_know_the_groups(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.scoring.pages.html.unpacking import of_page

    run(capsys, "--by", "channel", "--html", "page.html")
    head = of_page(Path("page.html").read_text("utf-8")).head
    assert head["groups"] == ["1", "2"]
    assert head["groupTitle"] == "Channel"
    run(capsys, "--html", "page.html")
    assert "groups" not in of_page(Path("page.html").read_text("utf-8")).head


def test_shards_keep_their_groups(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    by = ["--by", "recording", "--by", "channel"]
    for number in (1, 2):
        run(capsys, *by, "--shard", f"{number}/2", "--shard-output", f"{number}.json")
    assert main(["merge", "1.json", "2.json", *by]) == 0
    assert capsys.readouterr().out == run(capsys, *by)
    assert main(["merge", "1.json", "2.json", "--by", "speaker"]) == 0
    assert capsys.readouterr().out == run(capsys, "--by", "speaker")
    assert main(["merge", "1.json", "2.json", "--by", "label"]) == 2
    assert "expected a result with groups by label, found speaker, recording, channel (score" in (
        capsys.readouterr().err
    )


def test_what_is_saved_keeps_its_groups(files: tuple[Path, Path]) -> None:
    rates = scoring.wer(*files, by=["label", "channel"])
    rates.save("x.json")
    kept = scoring.load("x.json")
    assert kept.per_group() == rates.per_group()
    nothing = rates.slice(0, 0)._replace(reference=kept.reference, hypothesis=kept.reference)
    assert kept.merge(nothing).groups == rates.groups
    assert rates.slice(2, 4).groups == {"label": ["o,f", None], "channel": ["1", "2"]}


def test_a_group_that_nobody_has_is_refused(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    error = run(capsys, "--by", "dialect", status=2)
    assert "ref.stm: no utterance has 'dialect', so" in error
    assert "speaker, recording, channel, label" in error
