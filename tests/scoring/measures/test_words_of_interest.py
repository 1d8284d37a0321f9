"""Words of interest: against fbai, NeMo, WeNet and texterrors, by hand, and by their laws."""

from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.cli import messages as of_commands
from scoring.cli.scoring import main
from scoring.measures import measure
from scoring.measures.messages import CHANGED
from scoring.measures.word_list import Finder, ListEntry, read_word_list
from scoring.model.errors import InputError
from scoring.results.measured import Measured
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.programs import apart
from tests.scoring.measures import golden

Pair = tuple[str, str]


def cases(name: str) -> list[Any]:
    """The cases of a golden file, each with its name."""
    return [pytest.param(data, expected, id=key) for key, data, expected in golden.cases(name)]


def counted(pairs: list[Pair], words: Any, **choices: Any) -> Measured:
    """The measure of pairs of texts."""
    settings = {key: choices.pop(key) for key in list(choices) if key.startswith("words_")}
    return measure(wer_of(pairs, **choices), "words", {"words": words, **settings})


def wer_of(pairs: list[Pair], **choices: Any) -> scoring.ErrorRates:
    """The error rate of pairs of texts."""
    sides: list[dict[str, str]] = [
        {f"u{n}": pair[side] for n, pair in enumerate(pairs)} for side in (0, 1)
    ]
    return scoring.wer(*sides, keep_sources=True, **choices)


# its program fails where a side of the list is empty, and where both texts are
FBAI_ENDS = ["no-listed-word-in-reference", "only-listed-words", "missing-strict", "both-empty"]


@pytest.mark.parametrize(("data", "expected"), cases("bias-fbai"))
def test_fbai(data: dict[str, Any], expected: dict[str, Any], tmp_path: Path, request: Any) -> None:
    path = tmp_path / "r.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in data["reference"]), "utf-8")
    reference = {row[0]: row[1] for row in data["reference"]}
    hypothesis = {row[0]: " ".join(row[1:]) for row in data["hypothesis"]}
    rates = scoring.wer(reference, hypothesis, profile="bias-fbai", missing="skip")
    found = measure(rates, "words", {"words": path})
    sums = found.columns.totals()
    if "error" in expected:
        assert request.node.callspec.id in FBAI_ENDS
        # ours has a number for the side that has words, and none for the other
        assert [sums[f"{side}_words"] > 0 for side in ("inside", "outside")] == [
            found["b_wer"] is not None,
            found["u_wer"] is not None,
        ]
        return
    for name, side, rate in (("B-WER", "inside", "b_wer"), ("U-WER", "outside", "u_wer")):
        theirs = expected[name]
        kinds = ("substitutions", "insertions", "deletions", "words")
        assert [sums[f"{side}_{kind}"] for kind in kinds] == [
            theirs[key] for key in ("subs", "ins", "dels", "ref_words")
        ]
        assert found[rate] == pytest.approx(theirs["error_rate"] / 100)
    assert rates.corpus_rate == pytest.approx(expected["WER"]["error_rate"] / 100)


@each_case(("data", "expected"), cases("keywords-nemo"))
def test_nemo(data: dict[str, Any], expected: dict[str, Any]) -> None:
    found = counted(data["pairs"], data["words"], profile="keywords-nemo")
    sums = found.columns.totals()
    if "error" in expected:
        assert sums["hits"] == sums["hypothesis"] == 0
        assert found["precision"] is None
        return
    numbers = [sums["hits"], sums["reference"], sums["hypothesis"]]
    theirs = expected["per_word"]
    keys = ("tp", "gt", "fp")
    totals = [sum(word[key] for word in theirs.values()) for key in keys]
    assert numbers == [totals[0], totals[1], totals[0] + totals[2]]
    for name, ours in (("precision", "precision"), ("recall", "recall"), ("fscore", "f1")):
        # NeMo adds 1e-8 to denominators
        assert found[ours] or pytest.approx(expected[name], abs=1e-7) == 0
    for word, counts in theirs.items():
        found_of = [sums[f"{name}[word:{word}]"] for name in ("hits", "reference", "hypothesis")]
        assert found_of == [counts["tp"], counts["gt"], counts["tp"] + counts["fp"]]


