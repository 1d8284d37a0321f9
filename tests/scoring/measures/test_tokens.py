"""Classes and switches of speakers: against fstalign, and by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.measures import measure
from scoring.text.glm.synonyms import Synonyms, read_synonyms
from tests.each_case import each_case
from tests.scoring.measures.golden import cases

HEAD = "token|speaker|ts|endTs|punctuation|case|tags|wer_tags"
KEYS = ("numWordsInReference", "substitutions", "deletions", "insertions")
# What is not ours, with the reason.
NOT_OURS = {
    "no-switch": "its default composition takes a wrong last word for a deletion and an insertion",
    "synonym-one-way": "the same",
    "unk-for-tag": "tokens in angle brackets are events, not words",
    "punctuation-as-tokens": "marks as tokens are the measure of punctuation",
}
# The same, but the numbers near the switch can be compared: context, words, rate (theirs 2/4, 4/9).
LAST_WORD = {"speaker-switch-2": (2, 4, 2 / 4), "speaker-switch-default": (5, 9, 3 / 9)}
# Its synonyms, implicit ones too, are the step `synonyms`.
SYNONYMS = ("synonym", "hyphen", "cutoff")


def write(path: Path, side: list[str] | str) -> Path:
    text = side if isinstance(side, str) else "\n".join([HEAD, *side])
    path.write_text(f"{text}\n", "utf-8")
    return path


@each_case(("name", "data", "expected"), cases("entities-fstalign"))
def test_fstalign(name: str, data: Any, expected: Any, tmp_path: Path) -> None:
    if name in NOT_OURS:
        assert NOT_OURS[name]
        return
    steps: Any = None
    if name in SYNONYMS:
        rules = write(tmp_path / "syn", "\n".join(data.get("syn", ["# none"])))
        steps = [Synonyms(str(rules), read_synonyms(rules))]
    hypothesis = data["hyp"]
    heard = tmp_path / ("hyp.txt" if isinstance(hypothesis, str) else "hyp.nlp")
    is_nlp: Any = {"hypothesis_options": {"level": "word"}} if heard.suffix == ".nlp" else {}
    wordings = write(tmp_path / "norm.json", json.dumps(data["norm"])) if "norm" in data else ""
    rates = scoring.wer(
        write(tmp_path / "ref.nlp", data["nlp"]),
        write(heard, hypothesis),
        reference_options={"level": "word", "wordings": str(wordings)},
        keep_sources=True,
        ignore_case="--use-case" not in data["flags"],
        normalize=steps,
        **is_nlp,
    )
    best = expected["bestWER"]
    if name in LAST_WORD:
        assert rates.counts.errors == best["numErrors"] - 1
        assert rates.counts.reference_tokens == best["numWordsInReference"]
        switches = measure(rates, "switches", {"switch_context": LAST_WORD[name][0]})
        assert (switches.columns.totals()["words"], switches["switch_wer"]) == LAST_WORD[name][1:]
        return
    kinds = ("substitutions", "deletions", "insertions")
    assert [getattr(rates.counts, kind) for kind in kinds] == [best[kind] for kind in kinds]
    assert rates.counts.reference_tokens == best["numWordsInReference"]
    by_speaker = {
        str(speaker): [part.counts.reference_tokens, part.counts.errors]
        for speaker, part in rates.by("speaker").items()
    }
    assert by_speaker == {
        speaker: [counts["numWordsInReference"], counts["numErrors"]]
        for speaker, counts in expected["speakerWER"].items()
    }
    flags = data["flags"]
    context = flags[1] if "--speaker-switch-context" in flags else 5
    if name not in SYNONYMS:
        switches = measure(rates, "switches", {"switch_context": context})
        sums = switches.columns.totals()
        theirs = [expected["speakerSwitchWER"][key] for key in KEYS]
        assert [sums[key] for key in ("words", *kinds)] == theirs
    if "sentenceWer" in expected:
        pieces = [piece["numErrors"] > 0 for piece in expected["sentenceWer"]]
        sums = measure(rates, "sentences").columns.totals()
        assert (sums["sentences"], sums["wrong"]) == (len(pieces), sum(pieces))
    classes = measure(rates, "classes").columns.totals()
    for kind, title in (("class", "classWER"), ("tag", "wer_tag")):
        for label, counts in expected.get(title, {}).items():
            if not label.startswith("SYN"):
                found = [classes[f"{key}[{kind}:{label}]"] for key in ("words", *kinds)]
                assert found == [counts[key] for key in KEYS]


def test_insertions_of_entities(tmp_path: Path) -> None:
    """Between the tokens of an entity they belong to it; before and after it to nobody."""
    rows = [f"{word}|1||||LC|{tags}|[]" for word, tags in
            (("ten", "['1:MONEY']"), ("dollars", "['1:MONEY']"), ("today", "[]"))]  # fmt: skip
    reference = write(tmp_path / "ref.nlp", rows)
    norm = write(tmp_path / "norm.json", '{"1": {"candidates": [{"verbalization": ["10", "$"]}]}}')
    alone: Any = {"level": "word"}
    others = alone | {"wordings": str(norm)}
    for text, inserted, options in (
        ("ten um dollars today", 1, alone),
        ("ten dollars um today", 0, alone),
        ("um ten dollars today", 0, alone),
        ("um 10 um $ um today", 1, others),
        ("um ten um dollars um today", 1, others),
    ):
        heard = write(tmp_path / "hyp.txt", text)
        rates = scoring.wer(reference, heard, reference_options=options, keep_sources=True)
        found = measure(rates, "classes").columns.totals()
        assert (found["words"], found["substitutions"], found["insertions"]) == (2, 0, inserted)
    written: Any = {"variants": True, "variants_length": "written"}
    rows = [rows[0].replace("ten", "10"), rows[2]]
    write(norm, '{"1": {"candidates": [{"verbalization": ["ten", "dollars"]}]}}')
    write(heard, "ten dollars today")
    rates = scoring.wer(write(reference, rows), heard, reference_options=others, **written)
    assert (rates.length, rates.counts.reference_tokens) == (2, 3)


def near_switches(words: str, speakers: str, heard: str, reach: int) -> list[int]:
    """Words and insertions as fstalign counts them: an insertion has the place of the next word."""
    switches = [n for n in range(1, len(words)) if speakers[n] != speakers[n - 1]]
    place, counts = 0, [0, 0]
    for word in heard:
        if switches and word != "+":
            counts[0] += -reach <= place - switches[0] < reach
            place += 1
        elif switches:
            counts[1] += -reach < place - switches[0] < reach
        while switches and place >= switches[0] + reach:
            switches.pop(0)
    return counts


@each_case(
    ("speakers", "heard"),
    [
        ("xxxyyy", "ab+cdef"),
        ("xxxyyy", "abc+def"),
        ("xxxyyy", "abcd+ef"),
        ("xxxyxx", "+ab+cd+ef+"),
        ("xyxyxy", "+abc+d+e+f+"),
        ("xxyyxx", "+a+b+c+d+e+f+"),
    ],
)
@each_case("reach", [1, 2, 4])
def test_insertions_near_switches(speakers: str, heard: str, reach: int, tmp_path: Path) -> None:
    rows = [f"{word}|{name}||||LC|[]|[]" for word, name in zip("abcdef", speakers, strict=True)]
    reference = write(tmp_path / "ref.nlp", rows)
    hypothesis = write(tmp_path / "hyp.txt", " ".join(heard.replace("+", "0")))
    options: Any = {"reference_options": {"level": "word"}, "keep_sources": True}
    rates = scoring.wer(reference, hypothesis, **options)
    sums = measure(rates, "switches", {"switch_context": reach}).columns.totals()
    expected = near_switches("abcdef", speakers, heard, reach)
    assert [sums["words"], sums["insertions"]] == expected
    with pytest.raises(ValueError, match="switch_context: expected a whole number from 1"):
        measure(rates, "switches", {"switch_context": 0})


def test_sentences_across_segments() -> None:
    """An insertion after a sentence belongs to the next one, or to none; marks alone end none."""
    reference = ["one two.", "three", "four? five"]
    rates = scoring.wer(reference, ["one two. um", "three", "four? five um"], keep_sources=True)
    part = measure(rates, "sentences")
    assert [part.columns.sums[name].tolist() for name in ("sentences", "wrong")] == [
        [1, 1, 2],
        [0, 0, 1],
    ]
    normal = scoring.wer(reference, ["one too", "three", "four five"], normalize="plain",
                         keep_sources=True)  # fmt: skip
    texts, speakers = {"u": "a", "v": "b"}, {"u": "x", "v": "y"}
    apart = scoring.wer(texts, texts, speakers=speakers, keep_sources=True)
    assert measure(apart, "switches")["switches"] == 0, "utterances without a recording"
    assert measure(normal, "sentences").values == {"sentence_error_rate": 1 / 4, "sentences": 4}
