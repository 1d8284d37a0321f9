"""`scoring docs`: the pages of the documentation, which are installed with the programs."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import NamedTuple

from formats.console.command_line import HELP_ALL, closest
from scoring.cli import messages
from scoring.cli.flags import command_parser
from scoring.cli.moved_pages import MOVED
from scoring.cli.page_search import DocPage, hits, pages_in
from scoring.cli.scoring import OK, command_named, tell
from scoring.model.data_files import PACKED, names_in, text_of
from scoring.model.errors import ScoringError
from scoring.model.outputs import put_text, show_lines

PACKAGES = Path(__file__).resolve().parents[2]
# in the sources the folders stand beside the packages; a wheel has them in one of these
PLACES = (PACKAGES / "sclite_kit", PACKAGES)
# a group of pages in the index, and its pages
CAPTION = "### "
PAGE = re.compile(r"^- \[(.+)\]\((\S+)\.md\)$")
# the folder of the pages of commands
COMMANDS = "reference/commands/"
# the help of a command on its page, and its row with links on the page of all commands
COMMAND_HELP = re.compile(r"^```\{command-help\} (.+)$", re.MULTILINE)
# the code of a message
CODE = re.compile(r"[A-Z][A-Z0-9?-]+")
# what the site makes of the output of a command
DIRECTIVE = re.compile(r"^```\{command-(help|table|text)\} (.+)\n```$", re.MULTILINE)
# names whose docstrings the site shows
DOCSTRINGS = re.compile(r"^```\{eval-rst\}\n((?:(?!```).*\n)*)```$", re.MULTILINE)
DOCUMENTED = re.compile(r"^\.\. auto\w+:: (\w+)\.(\w+)$", re.MULTILINE)
ROW = re.compile(r"^\| `.*", re.MULTILINE)
LINK = re.compile(r"\]\(\.\./([\w-]+)\.md")
# a block of code, or lines up to an empty one
PARAGRAPH = re.compile(r"^```.*?^```$|(?:^(?!```)[^\n]+\n?)+", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
TABLE = """
page PAGE  name of a page, a format, or the code of a message, for example CTM-ORDER;
  wer#scoring-cer and wer#--meeting name a heading and an option of a page
| --path  print only the path of the file with the page
| --search WORD …  list the pages that contain the words, best match first
| --messages  print all messages by their codes, as Markdown
| --resources  copy the demo files and the schemas into a new folder `resources`
"""


class OptionHelp(NamedTuple):
    """The help of an option: the title of its group, names with metavars, and the text."""

    group: str
    names: str
    text: str


class PageError(ScoringError):
    """A page or folder does not exist, or an output folder already exists."""

    status = 2


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = command_parser(
        "docs",
        "Show a page of the documentation, or list all pages. The commands on the pages work in "
        "the folder in which you ran `scoring docs --resources`.",
        TABLE,
        PAGE={"nargs": "?", "metavar": "page"},
        search={"nargs": "+"},
    )
    arguments = parser.parse_args(argv)
    if arguments.resources:
        _copy_resources(Path("resources"))
        return OK
    if arguments.messages or (arguments.page and CODE.fullmatch(arguments.page)):
        put_text(_messages(arguments.page))
        return OK
    folder = installed("docs", "reference")
    if arguments.search:
        show_lines(_found(folder, arguments.search))
        return OK
    if arguments.page is None:
        show_lines([str(folder)] if arguments.path else _listing(folder))
        return OK
    name, _, part = arguments.page.partition("#")
    option = part if part.startswith("-") else ""
    command, page, heading = (
        _command_and_page(folder, name) if option else ("", *_page(folder, name))
    )
    text = page.text
    if option:
        text = "\n\n".join(_parts(command or name, _help_of(command), text, option))
    elif part or heading:
        text = _section(name, text, part or heading)
    text = DOCSTRINGS.sub(_docstrings, DIRECTIVE.sub(_generated, text))
    if arguments.path:
        put_text([str(page.path)])
    elif sys.stdout is not None and sys.stdout.isatty():
        from formats.console.screen import page_markdown

        page_markdown(text)
    else:
        put_text(text.splitlines())
    return OK


def _messages(code: str | None) -> list[str]:
    """Return the lines of the table of all messages, or of those with a code.

    Raise PageError if no message has the code.
    """
    from scoring.cli.catalogue import entries, table

    if code is not None and code not in (codes := [entry.code for entry in entries()]):
        raise _unknown("the code of a message", code, codes)
    return list(table([code] if code else ()))


def _generated(directive: re.Match[str]) -> str:
    """Return the text that replaces a directive in a page: a command's help or its output."""
    kind, command = directive.groups()
    program, name, *words = command.split(" ")
    if kind == "help":
        return f"```text\n{_help_of(command)}```"
    output = printed_by(program, [name, *words]).rstrip("\n")
    return f"```text\n{output}\n```" if kind == "text" else output


