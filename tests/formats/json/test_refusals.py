"""Invalid JSON and manifests, each with its message: `refusals.txt` has a format, a text, a message."""

import re
from io import BytesIO
from pathlib import Path

import pytest

import formats
from formats.json.messages import JSONL_TEXT, NEMO_NAMES, NEMO_TEXT
from formats.manifests.messages import LJSPEECH_FIELDS, NO_TEXT
from formats.schema.messages import Message
from tests.each_case import each_case

TEXT = Path(__file__).with_name("refusals.txt").read_bytes().decode()
TEXT_NAMES = ["text", "sentence", "transcription", "transcript"]
CASES = re.findall(r"^== (\S+)\n(.*?)\n-> ([^\n]*)\n", TEXT, re.DOTALL | re.MULTILINE)


@each_case(("name", "text", "message"), CASES)
def test_an_invalid_file_is_rejected_with_its_place(name: str, text: str, message: str) -> None:
    with pytest.raises(formats.FormatError) as caught:
        formats.read(BytesIO(text.encode()), name, recording="rec")
    assert str(caught.value) == message


def test_every_case_is_read() -> None:
    assert len(CASES) == TEXT.count("\n-> ") > 100


@each_case(
    ("name", "text", "place", "value"),
    [
        (
            "ljspeech",
            "a|b\nc|d|e|f\n",
            "2",
            Message(LJSPEECH_FIELDS, {"numbers": [2, 3], "fields": 4}),
        ),
        (
            "nemo",
            '{"audio_filepath": "a/x.wav", "text": ""}\n{"audio_filepath": "b/x.wav", "text": ""}\n',
            "2:1",
            Message(NEMO_NAMES, {"path": "$", "name": "b/x.wav", "before": "a/x.wav"}),
        ),
        ("nemo", '{"audio_filepath": "x"}\n', "", Message(NEMO_TEXT, {"field": "text"})),
        ("jsonl", '{"id": "a"}\n', "1", Message(NO_TEXT, {"names": TEXT_NAMES, "found": ["id"]})),
        (
            "jsonl",
            '{"text": "a"}\n{"text": 5}\n',
            "2:10",
            Message(JSONL_TEXT, {"path": "$.text", "found": "5"}),
        ),
        ("csv", "a,b\n", "1", Message(NO_TEXT, {"names": TEXT_NAMES, "found": ["a", "b"]})),
    ],
)
def test_an_error_advises_an_option(name: str, text: str, place: str, value: Message) -> None:
    with pytest.raises(formats.FormatError) as caught:
        formats.read(BytesIO(text.encode()), name, recording="rec")
    assert caught.value.value == value
    assert str(caught.value) == f"<stream>{place and f':{place}'}: {value}"
