"""Converter of values that Python printed to JSON with the same meaning; no code is evaluated.

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

Lines keep their numbers. Adjacent text literals form one text, because ``pprint`` breaks a long
text into several literals.
"""

from __future__ import annotations

from formats.schema import lazy_pattern

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
START = lazy_pattern(
    r"\s*(?!\s)(?:[\[{(][\s\[{(]*'(?:[^'\\\n]|\\.){0,200}'\s*[:,\])]"
    rf"|\[?\s*\(\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*['\x22]"
    r"|\[?\s*[A-Z]\w{0,60}\([a-z_]\w{0,40}=['\x22\[(\-0-9A-Z])"
)
"""A text in single quotes or numbers in parentheses, which JSON does not have, or an object."""
TEXT = r"[bBuUrRfF]{0,2}(?:'(?:[^'\\\n]|\\.)*'|\x22(?:[^\x22\\\n]|\\.)*\x22)"
TOKEN = lazy_pattern(
    rf"(?P<text>{TEXT}(?:[ \t]*\n[ \t]*{TEXT})*)"
    r"|(?P<broken>['\x22][^\n]*)"
    r"|(?P<call>[A-Za-z_][\w.]{0,99}\()(?P<named>(?=[ \t]*[A-Za-z_]\w*=|[ \t]*\)))?"
    r"|(?P<key>[A-Za-z_]\w*)=(?!=)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<trailing>,(?=\s*[)\]}]))"
)
WORDS = {
    "None": "null", "nan": "null", "inf": "null", "NaN": "null", "True": "true", "False": "false",
}  # fmt: skip


def as_json(text: str) -> str:
    r"""Convert values in Python's syntax to JSON, line by line; return any other text unchanged.

    >>> as_json("[S(text='it\\'s', start=0.5), (1, None), np.float64(2.5),]")
    '[{"text":"it\'s", "start":0.5}, [1, null], 2.5]'
    >>> as_json("['So,' said Ann")
    "['So,' said Ann"
    """
    if START.match(text) is None:
        return text
    closings: list[str] = []
    parts: list[str] = []
    position = 0
    for match in TOKEN.finditer(text):
        parts.append(text[position : match.start()])
        parts.append(_converted(match.lastgroup or "", match[0], closings))
        position = match.end()
    return "".join([*parts, text[position:]])


def _converted(kind: str, token: str, closings: list[str]) -> str:
    """Convert a token to JSON. `closings` are the brackets that will close those that are open."""
    if kind == "text":
        return _json_text(token)
    if kind in ("call", "named"):
        closings.append("}" if kind == "named" else "")
        return "{" if kind == "named" else ""
    if kind == "key":
        return f'"{token[:-1]}":'
    if kind == "word":
        return WORDS.get(token, token)
    if kind == "broken":
        return token
    if kind == "open":
        closings.append("]")
        return "["
    if kind == "close":
        return closings.pop() if closings else ")"
    return ""


def _json_text(token: str) -> str:
    """Convert a text in Python's quotes to a JSON text; return an invalid one unchanged."""
    if token[0] == "'" and "\\" not in token and '"' not in token and "\n" not in token:
        return f'"{token[1:-1]}"' if "'" not in token[1:-1] else token
    import json
    from ast import literal_eval

    try:
        value = literal_eval(f"({token})")
    except (ValueError, SyntaxError):
        return token
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return json.dumps(value, ensure_ascii=False) + "\n" * token.count("\n")