def _docstrings(names: re.Match[str]) -> str:
    """Return the docstrings of the public names in a directive, as Markdown."""
    parts = []
    for module, name in DOCUMENTED.findall(names[1]):
        found = getattr(import_module(module), name)
        text = f"{module}.{name}\n\n{getdoc(found) or ''}"
        parts.append(f"```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts)


def installed(name: str, member: str) -> Path:
    """Return the installed folder `name`; PageError without it.

    In the sources, it has the `member`; other packages may have a folder of the same name.
    """
    for place in PLACES:
        if any((place / name / each).exists() for each in (*PACKED, member)):
            return place / name
    raise PageError(f"docs: expected {name} beside the packages in {PACKAGES}, found none")


def _copy_resources(target: Path) -> None:
    source = installed("resources", "demo")
    if target.exists():
        raise PageError(
            f"docs: {target} exists already and is not changed: remove it, or run this in another "
            "folder"
        )
    for name in names_in(str(source)):
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(text_of(str(source), name).encode("utf-8"))
    tell(messages.Message(messages.DEMO_COPIED, {"path": str(target / "demo")}))


def _listing(folder: Path) -> list[str]:
    """Return the pages with their titles, in the order of the index."""
    lines: list[str] = []
    index = pages_in(folder)["index"].text
    for line in index.partition(f"\n{CAPTION}")[2].splitlines():
        if page := PAGE.match(line):
            lines.append(f"  {page[2]:<26}{page[1]}")
        elif line:
            caption = line.removeprefix(CAPTION)
            lines += ["", caption] if lines else [caption]
    return [*lines, "", "scoring docs PAGE shows one of them, or that of a format."]


def _found(folder: Path, words: Sequence[str]) -> list[str]:
    """Return lines with the pages that contain the searched words, and their best headings.

    Raise PageError if no page contains them.
    """
    pages = hits(folder, words)
    if not pages:
        raise PageError(f"docs: no page contains {' '.join(words)!r}")
    names = [f"{hit.page}#{anchor_of(hit.heading)}" if hit.heading else hit.page for hit in pages]
    width = max(map(len, names)) + 2
    return [
        f"  {name:<{width}}{hit.title}{': ' if hit.heading else ''}{hit.heading}"
        for name, hit in zip(names, pages, strict=True)
    ]


def _page(folder: Path, name: str) -> tuple[DocPage, str]:
    """Return the page with a name, and an empty text for the heading.

    If the name belongs to a heading of a page, return this page and the heading.
    """
    wanted = name.removesuffix(".md")
    pages = pages_in(folder)
    names = [wanted, *(f"{place}{wanted}" for place in ("formats/", "reference/", COMMANDS))]
    for known in names:
        if known in pages:
            return pages[known], ""
        if known in MOVED:
            page, _, heading = MOVED[known].partition("#")
            return pages[page], heading
    link = re.search(rf"\[`{re.escape(wanted)}`\]\(([^)\[]*)\)", pages["formats"].text)
    if link:
        page, _, heading = link[1].partition("#")
        return pages[page.removesuffix(".md")], heading
    raise _unknown(
        "a page (scoring docs lists all, scoring docs --search WORD finds words)",
        name,
        [*pages, *MOVED],
    )


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as on the site and on GitHub."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _section(name: str, text: str, wanted: str) -> str:
    """Return a heading of a page with the text below it; raise PageError if it is missing."""
    code, level = False, 0
    anchors: list[str] = []
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        code ^= line.startswith("```")
        depth = 0 if code else len(line) - len(line.lstrip("#"))
        if depth:
            anchors.append(anchor_of(line.strip("# \n")))
            if lines and depth <= level:
                break
            if not lines and anchors[-1] == wanted:
                level = depth
        if level:
            lines.append(line)
    if not lines:
        raise _unknown(f"a heading of {name}", wanted, anchors)
    return "".join(lines).rstrip("\n") + "\n"


def _unknown(expected: str, name: str, names: Iterable[str]) -> PageError:
    near = closest(name, names, 0.7)
    meant = f"; did you mean {near}?" if near else ""
    return PageError(f"docs: expected {expected}, found {name!r}{meant}")


def _command_and_page(folder: Path, name: str) -> tuple[str, DocPage, str]:
    """Return a command, the page about it, and the heading on the page; empty if there is none.

    `name` is the name of the command or of its page.
    """
    pages = pages_in(folder)
    rows = ROW.findall(pages["reference/commands"].text)
    of_commands = [page.text for page in pages.values() if page.name.startswith(COMMANDS)]
    commands = [name for text in of_commands for name in COMMAND_HELP.findall(text)]
    command = next((c for c in commands if name in (c, c.partition(" ")[2])), "")
    if not command:
        page, heading = _page(folder, name)
        stem = page.name.rpartition("/")[2]
        cells = [row.split("|")[1] for row in rows if stem in LINK.findall(row)]
        command = next((c for cell in cells for c in commands if f"`{c}" in cell), "")
        return command, page, heading
    if command.startswith("formats "):
        return command, pages["formats"], ""
    links = (link for row in rows if f"`{command}" in row for link in LINK.findall(row))
    own = command.partition(" ")[2]
    return command, pages[own if own in pages else next(links, "reference/commands")], ""


def _help_of(command: str) -> str:
    """Return the help of a command with all its options; empty if the command does not exist."""
    program, _, name = command.partition(" ")
    return printed_by(program, [name, HELP_ALL])


def printed_by(program: str, words: Sequence[str]) -> str:
    """Return the output of a command of this package; empty if the program is unknown."""
    bytes_of_output = io.BytesIO()
    output = io.TextIOWrapper(bytes_of_output, "utf-8", write_through=True)
    with redirect_stdout(output), suppress(SystemExit):
        if program == "formats":
            from scoring.cli.formats import main as run_formats

            run_formats(words)
        elif program:
            command_named(words[0])(words[1:])
    return bytes_of_output.getvalue().decode("utf-8")


def help_entries(text: str) -> Iterator[OptionHelp]:
    """Yield the options of a help text."""
    group = ""
    for part in re.findall(r"^\S.*:$|^  -[\w-].*(?:\n {6}.*)*", text, re.MULTILINE):
        if part.startswith(" "):
            names, _, help_text = re.sub(r"\n {6,}", "  ", part.strip()).partition("  ")
            yield OptionHelp(group, names, " ".join(help_text.split()))
        else:
            group = part[:-1]


def _parts(command: str, help_text: str, page: str, option: str) -> Iterator[str]:
    """Yield the help of an option, then the paragraphs of the page that name it.

    Each heading is yielded before its first paragraph.
    """
    entries = {name: e for e in help_entries(help_text) for name in OPTION.findall(e.names)}
    names = entries or dict.fromkeys(OPTION.findall(page))
    if option not in names:
        raise _unknown(f"an option of {command}", option, names)
    if option in entries:
        yield f"`{command} {entries[option].names}`"
        yield entries[option].text
    heading = ""
    for paragraph in map(str.rstrip, PARAGRAPH.findall(page)):
        if paragraph.startswith("#"):
            heading = paragraph
        elif option in OPTION.findall(paragraph):
            lines = paragraph.splitlines()
            if lines[0].startswith("|"):
                lines[2:] = [line for line in lines[2:] if option in OPTION.findall(line)]
            yield from filter(None, [heading, "\n".join(lines)])
            heading = ""
