"""Messages of the readers and writers of subtitles."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

ASS_HOURS = Entry(
    "ASS-HOURS",
    WARNING,
    "times of 10 hours and more, which some players do not accept",
)
CUE_EMPTY = Entry("CUE-EMPTY", NOTE, "a cue without text")
CUE_ORDER = Entry(
    "CUE-ORDER",
    WARNING,
    "begins before the cue above it: players expect cues sorted by start",
    several="{times} cues begin before the cue above them: players expect cues sorted by start",
)
CUE_OPEN = Entry(
    "CUE-OPEN",
    WARNING,
    "a cue without end, and no cue after it: its end is unknown",
    several="{times} cues without end, and no cue after them: their ends are unknown",
)
YOUTUBE_ROLLING = Entry(
    "YOUTUBE-ROLLING",
    NOTE,
    "automatic captions of YouTube: {before} words with repeated lines, {after} without "
    "({advice} keeps all)",
    advice=(Advice("dedupe_youtube", False),),
)
ROLLING_DROPPED = Entry(
    "ROLLING",
    NOTE,
    "{lines} repeated lines dropped, {cues} cues with nothing else in them",
    "dropped",
)
ROLLING = Entry(
    "ROLLING",
    WARNING,
    "{cues} of {total} cues begin with the last line of the cue before them: rolling captions or "
    "karaoke, whose repeated words count again ({advice} drops them)",
    advice=(Advice("dedupe_rolling"),),
)
CAPTIONS_SORTED = Entry(
    "CUE-ORDER",
    WARNING,
    "the captions are not in order of time: they are sorted",
    "sorted",
)
SAMI_TEXT = Entry(
    "SAMI-TEXT",
    WARNING,
    "text before any time dropped: {text!r}",
    several="{times} texts before any time dropped",
)
SAMI_OUTSIDE = Entry(
    "SAMI-TEXT",
    WARNING,
    "text outside of <P>: {text!r}",
    "outside",
    several="{times} texts outside of <P>",
)
SCC_ORDER = Entry(
    "SCC-ORDER",
    WARNING,
    "the time code is earlier than in the line above",
    several="{times} time codes before that of the line above",
)
SCC_NO_PARITY = Entry("SCC-PARITY", NOTE, "the bytes have no parity", "none")
SCC_PARITY = Entry(
    "SCC-PARITY",
    WARNING,
    "{odd} of {count} bytes have a wrong parity: read without it",
)
CAPTION_OPEN = Entry(
    "CUE-OPEN",
    WARNING,
    "a caption without an end",
    "caption",
    several="{times} captions that nothing ends",
)
SCC_NEVER_SHOWN = Entry("SCC-NEVER-SHOWN", WARNING, "loaded and never shown: {text!r}")
SCC_TEXT = Entry("SCC-TEXT", NOTE, "characters of text mode not read: {unread}")
NAMES_LEFT = Entry(
    "SPEAKER-NAMES",
    NOTE,
    "{count} of the first {total} cues begin with a name that returns, as {text!r}: these are too "
    "few to be speakers, and are read as words",
    "left",
    is_shown=True,
)
SPEAKER_NAMES = Entry(
    "SPEAKER-NAMES",
    NOTE,
    'names before the text of {count} cues, in the form "{notation}", are read as speakers; '
    "{bare} cues have none ({advice} reads the names as words)",
    advice=(Advice("speaker_names", False),),
)
SRT_BLANKS = Entry(
    "SRT-BLANKS",
    WARNING,
    "blanks inside a time are dropped",
    several="blanks inside {times} times are dropped",
)
SRT_COUNTER_BLANK = Entry("SRT-COUNTER", NOTE, "a blank line below the counter", "blank")
SRT_BLANK_LINE = Entry("SRT-BLANK-LINE", NOTE, "a blank line inside a text")
SRT_COUNTER = Entry("SRT-COUNTER", NOTE, "expected the counter {counter}, found {found!r}")
SRT_SKIPPED = Entry("SRT-SKIPPED", NOTE, "text skipped: {text!r}")
SRT_TEXT = Entry(
    "SRT-TEXT",
    WARNING,
    "text before the first cue dropped: {text!r}",
    several="{times} lines of text before the first cue dropped",
)
ASS_COMMENT = Entry("ASS-EVENT", NOTE, "comment not kept", "comment")
ASS_DRAWING = Entry("ASS-DRAWING", NOTE, "a drawing dropped")
STL_RATE = Entry("STL-RATE", WARNING, "STL30.01 is read as 30000/1001 frames per second")
STL_TRUNCATED = Entry("STL-TRUNCATED", WARNING, "{bytes} bytes after the last whole block dropped")
STL_START = Entry(
    "STL-START",
    NOTE,
    "the programme starts at {time} ({advice} changes the times)",
    advice=(Advice("offset", "SECONDS"),),
)
STL_COUNT = Entry("STL-COUNT", NOTE, "{count} blocks, but the header says {stated!r}")
STL_TABLE = Entry("STL-TABLE", NOTE, "unknown code table {table!r}: the text is read as ISO 6937")
SUBVIEWER_DELAY = Entry(
    "SUBVIEWER-DELAY",
    WARNING,
    "a delay of {value!r} is not added, because its unit is unknown",
)
SUBVIEWER_HEAD = Entry("SUBVIEWER-HEAD", NOTE, "line of the head not kept")
SUBVIEWER_STYLE = Entry("SUBVIEWER-STYLE", NOTE, "style, or end of the text: no words")
TTML_CLOCK = Entry("TTML-CLOCK", WARNING, "times are those of a clock, not of the recording")
TTML_SMPTE = Entry("TTML-SMPTE", WARNING, "time codes may have gaps: they are read as continuous")
TTML_ABSOLUTE = Entry(
    "TTML-ABSOLUTE",
    NOTE,
    "all times count from the start of the song, as in Apple's files, also those of nested "
    "elements",
)
TTML_NAMESPACE = Entry("TTML-NAMESPACE", NOTE, "namespace: {name}")
TTML_OPEN = Entry(
    "CUE-OPEN",
    WARNING,
    "a cue without end",
    "ttml",
    several="{times} cues without end",
)
TTML_SMPTE_START = Entry(
    "TTML-SMPTE",
    NOTE,
    "time codes begin at {seconds} s ({advice} changes them)",
    "start",
    advice=(Advice("offset", "SECONDS"),),
)
TEAMS_MS = Entry(
    "TEAMS-MS",
    NOTE,
    "times without leading zeros, as Teams writes them: the digits after the point are "
    "milliseconds",
)
VTT_NUL = Entry(
    "VTT-NUL",
    WARNING,
    "NUL is read as U+FFFD",
    several="{times} lines with NUL, which is read as U+FFFD",
)
VTT_HEAD = Entry("VTT-HEAD", WARNING, 'expected "WEBVTT" before all cues')
VTT_HEADER = Entry("VTT-HEADER", NOTE, "header not kept: {text!r}")
VTT_MAP_ADDED = Entry("VTT-TIMESTAMP-MAP", NOTE, "{seconds:.3f} s added to all times", "added")
VTT_TIMESTAMP_MAP = Entry(
    "VTT-TIMESTAMP-MAP",
    NOTE,
    "the stream's clock is {seconds:.3f} s ahead ({advice} adds this to all times)",
    advice=(Advice("apply_timestamp_map"),),
)
VTT_NO_BLANK = Entry("VTT-BLOCK", NOTE, "no blank line before this cue", "no-blank")
VTT_ARROW = Entry(
    "VTT-ARROW",
    WARNING,
    'a line with "-->" ends the cue: it and the lines after it are dropped: {text!r}',
    several='a line with "-->" ends {times} cues: these lines and those after them are dropped',
)
NOTE_IN_TEXT = Entry(
    "NOTE-IN-TEXT",
    WARNING,
    "a note of Teams inside a text, without blank lines around it, is not read as words",
    several=(
        "{times} notes of Teams inside texts, without blank lines around them, are not read as "
        "words"
    ),
)
YOUTUBE_DURATION = Entry(
    "YOUTUBE-DURATION",
    NOTE,
    "{lasting} of {filled} rows last 3 s: each ends where the next begins",
)
YOUTUBE_ORDER = Entry(
    "YOUTUBE-ORDER",
    WARNING,
    "word times are not in order: the row has no word times",
    several="word times of {times} rows are not in order: the rows have no word times",
)
YOUTUBE_END = Entry("YOUTUBE-END", NOTE, "a word begins after the end of its row")
YOUTUBE_WORDS = Entry("YOUTUBE-WORDS", NOTE, "{text!r} is several words: times by their lengths")
YOUTUBE_ESCAPES = Entry(
    "YOUTUBE-ESCAPES",
    NOTE,
    "text escaped twice, decoded once more: {odd} rows",
)
YOUTUBE_COMMA = Entry(
    "YOUTUBE-COMMA",
    WARNING,
    "a time with a comma",
    several="{times} times with a comma",
)
ASS_LAYERS = Entry(
    "ASS-LAYERS",
    NOTE,
    "{events} events with the times and text of others kept ({advice} drops them)",
    advice=(Advice("dedupe"),),
)
ASS_LAYERS_DROPPED = Entry(
    "ASS-LAYERS",
    NOTE,
    "{events} events with the times and text of others dropped",
    "dropped",
)
ASS_STYLES = Entry("ASS-STYLES", WARNING, "{path}: {remark}")
SUBTITLE_CLEAN = Entry(
    "SUBTITLE-CLEAN",
    NOTE,
    "rules of version {version}: {events} sounds and {speakers} speaker names removed from the "
    "text",
)
SUBTITLE_MARKS = Entry(
    "SUBTITLE-CLEAN",
    NOTE,
    "rules of version {version}: {events} sounds and {speakers} speaker names removed from the "
    "text, characters that only control display removed from {segments} segments",
    "marks",
)
CUES_WITHOUT_WORDS = Entry(
    "NO-WORDS",
    WARNING,
    "read {cues:cue/cues}, 0 words: is this the text?",
    "cues",
)
CUE_WORD = Entry(
    "CUE-WORD",
    WARNING,
    "expected an end not before its begin at {begin} s for the word {word!r}, found {end}: its "
    "words are kept without times",
    several="times of words of {times} cues are not in order: their words are kept without times",
)
CUE_WORD_NEGATIVE = Entry(
    "CUE-WORD",
    WARNING,
    "expected a time of 0 or more for the word {word!r}, found {time}: its words are kept without "
    "times",
    "negative",
    several="words of {times} cues have times below 0: their words are kept without times",
)
CUE_NEGATIVE = Entry(
    "CUE-END",
    WARNING,
    "expected a time of 0 or more, found {time}: kept without times",
    "negative",
    several="{times} cues have times below 0: they are kept without times",
)
CUE_TIMES = Entry(
    "CUE-END",
    WARNING,
    "expected an end not before its begin at {begin} s, found {end}: kept without times",
    "times",
    several="{times} cues whose times are not in order: they are kept without times",
)
CUE_UNSORTED = Entry("CUE-ORDER", NOTE, "begins before the cue above it", "kept")
CUE_END = Entry(
    "CUE-END",
    WARNING,
    "the cue ends before it begins: its words are kept without times ({shown})",
    several="{times} cues end before they begin: their words are kept without times",
)
STL_DATA = Entry("STL-DATA", NOTE, "blocks of user data dropped: {blocks}")
STL_COMMENT = Entry("STL-COMMENT", NOTE, "comments dropped: {blocks}")
TTML_ID = Entry(
    "TTML-ID",
    WARNING,
    "the xml:id {name!r} is no name of XML",
    several="{times} values of xml:id are no names of XML",
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
    "text before a timing line dropped: {text!r}",
    "text",
    several="{times} texts before timing lines dropped",
)
VTT_BLOCK = Entry(
    "VTT-BLOCK",
    WARNING,
    "a block without a timing line dropped: {text!r}",
    several="{times} blocks without a timing line dropped",
)
VTT_SECONDS = Entry(
    "VTT-SECONDS",
    WARNING,
    "a time in seconds alone, which players do not accept",
    several="{times} times in seconds alone, which players do not accept",
)
VTT_COMMA = Entry(
    "VTT-COMMA",
    WARNING,
    "a time with a comma, which players do not accept",
    several="{times} times with a comma, which players do not accept",
)
VTT_LESS_THAN = Entry(
    "VTT-LESS-THAN",
    WARNING,
    'a "<" that begins no tag is text (write &lt;)',
    several='{times} times "<" begins no tag: it is text (write &lt;)',
)
VTT_TAG = Entry(
    "VTT-TAG",
    WARNING,
    "unknown tag {name!r} dropped",
    several="{times} unknown tags dropped",
)
VTT_DEEP = Entry(
    "VTT-TAG",
    WARNING,
    "tags nested more than {levels} deep dropped",
    "deep",
    several="{times} tags nested more than {levels} deep dropped",
)
VTT_STAMP = Entry(
    "VTT-STAMP",
    WARNING,
    "{text!r} is no time: dropped",
    several="{times} tags that are no times dropped",
)
VTT_STAMP_ORDER = Entry(
    "VTT-STAMP",
    WARNING,
    "{text!r} does not follow the time before it within the cue: dropped",
    "order",
    several="{times} times that do not follow those before them within the cue dropped",
)
VTT_NOTE = Entry("VTT-NOTE", NOTE, "NOTE not kept")
VTT_STYLE = Entry("VTT-STYLE", NOTE, "STYLE not kept")
VTT_REGION = Entry("VTT-REGION", NOTE, "REGION not kept")
VTT_NOTE_CUE = Entry(
    "VTT-NOTE",
    WARNING,
    "NOTE with a cue in it dropped, which browsers show",
    "cue",
    several="{times} NOTEs with a cue in them dropped, which browsers show",
)
VTT_STYLE_CUE = Entry(
    "VTT-STYLE",
    WARNING,
    "STYLE with a cue in it dropped, which browsers show",
    "cue",
    several="{times} STYLEs with a cue in them dropped, which browsers show",
)
VTT_REGION_CUE = Entry(
    "VTT-REGION",
    WARNING,
    "REGION with a cue in it dropped, which browsers show",
    "cue",
    several="{times} REGIONs with a cue in them dropped, which browsers show",
)
VTT_COMMENTS = {
    "NOTE": (VTT_NOTE, VTT_NOTE_CUE),
    "STYLE": (VTT_STYLE, VTT_STYLE_CUE),
    "REGION": (VTT_REGION, VTT_REGION_CUE),
}
ASS_SECTION = Entry(
    "ASS-SECTION",
    WARNING,
    "an event outside of [Events] dropped: {text!r}",
    several="{times} events outside of [Events] dropped",
)
ASS_TIMER = Entry(
    "ASS-TIMER",
    WARNING,
    "a timer of {percent} % is not applied: times are unchanged",
)
ASS_COLON = Entry("ASS-COLON", NOTE, "a colon before the hundredths of a second, read as a point")
LRC_UNTIMED = Entry(
    "LRC-UNTIMED",
    WARNING,
    "a line without a time dropped: {text!r}",
    several="{times} lines without a time dropped",
)
LRC_ORDER = Entry("CUE-ORDER", NOTE, "begins before the line above it", "lines")
LRC_OFFSET_TEXT = Entry(
    "LRC-OFFSET-TEXT",
    NOTE,
    "an offset that is not a number, not applied: {text!r}",
)
MICRODVD_DEFAULT = Entry("MICRODVD-DEFAULT", NOTE, "{{DEFAULT}} not kept")
MICRODVD_RATE = Entry(
    "MICRODVD-RATE",
    WARNING,
    "{text!r} looks like a frame rate after the first line: it is text",
    several="{times} texts look like frame rates after the first line: they are text",
)
MICRODVD_RATE_GIVEN = Entry(
    "MICRODVD-RATE",
    NOTE,
    "the file says {text} frames per second, which count in place of the option's",
    "given",
)
SCC_HEAD = Entry("SCC-HEAD", WARNING, 'expected "{mark} V1.0" in the first line')
SCC_DROP_FRAME = Entry(
    "SCC-DROP",
    WARNING,
    "{text} is dropped: read as ;02",
    several="{times} dropped time codes: read as ;02",
)
MCC_708 = Entry("MCC-708", WARNING, "the captions are of CEA-708 only, which is not read")
MCC_NOT_READ = Entry("MCC-NOT-READ", NOTE, "{pairs:pair/pairs} of the second field not read")
LAMBDA_STYLES = Entry("LAMBDA-STYLES", NOTE, "{marks:mark/marks} of place and style not kept")
SPRUCE_SETTING = Entry("SPRUCE-SETTING", NOTE, "setting or comment not kept")
ASS_EVENT = Entry("ASS-EVENT", NOTE, "{kind} not kept")
LRC_OFFSET_IGNORED = Entry(
    "LRC-OFFSET",
    WARNING,
    "an offset of {milliseconds} ms, not applied: programs differ in its meaning ({advice})",
    "ignored",
    (Advice("lrc_offset", "sooner"),),
)
LRC_OFFSET = Entry(
    "LRC-OFFSET",
    WARNING,
    "an offset of {milliseconds} ms, taken as {rule}: programs differ in its meaning ({advice})",
    advice=(Advice("lrc_offset", "ignore"),),
)
TTML_TEXT = Entry(
    "TTML-TEXT",
    WARNING,
    "text in <{element}> dropped: {text!r}",
    several="{times} texts outside of paragraphs dropped",
)
SCC_ROWS = Entry(
    "SCC-ROWS",
    ERROR,
    "expected at most {most} lines of {columns} characters ({advice} cuts them), found {lines} of "
    "up to {longest}",
    advice=(Advice("cues", "fitted"), Advice("cue_line_length", "{columns}")),
)
MICRODVD_RATE_OPEN = Entry(
    "MICRODVD-RATE",
    ERROR,
    "expected a frame rate, as a first line {{1}}{{1}}25 or by {advice}, found {text!r}",
    "open",
    (Advice("fps", "25"),),
)
MICRODVD_RATE_NEEDED = Entry(
    "MICRODVD-RATE",
    ERROR,
    "expected {advice}, as MicroDVD counts times in frames, found no frame rate",
    "needed",
    (Advice("fps", "NUMBER"),),
)
SPRUCE_TIME = Entry(
    "SPRUCE-TIME",
    ERROR,
    "expected minutes and seconds below 60, frames below {frames} ({advice}), found {text!r}",
    advice=(Advice("fps", ""),),
)
STYLES = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} as a file of ass or ssa with styles, found {problem}",
    "file",
    (Advice("styles_from", ""),),
)
STYLES_NOT_TEXT = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} as a file of ass or ssa with styles, in UTF-8, found {found}",
    "encoding",
    (Advice("styles_from", ""),),
)
NO_STYLES = Entry(
    "ASS-STYLES",
    ERROR,
    "expected {advice} as a file of ass or ssa with styles, found no section of styles",
    "none",
    (Advice("styles_from", ""),),
)
LINT_RULES = Entry(
    "LINT-RULES",
    ERROR,
    "expected {advice} of {names}, found {text!r}",
    advice=(Advice("rules", ""),),
)

# Rules of losses.
RULE_CUE_LIMITS = rule("cue-limits", "to fit the limits of cues")
RULE_HAN_CHARACTERS_AND_KANA = rule("han-characters-and-kana", "of Han characters and kana")
RULE_LATER = rule("later", "moved, as bytes take a frame a pair")
RULE_LAYER = rule("layer", "layer that is not a number")
RULE_MADE_SINGLE = rule("made-single", "made single")
RULE_NEXT_LINE = rule("next-line", "the next line ends them")
RULE_PROPORTION_CHARACTERS = rule("proportion-characters", "in proportion to characters")
RULE_ROUNDED_FRAME = rule("rounded-frame", "rounded to a frame")
RULE_SHORTEST = rule("shortest", "to the shortest time")
RULE_SPEAKER_PREFIX = rule(
    "speaker-prefix", "{advice} writes them into the text", Advice("speaker_prefix")
)
RULE_SSA_LAYER = rule("ssa-layer", "layer that ssa (v4) cannot hold")
RULE_WITHOUT_A_NAME = rule("without-a-name", "without a name")
RULE_WORD_ORDER = rule("word-order", "of words that do not follow one another inside their segment")
RULE_WORD_TIMES = rule("word-times", "{advice} writes them", Advice("word_times"))
