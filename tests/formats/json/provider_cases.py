"""Answers of services that are tables of `formats.json.providers`, for the contract suite."""

from tests.formats.case import ODD_JSON_WORD, ODD_WORD, Case, json_case

HELLO = ("hello", "wörld.")
SAMPLES: dict[str, tuple[str, str, str, str, bool]] = {
    # format: what stands before, the first record, the second, what stands after, are they words
    "podcast": (
        '{"version": "1.0.0", "segments": [',
        '{"speaker": "anne", "startTime": 0.5, "endTime": 1.05, "body": "hello wörld."}',
        '{"startTime": 2, "body": "good"}', "]}", False,
    ),
    "elevenlabs": (
        '{"language_code": "eng", "text": "", "words": [',
        '{"text": "hello", "start": 0.5, "end": 0.7, "type": "word", "speaker_id": "s0"},'
        '{"text": " ", "start": 0.7, "end": 0.75, "type": "spacing", "speaker_id": "s0"},'
        '{"text": "(laughs)", "start": 0.7, "end": 0.75, "type": "audio_event", "speaker_id": "s0"},'
        '{"text": "wörld.", "start": 0.75, "end": 1.05, "type": "word", "speaker_id": "s0"}',
        '{"text": "good", "start": 2, "end": 2.5, "type": "word", "speaker_id": "s1"}', "]}", True,
    ),
    "amberscript": (
        '{"speakers": [{"spkid": "spk1", "name": "Anne"}], "segments": [',
        '{"speaker": "spk1", "words": [{"text": "hello", "start": 0.5, "end": 0.75, "conf": 1},'
        '{"text": "wörld.", "start": 0.75, "end": 1.05, "conf": 0.5}]}',
        '{"speaker": "spk2", "words": [{"text": "good", "start": 2, "end": 2.5}]}', "]}", False,
    ),
    "soniox": (
        '{"id": "1", "tokens": [',
        '{"text": " hello", "start_ms": 500, "end_ms": 750, "speaker": "1"},'
        '{"text": " wör", "start_ms": 750, "end_ms": 900, "speaker": "1"},'
        '{"text": "ld.", "start_ms": 900, "end_ms": 1050, "speaker": "1"},'
        '{"text": " bonjour", "translation_status": "translation"}',
        '{"text": " good", "start_ms": 2000, "end_ms": 2500, "speaker": "2"}', "]}", True,
    ),
    "symbl": (
        '{"messages": [',
        '{"id": "1", "conversationId": "2", "text": "hello wörld.", "from": {"id": "3", "name": "Anne"},'
        ' "startTime": "2026-07-10T11:16:04.024Z", "timeOffset": 0.5, "duration": 0.55, "words": ['
        '{"word": "hello", "timeOffset": 0.5, "duration": 0.25, "score": 0.9},'
        '{"word": "wörld.", "timeOffset": 0.75, "duration": 0.3}]}',
        '{"conversationId": "2", "text": "good", "from": {"id": "4"}}', "]}", False,
    ),
    "voxtral": (
        '{"model": "voxtral-mini-latest", "text": "", "segments": [',
        '{"text": " hello wörld.", "start": 0.5, "end": 1.05, "speaker_id": "speaker_1"}',
        '{"text": " good", "start": 2, "end": 2.5}', "]}", False,
    ),
    "funasr": (
        '[{"key": "talk", "text": "", "sentence_info": [',
        '{"text": "hello wörld.", "start": 500, "end": 1050, "spk": 0, "timestamp": [[500, 1050]]}',
        '{"text": "good", "start": 2000, "end": 2500, "spk": 1}', "]}]", False,
    ),
    "vibevoice": (
        "[",
        '{"Start": 0.5, "End": 1.05, "Speaker": 0, "Content": "hello wörld."}',
        '{"Start": 2, "End": 2.5, "Speaker": 1, "Content": "good"}', "]", False,
    ),
    "notsofar": (
        "[",
        '{"speaker_id": "Anne", "start_time": 0.5, "end_time": 1.05, "text": "hello wörld.",'
        ' "word_timing": [["hello", 0.5, 0.75], ["wörld.", 0.75, 1.05]], "ct_wav_file_name": "a.wav"}',
        '{"speaker_id": "Bob", "start_time": 2, "end_time": 2.5, "text": "good", "word_timing": []}',
        "]", False,
    ),
    "pyannote-json": (
        '{"status": "succeeded", "output": {"diarization": [{"speaker": "A", "start": 0.5, "end": 1}],'
        ' "turnLevelTranscription": [',
        '{"speaker": "A", "start": 0.5, "end": 1.05, "text": "hello wörld."}',
        '{"speaker": "B", "start": 2, "end": 2.5, "text": "good"}', "]}}", False,
    ),
    "aws-call": (
        '{"ConversationAnalytics": {}, "SpeechSegments": [',
        '{"SegmentStartTime": 0.5, "SegmentEndTime": 1.05, "SegmentSpeaker": "spk_1", "DisplayText": "",'
        ' "WordConfidence": [{"Text": "hello", "Confidence": 0.9, "StartTime": 0.5, "EndTime": 0.75},'
        '{"Text": "wörld.", "Confidence": 0.9, "StartTime": 0.75, "EndTime": 1.05}]}',
        '{"SegmentStartTime": 2, "SegmentEndTime": 2.5, "SegmentSpeaker": "spk_0", "DisplayText": "good",'
        ' "WordConfidence": []}', "]}", False,
    ),
}  # fmt: skip
JAMS = (
    '{"file_metadata": {"duration": 5.0}, "annotations": ['
    '{"annotation_metadata": {}, "namespace": "beat", "data": []},'
    '{"annotation_metadata": {}, "namespace": "lyrics", "data": ['
)
JAMS_LINE = '{"time": 0.5, "duration": 0.55, "value": "hello wörld.", "confidence": null},\n'
JAMS_LAST = '{"time": 2.0, "duration": 0.5, "value": "good", "confidence": 0.5}]}]}\n'
INSTANCE = (
    '{"index": 0, "prediction": "hello wörld. </s>", "delays": [500.0, 750, 1050], "elapsed": [600, 850, 1150],'
    ' "source": ["/data/talk.wav", "samplerate: 16000 Hz"], "source_length": 1000.0, "reference": "good"}\n'
)
EVENT = (
    '{"utterance": "u1", "time": 0.75, "final": false, "text": "hello"}\n'
    '{"utterance": "u1", "time": 1.5, "final": true, "words": [{"word": "hello", "start": 0.5, "end": 0.75},'
    ' {"word": "wörld.", "start": 0.75, "end": 1.05}], "elapsed": 1.75, "audio": 2}\n'
)
LAST_EVENT = '{"utterance": "u2", "time": 2.5, "type": "final", "text": "good"}\n'
INTERIM = (
    '{"interim_results": ["hello", "hello wörld. good"], "audio_cursor": [0.75, 1.5],'
    ' "confirmed_interim_results": ["hello wörld. good"], "confirmed_audio_cursor": [2.5]}\n'
)
CHAT = (
    '{"messages": [{"role": "user", "content": "<|startofspeech|>!/data/talk.wav<|endofspeech|>"},'
    ' {"role": "assistant", "content": "hello wörld."}], "speech_length": 100}\n'
)
SEGMENT = '{"docid": 0, "segid": 1, "prediction": "good", "emission_cu": [250.0]}\n'
CASES = [
    Case(
        "jams", JAMS + JAMS_LINE + JAMS_LAST, [HELLO, ("good",)], suffix=".jams",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        before=JAMS, line=lambda n: JAMS_LINE, after=JAMS_LAST, segments=100_001,
    ),
    Case(
        "simuleval", INSTANCE + SEGMENT, [HELLO, ("good",)], suffix=".log",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: INSTANCE, objects_kept=60_000,
    ),
    Case(
        "stream-events", EVENT + LAST_EVENT, [HELLO, ("good",)], suffix=".jsonl",
        odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: EVENT.replace("u1", f"u{n}"),
    ),
    Case(
        "funasr-chat", CHAT + CHAT.replace("hello wörld.", "good"), [HELLO, ("good",)],
        suffix=".jsonl", odd_word=ODD_JSON_WORD, odd_word_read=ODD_WORD,
        line=lambda n: CHAT.replace("talk", f"talk{n}"),
    ),
    json_case(
        "openbench", INTERIM, [(*HELLO, "good")],
    ),
]  # fmt: skip
CASES += [
    json_case(
        name,
        f"{before}\n{first},\n{second}{after}\n",
        [HELLO, ("good",)],
        before=before,
        line=lambda n, first=first: f"{first},\n",  # type: ignore[misc]
        after=f"{second}{after}",
        segments=2 if are_words else 100_001,
    )
    for name, (before, first, second, after, are_words) in SAMPLES.items()
]
