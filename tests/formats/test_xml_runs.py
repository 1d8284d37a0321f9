"""Paragraphs cut from the text of a document are what its parser makes of them."""

from __future__ import annotations

from io import BytesIO, StringIO
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import XMLPullParser

from formats.errors import FormatError
from formats.registry import by_name
from formats.source import open_source
from formats.xml_runs import AlikeParagraphs
from tests.formats.test_contract import CASES

TIMES = ("begin", "end", "dur", "x:begin")
NAMES = ("ttm:agent", "xml:id", "region", "xml:space", "tts:color")
PLAIN_TIMES = ("0.5s", "00:00:01.500", "3s", "2s")
VALUES = ("a1", "a 2", "", "preserve")
ODD_VALUES = ("-1s", "x", "a&amp;b", "a\tb", "é \u2028", "'")
PIECES = ("hello", "wörld", "a  b\n c", "", " ", "]]", "it's", "😀")
ODD_PIECES = (
    "&lt;", "<span>w</span>", "<!-- <p>c</p> -->", "<![CDATA[<p>x</p>]]>", "&foo;", "]]>", "\x01", "\ufffe", "<p>in</p>",
    "<span begin='1s' end='2s'>w</span>", "<br></br>",
)  # fmt: skip
BETWEEN = ("\n", "", "\n  ", "\n" * 3)
ODD_BETWEEN = (
    "words", "<!-- <p begin='1s'>c</p>\n -->", "</div><div begin='1s' timeContainer='seq'>", "</div><div xmlns:x='urn:y'>",
    "<metadata><p>m</p></metadata>", "<q>", "</p>", "&foo;", "<head><style xml:id='s'/></head>",
)  # fmt: skip


@st.composite
def ttml_documents(draw: st.DrawFn) -> str:
    """Paragraphs in a row, most of them alike, with what may stand between and in them."""
    prefix = draw(st.sampled_from(["", "", "tt:"]))
    forms = draw(
        st.lists(st.lists(st.sampled_from(TIMES + NAMES), unique=True), min_size=1, max_size=2)
    )
    odd = draw(st.sampled_from([0, 0, 0, 1]))
    times = st.sampled_from(PLAIN_TIMES * 3 + ODD_VALUES * odd)
    values = st.sampled_from(VALUES + ODD_VALUES * odd)
    pieces = st.lists(st.sampled_from(PIECES + ODD_PIECES * odd), min_size=1, max_size=3)
    breaks = st.sampled_from([f"<{prefix}br/>", f"<{prefix}br/>", f"<{prefix}br />"])

    def paragraph() -> str:
        names = draw(st.sampled_from(forms))
        quote = draw(st.sampled_from(['"', '"', '"', "'"])) if odd else '"'
        said = "".join(
            f" {name}={quote}{draw(times if name in TIMES else values)}{quote}" for name in names
        )
        body = draw(breaks).join(draw(pieces))
        return f"<{prefix}p{said}>{body}</{prefix}p>" + draw(
            st.sampled_from(BETWEEN + ODD_BETWEEN * odd)
        )

    body = "".join(paragraph() for _ in range(draw(st.integers(0, 9))))
    named = f"xmlns{':tt' if prefix else ''}='urn:tt' xmlns:ttm='urn:m' xmlns:tts='urn:s'"
    end = f"</div></{prefix}body></{prefix}tt>"
    return f"<{prefix}tt {named} xmlns:x='urn:x'><{prefix}body><div>\n{body}{end}"


def of_ttml(text: str, tolerance: str = "lenient", is_coded: bool = False) -> object:
    target = BytesIO(text.encode()) if is_coded else StringIO(text)
    with open_source(target, tolerance=tolerance) as source:
        found: list[object] = []
        try:
            for segment in by_name("ttml").read(source):
                found += [segment, segment.line]
        except FormatError as error:
            found.append(str(error))
        return found, source.log.entries()


@given(ttml_documents(), st.sampled_from(["lenient", "default"]), st.integers(50, 900))
def test_paragraphs_alike_are_those_that_are_parsed(text: str, tolerance: str, block: int) -> None:
    with patch("formats.source.BLOCK", block):
        found = of_ttml(text, tolerance)
        with patch("formats.xml_runs.MOST_TRIES", 0):
            assert of_ttml(text, tolerance) == found


@given(
    ttml_documents(), st.data(), st.sampled_from([*list("\"'<>/&= \t"), '"" a', '" b="', "</p>"])
)
def test_damaged_paragraphs_are_what_the_parser_makes_of_them(
    text: str, chosen: st.DataObject, sign: str
) -> None:
    place, length = chosen.draw(st.integers(0, len(text))), chosen.draw(st.integers(0, 3))
    damaged = text[:place] + sign + text[place + length :]
    found = of_ttml(damaged)
    with patch("formats.xml_runs.MOST_TRIES", 0):
        assert of_ttml(damaged) == found


ALIKE = '<p begin="5s">a</p><p begin="6s">b</p>'


