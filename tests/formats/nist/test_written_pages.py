"""Documents that nobody speaks, in plain text: a warning says what they seem to be."""

from __future__ import annotations

from formats.nist.messages import TXT_ANSWERS, TXT_RESIDUE
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.remarks import fields_of


@each_case(
    ("text", "kind", "count"),
    [
        ("Attendees: Ann, Ben\n\nAction items agreed:\n1. Ann calls Ben.\n2. Ben writes.\n", "minutes", 2),
        ("Meeting on roads\n\nDecisions:\nThe bridge stays.\n\nNext steps:\nWe ask Bern.\n", "minutes", 2),
        ("Teilnehmer: Ann, Ben\nBeschlüsse: Die Brücke bleibt.\nAufgaben: Ben ruft an.\n", "minutes", 3),
        ("bridge → closed?\n⇒ ask Ann\nroads -> Ben\nriver\nboats\n", "arrows", 3),
        ("橋　←いつ開くか\n道\n川→船\n↑高い\n町\n", "arrows", 3),
        ("Why did ___ leave ____?\n\nHas ___ come?\n\nIs it ___?\n\n___ is late.\n", "gaps", 4),
        ("Ich ____ ein Lied.\nDu ____ nicht.\nWo ____ du?\nEr ____ spät.\n", "gaps", 4),
        ("The guests of the evening:\n\nAnn Ex\nBen de Roe\nCarla Wu (chair)\nDan Ey\n", "roll", 4),
        ("参加者：\nAnn Ex\nBen Roe\nCarla Wu\nDan Ey\n", "roll", 4),
        ("stage_one\n- the road by the river\nend_of_day\n- it is late\n- and dark\n" * 3, "code", 6),
        ("---\ntype: insight\ntitle: The bridge\n---\nPeople like the bridge.\n", "kind", 1),
        ("---\ncategory: 'literature-note'\ntags: [a]\n---\nPeople like the bridge.\n", "kind", 1),
    ],
)  # fmt: skip
def test_notes_and_minutes(text: str, kind: str, count: int, read_text: ReadText) -> None:
    (fields,) = fields_of(read_text(text, "txt").diagnostics, TXT_RESIDUE[kind])
    assert fields["count"] == count


@each_case(
    "text",
    [
        "Summary: so it was.\n" + "And so we went on, down by the river.\n" * 12,
        "We had a summary: it was long.\nAnd so we went on: all of us.\n" * 3,
        "Press -> to go on.\n" + "And so we went on, down by the river.\n" * 12,
        "01 ANN->BEN: so\n02 BEN->ANN: no\n03 ANN->BEN: well\n",
        "---\ntype: talk\ntitle: The bridge\n---\nSo it was.\n",
        "We went to ____ then.\n" + "And so we went on, down by the river.\n" * 12,
        "And then:\nAnn Ex\nSo it was.\nWe saw it.\nCarla Wu\nWell, no.\n",
    ],
)
def test_texts_that_are_no_notes(text: str, read_text: ReadText) -> None:
    diagnostics = read_text(text, "txt").diagnostics
    kinds = ("minutes", "arrows", "kind", "gaps", "roll", "code")
    assert not [x for kind in kinds for x in fields_of(diagnostics, TXT_RESIDUE[kind])]


@each_case(
    ("text", "count"),
    [
        ("Is it late?\n- No.\n\nIs it open?\n- Yes, it is.\n\n" * 2, 4),
        ("who built it\n— nobody knows\nwhen\n—long ago\n" * 2, 4),
        ("- So it was.\n- No.\n- Yes.\n- Well.\n" * 2, 0),
        ("Roads\n- in Bern\n- in Basel\nBoats\n- on the river\n- on the lake\n" * 2, 0),
    ],
)
def test_answers_with_dashes(text: str, count: int, read_text: ReadText) -> None:
    found = fields_of(read_text(text, "txt").diagnostics, TXT_ANSWERS)
    assert [fields["lines"] for fields in found] == [count] * bool(count)
