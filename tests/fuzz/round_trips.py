"""What is written must be read, and must say the same but for the losses that were counted."""

import pickle
import random
import traceback
import zlib
from collections.abc import Callable, Collection
from io import BytesIO
from typing import Any, NoReturn

import formats
from formats import FormatError, Segment, Transcript
from formats.detection import by_name
from formats.io.source import NAMELESS
from formats.nist.stm import IGNORE_MARKS
from formats.schema.words import NULL
from tests.formats.case import Case
from tests.formats.test_contract import CASES
from tests.fuzz.documents import dumped, loaded
from tests.fuzz.inputs import Finding, Input

__all__ = ["BY_NAME", "TARGETS", "blame", "check_read", "check_write", "options_for"]

BY_NAME: dict[str, Case] = {case.name: case for case in CASES}
TARGETS = [name for name in BY_NAME if by_name(name).write is not None]
CONVERSIONS: dict[str, tuple[object, ...]] = {
    "interpolate": ("chars", "chars", "chars", "none", "uniform"),
    "inner_space": ("split", "split", "underscore", "error"),
    "group": ("pause", "speaker", "recording"),
    "text_view": ("lexical", "lexical", "display"),
}

ASKED = (
    "csv_safe",
    "alternations",
    "escape_markup",
    "speech_only",
    "speaker_prefix",
    "stamps",
    "cues",
)
"""Options of writers that change what is said, because somebody wants it."""
WORKED_OUT = (
    "utterance",
    "speaker",
    "channel",
    "tier",
    "start_ns",
    "end_ns",
    "starts_ns",
    "ends_ns",
    "properties",
)
"""What a reader may say where nothing was said."""

Words = list[str]
View = Callable[[Segment], object]


def _words(segment: Segment) -> Words:
    """The words of the first branches."""
    words = [label.value for label in segment.word_labels()]
    is_mark = segment.kind == "ignored" and words == [IGNORE_MARKS[0]]  # stm's, and nobody's words
    return [] if is_mark else words


WHOLE = {"turns without words", "words", "segments of words", "lines that look like times"}
KINDS = {"ignored regions", "scored regions", "events", "queries", "words"}
BOUNDS = {
    "segment boundaries", "segments cut", "segments made from words", "empty segments", "empty regions", "overlapping segments",
    "segments without length", "overlapping regions", "order of segments", "segments of words", "cues lengthened",
} | KINDS  # fmt: skip
BOUNDS |= {"order of words", "line ends in names", "turns without words"}
REORDERED = {
    "order of segments",
    "order of words",
    "overlapping segments",
    "segments without length",
}
TIMES = {"decimals of times", "segment times", "cue times invented", "begins of captions"}
TIMES |= {"ends of captions", "ends of segments"}
VIEWS: tuple[tuple[str, View, Collection[str]], ...] = (
    ("words", _words, {"spoken forms", "alternations", "words with blanks", "names of events", "tokens of a model"} | WHOLE | KINDS),
    ("recordings", lambda s: None if s.recording == NAMELESS else s.recording, {"recordings", "names with blanks"} | BOUNDS),
    ("channels", lambda s: s.channel, {"channels", "channels invented", "names with blanks"} | BOUNDS),
    ("speakers", lambda s: s.speaker, {"speakers", "names of speakers", "speakers invented", "blanks of speakers' names", "names with blanks"} | BOUNDS),
    ("utterance ids", lambda s: s.utterance, {"utterance ids", "utterance ids invented", "names with blanks"} | BOUNDS),
    ("segment times", lambda s: (s.start_ns, s.end_ns), TIMES | BOUNDS),
    ("labels", lambda s: s.labels, {"labels"} | BOUNDS),
    ("kinds", lambda s: s.kind, {"gaps"} | BOUNDS),
    ("segment confidences", lambda s: s.confidence, {"segment confidences", "decimals of confidences"} | BOUNDS),
)  # fmt: skip


def options_for(chooser: random.Random, target: str) -> dict[str, object]:
    """Options of a conversion and of the writer of `target`."""
    made: dict[str, object] = dict(BY_NAME[target].write_options)
    made.update({name: chooser.choice(values) for name, values in CONVERSIONS.items()})
    for option in by_name(target).write_options:
        if option.choices and option.name not in ASKED and chooser.random() < 0.2:
            made[option.name] = chooser.choice(option.choices)
    return made


def check_read(given: Input) -> None:
    """A spoiled file is read or refused in one line, and what is read can be written."""
    case = BY_NAME[given.name]
    chooser = random.Random(zlib.crc32(given.data))
    tolerance = chooser.choice(("default", "lenient", "limited", "strict"))
    try:
        transcript = formats.read(
            BytesIO(given.data),
            given.name,
            recording="rec",
            tolerance=tolerance,
            **case.read_options,
        )
        if pickle.loads(pickle.dumps(transcript)) != transcript and "nan" not in repr(
            transcript.segments
        ):
            _fail(given, "pickle", "a pickled transcript is another")
    except FormatError as error:
        _check_message(given, error)
        transcript = Transcript()
    except Exception as error:
        blame(given, error)
    try:
        formats.detect(BytesIO(given.data))
    except FormatError as error:
        _check_message(given, error)
    except Exception as error:
        blame(given, error)
    if len(given.data) > 1 << 14 or not transcript.segments:
        return
    for segment in transcript:
        _check_numbers(given, segment)
    named = Transcript(transcript.segments, transcript.definitions, source="rec")
    for target in (given.name, *chooser.sample(TARGETS, 2)):
        if target in TARGETS:
            options = options_for(chooser, target)
            check_write(Input("write", target, dumped(named, options=options)))


