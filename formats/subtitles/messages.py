"""Messages of the readers and writers of subtitles."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

ASS_HOURS = Entry(
    "ASS-HOURS",
    WARNING,
    "some times are 10 hours or more, and some players do not accept such times",
)
CUE_EMPTY = Entry("CUE-EMPTY", NOTE, "the cue has no text")
CUE_BESIDE = Entry(
    "CUE-BESIDE", NOTE, "the text {text!r} is behind the times, on the same line; it is read"
)
CUE_DASHES = Entry(
    "CUE-DASHES",
    NOTE,
    "the dashes before lines or between words of {cues:cue/cues} are signs of another speaker or "
    "of a pause, so they are not read as words (the property lines keeps them)",
    is_shown=True,
)
CUE_ORDER = Entry(
    "CUE-ORDER",
    WARNING,
    "the cue begins before the cue above it; players expect cues sorted by start",
    several="{times} cues begin before the cue above them; players expect cues sorted by start",
)
CUE_LANGUAGES = Entry(
    "CUE-LANGUAGES",
    WARNING,
    "the lines of {cues} of the first {total} cues are in two languages, as {first!r} over "
    "{second!r}, and both are read as words",
)
CUE_STYLES = Entry(
    "CUE-LANGUAGES",
    WARNING,
    "the lines of {cues} of the first {total} cues are in two styles, as {first!r} over "
    "{second!r}, so the file may have two languages, and both are read as words",
    "styles",
)
CUE_MIXED = Entry(
    "CUE-LANGUAGES",
    WARNING,
    "the lines of {cues} of the first {total} cues go on in another script than they begin in, as "
    "{text!r}, so the file may have two languages, and both are read as words",
    "mixed",
)
CUE_SIGNS = Entry(
    "CUE-SIGNS",
    NOTE,
    "{cues} of the first {total} cues have sounds, names, signs of music or of another speaker, or "
    "marks of direction, as {text!r}, and they are read as words ({advice} removes them, except "
    "sounds between stars)",
    is_shown=True,
    advice=(Advice("subtitle_clean", "2"),),
)
CUE_CREDITS = Entry(
    "CUE-CREDITS",
    NOTE,
    "the cue looks like the makers of the subtitles or an advertisement, as {text!r}, and it is "
    "read as words",
    is_shown=True,
    several="{times} cues look like the makers of the subtitles or an advertisement, and they are "
    "read as words",
)
CUE_FIELDS = Entry(
    "CUE-FIELDS",
    NOTE,
    "{cues} of the first {total} cues begin with the fields of SubStation events, as {text!r}, "
    "and they are not read as words",
    is_shown=True,
)
CUE_LETTERS = Entry(
    "CUE-LETTERS",
    WARNING,
    "{cues} of the first {total} cues have only one letter, for example {text!r}: they are parts "
    "of words that are drawn, and each is read as a word",
)
CUE_ENTITIES = Entry(
    "CUE-ENTITIES",
    NOTE,
    "{cues} of the first {total} cues have references of HTML, as {text!r}, and they are read as "
    "they are written",
    is_shown=True,
)
SRT_ENTITIES = Entry(
    "CUE-ENTITIES",
    NOTE,
    "{cues} of the first {total} cues have references of HTML, as {text!r}, and they are read as "
    "they are written ({advice} decodes them)",
    "srt",
    is_shown=True,
    advice=(Advice("entities"),),
)
CUE_CLASSES = Entry(
    "CUE-LANGUAGES",
    WARNING,
    "the file has the same times in several languages ({names}), and the texts of all of them are "
    "read as words; the property {property} tells them apart",
    "several",
)
CUE_SCRIPTS = Entry(
    "CUE-LANGUAGES",
    WARNING,
    "many cues overlap the cue above them and are in another script or language, as {first!r} and "
    "{second!r}, so the file may have two languages, and both are read as words",
    "scripts",
)
CUE_OFFSET = Entry(
    "CUE-OFFSET",
    ERROR,
    "expected a time of 0 or more after the offset, found {start} s and an offset of {offset} s",
)
CUE_OPEN = Entry(
    "CUE-OPEN",
    NOTE,
    "the cue has no end and is the last cue, so its end is unknown",
    several="{times} cues have no end and no cue follows them, so their ends are unknown",
    is_shown=True,
)
YOUTUBE_ROLLING = Entry(
    "YOUTUBE-ROLLING",
    NOTE,
    "automatic captions of YouTube repeat lines: the file has {before:word/words} with "
    "the repeated lines and {after:word/words} without them; the repeated lines are "
    "dropped ({advice} keeps them)",
    advice=(Advice("dedupe_youtube", False),),
)
ROLLING_DROPPED = Entry(
    "ROLLING",
    NOTE,
    (
        "{lines:repeated line is/repeated lines are} dropped, and with them {cues:cue that "
        "had/cues that had} only such lines"
    ),
    "dropped",
)
ROLLING = Entry(
    "ROLLING",
    WARNING,
    "{cues} of {total} cues begin with the last line of the cue before them, as rolling "
    "captions and karaoke do; the repeated words count twice ({advice} drops the repeated "
    "lines)",
    advice=(Advice("dedupe_rolling"),),
)
CAPTIONS_SORTED = Entry(
    "CUE-ORDER",
    WARNING,
    "the captions are not in order of time, so the reader sorts them",
    "sorted",
)
SAMI_TEXT = Entry(
    "SAMI-TEXT",
    WARNING,
    "the text {text!r} is dropped, because it comes before the first time",
    several="{times} texts are dropped, because they come before the first time",
)
SAMI_OUTSIDE = Entry(
    "SAMI-TEXT",
    WARNING,
    "the text {text!r} is outside of <P>",
    "outside",
    several="{times} texts are outside of <P>",
)
SCC_ORDER = Entry(
    "SCC-ORDER",
    WARNING,
    "the time code is earlier than the time code of the line above",
    several="{times} time codes are earlier than the time code of the line above",
)
SCC_NO_PARITY = Entry("SCC-PARITY", NOTE, "the bytes have no parity bits", "none")
SCC_PARITY = Entry(
    "SCC-PARITY",
    WARNING,
    "{odd} of {count} bytes have a wrong parity bit; the reader ignores the parity bits",
)
CAPTION_OPEN = Entry(
    "CUE-OPEN",
    WARNING,
    "the caption has no end",
    "caption",
    several="{times} captions have no end",
)
SCC_NEVER_SHOWN = Entry(
    "SCC-NEVER-SHOWN", WARNING, "the caption {text!r} is loaded and never shown"
)
SCC_TEXT = Entry(
    "SCC-TEXT", NOTE, ("{unread:character in text mode is/characters in text mode are} not read")
)
NAMES_LEFT = Entry(
    "SPEAKER-NAMES",
    NOTE,
    "{count} of the first {total} cues begin with a repeated name, for example {text!r}; too "
    "few cues have names for the names to be speakers, so the names are read as words",
    "left",
    is_shown=True,
)
SPEAKER_NAMES = Entry(
    "SPEAKER-NAMES",
    NOTE,
    '{count} cues begin with a name in the form "{notation}", and these names are read as '
    "speakers; {bare} cues have no name ({advice} reads the names as words)",
    advice=(Advice("speaker_names", False),),
)
SRT_BLANKS = Entry(
    "SRT-BLANKS",
    WARNING,
    "the blanks inside a time are dropped",
    several="the blanks inside {times} times are dropped",
)
SRT_LOOSE = Entry(
    "SRT-LOOSE",
    WARNING,
    "the timing line is not written as SubRip writes it, as 00:00:01,000 --> 00:00:02,500; it is "
    "read, but other programs may reject it",
    several="{times} timing lines are not written as SubRip writes them, as "
    "00:00:01,000 --> 00:00:02,500; they are read, but other programs may reject them",
)
SRT_NO_TIMES = Entry(
    "SRT-NO-TIMES",
    WARNING,
    "no timing line follows the counter {counter}, so its text belongs to the cue above it",
    several="no timing lines follow {times} counters, so their texts belong to the cues above them",
)
SRT_COUNTER_BLANK = Entry("SRT-COUNTER", NOTE, "there is a blank line below the counter", "blank")
SRT_LAST_COUNTER = Entry(
    "SRT-COUNTER", NOTE, "the counter {counter} at the end has no cue, so it is dropped", "last"
)
SRT_BLANK_LINE = Entry("SRT-BLANK-LINE", NOTE, "there is a blank line inside the text of a cue")
SRT_COUNTER = Entry("SRT-COUNTER", NOTE, "expected the counter {counter}, found {found!r}")
SRT_SKIPPED = Entry("SRT-SKIPPED", NOTE, "the text {text!r} is skipped")
SRT_TEXT = Entry(
    "SRT-TEXT",
    WARNING,
    "the text {text!r} is dropped, because it comes before the first cue",
    several="{times} lines of text are dropped, because they come before the first cue",
)
ASS_COMMENT = Entry("ASS-EVENT", NOTE, "the comment is not kept", "comment")
ASS_DRAWING = Entry("ASS-DRAWING", NOTE, "the drawing is dropped")
STL_RATE = Entry("STL-RATE", WARNING, "the format STL30.01 is read at 30000/1001 frames per second")
STL_TRUNCATED = Entry(
    "STL-TRUNCATED",
    WARNING,
    ("{bytes:byte after the last whole block is/bytes after the last whole block are} dropped"),
)
STL_START = Entry(
    "STL-START",
    NOTE,
    "the programme starts at {time} ({advice} changes the times)",
    advice=(Advice("offset", "SECONDS"),),
)
STL_COUNT = Entry(
    "STL-COUNT", NOTE, ("the file has {count:block/blocks}, but its header says {stated!r}")
)
STL_TABLE = Entry(
    "STL-TABLE", NOTE, "the code table {table!r} is unknown, so the text is read as ISO 6937"
)
SUBVIEWER_DELAY = Entry(
    "SUBVIEWER-DELAY",
    WARNING,
    "the delay {value!r} is not added to the times, because its unit is unknown",
)
SUBVIEWER_HEAD = Entry("SUBVIEWER-HEAD", NOTE, "the line of the header is not kept")
SUBVIEWER_STYLE = Entry(
    "SUBVIEWER-STYLE", NOTE, "the line sets a style or ends the text, so it is not read as words"
)
TTML_CLOCK = Entry("TTML-CLOCK", WARNING, "the times are times of day, not times of the recording")
TTML_SMPTE = Entry(
    "TTML-SMPTE", WARNING, "the time codes may have gaps, but they are read as continuous"
)
TTML_ABSOLUTE = Entry(
    "TTML-ABSOLUTE",
    NOTE,
    "all times, also the times of nested elements, count from the start of the song, as in "
    "Apple's files",
)
TTML_RATE = Entry(
    "TTML-RATE",
    WARNING,
    "no video has the frame rate that frameRateMultiplier {written!r} gives, so the frames are "
    "read at {fps} per second",
)
TTML_NAMESPACE = Entry("TTML-NAMESPACE", NOTE, "the namespace of the file is {name}")
TTML_OPEN = Entry(
    "CUE-OPEN",
    WARNING,
    "the cue has no end",
    "ttml",
    several="{times} cues have no end",
)
TTML_SMPTE_START = Entry(
    "TTML-SMPTE",
    NOTE,
    "the time codes begin at {seconds} s ({advice} changes the times)",
    "start",
    advice=(Advice("offset", "SECONDS"),),
)
TEAMS_MS = Entry(
    "TEAMS-MS",
    NOTE,
    "the times have no leading zeros, as in files of Teams, so the digits after the point are "
    "read as milliseconds",
)
VTT_NUL = Entry(
    "VTT-NUL",
    WARNING,
    "the NUL character is read as U+FFFD",
    several="{times} lines contain NUL characters, which are read as U+FFFD",
)
VTT_HEAD = Entry("VTT-HEAD", WARNING, 'expected "WEBVTT" before all cues')
VTT_HEADER = Entry("VTT-HEADER", NOTE, "the header {text!r} is not kept")
VTT_MAP_ADDED = Entry("VTT-TIMESTAMP-MAP", NOTE, "{seconds:.3f} s are added to all times", "added")
VTT_TIMESTAMP_MAP = Entry(
    "VTT-TIMESTAMP-MAP",
    NOTE,
    "the clock of the stream is {seconds:.3f} s ahead ({advice} adds this difference to all times)",
    advice=(Advice("apply_timestamp_map"),),
)
VTT_NO_BLANK = Entry("VTT-BLOCK", NOTE, "there is no blank line before the cue", "no-blank")
VTT_ARROW = Entry(
    "VTT-ARROW",
    WARNING,
    'a line with "-->" ends the cue, so this line and the lines of text after it are dropped: '
    "{text!r}",
    several=(
        'lines with "-->" end {times} cues, so these lines and the lines of text after them are '
        "dropped"
    ),
)
NOTE_IN_TEXT = Entry(
    "NOTE-IN-TEXT",
    WARNING,
    "the text contains a note of Teams without blank lines around it; the note is not read as "
    "words",
    several=(
        "the texts contain {times} notes of Teams without blank lines around them; the notes are "
        "not read as words"
    ),
)
YOUTUBE_DURATION = Entry(
    "YOUTUBE-DURATION",
    NOTE,
    "{lasting} of {filled} rows last 3 s, so every row ends where the next row begins",
)
YOUTUBE_ORDER = Entry(
    "YOUTUBE-ORDER",
    WARNING,
    "the word times of the row are not in order, so its words are read without times",
    several="{times} rows have word times that are not in order: their words have no times",
)
YOUTUBE_END = Entry("YOUTUBE-END", NOTE, "a word begins after the end of its row")
YOUTUBE_WORDS = Entry(
    "YOUTUBE-WORDS",
    NOTE,
    "the text {text!r} has several words and one time; the times of its words are estimated "
    "from their lengths",
)
YOUTUBE_ESCAPES = Entry(
    "YOUTUBE-ESCAPES",
    NOTE,
    "the text of {odd} rows is escaped twice, so it is decoded twice",
)
YOUTUBE_COMMA = Entry(
    "YOUTUBE-COMMA",
    WARNING,
    "the time has a decimal comma",
    several="{times} times have decimal commas",
)
ASS_LAYERS = Entry(
    "ASS-LAYERS",
    NOTE,
    "{events:event repeats/events repeat} the times and the text of another event; "
    "repeated events are kept ({advice} drops them)",
    advice=(Advice("dedupe"),),
)
ASS_LAYERS_DROPPED = Entry(
    "ASS-LAYERS",
    NOTE,
    "{events:event repeats/events repeat} the times and the text of another event; "
    "repeated events are dropped",
    "dropped",
)
ASS_STYLES = Entry("ASS-STYLES", WARNING, "{path}: {remark}")
SUBTITLE_CLEAN = Entry(
    "SUBTITLE-CLEAN",
    NOTE,
    "version {version} of the cleaning rules removed {events} sounds and {speakers} speaker "
    "names from the text",
)
SUBTITLE_MARKS = Entry(
    "SUBTITLE-CLEAN",
    NOTE,
    "version {version} of the cleaning rules removed {events} sounds and {speakers} speaker "
    "names from the text, and display control characters from {segments} segments",
    "marks",
)
CUES_WITHOUT_WORDS = Entry(
    "NO-WORDS",
    WARNING,
    "the file has {cues:cue/cues} and no words: is this the right file?",
    "cues",
)
CUE_WORD = Entry(
    "CUE-WORD",
    WARNING,
    "expected an end of the word {word!r} at or after its start at {begin} s, found {end}: "
    "the words of the cue are kept without times",
    several="{times} cues have word times out of order: their words are kept without times",
)
CUE_WORD_NEGATIVE = Entry(
    "CUE-WORD",
    WARNING,
    "expected a time of 0 or more for the word {word!r}, found {time}: the words of the cue "
    "are kept without times",
    "negative",
    several="{times} cues have word times below 0: their words are kept without times",
)
CUE_NEGATIVE = Entry(
    "CUE-END",
    WARNING,
    "expected a time of 0 or more, found {time}: the cue is kept without times",
    "negative",
    several="{times} cues have times below 0: they are kept without times",
)
CUE_TIMES = Entry(
    "CUE-END",
    WARNING,
    "expected an end of the cue at or after its start at {begin} s, found {end}: the cue is "
    "kept without times",
    "times",
    several="{times} cues end before they begin: they are kept without times",
)
CUE_UNSORTED = Entry("CUE-ORDER", NOTE, "the cue begins before the cue above it", "kept")
CUE_END = Entry(
    "CUE-END",
    WARNING,
    "the cue ends before it begins ({shown}): its words are kept without times",
    several="{times} cues end before they begin: their words are kept without times",
)
CUE_ENDLESS = Entry(
    "CUE-END",
    WARNING,
    "the end of the cue is zero ({shown}): the cue is read with its start, without an end",
    "zero",
    several="the ends of {times} cues are zero: they are read with their starts, without ends",
)
CUE_NO_END = Entry(
    "CUE-END",
    WARNING,
    "the end of the cue has minutes or seconds above 59 or is too large ({shown}): the cue is read"
    " with its start, without an end",
    "none",
    several="the ends of {times} cues have minutes or seconds above 59 or are too large: they are"
    " read with their starts, without ends",
)
CUE_NO_START = Entry(
    "CUE-END",
    WARNING,
    "the start of the cue has minutes or seconds above 59 or is too large ({shown}): its words are"
    " kept without times",
    "no start",
    several="the starts of {times} cues have minutes or seconds above 59 or are too large: their"
    " words are kept without times",
)
STL_DATA = Entry(
    "STL-DATA", NOTE, ("{blocks:block of user data is/blocks of user data are} dropped")
)
STL_COMMENT = Entry("STL-COMMENT", NOTE, "{blocks:comment is/comments are} dropped")
TTML_ID = Entry(
    "TTML-ID",
    WARNING,
    "the xml:id {name!r} is not a valid XML name",
    several="{times} values of xml:id are not valid XML names",
)
TTML_ID_TWICE = Entry(
    "TTML-ID",
    WARNING,
    "the xml:id {name!r} appears twice",
    "twice",
    several="{times} values of xml:id appear twice",
)
VTT_TEXT_BEFORE = Entry(
    "VTT-BLOCK",
    WARNING,
    "the text {text!r} is dropped, because it comes before a timing line",
    "text",
    several="{times} texts are dropped, because they come before timing lines",
)
VTT_BLOCK = Entry(
    "VTT-BLOCK",
    WARNING,
    "the block {text!r} is dropped, because it has no valid timing line",
    several="{times} blocks are dropped, because they have no valid timing line",
)
VTT_BLANK_LINE = Entry(
    "VTT-BLANK-LINE",
    WARNING,
    "the text {text!r} has no timing line and is behind a blank line, so it belongs to the cue "
    "above it; browsers do not show it",
    several="{times} texts have no timing line and are behind blank lines, so they belong to the "
    "cues above them; browsers do not show them",
)
VTT_SECONDS = Entry(
    "VTT-SECONDS",
    WARNING,
    "the time is only a number of seconds, and players do not accept such a time",
    several="{times} times are only numbers of seconds, and players do not accept such times",
)
VTT_COMMA = Entry(
    "VTT-COMMA",
    WARNING,
    "the time has a decimal comma, and players do not accept such a time",
    several="{times} times have decimal commas, and players do not accept such times",
)
VTT_LESS_THAN = Entry(
    "VTT-LESS-THAN",
    WARNING,
    'a "<" that begins no tag is read as text (write &lt; in its place)',
    several='{times} "<" characters begin no tag and are read as text (write &lt; in their place)',
)
VTT_TAG = Entry(
    "VTT-TAG",
    WARNING,
    "the unknown tag {name!r} is dropped",
    several="{times} unknown tags are dropped",
)
VTT_DEEP = Entry(
    "VTT-TAG",
    WARNING,
    "the tags that are nested more than {levels} levels deep are dropped",
    "deep",
    several="{times} tags that are nested more than {levels} levels deep are dropped",
)
VTT_STAMP = Entry(
    "VTT-STAMP",
    WARNING,
    "the tag {text!r} is dropped, because it is not a valid time",
    several="{times} tags are dropped, because they are not valid times",
)
VTT_STAMP_ORDER = Entry(
    "VTT-STAMP",
    WARNING,
    "the time {text!r} is dropped, because it is not later than the time before it in the cue",
    "order",
    several=(
        "{times} times are dropped, because they are not later than the time before them in the cue"
    ),
)
VTT_NOTE = Entry("VTT-NOTE", NOTE, "the NOTE block is not kept")
VTT_STYLE = Entry("VTT-STYLE", NOTE, "the STYLE block is not kept")
VTT_REGION = Entry("VTT-REGION", NOTE, "the REGION block is not kept")
VTT_NOTE_CUE = Entry(
    "VTT-NOTE",
    WARNING,
    "a NOTE block that contains a cue is dropped, but browsers show this cue",
    "cue",
    several="{times} NOTE blocks that contain cues are dropped, but browsers show these cues",
)
VTT_STYLE_CUE = Entry(
    "VTT-STYLE",
    WARNING,
    "a STYLE block that contains a cue is dropped, but browsers show this cue",
    "cue",
    several="{times} STYLE blocks that contain cues are dropped, but browsers show these cues",
)
VTT_REGION_CUE = Entry(
    "VTT-REGION",
    WARNING,
    "a REGION block that contains a cue is dropped, but browsers show this cue",
    "cue",
    several="{times} REGION blocks that contain cues are dropped, but browsers show these cues",
)
VTT_COMMENTS = {
    "NOTE": (VTT_NOTE, VTT_NOTE_CUE),
    "STYLE": (VTT_STYLE, VTT_STYLE_CUE),
    "REGION": (VTT_REGION, VTT_REGION_CUE),
}
ASS_SECTION = Entry(
    "ASS-SECTION",
    WARNING,
    "the event {text!r} is dropped, because it is outside of the section [Events]",
    several="{times} events are dropped, because they are outside of the section [Events]",
)
ASS_TIMER = Entry(
    "ASS-TIMER",
    WARNING,
    "the timer of {percent} % is not applied, so the times are unchanged",
)
ASS_COLON = Entry(
    "ASS-COLON", NOTE, "the colon before the hundredths of a second is read as a decimal point"
)
LRC_UNTIMED = Entry(
    "LRC-UNTIMED",
    WARNING,
    "the line {text!r} is dropped, because it has no time",
    several="{times} lines are dropped, because they have no time",
)
LRC_ORDER = Entry("CUE-ORDER", NOTE, "the line begins before the line above it", "lines")
LRC_CREDITS = Entry(
    "LRC-CREDITS",
    NOTE,
    "{lines} of the first lines look like the title or makers of the song, as {text!r}, and they "
    "are read as words",
    is_shown=True,
)
LRC_OFFSET_TEXT = Entry(
    "LRC-OFFSET-TEXT",
    NOTE,
    "the offset {text!r} is not applied, because it is not a number",
)
MICRODVD_DEFAULT = Entry("MICRODVD-DEFAULT", NOTE, "the line {{DEFAULT}} is not kept")
MICRODVD_DECIMALS = Entry(
    "MICRODVD-DECIMALS",
    NOTE,
    "the frames have decimals, which are read as parts of frames",
    several="{times} lines have frames with decimals, which are read as parts of frames",
)
MICRODVD_RATE = Entry(
    "MICRODVD-RATE",
    WARNING,
    "the text {text!r} looks like a frame rate, but it is not in the first line, so it is "
    "read as text",
    several=(
        "{times} texts look like frame rates, but they are not in the first line, so they are "
        "read as text"
    ),
)
MICRODVD_RATE_GIVEN = Entry(
    "MICRODVD-RATE",
    NOTE,
    "the frame rate of {text} frames per second in the file replaces the frame rate of the option",
    "given",
)
SCC_HEAD = Entry("SCC-HEAD", WARNING, 'expected "{mark} V1.0" in the first line')
SCC_DROP_FRAME = Entry(
    "SCC-DROP",
    WARNING,
    "the time code {text} does not exist in drop-frame counting, so it is read as ;02",
    several="{times} time codes do not exist in drop-frame counting, so they are read as ;02",
)
MCC_708 = Entry("MCC-708", WARNING, "the file has only CEA-708 captions, which are not read")
MCC_NOT_READ = Entry(
    "MCC-NOT-READ", NOTE, "{pairs:byte pair/byte pairs} of the second field are not read"
)
LAMBDA_STYLES = Entry(
    "LAMBDA-STYLES",
    NOTE,
    "{marks:mark of position and style is/marks of position and style are} not kept",
)
SPRUCE_SETTING = Entry("SPRUCE-SETTING", NOTE, "the setting or comment is not kept")
ASS_EVENT = Entry("ASS-EVENT", NOTE, "the event of type {kind} is not kept")
LRC_OFFSET_IGNORED = Entry(
    "LRC-OFFSET",
    WARNING,
    "the offset of {milliseconds} ms is not applied, because programs disagree on its meaning "
    "({advice} applies it)",
    "ignored",
    (Advice("lrc_offset", "sooner"),),
)
LRC_OFFSET = Entry(
    "LRC-OFFSET",
    WARNING,
    "the offset of {milliseconds} ms is applied with the rule {rule}, but programs disagree "
    "on its meaning ({advice} drops it)",
    advice=(Advice("lrc_offset", "ignore"),),
)
TTML_TEXT = Entry(
    "TTML-TEXT",
    WARNING,
    "the text {text!r} in <{element}> is dropped",
    several="{times} texts outside of paragraphs are dropped",
)
SCC_ROWS = Entry(
    "SCC-ROWS",
    ERROR,
    "expected at most {most} lines of {columns} characters, found {lines} lines of up to "
    "{longest} characters ({advice} cuts the lines)",
    advice=(Advice("cues", "fitted"), Advice("cue_line_length", "{columns}")),
)
MICRODVD_RATE_OPEN = Entry(
    "MICRODVD-RATE",
    ERROR,
    ("expected a frame rate, such as {{1}}{{1}}25 in the first line, or {advice}, found {text!r}"),
    "open",
    (Advice("fps", "25"),),
)
MICRODVD_RATE_NEEDED = Entry(
    "MICRODVD-RATE",
    ERROR,
    "expected {advice}, because MicroDVD counts times in frames, found no frame rate",
    "needed",
    (Advice("fps", "NUMBER"),),
)
SPRUCE_TIME = Entry(
    "SPRUCE-TIME",
    ERROR,
    "expected a time with minutes and seconds below 60 and frames below {frames} ({advice}), "
    "found {text!r}",
    advice=(Advice("fps", ""),),
)
STYLES = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} with the path of an ASS or SSA file that has styles, found {problem}",
    "file",
    (Advice("styles_from", ""),),
)
STYLES_NOT_TEXT = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} with the path of an ASS or SSA file in UTF-8, found {found}",
    "encoding",
    (Advice("styles_from", ""),),
)
NO_STYLES = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} with the path of an ASS or SSA file that has styles, found no section "
    "of styles",
    "none",
    (Advice("styles_from", ""),),
)
LINT_RULES = Entry(
    "LINT-RULES",
    ERROR,
    "{advice}: expected one of {names}, found {text!r}",
    advice=(Advice("rules", ""),),
)
LINT_LANGUAGE = Entry(
    "LINT-LANGUAGE",
    ERROR,
    "{advice}: expected a language for which {guide} has limits here ({languages}), found "
    "{language!r}",
    advice=(Advice("rules_language", ""),),
)

# Rules of losses.
RULE_CUE_LIMITS = rule("cue-limits", "the segments exceed the limits of a cue")
RULE_HAN_CHARACTERS_AND_KANA = rule(
    "han-characters-and-kana", "no blanks are written between Han characters or kana"
)
RULE_LATER = rule("later", "moved, because each frame holds one pair of bytes")
RULE_LAYER = rule("layer", "the layer is not a number")
RULE_DASHES = rule("dashes", "dashes that are read back as signs of another speaker")
RULE_MADE_SINGLE = rule("made-single", "several blanks are written as one")
RULE_NEXT_LINE = rule("next-line", "each line ends where the next line begins")
RULE_PROPORTION_CHARACTERS = rule(
    "proportion-characters", "estimated from the numbers of characters"
)
RULE_ROUNDED_FRAME = rule("rounded-frame", "rounded to a frame")
RULE_SHORTEST = rule("shortest", "lengthened to the shortest duration")
RULE_SPEAKER_PREFIX = rule(
    "speaker-prefix", "{advice} writes them into the text", Advice("speaker_prefix")
)
RULE_SSA_LAYER = rule("ssa-layer", "ssa (v4) cannot hold the layer")
RULE_WITHOUT_A_NAME = rule("without-a-name", "the name of the speaker is empty")
RULE_WORD_ORDER = rule(
    "word-order", "some words of the segment have no times, overlap or exceed it"
)
RULE_WORD_TIMES = rule("word-times", "{advice} writes them", Advice("word_times"))
