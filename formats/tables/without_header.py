"""Roles of the columns of tables without a header, as the values show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from operator import le, lt

from formats.manifests.records import recording_of_audio
from formats.reading.dates import seconds_of_date
from formats.reading.member_names import MOST_TRIED
from formats.reading.member_values import are_classes, are_links, are_parties
from formats.reading.speakers import is_label
from formats.reading.time_values import FASTEST, TIME_CODE, seconds_of, times_of_span, word_count
from formats.schema import lazy_pattern
from formats.tables.cells import (
    are_returning_names,
    are_texts_alone,
    is_sentence,
    sure_value,
    value_in_header,
    with_joined_text,
)

SOUNDS = frozenset(
    ("speech", "voice", "male", "female", "music", "noise", "silence", "noenergy", "nonspeech")
)
"""Labels of sounds, which are no words if there are no others."""
CLASSES = ({"0", "1"}, {"1", "2"}, {"1", "2", "3"})
"""Numbers of speakers."""
FRACTION = lazy_pattern(r"[0-9]{3}(?: |\Z)")
"""Milliseconds behind a date with a comma."""
LEAST_OF_PROSE = 8
"""The fewest words on average of the texts of a table without a header, times and speakers."""
LEAST_OF_SENTENCES = 2
"""The fewest words on average, if most of the texts end as sentences do."""
LONGEST_RECORDING = 1e9
"""Seconds, or smaller units of a long recording, from which a number is an identifier."""
LEAST_ROWS, FEW_COLUMNS, FORWARD = 4, 4, 0.9
"""The fewest rows and columns of a table without a header, and the share of starts in order."""
LEAST_FILLED = 0.5
"""The least share of the time between the starts that durations fill."""
ROUNDED = 0.01
"""The seconds by which a start and a length may pass the next start, as they are rounded."""
FEWEST_OF_PACE, MOST_HASTY = 10, 0.05
"""The fewest words whose pace shows that numbers are no times, and the share of such texts."""
LEAST_OF_IDS = 3
"""The fewest rows of a table of ids and texts."""
DIGITS = lazy_pattern(r"[0-9]+")
TIME = lazy_pattern(
    r"\s{0,9}[0-9]{1,6}(?:[.,][0-9]{1,9}|(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,9})?)?\s{0,9}\Z"
)
SIGN_OF_TIME = lazy_pattern("[.,:]")
"""A clock time or a number, and a sign that shows that it is a time."""
BOTH_TIMES = "span"
"""The name of a column with a start and an end in each cell."""
LABEL = lazy_pattern(r"[^\W\d]\w{0,30}:")
"""The name of a column before a value."""
COMMA = lazy_pattern(r"(?<=[0-9]),(?=[0-9]{1,9}\Z)")
"""A decimal comma of a time."""
CLOCK = lazy_pattern(r"[0-9]:[0-5][0-9]", re.ASCII)
"""The sign of a clock time."""


def names_without_header(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names for columns without a header; empty if the first row has names, or all rows."""
    if _have_names(rows[:MOST_TRIED]):
        return []
    rows = [[_without_frames(cell) for cell in row] for row in rows]
    names = _names_of_values(rows) or _names_beside_text(rows) or _names_beside_ids(rows)
    if not names and rows and sure_value(rows[0], rows[1:]):
        names = _names_beside_text(rows, is_sure=True)
    return [
        f"column {n + 1}"
        if name == "speaker" and are_classes(row[n] for row in rows[:MOST_TRIED] if n < len(row))
        else name
        for n, name in enumerate(names)
    ]


def _without_frames(cell: str) -> str:
    """Return a time code as a clock time with its frames as decimals; any other cell unchanged.

    >>> _without_frames("00;01;05;16"), _without_frames("so; it is")
    ('00:01:05.16', 'so; it is')
    """
    code = TIME_CODE.match(cell.strip()) if cell[:1].isdigit() else None
    return cell if code is None else f"{code[1]}:{code[2]}:{code[3]}.{code[4]}"


