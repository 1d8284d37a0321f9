"""Random stm against ctm and ctm against ctm cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.judges.sclite import options
from tests.judges.sclite.case import Case
from tests.judges.sclite.text import (
    Style,
    corrupt,
    plain_words,
    random_style,
    random_words,
    transcript,
)

LABELS = (("O", "Overall"), ("M", "Male"), ("F", "Female//spkrs"), ("WA", "With Alt"), ("X", "No"))
CONFIDENCE_POLICIES = ("none", "none", "all", "all", "all", "some", "not available", "range", "odd")
HYPOTHESES = ("hyp.ctm", "sub/hyp.ctm", "other")
ANCHOR = "zz"  # a recording with one sure match and one sure error, see `Recording`
IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"
LONGEST_CHANNEL = 45  # below the 50 from which on sclite cuts a ctm channel into chunks


@dataclass
class Recording:
    """One channel of one file: segments for the stm, words for the ctm.

    The anchor recording guarantees at least one utterance, one correct and one incorrect word:
    the original crashes when a summary has no utterance and when a DET curve has no error.
    """

    file: str
    channel: str
    segments: list[Segment] = field(default_factory=list)


@dataclass
class Segment:
    """One stm segment and the plain words spoken in it."""

    speaker: str
    begin: float
    end: float
    labels: str
    words: list[str]
    text: str


def random_labels(rng: Random, labels: list[str]) -> str:
    """The label field of a segment, or nothing."""
    if not labels or rng.random() < 0.15:
        return ""
    first = labels[0]
    rest = [label for label in labels[1:] if rng.random() < 0.8]
    field = ",".join([first, *rng.sample(rest, min(1, len(rest)))])
    return f"<{field.lower() if rng.random() < 0.5 else field}> "


def random_recording(
    rng: Random, style: Style, place: tuple[str, str], labels: list[str]
) -> Recording:
    """Segments one after the other, now and then with a gap or an ignored one."""
    recording = Recording(*place)
    speakers = [f"spk{rng.randint(1, 6)}" for _ in range(rng.choice((1, 2, 2)))]
    time = rng.choice((0.0, 0.0, 0.5, 12.3))
    step = rng.choice((0.25, 0.5, 1.0, 0.1, 0.7))
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        if rng.random() < 0.2:
            time += step
        end = time + step * rng.randint(1, 6)
        words = random_words(rng, style, rng.choice((0, 1, 2, 4, 8)))
        text = transcript(rng, style, words, style.reference_alternations)
        if rng.random() < 0.08:
            text = rng.choice((IGNORED, IGNORED.replace("_", "").lower(), f"x {IGNORED}"))
        recording.segments.append(
            Segment(rng.choice(speakers), time, end, random_labels(rng, labels), words, text)
        )
        time = end
    return recording


def anchor_recording() -> Recording:
    """One segment that is recognised and one that is not."""
    return Recording(
        ANCHOR,
        "1",
        [
            Segment("zed", 0.0, 1.0, "", ["sure"], "sure"),
            Segment("zed", 1.0, 2.0, "", ["north"], "north"),
        ],
    )


def recordings(rng: Random, style: Style, labels: list[str]) -> list[Recording]:
    """One to three files of one or two channels, with the anchor at the end."""
    result: list[Recording] = []
    for number in range(rng.choice((1, 1, 2, 3))):
        file = f"{rng.choice(('f', 'Talk', 'rec_'))}{number}"
        for channel in rng.choice((["a"], ["A", "B"], ["1"], ["1", "2"])):
            result.append(random_recording(rng, style, (file, channel), labels))
    result.append(anchor_recording())
    return result


def definitions(rng: Random) -> tuple[list[str], list[str]]:
    """Label ids, and the lines that define them."""
    if rng.random() < 0.4:
        return [], []
    chosen = list(LABELS[: rng.randint(1, len(LABELS))])
    lines = [f';; LABEL "{name}" "{title}" "All about {title}"' for name, title in chosen]
    lines += [f';; CATEGORY "{n}" "{title}" ""' for n, title in enumerate(("", "Gender", "Kind"))][
        : rng.randint(0, 3)
    ]
    return [name for name, _ in chosen if name != "X"], lines


def stm_lines(rng: Random, everything: list[Recording]) -> list[str]:
    lines: list[str] = []
    for recording in everything:
        for segment in recording.segments:
            begin = f"{segment.begin:.2f}" if rng.random() < 0.9 else f"{segment.begin:g}"
            blank = "\t" if rng.random() < 0.05 else " "
            fields = [
                recording.file,
                recording.channel,
                segment.speaker,
                begin,
                f"{segment.end:.2f}",
            ]
            lines.append(f"{blank.join(fields)} {segment.labels}{segment.text}".rstrip(" "))
    return lines


class Clock:
    """Places words in time within a segment; some on its border, some out of it."""

    def __init__(self, rng: Random, begin: float, end: float, count: int) -> None:
        self._rng = rng
        self._time = begin
        self._end = end
        self._share = (end - begin) / max(count, 1)

    def next(self) -> tuple[float, float]:
        """Begin and duration of the next word in seconds."""
        rng = self._rng
        roll = rng.random()
        if roll < 0.08:  # midpoint exactly on the end of the segment
            duration = rng.choice((0.1, 0.2, 0.5))
            return max(self._end - duration / 2, 0.0), duration
        if roll < 0.11:
            return max(self._time - 0.4, 0.0), 0.3
        duration = round(self._share * rng.choice((0.5, 0.8, 1.0, 1.0)), 2)
        begin = self._time
        self._time += self._share
        return begin, duration


def confidence(rng: Random, policy: str) -> str:
    """The confidence field with its leading blank, or nothing."""
    if policy == "none" or (policy == "some" and rng.random() < 0.4):
        return ""
    if policy == "not available" and rng.random() < 0.3:
        return rng.choice((" NA", " na"))
    if policy == "range" and rng.random() < 0.15:
        return rng.choice((" 1.2", " -0.05", " 0", " 1"))
    if policy == "odd" and rng.random() < 0.15:
        return rng.choice((" nan", " -nan", " NaN", " inf", " -inf"))
    value = rng.choice((f"{rng.random():.2f}", f"{rng.random():.4f}", "0.7", "1.0", "0.0"))
    return f" {value}"


def ctm_words(
    rng: Random, style: Style, words: list[str], clock: Clock, place: str, policy: str
) -> list[str]:
    """Ctm lines for the words, some of them in alternations."""
    lines: list[str] = []

    def word_line(word: str) -> str:
        begin, duration = clock.next()
        mark = "&&" if rng.random() < 0.01 else ""
        return f"{place} {mark}{begin:.2f} {duration:.2f} {word}{confidence(rng, policy)}"

    def marker(name: str) -> str:
        name = name.lower() if rng.random() < 0.1 else name
        return f"{place} * * {name}"

    for word in plain_words(words):
        if rng.random() >= style.hypothesis_alternations:
            lines.append(word_line(word))
            continue
        lines.append(marker("<ALT_BEGIN>"))
        lines.append(word_line(word))
        for _ in range(rng.choice((1, 1, 2))):
            lines.append(marker("<ALT>"))
            for _ in range(rng.choice((1, 1, 2))):
                lines.append(word_line(rng.choice(style.words)))
        if rng.random() < 0.15:
            lines.append(marker("<ALT>"))
        lines.append(marker("<ALT_END>"))
    return lines


def hypothesis_lines(rng: Random, style: Style, everything: list[Recording]) -> list[str]:
    """One system's ctm for the recordings; a channel may be missing."""
    policy = rng.choice(CONFIDENCE_POLICIES)
    skip = rng.random() < 0.1
    lines: list[str] = []
    if rng.random() < 0.15:
        lines.append(rng.choice((";; a comment", "; a comment", ';; LABEL "H" "Hyp" "label"')))
    for recording in everything:
        place = f"{recording.file} {recording.channel}"
        if recording.file == ANCHOR:
            lines.append(f"{place} 0.20 0.20 sure{confidence(rng, policy)}")
            lines.append(f"{place} 1.20 0.20 south{confidence(rng, policy)}")
        elif not (skip and rng.random() < 0.4):
            lines += recording_lines(rng, style, recording, place, policy)
    return lines


