"""Messages of the readers and writers of Kaldi files."""

from formats.schema.messages import NOTE, WARNING, Advice, Entry, rule

KALDI_ORDER = Entry(
    "KALDI-ORDER",
    NOTE,
    ("the file is not sorted by bytes (LC_ALL=C), but Kaldi's programs require this order"),
)
KALDI_INTEGERS = Entry(
    "KALDI-INTEGERS",
    WARNING,
    "{integers} of {words} words are integers: are these integers the word numbers of words.txt? "
    "(scoring wer DECODE_FOLDER and Kaldi's utils/int2sym.pl replace them by words)",
)
KALDI_COLUMNS = Entry(
    "KALDI-COLUMNS",
    WARNING,
    "tabs divide every line into {columns} fields, and all fields after the first are read as "
    "words ({advice} describes the lines)",
    "",
    (Advice("pattern", "PATTERN"),),
)
KALDI_CODES = KALDI_COLUMNS._replace(
    text="every text begins with a letter or a number, such as {text!r}, which is read as a word "
    "({advice} describes the lines)",
    variant="codes",
)
KALDI_SPEAKER = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "utterance {utterance!r} has no speaker in utt2spk",
    several="{times} utterances have no speaker in utt2spk",
)
KALDI_NO_SEGMENT = Entry(
    "KALDI-NO-SEGMENT",
    WARNING,
    "utterance {utterance!r} is not in segments, so it has no times",
    several="{times} utterances are not in segments, so they have no times",
)
KALDI_NO_RECORDING = Entry(
    "KALDI-NO-RECORDING",
    WARNING,
    "recording {recording!r} is not in wav.scp",
    several="{times} utterances have a recording that is not in wav.scp",
)
KALDI_DUPLICATE = Entry(
    "KALDI-DUPLICATE",
    NOTE,
    "the line repeats the id and the words of line {first}, so it is read once",
)
KALDI_START = Entry(
    "KALDI-END",
    WARNING,
    "recording {recording!r} ends at {seconds} s, before the utterance begins, so the end of "
    "the utterance is unknown",
    "start",
    several=(
        "{times} utterances begin after the ends of their recordings, so the ends of "
        "these utterances are unknown"
    ),
)
KALDI_END = Entry(
    "KALDI-END",
    WARNING,
    "the utterance ends {seconds} s after the end of recording {recording!r}",
    several="{times} utterances end after the ends of their recordings",
)
KALDI_NO_TEXT = Entry(
    "KALDI-NO-TEXT",
    WARNING,
    "utterance {utterance!r} in line {segment} of segments has no text",
    several="{times} utterances in segments have no text",
)
KALDI_SPEAKER_ONLY = Entry(
    "KALDI-NO-TEXT",
    WARNING,
    "utterance {utterance!r} of speaker {speaker!r} has no text",
    "speaker",
    several="{times} utterances in utt2spk have no text",
)
KALDI_SHORT = Entry(
    "KALDI-SHORT",
    NOTE,
    "the utterance is shorter than 0.1 s, and Kaldi's programs skip such utterances",
)
KALDI_SPEAKER_UNKNOWN = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "spk2utt gives utterance {utterance!r} the speaker {speaker!r}, but the utterance "
    "is not in utt2spk",
    "unknown",
    several="{times} utterances in spk2utt are not in utt2spk",
)
KALDI_SPEAKER_OTHER = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "spk2utt gives utterance {utterance!r} the speaker {speaker!r}, but utt2spk gives "
    "it the speaker {other!r}",
    "other",
    several="{times} utterances have different speakers in utt2spk and spk2utt",
)

# Rules of losses.
RULE_DIRECTORY = rule("directory", "a data directory of Kaldi keeps them")
RULE_RECORDING_ID = rule("recording-id", "the property recording_id is not written")
RULE_UTTERANCE_ID = rule("utterance-id", "the utterance id is written as the speaker")
