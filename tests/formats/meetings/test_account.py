"""The account of a text: each line is in the words, in a name, or counted in a remark."""

import random
import re
from io import BytesIO

import pytest

import formats
from formats.meetings.messages import (
    FIELDS_LEFT,
    MINUTES_LEFT,
    SPEAKER_TEXT_FOOTER,
    TURNS_ABOVE,
    TURNS_BETWEEN,
)
from formats.nist.messages import SPEAKER_TEXT as SPEAKER_TEXT_LIKELY
from formats.nist.messages import TXT_IDS, TXT_IDS_BEHIND, TXT_LEFT, TXT_MARKDOWN, TXT_NAMES
from formats.schema.messages import Entry
from tests.each_case import each_case
from tests.remarks import said

LETTERS = re.compile(r"[^\W\d_]+")
SENTENCES = (
    "well we went to the market in the morning",
    "yes and then it began to rain very hard",
    "so nobody could see the road any more",
    "I would not have gone there without a coat",
    "that is what my brother told me later",
    "and the dog was waiting at the door",
    "we laughed about it for a long time",
    "perhaps we should do it again in spring",
)
LAYOUTS = (
    ("Ann: {t}", "Bob: {t}"),
    ("[00:{i:02}] {t}",),
    ("[00:{i:02} - 00:{j:02}] {t}",),
    ("[00:{i:02}] Ann: {t}", "[00:{i:02}] Bob: {t}"),
    ("Ann (00:{i:02})\n{t}\n", "Bob (00:{i:02})\n{t}\n"),
    ("00:{i:02}\n{t}",),
    ("Ann Ex\n{t}\n", "Bob Ex\n{t}\n"),
    ("**Ann:** {t}\n", "**Bob:** {t}\n"),
    ("[SPEAKER_00] {t}", "[SPEAKER_01] {t}"),
    ("--- Speaker 1 ---\n[00:{i:02} - 00:{j:02}] {t}",),
    ("{t} [00:{i:02}]\n",),
    ("Ann: {t} #00:00:{i:02}-2#", "Bob: {t} #00:00:{i:02}-3#"),
    ("SPEAKER 1 0:00:{i:02}\n{t}\n", "SPEAKER 2 0:00:{i:02}\n{t}\n"),
    ("{n}\n00:00:{i:02},000 --> 00:00:{j:02},000\n{t}\n",),
    ("{t}.",),
    ("Ann Ex - {t}", "Bob Ex - {t}"),
    ("{t} (ann-{n})",),
    ("ann-{n:03} {t}",),
    ("[{i}.00s -> {j}.00s] {t}",),
)
NOISE = (
    "zebra quagga okapi",
    "--- zebra ---",
    "*** zebra quagga ***",
    "[zebra quagga]",
    '{"zebra": "quagga okapi"}',
    "## Zebra quagga",
    "[End of zebra]",
)
PLACES = (0, 4, 8)


def with_noise(layout: tuple[str, ...], noise: str, place: int) -> str:
    lines = [
        layout[n % len(layout)].format(t=text, i=3 * n + 1, j=3 * n + 3, n=n + 1)
        for n, text in enumerate(SENTENCES)
    ]
    return "\n".join([*lines[:place], noise, *lines[place:]]) + "\n"


def read(text: str) -> formats.Transcript | None:
    """Read a text as commands do; `None` if it is rejected."""
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    try:
        return formats.read(source, tolerance="limited")
    except formats.FormatError:
        return None


@pytest.mark.share(3)
@pytest.mark.parametrize("turn", range(len(PLACES)))
@each_case(("number", "noise"), enumerate(NOISE))
@each_case("layout", LAYOUTS, ids=lambda layout: layout[0].replace("\n", "|"))
def test_no_line_vanishes(layout: tuple[str, ...], number: int, noise: str, turn: int) -> None:
    """Each line in one place, in turn; in a release in all of them."""
    place = PLACES[(number + LAYOUTS.index(layout) + turn) % len(PLACES)]
    transcript = read(with_noise(layout, noise, place))
    if transcript is None:
        return
    words = {word.casefold() for segment in transcript for word in segment.words}
    text = " ".join([*words, *(segment.speaker or "" for segment in transcript)]).casefold()
    is_heading = noise[0] == "#"  # a known head, which a note names that is not shown
    remarks = [d for d in transcript.diagnostics if d.is_shown or is_heading]
    assert "zebra" in text or remarks, (place, transcript.format)
    if "zebra" not in text and transcript.format in ("speaker-text", "markdown"):
        assert any("ebra" in str(d) for d in remarks), (place, remarks)


