"""Rows of several kinds, as in scripts: dialogue, directions, sounds, headings, partial results.

Rows that nobody says are not read if the same file also has rows of speech.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from formats.reading.member_names import MOST_TRIED, NAMES, PERHAPS_SPEAKERS, name_parts, plain_name
from formats.reading.member_values import party_of_kind

NAMES_OF_KINDS = frozenset(
    ("type", "kind", "cmd", "command", "event", "subtype", "elementtype", "linetype", "rowtype",
     "eventtype", "messagetype", "texttype", "contenttype", "beattype", "nodetype", "entrytype",
     "blocktype", "resulttype", "paragraphtype", "typ", "art", "tipo")
)  # fmt: skip
"""Names of members or columns that say of which kind a row is."""
SPEECH = frozenset(
    ("dialogue", "dialog", "speech", "say", "said", "line", "spoken", "voiceover", "vo",
     "narration", "narrator", "monologue", "monolog", "internalmonologue", "innermonologue",
     "thought", "utterance", "message", "chat", "question", "answer", "turn", "default", "reply",
     "text", "inputtext", "outputtext", "paragraph",
     "dialogo", "diálogo",
     "réplique", "replique", "реплика", "диалог", "对白", "对话", "台词", "セリフ", "대사")
)  # fmt: skip
"""Kinds of rows that somebody says."""
NO_SPEECH = frozenset(
    ("action", "stagedirection", "stagedirections", "direction", "directions", "didascalie",
     "didascalia", "acotación", "ремарка", "动作", "ト書き", "지문",
     "sceneheading", "heading", "header", "scene", "slug", "slugline", "transition",
     "parenthetical", "parentheticals", "setting", "scenedescription", "description", "synopsis",
     "sfx", "fx", "soundeffect", "sound", "sounds", "music", "bgm", "bg", "background", "image",
     "picture", "shot", "camera", "silence", "pause", "title", "pagenumber", "pagebreak",
     "notice", "notification", "service", "system", "choice", "choices", "option", "menu",
     "channeljoin", "channelleave", "channeltopic", "channelpurpose", "channelname",
     "channelarchive", "groupjoin", "groupleave", "botadd", "botremove", "pinneditem",
     "guildmemberjoin", "recipientadd", "recipientremove", "channelpinnedmessage", "threadcreated",
     "systemeventmessage", "mcpcall", "toolcall", "functioncall", "tooluse", "toolresult",
     "toolresponse", "functionresponse", "toolmessage", "functioncalloutput", "servertooluse",
     "imageurl", "inputimage", "inputaudio", "inputfile", "thinking", "redactedthinking",
     "reasoning", "embed", "divider", "delimiter", "horizontalrule")
)  # fmt: skip
"""Kinds of rows that nobody says."""
OF_MODELS = frozenset(("role", "from"))
"""Names of members that say who a message in a chat with a model is from."""
MODELS = frozenset(("assistant", "gpt", "model", "bot", "chatbot", "ai", "agent"))
USERS = frozenset(("user", "human", "customer", "caller", "client"))
NO_TURNS = frozenset(("system", "developer", "tool", "function", "ipython", "environment"))
"""Who the instructions to a model, and the results of its tools, are from."""
TRANSCRIPTS = frozenset(("transcript", "transcription"))
"""Kinds beside which all kinds that are no speech are of something else."""
SUBTYPE = "subtype"
"""The kind of a notice in Slack's exports."""
PARTIAL, FINAL = frozenset(("partial", "interim")), frozenset(("final", "transcript"))
"""Parts of kinds of results that a later result replaces, and of those that stay."""
FLAGS_OF_FINAL = frozenset(("isfinal", "final"))
"""Names of members that are false in results that a later result replaces."""
CUES = frozenset(("character", "charactername", "speaker", "cue", "personnage", "personaje"))
"""Kinds of rows that have nothing but the name of who says the next rows."""
SPEAKERS = frozenset(NAMES["speaker"].plain) - NAMES_OF_KINDS
"""Names of speakers, unless they say the kind."""
SURE_SPEAKERS = SPEAKERS - PERHAPS_SPEAKERS - {"label", "role"}
"""Names of speakers that hardly mean anything else."""
NO_NAMES = ("", "None", "none", "null")
WORD_LISTS = frozenset(("word", "words", "tokens", "wordlist", "timedwords"))
"""Names of lists of words."""
NO_ROWS = WORD_LISTS | {"alignment"}
"""Names of lists whose kinds are those of words."""
MOST_LOOKED_AT = 20
"""The elements of a list called ``tokens`` that show whether they are phrases."""
LEAST_SPEECH = 0.1
"""The share of rows that are speech; where it is smaller, other rows may hold speech, too."""


def _plain(kind: Any) -> str:
    """Return the kind of a row without signs between its words; empty if it is no short text."""
    return "".join(name_parts(kind)) if isinstance(kind, str) and len(kind) < 40 else ""


