"""Speaker names before a text: ``Anne Example: hello``, ``[Speaker 1] hello``, ``>> ANNE: …``.

Subtitles, plain text and documents share one rule. A name is a speaker only if the whole file shows
this (`common_prefix`): this name and other names repeat, or the name is a label such as
``Speaker 1``. A single ``Remember: …`` is text.
"""

from __future__ import annotations

from collections import Counter

from formats.schema import lazy_pattern
from formats.schema.values import NamedFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence
    from typing import Any

    from formats.io.source import Source
    from formats.schema.model import Segment

SCENES = ("INT.", "EXT.", "I/E")
"""The beginnings of headings of scenes: ``INT. A ROOM - DAY``."""
LONGEST = 60
MOST_KNOWN = 4096
NO_NAME = str.maketrans(dict.fromkeys(":：∶[](){}<>*", "_"))
"""What a name that is written before its text cannot hold."""
ROUND = str.maketrans("[]（）", "()()")
NO_SIGN_OF_CODE = str.maketrans("", "", "_- ")
MOST_WORDS = 6
MOST_SEGMENTS = 300
"""The segments whose first words are looked at."""
SHARE_OF_NAMES = 0.05
MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero"
    r"|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro"
    r"|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile"
    r"|maggio|giugno|luglio|settembre|ottobre|dicembre|januari|februari|maart|mei|juni|juli"
    r"|augustus|oktober|december|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia"
    r"|września|października|listopada|grudnia|января|февраля|марта|апреля|мая|июня|июля|августа"
    r"|сентября|октября|ноября|декабря|січня|лютого|березня|квітня|травня|червня|липня|серпня"
    r"|вересня|жовтня|листопада|грудня|Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül"
    r"|Ekim|Kasım|Aralık)\.?"
)
DATE = lazy_pattern(
    r"[\W_]{0,16}(?:[^\W\d_]{2,12},?[ ])?(?:"
    r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{2,4}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?[ ](?:(?:of|de)[ ])?{MONTH}(?:,?[ ](?:de[ ])?[0-9]{{4}})?"
    rf"|{MONTH}[ ][0-9]{{1,2}}(?:st|nd|rd|th)?(?:,?[ ][0-9]{{4}})?"
    r"|[0-9]{4}[年년][ ]?[0-9]{1,2}[月월][ ]?[0-9]{1,2}[日일])"
    r"(?:[ ]?[(（]?(?:(?:星期|[周週])?[一二三四五六日天]|[日月火水木金土](?:曜日)?"
    r"|[월화수목금토일](?:요일)?)[)）]?)?[\W_]{0,16}\Z",
)
"""A date that is a whole line."""
INITIALS, FEWEST_OF_INITIALS = lazy_pattern(r"([a-z]{2}): ?\S"), 10
"""The initials of a speaker in small letters, and the fewest texts that show them."""
CODE, SHARE_OF_CODES = lazy_pattern(r"\[([A-Z][A-Z0-9]{1,4})\] \S"), 0.9
"""A code in brackets before a text, and the share of texts that have one if codes are names."""
IN_CAPITALS, SHARE_OF_CAPITALS = (
    lazy_pattern(
        r"((?:[^\W\d_a-z][^\W\d_a-z'’.-]{1,20}[ ]){1,3})(?:\([^()]{1,40}\)[ ])?(?=\w*[a-z])"
    ),
    0.2,
)
"""A name in capitals before a sentence, and the share of texts that have one in screenplays."""
CAPITAL = r"[A-Z\u00c0-\u00de\u0410-\u042f]"
PARTICLE = "d[aeio]|d[aeo]s|del|de[nr]|du|van|von|vom|zu[rm]?|l[ae]|el|al|bin|ibn|ben|y|e"
"""Words in small letters inside names."""
ABBREVIATED = lazy_pattern(
    rf"(?=.{{0,60}}[^\W\d_]{{2}})(?:{CAPITAL}[\w'’-]{{1,30}}[.,]?[ ]|{CAPITAL}\.[ -]?"
    rf"|(?:{PARTICLE})[ ]){{1,4}}"
    rf"(?:{CAPITAL}|Jr|Sr|JR|SR|Esq|Ph\.?D|M\.?D|Ed\.?D)\.\Z|{CAPITAL}\w{{1,40}}_[JS][Rr]\.\Z"
)
"""A name whose last word is abbreviated: ``Ann P.``, ``Ben Example Jr.``"""
INITIALS_OF_NAME = lazy_pattern(rf"(?:{CAPITAL}\.[ -]?){{1,4}}\Z")
"""A name that is only initials with points: ``J.B.``"""
CLAUSE_SIGNS = frozenset("，。！？；")
"""Signs of Chinese and Japanese between clauses, which no name has."""
CLAUSE_ENDS = (
    *("說", "说", "説", "表示", "指出", "強調", "强调", "認為", "认为", "知道", "問道", "问道"),
    *("答道", "笑道", "叫道", "喊道", "嘆道", "叹道", "寫道", "写道"),
    *("如下", "例如", "舉例", "举例", "包括"),
)
"""Chinese words that end a clause before speech or a list: ``他說：``, ``內容如下：``."""
NO_ONE = frozenset(
    ("N/A", "n/a", "None", "null", "NULL", "NaN", "nan", "undefined", "Transcript", "Recognized",
     "You said")
)  # fmt: skip
"""What programs write for a name or a value that they do not know, or before what they heard."""
LOG_WORDS = frozenset(
    (
        *("INFO", "WARNING", "WARN", "ERROR", "DEBUG", "NOTE", "TODO", "FATAL", "TRACE"),
        *("TRANSCRIBED", "TRANSCRIBING", "RECOGNIZED", "RECOGNIZING"),
    )
)
"""Words in capitals that begin lines of logs."""
HEAD_WORDS = (
    "author|artist|album|genre|lyrics|lyricist|composer|songwriters?|written by|(?:words|music) by|"
    "words|music|titel|autor(?:in|a)?|teilnehmer(?:innen)?|ort|thema|dauer|uhrzeit|sprache|quelle|musik|interpret|"
    "titre|auteur|autrice|lieu|durée|sujet|thème|heure|présents|langue|paroles|musique|"
    "título|fecha|hora|lugar|duración|asunto|tema|asistentes|participantes|idioma|letra|música|"
    "data|local|duração|assunto|presentes|titolo|autore|luogo|durata|argomento|partecipanti|lingua|"
    "название|заголовок|автор|дата|время|место|тема|участники|присутствующие|длительность|язык|"
    "слова|музыка|исполнитель|tytuł|czas|miejsce|temat|uczestnicy|słowa|muzyka|"
    "başlık|yazar|tarih|saat|konu|katılımcılar|süre|söz|müzik|tijd|plaats|onderwerp|deelnemers|"
    "tiêu đề|ngày|thời gian|địa điểm|chủ đề|người tham dự|tác giả|"
    "标题|標題|题目|題目|作者|日期|时间|時間|地点|地點|主题|主題|会议主题|会议时间|参会人员?|与会者|與會者|"
    "记录人|时长|語言|语言|来源|人|人物|出场人物|登場人物|歌名|歌手|演唱|专辑|專輯|作词|作詞|作曲|编曲|編曲|词|曲|填词|"
    "タイトル|題名|件名|著者|日時|日付|場所|会場|参加者|出席者|議題|テーマ|"
    "제목|저자|작성자|날짜|일시|일자|시간|장소|참석자|참가자|주제|안건|작사|작곡|편곡|가수|앨범|"
    "العنوان|التاريخ|الوقت|المكان|الموضوع|الحضور|المشاركون|المدة|اللغة|المؤلف|"
    "כותרת|תאריך|שעה|מקום|נושא|משתתפים|נוכחים|משך|שפה|"
    "शीर्षक|विषय|दिनांक|तारीख|समय|स्थान|प्रतिभागी|लेखक|अवधि|भाषा"
)
"""Names of fields above a document, and of the credits of a song, in other languages."""
HEAD_NAMES = lazy_pattern(
    r"(?i)(?:(?:meeting |recording |video |episode |podcast |call |lecture |interview )?"
    r"(?:date|time|title|subject|topic|attendees|participants|present|"
    r"location|position|duration|length|speakers|host|recorded|file|source|url|meeting|project|agenda|"
    r"language|model|audio|legend|conventions?|symbols|transcript|transcribers?|transcriptionists?|scenario|context|overview|purpose|objectives?|kind|published|datum|"
    r"summary|key ?words|abstract|description|recording)"
    rf"(?!\w)|(?:{HEAD_WORDS})\s{{0,3}}(?:\Z|[(/]))"
)
"""Names that head a document."""
PART_OF_LESSON = (
    r"(?:(?:key|new|useful|core|important)[ ])?(?:vocabulary|words|phrases|expressions)"
    r"(?:[ ](?:list|box|notes?))?|glossary|exercises?|grammar(?:[ ](?:notes?|points?))?"
    r"|comprehension(?:[ ](?:check|questions))?|discussion[ ]questions|cultural notes?"
    r"|translations?"
    r"|wortschatz|vokabeln|wörter|redemittel|übungen|grammatik|vocabulaire|lexique|glossaire"
    r"|exercices|vocabulario|glosario|ejercicios|gramática|vocabulário|glossário|exercícios"
    r"|vocaboli|vocabolario|lessico|glossario|esercizi|woordenlijst|słownictwo|słówka|ćwiczenia"
    r"|словарь|слова|новые слова|лексика|упражнения|грамматика|kelimeler|từ vựng|ngữ pháp"
    r"|生[词詞](?:表)?|[词詞][汇彙](?:表)?|[单單][词詞](?:表)?|新[词詞]|[语語]法|[练練][习習]|注[释釋]"
    r"|[単單]語|語彙|新出語彙|文法|練習|단어|어휘|새 단어|문법|연습"
)
"""Titles of what is below or between the dialogues of a course."""
PART_OF_MINUTES = (
    r"(?:(?:key|meeting|call|overall|main|speaker['’]?s)[ ])?"
    r"(?:action(?: items?| points?| required)?s?|"
    r"decisions?|next steps|resolutions?|motions?|votes?|adjournment|call to order|"
    r"summary(?: of (?:the )?(?:key points|discussion|meeting))?|takeaways|"
    r"(?:key|main|talking) points|highlights|"
    r"chapters|time ?stamps|(?:table of )?contents|"
    r"tags|keywords|hashtags|references|links|resources|show ?notes|further reading|"
    r"about the (?:host|guest|author|speaker|interviewe[er]|podcast|show)s?|"
    r"evaluation|feedback|assessment|scorecard|debrief|lessons learned|key learnings|bewertung|"
    r"auswertung|évaluation|evaluación|avaliação|valutazione|оценка|评估|評価|평가|"
    r"risks?|blockers?|follow.?ups?|sentiment|recap|outcomes?|conclusions?|deadlines?|to.?dos?|"
    r"resumen|próximos pasos|acuerdos|resumo|zusammenfassung|aufgaben|beschlüsse|nächste schritte|"
    r"décisions|actions|résumé|待办|行动项|会议纪要|总结"
    rf"|{PART_OF_LESSON})(?:[ ](?:recap|list|summary|made))?"
)
MINUTES_NAMES = lazy_pattern(
    rf"(?i){PART_OF_MINUTES}(?:[ ]?(?:/|&|and)[ ]?{PART_OF_MINUTES}|[ ]#?[0-9]{{1,2}})?\Z"
)
"""Names of the parts of minutes, which nobody speaks; some count: ``Action item 2``."""
SONG_PARTS = (
    "verse|chorus|bridge|intro|outro|hook|refrain|interlud(?:e|io)|solo|instrumental|breakdown|strophe|"
    "couplet|estribillo|coro|verso|puente|ritornello|strofa|ponte|drop|estrofa|refrão|refren|zwrotka|"
    "nakarat|kıta|куплет|припев|проигрыш|主歌|副歌|前奏|间奏|間奏|尾奏|サビ|[AB]メロ|후렴|간주"
    "|điệp khúc"
)
"""Names of the parts of songs in several languages."""
NOBODY = lazy_pattern(
    r"(?i)(?:sfx|fx|sound(?:s|[ ]effects?)?|music(?:[ ](?:cue|bed))?|ambience|musik|geräusche?"
    r"|bruitages?|musique|efectos?(?:[ ]de[ ]sonido)?|música|звук|музыка|音效|効果音|음악|효과음"
    r"|notes?|nb|n\.b|warning|tip|hint|caution|important|example|attention|hinweis|achtung|"
    r"remarque|nota|algorithm|axiom|claim|conjecture|corollary|definition|exercise|lemma|proof|"
    r"proposition|remark|theorem|definición|teorema|demostración|définition|théorème|démonstration|"
    r"beweis|satz|scene|act|synopsis|stage directions?|(?:(?:final|pre|post)[- ]?)?"
    rf"(?:{SONG_PARTS})(?:[ ](?:[0-9]{{1,2}}|[ivx]{{1,4}}))?)"
    r"(?:[:,][ ].{1,40})?\Z",
)
"""Names of remarks and of the parts of songs and plays, which nobody speaks."""
GREETINGS = frozenset(
    ("hello", "hi", "hey", "bye", "goodbye", "ok", "okay", "yes", "no", "thanks", "thank you",
     "hallo", "tschüss", "danke", "ja", "nein", "bonjour", "salut", "merci", "oui", "non", "hola",
     "adiós", "gracias", "sí", "ciao", "grazie", "olá", "oi", "obrigado", "obrigada", "tchau",
     "привет", "здравствуйте", "пока", "да", "нет", "спасибо", "привіт", "cześć", "hej", "ahoj",
     "merhaba", "selam", "xin chào", "halo", "namaste", "你好", "您好", "谢谢", "再见",
     "こんにちは", "はい", "ありがとう", "안녕하세요", "네", "مرحبا", "שלום")
)  # fmt: skip
"""Brief words of talk in small letters, which are no names."""
MOST_TEXTS, LONGEST_TEXT = 20, 10000
"""Texts, and characters of one, in which dialogues are looked for."""
TIME = lazy_pattern(r"[0-9]{1,3}:[0-9]{2}|[0-9][.,][0-9]|[0-9]{4}-[0-9]{2}-")
CLOCK = r"[0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,3})?"
BRACKETED = rf"[\[(<]{CLOCK}(?: ?(?:-|–|-->|to) ?{CLOCK})?[\])>]"
SECONDS_BEFORE = r"\[[0-9]{1,6}\.[0-9]{1,3}s?(?: ?(?:-|–|-->|to|,) ?[0-9]{1,6}\.[0-9]{1,3}s?)?\]"
STAMP_BEFORE = lazy_pattern(rf"\s{{0,9}}(?:{BRACKETED}|{SECONDS_BEFORE})\s{{0,9}}[^\s]")
"""A time, or seconds, in brackets before a text."""
STAMP_WITHIN = lazy_pattern(BRACKETED)
FEWEST_STAMPS = 3
SPEAKER_WORDS = (
    "speaker|spk|spkr|sp|s|participant|person|voice|guest|host|interviewer|interviewee|agent|user|"
    "customer|channel|sprecher(?:in)?|teilnehmer(?:in)?|locuteur|intervenant|orateur|hablante|"
    "locutor(?:a)?|orador|falante|parlante|relatore|spreker|talare|mówca|mluvčí|спикер|"
    "говорящий|диктор|мовець|говорител|konuşmacı|说话人|說話人|发言人|發言人|讲话者|话者|話者|"
    "話し手|発言者|화자|참석자|المتحدث|متحدث|דובר|वक्ता|ผู้พูด|người nói|pembicara"
)
LABEL = lazy_pattern(
    rf"(?i)(?:unknown(?: speaker)?|(?:{SPEAKER_WORDS})"
    r"(?:[ _-]?(?:no\.?|nr\.?|№|n°|#)?[ ]?[0-9]{1,4}(?:\.0)?"
    r"|[ _-](?:unknown|[a-z])))(?:[ ]\((?![0-9:.,]+\))[^()\n]{1,40}\))?\Z",
)
"""Names that recognisers give: ``Speaker 1``, ``SPEAKER_00``, ``S1``, ``Спикер №1``."""


