"""Messages of the readers and writers of tables."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry

TABLE_NULL = Entry(
    "TABLE-NULL",
    WARNING,
    "{rows:row without a text (null) is/rows without a text (null) are} not read",
)
TABLE_TOKENS = Entry(
    "TABLE-TOKENS",
    WARNING,
    "{path}: the tokens of each list are joined by blanks, but {tokens} of the first "
    "{total} are empty or contain blanks",
)
TIME_UNIT = Entry(
    "TIME-UNIT",
    NOTE,
    ("the file looks like a table of Whisper, so the times are read as whole milliseconds"),
)
HEADER_AGAIN = Entry(
    "HEADER-AGAIN",
    NOTE,
    "{rows:row that repeats the header is/rows that repeat the header are} not read",
    is_shown=True,
)
ROWS_LEFT = Entry(
    "ROWS-LEFT",
    NOTE,
    "{rows:row without a text and times is/rows without a text and times are} not read: {cell!r}",
    is_shown=True,
)
SILENCES_LEFT = Entry(
    "NO-WORD",
    NOTE,
    "{rows:row is/rows are} not read, because the text is a label of silence or noise: {cell!r}",
    "silence",
    is_shown=True,
)
SPEAKERS_LEFT = Entry(
    "SPEAKERS-LEFT",
    WARNING,
    "{rows:row has/rows have} a text but an empty cell in {name!r}, so nobody is named as the "
    "speaker there; if these are scenes or directions, leave the rows out, and if the speaker of "
    "the row above goes on, fill the cells",
)
UNITS_READ = Entry(
    "TIME-UNIT",
    NOTE,
    "the times in {names!r: and } have decimal commas, or are in minutes or hours as the names say",
    "columns",
    is_shown=True,
)
COLUMN_COPIED = Entry(
    "COLUMN-COPIED",
    NOTE,
    "the name {name!r} is used again for a column with the same cells",
)
NO_HEADER = Entry(
    "NO-HEADER",
    NOTE,
    "the first row has no column names, so the columns are read as {names!r} ({advice} "
    "names the columns)",
    advice=(Advice("columns", "NAMES"),),
    is_shown=True,
)
XLSX_COLUMNS = Entry(
    "XLSX-COLUMNS",
    NOTE,
    ("{rows:row has/rows have} cells in columns without a name, and these cells are not read"),
)
TABLE_COLUMNS = Entry("TABLE-COLUMNS", NOTE, "the columns {names!r} are not read")
XLSX_SHEETS = Entry(
    "XLSX-SHEETS", NOTE, "the sheet {name!r} is read, and the sheets {others!r} are not read"
)
XLSX_SEVERAL = Entry(
    "XLSX-SHEETS",
    ERROR,
    ("expected one table, found {sheets} sheets: {names!r} (choose a sheet, for example {advice})"),
    "several",
    (Advice("sheet", "{first}"),),
)
TIMES_NOT_WHOLE = Entry(
    "TIME-UNIT",
    ERROR,
    "expected whole milliseconds as in the rows above, found {start!r} and {end!r} (see {advice})",
    "whole",
    (Advice("time_unit", ""),),
)
SHEET_TIMES = Entry(
    "SHEET-TIMES",
    NOTE,
    "times such as {time!r} are read as minutes and seconds ({minutes}), because other times of "
    "the column have no hours, and spreadsheets write {minutes} as {time!r}",
    is_shown=True,
)
LISTS_IN_TEXT = Entry(
    "LISTS-IN-TEXT",
    NOTE,
    "the cells of {name!r} are lists of texts, which are joined",
    is_shown=True,
)
MESSAGES_IN_CELLS = Entry(
    "LISTS-IN-TEXT",
    NOTE,
    "the cells of {name!r} are lists of messages, and each message is read as a segment",
    "messages",
    is_shown=True,
)
PARTIES = Entry(
    "TURNS-OF-PARTIES",
    NOTE,
    "each row is read as a turn of each of {names}",
    is_shown=True,
)
PARTIES_WRITTEN = Entry(
    "TURNS-OF-PARTIES",
    WARNING,
    "each row is read as a turn of each of {names}; texts with these names are often written, so "
    "that nobody said them",
    "written",
    is_shown=True,
)
NO_MESSAGES = Entry(
    "TABLE-SYNTAX",
    ERROR,
    "expected a list of messages in {name!r}, found {text!r}",
    "messages",
)
HEADER_OF_VALUES = Entry(
    "TABLE-SYNTAX",
    ERROR,
    "expected names of columns, found the value {value!r} ({advice} names the columns)",
    "values",
    advice=(Advice("columns", "NAMES"),),
)
TEXTS_WITHOUT_NAMES = Entry(
    "NO-HEADER",
    ERROR,
    "the first row has no column names, and the texts may be in {found!r: or } ({advice} reads "
    "those of the first)",
    "texts",
    advice=(Advice("columns", "{columns}"),),
)
CUT_TEXTS = Entry(
    "TABLE-SYNTAX",
    ERROR,
    "expected rows of a table, found texts with commas inside them, for example {text!r} "
    "({advice} reads the lines as texts)",
    "cut",
    advice=(Advice("from", "txt"),),
)
INNER_QUOTES = Entry(
    "INNER-QUOTES",
    NOTE,
    "quotes inside the fields of {rows:row/rows} are not written twice: a quote ends a field only "
    "before a separator or the end of a line",
    is_shown=True,
)
TABLE_TITLE = Entry(
    "TABLE-TITLE",
    NOTE,
    "{rows:row above the header is/rows above the header are} not read: {text!r}",
    is_shown=True,
)
ROW_DESCRIBES = Entry(
    "TABLE-TITLE",
    NOTE,
    "the row below the header describes the columns and is not read: {text!r}",
    "description",
    is_shown=True,
)
TABLE_BELOW = Entry(
    "TABLE-BELOW",
    NOTE,
    "{rows:row is/rows are} not read below the empty row that ends the table: {text!r}",
    is_shown=True,
)
CELLS_MISSING = Entry(
    "CELLS-MISSING",
    NOTE,
    (
        "{cells:cell has/cells have} {value!r}, a sign of a missing value, so "
        "the cell counts as empty"
    ),
    is_shown=True,
)
QUOTES_BEHIND = Entry(
    "INNER-QUOTES",
    NOTE,
    "the quotes of fields in {rows:row/rows} stand behind blanks, and these fields are read as if "
    "the blanks were not there",
    "blanks",
    is_shown=True,
)
TEXT_JOINED = Entry(
    "TEXT-JOINED",
    NOTE,
    "{rows:row has/rows have} more cells than the header, and they are read as one text in "
    "{name!r}",
    is_shown=True,
)
PARTS_BEHIND = Entry(
    "TEXT-JOINED",
    NOTE,
    "{rows:row has/rows have} more cells than the header, and parts behind a separator and a "
    "blank are read as parts of the cell before",
    "blanks",
    is_shown=True,
)
TWICE_QUOTED = Entry(
    "INNER-QUOTES",
    NOTE,
    "{rows:row is/rows are} quoted twice: each is a single field, whose text is divided again",
    "twice",
    is_shown=True,
)
SPANS = Entry("ROLE", NOTE, "the start and the end are read from {name!r}", "span")
COLUMNS_LEFT = Entry(
    "COLUMNS-LEFT",
    NOTE,
    "{columns:column looks like a text, a time or a speaker, but it is kept only as a "
    "property/columns look like texts, times or speakers, but they are kept only as properties}: "
    "{names!r} ({advice} reads a column)",
    advice=(Advice("columns", "{role}={name}"),),
    is_shown=True,
)
