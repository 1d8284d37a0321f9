"""Random transcripts with metadata for md-eval: words of all types, and what is marked in them."""

from random import Random
from typing import NamedTuple

from formats.nist.rttm_records import SUBTYPES

SPELLINGS = ("so", "um", "uh", "the", "cat", "sat", "twenty-one", "mm-hmm", "a-b-c", "can't", "th")
WORD_TYPES = (
    *("lex",) * 12,
    *("fp", "fp", "frag", "frag", "un-lex", "for-lex"),
    *("alpha", "acronym", "interjection", "propernoun", "other"),
)
KINDS = ("SU", "EDIT", "FILLER", "IP", "CB", "A/P")
SOUNDS = ("NON-LEX", "NON-SPEECH", "NOSCORE", "NO_RT_METADATA", "SEGMENT")
POINTS = ("IP", "CB")
GLM = b";; a map\ncan't => can not / or that\n* so => so it is\nthe => th\nuh => uh-huh um\n"


class Mark(NamedTuple):
    """A record before it is written; no length stands for <NA>."""

    kind: str
    begin: float
    length: float | None
    text: str
    subtype: str
    speaker: str


class Transcript(NamedTuple):
    """The records of both sides for a channel of a file."""

    reference: list[Mark]
    system: list[Mark]


def transcript(random: Random, length: float) -> Transcript:
    """Draw a channel; the system has the same with errors."""
    words, turns = _words_and_turns(random, length)
    has_words, has_turns = random.random() < 0.96, random.random() < 0.85
    kinds = [kind for kind in KINDS if random.random() < 0.75]
    marks = [mark for kind in kinds for mark in _metadata(random, kind, words, turns)]
    sounds = [
        Mark(kind, begin, span, "<NA>", _subtype(random, kind), random.choice("AB"))
        for kind in SOUNDS
        if random.random() < 0.25
        for begin, span in [(random.uniform(0, length), random.uniform(0, length / 10))]
    ]
    reference = [*words * has_words, *turns * has_turns, *marks, *sounds]
    share = random.choice((0.0, 0.1, 0.1, 0.3, 0.6))
    jitter = random.choice((0.0, 0.01, 0.05, 0.3))
    system = [mark for mark in reference if mark.kind not in (*SOUNDS, "A/P")]
    if random.random() < 0.1:
        system = [mark for mark in system if mark.kind != "LEXEME"]
    names = dict(zip("ABC", random.sample(["w", "x", "y", "A", "0"], 3), strict=True))
    system = [made for mark in system for made in _heard(random, mark, names, share, jitter)]
    if random.random() < 0.1:
        # a name that Perl takes for none
        reference = [
            mark._replace(speaker="0") if mark.speaker == "B" else mark for mark in reference
        ]
    return Transcript(reference, system)


def _words_and_turns(random: Random, length: float) -> tuple[list[Mark], list[Mark]]:
    """Words one after the other, and the turns that they are in."""
    words: list[Mark] = []
    turns: list[Mark] = []
    time = random.uniform(0, 2)
    while time < length:
        speaker, start = random.choice("AABBC"), time
        for _ in range(random.randint(1, 12)):
            subtype, span = random.choice(WORD_TYPES), random.choice((0.0, 0.2, 0.3, 0.5))
            text = random.choice(SPELLINGS)
            if subtype == "frag":
                text = random.choice((f"{text[:2]}-", f"-{text[-2:]}", "-", "0-", "c.t-"))
            words.append(Mark("LEXEME", time, span, text, subtype, speaker))
            time += span + random.choice((0.0, 0.0, 0.1, 0.4))
        turns.append(Mark("SPEAKER", start, time - start, "<NA>", "<NA>", speaker))
        time += random.choice((0.0, 0.5, 2.0, -0.5))
    return words, turns


def _metadata(random: Random, kind: str, words: list[Mark], turns: list[Mark]) -> list[Mark]:
    """Records of a type: sentence units fill turns, others cover a few words or end one."""
    made = []
    if kind in ("SU", "A/P") and random.random() < 0.6:
        for turn in turns:
            made.append(turn._replace(kind=kind, subtype=_subtype(random, kind)))
        return made
    for _ in range(random.randint(1, max(1, len(words) // 6))):
        first = random.randrange(len(words))
        last = min(first + random.randint(0, 4), len(words) - 1)
        begin, end = words[first].begin, words[last].begin + (words[last].length or 0)
        speaker = random.choice((words[first].speaker, "C", "<NA>"))
        span = None if random.random() < 0.7 else 0.0
        if kind not in POINTS:
            span = max(end - begin, 0)
        at = end if kind in POINTS else begin
        made.append(Mark(kind, at, span, "<NA>", _subtype(random, kind), speaker))
    return made


def _subtype(random: Random, kind: str) -> str:
    subtypes = SUBTYPES[kind] - {"discourse_response"} if kind == "SU" else SUBTYPES[kind]
    return random.choice(sorted(subtypes) or ["<NA>"])


def _heard(
    random: Random, mark: Mark, names: dict[str, str], share: float, jitter: float
) -> list[Mark]:
    """What the system makes of a record: nothing, the like, or something more."""
    if random.random() < share / 2:
        return []
    begin = max(mark.begin + random.uniform(-jitter, jitter), 0)
    length = mark.length
    if length is not None:
        length = max(length + random.uniform(-jitter, jitter), 0)
    speaker = names.get(mark.speaker, mark.speaker)
    if random.random() < share / 3:
        speaker = random.choice([*names.values()])
    mark = mark._replace(begin=begin, length=length, speaker=speaker)
    if mark.kind == "LEXEME":
        if random.random() < share:
            mark = mark._replace(text=random.choice(SPELLINGS))
        if random.random() < share:
            mark = mark._replace(subtype=random.choice(WORD_TYPES))
    elif mark.kind != "SPEAKER" and random.random() < share:
        mark = mark._replace(subtype=_subtype(random, mark.kind))
    if random.random() < share / 3 and mark.kind != "SPEAKER":
        shift = random.uniform(0, 3)
        return [mark, mark._replace(begin=mark.begin + shift)]
    return [mark]


def metadata_options(random: Random) -> list[str]:
    """Draw options for metadata."""
    options = [
        flag
        for flag, share in (
            *(("-w", 0.5), ("-W", 0.3), ("-e", 0.4), ("-d", 0.4), ("-D", 0.4)),
            *(("-x", 0.3), ("-o", 0.2), ("-n", 0.1)),
        )
        if random.random() < share
    ]
    for letter, values in (
        ("-t", ("0", "0.1", "0.5", "1", "3", "-0.05")),
        ("-T", ("0", "0.05", "0.5", "2", "10", "-0.1")),
        ("-l", ("1", "1.5", "2", "3", "100")),
        ("-p", ("1", "3", "5", "20")),
        ("-P", ("1", "3", "5", "20")),
        ("-Y", ("DEFAULT", "MIN", "FRAG", "FRAG_UNLEX", "NONE")),
        ("-y", ("DEFAULT", "0")),
        ("-z", ("DEFAULT",)),
        ("-Z", ("DEFAULT",)),
        ("-A", ("c", "f", "cf")),
    ):
        if random.random() < 0.2:
            options += [letter, random.choice(values)]
    return options


def line_of(mark: Mark, name: str, channel: str, decimals: int) -> str:
    """A record as it is written."""
    length = "<NA>" if mark.length is None else f"{mark.length:.{decimals}f}"
    times = f"{mark.begin:.{decimals}f} {length}"
    return f"{mark.kind} {name} {channel} {times} {mark.text} {mark.subtype} {mark.speaker} <NA>"
