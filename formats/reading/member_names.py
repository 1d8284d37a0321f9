"""Roles of members and columns by their names, ignoring case, separators, affixes and units.

`NAMES` is the only table of these names. It applies to columns of tables, and to members in JSON
lists and JSON lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from operator import eq, le, lt
from typing import Any, NamedTuple

from formats.detection.spec import Option
from formats.io.messages import MEMBER_ROLE
from formats.reading.dates import is_date
from formats.reading.speakers import LONGEST_TEXT, NOBODY, is_label
from formats.schema import lazy_pattern
from formats.schema.clock import parse_clock
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message
from formats.schema.times import SECOND

UNITS = dict.fromkeys(("s", "sec", "secs", "second", "seconds", "detik", "sek", "sekunden"), 1)
UNITS |= dict.fromkeys(("ms", "msec", "millis", "millisecond", "milliseconds"), 1000)
UNITS |= dict.fromkeys(("us", "usec", "micros", "microsecond", "microseconds"), 1_000_000)
UNITS |= dict.fromkeys(("ns", "nsec", "nanos", "nanosecond", "nanoseconds"), SECOND)
UNITS["ticks"] = 10_000_000
"""How many units of each name make a second."""
LONG_UNITS = dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60)
LONG_UNITS |= dict.fromkeys(("h", "hour", "hours"), 3600)
"""The seconds of each longer unit."""
JOINED_CLOCK = lazy_pattern(r"[0-9]{2}_[0-5][0-9]_[0-5][0-9]\Z", re.ASCII)
"""A time of day without the signs that names of files may not have."""
TIME_CODE = lazy_pattern(r"([0-9]{1,3})[:;]([0-5][0-9])[:;]([0-5][0-9])[:;]([0-9]{2})\Z", re.ASCII)
MILLISECONDS = lazy_pattern(r"\A([0-9]{1,3}:[0-5][0-9]:[0-5][0-9]):([0-9]{3})\Z", re.ASCII)
"""A clock time with a third colon before its milliseconds."""
HALF_OF_DAY = lazy_pattern(
    r"([0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?)\s?([AP])\.?M\.?\Z", re.IGNORECASE
)
"""A time of day with AM or PM."""
DAYS = lazy_pattern(r"(?:([0-9]{1,3}) days?,? )?([0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?)\Z")
"""A duration as Python and pandas write it: ``0 days 00:01:30``."""
ISO = lazy_pattern(
    r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:[.,]\d*)?) ?S(?:EC(?:OND)?S?)?\Z", re.IGNORECASE
)
JOINTS = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[^\w]+|_+")
REMARK = lazy_pattern(r"(?<=\S)\s*[(\[]([^()\[\]]{1,80})[)\]]\s*\Z")
"""What a name says in brackets at its end."""
BEFORE_UNIT = frozenset(("in", "time", "as", "unit"))
"""Words before the unit in such a remark."""
CLOCK_PARTS = frozenset(
    ("h", "hh", "m", "mm", "s", "ss", "ms", "sss", "mmm", "f", "ff", "fff", "zzz", "msec", "ddd")
)
"""Parts of a remark that shows how clock times are written: ``(hh:mm:ss.ms)``."""
PAIRS = frozenset(
    ("timestamp", "timestamps", "timing", "timings", "times", "time", "span", "interval", "segment",
     "range", "bounds", "ts")
)  # fmt: skip
"""Names of members that may be a list of a start and an end."""
AFFIXES = PAIRS | frozenset(
    ("at", "audio", "caption", "clip", "cue", "data", "date", "datetime", "line", "phrase", "point",
     "position", "seg", "sentence", "speech", "stamp", "subtitle", "t", "tc", "timecode", "turn",
     "utt", "utterance", "word")
)  # fmt: skip
"""Parts of names of times that say nothing of whether it is a start or an end."""
TIME_OF_SPAN = r"[0-9]{1,6}(?::[0-9]{1,2}){0,2}(?:[.,][0-9]{1,9})?"
CLOCK_OF_SPAN = r"[0-9]{1,6}(?::[0-9]{1,2}){1,2}(?:[.,][0-9]{1,9})?"
TIME_SPAN = lazy_pattern(
    rf"\s*\[?({TIME_OF_SPAN})\s*(?:-?->|→)\s*({TIME_OF_SPAN})\]?\s*\Z"
    rf"|\s*\[?({CLOCK_OF_SPAN})\s*[-–]\s*({CLOCK_OF_SPAN})\]?\s*\Z"
    r"|\s*[\[(]([0-9]{1,6}\.[0-9]{1,9}),\s+([0-9]{1,6}\.[0-9]{1,9}|None)[\])]\s*\Z"
    r"|\s*\[?([0-9]{1,6}\.[0-9]{1,9})\s?s?\s*[-–]\s*([0-9]{1,6}\.[0-9]{1,9})\s?s?\]?\s*\Z"
    r"|\s*\[?([0-9]{1,6})\s?s\s*[-–]\s*([0-9]{1,6})\s?s\]?\s*\Z"
)
"""A start and an end in one text."""
BRACKETS = frozenset(("[]", "()", "<>"))
"""Brackets that a clock time may be in."""
DAY = 86_400
LARGEST = 1 << 63
MOST_TRIED = 200
"""Rows or elements that names and units are taken from."""
LONGEST_NAMED = 1000
"""Characters of a name. A longer one is a text, without parts."""


class RoleNames(NamedTuple):
    """The names for a role: the `usual` names as written, then others, the likeliest first.

    A usual name has the role whatever its values are; upper and lower case are equal. If there are
    several usual names, the first is used. Other names, in the form of `plain_name`, have the role
    if there is no usual name and the values fit.
    """

    usual: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def plain(self) -> tuple[str, ...]:
        """All names of the role in the form of `plain_name`."""
        return (*(plain_name(name)[0] for name in self.usual), *self.others)


def _names(usual: str, others: str = "") -> RoleNames:
    return RoleNames(tuple(usual.split()), tuple(others.split()))


NAMES: dict[str, RoleNames] = {
    "text": _names(
        "text sentence transcription transcript spoken_words normalized_text wrd reference ref "
        "label "
        "transcript_text ground_truth groundtruth ground_truth_text reference_text ref_text",
        "word punctuatedword content body utterance value message msg caption subtitle line "
        "displaytext finalsentence words segment asrtranscript asrtext sentences transcripts "
        "quote dialogue "
        "speech narration voiceover narrationtext voiceovertext phrase stt utterances utteredtext "
        "textspoken spokentext texttranscript onebest "
        "paragraph lyric lyrics lines captions subtitles contenu contenido conteúdo contenuto "
        "inhalt nachricht mensaje mensagem messaggio "
        "texto testo texte teks transkript transkription transcripción transcripcion "
        "transcrição transcricao trascrizione transkripsi 文本 文字 内容 字幕 テキスト 텍스트 "
        "参考文本 句子 hanzi 台词 臺詞 对白 對白 वाक्य said spoken sent gt txt "
        "anforandetext snippet cue dialog fulltext chunktext tokens gloss statement statements "
        "talk script usermessage "
        "lexical utt orth orthography token w "
        "текст транскрипция расшифровка реплика фраза tekst teksti metin szöveg "
        "frase satz äußerung äusserung aeusserung énoncé enonce enunciado enunciato "
        "réplique replique battuta uitspraak uiting yttrande ytring "
        "转写 转写文本 转录 转录文本 文本内容 说话内容 发言内容 识别结果 原文 "
        "syncedlyrics plainlyrics sermontext speechtext dialoguetext dialogtext utterancetext "
        "dialogues dialogs "
        "lờithoại nộidung репліка متن النص ข้อความ טקסט κείμενο "
        "stenogram stenograma стенограмма 発言 発話 発言内容 発話内容 書き起こし 대사 발화 내용",
    ),
    "pred_text": _names(
        "pred_text prediction predicted pred hypothesis hyp model_output asr asr_text pred_str "
        "predicted_text hypothesis_text hyp_text recognized generated output"
    ),
    "id": _names("id utt_id uttid segment_id utterance_id utteranceid sentence_id sentenceid"),
    "recording": _names(
        "recording recording_id file path audio audio_filepath wav audio_path file_name filename "
        "audio_file audio_filename audio_id wav_path wav_file file_path filepath video_id "
        "video_file video",
        "audiofilename audiofilepath wavfilename soundfile mediafile sourcefile audioclip datei "
        "fichier archivo arquivo bestand plik файл 文件 音频 ファイル 音声 파일 "
        "grabacion grabación gravação aufnahme fil dosya tiedosto soubor",
    ),
    "speaker": _names(
        "speaker speaker_id spk_id client_id",
        "speakername charactername characterlabel "
        "speakerlabel speakertag utt2spk talare spk spkr speakers participant "
        "participantname participantrole participantid subject subjectid "
        "character characters char name role who person personid personname sender author user "
        "username users sendername authorname "
        "nickname nick player persona "
        "from fromid type actor userid characterid actorid personaid roleid castid "
        "talker voice agent caller "
        "personaje personnage personagem personaggio figur rolle tokoh "
        "interlocutor attendee displayname owner identity party label agenttype agentname "
        "interlocuteur intervenant charakter sprecherin 人物 角色 発言者 "
        "expediteur expéditeur remitente remetente mittente absender "
        "sprecher redner rednerin orateur oratore hablante orador falante locuteur parlante "
        "pembicara спикер говорящий диктор mówca mluvčí spreker konuşmacı puhuja "
        "说话人 说话者 說話人 說話者 发言人 發言人 話者 화자 locutor interveniente "
        "intervenente говорит المتحدث المتكلم הדובר דובר mówiący talande beszélő vorbitor govornik "
        "tier host npc displayas authorid president politician senator congressman deputy "
        "diputado deputado député deputato senatore senador sénateur onorevole "
        "parlamentare parlamentar "
        "parlamentario abgeordneter abgeordnete poseł poslanec képviselő quoteauthor "
        "讲者 讲话人 演讲者 主讲人 話し手 キャラクター キャラ 발화자 등장인물 캐릭터 "
        "спікер ngườinói nhânvật ομιλητής वक्ता बोलनेवाला বক্তা பேச்சாளர்",
    ),
    "channel": _names("channel", "channelid channeltag mediachannel"),
    "start": _names(
        "start start_time begin begin_time in onset offset",
        "from ts timestamp t0 startoffset bg time datetime timecode at t "
        "inicio início ini début debut beginn inizio tempsdébut tempsdebut heuredébut heuredebut "
        "synctime tcin timecodein intimecode intime cuein zeit uhrzeit tiempo temps "
        "st fromtime timefrom tc von desde anfang "
        "xmin tmin startzeit waktumulai mulai tiempoinicio horainicio tempoinicial "
        "tiempoinicial horainicial начало "
        "время времяначала начало początek czas začátek begintijd starttid başlangıç alku "
        "开始 开始时间 起始时间 开始时刻 时间 時間 時刻 開始 開始時間 開始時刻 시작 시작시간 시간",
    ),
    "end": _names(
        "end end_time stop stop_time out",
        "to t1 et totime timeto bis hasta waktuakhir "
        "xmax tmax slut einde endoffset finish tcout timecodeout outtimecode outtime cueout "
        "ed fin fim ende fine endzeit "
        "waktuselesai selesai tiempofin horafin tiempofinal horafinal tempofinal tempsfin heurefin "
        "конец "
        "времяконца времяокончания окончание koniec konec eindtijd sluttid bitiş loppu "
        "结束 结束时间 结束时刻 結束 終了 終了時間 終了時刻 끝 종료시간 종료",
    ),
    "duration": _names(
        "duration", "dur dduration length dauer durée duración duração durata durasi"
    ),
    "confidence": _names("confidence conf score probability prob p"),
    "language": _names("language lang", "languagecode"),
    "display": _names("punctuated_word", "punct display"),
}
"""The names of each role."""
OF_DATA_SETS = frozenset(
    ("reference", "ref", "label", "wrd", "normalizedtext", "groundtruth", "referencetext",
     "reftext")
)  # fmt: skip
"""Names of texts in data sets; in an answer of a service they are something else."""
NAMES_OF_SPEAKERS = (
    *("name", "display_name", "displayName", "full_name", "fullName", "full", "label", "role"),
    *("username", "user_name"),
    "id",
    "title",
)
"""Members of an object that says who speaks, the likeliest first."""
SETTING_PARTS = frozenset(
    ("accent", "accents", "age", "ages", "avatar", "avatars", "color", "colors", "colour",
     "colours", "dialect", "dialects", "emotion", "emotions", "evaluation", "evaluations", "gender",
     "genders",
     "language", "languages", "model", "models", "mood", "moods", "prompt", "prompts", "rating",
     "ratings", "score", "scores", "sentiment", "sentiments", "sex", "voice", "voices")
)  # fmt: skip
"""Parts of names of maps from speakers to something that is not their name."""
LOGGING = frozenset(
    ("level", "levelname", "leveldisplayname", "loglevel", "severity", "logger", "loggername")
)
"""Names in records of logs."""
LOGGED = frozenset(("message", "msg", "text"))
CODE_OF_PERSON = lazy_pattern(r"[A-Za-z]{0,10}[-_ ]?[0-9]{1,8}[A-Za-z]?")
"""The code of a subject of a study: ``S12``. Other subjects are those of messages."""
PERHAPS_SPEAKERS = frozenset(
    ("name", "who", "sender", "author", "user", "username", "nickname", "nick", "player", "from",
     "figur", "rolle", "actor", "userid", "voice", "char", "owner", "identity", "displayname",
     "agent", "caller", "tier", "host", "npc", "displayas", "authorid",
     "quoteauthor")
)  # fmt: skip
"""Names of speakers whose values have to return, as they have other meanings."""
LEVELS = frozenset(
    ("word", "words", "phone", "phones", "phoneme", "phonemes", "syllable", "syllables", "ipa",
     "gloss", "glosses", "translation", "transcription", "transcript", "orthography", "text",
     "comment", "comments", "note", "notes", "segment", "segments", "utterance", "utterances",
     "sentence", "sentences", "tone", "tones", "pos", "morpheme", "morphemes", "default")
)  # fmt: skip
"""Parts of names of tiers that are no speakers."""
CLASSES_OF_TEXTS = frozenset(
    ("pos", "neg", "neu", "positive", "negative", "neutral", "mixed", "ham", "spam", "true",
     "false", "yes", "no", "joy", "sadness", "anger", "fear", "love", "surprise", "disgust",
     "happy", "sad", "angry", "fearful", "toxic", "hate", "offensive", "normal", "none", "other")
)  # fmt: skip
"""Labels of what texts are or feel like, which are no speakers."""
SOUNDS = frozenset(
    ("speech", "music", "noise", "silence", "laughter", "applause", "overlap", "background",
     "voice", "singing", "other", "unknown")
)  # fmt: skip
"""Labels of what is heard in parts of a recording."""
FEWEST_NAMED = 4
"""The fewest values that show whether the values of a vague name change and return."""
FIELD_ROLES = ("text", "start", "end", "duration", "speaker", "confidence", "language")
"""Roles of fields of records that are written one below the other."""
PARTIES = frozenset(
    ("agent", "ai", "assistant", "bot", "buyer", "caller", "candidate", "chatbot", "client",
     "clinician", "con", "counsellor", "counselor", "customer", "dispatcher", "doctor", "gpt",
     "guest", "host", "human", "inbound", "incoming", "interviewee", "interviewer", "lawyer",
     "moderator", "narrator", "nurse", "operator", "opponent", "outbound", "outgoing",
     "participant", "patient", "physician", "pro", "proponent", "prospect", "recruiter",
     "respondent", "salesperson", "seller", "speaker", "student", "sys", "system", "teacher",
     "therapist", "tutor", "user", "usr", "witness")
)  # fmt: skip
"""What a member ``type`` says of who speaks; with any other value it is no speaker."""
PROGRAMS = frozenset(("system", "sys", "bot", "assistant", "chatbot"))
"""Parties beside whose texts those of the other party may have no name."""
OTHER_PARTY = "other"
"""Who speaks where a name says that a party does not."""
ROLE_ALONE = lazy_pattern(r"^[ \t]{0,9}([^\W_][\w ]{0,20}?)[ \t]{0,9}:?[ \t]{0,9}\n", re.MULTILINE)
"""A line that may be a role: ``USER``."""
TEXT_PARTS = frozenset(
    ("text", "transcript", "transcription", "sentence", "utterance", "transcribed", "transkripsi")
)
"""Parts of names of texts."""
LANGUAGES = frozenset(
    ("ar", "ara", "arabic", "ben", "bengali", "bn", "cat", "ces", "chi", "chinese", "cmn", "cn",
     "cs", "cz", "czech", "da", "dan", "danish", "de", "deu", "dutch", "ell", "en", "eng",
     "english", "es", "esp", "et", "eu", "fa", "fas", "fi", "fin", "finnish", "fr", "fra", "fre",
     "french", "ger", "german", "gr", "greek", "he", "heb", "hebrew", "hi", "hin", "hindi", "hu",
     "hun", "hungarian", "ind", "indonesian", "it", "ita", "italian", "ja", "japanese", "jp", "jpn",
     "ko", "kor", "korean", "kr", "lat", "latin", "mandarin", "mar", "marathi", "nl", "nld", "nor",
     "norwegian", "pl", "pol", "polish", "por", "portuguese", "pt", "ptbr", "ro", "romanian", "ru",
     "rus", "russian", "sk", "spa", "spanish", "sv", "swa", "swahili", "swe", "swedish", "ta",
     "tam", "tamil", "te", "tel", "telugu", "th", "tha", "thai", "tr", "tur", "turkish", "ua",
     "uk", "ukr", "ukrainian", "ur", "urd", "urdu", "vi", "vie", "vietnamese", "vn", "yue",
     "zh", "zho")
)  # fmt: skip
"""Languages in names of texts; codes that are words, such as ``id`` and ``no``, are none."""
LONGEST_LABEL = 3
"""The most words of a label in a list of labels."""
LABEL_PARTS = frozenset(("tag", "tags", "keyword", "keywords", "attributes"))
"""Parts of names of lists of labels."""
REFERENCE_PARTS = frozenset(
    ("actual", "corrected", "gold", "golden", "gt", "human", "manual", "original", "ref",
     "reference", "true", "truth", "verified")
)  # fmt: skip
"""Parts of the name of the text that was said, among texts of recognisers."""
RAW = ["raw", "reference"]
"""Parts of the name of what was said, beside a ``normalized`` reference."""
TRANSLATED = frozenset(("translated", "translation"))
"""Parts of the names of texts beside which ``original`` is what was said."""
RECOGNISER_PARTS = frozenset(("asr", "stt"))
"""Parts of names of texts that a recogniser made."""
FORM = "form"
FORMS = frozenset((FORM, "original_form"))
"""The text in usual spelling, and the sounds that were said, in Korean corpora."""
CONTEXT_PARTS = frozenset(("prev", "previous", "next"))
"""First parts of names of the texts around a text."""
DERIVED_PARTS = frozenset(
    ("clean", "cleaned", "preprocessed", "processed", "tokenized", "lemmatized", "stemmed")
)
"""First parts of names of texts that a program made of a text."""
MADE_OF = ("raw", "original")
"""First parts of names of the texts from which others were made."""
SAID_PARTS = TEXT_PARTS | frozenset(
    ("content", "input", "message", "msg", "reply", "response", "said", "says", "speech", "turn")
)
"""Parts of names of the texts of a party."""
PAIR_OF_TURNS = {
    "question": _names(
        "question questions q query message context frage pregunta pergunta domanda vraag pytanie "
        "soru вопрос 问题 "
        "問題 质问 質問 질문 প্রশ্ন प्रश्न سؤال السؤال"
    ).usual,
    "answer": _names(
        "answer answers a response reply completion antwort respuesta réponse resposta risposta "
        "antwoord odpowiedź cevap yanıt ответ 回答 答案 答え 답변 উত্তর उत्तर جواب الجواب"
    ).usual,
}
"""Names of two texts that are turns: what was asked, and what was answered."""
ASKED_PARTS = frozenset(("ticket", "inquiry", "enquiry", "complaint", "request", "prompt"))
"""Names of what a customer or a user wrote, beside an answer."""
BESIDE_TURNS = frozenset(("support", "model", "llm", "company", "service", "chat", "email"))
"""What the names of two texts that are turns may have, besides the name of a party."""
LONGEST_OF_NAME = 4
"""The most words of a name."""
LEAST_OF_PARTY = 1.5
"""The fewest words of the texts of a party on average."""
FEWEST_TIMES, MOST_FALLS = 3, 0.1
"""The fewest clock times, and the most that may be before the previous, of a column of times."""
SPEAKER_PARTS = frozenset(("person", "speaker", "spk", "spkr", "sender"))
"""Parts of names of speakers, if no other part says that they are something else."""
SAID_BY = (["spoken", "by"], ["said", "by"])
"""The last parts of a name of speakers."""
NO_SPEAKERS = frozenset(
    ("accent", "age", "change", "comment", "comments", "confidence", "count", "counts", "dialect",
     "embedding", "emotion", "end", "gender", "language", "map", "mapping", "note", "notes", "num",
     "score", "sex", "similarity", "start", "time", "total", "turn")
)  # fmt: skip
KINDS_OF_TALKS = (
    *("conversation", "conv", "dialogue", "dialog", "call", "session", "meeting", "chat"),
    *("interview", "episode", "debate", "talk", "group", "room", "lecture", "video"),
)
OF_TALKS = frozenset(f"{talk}{part}" for talk in KINDS_OF_TALKS for part in ("id", "no", "number"))
"""Names of ids of talks, whose rows are the turns of one recording each."""
MEASURES = frozenset(["wer", "cer", "mer", "wil", "wip", "ter", "bleu", "accuracy"])
"""Names of measures, which results have."""
TIMES = {
    "start": ("start", "starttime", "begin", "begintime", "beg", "in"),
    "end": ("end", "endtime", "stop", "stoptime", "out"),
}
"""The names of times that affixes may be added to."""
ROLES = ("text", "start", "end", "duration", "speaker", "id", "recording", "channel")
"""Roles that ``--member`` maps in tables."""
MEMBER = Option(
    "member", "", "names of members or columns by role, for example start=startMs,text=line"
)


PLAUSIBLE_UNITS = (1, 1000, 100, 10_000_000, 1_000_000)
"""Units per second that are tried, the likeliest first: 100 ns are ticks."""
RATES = (0.3, 10.0)
"""Words per second that people speak, pauses included."""
SHORTEST_TURN, LONGEST_TURN = 0.1, 600.0
"""Seconds of turns: the usual turn of a conversation is neither shorter nor longer."""
FEWEST_WORDS = 5
NO_BLANKS = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Characters of scripts that leave no blanks between words."""