CONFIDENCE = lazy_pattern(
    r"[ ]\((?:[01]?\.[0-9]{1,4}|[0-9]{1,3}(?:\.[0-9]{1,2})?[ ]?(?:%|s|sec))\)\Z"
)
"""A recogniser's confidence behind a name, or how long a turn lasts."""


def without_own_names(texts: Sequence[Any], speakers: Sequence[Any]) -> tuple[list[Any], int]:
    r"""Remove from each text the name of its own speaker; return the texts, and how many had one.

    >>> without_own_names(["Ann: so it is", "no: never"], ["Ann", "Ben"])
    (['so it is', 'no: never'], 1)

    A text with turns of several speakers is unchanged.

    >>> without_own_names(["Ann: so it is\nBen: no\nAnn: well"], ["Ann"])
    (['Ann: so it is\nBen: no\nAnn: well'], 0)
    """
    pairs = list(zip(texts, speakers, strict=True))
    likely = [n for n, (text, _) in enumerate(pairs) if type(text) is str and ":" in text]
    named = [number for number in likely if _has_own_name(*pairs[number])]
    plain = [text for text, _ in pairs]
    for number in named:
        plain[number] = plain[number].lstrip()[len(speakers[number]) + 1 :].lstrip()
    return plain, len(named)


def _has_own_name(text: str, speaker: Any) -> bool:
    """Return True if a text begins with the name of its speaker and a colon, and is no talk."""
    if not (isinstance(speaker, str) and speaker) or text.count(f"{speaker}:") > 1:
        return False
    return text.lstrip()[: len(speaker) + 1].casefold() == f"{speaker}:".casefold()


