"""Choice of the layout that explains most lines of a text, if it explains enough.

In a layout of blocks, the times are alone on their lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from formats.detection import SIGNS_OF_TURNS
from formats.meetings.layouts import INSIDE
from formats.meetings.turns.accounts import TurnLayout, TurnText
from formats.meetings.turns.dated_messages import are_dated_blocks
from formats.meetings.turns.evidence import (
    DOUBT_OF_NAMES,
    are_in_one_order,
    are_logged,
    are_sounds,
    are_verses,
    is_one_phrase,
    is_role,
    score_of,
)
from formats.meetings.turns.heads import (
    BLOCKS,
    IDS,
    UNTIMED,
    WRITTEN_UNTIMED,
    head_of,
    row_of,
)
from formats.meetings.turns.plain import LEAST, NUMBER_IN_MARGIN, SEPARATED, Lines
from formats.meetings.turns.timed import DOUBT_OF_TIMES, score_of_times
from formats.meetings.turns.written_names import sign_of_names
from formats.reading.lines import strip_blanks
from formats.reading.member_names import are_fields
from formats.reading.patterns import FRENCH_TITLE, TITLE
from formats.reading.speakers import (
    LONGEST,
    NOTATIONS,
    SOUNDS_TOO,
    is_label,
    is_name,
)
from formats.schema import lazy_pattern

MOST_KEPT = 20_000
"""The most lines of a text whose choice is cached: those of what its detection reads, and more."""
DOUBTFUL = 0.6
"""The share of lines with a head from which a text that has no layout is none of prose either."""
MARKS = lazy_pattern(
    "|".join(re.escape(sign) for sign in SIGNS_OF_TURNS.split(" ") if sign not in '*_0"')
)
"""Signs of turns anywhere in a line; of the others `BEGIN` tells where they are signs."""
BEGIN = lazy_pattern(
    rf"[ \t]*(?:[0-9]{{1,2}}(?:[ ]{{2,40}}|[ ]?\t[ \t]{{0,9}}))?"
    rf"(?:{FRENCH_TITLE}|[0-9]{{1,3}}(?:[hm分][ ]?[0-9]|s[ ])"
    rf"|(?:{TITLE})?[A-Z\u00c0-\u00de\u0410-\u042f]{{2}}|[QA][0-9]{{0,3}}\.?[ \t]"
    r"|[^\s.]{1,200}\.(?:wav|mp3|flac)[ ]|\S{1,60}(?:[ \t][0-9]+\.[0-9]+){2}(?=[ \t]|\Z)"
    r"|[0-9]{1,2}[ ](?i:hour|heure|hora|minu|se[ckg]|stund)"
    r"|[*_]|[0-9]+\.[0-9]|[0-9]{1,9}[ \t][0-9]{1,9}[ \t][^\W\d_]"
    r"|(?=[^\s0-9]{0,300}[0-9])\w[^\s,;]{0,300}[,;]"
    r"|\"[^\s\"]{1,300}\"[ \t,:]{1,9}\"|[^\W\d_][\w.' -]{0,30}(?:[,:][ ])?[ ]?[\"“「『])"
)
"""A beginning without any of them has no turns, unless names are alone."""

SIGNED = lazy_pattern(r"[ \t]*[^\W\d_][\w' ]{0,30}?(?:[.;)]|[ ]~)(?=[ ])")
"""A few words and a sign that are perhaps a name: ``Ann. So it was``."""
UTTERANCE = lazy_pattern(
    r"([A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*[-_][0-9]{3,})(?:[ \t][A-Za-z' \t]*)?\Z"
)
"""A line of Kaldi's text: an identifier of an utterance and words."""


