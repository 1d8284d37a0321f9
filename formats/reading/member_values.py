"""Roles of members and columns by their values: speakers, parties of a talk, texts and data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from formats.reading.dates import is_date
from formats.reading.member_names import (
    LABEL_PARTS,
    NAMES,
    NAMES_OF_SPEAKERS,
    PERHAPS_SPEAKERS,
    SAID_PARTS,
    SPEAKER_PARTS,
    TEXT_PARTS,
    _names,
    name_parts,
    name_without_unit,
    plain_name,
)
from formats.reading.speakers import LONGEST_TEXT, NOBODY, is_label
from formats.reading.time_values import is_time, word_count
from formats.schema import lazy_pattern

CODE_OF_PERSON = lazy_pattern(r"[A-Za-z]{0,10}[-_ ]?[0-9]{1,8}[A-Za-z]?")
"""The code of a subject of a study: ``S12``. Other subjects are those of messages."""
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
LONGEST_LABEL = 3
"""The most words of a label in a list of labels."""
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
PARAGRAPHS = frozenset(("paragraph", "text"))
"""Kinds of texts that are answers beside questions."""
ASKED_PARTS = frozenset(("ticket", "inquiry", "enquiry", "complaint", "request", "prompt", "ask"))
"""Names of what a customer or a user wrote, beside an answer."""
GIVEN, MADE = frozenset(("input", "instruction")), "output"
"""Names of a text and of what was made of it: turns if a party is named, or the first are asked."""
NUMBERED_PARTY = lazy_pattern(
    r"(speaker|person|participant|persona|character|user|human|spk|actor|player)[ _-]?([12ab])\Z",
    re.IGNORECASE,
)
"""The name of one of two persons."""
PAIRS_OF_NUMBERS = ({"1", "2"}, {"a", "b"})
PAIRS_OF_PERSONS = (
    {"a", "b"}, {"npc", "player"}, {"me", "you"}, {"man", "woman"}, {"boy", "girl"},
    {"male", "female"}, {"mother", "child"}, {"he", "she"}, {"you", "them"}, {"me", "them"},
)  # fmt: skip
"""Names of two members that are persons, if these have the only phrases."""
LEAST_OF_PERSONS = 3
"""The fewest words of what such persons say on average."""
QUESTION_MARKS = ("?", "？", "؟", "՞")
LEAST_ASKED = 1 / 4
"""The share of inputs that are asked, and of outputs that are not, if they are turns."""
BESIDE_TURNS = frozenset(("support", "model", "llm", "company", "service", "chat", "email"))
"""What the names of two texts that are turns may have, besides the name of a party."""
LONGEST_OF_NAME = 4
"""The most words of a name."""
LEAST_OF_PARTY = 1.5
"""The fewest words of the texts of a party on average."""


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
        are_known = all(isinstance(v, str) and (party_of_kind(v) or is_label(v)) for v in values)
        return (
            are_known
            or {*map(str, values)} == {"Q", "A"}
            or (plain_name(name)[0] == "type" and are_parts_of_interview(map(str, values)))
        )
    if plain_name(name)[0] == "name" and (
        len(values) >= FEWEST_NAMED or plain_name(text)[0] in ("caption", "lyrics")
    ):
        return 1 < len({*map(str, values)}) < len(values) and _have_repeats(values)
    return _have_repeats(values) or plain_name(name)[0] not in PERHAPS_SPEAKERS


def are_parts_of_interview(kinds: Iterable[str]) -> bool:
    """Return True if kinds of texts are questions and answers; paragraphs are answers.

    >>> are_parts_of_interview(["question", "answer"]), are_parts_of_interview(["q", "paragraph"])
    (True, True)
    >>> are_parts_of_interview(["message", "context"]), are_parts_of_interview(["text"])
    (False, False)
    """
    names = {*map(name_without_unit, kinds)}
    sides = {"answer" if name in PARAGRAPHS else kinds_of_turns().get(name) for name in names}
    return sides == {*PAIR_OF_TURNS}


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
        or _numbered_parties(columns)
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


def _numbered_parties(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Map the only columns of phrases to their names if these are two persons: ``person_a``.

    >>> texts = {"speaker1": ["so it is then, or not"], "speaker2": ["well no, it is not"]}
    >>> _numbered_parties({**texts, "n": [1]})
    {'speaker1': 'speaker1', 'speaker2': 'speaker2'}
    >>> _numbered_parties({"speaker1": ["Ann Lee"], "speaker2": ["Ben Roe"]})
    {}
    """
    kinds: dict[str, set[str]] = {}
    phrases: list[str] = []
    for name, values in columns.items():
        texts = [value for value in values if value not in (None, "")]
        if not texts or not all(isinstance(text, str) for text in texts):
            continue
        if sum(map(word_count, texts)) < LEAST_OF_PARTY * len(texts):
            continue
        phrases.append(name)
        if match := NUMBERED_PARTY.match(name):
            kinds.setdefault(match[1].lower(), set()).add(match[2].lower())
    are_pairs = len(kinds) == 1 and next(iter(kinds.values())) in PAIRS_OF_NUMBERS
    names = {name.lower() for name in phrases}
    if len(phrases) != 2 or not (are_pairs or names in PAIRS_OF_PERSONS):
        return {}
    texts = [text for name in phrases for text in columns[name] if text]
    are_said = all(is_wording(text) for text in texts) and not all(map(str.istitle, texts))
    is_long = sum(map(word_count, texts)) >= LEAST_OF_PERSONS * len(texts)
    return {name: name for name in phrases} if are_said and is_long else {}


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


