"""The site: the pages of this folder, and references made from the parsers and the docstrings.

`tox -e site` builds it, warnings being errors; nothing is loaded from elsewhere, neither then nor
when it is read.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scoring.version import VERSION  # noqa: E402

project = "sclite-kit"
author = "The developers of sclite-kit"
version = release = VERSION
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
html_theme = "furo"
html_title = f"sclite-kit {VERSION}"
html_show_sphinx = False
myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]
# prompts and output are not what people want to paste
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
# console sessions are no language; words in single back quotes in docstrings are code
highlight_language = "none"
default_role = "code"
# segments and tokens both have a start
suppress_warnings = ["ref.python"]


class CommandHelp(Directive):
    """What `COMMAND --help` prints, asked for when the site is built."""

    has_content = False
    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {}

    def run(self) -> list[nodes.Node]:
        """A block as the terminal shows it.

        Raises
        ------
        RuntimeError
            If the command does not print its help.
        """
        program, *words = self.arguments[0].split()
        done = subprocess.run(
            [sys.executable, "-m", program, *words, "--help"],
            cwd=ROOT,
            env={"COLUMNS": "80", "PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not done.stdout:
            raise RuntimeError(f"{self.arguments[0]} --help: {done.stderr}")
        return [nodes.literal_block(done.stdout, done.stdout)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add what this site has of its own."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