def recording_lines(
    rng: Random, style: Style, recording: Recording, place: str, policy: str
) -> list[str]:
    """The ctm lines of one channel."""
    lines: list[str] = []
    for segment in recording.segments:
        words = corrupt(rng, style, segment.words)
        if not segment.words and rng.random() < 0.3:
            words = random_words(rng, style, rng.randint(1, 2))
        clock = Clock(rng, segment.begin, segment.end, len(words))
        lines += ctm_words(rng, style, words, clock, place, policy)
    return lines


def encoded(rng: Random, lines: list[str]) -> bytes:
    """The lines as a file; now and then the last newline is missing, which is harmless here."""
    content = "\n".join(lines)
    if lines and (rng.random() < 0.95 or lines[-1].startswith(";")):
        content += "\n"
    return content.encode("latin-1")


def stm_case(rng: Random, name: str) -> Case:
    """Draw one stm against ctm case."""
    style = random_style(rng)
    labels, lines = definitions(rng)
    everything = recordings(rng, style, labels)
    lines = lines + stm_lines(rng, everything)
    if rng.random() < 0.2:
        lines.insert(rng.randint(0, len(lines)), rng.choice((";; comment", "", "** comment")))
    files = {"ref.stm": encoded(rng, lines)}
    exclusive: tuple[options.Option, ...] = ()
    if rng.random() < 0.35:
        exclusive = (("-m", *rng.choice(((), ("ref",), ("hyp",), ("ref", "hyp"), ("hyp", "ref")))),)
    choice = options.draw(rng, confidences=True, words=style.words, exclusive=exclusive)
    systems = rng.choice((1, 1, 1, 2, 3))
    for path in rng.sample(HYPOTHESES, systems):
        files[path] = encoded(rng, hypothesis_lines(rng, style, everything))
        choice.options.append(options.hypothesis_option(rng, path, "ctm"))
    choice.options.insert(0, ("-r", "ref.stm", "stm"))
    return choice.case(name, "stm", files)