def may_have_turns(lines: Sequence[str]) -> bool:
    """Return False if a text surely has no turns: no signs of turns, and no name returns.

    A text of utterances with different identifiers has none either; its names are not tried.
    """
    utterances = [UTTERANCE.match(line) for line in lines if line and not line.isspace()]
    identifiers = {utterance[1] for utterance in utterances if utterance}
    if len(identifiers) == len(utterances):
        return False
    if any(map(MARKS.search, lines)) or any(map(BEGIN.match, lines)):
        return True
    if are_dated_blocks(lines) or sign_of_names(lines):
        return True
    short = Counter(
        text for line in lines
        if 0 < len(text := strip_blanks(NUMBER_IN_MARGIN.sub("", line, count=1))) <= LONGEST
        and not text[0].islower()
    )  # fmt: skip
    signed = Counter(match[0] for line in lines if (match := SIGNED.match(line)))
    if sum(count >= LEAST for count in signed.values()) > 1:
        return True
    again = [text for text, count in short.items() if count > 1]
    return any(
        text.istitle() or text.isupper() or is_label(text)
        or (text.lower() == text.upper() and is_name(text)) for text in again
    )  # fmt: skip


class Trust(IntEnum):
    """How far a layout explains a text, against the reading without turns."""

    PLAIN = 0
    """It explains too little: the text is plain."""
    LIKELY = 1
    """Some lines look like turns: a remark names them."""
    NAMED = 2
    """It explains most lines, which is enough if the user named the format."""
    DOUBTFUL = 3
    """It explains too many lines for prose, but too few for certainty."""
    SURE = 4


class LayoutChoice(NamedTuple):
    """The layout that explains most of a text, how far it does, and the lines; `None` for prose.

    `margin` is how much more evidence there is for turns than is needed to be beyond doubt, in log
    odds; below 0, the turns are doubtful.
    """

    trust: Trust
    layout: TurnLayout | None = None
    text: TurnText | None = None
    margin: float = 0.0


def choice_of(lines: Lines, patterns: Sequence[str] = ()) -> LayoutChoice:
    """Return the layout that explains most of a text: the same for every question about it.

    That of a short text is cached, as its detection and its reading ask. `patterns` are those of
    texts beside this one, the likeliest first: it has one of them, or no turns.
    """
    if patterns:
        text = TurnText(lines, patterns)
        layout = next((x for x in text.layouts if _fits_as_beside(x, text)), None)
        return LayoutChoice(Trust.SURE, layout, text) if layout else LayoutChoice(Trust.PLAIN)
    return _kept_choice(tuple(lines)) if len(lines) <= MOST_KEPT else _choice_of(lines)


@lru_cache(maxsize=2)
def _kept_choice(lines: tuple[tuple[int, str], ...]) -> LayoutChoice:
    """Return the choice, which is cached, also beside that of the text without its chapters."""
    return _choice_of(list(lines))


def _choice_of(lines: Lines) -> LayoutChoice:
    """Return the layout that explains most of a text."""
    if not may_have_turns([line for _, line in lines]):
        return LayoutChoice(Trust.PLAIN)
    text = TurnText(lines)
    are_records = _are_records(text)
    scores = [_score_of(layout, text) for layout in text.layouts]
    trusts = [
        Trust.SURE if score > 0 and not are_records else _trust(layout, text)
        for layout, (score, _) in zip(text.layouts, scores, strict=True)
    ]
    most = max(trusts, default=Trust.PLAIN)
    if most is Trust.PLAIN:
        return LayoutChoice(most)
    best = _best(
        [layout for layout, trust in zip(text.layouts, trusts, strict=True) if trust is most]
    )
    margin = max(
        score - doubt for layout, (score, doubt) in zip(text.layouts, scores, strict=True)
        if _size_of(layout) == _size_of(best)
    )  # fmt: skip
    return LayoutChoice(most, best, text, margin)


def _size_of(layout: TurnLayout) -> tuple[int, int, int]:
    """Return what layouts have in common that find the same turns."""
    return layout.heads, layout.speakers, layout.timed


def _score_of(layout: TurnLayout, text: TurnText) -> tuple[float, float]:
    """Return the evidence for the turns of a layout, and how much is beyond doubt, in log odds."""
    heads = text.heads(layout.pattern).values()
    are_named = 2 * sum(bool(head.name) for head in heads) >= len(heads)
    has_names_only = row_of(layout.pattern) is None or (
        2 * layout.timed < layout.heads and are_named
    )
    if has_names_only:
        return score_of(layout, text), DOUBT_OF_NAMES
    return score_of_times(layout, text), DOUBT_OF_TIMES


