"""Reports by a user's own template, and the names of evalmate that templates use."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from formats import Label
from scoring.tasks.labels.aligners import InvariantSegmentAligner, LabelPair, Segment
from scoring.tasks.labels.aligners.spans import LabelError
from scoring.tasks.labels.events import EventEvaluator
from scoring.tasks.labels.reports import ReportTemplateError
from scoring.tasks.labels.segments import SegmentEvaluator

REFERENCE = {"u": [("up", 0, 1), ("down", 2, 3)]}
HYPOTHESIS = {"u": [("up", 0, 1), ("left", 2, 3)]}


def test_a_template_of_the_user(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        "{% include 'head.txt' %}\n"
        "{% for utterance, pairs in utt_to_label_pairs.items() %}{{ utterance }}:"
        "{% for pair in pairs %} {{ pair.padded_ref_value() }}|{{ pair.padded_hyp_value() }}"
        "{% endfor %}\n{% endfor %}{{ template_param.title }} {{ label_pairs|length }}\n"
    )
    (tmp_path / "head.txt").write_text("{{ '%.1f'|format(100 * confusion.error_rate) }} %")
    evaluation = EventEvaluator().evaluate(REFERENCE, HYPOTHESIS)
    expected = "50.0 %\nu: up|up down|left\nT 2\n"
    assert evaluation.get_report(page, {"title": "T"}) == expected
    target = tmp_path / "report.txt"
    evaluation.write_report(str(target), page, title="T")
    assert target.read_text() == expected
    segments = SegmentEvaluator().evaluate(REFERENCE, HYPOTHESIS)
    assert list(segments.template_data["utt_to_segments"]) == ["u"]
    assert segments.template_data["evaluation"] is segments


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{% for %}", r"bad\.txt:1: expected a Jinja2 template, found "),
        ("{{ nosuch.name }}", r"bad\.txt: expected a Jinja2 template, found 'nosuch' is undefined"),
        (None, r"bad\.txt: expected a Jinja2 template, found "),
    ],
)
def test_templates_that_cannot_be_used(tmp_path: Path, text: str | None, problem: str) -> None:
    page = tmp_path / "bad.txt"
    if text is not None:
        page.write_text(text)
    evaluation = EventEvaluator().evaluate(REFERENCE, HYPOTHESIS)
    with pytest.raises(ReportTemplateError, match=problem):
        evaluation.get_report(page)
    with pytest.raises(ReportTemplateError):
        evaluation.write_report(str(tmp_path / "out.txt"), page)
    assert not (tmp_path / "out.txt").exists()


def test_padded_values() -> None:
    pair = LabelPair(Label("a", 0, 1), None)
    assert (pair.padded_ref_value(), pair.padded_hyp_value()) == ("   a", "   -")
    assert LabelPair(Label("longer", 0, 1), Label("a", 0, 1)).padded_hyp_value() == "     a"
    assert LabelPair(None, None).max_length() == 4


def test_overlapping_labels_are_rejected() -> None:
    a, b = Label("a", 0, 2), Label("b", 1, 3)
    flatten = SegmentEvaluator.flatten_overlapping_labels
    assert flatten([Segment(0, 1, [a], [b]), Segment(1, 2, [], [])]) == [Segment(0, 1, a, b)]
    with pytest.raises(ValueError, match="Overlapping labels in reference"):
        flatten([Segment(1, 2, [a, b], [])])


def test_ends_of_utterances() -> None:
    end_of = InvariantSegmentAligner.set_absolute_end_of_labels
    labels = [Label("b", 3), Label("a", 1, 2)]
    assert [(label.value, label.end) for label in end_of(labels, 5)] == [("a", 2), ("b", 5)]
    owner = SimpleNamespace(utterance=SimpleNamespace(duration=4.5))
    theirs = SimpleNamespace(value="x", start=1.0, end=-1, label_list=owner)
    assert end_of([theirs])[0].end == 4.5
    assert theirs.end == -1
    with pytest.raises(LabelError, match="expected the duration of the utterance"):
        end_of(labels)
    with pytest.raises(LabelError):
        end_of([Label("b", 3)], 2)
