"""Display forms of words, found in a text with punctuation and digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from formats.reading.lines import SITE, split_words
from formats.schema import lazy_pattern

BARE = lazy_pattern(r"[^\w%$€£@#&+]*([\w%$€£@#&+](?:.*[\w%$€£@#&+])?)", re.DOTALL)

INLINE = (
    r"</?(?:span|font|b|i|u|em|strong|mark|small|sub|sup"
    r"|prosody|emphasis|say-as|phoneme|voice|lang|(?:amazon|mstts):[a-z-]{1,30})"
    r"(?:\s[^<>]{0,200})?/?>"
)
"""Tags of HTML and of SSML that may be within a word."""
UNSAID = (
    r"<(?P<thought>think|thinking|thought|thoughts|reasoning|scratchpad|tool_calls?|function_calls?"
    r"|tool_(?:response|result|output)s?|function_(?:response|result)s?)>"
    r"(?:[^<]|<(?!/?(?P=thought)>)){0,20000}</(?P=thought)>"
    r"|<(?P<data>[a-z_][\w-]{0,40})>\s{0,20}(?=[\[{])"
    r"(?:[^<]|<(?!/?(?P=data)>)){0,20000}?[\]}]\s{0,20}</(?P=data)>"
)
"""What a model did not say: its thoughts, calls of tools, and JSON between tags."""
OF_MARKUP = (
    rf"{UNSAID}|{INLINE}|</?(?:p|div|br|speak|break|audio)(?:\s[^<>]{{0,200}})?/?>"
    r"|\x15[0-9_]{1,30}\x15|(?<!\S)>>>?(?=\s|\Z|[A-Z])"
)
HTML = lazy_pattern(OF_MARKUP, re.IGNORECASE)
"""Marks of HTML, of SSML and of models, times of CHAT and signs of another speaker: no words."""
BOLD_BEGINS = r"(?<![\w*])\*\*(?=[\w\"'¿¡(])"
BOLD = lazy_pattern(BOLD_BEGINS)
WITHIN_WORDS = lazy_pattern(rf"{INLINE}|\*\*|\x15|>", re.IGNORECASE)
"""Marks that leave no blank behind."""
HTML_AND_BOLD = lazy_pattern(
    rf"{OF_MARKUP}|{BOLD_BEGINS}|(?<=[\w.?!,:;)\"'”…])\*\*(?![\w*])", re.IGNORECASE
)
"""The same and the marks of Markdown around bold text."""
MARKS = ("</", "<br", ">>", "**")
"""Signs without which texts have no such marks."""
LONGEST_FORM = 3
"""Words more that a form in the text may have, such as a number spelled out."""


def cut_text(text: str) -> list[str]:
    """Return the words of a text, separated by ASCII blanks or line ends."""
    if "\n" in text or "\r" in text:
        text = text.replace("\n", " ").replace("\r", " ")
    return split_words(text)


def untagged(texts: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return texts without marks and with characters for the entities of HTML; count the marks.

    >>> untagged(["so <i>it</i> is", "well &amp; good"])
    (['so it is', 'well & good'], 2)
    >>> untagged([">> **Well,** so", "it is **not"]), untagged(["it is f**"])
    (([' Well, so', 'it is not'], 4), (['it is f**'], 0))

    What a site of lyrics adds is a mark, too.

    >>> untagged(["9 ContributorsNow Lyrics[Verse] So it is3Embed"])
    (['[Verse] So it is'], 2)
    """
    joined = "\n".join(texts)
    signs = [sign for sign in MARKS if sign[0] in joined]  # a single sign is found much faster
    marks = marks_in(joined) if any(sign in joined for sign in signs) else None
    tags = marks.subn("", joined)[1] if marks else 0
    if marks and tags:
        texts = [marks.sub(blank_of, text) for text in texts]
    if "Embed" in joined and any(map(SITE.match, texts)):
        parts = [SITE.subn("", text) for text in texts]
        texts, tags = [text for text, _ in parts], tags + sum(count for _, count in parts)
    if "&" in joined:
        from formats.reading.marks import without_entities

        texts = [text for _, text in without_entities(enumerate(texts))]
    return texts, tags


def marks_in(text: str) -> re.Pattern[str] | None:
    """Return the pattern of the marks in a text that are no words; `None` if there are none."""
    if "**" in text and BOLD.search(text):
        return HTML_AND_BOLD
    return HTML if HTML.search(text) else None


