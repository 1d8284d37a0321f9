"""Pair trn with trn: utterances with the same identifier are paired."""

from __future__ import annotations

from itertools import chain, takewhile

from formats.schema import NamedTuple
from scoring.alignment.numbered import int64_column
from scoring.alignment.system import CHARACTER_ALIGNED, Utterances
from scoring.model.errors import OriginalError, ScoringError
from scoring.nist.pairing import (
    Always,
    Done,
    Pairing,
    Progress,
    Setting,
    Speakers,
    same_for_all,
)
from scoring.nist.transcripts.characters import bsearch, byte_text
from scoring.nist.transcripts.input_files import Definitions, TranscriptFile, remark
from scoring.nist.transcripts.lexicon import TokenTable, first_bad_text
from scoring.nist.transcripts.trn import SPEAKER_KINDS, TrnFile, speaker_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scoring.model.aliases import Say

SHOWN = 10
NOT_FOUND = -1
NO_IDENTIFIER = (
    'expected "(id)" at the end of the line, found none; not a trn? Name its format after it'
)
# From which option `-f` on the texts of a trn hypothesis are shown as they are in the file.
TEXTS_SHOWN = 100


def pair_by_identifier(
    reference_source: TranscriptFile,
    hypothesis_source: TranscriptFile,
    setting: Setting,
    identifier_kind: str,  # value of option `-i`
) -> Pairing:
    """Pair two trn files; the hypothesis file decides which utterances are scored.

    It also decides their order. As in sclite, references without a hypothesis are skipped. This
    improves the score. `warn` reports their number.
    """
    reference, hypothesis, partners, definitions = match(
        reference_source, hypothesis_source, setting
    )
    speakers = Speakers()
    identifiers = hypothesis.identifiers
    numbers, failure = speaker_numbers(identifiers, identifier_kind, speakers, setting)
    count = len(numbers)
    printed = (reference, hypothesis, partners) if setting.verbose >= TEXTS_SHOWN else None
    progress = _progress(speakers.names, numbers, printed, setting.verbose)
    if failure is not None:
        progress = takewhile(lambda event: not isinstance(event, Done), progress)
    bad = None
    if setting.characters.case_sensitive:
        chosen = reference.texts.chosen(partners[:count])
        bad = first_bad_text(setting.characters, chosen, hypothesis.texts)
    sides = []
    # words are taken apart again only with these, and only then it is asked where they stand
    keeps_places = setting.segmenter is not None or setting.attributes & CHARACTER_ALIGNED
    for file, utterances, folded in (
        (reference, partners, True),
        (hypothesis, None, setting.folds_hypothesis),
    ):
        side = file.words(setting.lexicon, utterances, folded=folded)
        if not keeps_places:
            side.place = None
        if printed is None:
            file.forget()
        sides.append(side)
    pairing = Pairing(
        speakers=speakers.names,
        utterances=Utterances(
            identifiers=identifiers if count == len(identifiers) else identifiers[:count],
            speakers=numbers,
            attributes=same_for_all(setting.attributes, count),
            sequences=setting.sequences(count),
        ),
        reference=sides[0],
        hypothesis=sides[1],
        definitions=definitions,
        progress=chain([Always("Expanding\n")] * definitions.expansions, progress),
        failure=failure,
    )
    if bad is not None and failure is None:
        pairing = pairing.failed_at(bad.utterance, bad.error)
    return pairing


class Matched(NamedTuple):
    """Two trn files, and the index of the reference line that belongs to each hypothesis line."""

    reference: TrnFile
    hypothesis: TrnFile
    partners: Sequence[int]
    definitions: Definitions


def match(
    reference_source: TranscriptFile, hypothesis_source: TranscriptFile, setting: Setting
) -> Matched:
    """Read two trn files and find the reference of every hypothesis."""
    definitions = Definitions(setting.warn)
    characters, warn = setting.characters, setting.warn
    hypothesis = TrnFile(hypothesis_source, "hypothesis", characters, warn)
    definitions.read(hypothesis.raw, terminated_only=True)
    keeps_raw = setting.verbose >= TEXTS_SHOWN or not setting.folds_hypothesis
    if not keeps_raw and not hypothesis.has_asides:
        hypothesis.forget_raw()
    reference = TrnFile(reference_source, "Reference", characters, warn)
    definitions.read(reference.raw, terminated_only=True)
    reference.forget_raw()
    partners = _partners(reference, hypothesis, warn)
    definitions.read(hypothesis.raw, terminated_only=True)  # the original reads it twice
    hypothesis.warn_of_single_marks()
    if not keeps_raw:
        hypothesis.forget_raw()
    return Matched(reference, hypothesis, partners, definitions)


