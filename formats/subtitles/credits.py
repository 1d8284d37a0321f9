"""Cues that name who made the subtitles, or that advertise a site: nobody says them.

They are read as words, with a note: a recogniser may have invented them.
"""

from __future__ import annotations

from collections.abc import Sequence

from formats.reading.speakers import Prefix
from formats.schema import lazy_pattern

MAKING = frozenset(
    ("subtitle", "subtitles", "subtitled", "subtitling", "subs", "caption", "captions",
     "captioned", "captioning", "sync", "synced", "synchro", "synchronized", "synchronised",
     "resync", "resynced", "re-sync", "re-synced", "transcript", "transcription", "transcribed",
     "translated", "translation", "corrected", "corrections", "proofread", "ripped", "encoded",
     "extracted", "downloaded", "редактор", "untertitel", "untertitelung", "übersetzung",
     "sous-titres", "sous-titrage", "sous-titré", "traduction", "sottotitoli", "traduzione",
     "subtítulos",
     "subtitulado", "traducción", "traducido", "legendas", "legenda", "tradução", "sincronização",
     "napisy", "tłumaczenie", "ondertiteling", "ondertiteld", "ondertitels", "vertaling",
     "undertekster", "undertexter", "oversatt", "tekstet", "teksting", "översatt", "översättning",
     "oversættelse", "tekster", "suomennos", "tekstitys", "titulky", "překlad", "preklad",
     "felirat", "feliratok", "fordítás", "fordította", "prevod", "prijevod", "traducerea",
     "traducere", "subtitrarea", "subtitrare", "altyazı", "çeviri", "çeviren", "субтитры",
     "субтитри", "перевод", "переклад", "превод", "υπότιτλοι", "μετάφραση", "ترجمة", "תרגום",
     "כתוביות")
)  # fmt: skip
"""First words of such cues, before ``by`` or a colon."""
MAKERS = frozenset(
    ("translator", "translators", "reviewer", "transcriber", "subtitler", "proofreader",
     "traductor", "traductora", "revisor", "revisora", "traducteur", "traductrice", "relecteur",
     "relectrice", "tradutor", "tradutora", "traduttore", "traduttrice", "revisore", "übersetzer",
     "übersetzerin", "переводчик", "корректор", "المترجم", "翻译人员", "譯者", "校对人员",
     "審譯者", "번역", "검토")
)  # fmt: skip
"""Those who make them, before a colon and a name."""
HAN = (
    "字幕",
    "翻译",
    "翻譯",
    "校对",
    "校對",
    "时间轴",
    "時間軸",
    "压制",
    "壓制",
    "翻訳",
    "자막",
    "번역",
)
SITES = (
    "opensubtitles", "addic7ed", "subscene.", "podnapisi", "tvsubtitles", "yifysubtitles",
    "subdivx", "titlovi.", "titulky.", "napiprojekt", "napisy.info", "legendas.tv", "feliratok.",
    "hosszupuska", "turkcealtyazi", "divxplanet", "planetdp", "titrari.ro", "subs.ro", "amara.org",
    "osdb.link", "zimuku", "yyets", "subhd.", "notabenoid", "argenteam", "italiansubs",
    "open-subtitles", "advertise your product or brand", "become vip member", "rate this subtitle",
)  # fmt: skip
"""Sites of subtitles, and what they write into them."""
BY = lazy_pattern(
    r"(?i)[^.?!]{0,60}?(?:[:：]|[ ](?:by|von|vom|der|des|im auftrag (?:der|des|von)|par|réalisé|di"
    r"|a cura|creati|por|de la comunidad|pela|pelo|door|av|af|made possible by|provided by"
    r"|stworzone|субтитров|from|сделал\w?|создавал\w?|создал\w?|подготов\w{1,9}|vytvořil\w?"
    r"|m\.k))(?=\W|\Z)"
)
"""The part of such a cue up to the name of the maker."""
NAMES = lazy_pattern(r"(?:[^\W\da-zа-я][\w.'’-]{0,30}(?:[ ,&/]{1,3}|\Z)){1,8}\Z")
"""Words that begin with capitals, or that are in a script without them."""
SONG_CREDIT = lazy_pattern(
    r"[♪♫🎵🎶 ]{0,4}(?:[^\s:：]{0,4}[词詞曲唱奏聲音作]"
    r"|[^\s:：]{0,3}(?:制作|製作|混音|母带|录音|監製|监制)[^\s:：]{0,3}"
    r"|(?i:lyrics|music|composer|composed|written|produced|arranged|vocals?|singer|song|artist|title)"
    r"(?: by)?)[ ]{0,2}(?:[:：]|-(?=\S))[ ]{0,2}\S"
)
"""A line that names a maker of a song."""
PART_AND_NAME = lazy_pattern(r"[^\s:：][^:：\n]{0,20}[:：][ ]?[^:：\n.?!。？！]{1,40}\Z")
"""A line of the credits of a song: a part and a name."""
EDGES = '-=*[](){}~♪<>:：.#|_ "'
LONGEST = 160
"""The most characters of such a cue."""


