"""Roles of members and columns by their names, ignoring case, separators, affixes and units.

`NAMES` is the only table of these names. It applies to columns of tables, and to members in JSON
lists and JSON lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from formats.io.messages import MEMBER_ROLE
from formats.reading.time_values import LONG_UNITS, UNITS
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Message

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
MOST_TRIED = 200
"""Rows or elements that names and units are taken from."""
MOST_REMEMBERED = 50
"""Names of a row whose roles are remembered for other rows with these names."""
LONGEST_NAMED = 1000
"""Characters of a name. A longer one is a text, without parts."""


class RoleNames:
    """The names for a role: the `usual` names as written, then others, the likeliest first.

    A usual name has the role whatever its values are; upper and lower case are equal. If there are
    several usual names, the first is used. Other names, in the form of `plain_name`, have the role
    if there is no usual name and the values fit.
    """

    def __init__(self, usual: tuple[str, ...], others: tuple[str, ...] = ()) -> None:
        self.usual = usual
        self.others = others

    @cached_property
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
        "word punctuatedword content body utterance value message msg mes caption subtitle line "
        "displaytext finalsentence words segment asrtranscript asrtext sentences transcripts "
        "quote dialogue "
        "speech narration voiceover narrationtext voiceovertext phrase stt utterances utteredtext "
        "textspoken spokentext texttranscript onebest "
        "paragraph paragraphs lyric lyrics lines captions subtitles "
        "contenu contenido conteúdo contenuto inhalt nachricht mensaje mensagem messaggio "
        "texto testo texte teks transkript transkription transcripción transcripcion "
        "transcrição transcricao trascrizione transkripsi 文本 文字 内容 字幕 テキスト 텍스트 "
        "参考文本 句子 hanzi 台词 臺詞 歌词 歌詞 가사 对白 對白 वाक्य said spoken sent gt txt "
        "anforandetext snippet cue dialog fulltext chunktext tokens gloss statement statements "
        "talk script usermessage say "
        "lexical utt orth orthography token w "
        "текст транскрипция расшифровка реплика фраза tekst teksti metin szöveg "
        "frase satz äußerung äusserung aeusserung énoncé enonce enunciado enunciato "
        "réplique replique battuta uitspraak uiting yttrande ytring "
        "转写 转写文本 转录 转录文本 文本内容 说话内容 发言内容 识别结果 原文 "
        "syncedlyrics plainlyrics sermontext speechtext dialoguetext dialogtext utterancetext "
        "dialogues dialogs "
        "lờithoại nộidung репліка متن النص ข้อความ טקסט κείμενο "
        "セリフ 台詞 せりふ wypowiedź сообщение 消息 消息内容 訊息 メッセージ 메시지 메세지 viesti "
        "besked meddelande "
        "wiadomość повідомлення mesaj الرسالة رسالة הודעה "
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
        "participantname participantrole participanttype participantpurpose "
        "participantid subject subjectid "
        "character characters char name role who person personid personname sender author user "
        "username users sendername authorname membername channelname politicianname mpname "
        "nickname nick player persona "
        "from fromid type actor userid characterid actorid personaid roleid castid "
        "talker voice agent caller member "
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
        "спікер ngườinói nhânvật ομιλητής वक्ता बोलनेवाला বক্তা பேச்சாளர் "
        "sp osoba postać postava персонаж персонажи автор отправитель nadawca odesílatel 送信者 "
        "发送者 发送人 發送者 發送人 발신자 보낸사람 konuşan avsändare afsender lähettäjä gönderen "
        "participante partecipante interlocutore interlocutora teilnehmer teilnehmerin deelnemer "
        "uczestnik участник участница キャラ名 キャラクター名 "
        "personne persoon pessoa henkilö kişi المرسل השולח",
    ),
    "channel": _names("channel", "channelid channeltag mediachannel"),
    "start": _names(
        "start start_time begin begin_time in onset offset",
        "from ts timestamp timeincall timeinvideo elapsedtime t0 startoffset bg "
        "time datetime timecode at t "
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
    *("username", "user_name", "userName", "screen_name", "screenName", "nickname", "nick"),
    *("login", "handle", "first_name", "firstName", "last_name", "lastName"),
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
PERHAPS_SPEAKERS = frozenset(
    ("name", "who", "sender", "author", "user", "username", "nickname", "nick", "player", "from",
     "figur", "rolle", "actor", "userid", "voice", "char", "owner", "identity", "displayname",
     "agent", "caller", "tier", "host", "npc", "displayas", "authorid", "sp", "member",
     "quoteauthor", "osoba", "автор", "personne", "persoon", "pessoa", "henkilö", "kişi",
     "отправитель", "nadawca", "送信者", "发送者", "发送人", "發送者", "發送人", "발신자")
)  # fmt: skip
"""Names of speakers whose values have to return, as they have other meanings."""
FIELD_ROLES = ("text", "start", "end", "duration", "speaker", "confidence", "language")
"""Roles of fields of records that are written one below the other."""
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
TITLE_PARTS = frozenset(
    ("title", "topic", "goal", "aim", "objective", "theme", "subject", "category", "location",
     "setting", "summary", "excerpt", "note", "notes", "database", "font", "file", "name", "date")
)  # fmt: skip
"""Parts of names of texts that are about speech and none."""
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
SOURCES, TARGETS = frozenset(("source", "src")), frozenset(("target", "tgt", "trg"))
"""Parts of names of texts and of their translations."""
_CHINESE, _JAPANESE = "zh zho cn chi cmn chinese mandarin hanzi", "ja jp jpn japanese kanji"
PRONUNCIATIONS = {
    **dict.fromkeys(("pinyin", "py", "zhuyin", "bopomofo"), _CHINESE),
    **dict.fromkeys(("romaji", "furigana", "hiragana", "kana", "katakana"), _JAPANESE),
    **dict.fromkeys(("jyutping", "yale"), "yue cantonese zh"),
    **dict.fromkeys(
        ("pronunciation", "pronounced", "phonetic", "phonetics", "phonemes", "ipa", "romanized",
         "romanization", "romanisation", "transliteration", "transliterated", "rom", "translit"), ""
    ),
}  # fmt: skip
"""Parts of names of how a text is pronounced, each with the names of the texts it is beside."""
RECOGNISER_PARTS = frozenset(("asr", "stt"))
"""Parts of names of texts that a recogniser made."""
FORM = "form"
FORMS = frozenset((FORM, "original_form"))
"""The text in usual spelling, and the sounds that were said, in Korean corpora."""
CONTEXT_PARTS = frozenset(("prev", "previous", "next"))
"""First parts of names of the texts around a text."""
GUIDE_PARTS = frozenset(
    ("guide", "guides", "guideline", "guidelines", "instruction", "instructions", "template",
     "templates", "schema")
)  # fmt: skip
"""Parts of names of what says how a text is to be written, which is no text that was said."""
MEASURE_PARTS = frozenset(("count", "counts", "length", "duration", "size", "score", "scores"))
READ_TIME = frozenset(("read", "time")), frozenset(("reading", "time"))
"""Parts of names of what is counted or measured in a text, such as ``readTimeTranscript``."""
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


def name_parts(name: str) -> list[str]:
    """Return the words of a name in lower case.

    >>> name_parts("startTime"), name_parts("End_time (s)")
    (['start', 'time'], ['end', 'time', 's'])
    """
    return [*_name_parts(name)] if len(name) <= LONGEST_NAMED else [name]


@lru_cache(maxsize=1024)
def _name_parts(name: str) -> tuple[str, ...]:
    return tuple(JOINTS.sub(" ", name).lower().split())


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
    return _time_role(name) if len(name) <= LONGEST_NAMED else ""


@lru_cache(maxsize=1024)
def _time_role(name: str) -> str:
    parts = name_parts(_without_remark(name)[0])
    named = [part for part in parts if part not in AFFIXES and part not in UNITS]
    return next((role for role, names in TIMES.items() if "".join(named) in names), "")


def is_log(names: Iterable[str]) -> bool:
    """Return True if the names are those in the log of a program; its messages are not speech.

    >>> is_log(["time", "level", "message"]), is_log(["level", "word"]), is_log(["message"])
    (True, False, False)
    """
    plain = {plain_name(name)[0] for name in names}
    return not plain.isdisjoint(LOGGING) and not plain.isdisjoint(LOGGED)


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
    if len(names) > MOST_REMEMBERED:
        return _likely_names.__wrapped__(role, names, known)
    return [*_likely_names(role, tuple(names), tuple(known))]


@lru_cache(maxsize=1024)
def _likely_names(role: str, names: Collection[str], known: Sequence[str]) -> list[str]:
    plain = {name: plain_name(name)[0] for name in names}
    if role == "text":
        plain |= only_language(names)
    by_plain: dict[str, list[str]] = {}
    for name in names:
        by_plain.setdefault(plain[name], []).append(name)
    exact = [name for entry in known or NAMES[role].plain for name in by_plain.get(entry, ())]
    affixed = [name for name in names if time_role(name) == role]
    part = speaker_among(names) if role == "speaker" and not exact else ""
    if role == "text" and exact and not RECOGNISER_PARTS.isdisjoint(name_parts(exact[0])):
        person = text_among(names)
        exact = [person, *exact] if texts_beside(person, names) else exact
    return [*exact, *affixed, *filter(None, [part])]


def only_language(names: Collection[str]) -> dict[str, str]:
    """Map the only name of a text that has a language to its plain name without the language.

    The result is empty if other names mean texts, too. A text whose pronunciation is beside it, and
    no other text without a language, is the text.

    >>> only_language(["dialogue_jp", "hi"]), only_language(["text_en", "original_text"])
    ({'dialogue_jp': 'dialogue'}, {})
    >>> only_language(["role", "zh", "pinyin", "ja"]), only_language(["role", "zh", "ja"])
    ({'zh': 'text'}, {})
    """
    if spelt := _spelt_text(names):
        return {spelt: "text"}
    known = NAMES["text"].plain
    plain: dict[str, str] = {}
    for name in names:
        parts = name_parts(name)
        others = [part for part in parts if part not in LANGUAGES]
        if len(others) == len(parts) - 1 and "".join(others) in known:
            plain[name] = "".join(others)
    rivals = (n for n in names if n not in plain and not TEXT_PARTS.isdisjoint(name_parts(n)))
    return plain if len(plain) == 1 and not any(rivals) else {}


def originals_beside(names: Iterable[str]) -> set[str]:
    """Return the languages, as parts of names, whose pronunciation is among names.

    >>> sorted(originals_beside(["role", "text_jyutping", "en"]))
    ['cantonese', 'yue', 'zh']
    """
    parts = {part for name in names for part in name_parts(name)}
    return {code for part in parts for code in PRONUNCIATIONS.get(part, "").split()}


def _spelt_text(names: Collection[str]) -> str:
    """Return the only name of a text whose pronunciation has a name, too; empty if it is open."""
    originals = originals_beside(names)
    if not originals:
        return ""
    parts = {name: name_parts(name) for name in names}
    others = NAMES["text"].plain
    if any(plain_name(name)[0] in others and originals.isdisjoint(parts[name]) for name in names):
        return ""
    spelt = [
        name for name, words in parts.items()
        if not originals.isdisjoint(words) and (originals | TEXT_PARTS).issuperset(words)
    ]  # fmt: skip
    return spelt[0] if len(spelt) == 1 else ""


def are_pairs(names: Iterable[str]) -> bool:
    """Return True if objects are settings: a name and a value, but no start.

    >>> are_pairs(["name", "value"]), are_pairs(["name", "value", "start"])
    (True, False)
    """
    plain = {plain_name(name)[0] for name in names}
    return plain >= {"name", "value"} and plain.isdisjoint(NAMES["start"].plain)


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
    >>> text_among(["role", "transcriptGuide"]), text_among(["full_text", "readTimeText"])
    ('', 'full_text')
    """
    names = [name for name in names if not _is_of_text(name_parts(name))]
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