def _partners(reference: TrnFile, hypothesis: TrnFile, warn: Say) -> Sequence[int]:
    """Return for each hypothesis line the index of the reference line with the same identifier."""
    texts = reference.texts
    # numbers of identifiers, which the compiled table keeps in a fraction of a dictionary's room
    places = TokenTable()
    files = hypothesis, reference
    heard, wanted = (file.numbered_identifiers(places) for file in files)
    if heard is None or wanted is None:
        places = TokenTable()
        heard, wanted = ([*map(places.intern, file.each_identifier())] for file in files)
    count = max(heard, default=-1) + 1
    partners = int64_column([NOT_FOUND] * count, count)
    messages: list[str] = []
    unwanted: list[str] = []
    for number, position in enumerate(wanted):
        if position >= count:
            unwanted.append(reference.identifiers[number])
        elif partners[position] == NOT_FOUND:
            partners[position] = number
        elif not texts.text(partners[position]).startswith(texts.text(number)):
            name = reference.identifiers[number]
            messages.append(f"Error: double reference text for id '{name}'\n")
    if NOT_FOUND in partners or count < len(hypothesis):
        names = map(byte_text, places.texts()[:count])
        matched = {name for name, at in zip(names, partners, strict=True) if at != NOT_FOUND}
        # sclite's list of those missing covers only the first so many identifiers
        ordered = sorted(hypothesis.identifiers)
        filled = {bsearch(ordered, identifier) for identifier in matched}
        listed = [one for at, one in enumerate(ordered[: len(matched)]) if at not in filled]
        head = "Error: Not enough Reference files loaded\nMissing:\n"
        messages.append(head + "".join(f"    {identifier}\n" for identifier in listed))
        _explain(reference, hypothesis, matched, warn)
    if messages:
        raise OriginalError("".join(messages))
    if unwanted:
        shown = ", ".join(unwanted[:SHOWN]) + (", ..." if len(unwanted) > SHOWN else "")
        problem = (
            f"{len(unwanted)} of {len(reference)} references have no hypothesis and are not "
            f"scored: {shown}"
        )
        warn(remark(reference.name, problem))
    return partners  # no identifier stands twice, so that places are positions


def _explain(reference: TrnFile, hypothesis: TrnFile, matched: Collection[str], warn: Say) -> None:
    """Warn about lines that sclite skips without naming them."""
    first: dict[str, int] = {}
    count = 0
    for number, identifier in enumerate(hypothesis.identifiers):
        line, _ = hypothesis.texts.place(number)
        if identifier in first:
            problem = f"expected a new identifier, found {identifier!r} of line {first[identifier]}"
            problem = problem if identifier else NO_IDENTIFIER
        elif identifier in matched:
            first[identifier] = line
            continue
        else:
            first[identifier] = line
            problem = f"expected an identifier of {reference.name}, found {identifier!r}"
            problem = problem if identifier else NO_IDENTIFIER
        count += 1
        if count <= SHOWN:
            warn(remark(hypothesis.name, problem, line, 1))
    if count > SHOWN:
        warn(remark(hypothesis.name, f"{count - SHOWN} more such lines"))


def speaker_numbers(
    identifiers: Sequence[str], kind: str, speakers: Speakers, setting: Setting
) -> tuple[list[int], ScoringError | None]:
    """Return the index of each utterance's speaker, and an error or None.

    An utterance without a speaker gets the speaker of the preceding utterance.
    """
    numbers: list[int] = []
    name: str | None = None
    number = 0
    again: str | None = None  # how another identifier of the same speaker begins
    for identifier in identifiers:
        if again is not None and identifier.startswith(again):
            numbers.append(number)
            continue
        speaker = speaker_of(identifier, kind)
        if speaker is None and kind in SPEAKER_KINDS:
            label = SPEAKER_KINDS[kind]
            setting.warn(f"Error: extract_speaker can't locate {label} id {identifier}\n")
        if speaker is None and name is None:
            speaker = ""
        if speaker is not None and speaker != name:
            name, number = speaker, speakers.number(speaker)
            again = None if kind in ("sp", "wsj") or "-" in speaker else f"({speaker}-"
        numbers.append(number)
        if len(numbers) == 1:
            failure = setting.begin()
            if failure is not None:
                return numbers, failure
    return numbers, None


def _progress(
    names: Sequence[str],
    numbers: Sequence[int],
    shown: tuple[TrnFile, TrnFile, Sequence[int]] | None,
    verbose: int,
) -> Progress:
    """Yield the progress events.

    `shown` are the files whose texts sclite prints, with the partners of the hypothesis lines; None
    if it prints no texts.
    """
    if verbose == 0:
        yield from map(Done, range(len(numbers)))
        return
    counts = [0] * len(names)
    previous = 0
    for utterance, speaker in enumerate(numbers):
        counts[speaker] += 1
        newline = "\n" if speaker != previous else ""
        previous = speaker
        yield f"{newline}\r    Alignment# {counts[speaker]} for speaker {names[speaker]}          "
        if shown is not None:
            reference, hypothesis, partners = shown
            yield f"\n        HYP -> {hypothesis.raw_text(utterance)}\n"
            yield f"        REF -> {reference.texts.text(partners[utterance])}\n"
        yield Done(utterance)
        if verbose >= 2:
            yield "\n"
            yield utterance
    yield "\n\n"
