"""What the program of a chat writes in place of a person: ``<Media omitted>``."""

from __future__ import annotations

from formats.io.messages import CHAT_NOTICES
from formats.reading.member_names import plain_name
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.io.source import Source
    from formats.schema.model import Segment

NOTICE = "\u200e"
"""The mark with which a chat begins what the program says, and no person."""
WHOLE = lazy_pattern(
    r"(?i)<(?=[^<>\n]{0,60}(?:[ :]|[^\W\d_a-z]))[^<>=/@\n]{2,80}>\Z"
    r"|[^\s()<>/]{1,80}\.[a-z0-9]{2,5}[ ]\([^()\n]{3,40}\)\Z"
    r"|(?:gif|image|video|audio|sticker|photo|document|(?:contact|media|voice|view)[a-z ]{1,30})"
    r" omitted\Z"
)
"""A whole message in angle brackets, the name of a file with a remark, or ``image omitted``."""
PHRASES = frozenset(
    ("this message was deleted", "you deleted this message", "null",
     "missed voice call", "missed video call", "missed group voice call",
     "missed group video call", "waiting for this message",
     "waiting for this message. this may take a while", "live location shared",
     "mensagem apagada", "você apagou esta mensagem", "esta mensagem foi apagada",
     "imagem ocultada", "vídeo omitido", "áudio ocultado", "figurinha omitida",
     "documento omitido", "gif omitido", "chamada de voz perdida", "chamada de vídeo perdida",
     "se eliminó este mensaje", "eliminaste este mensaje", "imagen omitida", "audio omitido",
     "video omitido", "sticker omitido", "llamada perdida", "videollamada perdida",
     "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht", "bild weggelassen",
     "video weggelassen", "audio weggelassen", "sticker weggelassen", "dokument weggelassen",
     "verpasster sprachanruf", "verpasster videoanruf", "ce message a été supprimé",
     "vous avez supprimé ce message", "image absente", "vidéo absente", "audio omis",
     "sticker omis", "appel vocal manqué", "appel vidéo manqué",
     "questo messaggio è stato eliminato", "hai eliminato questo messaggio", "immagine omessa",
     "video omesso", "audio omesso", "sticker non incluso", "dit bericht is verwijderd",
     "je hebt dit bericht verwijderd", "afbeelding weggelaten", "video weggelaten",
     "audio weggelaten", "sticker weggelaten", "bu mesaj silindi", "bu mesajı sildiniz",
     "görüntü dahil edilmedi", "video dahil edilmedi", "ses dahil edilmedi",
     "çıkartma dahil edilmedi", "pesan ini telah dihapus", "pesan ini dihapus",
     "anda telah menghapus pesan ini", "anda menghapus pesan ini", "сообщение удалено",
     "данное сообщение удалено", "вы удалили данное сообщение", "הודעה זו נמחקה",
     "תמונה הושמטה", "تم حذف هذه الرسالة")
)  # fmt: skip
"""What a program writes in place of a message."""
SECURED = lazy_pattern(
    r"(?i)\W{0,3}(?:your )?(?:messages|nachrichten|los mensajes|as mensagens|les messages"
    r"|i messaggi"
    r"|berichten|mesajlar|pesan|wiadomości)\b[^\n]{0,80}?"
    r"(?:end-to-end|ende-zu-ende|extremo a extremo|ponta a ponta|bout en bout|uçtan uca"
    r"|kompleksow)"
)
"""A message that says that the messages of a chat are encrypted; a person may say so, too."""
FEWEST_PEOPLE, MOST_OF_NOTICE, LONGEST_SHOWN = 2, 12, 60
"""The fewest people of a chat, the most words of a notice, and the characters that are shown."""
PROGRAMS = frozenset(
    ("groupnotification", "systemnotification", "systemmessage", "chatnotification",
     "notification", "servicemessage", "groupevent")
)  # fmt: skip
"""Plain names of a sender that is the program of a chat, as programs that export chats write it."""


def is_notice(text: str) -> bool:
    """Return True for a whole message that the program wrote in place of a person.

    >>> [is_notice(x) for x in ("<Media omitted>", "a.jpg (file attached)", "image omitted")]
    [True, True, True]
    >>> [is_notice(x) for x in ("<div>", "so (as I said)", "he omitted it", "a.jpg")]
    [False, False, False, False]
    """
    if text.startswith(NOTICE) or text.strip(" .\xa0").casefold() in PHRASES:
        return True
    return text[-1:] in (">", ")", "d", "D") and WHOLE.match(text) is not None


def without_notices_in_rows(
    source: Source, first: Sequence[Segment], segments: Iterable[Segment]
) -> Iterator[Segment]:
    """Yield rows without messages that the program of a chat wrote; count these in a note.

    `first` are the first rows; at least two speakers and more than half of the rows are people. All
    rows of a speaker are notices if its name is that of a program, or if it wrote nothing else.
    """
    speakers = {segment.speaker for segment in first}
    programs = _programs(first)
    notices = sum(segment.speaker in programs or _is_notice_in_row(segment) for segment in first)
    if len(speakers - programs - {None}) < FEWEST_PEOPLE or 2 * notices >= len(first):
        yield from segments
        return
    count, example = 0, ""
    for segment in segments:
        if segment.speaker in programs or _is_notice_in_row(segment):
            count, example = count + 1, example or " ".join(segment.words)[:LONGEST_SHOWN]
        else:
            yield segment
    if count:
        source.log.say(CHAT_NOTICES, count=count, text=example)


def _programs(rows: Sequence[Segment]) -> set[str | None]:
    """Return the speakers that are programs, by their names or by all that they wrote."""
    texts: dict[str, list[str]] = {}
    for row in rows:
        if row.speaker is not None:
            texts.setdefault(row.speaker, []).append(" ".join(row.words))
    return {
        name
        for name, said in texts.items()
        if plain_name(name)[0] in PROGRAMS
        or (any(map(SECURED.match, said)) and all(SECURED.match(t) or is_notice(t) for t in said))
    }


def _is_notice_in_row(segment: Segment) -> bool:
    """Return True for a brief row that is a notice, or one without a speaker on encryption."""
    words = segment.words
    if not words or segment.starts_ns is not None:
        return False
    if segment.speaker is None and SECURED.match(" ".join(words)):
        return True
    return len(words) <= MOST_OF_NOTICE and is_notice(" ".join(words).lstrip(NOTICE))
