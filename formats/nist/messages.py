"""Messages of the readers and writers of NIST formats."""

from formats.schema.messages import ERROR, NOTE, WARNING, Advice, Entry, rule

TRN_NO_SEGMENT = Entry(
    "TRN-NO-SEGMENT",
    WARNING,
    "utterance {utterance!r} is not in {path}, so it has no times",
    several="{times} utterances are not in {path}, so they have no times",
)
TRN_SEGMENTS = Entry(
    "TRN-SEGMENTS",
    NOTE,
    ("{path} has none of the ids of the file, so utterances and segments are matched in order"),
)
CTM_OUTSIDE = Entry(
    "CTM-OUTSIDE",
    WARNING,
    (
        "{words:word lies/words lie} outside of all segments of {path}, so they are read as "
        "separate segments"
    ),
)
CTM_SHORT = Entry(
    "CTM-RELATIVE?",
    NOTE,
    "{recordings:recording is/recordings are} shorter than a minute: if they are "
    "utterances of Kaldi, {advice} converts times in an utterance to times in the recording",
    "short",
    advice=(Advice("segments", "FILE"),),
)
CTM_SPLIT = Entry(
    "CTM-SPLIT",
    WARNING,
    "recording {recording!r} continues after another recording, so its words are in "
    "separate segments (sort the file by recording to join them)",
    several=(
        "{times} recordings continue after another recording, so their words are in "
        "separate segments (sort the file by recording to join them)"
    ),
)
OVERLAP_WORD = Entry("OVERLAP", NOTE, "the word begins before an earlier word ends", "word")
CTM_NULL = Entry("CTM-NULL", NOTE, "the time of a null word @ is not kept")
CTM_EMPTY_ALT = Entry(
    "CTM-EMPTY-ALT",
    WARNING,
    "the alternation has no words",
    several="{times} alternations have no words",
)
CTM_END_NOT_DUR = Entry(
    "CTM-END-NOT-DUR?",
    WARNING,
    "in {recording} {channel}, the fourth field of every word is greater than its "
    "third: is the fourth field an end time and not a duration?",
    several=(
        "in {times} recordings, the fourth field of every word is greater than its third: "
        "is the fourth field an end time and not a duration?"
    ),
)
CTM_BEYOND_SEGMENT = Entry(
    "CTM-BEYOND-SEGMENT",
    WARNING,
    "the words of {recording!r} continue for {seconds} s after the end of the "
    "segment: did the recogniser ignore its frame subsampling factor?",
    several=(
        "the words of {times} segments continue after the end of the segment: did the "
        "recogniser ignore its frame subsampling factor?"
    ),
)
CTM_NOBODY = Entry(
    "CTM-NOBODY",
    WARNING,
    "the word is outside of all turns of {path}, so it has no speaker ({words} words "
    "have no speaker)",
)
CTM_ROUNDED = Entry("CTM-ROUNDED", NOTE, "the word {text} has a duration of 0 after rounding")
MARKUP_BRACE = Entry(
    "MARKUP-BRACE",
    WARNING,
    'a "}}" without its "{{" is read as text',
    several='{times} "}}" characters without their "{{" are read as text',
)
MARKUP_EMPTY = Entry(
    "MARKUP-EMPTY",
    WARNING,
    'an empty branch is dropped (write "@" for the null word)',
    several='{times} empty branches are dropped (write "@" for the null word)',
)
RTTM_DUPLICATE = Entry(
    "RTTM-DUPLICATE", NOTE, "the SPKR-INFO record repeats line {first}, so it is read once"
)
RTTM_SPEAKER = Entry(
    "RTTM-SPEAKER",
    NOTE,
    ("the SPKR-INFO record of speaker {name!r} is not kept, because the speaker has no turn"),
)
RTTM_OUTSIDE = Entry(
    "RTTM-OUTSIDE", NOTE, "the word {text!r} at {seconds} s is outside of its turn"
)
OVERLAP_SEGMENT = Entry(
    "OVERLAP", NOTE, "the segment begins before an earlier segment ends", "segment"
)
TRN_SENTENCES = Entry(
    "TRN-SENTENCES",
    NOTE,
    "the marks <s> and </s> around the text are not read as words ({advice} reads them)",
    advice=(Advice("markup", False),),
    several=(
        "the marks <s> and </s> around {times} texts are not read as words ({advice} reads them)"
    ),
    is_shown=True,
)
TRN_SPEAKER = Entry(
    "TRN-SPEAKER",
    WARNING,
    ('the id {utterance!r} has neither "-" nor "_", so the whole id is read as the speaker'),
    several='{times} ids have neither "-" nor "_", so the whole ids are read as the speakers',
)
TRN_TRAILING = Entry(
    "TRN-TRAILING",
    WARNING,
    "the text {text!r} after the id is not read",
    several="{times} texts after the id are not read",
)
UEM_MERGED = Entry("UEM-MERGED", NOTE, "the region is merged with the region of line {first}")
CTM_TYPE = Entry(
    "CTM-TYPE",
    WARNING,
    "the type {kind!r} is not one of {types}",
    several="{times} types are not one of {types}",
)
CTM_NO_CONFIDENCE = Entry("CTM-NO-CONFIDENCE", NOTE, "the value {text} is not a valid confidence")
CTM_CONFIDENCE = Entry("CTM-CONFIDENCE", NOTE, "the confidence {text} is not from 0 to 1")
RTTM_LANGUAGE = Entry(
    "RTTM-LANGUAGE",
    WARNING,
    "the record of the type LANGUAGE is read as SPEAKER: the language counts as a speaker",
    several="{times} records of the type LANGUAGE are read as SPEAKER: languages count as speakers",
)
RTTM_FIELDS = Entry(
    "RTTM-FIELDS",
    WARNING,
    "expected 9 or 10 fields, found 8: the record has no confidence",
    several=(
        "expected 9 or 10 fields, found {times} records with 8 fields: these records have "
        "no confidence"
    ),
)
RTTM_VALUE = Entry(
    "RTTM-VALUE",
    WARNING,
    ("the times of the SPKR-INFO record are not kept, because such a record has no times"),
    several=(
        "the times of {times} SPKR-INFO records are not kept, because such records have no times"
    ),
)
RTTM_SUBTYPE = Entry(
    "RTTM-SUBTYPE",
    WARNING,
    "expected {expected} as the subtype of {type}, found {subtype!r}",
    several="{times} subtypes do not belong to their types",
)
RTTM_CONFIDENCE = Entry("RTTM-CONFIDENCE", NOTE, "the confidence {text} is not from 0 to 1")
RTTM_LOOKAHEAD = Entry("RTTM-LOOKAHEAD", NOTE, "the lookahead time of {type} is not kept")
RTTM_ESTIMATED = Entry(
    "RTTM-ESTIMATED", NOTE, 'the mark "*" of an estimated begin time is not kept'
)
RTTM_ESTIMATED_DURATION = Entry(
    "RTTM-ESTIMATED", NOTE, 'the mark "*" of an estimated duration is not kept', "duration"
)
RTTM_POINT = Entry(
    "RTTM-VALUE",
    WARNING,
    "expected <NA> as the duration, because {type} is a point in time, found {text!r}",
    "point",
    several="{times} points in time have a duration (write <NA> as the duration)",
)
STM_ONE_BRANCH = Entry(
    "STM-ONE-BRANCH",
    NOTE,
    "a single word in braces is read as a word ({advice} reads it as an event)",
    advice=(Advice("tedlium"),),
)
STM_NO_TIME = Entry(
    "STM-NO-TIME",
    WARNING,
    "the segment ends where it begins, at {begin}",
    several="{times} segments end where they begin",
)
STM_LABEL = Entry(
    "STM-LABEL?",
    WARNING,
    "{text!r} is read as a word, because no definition names this label and the text "
    "has no comma; sclite would read the text as labels",
    several=(
        "{times} texts in angle brackets are read as words, because no definition names "
        "such labels and the texts have no comma; sclite would read the texts as labels"
    ),
)
UEM_FIELDS = Entry("UEM-FIELDS", NOTE, "the text {text!r} after the end time is not read")
UEM_NAME = Entry("UEM-NAME", NOTE, "the file name {name!r} is read as the recording {recording!r}")
TRN_DUPLICATE = Entry(
    "TRN-DUPLICATE",
    NOTE,
    "the line repeats the id and the words of line {first}, so it is read once",
)
CTM_RELATIVE = Entry(
    "CTM-RELATIVE?",
    WARNING,
    "the recordings of the file are utterances of {path}: {advice} converts their "
    "times to times of the recordings",
    "known",
    (Advice("segments", "{path}"),),
)
CTM_ORDER = Entry(
    "CTM-ORDER",
    WARNING,
    "the word begins before the word above it, so the words are sorted by start "
    "(sclite would score the words in the order of the file)",
    several=(
        "{times} words begin before the word above them, so the words are sorted by start "
        "(sclite would score the words in the order of the file)"
    ),
)
CTM_CONFIDENCE_ABSENT = Entry(
    "CTM-CONFIDENCE-NA",
    NOTE,
    "{words:word without confidence is/words without confidence are} written with NA, "
    "and sclite reads NA as 0",
    "na",
)
CTM_CONFIDENCE_NA = Entry(
    "CTM-CONFIDENCE-NA",
    NOTE,
    "{words:word without confidence is/words without confidence are} written with {confidence}",
)
RTTM_OVERLAP = Entry(
    "RTTM-OVERLAP",
    WARNING,
    "the turn overlaps the turn of the same speaker in line {before}; md-eval counts "
    "the shared time once ({advice} merges the turns)",
    advice=(Advice("rttm_merge"),),
    several=(
        "{times} turns overlap another turn of the same speaker; md-eval counts the "
        "shared time once ({advice} merges the turns)"
    ),
)
RTTM_MERGED = Entry(
    "RTTM-OVERLAP",
    WARNING,
    "the turn overlaps the turn of the same speaker in line {before}, so the two turns are merged",
    "merged",
    several=("{times} turns overlap another turn of the same speaker, so these turns are merged"),
)
STM_ORDER = Entry(
    "STM-ORDER",
    WARNING,
    "the segment begins before the segment above it, and the order of the file is "
    "kept, but sclite expects {recording} {channel} sorted by time",
    several=(
        "{times} segments begin before the segment above them, and the order of the file "
        "is kept, but sclite expects each recording and channel sorted by time"
    ),
)
TXT_ALONE = {
    "numbers": Entry(
        "TXT-RULES",
        WARNING,
        "{count:line has/lines have} only numbers, for example {text!r}, and the numbers are "
        "read as words",
        "numbers",
    ),
    "brackets": Entry(
        "TXT-RULES",
        WARNING,
        "{count:line is/lines are} in brackets, for example {text!r}, and are read as words",
        "brackets",
    ),
    "headings": Entry(
        "TXT-RULES",
        WARNING,
        "{count:line is a heading/lines are headings}, for example {text!r}, and are read as words",
        "headings",
    ),
    "directions": Entry(
        "TXT-RULES",
        WARNING,
        "{count} lines look like directions of a play, for example {text!r}, and are read as words",
        "directions",
    ),
}
UNLIKE = {
    "notices": "who reads or spoke, or the end of a text",
    "dated": "a first line with a year",
    "numbered": "the name of a file or chapter",
    "apart": "apart from the text, behind a wider gap",
    "titles": "brief, without the end of a sentence",
    "capitals": "in capitals",
    "signs": "digits and signs, or an address",
    "script": "in another script",
    "marked": "in quotes or between signs of emphasis",
}
TXT_UNLIKE = {
    kind: Entry(
        "TXT-UNLIKE",
        NOTE,
        f"{{count:line is/lines are}} unlike the others of {{total}} ({reason}) and may be no "
        "speech, but read as words; the first is {text!r}",
        kind,
        is_shown=True,
    )
    for kind, reason in UNLIKE.items()
}
"""Lines that are unlike the others of a text; kinds are those of `formats.nist.unlike_lines`."""
TXT_SHORT = Entry(
    "TXT-SHORT",
    WARNING,
    "{count} of {total} lines are short and occur several times, for example "
    "{text!r}: if such lines are names, the names are read as words ({advice} "
    "describes the lines)",
    advice=(Advice("pattern", "PATTERN"),),
)
TXT_TABLE = Entry(
    "TXT-TABLE",
    WARNING,
    "every line has the same number of fields, separated by {separator!r}, and all "
    "fields are read as words",
)
TXT_SECTIONS = Entry(
    "TXT-LEFT",
    NOTE,
    "{lines:line is/lines are} outside the section {text!r} and not read as words",
    "sections",
    is_shown=True,
)
TXT_TITLES = {
    "titles": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line above the text is a title or a date/lines above the text are titles or dates} "
        "and not read as words: {text!r}",
        "titles",
        is_shown=True,
    ),
    "speaker": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line above the text is/lines above the text are} not read as words, and "
        "{speaker!r} is read as the name of the only speaker: {text!r}",
        "speaker",
        is_shown=True,
    ),
}
TXT_QUOTED = Entry(
    "TXT-LEFT",
    NOTE,
    "the file is a column of texts in quotes; its name {text!r} and the quotes are not read as "
    "words",
    "quoted",
    is_shown=True,
)
TXT_FOOT = Entry(
    "TXT-LEFT",
    NOTE,
    "{lines:line at the end is/lines at the end are} not read as words (the end of a document, who "
    "made it, where it is from, or what a program tells): {text!r}",
    "foot",
    is_shown=True,
)
TXT_LABELS = {
    "label": Entry(
        "TXT-LEFT",
        NOTE,
        "the text begins with {text!r}, which is not read as words: {speaker!r} is read as the "
        "name of the only speaker",
        "label",
        is_shown=True,
    ),
    "field": Entry(
        "TXT-LEFT",
        NOTE,
        "the text begins with {text!r}, which is the name of a field and not read as words",
        "field",
        is_shown=True,
    ),
}
TXT_LEFT = {
    "head": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line is/lines are} the head of the document and not read as words",
        "head",
        is_shown=True,
    ),
    "rules": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line is/lines are} not read as words (signs, titles between signs or in brackets, "
        "parts of songs, numbers of slides, pages and stanzas, times and settings in brackets, "
        "and notices of copyright and of errors)",
        "rules",
        is_shown=True,
    ),
    "marks": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line begins/lines begin} with the sign or number of a list, which is not read as a "
        "word",
        "marks",
        is_shown=True,
    ),
    "tags": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line has/lines have} tags (<i>, <br>), identifiers of cues or signs of a speaker "
        "(>>), which are not read as words",
        "tags",
        is_shown=True,
    ),
    "ids": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line is only an identifier/lines are only identifiers} (#shop_bye) and not read as "
        "words",
        "ids",
        is_shown=True,
    ),
    "directions": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line has/lines have} directions or sounds, which are not read as words",
        "directions",
        is_shown=True,
    ),
    "again": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line repeats/lines repeat} the line above, as nearly all lines do (rolling "
        "captions), and what is repeated is read once",
        "again",
        is_shown=True,
    ),
    "cut": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line ends/lines end} in a word that goes on on the next line, so that it is read "
        "without the hyphen",
        "cut",
        is_shown=True,
    ),
    "site": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line has/lines have} what a site of lyrics adds (12 Contributors, 3Embed), which "
        "is not read as words",
        "site",
        is_shown=True,
    ),
    "chords": Entry(
        "TXT-LEFT",
        NOTE,
        "{lines:line has/lines have} only chords, or chords in brackets, which are not read as "
        "words",
        "chords",
        is_shown=True,
    ),
}
UNSPOKEN = {
    "cues": "{lines:line tells/lines tell} those who speak what to do or to show",
    "dates": "{lines:line is a date or a title/lines are dates and titles} above parts of the text",
    "parts": "{lines:line is the title/lines are titles} of parts of the text, below rules",
    "verses": "{lines:line has/lines have} the number or mark of a verse or the title of a chapter",
    "braces": "{lines:line has/lines have} a direction in braces",
    "brackets": "{lines:line is a direction/lines are directions} in brackets",
    "addresses": "{lines:line is/lines are} only an address",
    "notes": "{lines:line is/lines are} in notes below the text",
    "repeats": "{lines:line ends/lines end} with how often to sing it",
    "commands": "{lines:line tells/lines tell} a game which file to show or to play",
}
TXT_UNSPOKEN = {
    kind: Entry(
        "TXT-LEFT",
        NOTE,
        f"{reason}, not read as words, for example {{text!r}}",
        kind,
        is_shown=True,
    )
    for kind, reason in UNSPOKEN.items()
} | {
    "code": Entry(
        "TXT-LEFT",
        WARNING,
        "{lines:line is/lines are} code, not speech, and not read as words, for example {text!r}",
        "code",
    )
}
"""What stands between the parts of a text; kinds are those of `formats.nist.between_parts`."""
TXT_MARKDOWN = Entry(
    "TXT-MARKDOWN",
    NOTE,
    "the file is read as one text in Markdown: {lines:line/lines} above the text, "
    "{headings:heading/headings}, pictures, and the marks of emphasis, links and lists are not "
    "read as words",
    is_shown=True,
)
SPEAKER_TEXT = Entry(
    "SPEAKER-TEXT?",
    NOTE,
    "{heads} of {paragraphs} paragraphs look like {pattern!r}, but their names and "
    "times are read as words ({advice} reads them as names and times)",
    "txt",
    (Advice("from", "speaker-text"),),
    is_shown=True,
)
TXT_NAMES = Entry(
    "SPEAKER-TEXT?",
    NOTE,
    "{lines} of {total} lines begin with a name and a colon, such as {text!r}, and the names "
    "are read as words ({advice} reads them as speakers)",
    "names",
    (Advice("pattern", "{{speaker}}: {{text}}"),),
    is_shown=True,
)
TXT_INSIDE = Entry(
    "SPEAKER-TEXT?",
    NOTE,
    "{count} names with a colon inside lines, such as {text!r}, are read as words ({advice} with "
    "the rule inline reads them as speakers)",
    "inside",
    (Advice("pattern", "@FILE"),),
    is_shown=True,
)
TXT_LETTERS = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with one of a few letters or codes in capitals, such as "
    "{text!r}, which are read as words ({advice} reads them as speakers)",
    "letters",
    (Advice("pattern", "{{speaker {names}}} {{text}}"),),
)
TXT_POINTS = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with a name and a point, such as {text!r}, and the names are "
    "read as words ({advice} reads them as speakers)",
    "points",
    (Advice("pattern", "{{speaker {names}}}.{{? {{text}}?}}"),),
)
TXT_UNMARKED = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with a name that returns and has no sign behind it, such as "
    "{text!r}, and the names are read as words ({advice} reads them as speakers)",
    "unmarked",
    (Advice("pattern", "{{speaker {names}}} {{text}}"),),
)
TXT_BEGINNINGS = {"letters": TXT_LETTERS, "points": TXT_POINTS, "unmarked": TXT_UNMARKED}
"""Remarks on the beginnings of lines that may name speakers."""
TXT_LANGUAGES = Entry(
    "TXT-SHAPE",
    WARNING,
    "the lines or paragraphs alternate between two languages, as {first!r} and {second!r}, and "
    "both are read as words ({advice} describes the lines)",
    "languages",
    (Advice("pattern", "@FILE"),),
)
TXT_TRANSLATION = Entry(
    "TXT-SHAPE",
    WARNING,
    "the part below the title {text!r} is a translation of another part, and both are read as "
    "words",
    "translation",
)
TXT_TWO_LANGUAGES = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines go on in another script, as {text!r}, so they may be texts with "
    "translations, and both are read as words",
    "two-languages",
)
TXT_IDS = Entry(
    "TXT-SHAPE",
    WARNING,
    (
        "{lines} of {total} lines have an identifier such as {text!r}, and the "
        "identifiers are read as words ({advice} may read them as identifiers)"
    ),
    "ids",
    (Advice("pattern", "{{id}} {{text}}"),),
)
TXT_IDS_BEHIND = TXT_IDS._replace(
    variant="ids-behind", advice=(Advice("pattern", "{{text}} ({{id}})"),)
)
BEGINNINGS = {
    "stamp": "a time stamp",
    "number-in-brackets": "a number in brackets",
    "stamp-in-brackets": "a time stamp in brackets",
    "name-and-stamp": "a name and a time stamp",
    "identifier-and-numbers": "an identifier and two numbers",
    "speaker": "a speaker's name",
    "name-in-brackets": "a name in angle brackets",
    "name-in-capitals": "a name in capitals",
    "name-in-wide-brackets": "a name in brackets",
    "date-and-time": "a date and a time",
    "label-and-tab": "a label and a tab",
    "identifier": "an identifier",
    "identifier-and-sign": "an identifier and a sign",
}
READS_SHAPE = {
    "identifier": Advice("from", "kaldi"),
    "identifier-and-sign": Advice("pattern", "{{id}} : {{text}}"),
    "identifier-and-numbers": Advice("pattern", "{{id}} {{start}} {{end}} {{text}}"),
    "number-in-brackets": Advice("pattern", "({{_}}) {{text}}"),
    "name-in-brackets": Advice("pattern", "<{{speaker}}> {{text}}"),
    "speaker": Advice("pattern", "PATTERN"),
    "name-in-wide-brackets": Advice("pattern", "（{{speaker}}）{{text}}"),
    "date-and-time": Advice("pattern", "PATTERN"),
    "label-and-tab": Advice("pattern", "PATTERN"),
}
"""What reads lines that begin so, where that is not speaker-text."""
TXT_SHAPES = {
    name: Entry(
        "TXT-SHAPE",
        WARNING,
        f"{{lines}} of {{total}} lines begin with {beginning}, and this beginning is read as words "
        "({advice} may read such lines)",
        name,
        (READS_SHAPE.get(name, Advice("from", "speaker-text")),),
    )
    for name, beginning in BEGINNINGS.items()
} | {
    "log": Entry(
        "TXT-SHAPE",
        WARNING,
        (
            "{lines} of {total} lines look like lines of a log (date and time, or a "
            "level such as INFO), not like speech, and are read as words"
        ),
        "log",
    ),
}
"""The messages about lines that begin alike, by names in `formats.detection.line_shapes`."""
TXT_SIGN = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with signs or numbers, for example {text!r}, "
    "which are read as words ({advice} reads the lines without them)",
    "sign",
    (Advice("pattern", "{{_}} {{text}}"),),
)
TXT_ANSWERS = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with a dash, each below a line without one, as answers do, for "
    "example {text!r}: no speakers are read",
    "answers",
)
TXT_PROMPT = Entry(
    "TXT-SHAPE",
    WARNING,
    "the text looks like instructions to a language model, not like speech, and is read as words: "
    "{text!r}",
    "prompt",
)
TXT_COUNTED = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin with a number that counts up, and the numbers are read as "
    "words",
    "counted",
)
TXT_CODES = Entry(
    "TXT-SHAPE",
    WARNING,
    "{count} of the first {words} words are numbers or codes, for example {text!r}, and are read "
    "as words",
    "codes",
)
SIGNS_LEFT = {
    "names": "begin with a word that is not inside other lines",
    "first": "begin with a word that has a sign or a number",
    "last": "end in a word that has a sign or a number",
    "columns": "have a gap as between columns",
    "labels": "begin with one of a few words, as with labels of classes",
    "again": "repeat the words of the line above",
    "pages": "differ only in a number, as between pages",
    "outline": "are indented, to several depths",
    "sheet": "are items of lists below titles or numbers, as in notes",
    "glossary": "begin with words in alphabetical order and a sign, as in a dictionary",
    "authors": "end with a name behind a sentence, as quotations do",
    "sources": "begin with a name and a year, as in a list of literature",
    "phrases": "are brief, are no sentences and have the same word, as a list of keywords",
    "links": "are links, as in a list of pages",
    "items": "are brief items of a list and no sentences",
    "listed": "are items of one list, as in instructions or notes",
    "form": "are statements with yes or no behind a colon, as on a form",
    "fields": "begin with the name of a field and a colon, as on a form or in a list",
    "minutes": "are titles of the parts of minutes, such as a summary",
    "kind": "tell above the text that the file is a note or a page",
    "arrows": "have an arrow, as notes do",
    "gaps": "have a gap to fill in, as in an exercise or on a form",
    "roll": "are names below a title, as in a list of persons",
    "code": "are names of parts of a program",
    "page": "are headings, items, links, pictures or code, as on a page of documentation",
    "list": "have a single word, or a name, and are no sentence, as in a list",
}
TXT_RESIDUE = {
    kind: Entry(
        "TXT-LAYOUT",
        WARNING,
        f"{{count}} of {{total}} lines {sign}, for example {{text!r}}: this may be a layout, but "
        "all of it is read as words ({advice} describes the lines)",
        kind,
        (Advice("pattern", "PATTERN"),),
    )
    for kind, sign in SIGNS_LEFT.items()
} | {
    "words": Entry(
        "TXT-LAYOUT",
        WARNING,
        "{count} of the first {total} words are unlike the words of speech, for example {text!r}",
        "words",
    ),
    "commas": Entry(
        "TXT-LAYOUT",
        WARNING,
        "{count} of the first {total} words are items of a list with a comma or another sign "
        "behind them, for example {text!r}, and are read as words",
        "commas",
    ),
}
"""General signs of a layout, by their kinds in `formats.reading.residue`."""
TXT_TIMES = Entry(
    "TXT-SHAPE",
    WARNING,
    "{lines} of {total} lines begin or end with times that increase, for example {text!r}, "
    "and the times are read as words ({advice} may read such lines)",
    "times",
    (Advice("pattern", "PATTERN"),),
)
TXT_HEAD = Entry(
    "TXT-HEAD",
    WARNING,
    "{lines:line looks/lines look} like the head of a document, for example {text!r}, "
    "but this text is read as words",
)
TXT_NOTICE = Entry(
    "TXT-NOTICE",
    NOTE,
    "{count:line is/lines are} not read as words, because the service that transcribed the text "
    "names itself there: {text!r}",
    is_shown=True,
)
TXT_REPEATED = Entry(
    "TXT-REPEATED",
    WARNING,
    (
        "{lines} of {total} lines repeat the line above, and the repeated lines are read "
        "as words, too"
    ),
)
TXT_MARKUP = Entry(
    "TXT-SHAPE",
    WARNING,
    (
        "the text looks like JSON, XML, HTML or RTF, but it is read as plain text: its "
        "names and signs are read as words"
    ),
    "markup",
)
UEM_OVERLAP = Entry(
    "UEM-OVERLAP",
    ERROR,
    "expected regions that do not overlap, found a region that overlaps the region of "
    "line {before} ({advice} merges the regions)",
    advice=(Advice("uem_merge"),),
)
ESCAPE = (Advice("escape_markup"),)
NULL_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    'expected a word that the format can hold, found the word "@", which would be '
    "read back as the null word ({advice} writes a similar character)",
    "null",
    ESCAPE,
)
OPTIONAL_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    "expected a word that the format can hold, found the word {word!r}, which would be "
    "read back as an optional word ({advice} writes similar characters for the parentheses)",
    "optional",
    ESCAPE,
)
MARKUP_IN_WORD = Entry(
    "MARKUP-WORD",
    ERROR,
    "expected a word that the format can hold, found {sign!r} in the word {word!r}, "
    "which would be read back as markup ({advice} writes similar characters)",
    advice=ESCAPE,
)

