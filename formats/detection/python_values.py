"""Converter of values in the syntax of Python or JavaScript to JSON with the same meaning.

No code is evaluated.

=============================================  ====================================================
as Python prints it                            JSON
=============================================  ====================================================
``{'text': 'hi', 'start': 0.0}``               an object
``[…]``, ``(…)``                               a list
``Segment(start=0.0, text='hi')``              an object, without the name of its class
``np.float64(0.5)``, ``array([0.5])``          what is inside the parentheses
``'…'``, ``"…"`` with escapes of Python        a text
``None``, ``nan``, ``inf``; ``True``,          null; true, false
``False``
=============================================  ====================================================

=============================================  ====================================================
in a JavaScript file                           JSON
=============================================  ====================================================
``export const cues = […];``, also ``let``,    the value; there must be only one
``var``, ``module.exports``, ``export default``
``{start: 1}``                                 an object; names need no quotes
text in backquotes                             a text
``undefined``; comments                        null; dropped
=============================================  ====================================================

Lines keep their numbers. Adjacent text literals form one text, because ``pprint`` breaks a long
text into several literals.
"""

from __future__ import annotations

import re

from formats.schema import lazy_pattern

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
START = lazy_pattern(
    r"\s*(?!\s)(?:[\[{(][\s\[{(]*'(?:[^'\\\n]|\\.){0,200}'\s*[:,\])]"
    rf"|\[?\s*\(\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*['\x22]"
    r"|[\[\s]{0,20}\{\s*[A-Za-z_]\w{0,60}\s*:\s*['\x22`\[{\-0-9]"
    r"|\[?\s*[A-Z]\w{0,60}\([a-z_]\w{0,40}=['\x22\[(\-0-9A-Z])"
)
"""Values that JSON does not have: a text in single quotes, numbers in parentheses, names without
quotes."""
COMMENT = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/"
SCRIPT = lazy_pattern(
    rf"(?:\s|{COMMENT}|['\x22]use strict['\x22];?"
    r"|import\s[^\n;]{1,200};?\n)*"
    r"(?:(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:\s*[\w$<>, ]+(?:\[\])?)?\s*="
    r"|export\s+default\b|(?:module\.exports|(?:window|self|globalThis)\.[\w$]+|[A-Za-z_$][\w$]*)\s*=)"
    r"\s*(?=[\[{])"
)
"""The part of a JavaScript file before its only value, or of a file of Python before a list."""
SCRIPT_END = lazy_pattern(
    r"[\]}](?:\s*as\s+const)?(\s*;?\s*(?:(?:export\s+default|module\.exports\s*=)\s*\{?\s*[\w$]+\s*\}?"
    r"|export\s*\{\s*[\w$]+\s*\})?\s*;?\s*)\Z"
)
TEXT = r"[bBuUrRfF]{0,2}(?:'(?:[^'\\\n]|\\.)*'|\x22(?:[^\x22\\\n]|\\.)*\x22)"
TOKEN = lazy_pattern(
    rf"(?P<text>{TEXT}(?:[ \t]*\n[ \t]*{TEXT})*)"
    r"|(?P<broken>['\x22][^\n]*)"
    r"|(?P<call>[A-Za-z_][\w.]{0,99}\()(?P<named>(?=[ \t]*[A-Za-z_]\w*=|[ \t]*\)))?"
    rf"|(?P<comment>{COMMENT})"
    r"|(?P<template>`(?:[^`\\$]|\\.|\$(?!\{))*`)"
    r"|(?P<key>[A-Za-z_]\w*)=(?!=)|(?P<name>[A-Za-z_$][\w$]*)(?=\s*:)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<open>\()|(?P<close>\))"
    rf"|(?P<trailing>,(?=(?:\s|{COMMENT})*[)\]}}]))"
)
ESCAPED = lazy_pattern(r"\\([`$\\])")
LONGEST_END = 200
"""The most characters behind the value of a script, such as the export of its name."""
WORDS = {
    "None": "null", "nan": "null", "inf": "null", "NaN": "null", "True": "true", "False": "false",
    "undefined": "null",
}  # fmt: skip


def as_json(text: str) -> str:
    r"""Convert values in Python's syntax to JSON, line by line; return any other text unchanged.

    >>> as_json("[S(text='it\\'s', start=0.5), (1, None), np.float64(2.5),]")
    '[{"text":"it\'s", "start":0.5}, [1, null], 2.5]'
    >>> as_json("['So,' said Ann")
    "['So,' said Ann"
    >>> as_json("export const cues = [{start: 1, text: 'so'}];")
    '                    [{"start": 1, "text": "so"}]'
    """
    if (before := SCRIPT.match(text)) is not None:
        text = _value_of_script(text, before[0])
    elif START.match(text) is None:
        return text
    closings: list[str] = []
    parts: list[str] = []
    position = 0
    for match in TOKEN.finditer(text):
        parts.append(text[position : match.start()])
        parts.append(_converted(match.lastgroup or "", match[0], closings))
        position = match.end()
    return "".join([*parts, text[position:]])


def _value_of_script(text: str, before: str) -> str:
    """Return the only value of a script, with blanks in place of the part before it."""
    first = max(len(before), len(text) - LONGEST_END)
    end = SCRIPT_END.search(text, first)
    value = text[len(before) : len(text) if end is None else end.start() + 1]
    return re.sub(r"[^\n]", " ", before) + value


def _converted(kind: str, token: str, closings: list[str]) -> str:
    """Convert a token to JSON. `closings` are the brackets that will close those that are open."""
    if kind in ("text", "template"):
        return _json_text(token)
    if kind in ("call", "named"):
        closings.append("}" if kind == "named" else "")
        return "{" if kind == "named" else ""
    if kind == "key":
        return f'"{token[:-1]}":'
    if kind == "name":
        return f'"{token}"'
    if kind == "word":
        return WORDS.get(token, token)
    if kind == "broken":
        return token
    if kind == "open":
        closings.append("]")
        return "["
    if kind == "close":
        return closings.pop() if closings else ")"
    return "\n" * token.count("\n")


def _json_text(token: str) -> str:
    """Convert a text in any quotes to a JSON text; return an invalid one unchanged."""
    if token[0] == "'" and "\\" not in token and '"' not in token and "\n" not in token:
        return f'"{token[1:-1]}"' if "'" not in token[1:-1] else token
    import json
    from ast import literal_eval

    try:
        is_template = token[0] == "`"
        value = ESCAPED.sub(r"\1", token[1:-1]) if is_template else literal_eval(f"({token})")
    except (ValueError, SyntaxError):
        return token
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return json.dumps(value, ensure_ascii=False) + "\n" * token.count("\n")