def name_parts(name: str) -> list[str]:
    """Return the words of a name in lower case.

    >>> name_parts("startTime"), name_parts("End_time (s)")
    (['start', 'time'], ['end', 'time', 's'])
    """
    return JOINTS.sub(" ", name).lower().split() if len(name) <= LONGEST_NAMED else [name]


def plain_name(name: str) -> tuple[str, int | None]:
    """Return a name in lower case without separators and unit, and how many units make a second.

    >>> plain_name("start_time"), plain_name("startMs"), plain_name("End (s)")
    (('starttime', None), ('start', 1000), ('end', 1))
    >>> plain_name("offsetInTicks"), plain_name("Start (seconds into the talk)")
    (('offset', 10000000), ('start', 1))
    """
    return _plain_name(name) if len(name) <= LONGEST_NAMED else (name, None)


@lru_cache(maxsize=1024)
def _plain_name(name: str) -> tuple[str, int | None]:
    """Return what `plain_name` does."""
    name, unit = _without_remark(name)
    parts = name_parts(name)
    if unit is not None:
        return "".join(parts), unit
    if len(parts) > 2 and CLOCK_PARTS.issuperset(parts[-2:]):  # ELAN's ``Begin Time - ss.msec``
        parts = [part for part in parts if part not in CLOCK_PARTS]
    if len(parts) > 1 and parts[-1] in UNITS:
        size = -2 if len(parts) > 2 and parts[-2] == "in" else -1
        return "".join(parts[:size]), UNITS[parts[-1]]
    return "".join(parts), None


