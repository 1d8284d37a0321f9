"""Small searches whose scores NIST's F4DE has printed, as plain values."""

from typing import NamedTuple

from formats.keywords.model import Detection, Excerpt, Keyword
from scoring.tasks.kws.word_table import SpeakerTurn, TimedWord


class Case(NamedTuple):
    """One search."""

    excerpts: list[Excerpt]
    keywords: list[Keyword]
    words: list[TimedWord]
    detections: list[Detection]
    turns: list[SpeakerTurn]


def _words(text: str) -> list[TimedWord]:
    """Lines of file, channel, speaker, begin, duration, token and perhaps a subtype."""
    words = []
    for line in text.strip().splitlines():
        file, channel, speaker, begin, duration, token, *rest = line.split()
        subtype = rest[0] if rest else "lex"
        times = float(begin), float(duration)
        words.append(TimedWord(file, channel, *times, token, speaker, subtype, begin))
    return words


def _detections(text: str) -> list[Detection]:
    """Lines of keyword, file, channel, begin, duration, score, Y or N."""
    detections = []
    for line in text.strip().splitlines():
        keyword, file, channel, begin, duration, score, decision = line.split()
        numbers = float(begin), float(duration), float(score)
        texts = begin, duration, score
        detections.append(Detection(keyword, file, channel, *numbers, decision == "Y", *texts))
    return detections


WORDS = ("aa", "bb", "cc", "dd", "ee", "ff")

BASICS = Case(
    [Excerpt("alpha.sph", "1", 0, 1000, "bnews"), Excerpt("beta.sph", "1", 0, 2000.25, "cts")],
    [
        Keyword("KW-1", "Tiger"),
        Keyword("KW-2", "snow leopard"),
        Keyword("KW-3", "unicorn"),
        Keyword("KW-4", "lynx"),
    ],
    _words("""
        alpha 1 A 10.00 0.50 tiger
        alpha 1 A 20.00 0.40 snow
        alpha 1 A 20.50 0.60 leopard
        alpha 1 A 30.00 0.50 TIGER
        alpha 1 A 40.00 0.50 tiger frag
        beta 1 B 100.00 0.50 tiger
        beta 1 B 200.00 0.40 snow
        beta 1 B 200.40 0.60 leopard
        beta 1 B 300.00 0.50 lynx
        beta 1 B 400.00 0.50 tiger
    """),
    _detections("""
        KW-1 alpha 1 10.10 0.40 0.90 Y
        KW-1 alpha 1 30.05 0.50 0.40 N
        KW-1 alpha 1 40.00 0.50 0.60 Y
        KW-1 beta 1 100.00 0.50 0.80 Y
        KW-1 beta 1 500.00 0.50 0.30 N
        KW-2 alpha 1 20.00 1.10 0.70 Y
        KW-2 beta 1 700.00 1.00 0.75 Y
        KW-3 alpha 1 600.00 0.50 0.95 Y
    """),
    [],
)

MAPPING = Case(
    [Excerpt("rec", "1", 0, 1000)],
    [Keyword(name, word) for name, word in zip("ABCDEF", WORDS, strict=True)],
    _words("""
        rec 1 A 10 1 aa
        rec 1 A 20 0.4 bb
        rec 1 A 20.6 0.4 bb
        rec 1 A 30 1 cc
        rec 1 A 40 1 dd
        rec 1 A 50 1 ee
        rec 1 A 52 1 ee
        rec 1 A 60 1 ff
    """),
    _detections("""
        A rec 1 10.0 1.0 0.60 Y
        A rec 1 10.7 1.0 0.90 Y
        B rec 1 20.0 0.4 0.70 Y
        B rec 1 19.5 0.2 0.65 Y
        C rec 1 29.25 0.5 0.80 Y
        C rec 1 31.26 0.5 0.85 Y
        D rec 1 40.5 1 0.75 Y
        D rec 1 40.1 1 0.75 Y
        E rec 1 51.25 0.5 0.95 Y
        F rec 1 60.0 1 0.50 N
        F rec 1 60.3 1 0.45 N
    """),
    [],
)

SEGMENTS = Case(
    [Excerpt("rec", "1", 0, 60)],
    [Keyword("KW-1", "alpha"), Keyword("KW-2", "bravo charlie")],
    _words("""
        rec 1 S1 3 0.5 alpha
        rec 1 S1 4 0.5 alpha
        rec 1 S2 13 0.5 bravo
        rec 1 S2 13.5 0.5 charlie
        rec 1 S3 22 0.5 alpha
        rec 1 S4 34.6 0.4 bravo
        rec 1 S4 35.0 0.4 charlie
        rec 1 S5 36 0.5 alpha
    """),
    _detections("""
        KW-1 rec 1 3.0 0.5 0.7 Y
        KW-1 rec 1 8.0 0.5 0.9 Y
        KW-1 rec 1 19.0 0.5 0.3 N
        KW-1 rec 1 50.0 0.5 0.6 Y
        KW-1 rec 1 31.0 0.5 0.2 N
        KW-2 rec 1 13.0 1 0.8 Y
        KW-2 rec 1 34.5 1 0.75 Y
    """),
    [
        SpeakerTurn("rec", "1", 2, 8, "S1"),
        SpeakerTurn("rec", "1", 12, 8, "S2"),
        SpeakerTurn("rec", "1", 18, 7, "S3"),
        SpeakerTurn("rec", "1", 30, 5, "S4"),
        SpeakerTurn("rec", "1", 35, 5, "S5"),
    ],
)

EXCERPTS = Case(
    [
        Excerpt("call.sph", "1", 0, 300, "splitcts"),
        Excerpt("call.sph", "2", 0, 300, "splitcts"),
        Excerpt("audio/news.v1.sph", "1", 100, 200.5, "bnews"),
        Excerpt("audio/news.v1.sph", "1", 250, 100, "bnews"),
        Excerpt("audio/news.v1.sph", "1", 500, 10, "confmtg"),
        Excerpt("two", "1", 0, 100, "cts"),
        Excerpt("two", "2", 0, 60, "cts"),
    ],
    [Keyword("E-1", "edge"), Keyword("E-2", "edge case")],
    _words("""
        call 1 A 10 1 edge
        call 2 B 10 1 edge
        call 2 B 299.5 0.6 edge
        news.v1 1 C 99.9 0.3 edge
        news.v1 1 C 299.9 0.4 edge
        news.v1 1 C 300.3 0.4 case
        news.v1 1 C 349.6 0.3 edge
        news.v1 1 C 349.9 0.4 case
        two 1 D 5 0.3 edge
        two 2 E 80 0.3 edge
    """),
    _detections("""
        E-1 call 1 10 1 0.90 Y
        E-1 call 2 10 1 0.80 Y
        E-1 call 2 299.6 0.6 0.85 Y
        E-1 news.v1.sph 1 299.9 0.4 0.95 Y
        E-1 nowhere 1 10 1 0.95 Y
        E-1 two 1 5 0.3 0.65 Y
        E-1 two 1 50 0.3 0.70 Y
        E-1 two 2 50 0.3 0.55 Y
        E-2 news.v1 1 299.9 0.8 0.60 Y
        E-2 news.v1 1 349.6 0.7 0.99 Y
    """),
    [],
)
