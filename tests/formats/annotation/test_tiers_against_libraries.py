"""TextGrid and EAF against textgrid, praatio and pympi-ling, on random documents."""

import io
from functools import cache
from pathlib import Path

import pytest
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript
from formats.reading.silence import is_silence
from tests.examples import examples_of
from tests.formats.annotation.tier_cases import tiered_segments

pytest.importorskip("textgrid")
pytest.importorskip("praatio")
pytest.importorskip("pympi")

# What all three libraries can hold: no control characters, no odd blanks, no quotes in names.
LETTERS = st.text("abcdeäöüßñ'.,-\"", min_size=1, max_size=6).filter(
    lambda text: text.strip('"') and not is_silence(text)
)
NAMES = st.text("abcdeäöü", min_size=1, max_size=5)


@cache
def documents(has_points: bool) -> list[list[Segment]]:
    """Random documents, drawn once for all libraries: to draw one takes longer than to read it."""
    return examples_of(tiered_segments(LETTERS, NAMES, has_points), 25)


Labels = dict[str, list[tuple[float, float, str]]]


def write(segments: list[Segment], path: Path, name: str) -> None:
    formats.write(Transcript(segments, source=str(path)), str(path), name)


def by_tier(segments: list[Segment]) -> Labels:
    """What a file of these segments has to say, tier by tier."""
    found: Labels = {}
    for segment in segments:
        tier = segment.tier or ""
        text = " ".join(segment.words)
        assert segment.start is not None
        assert segment.end is not None
        found.setdefault(tier, []).append((segment.start, segment.end, text))
        if segment.starts is None or segment.ends is None:
            continue
        words = found.setdefault("words" if tier == "segments" else f"{tier} - words", [])
        for word, start, end in zip(segment.words, segment.starts, segment.ends, strict=True):
            assert start is not None
            assert end is not None
            words.append((start, end, word))
    return found


def test_textgrid_reads_what_we_write(tmp_path: Path) -> None:
    import textgrid

    for segments in documents(True):
        # The library refuses two points of one time.
        points = {s.start: s for s in segments if s.tier == "clicks"}
        segments = [s for s in segments if s.tier != "clicks"] + list(points.values())
        path = tmp_path / "talk.TextGrid"
        write(segments, path, "textgrid")
        grid = textgrid.TextGrid.fromFile(str(path))
        found: Labels = {}
        for tier in grid.tiers:
            if isinstance(tier, textgrid.PointTier):
                found[tier.name] = [(p.time, p.time, p.mark) for p in tier]
            else:
                found[tier.name] = [(i.minTime, i.maxTime, i.mark) for i in tier if i.mark]
        assert found == by_tier(segments)


def test_praatio_reads_what_we_write(tmp_path: Path) -> None:
    from praatio import textgrid

    for segments in documents(True):
        path = tmp_path / "talk.TextGrid"
        write(segments, path, "textgrid")
        grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False)
        found: Labels = {}
        for tier in grid.tiers:
            is_point = isinstance(tier, textgrid.PointTier)
            found[tier.name] = [(e[0], e[0] if is_point else e[1], e[-1]) for e in tier.entries]
        expected = by_tier(segments)
        # praatio knows no points without a mark, nor several of one time.
        clicks = expected.pop("clicks", [])
        assert {time for time, _, text in clicks if text} <= {e[0] for e in found.pop("clicks", [])}
        assert found == expected


def test_we_read_what_praatio_writes(tmp_path: Path) -> None:
    from praatio import textgrid

    for number, segments in enumerate(documents(True)):
        form = ("long_textgrid", "short_textgrid")[number % 2]
        plain = [s.replace(starts_ns=None, ends_ns=None) for s in segments if s.tier != "clicks"]
        grid = textgrid.Textgrid()
        for name, labels in by_tier(plain).items():
            grid.addTier(textgrid.IntervalTier(name, labels, 0, 10_000))
        path = tmp_path / "talk.TextGrid"
        grid.save(str(path), format=form, includeBlankSpaces=True)
        transcript = formats.read(str(path), "textgrid", recording="rec")
        assert by_tier(list(transcript)) == by_tier(plain)
        assert list(transcript) == plain