def kind_of_turn(name: str) -> str:
    """Return whether a name is that of a question or an answer; empty if it is neither.

    >>> kind_of_turn("ticket_text"), kind_of_turn("ai_response"), kind_of_turn("note")
    ('question', 'answer', '')
    >>> kind_of_turn("user_input"), kind_of_turn("llmOutput"), kind_of_turn("input_text")
    ('question', 'answer', '')
    """
    if kind := kinds_of_turns().get(name_without_unit(name), ""):
        return kind
    parts = name_parts(name)
    spoken = [part for part in parts if part not in TEXT_PARTS]
    words = [part for part in spoken if part not in PARTIES and part not in BESIDE_TURNS]
    is_last = len(words) == 1 and words[0] == spoken[-1]
    has_party = len(spoken) > 1
    if is_last and has_party and words[0] == MADE:
        return "answer"
    is_asked = is_last and words[0] in (ASKED_PARTS | GIVEN if has_party else ASKED_PARTS)
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
    kinds = {name: kind_of_turn(name) for name in columns}
    kinds |= _inputs_and_outputs(columns)
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


def _inputs_and_outputs(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Map an input and its output to what they are as turns, if the inputs are asked, else {}.

    >>> _inputs_and_outputs({"input": ["how is it?"], "output": ["it is well"]})
    {'input': 'question', 'output': 'answer'}
    >>> _inputs_and_outputs({"input": ["so it is"], "output": ["so ist es"]})
    {}
    """
    inputs = [n for n in columns if name_without_unit(n) in GIVEN and any(columns[n])]
    outputs = [n for n in columns if name_without_unit(n) == MADE]
    if len(inputs) != 1 or len(outputs) != 1:
        return {}
    asked, answered = _share_asked(columns[inputs[0]]), _share_asked(columns[outputs[0]])
    are_turns = asked >= LEAST_ASKED and answered <= LEAST_ASKED * asked
    return {inputs[0]: "question", outputs[0]: "answer"} if are_turns else {}


def _share_asked(values: Sequence[Any]) -> float:
    """Return the share of texts that end with a question mark."""
    texts = [value.rstrip() for value in values if isinstance(value, str) and value.strip()]
    return sum(text.endswith(QUESTION_MARKS) for text in texts) / max(len(texts), 1)


def are_words_that_return(values: Sequence[Any]) -> bool:
    """Return True if values are single words of which some return, such as ``good`` and ``bad``.

    >>> are_words_that_return(["good", "bad", "good"]), are_words_that_return(["so it is", "and"])
    (True, False)
    """
    words = [value for value in values if isinstance(value, str) and value]
    return len({*words}) < len(words) and not any(" " in word.strip() for word in words)


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


def name_beside_id(speaker: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Return the member with the names of speakers whose ids are in `speaker`, or `speaker`.

    There must be a name for each id, and no fewer different names than ids. Names beside labels
    of a diariser may be fewer if they have several words in capitals: one person, several labels.

    >>> name_beside_id("speaker_id", {"speaker_id": [1, 2], "speakerDisplayName": ["Ann", "Ben"]})
    'speakerDisplayName'
    >>> name_beside_id("speaker_id", {"speaker_id": [1, 2], "speaker_name": ["Unknown"] * 2})
    'speaker_id'

    Rows without an id, such as directions, may lack the name.

    >>> name_beside_id("speaker_id", {"speaker_id": [1, ""], "speaker_name": ["Ann", ""]})
    'speaker_name'
    """
    rows = len(columns[speaker])
    with_id = [n for n, code in enumerate(columns[speaker]) if code not in ("", None)]
    columns = {
        name: [values[n] for n in with_id] if len(values) == rows else values
        for name, values in columns.items()
    }
    ids = columns[speaker]
    are_labels = any(isinstance(v, str) and is_label(v) and "_" in v for v in ids)
    if name_parts(speaker)[-1:] != ["id"] and not are_labels:
        return speaker
    for name, values in columns.items():
        parts = name_parts(name)
        is_name = parts[-1:] in (["name"], ["label"]) and not SPEAKER_PARTS.isdisjoint(parts)
        is_name = is_name or (parts[-1:] in (["name"], ["text"]) and parts[-2:-1] == ["character"])
        are_full = len(values) >= len(ids) and all(isinstance(v, str) and v for v in values)
        if not is_name or not are_full or name == speaker:
            continue
        are_persons = are_labels and all(map(_is_full_name, values))
        if are_persons or len({*values}) >= len({*map(str, ids)}):
            return name
    return speaker


def _is_full_name(value: str) -> bool:
    """Return True for a name of a person: several words with capitals, but no label."""
    return " " in value and value.istitle() and not is_label(value)


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
