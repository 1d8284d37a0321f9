"""Reports: numbers, alignments, escapes."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from formats import UnwritableFileError
from scoring.tasks.labels.asr import ASREvaluator
from scoring.tasks.labels.events import EventEvaluation, EventEvaluator
from scoring.tasks.labels.keywords import KWSEvaluation, KWSEvaluator
from scoring.tasks.labels.reports import SECTIONS, TEMPLATES, render
from scoring.tasks.labels.segments import SegmentEvaluation, SegmentEvaluator
from tests.each_case import each_case

NOTHING: tuple[Any, ...] = ({}, [])
NASTY = "<script>alert('a')</script> | *b* `c` \x1b[31m&"


def events() -> EventEvaluation:
    return EventEvaluator().evaluate(
        {"u1": [("bell", 1, 2), ("bark", 5, 6), ("bell", 8, 9)], "u2": [("bell", 0, 1)]},
        {"u1": [("bell", 1.1, 2), ("dog knock", 5, 6)], "u2": [("bell", 0, 1), ("bark", 4, 5)]},
    )


def segments() -> SegmentEvaluation:
    return SegmentEvaluator().evaluate(
        {"u1": [("speech", 0, 4), ("music", 4, 6)]}, {"u1": [("speech", 0, 5), ("noise", 7, 8.5)]}
    )


def keywords() -> KWSEvaluation:
    return KWSEvaluator().evaluate_label_lists(
        [("up", 1, 2), ("down", 5, 6), ("up", 8, 9)],
        [("up", 1.1, 2), ("left", 5, 6), ("stop", 3, 4)],
        duration=10_000,
    )


def test_text_of_events() -> None:
    assert events().get_report(names=("r.ctm", "h.ctm"), sections=SECTIONS) == (
        "Events: h.ctm against r.ctm\n"
        "3 of 4 events are wrong: 75.0 %\n"
        "\n"
        "Overall\n"
        "#######\n"
        "precision                      50.00 %\n"
        "recall                         50.00 %\n"
        "F1                             50.00 %\n"
        "accuracy                       40.00 %\n"
        "error rate                     75.00 %\n"
        "mean precision of all classes  33.33 %\n"
        "mean recall of all classes     22.22 %\n"
        "N                                    4\n"
        "correct                              2\n"
        "sub                                  1\n"
        "del                                  1\n"
        "ins                                  1\n"
        "utterances                           2\n"
        "utterances with errors               2\n"
        "(N, correct, sub, del, ins are numbers of events; rates in percent)\n"
        "\n"
        "Classes\n"
        "#######\n"
        "class      N  correct  sub  del  ins  sub out  precision %  recall %   F1 %  error rate %\n"
        "bark       1        0    1    0    1        0         0.00      0.00   0.00        200.00\n"
        "bell       3        2    0    1    0        0       100.00     66.67  80.00         33.33\n"
        "dog knock  0        0    0    0    0        1         0.00       n/a   0.00           n/a\n"
        "\n"
        "Confusions\n"
        "##########\n"
        "reference  taken for  events  % of reference\n"
        "bark       dog knock       1          100.00\n"
        "\n"
        "Lengths\n"
        "#######\n"
        "class      side        count  total s  min s  max s  mean s  median s  variance s²\n"
        "(all)      reference       4    4.000  1.000  1.000   1.000     1.000        0.000\n"
        "(all)      hypothesis      4    3.900  0.900  1.000   0.975     1.000        0.002\n"
        "bark       reference       1    1.000  1.000  1.000   1.000     1.000        0.000\n"
        "bark       hypothesis      1    1.000  1.000  1.000   1.000     1.000        0.000\n"
        "bell       reference       3    3.000  1.000  1.000   1.000     1.000        0.000\n"
        "bell       hypothesis      2    1.900  0.900  1.000   0.950     0.950        0.002\n"
        "dog knock  reference       0    0.000    n/a    n/a     n/a       n/a          n/a\n"
        "dog knock  hypothesis      1    1.000  1.000  1.000   1.000     1.000        0.000\n"
        "\n"
        "Utterances\n"
        "##########\n"
        "\n"
        "u1: 1 correct, 1 sub, 1 del, 0 ins\n"
        "eval  reference  hypothesis  start s  end s  hyp start s  hyp end s\n"
        "      bell       bell          1.000  2.000        1.100      2.000\n"
        "S     bark       dog knock     5.000  6.000        5.000      6.000\n"
        "D     bell       -             8.000  9.000\n"
        "\n"
        "u2: 1 correct, 0 sub, 0 del, 1 ins\n"
        "eval  reference  hypothesis  start s  end s  hyp start s  hyp end s\n"
        "      bell       bell          0.000  1.000        0.000      1.000\n"
        "I     -          bark                              4.000      5.000\n"
    )


def test_text_of_segments_with_classes_of_one_side_only() -> None:
    """The original cannot report those: the least of no lengths is an error."""
    text = segments().get_report("segment_detail")
    assert re.search(r"^correct +4\.00$", text, re.MULTILINE)
    assert (
        "noise   reference       0    0.000    n/a    n/a     n/a       n/a          n/a\n" in text
    )
    assert "u1: 4.00 s correct, 1.00 s sub, 1.00 s del, 1.50 s ins\n" in text
    assert "S     music      speech        4.000  5.000\n" in text
    assert "Confusions" not in text


def test_text_of_keywords() -> None:
    text = keywords().get_report("kws_detail")
    # four values; FAR of left and stop are 1/10000
    for name, value in (
        ("FAR", "5.0e-05"),
        ("FRR", "0.3750"),
        ("TWV", "0.575"),
        ("TWV of keywords in the reference", "0.250"),
    ):
        assert re.search(f"^{name} +{re.escape(value)}$", text, re.MULTILINE), name
    assert "down       left              1          100.00\n" in text


def test_parameters_may_come_in_a_dictionary() -> None:
    names: dict[str, Any] = {"names": ("r.ctm", "h.ctm")}
    assert keywords().get_report("kws", names) == keywords().get_report("kws", **names)
    assert "h.ctm against r.ctm" in keywords().get_report(template_param=names)


def test_keywords_without_durations_have_no_alarm_rates() -> None:
    """The original's report fails."""
    text = KWSEvaluator().evaluate([("up", 1, 2)], [("up", 1, 2)]).get_report()
    assert re.search("^TWV +n/a$", text, re.MULTILINE)
    assert re.search(r"^FRR +0\.0000$", text, re.MULTILINE)
    assert "; FAR and TWV need the duration of every utterance)\n" in text


