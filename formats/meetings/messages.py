"""Messages of the readers and writers of meeting transcripts."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

LINES_LEFT = Entry(
    "SPEAKER-TEXT-LINES",
    NOTE,
    '{count} of {total} lines do not fit "{pattern}", so they are read as text of the '
    "turns above them; the first such line is {text!r}",
    is_shown=True,
)
LINES_LIKE_TURNS = Entry(
    "SPEAKER-TEXT-OTHER",
    WARNING,
    "{count} of {total} lines do not fit {pattern!r} but begin with a time, or with a name that "
    "returns, and are read as words of the turns above them; the first is {text!r} ({advice} "
    "describes such lines)",
    advice=(Advice("pattern", "PATTERN"),),
)
NUMBERS_LEFT = Entry(
    "SPEAKER-TEXT-PAGES",
    NOTE,
    "numbers of lines, verses and pages, and before names, are not read as words",
    is_shown=True,
)
DIRECTIONS_LEFT = Entry(
    "SPEAKER-TEXT-DIRECTIONS",
    NOTE,
    "{count:part inside the turns is a direction or sound/parts inside the turns are directions or "
    "sounds} and not read as words; the first is {text!r}",
    is_shown=True,
)
TEXT_AGAIN = Entry(
    "SPEAKER-TEXT-AGAIN",
    NOTE,
    "the text of all turns is below them once more, and its {count:line is/lines are} not read as "
    "words; the first is {text!r}",
    is_shown=True,
)
TEXT_ABOVE_TURNS = Entry(
    "SPEAKER-TEXT-AGAIN",
    NOTE,
    "the text of all turns is above them once more, and its {count:line is/lines are} not read as "
    "words; the first is {text!r}",
    "above",
    is_shown=True,
)
WORDS_JOINED = Entry(
    "SPEAKER-TEXT-HYPHENS",
    NOTE,
    "{count:line ends/lines end} in a word that goes on on the next line, so that it is read "
    "without the hyphen",
    is_shown=True,
)
NAMES_BEFORE_SIGN = Entry(
    "SPEAKER-TEXT-SIGN",
    NOTE,
    "the words before {sign!r} are read as names of speakers",
    is_shown=True,
)
TIMES_BELOW = Entry(
    "SPEAKER-TEXT-BELOW",
    NOTE,
    "each paragraph ends with a time, which is read as the time of its text",
    is_shown=True,
)
OTHER_FORM = Entry(
    "SPEAKER-TEXT-FORM",
    NOTE,
    '{count} turns of the same speakers begin in the form "{pattern}"',
    is_shown=True,
)
CHANGES_AT_DASHES = Entry(
    "SPEAKER-TEXT-FORM",
    NOTE,
    "{count} lines that begin with a dash are read as turns of speakers without names; the first "
    "is {text!r}",
    "dashes",
    is_shown=True,
)
LIST_MARKS_LEFT = Entry(
    "SPEAKER-TEXT-MARKS",
    NOTE,
    "the list marks {text!r} before the texts of turns are not read as words",
    is_shown=True,
)
TAGS_LEFT = Entry(
    "SPEAKER-TEXT-TAGS",
    NOTE,
    "{count:tag is/tags are} not read as words, for example {text!r}",
    is_shown=True,
)
FIELDS_LEFT = Entry(
    "SPEAKER-TEXT-FIELDS",
    NOTE,
    "{count:field of the records is/fields of the records are} not read: {names}",
    is_shown=True,
)
TURN_END = Entry(
    "CUE-END",
    WARNING,
    "the turn {text!r} ends before it begins",
    "turn",
    several="{times} turns end before they begin",
)
TURN_EMPTY_AT = Entry("TURN-EMPTY", NOTE, "the turn {text!r} has no text", "head")
PODCAST_TEXT = Entry(
    "PODCAST-TEXT",
    NOTE,
    "{texts:text outside of cite, time and p is/texts outside of cite, time and p "
    "are} not read as words",
)
PAGE_HIDDEN = Entry(
    "PAGE-HIDDEN",
    NOTE,
    "{count:element that is no text of the page is/elements that are no text of the page are} not "
    "read: {names}",
)
PAGE_OTHERS = Entry(
    "PAGE-OTHERS",
    NOTE,
    "{lines:line of the page is/lines of the page are} outside of texts, speakers and times and "
    "not read as words; the first is {text!r}",
    is_shown=True,
)
PAGE_PROSE = Entry(
    "PAGE-PROSE",
    WARNING,
    "the page has no turns, so {lines:line is/lines are} read as one text without speakers and "
    "times: is all of it speech?",
)
PAGE_TIMES = Entry(
    "PAGE-TIMES",
    WARNING,
    "{count:time of the page is/times of the page are} not read, for example {text!r}",
)
TURN_NAMES = Entry(
    "SPEAKER-NAMES",
    NOTE,
    '{count} of {total} texts begin with a name in the form "{notation}", and these '
    "names are read as speakers",
    "turns",
)
TIME_OF_DAY = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the times are times of day, so they are counted from the first time, {first}",
    is_shown=True,
)
SPEAKER_TEXT_FOOTER = Entry(
    "SPEAKER-TEXT-FOOTER", NOTE, "the footer {text!r} is not read as words", is_shown=True
)
TURNS_ABOVE = Entry(
    "SPEAKER-TEXT-HEAD",
    NOTE,
    "{lines:line is/lines are} above the first turn and not read as words; the first is {text!r}",
    "lines",
    is_shown=True,
)
LONG_ABOVE = Entry(
    "SPEAKER-TEXT-HEAD",
    WARNING,
    "{lines:line is/lines are} above the first turn and not read as words; {words} of their words "
    "are in sentences: is this speech? The first of these is {text!r}",
    "sentences",
)
SPEECH_ABOVE = Entry(
    "SPEAKER-TEXT-ABOVE",
    NOTE,
    "the text above the first time is read as speech that ends there: {text!r}",
    is_shown=True,
)
TURNS_BETWEEN = Entry(
    "SPEAKER-TEXT-FOOTER",
    NOTE,
    "{lines:line is/lines are} between or below turns and not read as words (titles, rules, "
    "directions in brackets, notices of a chat, a footer); the first is {text!r}",
    "lines",
    is_shown=True,
)
LONG_BETWEEN = Entry(
    "SPEAKER-TEXT-FOOTER",
    WARNING,
    "{lines:line is/lines are} between or below turns and not read as words; {words} of their "
    "words are in sentences: is this speech? The first of these is {text!r}",
    "sentences",
)
LENGTH_LEFT = Entry(
    "TIME-LENGTH",
    NOTE,
    "{count} turns have the same second time, {length}, which is read as the length of the "
    "recording and not as an end",
    is_shown=True,
)
STAMPS_INSIDE = Entry(
    "STAMPS-INSIDE",
    NOTE,
    (
        "{count:time in brackets inside the text of turns is/times in brackets inside "
        "the text of turns are} not read as words"
    ),
    is_shown=True,
)
UNSEEN_LEFT = Entry(
    "UNSEEN-LEFT",
    NOTE,
    "{count:invisible mark is/invisible marks are} at the ends of words and not read, such as "
    "those of the direction of writing",
    is_shown=True,
)
CHAT_OF_DAYS = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the messages are from {days} days, so their times of day are not read",
    "days",
    is_shown=True,
)
CHAT_OVER_DAYS = Entry(
    "TIME-OF-DAY",
    NOTE,
    "the messages are from {days} days, and their times count from the first, {first}",
    "over",
    is_shown=True,
)
SAME_PERSONS = Entry(
    "SPEAKER-TEXT-SAME",
    NOTE,
    "{count:name is/names are} read as another name of the same speaker: {name!r} as {shorter!r}; "
    "what is beside a name is the property 'role'",
    is_shown=True,
)
CHANGES_LEFT = Entry(
    "SPEAKER-CHANGES",
    NOTE,
    ("{count} signs that mark a change of speaker, for example {text!r}, are not read as words"),
    is_shown=True,
)
NAMES_ALONE = Entry(
    "SPEAKER-TEXT-ALONE",
    NOTE,
    "{count:paragraph that may be a name alone is/paragraphs that may be names alone are} read "
    "as words of the turns above them; the first is {text!r}",
    is_shown=True,
)
TITLES_JOINED = Entry(
    "SPEAKER-TEXT-TITLES",
    WARNING,
    "{count} lines that look like headings or page numbers are read as words of the turns above "
    "them; the first is {text!r} ({advice} with the rule skip leaves such lines out)",
    advice=(Advice("pattern", "@FILE"),),
)
NAMES_ODD = Entry(
    "SPEAKER-TEXT-NAMES",
    WARNING,
    "{count} of {total} names have only one turn or more than four words, for example {text!r}: "
    "are they names of speakers? ({advice} describes the turns)",
    advice=(Advice("pattern", "PATTERN"),),
)
TURNS_ALIKE = Entry(
    "SPEAKER-TEXT-ALIKE",
    WARNING,
    "{count} of {total} turns begin with a part such as {text!r}, which is read as words: is it a "
    "name or a mark? ({advice} describes the turns)",
    advice=(Advice("pattern", "PATTERN"),),
)
TURNS_ODD = {
    kind: Entry(
        "SPEAKER-TEXT-DOUBT",
        WARNING,
        f"{what}: are these the turns? ({{advice}} describes them)",
        kind,
        (Advice("pattern", "PATTERN"),),
    )
    for kind, what in {
        "longest": "one turn has {count} of the {total} words",
        "untimed": "{count} of {total} turns have no time",
    }.items()
}
TURNS_DOUBTFUL = Entry(
    "SPEAKER-TEXT-DOUBT",
    WARNING,
    '{heads} of {paragraphs} paragraphs look like "{pattern}", but lists and notes look so, too: '
    "are these the turns? ({advice} reads all lines as words)",
    "evidence",
    (Advice("from", "txt"),),
)
COLUMN_LEFT = Entry(
    "SPEAKER-TEXT-DOUBT",
    WARNING,
    "not read as words: {count:line that is/lines that are} in the column of speech but below no "
    "name; the first is {text!r}",
    "column",
)
NAMES_INSIDE = Entry(
    "SPEAKER-TEXT-INSIDE",
    WARNING,
    (
        "{count:name with a colon inside a line is/names with a colon inside a line are} "
        "read as words and not as speakers; the first is in {text!r} ({advice} with the rule "
        "inline reads them)"
    ),
    advice=(Advice("pattern", "@FILE"),),
)
MINUTES_LEFT = Entry(
    "SPEAKER-TEXT-MINUTES",
    NOTE,
    (
        "not read as words: {count:line that was/lines that were} not spoken but added by the "
        "writer of the minutes; the first is {text!r}"
    ),
    is_shown=True,
)
TURN_EMPTY = Entry("TURN-EMPTY", NOTE, "the turn has no text")
SPEAKER_TEXT = Entry(
    "SPEAKER-TEXT",
    NOTE,
    '{heads} of {paragraphs} paragraphs begin a turn in the form "{pattern}"; the turns '
    "have {speakers:speaker/speakers}",
)
TIME_BACK = Entry(
    "TIME-BACK",
    WARNING,
    (
        "{turns:turn begins before the turn above it/turns begin before the turn above "
        "them}: does the file hold several recordings?"
    ),
)
TIME_AGAIN = Entry(
    "TIME-BACK",
    WARNING,
    "the times begin again at {time}: does the file hold the same speech twice, or "
    "several recordings?",
    "again",
)
TIME_BACK_FEW = Entry(
    "TIME-BACK",
    NOTE,
    ("{turns:turn begins before the turn above it/turns begin before the turn above them}"),
    "few",
)
DOCX_MARKS = Entry(
    "DOCX-MARKS",
    NOTE,
    (
        "{marks:mark/marks} such as [ISSUE] and {categories:row/rows} that begin with "
        "[CATEGORY] are not read as words"
    ),
)
DOCX_PROSE = Entry(
    "DOCX-PROSE",
    NOTE,
    "the document has no turns of speakers, so it is read as one text",
    is_shown=True,
)
DOCX_TRACKED = Entry(
    "DOCX-TRACKED",
    NOTE,
    "the tracked changes have {inserted:inserted text/inserted texts} and "
    "{deleted:deleted text/deleted texts}; the inserted texts are read, and the deleted "
    "texts are dropped",
)
RTF_DROPPED = Entry(
    "RTF-DROPPED",
    NOTE,
    "not read as words: {deleted:deleted text/deleted texts} and {hidden:hidden text/hidden texts}",
)
TIMES_IN_MS = Entry(
    "TIME-UNIT",
    NOTE,
    "the times are read as milliseconds, because {words:word/words} would last "
    "{seconds:.0f} s if the times were seconds ({advice} names the unit)",
    "turns",
    (Advice("pattern", "PATTERN"),),
    is_shown=True,
)
TIMES_IN_HOURS = Entry(
    "TIME-UNIT",
    NOTE,
    "the times are read as hours and minutes, because {words:word/words} would last "
    "{seconds:.0f} s if the times were minutes and seconds",
    "hours",
    is_shown=True,
)
TOO_FAST = Entry(
    "TIME-PACE",
    WARNING,
    "the file has {words:word/words} in {seconds:.0f} s, and nobody speaks so fast: do "
    "the times have another meaning?",
)
TOO_SLOW = Entry(
    "TIME-PACE",
    WARNING,
    "the file has {words:word/words} in {seconds:.0f} s: are the lines speech, or lines of a log?",
    "slow",
)
TIMES_EVEN = Entry(
    "TIME-PACE",
    WARNING,
    "the file has {words:word/words} in {seconds:.0f} s, and all times are whole minutes: are they "
    "minutes, seconds and frames? ({advice} describes times of minutes and seconds)",
    "even",
    (Advice("pattern", "PATTERN"),),
)
TIMES_ARE_PAGES = Entry(
    "TIME-PAGES",
    NOTE,
    "the numbers of {count} turns are read as pages and lines of a document, not as times, because "
    "no second number is more than {most}",
    is_shown=True,
)
PATTERN_FAULT = Entry("PATTERN", ERROR, "{advice}: {problem}", advice=(Advice("pattern", ""),))
WRITTEN_FAULT = PATTERN_FAULT._replace(variant="write", advice=(Advice("write_pattern", ""),))
WRITTEN_PATTERN = Entry(
    "PATTERN",
    ERROR,
    "expected {advice} with rules that can be written, found the rule inline, or a rule begin with "
    "a placeholder",
    "written",
    (Advice("write_pattern", ""),),
)
WRITTEN_TEXT = Entry(
    "PATTERN",
    ERROR,
    "expected {advice} with a pattern that contains {{text}}, found none",
    "text",
    (Advice("write_pattern", ""),),
)
PATTERN_FITS_NONE = Entry(
    "PATTERN-FITS-NONE",
    ERROR,
    "expected lines that fit the pattern {pattern!r}, found none",
)
PATTERN_VALUE = Entry(
    "PATTERN-VALUE",
    ERROR,
    "expected a segment with {names} for the pattern {pattern!r}, found none (write a "
    "part that may be missing as {{? … ?}})",
)
PATTERN_NOT_READ = Entry(
    "PATTERN-NOT-READ",
    ERROR,
    "expected a turn that the pattern {pattern!r} can read again, found {text!r}",
)
_LINES = (
    "lines read by each pattern: {taken}; lines added to the turn above: {joined}; skipped lines: "
)
PATTERN_LINES = Entry("PATTERN-LINES", NOTE, _LINES + "{left}", is_shown=True)
PATTERN_LINES_LEFT = Entry(
    "PATTERN-LINES", NOTE, _LINES + "{left}, for example {first!r}", "left", is_shown=True
)
PATTERN_STAMPS = Entry(
    "PATTERN-STAMPS",
    WARNING,
    "the patterns fit {taken} of {stamps} lines with times: do the other lines need "
    "another pattern?",
)
PATTERN_UNIT = Entry(
    "PATTERN-UNIT",
    ERROR,
    "the times {first!r} to {last!r} may be seconds or milliseconds: write {{start "
    "s}} or {{start ms}} in the pattern",
)

# Rules of losses.
RULE_NAMELESS = rule("nameless", 'written as "Speaker", because their names could not be read back')
RULE_LONE_MARKS = rule(
    "lone-marks", "a mark of emphasis without its counterpart is not read as a word"
)
RULE_NO_BEGIN = rule("no-begin", "the segment has no start")
RULE_PATTERN = rule("pattern", "the pattern has no place for them")
RULE_READABLE_NAMES = rule(
    "readable-names", "changed, so that the names are read back from the file"
)
RULE_READ_AS_TIMES = rule(
    "read-as-times", "a time that begins or ends a text is read back as the time of a turn"
)
RULE_READ_WITHOUT_TAGS = rule("without-tags", "tags in texts are not read back as words")
RULE_STAMPS = rule("stamps", "{advice} writes the times", Advice("stamps"))
RULE_STRIPPED = rule("stripped", "no blanks begin or end a turn")