def _without_remark(name: str) -> tuple[str, int | None]:
    """Return a name without a remark of its unit or of the form of its times, and the unit.

    Any other remark is part of the name.

    >>> _without_remark("Start time (in seconds)"), _without_remark("Start [hh:mm:ss.ms]")
    (('Start time', 1), ('Start', None))
    >>> _without_remark("Text (English)")
    ('Text (English)', None)
    """
    may_have = len(name) <= LONGEST_NAMED and name[-2:].rstrip()[-1:] in (")", "]")
    remark = REMARK.search(name) if may_have else None
    if remark is None:
        return name, None
    parts = name_parts(remark[1])
    while parts and parts[0] in BEFORE_UNIT:
        parts = parts[1:]
    if len(parts) > 1 and CLOCK_PARTS.issuperset(parts):
        return name[: remark.start()], None
    is_unit = bool(parts) and parts[0] in UNITS and (len(parts) == 1 or len(parts[0]) > 2)
    return (name[: remark.start()], UNITS[parts[0]]) if is_unit else (name, None)


def name_without_unit(name: str) -> str:
    """Return the name of `plain_name`, without the unit."""
    return plain_name(name)[0]


def without_long_unit(name: str) -> tuple[str, int]:
    """Return a name without its unit of minutes or hours, and the seconds of the unit, else 1.

    >>> without_long_unit("Start (min)"), without_long_unit("end_minutes"), without_long_unit("end")
    (('start', 60), ('end', 60), ('end', 1))
    """
    parts = name_parts(name)
    if len(parts) > 1 and parts[-1] in LONG_UNITS:
        return "_".join(parts[: -2 if parts[-2] == "in" else -1]), LONG_UNITS[parts[-1]]
    return name, 1


