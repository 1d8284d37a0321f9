"""Tables for services and editors whose files contain turns and words.

autoedit, digital-paper-edit, transcribee, gladia, podcast, elevenlabs, amberscript, soniox, symbl,
voxtral, funasr, vibevoice, notsofar, pyannote-json, aws-call: a table for each format maps its
members to the schema. Times are in seconds unless a table has another unit. autoEdit's paragraphs
are in the member ``text`` of a project, or in a plain list. In transcribee and Soniox, each piece
is a word if no piece begins or ends with a blank.
"""

from __future__ import annotations

import re

from formats.json.provider import Provider
from formats.json.shapes import Names

AUTOEDIT = Provider(
    "autoEdit",
    "text",
    Names(speaker="speaker", words="paragraph.line", others="id"),
    Names("text", "startTime", "endTime", others="id accuracy"),
    nobody=("", "Unnamed Speaker"),
    title="JSON of autoEdit 2: paragraphs of lines of timed words",
    sign='"paragraph" with "line"',
)
PAPER_EDIT = Provider(
    "Digital Paper Edit",
    "paragraphs transcript.paragraphs",
    Names(start="start", end="end", speaker="speaker", others="id"),
    Names("text", "start", "end", others="id index"),
    words_beside="words transcript.words",
    nobody=("", "Unnamed Speaker"),
    title="JSON of Digital Paper Edit and of slate's editor: words, and paragraphs with speakers",
    sign='"words" with "text", and "paragraphs"',
)
TRANSCRIBEE = Provider(
    "transcribee",
    "children",
    Names(speaker="speaker", language="lang", words="children", others="type"),
    Names("text", "start", "end", confidence="conf", others="conf_ts"),
    in_pieces=True,
    speaker_names="speaker_names",
    title="JSON of transcribee: paragraphs of timed pieces of text",
    sign='"children" of the type "paragraph"',
)
WORD = Names("word", "start", "end", confidence="confidence", others="")
GLADIA = Provider(
    "Gladia",
    "result.transcription.utterances",
    Names("text", "start", "end", speaker="speaker", confidence="confidence", channel="channel",
          language="language", words="words", others=""),
    WORD,
    whole="result.transcription.full_transcript",
    duration="result.metadata.audio_duration",
    success=("done",),
    error="error_code error",
    title="Gladia JSON: utterances with timed words",
    sign='"transcription" with "utterances"',
)  # fmt: skip
PODCAST = Provider(
    "Podcasting 2.0",
    "segments",
    Names("body", "startTime", "endTime", speaker="speaker",
          others="startTimeFormatted endTimeFormatted"),
    title="JSON transcript of Podcasting 2.0: segments with speakers",
    sign='"segments" with "startTime" and "body"',
)  # fmt: skip
ELEVENLABS = Provider(
    "ElevenLabs",
    "words transcripts.words",
    Names("text", "start", "end", speaker="speaker_id", channel="channel_index",
          others="type logprob characters"),
    are_words=True,
    whole="text",
    duration="audio_duration_secs",
    error="detail",
    title="ElevenLabs Scribe JSON: timed words with speakers",
    sign='"words" with a "type"',
)  # fmt: skip
AMBERSCRIPT = Provider(
    "Amberscript",
    "segments",
    Names(speaker="speaker", words="words", others=""),
    Names("text", "start", "end", confidence="conf", others="duration pristine"),
    speaker_names="speakers:spkid:name",
    title="Amberscript JSON: segments of timed words with speakers",
    sign='"segments" with "words", and "speakers" with "spkid"',
)
SONIOX = Provider(
    "Soniox",
    "tokens",
    Names("text", "start_ms", "end_ms", speaker="speaker", confidence="confidence",
          others="is_final is_audio_event language source_language translation_status"),
    are_words=True,
    in_pieces=True,
    per_second=1000,
    skipped="translation_status=translation is_final=false is_audio_event=true",
    tags=re.compile("<end>|<fin>"),
    whole="text",
    in_messages=True,
    success=("completed",),
    error="error_message error_type error_code message",
    title="Soniox JSON: timed tokens, pieces of words, with speakers",
    sign='"tokens" with "start_ms"',
)  # fmt: skip
SYMBL = Provider(
    "Symbl",
    "messages",
    Names("text", "timeOffset", length="duration", speaker="from", words="words",
          others="id startTime endTime conversationId phrases sentiment"),
    Names("word", "timeOffset", length="duration", confidence="score",
          others="startTime endTime speakerTag"),
    title="Symbl.ai messages: texts with speakers and timed words",
    sign='"messages" with "from" and "conversationId"',
)  # fmt: skip
VOXTRAL = Provider(
    "Voxtral",
    "segments",
    Names("text", "start", "end", speaker="speaker_id", confidence="score", others="type id"),
    whole="text",
    title="Voxtral of Mistral: segments with speakers",
    sign='"model" voxtral, and "segments"',
)
FUNASR = Provider(
    "FunASR",
    "sentence_info segments",
    Names("text|sentence", "start", "end", speaker="spk|speaker",
          others="text sentence timestamp raw_text"),
    per_second=1000,
    tags=re.compile(r"<\|[^|<>]*\|>"),
    whole="text",
    recording="key",
    title="FunASR with sentences: texts with speakers, in milliseconds",
    sign='"key" and "sentence_info"',
)  # fmt: skip
VIBEVOICE = Provider(
    "VibeVoice",
    "segments",
    Names("Content|text", "Start|start_time", "End|end_time", speaker="Speaker|speaker_id",
          others=""),
    tags=re.compile(r"\[[A-Z][a-z]+(?: [A-Z][a-z]+)*\]"),
    title="VibeVoice ASR: segments with speakers",
    sign='"Start", "End", "Speaker" and "Content"',
)  # fmt: skip
NOTSOFAR = Provider(
    "NOTSOFAR",
    "",
    Names("text", "start_time", "end_time", speaker="speaker_id", words="word_timing",
          others="ct_wav_file_name"),
    tags=re.compile("<[^<>]*/>"),
    title="NOTSOFAR-1 transcription: segments with speakers and timed words",
    sign='"speaker_id", "start_time" and "word_timing"',
)  # fmt: skip
PYANNOTE = Provider(
    "pyannote",
    "output.turnLevelTranscription output.identification output.diarization"
    " identification diarization",
    Names("text", "start", "end", speaker="speaker", others="confidence diarizationSpeaker match"),
    Names("text", "start", "end", speaker="speaker", others="confidence"),
    words_beside="output.wordLevelTranscription",
    may_lack_words=True,
    success=("succeeded",),
    error="error",
    title="pyannoteAI JSON: speakers, with words where they were transcribed",
    sign='"diarization"',
)
AWS_CALL = Provider(
    "AWS call analytics",
    "SpeechSegments",
    Names("DisplayText", "SegmentStartTime", "SegmentEndTime", speaker="SegmentSpeaker",
          words="WordConfidence"),
    Names("Text", "StartTime", "EndTime", confidence="Confidence"),
    speaker_names="ConversationAnalytics.SpeakerLabels:Speaker:DisplayText",
    title="AWS post-call analytics: segments of a call with timed words",
    sign='"ConversationAnalytics" and "SpeechSegments"',
)  # fmt: skip
