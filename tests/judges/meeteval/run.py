"""Random meetings scored by meeteval itself and by us, in every measure, field by field.

Left aside is where meeteval (0.4.3) errs or says nothing: ORC and MIMO without times where a stream
has no words (too many errors, or an assertion), tcMIMO of a reference without words (an assertion),
and how the errors of tcMIMO are split where several ways are equally cheap.

`python -m tests.judges.meeteval.run --cases 200 --seed 1`; meeteval comes from the package index.
"""

import argparse
import dataclasses
import json
import logging
import random
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

from scoring.peers.meeteval import wer as ours

PLAIN = ("cpwer", "orcwer", "greedy_orcwer", "mimower", "greedy_dicpwer")
TIMED = ("tcpwer", "tcorcwer", "greedy_tcorcwer", "tcmimower", "greedy_ditcpwer")
TIMINGS = (
    "character_based", "character_based_points", "equidistant_intervals", "equidistant_points",
    "full_segment",
)  # fmt: skip


def meeting(chance: random.Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Both sides of a session: 2 to 8 speakers, overlaps, silence, empty segments and ties."""
    speakers = chance.choice((2, 2, 2, 3, 3, 4, 6, 8))
    streams = min(8, max(1, speakers + chance.choice((-1, 0, 0, 0, 1))))
    words = [
        letter * chance.choice((1, 1, 2, 5)) for letter in "abcdefgh"[: chance.choice((2, 4, 8))]
    ]
    most = {2: 5, 3: 4, 4: 2}.get(max(speakers, streams), 1)
    sides = []
    for names, count in (("ABCDEFGH", speakers), ("12345678", streams)):
        items = []
        for name in names[:count]:
            start = chance.randrange(60)
            for _ in range(chance.randint(1, most)):
                start += chance.randrange(-20, 60)
                start = max(0, start)
                length = chance.randrange(0, 60)
                said = [chance.choice(words) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))]
                items.append(
                    {
                        "session_id": "s",
                        "speaker": name,
                        "start_time": start / 10,
                        "end_time": (start + length) / 10,
                        "words": " ".join(said),
                    }
                )
        chance.shuffle(items)
        sides.append(items[: chance.choice((len(items), len(items), len(items), 1))])
    if chance.random() < 0.3:  # much of what was said is heard
        heard = [dict(one, speaker=chance.choice("123")) for one in sides[0]]
        sides[1] = [one for one in heard if chance.random() < 0.9] or heard
    return sides[0], sides[1]


def measured(module: Any, name: str, case: tuple[Any, Any], options: dict[str, Any]) -> object:
    """The fields of the only session, or what was raised."""
    try:
        [found] = getattr(module, name)(*case, **options).values()
    except Exception as problem:  # of whatever kind: it is compared
        return type(problem).__name__
    return json.loads(json.dumps(dataclasses.asdict(found)))


def has_silent_stream(hypothesis: list[dict[str, Any]]) -> bool:
    """Whether a stream has no words."""
    speaking = {one["speaker"] for one in hypothesis if one["words"]}
    return any(one["speaker"] not in speaking for one in hypothesis)


def total(found: object) -> object:
    """The errors alone."""
    return found["errors"] if isinstance(found, dict) else found


def main(argv: Sequence[str] | None = None) -> int:
    """Compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    import meeteval.wer as theirs

    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    differences: Counter[str] = Counter()
    for number in range(arguments.cases):
        seed = arguments.seed * 1_000_000 + number
        chance = random.Random(seed)
        case = meeting(chance)
        clock = {
            "collar": chance.choice((0, 0.1, 0.5, 1, 2.5, 5)),
            "ref_pseudo_word_timing": chance.choice(TIMINGS),
            "hyp_pseudo_word_timing": chance.choice(TIMINGS),
        }
        for name in (*PLAIN, *TIMED):
            options = clock if name in TIMED else {}
            expected = measured(theirs, name, case, options)
            found = measured(ours, name, case, options)
            if name in ("orcwer", "mimower") and has_silent_stream(case[1]):
                continue
            if name == "tcmimower":
                if not any(one["words"] for one in case[0]):
                    continue
                expected, found = total(expected), total(found)
            if expected != found:
                differences[name] += 1
                print(f"seed {seed}: {name} {options}", file=sys.stderr)
                if isinstance(expected, dict) and isinstance(found, dict):
                    changed = [key for key in expected if expected[key] != found[key]]
                    for key in changed:
                        print(f"  {key}: {expected[key]} {found[key]}", file=sys.stderr)
                else:
                    print(f"  {expected} {found}", file=sys.stderr)
    print(f"{arguments.cases} sessions, differences: {dict(differences)}")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