def role_of_time(name: str) -> str:
    """Return the role of the times that a name means, or an empty text.

    >>> role_of_time("tc_in"), role_of_time("Duration"), role_of_time("text")
    ('start', 'duration', '')
    """
    plain = plain_name(name)[0]
    known = (role for role in ("start", "end", "duration") if plain in NAMES[role].plain)
    return next(known, "") or time_role(name)


def time_role(name: str) -> str:
    """Return ``start`` or ``end`` if a name means one of them, otherwise an empty text.

    >>> time_role("start_timestamp"), time_role("utterance_end"), time_role("weekend")
    ('start', 'end', '')
    >>> time_role("timeStart"), time_role("time_end"), time_role("time")
    ('start', 'end', '')
    """
    parts = name_parts(_without_remark(name)[0])
    named = [part for part in parts if part not in AFFIXES and part not in UNITS]
    return next((role for role, names in TIMES.items() if "".join(named) in names), "")


MARKS_OF_SPEECH = frozenset(("sentence", "word", "viseme", "ssml"))
"""What the member ``type`` says in the marks of synthetic speech."""


def is_speech_mark(row: Any) -> bool:
    """Return True for a mark of synthetic speech, as Amazon Polly writes it for each word.

    >>> is_speech_mark({"time": 6, "type": "word", "start": 0, "end": 4, "value": "well"})
    True
    """
    return (
        isinstance(row, dict)
        and {"time", "type", "value"} <= row.keys()
        and row["type"] in MARKS_OF_SPEECH
    )


def is_log(names: Iterable[str]) -> bool:
    """Return True if the names are those in the log of a program; its messages are not speech.

    >>> is_log(["time", "level", "message"]), is_log(["level", "word"]), is_log(["message"])
    (True, False, False)
    """
    plain = {plain_name(name)[0] for name in names}
    return not plain.isdisjoint(LOGGING) and not plain.isdisjoint(LOGGED)


def party_of_kind(kind: str) -> str:
    """Return the party whose message a kind of rows is; empty for another kind.

    >>> party_of_kind("user_message"), party_of_kind("Agent"), party_of_kind("user_joined")
    ('user', 'agent', '')
    """
    parts = name_parts(kind)
    parties = [part for part in parts if part in PARTIES]
    return parties[0] if len(parties) == 1 and {*parts} <= {*parties} | SAID_PARTS else ""


def are_speakers(name: str, values: Sequence[Any], text: str = "") -> bool:
    """Return True if the values may be speakers. Some names require that values repeat.

    `text` is the name of a text without times: a ``caption`` may be that of a picture.
    """
    if not all(map(is_speaker, values)):
        return False
    if any(isinstance(value, str) and NOBODY.match(value) for value in values):
        return False  # parts of songs
    if are_classes(values):
        return False
    if plain_name(name)[0] == "users" and any(type(value) is int for value in values):
        return False  # how many
    if plain_name(name)[0] in NAMES["start"].plain and any(map(is_time, values)):
        return False
    if plain_name(name)[0] == "tier" and any(is_level(v) or is_sound(v) for v in map(str, values)):
        return False
    if plain_name(name)[0] in ("subject", "subjectid"):
        return all(map(CODE_OF_PERSON.fullmatch, map(str, values))) and _have_repeats(values)
    if plain_name(name)[0] in ("type", "label", "party"):
        return all(isinstance(v, str) and (bool(party_of_kind(v)) or is_label(v)) for v in values)
    if plain_name(name)[0] == "name" and (
        len(values) >= FEWEST_NAMED or plain_name(text)[0] in ("caption", "lyrics")
    ):
        return 1 < len({*map(str, values)}) < len(values) and _have_repeats(values)
    return _have_repeats(values) or plain_name(name)[0] not in PERHAPS_SPEAKERS


def are_classes(values: Iterable[Any]) -> bool:
    """Return True if all values are labels of texts, such as ``pos`` and ``neg``.

    >>> are_classes(["pos", "neg"]), are_classes(["pos", "Ann"]), are_classes([])
    (True, False, False)
    """
    labels = {str(value).strip().lower() for value in values}
    return len(labels) > 1 and labels <= CLASSES_OF_TEXTS


def is_level(name: str) -> bool:
    """Return True if a tier has words, phones or remarks, so that its name is no speaker.

    >>> is_level("Ann - words"), is_level("Ann")
    (True, False)
    """
    return not LEVELS.isdisjoint(name_parts(name))


def is_sound(label: str) -> bool:
    """Return True for the label of what is heard, such as music, which is no speaker.

    >>> is_sound("Music"), is_sound("Ann")
    (True, False)
    """
    return label.strip().lower() in SOUNDS


def _have_repeats(values: Sequence[Any]) -> bool:
    """Return True for few values, or if a tenth of the values repeat an earlier value."""
    distinct = len({*map(str, values)})
    return len(values) < FEWEST_NAMED or (
        distinct < len(values) and 10 * distinct <= 9 * len(values)
    )


