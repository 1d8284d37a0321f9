"""`scoring.wer`: what it takes, what it refuses, and laws of its result."""

import gzip
import io
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats
import scoring
from formats.schema import words_of
from formats.schema.errors import FormatError
from scoring.model.aliases import Unit
from scoring.model.counts import Counts
from scoring.model.errors import InputError
from scoring.options import ProfileName
from scoring.results.messages import UNSCORED
from scoring.score.rates import ErrorRates
from scoring.sides.matching import MatchingError
from tests.each_case import each_case
from tests.remarks import fields_of, said
from tests.tables import table_of

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
PROFILES: tuple[ProfileName, ...] = words_of(ProfileName)
UTTERANCE = st.lists(st.sampled_from("abcd"), max_size=8)
CORPUS = st.dictionaries(
    st.sampled_from([f"{speaker}-{number}" for speaker in "xy" for number in range(4)]),
    st.tuples(UTTERANCE, UTTERANCE),
    min_size=1,
)


def rates_of(corpus: dict[str, tuple[list[str], list[str]]], **options: Any) -> ErrorRates:
    return scoring.wer(
        reference={name: sides[0] for name, sides in corpus.items()},
        hypothesis={name: sides[1] for name, sides in corpus.items()},
        **options,
    )


@settings(max_examples=60, deadline=None)
@given(CORPUS, st.sampled_from(PROFILES))
def test_the_summary_is_the_sum_of_utterances_is_the_sum_of_tokens(
    corpus: dict[str, tuple[list[str], list[str]]], profile: str
) -> None:
    rates = rates_of(corpus, profile=profile)
    by_utterance = sum((one.counts for one in rates), Counts())
    letters = "".join(rates.alignment(name).letters for name in rates.identifiers)
    assert rates.counts == by_utterance == Counts(*(letters.count(letter) for letter in "CSDI"))
    for name, (reference, hypothesis) in corpus.items():
        pairs = rates.alignment(name).pairs()
        assert [one.reference for one in pairs if one.reference is not None] == reference
        assert [one.hypothesis for one in pairs if one.hypothesis is not None] == hypothesis


@settings(max_examples=40, deadline=None)
@given(CORPUS, st.sampled_from(PROFILES), st.randoms())
def test_order_does_not_matter(
    corpus: dict[str, tuple[list[str], list[str]]], profile: ProfileName, random: Any
) -> None:
    names = list(corpus)
    random.shuffle(names)
    shuffled = scoring.wer(
        reference={name: sides[0] for name, sides in corpus.items()},
        hypothesis={name: corpus[name][1] for name in names},
        profile=profile,
    )
    rates = rates_of(corpus, profile=profile)
    assert list(shuffled) == list(rates)
    assert shuffled.aligned.edits == rates.aligned.edits


@settings(max_examples=40, deadline=None)
@given(CORPUS, st.integers(0, 8))
def test_parts_add_up(corpus: dict[str, tuple[list[str], list[str]]], cut: int) -> None:
    whole = rates_of(corpus)
    names = list(corpus)
    cut = min(cut, len(names))
    if 0 < cut < len(names):
        first = rates_of({name: corpus[name] for name in names[:cut]})
        both = first.merge(rates_of({name: corpus[name] for name in names[cut:]}))
        assert list(both) == list(whole)
        assert both.aligned.edits == whole.aligned.edits
        assert both.matching_summary == whole.matching_summary
    parts = [whole.slice(0, cut), whole.slice(cut, len(whole))]
    assert parts[0].counts + parts[1].counts == whole.counts


def test_profiles_differ_where_they_should() -> None:
    letters = {
        name: scoring.wer("a b c", "a s x c", profile=name).alignment("000001").letters
        for name in PROFILES
    }
    assert letters["align-text"] == "CISC"
    assert letters["kaldi"] == "CSIC"
    two: dict[str, Any] = {"reference": "a b", "hypothesis": "b c"}
    assert scoring.wer(**two, profile="kaldi").counts == Counts(1, 0, 1, 1)
    assert scoring.wer(**two, profile="align-text").counts == Counts(0, 2, 0, 0)


