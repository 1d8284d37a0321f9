"""Fixtures of the format tests for the verbs that align or draw."""

from tests.formats.conftest import run_command as run_command
from tests.formats.conftest import write_file as write_file
