"""Reports sign the version that is installed."""

import configparser
from pathlib import Path

from formats.schema import VERSION

ROOT = Path(__file__).resolve().parents[3]


def test_one_version() -> None:
    metadata = configparser.ConfigParser()
    metadata.read(ROOT / "setup.cfg", "utf-8")
    assert metadata["metadata"]["version"] == VERSION
