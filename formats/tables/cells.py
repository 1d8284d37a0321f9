"""Cleaning of table rows before roles are assigned: titles, missing values, surplus cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import chain
from operator import gt, le, lt, mul
from typing import NamedTuple, TypeAlias

from formats.io.source import Source
from formats.json.messages import NEWEST_FIRST
from formats.manifests.records import usual_size, with_last_cells
from formats.reading.dates import (
    DATES_OF_MESSAGES,
    are_times_of_day,
    is_day,
    is_month_first,
    seconds_since_1970,
)
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    NAMES_OF_SPEAKERS,
    OF_TALKS,
    are_columns,
    field_role,
    likely_names,
    name_parts,
    plain_name,
    role_of_time,
    time_role,
    without_long_unit,
)
from formats.reading.time_values import (
    LONG_UNITS,
    MOST_FALLS,
    NO_BLANKS,
    UNITS,
    is_time,
    number_of,
    seconds_of,
    word_count,
)
from formats.schema import lazy_pattern
from formats.tables import COLUMNS
from formats.tables.messages import (
    CELLS_MISSING,
    ROW_DESCRIBES,
    TABLE_BELOW,
    TABLE_TITLE,
)

RowBatches: TypeAlias = Iterator[tuple[Sequence[int], list[list[str]]]]
MISSING, NO_WORD = "NA", "N/A"
"""Signs of a missing value; the first may be a word, too."""
NUMBER = lazy_pattern(r"[0-9]{1,9}(?:[.,][0-9]{1,9})?\Z", re.ASCII)
DAY = 86_400.0
"""Seconds in which a recording ends."""
MOST_TITLES = 5
"""The most rows above a header."""
MOST_PAIRS = 12
"""The most rows above a header that say what the table is: its date, for example."""
IMPORTED = '{"ImportId"'
"""The beginning of cells with the ids of questions."""
LONGEST_NUMBER = 18
"""The most digits of the number of a row that count."""
LONGEST_OBJECT = 10_000
"""The most characters of a cell with an object that is a speaker."""
FEWEST_BESIDE, MOST_BELOW = 5, 2
"""The fewest columns of a table with sums below it, and the most cells of a row of sums."""
LEAST_WORDS = 2
"""The fewest words of a text on average."""
ENDS = tuple(".?!…。？！")
QUESTION = ("?", "？", "؟")
CLOSING = "\"'”’»)」』"
"""Signs that may stand behind the end of a sentence."""
QUOTES, MOST_QUOTED = {'"': '"', "“": "”", "«": "»", "「": "」"}, 0.9
"""Quotation marks around texts, and the share of texts that have them if they are no words."""
LEAST_OF_NAMES, LONGEST_NAME = 4, 4
"""The fewest names of speakers that show that they return, and the most words of a name."""
LONGEST_HEADER, SURE_TEXT = 8, 20
"""The words of a cell that is no name of a column, and those of one that surely is none."""
LEAD, SURE_SHARE = lazy_pattern(r"[^\W_]{3,40}[_:/.-](?=[^\W_]\S{2,200}\Z)"), 0.9
"""The beginning of an identifier, and the share of cells below that begin so."""
LEAST_PARTS, LEAST_BLANKS = 2, 5
"""The fewest parts of a sentence that is cut at its commas, and the fewest blanks in them."""
LEAST_ROWS = 3
"""The fewest rows of a table with two rows of names."""
LEAST_MEASURED = 3
"""The fewest columns of numbers below a row that describes the columns."""
TYPES = frozenset(
    ("string", "str", "text", "char", "varchar", "int", "integer", "float", "double", "number",
     "numeric", "decimal", "bool", "boolean", "date", "datetime", "timestamp", "object", "list",
     "array", "category", "categorical", "nominal", "ordinal", "continuous")
)  # fmt: skip
"""Types of columns, which a row below the header may name."""
LEAST_REPEATED = 2
"""The fewest cells of the first row that come again in their columns, if it has no names."""


def plain_rows(source: Source, batches: RowBatches, *, has_header: bool) -> RowBatches:
    """Yield rows without titles above the header; empty cells replace missing values.

    Surplus empty cells at the ends of rows are removed.
    """
    size, short, missing, count, signs = 0, 0, list[int](), Counter[str](), {MISSING}
    for numbers, rows in without_summary(source, batches):
        if not size:
            titles = title_rows(rows) if has_header else 0
            if title := next(filter(str.strip, chain(*rows[:titles])), ""):
                source.log.say(TABLE_TITLE, numbers[0], rows=titles, text=title)
            numbers, rows = numbers[titles:], rows[titles:]
            if has_header and _are_numbered(rows):
                rows = [["", *rows[0]], *rows[1:]]
            while has_header and describes_columns(rows):
                source.log.say(ROW_DESCRIBES, numbers[1], text=", ".join(filter(None, rows[1])))
                numbers, rows = [numbers[0], *numbers[2:]], [rows[0], *rows[2:]]
            size = _width(rows)
            short = usual_size(source, rows) if has_header else size
            missing = _with_missing(rows[:has_header], rows[has_header:])
            is_ours = has_header and (*chain(*rows[:1]),) == COLUMNS
            signs = {MISSING} if is_ours else {MISSING, NO_WORD}
        if not all(map(any, rows)):  # rows of separators alone are empty
            kept = [n for n, row in enumerate(rows) if len(row) < 2 or any(row)] or range(len(rows))
            numbers, rows = [numbers[n] for n in kept], [rows[n] for n in kept]
        rows = [_cut(row, size) if len(row) > size else row for row in rows]
        if short < size:
            rows = with_last_cells(rows, short, size)
        if any(not signs.isdisjoint(row) for row in rows):
            known = [_without_missing(row, missing, signs) for row in rows]
            pairs = zip(chain(*rows), chain(*known), strict=True)
            count.update(cell for cell, without in pairs if cell != without)
            rows = known
        yield numbers, rows
    for value, cells in count.items():
        source.log.say(CELLS_MISSING, cells=cells, value=value)


def _are_numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if each row has its number before the cells of the header, as R writes it.

    The numbers increase; some may be missing. A text with a comma and a blank in each row has as
    many cells.

    >>> _are_numbered([["start", "text"], ["1", "0.5", "so it is"], ["4", "1.5", "well then"]])
    True
    >>> _are_numbered([["id", "text"], ["1", "well", " so it is"], ["2", "no", " it is not"]])
    False
    """
    header, *others = rows[:MOST_TRIED] or [[]]
    numbered = [row for row in others if len(row) == len(header) + 1 and row[0].isdecimal()]
    if not 1 < len(numbered) == len(others) or all(row[-1][:1] == " " for row in numbered):
        return False
    numbers = [int(row[0][:LONGEST_NUMBER]) for row in numbered]
    return all(map(lt, numbers, numbers[1:]))