def test_rates_and_their_names() -> None:
    rates = scoring.wer(reference=["a b c d", "e", ""], hypothesis=["a b c d", "x", "y"])
    assert rates.counts == Counts(4, 1, 0, 1)
    assert rates.corpus_rate == 2 / 5
    assert rates.mean_of_utterances == 0.5
    assert rates.sentence_error_rate == 2 / 3
    assert rates.match_error_rate == 2 / 6
    assert rates.word_information_preserved == (4 / 5) * (4 / 6)
    assert rates.word_information_lost == 1 - (4 / 5) * (4 / 6)
    assert repr(rates) == (
        "<ErrorRates 40.00 % of 3 utterances, "
        "Counts(correct=4, substitutions=1, deletions=0, insertions=1)>"
    )


@pytest.mark.parametrize("hypothesis", ["", "noise"])
def test_an_empty_reference_has_no_rate(hypothesis: str) -> None:
    rates = scoring.wer(reference="", hypothesis=hypothesis)
    assert rates.counts.insertions == len(hypothesis.split())
    assert rates.corpus_rate is None
    assert rates.mean_of_utterances is None
    assert rates.word_information_lost is None


def test_no_utterances_at_all() -> None:
    rates = scoring.wer(reference=[], hypothesis=[])
    assert len(rates) == 0
    assert rates.corpus_rate is rates.sentence_error_rate is rates.match_error_rate is None


def test_case() -> None:
    pair: dict[str, Any] = {"reference": "Straße Köln", "hypothesis": "STRASSE köln"}
    assert scoring.wer(**pair).counts.substitutions == 2
    rates = scoring.wer(**pair, ignore_case=True)
    assert rates.counts.correct == 2
    # the words stay as they were written
    assert rates.alignment("000001").hypothesis == ("STRASSE", "köln")
    assert "norm:casefold" in rates.signature


def test_characters() -> None:
    pair = {"reference": "日本 <unk> ab", "hypothesis": "日 本語 <unk> a"}
    rates = scoring.wer(**pair, profile="kaldi", unit="char")  # type: ignore[call-overload]
    assert rates.alignment("000001").reference == ("日", "本", "<unk>", "a", "b")
    assert rates.counts == Counts(4, 0, 1, 1)
    assert "|unit:char|" in rates.signature


@each_case(("reference", "unit", "remarked"), table_of(__file__, "words_that_are_not_separated"))
def test_words_that_are_not_separated(reference: str, unit: Unit, remarked: bool) -> None:
    rates = scoring.wer(reference=reference, hypothesis=reference, unit=unit)
    assert [key for key, _ in said(rates.remarks)] == ["NO-BLANKS"] * remarked


def test_signature() -> None:
    rates = scoring.wer(reference="a", hypothesis="a")
    assert rates.signature == (
        "wer|unit:word|norm:none|align:sclite(4,3,3)|ties:sclite|missing:delete|match:position"
        "|v:0.1.0"
    )
    named = scoring.wer(reference={"u": "a"}, hypothesis={"u": "a"})
    assert "|match:identifier|" in named.signature


def test_missing_is_deleted_or_left_out() -> None:
    sides: dict[str, Any] = {
        "reference": {"a": "1 2", "b": "3", "c": "4 5 6"},
        "hypothesis": {"c": "4 5", "z": "9 9"},
    }
    with pytest.warns(scoring.UnscoredHypothesisWarning):
        deleted = scoring.wer(**sides)
    [fields] = fields_of(deleted.remarks, UNSCORED)
    assert (fields["words"], fields["number"], [*fields["names"]]) == (2, 1, ["z"])
    assert deleted.counts == Counts(2, 0, 4, 0)
    assert deleted.matching_summary.reference_only.identifiers == ("a", "b")
    assert deleted.matching_summary.hypothesis_only.identifiers == ("z",)
    assert deleted.matching_summary.unscored_words == 2
    skipped = scoring.wer(**sides, missing="skip", allow_unmatched=True)
    assert skipped.counts == Counts(2, 0, 1, 0)
    assert list(skipped.identifiers) == ["c"]
    assert skipped.matching_summary.skipped_words == 3


