"""What people who come from other libraries try first, and what notebooks show."""

import inspect
import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from html import escape, unescape
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import jiwer
import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import formats
import sclite_kit
import scoring
from formats.schema import VERSION
from scoring.model.errors import InputError
from scoring.options import FIELDS, Options
from scoring.results.messages import EMPTIED
from scoring.score.plan import plan_of
from tests.each_case import each_case
from tests.formats.checks import message_text

ROOT = Path(__file__).resolve().parents[3]

REFERENCES = ["the cat sat on the mat", "hello world", "one two three"]
HYPOTHESES = ["the cat sit on mat", "hello big world", "one two three"]


def test_positions_and_names() -> None:
    by_name = scoring.wer(reference=REFERENCES, hypothesis=HYPOTHESES)
    assert scoring.wer(REFERENCES, HYPOTHESES).counts == by_name.counts
    assert scoring.wer("a b", "a c").wer == 0.5
    assert float(scoring.wer("a b", "a c")) == 0.5


def test_the_rates_are_jiwers() -> None:
    # where least errors and sclite's costs agree
    ours, theirs = scoring.wer(REFERENCES, HYPOTHESES), jiwer.process_words(REFERENCES, HYPOTHESES)
    assert ours.wer == pytest.approx(theirs.wer)
    assert ours.mer == pytest.approx(theirs.mer)
    assert ours.wil == pytest.approx(theirs.wil)
    assert ours.wip == pytest.approx(theirs.wip)
    found = (ours.hits, ours.substitutions, ours.deletions, ours.insertions)
    assert found == (theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions)
    assert scoring.mer(REFERENCES, HYPOTHESES) == pytest.approx(theirs.mer)
    assert scoring.wil(REFERENCES, HYPOTHESES) == pytest.approx(theirs.wil)
    assert scoring.wip(REFERENCES, HYPOTHESES) == pytest.approx(theirs.wip)
    assert scoring.ser(REFERENCES, HYPOTHESES) == ours.ser == 2 / 3


@cache
def jiwers() -> jiwer.Compose:
    """The steps of jiwer, which looks at every character there is."""
    return jiwer.Compose(
        [
            jiwer.ToLowerCase(),
            jiwer.RemovePunctuation(),  # type: ignore[no-untyped-call]
            jiwer.SubstituteWords({"mr": "mister"}),
            jiwer.RemoveSpecificWords(["uh", "um"]),
            jiwer.RemoveMultipleSpaces(),
            jiwer.Strip(),
        ]
    )


OURS = [
    "lowercase",
    "punctuation:keep=,becomes=nothing",
    "replacewords:search=mr,replace=mister",
    "fillers:policy=ignore",
]


TEXTS = st.lists(
    st.sampled_from(["Mr.", "mister", "uh,", "isn't", "a-b", "A", "b", "¿c"]), max_size=8
).map(" ".join)


