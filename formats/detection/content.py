"""Detection of a format whose name does not tell it: all formats of a shape are asked."""

from __future__ import annotations

from formats.detection import (
    LAYOUTS,
    SERVICES,
    TABLES,
    ask_reader,
    by_name,
    is_sure,
    listed_formats,
    load_spec,
    loaded_spec,
    named_by,
    names,
    plugin_problems,
    seen_head,
    sharing_suffix,
)
from formats.detection.head import Head
from formats.detection.rules import sniff_listed
from formats.detection.spec import FormatSpec, ListedFormat, Sniff
from formats.schema import lazy_pattern
from formats.schema.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from formats.detection.signs import Near
    from formats.io.source import Source
    from formats.schema.errors import FormatError

FEW = 5
"""Lines among which the first cue of subtitles begins."""
QUOTED_NAMES = lazy_pattern(r'"[^"\n]{1,200}"(?: "[^"\n]{1,200}"){1,200}\Z')
"""The names of columns of a table that R wrote, with a blank between."""
JSON_LINES = {"jsonl", "json"}
MOST_MEMBERS = 20
"""Members of an object in which the answer of a service is looked for."""
FEWEST_WORDS, DIVIDER = 30, lazy_pattern(r"[\t|\"]|[,;](?=\S)")
"""The fewest words of a line that is no header of a table, and what divides cells."""
MOST_LINES = 200
"""Lines that show whether a text is a table."""


def format_of_content(
    source: Source, head: Head, named: ListedFormat | None, *, one_of_two: bool
) -> FormatSpec:
    """Return the format of an input whose content is not that of its name."""
    for problem in plugin_problems():
        source.log.say(problem.value.entry, **problem.value.fields)
    answers = _answers(_by_shape(head), head)
    if head.breaks_off and Sniff.SURE not in answers.values():
        from formats.io.source import FARTHEST_HEAD

        head = Head(source.head_lines(FARTHEST_HEAD), source.stem)
        answers.update(_answers(list(_by_shape(head))[:1], head))
    sharing = sharing_suffix(source.name)
    sure = _sure(answers)
    are_turns = all(listed.name in LAYOUTS for listed in sure)
    is_txt = named is not None and named.name == "txt"
    separator = _separator(head) if is_txt else ""
    other = _no_text(head, answers, separator) if is_txt else None
    is_wide = other is not None and _is_wide(head, separator)
    if sure and not (are_turns and (is_wide or _has_lookalikes(named, head, sharing))):
        return load_spec(_sure_one(source, sure))
    if named is not None and other is not None:
        return _of_content(source, other, named)
    # The content decides of JSON, not a name that other data sets use as well.
    if named is not None and named.shape == "json" and answers.get(named) is Sniff.NO:
        likely = _likely(source, head, answers, ("jsonl",))
        if likely is not None and named.sure and {named.name, likely.name} == JSON_LINES:
            return likely  # the values of JSON lines may be of any shape
        if likely is not None and named.sure:
            from formats.io.messages import BY_CONTENT

            source.log.say(BY_CONTENT, format=likely.name, suggested=named.name)
            return likely
    if named is not None and named.name in TABLES and _is_running_text(head):
        text = next(listed for listed in listed_formats() if listed.name == "txt")
        return _of_content(source, text, named)
    if named is not None and answers.get(named) is not Sniff.NEVER:
        if named.name == "txt" and (turns := _maybe_turns(answers)):
            raise _turns_or_text(source, turns)
        is_plain = named.name == "txt" and not one_of_two
        return _plain_or_kaldi(source, head) if is_plain else load_spec(named)
    if named is not None and len(sharing) == 1:
        from formats.io.messages import BY_SUFFIX

        source.log.say(BY_SUFFIX, format=sharing[0], suggested=named.name)
        return by_name(sharing[0])
    if (likely := _likely(source, head, answers, sharing)) is not None:
        return likely
    from formats.detection.line_shapes import are_texts_with_ids
    from formats.detection.signs import unknown

    if named is None and not one_of_two and are_texts_with_ids(head):
        return _plain_or_kaldi(source, head)
    specs = [(spec, answer) for listed, answer in answers.items() if (spec := loaded_spec(listed))]
    raise unknown(source, head, specs, sharing, names())


def _turns_or_text(source: Source, turns: str) -> FormatError:
    """Create the error for a text that may have turns or only words."""
    from formats.detection.errors import AmbiguousFormatError
    from formats.io.messages import TURNS_OR_TEXT

    value = Message(TURNS_OR_TEXT, {"format": turns}, source.log.side)
    return AmbiguousFormatError(value=value, path=source.name, candidates=[turns, "txt"])


def _of_content(source: Source, listed: ListedFormat, named: ListedFormat) -> FormatSpec:
    """Return a format that the content has, with a warning that the name suggests another."""
    from formats.io.messages import BY_CONTENT

    source.log.say(BY_CONTENT, format=listed.name, suggested=named.name)
    return load_spec(listed)


