"""Every option of `scoring compare` holds for every kind of side, or is refused by name.

An option that changes neither status nor any output would be ignored, which no kind may do.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoring.cli import flags
from scoring.cli.regression.compare import EPILOG, KINDS, SIDES, TABLE
from scoring.cli.scoring import main
from scoring.options import FIELDS, flag_name
from tests import programs

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
QUICK = ["--replications", "200"]
TRANSCRIPTS = ["reference.trn", "baseline.trn", "improved.trn"]
# Options that change no comparison: speed, messages, and the form of what is printed. Sides with
# nothing in them, and names of sides, have tests of their own.
FREE = {
    "jobs",
    "quiet",
    "verbose",
    "remarks",
    "colour",
    "width",
    "details",
    "help",
    "help-all",
    "version",
}
FREE |= {"allow-empty", "system"}
FREE |= {
    "reference-pattern",
    "hypothesis-pattern",
    "reference-column",
    "hypothesis-column",
}  # forms of the options of formats
# Values that change something where the option holds. Capitals stand for what a kind has.
VALUES: dict[str, list[str]] = {
    "baseline": ["SELF"],
    "new": ["SELF"],
    "by": ["GROUP"],
    "metadata": ["TABLE"],
    "test": ["bootstrap"],
    "confidence-level": ["50"],
    "replications": ["150"],
    "block": ["speaker"],
    "json": ["-"],
    "markdown": ["-"],
    "html": ["-"],
    "junit": ["-"],
    "summary-json": ["-"],
    "show": ["0"],
    "fail-above": ["0"],
    "fail-increase": ["0.1pt"],
    "equal-within": ["0.1pt"],
    "fail-group-above": ["0", "--by", "GROUP"],
    "fail-group-increase": ["0.1pt", "--by", "GROUP"],
    "fail-measure": ["LIMIT"],
    "fail-if-significant": [],
    "fail-if-recorded-differs": [],
    "fail-if-missing": [],
    "fail-if-unchecked": [],
    "measures": ["loops"],
    "baseline-tag": ["NEWER"],
    "new-tag": ["OLDER"],
    "reference": ["reference.trn"],
}
# How sides are read and scored, which only a side with its words can be: `option_cases.py` in
# `tests/scoring` tries these with words.
OF_WORDS = {
    "meeting": ["cp"],
    "profile": ["levenshtein"],
    "normalize": ["lowercase"],
    "unit": ["char"],
    "ignore-case": [],
    "reference-format": ["trn"],
    "hypothesis-format": ["trn"],
    "encoding": ["latin-1"],
    "match": ["position"],
    "cut": ["alignment"],
    "like": ["jiwer"],
    "clip-rate": [],
    "merge-compounds": [],
    "allow-unmatched": [],
    "exact": [],
    "collar": ["1s"],
    "greedy": [],
    "channel-alias": ["a=b"],
}
# Beside other options: they say how these work.
BESIDE = {
    "group-words": (["--by", "GROUP", "--fail-group-increase", "0.1pt"], ["150"]),
    "fail-when": (["FAILING", "--fail-increase", "99pt"], ["all"]),
    "significance": (["--fail-if-significant"], ["0.000001"]),
    "undecided": (["--fail-if-significant", "--significance", "0.000001"], ["fail"]),
    "interval": (["FEW"], ["percentile"]),
    "seed": (["--interval", "percentile"], ["3"]),
    "metadata-key": (["--metadata", "TABLE"], ["KEY"]),
    "bins": (["--by", "number", "--metadata", "TABLE"], ["0,1"]),
}
# Those that sides need which are not alike.
UNLIKE = ("allow missing", "allow references")
IS_WORDS = ("words", "several")


class Kind(NamedTuple):
    """Two sides of a kind, and values of options that change something."""

    sides: Sequence[str]
    self: str  # a further run
    group: str  # a column of its units
    limit: str  # of one of its numbers, which the new side exceeds
    key: str = "speaker"  # no level of metadata that is found without it
    tags: tuple[str, str] = ("1", "1")
    failing: Sequence[str] = ("--fail-above", "0")
    few: Sequence[str] = ()
    unlike: Mapping[str, Sequence[str]] = {}  # sides that need an option, by its name

    def given(self, flags: Sequence[str], table: str) -> list[str]:
        """The flags, with what stands for what the kind has."""
        meant: dict[str, Sequence[str]] = {
            "SELF": [self.self],
            "GROUP": [self.group],
            "LIMIT": [self.limit],
            "TABLE": [table],
            "KEY": [self.key],
            "OLDER": [self.tags[0]],
            "NEWER": [self.tags[1]],
            "FAILING": self.failing,
            "FEW": self.few,
        }
        return [word for flag in flags for word in meant.get(flag, [flag])]


def without_the_first(path: str, members: Sequence[str], folder: Path) -> str:
    """A copy of a JSON without the first unit."""
    document = json.loads(Path(path).read_text())
    *above, last = members
    place = document
    for name in above:
        place = place[int(name)] if name.isdigit() else place[name]
    place[last] = place[last][1:]
    copy = folder / f"without-{Path(path).name}"
    copy.write_text(json.dumps(document))
    return str(copy)


def with_other_reference(path: str, members: Sequence[str], values: Any, folder: Path) -> str:
    """A copy of a JSON whose first unit has another reference."""
    document = json.loads(Path(path).read_text())
    place = document
    for name in members:
        place = place[int(name)] if name.isdigit() else place[name]
    place[0].update(values)
    copy = folder / f"other-{Path(path).name}"
    copy.write_text(json.dumps(document))
    return str(copy)


def many_keywords(path: str) -> None:
    """Repeat the keywords of a result under other names, with the same means."""
    document = json.loads(Path(path).read_text())
    overall = document["systems"][0]["overall"]
    rows = overall["keywords"]
    overall["keywords"] = [
        {**row, "keyword": f"{row['keyword']}-{at}", "text": row["text"]}
        for at in range(10)
        for row in rows
    ]
    Path(path).write_text(json.dumps(document))


def rttm(folder: Path, name: str, ends: Sequence[float]) -> str:
    path = folder / f"{name}.rttm"
    lines = []
    for number, end in enumerate(ends):
        lines += [
            f"SPEAKER r{number} 1 0 {end} <NA> <NA> x <NA>\n",
            f"SPEAKER r{number} 1 {end} {9 - end} <NA> <NA> y <NA>\n",
        ]
    path.write_text("".join(lines))
    return str(path)


def written(folder: Path, name: str, *command: str) -> str:
    path = str(folder / f"{name}.json")
    assert main([*command, "--json", path, "--quiet"]) == 0
    return path


def kws_lists(folder: Path) -> list[str]:
    text = Path("keyword_search/demo.kwslist.xml").read_text()
    lines = text.splitlines(keepends=True)
    detected = next(place for place, line in enumerate(lines) if '"YES"' in line)
    paths = []
    for name, content in (
        ("old", text),
        ("new", "".join(lines[:detected] + lines[detected + 1 :])),
    ):
        paths.append(str(folder / f"{name}.kwslist.xml"))
        Path(paths[-1]).write_text(content)
    return paths


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kind]:
    folder = tmp_path_factory.mktemp("kinds")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(DEMO)
        reference, new, old = TRANSCRIPTS
        turns = [rttm(folder, "ref", [3, 4, 5, 6, 3, 4, 5, 6])]
        turns.append(rttm(folder, "a", [3, 4.5, 5, 6.2, 3, 4.2, 5, 6]))
        turns.append(rttm(folder, "b", [4, 5.5, 5.5, 7.2, 4, 5.2, 6, 7]))
        der = [written(folder, f"der{at}", "der", turns[0], turns[at]) for at in (1, 2)]
        lists = kws_lists(folder)
        keywords = ["--ecf", "keyword_search/demo.ecf.xml", "--rttm", "keyword_search/demo.rttm"]
        keywords += ["--kwlist", "keyword_search/demo.kwlist.xml"]
        kws = [
            written(folder, f"kws{at}", "kws", *keywords, "--kwslist", path)
            for at, path in enumerate(lists)
        ]
        for path in kws:
            many_keywords(path)
        names = [f"{speaker}-{number}" for speaker in "abcdefgh" for number in range(3)]
        words, per = folder / "words.trn", []
        words.write_text("".join(f"hello ({name})\n" for name in names))
        (folder / "lexicon.txt").write_text("hello h e l o\n")
        for number, phonemes in enumerate((["h e l o", "h e l", "h"], ["h e", "h e o"])):
            spoken = folder / f"phonemes{number}.trn"
            rows = (f"{phonemes[at % len(phonemes)]} ({name})\n" for at, name in enumerate(names))
            spoken.write_text("".join(rows))
            command = ["per", str(words), str(spoken), "--lexicon", str(folder / "lexicon.txt")]
            per.append(written(folder, f"per{number}", *command))
        history = str(folder / "runs.db")
        record = ["--record", history, "--without-alignments", "--quiet"]
        short, other = folder / "short.trn", folder / "other.trn"
        lines = Path(new).read_text().splitlines(keepends=True)
        short.write_text("".join(lines[1:]))
        (folder / "fewer.trn").write_text(
            "".join(Path(reference).read_text().splitlines(keepends=True)[1:])
        )
        other.write_text(Path(reference).read_text().replace("(", "more (", 1))
        scored = [[reference, old], [reference, new]]
        scored += [[str(folder / "fewer.trn"), str(short)], [str(other), new]]
        for command in scored:
            assert main(["wer", *command, *record]) == 0
        for name, size, errors in (("s", 600, 50), ("t", 600, 90), ("u", 500, 90)):
            (folder / f"{name}.csv").write_text(f"name,words,errors\n{name},{size},{errors}\n")
            assert main(["history", "import", history, str(folder / f"{name}.csv")]) == 0
        recorded = []
        for at, command in enumerate(scored):
            recorded.append(written(folder, f"record{at}", "wer", *command))

    def runs(old: int, new: int) -> list[str]:
        return [history, history, "--baseline-tag", str(old), "--new-tag", str(new)]

    def unlike(
        paths: Sequence[str], members: Sequence[str], **other: object
    ) -> dict[str, list[str]]:
        return {
            "allow missing": [paths[0], without_the_first(paths[1], members, folder)],
            "allow references": [
                paths[0],
                with_other_reference(paths[1], members, other, folder),
            ],
        }

    few = ("--block", "speaker")
    records = {"allow missing": [recorded[0], recorded[2]]}
    records["allow references"] = [recorded[0], recorded[3]]
    several = {name: [*sides, "--new", recorded[1]] for name, sides in records.items()}
    loops = "loops.loops=0"
    return {
        "words": Kind(
            [reference, old, new], new, "speaker", loops, "utterance", few=few, unlike=records
        ),
        "runs": Kind(
            runs(1, 2),
            history,
            "speaker",
            loops,
            "utterance",
            ("1", "2"),
            few=few,
            unlike={"allow missing": runs(1, 3), "allow references": runs(1, 4)},
        ),
        "sums": Kind(
            runs(5, 6),
            history,
            "speaker",
            loops,
            "utterance",
            ("5", "6"),
            unlike={"allow missing": runs(5, 6), "allow references": runs(5, 7)},
        ),
        "der": Kind(
            der,
            der[1],
            "recording",
            "der.error_rate=1",
            unlike=unlike(der, ["systems", "0", "recordings"], scored_seconds=1.0),
        ),
        "kws": Kind(
            kws,
            kws[1],
            "text",
            "kws.atwv=0.99",
            key="recording",  # each keyword is the beginning of a name, as a speaker may be
            failing=("--fail-measure", "kws.atwv=0.99"),
            unlike=unlike(kws, ["systems", "0", "overall", "keywords"], targets=99),
        ),
        "per": Kind(
            per,
            per[1],
            "speaker",
            "per.error_rate=1",
            "utterance",
            few=few,
            unlike=unlike(per, ["systems", "0", "utterances"], words=["other"]),
        ),
        "several": Kind(
            [reference, old, new, "--new", old],
            new,
            "speaker",
            loops,
            "utterance",
            few=few,
            unlike=several,
        ),
    }


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table of metadata that names units and speakers of every kind."""
    rows = ["name,number"]
    rows += [f"{name},{at}" for at, name in enumerate(["anna", "ben", "carla", "dan"])]
    rows += [f"r{at},{at % 3}" for at in range(8)]
    rows += [f"KW-00{at},{at}" for at in range(1, 5)]
    rows += [f"{name},{at % 3}" for at, name in enumerate("abcdefgh")]
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, ...], tuple[int, str, str]]:
    """What commands without the option ended with: many options are tried beside the same command."""
    return {}