@each_case(("data", "expected"), cases("keywords-nemo-3"))
def test_nemo_3(data: dict[str, Any], expected: dict[str, int]) -> None:
    sums = counted(data["pairs"], data["words"], profile="keywords-nemo@3").columns.totals()
    hits = sums["hits"]
    assert [hits, sums["reference"], sums["hypothesis"] - hits] == list(expected.values())


def test_a_profile_without_a_version_is_its_first() -> None:
    names = {"bias-fbai": "43cdb3c", "keywords-nemo": "2", "mr-wer": "d03c6c6"}
    for name, version in names.items():
        rates = wer_of([("a b", "a c")], profile=name)
        assert rates.rules.profile == f"{name}@{version}"
        assert f"|align:{name}@{version}(" in rates.signature
        assert rates == wer_of([("a b", "a c")], profile=f"{name}@{version}")
    with pytest.raises(ValueError, match="keywords-nemo@3"):
        wer_of([("a b", "a c")], profile="keywords-nemo@9")


# WeNet counts an entry once for each utterance, and misses one that begins a longer one at the end
WENET_DIFFERS = {"repeat-counted-by-membership": (1.0, 1 / 3), "prefix-at-end-is-lost": (1.0, 1.0)}


@pytest.mark.parametrize(("data", "expected"), cases("keywords-wenet"))
def test_wenet(data: dict[str, Any], expected: dict[str, Any], request: Any) -> None:
    pairs = [(left[1], right[1]) for left, right in zip(data["label"], data["pred"], strict=True)]
    found = counted(pairs, data["words"], unit="char", ignore_case=True)
    name = request.node.callspec.id
    ours = found["bag_precision"], found["bag_recall"]
    if name in WENET_DIFFERS:
        assert ours == pytest.approx(WENET_DIFFERS[name])
    elif "error" in expected:
        assert ours == (None, 0.0)
    else:
        assert ours == pytest.approx((expected["acc"], expected["recall"]))
        assert found["bag_f1"] == pytest.approx(expected["f1"])


@each_case(
    ("data", "expected"), [case for case in cases("words-texterrors") if "kw" in case.values[0]]
)
def test_texterrors(data: dict[str, Any], expected: dict[str, Any]) -> None:
    """Its recall and precision of -1 are ours of None."""
    pairs = [
        (left.partition(" ")[2], right.partition(" ")[2])
        for left, right in zip(data["ref"], data["hyp"], strict=True)
    ]
    if data["flags"]:
        found = counted(pairs, data["kw"], profile="keywords-nemo")
    else:
        found = counted(pairs, data["kw"], profile="levenshtein")
    for name, ours in (("keyword_recall", "recall"), ("keyword_precision", "precision")):
        assert found[ours] == (None if expected[name] == -1 else expected[name])
    assert found.columns.totals()["reference"] == expected["keyword_count"]


@each_case(
    ("reference", "hypothesis", "words", "expected"),
    [
        # a keyword in place of another is a miss and a false alarm
        ("see okafor now", "see lindqvist now", ["okafor", "lindqvist"], (0, 1, 1)),
        # the same with a plain word, and an insertion
        ("see him now", "see okafor now okafor", ["okafor"], (0, 0, 2)),
        ("to new york", "to new the york", ["new york"], (0, 1, 0)),
        ("the bank of ireland", "a bank of ireland", ["bank of ireland"], (1, 1, 1)),
        # the longest entry counts, so the shorter one within it does not
        ("to new york", "to new york", ["york", "new york"], (1, 1, 1)),
        ("york", "new york", ["york", "new york"], (0, 1, 1)),
        ("a b c d", "a b c d", ["a b", "b c d"], (1, 1, 1)),
        ("no no no", "no no", ["no"], (2, 3, 2)),
        ("no no no", "no no no", ["no no"], (1, 1, 1)),
    ],
)
def test_counts(reference: str, hypothesis: str, words: list[str], expected: Any) -> None:
    sums = counted([(reference, hypothesis)], words).columns.totals()
    assert tuple(sums[name] for name in ("hits", "reference", "hypothesis")) == expected