def is_speaker(value: Any) -> bool:
    """Return True if a value is a name, a number, an object with one, or a list of one of them."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    if isinstance(value, dict):
        names = (value[name] for name in NAMES_OF_SPEAKERS if value.get(name) is not None)
        return isinstance(next(names, None), (str, int))
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def name_in(value: Any) -> Any:
    """Return the name in an object that says who speaks; any other value unchanged.

    >>> name_in({"id": 7, "name": None, "role": "user"}), name_in("Ann")
    ('user', 'Ann')
    """
    names = NAMES_OF_SPEAKERS if isinstance(value, dict) else ()
    return next((value[name] for name in names if value.get(name) is not None), value)


def likely_names(role: str, names: Collection[str], known: Sequence[str] = ()) -> list[str]:
    """Return the names that may mean a role, the likeliest first.

    The names in `known` (by default all names of the role) come first, then names of times with
    affixes. If there are none for a speaker, the only name with a part that means a speaker is
    returned. The text of a person comes before that of a recogniser.

    >>> likely_names("start", ["utterance_begin", "id", "from"])
    ['from', 'utterance_begin']
    >>> likely_names("text", ["asr_transcript", "original_transcript"])
    ['original_transcript', 'asr_transcript']
    >>> likely_names("speaker", ["speaker_line", "text"])
    ['speaker_line']
    >>> likely_names("text", ["dialogue_jp", "tags_jp"]), likely_names("text", ["say_en", "say_es"])
    (['dialogue_jp'], [])
    """
    plain = {name: plain_name(name)[0] for name in names}
    if role == "text":
        plain |= only_language(names)
    exact = [name for entry in known or NAMES[role].plain for name in names if plain[name] == entry]
    affixed = [name for name in names if time_role(name) == role]
    part = speaker_among(names) if role == "speaker" and not exact else ""
    if role == "text" and exact and not RECOGNISER_PARTS.isdisjoint(name_parts(exact[0])):
        person = text_among(names)
        exact = [person, *exact] if texts_beside(person, names) else exact
    return [*exact, *affixed, *filter(None, [part])]


def only_language(names: Collection[str]) -> dict[str, str]:
    """Map the only name of a text that has a language to its plain name without the language.

    The result is empty if other names mean texts, too.

    >>> only_language(["dialogue_jp", "hi"]), only_language(["text_en", "original_text"])
    ({'dialogue_jp': 'dialogue'}, {})
    """
    known = NAMES["text"].plain
    plain: dict[str, str] = {}
    for name in names:
        parts = name_parts(name)
        others = [part for part in parts if part not in LANGUAGES]
        if len(others) == len(parts) - 1 and "".join(others) in known:
            plain[name] = "".join(others)
    rivals = (n for n in names if n not in plain and not TEXT_PARTS.isdisjoint(name_parts(n)))
    return plain if len(plain) == 1 and not any(rivals) else {}


def are_attributes(name: str, values: Sequence[Any]) -> bool:
    """Return True if values are lists of labels: short parts between commas, many of which return.

    >>> are_attributes("looks", ["tall, brown hair", "tall, blue eyes", "brown hair, hat"])
    True
    >>> are_attributes("said", ["well, so it is.", "no, it is not."])
    False
    """
    if not LABEL_PARTS.isdisjoint(name_parts(name)):
        return True
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    parts = [part.strip() for text in texts for part in text.split(",")]
    are_short = all(word_count(part) <= LONGEST_LABEL and part[-1:] not in ".?!" for part in parts)
    return are_short and len(parts) >= 2 * len(texts) > 0 and 4 * len({*parts}) <= 3 * len(parts)


def clock_names(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the names of the column of starts and of the column of ends, as their values show.

    Starts are clock times (`0:12`, `00:00:12.5`) in at least three rows, which hardly ever
    decrease. Ends are clock times that are not before the starts. The list is shorter if a column
    is missing. Spans that several rows share are those of chunks.

    >>> times = ["0:01", "0:05", "0:09"]
    >>> clock_names({"tiempo": times, "hasta": ["0:04", "0:08", "0:12"], "frase": ["so"] * 3})
    ['tiempo', 'hasta']
    """
    clocks: dict[str, list[float]] = {}
    for name, values in columns.items():
        filled = [v for v in values if v not in (None, "")]
        times = [seconds_of(v) if isinstance(v, str) and ":" in v else None for v in filled]
        known = [float(time) for time in times if time is not None]
        if len(known) == len(times) >= FEWEST_TIMES and len({*known}) > 1:
            clocks[name] = known
    for name, starts in clocks.items():
        falls = sum(first > second for first, second in pairwise(starts))
        if falls <= MOST_FALLS * len(starts):
            ends = (
                other for other, times in clocks.items()
                if other != name and len(times) == len(starts) and all(map(le, starts, times))
            )  # fmt: skip
            named = [name, *islice(ends, 1)]
            spans = {*zip(*(clocks[each] for each in named), strict=True)}
            return named if len(named) < 2 or 2 * len(spans) > len(starts) else []
    return []


def span_names(
    columns: Mapping[str, Sequence[Any]], texts: Sequence[Any], start: str = ""
) -> list[str]:
    """Return the two columns of numbers that may be starts and ends of texts; empty if unclear.

    Starts increase, ends are behind them and hardly ever behind the next start, and people can say
    the texts in that time. Numbers that count the words of the texts are no times. With `start`,
    the starts are in this column. Without ends, the only column of increasing decimals is returned
    if each text can be said before the next begins.

    >>> texts = ["so it is", "well then", "and so on it goes"]
    >>> span_names({"s": [0.5, 2, 3.5], "e": [2, 3, 6], "n": [1, 2, 3], "m": [2, 3, 4]}, texts)
    ['s', 'e']
    >>> span_names({"s": [0, 3, 5], "e": [3, 5, 10]}, texts)
    []
    >>> span_names({"s": [0.5, 2.25, 3.5], "n": [1, 2, 3]}, texts)
    ['s']
    """
    counts = [word_count(text) if isinstance(text, str) else 0 for text in texts]
    numbers: dict[str, list[float]] = {}
    for name, values in columns.items():
        known = [number for value in values if (number := time_number(value)) is not None]
        rises = sum(first < second for first, second in pairwise(known))
        is_rising = rises >= (1 - MOST_FALLS) * (len(known) - 1)
        is_whole = len(known) == len(values) == len(texts) >= FEWEST_TIMES
        is_count = all(second - first == 1 for first, second in pairwise(known))
        are_own = 2 * len({*known}) > len(known)  # others are times of chunks
        if is_whole and is_rising and are_own and not is_count:
            numbers[name] = known
    pairs = [
        [name, other]
        for name, starts in numbers.items()
        if start in ("", name)
        for other, ends in numbers.items()
        if all(map(lt, starts, ends)) and _are_spans(starts, ends, counts)
        and plausible_units(list(zip(starts, ends, map(str, texts), strict=True)))
    ]  # fmt: skip
    alone = [name for name, starts in numbers.items() if _are_starts(starts, counts)]
    alone = alone if len(alone) == 1 and not (pairs or start) else []
    return pairs[0] if len(pairs) == 1 else alone


def _are_starts(starts: Sequence[float], counts: Sequence[float]) -> bool:
    """Return True for increasing seconds with fractions, so far apart that texts can be said."""
    has_fractions = 2 * sum(start % 1 > 0 for start in starts) > len(starts)
    paces = [
        count / (b - a) if b > a else 0
        for count, (a, b) in zip(counts, pairwise(starts), strict=False)
    ]
    slow, fast = RATES
    fitting = sum(slow <= pace <= fast for pace in paces)
    return has_fractions and starts[0] >= 0 and fitting >= (1 - MOST_FALLS) * len(paces)


def _are_spans(starts: Sequence[float], ends: Sequence[float], counts: Sequence[float]) -> bool:
    """Return True if hardly any end is behind the next start, and the lengths count no words."""
    steps = zip(pairwise(starts), ends, strict=False)  # the last end has no start behind it
    late = sum(end > after >= start for (start, after), end in steps)
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    return late <= MOST_FALLS * len(starts) and sum(map(eq, lengths, counts)) * 2 <= len(counts)


