"""Speaker names before their text, ``Anne Example: hello``.

That is a speaker only where the whole file says so: see `formats.meetings.turns` and
`formats.subtitles.speakers`.
"""

from __future__ import annotations

import re

LONGEST = 60
MOST_WORDS = 6
TIME = re.compile(r"[0-9]{1,3}:[0-9]{2}")


def is_name(text: str) -> bool:
    """True if a text may be a name: up to six words and 60 characters.

    It begins with no small letter, unless it is a code with digits, and holds no time.

    >>> [is_name(text) for text in ("Dr. Ann Example (she/her)", "s1-a", "10:30 Meeting", "and so")]
    [True, True, False, False]
    """
    first = text[:1]
    return (
        len(text) <= LONGEST
        and len(text.split()) <= MOST_WORDS
        and (first.isalpha() or first == "@")
        and (not first.islower() or (" " not in text and any(map(str.isdigit, text))))
        and text[-1] not in ".?!,;"
        and "http" not in text
        and TIME.search(text) is None
    )
