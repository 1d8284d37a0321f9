"""Rolling captions: cues that repeat text of the previous cue.

Live captions show a window of two or three lines that moves by one line at a time, and karaoke
shows the same line once per word. In a transcript, every word would occur twice or more. A cue
repeats the cue before it if it follows within a second and its first lines are the last lines of
that cue.

If at least half of the cues repeat several words of the cue before, there is a warning. By default,
nothing is dropped. With ``dedupe=True``, repeated lines are dropped, and cues without other lines
are dropped completely. If a cue repeats the whole text of the cue before, that cue lasts to the end
of the repetition.

YouTube's automatic captions have a pattern in WebVTT and in formats that are derived from it. A cue
shows the finished line, and below it the next line, which grows word by word. Then a cue of 10 ms
repeats the new line. `rolling_of_youtube` drops this repetition by default. It compares whole lines
at the same position, so that repeated speech is kept.

A run is a piece of the text of a cue with the same markup.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from formats.io.source import Source
from formats.reading.lines import split_words, strip_blanks
from formats.schema.times import SECOND
from formats.subtitles.cues import Cue, Run, lines_of
from formats.subtitles.messages import ROLLING, ROLLING_DROPPED, YOUTUBE_ROLLING

MOST_LINES = 10
LEAST_CUES = 3
LONGEST_GAP = SECOND
LONGEST_WORD = 12
"""The characters of a line without blanks from which it is more than a word."""
LOOKED_AT = 200
LEAST_SHOWN = 0.7
"""The share of the characters of a line that are there when it is shown again."""
BRIEFEST = SECOND // 100
"""Nanoseconds that a cue of YouTube's holds what was built before it."""


def rolling_of_youtube(
    source: Source, cues: Iterator[Cue], *, dedupe: bool
) -> tuple[Iterator[Cue], bool]:
    """Return the cues, and True if repeated text of YouTube's automatic captions was dropped.

    Captions are automatic if, among the first 200 cues, at least two cues and at least 30 % of all
    cues last at most 10 ms. 90 % of these brief cues must consist of the last line of the cue
    directly before, and the cue after them must begin with this line and may continue; or they are
    empty, but not all of them. One brief cue is enough if the cue before it has word times.
    """
    first = list(islice(cues, LOOKED_AT)) if dedupe else []
    lines = [lines_of(cue.runs) for cue in first]
    brief = [n for n, cue in enumerate(first) if _is_brief(cue)]
    again = sum(
        n > 0
        and first[n].start_ns == first[n - 1].end_ns
        and (not lines[n] or _are_finished(lines[n - 1][-1:], lines[n][-1:]))
        and (n + 1 == len(first) or lines[n][-1:] in ([], lines[n + 1][:-1], lines[n + 1]))
        for n in brief
    )
    is_between = [n for n in brief if 0 < n < len(first) - 1 and _has_word_times(first[n - 1])]
    fewest = 1 if is_between else 2
    if not any(lines[n] for n in brief):
        return chain(first, cues), False
    if len(brief) < max(fewest, 0.3 * len(first)) or again < 0.9 * len(brief):
        return chain(first, cues), False
    return _built_lines(source, chain(first, cues)), True


def _are_finished(built: Sequence[str], finished: Sequence[str]) -> bool:
    """Return True if the last line of a cue is shown again; it may lack some characters then.

    >>> _are_finished(["so it is"], ["so it is"]), _are_finished(["人間に好かれる"], ["人間にれる"])
    (True, True)
    >>> _are_finished(["so it is"], ["it was so"]), _are_finished([], [])
    (False, False)
    """
    if not built or not finished:
        return False
    rest = iter(built[0])
    is_part = all(character in rest for character in finished[0])
    return is_part and len(finished[0]) > LEAST_SHOWN * len(built[0])


def _is_brief(cue: Cue) -> bool:
    start, end = cue.start_ns, cue.end_ns
    return start is not None and end is not None and end - start <= BRIEFEST


def _has_word_times(cue: Cue) -> bool:
    return len({run.start_ns for run in cue.runs}) > 1