@given(
    pairs=st.lists(st.tuples(TEXTS.filter(lambda text: bool(jiwers()(text))), TEXTS), min_size=1)
)
@settings(max_examples=30)
def test_a_script_for_jiwer_gives_the_same_when_it_has_moved(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = (
        [jiwers()(text) for text in texts] for texts in zip(*pairs, strict=True)
    )
    theirs = jiwer.process_words(references, hypotheses)
    for steps in (jiwers(), OURS):
        moved = scoring.wer(*zip(*pairs, strict=True), profile="levenshtein", normalize=steps)
        assert moved.error_rate == pytest.approx(theirs.wer)
    # not how many of each: of alignments with as few errors others may be taken
    assert moved.counts.errors == theirs.substitutions + theirs.deletions + theirs.insertions
    each = [jiwer.wer(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert [counts.error_rate for counts in moved.per_utterance] == pytest.approx(each)


def test_characters() -> None:
    rates = scoring.cer("the cat", "the hat")
    assert rates.cer == rates.corpus_rate == 1 / 7 == jiwer.cer("the cat", "the hat")
    assert scoring.cer("the cat", "the hat", unit="char", profile="sclite").cer == 1 / 6
    assert scoring.cer("हिन्दी", "हिन्दा", unit="grapheme").cer == 1 / 2
    assert scoring.cer("A", "a", normalize="lowercase").cer == 0
    options = scoring.Options(unit="word", profile="sclite", normalize="lowercase")
    assert "|unit:char+space|norm:lowercase" in scoring.cer("A", "a", options=options).signature
    assert "|align:levenshtein(1,1,1)|" in scoring.cer("A", "a", options=options).signature
    with pytest.raises(
        ValueError, match=r"unit: expected one of char, char\+space, grapheme, found"
    ):
        scoring.cer("a", "a", unit="word")  # type: ignore[call-overload]


def test_characters_and_blanks_are_counted_as_jiwer_does() -> None:
    draw = random.Random(25)
    words = ["a", "ab", "[x]", "<unk>", "!SIL", "cat", "ça", "日本", "b"]
    references, hypotheses = (
        [" ".join(draw.choices(words, k=draw.randint(least, 7))) for _ in range(2000)]
        for least in (1, 0)
    )
    theirs = jiwer.process_characters(references, hypotheses)
    table = pyarrow.table({"text": references, "pred_text": hypotheses})
    lists = [[text.split() for text in texts] for texts in (references, hypotheses)]
    for sides in ((references, hypotheses), (table["text"], table["pred_text"]), lists):
        rates = scoring.cer(*sides)
        assert rates.counts.errors == (theirs.substitutions + theirs.deletions + theirs.insertions)
        assert rates.counts.reference_tokens == (
            theirs.hits + theirs.substitutions + theirs.deletions
        )
        assert rates == theirs.cer
    scored = scoring.score_columns(table, measures=["cer"], profile="levenshtein")
    scored.to_arrow()
    assert scored.counts["cer"] == rates.counts


def test_a_blank_is_a_token() -> None:
    rates = scoring.cer("a b", "ab")
    assert rates.alignment("000001").letters == "CDC"
    assert rates.to_dict()["utterances"][0]["reference"] == ("a", " ", "b")
    assert "REF:  a _ b " in rates.report("pralign")
    assert "hint" not in str(rates)
    plan = plan_of(Options(unit="char+space", meeting="cp"))
    assert plan.rules.unit == "char"
    assert (plan.notes[0].entry.code, plan.notes[0].entry.variant) == ("IDLE-OPTION", "spaces")


def test_texts_are_normalised_as_they_are_compared() -> None:
    assert sclite_kit.normalize("The  cat SAT.", ["lowercase", "punctuation"]) == "the cat sat"
    assert sclite_kit.normalize(iter(["A", "b\u00a0C"]), "lowercase") == ["a", "b\u00a0c"]
    assert sclite_kit.normalize({"u1": "A"}, "lowercase") == {"u1": "a"}
    assert sclite_kit.normalize("50", None) == "50"
    with pytest.raises(TypeError, match="texts: expected str, found NoneType"):
        sclite_kit.normalize(["a", None], "lowercase")  # type: ignore[list-item]


def test_nothing_is_preserved_in_silence() -> None:
    assert (scoring.wil("a b", ""), scoring.wip("a b", "")) == (1.0, 0.0)
    assert (jiwer.wil("a b", ""), jiwer.wip("a b", "")) == (1.0, 0.0)
    assert scoring.wil("", "a") is scoring.wip("", "a") is scoring.wil("", "") is None


def test_a_rate_is_never_taken_for_another() -> None:
    with pytest.raises(
        AttributeError, match=r"wer: this result counts the unit char\+space; scoring\.wer"
    ):
        _ = scoring.cer("a", "a").wer
    with pytest.raises(AttributeError, match="cer: this result counts the unit word"):
        _ = scoring.wer("a", "a").cer


def test_no_words_no_rate() -> None:
    rates = scoring.wer("", "a")
    assert rates.wer is None
    assert scoring.mer("", "") is scoring.wil("", "a") is scoring.ser([], []) is None
    assert rates.error_rate_or_none is None
    missing = "expected words in the reference, found none in 1 utterances: there is no error rate"
    for asked in (lambda: rates.error_rate, lambda: float(rates), lambda: rates < 1):
        with pytest.raises(scoring.NoReferenceError, match=missing) as caught:
            asked()
        assert isinstance(caught.value, ValueError)
    with pytest.raises(scoring.NoReferenceError):
        f"{rates:.1%}"
    assert "n/a" in str(rates)


def test_a_result_is_a_number() -> None:
    rates, better = scoring.wer("a b c d", "a b c x"), scoring.wer("a b c d", "a b c d")
    assert (rates.error_rate, rates.error_rate_or_none) == (0.25, 0.25)
    assert f"{rates:.2%} {rates:8.3f} {rates:g}" == "25.00%    0.250 0.25"
    assert better < 0.1 < rates < 0.3
    assert rates <= 0.25 <= rates
    assert min(rates, better) is better
    assert sorted([rates, better]) == [better, rates]
    assert f"{rates}" == str(rates)
    with pytest.raises(TypeError):
        _ = rates < "a"  # type: ignore[arg-type]


def test_a_result_computes_as_its_rate() -> None:
    rates, other = scoring.wer("a b c d", "a b c x"), scoring.wer("a b", "a c")
    assert rates == 0.25 == rates
    assert rates != 0.5
    assert 0.25 == rates != other
    assert rates == scoring.wer("e f g h", "e f g i")
    assert rates == pytest.approx(0.25)
    assert rates != "0.25"
    assert (round(rates, 1), rates * 100, 100 * rates, 1 - rates) == (0.2, 25.0, 25.0, 0.75)
    assert (rates - other, rates / other, 1 / rates, -rates, abs(rates)) == (
        -0.25,
        0.5,
        4,
        -0.25,
        0.25,
    )
    assert sum([rates, other]) == 0.75
    assert np.mean([rates, other]) == 0.375
    assert np.float64(0.25) == rates
    assert (np.array([1.0, 2.0]) * rates).tolist() == [0.25, 0.5]
    assert json.dumps(float(rates)) == "0.25"
    with pytest.raises(TypeError, match="unhashable"):
        hash(rates)
    with pytest.raises(TypeError):
        _ = rates + "a"  # type: ignore[arg-type]


def test_a_result_without_a_rate_equals_no_number() -> None:
    rates = scoring.wer("", "a")
    assert rates != 0.0
    assert rates != scoring.wer("", "a")
    assert rates == rates
    computed: list[Callable[[], float]] = [
        lambda: rates + 1,
        lambda: 1 - rates,
        lambda: round(rates, 1),
        lambda: -rates,
    ]
    for compute in computed:
        with pytest.raises(scoring.NoReferenceError):
            compute()


def test_a_result_prints_itself() -> None:
    rates = scoring.wer({"u1": "a b"}, {"u1": "a", "u\x1b": "x"}, allow_unmatched=True)
    lines = str(rates).splitlines()
    assert lines[0].split()[-2:] == ["WER", "%"]
    assert lines[1].split() == ["1", "2", "1", "0", "1", "0", "50.00"]
    assert lines[2].startswith("signature: wer|unit:word|")
    assert rates.unscored is not None
    assert str(rates.unscored).replace("\x1b", r"\x1b") in lines[3]
    assert "\x1b" not in str(rates)
    assert "\n" not in repr(rates)
    assert "CER %" in str(scoring.cer("a", "b"))
    assert str(scoring.wer([], [])).splitlines()[1].split()[-1] == "n/a"


class NotebookOutput(NamedTuple):
    """What a notebook was given to display."""

    values: list[Any]

    def html(self) -> str:
        """The HTML of the only one."""
        [value] = self.values
        return str(value._repr_html_())


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> NotebookOutput:
    values: list[Any] = []
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(
        sys.modules, "IPython", cast("Any", SimpleNamespace(get_ipython=lambda: shell))
    )
    module = SimpleNamespace(display=values.append)
    monkeypatch.setitem(sys.modules, "IPython.display", cast("Any", module))
    return NotebookOutput(values)


def test_alignments_print_themselves() -> None:
    rates = scoring.wer(
        {"<b>": "the <i>cat sat"}, {"<b>": "the cut sat \x1b[31m"}, speakers={"<b>": "me"}
    )
    found = rates.alignment("<b>")
    assert str(found).splitlines() == [
        "<b> (me): 2 errors in 3 words, 66.67 %",
        "REF:  the <i>cat sat ***",
        "HYP:  the cut    sat \\x1b[31m",
        "          S          I",
    ]
    assert repr(found).startswith("<Alignment ")
    assert found == rates.alignment_at(0)
    shown = found._repr_html_()
    assert "<i>" not in shown
    assert "&lt;i&gt;cat" in shown
    assert shown.count("background:") == 2
    # a result that is kept and read again has them, too
    assert str(pickle.loads(pickle.dumps(found))) == str(found)


def test_the_worst_are_shown_first(capsys: pytest.CaptureFixture[str]) -> None:
    rates = scoring.wer(["a b", "c", "d e f", "g"], ["a x", "c", "x y z", "h"])
    rates.show()
    out = capsys.readouterr().out
    names = [line.partition(":")[0] for line in out.splitlines()[1:] if "word" in line]
    assert names == ["000003", "000001", "000004"]
    assert out.endswith("3 of 3 utterances with errors, most errors first\n")
    rates.show(top=1)
    assert "1 of 3 utterances with errors, most errors first" in capsys.readouterr().out
    rates.show(only_errors=False, top=None)
    assert capsys.readouterr().out.endswith("4 of 4 utterances\n")
    rates.show(top=0)
    assert capsys.readouterr().out.splitlines()[-1].startswith("0 of 3")
    with pytest.raises(ValueError, match="top: expected a number from 0, found -1"):
        rates.show(top=-1)


def test_notebooks_are_shown_the_worst(notebook: NotebookOutput) -> None:
    scoring.wer(["a b"], ["a x"]).show()
    assert "background:" in notebook.html()
    assert "1 of 1 utterances with errors" in notebook.html()


def test_systems_show_themselves(notebook: NotebookOutput) -> None:
    reference = {f"u{number}": "a b" for number in range(12)}
    heard = dict.fromkeys(reference, "a b") | {"u1": "a", "u2": "x b"}
    systems = scoring.wer(reference, {"<old>": heard, "new": reference})
    lines = str(systems).splitlines()
    assert repr(systems) == str(systems)
    assert lines[0].split()[-3:] == ["95", "%", "interval"]
    assert [line.split()[:8] for line in lines[1:3]] == [
        ["<old>", "12", "24", "22", "1", "1", "0", "2"],
        ["new", "12", "24", "24", "0", "0", "0", "0"],
    ]
    cells = re.findall("<td[^>]*>(.*?)</td>", systems._repr_html_())
    assert cells[:3] == ["&lt;old&gt;", "12", "24"]
    assert pickle.loads(pickle.dumps(systems)).columns == ("system",)
    systems.show()
    frame = notebook.html()
    assert frame.startswith('<iframe title="&lt;old&gt; and new" srcdoc="&lt;!doctype html&gt;')
    assert "<script" not in frame  # of the page inside the frame only
    assert "<script>" in unescape(frame)


def test_groups_show_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    speakers = {"u1": "anne", "u2": "<ben>", "u3": "anne"}
    rates = scoring.wer(
        {"u1": "a b", "u2": "c", "u3": "d"}, {"u1": "a", "u2": "c", "u3": "d"}, speakers=speakers
    )
    groups = rates.by("speaker")
    groups.show()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1][:4] == ["<ben>", "1", "1", "1"]
    assert rows[2][:3] == ["anne", "2", "3"]
    nested = rates.by("speaker", "speaker")
    headings = re.findall(r"<th\b[^>]*>(.*?)</th>", nested._repr_html_())
    assert headings[:2] == ["speaker", "utterances"]
    assert str(scoring.wer([], []).by("speaker")) == "no results by speaker"


def test_many_groups_are_cut_in_a_table() -> None:
    names = {f"u{number:03d}": "a" for number in range(100)}
    groups = scoring.wer(names, names, speakers={name: name for name in names}).by("speaker")
    assert str(groups).splitlines()[-2] == "and 40 more"


def test_groups_are_results_by_name() -> None:
    speakers = {"u1": "anne", "u2": "ben", "u3": "anne"}
    rates = scoring.wer(
        {"u1": "a b", "u2": "c", "u3": "d"}, {"u1": "a", "u2": "c", "u3": "d"}, speakers=speakers
    )
    found = rates.by("speaker")
    assert {name: one.counts for name, one in found.items()} == {
        "anne": scoring.Counts(2, 0, 1, 0),
        "ben": scoring.Counts(1, 0, 0, 0),
    }
    anne = found["anne"]
    assert anne.alignment("u3").letters == "C"
    assert (list(anne.identifiers), anne.speakers) == (["u1", "u3"], ["anne", "anne"])
    assert list(rates.by("speaker", "speaker")) == [("anne",), ("ben",)]
    with pytest.raises(InputError, match="expected a result with groups by channel, found speaker"):
        rates.by("channel")


def test_records_and_tables() -> None:
    rates = scoring.wer(
        {"u1": "a é", "u2": ""}, {"u1": "a", "u2": "x"}, speakers={"u1": "anne", "u2": "ben"}
    )
    assert json.loads(rates.to_json()) == json.loads(json.dumps(rates.to_dict()))
    assert rates.to_json(indent=2).startswith('{\n  "signature"')
    table = rates.to_pandas()
    assert list(table["utterance"]) == ["u1", "u2"]
    assert table["errors"].sum() == rates.counts.errors
    assert table["error_rate"].dtype == float
    assert math.isnan(table["error_rate"][1])
    assert list(scoring.wer([], []).to_pandas().columns) == list(table.columns)


def test_help_names_every_choice() -> None:
    shown = inspect.signature(scoring.wil).parameters
    assert FIELDS.keys() < set(shown)
    assert shown["missing"].default is None
    assert "choices" not in shown
    assert inspect.signature(scoring.cer).parameters["unit"].default is None
    with pytest.raises(TypeError, match="profil"):
        scoring.mer("a", "a", profil="kaldi")  # type: ignore[call-arg]


def test_what_the_package_lists() -> None:
    public = [name for name in dir(scoring) if not name.startswith("_")]
    assert not {"annotations", "lazy_names", "TYPE_CHECKING", "model"}.intersection(public)
    assert all(getattr(scoring, name) is not None for name in public)
    assert scoring.__version__ == sclite_kit.__version__ == VERSION
    assert set(public) < set(dir(sclite_kit))
    assert sclite_kit.wer is scoring.wer
    assert sclite_kit.formats is formats
    with pytest.raises(
        AttributeError, match="module 'sclite_kit' has no attribute 'werr'; did you mean 'wer'"
    ):
        _ = sclite_kit.werr
    with pytest.raises(sclite_kit.DifferentLengthsError):
        sclite_kit.wer(["a"], ["a", "b"])
    with pytest.raises(sclite_kit.OptionValueError):
        sclite_kit.wer(["a"], ["a"], **cast("Any", {"unit": "words"}))
    assert issubclass(sclite_kit.DifferentLengthsError, sclite_kit.MatchingError)


@each_case(
    ("taken", "imported"),
    [("formats", "scoring"), ("formats", "sclite_kit"), ("scoring", "sclite_kit")],
)
@each_case("name", ["{}.py", "{}/__init__.py"])
def test_who_took_our_name_is_told(tmp_path: Path, taken: str, imported: str, name: str) -> None:
    file = tmp_path / name.format(taken)
    file.parent.mkdir(exist_ok=True)
    file.write_text("")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", f"import {imported}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    told = done.stderr.splitlines()[-1]
    assert told.startswith(
        f"ImportError: {imported if taken == 'scoring' else 'scoring'}: expected"
    )
    assert f"found {file}: another program or distribution has taken the name" in told


def test_notebooks_show_words_first_and_escape_everything() -> None:
    shown = scoring.wer({"<b>u1": "a <script>"}, {"<b>u1": "a"})._repr_html_()
    assert shown.startswith("<p><strong>1 of 2 words are wrong: 50.0 %.</strong></p>")
    assert '<td style="text-align:right">50.00</td>' in shown
    assert "signature: wer|unit:word|" in shown.partition("<details>")[2]
    assert "interval" not in shown  # one utterance has none
    few = scoring.wer(["a", "b"], ["a", "c"])._repr_html_()
    assert "interval" not in few.partition("<details>")[0]
    many = scoring.wer(["a", "b"] * 10, ["a", "c"] * 10)._repr_html_()
    assert "10 of 20 words are wrong: 50.0 %, 95 % interval 30.9 to 80.8." in many
    assert many.count("background:") == 3  # of the three worst
    assert "<script>" not in shown
    silent = scoring.wer({"<i>x</i>": "."}, {"<i>x</i>": "a"}, normalize="punctuation")
    notes = silent._repr_html_()
    assert "<i>" not in notes
    emptied = {"path": silent.reference.path, "side": "reference", "names": ["<i>x</i>"]}
    assert escape(message_text(EMPTIED, **emptied, number=1)) in notes
    assert "n/a" in notes
    assert ">characters</th>" in scoring.cer("a", "b")._repr_html_()
    tags = set(re.findall(r"</?(\w+)", notes))
    assert tags <= {
        *("table", "thead", "tbody", "tr", "th", "td", "p", "strong", "details", "summary"),
        *("div", "span", "bdi", "br"),
    }


def test_names_of_files_draw_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.stm").touch()
    with pytest.warns(UserWarning, match=r"'x\.stm' is the name .* pass pathlib\.Path\('x\.stm'\)"):
        assert scoring.wer("x.stm", "y.ctm") == 1.0
    with pytest.warns(UserWarning, match=r"'z\.stm' looks like the name .* no such file: pass "):
        assert scoring.wer("z.stm", "y.ctm") == 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scoring.wer("at 5 p.m. sharp", "at five")
        scoring.wer("a.m.", "p.m.")
        scoring.wer("see x.stm", "see y.ctm")


def test_series_are_matched_by_position_only_where_their_indexes_are_equal() -> None:
    texts, heard = pandas.Series(["a b", "c"], [1, 2]), pandas.Series(["c", "a b", "d"], [2, 1, 3])
    assert scoring.wer(texts, pandas.Series(["a b", "d"], [1, 2])).counts.errors == 1
    with pytest.raises(ValueError, match=r"match='index' pairs .* match='position' rows"):
        scoring.wer(texts, heard)
    assert scoring.wer(texts, heard[:2], match="position").counts.errors == 4
    rates = scoring.wer(texts, heard, match="index", allow_unmatched=True)
    assert rates == 0.0
    assert (list(rates.identifiers), rates.matching_summary.matched_by) == (
        ["1", "2"],
        "identifier",
    )
    with pytest.raises(ValueError, match="reference: expected an index without repeated labels"):
        scoring.wer(pandas.Series(["a", "b"], [1, 1]), heard, match="index")
    with pytest.raises(ValueError, match="match: expected two Series of pandas for 'index'"):
        scoring.wer(["a"], ["a"], match="index")
    with pytest.raises(ValueError, match="match: expected index or position, found 'rows'"):
        scoring.wer(texts, heard, match="rows")  # type: ignore[call-overload]


def test_modules_have_paths_below_the_distribution() -> None:
    metrics = import_module("sclite_kit.scoring.peers.metrics")
    assert metrics is import_module("scoring.peers.metrics")
    assert metrics.__spec__ is not None
    assert metrics.__spec__.name == "scoring.peers.metrics"
    assert import_module("sclite_kit.formats") is import_module("formats")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'scoring\.nothing'"):
        import_module("sclite_kit.scoring.nothing")
