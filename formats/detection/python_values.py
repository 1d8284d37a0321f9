"""Lists and objects as Python prints them: ``[{'start': 0.5, 'text': "it's so"}]``."""

from __future__ import annotations

import re

from formats.schema import lazy_pattern

START = lazy_pattern(r"\s*[\[{(][\s\[{(]*'(?:[^'\\\n]|\\.){0,200}'\s*[:,\])]")
"""Brackets, and a text in single quotes, which JSON does not have."""
TOKEN = lazy_pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\b(?:None|True|False|nan)\b|[()]")
JSON = {"None": "null", "True": "true", "False": "false", "nan": "NaN", "(": "[", ")": "]"}


def as_json(text: str) -> str:
    r"""Return a list or object in Python's syntax as JSON, line for line; other text unchanged.

    >>> as_json("[{'start': 0.5, 'text': \"it's\", 'end': None}]")
    '[{"start": 0.5, "text": "it\'s", "end": null}]'
    >>> as_json("['So,' said Ann")
    "['So,' said Ann"
    """
    return TOKEN.sub(_in_json, text) if START.match(text) else text


def _in_json(match: re.Match[str]) -> str:
    token = match[0]
    if token in JSON:
        return JSON[token]
    if token[0] == "'" and "\\" not in token and '"' not in token:
        return f'"{token[1:-1]}"'
    import json
    from ast import literal_eval

    try:
        return json.dumps(literal_eval(token), ensure_ascii=False)
    except (ValueError, SyntaxError):
        return token