def party_names(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Map each column that holds the texts of one party to the party's name.

    The result is empty unless at least two columns hold texts of different parties.

    >>> party_names({"id": [1], "user_text": ["so it is"], "bot_text": ["well then"]})
    {'user_text': 'user', 'bot_text': 'bot'}
    >>> party_names({"user": ["ann"], "bot": ["b1"]})
    {}
    """
    parties_of: dict[str, str] = {}
    for name, values in columns.items():
        parties = PARTIES.intersection(parts := name_parts(name))
        texts = [value for value in values if value not in (None, "")]
        is_said = texts and all(is_wording(text) and not is_time(text) for text in texts)
        is_party = len(parties) == 1 and parties | SAID_PARTS >= {*parts} and is_said
        if is_party and sum(map(word_count, texts)) >= LEAST_OF_PARTY * len(texts):
            (parties_of[name],) = parties
    are_parties = len(parties_of) > 1 and len({*parties_of.values()}) == len(parties_of)
    if are_parties:
        return parties_of
    return (
        _party_and_other(parties_of, columns)
        or questions_and_answers(columns)
        or speakers_of_columns(columns)
    )


def _party_and_other(
    parties_of: Mapping[str, str], columns: Mapping[str, Sequence[Any]]
) -> dict[str, str]:
    """Map the texts of a program, and those of the other party, whose column has no name, to names.

    >>> _party_and_other({"system_text": "system"}, {"system_text": ["so"], "text": ["well"]})
    {'system_text': 'system', 'text': 'other'}
    """
    name, party = next(iter(parties_of.items()), ("", ""))
    said = [part for part in name_parts(name) if part != party]
    others = [n for n in columns if said and n != name and name_parts(n) == said]
    if len(parties_of) != 1 or party not in PROGRAMS or len(others) != 1:
        return {}
    pairs = zip(columns[name], columns[others[0]], strict=False)
    are_same = [bool({*str(a).lower().split()} & {*str(b).lower().split()}) for a, b in pairs if a]
    return {} if all(are_same) and len(are_same) > 1 else {name: party, others[0]: OTHER_PARTY}


def speakers_of_columns(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Map columns to their names if each row has a text in one of them: that of its speaker.

    >>> speakers_of_columns({"Ann": ["so it is", "", "well then", ""], "Ben": ["", "no, no"] * 2})
    {'Ann': 'Ann', 'Ben': 'Ben'}
    """
    spoken: dict[str, list[bool]] = {}
    for name, values in columns.items():
        texts = [value for value in values if value not in (None, "")]
        is_named = not any(plain_name(name)[0] in names.plain for names in NAMES.values())
        is_sparse = len(values) >= FEWEST_NAMED and 1 < len(texts) < len(values)
        are_said = is_sparse and is_named and all(map(is_wording, texts))
        if are_said and sum(map(word_count, texts)) >= LEAST_OF_PARTY * len(texts):
            spoken[name] = [value not in (None, "") for value in values]
    rows = zip(*spoken.values(), strict=True) if len({*map(len, spoken.values())}) == 1 else ()
    is_one_each = len(spoken) > 1 and all(sum(row) == 1 for row in rows)
    return dict(zip(spoken, spoken, strict=True)) if is_one_each else {}


@lru_cache(maxsize=1)
def kinds_of_turns() -> dict[str, str]:
    """Return what each of two texts that are turns is, question or answer, by its plain name."""
    return {
        name_without_unit(name): kind for kind, names in PAIR_OF_TURNS.items() for name in names
    }


def _kind_of_turn(name: str) -> str:
    """Return whether a name is that of a question or an answer; empty if it is neither.

    >>> _kind_of_turn("ticket_text"), _kind_of_turn("ai_response"), _kind_of_turn("note")
    ('question', 'answer', '')
    """
    if kind := kinds_of_turns().get(name_without_unit(name), ""):
        return kind
    parts = name_parts(name)
    spoken = [part for part in parts if part not in TEXT_PARTS]
    words = [part for part in spoken if part not in PARTIES and part not in BESIDE_TURNS]
    is_last = len(words) == 1 and words[0] == spoken[-1]
    is_asked = is_last and words[0] in ASKED_PARTS
    return "question" if is_asked else kinds_of_turns().get(words[0], "") if is_last else ""


def _are_names_that_return(texts: Sequence[str]) -> bool:
    """Return True if values are few short names, such as those of who answers.

    >>> _are_names_that_return(["Ann Lee", "Ben Roe"] * 2), _are_names_that_return(["so it is"])
    (True, False)
    """
    are_short = max(text.count(" ") for text in texts) < LONGEST_OF_NAME
    return are_short and 2 * len({*texts}) <= len(texts) and all(t[:1].isupper() for t in texts)


def questions_and_answers(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Map the only two columns of phrases to their names if they are questions and answers.

    >>> questions_and_answers({"Question": ["how is it"], "Answer": ["it is well"], "n": [1]})
    {'Question': 'question', 'Answer': 'answer'}
    """
    kinds = {name: _kind_of_turn(name) for name in columns}
    if not {*PAIR_OF_TURNS} <= {*kinds.values()}:
        return {}
    phrases = {
        name: kinds[name]
        for name, values in columns.items()
        if (texts := [value for value in values if isinstance(value, str) and value.strip()])
        and not all(map(is_time, texts))
        and sum(map(word_count, texts)) >= LEAST_OF_PARTY * len(texts)
        and (kinds[name] or not _are_names_that_return(texts))
    }
    return phrases if [*phrases.values()] == ["question", "answer"] else {}


def are_words_that_return(values: Sequence[Any]) -> bool:
    """Return True if values are single words of which some return, such as ``good`` and ``bad``.

    >>> are_words_that_return(["good", "bad", "good"]), are_words_that_return(["so it is", "and"])
    (True, False)
    """
    words = [value for value in values if isinstance(value, str) and value]
    return len({*words}) < len(words) and not any(" " in word.strip() for word in words)


def are_pairs(names: Iterable[str]) -> bool:
    """Return True if objects are settings: a name and a value, but no start.

    >>> are_pairs(["name", "value"]), are_pairs(["name", "value", "start"])
    (True, False)
    """
    plain = {plain_name(name)[0] for name in names}
    return plain >= {"name", "value"} and plain.isdisjoint(NAMES["start"].plain)


LEAST_OF_ADDRESSES = 5
"""The most words for each web address in a text that is not speech."""
KINDS_OF_LINKS = frozenset(("web addresses", "file names", "colours", "rules of a style"))
"""Kinds of data that whole columns hold."""
SIGNS_OF_LINKS = ("#", "(", "/", "\\", ";", "px")
"""Signs of which such texts have one, except names of files."""
MOST_LINKS = 0.9
"""The share of texts with addresses, of texts that are not speech."""


def are_links(values: Sequence[Any]) -> bool:
    """Return True if nearly each text is data, such as an address, so that none is speech.

    Data are texts of which a fifth of the words are web addresses, colours, rules of a style, and
    names of files.

    >>> are_links(["a.docx (https://example.org/a)"]), are_links(["see https://a.org", "so it is"])
    (True, False)
    >>> are_links(["#FFFFFF", "rgba(0, 0, 0, 1)"]), are_links(["clips/a.mp3"]), are_links(["#1"])
    (True, True, False)
    """
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    links = [
        text for text in texts
        if LEAST_OF_ADDRESSES * text.count("://") >= len(text.split())
        or _is_data(text)
    ]  # fmt: skip
    return bool(texts) and len(links) >= MOST_LINKS * len(texts)


def _is_data(text: str) -> bool:
    """Return True for an address, the name of a file, a colour or rules of a style."""
    if "." not in text[-6:-1] and not any(sign in text for sign in SIGNS_OF_LINKS):
        return False
    from formats.detection.data_kinds import kind_of_data

    return kind_of_data(text) in KINDS_OF_LINKS


def is_wording(value: Any) -> bool:
    """Return True if a value is a text, but not a date with a time of day.

    >>> is_wording("so it is"), is_wording("2024-05-01 10:00:00"), is_wording(3)
    (True, False, False)
    >>> is_wording("Wed May 01 10:00:00 GMT 2024"), is_wording("We may go at 10:00:00")
    (False, True)
    """
    return isinstance(value, str) and not is_date(value)


def text_among(names: Iterable[str]) -> str:
    """Return the only name with a part that means text; empty if there is none or more than one.

    Of several, the only one whose name says that a person wrote it is returned. The name of a
    prediction does not count as text.

    >>> text_among(["id", "Amazon Transcript"]), text_among(["te_text", "en_text"])
    ('Amazon Transcript', '')
    >>> text_among(["id", "pred_text"]), text_among(["human_transcript", "raw_transcript"])
    ('', 'human_transcript')
    >>> text_among(["original", "translated"]), text_among(["original", "revised"])
    ('original', '')
    >>> text_among(["raw_reference", "raw_hypothesis", "normalized_reference"])
    'raw_reference'
    >>> text_among(["id", "form", "original_form"])
    'form'
    >>> text_among(["speaker", "raw", "clean"]), text_among(["raw", "left"])
    ('raw', '')
    """
    names = [*names]
    said = [n for n in without_contexts(names) if n.lower() not in NAMES["pred_text"].usual]
    texts = [name for name in said if not TEXT_PARTS.isdisjoint(name_parts(name))]
    of_people = [name for name in texts if not REFERENCE_PARTS.isdisjoint(name_parts(name))]
    is_translated = any(not TRANSLATED.isdisjoint(name_parts(name)) for name in said)
    is_normalized = ["normalized", "reference"] in map(name_parts, said)
    is_derived = any(DERIVED_PARTS.issuperset(name_parts(name)) for name in names)
    if FORMS.issubset(names):
        return FORM
    raw = [["original"]] * is_translated + [RAW] * is_normalized
    raw += [[part] for part in MADE_OF] * is_derived
    originals = [n for n in said if name_parts(n) in raw]
    return next((only[0] for only in (texts or originals, of_people) if len(only) == 1), "")


def texts_beside(text: str, names: Iterable[str]) -> list[str]:
    """Return the other names of texts, if the name `text` says that a person wrote it.

    >>> texts_beside("gold_text", ["gold_text", "asr_text"]), texts_beside("text", ["asr_text"])
    (['asr_text'], [])
    """
    if REFERENCE_PARTS.isdisjoint(name_parts(text)):
        return []
    wanted = TEXT_PARTS | ({"reference"} if name_parts(text) == RAW else set())
    return [n for n in names if n != text and not wanted.isdisjoint(name_parts(n))]


def without_contexts(names: Iterable[str]) -> list[str]:
    """Return the names without those of the texts around or made of the text of another name.

    >>> without_contexts(["prev_line", "line", "Next line", "next_word"])
    ['line', 'next_word']
    >>> without_contexts(["verse_text", "clean_verse_text", "clean_text"])
    ['verse_text', 'clean_text']
    >>> without_contexts(["raw", "clean"]), without_contexts(["original_text", "cleaned_text"])
    (['raw'], ['original_text'])
    """
    parts = {name: name_parts(name) for name in names}
    known = [*parts.values()]
    return [
        name for name, words in parts.items()
        if (CONTEXT_PARTS | DERIVED_PARTS).isdisjoint(words[:1])
        or not (words[1:] in known or (DERIVED_PARTS.issuperset(words[:1]) and any(
            [part, *words[1:]] in known for part in MADE_OF)))
    ]  # fmt: skip


def speaker_among(names: Iterable[str]) -> str:
    """Return the only name with a part that means a speaker; empty if there is none.

    If there are several, return the one that also has a part meaning "name", or an empty text.

    >>> speaker_among(["speaker_line", "text"]), speaker_among(["speaker_count", "text"])
    ('speaker_line', '')
    """
    parts = {name: name_parts(name) for name in names}
    speakers = [
        name for name, words in parts.items()
        if (not SPEAKER_PARTS.isdisjoint(words) and NO_SPEAKERS.isdisjoint(words))
        or words[-2:] in SAID_BY
    ]  # fmt: skip
    named = [name for name in speakers if not {"name", "username"}.isdisjoint(parts[name])]
    return next((only[0] for only in (speakers, named) if len(only) == 1), "")


def name_beside_id(speaker: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Return the member with the names of speakers whose ids are in `speaker`, or `speaker`.

    There must be a name for each id, and no fewer different names than ids.

    >>> name_beside_id("speaker_id", {"speaker_id": [1, 2], "speakerDisplayName": ["Ann", "Ben"]})
    'speakerDisplayName'
    >>> name_beside_id("speaker_id", {"speaker_id": [1, 2], "speaker_name": ["Unknown"] * 2})
    'speaker_id'
    """
    if name_parts(speaker)[-1:] != ["id"]:
        return speaker
    ids = columns[speaker]
    for name, values in columns.items():
        parts = name_parts(name)
        is_name = parts[-1:] in (["name"], ["label"]) and not SPEAKER_PARTS.isdisjoint(parts)
        is_name = is_name or (parts[-1:] in (["name"], ["text"]) and parts[-2:-1] == ["character"])
        are_full = len(values) >= len(ids) and all(isinstance(v, str) and v for v in values)
        if is_name and are_full and len({*values}) >= len({*map(str, ids)}):
            return name
    return speaker


def are_offsets(spans: Iterable[tuple[float, float | None, str]]) -> bool:
    """Return True if starts and ends count characters: most differences are lengths of texts.

    >>> are_offsets([(0, 8, "so it is"), (9, 16, "and now")]), are_offsets([(0, 8, "yes")] * 2)
    (True, False)
    """
    lengths = [(end - start, text) for start, end, text in spans if end is not None]
    fitting = sum(length == len(text) > 1 for length, text in lengths)
    return len(lengths) > 1 and fitting * 2 > len(lengths)


def field_role(name: str) -> str:
    """Return the role for a field name such as ``Start Time``; empty if there is none.

    >>> [field_role(name) for name in ("Start Time", "Waktu Mulai", "Speaker", "Topic")]
    ['start', 'start', 'speaker', '']
    """
    if not TEXT_PARTS.isdisjoint(name_parts(name)):
        return "text"
    return _roles_of_fields().get(plain_name(name)[0]) or time_role(name)


@lru_cache(maxsize=1)
def _roles_of_fields() -> dict[str, str]:
    """Return the role of each plain name; of several roles the first in `FIELD_ROLES`."""
    return {name: role for role in reversed(FIELD_ROLES) for name in NAMES[role].plain}


def are_columns(names: Sequence[str]) -> bool:
    """Return True if two of the names are those of a text and of a start or a speaker.

    >>> are_columns(["Time", "Speaker", "Text"]), are_columns(["A", "so it is", "sd"])
    (True, False)
    """
    roles = {*map(field_role, names)}
    return "text" in roles and not roles.isdisjoint(("start", "speaker"))


def are_fields(names: Iterable[str]) -> bool:
    """Return True if at least two field names are repeated: the names are not speakers.

    >>> are_fields(["Time", "Speaker", "Text"] * 2), are_fields(["Speaker 1", "Ann"] * 2)
    (True, False)
    """
    counts = Counter(names)
    # a letter is the initial of a speaker: ``T: well?``, ``P: yes``
    roles = {field_role(name) for name, count in counts.items() if count > 1 and len(name) > 1}
    return len(roles - {""}) > 1


def are_parties(values: Sequence[Any]) -> bool:
    """Return True if most values are parties in a conversation, such as doctor and patient.

    So are the kinds of their messages.

    >>> are_parties(["doctor", "patient"]), are_parties(["userMessage", "bot_message", "call"])
    (True, True)
    """
    names = [value.strip() for value in values if isinstance(value, str)]
    of_kinds = {name: party_of_kind(name) for name in {*names}}
    parties = [party for name in names if (party := of_kinds[name])]
    return len(set(parties)) > 1 and 2 * len(parties) > len(values)


def is_role(line: str) -> bool:
    """Return True for the name of a party or the label of a speaker."""
    return line.lower() in PARTIES or is_label(line)


def roles_alone(text: str) -> list[str]:
    r"""Return the lines at the beginning of a text that are roles alone, above what they say.

    >>> roles_alone("USER\nso it is\nASSISTANT:\nwell then"), roles_alone("so\nit is")
    (['USER', 'ASSISTANT'], [])
    """
    return [line[1] for line in ROLE_ALONE.finditer(text[:LONGEST_TEXT]) if is_role(line[1])]


def speaker_by_values(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return the first column whose values are parties, or labels that recognisers give; or "".

    >>> speaker_by_values({"n": [1, 2], "k": ["SPEAKER_00", "SPEAKER_01"] * 2})
    'k'
    """
    for name, values in columns.items():
        labels = {value for value in values if isinstance(value, str) and is_label(value)}
        are_named = any(value[1:2].isalpha() for value in labels)  # ``S1`` may be a setting
        are_labels = (
            are_named
            and 1 < len(labels) <= len(values) / 2
            and all(value in labels for value in values if value)
        )
        if are_labels or are_parties(values):
            return name
    return ""


NO_MEMBERS: Mapping[str, str] = {}
"""The members of roles, if the user names none."""


def mapped_members(text: str, roles: Sequence[str] = ROLES, side: str = "") -> dict[str, str]:
    """Parse ``--member`` such as ``start=startMs,text=line``; return the member of each role."""
    members: dict[str, str] = {}
    for pair in filter(None, text.split(",")):
        role, is_pair, name = pair.partition("=")
        if role not in roles or not is_pair or not name:
            raise OptionError(value=Message(MEMBER_ROLE, {"roles": [*roles], "text": pair}, side))
        members[role] = name
    return members


def lift_members(rows: Iterable[Any], members: Mapping[str, str]) -> None:
    """Copy nested members to the top level; their path, such as ``speaker.name``, is the new name.

    If a path leads through a list of objects, the list of their members is copied.

    >>> row = {"speaker": {"name": "Ann"}, "text": "hello"}
    >>> lift_members([row], {"speaker": "speaker.name"})
    >>> row["speaker.name"]
    'Ann'
    """
    paths = [path for path in members.values() if "." in path]
    for row in rows if paths else ():
        for path in paths:
            value = row
            for name in path.split("."):
                value = _member_of(value, name)
            if value is not None:
                row.setdefault(path, value)


def _member_of(value: Any, name: str) -> Any:
    """Return a member of an object; for a list of objects, the list of their members."""
    if isinstance(value, list) and value:
        return [_member_of(each, name) for each in value]
    return value.get(name) if isinstance(value, dict) else None


def columns_or_members(columns: str, member: str) -> tuple[list[str], str]:
    """Return the column names, and `member`; ``role=name`` pairs in `columns` are added to it.

    >>> columns_or_members("id,text", ""), columns_or_members("start=Begin", "text=Line")
    ((['id', 'text'], ''), ([], 'start=Begin,text=Line'))
    """
    if "=" in columns:
        return [], ",".join(filter(None, (columns, member)))
    return columns.split(",") if columns else [], member


def check_members(members: Mapping[str, str], present: Any, path: str) -> None:
    """Raise an error if no element has one of the members that the option maps to roles."""
    for name in members.values():
        if name not in present:
            listed = ", ".join(map(quoted, list(present)[:10])) or "none"
            raise OptionError(path=path, expected=f"a member {quoted(name)}", found=listed)


def is_time(value: Any) -> bool:
    """Return True if a value is a number, or a text that `seconds_of` can parse."""
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_time_code(value: Any) -> bool:
    """Return True if a value is a time code ``hours:minutes:seconds:frames``."""
    return isinstance(value, str) and TIME_CODE.match(value.strip()) is not None


def times_of_span(text: Any) -> list[str]:
    """Return start and end in a text such as ``00:00:01,5 --> 00:00:02``; empty for other texts.

    >>> times_of_span("[00:01 --> 00:02.5]"), times_of_span("so --> be it")
    (['00:01', '00:02.5'], [])
    >>> times_of_span("(0.0, 2.48)"), times_of_span("(2.48, None)"), times_of_span("(1, 2)")
    (['0.0', '2.48'], ['2.48', ''], [])
    >>> times_of_span("0.0s - 2.48s"), times_of_span("2.5-4.0"), times_of_span("2 - 4")
    (['0.0', '2.48'], ['2.5', '4.0'], [])
    """
    span = TIME_SPAN.match(text) if isinstance(text, str) else None
    return [time.replace("None", "") for time in span.groups() if time] if span else []


def is_pair(value: Any) -> bool:
    """Return True for a list of start and end, of which the end may be null, and for `None`."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != 2 or value[0] is None:
        return False
    return all(time is None or is_time(time) for time in value)


def seconds_of(text: str) -> str | None:
    """Convert a clock time or duration to a number of seconds, as text; `None` for any other text.

    >>> seconds_of("[0:05]"), seconds_of("(5)"), seconds_of("00:00:01:250")
    ('5.000000000', None, '1.250000000')
    >>> seconds_of("00: 01: 05")
    '65.000000000'
    >>> seconds_of("0 days 00:01:05"), seconds_of("1:00 PM")
    ('65.000000000', '46800.000000000')
    """
    text = MILLISECONDS.sub(r"\1.\2", text.strip().replace(": ", ":"))
    if ":" in text and text[:1] + text[-1:] in BRACKETS:
        text = text[1:-1].strip()
    if JOINED_CLOCK.match(text):
        text = text.replace("_", ":")
    try:
        if days := DAYS.match(text):
            time = int(days[1] or 0) * DAY * SECOND + parse_clock(days[2])
        elif half := HALF_OF_DAY.match(text):
            time = _time_of_half_day(*half.groups())
        elif ":" in text:
            time = parse_clock(text)
        elif parts := ISO.match(text):
            hours, minutes, rest = parts.groups()
            whole, _, fraction = rest.replace(",", ".").partition(".")
            time = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(whole)
            time = time * SECOND + int(fraction.ljust(9, "0")[:9])
        else:
            return text if re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]*)?", text) else None
    except ValueError:
        return None
    return f"{time // SECOND}.{time % SECOND:09d}"


def _time_of_half_day(clock: str, half: str) -> int:
    """Return a time of day with AM or PM in nanoseconds after midnight."""
    hour, _, rest = clock.partition(":")
    seconds = rest if ":" in rest else f"{rest}:00"
    return parse_clock(f"{int(hour) % 12 + 12 * (half in 'Pp'):02d}:{seconds}")


def number_of(value: object) -> float | None:
    """Convert a number or numeric text to a number, or return `None`; whole numbers stay whole."""
    if isinstance(value, str) and value.isascii() and value.replace(".", "", 1).isdigit():
        value = float(value) if "." in value else int(value[:18])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None  # type: ignore[return-value, arg-type]


def time_number(value: object) -> float | None:
    """Convert a number or clock time to a number in the unit of the file, or return `None`."""
    return number_of(seconds_of(value) if isinstance(value, str) else value)


def plausible_units(
    spans: Sequence[tuple[float, float | None, str]], rates: tuple[float, float] = RATES
) -> list[int]:
    """Return the units of time (how many make a second) that give speech a natural pace.

    Each span has a start, an end and a text. If ends are missing, a text lasts until the next
    start; then the median pace is used, so that a long pause has no effect. The result is empty for
    fewer than five words.

    >>> plausible_units([(0, 2100, "so we begin with"), (2100, 3000, "the minutes")])
    [1000]
    """
    timed = [
        (end - start, word_count(text))
        for start, end, text in spans
        if end is not None and end >= start
    ]
    length = sum(length for length, _ in timed)
    words = sum(words for _, words in timed)
    if not timed and spans:
        lengths = [max(0, after[0] - before[0]) for before, after in pairwise(spans)]
        counts = [word_count(text) for _, _, text in spans[:-1]]
        words = sum(counts)
        paces = sorted(
            length / count for length, count in zip(lengths, counts, strict=True) if count
        )
        length = words * paces[len(paces) // 2] if paces else 0
    if words < FEWEST_WORDS or not length:
        return []
    return [unit for unit in PLAUSIBLE_UNITS if rates[0] <= words * unit / length <= rates[1]]


def unit_of_turns(spans: Sequence[tuple[float, float | None, str]]) -> int:
    """Return the unit (how many make a second) that gives turns usual lengths; 0 if unclear.

    >>> unit_of_turns([(0, 4100, ""), (4100, 4300, ""), (4300, 9000, "")])
    1000
    >>> unit_of_turns([(0, 4, ""), (4, 9, "")]), unit_of_turns([(0, 300, "")])
    (1, 0)
    """
    lengths = sorted(end - start for start, end, _ in spans if end is not None)
    usual = lengths[len(lengths) // 2] if lengths else 0
    if usual > LONGEST_TURN:
        return 1000
    return 1 if 0 < usual < 1000 * SHORTEST_TURN else 0


SLOWEST, FASTEST = 0.3, 10
"""Words a second that people speak, pauses included."""


def word_count(text: str) -> float:
    """Count the words of a text; in scripts without blanks, a character counts as half a word."""
    without_blanks = len(NO_BLANKS.findall(text))
    return without_blanks / 2 if without_blanks else len(text.split())
