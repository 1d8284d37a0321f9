"""The site: the pages of this folder, and references made from the parsers and the docstrings.

`tox -e site` builds it, warnings being errors; nothing is loaded from elsewhere, neither then nor
when it is read.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import lxml.html
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from formats.schema import VERSION  # noqa: E402
from scoring.cli.docs import PAGE, help_entries, printed_by  # noqa: E402
from scoring.cli.moved_pages import MOVED  # noqa: E402
from scoring.cli.page_search import SYNONYMS  # noqa: E402
from scoring.serve.browser.export import write_demo  # noqa: E402

# helps are as wide as in an ordinary terminal
os.environ["COLUMNS"] = "80"
project = "sclite-kit"
version = release = VERSION
project_copyright = "2026, sclite-kit contributors. Apache License 2.0"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
html_theme = "furo"
html_title = f"sclite-kit {VERSION}"
html_show_sphinx = False
html_theme_options = {
    "source_repository": "https://github.com/sclite-kit/sclite-kit",
    "source_branch": "main",
    "source_directory": "docs/",
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "_static" / "search_scorer.js")
myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]
# prompts and output are not what people want to paste
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# console sessions are no language; words in single back quotes in docstrings are code
highlight_language = "none"
default_role = "code"
PRE = re.compile("<pre>(.*?)</pre>", re.DOTALL)
CLASSES = re.compile('class="([^"]*)"')
# of each folder of pages, the contents of the whole site with no page as the current one
CONTENTS: dict[str, str] = {}
# segments and tokens both have a start
suppress_warnings = ["ref.python"]


def output_of(command: str) -> str:
    """What a command of ours prints.

    Raises
    ------
    RuntimeError
        If it prints nothing.
    """
    program, *words = command.split()
    output = printed_by(program, words)
    if not output:
        raise RuntimeError(command)
    return output


def escaped(text: str) -> str:
    """Text as Markdown; words in back quotes stay code."""
    return re.sub(r"([\\*_{}\[\]<>#|&~$])", r"\\\1", text)


class CommandHelp(SphinxDirective):
    """The help of a command; each option has an anchor, such as `cmdoption-scoring-wer-measure`."""

    has_content = False
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {}

    def run(self) -> list[nodes.Node]:
        """Usage as the terminal shows it, then the options by group."""
        command = self.arguments[0]
        text = output_of(f"{command} --help-all")
        usage = text.partition("\noptions:\n")[0]
        lines, title = [f"```{{program}} {command}", "```"], "options"
        for entry in help_entries(text):
            lines += ["", f"**{escaped(entry.group)}**", ""] if entry.group != title else []
            title = entry.group
            lines += [f"````{{option}} {entry.names}", escaped(entry.text), "````"]
        return [nodes.literal_block(usage, usage), *self.parse_text_to_nodes("\n".join(lines))]


class CommandTable(CommandHelp):
    """The Markdown that a command prints, as part of the page."""

    def run(self) -> list[nodes.Node]:
        """What the Markdown means."""
        return self.parse_text_to_nodes(output_of(self.arguments[0]))


class CommandText(CommandHelp):
    """The text that a command prints, as it prints it."""

    def run(self) -> list[nodes.Node]:
        """The text in a block of code."""
        text = output_of(self.arguments[0])
        return [nodes.literal_block(text, text)]


class OtherWords(SphinxTransform):
    """Enter the words for the subject of a page into the index, by which the search finds it."""

    default_priority = 100

    def apply(self) -> None:
        """Put an invisible entry for each word before the page."""
        words = SYNONYMS.get(self.env.docname, ())
        if words:
            entries = [("single", word, "", "main", None) for word in words]
            self.document.insert(0, addnodes.index(entries=entries))


def check_nothing_is_loaded(app: Sphinx, problem: Exception | None) -> None:
    """Refuse a site that loads anything from elsewhere: it is read without a network, too.

    Raises
    ------
    RuntimeError
        If a page names a script, a style, a picture, a frame or a font of another place.
    """
    if problem is not None or app.builder.format != "html":
        return
    loading = re.compile(
        r"<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*"
        r"\b(?:src|href|data)=[\"']?\s*(?:[a-z]+:)?//[^>]*>"
        r"|(?:@import|url\()\s*[\"']?(?:[a-z]+:)?//[^)\s]*",
        re.IGNORECASE,
    )
    for page in sorted(Path(app.outdir).rglob("*")):
        if page.suffix in (".html", ".css"):
            found = loading.search(page.read_text("utf-8"))
            if found:
                raise RuntimeError(f"{page}: loaded from elsewhere: {found[0]}")


def write_page(app: Sphinx, problem: Exception | None) -> None:
    """Write the page in the browser with the scored demo, which the first page shows.

    With SCLITE_KIT_SITE_RUNTIME=1 it has its runtime too, which npm and pip fetch: people can
    then score their own files on it.
    """
    if problem is None and app.builder.format == "html":
        target = Path(app.outdir) / "page"
        shutil.rmtree(target, ignore_errors=True)
        write_demo(target, parts=os.environ.get("SCLITE_KIT_SITE_RUNTIME") == "1")


def make_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    """Make tables of contents of the lists of the first page, and put the page in a frame there.

    The file itself is plain Markdown, which is readable wherever it is opened.
    """
    if page != "index":
        return
    text, _, lists = source[0].partition("## All pages\n")
    frame = (
        '```{raw} html\n<iframe src="page/index.html" loading="lazy" '
        'title="The page that scores transcripts, with the demo"></iframe>\n```'
    )
    text = re.sub(r"^!\[.*\]\(browser\.png\)$", frame, text, flags=re.MULTILINE)
    for part in lists.split("\n### ")[1:]:
        caption, _, lines = part.partition("\n")
        pages = "\n".join(row[2] for row in map(PAGE.match, lines.split("\n")) if row)
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n:maxdepth: 1\n\n{pages}\n```\n"
    source[0] = text


def redirect(app: Sphinx, problem: Exception | None) -> None:
    """Write a page at each old address that leads to where its text is now."""
    if problem is not None or app.builder.format != "html":
        return
    for old, new in MOVED.items():
        page, _, heading = new.partition("#")
        old_page = Path(app.outdir, f"{old}.html")
        target = f"{os.path.relpath(Path(app.outdir, page), old_page.parent)}.html#{heading}"
        old_page.write_text(
            f'<!DOCTYPE html><html lang="en"><title>{old}</title>'
            f'<meta http-equiv="refresh" content="0; url={target}">'
            f'<p><a href="{target}">{page}</a></p></html>\n',
            "utf-8",
        )


def wrapping(block: re.Match[str]) -> str:
    """Return a block of code whose lines wrap; lines with columns make it scroll instead."""
    lines = block[1].split("\n")
    if not any(map(has_columns, lines)):
        return f'<pre tabindex="0" class="wraps">{block[1]}</pre>'
    # an element must not begin within one line and end within another
    wrapped = [
        line
        if not line or has_columns(line) or line.count("<span") != line.count("</span")
        else f'<span class="wraps">{line}</span>'
        for line in lines
    ]
    text = "\n".join(wrapped)
    return f'<pre tabindex="0">{text}</pre>'


def has_columns(line: str) -> bool:
    """Return whether a line of highlighted code has parts that stay below each other."""
    return bool(re.search(r"\S {2,}\S", re.sub("<[^>]*>", "", line)))


def share_contents(
    _app: Sphinx, page: str, _template: str, context: dict[str, object], _tree: object
) -> None:
    """Let pages of a folder share the contents in their margin, which take as long as all else."""
    make: Callable[..., str] = context["toctree"]  # type: ignore[assignment]
    folder, _, name = page.rpartition("/")

    def shared(**choices: object) -> str:
        if folder not in CONTENTS:
            text = CLASSES.sub(without_current, make(**choices))
            CONTENTS[folder] = text.replace('href="#"', f'href="{name}.html"')
        return CONTENTS[folder]

    context["toctree"] = shared


def without_current(classes: re.Match[str]) -> str:
    """Return the classes of an element but for that of the current page."""
    return f'class="{" ".join(name for name in classes[1].split() if name != "current")}"'


def with_current(contents: str, page: str) -> str:
    """Return contents with a page marked as the current one, and with the lists around it open."""
    tree = lxml.html.fragment_fromstring(contents, create_parent="div")
    own = f"{page.rpartition('/')[2]}.html"
    for link in tree.iter("a"):
        if link.get("href") == own:
            link.set("href", "#")
            link.classes.add("current")
            link.getparent().classes.add("current-page")
            for around in link.iterancestors("li", "ul"):
                around.classes.add("current")
                for box in around.iterchildren("input"):
                    box.set("checked", "")
    return "".join(
        [tree.text or "", *(lxml.html.tostring(one, encoding="unicode") for one in tree)]
    )


def give_levels(
    _app: Sphinx, page: str, _template: str, context: dict[str, object], _tree: object
) -> None:
    """Captions of contents get a level, and code that scrolls can be reached by keys."""
    contents = context.get("furo_navigation_tree")
    if isinstance(contents, str):
        context["furo_navigation_tree"] = with_current(contents, page)
    for name in ("body", "furo_navigation_tree"):
        text = context.get(name)
        if isinstance(text, str):
            text = text.replace('role="heading">', 'role="heading" aria-level="2">')
            context[name] = PRE.sub(wrapping, text)
    if page == "index":
        # the first table leads each role to its pages
        text = str(context["body"]).replace('<table class="', '<table class="doors ', 1)
        context["body"] = f'<div class="landing">{text}</div>'


def setup(app: Sphinx) -> dict[str, bool]:
    """Add what this site has of its own."""
    app.connect("source-read", make_contents)
    app.add_directive("command-help", CommandHelp)
    app.add_directive("command-table", CommandTable)
    app.add_directive("command-text", CommandText)
    app.add_transform(OtherWords)
    # before and after the theme
    app.connect("html-page-context", share_contents, priority=100)
    app.connect("html-page-context", give_levels, priority=900)
    app.connect("build-finished", write_page)
    app.connect("build-finished", redirect)
    app.connect("build-finished", check_nothing_is_loaded)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