def describes_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the row below the header has types or descriptions of the columns.

    It has words in each column whose other cells are numbers or times: in three columns, or in one
    of times.

    >>> rows = [["start", "text"], ["in seconds", "what was said"], ["0.5", "so"], ["2", "well"]]
    >>> describes_columns(rows), describes_columns(rows[:1] + rows[2:])
    (True, False)
    >>> describes_columns([["speaker", "text"], ["string", "str"], ["Ann", "so it is"]])
    True
    """
    if len(rows) < LEAST_ROWS:
        return False
    header, row, *others = rows[:MOST_TRIED]
    cells = [cell.strip().lower() for cell in row if cell.strip()]
    if len(cells) > 1 and (TYPES.issuperset(cells) or _are_imports(row) or _are_imports(others[0])):
        return True
    measured: list[str] = []
    for name, cell, *values in zip(header, row, *others, strict=False):
        filled = [value for value in values if value.strip()]
        if len(filled) >= LEAST_REPEATED and all(map(_is_quantity, filled)):
            if not any(map(str.isalpha, cell)) or _is_quantity(cell):
                return False
            measured.append(name)
    return len(measured) >= LEAST_MEASURED or any(map(role_of_time, measured))


def _are_imports(row: Sequence[str]) -> bool:
    """Return True for the row in which Qualtrics has the ids of questions; one above has them."""
    return all(cell.startswith(IMPORTED) for cell in row if cell) and any(row)


def without_summary(source: Source, batches: RowBatches) -> RowBatches:
    """Yield rows without those after the last empty row, if nearly all their cells are empty too.

    Such rows are sums and settings that a program writes below its table.
    """
    held: list[tuple[Sequence[int], list[list[str]]]] = []
    for numbers, rows in batches:
        if held and not all(map(_is_sparse, rows)):
            yield from held
            held = []
        begin = 0 if held else _summary_in(rows)
        if begin < len(rows):
            held.append((numbers[begin:], rows[begin:]))
        if begin:
            yield numbers[:begin], rows[:begin]
    below = [row for _, rows in held for row in rows[1:] if any(row)]
    if below:
        source.log.say(TABLE_BELOW, held[0][0][0], rows=len(below), text=" ".join(below[0]).strip())
    else:
        yield from held


def _summary_in(rows: Sequence[list[str]]) -> int:
    """Return the number of the empty row from which all rows are sparse; else that of all rows."""
    size = len(rows[0]) if rows else 0
    empty = [""] * size
    if size < FEWEST_BESIDE or empty not in rows:
        return len(rows)
    return next((n for n, row in enumerate(rows) if row == empty
                 and all(map(_is_sparse, rows[n:]))), len(rows))  # fmt: skip


def _is_sparse(row: Sequence[str]) -> bool:
    return sum(map(bool, row)) <= MOST_BELOW


LONGEST_WORD = 30
"""The most characters of the name of a column below a title."""


def title_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of title rows: rows with a single cell above a header of several names.

    Names that mean nothing are a header if only the first of at least three cells is filled above.

    >>> title_rows([["Talk of Monday", ""], ["Speaker", "Text"], ["Ann", "so it is"]])
    1
    >>> title_rows([["Speaker", "Text"], ["Ann", "so it is"]]), title_rows([["a"], ["b", "c"]])
    (0, 0)
    >>> title_rows([["# well", " so"], ["0:01", "Ann", "no"], ["0:02", "Ben", "so it is"]])
    1
    """
    if comments := _comment_rows(rows):
        return comments + title_rows(rows[comments:])
    cells = [sum(map(bool, map(str.strip, row))) for row in rows[: MOST_TITLES + 1]]
    count = next((n for n, filled in enumerate(cells) if filled > 1), 0)
    is_header = bool(count) and len(list(filter(field_role, rows[count]))) > 1
    is_wide = count == 1 and len(rows[0]) > 2 and bool(rows[0][0].strip())
    are_names = is_wide and all(map(_is_word, rows[1])) and len(rows[0]) == len(rows[1])
    if is_header or are_names:
        return count
    return _pairs_above(rows) or int(_is_second_header(rows[:FEWEST_BESIDE]))