def test_we_read_what_textgrid_writes(tmp_path: Path) -> None:
    import textgrid

    for segments in documents(True):
        grid = textgrid.TextGrid(maxTime=10_000.0)
        for name, labels in by_tier(segments).items():
            points = [label for label in labels if label[0] == label[1]]
            if points:
                tier = textgrid.PointTier(name, 0.0, 10_000.0)
                for time, _, text in points:
                    tier.points.append(textgrid.Point(time, text))
            else:
                tier = textgrid.IntervalTier(name, 0.0, 10_000.0)
                for begin, end, text in labels:
                    tier.add(begin, end, text)
            grid.append(tier)
        path = tmp_path / "talk.TextGrid"
        grid.write(str(path))
        assert list(formats.read(str(path), "textgrid", recording="rec")) == segments


def test_pympi_reads_what_we_write(tmp_path: Path) -> None:
    import pympi

    for segments in documents(False):
        path = tmp_path / "talk.eaf"
        write(segments, path, "eaf")
        document = pympi.Elan.Eaf(str(path))
        found = {
            name: [(begin / 1000, end / 1000, text) for begin, end, text in
                   (annotation[:3] for annotation in sorted(document.get_annotation_data_for_tier(name)))]
            for name in document.get_tier_names()
        }  # fmt: skip
        assert found == by_tier(segments)
        speakers = {document.get_parameters_for_tier(s.tier).get("PARTICIPANT") for s in segments}
        assert speakers == {s.speaker for s in segments}


def test_we_read_what_pympi_writes(tmp_path: Path) -> None:
    import pympi

    for segments in documents(False):
        document = pympi.Elan.Eaf(author="anne")
        document.add_linguistic_type("words", "Included_In")
        owners = {s.tier: s.speaker for s in segments}
        for name, labels in by_tier(segments).items():
            parent = name.removesuffix(" - words") if name.endswith("words") else None
            parent = "segments" if name == "words" else parent
            kind, part = (
                ("words", owners.get(parent)) if parent else ("default-lt", owners.get(name))
            )
            document.add_tier(name, kind, parent=parent, part=part)
            for begin, end, text in labels:
                document.add_annotation(name, round(begin * 1000), round(end * 1000), text)
        path = tmp_path / "talk.eaf"
        document.to_file(str(path))
        assert list(formats.read(str(path), "eaf", recording="rec")) == segments


def test_pympi_needs_a_schema_and_we_do_not(tmp_path: Path) -> None:
    import pympi

    path = tmp_path / "talk.eaf"
    path.write_text(
        '<ANNOTATION_DOCUMENT AUTHOR="" DATE="" FORMAT="3.0" VERSION="3.0"><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER/></ANNOTATION_DOCUMENT>',
        "utf-8",
    )
    with pytest.raises(KeyError):
        pympi.Elan.Eaf(str(path))
    assert formats.read(str(path)).segments == ()


def test_praatio_reads_cut_off_files_in_silence_and_we_do_not(tmp_path: Path) -> None:
    from praatio import textgrid

    output = io.StringIO()
    segments = [Segment.of("rec", [word], tier="segments", start=n, end=n + 1)
                for n, word in enumerate("abc")]  # fmt: skip
    formats.write(Transcript(segments), output, "textgrid")
    path = tmp_path / "talk.TextGrid"
    text = output.getvalue()
    path.write_text(text[: text.index("intervals [3]")], "utf-8")
    assert len(textgrid.openTextgrid(str(path), False).tiers[0].entries) == 2
    with pytest.raises(formats.FormatError, match="found the end of the file"):
        formats.read(str(path))