def is_label(text: str) -> bool:
    """Return True if a text is a generic name that recognisers give speakers, in any case.

    >>> [is_label(text) for text in ("Speaker 1", "SPEAKER_00", "s2", "Спикер №1", "Anna", "s")]
    [True, True, True, True, False, False]
    """
    # most texts end otherwise than labels do, and need no regular expression
    may_be = text[-1:] in "0123456789)" or text[-2:-1] in " _-" or "unknown" in text.casefold()
    return may_be and LABEL.match(text) is not None


def is_name(text: str) -> bool:
    """Return True if a text may be a name: up to six words and 60 characters.

    A name does not begin with a lower-case letter, unless it is a code with digits, and it contains
    no time and is no date. It ends with a full stop only if its last word is abbreviated.

    >>> [is_name(text) for text in ("Dr. Ann Example (she/her)", "s1-a", "10:30 Meeting", "and so")]
    [True, True, False, False]
    >>> [is_name(text) for text in ("Ann P.", "Ben Example Jr.", "So it was.")]
    [True, True, False]
    """
    first = text[:1]
    return (
        len(text) <= LONGEST
        and len(text.split()) <= MOST_WORDS
        and (first.isalpha() or first == "@")
        and (not first.islower() or (" " not in text and any(map(str.isdigit, text))))
        and (
            text[-1] not in ".?!,;"
            or ABBREVIATED.match(text) is not None
            or INITIALS_OF_NAME.match(text) is not None
        )
        and CLAUSE_SIGNS.isdisjoint(text.partition("(")[0] if text[-1] == ")" else text)
        and not is_clause(text)
        and text.count("(") == text.count(")")
        and "http" not in text
        and not text.startswith(SCENES)
        and TIME.search(text) is None
        and not (text[-1].isdigit() and DATE.match(text))
    )


