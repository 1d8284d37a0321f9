"""Converter of values in the syntax of Python, JavaScript or protobuf to JSON of the same meaning.

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
``cues = […]``; ``show([…]);``                 the value
``{start: 1}``                                 an object; names need no quotes
text in backquotes                             a text
``undefined``; comments                        null; dropped
a comma behind the last element                dropped, also in JSON itself
=============================================  ====================================================

Lines of objects as Java and Kotlin print them, ``Segment{start=0.5, name='Ann', text=so it is}``,
whose texts may have no quotes, become objects, if all lines have the same fields.

Lines of named fields, ``text:so it is``, a tab and ``id:7``, become objects.

A text of protobuf, ``results {`` over ``transcript: "hi"``, becomes an object. A message is in a
list if its name is a plural.

Otherwise, lines keep their numbers. Adjacent text literals form one text, because ``pprint``
breaks a long text into several literals.
"""

from __future__ import annotations

import re

from formats.schema import lazy_pattern

BRACKETS = frozenset("[{(")
"""Signs with which JSON and most values of Python begin."""
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
START = lazy_pattern(
    r"\s*(?!\s)(?:[\[{(][\s\[{(]*'(?:[^'\\\n]|\\.){0,200}'\s*[:,\])]"
    rf"|\[?\s*\(\s*{NUMBER}\s*,\s*{NUMBER}\s*,\s*['\x22]"
    r"|[\[\s]{0,20}\{\s*[A-Za-z_]\w{0,60}\s*:\s*['\x22`\[{\-0-9]"
    r"|\[?\s*[A-Z]\w{0,60}\([a-z_]\w{0,40}=['\x22\[(\-0-9A-Z])"
)
"""Values that JSON does not have: a text in single quotes, numbers in parentheses, names without
quotes."""
COMMENT = r"//[^\n]*(?=\n|\Z)|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
SCRIPT = lazy_pattern(
    rf"(?:\s|{COMMENT}|['\x22]use strict['\x22];?"
    r"|import\s[^\n;]{1,200};?\n)*"
    r"(?:(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=\n]{1,100})?\s*="
    r"|export\s+default\b|(?:module\.exports|(?:window|self|globalThis)\.[\w$]+|[A-Za-z_$][\w$]*)\s*="
    r"|[A-Za-z_$][\w$.]{0,60}\()"
    r"\s*(?=[\[{])"
)
"""The part of a JavaScript file before its only value, which may be that of a call; or of a file of
Python before a list."""
EXPORT = lazy_pattern(
    r"\s(?:export\s+default\s+[\w$]+|module\.exports\s*=\s*(?:[\w$]+|\{\s*[\w$]+\s*\})"
    r"|export\s*\{\s*[\w$]+\s*\})\Z"
)
"""The statement behind the value that exports its name."""
TEXT = r"[bBuUrRfF]{0,2}(?:'(?:[^'\\\n]|\\.)*'|\x22(?:[^\x22\\\n]|\\.)*\x22)"
TOKEN = lazy_pattern(
    rf"(?P<text>{TEXT}(?:[ \t]*\n[ \t]*{TEXT})*)"
    r"|(?P<broken>['\x22][^\n]*)"
    r"|(?P<call>[A-Za-z_][\w.]{0,99}\()(?P<named>(?=[ \t]*[A-Za-z_]\w*=|[ \t]*\)))?"
    rf"|(?P<comment>{COMMENT})"
    r"|(?P<template>`(?:[^`\\$]|\\.|\$(?!\{))*`)"
    r"|(?P<key>[A-Za-z_]\w*)=(?!=)|(?P<name>[A-Za-z_]\w*)(?=\s*:)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<open>\()|(?P<close>\))"
    rf"|(?P<trailing>,(?=(?:\s|{COMMENT})*[)\]}}]))"
)
LOOSE = lazy_pattern(
    rf"(?P<text>\x22[^\x22\\]*(?:\\.[^\x22\\]*)*\x22)|{COMMENT}|,(?=(?:\s|{COMMENT})*[\]}}])",
    re.DOTALL,
)
"""A text of JSON, and what JavaScript allows beside JSON."""
NO_LINE_END = lazy_pattern(r"[^\n]")
PROTOBUF = lazy_pattern(
    r"(?P<message>[a-z_]\w{0,99}):?\s*\{|(?P<end>\})"
    r"|(?P<field>[a-z_]\w{0,99}):\s*(?P<value>\x22(?:[^\x22\\]|\\.)*\x22|[-+\w.]+)"
)
"""A line of a message as protobuf prints it."""
FEWEST_PRINTED = 2
"""The fewest lines of objects as Java prints them."""
IS_NUMBER = lazy_pattern(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?\Z")
LITERAL = lazy_pattern(r"\s*(?:['\"\[({\-0-9]|[A-Za-z_][\w.]{0,60}(?:[\[(]|\Z))")
"""The beginning of a value as Python prints it."""
PRINTED = lazy_pattern(r"[A-Z]\w{0,60}([\[({])(?=[a-z_]\w{0,40}=)[^\n]{1,5000}[\])}]\Z")
"""A line with an object as Java prints it."""
FIELD = lazy_pattern(r"(?:(?<=[\[({])|, )([a-z_]\w{0,40})=")
ESCAPED = lazy_pattern(r"\\([`$\\])")
STATEMENT_ENDS = "; \t\r\n"
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
    if text[:1] not in BRACKETS:
        from formats.detection.labelled_rows import labelled_as_json

        if (written := labelled_as_json(text)) is not text:
            return written
    if PROTOBUF.match(text) is not None and (written := protobuf_as_json(text)) is not text:
        return written
    if (before := SCRIPT.match(text)) is not None:
        text = _value_of_script(text, before[0])
    elif is_printed(text.lstrip().partition("\n")[0].rstrip()):
        return printed_as_json(text)
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


def without_comments(text: str) -> str:
    """Return JSON with blanks in place of comments and of commas behind the last element.

    >>> without_comments('[{"text": "so, [it] // is",}, /* well */ 1,]')
    '[{"text": "so, [it] // is" },            1 ]'
    """
    return LOOSE.sub(lambda part: part["text"] or NO_LINE_END.sub(" ", part[0]), text)


def protobuf_as_json(text: str) -> str:
    r"""Convert the text of a protobuf message to JSON; return any other text unchanged.

    >>> protobuf_as_json('results {\n  transcript: "so"\n  end_time {\n    seconds: 1\n  }\n}')
    '{"results": [{"transcript": "so", "end_time": {"seconds": "1"}}]}'
    >>> protobuf_as_json("results {\n so it is")
    'results {\n so it is'
    """
    import json

    whole: dict[str, object] = {}
    open_messages = [whole]
    for line in filter(None, map(str.strip, text.split("\n"))):
        match = PROTOBUF.fullmatch(line)
        if match is None or (match["end"] and len(open_messages) == 1):
            return text
        message = open_messages[-1]
        if match["end"]:
            open_messages.pop()
        elif match["field"]:
            _add_field(message, match["field"], _protobuf_value(match["value"]))
        else:
            inner: dict[str, object] = {}
            _add_field(message, match["message"], inner)
            open_messages.append(inner)
    return json.dumps(whole, ensure_ascii=False)


def is_printed(line: str) -> bool:
    """Return True if a line is an object as Java prints it, and no call of Python.

    >>> is_printed("S{n=1, text='so'}"), is_printed("S(n=1, text=so it is)")
    (True, True)
    >>> is_printed("S(n=1, text='so', words=None)"), is_printed("Wait (n=1)")
    (False, False)
    """
    match = PRINTED.match(line)
    if match is None:
        return False
    return match[1] != "(" or not all(map(LITERAL.match, FIELD.split(line[:-1])[2::2]))


def printed_as_json(text: str) -> str:
    r"""Convert lines of objects as Java prints them to JSON; return any other text unchanged.

    >>> printed_as_json("S{n=1, text='it's so, well', at=0:5}\nS{n=2, text='so', at=0:6}")
    '{"n": 1, "text": "it\'s so, well", "at": "0:5"}\n{"n": 2, "text": "so", "at": "0:6"}'
    >>> printed_as_json("S(n=1, text='so')\nwell")
    "S(n=1, text='so')\nwell"
    """
    import json

    lines = text.split("\n")
    filled = [line.strip() for line in lines if line and not line.isspace()]
    names = [FIELD.findall(line) for line in filled]
    shared = [name for name in names[0] if all(name in others for others in names)]
    if len(filled) < FEWEST_PRINTED or len(shared) < 2 or len({*shared}) < len(shared):
        return text
    begin = filled[0][: filled[0].index(f"{shared[0]}=")]
    objects: list[str] = []
    for line in map(str.strip, lines):
        values = _values_of(line, begin, shared) if line else []
        if values is None:
            return text
        fields = dict(zip(shared, map(_printed_value, values), strict=False))
        objects.append(json.dumps(fields, ensure_ascii=False) if fields else "")
    return "\n".join(objects)


def _values_of(line: str, begin: str, names: list[str]) -> list[str] | None:
    """Return the values of the fields of an object as Java prints it; `None` for other lines."""
    if not line.startswith(f"{begin}{names[0]}=") or line[-1] not in "])}":
        return None
    values: list[str] = []
    start = len(begin) + len(names[0]) + 1
    for name in names[1:]:
        end = line.find(f", {name}=", start)
        if end < 0:
            return None
        values.append(line[start:end])
        start = end + len(name) + 3
    return [*values, line[start:-1]]


def _printed_value(value: str) -> object:
    """Return a number, a text without its quotes, or `None`."""
    if IS_NUMBER.match(value) is not None:
        return float(value) if "." in value else int(value)
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return (value[1:-1] if is_quoted else value) if value != "null" else None


def _add_field(message: dict[str, object], name: str, value: object) -> None:
    """Add a field to a message. A repeated field, or a message named by a plural, is a list."""
    values = message.get(name)
    if isinstance(values, list):
        values.append(value)
    elif name in message:
        message[name] = [values, value]
    else:
        message[name] = [value] if isinstance(value, dict) and name[-1] == "s" else value


def _protobuf_value(value: str) -> object:
    """Return a text without quotes, whose escapes are bytes of UTF-8; other values as a text."""
    if value[0] != '"':
        return float(value) if "." in value else value
    from ast import literal_eval

    plain = "".join(
        sign if sign.isascii() else "".join(f"\\x{byte:02x}" for byte in sign.encode())
        for sign in value
    )
    try:
        return str(literal_eval(f"b{plain}").decode("utf-8", "replace"))
    except (ValueError, SyntaxError):
        return value[1:-1]


def _value_of_script(text: str, before: str) -> str:
    """Return the only value of a script, with blanks in place of the part before it."""
    value = text[len(before) :].rstrip(STATEMENT_ENDS)
    if before.rstrip().endswith("("):
        value = value.removesuffix(")")
    tail = value[-LONGEST_END:]
    if (export := EXPORT.search(tail)) is not None:
        value = value[: len(value) - len(tail) + export.start()].rstrip(STATEMENT_ENDS)
    return NO_LINE_END.sub(" ", before) + value.removesuffix("as const")


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