def _fits_as_beside(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if a text has the layout of texts beside it.

    Its first line or half of its lines begin turns, and these have times, several names, one that
    is a role, or one on each of several lines.
    """
    heads = text.heads(layout.pattern)
    names = {head.name or "" for head in heads.values()}
    is_sure = layout.timed > 0 or len(names) > 1 or any(map(is_role, names))
    is_sure = is_sure or layout.heads == len(text.filled) >= LEAST
    is_most = min(heads) == text.filled[0] or 2 * layout.heads >= layout.paragraphs
    return is_sure and is_most


def _trust(layout: TurnLayout, text: TurnText) -> Trust:
    """Return how far a layout explains a text that does not have it for sure."""
    pattern, heads, paragraphs, speakers = layout[:4]
    row = row_of(pattern)
    if row is not None and (row.names == IDS or speakers < row.fewest):
        return Trust.PLAIN  # nobody speaks identifiers, and `A box` is prose
    if not layout.timed and are_sounds(text.heads(pattern).values()):
        return Trust.PLAIN
    is_likely = (
        speakers <= max(2, heads / 2)
        or (speakers < heads and heads >= 0.3 * paragraphs and pattern not in SOUNDS_TOO)
        or (heads >= SEPARATED * paragraphs and pattern in WRITTEN_UNTIMED)
    )
    is_likely = is_likely and (heads >= LEAST or 1 < heads == paragraphs)
    is_most = heads >= DOUBTFUL * max(paragraphs, heads + layout.left)
    if is_likely and is_most and (layout.timed or speakers < heads):
        return Trust.DOUBTFUL if _is_strong(layout, text) else Trust.NAMED
    if pattern in WRITTEN_UNTIMED and _are_all_heads(pattern, text):
        return Trust.NAMED
    return Trust.LIKELY if is_likely else Trust.PLAIN


def _are_all_heads(pattern: str, text: TurnText) -> bool:
    """Return True if each line begins a turn, also those that a document may have otherwise."""
    filled = (folded for folded in text.folded if folded.line)
    return all(head_of(pattern, folded) is not None for folded in filled)


def _is_strong(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if the heads of a layout that does not fit are a sign of turns in any text."""
    pattern, heads, _, speakers = layout[:4]
    row = row_of(pattern)
    if heads <= LEAST or speakers == heads or pattern in SOUNDS_TOO:
        return False
    if row is not None and (row.fewest or row.is_paced):
        return False
    heads_of = text.heads(pattern)
    begins = heads_of.values()
    if are_verses(heads_of, text) or is_one_phrase(begins):
        return False
    if not layout.timed and (are_logged(begins) or are_in_one_order(heads_of, text)):
        return False
    names = Counter(head.name or "" for head in begins)
    returning = sum(count for name, count in names.items() if count > 1 or is_label(name))
    return pattern not in NOTATIONS or 2 * returning >= heads  # otherwise sentences with colons


def _are_records(text: TurnText) -> bool:
    """Return True if a text has fields on consecutive lines: ``Time: 0:01``, ``Text: so``."""
    if not any(layout.pattern == UNTIMED for layout in text.layouts):
        return False
    heads = text.heads(UNTIMED).values()
    is_most = 2 * len(heads) >= sum(text.is_filled)
    return is_most and are_fields(head.name or "" for head in heads)


def _best(layouts: Sequence[TurnLayout]) -> TurnLayout:
    """Return the layout that explains most lines."""
    most = max(layout.heads for layout in layouts)
    named = [layout for layout in layouts if layout.pattern != INSIDE and layout.speakers > 1]
    inside = sum(layout.heads for layout in layouts if layout.pattern == INSIDE)
    if inside and any(2 * layout.heads >= inside for layout in named):
        layouts = named
        most = max(layout.heads for layout in layouts)
    timed = [x for x in named if 2 * x.timed > x.heads >= SEPARATED * most and x.timed > LEAST]
    layouts = timed or layouts  # the text after a name may begin with the time
    return max(
        layouts,
        key=lambda x: (
            x.pattern == BLOCKS,
            x.heads - x.left // 2,
            x.heads,
            x.pattern not in NOTATIONS,
            x.speakers > 0,
            x.timed,
            -x.left,
        ),
    )
