"""Messages with their sender and their receiver, as the chats of Zoom write them in any language.

The program writes a time, a word before the sender, the sender, a word before the receiver and the
receiver: ``10:00:05 From Ann to Everyone:``. The two words are the same in all messages, so that
they are found without a list of languages. Such heads are written with ``From`` and ``to``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from formats.meetings.turns.plain import LEAST, SEPARATED, Lines, if_in_sample
from formats.reading.speakers import LOG_WORDS
from formats.schema import NamedTuple, lazy_pattern

STAMPED = lazy_pattern(
    r"[ \t]{0,9}\[?((?:[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4},?[ T])?"
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[ ]?[AaPp]\.?[Mm]\.?)?)\]?[ \t]{1,9}(?=[^\W\d_])"
)
"""The time of a message, and perhaps its date."""
COLONS = lazy_pattern(r"[:：](?=\s|\Z)")
PRIVATE = lazy_pattern(r"[ ]?[(（][^()（）\n]{1,60}[)）]\Z")
"""What the program writes behind a receiver: ``(Direct Message)``."""
LONGEST_HEAD, MOST_OF_NAME = 160, 6
HEAD = "{stamp} From {name} to {receiver}:{text}"


class MessageHead(NamedTuple):
    """The head of a message: its time, the words up to the last colon, and the text behind it."""

    stamp: str
    words: tuple[str, ...]
    text: str


class SenderWords(NamedTuple):
    """The word before the senders, empty without one, and the word before the receivers."""

    sender: str
    receiver: str


@if_in_sample
def with_senders_first(lines: Lines) -> Lines:
    """Write the heads of messages with a sender and a receiver as Zoom writes them in English.

    >>> chat = ["10:00:01 Nuŋ Ann Bai Kulang:", "so", "10:00:05 Nuŋ Ben Bai Kulang: yes"]
    >>> chat = [*chat, "10:00:07 Nuŋ Ann Bai Ben: no: I", "10:00:09 Nuŋ Ben Bai Kulang: well"]
    >>> [line for _, line in with_senders_first(list(enumerate(chat)))][:3]
    ['10:00:01 From Ann to Kulang:', 'so', '10:00:05 From Ben to Kulang: yes']
    >>> talk = [f"10:00:0{n} {name} to room {n}: so" for n, name in enumerate(("Ann", "Ben") * 3)]
    >>> with_senders_first(list(enumerate(talk)))[0]
    (0, '10:00:00 Ann to room 0: so')
    """
    stamped = [(n, match.end()) for n, (_, line) in enumerate(lines) if (match := _stamp(line))]
    if len(stamped) < LEAST:
        return lines
    heads = {n: head for n, end in stamped if (head := _head(lines[n][1], end)) is not None}
    words = _sender_words([*heads.values()]) if len(heads) >= SEPARATED * len(stamped) else None
    if words is None or words.receiver == "to":
        return lines
    changed = list(lines)
    for n, head in heads.items():
        if parts := _parts(head, words):
            name, receiver, text = parts
            line = HEAD.format(stamp=head.stamp, name=name, receiver=receiver, text=text)
            changed[n] = (lines[n][0], line)
    return changed


def _stamp(line: str) -> re.Match[str] | None:
    """Return the match of the time at the beginning of a line."""
    return STAMPED.match(line) if ":" in line[:30] else None


def _head(line: str, end: int) -> MessageHead | None:
    """Return the head of a message whose time ends at a position; None without a colon."""
    rest = line[end : end + LONGEST_HEAD]
    colons = [match.end() for match in COLONS.finditer(rest)]
    if not colons:
        return None
    return MessageHead(line[:end].strip(" \t[]"), tuple(rest[: colons[-1]].split()), line[end:])


def _sender_words(heads: Sequence[MessageHead]) -> SenderWords | None:
    """Return the words before senders and receivers that nearly all heads have."""
    least = max(LEAST, SEPARATED * len(heads))
    first, count = Counter(head.words[0] for head in heads).most_common(1)[0]
    sender = first if count >= least and first.strip(":：").upper() not in LOG_WORDS else ""
    begin = 2 if sender else 1
    shared = Counter(
        word for head in heads for word in dict.fromkeys(head.words[begin : MOST_OF_NAME + 2])
    )
    # an arrow between two names is understood without this
    spelt = [word for word, n in shared.items() if n >= least and any(map(str.isalpha, word))]
    for receiver in spelt:
        words = SenderWords(sender, receiver)
        parts = [part for head in heads if (part := _parts(head, words))]
        if len(parts) >= least and _are_people(parts, least):
            return words
    return None


def _parts(head: MessageHead, words: SenderWords) -> tuple[str, str, str] | None:
    """Return the sender, the receiver and the text of a message; None if it has other words."""
    begin = 1 if words.sender else 0
    if words.receiver not in head.words[begin + 1 :] or head.words[:begin] != words[:begin]:
        return None
    place = head.words.index(words.receiver, begin + 1)
    name = " ".join(head.words[begin:place])
    if not name or len(name.split()) > MOST_OF_NAME or COLONS.search(name):
        return None
    behind = head.text
    for word in head.words[: place + 1]:
        behind = behind.lstrip()[len(word) :]
    colon = COLONS.search(behind)
    if colon is None or not behind[: colon.start()].strip():
        return None
    return name, behind[: colon.start()].strip(), behind[colon.end() :]


def _are_people(parts: Sequence[tuple[str, str, str]], least: float) -> bool:
    """Return True if several senders return, and receivers are all of them or one of them."""
    names = Counter(name for name, _, _ in parts)
    receivers = Counter(PRIVATE.sub("", receiver) for _, receiver, _ in parts)
    everybody, count = receivers.most_common(1)[0]
    to_one = sum(n for receiver, n in receivers.items() if receiver in names)
    sure = to_one + (0 if everybody in names else count)
    again = sum(n for n in names.values() if n > 1)
    return len(names) > 1 and 2 * again > len(parts) and sure >= least and 2 * count > len(parts)