def is_clause(text: str) -> bool:
    """Return True if a Chinese text ends in a verb of saying, or announces a list: ``副主委說``."""
    return len(text) > 1 and text.endswith(CLAUSE_ENDS)


LANGUAGE_CODE = (
    "(?:(?:en|de|fr|es|it|pt|nl|ru|uk|pl|tr|ar|fa|hi|zh|ja|ko|vi)(?:[-_][A-Z]{2})?"
    "|[a-z]{2}-[A-Z]{2})"
)
LANGUAGE = lazy_pattern(rf"{LANGUAGE_CODE}\Z")
"""A code of a language, which recognisers write where other layouts have a name."""


def is_code(text: str) -> bool:
    """Return True if a text may be a lower-case name: letters, digits, ``_``, ``-``, `` #``."""
    bare = text.replace(" #", "").removesuffix("()").translate(NO_SIGN_OF_CODE)
    return bare.isalnum() and not bare.isdigit() and len(text.split()) <= 3 and not is_clause(text)


PICTURE = r"[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?[ \t\xa0]{1,4}"
LEAD = (
    r"[ \t\xa0]{0,8}(?:(?:>{1,3}|[-\u2013\u2014])[ \t\xa0]{0,4}|[*\u2022][ \t\xa0]{1,4}"
    rf"|{PICTURE})?"
)
BOLD = r"(?:\*\*?|__?|`)"
AFTER = r"(?=[ \t\xa0\n]|\Z)[ \t\xa0\n]?"
NOTATIONS: dict[str, re.Pattern[str]] = {
    name: lazy_pattern(LEAD + text)
    for name, text in {
        "Name: text": r"([^\n:：\[\](){}<>*]{1,100}(?:\([^()\n]{1,200}\)[ ]?){0,2}"
        r"(?:\[[^\[\]\n]{1,60}\][ ]?)?)"
        rf"(?::{AFTER}|:(?=[(\[]\w)|：)",
        "Name:text": r"([^\n:：\[\](){}<>*]{1,60}):(?=[^\s\d:/\\.,]|\.\.\.|[ \t])[ \t]?",
        "**Name:** text": rf"{BOLD}([^*\n:：]{{1,60}}?)(?:(?::{BOLD}|{BOLD}:){AFTER}"
        rf"|(?:：{BOLD}|{BOLD}：)[ \t]?)",
        "[Name]: text": rf"\[([^\[\]\n]{{1,60}})\]:{AFTER}",
        "(Name): text": rf"\(([^()\n]{{1,60}})\):{AFTER}",
        "#Name#: text": rf"#([^#\n:]{{1,60}})#:{AFTER}",
        "[Name] text": rf"\[([^\[\]\n]{{1,60}})\]{AFTER}",
        "(Name) text": rf"\(([^()\n]{{1,60}})\){AFTER}",
        "<v Name>text": r"<v(?:\.[^\s<>]{1,60})?[ \t]([^<>\n]{1,60})>[ \t]?",
    }.items()
}
"""Ways to write a name before a text; all may follow ``>>`` or a dash."""
SIGNS = {name: (":", "：") if name[0] in "N*" else (name[: name.index("N")],) for name in NOTATIONS}
"""Signs without which a text is in none of them."""
CLOSE = lazy_pattern(
    LEAD + r"([^\W_](?:[^\n:：\[\](){}<>*]{0,38}[^\W_])?)(?<!\d):"
    r"(?:(?P<unspaced>(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af「『]))|(?=[^\s\d:/\\.,]))"
)
"""A name directly before the text: in capitals, ``ANNA:So``, or before a script without blanks."""
NEARLY_ALL = 0.9
"""The share of texts with names in a file in which names in small letters are names, too."""
FEWEST_NAMED = 3
"""The texts with repeated names that are too few to be reported."""
SOUNDS_TOO = ("[Name] text", "(Name) text")
"""Notations of sounds, too: ``[music]``."""
SOUNDS = "NOISE|MUSIC|LAUGH|SILENCE|BLANK|APPLAUSE|COUGH|BREATH|INAUDIBLE|CROSSTALK|FOREIGN|UNK"
"""Beginnings of the names of sounds, in capitals."""
SOUND = lazy_pattern(
    rf"(?:{SOUNDS}|CHEER|CLAP|CROSS[ -]TALK|CHUCKL|GIGGL|GASP|SNORT|SNIFF|SIGH(?:S|ING|ED)?\b"
    r"|PAUSES?\b|UNINTELLIGIBLE|INDISTINCT|MUSI[KQ]|MÚSICA|МУЗЫКА|АПЛОДИСМЕНТЫ|СМЕХ|APPLAU|APLAUS"
    "|BEIFALL|LACHEN|GELÄCHTER|RISA|RIRE|拍手|笑|音[楽乐樂]|掌[声聲]|음악|박수|웃음"
    r"|HEITERKEIT|ZWISCHENRUF|RISOS\b|ALKIŞ|GÜRÜLTÜ|GÜLÜŞME|KAHKAHA|OKLASKI|ŚMIECH|POTLESK|SMÍCH"
    r"|ОПЛЕСКИ|СМІХ|ШУМ\b|GELACH|SKRATT|APPLÅD|BIFALD|DERÜLTSÉG|SUOSIONOSOITU|ΧΕΙΡΟΚΡΟΤ"
    "|تصفيق|ضحك|鼓掌)"
)
"""The name of a sound; see `is_sound`."""
CLOSED = "Name:text"
"""The notation without a blank, for names that begin with no small letter."""
VOICE, CLOSING = "<v Name>text", "</v>"
WIDE_BRACKETS = str.maketrans({"（": "(", "）": ") ", "：": ": "})


