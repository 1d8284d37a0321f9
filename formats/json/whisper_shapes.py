"""Telling the JSON of Whisper, its relatives and WhisperX apart."""

from __future__ import annotations

from formats.spec import Sniff

__all__ = ["shape_of"]

STATISTICS = ("avg_logprob", "no_speech_prob", "compression_ratio", "seek")
TASKS = ("transcribe", "translate")
WORD_KEYS = frozenset({"word", "start", "end", "probability"})


def shape_of(value: object) -> tuple[str, Sniff]:
    """Whose JSON it is, ``whisper``, ``whisperx``, ``either`` or ``other``, and how surely.

    Parameters
    ----------
    value: the first JSON value of a file, perhaps cut short.

    >>> shape_of({"segments": [{"start": 0, "end": 1, "text": " hello", "seek": 0}]})
    ('whisper', <Sniff.SURE: 2>)
    """
    if isinstance(value, list):
        return _shape_of_segments(value, is_bare=True)
    if not isinstance(value, dict):
        return "other", Sniff.NO
    if isinstance(value.get("word_segments"), list):
        return "whisperx", Sniff.SURE
    segments = value.get("segments")
    if isinstance(segments, list) and segments:
        shape, sureness = _shape_of_segments(segments, is_bare=False)
        if shape == "either" and _says_of_whole(value) and not _has_words(segments):
            # without words the two are read alike
            return "whisper", Sniff.SURE
        return shape, sureness
    return _shape_of_answer(value)


def _shape_of_segments(segments: list[object], is_bare: bool) -> tuple[str, Sniff]:
    first = next((s for s in segments if isinstance(s, dict) and s), None)
    if first is None or "text" not in first or "start" not in first:
        return "other", Sniff.NO
    words = [w for s in segments if isinstance(s, dict) for w in _first_of(s.get("words"))]
    if any("score" in word for word in words):
        return "whisperx", Sniff.SURE
    if any(name in first for name in STATISTICS) and ("end" in first or not is_bare):
        return "whisper", Sniff.SURE
    if any("probability" in word and "word" in word for word in words):
        return "whisper", Sniff.SURE
    return ("whisper" if is_bare else "either"), Sniff.MAYBE


def _says_of_whole(value: dict[str, object]) -> bool:
    """Whether beside the segments stands what Whisper says of the whole."""
    return isinstance(value.get("language"), str) or value.get("task") in TASKS


def _has_words(segments: list[object]) -> bool:
    return any(isinstance(s, dict) and s.get("words") for s in segments)


def _first_of(words: object) -> list[dict[str, object]]:
    return [w for w in words[:50] if isinstance(w, dict)] if isinstance(words, list) else []


def _shape_of_answer(value: dict[str, object]) -> tuple[str, Sniff]:
    """An answer of the web service without segments."""
    if "text" not in value or not isinstance(value["text"], str):
        return "other", Sniff.NO
    words = _first_of(value.get("words"))
    if words and words[0].keys() <= WORD_KEYS and "word" in words[0]:
        return "whisper", Sniff.SURE
    if value.get("task") in TASKS and "language" in value:
        return "whisper", Sniff.SURE
    if isinstance(value.get("segments"), list) and "language" in value:
        return "whisper", Sniff.SURE  # nothing was said
    return "whisper", Sniff.MAYBE if {"language", "segments"} & value.keys() else Sniff.NO