def _likely(
    source: Source, head: Head, answers: Mapping[ListedFormat, Sniff], sharing: Sequence[str]
) -> FormatSpec | None:
    """Return the format that may fit a file better than others; `None` if there is none."""
    possible = {listed.name: listed for listed, answer in answers.items() if answer is Sniff.MAYBE}
    likeliest = possible.pop("json", None) or possible.pop("xml", None)
    likely = [listed for name, listed in possible.items() if name in sharing]
    if len(likely) == 1:
        return load_spec(likely[0])
    if likeliest is not None:
        return _below_member(source, head, dict) or load_spec(likeliest)
    if {"srt", "vtt"} <= possible.keys() and any("-->" in line for line in head[:FEW]):
        return load_spec(_sure_one(source, [possible["srt"]]))  # without a line WEBVTT
    return _below_member(source, head, dict, list)


def is_binary(head: Head) -> bool:
    """Return True if a format that keeps stray bytes is sure of a text."""
    binary = (x for x in listed_formats() if x.keeps_bytes and x.shape == head.shape)
    return any(is_sure(listed, head) for listed in binary)


def _has_lookalikes(named: ListedFormat | None, head: Head, sharing: Sequence[str]) -> bool:
    """Return True if lines of a file may look like turns, although they are something else.

    These are tables, labels below two times, YAML, JavaScript and broken JSON.
    """
    from formats.detection.line_shapes import are_labels

    is_table = named is not None and named.name in TABLES
    is_label = named is not None and named.name == "htk" and are_labels(head)
    return is_table or is_label or head.is_yaml_only or "json" in sharing


def _below_member(source: Source, head: Head, *kinds: type) -> FormatSpec | None:
    """Return the format of the content of a member of a JSON object, such as ``data``; or None.

    The member may be in an object inside the outermost one.
    """
    value = head.json if head.shape == "json" else None
    outer = [((name,), part) for name, part in value.items()] if isinstance(value, dict) else []
    inner = [
        ((*path, name), part)
        for path, members in outer[:MOST_MEMBERS] if isinstance(members, dict)
        for name, part in members.items()
    ]  # fmt: skip
    for path, content in (*outer, *inner):
        if not content or not isinstance(content, kinds):
            continue
        import json

        head = Head([json.dumps(content)], source.stem)
        services = [x for x in listed_formats() if x.shape == "json" and x.name in SERVICES]
        sure = _sure(_answers([services], head))
        if len(sure) == 1:
            source.path_to_answer = path
            from formats.io.messages import BELOW_MEMBER

            source.log.say(BELOW_MEMBER, name=".".join(path), format=sure[0].name)
            return load_spec(sure[0])
    return None


def _no_text(
    head: Head, answers: Mapping[ListedFormat, Sniff], separator: str
) -> ListedFormat | None:
    """Return the format of cues, tables or JSON that may fit a text; `None` if there is none."""
    possible = [x for x, answer in answers.items() if answer is Sniff.MAYBE]
    if any("-->" in line for line in head[:FEW]):
        return next((x for x in possible if x.name == "srt"), None)
    if head.shape == "text" and separator:
        name = "tsv" if separator == "\t" else "csv"
        return next((listed for listed in possible if listed.name == name), None)
    if head.shape != "json" or not isinstance(head.json, (dict, list)):
        return None
    possible = [x for x in possible if x.shape == "json"]
    return next((x for x in possible if x.name == "json" or len(possible) == 1), None)


SEMICOLONS = lazy_pattern(r"(?<![0-9;])([0-9]{1,2});([0-5][0-9]);([0-5][0-9]);([0-9]{2})(?![0-9;])")
"""A time of hours to frames with semicolons, which divide no fields: ``00;01;21;11``."""


def _separator(head: Head) -> str:
    """Return the sign that divides each line into as many fields, at least two, or an empty text.

    Behind the last comma, a text may have more. Comments above the table do not count.
    """
    lines = [line for line in head if line.strip()][:MOST_LINES]
    while lines and lines[0][:1] == "#":
        del lines[0]
    if len(lines) < 2 or (lines[0][:1] == "|" and lines[0].rstrip()[-1:] == "|"):
        return ""
    import csv

    if sum(";" in line and SEMICOLONS.search(line) is not None for line in lines) > 1:
        lines = [SEMICOLONS.sub(":", line) for line in lines]
    for sign in " " if QUOTED_NAMES.match(lines[0]) else filter(lines[0].count, "\t|;,"):
        try:
            unescaped = (line.replace('\\"', '""') for line in lines)
            sizes = [len(row) for row in csv.reader(unescaped, delimiter=sign)]
        except csv.Error:
            continue
        if len(sizes) < len(lines):  # cells with several lines; the last may be cut off
            sizes = sizes[:-1]
        if sign == " " or (len(sizes) > 2 and sizes[0] + 1 == sizes[1]):
            sizes = sizes[1:]  # R counts the rows below its header
        is_even = len(sizes) > 1 and (sign == "," or len({*sizes}) == 1)
        if is_even and min(sizes) > 1:
            return sign
    return ""


