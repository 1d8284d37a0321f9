"""The detail reports of one speaker (`.spk`) or all speakers (`.dtl`): rates and error lists."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from scoring.alignment.system import System
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.nist.report.rounding import Tally, percentage, rounded, total
from scoring.nist.report.rounding import by_speaker as tallies_by_speaker

_HALF = 32  # bits: two words of a pair are one number
_LOWER_HALF = (1 << _HALF) - 1
_LINES_AT_ONCE = 4096
_UNEQUAL = re.compile(rb"[^\x00]")  # every edit but CORRECT
_SUBSTITUTION_NOTE = """\
* NOTE: The 'Substitution' words are those reference words
        for which the recognizer supplied an incorrect word.

"""
_FALSE_NOTE = """\
* NOTE: The 'Falsely Recognized' words are those hypothesis words
        which the recognizer incorrectly substituted for a reference word.

"""


def by_speaker(system: System) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name and the `.spk` report of each speaker."""
    for name, tally, group in zip(
        system.speakers, tallies_by_speaker(system), system.utterances_of, strict=True
    ):
        head = f"SCORING FOR SPEAKER: {name}\n     of {system.title}\n\n"
        yield name, _report(head, tally, system, group)


def overall(system: System) -> Iterator[bytes]:
    """Yield the `.dtl` report."""
    head = f"DETAILED OVERALL REPORT FOR THE SYSTEM: {system.title}\n\n"
    return _report(head, total(tallies_by_speaker(system)), system, range(len(system)))


def _report(head: str, tally: Tally, system: System, utterances: Iterable[int]) -> Iterator[bytes]:
    yield f"{head}{_sentence_part(tally)}{_word_part(tally)}".encode("latin-1")
    titles = "CONFUSION PAIRS", "INSERTIONS", "DELETIONS", "SUBSTITUTIONS", "FALSELY RECOGNIZED"
    notes = "", "", "", _SUBSTITUTION_NOTE, _FALSE_NOTE
    for title, entries, note in zip(titles, _mistakes(system, utterances), notes, strict=True):
        yield from _listed(title, entries)
        yield note.encode("latin-1")


def _sentence_part(tally: Tally) -> str:
    def line(label: str, count: int) -> str:
        share = rounded(percentage(count, tally.utterances), 1)
        return f"{label:<40}{share:5.1f}%   ({count:4d})\n"

    return (
        f"SENTENCE RECOGNITION PERFORMANCE\n\n{' sentences':<50}{tally.utterances:4d}\n"
        f"{line(' with errors', tally.utterances_with_errors)}\n"
        f"{line('   with substitutions', tally.utterances_with_substitutions)}"
        f"{line('   with deletions', tally.utterances_with_deletions)}"
        f"{line('   with insertions', tally.utterances_with_insertions)}\n\n"
    )


def _word_part(tally: Tally) -> str:
    counts = tally.counts
    words = counts.reference_tokens

    def share(part: float) -> str:
        return f"{rounded(part, 1):5.1f}%" if words else "UNDEF%"

    def line(label: str, count: int) -> str:
        return f"{label:<26}=  {share(percentage(count, words))}   ({count:4d})\n"

    def word_line(label: str, count: int) -> str:
        return f"{label:<26}=           ({count:4d})\n"

    return (
        f"WORD RECOGNITION PERFORMANCE\n\n{line('Percent Total Error', counts.errors)}\n"
        f"{line('Percent Correct', counts.correct)}\n"
        f"{line('Percent Substitution', counts.substitutions)}"
        f"{line('Percent Deletions', counts.deletions)}"
        f"{line('Percent Insertions', counts.insertions)}"
        f"{'Percent Word Accuracy':<26}=  {share(100.0 - percentage(counts.errors, words))}\n\n\n"
        f"{word_line('Ref. words', words)}{word_line('Hyp. words', counts.hypothesis_tokens)}"
        f"{word_line('Aligned words', counts.correct + counts.errors)}"
    )


def _mistakes(system: System, utterances: Iterable[int]) -> Sequence[Mapping[str, int]]:
    """Return, for each type of mistake, how often it affects each word or pair of words."""
    # columns, not lists: half of a large corpus may be in error
    pairs, inserted, deleted = array("q"), array("i"), array("i")
    reference, hypothesis = system.reference.types, system.hypothesis.types
    edits, offsets = system.edits, system.offsets
    for utterance in utterances:
        begin = offsets[utterance]
        # Positions of the words of a place, from its own. Either falls behind by one with every
        # place that has no word on that side.
        left = system.reference.begins[utterance] - begin
        right = system.hypothesis.begins[utterance] - begin
        for match in _UNEQUAL.finditer(edits, begin, offsets[utterance + 1]):
            start = match.start()
            edit = edits[start]
            if edit == Edit.SUBSTITUTION:
                pairs.append(reference[left + start] << _HALF | hypothesis[right + start])
            elif edit == Edit.DELETION:
                deleted.append(reference[left + start])
            elif edit == Edit.INSERTION:
                inserted.append(hypothesis[right + start])
            if edit in NO_REFERENCE:
                left -= 1
            elif edit in NO_HYPOTHESIS:
                right -= 1
    types = system.vocabulary.types
    counters: tuple[Counter[str], ...] = tuple(Counter() for _ in range(5))
    confusions, insertions, deletions, substituted, falsely_recognized = counters
    for pair, count in Counter(pairs).items():
        left_text, right_text = types[pair >> _HALF].text, types[pair & _LOWER_HALF].text
        confusions[f"{left_text} ==> {right_text}"] += count
        substituted[left_text] += count
        falsely_recognized[right_text] += count
    for words, into in ((inserted, insertions), (deleted, deletions)):
        for word, count in Counter(words).items():
            into[types[word].text] += count
    return counters


def _listed(title: str, entries: Mapping[str, int]) -> Iterator[bytes]:
    """Yield a list of entries, the most frequent first; equal counts are in byte order."""
    ordered = sorted(entries)
    ordered.sort(key=entries.__getitem__, reverse=True)  # equals keep their order
    size = len(ordered)
    head = (
        f"\n{title:<30}   Total                 ({size})\n"
        f"{'':30}   With >=  1 occurrences ({size})\n\n"
    )
    yield head.encode("latin-1")
    lines = (f"{rank:4d}: {entries[text]:4d}  ->  {text}\n" for rank, text in enumerate(ordered, 1))
    while part := "".join(islice(lines, _LINES_AT_ONCE)):
        yield part.encode("latin-1")
    yield f"     -------\n     {sum(entries.values()):5d}\n\n\n".encode("latin-1")