def test_an_empty_hypothesis_is_all_deletions(tmp_path: Path) -> None:
    (tmp_path / "empty.trn").write_text("")
    rates = scoring.wer(reference=DEMO / "reference.trn", hypothesis=tmp_path / "empty.trn")
    assert rates.counts == Counts(0, 0, 564, 0)


TYPES = (
    "expected a path, a str, a list, a column, a mapping, a pysubs2.SSAFile or a "
    "textgrid.TextGrid, found"
)
TWICE, LOOKS_ALIKE, PLAIN = Path("twice.txt"), Path("text.txt"), Path("plain.txt")
TRN, STM, CTM = DEMO / "reference.trn", DEMO / "reference.stm", DEMO / "baseline.ctm"
KALDI = {"reference_format": "kaldi-text", "hypothesis_format": "kaldi-text"}
# Error, reference, hypothesis, options, and the message.
REFUSED: list[tuple[type[Exception], Any, Any, dict[str, Any], str]] = [
    (TypeError, b"a b", "a b", {}, f"reference: {TYPES} bytes"),
    (TypeError, "a", 3, {}, f"hypothesis: {TYPES} int"),
    (TypeError, ["a", ["b"]], ["a", "b"], {},
     "reference: expected texts or token lists, found both"),
    (TypeError, [["a", 1]], ["a"], {}, "reference: expected tokens of type str, found int"),
    (TypeError, ["a", None], ["a", "b"], {},
     "reference: expected a text or a list of tokens for each utterance, found NoneType "
     "at position 2"),
    (TypeError, {1: "a"}, {1: "a"}, {},
     "reference: expected identifiers of type str, found int"),
    (TypeError, "a", "a", {"speakers": "utt2spk"},
     "speakers: expected a mapping from utterances to speakers, found str"),
    (TypeError, "a", "a", {"speakers": Path("utt2spk")},
     f"speakers: expected a mapping from utterances to speakers, found {type(Path()).__name__}"),
    (TypeError, "a", "a", {"channel_aliases": "0=A"},
     "channel_aliases: expected a mapping, found str"),
    (TypeError, "a", "a", {"reference_options": None},
     "reference_options: expected a mapping, found NoneType"),
    (TypeError, "a", "a", {"hypothesis_options": ["a"]},
     "hypothesis_options: expected a mapping, found list"),
    (ValueError, "a", "a", {"profile": "nist"},
     "profile: expected one of sclite, levenshtein, jiwer, kaldi, align-text, bias-fbai@43cdb3c, keywords-nemo@2, keywords-nemo@3, mr-wer@d03c6c6, fstalign@1.13, found 'nist'"),
    (ValueError, "a", "a", {"missing": "drop"},
     "missing: expected error, delete, skip, found 'drop'"),
    (ValueError, "a", "a", {"unit": "phone"},
     "unit: expected word, char, char+space, grapheme, mixed, found 'phone'"),
    (ValueError, "a", "a", {"jobs": 0}, "jobs: expected at least 1, found 0"),
    (MatchingError, {"a": "1", "b": "3", "c": "4"}, {"c": "4", "z": "9"}, {"missing": "error"},
     "<hypothesis>: expected a hypothesis for every reference of <reference>, found none for "
     "2: a, b"),
    (MatchingError, {"a": "1"}, {"a": "1", "b": "2"}, {"missing": "error"},
     "<hypothesis>: expected identifiers of <reference> only, found others, 1: b"),
    (MatchingError, {"a": "1"}, {"b": "1"}, {},
     "<hypothesis>: none of the identifiers occurs in <reference>: for example, <hypothesis> has \"b\", "
     "and <reference> has \"a\" (match='position' pairs utterances in order)"),
    (MatchingError, ["a", "b"], {"x": "a", "y": "b"}, {},
     "<hypothesis>: none of the identifiers occurs in <reference>: for example, <hypothesis> has \"x\" "
     "and \"y\", and <reference> has \"000001\" and \"000002\" (match='position' pairs utterances in "
     "order)"),
    (MatchingError, TRN, CTM, {},
     f"{CTM}: this ctm file has times and no identifiers, but {TRN} has identifiers and no times; give "
     "both sides identifiers, as in trn, or both sides times, as in stm (--match position pairs "
     "utterances in order)"),
    (FormatError, TWICE, PLAIN, KALDI,
     'twice.txt:3:1: expected a unique id, found "u1", which line 1 has with other words'),
    (InputError, LOOKS_ALIKE, PLAIN, {},
     "text.txt:1:1: each line may begin with an identifier: name the format, kaldi if it does, "
     "txt-lines or txt if it does not (--reference-format)"),
]  # fmt: skip


