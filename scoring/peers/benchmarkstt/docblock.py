r"""Parser for docstrings of functions: text, parameters, examples and result.

>>> def shout(text: str, times=1):
...     '''Make a text louder.
...
...     :param str text: what to say
...     :example text: "hello"
...     :return str: the loud text
...     '''
>>> block = parse(shout)
>>> block.docs.splitlines()[0], [(item.name, item.is_required) for item in block.params]
('Make a text louder.', [('text', True), ('times', False)])
>>> block.result, block.result_type
('the loud text', 'str')
>>> block.params[0].description, block.params[0].examples[0]["text"].value
('what to say', 'hello')
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple


class DocblockParam(NamedTuple):
    """A field of a docstring: `:param TYPE NAME: VALUE`."""

    name: str
    type: str | None
    value: Any


class Param(NamedTuple):
    """A parameter of a function, from its signature and its docstring."""

    name: str
    type: Any
    type_doc: str | None
    is_required: bool
    description: str
    examples: list[dict[str, DocblockParam]]


class Docblock(NamedTuple):
    """The text of a docstring without its fields, and the parsed fields."""

    docs: str
    params: list[Param]
    result: str | None
    result_type: str | None


Replacement = Callable[[re.Match[str], dict[str, Any]], str]
_LINE = r"^[ \t]*:{}[ \t]*([a-z_]+)?:[ \t]+(.*)$"
# a value is the rest of the line, or the lines below that are indented
_NAMED = (
    r"^[ \t]*:{}[ \t]+(?:([^:\s](?:[^:\n]*[^:\s])?)[ \t]+)?([a-z_]+):[ \t]*"
    r"((?=\S).+$|(?:$[ \t]*\n)+([ \t]+)(\S[^\n]*)$(?:\n(?:\4.*|[ \t]*)$)*)"
)


def format_docs(docs: str) -> str:
    """Return a docstring without its indentation and without blank lines at both ends."""
    return textwrap.dedent(docs).strip()


def decode_literal(txt: str | None) -> Any:
    """Return the value of a Python literal; any other text unchanged; an empty text for None.

    >>> decode_literal("[1, 2]"), decode_literal("a b"), decode_literal(None)
    ([1, 2], 'a b', '')
    """
    if txt is None:
        return ""
    try:
        return ast.literal_eval(txt)
    except (ValueError, SyntaxError):
        return txt


def doc_param_parser(
    docstring: str,
    key: str,
    no_name: object = None,
    allow_multiple: object = None,
    replace_strat: str | Replacement | None = None,
) -> tuple[str, Any]:
    """Parse the fields of a docstring whose kind is `key`, such as `param`; replace the fields.

    Parameters
    ----------
    no_name
        Whether the fields have no name, as in `:return: …`.
    allow_multiple
        Whether a name may occur several times; the result is then a list of dictionaries.
    replace_strat
        The replacement of a field: a text, or a function of the match and a dictionary of the
        field, whose `value` the function may change. None: fields remain.

    Returns
    -------
    The docstring, and the parsed fields: by name, or a list with `no_name`.
    """
    fields: dict[str, DocblockParam] = {}
    several: list[Any] = []

    def take(match: re.Match[str]) -> str:
        if no_name:
            field: dict[str, Any] = {"name": key, "type": match[1], "value": match[2]}
        else:
            value = textwrap.dedent(match[3]).strip()
            field = {"name": match[2], "type": match[1], "value": value}
        if replace_strat is None:
            replaced = match[0]
        elif isinstance(replace_strat, str):
            replaced = replace_strat
        else:
            replaced = replace_strat(match, field)
        found = DocblockParam(**field)
        if no_name:
            several.append(found)
        elif not allow_multiple:
            fields[found.name] = found
        else:
            holder = next((entry for entry in several if found.name not in entry), None)
            if holder is None:
                holder = {}
                several.append(holder)
            holder[found.name] = found
        return replaced

    pattern = (_LINE if no_name else _NAMED).format(re.escape(key))
    docs = re.sub(pattern, take, docstring, flags=re.MULTILINE).strip()
    return docs, several if no_name or allow_multiple else fields


def parse(func: Callable[..., Any]) -> Docblock:
    """Parse the docstring and the signature of a function."""
    specification = inspect.getfullargspec(func)
    names = list(specification.args)
    if names and names[0] in ("self", "cls"):
        names.pop(0)
    required = len(names) - len(specification.defaults or ())
    docs, described = doc_param_parser(format_docs(func.__doc__ or ""), "param", replace_strat="")
    docs, results = doc_param_parser(docs, "return", no_name=True)

    def decode(match: re.Match[str], field: dict[str, Any]) -> str:
        if match[5] is None:  # a literal, unless the value has lines of its own
            field["value"] = decode_literal(field["value"])
        return ""

    docs, examples = doc_param_parser(docs, "example", allow_multiple=True, replace_strat=decode)
    params = []
    for index, name in enumerate(names):
        field = described.get(name, DocblockParam(name, None, ""))
        kind = specification.annotations.get(name)
        params.append(Param(name, kind, field.type, index < required, field.value, examples))
    result = results[0] if results else DocblockParam("return", None, None)
    return Docblock(docs.replace(":py:class:", ""), params, result.value, result.type)
