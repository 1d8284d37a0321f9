"""Invalid JSON and manifests, each with its message: `refusals.txt` has a format, a text, a message."""

import re
from io import BytesIO
from pathlib import Path

import pytest

import formats

TEXT = Path(__file__).with_name("refusals.txt").read_bytes().decode()
CASES = re.findall(r"^== (\S+)\n(.*?)\n-> ([^\n]*)\n", TEXT, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("name", "text", "message"), CASES)
def test_an_invalid_file_is_rejected_with_its_place(name: str, text: str, message: str) -> None:
    with pytest.raises(formats.FormatError) as caught:
        formats.read(BytesIO(text.encode()), name, recording="rec")
    assert str(caught.value) == message


def test_every_case_is_read() -> None:
    assert len(CASES) == TEXT.count("\n-> ") > 100