def is_speech(kind: Any) -> bool:
    """Return True for a kind of rows that somebody says.

    >>> is_speech("internal_monologue"), is_speech("FinalTranscript"), is_speech("action")
    (True, True, False)
    """
    plain = _plain(kind)
    parts = frozenset(name_parts(kind)) if plain else frozenset()
    is_message = bool(plain) and " " not in kind and len(parts) > 1 and bool(party_of_kind(kind))
    return (
        plain in SPEECH or is_message or (not FINAL.isdisjoint(parts) and PARTIAL.isdisjoint(parts))
    )


def is_unspoken(kind: Any) -> bool:
    """Return True for a kind of rows that nobody says, or that a later row replaces.

    >>> is_unspoken("Stage direction"), is_unspoken("partial_transcript"), is_unspoken("poem")
    (True, True, False)
    """
    plain = _plain(kind)
    return plain in NO_SPEECH or (bool(plain) and not PARTIAL.isdisjoint(name_parts(kind)))


def kinds_in(names: Iterable[str]) -> list[str]:
    """Return the names that may say of which kind a row is, or whether it is final."""
    kinds = NAMES_OF_KINDS | FLAGS_OF_FINAL | OF_MODELS
    return [name for name in names if plain_name(name)[0] in kinds]


def left_kinds(name: str, counts: Mapping[Any, int]) -> Collection[Any]:
    """Return the values of a kind whose rows nobody says; empty if there are no rows of speech.

    `counts` has the number of rows with a text of each kind.

    >>> sorted(left_kinds("type", {"dialogue": 30, "action": 9, "sfx": 2, "poem": 1}))
    ['action', 'sfx']
    >>> left_kinds("role", {"system": 9, "user": 9, "assistant": 9})
    ['system']
    >>> left_kinds("role", {"system": 9, "user": 9})
    []
    >>> left_kinds("type", {"transcript": 30, "moment": 2})
    ['moment']
    >>> left_kinds("type", {"action": 30, "comedy": 9}), left_kinds("is_final", {True: 3, False: 9})
    ([], [False])
    """
    if plain_name(name)[0] in FLAGS_OF_FINAL:
        flags = {str(kind).lower(): kind for kind in counts}
        return [flags["false"]] if {"true", "false"} <= flags.keys() else []
    if plain_name(name)[0] in OF_MODELS:
        small = {kind: _plain(kind) for kind in counts}
        is_chat = not (MODELS.isdisjoint(small.values()) or USERS.isdisjoint(small.values()))
        return [kind for kind in counts if is_chat and small[kind] in NO_TURNS]
    speech = sum(count for kind, count in counts.items() if is_speech(kind) or _is_party(kind))
    transcripts = sum(count for kind, count in counts.items() if _plain(kind) in TRANSCRIPTS)
    has_transcripts = 2 * transcripts >= sum(counts.values())
    left = [
        kind for kind in counts
        if not _is_party(kind)
        and (is_unspoken(kind) or (has_transcripts and _plain(kind) and not is_speech(kind)))
    ]  # fmt: skip
    return left if left and speech >= LEAST_SPEECH * sum(counts.values()) else []


def _is_party(kind: Any) -> bool:
    return isinstance(kind, str) and bool(party_of_kind(kind)) and not is_speech(kind)


def without_unspoken(top: list[Any], dropped: Counter[str], levels: int) -> list[Any]:
    """Return the values of a document without the rows of kinds that nobody says.

    `dropped` counts them by kind. Rows that only name the speaker of the next ones, as in scripts,
    become the speakers of these.

    >>> rows = [{"type": "action", "text": "Rain."}, {"type": "dialogue", "text": "so it is"}]
    >>> without_unspoken([rows], dropped := Counter(), 6), dropped
    ([[{'type': 'dialogue', 'text': 'so it is'}]], Counter({'action': 1}))
    >>> rows[0] = {"type": "character", "text": "ANN"}
    >>> without_unspoken([rows], dropped, 6)
    [[{'type': 'dialogue', 'text': 'so it is', 'speaker': 'ANN'}]]
    """
    counts: dict[str, Counter[Any]] = {}
    speakers = Counter[str]()
    _count(top, counts, speakers, levels)
    left = {name: frozenset(values) for name, of_name in counts.items()
            if (values := left_kinds(name, of_name))}  # fmt: skip
    cues = {name: frozenset(value for value in of_name if _plain(value) in CUES)
            for name, of_name in counts.items() if any(map(is_speech, of_name))}  # fmt: skip
    cues = {name: values for name, values in cues.items() if values and not speakers}
    if not left and not cues:
        return top
    kept: list[Any] = _Kinds(left, cues, [*dict(speakers.most_common())], dropped).rest(top, levels)
    return kept