def _is_running_text(head: Head) -> bool:
    """Return True if all that a file has is one line of many words, in which nothing divides cells.

    A blank follows each comma and semicolon of a sentence.
    """
    line, *others = [line for line in head if line.strip()] or [""]
    return not others and line.count(" ") >= FEWEST_WORDS and DIVIDER.search(line) is None


def _is_wide(head: Head, separator: str) -> bool:
    """Return True if lines have three fields, or fields in quotes."""
    are_quoted = all(line[:1] == '"' for line in head if line.strip())
    first = next((line for line in head if separator in line), "")
    return bool(separator) and (are_quoted or first.count(separator) > 1)


def _maybe_turns(answers: Mapping[ListedFormat, Sniff]) -> str:
    """Return the name of a layout of turns that may fit; empty if none may fit."""
    may = [x.name for x, answer in answers.items() if answer is Sniff.MAYBE and x.name in LAYOUTS]
    return next(iter(may), "")


def _plain_or_kaldi(source: Source, head: Head) -> FormatSpec:
    """Return Kaldi's text if every line begins with a distinct identifier, otherwise plain text."""
    from formats.detection.data_kinds import data_in
    from formats.detection.line_shapes import AN_IDENTIFIER, shape_of_lines

    shape = shape_of_lines(head)
    data = data_in(list(filter(None, map(str.strip, head))))
    are_data = data is not None and data.are_most
    if are_data or shape is None or shape.name != AN_IDENTIFIER or "kaldi" not in names():
        return by_name("txt")
    from formats.io.messages import FORMAT_KALDI

    source.log.say(FORMAT_KALDI, 1, lines=shape.lines, total=shape.total)
    return by_name("kaldi")


def near_formats(source: Source) -> list[Near]:
    """Return the likely formats of an input, best first, each with the first mismatch."""
    from formats.detection.signs import nearest

    head = seen_head(source)
    candidates = dict.fromkeys(listed for group in _by_shape(head) for listed in group)
    specs = [spec for spec in map(loaded_spec, candidates) if spec is not None]
    answers = [(spec, spec.sniff(head)) for spec in specs]
    return nearest(head, answers, sharing_suffix(source.name))


def sure_of(source: Source) -> str | None:
    """Return the name of the format that is sure; `None` if none or more than one is sure."""
    head = seen_head(source)
    answers = _answers(_by_shape(head), head)
    sure = _sure(answers)
    return sure[0].name if len(sure) == 1 else None


def _sure(answers: Mapping[ListedFormat, Sniff]) -> list[ListedFormat]:
    """Return the formats that are sure.

    A layout of turns counts only if no other format is sure.
    """
    sure = [listed for listed, answer in answers.items() if answer is Sniff.SURE]
    return [listed for listed in sure if listed.name not in LAYOUTS] or sure


def _answers(groups: Iterable[list[ListedFormat]], head: Head) -> dict[ListedFormat, Sniff]:
    """Return the certainty of each format.

    Groups of formats are asked in order; after a group with a sure format, no group is asked. The
    readers of layouts of turns, which take longest, are asked only if no other format is sure, and
    never about JSON.
    """
    answers: dict[ListedFormat, Sniff] = {}
    for group in groups:
        answers.update((listed, sniff_listed(listed, head)) for listed in group if listed.sure)
        if Sniff.SURE not in answers.values():
            asked = [listed for listed in group if listed.asks_reader or not listed.sure]
            layouts = [] if head.is_of_objects else [x for x in asked if x.name in LAYOUTS]
            others = [listed for listed in asked if listed.name not in LAYOUTS]
            answers.update((listed, ask_reader(listed, head)) for listed in others)
            if Sniff.SURE not in answers.values():
                answers.update((listed, ask_reader(listed, head)) for listed in layouts)
        if Sniff.SURE in answers.values():
            break
    return answers


def _by_shape(head: Head) -> Iterator[list[ListedFormat]]:
    """Yield groups of formats, in the order in which their detection is tried."""
    if head.is_yaml:
        yield [listed for listed in listed_formats() if listed.may_be_yaml]
    yield [listed for listed in listed_formats() if listed.shape == head.shape]
    if head.shape != "text":
        yield [listed for listed in listed_formats() if listed.shape == "text"]


def _sure_one(source: Source, sure: Sequence[ListedFormat]) -> ListedFormat:
    if len(sure) > 1:
        candidates = [listed.name for listed in sure]
        from formats.detection.errors import AmbiguousFormatError
        from formats.io.messages import SEVERAL_FORMATS

        raise AmbiguousFormatError(
            value=Message(SEVERAL_FORMATS, {"names": candidates}, source.log.side),
            path=source.name,
            candidates=candidates,
        )
    (listed,) = sure
    named = named_by(source.name)
    is_shared = source.name.lower().removesuffix(".gz").endswith(listed.shared)
    if named is not None and named is not listed and not is_shared:
        from formats.io.messages import BY_CONTENT

        source.log.say(BY_CONTENT, format=listed.name, suggested=named.name)
    return listed