def blank_of(tag: re.Match[str]) -> str:
    """Return a blank for a mark that ends a word, such as a tag of a pause, otherwise nothing."""
    return "" if WITHIN_WORDS.match(tag[0]) else " "


def displays_in(words: Sequence[str], text: str) -> list[str | None] | None:
    """Find the display forms of words in a text with the same words.

    Case and outer punctuation may differ. Return `None` if the text has other words.
    """
    forms = cut_text(text)
    if len(forms) != len(words):
        return None
    for word, form in zip(words, forms, strict=True):
        if word != form and _bare(word) != _bare(form):
            return None
    return [None if word == form else form for word, form in zip(words, forms, strict=True)]


def displays_along(words: Sequence[str], text: str) -> list[str | None] | None:
    """Find the display forms of words in a text in which some words may differ.

    Return `None` if more than 12 consecutive words differ. A word without a counterpart gets an
    empty display form.
    """
    exact = displays_in(words, text)
    texts = cut_text(text)
    if exact is not None or not texts or not words:
        return exact
    bare_words, bare_texts = list(map(_bare, words)), list(map(_bare, texts))
    forms: list[str | None] = []
    here = there = 0
    while here < len(words) or there < len(texts):
        skip = _next_match(bare_words, bare_texts, here, there)
        if skip is None:
            return None
        stretch = " ".join(texts[there : there + skip[1]])
        if skip[0]:
            forms.extend(_spread(texts[there : there + skip[1]], skip[0]))
        elif stretch and forms:
            forms[-1] = f"{forms[-1] or words[here - 1]} {stretch}".lstrip()
        elif stretch:
            texts[skip[1]] = f"{stretch} {texts[skip[1]]}"
        here, there = here + skip[0], there + skip[1]
        if here < len(words):
            forms.append(None if words[here] == texts[there] else texts[there])
        here, there = here + 1, there + 1
    return forms


def words_in_text(
    words: Sequence[str], texts: Sequence[str]
) -> list[tuple[str, int | None]] | None:
    """Align words with a text that has more words.

    Return each word of the text with the index of the word that it matches, or `None`. If a part of
    the text differs but has equally many words, they count as matches. Return `None` for the whole
    if the text has no additional word, or has little in common with the words.
    """
    if len(texts) <= len(words):
        return None
    mine, theirs = list(map(_bare, words)), list(map(_bare, texts))
    completed: list[tuple[str, int | None]] = []
    is_longer, equal = False, 0
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    for kind, begin, end, first, last in matcher.get_opcodes():
        size = end - begin
        matches: list[int | None] = [*range(begin, end)] if size == last - first else []
        equal += size if kind == "equal" else 0
        added = sum(any(map(str.isalnum, word)) for word in theirs[first:last]) - size
        is_longer |= added > (0 if kind == "insert" else LONGEST_FORM)
        forms = words[begin:end] if kind == "equal" else texts[first:last]
        completed += zip(forms, matches or [None] * (last - first), strict=True)
    return completed if is_longer and 2 * equal >= len(words) else None


def _spread(forms: Sequence[str], size: int) -> list[str]:
    """Distribute display forms over `size` words; surplus forms are joined at the last word."""
    if len(forms) > size:
        return [*forms[: size - 1], " ".join(forms[size - 1 :])]
    places = [""] * size
    for number, form in enumerate(forms):
        places[number * size // len(forms)] = form
    return places


def _next_match(
    words: Sequence[str], forms: Sequence[str], here: int, there: int
) -> tuple[int, int] | None:
    """Return how many items to skip on each side, up to the next equal words or to the ends.

    Return `None` if that is more than 12 items on a side.
    """
    left, right = len(words) - here, len(forms) - there
    for total in range(min(left + right, 24)):
        for on_left in range(max(0, total - 12), min(total, 12) + 1):
            on_right = total - on_left
            if on_left >= left or on_right >= right:
                continue
            if words[here + on_left] == forms[there + on_right]:
                return on_left, on_right
    return (left, right) if left <= 12 and right <= 12 else None


def _bare(word: str) -> str:
    """Fold the case of a word and strip outer punctuation; keep the word if nothing remains."""
    match = BARE.match(word)
    return (match[1] if match else word).casefold()
