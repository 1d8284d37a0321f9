"""What counts as the same result of two runs of sclite.

`VERSION_DIFFERENCES` is the one place that knows where Debian's 2.4.10, the judge, differs from
the version we follow.
"""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from formats.detection import names
from tests.judges.sclite.case import Case

FORMATS = names()


@dataclass(frozen=True)
class VersionDifference:
    """One known difference between Debian's 2.4.10 and the version we follow.

    `translate` turns a file of the old version (by its name) into the new version's form;
    `concerns` tells cases in which the old version cannot judge. Either may be absent.
    """

    what: str
    translate: Callable[[str, bytes], bytes] | None = None
    concerns: Callable[[Case], bool] | None = None


OLD_LABEL = b"   with substitions                     "
NEW_LABEL = b"   with substitutions                   "
LONGEST_CHUNK = 50
LONGEST_UTTERANCE = 32767
LONGEST_STARRED_WORD = 40


def translate_label(name: str, content: bytes) -> bytes:
    """The label of one line of `.dtl` and `.spk` (which may have gone to standard output)."""
    return content.replace(OLD_LABEL, NEW_LABEL)


def has_long_ctm_channel(case: Case) -> bool:
    """Ctm against ctm with more words in a channel than fit one chunk."""
    if not any("ctm" in values[1:2] for values in case.option_values("-r")):
        return False
    for content in case.files.values():
        lengths: dict[tuple[bytes, ...], int] = {}
        for line in content.splitlines():
            place = tuple(line.lower().split()[:2])
            lengths[place] = lengths.get(place, 0) + 1
        if max(lengths.values(), default=0) > LONGEST_CHUNK:
            return True
    return False


def has_long_utterance(case: Case) -> bool:
    """A line with more words than the old version can trace back."""
    return any(
        len(line.split()) > LONGEST_UTTERANCE
        for content in case.files.values()
        for line in content.splitlines()
    )


def has_long_word(case: Case) -> bool:
    """A word so long that the row of stars opposite to it runs over its table."""
    return any(
        len(word) > LONGEST_STARRED_WORD
        for name, content in case.files.items()
        for line in content.splitlines()
        if not line.startswith(b";;")
        for word in line.split()
    )


def uses_what_is_compiled_out(case: Case) -> bool:
    """Alignment by diff, which a text hypothesis needs, or a language model."""
    texts = any("txt" in values[1:2] for values in case.option_values("-h"))
    return texts or bool({"-d", "-L"}.intersection(case.arguments))


def names_our_formats(case: Case) -> bool:
    """A format in a place where the original knows none of that name and we do."""
    named = [(side, *values[1:2]) for side in ("-r", "-h") for values in case.option_values(side)]
    known = {("-r", "trn"), ("-r", "stm"), ("-r", "ctm"), ("-r", "tmk")}
    known |= {("-h", "trn"), ("-h", "ctm"), ("-h", "txt"), ("-h", "tmk")}
    return any(len(one) > 1 and one not in known and one[1] in (*FORMATS, "auto") for one in named)


VERSION_DIFFERENCES: dict[str, VersionDifference] = {
    "substitutions label": VersionDifference(
        "the .dtl and .spk reports misspell a label, padded to the same column",
        translate=translate_label,
    ),
    "ctm chunks": VersionDifference(
        "ctm against ctm cuts channels beyond 50 words at other places",
        concerns=has_long_ctm_channel,
    ),
    "long utterances": VersionDifference(
        "utterances beyond 32767 words come out wrong", concerns=has_long_utterance
    ),
    "ukrainian": VersionDifference(
        "the localisation `ukrainian` is refused",
        concerns=lambda case: "ukrainian" in [word.lower() for word in case.arguments],
    ),
    "diff and language models": VersionDifference(
        "alignment by diff (also of text hypotheses) and language models are compiled out",
        concerns=uses_what_is_compiled_out,
    ),
    "formats": VersionDifference(
        "formats other than NIST's, or in other places, are refused", concerns=names_our_formats
    ),
    "long words": VersionDifference(
        "the stars opposite to a word beyond 40 bytes are whatever memory holds",
        concerns=has_long_word,
    ),
}


def not_judged(case: Case) -> str | None:
    """The name of a version difference that makes the original no judge of this case."""
    for name, difference in VERSION_DIFFERENCES.items():
        if difference.concerns is not None and difference.concerns(case):
            return name
    return None


