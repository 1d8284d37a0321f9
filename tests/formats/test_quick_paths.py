"""The quick ways that readers and writers take agree with the careful ones, on anything."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from io import BytesIO, StringIO
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats import Segment, times
from formats.annotation.chat_text import _Line, clean
from formats.clock import _whole_minutes, parse_clock, plain_clock, plain_span
from formats.errors import EncodingFormatError, FormatError
from formats.fields import plain_confidences
from formats.json import azure, google, watson
from formats.json.answer import Answer
from formats.json.displays import cut_text as cut_words
from formats.json.document import JsonDocument, JsonValue, json_rows
from formats.json.parsing import by_line, locate, parse_quickly
from formats.json.record import Number, Record, WrongError, confidences_of, spans_of
from formats.json.record import nanoseconds as json_time
from formats.json.spoken_words import SpokenWord, single_words
from formats.lines import split_words
from formats.manifests.records import made_at_once
from formats.registry import by_name
from formats.source import Source, open_source
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cues import Cue, Run, lines_of
from formats.subtitles.vtt_text import _Reader as VttReader
from formats.subtitles.vtt_text import _usual_name_of, cut_text
from formats.times import parse_time, plain_time, plain_times

DIGITS = st.text("0123456789", max_size=12)


def exact(text: str) -> int:
    return int((Decimal(text) * 10**9).to_integral_value(ROUND_HALF_EVEN))


@given(DIGITS.filter(bool), DIGITS)
def test_decimal_seconds(whole: str, fraction: str) -> None:
    text = f"{whole}.{fraction}"
    if Decimal(text) < 9 * 10**9:
        assert parse_time(text) == exact(text)
        assert json_time(text) == exact(text)


@pytest.mark.parametrize("text", ["٣.٣", "1.٣", "²", "1.²", "1_0", " 1", "+1", "1e3", ".", "", "-"])
def test_no_decimal_seconds(text: str) -> None:
    with pytest.raises(ValueError, match="a number"):
        json_time(text)
    with pytest.raises(ValueError, match="not a decimal number"):
        parse_time(text)


@given(
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(["", ".5", ".25", ",250", ".1234", ",123456789"]),
)
def test_clock_times(hours: int, minutes: int, seconds: int, fraction: str) -> None:
    text = f"{hours:02d}:{minutes:02d}:{seconds:02d}{fraction}"
    if minutes > 59 or seconds > 59:
        with pytest.raises(ValueError, match="below 60"):
            parse_clock(text)
        return
    total = (hours * 60 + minutes) * 60 + seconds
    assert parse_clock(text) == total * 10**9 + exact("0" + fraction.replace(",", "."))
    with pytest.raises(ValueError, match="not a time"):
        parse_clock(text + "x")


@given(
    st.text("019:.,", max_size=14)
    | st.from_regex(r"\A([0-9]{0,7}:)?[0-6]?[0-9]{0,2}:[0-6][0-9]?[.,:x]?[0-9]{0,10}\Z")
    | st.sampled_from(
        ["0١:00:00,5", "1:00:00.٣", "1:00:00.", "-0:00:01.5", " 0:00:01.5", ":", "::"]
    )
)
def test_clock_times_by_the_compiled_module(text: str) -> None:
    def outcome() -> object:
        try:
            return plain_clock(text), parse_clock(text)
        except ValueError as error:
            return plain_clock(text), str(error)

    quick = outcome()
    with patch("formats.clock._compiled_clock", None):
        assert outcome() == quick


def test_only_short_texts_are_remembered() -> None:
    long = "1" * 9999
    for remembered in (_whole_minutes, _usual_name_of):
        remembered.cache_clear()
    with patch("formats.clock._compiled_clock", None):
        assert [plain_clock(f"{start}:00:01") for start in (long, "0")] == [None, 10**9]
    for name in (long, "Anne"):
        assert cut_text(f"<v {name}>hello", 0, 1).runs == (Run("hello", name),)
    sizes = [one.cache_info().currsize for one in (_whole_minutes, _usual_name_of)]
    assert sizes == [1, 1]


CLOCKS = st.from_regex(r"\A[0-9]{2,3}:[0-6][0-9]?:[0-6][0-9][.,][0-9]{3}\Z") | st.sampled_from(
    ["00:00:01,500", "00:00:01.500", "01:59:59,999", "00:60:00,000", "0١:00:00,000", "x0:00:00,000"]
)


@given(CLOCKS, CLOCKS, st.sampled_from([" --> ", " --> ", "-->", " -->  "]), st.sampled_from(".,"))
def test_timing_lines(start: str, end: str, arrow: str, point: str) -> None:
    line = f"{start}{arrow}{end}"
    found = plain_span(line, point)
    with patch("formats.clock._compiled_span", None), patch("formats.clock._compiled_clock", None):
        assert plain_span(line, point) == found
    if found is not None:
        assert found == (parse_clock(start), parse_clock(end))


def voiced(text: str) -> list[Segment]:
    """The segments of a text of WebVTT, its tags taken one by one."""
    reader = VttReader(0, 10**9)
    begin, _, rest = text.partition(">")
    reader.tag("", "v", "", begin[2:])
    said, closing, _ = rest.partition("</v>")
    if said:
        reader.text(said)
    if closing:
        reader.tag("/", "v", "", "")
    return cues_of(reader.finished())


def cues_of(runs: tuple[Run, ...]) -> list[Segment]:
    source = open_source(StringIO(""), recording="rec")
    return list(segments_of(source, iter([Cue(0, 10**9, runs, 1)])))


@given(st.text("ab .\n\t", max_size=6), st.text("ab\n \xa0\u3000", max_size=8), st.booleans())
def test_one_voice(name: str, said: str, closed: bool) -> None:
    text = f"<v {name}>{said}{'</v>' * closed}"
    assert cues_of(cut_text(text, 0, 10**9).runs) == voiced(text)


@given(st.text("ab \t\v\n\u2028", max_size=8))
def test_lines_of_cues(text: str) -> None:
    (segment,) = cues_of((Run(text),))
    lines = lines_of([Run(text)])
    assert segment.get("lines") == ("\n".join(lines) if len(lines) > 1 else None)
    assert segment.words == tuple(split_words(text.replace("\n", " ")))


@given(
    st.sampled_from(["", " ", "\n "]),
    st.text('Startſ =1."', max_size=6) | st.sampled_from(["sTart=", "ſtart="]),
)
def test_times_of_sami(blanks: str, attribute: str) -> None:
    text = f"<SAMI><BODY><SYNC{blanks}{attribute}12><P>hello<SYNC Start=99><P>&nbsp;"

    def outcome() -> object:
        with open_source(StringIO(text), tolerance="lenient") as source:
            return list(by_name("sami").read(source)), source.log.entries()

    quick = outcome()
    with patch("formats.subtitles.sami.START", re.compile("(?!)")):
        assert outcome() == quick


@given(st.lists(st.sampled_from(["9425", "1470", "68e5", "942C", "94", "251470", "zzzz", "é425"])))
@example(["94", "251470"])
def test_pairs_of_scc(words: list[str]) -> None:
    """A second blank anywhere has them read word by word."""

    def outcome(blank: str) -> tuple[list[Segment], list[tuple[str, str]]]:
        text = f"Scenarist_SCC V1.0\n\n00:00:01:00\t{blank.join(words)}\n"
        with open_source(StringIO(text), tolerance="lenient") as source:
            found = list(by_name("scc").read(source))
            return found, [(one.code, one.message) for one in source.log.entries()]

    found, told = outcome(" ")
    assert (found, told) == outcome(" \t")
    is_odd = any(re.fullmatch("[0-9A-Fa-f]{4}", word) is None for word in words)
    assert is_odd == any(code == "SCC" for code, _ in told)


SAID = st.sampled_from(
    ["hello", "don't", "xxx", "0", "0word", "1st", "é", "&-uh", "a_b", "<b>", ","]
)


@given(
    st.lists(SAID | st.sampled_from(["hello", "."]), max_size=5),
    st.sampled_from(["", " .", ".", " ?"]),
)
def test_words_of_chat_without_marks(words: list[str], end: str) -> None:
    text = " ".join(words) + end
    quick, careful = clean(text), _Line("spoken", "keep").read(text)
    assert (quick.events, quick.asides) == (careful.events, careful.asides)
    one, other = (
        [(word.text, word.kind, word.display) for word in made.words] for made in (quick, careful)
    )
    assert one == other


@given(st.integers(0, 2**49), st.sampled_from([1, 1000, 10_000_000]), st.integers(0, 9))
def test_doubles_are_times_to_the_nanosecond(whole: int, unit: int, decimals: int) -> None:
    text = f"{Decimal(whole) / 10**decimals:f}"
    if Decimal(text) * 10**9 / unit < 9 * 10**18:
        expected = (Decimal(text) * 10**9 / unit).to_integral_value(ROUND_HALF_EVEN)
        assert json_time(float(text), unit) == int(expected)


class Place(Record):
    start: Number = None
    end: Number = None
    sure: Number = None
    other: Number = None


PLAIN = st.integers(0, 10**6) | st.floats(0, 10**6) | st.decimals(0, 10**4, places=3).map(str)
ODD = st.sampled_from(
    ["x", "", ".5", "5.", "1e3", " 1", "-1", "1_0", "٣", "1.2.3", -1, -0.5, 1e20, 2**70]
)
NUMBERS = st.none() | PLAIN | PLAIN | PLAIN | ODD


def outcome(made: Callable[[], object]) -> object:
    try:
        return made()
    except WrongError as wrong:
        return wrong.member, wrong.expected


@given(
    st.lists(st.builds(Place, NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=4)
    | st.lists(st.builds(Place, PLAIN, PLAIN, PLAIN, PLAIN), max_size=8),
    st.sampled_from([1, 1000]),
)
def test_times_and_confidences_of_many_are_those_of_each(rows: list[Place], unit: int) -> None:
    spans = outcome(lambda: [row.span(per_second=unit) for row in rows])
    assert outcome(lambda: list(zip(*spans_of(rows, per_second=unit), strict=True))) == spans
    sure = outcome(
        lambda: [row.sureness("sure" if row.sure is not None else "other") for row in rows]
    )
    assert outcome(lambda: list(confidences_of(rows, "sure", "other"))) == sure


@given(st.text("019.-", max_size=12) | (PLAIN | ODD).map(str), (PLAIN | ODD).map(str))
def test_seconds_by_the_compiled_module(text: str, other: str) -> None:
    def made() -> object:
        return plain_time(text), times.plain_span(text, other), times.plain_span(other, text)

    found = made()
    with patch.multiple("formats.times", _compiled_time=None, _compiled_times=None):
        assert made() == found


def assert_words(
    words_of: Callable[[list[Any]], list[SpokenWord]],
    word_of: Callable[[Any], SpokenWord],
    words: list[Any],
) -> None:
    """Words are made of many as of each; where one is wrong, all are wrong as one such is."""
    each = [outcome(lambda: word_of(word)) for word in words]  # noqa: B023
    alone = [outcome(lambda: words_of([word])) for word in words]  # noqa: B023
    wrong: list[object] = [found for found in alone if isinstance(found, tuple)]
    assert alone == [found if found in wrong else [found] for found in each]
    assert outcome(lambda: words_of(words)) in (wrong or [each])


DURATIONS = NUMBERS | PLAIN.map(lambda number: f"{number}s")


@given(
    st.lists(
        st.fixed_dictionaries(
            {"word": st.just("a"), "start_time_": DURATIONS, "end_time_": DURATIONS},
            optional={
                "start_offset": DURATIONS,
                "end_time": DURATIONS,
                "confidence": NUMBERS,
                "speaker_tag_": st.sampled_from([0, 1, "0"]),
                "speaker_label": st.text("a"),
            },
        ),
        max_size=4,
    )
)
def test_words_of_google_are_those_of_each(rows: list[dict[str, Any]]) -> None:
    def spoken(word: google.Word) -> SpokenWord:
        place = word.place()
        return SpokenWord(word.word, *place, word.sureness() or None, speaker=word.speaker())

    words = [google.Word(**row) for row in rows]
    assert_words(google.words_of, spoken, words)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"real_word": st.sampled_from(["a", "b", None])},
            optional={
                **{f"real_{what}": NUMBERS for what in ("offset", "duration")},
                **{f"{what}_in_ticks": NUMBERS for what in ("offset", "duration")},
                **{f"{what}_milliseconds": NUMBERS for what in ("offset", "duration")},
                "confidence": NUMBERS, "real_confidence": NUMBERS, "text": st.just("b"),
            },
        ),
        max_size=4,
    )
)  # fmt: skip
def test_words_of_azure_are_those_of_each(rows: list[dict[str, Any]]) -> None:
    def spoken(word: azure.Word) -> SpokenWord:
        said = word.required("word", "real_word", "text")
        sure = word.sureness("confidence" if word.confidence is not None else "real_confidence")
        return SpokenWord(said, *word.place(), sure)

    assert_words(azure.words_of, spoken, [azure.Word(**row) for row in rows])


@given(st.lists(st.tuples(st.just("a"), NUMBERS, NUMBERS) | st.tuples(ODD, NUMBERS), max_size=3))
def test_timed_words_of_watson_are_those_of_each(rows: list[tuple[object, ...]]) -> None:
    def made(take: Callable[[JsonValue], object]) -> object:
        with open_source(StringIO(json.dumps(rows))) as source:
            try:
                return take(JsonDocument(source).values[0])
            except FormatError as error:
                return str(error)

    each = made(lambda value: [watson.timed_word(row) for row in value.elements()])
    assert made(watson.timed_words) == each


SPOKEN = st.sampled_from(["a", "don't", "x y", " b", "", " ", "\xa0", "é\n"])


@given(st.lists(SPOKEN, max_size=4))
def test_words_without_blanks_are_the_words(texts: list[str]) -> None:
    made = single_words([SpokenWord(text) for text in texts])
    assert made == single_words([SpokenWord(" "), *map(SpokenWord, texts)])
    assert [word.text for word in made] == [word for text in texts for word in cut_words(text)]


@given(
    st.lists(st.tuples(st.none() | st.integers(0, 9), st.none() | st.integers(0, 9)), max_size=5)
)
def test_words_that_overlap_or_go_back_are_counted(spans: list[tuple[Any, Any]]) -> None:
    def counts(spans: list[tuple[Any, Any]]) -> tuple[int, int, int]:
        with open_source(StringIO("")) as source:
            answer = Answer(source, "a service", "SERVICE")
            answer._see(
                ["a"] * len(spans), [start for start, _ in spans], [end for _, end in spans]
            )
            return answer._overlaps, answer._backward, answer.latest_ns

    assert counts(spans) == counts([*spans, (None, None)])


@given(st.lists(st.sampled_from(['{"start": 1}', '{"start": 1, "start": 2}', "", "[1]", "{", "5"])))
def test_lines_of_json_read_together_are_those_read_one_by_one(lines: list[str]) -> None:
    def values(texts: list[str]) -> list[object]:
        with open_source(StringIO("\n".join(texts)), tolerance="lenient") as source:
            return [value for rows in json_rows(source, None) for value in rows.values]

    assert values(lines) == [value for line in lines for value in values([line])]


def test_lines_before_bytes_that_are_no_text_are_given_first() -> None:
    data = BytesIO(b'{"start": 1}\n{"start": 2}\n\xff\n')
    rows = json_rows(open_source(data), Place)
    assert next(rows).records == [Place(1), Place(2)]
    with pytest.raises(EncodingFormatError, match="<stream>:3:1"):
        next(rows)


BLANKS = st.sampled_from(["", "", " ", "\n", "\t\n "])
TEXTS = st.text('a:,"\\[]{}\n\u2028é', max_size=4).map(
    lambda text: json.dumps(text, ensure_ascii=False)
)
SCALARS = TEXTS | st.sampled_from(["0", "-1.5e3", "true", "null", "NaN", "[]", "{}", ""])


def in_brackets(items: st.SearchStrategy[str], brackets: str) -> st.SearchStrategy[str]:
    inside = st.lists(st.tuples(BLANKS, items, BLANKS).map("".join), max_size=3).map(",".join)
    return inside.map(lambda text: f"{brackets[0]}{text}{brackets[1]}")


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    names = st.sampled_from(['"a"', '"b"', '"é"', '"\\u0061"', '"\\""']) | TEXTS
    members = st.tuples(names, BLANKS, st.just(":"), BLANKS, inner).map("".join)
    return in_brackets(inner, "[]") | in_brackets(members, "{}")


JSONS = st.recursive(SCALARS, containers, max_leaves=12)
STEPS = st.lists(st.sampled_from(["a", "b", "é", '"', 0, 1]), max_size=3)


@given(JSONS | st.lists(JSONS).map("\n".join), st.integers(0, 70), st.booleans())
def test_json_is_found_plain_by_its_text(text: str, depth: int, streams: bool) -> None:
    text = "[" * depth + text + "]" * depth
    found = repr(parse_quickly(text, streams)), repr(by_line(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORING_ALIGN", "plain")
        assert (repr(parse_quickly(text, streams)), repr(by_line(text))) == found


def lists_of(value: JsonValue) -> Iterator[JsonValue]:
    """The lists in a value, in the order of the text."""
    if isinstance(value.value, list):
        yield value
        inner = value.elements()
    else:
        inner = (one for _, one in value.members()) if isinstance(value.value, dict) else iter(())
    for one in inner:
        yield from lists_of(one)


@pytest.mark.parametrize("way", ["compiled", "plain"])
@given(st.lists(JSONS, min_size=1, max_size=3), st.randoms())
@example(['{"a": [{"b": [\n1]}, {"c": 0, "b": [1,\n2]}]}'], Random(1))
@example(['[{"a": [\n{"b": [1]}]}, {"a": [{"b": [\n2]}]}]', "[[\n1]]"], Random(1))
def test_lines_of_elements_are_those_they_are_found_in(
    way: str, texts: list[str], chooser: Random
) -> None:
    text = "\n".join(texts) + "\n"
    with pytest.MonkeyPatch.context() as patch:
        if way == "plain":
            patch.setenv("SCORING_ALIGN", "plain")
        try:
            document = JsonDocument(open_source(StringIO(text)), streams=True)
        except FormatError:
            return
        lists = [one for value in document.values for one in lists_of(value)]
        chooser.shuffle(lists)
        for one in lists[:4] + sorted(lists, key=lambda one: one.steps[:1]):
            places = [locate(text, (*one.steps, index)) for index in range(len(one.value))]
            expected = [1 + text.count("\n", 0, place) for place in places if place is not None]
            assert [line for line, _ in one.numbered_elements()] == expected


def test_lines_of_elements_of_a_list_within_a_text_are_not_known() -> None:
    text = json.dumps({"a": json.dumps([{"b": [1]}])}, indent=1)
    inner = JsonDocument(open_source(StringIO(text))).values[0].required("a").embedded()
    assert [line for line, _ in inner.numbered_elements()] == [None]
    [element] = inner.elements()
    assert [line for line, _ in element.numbered_elements("b")] == [None]


def told(text: str, name: str, tolerance: str, /, **options: Any) -> object:
    """All that a format says of a text, with lines, remarks, and what is wrong."""
    with open_source(StringIO(text), tolerance=tolerance) as source:
        found: list[object] = []
        try:
            for segment in by_name(name).read(source, **options):
                found += [segment, segment.line]
        except FormatError as error:
            found.append(str(error))
        return found, source.log.entries(), source.properties


LINES = {
    "stm": (
        ["rec", "rec", "r2"],
        ["1", "2"],
        ["anne", "inter_segment_gap"],
        ["0.5", "1.25", "2", "10.000", "-1", ".5", "1,5", "0.12345678912", "99999999999"],
        ["1.5", "2.5", "30", "x"],
        ["", "hello", "<o,f>", "<unk>", "<>", "{ a / b }", "(um)", "ignore_time_segment_in_scoring"],
        ["", "world", "a\xa0b", "\t", "c\vd", "é"],
    ),
    "ctm": (
        ["rec", "rec", "r2"],
        ["1", "1", "2"],
        ["0.5", "1.25", "2", "10.000", "-1", ".5", "*"],
        ["0.5", "0.25", "x", "*"],
        ["hello", "@", "(um)", "<eps>", "<ALT_BEGIN>", "<ALT>", "<ALT_END>", "é"],
        ["", "0.5", "1", "NA", "-2"],
        ["", "lex", "fp", "other"],
        ["", "NA", "anne"],
    ),
    "rttm": (
        ["SPEAKER", "SPEAKER", "LEXEME", "speaker", "NOSCORE", "SPKR-INFO", "NOISE"],
        ["rec", "rec", "r2"],
        ["1"],
        ["0.5", "1.25", "2", "0.5*", "<NA>", "x"],
        ["0.5", "3", "<NA>", "9999999999"],
        ["<NA>", "hello"],
        ["<NA>", "lex", "odd"],
        ["anne", "bob", "<NA>"],
        ["<NA>", "0.5", "2"],
        ["", "<NA>", "0.1"],
    ),
    "trn": (
        ["hello", "a", ";hello", "*a", "{ a / b }", "(um)", "a@", "}", "é"],
        ["world", "b", "", "\t", "a\xa0b", "c\vd"],
        ["(anne-1)", "(bob_2)", "(anne-3)", "(x)", "()", "(a", "b)", "(a b)", "(é-é)", "x(anne-1)"],
        ["", "", " ", "more"],
    ),
    "uem": (
        ["rec", "rec", "r2", "a/rec.wav", "rec.wav"],
        ["1", "1", "2"],
        ["0.5", "3", "10.25", "-1", "x"],
        ["1.5", "12", "20.5", "0.1", ""],
        ["", "", "more"],
    ),
    "kaldi": (
        ["a-1", "b-2", "c", "A", "", " a-1", "é", "\tb-2"],
        ["hello", "hello  world", "", "\thello", "a\xa0b", "c\vd", "7"],
        ["", "world", " "],
    ),
    "kaldi-segments": (
        ["a-1", "b-2", "c", "A", "é"],
        ["rec", "r2"],
        ["0.5", "3", "10.25", "-1", "x", ".5"],
        ["11", "12.5", "3.05", "-1", "", "0.1"],
        ["", "", "A", "1 2", "a\xa0b"],
    ),
    "must-c": (
        ["- {duration: 1.5,", "- {duration: 1.5, rW: 2,", "- {duration: 0,", "-  {duration: 2,", "- {", ""],
        ["offset: 0.5,", "offset: 12,", "offset: -1,", "offset: .5,", "offset:  5,", "offset: é,", "offset:"],
        ["speaker_id: spk.1,", "uW: b c, a: x", "speaker_id: 'a, b',", "a: {b},", "1: 2,", "wav: b.wav,", "a: ,"],
        ["wav: talk.wav}", "wav: ted/2.flac}", "wav: a.wav }", "wav: }", "wav: a.wav", "wav: 'é',}", "a:b: c}"],
    ),
    "txt-lines": (["hello", ";; a", "", "{ é }", "a\xa0b"], ["world", "", "\t", "c\vd", " "]),
}  # fmt: skip
OPTIONS = {"must-c": {"text": __file__}}
"""Any file of lines serves as the texts; that it has more than there are entries is told at the end."""


@pytest.mark.parametrize("name", sorted(LINES))
@given(data=st.data())
def test_lines_read_together_are_those_read_one_by_one(name: str, data: st.DataObject) -> None:
    columns = LINES[name]
    usual = st.tuples(*(st.sampled_from(column[:2]) for column in columns))
    odd = st.tuples(*map(st.sampled_from, columns))
    rows = data.draw(
        st.lists(usual | usual | odd | st.just(("",)) | st.just((";; a",)), max_size=9)
    )
    text = "\n".join(" ".join(row) for row in rows)
    tolerance = data.draw(st.sampled_from(["default", "lenient", "strict"]))

    def outcome() -> object:
        return told(text, name, tolerance, **OPTIONS.get(name, {}))

    together = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORING_ALIGN", "plain")
        assert outcome() == together
        patch.setattr(f"{by_name(name).read.__module__}.read_in_bulk", one_by_one_alone)
        assert outcome() == together


def one_by_one_alone(
    source: Source,
    _: object,
    one_by_one: Callable[[int, list[str]], Iterable[object]],
) -> Iterator[object]:
    for first, lines in source.batches():
        yield from one_by_one(first, lines)


CELLS = {
    "id": ["u1", "u2", "", " u"],
    "speaker": ["anne", "bob", "", "7"],
    "audio": ["a.wav", "x/b.flac", "", "/"],
    "start": ["0.5", "1", "", "0:01.5", "-1", " 2", "1.00000000001", "x", "2500"],
    "duration": ["2", "0.25", "", "1:00", "9999999999"],
    "text": ["hello world", "a", "", "b\xa0c  d", '"e, f"', '"g\nh"', '"i""j"', 'k"l', '"m'],
    "age": ["30", "", "x", '"y, z"'],
}


@given(
    st.lists(st.sampled_from(sorted(CELLS)), unique=True).map(lambda names: [*names, "sentence"]),
    st.sampled_from([",", "\t"]),
    st.sampled_from(["auto", "ms"]),
    st.sampled_from([4, 30, 1 << 16]),
    st.data(),
)
def test_rows_of_a_table_read_together_are_those_read_one_by_one(
    names: list[str], delimiter: str, unit: str, block: int, data: st.DataObject
) -> None:
    cells = [CELLS["text" if name == "sentence" else name] for name in names]
    usual = st.tuples(*(st.sampled_from(some[:2]) for some in cells))
    odd = st.tuples(*map(st.sampled_from, cells))
    rows = data.draw(st.lists(usual | usual | odd | st.sampled_from([(), ("a",)]), max_size=9))
    lines = [delimiter.join(row) for row in [names, *rows]]
    text = "\n".join(lines)
    tolerance = data.draw(st.sampled_from(["default", "lenient", "strict"]))

    def outcome() -> object:
        return told(text, "csv", tolerance, time_unit=unit)

    def one_by_one(
        source: Source, delimiter: str, *, is_loose: bool
    ) -> Iterator[tuple[list[int], list[list[str]]]]:
        reader = csv.reader(
            (f"{line}\n" for _, line in source.lines()),
            delimiter=delimiter,
            strict=True,
            skipinitialspace=is_loose,
        )
        begin = 1
        try:
            for row in reader:
                if row:
                    yield [begin], [row]
                begin = reader.line_num + 1
        except csv.Error as problem:
            raise source.syntax_error(begin, "fields quoted as in RFC 4180", str(problem)) from None

    with patch("formats.manifests.table.csv_batches", one_by_one):
        expected = outcome()
    with patch("formats.source.BLOCK", block):
        assert outcome() == expected


VALUES: dict[str, list[object]] = {
    "sentence": ["hello world", "a", "", None, "b\xa0c\nd ", 5, ["x"]],
    "begin": [0.5, 1, None, "2.5", -1, 0.1234567891, "x", True, 10**20],
    "id": ["u1", "u2", 7, None, "", True, 1.5],
    "speaker": ["anne", None, 2, "", [1]],
    "channel": ["1", 2, None, [1, 2], ["a"], {}],
    "audio": ["a.wav", "x/b.flac", None, "", {"path": "c.wav"}, {"path": 5}, {}, 3],
    "recording": ["rec1", None, "", 4, 1.5],
    "duration": [2, 0.25, None, -1, "1", 10**9],
    "age": [30, "x", None, "", [1, None], {"a": 0.5}],
    "words": [None, [{"word": "a", "start": 0.5}], "text"],
    "kind": [None, "gap", "odd"],
}


MANIFESTS: dict[str, dict[str, list[object]]] = {
    "jsonl": VALUES,
    "nemo": {
        "audio_file": ["d.wav", "d.wav", None],
        "audio_filepath": ["a.wav", "x/b.wav", "y/b.wav", "", None, ["c.wav"]],
        "text": ["hello world", "a", "", None, "b\rc\nd", 5],
        "offset": [0.5, 1, None, "2.5", -1, "x"],
        "duration": [2, 0.25, None, -1, "1", 10**10],
        "speaker": ["anne", None, 7, True],
        "uniq_id": ["u1", None, 7, 1.5],
        "lang": ["en", None, 5, [1]],
    },
    "lhotse": {
        "id": [*(f"u{number}" for number in range(20)), 7, "7", None],
        "recording_id": ["rec1", "rec2", 7, "", None],
        "start": [0.5, 1, "2.5", -1, None],
        "duration": [2, 0.25, "1", -1],
        "channel": [0, None, "1", [0, 1], True],
        "text": ["hello world", "a", "", None, "b\rc\nd", 5],
        "speaker": ["anne", None, 7],
        "language": [None, None, "en", 5],
        "custom": [None, None, {"a": 1, "b": None}],
        "alignment": [None, None, {"word": [["hello", 0.5, 0.25], ["world", 1, 0.5]]}],
        "type": [None, None, "MonoCut", "odd"],
        "supervisions": [None, None, []],
    },
}
AT_ONCE = {
    "jsonl": "formats.json.jsonl.Rows.segments",
    "nemo": "formats.json.nemo._Reader.at_once",
    "lhotse": "formats.json.lhotse._at_once",
}


def manifests(name: str) -> Iterator[str]:
    """Rows of which one is odd in one member, which may not be there, in lines and in a list."""
    values = MANIFESTS[name]
    names = list(values)
    for known in (names, names[:4]):
        usual = [{member: values[member][at] for member in known} for at in (0, 1)]
        for member in names:
            left = {one: value for one, value in usual[0].items() if one != member}
            odd = [left, *({**left, member: value} for value in values[member])]
            for row in odd:
                rows = [*usual, {**row, **({} if member == "id" else {"id": "u9"})}, usual[1]]
                yield "\n".join(map(json.dumps, rows[:3]))
                yield json.dumps(rows, indent=0)


@pytest.mark.parametrize("name", sorted(MANIFESTS))
@pytest.mark.parametrize("tolerance", ["default", "lenient"])
def test_rows_of_json_read_together_are_those_read_one_by_one(name: str, tolerance: str) -> None:
    def outcome(text: str) -> object:
        return told(text, name, tolerance)

    texts = list(manifests(name))
    together = list(map(outcome, texts))
    with patch(AT_ONCE[name], side_effect=ValueError):
        assert list(map(outcome, texts)) == together
    assert sum("found" not in str(one) for one in together) > len(texts) / 3


@pytest.mark.parametrize("tolerance", ["default", "lenient", "strict"])
@pytest.mark.parametrize("block", [40, 1 << 16])
def test_clips_read_together_are_those_read_one_by_one(tolerance: str, block: int) -> None:
    def outcome(text: str) -> object:
        return told(text, "commonvoice", tolerance)

    def one_by_one(
        numbers: Sequence[int], rows: Sequence[list[str]], *how: Callable[..., Any]
    ) -> Iterator[Segment]:
        for number, row in zip(numbers, rows, strict=True):
            yield from made_at_once([number], [row], *how)

    usual = [f"spk{at}\tclip{at}.mp3\thello number {at}\t" for at in range(6)]
    odd = ["", "\t\t", " ", "x", "\tclip1\ta", "\t\ta\t", "a\tclip2.mp3\t b\xa0c  d\tteens",
           "\tclip9\t\t", "a\t/\tb\t", usual[4]]  # fmt: skip
    texts = [
        "\n".join(["client_id\tpath\tsentence\tage", *usual[:3], one, *usual[3:]]) for one in odd
    ]
    with patch("formats.source.BLOCK", block):
        together = list(map(outcome, texts))
    with patch("formats.manifests.commonvoice.made_at_once", one_by_one):
        assert list(map(outcome, texts)) == together


@given(st.data())
def test_rows_of_arrow_read_together_are_those_read_one_by_one(data: st.DataObject) -> None:
    arrow = pytest.importorskip("pyarrow")
    texts = st.none() | st.sampled_from(["hello world", "a", ""])
    numbers = st.sampled_from([0.5, 1.25, None, -1.0, float("nan")])
    size = data.draw(st.integers(0, 6))
    columns = {
        name: data.draw(st.lists(kind, min_size=size, max_size=size))
        for name, kind in {
            "text": texts,
            "id": st.integers(0, 9) | st.none(),
            "audio": st.none() | st.fixed_dictionaries({"path": texts}),
            "speaker": texts,
            "start": st.sampled_from([0.5, 2.0]) | numbers,
            "end": st.sampled_from([3.5, 4.0]) | numbers,
            "tags": st.lists(texts, max_size=2),
        }.items()
    }
    table = arrow.table(columns)
    stream = BytesIO()
    with arrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)

    def outcome() -> object:
        with open_source(BytesIO(stream.getvalue()), tolerance="lenient") as source:
            source.head()
            try:
                found = list(by_name("arrow").read(source))
            except FormatError as error:
                return str(error)
            lines = [(segment.line, getattr(segment.line, "path", "")) for segment in found]
            return found, lines, source.log.entries()

    together = outcome()
    with patch("formats.json.jsonl.Rows.segments", side_effect=ValueError):
        assert outcome() == together


def numbered(items: Iterable[str]) -> str:
    """Items in one text, their numbers for ``@`` and the next ones for ``+``."""
    return "".join(
        item.replace("@", str(number)).replace("+", str(number + 1))
        for number, item in enumerate(items)
    )


SLOT = '<TIME_SLOT TIME_SLOT_ID="t@" TIME_VALUE="@00"/>\n'
SLOTS = (
    [SLOT],
    [
        '<TIME_SLOT TIME_VALUE="@00" other="x" TIME_SLOT_ID="t@"/>',
        '<TIME_SLOT TIME_SLOT_ID="t@"/>',
        '<TIME_SLOT TIME_SLOT_ID="t@" TIME_VALUE=" @00 "/>',
        '<TIME_SLOT TIME_SLOT_ID="t@" TIME_VALUE="x"/>',
        '<TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="5"/>',
        '<TIME_SLOT TIME_VALUE="5"/>',
        "<!-- @ -->",
        f"<!-- {SLOT}{SLOT * 9} -->",
        "text &amp; text",
    ],
)
ALIGNED = '<ALIGNABLE_ANNOTATION ANNOTATION_ID="a@" TIME_SLOT_REF1="t@" TIME_SLOT_REF2="t+">{}</ALIGNABLE_ANNOTATION>'
REFERRING = '<REF_ANNOTATION ANNOTATION_ID="a@" ANNOTATION_REF="a1"{}><ANNOTATION_VALUE>b@</ANNOTATION_VALUE></REF_ANNOTATION>'
ANNOTATION = f"<ANNOTATION>\n{ALIGNED.format('<ANNOTATION_VALUE>hello @</ANNOTATION_VALUE>')}\n</ANNOTATION>\n"
ANNOTATIONS = (
    [ANNOTATION],
    [
        f"<ANNOTATION>{inner}</ANNOTATION>"
        for inner in (
            ALIGNED.format("<ANNOTATION_VALUE/>"),
            ALIGNED.format(""),
            ALIGNED.format("<ANNOTATION_VALUE>a<b/>c</ANNOTATION_VALUE>"),
            ALIGNED.format("<OTHER/><ANNOTATION_VALUE>c</ANNOTATION_VALUE>"),
            ALIGNED.format("<ANNOTATION_VALUE>one</ANNOTATION_VALUE><ANNOTATION_VALUE/>"),
            ALIGNED.format("").replace(' TIME_SLOT_REF2="t+"', ""),
            ALIGNED.format("").replace("a@", "a1"),
            ALIGNED.format("").replace("t+", "t0"),
            ALIGNED.format("").replace("ALIGNABLE", "OTHER"),
            REFERRING.format(""),
            REFERRING.format(' PREVIOUS_ANNOTATION="a2"'),
            REFERRING.format("").replace(' ANNOTATION_REF="a1"', ""),
            f"{ALIGNED.format('')}</ANNOTATION><ANNOTATION>{REFERRING.format('')}",
            f"{ALIGNED.format('<ANNOTATION_VALUE/>')}{ALIGNED.format('<ANNOTATION_VALUE/>').replace('a@', 'c@')}</ANNOTATION><ANNOTATION>",
            f"{ALIGNED.format('<ANNOTATION_VALUE/>' * 2)}</ANNOTATION><ANNOTATION>{ALIGNED.format('').replace('a@', 'c@')}",
            f"{ALIGNED.format('<ANNOTATION_VALUE>a<b/>c</ANNOTATION_VALUE>')}</ANNOTATION><ANNOTATION>"
            f"{ALIGNED.format('<ANNOTATION_VALUE/>').replace('a@', 'c@')}",
            "",
            f"<!-- </ANNOTATION>{ANNOTATION * 10} --></ANNOTATION><ANNOTATION>",
        )
    ]
    + [f"<!-- {ANNOTATION * 10} -->", f"<![CDATA[{ANNOTATION * 10}]]>", ANNOTATION[:-9]],
)
TURN = '<Turn startTime="@" endTime="+"{}>\n{}\n</Turn>\n'
TURNS = (
    [
        TURN.format("", '<Sync time="@"/>\nhello @'),
        TURN.format(' speaker="s1" mode="planned"', '<Sync time="@"/> <Sync time="@.5"/>hello\n@'),
    ],
    [
        TURN.format(' speaker="s9"', '<Sync time="@"/>a'),
        TURN.format(' speaker="s1 s2"', '<Sync time="@"/><Who nb="1"/>a<Who nb="2"/>b'),
        TURN.format(' speaker="s2" channel=""', '<Sync time="@"/>a<Event desc="rir"/>b'),
        TURN.format("", 'early <Sync time="@"/>a'),
        TURN.format("", '<Sync time="@"/>a<Background type="music" time="@"/>b'),
        TURN.format("", '<Sync time="@"/>a<Section type="nontrans" startTime="0" endTime="1"/>b'),
        TURN.format("", '<Sync time="@"/>a<Odd>b</Odd>'),
        TURN.format("", '<Sync time="@.5"/>a<Sync time="@"/>b'),
        TURN.format("", '<Sync time="+.5"/>a'),
        TURN.format("", '<Sync time=" @ "/>a'),
        TURN.format("", '<Sync time="x"/>a'),
        TURN.format("", "<Sync/>a"),
        TURN.format("", "a"),
        TURN.format("", '<Sync time="@">b<Turn startTime="0" endTime="1">c</Turn></Sync>'),
        TURN.format("", '<Sync time="@"/>a').replace('endTime="+"', 'endTime="0"'),
        TURN.format("", '<Sync time="@"/>a').replace("startTime", "begin"),
        '</Section>\n<Section topic="t1">',
        "<Comment/>",
        "stray",
    ],
)
SPEAKERS = '<Speakers><Speaker id="s1" name="anne" type="female"/><Speaker id="s2"/></Speakers>'
FURTHER_SLOTS, FURTHER_ANNOTATIONS = (
    ([one.replace(old, new) for one in usual], [one.replace(old, new) for one in odd])
    for (usual, odd), old, new in ((SLOTS, "t@", "u@"), (ANNOTATIONS, "a@", "b@"))
)
TREES: dict[str, list[tuple[str, tuple[list[str], list[str]], str]]] = {
    "eaf": [
        (
            "<ANNOTATION_DOCUMENT><TIME_ORDER>" + numbered(SLOTS[0] * 80),
            FURTHER_SLOTS,
            "</TIME_ORDER>",
        ),
        ('<TIER TIER_ID="anne">', ANNOTATIONS, "</TIER>"),
        (
            '<TIER TIER_ID="bob" PARENT_REF="anne">',
            FURTHER_ANNOTATIONS,
            "</TIER></ANNOTATION_DOCUMENT>",
        ),
    ],
    "trs": [
        (
            f"<!DOCTYPE Trans><Trans>{SPEAKERS}<Episode><Section>",
            TURNS,
            "</Section></Episode></Trans>",
        )
    ],
}


def both_ways(name: str, text: str, size: int) -> tuple[object, object]:
    """What is read of a text in blocks of a size, elements together and one by one."""

    def outcome() -> object:
        with open_source(StringIO(text)) as source:
            found: list[object] = []
            try:
                for segment in by_name(name).read(source):
                    found += [segment, segment.line]
            except FormatError as error:
                found.append(str(error))
            return found, source.log.entries()

    with patch("formats.source.BLOCK", size), patch("formats.source.HEAD", size):
        together = outcome()
        with (
            patch("formats.annotation.trs_turn._passage", return_value=None),
            patch("formats.annotation.eaf._Document._annotations_at_once", return_value=False),
            patch("formats.annotation.eaf._Document._slots_at_once", return_value=False),
            patch("formats.annotation.eaf._Document.take_alike", return_value=False),
        ):
            return together, outcome()


@pytest.mark.parametrize(
    ("name", "at", "odd"),
    [
        (name, at, odd)
        for name, lists in TREES.items()
        for at, (_, kinds, _) in enumerate(lists)
        for odd in (*kinds[0], *kinds[1])
    ],
)
def test_an_odd_element_among_others_is_read_as_alone(name: str, at: int, odd: str) -> None:
    text = ""
    for number, (before, (usual, _), after) in enumerate(TREES[name]):
        some = usual * (20 // len(usual))
        text += before + numbered([*some, odd, *some] if number == at else some) + after
    for size in (300, 2000, 100_000):
        together, alone = both_ways(name, text, size)
        assert together == alone


@pytest.mark.parametrize("lines", [65_500, 65_520, 65_540])
def test_lines_of_elements_alike_are_those_of_the_library(lines: int) -> None:
    (slots, _, after), (before, _, _), *_ = TREES["eaf"]
    for annotation in (ANNOTATION, ANNOTATION.replace("\n", "").replace("hello", "hello\n")):
        text = slots + after + "\n" * lines + before + numbered([annotation] * 30)
        together, alone = both_ways("eaf", text + "</TIER></ANNOTATION_DOCUMENT>", 1 << 16)
        assert together == alone


@pytest.mark.parametrize("name", sorted(TREES))
@given(data=st.data())
def test_elements_read_together_are_those_read_one_by_one(name: str, data: st.DataObject) -> None:
    text = ""
    for before, (usual, odd), after in TREES[name]:
        some = st.lists(st.sampled_from(usual), max_size=30)
        drawn = data.draw(some) + data.draw(st.lists(st.sampled_from(odd), max_size=2))
        text += before + numbered([*drawn, *data.draw(some)]) + after
    together, alone = both_ways(name, text, data.draw(st.sampled_from([100, 1000, 100_000])))
    assert together == alone


TIMES = st.from_regex(r"\A-?[0-9]{0,12}\.?[0-9]{0,12}\Z") | st.text("01.,eE+-_]", max_size=6)


@given(st.lists(TIMES | st.integers(0, 10**6).map(lambda n: f"{n / 1000:.3f}"), max_size=4))
def test_times_of_many_are_those_of_each(texts: list[str]) -> None:
    made = plain_times(texts)
    if made is not None:
        assert made == [parse_time(text) for text in texts]
    elif all(map(re.compile(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,9})?\Z").match, texts)):
        pytest.fail(f"{texts} are plain")


@given(st.lists(st.text("0123456789.,eE+-", max_size=6) | st.floats(0, 1).map(repr), max_size=4))
@example(["-0", "0.5"])
def test_confidences_of_many_are_those_of_each(texts: list[str]) -> None:
    made = plain_confidences(texts)
    assert made is None or repr(made) == repr([float(text) for text in texts])  # of zeros, too


INTERVALS = st.tuples(
    st.sampled_from(["0", "0.5", "1.25", "0.1234567891", "1e-3", "2", "-1", "x", '"'])
    | st.integers(0, 9).map(str),
    st.sampled_from(["3", "2.5", "4.0000000001", "0", "<x>"]) | st.integers(3, 9).map(str),
    st.text('a "\n!<é\u2028𝄞', max_size=4).map(lambda text: text.replace('"', '""')),
    st.sampled_from(
        [
            '{} {} "{}"',
            '\n intervals [1]:\n  xmin = {} \n  xmax = {} \n  text = "{}" ',
            '! 1 2\n{}\n{} ! no\n"{}"',
            'from {} to {} "{}"',
            '{} {}"{}"',
            '{}{} "{}"',
        ]
    ),
)


@given(st.lists(INTERVALS, max_size=8), st.integers(-1, 1), st.sampled_from(["lenient", "default"]))
def test_intervals_of_textgrids(
    intervals: list[tuple[str, str, str, str]], more: int, tolerance: str
) -> None:
    body = "\n".join(layout.format(begin, end, text) for begin, end, text, layout in intervals)
    text = (
        f'"ooTextFile" "TextGrid" 0 9 <exists> 2 "IntervalTier" "one" 0 9 '
        f'{len(intervals) + more} {body} "IntervalTier" "two" 0 9 1 0 9 "end"'
    )

    def found() -> object:
        with open_source(StringIO(text), tolerance=tolerance) as source:
            try:
                segments = list(by_name("textgrid").read(source))
            except FormatError as error:
                return str(error)
            return [(s, s.line) for s in segments], source.log.entries()

    quick = found()
    parser = "formats.annotation.textgrid_parser"
    with patch(f"{parser}.compiled", lambda _: None):
        assert found() == quick
        with patch(f"{parser}.INTERVAL", re.compile("(?!)")):
            assert found() == quick
