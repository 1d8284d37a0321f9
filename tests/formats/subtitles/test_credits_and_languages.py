"""Cues that nobody says, and cues in two languages: what is reported of them."""

from __future__ import annotations

from io import BytesIO

import formats
from formats import Transcript
from formats.subtitles.credits import is_credit
from formats.subtitles.messages import (
    CUE_CREDITS,
    CUE_LANGUAGES,
    CUE_MIXED,
    CUE_SCRIPTS,
    CUE_STYLES,
)
from tests.each_case import each_case
from tests.remarks import fields_of

CREDITS = """
    Subtitles by anna
    Sync and corrections by ann99 www.addic7ed.com
    English subtitles by Anna
    - Synced & corrected by anna -
    ♪ Subtitles by Anna ♪
    Captioning made possible by Example Foundation
    Support us and become VIP member to remove all ads from www.OpenSubtitles.org
    -= www.OpenSubtitles.org =-
    Translator: Ann Ex Reviewer: Ben Ex
    Untertitel im Auftrag des ZDF, 2020
    Sous-titres réalisés par Anne
    Субтитры сделал Иван
    Перевод: Анна
    Редактор субтитров А. Пример
    字幕由安娜提供
    翻译：安娜
    자막: 안나
    Traducción: Ana Ejemplo
    Legendas por Ana
    Traduzione di Anna
    Tłumaczenie: Ania
    Ondertiteling: Anna
    Altyazı: Ayşe
    Titulky vytvořil Jan
    Υπότιτλοι: Άννα
"""
SPEECH = """
    Subtitles are late
    I read the subtitles by myself.
    Translated by hand, it was late.
    He translated it by himself
    Do you see the subtitles by the door?
    The translation: it was late
    Translator: he says yes
    Translator: He says that he is glad.
    Captions help the deaf, by the way.
    Edited by whom?
    It was corrected by the teacher.
    Sync: it is easy
    翻译很难
    字幕很好
    Перевод был плохой
    Untertitel sind wichtig
    Transcript of the talk
    Translation is by far the best way
    Anna: yes
    visit www.example.com for more
"""
FIRST = ["so it was on the day", "and what do you want of me", "it is for the man in the house",
         "he said that it was not the time", "you have to go to the city with her",
         "we are all here because of you", "is there anything that I can do for you",
         "they do not know that we are here", "the rest of it is in the book",
         "this is what I was looking for", "where is the key of the house",
         "I will be there for you and for her"]  # fmt: skip
SECOND = ["así fue en el día", "y qué es lo que quieres de mí", "es para el hombre de la casa",
          "dijo que no era el momento", "tienes que ir a la ciudad con ella",
          "todos estamos aquí por ti", "hay algo que pueda hacer por ti",
          "ellos no saben que estamos aquí", "el resto está en el libro de la casa",
          "esto es lo que yo estaba buscando", "dónde está la llave de la casa",
          "estaré allí por ti y por ella"]  # fmt: skip


def srt(texts: list[str], *, each: int = 1) -> Transcript:
    """Read texts as cues; `each` cues have the same times."""
    lines = (
        f"{n}\n00:00:{n // each:02},000 --> 00:00:{n // each:02},900\n{text}\n\n"
        for n, text in enumerate(texts)
    )
    return formats.read(BytesIO("".join(lines).encode()), "srt")


@each_case("text", filter(None, map(str.strip, CREDITS.splitlines())))
def test_makers_and_sites_are_credits(text: str) -> None:
    assert is_credit(text)


@each_case("text", filter(None, map(str.strip, SPEECH.splitlines())))
def test_speech_about_subtitles_is_no_credit(text: str) -> None:
    assert not is_credit(text)


def test_credits_of_the_first_cues_and_of_the_last_one_are_told_and_read() -> None:
    said = [*(["Subtitles by Anna"] + FIRST * 2), "Sync by Anna"]
    transcript = srt(said)
    told = fields_of(transcript.diagnostics, CUE_CREDITS)
    assert [fields["text"] for fields in told] == [said[0], said[-1]]
    assert [" ".join(s.words) for s in transcript] == said
    many = [f"{n // 60:02}:{n % 60:02}" for n in range(260)]
    text = "".join(f"00:{t},000 --> 00:{t},900\nso {t}\n\n" for t in many)
    ends = "".join(
        f"01:00:0{n} --> 01:00:0{n}\n{x}\n\n" for n, x in enumerate(["Sync by Anna", "so"])
    )
    last = formats.read(BytesIO(f"{text}{ends}".encode()), "srt")
    assert len(fields_of(last.diagnostics, CUE_CREDITS)) == 1


@each_case("above, below", [("{0}", "{0}"), ("{1}\n{2}", "{0}"), ("{0}", "{1}\n{2}"),
                            ("{1}\n{2}", "{1}\n{2}")])  # fmt: skip
def test_lines_in_two_languages_of_one_script_are_told(above: str, below: str) -> None:
    def cue(form: str, text: str) -> str:
        words = text.split()
        return form.format(text, " ".join(words[:3]), " ".join(words[3:]))

    pairs = zip(3 * FIRST, 3 * SECOND, strict=True)
    texts = [f"{cue(above, first)}\n{cue(below, second)}" for first, second in pairs]
    assert fields_of(srt(texts).diagnostics, CUE_LANGUAGES)
    rows = zip(3 * FIRST, 3 * (FIRST[1:] + FIRST[:1]), strict=True)
    same = [f"{cue(above, first)}\n{cue(below, second)}" for first, second in rows]
    assert not fields_of(srt(same).diagnostics, CUE_LANGUAGES)


def test_lines_in_two_styles_are_told() -> None:
    """Few cues show no common words, but each has two styles; one style may last for two lines."""
    styled = [
        f"<i>{x}</i>\n<font color='red'>{y}</font>" for x, y in zip(FIRST, SECOND, strict=True)
    ]
    few = styled[:4]
    assert fields_of(srt(few).diagnostics, CUE_STYLES) == [
        {"cues": 4, "total": 4, "first": FIRST[0], "second": SECOND[0]}
    ]
    for form in ("<i>{0}\n{1}</i>", "<i>{0}</i>\n<i>{1}</i>", "{0}\n{1}", "<i>{0}</i> so\n{1}"):
        same = [form.format(x, y) for x, y in zip(FIRST[:4], FIRST[4:8], strict=True)]
        assert not fields_of(srt(same).diagnostics, CUE_STYLES)
    once = [*few[:1], *(f"{x}\n{y}" for x, y in zip(FIRST[:4], FIRST[4:8], strict=True))]
    assert not fields_of(srt(once).diagnostics, CUE_STYLES)


def test_two_cues_at_one_time_in_two_languages_are_told() -> None:
    both = [text for pair in zip(FIRST, SECOND, strict=True) for text in pair]
    assert fields_of(srt(both, each=2).diagnostics, CUE_SCRIPTS) == [
        {"first": FIRST[0], "second": SECOND[0]}
    ]
    assert not fields_of(srt(FIRST * 2, each=2).diagnostics, CUE_SCRIPTS)


def test_lines_that_change_their_script_are_told() -> None:
    texts = [f"{text} 大家好" for text in FIRST]
    assert fields_of(srt(texts).diagnostics, CUE_MIXED) == [
        {"cues": 12, "total": 12, "text": texts[0]}
    ]
    some = ["我们今天说 New York 的事", "很好", "他是 Ann Example 的朋友", "对"] * 4
    assert not fields_of(srt(some).diagnostics, CUE_MIXED)