# Rules of losses.
RULE_ALL_COLUMNS = rule("all-columns", "{advice} keeps them", Advice("all_columns"))
RULE_BY_SPEAKER = rule("by-speaker", "read back as gaps because of the speaker's name")
RULE_BY_WORD = rule("by-word", "read back as ignored regions because of a word")
RULE_EVENTS_AND_REGIONS = rule(
    "events-and-regions", "the format does not store them for events and regions"
)
RULE_GENDER_WITH_BLANKS = rule("gender-with-blanks", "the gender contains blanks")
RULE_IN_IGNORED_REGIONS = rule(
    "in-ignored-regions", "ignored regions are written without their words"
)
RULE_LAYER_LABELS = rule("layer-labels", "labels of a layer about a speaker are not written")
RULE_NO_TURN = rule("no-turn", "the segment has no times, and so no turn")
RULE_OF_OTHER_TYPES = rule("of-other-types", "only lexical words are written")
RULE_OTHER_GENDER = rule("other-gender", "an earlier segment gives the speaker another gender")
RULE_OTHER_SPEAKER = rule("other-speaker", "the id names another speaker")
RULE_READ_ONE_RUN_WORDS = rule(
    "read-one-run-words", ("words without times are read back as one text for each channel")
)
RULE_SORTED_CHANNEL = rule("sorted-channel", "sorted by recording, channel and start")
RULE_SPEAKER_INFO = rule("speaker-info", "{advice} writes the gender", Advice("speaker_info"))
RULE_SPEECH_ONLY = rule("speech-only", "only speech is written")
RULE_SUBTYPE = rule("subtype", "the subtype of an event is not written")
RULE_TURNS_ONLY = rule("turns-only", "only turns are written")
RULE_TURN_BY_TIME = rule("turn-by-time", "each word is read back in the turn at its time")
RULE_UNITED = rule("united", "merged")
RULE_WITHOUT_TIMES = rule("without-times", "the words have no times")
RULE_WORDS_JOINED_UNDERSCORE = rule("words-joined-underscore", 'the words are joined by "_"')
RULE_WRITTEN_AS_OTHER = rule("written-as-other", 'written as "other"')
RULE_WRITTEN_FLAT_BRANCHES = rule("written-flat-branches", "written as branches of one level")
RULE_UNSCORED = rule("unscored", "{words:word has/words have} no confidence")
