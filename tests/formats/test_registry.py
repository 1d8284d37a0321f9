"""Which format a name, a file name or a text means."""

import inspect
import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest

import formats
from formats import AmbiguousFormatError, EncodingFormatError, UnknownFormatError
from formats.detection import (
    all_formats,
    by_name,
    by_suffix,
    listed_formats,
    names,
    rules,
)
from formats.detection.head import Head
from formats.detection.signs import nearest
from formats.detection.spec import FEATURES, FormatSpec, Option, Sniff, loaded_later
from formats.io.messages import (
    BY_CONTENT,
    EMPTY_UNKNOWN,
    NO_SENTENCE,
    SEVERAL_FORMATS,
    UNKNOWN,
    UNKNOWN_BUT,
    UNKNOWN_JSON,
)
from formats.io.source import open_source
from formats.kaldi.text import TABLE_OPTIONS
from formats.reading import detect_source
from formats.reading.label_speakers import LABEL_IS
from formats.schema.messages import Entry
from formats.subtitles.cue_reading import READ_OPTIONS
from formats.subtitles.segmentation import CUE_OPTIONS
from tests.each_case import each_case
from tests.formats.case import Case
from tests.formats.checks import message_text, remark_line
from tests.formats.test_contract import CASES
from tests.remarks import plain
from tests.tables import table_of

SHARED = {"options": READ_OPTIONS, "limits": CUE_OPTIONS, "tables": TABLE_OPTIONS}
"""What the further keywords of a reader or writer are, by the name they go under."""
WriteFile = Callable[[str, "str | bytes"], str]
LOADED_LATER = loaded_later(lambda: print).__qualname__


def test_names_and_suffixes_are_unique() -> None:
    assert len(set(names())) == len(names())
    assert all(name == name.lower() for name in names())
    suffixes = [suffix for spec in all_formats() for suffix in spec.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix == suffix.lower() and suffix[0] in "./" for suffix in suffixes)