def is_sound(name: str) -> bool:
    """Return True if a name is that of a sound, which is no speaker.

    >>> is_sound("Applause"), is_sound("laughter"), is_sound("Ann")
    (True, True, False)
    """
    return SOUND.match(name.upper()) is not None


class Prefix(NamedFields):
    """The notation of speaker names in a file.

    `names` holds the names that count as speakers, also as the first word of a full name; with
    `None`, all names count. With `is_strict`, lower-case names do not count, but for those in
    `small`, which return in a file whose texts nearly all have names. With `is_capital`, only
    names in capitals count.
    """

    notation: str
    names: frozenset[str] | None = None
    is_strict: bool = False
    is_capital: bool = False
    small: frozenset[str] = frozenset()

    def cut(self, text: str) -> tuple[str | None, str]:
        """Split a text into the speaker's name (or `None`) and the rest."""
        name, rest = split_name(self.notation, text)
        if name is None or not self._counts(name):
            return None, text
        if self.is_strict and not (is_name(name) or is_label(name) or name in self.small):
            return None, text
        if self.is_capital and not name.isupper():
            return None, text
        if self.notation in SOUNDS_TOO and not rest.strip():
            return None, text  # a sound alone
        return name, rest

    def _counts(self, name: str) -> bool:
        """Return True for one of the names, and for a full name whose first word is one.

        Programs write the full name once, and then the first: ``Ann Ex: hello``, ``Ann: well``.
        """
        if self.names is None or name in self.names:
            return True
        return is_full_name(name) and name.split()[0] in self.names and is_name(name)

    def with_small(self, texts: Sequence[str]) -> Prefix:
        """Return the notation with the names in small letters that return in more texts."""
        return self._replace(small=self.small | _small_names(_names(self.notation, texts)))


