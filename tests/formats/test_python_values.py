"""Values as Python prints them are read as the JSON that they mean."""

from io import BytesIO
from pprint import pformat

import pytest

import formats
from formats.detection.python_values import as_json
from formats.json.messages import PYTHON_VALUES
from tests.each_case import each_case
from tests.formats.checks import codes

CUES = [
    {"text": "it's so", "start": 0.0, "duration": 1.5},
    {
        "text": 'the "year" – and a line that is long enough to be broken',
        "start": 2.0,
        "duration": 3.25,
    },
    {"text": "naïve\nwords", "start": 6.5, "duration": 1.0},
]
PRINTED = {
    "lines": "".join(f"{cue}\n" for cue in CUES),
    "list": f"{CUES}\n",
    "list over lines": "[\n" + ",\n".join(map(str, CUES)) + ",\n]\n",
    "pprint": pformat(CUES, width=40) + "\n",
    "classes": "".join(
        f"Snippet(text={cue['text']!r}, start={cue['start']}, duration={cue['duration']})\n"
        for cue in CUES
    ),
    "list of classes": "["
    + ", ".join(
        f"Segment(id={n}, start=np.float64({cue['start']}), end=None, duration={cue['duration']}, "
        f"text={cue['text']!r}, words=None, is_final=True)"
        for n, cue in enumerate(CUES)
    )
    + "]",
}  # fmt: skip


def read(text: str, name: str = "talk.txt", format: str | None = None) -> formats.Transcript:  # noqa: A002
    source = BytesIO(text.encode())
    source.name = name
    return formats.read(source, format)


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED.keys())
def test_printed_values_are_read_as_json(text: str) -> None:
    transcript = read(text)
    assert [" ".join(map(str, s.words)) for s in transcript] == [
        " ".join(str(cue["text"]).split()) for cue in CUES
    ]
    assert [(s.start, s.end) for s in transcript] == [(0.0, 1.5), (2.0, 5.25), (6.5, 7.5)]
    assert any(d.value.entry is PYTHON_VALUES for d in transcript.diagnostics)


def test_tuples_are_lists() -> None:
    transcript = read("[(0.0, 1.5, 'so it was'), (2.0, 3.5, \"it's so\")]")
    assert [(s.start, s.end, " ".join(map(str, s.words))) for s in transcript] == [
        (0.0, 1.5, "so it was"), (2.0, 3.5, "it's so"),
    ]  # fmt: skip


def test_a_format_that_is_named_reads_them_and_txt_reads_words() -> None:
    assert len(read(PRINTED["lines"], format="jsonl")) == 3
    (words,) = read(PRINTED["lines"], format="txt")
    assert words.words[0] == "{'text':"


def test_nothing_is_evaluated() -> None:
    text = "{'text': __import__('os').getcwd(), 'start': 0.0}\n"
    with pytest.raises(formats.FormatError):
        read(text, format="jsonl")


@each_case(
    "text",
    [
        '{"text": "so"}', "['tis] so it was", "(well 'so') it was", "[0:12] so", "{so} it 'was'",
        "Ann(so): it='was'", "('Hello,' he said)", "Step(1) so",
    ],
)  # fmt: skip
def test_json_and_sentences_are_no_printed_values(text: str) -> None:
    assert as_json(text) is text
    assert "PYTHON-VALUES" not in codes(read(text, "talk.txt", format="txt"))


SCRIPTS = {
    "names without quotes": "[{start: 0, text: 'so'}, {start: 1.5, text: 'no'}]",
    "variable": 'var cues = [\n {start: 0, text: "so"},\n {start: 1.5, text: "no",},\n];\n',
    "module": "// cues\nexport const cues = [\n  {start: 0, text: `so`}, /* two */\n"
    "  {start: 1.5, text: 'no'}, // last\n];\n\nexport default cues;\n",
    "types": "import { Cue } from './cue';\n\nconst cues: Cue[] = [{start: 0, text: 'so'}, "
    "{start: 1.5, text: 'no'}] as const;\nmodule.exports = { cues };\n",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_the_only_value_of_a_script_is_read_as_json(text: str) -> None:
    transcript = read(text, "talk.js")
    assert [(s.start, " ".join(map(str, s.words))) for s in transcript] == [(0, "so"), (1.5, "no")]
    assert any(d.value.entry is PYTHON_VALUES for d in transcript.diagnostics)


def test_a_program_is_no_transcript() -> None:
    text = "const cues = [{start: 0, text: 'so'}];\nfunction show() {\n  return cues;\n}\n"
    with pytest.raises(formats.FormatError):
        read(text, "talk.js")


MESSAGE = """results {
  alternatives {
    transcript: "caf\\303\\251 it is"
    confidence: 0.5
    words {
      start_time {
        nanos: 500000000
      }
      end_time {
        seconds: 1
      }
      word: "caf\\303\\251"
    }
  }
}
"""


def test_a_message_of_protobuf_is_read_as_json() -> None:
    transcript = read(MESSAGE.replace('"caf\\303\\251 it is"', '"café"'))
    (segment,) = transcript
    assert (segment.words, segment.start, segment.end) == (("café",), 0.5, 1.0)
    assert any(d.value.entry is PYTHON_VALUES for d in transcript.diagnostics)
    assert as_json(MESSAGE + "}\n") == MESSAGE + "}\n"


ROWS = [
    ("Ann Ex", "Okay, so we're here. It's late", 4.5, 7.25),
    ("Ben", "yes: it is", 9.5, 12.0),
    ("Ann Ex", "(then) we go", 15.0, 17.5),
]


@each_case("form", [
    "Segment{{index={n}, name='{who}', text='{text}', start={start}, end={end}}}\n",
    "Segment[index={n}, name={who}, text={text}, start={start}, end={end}]\n",
    "Segment(index={n}, name={who}, text={text}, start={start}, end={end})\n",
    "Segment{{name='{who}', start=0:0:{start}, end=0:0:{end}, text='{text}'}}\n\n",
])  # fmt: skip
def test_objects_as_java_prints_them_are_objects(form: str) -> None:
    text = "".join(
        form.format(n=n, who=who, text=said, start=start, end=end)
        for n, (who, said, start, end) in enumerate(ROWS)
    )
    source = BytesIO(text.encode())
    source.name = "a.txt"
    read = formats.read(source)
    assert [(s.speaker, " ".join(s.words), s.start, s.end) for s in read] == ROWS


@each_case("text", [
    "Segment{index=1, text='so'}\nwell then\n",
    "So (as x=1) it is\nSo (as x=2) it was\n",
    "Wait{a=1}\nWait{b=1}\n",
    "S[a=1, b=2]\n",
])  # fmt: skip
def test_other_lines_with_brackets_are_no_objects(text: str) -> None:
    assert as_json(text) == text