@pytest.mark.parametrize(
    "body",
    [
        f"{ALIKE}{ALIKE}<q></p>",
        f'{ALIKE}<p begin="7s">\n\ufffe</p>{ALIKE}',
        f'{ALIKE}<p begin="7s">\ud800</p>{ALIKE}',
        f'{ALIKE}<p begin="7\ud800s">a</p>{ALIKE}',
        f'{ALIKE}<p begin="7\ts">a</p>{ALIKE}',
        "".join(f"<p begin='1s' end=\"{n}s\">a</p>" for n in range(1, 9)),
        f'<div xmlns:z="u"><p begin="1s" z:a="">a</p></div>{ALIKE}<p begin="1s" z:a="">b</p>{ALIKE}',
        f'<p begin="1s"><!-- {ALIKE} -->{ALIKE}{ALIKE} c</p>',
        f"<!-- {ALIKE}{ALIKE} -->{ALIKE}{ALIKE}",
        f"{ALIKE}<!-- {ALIKE}{ALIKE} -->",
        f"<![CDATA[{ALIKE}{ALIKE}]]>",
        f'<?pi {ALIKE}{ALIKE} ?><p begin="1s">a</q>',
        f"{ALIKE}{ALIKE}words{ALIKE}",
        f'{ALIKE}<p begin="7s"">c</p>{ALIKE}',
        f'{ALIKE}<p begin="7s"" end>c</p>{ALIKE}',
        f'{ALIKE * 2}<p begin="1s">a\u2028 \x85</p>{ALIKE}',
        "".join(f'{ALIKE}<br a{n}=""/><p begin="1s" c{n}="">c</p>{ALIKE}' for n in range(99)),
    ],
)
def test_what_looks_alike_is_what_it_is(body: str) -> None:
    # what is odd near the begin is read with care anyway
    text = f"<tt><!-- {'a long note ' * 999} --><body><div>{body}</div></body></tt>"
    found = of_ttml(text)
    with patch("formats.xml_runs.MOST_TRIES", 0):
        assert of_ttml(text) == found


@pytest.mark.parametrize(("size", "is_coded"), [(0, False), (1 << 16, True)])
def test_what_follows_a_reference_that_is_not_known(size: int, is_coded: bool) -> None:
    """The parser raises nothing, and would take the next block for another document."""
    before = f"<tt><!-- {'a long note ' * 999} --><body>\n\n<p>&foo;</p>"
    text = f"{before}<tt><body>{ALIKE}{ALIKE}{ALIKE}\n".ljust(2 * len(before)) + "</body></tt>"
    with patch("formats.source.BLOCK", size or len(before)):
        found = of_ttml(text, is_coded=is_coded)
        with patch("formats.xml_runs.MOST_TRIES", 0):
            assert of_ttml(text, is_coded=is_coded) == found


@pytest.mark.parametrize("said", ["é", "é\n\n<br/>", "", "<br/>", "\né", "<br/>\n\na"])
@pytest.mark.parametrize("between", ["", "\n", "\n<!-- <p>no</p> -->\n", "</div>\n<div>"])
def test_lines_of_paragraphs_alike(said: str, between: str) -> None:
    alike = "".join(
        f'<p begin="{n}s">{("é", said)[n % 9 in (0, 4)]}</p>{between * (n % 9 in (0, 8))}'
        for n in range(99)
    )
    more = alike.replace("begin", "dur")
    text = f"<tt><body>\n<div>{alike}</div>{chr(10) * 65_600}<div>{alike}{more}</div></body></tt>"
    found = of_ttml(text)
    with patch("formats.xml_runs.MOST_TRIES", 0):
        assert of_ttml(text) == found


def test_paragraphs_alike_are_taken_from_the_text() -> None:
    alike = "".join(f'<p begin="{n}s" end="{n + 1}s">hello<br/>{n}</p>\n' for n in range(99))
    runs = AlikeParagraphs()
    runs.feed(XMLPullParser(("end",), tag="p"), f"<tt><body>{alike}</body></tt>")
    given = [(element.get("begin"), [*runs.following]) for _, element in runs.read_events()]
    assert [begin for begin, _ in given] == ["0s", "98s"]
    taken = [
        (("begin", "end"), [f"{n}s", f"{n + 1}s"], ["hello", f"{n}"], n + 1) for n in range(99)
    ]
    assert given[0][1] == taken[1:-1]


@pytest.mark.parametrize("block", [40, 64, 1 << 16])
@pytest.mark.parametrize("name", ["eaf", "exb", "mgb", "srv", "ttml"])
def test_a_reference_that_is_not_known_is_told_where_it_stands(name: str, block: int) -> None:
    whole = next(case.sample for case in CASES if case.name == name)
    begin, _, rest = whole.partition("hello")
    # after it another document could begin in the next block
    text = f"{begin}\n&foo; ".ljust(len(begin) + 2 * block) + whole + rest
    with (
        patch("formats.source.BLOCK", block),
        open_source(StringIO(text)) as source,
        pytest.raises(FormatError) as caught,
    ):
        list(by_name(name).read(source))
    line = begin.count("\n") + 2
    assert str(caught.value).startswith(f"<stream>:{line}:")
    assert str(caught.value).endswith("expected well-formed XML, found Entity 'foo' not defined")