def split_name(notation: str, text: str) -> tuple[str | None, str]:
    """Split a text into the name in this notation (or `None`) and the rest."""
    signs = SIGNS[notation]
    if signs[0] not in text and signs[-1] not in text:
        return None, text
    match = NOTATIONS[notation].match(text)
    if match is None and notation == "Name: text":
        match = CLOSE.match(text)
        is_close = match is not None and (match[1].isupper() or match["unspaced"] is not None)
        match = match if is_close else None
    name = None if match is None else _plausible_name(match[1])
    if notation == CLOSED and name is not None and (name[0].islower() or not name[0].isalpha()):
        return None, text  # ``key:value``
    if match is None or name is None:
        return None, text
    rest = text[match.end() :]
    return name, rest.rstrip().removesuffix(CLOSING) if notation[0] == "<" else rest


_known_names: dict[str, str] = {}
"""The result of `_plausible_name` for each of the last texts; empty for `None`."""


def _plausible_name(text: str) -> str | None:
    """Return the text with single blanks if it may be a name, otherwise `None`."""
    name = _known_names.get(text)
    if name is None:
        if len(_known_names) >= MOST_KNOWN:
            _known_names.clear()
        name = _known_names[text] = _name_in(text) or ""
    return name or None


NICK = lazy_pattern(r"[^\W_][^\s:()\[\]*]{0,30}_\Z")
"""A name of a chat that ends in the sign of emphasis: ``ann_``."""


