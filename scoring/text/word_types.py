"""Parse a token as written: its text, its tags, and whether it is null, optional or a fragment.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from scoring.alignment.numbered import WordType

NULL = "@"


def word_type(
    token: str, shape: str | None = None, *, optional_deletable: bool, fragments_correct: bool
) -> WordType:
    r"""Parse the marks in a token of byte text.

    The token is split at each `;` without a backslash before it: first the text, then at most two
    tags; all further parts are dropped. Backslashes are removed, and so is a `*` at the end, unless
    it is the whole text. A token that begins with `{` (possible in ctm only) is taken literally.

    >>> word_type(r"a\;b;tag", optional_deletable=False, fragments_correct=False).text
    'a;b'
    >>> word_type("(uh)", optional_deletable=True, fragments_correct=False).value
    'uh'
    """
    text: str = token
    first: str | None = None
    second: str | None = None
    if not token.startswith("{") and (";" in token or "\\" in token):
        fields = [field.replace("\\", "") for field in _fields(token, shape)[:3]]
        text = fields[0]
        first = fields[1] if len(fields) > 1 else None
        second = fields[2] if len(fields) > 2 else None
    if len(text) > 1 and text.endswith("*"):
        text = text[:-1]
    optional = optional_deletable and len(text) > 1 and text[0] == "(" and text[-1] == ")"
    fragment = fragments_correct and bool(
        text[:1] == "-" or text[-1:] == "-" or (optional and text[-2:-1] == "-")
    )
    value = text[1:-1] if optional else text
    return WordType(text, (first, second), value, text == NULL, optional, fragment)


def _fields(token: str, shape: str | None) -> list[str]:
    if shape is None:
        import re  # few files have such tokens

        return re.split(r"(?<!\\);", token)
    fields: list[str] = []
    begin = 0
    for index, byte in enumerate(shape):
        if byte == ";" and token[index - 1 : index] != "\\":
            fields.append(token[begin:index])
            begin = index + 1
    return [*fields, token[begin:]]


def fragments_match(reference: WordType, hypothesis: WordType) -> bool:
    """Return True if two words match and at least one is a fragment (option `-F`).

    `-ef` matches every word that ends in `ef`, `ab-` every word that begins with `ab`. If both
    words are fragments, that of the reference decides. A single `-` matches only itself.

    >>> def fragment(text):
    ...     return word_type(text, optional_deletable=False, fragments_correct=True)
    >>> fragments_match(fragment("ab-"), fragment("abc"))
    True
    """
    mine, theirs = reference.value, hypothesis.value
    for fragment, whole in ((mine, theirs), (theirs, mine)):
        if len(fragment) > 1:
            if fragment[0] == "-":
                return whole.endswith(fragment[1:])
            if fragment[-1] == "-":
                return whole.startswith(fragment[:-1])
    return mine == theirs