def test_nested_entries_and_bag() -> None:
    found = counted([("to new york", "to new york")], ["york", "new york"], words_nested=True)
    assert found.columns.totals()["hits"] == 2
    found = counted([("okafor went home", "went home okafor")], ["okafor"])
    assert (found["recall"], found["bag_recall"]) == (0.0, 1.0)


def test_inserted_distractors(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text('u0\tsee okafor\t["okafor"]\t["okafor", "zinfandel", "see"]\n', "utf-8")
    found = counted([("see okafor", "see zinfandel okafor zinfandel")], path)
    # "see" is right, so it is not inserted
    assert found["inserted_distractors"] == 2
    assert (found["b_wer"], found["u_wer"]) == (0.0, 2.0)
    pairs = [("see okafor", "see zinfandel okafor zinfandel"), ("you okafor", "you oslo okafor no")]
    # those of a file are of all utterances, as are the entries of lines; a list has its own
    for words, others, expected in (
        (path, ["zinfandel", "no", "okafor"], 3),
        (["okafor"], ["zinfandel", "no", "okafor"], 3),
        (["no"], ["no", "oslo"], 1),
        (["no"], [], 0),
    ):
        settings: Any = {"words": words, "distractors": others}
        found = measure(wer_of(pairs), "words", settings)
        assert found["inserted_distractors"] == expected
        is_partial = words is path
        assert found.columns.totals()["without_list"] == is_partial
    path.write_text('x\tsee okafor\t["okafor"]\n', "utf-8")
    message = "list.tsv: expected lists of utterances such as 'u0', found 'x'"
    with pytest.raises(InputError, match=message):
        counted(pairs, path)


def test_entries_go_through_normalisation() -> None:
    pairs = [("Dr. Okafor came", "dr okafor came")]
    found = counted(pairs, {"Dr. Okafor": "person"}, normalize="plain")
    assert found["recall"] == 1.0
    assert found.columns.totals()["hits[class:person]"] == 1
    assert found.settings.startswith("words:1 entries#")
    # as written, in words as read; a raw word of several scored ones is right if all of them are
    pairs += [("so Dr. Okafor 25 came", "so Dr. Okafor twenty six"), ("New-York", "New-York")]
    for entries, recall, inside in (
        (["Dr. Okafor"], 1 / 2, 4),
        (["dr okafor"], None, 0),
        (["New-York"], 1.0, 2),
    ):
        raw = counted(pairs, entries, normalize=["plain", "numbers"], words_raw="yes")
        sums = raw.columns.totals()
        assert (raw["recall"], sums["inside_words"]) == (recall, inside), entries
        assert sums["hits"] <= sums["hypothesis"]
    rates = scoring.wer("A", "a", normalize="plain")
    with pytest.raises(InputError, match="expected the steps of normalisation"):
        measure(rates, "words", {"words": ["a"]})


@each_case(
    ("name", "content", "form", "entries"),
    [
        ("w", "# names\n # more\nokafor\tperson\nnew  york\n\nokafor\n", "auto",
         {"okafor": "person", "new york": None}),
        ("w.csv", "class,word\nperson,okafor\n,oslo\n", "auto", {"okafor": "person", "oslo": None}),
        ("w.tsv", "word\tclass\nokafor\tperson\n", "auto", {"okafor": "person"}),
        ("w.csv", 'Word;class\n"a;b";person\n', "auto", {"a;b": "person"}),
        ("w.csv", "okafor\n", "lines", {"okafor": None}),
        ("w", "gpu_g p u_gee pee you\nnvidia\n", "nemo", {"gpu": None, "nvidia": None}),
        ("w", 'u\tsee x\t["x", "y z"]\n', "auto", {"x": None, "y z": None}),
    ],
)  # fmt: skip
def test_lists(tmp_path: Path, name: str, content: str, form: str, entries: Any) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    found = read_word_list(path, form)
    assert dict(found.entries) == entries
    assert found.repeated == (("okafor",) if content.count("okafor") == 2 else ())


@each_case(
    ("name", "content", "message"),
    [
        ("w", "# nothing\n", "expected a word on each line, found none"),
        ("w.csv", "name\nokafor\n", "w.csv:1: expected a column word, found name"),
        ("w.csv", "word,class\na, b,c\n", "w.csv:2: expected 2 fields, found 3"),
        ("w", 'u\tx\t["x"]\nv\ty\t[y]\n', "w:2: expected a JSON list of words, found '.y.'"),
        ("w", 'u\tx\t["x"]\nv\ty\n', "w:2: expected an identifier, a text and a list"),
    ],
)
def test_lists_that_are_invalid(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        read_word_list(str(tmp_path / name))


@each_case(
    ("data", "expected"), [case for case in cases("words-texterrors") if "oov" in case.values[0]]
)
def test_words_outside_the_vocabulary(data: dict[str, Any], expected: dict[str, Any]) -> None:
    """Ours leaves deleted words out of the characters, and joins without a blank."""
    reference, hypothesis = (data[side][0].partition(" ")[2] for side in ("ref", "hyp"))
    known = [word for word in reference.split() if word not in data["oov"]]
    rates = scoring.wer([reference], [hypothesis])
    found = measure(rates, "vocabulary", {"vocabulary": known})
    sums = found.columns.totals()
    assert found["oov_wer"] == pytest.approx(expected["oov_wer"] / 100)
    types, oov = set(reference.split()), set(reference.split()) - set(known)
    assert measure(rates, "vocabulary")["oov_rate"] is None
    assert measure(rates, "vocabulary-types")["oov_type_rate"] is None
    assert dict(measure(rates, "vocabulary-types", {"vocabulary": known}).values) == {
        "oov_type_rate": len(oov) / len(types), "types": len(types), "oov_types": len(oov),
    }  # fmt: skip
    assert sums["oov_words"] == expected["oov_word_count"]
    if sums["oov_deleted"]:
        assert (found["oov_attempt_cer"], expected["oov_cer"]) == (None, 100.0)
        return
    joined = "oka for" in hypothesis
    assert sums["attempt_characters"] == expected["oov_char_count"]
    assert sums["attempt_edits"] == expected["oov_char_error_count"] - joined


@each_case(
    ("reference", "hypothesis", "expected"),
    [
        ("see okafor now", "see oka for now", (6, 0)),
        ("okafor", "oka for", (6, 0)),
        ("okafor came", "o kafor came", (6, 0)),
        ("so okafor", "so the okafar", (6, 1)),
        ("we okafor", "we", (0, 0)),
    ],
)
def test_attempts(reference: str, hypothesis: str, expected: tuple[int, int]) -> None:
    rates = scoring.wer(["so", reference], ["so oka", hypothesis])
    known = ["see", "now", "came", "we", "so"]
    sums = measure(rates, "vocabulary", {"vocabulary": known}).columns.totals()
    assert (sums["attempt_characters"], sums["attempt_edits"]) == expected


def test_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("Doctor Okafor came to Oslo\n", "utf-8")
    Path("hyp.txt").write_text("doctor oka for came to oslo\n", "utf-8")
    Path("names").write_text("Okafor\tperson\nOslo\tplace\nOslo\n", "utf-8")
    Path("known").write_text("doctor 9\ncame 5\nto 2\noslo 1\n", "utf-8")
    command = ["wer", "ref.txt", "hyp.txt", "--normalize", "lowercase"]
    assert main([*command, "--words", "names", "--vocabulary", "known"]) == 0
    text, notes = capsys.readouterr()
    assert "error rate inside the list %   50.00" in text
    assert "Oslo            1     1           1       100.00    100.00  100.00" in text
    assert "person          1     0           0          n/a      0.00    0.00" in text
    assert "OOV words %                          20.00" in text
    repeated = message_text(of_commands.REPEATED, path="names", number=1, names=["Oslo"])
    assert f"note: {repeated}" in notes
    names = [
        message_text(CHANGED, entry=each, prepared=each.lower()) for each in ("Okafor", "Oslo")
    ]
    changed = message_text(of_commands.CHANGED, path="names", number=2, names=names)
    assert f"note: {changed}" in notes
    assert main([*command, "--vocabulary", "known", "--vocabulary-min", "2"]) == 0
    assert "OOV words %                         40.00" in capsys.readouterr().out
    assert main([*command, "--words-raw"]) == 2
    assert "--words-raw needs --words" in capsys.readouterr().err
    assert main([*command, "--words", "nowhere"]) == 2
    assert "nowhere: expected a readable file" in capsys.readouterr().err
    # lists are in the encoding of the texts, and read once: also from standard input
    Path("list").write_bytes("Oslo\nm\xfcller 3\n".encode("latin-1"))
    for flag in ("--words", "--distractors", "--vocabulary"):
        more = [*command, "--words", "names", flag, "list"]
        assert main(more) == 2
        assert "list:2:2: expected UTF-8 text" in capsys.readouterr().err
        assert main([*more, "--encoding", "latin-1"]) == 0
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"Oslo\n")))
    assert main([*command, "--words", "-", "--words-format", "lines"]) == 0
    # the page marks what the measure counts
    page = ["--html", "page.html", "--vocabulary", "known", "--vocabulary-min"]
    for least, number in (("2", "40.00"), ("10", "100.00")):
        capsys.readouterr()
        assert main([*command, *page, least]) == 0
        assert f"OOV words %                         {number}"[:-2] in capsys.readouterr().out


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    path, names = str(tmp_path / "t.parquet"), tmp_path / "names"
    names.write_text("okafor\n", "utf-8")
    table = {"text": ["see okafor now"], "pred_text": ["see okafor"], "room": ["a"]}
    parquet.write_table(pyarrow.table(table), path)
    command = ["wer", path, "--reference-column", "text"]
    for engine in ([], ["--engine", "local"]):
        assert main([*command, *engine, "--words", str(names)]) == 0
        assert "Words of interest" in capsys.readouterr().out
    names.write_text('000001\ta\t["see"]\n', "utf-8")
    assert main([*command, "--engine", "local", "--words", str(names)]) == 2
    assert "words: expected one list for all rows, found lists of utterances" in (
        capsys.readouterr().err
    )
    # the table has the groups itself; what cannot be done is no success
    assert main([*command, "--engine", "local", "--metadata", str(names), "--by", "room"]) == 2
    assert apart(metadata="--metadata", engine="--engine local") in capsys.readouterr().err
    gate = ["--by", "room", "--fail-gap-above", "5"]
    assert main([*command, "--engine", "local", *gate]) == 2
    gap = apart(fail_gap_above="--fail-gap-above", engine="--engine local")
    assert gap in capsys.readouterr().err