def _pairs_above(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of rows above the names of columns that have no more than two cells.

    Such rows say what the table is, as in ``Date,12 May``. No cell of them names a column, but the
    first ones may.

    >>> rows = [["Date", "12 May"], ["Host", "Ann"], ["Start", "Text"], ["1", "so it is"]]
    >>> _pairs_above(rows), _pairs_above(rows[2:])
    (2, 0)
    """
    for number, row in enumerate(rows[: MOST_PAIRS + 1]):
        cells = [cell for cell in row if cell.strip()]
        named = sum(bool(field_role(cell)) for cell in cells)
        if named > 1 and (len(cells) > MOST_BELOW or named == len(cells)):
            size = len(rows[number + 1]) if number + 1 < len(rows) else 0
            return number if size == len(row) and all(map(_is_word, cells)) else 0
        if len(cells) > MOST_BELOW or any(map(field_role, cells[1:])):
            return 0
    return 0


def _is_second_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the second row has the names of columns, under those of groups of columns.

    >>> rows = [["Speech", "", "Time"], ["Speaker", "Text", "Start"], ["Ann", "so it is", "0.5"]]
    >>> _is_second_header(rows), _is_second_header(rows[1:])
    (True, False)
    """
    if len(rows) < LEAST_ROWS or {*map(len, rows[1:])} != {len(rows[0])}:
        return False
    first, second, *others = rows
    return (
        all(map(_is_word, second))
        and are_columns(second)
        and not any(map(are_columns, others))
        and (not are_columns(first) or not all(map(str.strip, first)))
    )


def _comment_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of rows above a table that begin with ``#`` and are no names of columns."""
    count = next((n for n, row in enumerate(rows) if row[0][:1] != "#"), len(rows))
    sizes = {*map(len, rows[count:])}
    are_beside = count < len(rows) and not any(
        len(row) in sizes or len([*filter(field_role, row)]) > 1 for row in rows[:count]
    )
    return count if are_beside else 0


def _is_word(cell: str) -> bool:
    """Return True for a cell of few letters, as names of columns are."""
    return (
        any(map(str.isalpha, cell))
        and not any(map(str.isdigit, cell))
        and len(cell) <= LONGEST_WORD
    )


def are_returning_names(cells: Sequence[str]) -> bool:
    """Return True if cells are short names, each of which occurs twice on average.

    >>> are_returning_names(["Ann", "Ben"] * 2), are_returning_names(["1", "2"] * 2)
    (True, False)
    """
    return (
        len(cells) >= LEAST_OF_NAMES
        and 1 < len({*cells}) <= len(cells) / 2
        and all(len(c.split()) <= LONGEST_NAME and any(map(str.isalpha, c)) for c in cells)
    )


def are_texts_alone(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if rows have one column of texts, and the first row is a text, not a header.

    >>> are_texts_alone([["Well, so it is!"], ["No, not at all."]])
    True
    >>> are_texts_alone([["What was said"], ["No, not at all."]])
    False
    """
    texts = [row[0].strip() for row in rows[:MOST_TRIED]]
    if len(texts) < 2 or {*map(len, rows)} != {1}:
        return False
    words = sum(map(word_count, texts))
    is_text = word_count(texts[0]) >= LEAST_WORDS and (
        bool(NO_BLANKS.search(texts[0])) or texts[0].rstrip(CLOSING)[-1:] in ENDS
    )
    return is_text and words >= LEAST_WORDS * len(texts) and not field_role(texts[0])


def value_in_header(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a cell of the first row that is a value, not a name; empty if there is none.

    A value is a web address, a time (`1.5`, `0:12`), or a number in a column of numbers, unless the
    first row numbers the columns (`0`, `1`, …) and no other cell of it is long. If there is none, a
    cell is a value if several cells of the first row occur again below it in the same column or are
    sentences as those below them, or if the row is a sentence that is cut at its commas.

    >>> value_in_header(["7", "Ann", "yes"], [["7", "Ben", "no"], ["8", "Ann", "well"]])
    '7'
    >>> value_in_header(["0", "1"], [["7", "so"], ["8", "no"]])
    ''
    >>> value_in_header(["Well as I said here last night", "nobody saw where they put it"], [])
    'Well as I said here last night'
    >>> value_in_header(["Hello", "So it is.", "a1"], [["Hello", "Is it?", "b2"]] * 2)
    'So it is.'
    >>> value_in_header(["Age", "Is it so?", "How?"], [["7", "It is.", "So."]] * 2)
    ''
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = list(zip(*some, strict=True)) or [()] * len(names)
    repeated: list[str] = []
    is_long = any(word_count(name) >= LONGEST_HEADER for name in names)
    for number, (name, column) in enumerate(zip(names, columns, strict=True)):
        if "://" in name or (("." in name or ":" in name) and seconds_of(name) is not None):
            return name
        are_numbers = bool(column) and all(number_of(cell) is not None for cell in column)
        counts = (None,) if is_long else (None, number, number + 1)
        if are_numbers and number_of(name) not in counts:
            return name
        repeated += [name] if name.strip() and name in column else []
    if sentences := _sentences_over(names, columns):
        has_more = len(sentences) + len({*repeated}.difference(sentences)) >= LEAST_REPEATED
        has_more = has_more or any(map(_is_over_questions, names, columns))
        return sentences[0] if has_more else ""
    parts = [name.strip() for name in names if name.count(" ") >= LEAST_BLANKS]
    if len(parts) >= LEAST_PARTS and any(part[:1].islower() for part in parts[1:]):
        return parts[0]
    return repeated[0] if len(repeated) >= LEAST_REPEATED else sure_value(names, rows)


def sure_value(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a cell of the first row that is surely no name of a column; empty without one.

    It is a long text above texts, a number above numbers and beside a sentence above sentences, or
    it begins as all cells below it do: ``talk:greet`` above ``talk:leave``.

    >>> sure_value(["0", "So it was, then."], [["22", "No, it was not."], ["28", "Well, I know."]])
    '0'
    >>> sure_value(["lord_talk:greet", "hi"], [[f"lord_talk:leave{n}", "bye"] for n in range(9)])
    'lord_talk:greet'
    >>> sure_value(["0", "What did they say?"], [["22", "No, it was not."], ["28", "Well."]])
    ''
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = list(zip(*some, strict=True))
    if not columns or any(field_role(name) for name in names):
        return ""
    pairs = list(zip(names, columns, strict=True))
    over = [name for name, column in pairs if _is_text_over_texts(name, column)]
    if long := [name for name in over if word_count(name) >= SURE_TEXT or "\n" in name.strip()]:
        return long[0]
    for name, column in pairs:
        are_numbers = number_of(name) is not None and all(map(_is_measured, column))
        lead = LEAD.match(name)
        alike = sum(cell.startswith(lead[0]) for cell in column) if lead else 0
        is_alike = len({*column}) >= LEAST_ROWS and alike >= SURE_SHARE * len(column)
        if (over and are_numbers) or is_alike:
            return name
    return ""


def _is_text_over_texts(name: str, column: Sequence[str]) -> bool:
    """Return True for a sentence or a long text above such texts; a question may be a name."""
    cells = [cell for cell in column if cell.strip()]
    bare = name.strip().rstrip(CLOSING)
    is_text = is_sentence(name) or word_count(name) >= SURE_TEXT
    return (
        is_text and bool(cells) and not bare.endswith(QUESTION)
        and sum(map(word_count, cells)) >= LEAST_WORDS * len(cells)
        and (2 * sum(map(is_sentence, cells)) >= len(cells) or word_count(name) >= SURE_TEXT)
    )  # fmt: skip


def _sentences_over(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the cells of the first row that are sentences above sentences.

    The list is empty if a cell is a usual name, or the name of a column of numbers, times or single
    words; a question may be one.
    """
    sentences: list[str] = []
    for name, column in zip(names, columns, strict=True):
        cells = [cell for cell in column if cell.strip()]
        if is_sentence(name):
            if sum(map(word_count, cells)) < LEAST_WORDS / 2 * len(cells) or not any(
                map(is_sentence, cells)
            ):
                return []
            is_alike = 2 * sum(map(is_sentence, cells)) >= len(cells)
            sentences += [name] if is_alike else []
        elif field_role(name) or (
            any(map(str.isalpha, name)) and cells and all(map(_is_measured, cells))
        ):
            return []
    return sentences


def _is_over_questions(name: str, column: Sequence[str]) -> bool:
    """Return True for a question above questions: answers would be below the name of a column.

    >>> _is_over_questions("Is it so?", ["Where?", "How is it?"] * 2)
    True
    >>> _is_over_questions("Is it so?", ["It is.", "How is it?", "No."])
    False
    """
    asked = sum(cell.rstrip(CLOSING + " ").endswith(QUESTION) for cell in column)
    is_asked = name.rstrip(CLOSING + " ").endswith(QUESTION) and is_sentence(name)
    return is_asked and len(column) >= LEAST_ROWS and 10 * asked >= 9 * len(column)


def is_sentence(cell: str) -> bool:
    """Return True for words with a sign of the end of a sentence behind them.

    >>> is_sentence("So it is."), is_sentence("“Is it?”"), is_sentence("So it is"), is_sentence("?")
    (True, True, False, False)
    """
    bare = cell.strip().rstrip(CLOSING).rstrip()
    has_words = any(map(str.isalpha, bare)) and word_count(bare) >= LEAST_WORDS / 2
    return has_words and bare.endswith(ENDS) and seconds_of(bare) is None


def _is_measured(cell: str) -> bool:
    """Return True for a number, a time, or a date."""
    text = cell.strip()
    return seconds_of(text) is not None or seconds_since_1970(text) is not None or is_day(text)


def are_cut_texts(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if rows are texts that were cut at their commas, so that they differ in length.

    >>> are_cut_texts([["well ", "so it is ."], ["no", "never", "said he ."], ["yes it is so ."]])
    True
    >>> are_cut_texts([["n", "said"], ["1", "so it is."], ["2", "no, never", " said he."]])
    False
    """
    some = rows[:MOST_TRIED]
    sizes = [len(row) for row in some]
    ends = [is_sentence(",".join(row)) for row in some if row]
    usual = max({*sizes}, key=sizes.count, default=0)
    is_uneven = len(some) > LEAST_REPEATED and 4 * sizes.count(usual) <= 3 * len(sizes)
    return is_uneven and all(ends[:1]) and MOST_QUOTED * len(ends) <= sum(ends)


def with_joined_text(row: list[str], size: int, delimiter: str) -> list[str]:
    """Reduce a row to `size` cells.

    Surplus cells are joined to the last cell, with the delimiter between them.

    >>> with_joined_text(["0.5", "yes", " so it is"], 2, ",")
    ['0.5', 'yes, so it is']
    """
    return [*row[: size - 1], delimiter.join(row[size - 1 :])]


def with_quotes_behind_blanks(row: list[str], size: int, delimiter: str) -> list[str]:
    """Return the cells of a row whose quotation marks stand behind blanks; others unchanged.

    >>> with_quotes_behind_blanks(["Ann", ' "so', ' it is"', "7"], 3, ",")
    ['Ann', 'so, it is', '7']
    >>> with_quotes_behind_blanks(["Ann", "so", " it is", "7"], 3, ",")
    ['Ann', 'so', ' it is', '7']
    """
    behind = [cell for cell in row if cell[:1] == " " and cell.lstrip()[:1] == '"']
    if not behind or any("\n" in cell for cell in row):
        return row
    marked = ('"' + cell.replace('"', '""') + '"' if delimiter in cell else cell for cell in row)
    import csv

    try:
        (cells,) = csv.reader([delimiter.join(marked)], delimiter=delimiter, skipinitialspace=True)
    except csv.Error:
        return row
    return cells if len(cells) == size else row


def with_parts_behind_blanks(row: list[str], size: int, delimiter: str) -> list[str]:
    """Return a row whose parts behind separators and blanks are joined to the cells before them.

    The row is unchanged if it has another number of cells then.

    >>> with_parts_behind_blanks(["is it", "yes", " so it is", "7"], 3, ",")
    ['is it', 'yes, so it is', '7']
    >>> with_parts_behind_blanks(["is it", "yes", "so it is", "7"], 3, ",")
    ['is it', 'yes', 'so it is', '7']
    """
    cells: list[str] = []
    for cell in row:
        if cells and cell[:1] == " " and cell.strip():
            cells[-1] += delimiter + cell
        else:
            cells.append(cell)
    return cells if len(cells) == size else row


def with_inner_text(
    row: list[str], columns: Sequence[Sequence[str]], place: int, delimiter: str
) -> list[str]:
    """Reduce a row to as many cells as columns: surplus cells are parts of the text at a place.

    A row is unchanged unless each other cell is a number in a column of numbers, or is a value of
    its column. `columns` has the values of other rows.

    >>> columns = [["Ann", "Ben", "Ann"], ["so it is", "well", "no"], ["1.5", "2", "3"]]
    >>> with_inner_text(["Ben", "yes", " so it is", "9.5"], columns, 1, ",")
    ['Ben', 'yes, so it is', '9.5']
    >>> with_inner_text(["Ben", "yes", " so it is", "Ann"], columns, 1, ",")
    ['Ben', 'yes', ' so it is', 'Ann']
    """
    end = place + 1 + len(row) - len(columns)
    cells = [*row[:place], delimiter.join(row[place:end]), *row[end:]]
    fitting = (
        cell in column or (_is_quantity(cell) and all(map(_is_quantity, column)))
        for n, (cell, column) in enumerate(zip(cells, columns, strict=True)) if n != place
    )  # fmt: skip
    return cells if all(fitting) else row


def without_quotes(texts: Sequence[str]) -> tuple[list[str], int]:
    """Return texts without the quotation marks around them, and the number of these marks.

    >>> without_quotes(['"so it is"', '"so", he said, "it is"'])
    (['so it is', '"so", he said, "it is"'], 2)
    """
    bare = [text.strip() for text in texts]
    parts = [text[1:-1] if _is_in_quotes(text) else None for text in bare]
    count = 2 * sum(part is not None for part in parts)
    return [t if part is None else part for t, part in zip(texts, parts, strict=True)], count


def are_in_quotes(texts: Sequence[str]) -> bool:
    """Return True if nearly all texts are in quotation marks, as some programs write them."""
    filled = [text.strip() for text in texts if text.strip()]
    quoted = sum(map(_is_in_quotes, filled))
    return len(filled) >= LEAST_OF_NAMES and quoted >= MOST_QUOTED * len(filled)


def _is_in_quotes(text: str) -> bool:
    signs = QUOTES.get(text[:1], "")
    return len(text) > 2 and text[-1:] == signs and not {text[0], signs} & {*text[1:-1]}


def _is_quantity(cell: str) -> bool:
    """Return True for a number or a time."""
    return number_of(cell) is not None or seconds_of(cell) is not None


def name_in_object(cell: str) -> str:
    """Return the name of a speaker in a cell with a Python or JSON object; others unchanged.

    >>> name_in_object("{'speaker_name': 'Ann', 'speaker_party': 'A'}"), name_in_object("{A}")
    ('Ann', '{A}')
    """
    from ast import literal_eval

    try:
        value = literal_eval(cell) if len(cell) <= LONGEST_OBJECT else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    if not isinstance(value, dict):
        return cell
    keys = [name for name in value if isinstance(name, str)]
    names = [*NAMES_OF_SPEAKERS, *likely_names("speaker", keys)]
    found = (value[name] for name in names if isinstance(value.get(name), (str, int)))
    return str(next(found, cell))


class NumberColumns(NamedTuple):
    """Columns of times that are no plain seconds.

    Each gets the sum of the columns of its parts, such as minutes and seconds; `parts` has the
    seconds of their units.
    """

    parts: Mapping[int, Mapping[int, int]]

    def in_seconds(self, rows: Sequence[list[str]]) -> list[list[str]]:
        """Replace decimal commas by points, longer units by seconds, and first parts by sums."""
        return [
            [
                _seconds(row, self.parts[n]) if n in self.parts else cell
                for n, cell in enumerate(row)
            ]
            for row in rows
        ]


def _columns_of_units(
    names: Sequence[str], rows: Sequence[Sequence[str]]
) -> dict[str, dict[int, int]]:
    """Return the columns of hours, minutes and seconds of a start or an end, with their seconds."""
    groups: dict[str, dict[int, int]] = {}
    for number, name in enumerate(names):
        *own, last = name_parts(name) or [""]
        unit = LONG_UNITS.get(last) or UNITS.get(last) == 1
        role = role_of_time(" ".join(own)) if own else "start"
        cells = [row[number].strip() for row in rows if number < len(row) and row[number].strip()]
        are_parts = bool(cells) and all(NUMBER.match(cell) for cell in cells) and (
            unit == 3600 or all(float(cell.replace(",", ".")) < 60 for cell in cells)
        )  # fmt: skip
        if unit and role and are_parts:
            groups.setdefault(role, {})[number] = unit
    return {
        role: units for role, units in groups.items()
        if 60 in units.values() and 1 in units.values() and len({*units.values()}) == len(units)
    }  # fmt: skip


def _seconds(row: Sequence[str], units: Mapping[int, int]) -> str:
    """Return the sum of numbers as seconds; a single cell of another kind unchanged."""
    cells = [row[n].strip() if n < len(row) else "" for n in units]
    if not all(map(NUMBER.match, cells)):
        return "" if cells[1:] else row[next(iter(units))]
    cells = [cell.replace(",", ".") for cell in cells]
    if [*units.values()] == [1]:
        return cells[0]
    total = sum(map(mul, map(float, cells), units.values()))
    return f"{total:.9f}".rstrip("0").rstrip(".")


def number_columns(
    names: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[NumberColumns, dict[str, str]] | None:
    """Return the columns of times with decimal commas or in minutes or hours, and their roles.

    Numbers with a comma in each cell have decimals; with a comma in some, it may separate
    thousands, and they stay as they are.

    >>> columns, roles = number_columns(["start", "end (min)"], [["0,5", "0.1"], ["7,0", "0.2"]])
    >>> columns.parts, roles
    ({0: {0: 1}, 1: {1: 60}}, {'start': 'start', 'end': 'end (min)'})
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    if sums := _columns_of_units(names, some):
        firsts = {role: next(iter(units)) for role, units in sums.items()}
        parts = {firsts[role]: units for role, units in sums.items()}
        return NumberColumns(parts), {role: names[first] for role, first in firsts.items()}
    units: dict[int, Mapping[int, int]] = {}
    roles: dict[str, str] = {}
    for number, name in enumerate(names):
        short, unit = without_long_unit(name)
        role = role_of_time(short)
        role = "end" if short.lower() == "offset" and "start" in roles else role
        cells = [row[number].strip() for row in some if row[number].strip()]
        fits = role and role not in roles and len(cells) > 1 and all(map(NUMBER.match, cells))
        if fits and (unit > 1 or all("," in cell for cell in cells)):
            units[number] = {number: unit}
            roles[role] = name
    return (NumberColumns(units), roles) if units else None


class DateColumns(NamedTuple):
    """Columns of times that are dates with a time of day; the first in each recording is zero."""

    numbers: tuple[int, ...]
    firsts: dict[str, float]
    """The earliest time of each recording in seconds since 1970."""
    owner: int | None = None
    """The column that names the recordings, if there are several."""
    day: int | None = None
    """The column of dates, if the times of day have none."""
    is_month_first: bool = False

    def in_seconds(self, rows: Sequence[list[str]]) -> list[list[str]]:
        """Replace each date by the seconds since the first; other cells are unchanged."""
        return [
            [self._seconds(row, cell) if n in self.numbers else cell for n, cell in enumerate(row)]
            for row in rows
        ]

    def _seconds(self, row: Sequence[str], cell: str) -> str:
        date = self.date_of(row, cell)
        if date is None:
            return cell
        return f"{max(0, date - self.firsts.setdefault(self.owner_of(row), date)):.6f}"

    def owner_of(self, row: Sequence[str]) -> str:
        """Return the name of the recording of a row; empty if there is only one."""
        return "" if self.owner is None else row[self.owner]

    def text_of(self, row: Sequence[str], cell: str) -> str:
        """Return the date of a time with the time."""
        day = f"{row[self.day].strip()} " if self.day is not None and self.day < len(row) else ""
        return day + cell.strip()

    def date_of(self, row: Sequence[str], cell: str) -> float | None:
        """Return a time in seconds since 1970, or `None`."""
        return seconds_since_1970(self.text_of(row, cell), is_month_first=self.is_month_first)


def date_columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> DateColumns | None:
    """Return the columns of starts and ends whose cells are dates that increase within a day.

    In a chat, whose speakers return, they may increase over several days. The date may be in a
    column beside that of the time of day, if there are no ends: other clock times count from the
    beginning of a recording. Ids of talks that several rows share name recordings, each with a
    first time. Return `None` if there are no such columns, or if files name several recordings:
    there, a date is when a recording was made.

    >>> days = ["2026-05-01T10:00:00", "2026-05-01 10:00:02.5"]
    >>> date_columns(["time", "text"], [[day, "so"] for day in days]).numbers
    (0,)
    >>> date_columns(["ts"], [["1710000000000"], ["1710000004000"]]).firsts
    {'': 1710000000.0}
    >>> date_columns(["time", "path"], [[day, f"{day[-2:]}.wav"] for day in days])
    >>> columns = date_columns(["date", "time"], [["1/5/2026", "10:00"], ["1/5/2026", "10:05"]])
    >>> columns.in_seconds([["1/5/2026", "10:07"]])
    [['1/5/2026', '420.000000']]
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    owners = [n for n, name in enumerate(names) if name.lower() in NAMES["recording"].usual]
    several = any(len({row[n] for row in some}) > 1 for n in owners)
    if len(some) < 2 or several:
        return None
    columns = list(zip(*some, strict=True))
    days = (n for n, column in enumerate(columns) if all(map(is_day, column)))
    has_ends = any(
        role_of_time(name) == "end" and any(map(is_time, column))  # else addressees in ``To``
        for name, column in zip(names, columns, strict=True)
    )
    day = None if has_ends else next(days, None)
    times = [
        n for n, name in enumerate(names)
        if plain_name(name)[0] in (*NAMES["start"].plain, *NAMES["end"].plain) or time_role(name)
    ]  # fmt: skip
    is_chat = _is_chat(names, columns)
    if is_chat is not None:
        times += [n for n, name in enumerate(names) if plain_name(name)[0] in DATES_OF_MESSAGES]
    talks = [n for n, name in enumerate(names) if plain_name(name)[0] in OF_TALKS]
    shared = [n for n in talks if 2 * len({*columns[n]}) <= len(some) and len({*columns[n]}) > 1]
    for owner in (*shared, None):
        for dates in dict.fromkeys((None, day)):
            dated = DateColumns((), {}, owner, dates)
            numbers = tuple(
                n for n in times if n != dates and _are_dates(dated, some, n, is_chat=bool(is_chat))
            )
            if numbers:
                dated = _in_order(dated, some, numbers[0])
                firsts: dict[str, float] = {}
                for row in rows:
                    date = dated.date_of(row, row[numbers[0]]) if len(row) == len(names) else None
                    known = dated.owner_of(row) if date is not None else ""
                    firsts[known] = min(firsts.get(known, date or 0), date or 0)
                return dated._replace(numbers=numbers, firsts=firsts)
    return None


def _is_chat(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool | None:
    """Return True if speakers return beside texts; `None` without speakers and texts.

    A column of phrases is a text, whatever its name is.

    >>> _is_chat(["user", "text"], [["Ann", "Ben", "Ann"], ["so it is", "no", "well"]])
    True
    """
    speakers = likely_names("speaker", names)
    have_words = (sum(map(word_count, cells)) >= LEAST_WORDS * len(cells) for cells in columns)
    if not speakers or not (likely_names("text", names) or any(have_words)):
        return None
    cells = columns[names.index(speakers[0])]
    return 1 < len({*cells}) < len(cells)


def _in_order(dates: DateColumns, rows: Sequence[Sequence[str]], number: int) -> DateColumns:
    """Return columns of dates that know whether the month is before the day."""
    texts = [dates.text_of(row, row[number]) for row in rows]
    return dates._replace(is_month_first=is_month_first(texts))


def _are_dates(
    dates: DateColumns, rows: Sequence[Sequence[str]], number: int, *, is_chat: bool
) -> bool:
    """Return True if the cells of a column are dates that increase, within a day if no chat."""
    if dates.day is not None and not are_times_of_day(row[number].strip() for row in rows):
        return False
    dates = _in_order(dates, rows, number)
    parts: dict[str, list[float]] = {}
    for row in rows:
        date = dates.date_of(row, row[number])
        if date is None:
            return False
        parts.setdefault(dates.owner_of(row), []).append(date)
    return any(part[-1] > part[0] for part in parts.values()) and all(
        (all(map(le, part, part[1:])) and part[-1] - part[0] < DAY)
        or (is_chat and sum(map(gt, part, part[1:])) <= MOST_FALLS * len(part))
        for part in parts.values()
    )


def oldest_first(source: Source, batches: RowBatches) -> RowBatches:
    """Yield rows below a header; those of a chat whose newest message is first, turned round."""
    for numbers, rows in batches:
        header, *others = rows
        whole = [row for row in others[:MOST_TRIED] if len(row) == len(header)]
        columns = [*zip(*whole, strict=True)]
        if columns and _is_chat(header, columns) and (dates := date_columns(header, others[::-1])):
            (first, *_) = dates.numbers
            if date_columns(header, others) is None:
                source.log.say(NEWEST_FIRST, numbers[0], name=header[first])
                pairs = [*zip(numbers, rows, strict=True)]
                for following in batches:
                    pairs += zip(*following, strict=True)
                pairs[1:] = pairs[:0:-1]
                yield [number for number, _ in pairs], [row for _, row in pairs]
                return
        yield numbers, rows
        yield from batches


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of columns, without empty columns at the end."""
    header = rows[0] if rows else ()
    named = max((number for number, name in enumerate(header, 1) if name.strip()), default=0)
    size = len(header)
    nameless = size - named
    ends = (row[max(named, len(row) - nameless) :] for row in rows)
    return named if named and not any(cell.strip() for end in ends for cell in end) else size


def _cut(row: list[str], size: int) -> list[str]:
    """Remove empty cells at the end of a row that has more than `size` cells."""
    while len(row) > size and not row[-1].strip():
        row = row[:-1]
    return row


def _with_missing(header: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns in which ``NA`` means a missing value.

    Its other cells are in small letters, numbers or times. Among capitals, ``NA`` may be a word or
    initials; in a table that this package wrote, it is a value.
    """
    some = rows[:MOST_TRIED]
    if (*chain(*header),) == COLUMNS and any("" in row for row in some):
        return []
    sizes = Counter(map(len, some))
    size = max(sizes, key=sizes.__getitem__, default=0)
    columns = zip(*(row for row in some if len(row) == size), strict=True)
    return [n for n, column in enumerate(columns) if not _may_be_word(column)]


def _may_be_word(cells: Collection[str]) -> bool:
    others = [cell for cell in cells if cell.strip() not in ("", MISSING, NO_WORD)]
    letters = "".join(others)
    return letters == letters.upper() and letters != letters.lower()


def _without_missing(row: list[str], columns: Sequence[int], signs: Set[str]) -> list[str]:
    """Empty the cells of a row that have one of the signs; ``NA`` only in these columns."""
    return [
        "" if cell in signs and (cell != MISSING or number in columns) else cell
        for number, cell in enumerate(row)
    ]


def without_byte_order_marks(
    names: Sequence[str], rows: Sequence[list[str]]
) -> Sequence[list[str]]:
    r"""Return rows without the marks U+FEFF that joined files leave in cells.

    Rows with our own columns stay as they are.

    >>> without_byte_order_marks(["name", "text"], [["Ann", "\ufeffso it is"]])
    [['Ann', 'so it is']]
    """
    if tuple(names) == COLUMNS or "\ufeff" not in "".join(map("".join, rows)):
        return rows
    return [[cell.replace("\ufeff", "") for cell in row] for row in rows]
