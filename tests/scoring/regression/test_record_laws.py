"""Whatever was recorded is a baseline: the same file changes nothing, one more error is one more.

Each case is recorded in a history, as JSON and as a saved result; the new side is a transcript or a
record. The cases follow from the fields of `Options`, the recipes and the ways of matching.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from scoring.model.errors import InputError
from scoring.options import Options
from scoring.regression.changes import Changes, Request, find_changes
from scoring.regression.history import History
from scoring.regression.sides import SideRequest, open_sides
from scoring.results.hashes import with_hashes
from scoring.results.record import document_lines
from scoring.results.stored import NOT_RECORDED
from scoring.score.chooser import ChoiceError
from scoring.score.rates import ErrorRates
from scoring.score.score import score
from scoring.sides.given import File, Given, References
from scoring.stats.intervals import Resampling
from scoring.text.recipes import RecipeError, recipes

QUICK = Request(resampling=Resampling(replications=40))
TEXTS = {
    "ref.trn": "The Cat sat on the well-known mat. (ann_1)\n"
    "Uh, it's 50 degrees [noise] in New York! (ann_2)\n"
    "We met at (noon) a white paper was read (bob_1)\n",
    "hyp.trn": "The cat sat on the Well-known mat! (ann_1)\n"
    "Er, it's fifty degrees [laugh] in New York. (ann_2)\n"
    "We met at noon, a whitepaper was Read (bob_1)\n",
    "ref2.trn": "A Cat sat upon the well-known mat. (ann_1)\n"
    "Oh, it's 50 degrees [noise] in York! (ann_2)\n"
    "We did meet at (noon) a white paper was read (bob_1)\n",
    "ref.txt": "The cat sat on the mat.\nIt's 50 degrees in town!\nWe met there\n",
    "hyp.txt": "The cat sat on a mat.\nIt's fifty degrees in town.\nWe met There\n",
    "call.srt": "1\n00:00:01,000 --> 00:00:03,000\nThe cat sat, on the mat.\n\n"
    "2\n00:00:04,000 --> 00:00:06,000\nIt's 50 degrees! We met there\n\n",
    "ref.stm": "talk A ann 0 2 <o,f0> Good { morning / evening } to you (all)\n"
    "talk A bob 2 4 <o,f1> Thank you, very much\n"
    "talk A ann 5 6 <o,f0> We met there\n",
    "plain.stm": "talk A ann 0 2 Good morning to you all\n"
    "talk A bob 2 4 Thank you, very much\n"
    "talk A ann 5 6 We met there\n",
    "hyp.stm": "talk A x 0 2 Good evening to you\n"
    "talk A y 2 4 Thank you very very much\n"
    "talk A x 5 6 We met There\n",
    "hyp.csv": "id,text,pred_text\nu1,The cat sat.,The cat sad.\nu2,We met there,we met there\n",
    "words.txt": "GOOD | nice\n",
    "spk": "ann_1 ann\nann_2 ann\nbob_1 bob\n",
    "tab.tsv": "id\taccent\tage\nann_1\tnorth\t1\nann_2\tsouth\t2\nbob_1\tsouth\t3\n",
    "said.jsonl": '{"reference": "Cat", "hypothesis": "cat", "verdict": "same"}\n',
}
SPOKEN = "Good evening to you Thank you very very much er We met There"
TIMES = [0.2, 0.6, 1.0, 1.4, 2.1, 2.5, 2.9, 3.2, 3.6, 4.4, 5.1, 5.4, 5.7]
TEXTS["hyp.ctm"] = "".join(
    f"talk A {start} 0.2 {word} 0.9\n" for word, start in zip(SPOKEN.split(), TIMES, strict=True)
)


def whisper(*texts: tuple[float, float, str]) -> str:
    segments = [
        {"id": row, "start": start, "end": end, "text": f" {text}"}
        for row, (start, end, text) in enumerate(texts)
    ]
    text = " ".join(text for _, _, text in texts)
    return json.dumps({"text": text, "segments": segments, "language": "en"})


TEXTS["svc.json"] = whisper((1, 3, "The cat sat on a mat."), (4, 6, "It's fifty degrees. We met"))
TEXTS["talk.json"] = whisper((0, 2, "Good evening to you"), (2, 6, "Thank you much. We met There"))


class Pair(NamedTuple):
    """Two files that are matched in one way, and the word whose loss is one more error."""

    matched_by: str
    reference: str
    hypothesis: str
    options: Mapping[str, Any] = MappingProxyType({})
    lost: str = " met"


PAIRS = {
    "identifiers": Pair("identifier", "ref.trn", "hyp.trn"),
    "positions": Pair(
        "position",
        *("ref.txt", "hyp.txt"),
        {"reference_format": "txt-lines", "hypothesis_format": "txt-lines"},
    ),
    "service": Pair("recording", "call.srt", "svc.json"),
    "files": Pair("file", "call.srt", "whole.txt"),
    "times": Pair("time", "ref.stm", "hyp.ctm", {}, "met"),
    "recordings": Pair("recording", "ref.stm", "talk.json"),
    "subtitles": Pair("recording(suber)", "ref.stm", "talk.json", {"cut": "suber"}),
    "cut in time": Pair("time(time)", "ref.stm", "hyp.ctm", {"cut": "time"}, "met"),
    "cut at the hypothesis": Pair(
        "recording(hypothesis)", "ref.stm", "talk.json", {"cut": "hypothesis"}
    ),
    "rows": Pair("identifier", "hyp.csv", "hyp.csv", {}, "we met"),
    "several references": Pair("identifier", "ref.trn+ref2.trn", "hyp.trn"),
    **{
        measure: Pair("", "plain.stm", "hyp.stm", {"measure": measure})
        for measure in ("cp", "tcp", "orc", "tcorc", "mimo", "tcmimo", "dicp", "ditcp", "auto")
    },
}
TEXTS["whole.txt"] = "The cat sat on a mat. It's fifty degrees. We met\n"
STEPS = (
    *("casefold", "lowercase", "punctuation", "plain", "numbers", "contractions", "fillers"),
    *("fillers:policy=ignore", "brackets", "whisper-basic", "wenet-characters"),
    *("replacewords:search=cat,replace=dog", "regex:search=[aeiou],replace=e", "unidecode"),
)
# By field of `Options` the values that are recorded; a new field has to be here.
VALUES: dict[str, tuple[Any, ...]] = {
    "reference_format": ("trn",),
    "hypothesis_format": ("trn",),
    "reference_options": ({},),
    "hypothesis_options": ({},),
    "encoding": ("latin-1",),
    "reference_encoding": ("utf-8",),
    "hypothesis_encoding": ("latin-1",),
    "interpolate": ("uniform", "chars"),
    "channel_aliases": ({"0": "A"},),
    "text_view": ("display",),
    "speakers": ({"ann_1": "x", "ann_2": "y", "bob_1": "y"},),
    "profile": ("levenshtein", "kaldi", "align-text"),
    "missing": ("error", "delete", "skip"),
    "allow_unmatched": (True,),
    "cut": (),  # see PAIRS
    "unit": ("char", "char+space", "grapheme", "mixed", "mixed+thai"),
    "normalize": (*STEPS, ["plain", "numbers"], Path("rules.json")),
    "ignore_case": (True,),
    "forgive_optional": (True,),
    "merge_compounds": (True, "words", "any", "regions"),
    "by": (["speaker"], ["recording"]),
    "measures": (["loops"], ["case", "formatting"]),
    "measure_options": ({"loop": "4,3,24"},),
    "metadata": ("tab.tsv",),
    "metadata_key": ("utterance=id",),
    "bins": ((0, 2),),
    "measure": (),  # see PAIRS
    "collar": ("2s", 2.0),
    "reference_times": ("equal", "segment"),
    "hypothesis_times": ("equal", "equal-points"),
    "search": ("exact", "greedy"),
    "like": tuple(recipes()),
    "references": ("each", "lowest-errors", "mr-wer"),
    "variants": (True,),
    "variants_file": ("words.txt",),
    "variants_length": (),  # refused: comparisons count the words of the chosen path
    "explain": (True,),
}
# Where an option has an effect, or needs another one.
PLACES = {
    **dict.fromkeys(("collar", "reference_times", "hypothesis_times"), ("tcp",)),
    **dict.fromkeys(("search", "explain"), ("cp",)),
    **dict.fromkeys(("references",), ("several references",)),
    **dict.fromkeys(("interpolate",), ("recordings",)),
    **dict.fromkeys(("reference_format", "hypothesis_format"), ("identifiers",)),
}
WITH: dict[str, dict[str, Any]] = {
    "measure_options": {"measures": ["loops"]},
    "metadata": {"by": ["accent"]},
    "metadata_key": {"metadata": "tab.tsv", "by": ["accent"]},
    "bins": {"metadata": "tab.tsv", "by": ["age"]},
}


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every way of matching without options, and every value of every option."""
    for pair in PAIRS:
        yield pair, {}
        yield pair, {"normalize": "plain"}
        if PAIRS[pair].matched_by and PAIRS[pair].reference != "ref.stm":
            yield pair, {"unit": "char+space", "profile": "levenshtein"}
    for name, values in VALUES.items():
        for value, pair in product(values, PLACES.get(name, ("identifiers", "service"))):
            if name in ("speakers", "metadata", "metadata_key", "bins") and pair == "service":
                continue
            is_meeting = "meeteval" in str(value)
            place = "tcp" if is_meeting else pair
            if not (is_meeting and pair == "service"):
                yield place, {**WITH.get(name, {}), name: value}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, each hypothesis also with one more error."""
    folder = tmp_path_factory.mktemp("records")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
        worse = folder / "worse"
        worse.mkdir(exist_ok=True)
        for pair in PAIRS.values():
            if pair.hypothesis == name:
                (worse / name).write_text(text.replace(pair.lost, pair.lost[:-2] + "zz"), "utf-8")
    rules = {"steps": ["casefold", {"step": "replace", "search": "mat", "replace": "rug"}]}
    (folder / "rules.json").write_text(json.dumps(rules))
    return folder


def scored(pair: Pair, hypothesis: str, options: Options) -> ErrorRates:
    names = pair.reference.split("+")
    sides: list[Given] = [File(name) for name in names]
    return score(References(sides) if len(sides) > 1 else sides[0], File(hypothesis), options)


def compared(baseline: str, new: str) -> Changes:
    [left], [right] = open_sides([baseline], [new], SideRequest())
    return find_changes(left, right, QUICK)


def test_every_option_has_a_case() -> None:
    names = {item.name for item in fields(Options)}
    assert names - NOT_RECORDED == VALUES.keys()


def title(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    return " ".join(f"{name}={each}" for name, each in value.items()) or "defaults"


@pytest.mark.parametrize(("name", "choices"), list(cases()), ids=title)
def test_a_record_is_a_baseline(
    name: str,
    choices: dict[str, Any],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    pair = PAIRS[name]
    worse_file = f"worse/{pair.hypothesis}"
    try:
        options = Options(**{**pair.options, **choices})
        results = [scored(pair, side, options) for side in (pair.hypothesis, worse_file)]
    except (RecipeError, ChoiceError, ValueError, ImportError, InputError) as problem:
        pytest.skip(f"not scored: {problem}")
    if pair.matched_by and choices.keys().isdisjoint(("interpolate", "like")):
        assert results[0].matching_summary.matched_by == pair.matched_by
    errors = [rates.counts.errors for rates in results]
    assert errors[1] > errors[0] or choices.get("normalize") == "regex"
    records: list[list[str]] = []
    for number, rates in enumerate(map(with_hashes, results)):
        paths = [str(tmp_path / f"{number}.{kind}") for kind in ("db", "json", "json.gz")]
        with History(paths[0], create=True) as history:
            history.record(rates)
        Path(paths[1]).write_bytes(b"".join(document_lines([rates])))
        rates.save(paths[2])
        records.append(paths)
    for baseline in records[0]:
        same = compared(baseline, pair.hypothesis)
        assert (same.total.baseline, same.total.new) == (results[0].counts, results[0].counts)
        assert [*same.worse, *same.better] == []
        assert same.baseline_rates.rules == same.new_rates.rules
    for new in (worse_file, *records[1]):
        change = compared(records[0][0], new)
        assert (change.total.baseline.errors, change.total.new.errors) == tuple(errors)
    change = compared(pair.hypothesis, records[1][1])
    assert (change.total.baseline.errors, change.total.new.errors) == tuple(errors)