def _built_lines(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """Yield the cues without lines that repeat the cue before; drop brief cues."""
    before = after = 0
    last_line = finished = ""
    pending: Cue | None = None
    for cue in cues:
        text = "".join([run.text for run in cue.runs])
        before += len(split_words(text.replace("\n", " ")))
        first_line = strip_blanks(text.partition("\n")[0])
        runs = cue.runs
        if first_line and first_line in (last_line, finished):
            runs = _without_lines(runs, 1)
        new = lines_of(runs)
        finished = lines_of(cue.runs)[-1] if _is_brief(cue) and lines_of(cue.runs) else ""
        if _is_brief(cue) or not new:
            continue
        if pending is not None:
            yield _until(pending, cue.start_ns)
        after += sum(len(split_words(line)) for line in new)
        last_line = new[-1]
        pending = cue._replace(runs=runs, pieces="words only")
    if pending is not None:
        yield pending
    source.log.say(YOUTUBE_ROLLING, before=before, after=after)


def _until(cue: Cue, end: int | None) -> Cue:
    """Return the cue; shorten it if it ends after `end`."""
    if end is None or cue.end_ns is None or not (cue.start_ns or 0) <= end < cue.end_ns:
        return cue
    runs = tuple(
        run._replace(end_ns=end) if run.end_ns == cue.end_ns and (run.start_ns or 0) <= end else run
        for run in cue.runs
    )
    return cue._replace(end_ns=end, runs=runs)


def without_repetitions(source: Source, cues: Iterator[Cue], *, dedupe: bool) -> Iterator[Cue]:
    """Yield the cues.

    With `dedupe`, remove text that repeats the cue before; otherwise warn about repeated text.
    """
    count = repeating = removed = gone = 0
    before: list[str] = []
    before_end: int | None = None
    pending: Cue | None = None
    for count, cue in enumerate(cues, 1):  # noqa: B007 -- the last count is reported
        lines = lines_of(cue.runs)
        repeated = 0
        if lines and lines[0] in before and _follows(before_end, cue.start_ns):
            repeated = _repeated(before, lines)
            repeating += any(map(_is_of_speech, lines[:repeated]))
        before, before_end = lines, cue.end_ns
        if not dedupe:
            yield cue
            continue
        if repeated:
            removed += repeated
            if repeated == len(lines):
                gone += 1
                if pending is not None and lines_of(pending.runs) == lines:
                    end = None if cue.end_ns is None else max(pending.end_ns or 0, cue.end_ns)
                    pending = pending._replace(end_ns=end)
                continue
            cue = cue._replace(runs=_without_lines(cue.runs, repeated))
        if pending is not None:
            yield pending
        pending = cue
    if pending is not None:
        yield pending
    if removed:
        source.log.say(ROLLING_DROPPED, lines=removed, cues=gone)
    elif count > LEAST_CUES and repeating * 2 >= count - 1:
        source.log.say(ROLLING, cues=repeating, total=count)


def _is_of_speech(line: str) -> bool:
    """Return True unless a line is one word or a sound, which may return without a window.

    >>> [_is_of_speech(line) for line in ("so it was", "música", "[slow music]")]
    [True, False, False]
    """
    is_sound = line[0] + line[-1] in ("[]", "()", "**", "♪♪")
    return not is_sound and (" " in line or len(line) > LONGEST_WORD)


def _follows(end: int | None, start: int | None) -> bool:
    return end is None or start is None or start <= end + LONGEST_GAP


def _repeated(before: Sequence[str], lines: Sequence[str]) -> int:
    """Return how many lines at the beginning of a cue repeat the last lines of the cue `before`."""
    for size in range(min(len(before), len(lines), MOST_LINES), 0, -1):
        if before[-size:] == lines[:size]:
            return size
    return 0


def _without_lines(runs: Sequence[Run], count: int) -> tuple[Run, ...]:
    """Remove the first `count` non-blank lines from the runs."""
    kept: list[Run] = []
    has_text = False
    for run in runs:
        pieces = run.text.split("\n")
        done = 0
        while count and done < len(pieces) - 1:
            has_text |= bool(strip_blanks(pieces[done]))
            done += 1
            if has_text:
                count -= 1
                has_text = False
        if count:
            has_text |= bool(strip_blanks(pieces[done]))
        else:
            kept.append(run._replace(text="\n".join(pieces[done:])))
    return tuple(kept)
