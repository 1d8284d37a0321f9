"""What tiers hold and whose they are: maps, patterns, names."""

import pytest

from formats import OptionError
from formats.annotation.tiers import Tier, TierRules, guess_kind, split_name, unnumbered
from tests.each_case import each_case
from tests.formats.checks import message_of
from tests.tables import table_of


def roles(
    *names: str, tier_map: str = "", speaker_from: str = "auto"
) -> list[tuple[str, str | None]]:
    rules = TierRules(tier_map, speaker_from)
    return [(kind, who) for kind, who, *_ in rules.roles([Tier(name) for name in names])]


@each_case(
    ("name", "kind"),
    [
        ("words", "word"), ("ORT-word", "word"), ("Wrd", "word"), ("Tokens", "word"),
        ("phones", "phone"), ("phonetic", "phone"), ("segment.phones", "phone"),
        ("events", "event"), ("anne - noises", "event"), ("utterances", "segment"),
        ("anne", "segment"), ("anne - words#2", "word"), ("", "segment"),
    ],
)  # fmt: skip
def test_kinds_by_name(name: str, kind: str) -> None:
    assert guess_kind(name) == kind


def test_parts_of_names() -> None:
    assert split_name("anne - bob - words") == ("anne - bob", "word")
    assert split_name("words_anne") == ("anne", "word")
    assert split_name("anne_words") == ("anne_words", None)
    assert split_name(" - words") == (" - words", None)
    assert split_name("anne-turns") == ("anne", "segment")
    assert split_name("full-text") == ("full-text", None)
    assert unnumbered("a#2") == "a"
    assert unnumbered("a#1") == "a#1"
    assert unnumbered("#2") == "#2"


def test_speakers_by_name() -> None:
    assert roles("anne") == [("segment", None)]
    assert roles("anne", "bob") == [("segment", "anne"), ("segment", "bob")]
    assert roles("anne", "anne#2") == [("segment", None), ("segment", None)]
    assert roles("anne", "anne - words", "anne - phones") == [
        ("segment", "anne"), ("word", "anne"), ("phone", "anne"),
    ]  # fmt: skip
    assert roles("utterances", "words", "phones") == [
        ("segment", None), ("word", None), ("phone", None),
    ]  # fmt: skip
    assert roles("take#2", "bob") == [("segment", "take#2"), ("segment", "bob")]
    assert roles("noises_x", "words_anne", "words_bob") == [
        ("segment", "noises_x"), ("word", "anne"), ("word", "bob"),
    ]  # fmt: skip


def test_names_that_aligners_write() -> None:
    assert roles("ORT-MAU", "KAN-MAU", "MAU", "TRN") == [
        ("word", None), ("phone", None), ("phone", None), ("segment", None),
    ]  # fmt: skip
    assert roles("Transcription", "IPUs", "TokensAlign", "PhonAlign", "SyllAlign") == [
        ("segment", None), ("phone", None), ("word", None), ("phone", None), ("phone", None),
    ]  # fmt: skip
    assert roles("IPUs", "TokensAlign") == [("segment", None), ("word", None)]
    # One such name may be the name of a person.
    assert roles("MAU", "bob") == [("segment", "MAU"), ("segment", "bob")]
    assert roles("ORT", "MAU", tier_map="MAU=segment") == [("word", None), ("segment", None)]


def test_gestures_and_translations_are_no_speech_beside_other_tiers() -> None:
    assert roles("anne", "Gesten_anne", "translation") == [
        ("segment", None), ("event", None), ("event", None),
    ]  # fmt: skip
    assert roles("translation") == [("segment", None)]
    assert [kind for kind, _ in roles("anne", "gaze", tier_map="gaze=segment")] == ["segment"] * 2


def test_grammar_is_no_speech_beside_words() -> None:
    assert [kind for kind, _ in roles("words", "[pos]", "lemma", "Inf-Struct")] == [
        "word", "event", "event", "event",
    ]  # fmt: skip
    assert roles("pos", "bob") == [("segment", "pos"), ("segment", "bob")]


def test_maps_go_by_the_first_pattern_that_fits() -> None:
    names = ("ORT", "KAN", "notes", "x.words")
    assert roles(*names, tier_map="ORT=word,notes=skip, KAN=ignored,*=event") == [
        ("word", None), ("ignored", None), ("skip", None), ("event", None),
    ]  # fmt: skip
    assert [kind for kind, _ in roles(*names, tier_map="?RT=phone")] == [
        "phone", "phone", "segment", "word",
    ]  # fmt: skip
    assert TierRules("*=segment").kind(Tier("clicks", is_points=True)) == "event"
    assert TierRules("clicks=skip").kind(Tier("clicks", is_points=True)) == "skip"


def test_speakers_on_request() -> None:
    assert roles("anne", speaker_from="tier") == [("segment", "anne")]
    assert roles("anne", "bob", speaker_from="none") == [("segment", None), ("segment", None)]
    assert roles("spk-anne", "bob_ort", "cora", speaker_from="spk-*,*_ort") == [
        ("segment", "anne"), ("segment", "bob"), ("segment", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tier_map", "speaker_from", "message"),
    table_of(__file__, "refusals"),
)  # fmt: skip
def test_refusals(tier_map: str, speaker_from: str, message: str) -> None:
    assert message_of(OptionError, lambda: TierRules(tier_map, speaker_from)) == message