NAMES = ("words", "runs", "sums", "der", "kws", "per", "several")
OPTIONS = sorted({*VALUES, *OF_WORDS, *BESIDE, *UNLIKE})
CASES = [
    (name, option)
    for name in NAMES
    for option in OPTIONS
    if not (name in IS_WORDS and option in (*OF_WORDS, "reference"))
]


@pytest.mark.share(17)
@pytest.mark.parametrize(("name", "option"), CASES)
def test_an_option_holds_or_is_refused_by_name(
    name: str,
    option: str,
    kinds: dict[str, Kind],
    table: str,
    outcomes: dict[tuple[str, ...], tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(DEMO)
    kind = kinds[name]
    beside, values = BESIDE.get(option, ([], VALUES.get(option) or OF_WORDS.get(option, [])))
    sides = kind.unlike.get(option, kind.sides)
    is_drawn = name not in ("sums", "several") and option not in ("baseline", "new")
    command = ("compare", *sides, *(QUICK * is_drawn), *kind.given(beside, table))
    if command not in outcomes:
        outcomes[command] = programs.told(capsys, *command)
    plain = outcomes[command]
    flag, *allowance = f"--{option}".split()
    found = programs.told(capsys, *command, flag, *allowance, *kind.given(values, table))
    if option in UNLIKE and name != "sums":
        assert (plain[0], f"--{option}" in plain[2]) == (2, True)
        assert found[0] == 0
    elif found[0] == 2:
        # a part of what the option is beside may be refused
        named = [word for word in (flag, *beside, *values) if word.startswith("--")]
        assert any(flag in found[2] for flag in named), found[2]
    else:
        assert found[0] in (0, 3)
        assert found != plain, "ignored"


def test_every_option_is_tried() -> None:
    line = flags.command_parser("compare", "", TABLE, sides=SIDES, epilog=EPILOG, **KINDS)
    known = {
        word[2:]
        for text in line.parser().format_help().splitlines()
        for word in re.findall(r"^  (--[a-z0-9-]+)", text)
    }
    of_options = {flag_name(name).removeprefix("--") for name in FIELDS}
    assert known - {*OPTIONS, *FREE, "allow"} <= of_options