def _name_in(text: str) -> str | None:
    """Return what `_plausible_name` does for a new text."""
    if text[-1:] in ")_" and not NICK.match(text):
        text = CONFIDENCE.sub("", text).strip("_")
    text = text.strip().translate(ROUND) if text[-1:] in "]） " else text
    is_long = len(text) > LONGEST or len(text.split()) > MOST_WORDS
    if "(" in text and (is_long or text.count("(") > 1 or "(to " in text):
        text = text.partition("(")[0]  # constituency and party, or to whom a person speaks
    elif "," in text and is_long and (text.isupper() or is_full_name(text.partition(",")[0])):
        text = text.partition(",")[0]  # a long title: ``Ann Ex, Executive Vice President of …``
    name = " ".join(text.split())
    return name if name and (is_name(name) or is_label(name) or is_code(name)) else None


def is_full_name(text: str) -> bool:
    """Return True if a text has two to four words that begin with capitals."""
    words = text.split()
    return 1 < len(words) < MOST_WORDS - 1 and all(word[:1].isupper() for word in words)


def common_prefix(texts: Sequence[str]) -> Prefix | None:
    """Return the prefix that names the speakers in the texts of a file, or `None`.

    >>> common_prefix(["Anna: hello", "Ben: hi", "Anna: how are you?"])
    Prefix(notation='Name: text', names=None, is_strict=True, is_capital=False, small=frozenset())
    >>> common_prefix(["Remember: wash", "the hands", "and feet"])
    """
    filled = [text for text in texts if text.strip()]
    rows = [(notation, _names(notation, filled)) for notation in NOTATIONS]
    notation, names = max(rows, key=lambda row: row[1].total(), default=("", Counter[str]()))
    if not names:
        return None
    if notation == VOICE:
        return Prefix(notation)
    labels = sum(count for name, count in names.items() if is_label(name))
    strong = sum(count for name, count in names.items() if is_name(name) or is_label(name))
    total, least = names.total(), 0.6 * len(filled)
    if labels > 1 and labels >= least:
        return Prefix(notation)
    is_sparse = len(names) <= len(filled) / 3 + 3 and len(names) < total
    if total > 2 and strong >= least and is_sparse:
        small = _small_names(names) if total >= NEARLY_ALL * len(filled) else frozenset()
        return Prefix(notation, is_strict=True, small=small)
    if total > 2 and total >= 0.8 * len(filled) and len(names) <= total / 2:
        return Prefix(notation)
    return _returning(notation, names, len(filled))


def _small_names(names: Mapping[str, int]) -> frozenset[str]:
    """Return the names in small letters that return and have two words or more.

    >>> _small_names({"Ann Ex": 15, "cleo ray": 3, "and so": 1, "so": 4})
    frozenset({'cleo ray'})
    """
    return frozenset(
        name for name, count in names.items()
        if count >= FEWEST_NAMED and " " in name and not (is_name(name) or is_label(name))
    )  # fmt: skip


def _names(notation: str, texts: Sequence[str]) -> Counter[str]:
    """Count the texts that begin with each name in this notation."""
    signs = SIGNS[notation]
    likely = [text for text in texts if signs[0] in text or signs[-1] in text]
    return Counter(name for text in likely if (name := split_name(notation, text)[0]) is not None)


def returning_names(texts: Sequence[str]) -> list[str]:
    """Return the texts that begin with a repeated name.

    The result is empty unless two names repeat and at least four texts begin with them.

    >>> len(returning_names(["Ann Ex: so", "yes", "Bob: no", "Ann Ex: so", "Bob: well"]))
    4
    """
    plain = [text.translate(WIDE_BRACKETS) for text in texts]
    best: list[str] = []
    for notation in ("Name: text", *SOUNDS_TOO):
        signs = SIGNS[notation]
        if sum(signs[0] in text or signs[-1] in text for text in plain) <= FEWEST_NAMED:
            continue
        parts = [split_name(notation, text) for text in plain]
        names = [
            name if rest.strip() and not is_sound(name or "") else None for name, rest in parts
        ]
        counts = Counter(name for name in names if name is not None and is_name(name))
        again = {name for name, count in counts.items() if count > 1}
        found = [text for text, name in zip(texts, names, strict=True) if name in again]
        best = found if len(again) > 1 and len(found) > max(FEWEST_NAMED, len(best)) else best
    return best


def _returning(notation: str, names: Counter[str], size: int) -> Prefix | None:
    """Return the prefix of repeated names; `None` unless most names before texts repeat."""
    again = {
        name: count
        for name, count in names.items()
        if count > 1 and (is_label(name) or (is_name(name) and notation not in SOUNDS_TOO))
    }
    capitals = {name: count for name, count in again.items() if name.isupper() and len(name) > 2}
    total = sum(count for name, count in names.items() if name.isupper())
    is_capital = len(capitals) > 1 and 10 * total >= 8 * names.total()
    if is_capital and total >= max(4, 0.02 * size) and LOG_WORDS.isdisjoint(capitals):
        return Prefix(notation, is_capital=True)
    total = sum(again.values())
    if len(again) < 2 or 2 * total < names.total() or total < max(4, 0.1 * size):
        return None
    return Prefix(notation, frozenset(again))


