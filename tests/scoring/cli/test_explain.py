"""`scoring explain`: what a signature means."""

import pytest

import scoring
from scoring.cli.explain import FIELDS, TASKS, VALUES, explained, fields_of
from scoring.cli.scoring import main
from scoring.tasks.labels.events import EventEvaluator
from scoring.tasks.labels.segments import SegmentEvaluator
from scoring.tasks.phonemes.scorer import PhonemeRules
from scoring.tasks.speakers.der.rules import LIKE


def test_signatures_of_scores_are_explained_completely() -> None:
    words = scoring.wer("a b", "a c", normalize=["plain", "numbers"], forgive_optional=True)
    events = EventEvaluator().evaluate([("a", 0, 1)], [("a", 0, 1)])
    segments = SegmentEvaluator().evaluate([("a", 0, 1)], [("a", 0, 1)])
    signatures = [
        *(words.signature, events.signature, segments.signature),
        PhonemeRules(dropped=("a",)).signature("time"),
        *(f"der|like:{tool}|{rules}|by:channel" for tool, rules in LIKE.items()),
        "kws|unit:occurrence|beta:999.9|gap:0.5|tolerance:0.5|rate:1|untargeted:left-out"
        "|unsearched:missed|pooled:no|rules:sound|v:0.1.0",
        "beer|entities:3|sha256:4abc6b4eefc6|norm:none|missing:delete|match:identifier|v:0.1.0",
    ]
    for signature in signatures:
        lines = list(explained(signature))
        assert "  No field of this version has this name." not in lines
        assert [line for line in lines[1:] if line and line[0] != " "] == signature.split("|")[1:]


def test_values_have_sentences_and_steps_their_titles() -> None:
    text = "\n".join(
        explained("signature: wer|unit:mixed+thai|norm:plain+numbers(lang=de)#00|new:1")
    )
    assert "Characters of Chinese and Japanese are counted" in text
    assert "\n  plain: NFC, case folded" in text
    assert "\n  numbers(lang=de): " in text
    assert text.endswith("new:1\n  No field of this version has this name.")


def test_every_value_belongs_to_a_field() -> None:
    assert TASKS.keys() == FIELDS.keys()
    for row in VALUES.strip().splitlines():
        task, name, _ = row.partition(": ")[0].split(" ")
        assert name in fields_of(task)
        assert row.endswith(".")


def test_what_is_no_signature_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ref.trn"]) == 2
    assert "found 'ref.trn'" in capsys.readouterr().err
    assert main(["explain"]) == 2
    assert "--fields" in capsys.readouterr().err
    assert main(["explain", "--fields"]) == 0
    assert "| `missing` |" in capsys.readouterr().out
