"""Running sc_stats: the original as a process under limits, ours in a fork of this process."""

from functools import partial

from tests.judges.frame import original, run_forked, run_limited, run_with
from tests.judges.sc_stats.generate import Case
from tests.judges.sclite.compare import Outcome

OWN_MARK = b"sc_stats: warning: "
USAGE_START = b"sc_stats: <OPTIONS>"


def parts_of(outcome: Outcome) -> dict[str, bytes]:
    """All there is to compare, by name; what only we say is left out."""
    lines = outcome.stderr.splitlines(keepends=True)
    stderr = b"".join(line for line in lines if not line.startswith(OWN_MARK))
    status = -1 if outcome.status is None else outcome.status
    streams = {"<stdout>": outcome.stdout, "<stderr>": without_usage(stderr)}
    return {**outcome.files, "<status>": b"%d" % status, **streams}


def without_usage(stderr: bytes) -> bytes:
    """Cut the usage text, whose wording is each program's own; its last line is the message."""
    begin = stderr.find(USAGE_START)
    if begin < 0:
        return stderr
    end = stderr.rfind(b"\nsc_stats: ")
    return stderr[:begin] + (stderr[end + 1 :] if end > begin else b"")


def run_original(case: Case) -> Outcome:
    """Debian's sc_stats."""
    command = [original("sc_stats"), *case.arguments]
    return run_with({}, partial(run_limited, command), case.stdin, ["dir"])


def run_ours(case: Case) -> Outcome:
    """Our sc_stats."""
    from scoring.cli.nist.sc_stats import main

    return run_with({}, partial(run_forked, main, case.arguments), case.stdin, ["dir"])
