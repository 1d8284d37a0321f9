"""What the contract suite wants to know of a format, and strategies that formats share.

Each family of formats has modules ``tests/formats/<family>/*cases.py`` with a list `CASES` and a
dictionary `STRATEGIES`: for each format that is written, lists of segments that it holds in full.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from formats.reading.silence import is_silence

__all__ = [
    "HELLOS",
    "MILLISECONDS",
    "NAMES",
    "ODD_JSON_WORD",
    "ODD_WORD",
    "RECORDS_HELD",
    "TOGETHER",
    "TOLD_FOR",
    "WORDS",
    "Case",
    "json_case",
    "sample",
    "words_together",
]

ODD_WORD = "a\u2028b\x85c\xa0d\u3000e\x1cf\u200dg😀\u0301\u202eh"
"""Characters that other programs take for blanks, line ends or nothing."""


TOLD_FOR = 100_000
"""The records that `Case.segments` and `Case.objects_kept` are told for."""
RECORDS = 8_000
RECORDS_HELD = 1_000
"""Records of a long file, and of one that is held whole, which shows nothing of memory."""
TOGETHER = 10
"""Words of an utterance: about as many as recognisers put into a segment."""
HELLOS = " ".join(["hello"] * TOGETHER)


def words_together(number: int, word: Callable[[int], str], between: str = ",") -> str:
    """The words of an utterance with this number; `word` writes one from its own."""
    first = number * TOGETHER
    return between.join(map(word, range(first, first + TOGETHER)))


def sample(name: str) -> str:
    """The text of a file of the folder ``samples``."""
    return Path(__file__).with_name("samples").joinpath(name).read_bytes().decode()


@dataclass(frozen=True)
class Case:
    """One format: a sample of our own and what it says."""

    name: str
    sample: str
    """Holds the word ``hello`` somewhere."""
    words: list[tuple[str, ...]]
    """The words of each segment of the sample."""
    suffix: str | None = ""
    """Ending of a file name, where content alone does not tell the format; `None` where a name
    does not either."""
    line: Callable[[int], str] | None = None
    """One record of a long file, from its number."""
    utterance: Callable[[int], str] | None = None
    """A record of `TOGETHER` words with times, one segment, from its number: for formats
    whose records are words, but whose segments, of many, they do not share with others."""
    segments: int = TOLD_FOR
    """How many segments `TOLD_FOR` of them give; thousands grow with the records, others do not."""
    objects_kept: int | None = None
    """How many objects may pile up while as many are read; `None` where the whole file is held."""
    before: str = ""
    after: str = ""
    """What stands around the records of a long file."""
    rewritten: str | None = None
    """What writing the sample gives, where that is not the sample itself."""
    lost: tuple[str, ...] = ()
    """Names of the losses when the sample is written in its own format."""
    lost_always: tuple[str, ...] = ()
    """Names of the losses when what `STRATEGIES` draws is written."""
    empty: str | None = ""
    """What an empty transcript is written as; `None` if that is refused."""
    odd_word: str = ODD_WORD
    """A word with odd characters as the format writes it."""
    odd_word_read: str | None = None
    """The same as read, if it is written differently."""
    pack: Callable[[str], bytes] = str.encode
    """The bytes of a file, from a text like the sample: more than encoding in a binary format."""
    read_options: Mapping[str, Any] = field(default_factory=dict)
    write_options: Mapping[str, Any] = field(default_factory=dict)
    beside: tuple[str, Callable[[int], str]] | None = None
    """An option that names a file, and the line of it that belongs to a record of a long file."""

    @cached_property
    def sample_bytes(self) -> bytes:
        """The file whose text is the sample."""
        return self.pack(self.sample)

    @cached_property
    def signs(self) -> bytes:
        """Bytes that damage is made of: the signs of the sample, and some that all formats get."""
        own = {byte for byte in self.sample_bytes if not chr(byte).isalnum()}
        return bytes(sorted(own.union(b"\0 (){}<>@/;*\n\r\t.-019nutxe\xc3\xff")))

    @property
    def records(self) -> int:
        """How many records its long file has."""
        return RECORDS_HELD if self.objects_kept is None else RECORDS

    def long(self, folder: Path) -> tuple[bytes, dict[str, Any]]:
        """A long file, and the options to read it with; what it needs is put into the folder."""
        assert self.line is not None
        records = self.records
        options = dict(self.read_options)
        if self.beside is not None:
            option, line = self.beside
            options[option] = str(folder / option)
            (folder / option).write_text("".join(map(line, range(records))), "utf-8")
        return self.packed(self.line, records), options

    def packed(self, line: Callable[[int], str], records: int) -> bytes:
        """A file of so many records."""
        return self.pack(f"{self.before}{''.join(map(line, range(records)))}{self.after}")


ODD_JSON_WORD = ODD_WORD.replace("\x1c", "\\u001c")
json_case = partial(Case, suffix=".json", odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD)

WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\v\f\r\0{}@/()<>;*"),
    min_size=1,
    max_size=6,
)
# a label of signs alone is a pause; its writer says that it is lost as a word
SPOKEN = WORDS.filter(lambda word: not is_silence(word))
NAMES = WORDS.filter(lambda name: name[0] != "-")
MILLISECONDS = st.integers(0, 10**7).map(lambda n: n * 10**6)