def test_text_of_words() -> None:
    evaluation = ASREvaluator().evaluate([("good morning all",)], [("good all there",)])
    assert evaluation.get_report("asr_detail", sections=("utterances",)).endswith(
        "noname: 2 correct, 0 sub, 1 del, 1 ins\n"
        "reference:   good morning all ***\n"
        "hypothesis:  good ***     all there\n"
        "                  D           I\n"
    )


@each_case("template", [None, *TEMPLATES, "markdown", "html", "json"])
def test_every_report_of_nothing(template: str | None) -> None:
    for evaluator in (EventEvaluator(), SegmentEvaluator(), KWSEvaluator(), ASREvaluator()):
        for sides in NOTHING:
            report = evaluator.evaluate(sides, sides).get_report(template)
            assert "nan" not in report.lower()
            assert report.endswith("\n")


def test_no_such_template_or_section() -> None:
    with pytest.raises(ValueError, match=r"template: expected one of text, markdown, .* 'pdf'"):
        events().get_report("pdf")
    with pytest.raises(ValueError, match=r"sections: expected some of overall, .* found 'all'"):
        events().get_report(sections=["all"])


def nasty() -> EventEvaluation:
    return EventEvaluator().evaluate(
        {NASTY: [(NASTY, 0, 1), ("a\nb", 3, 4)]}, {NASTY: [("c", 0, 1)]}
    )


def test_html_escapes_everything() -> None:
    page = render(nasty(), "html", names=(NASTY, "<b>h</b>"))
    texts = html.unescape(page)
    value = NASTY.replace("\x1b", "\\x1b")
    assert page.count("<script") == 1  # the page's own
    assert "<b>" not in page
    assert f">{value}<" in texts
    assert f"{value}: 0 correct" in texts
    assert ">a\\nb<" in page
    assert page.startswith('<!doctype html>\n<html lang="en">')


def test_html_of_words_escapes_words() -> None:
    page = render(ASREvaluator().evaluate([("<i>x</i>",)], [("&amp;",)]), "html")
    assert "&lt;i&gt;x&lt;/i&gt;" in page
    assert "&amp;amp;" in page


def test_markdown_escapes_everything() -> None:
    page = render(nasty(), "markdown", sections=SECTIONS)
    assert "<script>" not in page
    assert "\\<script\\>alert('a')\\</script\\> \\| \\*b\\* \\`c\\`" in page
    table = [line for line in page.splitlines() if line.startswith("| ")]
    assert any("a\\\\nb" in line for line in table)
    assert "\x1b" not in page


def test_text_cannot_move_the_cursor() -> None:
    assert "\x1b" not in render(nasty(), "text", sections=SECTIONS)
    assert "\x1b[1m" in render(events(), "text", colour=True)


def test_json() -> None:
    document: dict[str, Any] = json.loads(render(segments(), "json", names=("r", "h")))
    [record] = document["systems"]
    assert (document["schema"], document["version"]) == ("sclite-kit/labels", 1)
    assert (record["kind"], record["unit"]) == ("segments", "seconds")
    assert record["overall"]["correct"] == 4.0
    assert record["overall"]["error_rate"] == pytest.approx(3.5 / 6)
    noise = record["classes"][1]
    assert (noise["value"], noise["recall"], noise["insertions"]) == ("noise", None, 1.5)
    assert noise["durations"]["reference"]["mean"] is None
    assert record["classes"][0]["taken_for"] == {"speech": 1.0}
    assert record["utterances"][0]["aligned"][1] == {
        "edit": "S",
        "start": 4.0,
        "end": 5.0,
        "reference": {"value": "music", "start": 4.0, "end": 6.0},
        "hypothesis": {"value": "speech", "start": 0.0, "end": 5.0},
    }


def test_json_of_keywords() -> None:
    record = json.loads(render(keywords(), "json"))["systems"][0]
    assert record["overall"]["keyword_spotting"]["false_rejection_rate"] == 0.375
    assert record["overall"]["keyword_spotting_in_reference"]["false_rejection_rate"] == 0.75
    untimed = KWSEvaluator().evaluate([("up", 1, 2)], [])
    assert json.loads(render(untimed, "json"))["systems"][0]["overall"]["keyword_spotting"] == {
        "false_rejection_rate": 1.0,
        "false_alarm_rate": None,
        "term_weighted_value": None,
    }


def test_labels_beyond_ascii() -> None:
    evaluation = EventEvaluator().evaluate([("日本", 0, 1)], [("čas", 0, 1)])
    for template in ("text", "markdown", "html", "json"):
        assert "日本" in render(evaluation, template), template


def test_reports_are_files(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    events().write_report(str(path), "html")
    assert path.read_text("utf-8") == events().get_report("html")
    with pytest.raises(UnwritableFileError):
        events().write_report(str(tmp_path / "nowhere" / "report.html"), "html")