WORDS = st.lists(st.sampled_from("abcd"), max_size=7)
LISTS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=4)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5), LISTS)
@settings(max_examples=40, deadline=None)
def test_laws(rows: list[tuple[list[str], list[str]]], entries: list[list[str]]) -> None:
    pairs = [(" ".join(left), " ".join(right)) for left, right in rows]
    words = [" ".join(entry) for entry in entries]
    found = counted(pairs, words)
    sums = found.columns.totals()
    total = scoring.wer([left for left, _ in pairs], [right for _, right in pairs]).counts
    for kind in ("substitutions", "deletions", "insertions"):
        assert sums[f"inside_{kind}"] + sums[f"outside_{kind}"] == getattr(total, kind)
    assert sums["inside_words"] + sums["outside_words"] == total.reference_tokens
    assert sums["hits"] <= min(sums["reference"], sums["hypothesis"], sums["bag_hits"])
    # by a plain search: where no entry overlaps another, every place is found
    finder = Finder(ListEntry(tuple(entry), " ".join(entry), None) for entry in entries)
    for left, _ in rows:
        taken: set[int] = set()
        plain = []
        spans = [(-len(entry), start) for entry in entries for start in range(len(left))
                 if left[start : start + len(entry)] == entry]  # fmt: skip
        for length, start in sorted(set(spans)):
            places = set(range(start, start - length))
            if not taken & places:
                taken |= places
                plain.append((start, -length))
        ours = [(one.start, len(one.entry.words)) for one in finder.occurrences(left)]
        assert ours == sorted(plain)
    same = counted([(left, left) for left, _ in pairs], words)
    assert same["f1"] in (None, 1.0)
    assert same["b_wer"] in (None, 0.0)
