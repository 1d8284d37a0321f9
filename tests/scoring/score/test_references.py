"""Several references and variants: published examples, choices, files, errors."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.schema import words_of
from scoring import References, wer
from scoring.cli.scoring import main
from scoring.model.combinations import CombinationError
from scoring.model.errors import InputError
from scoring.options import Measure, ReferenceChoice
from scoring.score.record_reader import load
from scoring.sides.matching import DifferentLengthsError, MatchingError
from scoring.sides.variants import parse_variants, read_variants
from tests.each_case import each_case
from tests.programs import apart
from tests.remarks import said
from tests.scoring.score.test_schema import ROOT, complaints

SEED = 29
PLANK = "{now} now take a plank {1|one} {m|meter|metre} long <*> well"
MAY = "on the {seventh|7} - {eighth|8} of may the {sixteenth|16th|16-th} stage of formula {1|one}"


# The examples of the documentation of asr_eval (arXiv 2601.20992), with its counts: words in lower
# case without punctuation, errors, and words of the shortest reference.
@each_case(
    ("reference", "hypothesis", "errors", "words"),
    [
        ("hey <*> {eh} {one|1} {dollar|$}", "hey man eh dollar", 1, 3),
        ("nothing hi there {one|1} {two|2} {eh} ok", "no thing hi there one to eh oh", 4, 6),
        (PLANK, "no take blank one meter long daddy daddy well", 3, 8),
        (PLANK, "no no take a blank one meter long daddy daddy well", 3, 8),
        (PLANK, "now take a plank 1 metre long daddy daaa well", 0, 8),
        (PLANK, "no now i ll take a blank 1 m long", 5, 8),
        (MAY, "on the 7 - eighth of may the 16-th stage of formula one", 0, 13),
    ],
)
def test_examples_of_asr_eval(reference: str, hypothesis: str, errors: int, words: int) -> None:
    rates = wer(
        reference, hypothesis, variants=True, variants_length="shortest", profile="levenshtein"
    )
    assert (rates.counts.errors, rates.lengths) == (errors, [words])
    assert rates.error_rate == errors / words


def test_errors_of_asr_eval() -> None:
    cases = json.loads((ROOT / "tests/golden/asr_eval/errors.json").read_text("utf-8"))
    references, hypotheses, errors = map(list, zip(*cases, strict=True))
    rates = wer(references, hypotheses, variants=True, profile="levenshtein")
    assert [counts.errors for counts in rates.per_utterance] == errors
    assert len(errors) == 300


def test_errors_of_oiwer() -> None:
    cases = json.loads((ROOT / "tests/golden/oiwer/errors.json").read_text("utf-8"))
    references, hypotheses, *numbers = map(list, zip(*cases, strict=True))
    rates = wer(references, hypotheses, variants=True, profile="levenshtein")
    counts = [(counts.errors, counts.reference_tokens) for counts in rates.per_utterance]
    expected = list(zip(*numbers, strict=True))
    assert counts[:206] == expected[:206]
    # the others have phrases, which it chooses before it aligns
    fewer = [theirs - ours for (ours, _), (theirs, _) in zip(counts, expected, strict=True)]
    assert (len(cases), min(fewer), sum(map(bool, fewer))) == (306, 0, 50)


def test_counts_of_multi_reference_wer() -> None:
    # a letter for each word
    cases = json.loads((ROOT / "tests/golden/mr-wer/counts.json").read_text("utf-8"))
    assert cases
    for references, hypothesis, counts in cases:
        several = References([" ".join(letters) for letters in references.split()])
        rates = wer(several, " ".join(hypothesis), references="mr-wer")
        assert list(rates.counts) == list(rates.alignment("000001").counts()) == counts
        assert "align:mr-wer@d03c6c6(2,1,1)|ties:align-text" in rates.signature


def test_words_of_any_reference_are_right() -> None:
    references = References(["w1 w2 w3 w4", "w1 x2 w3 y4"])
    assert wer(references, "w1 x2 w3 w4") == 0.0
    whole = wer(references, "w1 x2 w3 w4", references="each")
    assert (whole.error_rate, whole.alignment("000001").reference) == (
        0.25,
        ("w1", "w2", "w3", "w4"),
    )


def test_each_takes_the_lowest_rate_and_lowest_errors_the_fewest() -> None:
    # one error in two words, and three errors in six
    references = References([["a x"], ["a b c y z w"]])
    by_rate = wer(references, ["a b c"], references="each")
    assert (by_rate.counts.errors, by_rate.counts.reference_tokens) == (3, 6)
    by_count = wer(references, ["a b"], references="lowest-errors")
    assert (by_count.counts.errors, by_count.counts.reference_tokens) == (1, 2)
    tied = wer(References([["a b"], ["a c"]]), ["a x"], references="each")
    assert tied.choices is not None
    assert tied.choices.chosen == [(1,)]


@each_case(
    ("references", "heard", "chosen"),
    [
        (["", "a"], "", 1),
        (["", "a"], "x", 2),
        (["", "a b"], "x", 2),
        (["", "a"], "x y", 2),
        (["", "a"], "a", 2),
        (["", "a"], "x y z", 2),
        (["", "a b c d"], "", 1),
        (["", "a"], "b a c", 2),
        (["a b", ""], "x y z", 1),
    ],
)
def test_an_empty_reference_is_chosen_if_no_other_is_as_good(
    references: list[str], heard: str, chosen: int
) -> None:
    rates = wer(References([[text] for text in references]), [heard], references="each")
    assert rates.choices is not None
    assert rates.choices.chosen == [(chosen,)]
    if chosen == 1 and not references[0]:
        assert (rates.counts.reference_tokens, rates.per_utterance[0].error_rate) == (0, None)


def test_equal_references_are_one_reference() -> None:
    rng = random.Random(SEED)

    def texts() -> list[str]:
        return [" ".join(rng.choices("abcd", k=rng.randint(0, 8))) for _ in range(200)]

    reference, hypothesis = texts(), texts()
    for profile in ("sclite", "levenshtein", "kaldi", "align-text", "mr-wer"):
        plain = wer(reference, hypothesis, profile=profile)
        for choice in words_of(ReferenceChoice):
            if (choice == "mr-wer") > (profile == "mr-wer"):
                continue  # it has a profile
            rates = wer(References([reference] * 3), hypothesis, profile=profile, references=choice)
            assert rates.aligned == plain.aligned


def test_units_case_and_normalisation_apply_to_all_references() -> None:
    assert wer(References(["Colour!", "COLOR!"]), "color", normalize="plain") == 0.0
    assert wer(References(["Colour", "Color"]), "color", ignore_case=True) == 0.0
    assert scoring.cer(References(["colour", "kolor"]), "color") == 0.0
    assert wer("{Colour|COLOR!} <*>", "color x", variants=True, normalize="plain") == 0.0
    assert wer("{日本|にほん}", "日本", variants=True, unit="char") == 0.0
    assert scoring.cer("{a|b}", "a", variants=True) == 0.0
    assert scoring.cer("{a b|} c", "c", variants=True).counts == scoring.Counts(correct=1)


def test_wildcards_are_barriers_and_their_words_are_not_scored() -> None:
    rates = wer("x <*> y", "y x", variants=True)
    assert rates.counts.errors == 2
    rates = wer(["a <*> b", "c"], ["a p q b", "c"], variants=True)
    assert rates == 0.0
    assert rates.choices is not None
    assert rates.choices.wildcard_words == 2
    assert rates.alignment("000001").hypothesis == ("a", "b")
    assert "matched by wildcards, not scored: 2 words" in "\n".join(summary(rates))


def summary(rates: scoring.ErrorRates) -> list[str]:
    from scoring.pages import summary_lines

    return list(summary_lines(rates))


def test_lengths() -> None:
    text, heard = "{one two three|123} {uh} <*>", "123"
    rates = {
        length: wer([text, "a"], [heard, "b"], variants=True, variants_length=length)
        for length in ("chosen", "written", "shortest")
    }
    assert [rate.length for rate in rates.values()] == [2, 5, 2]
    assert rates["written"].error_rate == 1 / 5
    assert rates["written"].mean_of_utterances == 1 / 2
    assert summary(rates["written"])[0].startswith("%WER 20.00 [ 1 / 5,")
    assert "length:written" in rates["written"].signature
    assert "length:" not in rates["chosen"].signature


# What is accepted


@each_case(
    ("text", "items"),
    [
        ("a {b|c d} e", ["'a'", "'b' / 'c' 'd'", "'e'"]),
        ("{a|b|}", ["'a' / 'b' / @"]),
        ("{a}", ["'a' / @"]),
        ("{a|{b|c} d}", ["'a' / ('b' / 'c') 'd'"]),
        ("(uh) (um", ["'uh', optional=True", "'(um'"]),
        ("<*> a|b", ["'<*>', kind='wildcard'", "'a|b'"]),
        ('"{a|b}".', ["'\"'", "'a' / 'b'", "'\".'"]),
    ],
)
def test_notation(text: str, items: list[str]) -> None:
    assert [repr(item).partition("(")[2][:-1] for item in parse_variants(text.split())] == items


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("u1 a {b|c", r"ref.txt:1:6: utterance 'u1': expected } after {, found the end"),
        ("u1 a b} c", r"ref.txt:1:7: utterance 'u1': expected { before }, found none"),
        ("u1 colo{u|}r", r"ref.txt:1:8: .*expected a blank before {, found 'o'"),
        ("u1 {a|b}c", r"ref.txt:1:8: .*expected a blank after }, found 'c'"),
    ],
)
def test_notation_that_does_not_fit(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "ref.txt"
    path.write_text(f"{line}\nu2 x\n")
    with pytest.raises(InputError, match=message):
        wer(scoring.File(path, format="kaldi"), {"u1": "a", "u2": "x"}, variants=True)


def test_alternatives_of_formats_take_part(tmp_path: Path) -> None:
    path = tmp_path / "ref.trn"
    path.write_text("{ a / b c } {d|e} (f) (u1)\n")
    assert wer(path, {"u1": "b c e"}, variants=True) == 0.0
    # without the notation, of one of several references
    path.write_text("{ a / b c } d (u1)\n")
    assert wer(References([path, {"u1": "x"}]), {"u1": "b c d"}) == 0.0


VARIANTS = """\
;; equivalent words
mister | mr
going to | gonna | goin to
[hi]
~ ँ | ं
~ \u093c |
[de]
~ ß | ss
"""


@each_case(
    ("name", "reference", "hypothesis", "errors"),
    [
        ("{}", "mister X is going to go", "mr X is gonna go", 0),
        ("{}", "हाँ बड़ा", "हां बडा", 0),
        ("{}", "Straße", "Strasse", 0),
        ("hi={}", "हाँ Straße mister", "हां Strasse mr", 1),
        ("de={}", "हाँ Straße", "हां Strasse", 1),
    ],
)
def test_file_of_variants(
    tmp_path: Path, name: str, reference: str, hypothesis: str, errors: int
) -> None:
    path = tmp_path / "words.variants"
    path.write_text(VARIANTS, encoding="utf-8")
    rates = wer(reference, hypothesis, variants_file=name.format(path))
    assert rates.counts.errors == errors
    assert "words.variants@" in rates.signature


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a | b\n  c\n", "words.variants:2:3: expected words or phrases separated by |, found 'c'"),
        ("a | | b\n", "words.variants:1:1: expected words or phrases"),
        ("~ | x\n", "words.variants:1:1: expected parts of words"),
    ],
)
def test_file_of_variants_with_errors(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "words.variants"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_variants(path)
    assert message in str(error.value)
    path.write_text("a | b\n")
    with pytest.raises(InputError, match=r"expected the language \[xx\], found none"):
        read_variants(f"xx={path}")


@each_case(
    ("sides", "options", "error", "message"),
    [
        (References([["a"], ["b", "c"]]), {}, DifferentLengthsError, "expected as many utterances"),
        (References([{"1": "a"}, {"2": "b"}]), {}, MatchingError, 'has "2", and .* has "1"'),
        (References([{"1": "a"}, {"1": "b", "2": "c"}]), {}, InputError, "found '2'"),
        (
            {"1": "a"},
            {"variants": True, "cut": "plain-alignment"},
            ValueError,
            re.escape(apart(other_cut="--cut plain-alignment", variants="--variants")),
        ),
        (
            References([{"1": "a"}] * 2),
            {"references": "mr-wer", "variants": True},
            ValueError,
            re.escape(apart(mr_wer="--references mr-wer", variants="--variants")),
        ),
    ],
)
def test_what_does_not_go_together(
    sides: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    hypothesis: Any = ["a"] if message.startswith("expected as many") else {"1": "a"}
    with pytest.raises(error, match=message):
        wer(sides, hypothesis, **options)


def test_reports_by_other_lengths_are_errors(tmp_path: Path) -> None:
    rates = wer("{a b|c}", "c", variants=True, variants_length="written")
    for report in (
        rates.system,
        lambda: scoring.html_report(rates, tmp_path / "x.html"),
        lambda: scoring.confidence_interval(rates),
        lambda: scoring.compare(rates, rates),
    ):
        with pytest.raises(ValueError, match="expected variants_length 'chosen', found 'written'"):
            report()


@pytest.mark.parametrize(
    ("options", "pair"),
    [
        ({"variants": True}, "variants rows"),
        ({"verdicts": "x"}, "verdicts rows"),
    ],
)
def test_rows_of_tables_have_one_reference_and_no_verdicts(options: Any, pair: str) -> None:
    table = pytest.importorskip("pyarrow").table({"text": ["{a|b}"], "pred_text": ["a"]})
    with pytest.raises(CombinationError) as caught:
        scoring.score_columns(table, **options)
    assert caught.value.value is not None
    assert caught.value.value.entry.variant == pair


def test_references_are_a_list() -> None:
    with pytest.raises(TypeError, match="expected a list of references, found str"):
        References("a b")
    with pytest.raises(ValueError, match="expected 1 to 64, found 0"):
        References([])


def test_the_hypothesis_has_alternatives_too(tmp_path: Path) -> None:
    path = tmp_path / "hyp.trn"
    path.write_text("{ a / b } c (u1)\n")
    rates = wer(References([{"u1": "x c"}, {"u1": "b c"}]), path)
    assert rates.counts == scoring.Counts(correct=2)
    assert rates.alignment("u1").hypothesis == ("b", "c")


def test_a_table_holds_for_words_before_they_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "words.variants"
    path.write_text("colour | color\n")
    rates = scoring.cer("a colour", "a color", variants_file=path)
    assert rates.counts == scoring.Counts(correct=7)
    rates = scoring.cer("a colour", "a color", variants_file=path, variants_length="written")
    assert rates.lengths == [8]


@each_case("measure", ["cp", "orc", "mimo", "dicp", "tcp", "tcorc"])
@each_case("unit", ["word", "char", "mixed"])
def test_a_table_holds_for_many_speakers(tmp_path: Path, measure: Measure, unit: str) -> None:
    """A session of one segment has the errors of its text without a measure."""
    table, sides = tmp_path / "words.variants", [tmp_path / f"{side}.stm" for side in ("r", "h")]
    table.write_text("going to | gonna\nfive | 5\n~ ou | o\n五 十 | 50\n")
    texts = (
        ("we are going to see { a / the } colour", "we are gonna see the color"),
        ("FIVE gonna (uh) favour <x>", "5 going to favor"),
        ("五十 years five", "50 years 5 odd"),
    )
    for text, heard in texts:
        for path, side in zip(sides, (text, heard), strict=True):
            path.write_text(f"rec 1 A 0 9 {side}\n")
        choices: dict[str, Any] = {"unit": unit, "ignore_case": True, "variants_file": table}
        rates = wer(sides[0], sides[1], meeting=measure, **choices)
        whole = wer(sides[0], sides[1], profile="levenshtein", match="position", **choices)
        assert rates.counts == whole.counts, text
        assert rates.rules.variants == "words.variants@" + rates.rules.variants[-8:]
        assert {item.kind for item in rates.forgiven} == {item.kind for item in whole.forgiven}


# Files and reports


@pytest.fixture
def files(current_folder: Path) -> Path:
    contents = {
        "a.trn": ["the grey cat sat (s1-1)", "one two three (s1-2)", "x (s2-1)"],
        "b.trn": ["x (s2-1)", "1 2 3 (s1-2)", "the gray cat sits (s1-1)"],
        "hyp.trn": ["the gray cat sat (s1-1)", "1 2 4 (s1-2)", "x (s2-1)"],
    }
    for name, lines in contents.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))
    return current_folder


def run(*arguments: str) -> int:
    return main(["wer", "a.trn", "hyp.trn", "--further-reference", "b.trn", *arguments])


def test_text_and_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--per-utterance", "--by", "speaker") == 0
    text = capsys.readouterr().out
    assert "%WER 12.50 [ 1 / 8, 0 ins, 0 del, 1 sub ]" in text
    assert "references: a.trn, b.trn; utterances that mix several references: 1" in text
    assert "references:network(2)" in text
    assert "0.00 %, reference 2 1" in text
    assert run("--json", "result.json", "--quiet") == 0
    document = json.loads(Path("result.json").read_text())
    schema = json.loads((ROOT / "resources/schemas/error-rates-1.json").read_text())
    assert complaints(document, schema, schema) == []
    [system] = document["systems"]
    assert [each["chosen_references"] for each in system["utterances"]] == [[2, 1], [2], [1]]
    assert [each["path"] for each in system["choices"]["references"]] == ["a.trn", "b.trn"]
    assert all(each["sha256"] for each in system["choices"]["references"])
    again = load("result.json")
    del system["interval"]
    assert json.loads(again.to_json()) == system


def test_nist_reports_show_the_chosen_words(files: Path) -> None:
    for choice in ("network", "mr-wer"):
        assert run("-o", "pra", "-O", ".", "--references", choice) == 0
        [path] = [path for path in files.iterdir() if path.suffix == ".pra"]
        assert "REF:  the gray cat sat" in path.read_text()


def test_shards_are_merged(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for choice in ("network", "mr-wer"):
        options = "--variants-length", "shortest", "--references", choice
        assert run(*options) == 0
        whole = capsys.readouterr().out
        for number in (1, 2):
            shard = ["--shard", f"{number}/2", "--shard-output", f"{number}.json"]
            assert run(*options, *shard) == 0
        assert main(["merge", "1.json", "2.json"]) == 0
        assert capsys.readouterr().out == whole


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "--variants --variants-length written --html x",
            apart(variants_length="--variants-length", html="--html"),
        ),
        (
            "--variants --engine local --reference-column a",
            apart(variants="--variants", rows="--engine local"),
        ),
        (
            "--reference-column a --further-reference b.trn",
            "--further-reference does not apply to tables",
        ),
    ],
)
def test_usage_errors(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    assert main(["wer", "a.trn", "hyp.trn", *arguments.split()]) == 2
    assert message in capsys.readouterr().err


def test_columns_of_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,a,b,pred_text\n1,grey cat,gray cat,gray cat\n2,x,y,y\n")
    columns = ["--reference-column", "a", "--reference-column", "b"]
    assert main(["wer", str(path), *columns, "--hypothesis-column", "pred_text"]) == 0
    assert "%WER 0.00 [ 0 / 3," in capsys.readouterr().out


def test_comparison_of_systems(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("new.trn").write_text(
        Path("hyp.trn").read_text().replace("4", "3").replace("gray", "grey")
    )
    assert run("--json", "old.json") == 0
    assert (
        main(["wer", "a.trn", "new.trn", "--further-reference", "b.trn", "--json", "new.json"]) == 0
    )
    capsys.readouterr()
    assert main(["compare", "old.json", "new.json"]) == 0
    assert main(["wer", "a.trn", "new.trn", "--json", "other.json"]) == 0
    capsys.readouterr()
    assert main(["compare", "old.json", "other.json", "--remarks", "json"]) == 2
    refused = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert refused["variant"] == "choices"
    assert refused["fields"] == {"path": "other.json", "other": "old.json"}
    command = ["compare", "old.json", "new.trn", "--reference", "a.trn", "--remarks", "json"]
    assert main(command) == 2
    refused = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (refused["fields"], refused["advice"][0]["option"]) == ({"number": 2}, "reference")


def test_sums_by_written_words_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.trn").write_text("{a b|c} (u-1)\nd e (u-2)\n")
    Path("h.trn").write_text("c (u-1)\nd f (u-2)\n")
    flags = ["--variants", "--variants-length", "written", "--json", "a.json"]
    assert main(["wer", "r.trn", "h.trn", *flags]) == 0
    capsys.readouterr()
    assert main(["compare", "a.json", "a.json", "--remarks", "json"]) == 2
    refused = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert refused["advice"] == [{"option": "variants_length", "value": ""}]
    assert refused["fields"] == {"path": "a.json"}


def test_service() -> None:
    from scoring.serve.methods import Methods

    methods = Methods()
    record = methods(
        "wer",
        {
            "reference": ["a b"],
            "further_references": [["a c"]],
            "hypothesis": ["a c"],
            "references": "each",
        },
    )
    assert record["rates"]["error_rate"] == 0.0
    assert record["utterances"][0]["references"] == [2]
    assert "references:each(2)" in record["signature"]


def test_one_reference_is_taken_whatever_chooses() -> None:
    rates = wer("a b", "a c", references="each")
    assert rates.counts == wer("a b", "a c").counts
    assert said(rates.remarks)[-1] == ("IDLE-OPTION.references", {"choice": "each"})