def _is_of_text(parts: Sequence[str]) -> bool:
    """Return True for the name of a guide to writing a text, or of the length of a text."""
    measures = GUIDE_PARTS | MEASURE_PARTS
    return not measures.isdisjoint(parts) or any(map(frozenset(parts).issuperset, READ_TIME))


def likeliest_first(words: Mapping[str, float], around: Iterable[str] = ()) -> list[str]:
    """Return names of texts by their numbers of words; titles and aims come last.

    Before these come translations and pronunciations. A text whose pronunciation is among the
    names, or `around` them, is the original, and comes first. Names that differ only in numbers
    stay in the order of the file.

    >>> likeliest_first({"goal": 90, "de": 8, "line_1": 4, "line_2": 9})
    ['line_1', 'line_2', 'de', 'goal']
    >>> likeliest_first({"pinyin": 9, "translation": 9, "en": 7, "zh": 4})
    ['zh', 'en', 'translation', 'pinyin']
    >>> likeliest_first({"tgt_text": 9, "src_text": 7}), likeliest_first({"target": 9, "n": 1})
    (['src_text', 'tgt_text'], ['target', 'n'])
    """
    groups: dict[str, list[str]] = {}
    for name in words:
        groups.setdefault("".join(c for c in name if not c.isdigit()), []).append(name)
    parts = {group: name_parts(group) for group in groups}
    originals = originals_beside((*words, *around))
    has_source = any(not SOURCES.isdisjoint(named) for named in parts.values())
    translated = TRANSLATED | TARGETS if has_source else TRANSLATED
    ranks = {
        group: (
            not TITLE_PARTS.isdisjoint(parts[group]),
            not PRONUNCIATIONS.keys().isdisjoint(parts[group]),
            not translated.isdisjoint(parts[group]),
            originals.isdisjoint(parts[group]),
            -max(words[n] for n in names),
        )
        for group, names in groups.items()
    }
    return [name for group in sorted(groups, key=ranks.__getitem__) for name in groups[group]]


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


def field_role(name: str) -> str:
    """Return the role for a field name such as ``Start Time``; empty if there is none.

    >>> [field_role(name) for name in ("Start Time", "Waktu Mulai", "Speaker", "Topic")]
    ['start', 'start', 'speaker', '']
    """
    return _field_role(name) if len(name) <= LONGEST_NAMED else ""


@lru_cache(maxsize=1024)
def _field_role(name: str) -> str:
    """Return what `field_role` does."""
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