def turn_within(texts: Sequence[object]) -> str | None:
    r"""Find the first text with lines of several speakers; return its first line, or `None`.

    A single generic name such as ``Speaker 1`` is enough, or a single time in brackets.

    >>> turn_within(["well", "Agent: hello\n\nCustomer: hi\nAgent: so\nCustomer: no"])
    'Agent: hello'
    >>> turn_within(["Speaker 1: hello"]), turn_within(["Note: hello"])
    ('Speaker 1: hello', None)
    >>> turn_within(["(0:05) B: monday"])
    '(0:05) B: monday'
    """
    for text in texts[:MOST_TEXTS]:
        if not isinstance(text, str):
            continue
        if STAMP_BEFORE.match(text):
            return text.strip().split("\n")[0].strip()
        stamps = STAMP_WITHIN.findall(text[:LONGEST_TEXT])
        if len(stamps) >= FEWEST_STAMPS:
            return next(line.strip() for line in text.splitlines() if stamps[0] in line)
        if is_label(split_name("Name: text", text)[0] or ""):
            return text.strip().split("\n")[0].strip()
        lines = [line for line in text[:LONGEST_TEXT].split("\n") if line.strip()]
        names = [split_name("Name: text", line)[0] or "" for line in lines]
        if len(lines) > 2 and (common_prefix(lines) is not None or all(map(is_name, names))):
            return lines[0].strip()
    return None


def beginning_of(segment: Segment) -> list[str]:
    """Return the first words of a segment as a list with one text.

    The list is empty if the speaker is known and the text does not begin with a generic name.
    """
    text = " ".join(segment.words[:MOST_WORDS])
    is_open = segment.speaker is None or is_label(split_name("Name: text", text)[0] or "")
    return [text] if is_open else []


def _coded(texts: Sequence[str]) -> list[str]:
    """Return the texts if nearly all begin with one of a few codes in brackets; otherwise none.

    >>> _coded(["[MOT] so it is", "[CHI] yes", "[MOT] well", "[CHI] no"])[0]
    '[MOT] so it is'
    >>> _coded(["[Music]", "so it is", "[Music]", "yes"]), _coded(["[Music]"] * 4)
    ([], [])
    """
    codes = [code[1] for text in texts if (code := CODE.match(text))]
    is_set = len({*codes}) > 1 and len({*codes}) * 2 <= len(codes)
    return list(texts) if is_set and len(codes) >= SHARE_OF_CODES * len(texts) else []


def _with_initials(texts: Sequence[str]) -> list[str]:
    """Return the texts that begin with one of a few pairs of small letters and a colon.

    >>> len(_with_initials(["ga: so it is", "and so", "km: yes"] * 5))
    10
    >>> _with_initials(["re: so it is", "and so"] * 5)
    []
    """
    begun = [(initials[1], text) for text in texts if (initials := INITIALS.match(text))]
    counts = Counter(name for name, _ in begun)
    is_set = len(counts) > 1 and min(counts.values()) > 1 and len(begun) >= FEWEST_OF_INITIALS
    return [text for _, text in begun] if is_set and 2 * len(counts) <= len(begun) else []


def _with_capitals(texts: Sequence[str]) -> list[str]:
    """Return the texts that begin with one of a few names in capitals before a sentence.

    >>> len(_with_capitals(["ANN So it is.", "BEN LEE Well, no.", "The door opens."] * 5))
    10
    >>> _with_capitals(["NASA says so.", "And so it is."] * 5), _with_capitals(["OH MY"] * 9)
    ([], [])
    """
    begun = [
        (name[1], text) for text in texts
        if (name := IN_CAPITALS.match(text)) and name[1].isupper()
    ]  # fmt: skip
    counts = Counter(name for name, _ in begun)
    texts_of = [text for name, text in begun if counts[name] > 1]
    are_names = sum(count > 1 for count in counts.values()) > 1
    return texts_of if are_names and len(texts_of) >= SHARE_OF_CAPITALS * len(texts) else []


def say_names(source: Source, texts: Sequence[str]) -> None:
    """Warn if many of these texts begin with repeated names."""
    from formats.io.messages import NAMES_LEFT

    named = [text for text in returning_names(texts) if text[:1] not in "([（"]
    named = named or _coded(texts) or _with_initials(texts) or _with_capitals(texts)
    if len(named) >= SHARE_OF_NAMES * len(texts) > 0:
        source.log.say(NAMES_LEFT, count=len(named), total=len(texts), text=named[0])
