"""Names of recordings: the endings of media files and the language tags that people append."""

from __future__ import annotations

import re

MEDIA = frozenset(
    {
        *("wav", "flac", "mp3", "ogg", "opus", "sph", "m4a", "webm", "mp4", "aac"),
        *("raw", "pcm", "wma", "aif", "aiff", "amr", "mkv", "mov"),
    }
)
"""Endings of audio and video files, in small letters."""
LANGUAGE = re.compile(r"(?i)(.+)\.([a-z]{2,3}(?:[-_][a-z0-9]{2,8})*)\Z", re.DOTALL)


def without_media(name: str) -> str:
    """The name without the ending of a media file; other endings are part of it.

    >>> without_media("wav/talk.WAV"), without_media("rec.1"), without_media(".wav")
    ('wav/talk', 'rec.1', '.wav')
    """
    stem, _, ending = name.rpartition(".")
    return stem if stem and ending.lower() in MEDIA else name


def split_language(name: str) -> tuple[str, str]:
    """The name without media suffixes and language tag, and the tag, empty if none.

    >>> split_language("talk.en"), split_language("talk.pt-BR.wav"), split_language("talk.mp3")
    (('talk', 'en'), ('talk', 'pt-BR'), ('talk', ''))
    """
    name = without_media(name)
    tagged = LANGUAGE.match(name)
    return (without_media(tagged[1]), tagged[2]) if tagged else (name, "")
