"""Run the `formats` command as ``python -m formats``."""

from __future__ import annotations

if __name__ == "__main__":
    from importlib.metadata import entry_points

    import formats.cli

    points = entry_points(group="console_scripts", name="formats")
    command = next(iter(points)).load() if points else formats.cli.run
    command()