def channel_lines(
    rng: Random, style: Style, words: list[str], place: str, policy: str, jitter: float
) -> list[str]:
    """One channel of a ctm: words in time order, with gaps and overlaps."""
    lines: list[str] = []
    time = rng.choice((0.0, 0.1, 3.0))
    for word in plain_words(words):
        time += rng.choice((0.0, 0.0, 0.05, 0.6))
        duration = rng.choice((0.1, 0.2, 0.25, 0.4))
        begin = max(0.0, time + rng.uniform(-jitter, jitter))
        lines.append(f"{place} {begin:.2f} {duration:.2f} {word}{confidence(rng, policy)}")
        time += duration
    return lines


def ctm_with_alternations(rng: Random, style: Style, lines: list[str], rate: float) -> list[str]:
    """Some of the lines turned into alternations of themselves and another word."""
    result: list[str] = []
    for line in lines:
        file, channel, begin, duration, *_ = line.split(" ")
        place = f"{file} {channel}"
        if rng.random() < rate:
            pair = rng.sample([line, f"{place} {begin} {duration} {rng.choice(style.words)}"], 2)
            result += [f"{place} * * <ALT_BEGIN>", pair[0], f"{place} * * <ALT>", pair[1]]
            result.append(f"{place} * * <ALT_END>")
        else:
            result.append(line)
    return result[:LONGEST_CHANNEL] if rate == 0 else result


def ctm_channel(
    rng: Random, style: Style, words: list[str], place: str, policy: str, side: str
) -> list[str]:
    """One channel of at most `LONGEST_CHANNEL` lines and at least two words."""
    if len(words) < 2:
        words = [*words, rng.choice(style.words), rng.choice(style.words)]
    rate = style.reference_alternations if side == "reference" else style.hypothesis_alternations
    longest = LONGEST_CHANNEL if rate == 0 else LONGEST_CHANNEL // 5
    lines = channel_lines(rng, style, words[:longest], place, policy, rng.choice((0.0, 0.1, 0.5)))
    return ctm_with_alternations(rng, style, lines, rate)


def ctm_case(rng: Random, name: str) -> Case:
    """Draw one ctm against ctm case."""
    style = random_style(rng)
    policies = [rng.choice(CONFIDENCE_POLICIES) for _ in range(4)]
    paths = rng.sample(HYPOTHESES, rng.choice((1, 1, 1, 2)))
    content: dict[str, list[str]] = {path: [] for path in ("ref.ctm", *paths)}
    for number in range(rng.choice((1, 1, 2, 3))):
        for channel in rng.choice((["A"], ["A", "B"], ["1", "2"])):
            place = f"f{number} {channel}"
            words = random_words(rng, style, rng.choice((2, 5, 10, 20, 42)))
            content["ref.ctm"] += ctm_channel(rng, style, words, place, policies[0], "reference")
            for path, policy in zip(paths, policies[1:], strict=False):
                spoken = corrupt(rng, style, words)
                content[path] += ctm_channel(rng, style, spoken, place, policy, "hypothesis")
    for position, path in enumerate(("ref.ctm", *paths)):
        place = f"{ANCHOR} A"
        last = "north" if path == "ref.ctm" else "south"
        tail = confidence(rng, policies[position])
        content[path] += [f"{place} 0.20 0.20 sure{tail}", f"{place} 1.20 0.20 {last}{tail}"]
    exclusive: tuple[options.Option, ...] = (("-T",),) if rng.random() < 0.4 else ()
    choice = options.draw(rng, confidences=True, words=style.words, exclusive=exclusive)
    choice.options += [options.hypothesis_option(rng, path, "ctm") for path in paths]
    choice.options.insert(0, ("-r", "ref.ctm", "ctm"))
    files = {path: encoded(rng, lines) for path, lines in content.items()}
    return choice.case(name, "ctm", files)