def _check_numbers(given: Input, segment: Segment) -> None:
    """No reader gives a number that cannot be written."""
    numbers = [
        segment.confidence,
        *(segment.confidences or ()),
        *(score for score, _ in segment.nbest),
    ]
    if any(number is not None and number - number != 0 for number in numbers):
        _fail(given, "number", f"a score that is no number is read: {numbers}")
    times = [segment.start_ns, segment.end_ns, *(segment.starts_ns or ()), *(segment.ends_ns or ())]
    if any(time is not None and (type(time) is not int or abs(time) >= 2**63) for time in times):
        _fail(given, "time", f"a time beyond 64 bits is read: {times}")


def check_write(given: Input) -> None:
    """A transcript is refused, or written so that it reads back as it was but for the losses."""
    transcript, said = loaded(given.data)
    case, options = BY_NAME[given.name], said["options"]
    output = BytesIO()
    try:
        losses = formats.write(transcript, output, given.name, **options)
    except FormatError as error:
        _check_message(given, error)
        return
    except Exception as error:
        blame(given, error)
    data = output.getvalue()
    reading: dict[str, Any] = {**case.read_options}
    for option in by_name(given.name).read_options:
        if option.name in options and option.name not in CONVERSIONS:
            reading[option.name] = options[option.name]
    try:
        found = formats.read(BytesIO(data), given.name, recording="rec", **reading)
    except FormatError as error:
        _fail(
            given,
            f"refused {error.expected}",
            f"what was written is refused: {error}; {data[-300:]!r}",
        )
    except Exception as error:
        blame(given, error)
    counted = {loss.what for loss in losses}
    if not counted:
        difference = _difference(transcript, found)
        if difference:
            _fail(given, "differs", f"{difference}; {data[-300:]!r}")
        return
    for name, view, excuses in VIEWS:
        if not counted.isdisjoint(excuses):
            continue
        both = transcript, found
        first: list[Any]
        second: list[Any]
        first, second = ([view(s) for s in one] for one in both)
        if name == "words":  # however they are cut into segments, and events beside them
            first, second = ([w for s in sorted(t, key=_is_event) for w in _words(s)] for t in both)
            if counted & REORDERED:
                first, second = sorted(first), sorted(second)
        elif not _holds(given.name, name):
            continue
        elif "segment times" in counted and len(second) < len(first):
            continue  # what has lost its times is read as one run of words
        elif len(first) == len(second):  # what is not said may be worked out
            first = [_completed(a, b) for a, b in zip(first, second, strict=True)]
        if first != second:
            message = f"{name} differ, counted are only {sorted(counted)}: {_first(first, second)}"
            _fail(given, f"differs {name}", f"{message}; {data[-300:]!r}")


def _is_event(segment: Segment) -> bool:
    return segment.kind == "event"


def _completed(one: object, other: object) -> object:
    """What was said, where it was; else what is read."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other) == 2:
        return tuple(map(_completed, one, other))
    return other if one is None else one


def _holds(target: str, name: str) -> bool:
    return name == "kinds" or name in by_name(target).holds


def _first(first: list[Any], second: list[Any]) -> str:
    for one, other in zip(first, second, strict=False):
        if one != other:
            return f"{one!r} is read as {other!r}"
    return f"{len(first)} are read as {len(second)}"


def _difference(transcript: Transcript, found: Transcript) -> str:
    """What is other, though no loss was counted."""
    has_choices = any(segment.alternations for segment in found)
    for one, other in zip(transcript, found, strict=False):
        for name in Segment._fields:
            before, after = getattr(one, name), getattr(other, name)
            if name == "alternations" and not has_choices:  # a null word says nothing
                before = tuple(item for item in before if item[1] != NULL)
            if (
                name in ("line", "interpolated")
                or before == after
                or (name == "words" and not before and not _words(other))
                or (name in WORKED_OUT and _says_nothing(before))
                or (name == "recording" and before == NAMELESS)
            ):
                continue
            return f"no loss, but {name} {before!r} is read as {after!r}"
    if len(transcript) == len(found):
        return ""
    return f"no loss, but {len(transcript)} segments are read as {len(found)}"


def _says_nothing(said: object) -> bool:
    return said is None or (isinstance(said, tuple) and all(value is None for value in said))


def _check_message(given: Input, error: FormatError) -> None:
    text = str(error)
    if "\n" in text or len(text) > 2000:
        _fail(
            given,
            f"message {type(error).__name__}",
            f"a message of more than a line: {text[:200]!r}",
        )


def _fail(given: Input, key: str, message: str) -> NoReturn:
    raise Finding(f"{given.kind} {given.name} {key}", message, given) from None


def blame(given: Input, error: BaseException) -> NoReturn:
    """The finding of an error that nobody should see."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
    _fail(given, f"{type(error).__name__} {where}", f"{type(error).__name__} at {where}: {error}")