NOISY = (
    "{a} {b} {c}", "--- {a} ---", "[{a} {b}]", "*** {a} {b} ***", '{{"{a}": "{b} {c}"}}',
    "({a} {b})", "## {a} {b}",
)  # fmt: skip
SYLLABLES = ("zeb", "qua", "oka", "tap", "yak", "gnu", "emu", "lar")
COUNTS = {
    TURNS_ABOVE.key: "lines", TURNS_BETWEEN.key: "lines", MINUTES_LEFT.key: "count",
    FIELDS_LEFT.key: "count", TXT_LEFT["head"].key: "lines", TXT_LEFT["rules"].key: "lines",
    TXT_MARKDOWN.key: "headings",
}  # fmt: skip


def counted_lines(transcript: formats.Transcript) -> int:
    """Return how many lines remarks count as not read; a remark without a count names one."""
    single = (SPEAKER_TEXT_FOOTER.key, "COMMENT")
    rows = said(transcript.diagnostics)
    return sum(
        fields[COUNTS[key]] if key in COUNTS else 1
        for key, fields in rows
        if key in {*COUNTS, *single}
    )


@pytest.mark.share(3)
@pytest.mark.parametrize("seed", range(6))
@each_case("layout", LAYOUTS, ids=lambda layout: layout[0].replace("\n", "|"))
def test_every_word_is_read_or_of_a_counted_line(layout: tuple[str, ...], seed: int) -> None:
    choice = random.Random(seed)
    lines = with_noise(layout, "", 8).splitlines()
    inserted = []
    for number in range(choice.randrange(1, 6)):
        a, b, c = (f"{SYLLABLES[number]}{choice.choice(SYLLABLES)}{end}" for end in "axo")
        inserted.append(choice.choice(NOISY).format(a=a, b=b, c=c))
        lines.insert(choice.randrange(len(lines)), inserted[-1])
    transcript = read("\n".join(lines) + "\n")
    if transcript is None:
        return
    spoken = [*(segment.words for segment in transcript), *((s.speaker or "",) for s in transcript)]
    words = {word for part in spoken for text in part for word in LETTERS.findall(text)}
    lost = [line for line in inserted if words.isdisjoint(LETTERS.findall(line))]
    partly = [
        line
        for line in inserted
        if line not in lost and not words.issuperset(LETTERS.findall(line))
    ]
    assert partly == [], transcript.format
    assert len(lost) <= counted_lines(transcript), (lost, said(transcript.diagnostics))
    sentences = {word for text in SENTENCES for word in LETTERS.findall(text)}
    assert sentences <= words or counted_lines(transcript) > len(lost), sentences - words


def test_lines_that_are_no_turns_are_counted_in_one_remark() -> None:
    lines = [f"[0{n}:00] Ann: {text}\n[0{n}:30] Bob: yes" for n, text in enumerate(SENTENCES)]
    text = "\n".join(
        ["we met again", "in May", *lines[:4], "--- two ---", *lines[4:], "=== the end ==="]
    )
    transcript = read(text)
    assert transcript is not None
    shown = [d for d in transcript.diagnostics if d.is_shown]
    places = {key: d.line for (key, _), d in zip(said(shown), shown, strict=True)}
    assert places == {TURNS_ABOVE.key: 1, TURNS_BETWEEN.key: 11}
    fields = dict(said(shown))
    assert fields[TURNS_ABOVE.key] == {"lines": 2, "text": "we met again"}
    assert fields[TURNS_BETWEEN.key] == {"lines": 2, "text": "--- two ---"}


@pytest.mark.parametrize(
    ("lines", "entry"),
    [
        ([f"{text} (ann-{n})" for n, text in enumerate(SENTENCES)], TXT_IDS_BEHIND),
        ([f"ann-{n:03} {text}" for n, text in enumerate(SENTENCES)], TXT_IDS),
        ([f"{name}: {text}" for name, text in zip(("Ann", "Bo", "Cy"), SENTENCES, strict=False)],
         TXT_NAMES),
    ],
)  # fmt: skip
def test_plain_text_names_what_may_be_no_words(lines: list[str], entry: Entry) -> None:
    text = "\n".join([*lines, *(f"{sentence}." for sentence in SENTENCES[:5])])
    transcript = read(text)
    assert transcript is not None
    assert transcript.format == "txt"
    assert entry.key in dict(said(transcript.diagnostics))


def test_sentences_that_begin_with_an_article_are_no_answers() -> None:
    lines = [*SENTENCES, "A dog slept there.", "A cat came home at last.", "A bird: what a noise!"]
    text = "".join(f"{line}\n" for line in lines * 2)
    transcript = formats.read(BytesIO(text.encode()), "txt", recording="talk")
    assert SPEAKER_TEXT_LIKELY.key not in dict(said(transcript.diagnostics))
