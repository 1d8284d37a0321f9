"""Lines of named fields with tabs between, such as LTSV and ParlAI's dialogues, as JSON lines."""

from __future__ import annotations

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIELD = lazy_pattern(r"([a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){0,3}):(?![/\\]{2})(.*)\Z")
"""A field: a name without blanks and capitals, and its value."""
TEXT, REPLIES, LAST = "text", ("labels", "eval_labels"), "episode_done"
"""The fields of a dialogue in ParlAI: what was said, the reply, and whether it is the last."""
LEAST = 0.6
"""The share of lines that have several fields; others may lack the optional ones."""


def is_labelled(first: str) -> bool:
    r"""Return True if a line has several named fields with tabs between.

    >>> is_labelled("text:So it is.\tlabels:Well, no."), is_labelled("ann:\tSo it is.")
    (True, False)
    """
    return ":" in first.partition("\t")[0] and first.count("\t") > 0 and bool(_fields(first))


def labelled_as_json(text: str) -> str:
    r"""Convert lines of named fields to JSON lines; return any other text unchanged.

    >>> labelled_as_json("user:So it is.\tbot:Well, no.\nuser:And so\\nit was.\tbot:No.")
    '{"user": "So it is.", "bot": "Well, no."}\n{"user": "And so\\nit was.", "bot": "No."}'
    """
    import json

    rows = [_fields(line) if line.strip() else {} for line in text.split("\n")]
    filled = [row for row, line in zip(rows, text.split("\n"), strict=True) if line.strip()]
    first = next(iter(filled[0]), "") if filled else ""
    has_several = sum(len(row) > 1 for row in filled) >= LEAST * len(filled)
    if not (first and has_several and all(next(iter(row), "") == first for row in filled)):
        return text
    if first == TEXT and any(name in row for row in filled for name in REPLIES):
        rows = _turns_of(filled)
    return "\n".join(json.dumps(row, ensure_ascii=False) if row else "" for row in rows)


def _turns_of(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return the turns of dialogues whose rows have a text and the reply to it, as in ParlAI.

    The text of a row may repeat the reply of the row before.

    >>> rows = [{"text": "so", "labels": "no"}, {"text": "no", "labels": "yes"}]
    >>> [(turn["speaker"], turn["text"]) for turn in _turns_of(rows)]
    [('text', 'so'), ('labels', 'no'), ('text', 'yes')]
    """
    turns: list[dict[str, str]] = []
    number, said = 1, list[str]()
    for row in rows:
        reply = next((name for name in REPLIES if name in row), "")
        parts = [row.get(TEXT, ""), row.get(reply, "")]
        said += [part for part in parts[said[-1:] == parts[:1] :] if part.strip()]
        if row.get(LAST, "").strip() == "True" or row is rows[-1]:
            sides = (TEXT, next(name for name in REPLIES if any(name in r for r in rows)))
            turns += [
                {"conversation_id": str(number), "speaker": sides[n % 2], "text": part}
                for n, part in enumerate(said)
            ]
            number, said = number + 1, []
    return turns


def _fields(line: str) -> dict[str, str]:
    r"""Return the fields of a line by name; empty if a part between tabs has no name.

    >>> _fields("text:so\t id:7\r"), _fields("text:so\tid 7")
    ({'text': 'so', 'id': '7'}, {})
    """
    matches = [FIELD.match(part.strip()) for part in line.split("\t") if part.strip()]
    fields = {match[1]: match[2].replace(r"\n", "\n") for match in matches if match}
    return fields if len(fields) == len(matches) else {}