@each_case(
    "text",
    ["[1]", '{"segments": [{"text": "a"}]}', '{"a": 1}\n{"b": 2}\n', "<Trans/>", "<html/>"],
)
def test_detection_asks_each_rule_once(
    text: str, write_file: WriteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[tuple[str, str]] = Counter()
    for name in ("has_path", "has_root"):
        has = getattr(rules, name)

        def counted(head: Head, rule: str, has: Callable[[Head, str], bool] = has) -> bool:
            asked[head.text, rule] += 1  # the content of a member has a head of its own
            return has(head, rule)

        monkeypatch.setattr(rules, name, counted)
    with suppress(UnknownFormatError):
        formats.detect(write_file("a", text))
    assert len(asked) > 10
    assert set(asked.values()) == {1}


@each_case(
    ("path", "text"),
    [
        ("a.b?.c", '{"a": {"c": 1}}'),
        ("a+b?.c", '{"a": 0, "c": 1}'),
        ("a.b/c", '{"a": {"c": 1}}'),
        ("a.**.c", '{"a": {"x": {"c": 1}, "y": {"c": 2}}}'),
        ("a.c*", '{"a": {"cd": 1}}'),
        ("a[].c=", '[[{"a": [{"c": ""}]}]]'),
        ("{c+b?}", '{"c": 1}'),
        ("[].c=x*|y", '[{"c": "xz"}]'),
        ("$.a+c=##", '{"a": 1, "c": 1000}'),
    ],
)
def test_a_rule_holds_without_members_that_it_does_not_need(path: str, text: str) -> None:
    assert rules.has_path(Head([text]), path)
    assert not rules.has_path(Head([text.replace('"c', '"_c')]), path)


@each_case("spec", all_formats())
def test_options_are_those_of_the_functions(spec: FormatSpec) -> None:
    functions: list[tuple[Callable[..., object], tuple[Option, ...]]]
    functions = [(spec.read, spec.read_options)]
    if spec.write is not None:
        functions.append((spec.write, spec.write_options))
    for function, options in functions:
        if getattr(function, "__qualname__", "") == LOADED_LATER:
            function = inspect.getclosurevars(function).nonlocals["load"]()
        parameters = inspect.signature(function).parameters.values()
        keywords = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        if hasattr(function, "__wrapped__"):
            wrapping = (LABEL_IS,) if LABEL_IS in options else READ_OPTIONS
            keywords.update({option.name: option.default for option in wrapping})
        for shared in (SHARED[p.name] for p in parameters if p.kind is p.VAR_KEYWORD):
            keywords.update({option.name: option.default for option in shared})
        assert keywords == {option.name: option.default for option in options}
        assert all(not o.choices or o.default in o.choices for o in options)
    assert spec.title
    assert spec.sign
    assert set(spec.needs) <= set(spec.holds) <= set(FEATURES)


def test_an_unknown_feature_is_refused() -> None:
    spec = by_name("trn")
    with pytest.raises(ValueError, match="no such feature: smells"):
        FormatSpec(
            title="x", sign="x", read=spec.read, write=None, sniff=spec.sniff,
            holds=("smells",),
        )  # fmt: skip


def test_by_name() -> None:
    assert by_name("STM").name == "stm"
    with pytest.raises(UnknownFormatError) as caught:
        by_name("smt")
    assert caught.value.candidates[0] == "stm"
    meant = " or ".join(caught.value.candidates)
    assert str(caught.value) == (
        f'expected the name of a format (`formats list` shows all), found "smt"; did you mean {meant}?'
    )
    with pytest.raises(UnknownFormatError) as caught:
        by_name("zzzzz")
    assert caught.value.candidates == names()


@pytest.mark.parametrize(
    ("path", "name"), [("a.trn", "trn"), ("a.STM.GZ", "stm"), ("a.ctm.gz", "ctm"), ("a.txt", "txt")]
)
def test_by_suffix(path: str, name: str) -> None:
    spec = by_suffix(path)
    assert spec is not None
    assert spec.name == name


@each_case("path", ["a", "trn", "a.gz", "a.trn.bak", ""])
def test_no_suffix(path: str) -> None:
    assert by_suffix(path) is None


@each_case(("name", "content", "expected"), table_of(__file__, "detect"))
def test_detect(write_file: WriteFile, name: str, content: str, expected: str) -> None:
    assert formats.detect(write_file(name, content)) == expected


def test_a_contradicting_suffix_draws_a_warning(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("x.stm", "hello (a-1)\n"))
    assert [str(d) for d in transcript.diagnostics] == [
        remark_line(BY_CONTENT, file="x.stm", format="trn", suggested="stm")
    ]


def test_an_explicit_name_always_wins(write_file: WriteFile) -> None:
    transcript = formats.read(write_file("x.stm", "hello (a-1)\n"), "txt")
    assert transcript[0].words == ("hello", "(a-1)")


@each_case(
    ("content", "kind", "likely"),
    [
        (
            "hello\n",
            (UNKNOWN, ""),
            ["txt (possible)", "txt-lines (possible)", "kaldi (possible)"],
        ),
        (
            "f 1 0.0 0.2 5\n",
            (UNKNOWN, ""),
            ["stm (likely)", "ctm (likely)", "txt (possible)"],
        ),
        (
            '{"hypotheses": [], "words": [{"word": "a", "score": 1}]}',
            (UNKNOWN_BUT, 'JSON with "hypotheses", "words"'),
            [
                'bbc-kaldi (the file has no member "punct")',
                'whisperx (the file has no member "segments")',
                'kaldi-gstreamer (the file has no member "result")',
            ],
        ),
        (
            "<html/>",
            (UNKNOWN_BUT, 'XML with the root element "html"'),
            [
                "eaf (the root element is not ANNOTATION_DOCUMENT)",
                "trs (the root element is not Trans)",
                "chat-xml (the root element is not CHAT)",
            ],
        ),
    ],
)
def test_an_unknown_format_is_told_with_the_three_likeliest_and_what_is_against_them(
    write_file: WriteFile, content: str, kind: tuple[Entry, str], likely: list[str]
) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        formats.detect(write_file("x", content))
    value = caught.value.value
    assert value is not None
    assert (value.entry, plain(value.fields.get("content", ""))) == kind
    assert list(map(plain, value.fields["likely"])) == likely
    assert str(caught.value) == f"x: {value}"
    assert len(caught.value.candidates) == 3
    assert len(plain(value)) < 300, "the end of a longer message is not seen"
    assert [each.partition(" (")[0] for each in likely] == list(caught.value.candidates)


@each_case(
    ("content", "entry", "members"),
    [
        ('{"' + "a" * 60 + '": 1, "b": 2, "c": 3}', NO_SENTENCE, f'JSON with "{"a" * 60}", …'),
        ('[["so it is then", 3]]', UNKNOWN_JSON, "JSON"),
        ('{"plan": {"goal": "so it is then"}}', UNKNOWN_JSON, 'JSON with "plan"'),
    ],
)
def test_json_without_a_part_of_any_format_is_said_to_have_no_texts(
    write_file: WriteFile, content: str, entry: Entry, members: str
) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        formats.detect(write_file("x", content))
    value = caught.value.value
    assert value is not None
    assert (value.entry, plain(value.fields["content"])) == (entry, members)


def test_an_empty_file_is_of_no_format_and_may_be_of_any(write_file: WriteFile) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        formats.detect(write_file("x", "\n"))
    assert str(caught.value) == (f"x: {message_text(EMPTY_UNKNOWN)}")
    assert caught.value.candidates == names()


def test_two_sure_formats_are_an_error_naming_both() -> None:
    text = b'{"transcription": [{"offsets": {}, "text": ""}], "monologues": []}'
    with open_source(BytesIO(text)) as source, pytest.raises(AmbiguousFormatError) as caught:
        detect_source(source)
    assert str(caught.value) == (
        f"<stream>: {message_text(SEVERAL_FORMATS, names=['whispercpp', 'revai'])}"
    )
    assert caught.value.candidates == ("whispercpp", "revai")


def test_binary_content_is_told_as_such(write_file: WriteFile) -> None:
    with pytest.raises(EncodingFormatError) as caught:
        formats.detect(write_file("x.trn", b"\x7fELF\x01\x01\x00\x00\x00"))
    assert str(caught.value) == (
        "x.trn:1:7: expected text, found a NUL byte: the file is binary or damaged"
    )


JSON_SAMPLES = [case for case in CASES if by_name(case.name).shape == "json" and case.suffix == ""]


@each_case("case", JSON_SAMPLES, ids=lambda case: case.name)
def test_json_is_known_by_its_members_wherever_they_stand(case: Case) -> None:
    try:
        value = json.loads(case.sample)
    except ValueError:
        pytest.skip("several values in a row, which are looked at one by one")
    if isinstance(value, list):
        pytest.skip("a list, whose first element is looked at")
    if case.name == "speechbrain":
        pytest.skip("every member is an utterance")
    labels = [{"speaker": 1, "from": number, "to": number + 1} for number in range(3000)]
    text = json.dumps({"further": labels, **value})
    assert text.index('"further"') < 1 << 16 < len(text)
    assert formats.detect(BytesIO(text.encode())) == case.name


def test_a_long_object_of_no_known_format_is_told_by_all_its_members() -> None:
    text = json.dumps({"labels": [["x"] * 9] * 3000, "result": {}, "status": 0})
    with pytest.raises(UnknownFormatError) as caught:
        formats.detect(BytesIO(text.encode()))
    assert caught.value.value is not None
    content = caught.value.value.fields["content"]
    assert content.fields == {"members": ["labels", "result", "status"]}


ROW = {"text": "good day", "audio": {"path": "a.wav"}}


@each_case(
    ("content", "is_jsonl"),
    [
        (json.dumps(ROW), True),
        ("\n".join([json.dumps(ROW)] * 2), True),
        ("\n".join([json.dumps({**ROW, "labels": [{"a": 1}]})] * 2), True),
        (json.dumps([ROW, ROW], indent=1), True),
        (json.dumps(ROW, indent=1), True),
        (json.dumps({**ROW, "answer": {"title": "two words"}}, indent=1), False),
        (json.dumps({"transcript": {"text": "good day"}}), False),
        (json.dumps({"transcript": [{"text": "good day"}], "title": "x"}), False),
        (json.dumps({"text": "good day", "metadata": {"fps": 25}}), True),
    ],
)
def test_json_that_is_no_row_of_objects_is_not_taken_for_jsonl(
    write_file: WriteFile, content: str, is_jsonl: bool
) -> None:
    path = write_file("x.json", content + "\n")
    if is_jsonl:
        assert formats.detect(path) == "jsonl"
    else:
        with pytest.raises(UnknownFormatError):
            formats.detect(path)


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("is_list", [False, True])
def test_a_whole_transcript_with_words_is_json(
    write_file: WriteFile, indent: int | None, is_list: bool
) -> None:
    whole = {"status": "OK", "transcript": "good day", "words": [{"word": "good", "start": 1}]}
    path = write_file("x.json", json.dumps([whole] if is_list else whole, indent=indent))
    assert formats.detect(path) == "json"


def test_the_root_of_xml_is_found_behind_any_comments_in_no_time() -> None:
    head = Head(['<?xml version="1.0"?>', "<!-- a - b -- c -->" * 5, "<!DOCTYPE tt [ <!-- ] -->"])
    head += ["]>", "<x:tt>"]
    assert head.root == "tt"
    assert Head(["<!---->" * 9000]).root is None


def test_no_reader_is_sure_of_a_text_without_its_signs() -> None:
    texts = {case.name: case.sample_bytes.decode("utf-8", "surrogateescape") for case in CASES}
    signed = [listed for listed in listed_formats() if listed.signs]
    assert len(signed) > 50
    for number, listed in enumerate(signed):
        sniff = by_name(listed.name).sniff
        for text in (*list(texts.values())[number % 7 :: 7], texts.get(listed.name, ""), ""):
            head = Head(without_signs(text, listed.signs).split("\n"))
            assert not head.has_sign(listed.signs)
            assert sniff(head) <= Sniff.NO


LINES = ("u{0} a b", "u{0}\tx\ty", "{0}.0 {0}.5 a b", "{0},a,b", "ann: b {0}", "<{0}>", '["u{0}"]')


@each_case("line", LINES)
def test_the_likeliest_formats_are_the_first_of_all(line: str) -> None:
    """The three likeliest formats and their reasons are those of the full ranking."""
    for count in (1, 30):
        head = Head([line.format(number) for number in range(count)])
        specs = [by_name(listed.name) for listed in listed_formats()]
        answers = [(spec, spec.sniff(head)) for spec in specs if spec.shape == head.shape]
        every = nearest(head, answers, ("tsv", "csv"))
        assert len(every) == len(answers)
        assert nearest(head, answers, ("tsv", "csv"), 3) == every[:3]


def without_signs(text: str, signs: str) -> str:
    for sign in signs.split(" "):
        if sign == "␣0":  # a field that is a number
            text = re.sub(r"(?<=[ \t])([-+.]?\.?)[0-9]", r"\1x", text)
            continue
        removed = filter(str.isdigit, set(text)) if sign == "0" else [sign]
        for part in removed:
            text = text.replace(part, "")
    return re.sub(r"\n\s*", "\n", text) if "␣␣" in signs else text  # no line is indented
