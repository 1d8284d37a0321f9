"""Messages of the readers and writers of tables."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry

TABLE_NULL = Entry(
    "TABLE-NULL",
    WARNING,
    "{path}: rows without a text (null) are no utterances: {rows}",
)
TABLE_TOKENS = Entry(
    "TABLE-TOKENS",
    WARNING,
    "{path}: the tokens of lists are joined by blanks; {tokens} of the first {total} are empty or "
    "have blanks, so that they are not one word each",
)
TIME_UNIT = Entry("TIME-UNIT", NOTE, "read as Whisper's table: times are whole milliseconds")
HEADER_AGAIN = Entry(
    "HEADER-AGAIN",
    NOTE,
    "{rows:row repeats/rows repeat} the header and are not read",
    is_shown=True,
)
NO_HEADER = Entry(
    "NO-HEADER",
    NOTE,
    "the first row has no names of columns: these are read as {names!r} ({advice} names them)",
    advice=(Advice("columns", "NAMES"),),
    is_shown=True,
)
XLSX_COLUMNS = Entry(
    "XLSX-COLUMNS",
    NOTE,
    "{rows:row has/rows have} cells in columns without a name, which are not read",
)
TABLE_COLUMNS = Entry("TABLE-COLUMNS", NOTE, "{path}: not read: {names!r}")
XLSX_SHEETS = Entry("XLSX-SHEETS", NOTE, "the sheet {name!r} is read, not {others!r}")
XLSX_SEVERAL = Entry(
    "XLSX-SHEETS",
    ERROR,
    "expected one table (choose it, for example {advice}), found {sheets} sheets: {names!r}",
    "several",
    (Advice("sheet", "{first}"),),
)
TIMES_NOT_WHOLE = Entry(
    "TIME-UNIT",
    ERROR,
    "expected whole milliseconds as above (see {advice}), found {start!r} and {end!r}",
    "whole",
    (Advice("time_unit", ""),),
)
SPANS = Entry("ROLE", NOTE, "start and end are read from {name!r}", "span")
COLUMNS_LEFT = Entry(
    "COLUMNS-LEFT",
    NOTE,
    "columns that look like texts, times or speakers, and are kept as properties alone: {names!r} "
    "({advice} reads one)",
    advice=(Advice("columns", "{role}={name}"),),
    is_shown=True,
)