@each_case(("error", "reference", "hypothesis", "options", "message"), REFUSED)
def test_refusals(
    error: type[Exception],
    reference: Any,
    hypothesis: Any,
    options: dict[str, Any],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    TWICE.write_text("u1 a\nu2 b\nu1 c\n")
    LOOKS_ALIKE.write_text("utt1 a b\nutt2 c\n")
    PLAIN.write_text("a b c\n")
    with pytest.raises(error) as refused:
        scoring.wer(reference, hypothesis, **options)
    assert str(refused.value) == message


def test_the_name_of_a_file_is_a_text_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)
    with pytest.warns(UserWarning, match=r"pass pathlib\.Path") as warned:
        rates = scoring.wer(reference="reference.trn", hypothesis="baseline.trn")
    assert str(warned[0].message).startswith(
        "'reference.trn' is the name of a file, and was scored as a text: pass "
    )
    assert rates.counts == scoring.Counts(0, 1, 0, 0)
    with pytest.warns(UserWarning, match=r"pass pathlib\.Path") as of_compare:
        scoring.compare("baseline.trn", "improved.trn", reference="reference.trn")
    assert {each.filename for each in [*warned, *of_compare]} == {__file__}


def test_a_number_of_the_counts_is_named_where_it_is() -> None:
    rates = scoring.wer("a b", "a")
    with pytest.raises(AttributeError, match=r"'errors'; did you mean 'counts\.errors'\?$"):
        rates.errors  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'index'$"):
        rates.index  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("name", "meant", "shown"),
    [
        ("confusions", "report('dtl')", "quay ==> key"),
        ("worst", "show(top=20)", "quay"),
        ("worst_utterances", "show(top=20)", "quay"),
        ("to_markdown", "to_pandas().to_markdown()", "substitutions"),
    ],
)
def test_what_the_command_line_prints_is_named_in_python(
    name: str, meant: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The expression that the error names has what was asked for."""
    rates = scoring.wer({"a": "the quay", "b": "a bell"}, {"a": "the key", "b": "a bell"})
    with pytest.raises(AttributeError) as refused:
        getattr(rates, name)
    assert str(refused.value).endswith(f"did you mean {meant!r}?")
    if "markdown" in meant:
        pytest.importorskip("tabulate")
    printed = eval(f"rates.{meant}", {"rates": rates})
    assert shown in f"{printed}{capsys.readouterr().out}"


@pytest.mark.parametrize("name", ["File", "References", "Systems"])
def test_the_help_names_the_public_package(name: str) -> None:
    assert f"sclite_kit.{name}" in (scoring.wer.__doc__ or "")
    assert hasattr(scoring, name)


@each_case(
    "given",
    [
        "my talk.trn",
        ["my talk.trn"],
        {"u1": "my talk.trn"},
        ["my talk.trn", "my talk.trn"],
        "data/",
        "./yes",
    ],
    ids=["with a blank", "list", "mapping", "several", "Kaldi's directory", "separator"],
)
def test_texts_that_are_names_of_files_are_scored_with_a_warning(
    given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my talk.trn", "yes"):
        Path(name).write_text("a (u1)\n", "utf-8")
    Path("data").mkdir()
    Path("data", "text").write_text("u1 a\n", "utf-8")
    for sides in ((given, given), (given, given[::-1] if isinstance(given, list) else given)):
        with pytest.warns(UserWarning, match=r"is the name of a file, and was scored as a text"):
            assert scoring.wer(*sides).counts.errors == 0


def test_the_name_of_a_missing_file_is_a_text_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"^'missing\.trn' looks like the name of a file, "):
        assert scoring.wer("missing.trn", "missing.trn").counts.correct == 1


@pytest.mark.parametrize("text", ["yes", "data", "no.", "a.b", "a missing.trn", "no/such/file"])
def test_other_texts_are_scored_whatever_files_there_are(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """A training loop stopped at a word that is the name of a file in the folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("yes", "no.", "a.b"):
        Path(name).write_text("x\n", "utf-8")
    Path("data").mkdir()
    Path("data", "text").write_text("u1 a\n", "utf-8")
    for side in (text, [text], {"u": text}, [[text]]):
        assert scoring.wer(side, side).corpus_rate == 0
    assert scoring.cer(text, "no").counts.errors > 0
    assert recwarn.list == []


def test_scoring_texts_asks_the_file_system_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> bool:
        raise AssertionError(f"the file system was asked for {path!r}")

    scoring.wer("a", "a")  # modules are loaded
    with monkeypatch.context() as patch:
        patch.setattr("os.path.isfile", refuse)
        patch.setattr("os.stat", refuse)
        assert scoring.wer("yes", "no.").counts.errors == 1
        assert scoring.cer(["yes"] * 30, ["no"] * 30).counts.errors == 90


def test_texts_that_hold_the_name_of_a_file_are_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("make").write_text("x", "utf-8")
    assert scoring.wer(["make", "it so"], ["make", "it"]).counts.deletions == 1
    assert scoring.wer("make it", "make it").corpus_rate == 0
    assert scoring.wer("a\0b", "a\0b").corpus_rate == 0


def test_a_file_says_how_it_is_read(tmp_path: Path) -> None:
    reference, hypothesis = tmp_path / "a.dat", tmp_path / "b.dat"
    reference.write_bytes("caf\xe9 noir (u1)\n".encode("latin-1"))
    hypothesis.write_bytes(b'{"audio_filepath": "u1.wav", "text": "x", "other": "caf\xc3\xa9"}\n')
    rates = scoring.wer(
        scoring.File(reference, format="trn", encoding="latin-1"),
        scoring.File(str(hypothesis), format="nemo", options={"field": "other"}),
    )
    assert (rates.counts.correct, rates.counts.deletions) == (1, 1)
    assert rates.reference.format == "trn"
    # what a file does not say is as the arguments beside it say
    plain = scoring.File(reference, encoding="latin-1")
    assert (
        scoring.wer(plain, plain, reference_format="trn", hypothesis_format="trn").corpus_rate == 0
    )
    with pytest.raises(formats.FormatError, match=r"a\.dat:1:15: expected recording"):
        scoring.wer(scoring.File(reference, format="stm", encoding="latin-1"), hypothesis)


def test_files_are_scored_by_several_threads_alike(tmp_path: Path) -> None:
    """Files with enough words for two threads, of 60,000 words each."""
    path = tmp_path / "a.dat"
    path.write_text("".join(f"{'a b c ' * 15}d{n} (u{n})\n" for n in range(3_000)), "utf-8")
    given = scoring.File(path, format="trn")
    assert scoring.wer(given, given, jobs=2).counts == scoring.wer(given, given).counts


def test_results_merge_only_if_they_are_alike() -> None:
    one = scoring.wer(reference={"a": "1"}, hypothesis={"a": "1"})
    with pytest.raises(ValueError, match="utterance 'a' is in two results"):
        one.merge(one)
    other = scoring.wer(reference={"b": "1"}, hypothesis={"b": "1"}, profile="kaldi")
    with pytest.raises(ValueError, match="expected results of the same rules, found wer"):
        one.merge(other)


def test_a_reference_that_looks_like_the_hypothesis_is_remarked(tmp_path: Path) -> None:
    for name in ("hyp.trn", "ref.trn"):
        (tmp_path / name).write_text("a (s-1)\n")
    rates = scoring.wer(reference=tmp_path / "hyp.trn", hypothesis=tmp_path / "ref.trn")
    assert said(rates.remarks) == [("SWAPPED.names", {"path": str(tmp_path / "hyp.trn")})]


def test_formats_need_not_be_the_same(tmp_path: Path) -> None:
    lines = io.StringIO()
    for line in (DEMO / "improved.trn").read_text().splitlines():
        words, _, name = line.rpartition("(")
        lines.write(f"{name.rstrip(')')} {words}\n")
    (tmp_path / "hyp.txt.gz").write_bytes(gzip.compress(lines.getvalue().encode()))
    rates = scoring.wer(
        reference=DEMO / "reference.trn",
        hypothesis=tmp_path / "hyp.txt.gz",
        hypothesis_format="kaldi-text",
    )
    direct = scoring.wer(reference=DEMO / "reference.trn", hypothesis=DEMO / "improved.trn")
    assert list(rates) == list(direct)


def test_whole_files_are_one_pair(tmp_path: Path) -> None:
    (tmp_path / "right.txt").write_text("the cat\nsat\n")
    (tmp_path / "guess.txt").write_text("the hat sat")
    rates = scoring.wer(reference=tmp_path / "right.txt", hypothesis=tmp_path / "guess.txt")
    assert rates.counts == Counts(2, 1, 0, 0)
    assert rates.matching_summary.matched_by == "file"


def test_results_travel() -> None:
    rates = scoring.wer(reference="a b", hypothesis="a c")
    again = pickle.loads(pickle.dumps(rates))
    assert list(again) == list(rates)
    assert again.alignment("000001") == rates.alignment("000001")
    assert again.signature == rates.signature
    with pytest.raises(KeyError):
        rates.alignment("nobody")


def test_batches_of_lists_add_up() -> None:
    words = [("a b", "a c"), ("c d e", "c d"), ("f", "f"), ("g h", "x g h"), ("i", "")]
    references, hypotheses = map(list, zip(*words, strict=True))
    whole = scoring.wer(references, hypotheses)
    bounds = ((0, 2), (2, 3), (3, 5))
    batches = [scoring.wer(references[a:b], hypotheses[a:b]) for a, b in bounds]
    for merged in (batches[0].merge(*batches[1:]), batches[0].merge(batches[1]).merge(batches[2])):
        assert list(merged) == list(whole)
        assert merged.matching_summary == whole.matching_summary
        assert merged.position("000005") == 4
    assert sum((batch.counts for batch in batches), scoring.Counts()) == whole.counts
    assert batches[0] + batches[1] == batches[0].error_rate + batches[1].error_rate


def test_names_that_are_numbers_are_kept() -> None:
    named = scoring.wer({"000001": "a"}, {"000001": "b"})
    with pytest.raises(ValueError, match="utterance '000001' is in two results"):
        named.merge(named)
    with pytest.raises(ValueError, match="utterance '000001' is in two results"):
        named.merge(scoring.wer({"000002": "c"}, {"000002": "c"}), named)