def _inner(rows: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Return the members that say the kind of objects, and those that hold objects or lists."""
    objects = [row for row in rows[:MOST_TRIED] if isinstance(row, dict)]
    names = dict.fromkeys(name for row in objects for name in row)
    parts = {n: [row.get(n) for row in objects] for n in names}
    nested = [
        n for n, values in parts.items()
        if any(isinstance(value, (dict, list)) for value in values)
        and (plain_name(n)[0] not in NO_ROWS or any(map(_are_phrases, values)))
    ]  # fmt: skip
    return kinds_in(names), nested


def _are_phrases(value: Any) -> bool:
    """Return True for a list of objects with a kind, of which one has a text of several words."""
    return isinstance(value, list) and any(
        isinstance(row, dict) and kinds_in(row)
        and any(isinstance(part, str) and " " in part.strip() for part in row.values())
        for row in value[:MOST_LOOKED_AT]
    )  # fmt: skip


def _count(tree: Any, counts: dict[str, Counter[Any]], speakers: Counter[str], levels: int) -> None:
    """Count the objects of each kind in all lists of a tree, and the members of their speakers."""
    if not levels or not isinstance(tree, (dict, list)):
        return
    if isinstance(tree, dict):
        for part in tree.values():
            _count(part, counts, speakers, levels - 1)
        return
    names, nested = _inner(tree)
    for name in names:
        kinds = Counter(kind for row in tree if (kind := _kind(row, name)) is not None)
        counts.setdefault(name, Counter()).update(kinds)
        if any(map(is_speech, kinds)):
            speakers.update(
                key for row in tree[:MOST_TRIED] if is_speech(_kind(row, name))
                for key in row if plain_name(key)[0] in SPEAKERS
            )  # fmt: skip
    for row in tree:
        if isinstance(row, list):
            _count(row, counts, speakers, levels - 1)
        for name in nested if isinstance(row, dict) else ():
            _count(row.get(name), counts, speakers, levels - 1)


def _kind(row: Any, name: str) -> Any:
    """Return what a member says of the kind of a row; `None` if it is no text and no flag.

    Messages have a ``subtype`` only if nobody says them.
    """
    kind = row.get(name, "message" if name == SUBTYPE else None) if isinstance(row, dict) else None
    return kind if isinstance(kind, (str, bool)) else None


class _Kinds(NamedTuple):
    """Kinds that nobody says and kinds that name speakers, by member; the members of speakers."""

    left: Mapping[str, Collection[Any]]
    cues: Mapping[str, Collection[Any]]
    speakers: Sequence[str]
    dropped: Counter[str]

    def rest(self, tree: Any, levels: int) -> Any:
        """Return a tree without the objects that nobody says, with the speakers of the others."""
        if not levels or not isinstance(tree, (dict, list)):
            return tree
        if isinstance(tree, dict):
            parts = {name: self.rest(part, levels - 1) for name, part in tree.items()}
            return parts if any(parts[name] is not tree[name] for name in parts) else tree
        names, nested = _inner(tree)
        rows: list[Any] = list(tree)
        for name in names:
            rows = self._with_cues(rows, name) if name in self.cues else rows
            if kinds := self.left.get(name):
                self.dropped.update(str(k) for row in rows if (k := _kind(row, name)) in kinds)
                rows = [self._with_speaker(r) for r in rows if _kind(r, name) not in kinds]
        for number, row in enumerate(rows):
            if isinstance(row, list):
                rows[number] = self.rest(row, levels - 1)
            elif nested and isinstance(row, dict):
                inner = {n: self.rest(row[n], levels - 1) for n in nested if n in row}
                if any(inner[n] is not row[n] for n in inner):
                    rows[number] = {**row, **inner}
        is_new = len(rows) < len(tree) or any(a is not b for a, b in zip(rows, tree, strict=True))
        return rows if is_new else tree

    def _with_cues(self, rows: list[Any], name: str) -> list[Any]:
        """Return rows without those that only name a speaker, who says the speech below."""
        speaker, kept = "", []
        for row in rows:
            if _kind(row, name) in self.cues[name]:
                texts = [v for k, v in row.items() if k != name and isinstance(v, str)]
                speaker = next((text.strip() for text in texts[::-1] if text.strip()), "")
            elif speaker and is_speech(_kind(row, name)):
                kept.append({**row, "speaker": speaker})
            else:
                kept.append(row)
        return kept

    def _with_speaker(self, row: Any) -> Any:
        """Return an object with its speaker in the member in which most objects have theirs.

        >>> _Kinds({}, {}, ["speaker", "character_id"], Counter())._with_speaker(
        ...     {"character_id": "Ann", "text": "so it is"})
        {'character_id': 'Ann', 'text': 'so it is', 'speaker': 'Ann'}
        """
        usual = self.speakers[0] if len(self.speakers) > 1 and isinstance(row, dict) else ""
        if not usual or row.get(usual) is not None:
            return row
        names = (row[name] for name in self.speakers[1:] if plain_name(name)[0] in SURE_SPEAKERS
                 and isinstance(row.get(name), str) and row[name] not in NO_NAMES)  # fmt: skip
        name = next(names, "")
        return {**row, usual: name} if name else row
