"""All that uses the package rich: the progress bar, and pages of Markdown.

Import this module only if a terminal is to show something: rich takes longer to load than most
scores take.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column

LONGEST_BAR = 30


class Bar:
    """A progress bar on standard error, with a text before it and one after it."""

    def __init__(self) -> None:
        # columns that shrink end with an ellipsis; the text after the bar stays whole
        text = Column(no_wrap=True, overflow="ellipsis")
        self._progress = Progress(
            TextColumn("{task.description}", markup=False, table_column=text),
            BarColumn(LONGEST_BAR),
            TextColumn("{task.fields[left]}", markup=False, table_column=Column(no_wrap=True)),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("", total=1.0, left="")

    def show(self, text: str, share: float | None, left: str) -> None:
        """Show the share of the work that is done; without a share the bar has no length."""
        values: dict[str, Any] = (
            {"total": None} if share is None else {"total": 1.0, "completed": share}
        )
        self._progress.update(
            self._task,
            description=text,
            left=left,
            **values,
        )
        self._progress.start()  # no effect on a bar that is shown already
        self._progress.refresh()

    def clear(self) -> None:
        """Remove the bar from the terminal."""
        self._progress.stop()


def page_markdown(text: str) -> None:
    """Show formatted Markdown in the pager."""
    from rich.markdown import Markdown

    console = Console()
    with console.pager():
        console.print(Markdown(text))
