"""Classes and switches of speakers: against fstalign, and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.measures import measure
from scoring.normalize.glm.step import Synonyms, read_synonyms
from tests.scoring.measures.golden import cases

HEAD = "token|speaker|ts|endTs|punctuation|case|tags|wer_tags"
KEYS = ("numWordsInReference", "substitutions", "deletions", "insertions")
# What is not ours, with the reason.
NOT_OURS = {
    "class-by-candidate": "its normalisation file is for candidates of one entity",
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


@pytest.mark.parametrize(("name", "data", "expected"), cases("entities-fstalign"))
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
    rates = scoring.wer(
        write(tmp_path / "ref.nlp", data["nlp"]),
        write(heard, hypothesis),
        reference_options={"level": "word"},
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
    classes = measure(rates, "classes").columns.totals()
    for kind, title in (("class", "classWER"), ("tag", "wer_tag")):
        for label, counts in expected.get(title, {}).items():
            if not label.startswith("SYN"):
                found = [classes[f"{key}[{kind}:{label}]"] for key in ("words", *kinds)]
                assert found == [counts[key] for key in KEYS]


def test_insertions_of_entities(tmp_path: Path) -> None:
    """Between the tokens of an entity they belong to it; after it to nobody."""
    rows = [f"{word}|1||||LC|{tags}|[]" for word, tags in
            (("ten", "['1:MONEY']"), ("dollars", "['1:MONEY']"), ("today", "[]"))]  # fmt: skip
    reference = write(tmp_path / "ref.nlp", rows)
    options: Any = {"reference_options": {"level": "word"}, "keep_sources": True}
    for text, inserted in (("ten um dollars today", 1), ("ten dollars um today", 0)):
        rates = scoring.wer(reference, write(tmp_path / "hyp.txt", text), **options)
        assert measure(rates, "classes").columns.totals()["insertions"] == inserted


def test_insertions_near_switches(tmp_path: Path) -> None:
    rows = [
        f"{word}|{speaker}||||LC|[]|[]" for word, speaker in zip("abcdef", "xxxyyy", strict=True)
    ]
    reference = write(tmp_path / "ref.nlp", rows)
    options: Any = {"reference_options": {"level": "word"}, "keep_sources": True}
    # the window of one word on each side is "c d"
    for text, inserted in (("a b um c d e f", 0), ("a b c um d e f", 1), ("a b c d um e f", 0)):
        rates = scoring.wer(reference, write(tmp_path / "hyp.txt", text), **options)
        found = measure(rates, "switches", {"switch_context": 1}).columns.totals()
        assert (found["words"], found["insertions"], found["switches"]) == (2, inserted, 1)
    with pytest.raises(ValueError, match="switch_context: expected a whole number from 1"):
        measure(rates, "switches", {"switch_context": 0})
