"""Files, ways of matching, and values of every option of scoring, for the laws about options."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.results.stored import NOT_RECORDED
from scoring.text.recipes import recipes

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
    "words.txt": "GOOD | nice\nsat | sad\n",
    "spk": "ann_1 ann\nann_2 ann\nbob_1 bob\n",
    "tab.tsv": "id\taccent\tage\nann_1\tnorth\t1\nann_2\tsouth\t2\nbob_1\tsouth\t3\n",
    "keyed.tsv": "accent\tname\nnorth\tann_1\nsouth\tann_2\nsouth\tbob_1\n",
    "café.trn": "Un café noir (ann_1)\nDeux cafés (bob_1)\n",
    "cafe.trn": "Un cafe noir (ann_1)\nDeux cafés (bob_1)\n",
    "optional.trn": "We met at (noon) today (ann_1)\n",
    "wordy.trn": "and then we all went home early today (ann_1)\n",
    "met.trn": "We met at today (ann_1)\n",
    "short.trn": "The cat sat on the mat (ann_1)\nWe met there (bob_1)\n",
    "named.trn": "The cat sat on a mat (x_1)\nUh, it's fifty degrees (x_2)\nWe met (y_1)\n",
    "long.txt": "The cat sat on a mat.\nIt's fifty degrees in town.\nWe met There\nand so on\n",
    "ties.trn": "a b c d e f (ann_1)\nb a b c (bob_1)\n",
    "tied.trn": "x a c y f (ann_1)\na c c b (bob_1)\n",
    "said.jsonl": '{"reference": "Cat", "hypothesis": "cat", "verdict": "same"}\n',
}
SPOKEN = "Good evening to you Thank you very very much er We met There"
TIMES = [0.2, 0.6, 1.0, 1.4, 2.1, 2.5, 2.9, 3.2, 3.6, 4.4, 5.1, 5.4, 5.7]
TEXTS["hyp.ctm"] = "".join(
    f"talk A {start} 0.2 {word} 0.9\n" for word, start in zip(SPOKEN.split(), TIMES, strict=True)
)
TEXTS["zero.ctm"] = TEXTS["hyp.ctm"].replace("talk A", "talk 0")


def whisper(*texts: tuple[float, float, str]) -> str:
    segments = [
        {"id": row, "start": start, "end": end, "text": f" {text}"}
        for row, (start, end, text) in enumerate(texts)
    ]
    text = " ".join(text for _, _, text in texts)
    return json.dumps({"text": text, "segments": segments, "language": "en"})


def deepgram(*words: tuple[str, str]) -> str:
    """An answer with each word as spoken and as written."""
    rows = [
        {"word": spoken, "punctuated_word": written, "start": at / 2, "end": at / 2 + 0.4}
        for at, (spoken, written) in enumerate(words)
    ]
    text = " ".join(written for _, written in words)
    results = {"channels": [{"alternatives": [{"transcript": text, "words": rows}]}]}
    return json.dumps({"metadata": {"duration": 9}, "results": results})


SAID = [("the", "The"), ("cat", "cat,"), ("on", "on"), ("the", "the")]
TEXTS["call.json"] = deepgram(*SAID, ("mat", "mat."))
TEXTS["talk2.json"] = deepgram(*SAID, ("sofa", "sofa!"))
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
    "subtitles": Pair(
        "recording(plain-alignment)", "ref.stm", "talk.json", {"cut": "plain-alignment"}
    ),
    "cut in time": Pair("time(time)", "ref.stm", "hyp.ctm", {"cut": "time"}, "met"),
    "cut at the hypothesis": Pair(
        "recording(hypothesis)", "ref.stm", "talk.json", {"cut": "hypothesis"}
    ),
    "rows": Pair("position", "hyp.csv", "hyp.csv", {}, "met"),
    "several references": Pair("identifier", "ref.trn+ref2.trn", "hyp.trn"),
    "accents": Pair("identifier", "café.trn", "cafe.trn", {}, "noir"),
    "ties": Pair("identifier", "ties.trn", "tied.trn", {}, "y f"),
    "displays": Pair("file", "call.json", "talk2.json", {}, "cat"),
    "channels": Pair("time", "ref.stm", "zero.ctm", {"channel_aliases": {"0": "A"}}, "met"),
    **{
        measure: Pair("", "plain.stm", "hyp.stm", {"meeting": measure})
        for measure in ("cp", "tcp", "orc", "tcorc", "mimo", "tcmimo", "dicp", "ditcp", "auto")
    },
}
TEXTS["whole.txt"] = "The cat sat on a mat. It's fifty degrees. We met\n"
STEPS = (
    *("casefold", "lowercase", "punctuation", "plain", "numbers", "contractions", "fillers"),
    *("fillers:policy=ignore", "brackets", "whisper-basic", "wenet-characters"),
    "sclite-words",
    *("replacewords:search=cat,replace=dog", "regex:search=[aeiou],replace=e", "unidecode"),
)
# By field of `Options` the values that the laws set; a new field has to be here.
VALUES: dict[str, tuple[Any, ...]] = {
    "reference_format": ("trn",),
    "hypothesis_format": ("trn",),
    "reference_options": ({"field": "pred_text"},),
    "hypothesis_options": ({"field": "text"},),
    "encoding": ("latin-1",),
    "reference_encoding": ("latin-1",),
    "hypothesis_encoding": ("latin-1",),
    "interpolate": ("uniform", "chars"),
    "channel_aliases": ({"0": "A"},),
    "text_view": ("display",),
    "speakers": ({"ann_1": "x", "ann_2": "y", "bob_1": "y"},),
    "profile": (
        "levenshtein",
        "jiwer",
        "kaldi",
        "align-text",
        "bias-fbai",
        "bias-fbai@43cdb3c",
        "keywords-nemo",
        "keywords-nemo@2",
        "keywords-nemo@3",
        "mr-wer",
        "mr-wer@d03c6c6",
        "fstalign",
        "fstalign@1.13",
    ),
    "missing": ("error", "delete", "skip"),
    "allow_unmatched": (True,),
    "cut": ("plain-alignment", "time", "hypothesis", "alignment"),
    "shift": ("auto", "-1.5"),
    "unit": ("char", "char+space", "grapheme", "mixed", "mixed+thai"),
    "normalize": (*STEPS, ["plain", "numbers"], Path("rules.json")),
    "ignore_case": (True,),
    "clip_rate": (True,),
    "forgive_optional": (True,),
    "merge_compounds": (True, "words", "any", "regions"),
    "by": (["speaker"], ["recording"]),
    "measures": (["loops"], ["case", "formatting"]),
    "measure_options": ({"loop": "3,2,20"},),
    "metadata": ("tab.tsv",),
    "metadata_key": ("utterance=name",),
    "bins": ((0, 2),),
    "meeting": ("cp", "tcp", "orc", "tcorc", "mimo", "tcmimo", "dicp", "ditcp", "auto"),
    "collar": ("0s", 2.0),
    "reference_times": ("characters-points", "equal", "equal-points", "segment", "words"),
    "hypothesis_times": ("characters", "equal", "equal-points", "segment", "words"),
    "search": ("exact", "greedy"),
    "like": tuple(recipes()),
    "references": ("each", "lowest-errors", "mr-wer"),
    "variants": (True,),
    "variants_file": ("words.txt",),
    "variants_length": ("written", "shortest", "places"),
    "explain": (True,),
    "match": ("position",),
    "where": (["speaker=ann"], ["duration>1.5", "label!=f1"]),
    "verdicts": ("said.jsonl",),
    "keep_sources": (True,),
    "jobs": (2,),
}
# Where an option has an effect, or needs another one.
PLACES = {
    **dict.fromkeys(("collar", "reference_times", "hypothesis_times"), ("tcp",)),
    **dict.fromkeys(("search", "explain"), ("cp",)),
    **dict.fromkeys(("references",), ("several references",)),
    **dict.fromkeys(("interpolate",), ("recordings",)),
    **dict.fromkeys(("reference_format", "hypothesis_format"), ("identifiers",)),
    **dict.fromkeys(("encoding", "reference_encoding", "hypothesis_encoding"), ("accents",)),
    **dict.fromkeys(("reference_options", "hypothesis_options"), ("rows",)),
    "profile": ("ties", "service"),
    "text_view": ("displays",),
    "shift": ("times",),
    "channel_aliases": ("channels",),
    "where": ("times",),
}
WITH: dict[str, dict[str, Any]] = {
    "measure_options": {"measures": ["loops"]},
    "metadata": {"by": ["accent"]},
    "metadata_key": {"metadata": "keyed.tsv", "by": ["accent"]},
    "bins": {"metadata": "tab.tsv", "by": ["age"]},
}
# As PAIRS, where only the value of an option is of interest, not the record.
OTHER_PAIRS = {
    "a reference more": Pair("identifier", "ref.trn", "short.trn"),
    "a line more": Pair(
        "position",
        *("ref.txt", "long.txt"),
        {"reference_format": "txt-lines", "hypothesis_format": "txt-lines"},
    ),
    "an optional word": Pair("identifier", "optional.trn", "met.trn"),
    "more errors than words": Pair("identifier", "met.trn", "wordy.trn"),
    "other names": Pair("identifier", "ref.trn", "named.trn"),
    "stm": Pair("time", "ref.stm", "hyp.stm"),
    "cut": PAIRS["recordings"],
    "cut in time": PAIRS["times"],
    "meetings": Pair("", "plain.stm", "hyp.stm"),
}
OTHER_PLACES = {
    "missing": "a reference more",
    "allow_unmatched": "a line more",
    "match": "other names",
    "clip_rate": "more errors than words",
    "forgive_optional": "an optional word",
    "cut": "cut",
    "shift": "cut in time",
    "meeting": "meetings",
}
OTHER_WITH: dict[str, dict[str, Any]] = {
    "reference_times": {"collar": "0s"},
    "hypothesis_times": {"collar": "0s"},
    "variants_length": {"variants": True},
}
# Values that stand for many of one kind.
FEWER: dict[str, tuple[Any, ...]] = {
    "like": ("jiwer@4", "kaldi@5.5", "open-asr/de@2026-08", "meeteval@0.4"),
    "normalize": ("casefold", "fillers:policy=ignore", ["plain", "numbers"], Path("rules.json")),
}
# Options whose places are PAIRS, and those that no comparison has.
APART = frozenset(("cut", "meeting", "variants_length"))


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every way of matching without options, and every value of every option that is recorded."""
    for pair in PAIRS:
        yield pair, {}
        yield pair, {"normalize": "plain"}
        if PAIRS[pair].matched_by and PAIRS[pair].reference != "ref.stm":
            yield pair, {"unit": "char+space", "profile": "levenshtein"}
    for name, values in VALUES.items():
        if name in APART | NOT_RECORDED:
            continue
        for value, pair in product(values, PLACES.get(name, ("identifiers", "service"))):
            if name in ("speakers", "metadata", "metadata_key", "bins") and pair == "service":
                continue
            is_meeting = "meeteval" in str(value)
            place = "tcp" if is_meeting else pair
            if not (is_meeting and pair == "service"):
                yield place, {**WITH.get(name, {}), name: value}


class Setting(NamedTuple):
    """An option set to a value, with the files and the other options for which it counts."""

    name: str
    value: Any
    pair: Pair
    beside: Mapping[str, Any]


def settings() -> Iterator[Setting]:
    """Every option, set to each of its values."""
    for name, values in VALUES.items():
        for value in FEWER.get(name, values):
            place = OTHER_PLACES.get(name) or PLACES.get(name, ("identifiers",))[0]
            if "meeteval" in str(value):
                place = "tcp"
            elif name == "cut" and value == "time":
                place = "cut in time"
            pair = {**PAIRS, **OTHER_PAIRS}[place]
            beside = {**pair.options, **WITH.get(name, {}), **OTHER_WITH.get(name, {})}
            yield Setting(name, value, pair, beside)


def write_files(folder: Path) -> None:
    """Write the files of all cases."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    rules = {"steps": ["casefold", {"step": "replace", "search": "mat", "replace": "rug"}]}
    (folder / "rules.json").write_text(json.dumps(rules))
