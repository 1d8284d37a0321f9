"""``python -m scoring`` is the `scoring` command."""

from __future__ import annotations

if __name__ == "__main__":
    from scoring.cli.start import scoring

    scoring()
