"""Messages of the readers and writers of meeting transcripts."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

TURNS_HEAD = Entry(
    "SPEAKER-TEXT-HEAD",
    NOTE,
    "lines above the first turn are not read as words: {text!r}",
)
LINES_LEFT = Entry(
    "SPEAKER-TEXT-LINES",
    NOTE,
    'of {total} lines {count} do not fit "{pattern}": they are text of the turns above them; the '
    "first is {text!r}",
    is_shown=True,
)
NUMBERS_LEFT = Entry(
    "SPEAKER-TEXT-PAGES",
    NOTE,
    "the numbers of lines and pages are not read as words",
    is_shown=True,
)
FIELDS_LEFT = Entry(
    "SPEAKER-TEXT-FIELDS",
    NOTE,
    "{count:field/fields} of records not read: {names}",
    is_shown=True,
)
TURN_END = Entry(
    "CUE-END",
    WARNING,
    "a turn that ends before it begins: {text!r}",
    "turn",
    several="{times} turns that end before they begin",
)
TURN_EMPTY_AT = Entry("TURN-EMPTY", NOTE, "a turn without text: {text!r}", "head")
PODCAST_TEXT = Entry(
    "PODCAST-TEXT",
    NOTE,
    "{texts:text/texts} outside cite, time and p not read as words",
)
TURN_NAMES = Entry(
    "SPEAKER-NAMES",
    NOTE,
    'names before {count} of {total} texts, in the form "{notation}", are read as speakers',
    "turns",
)
TIME_OF_DAY = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times are times of day: they are counted from the first, {first}",
    is_shown=True,
)
SPEAKER_TEXT_FOOTER = Entry("SPEAKER-TEXT-FOOTER", NOTE, "not read as words: {text!r}")
STAMPS_INSIDE = Entry(
    "STAMPS-INSIDE",
    NOTE,
    "{count} times in brackets among the words of turns are not read as words",
    is_shown=True,
)
CHAT_OF_DAYS = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the messages are of {days} days: their times of day are not read",
    "days",
    is_shown=True,
)
CHANGES_LEFT = Entry(
    "SPEAKER-CHANGES",
    NOTE,
    "{count} signs of a change of speaker, as {text!r}, are not read as words",
    is_shown=True,
)
NAMES_INSIDE = Entry(
    "SPEAKER-TEXT-INSIDE",
    NOTE,
    "{count} names of speakers with a colon are inside lines, and read as words: the first in "
    "{text!r}",
    is_shown=True,
)
MINUTES_LEFT = Entry(
    "SPEAKER-TEXT-MINUTES",
    NOTE,
    "{count:line/lines} of minutes, not of turns, not read as words: the first is {text!r}",
    is_shown=True,
)
TURN_EMPTY = Entry("TURN-EMPTY", NOTE, "a turn without text")
TIMES_HEAD = Entry(
    "SPEAKER-TEXT-HEAD",
    NOTE,
    "lines above the first time are not read as words: {text!r}",
    "times",
)
SPEAKER_TEXT = Entry(
    "SPEAKER-TEXT",
    NOTE,
    'turns in the form "{pattern}": {heads} of {paragraphs} paragraphs, {speakers} speakers',
)
TIME_BACK = Entry(
    "TIME-BACK",
    WARNING,
    "{turns} turns begin before the one above them: are these several recordings?",
)
TIME_AGAIN = Entry(
    "TIME-BACK",
    WARNING,
    "the times begin again at {time}: is the same speech there twice, or are these several "
    "recordings?",
    "again",
)
TIME_BACK_FEW = Entry("TIME-BACK", NOTE, "{turns} turns begin before the one above them", "few")
DOCX_MARKS = Entry(
    "DOCX-MARKS",
    NOTE,
    "no words: marks of analyses: {marks}, rows of categories: {categories}",
)
DOCX_TRACKED = Entry(
    "DOCX-TRACKED",
    NOTE,
    "tracked changes: {inserted} inserted texts read, {deleted} deleted texts dropped",
)
RTF_DROPPED = Entry(
    "RTF-DROPPED",
    NOTE,
    "no words: deleted texts: {deleted}, hidden texts: {hidden}",
)
TIMES_IN_MS = Entry(
    "TIME-UNIT",
    NOTE,
    "times are read as milliseconds: as seconds, {words} words would last {seconds:.0f} s "
    "({advice} names the unit)",
    "turns",
    (Advice("pattern", "PATTERN"),),
    is_shown=True,
)
TIMES_IN_HOURS = Entry(
    "TIME-UNIT",
    NOTE,
    "times are read as hours and minutes: as minutes and seconds, {words} words would last "
    "{seconds:.0f} s",
    "hours",
    is_shown=True,
)
TOO_FAST = Entry(
    "TIME-PACE",
    WARNING,
    "{words} words in {seconds:.0f} s are more than anyone speaks: are the times something else?",
)
PATTERN_FAULT = Entry("PATTERN", ERROR, "{advice}: {problem}", advice=(Advice("pattern", ""),))
WRITTEN_FAULT = PATTERN_FAULT._replace(variant="write", advice=(Advice("write_pattern", ""),))
WRITTEN_PATTERN = Entry(
    "PATTERN",
    ERROR,
    "expected {advice} as patterns of whole lines, and texts to begin with",
    "written",
    (Advice("write_pattern", ""),),
)
WRITTEN_TEXT = Entry(
    "PATTERN",
    ERROR,
    "expected {advice} as a pattern with {{text}}",
    "text",
    (Advice("write_pattern", ""),),
)
PATTERN_FITS_NONE = Entry(
    "PATTERN-FITS-NONE",
    ERROR,
    "expected lines of the pattern {pattern!r}, found none",
)
PATTERN_VALUE = Entry(
    "PATTERN-VALUE",
    ERROR,
    "expected a segment with {names} for the pattern {pattern!r}, found none (a part that may be "
    "missing is {{? … ?}})",
)
PATTERN_NOT_READ = Entry(
    "PATTERN-NOT-READ",
    ERROR,
    "expected a turn that the pattern {pattern!r} reads back, found {text!r}",
)
PATTERN_LINES = Entry(
    "PATTERN-LINES",
    NOTE,
    "lines taken: {taken}; joined to the turns above them: {joined}; skipped: {left} {first!r}",
    is_shown=True,
)
PATTERN_STAMPS = Entry(
    "PATTERN-STAMPS",
    WARNING,
    "the patterns took {taken} of {stamps} lines with times: is there a pattern for the others?",
)
PATTERN_UNIT = Entry(
    "PATTERN-UNIT",
    ERROR,
    "the times {first!r} to {last!r} may be seconds or milliseconds: write {{start s}} or "
    "{{start ms}}",
)

# Rules of losses.
RULE_NAMELESS = rule("nameless", 'written as "Speaker", as no name like theirs can be read')
RULE_NO_BEGIN = rule("no-begin", "no begin")
RULE_PATTERN = rule("pattern", "the pattern has no place for them")
RULE_READABLE_NAMES = rule("readable-names", "changed to names that can be read")
RULE_STAMPS = rule("stamps", "see {advice}", Advice("stamps"))
RULE_STRIPPED = rule("stripped", "no blanks begin or end a turn")
