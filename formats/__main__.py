"""``python -m formats`` is the `formats` command."""

from __future__ import annotations

if __name__ == "__main__":
    from formats.cli import run

    run()
