"""Messages of the readers and writers of Kaldi files."""

from formats.schema.messages import NOTE, WARNING, Entry, rule

KALDI_ORDER = Entry(
    "KALDI-ORDER",
    NOTE,
    "not sorted by bytes, which Kaldi's programs require (LC_ALL=C)",
)
KALDI_INTEGERS = Entry(
    "KALDI-INTEGERS",
    WARNING,
    "{integers} of {words} words are integers: are they still to be looked up in words.txt?",
)
KALDI_SPEAKER = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "no speaker of {utterance!r} in utt2spk",
    several="{times} utterances have no speaker in utt2spk",
)
KALDI_NO_SEGMENT = Entry(
    "KALDI-NO-SEGMENT",
    WARNING,
    "{utterance!r} is not in segments: no times",
    several="{times} utterances are not in segments: no times",
)
KALDI_NO_RECORDING = Entry(
    "KALDI-NO-RECORDING",
    WARNING,
    "no recording {recording!r} in wav.scp",
    several="{times} utterances with a recording that is not in wav.scp",
)
KALDI_DUPLICATE = Entry("KALDI-DUPLICATE", NOTE, "the same id and words as line {first}: read once")
KALDI_START = Entry(
    "KALDI-END",
    WARNING,
    "begins after the end of {recording!r}, {seconds} s: its end is unknown",
    "start",
    several="{times} utterances begin after the ends of their recordings: their ends are unknown",
)
KALDI_END = Entry(
    "KALDI-END",
    WARNING,
    "ends {seconds} s after the end of {recording!r}",
    several="{times} utterances end after the ends of their recordings",
)
KALDI_NO_TEXT = Entry(
    "KALDI-NO-TEXT",
    WARNING,
    "{utterance!r} of line {segment} of segments has no text",
    several="{times} utterances of segments have no text",
)
KALDI_SPEAKER_ONLY = Entry(
    "KALDI-NO-TEXT",
    WARNING,
    "{utterance!r} of {speaker!r} has no text",
    "speaker",
    several="{times} utterances of utt2spk have no text",
)
KALDI_SHORT = Entry("KALDI-SHORT", NOTE, "shorter than 0.1 s: Kaldi's programs skip it")
KALDI_SPEAKER_UNKNOWN = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "{utterance!r} is of {speaker!r}, but utt2spk says nothing of it",
    "unknown",
    several="{times} utterances of spk2utt are not in utt2spk",
)
KALDI_SPEAKER_OTHER = Entry(
    "KALDI-SPEAKER",
    WARNING,
    "{utterance!r} is of {speaker!r}, but utt2spk says {other!r}",
    "other",
    several="{times} utterances have another speaker in utt2spk than in spk2utt",
)

# Rules of losses.
RULE_DIRECTORY = rule("directory", "a directory keeps them")
RULE_RECORDING_ID = rule("recording-id", "recording_id")
RULE_UTTERANCE_ID = rule("utterance-id", "the utterance id")
