"""Bytes to text, block by block."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.decoding import BadTextError, decode, gunzip_if_needed
from formats.diagnostics import DiagnosticLog


def pieces(data: bytes, size: int) -> Iterator[bytes | str]:
    return iter([data[i : i + size] for i in range(0, len(data), size)])


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=3), st.integers(1, 40))
def test_members_of_a_gzip_stream_come_out_whatever_the_blocks(
    members: list[bytes], size: int
) -> None:
    packed = b"".join(gzip.compress(member) for member in members)
    found = gunzip_if_needed(pieces(packed, size), "x", 1 << 20)
    assert b"".join(b for b in found if isinstance(b, bytes)) == b"".join(members)


def test_more_than_one_output_block_per_input_block() -> None:
    data = bytes(random.Random(3).choices(b"ab\n", k=2_000_000))
    found = gunzip_if_needed(iter([gzip.compress(data)]), "x", 1 << 30)
    assert b"".join(b for b in found if isinstance(b, bytes)) == data


@given(st.text(), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.integers(1, 7))
def test_text_comes_out_whatever_the_blocks(text: str, encoding: str, size: int) -> None:
    text = text.replace("\0", "").removeprefix("\ufeff")
    log = DiagnosticLog("x")
    data = text.encode(encoding)
    assert "".join(decode(pieces(data, size), encoding, log)) == text


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8")), st.integers(1, 7))
def test_what_is_good_comes_before_the_trouble(text: str, size: int) -> None:
    text = text.removeprefix("\ufeff")
    blocks = decode(pieces(b"a" + text.encode() + b"\xff more", size), "utf-8", DiagnosticLog("x"))
    found: list[str] = []
    with pytest.raises(BadTextError) as caught:
        found.extend(block for block in _recording(blocks, found))
    assert "".join(found) == "a" + text
    assert caught.value.found == "byte 0xFF"


def _recording(blocks: Iterator[str], found: list[str]) -> Iterator[str]:
    for block in blocks:
        found.append(block)
    yield from ()