def _have_names(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the cells of two columns begin with the name of their column and a colon.

    >>> _have_names([["start:0", "text:so"], ["start:2", "text:no"]]), _have_names([["0:01", "so"]])
    (True, False)
    """
    columns = zip(*rows, strict=False)
    labels = ({LABEL.sub("", cell, count=1) != cell and cell.partition(":")[0] for cell in column}
              for column in columns)  # fmt: skip
    return sum(len(names) == 1 and False not in names for names in labels) > 1


def labels_of_cells(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of columns that all cells begin with (LTSV); empty for other tables.

    >>> labels_of_cells([["start:0", "text:so"], ["start:2", "text:no"]])
    ['start', 'text']
    >>> labels_of_cells([["start:0", "so: it is"], ["start:2", "no"]])
    []
    """
    some = rows[:MOST_TRIED]
    names = [cell.partition(":")[0] for cell in some[0]] if some else []
    are_names = len(names) > 1 and len({*names}) == len(names) and all(map(LABEL.match, some[0]))
    is_whole = are_names and len(some) > 1
    return names if is_whole and all(_has_labels(row, names) for row in some) else []


def _has_labels(row: Sequence[str], names: Sequence[str]) -> bool:
    return [cell.partition(":")[0] for cell in row] == [*names] and all(":" in cell for cell in row)


def _names_of_values(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names for the columns if their values show the roles; otherwise an empty list.

    One has texts, another audio files, times, a count or repeated names. Of more than four columns,
    others are named by numbers; then only one may look like a text, and one like a start.
    """
    some, size, has_names = _with_whole_texts(rows[:MOST_TRIED])
    audio = audio_column(some)
    least, is_wide = LEAST_ROWS if audio is None else 2, size > FEW_COLUMNS
    if are_texts_alone(some):
        return ["text"]
    columns = [*zip(*some, strict=False)]
    if audio is None and (any(map(_are_audio, columns)) or _are_records_of_log(columns)):
        return []  # files without texts
    if not (len(some) >= least and size > 1 and all(len(row) == size for row in some)):
        return []
    names, before = list[str](), list[float]()
    timed = sum(map(_are_times, columns))
    has_text = any(sum(map(word_count, column)) >= 3 * len(column) for column in columns)
    breaks = 0 if audio is None else sum(a[audio] != b[audio] for a, b in pairwise(some))
    chunks = _times_of_chunks(columns) if is_wide else ()
    for number, column in enumerate(columns, 1):
        seconds = _seconds_in(column)
        filled = [cell for cell in column if cell.strip()]
        words = sum(len(cell.split()) for cell in filled)
        other = f"column {number}" if is_wide else ""
        if number - 1 == audio or number - 1 in chunks:
            names.append("audio" if number - 1 == audio else f"column {number}")
            continue
        if audio is not None and size == 2:
            names.append("text")
            continue
        if all(seconds_of_date(cell) is not None for cell in column):
            names.append(f"column {number}" if "start" in names else "start")
            continue
        if all(map(times_of_span, column)):
            names.append(BOTH_TIMES if BOTH_TIMES not in names else other)
            continue
        if all(map(str.isdecimal, column)) and max(seconds) >= LONGEST_RECORDING:
            names.append(f"column {number}" if len({*column}) < len(column) else "id")
            continue
        if len(seconds) == len(column):
            is_size = audio is not None and all(map(str.isdecimal, column))
            is_end = "start" in names and all(map(le, before, seconds))
            is_length = not is_end and "end" not in names and _are_durations(before, seconds)
            name = "end" if is_end else "duration" if is_length else "start"
            is_odd = is_wide and name == "start" and not _are_starts(column, seconds, breaks)
            is_other = is_odd or is_size or name in names
            is_other = is_other or _are_counts(column, seconds, any(map(CLOCK.search, some[0])))
            names.append(f"column {number}" if is_other else name)
            before = before if is_other or is_length else seconds
        elif (has_names and number == size and sum(map(word_count, filled)) >= 3 * len(filled)) or (
            words >= 3 * len(filled) and len(column[0].split()) > 1
        ):
            names.append("text")
        elif words <= 3 * len(column) and len(set(column)) <= len(column) / (3 - has_text) + 1:
            are_names = column.count(column[0]) > 1 or all(map(is_label, column))
            is_named = (audio is not None or timed > 1) and all(c[:1].isupper() for c in filled)
            is_speaker = are_names if not is_wide or is_named else all(map(is_label, column))
            is_speaker = is_speaker or are_parties(column)
            is_speaker = is_speaker and "speaker" not in names
            names.append("speaker" if is_speaker else other)
        else:
            names.append(other)
    return _names_if_clear(names, columns)


def _times_of_chunks(columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of times that several rows share, if others have times of their own.

    >>> _times_of_chunks([["0:30"] * 4, ["0.5", "1.5", "2.25", "3.5"], ["so it is"] * 4])
    [0]
    """
    times = [n for n, column in enumerate(columns) if len(_seconds_in(column)) == len(column)]
    shared = [n for n in times if 2 * len({*columns[n]}) <= len(columns[n])]
    own = [n for n in times if n not in shared and _are_times(columns[n])]
    return shared if own else []


def _are_records_of_log(columns: Sequence[Sequence[str]]) -> bool:
    """Return True if a comma in dates with a time was read as a separator."""
    dates = any(seconds_of_date(cell) is not None for column in columns[:1] for cell in column)
    return dates and all(map(FRACTION.match, columns[1] if len(columns) > 1 else ("",)))


def _with_whole_texts(
    rows: Sequence[Sequence[str]],
) -> tuple[Sequence[Sequence[str]], int, bool]:
    """Return rows whose text may have separators, and the number of columns.

    The text is in the last column, or before a column of names. The flag is True if the rows are
    names that return and their texts.
    """
    size = min(map(len, rows), default=0)
    first = [row[0] for row in rows if row]
    last = [row[-1] for row in rows if row]
    has_names = size == 2 and are_returning_names(first) and first.count(first[0]) > 1
    if size == 2 and not has_names and are_returning_names(last):
        rows = [[",".join(row[:-1]), row[-1]] for row in rows]
    elif size > 2 or has_names:
        rows = [with_joined_text([*row], size, ",") for row in rows]
    return rows, size, has_names


def _are_times(column: Sequence[str]) -> bool:
    """Return True if cells are clock times or numbers, some of them with decimals, or spans."""
    are_numbers = all(map(TIME.match, column)) and any(map(SIGN_OF_TIME.search, column))
    return are_numbers or all(map(times_of_span, column))


def _names_if_clear(names: list[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """Return names that are different and have a text.

    Of many columns one also names an audio, or is a start beside an end, or as a clock time beside
    a speaker.
    """
    _name_starts_behind(names, columns)
    _drop_numbers_of_lines(names, columns)
    is_timed = {"start", "end"} <= set(names)
    if is_timed:
        _name_by_others(names, columns)
    has_text = "text" in names or _is_diarisation(names, columns)
    has_roles = has_text and len(set(names)) == len(names) and "" not in names
    is_sound = len(names) <= FEW_COLUMNS or is_timed or not {"audio", BOTH_TIMES}.isdisjoint(names)
    has_clocks = "start" in names and all(map(CLOCK.search, columns[names.index("start")]))
    is_sound = is_sound or (has_clocks and "speaker" in names)
    return names if has_roles and is_sound else []


def _is_diarisation(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Return True if columns are starts, ends or lengths, and labels of speakers.

    >>> times = [["0.5", "2.0"], ["2.0", "3.5"]]
    >>> _is_diarisation(["start", "end", "speaker"], [*times, ["SPEAKER_00", "SPEAKER_01"]])
    True
    """
    is_timed = "start" in names and not {"end", "duration"}.isdisjoint(names)
    is_timed = is_timed and "speaker" in names
    return is_timed and all(map(is_label, columns[names.index("speaker")]))


def _drop_numbers_of_lines(names: list[str], columns: Sequence[Sequence[str]]) -> None:
    """Take whole numbers for no starts if nobody can say the texts in the time to the next one.

    >>> names, columns = ["start", "text"], [["1", "3", "4", "9"], ["so it was then " * 9] * 4]
    >>> _drop_numbers_of_lines(names, columns)
    >>> names
    ['column 1', 'text']
    """
    if "start" not in names or "text" not in names or not {"end", "duration"}.isdisjoint(names):
        return
    place = names.index("start")
    starts, texts = columns[place], columns[names.index("text")]
    if not all(map(str.isdecimal, starts)):
        return
    lengths = [int(b) - int(a) for a, b in pairwise(starts)]
    counts = [*map(word_count, texts)][:-1]
    hasty = [
        words > max(FEWEST_OF_PACE, FASTEST * t) for words, t in zip(counts, lengths, strict=True)
    ]
    if sum(hasty) > MOST_HASTY * len(hasty):
        names[place] = f"column {place + 1}"


def _name_starts_behind(names: list[str], columns: Sequence[Sequence[str]]) -> None:
    """Name the column of starts behind that of the ends, which was taken for the starts.

    Each start is before its end, and hardly any before the end above it.

    >>> names = ["start", "column 2", "text"]
    >>> columns = [["2.5", "4.0", "6.5"], ["0.5", "2.5", "4.25"], ["so it is", "well", "then"]]
    >>> _name_starts_behind(names, columns)
    >>> names
    ['end', 'start', 'text']
    """
    if "start" not in names or not {"end", "duration"}.isdisjoint(names):
        return
    place = names.index("start")
    ends = _seconds_in(columns[place])
    for n, column in enumerate(columns[place + 1 :] if ends else (), place + 1):
        starts = _seconds_in(column)
        late = sum(map(le, ends, starts[1:]))
        are_before = len(starts) == len(ends) and all(map(lt, starts, ends))
        is_next = are_before and late >= FORWARD * (len(ends) - 1)
        if is_next and _are_starts(column, starts, 0):
            names[place], names[n] = "end", "start"
            return


def _seconds_in(column: Sequence[str]) -> list[float]:
    """Return the times of a column in seconds."""
    times = (seconds_of(COMMA.sub(".", cell)) for cell in column)
    return [float(time) for time in times if time is not None]


def _name_by_others(names: list[str], columns: Sequence[Sequence[str]]) -> None:
    """Name a column beside starts and ends: words, or numbers of speakers beside a text.

    Labels of sounds, which an audio has, are no words.
    """
    classes = [n for n, column in enumerate(columns) if {*column} in CLASSES]
    if "text" in names and "speaker" not in names and len(classes) == 1:
        names[classes[0]] = "speaker"
    elif "text" not in names and names.count("") == 1:
        place = names.index("")
        has_letters = any(map(str.isalpha, "".join(columns[place])))
        if has_letters and not {*map(str.lower, columns[place])} <= SOUNDS:
            names[place] = "text"


def _are_counts(column: Sequence[str], seconds: Sequence[float], has_clocks: bool) -> bool:
    """Return True if numbers count the rows, perhaps anew after some of them, or are classes.

    `has_clocks` means that another column has clock times.
    """
    if any(map(CLOCK.search, column)):
        return False
    steps = {
        second - first
        for first, second in pairwise(seconds)
        if second > first or second != min(seconds) or len({*seconds}) == 1
    }
    is_class = all(map(str.isdecimal, column)) and 4 * len({*seconds}) <= len(seconds)
    return is_class or steps in ({1.0}, {0.0}) or (has_clocks and steps <= {0.0, 1.0})


def _names_beside_ids(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names for a column of numbered ids, texts, and perhaps speakers between them.

    Of several columns with the same texts, the last is how they were said. Signs with blanks
    between them are no text.
    """
    some = rows[:MOST_TRIED]
    columns = list(zip(*some, strict=False))
    ids = [DIGITS.sub("0", cell) for cell in columns[0]] if columns else []
    is_list = len(some) >= LEAST_OF_IDS and {*map(len, some)} == {len(columns)}
    is_list = is_list and len(columns) > 1 and ids.count(ids[0]) == len(ids) and "0" in ids[0]
    if not is_list or len({*columns[0]}) < len(ids) or " " in ids[0]:
        return []
    names = ["id", *(f"column {number}" for number in range(2, len(columns) + 1))]
    texts: list[int] = []
    for n, column in enumerate(columns[1:], 1):
        words = sum(map(word_count, column))
        letters = ["".join(filter(str.isalpha, cell)) for cell in column]
        is_spelled = sum(map(len, letters)) <= 2 * words
        is_label = 2 * len({*column}) <= len(column)
        if _are_audio(column) and "audio" not in names:
            names[n] = "audio"
        elif words >= 2 * len(column) and all(letters) and not (is_spelled or is_label):
            texts.append(n)
        elif len({*column}) < len(column) and words == len(column) and all(letters):
            names[n] = "speaker" if "speaker" not in names and not texts else names[n]
    beginnings = [{columns[n][0].casefold()[:3] for n in texts}]
    is_named = any(map(str.isalpha, ids[0])) or "audio" in names
    if not texts or not is_named or len(*beginnings) > 1:
        return []
    names[texts[-1]] = "text"
    if len(texts) > 1:
        names[texts[0]] = "display"
    return names


def _names_beside_text(rows: Sequence[Sequence[str]], *, is_sure: bool = False) -> list[str]:
    """Return names for the columns of a table of one column of prose whose first row has values.

    A web address or a sentence is no name of a column. The other columns have labels that return,
    or texts that are shorter by half.
    """
    some = rows[:MOST_TRIED]
    columns, value = _columns_below_value(some, is_sure=is_sure)
    if not value:
        return []
    size = len(columns)
    counts = [sum(map(word_count, column)) for column in columns]
    place = max(range(size), key=counts.__getitem__)
    names: list[str] = []
    for number, column in enumerate(columns):
        is_label = 2 * len({*column}) <= len(column)
        if number == place and not (is_label and len(column) > LEAST_OF_IDS):
            names.append("text")
        elif is_label or 2 * counts[number] <= counts[place]:
            names.append(f"column {number + 1}")
    are_sentences = 2 * sum(map(is_sentence, columns[place])) >= len(some)
    least = LEAST_OF_SENTENCES if are_sentences else LEAST_OF_PROSE
    is_prose = counts[place] >= least * len(some) and not are_links(columns[place])
    return names if is_prose and len(names) == size and "text" in names else []


def _columns_below_value(
    rows: Sequence[Sequence[str]], *, is_sure: bool = False
) -> tuple[list[tuple[str, ...]], str]:
    """Return the columns of rows of one length, and the value in the first row; empty without one.

    Sentences that were cut at their commas are no columns.
    """
    size = len(rows[0]) if rows else 0
    are_whole = len(rows) > 1 and size > 1 and all(len(row) == size for row in rows)
    find = sure_value if is_sure else value_in_header
    value = find(rows[0], rows[1:]) if are_whole else ""
    is_value = "://" in value or is_sentence(value) or value in (row[0] for row in rows[1:])
    return (list(zip(*rows, strict=True)), value) if value and (is_value or is_sure) else ([], "")


def texts_below_value(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of the columns of different texts in a table whose first row has values.

    >>> texts_below_value([["a", "So it is.", "It is so."], ["a", "No.", "Never."]] * 2)
    []
    >>> rows = [["a", "So it is.", "It is so.", "k1"], ["a", "Was it so?", "Is that true?", "k2"]]
    >>> texts_below_value(rows)
    [1, 2]
    """
    some = rows[:MOST_TRIED]
    columns, _ = _columns_below_value(some)
    return [
        place for place, column in enumerate(columns)
        if 2 * len({*column}) > len(column) and not are_links(column)
        and 2 * sum(map(is_sentence, column)) >= len(column)
    ]  # fmt: skip


def _are_starts(column: Sequence[str], seconds: Sequence[float], breaks: int) -> bool:
    """Return True if a column has clock times or decimals, and most of them increase.

    They may begin again in each of several files; `breaks` counts the changes of the file.
    """
    are_times = any(":" in cell or "." in cell or "," in cell for cell in column)
    forward = sum(map(le, seconds, seconds[1:]))
    return are_times and forward >= FORWARD * (len(seconds) - 1 - min(breaks, len(seconds) // 2))


def audio_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column whose cells all name an audio file, next to a column of texts; or `None`.

    >>> audio_column([["good morning", "a.wav"], ["hello", "b.wav"]])
    1
    >>> audio_column([["u1", "a.wav"], ["u2", "b.wav"]])
    """
    columns = [*zip(*rows, strict=False)] if len(rows) > 1 else []
    are_audio = [_are_audio(column) for column in columns]
    texts = [column for column, is_audio in zip(columns, are_audio, strict=True) if not is_audio]
    has_texts = any(len(cell.split()) > 1 for column in texts for cell in column)
    return are_audio.index(True) if sum(are_audio) == 1 and has_texts else None


def _are_audio(column: Sequence[str]) -> bool:
    """Return True if all cells of a column name an audio file."""
    return all(recording_of_audio(cell.strip()) != _base(cell) for cell in column)


def _are_durations(starts: Sequence[float], lengths: Sequence[float]) -> bool:
    """Return True if each start and its length reach the next start, or nearly so, but not beyond.

    >>> _are_durations([0.0, 2.5, 4.0], [2.25, 1.5, 3.0]), _are_durations([0.0, 9.5], [0.5, 0.25])
    (True, False)
    """
    rounded = ROUNDED if any(start % 1 for start in starts) else 1
    gaps = [after - start + rounded for start, after in pairwise(starts)]
    fitting = [0 < length <= gap for length, gap in zip(lengths, gaps, strict=False)]
    filled = sum(lengths[: len(gaps)]) >= LEAST_FILLED * sum(gaps)
    return bool(gaps) and sum(fitting) >= FORWARD * len(gaps) and filled


def _base(path: str) -> str:
    """Return the file name of a path, without folders."""
    return path.strip().replace("\\", "/").rstrip("/").rpartition("/")[2]