def is_credit(text: str) -> bool:
    """Return True if a cue names its makers, or advertises a site of subtitles.

    >>> said = "Sync and corrections by anni", "Subtitles: Ann", "Translator: Ann Ex", "字幕：安娜"
    >>> [is_credit(text) for text in said]
    [True, True, True, True]
    >>> said = "Translated by hand, it was late.", "Subs are late", "Translator: he says yes"
    >>> [is_credit(text) for text in said]
    [False, False, False]
    """
    if _is_credit_of_song(text):
        return True
    words = text.strip(EDGES).split()
    if not words or len(text) > LONGEST:
        return False
    first = words[0].strip(EDGES).casefold()
    if "." in text or "dvertise" in text or "VIP" in text or "ubtitle" in text:
        folded = text.casefold()
        if any(site in folded for site in SITES):
            return True
    if words[0].startswith(HAN):
        return "：" in text or ":" in text or "by" in words or text.strip().startswith("字幕由")
    whole = " ".join(words)
    if first in MAKERS:
        name = whole.replace("：", ":").partition(":")[2].strip()
        return NAMES.match(name.partition(":")[0]) is not None
    is_first = first in MAKING
    is_made = is_first or (len(words) > 1 and words[1].casefold().strip(EDGES) in MAKING)
    match = BY.match(whole) if is_made and whole[-1] not in ".?!…" else None
    if match is None:
        return False
    name = whole[match.end() :].strip(EDGES)
    return not name[:1].islower() or (is_first and " " not in name)


def _is_credit_of_song(text: str) -> bool:
    r"""Return True if each line of several names a maker of a song.

    >>> _is_credit_of_song("曲：安娜\n吉他：本"), _is_credit_of_song("安娜：你好\n本：再见")
    (True, False)
    """
    lines = text.strip().split("\n")
    return (
        len(lines) > 1
        and all(PART_AND_NAME.match(line.strip()) for line in lines)
        and any(SONG_CREDIT.match(line.strip()) for line in lines)
    )


def are_makers(texts: Sequence[str], prefix: Prefix) -> bool:
    """Return True if the names of `prefix` are parts of makers of a song, and not speakers.

    A line of the texts names a maker, and each name returns with the same text only.

    >>> prefix = Prefix("Name: text")
    >>> are_makers(["作曲：安娜", "吉他：本", "作曲：安娜", "吉他：本"], prefix)
    True
    >>> are_makers(["作曲：安娜", "吉他：本", "作曲：好", "吉他：本"], prefix)
    False
    """
    pairs = [(name, " ".join(text.split())) for name, text in map(prefix.cut, texts) if name]
    names = {name for name, _ in pairs}
    return len(pairs) > len(names) == len({*pairs}) and any(
        SONG_CREDIT.match(line.strip()) for text in texts for line in text.split("\n")
    )