@dataclass(frozen=True)
class Outcome:
    """What one run left behind. A negative `status` is a signal; None means it was stopped."""

    status: int | None
    stdout: bytes
    stderr: bytes
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the program ended by itself, neither by a signal nor by a limit."""
        return self.status is not None and self.status >= 0


DATES = (
    (re.compile(rb'creation_date="[^"]*"'), b'creation_date="CREATION-DATE"'),
    (re.compile(rb'Creation date: "[^"]*"'), b'Creation date: "CREATION-DATE"'),
)
OWN_WARNING = re.compile(rb"sclite: warning: [^\n]*\n")
USAGE_START = b"sclite: <OPTIONS>"
USAGE_END = b"\nsclite: Error, "


def without_dates(content: bytes) -> bytes:
    """Replace the date of creation, which no two runs share."""
    for pattern, replacement in DATES:
        content = pattern.sub(replacement, content)
    return content


def without_usage(stderr: bytes) -> bytes:
    """Cut the usage text, whose wording is each program's own, from the error output."""
    start = stderr.find(USAGE_START)
    if start < 0:
        return stderr
    end = stderr.find(USAGE_END, start)
    return stderr[:start] + (stderr[end:] if end >= 0 else b"")


def without_own_words(stderr: bytes, original: bytes) -> bytes:
    """Drop what we say more than the original: warnings, and lines that start with `sclite: `.

    Errors are not dropped: `sclite: Error, …` is the original's own way to refuse. A warning may
    follow text of the original that lacks its newline, so it is found anywhere in a line.
    """
    said = set(original.splitlines())
    kept: list[bytes] = []
    for line in OWN_WARNING.sub(b"", stderr).splitlines(keepends=True):
        own = line.startswith(b"sclite: ") and not line.startswith(b"sclite: Error, ")
        if not own or line.rstrip(b"\n") in said:
            kept.append(line)
    return b"".join(kept)


def translated(name: str, content: bytes) -> bytes:
    """A file of the original in the form of the version we follow, without its date."""
    for difference in VERSION_DIFFERENCES.values():
        if difference.translate is not None:
            content = difference.translate(name, content)
    return without_dates(content)


def expected_parts(original: Outcome) -> dict[str, bytes]:
    """What the run should give, as named contents. Names of streams are in angle brackets."""
    parts = {name: translated(name, content) for name, content in original.files.items()}
    parts["<status>"] = f"{original.status}\n".encode()
    parts["<stdout>"] = translated("<stdout>", original.stdout)
    parts["<stderr>"] = without_usage(original.stderr)
    return parts


def actual_parts(ours: Outcome, original_stderr: bytes) -> dict[str, bytes]:
    """What our run gave, in the form of `expected_parts`."""
    parts = {name: without_dates(content) for name, content in ours.files.items()}
    parts["<status>"] = f"{ours.status}\n".encode()
    parts["<stdout>"] = without_dates(ours.stdout)
    parts["<stderr>"] = without_own_words(without_usage(ours.stderr), original_stderr)
    return parts


def differing(expected: Mapping[str, bytes], actual: Mapping[str, bytes]) -> list[str]:
    """The names whose contents differ or that only one side has, sorted."""
    names = sorted({*expected, *actual})
    return [name for name in names if expected.get(name) != actual.get(name)]


def unified_difference(expected: Mapping[str, bytes], actual: Mapping[str, bytes]) -> str:
    """A unified diff of every differing content, invisible bytes made visible."""
    parts: list[str] = []
    for name in differing(expected, actual):
        left, right = expected.get(name), actual.get(name)
        parts += difflib.unified_diff(
            [] if left is None else visible(left),
            [] if right is None else visible(right),
            f"original/{name}" if left is not None else "/dev/null",
            f"ours/{name}" if right is not None else "/dev/null",
            lineterm="",
        )
    return "\n".join(parts)


def visible(content: bytes) -> list[str]:
    """Lines with carriage returns, tabs, ends and high bytes spelt out."""
    lines = content.split(b"\n")
    shown = [line.decode("latin-1").encode("unicode_escape").decode("ascii") for line in lines]
    return [f"{line}$" for line in shown[:-1]] + ([shown[-1]] if shown[-1] else [])


def difference(original: Outcome, ours: Outcome) -> str:
    """A unified diff of the two outcomes; empty if they are the same."""
    return unified_difference(expected_parts(original), actual_parts(ours, original.stderr))
