"""Random trn against trn cases."""

from dataclasses import dataclass
from random import Random

from tests.judges.sclite import options
from tests.judges.sclite.case import Case
from tests.judges.sclite.text import Style, corrupt, random_style, random_words, transcript

ID_TYPES = ("spu_id", "spu_id", "wsj", "rm", "swb", "sp")
HYPOTHESES = ("hyp.trn", "sub/hyp.trn", "./other.trn", "third")


@dataclass(frozen=True)
class Utterance:
    """One utterance: its id with parentheses, reference words, reference text."""

    identifier: str
    words: list[str]
    text: str


def speaker_names(rng: Random, count: int) -> list[str]:
    """Distinct speaker names, some with capitals, underscores or bytes from 0x80 on."""
    stems = ["s", "spk", "anna", "Ben", "x_y", "q.z", "\u00c3\u00a9va"]
    return [f"{rng.choice(stems)}{number}" for number in range(count)]


def identifier(rng: Random, kind: str, speaker: str, number: int) -> str:
    """An utterance id of the given type, with its parentheses."""
    if kind == "wsj":
        return f"({(speaker.replace('_', '') + 'zz')[-3:]}{number:05d})"
    if kind == "sp":
        return f"({speaker} {number})" if rng.random() < 0.2 else f"({speaker}_{number})"
    if kind == "rm":
        return f"({speaker}-st{number:04d})"
    if kind == "swb":
        return f"({speaker}-A-{number:04d})"
    separator = "-" if "_" in speaker or rng.random() < 0.9 else "_"
    return f"({speaker}{separator}{number:04d})"


def random_utterances(
    rng: Random, style: Style, kind: str, lengths: tuple[int, ...] = (3, 8, 8, 20, 60)
) -> list[Utterance]:
    """Utterances of 1 to 20 speakers, among them empty ones and speakers without a word."""
    speakers = speaker_names(rng, rng.choice((1, 1, 2, 3, 5, 20)))
    silent = {name for name in speakers if rng.random() < 0.08}
    longest = rng.choice(lengths)
    utterances: list[Utterance] = []
    for number in range(rng.choice((1, 2, 4, 8, 15, 30))):
        speaker = rng.choice(speakers)
        empty = speaker in silent or rng.random() < 0.08
        words = random_words(rng, style, 0 if empty else rng.randint(1, longest))
        text = transcript(rng, style, words, style.reference_alternations)
        utterances.append(Utterance(identifier(rng, kind, speaker, number), words, text))
    return utterances


def trn_line(rng: Random, text: str, name: str) -> str:
    """One line, with the blanks and capitals people leave in it."""
    if rng.random() < 0.01:
        name = name.encode("latin-1").upper().decode("latin-1")
    tail = rng.choice(("", "", "", "", " ", "\r")) if rng.random() < 0.1 else ""
    return f"{text} {name}{tail}" if text else rng.choice((f" {name}", name))


def label_lines(rng: Random, count: int) -> list[str]:
    """LABEL and CATEGORY definitions."""
    lines = [f';; LABEL "L{n}" "Title {n}" "Description {n}"' for n in range(count)]
    lines += [f';; CATEGORY "{n}" "Group{n}" "About {n}"' for n in range(rng.randint(0, 3))]
    if rng.random() < 0.1:
        lines += lines[:1]
    return lines


def with_comments(rng: Random, lines: list[str]) -> list[str]:
    """The lines with comments, blank lines and definitions strewn in."""
    result = list(lines)
    if rng.random() < 0.3:
        extra = rng.choice((";; a comment", "** another", "", "   ", ";;", ";; LABEL broken"))
        result.insert(rng.randint(0, len(result)), extra)
    if rng.random() < 0.15:
        result[0:0] = label_lines(rng, rng.randint(0, 4))
    return result


def trn_file(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode("latin-1")


def hypothesis_file(rng: Random, style: Style, utterances: list[Utterance]) -> bytes:
    """One system's output: fewer utterances, another order, errors."""
    chosen = list(utterances)
    if rng.random() < 0.2 and len(chosen) > 1:
        chosen = rng.sample(chosen, rng.randint(1, len(chosen)))
    elif rng.random() < 0.3:
        rng.shuffle(chosen)
    lines: list[str] = []
    for utterance in chosen:
        words = corrupt(rng, style, utterance.words)
        if not utterance.words and rng.random() < 0.5:
            words = random_words(rng, style, rng.randint(1, 2))
        text = transcript(rng, style, words, style.hypothesis_alternations)
        # A text that starts with a comment mark would be a comment, not an utterance.
        if text.startswith(("**", ";;")):
            text = " " + text
        name = utterance.identifier
        if rng.random() < 0.01:
            name = name.encode("latin-1").lower().decode("latin-1")
        lines.append(trn_line(rng, text, name))
    return trn_file(with_comments(rng, lines))


def reference_file(rng: Random, utterances: list[Utterance]) -> bytes:
    lines = []
    for utterance in utterances:
        text = utterance.text
        lines.append(f"{'  ' if text[:1] in ('*', ';') else ''}{text} {utterance.identifier}")
    if rng.random() < 0.2:
        rng.shuffle(lines)
    if rng.random() < 0.03:  # the same reference twice is one reference
        lines.append(lines[0])
    return trn_file(with_comments(rng, lines))


def trn_case(rng: Random, name: str) -> Case:
    """Draw one trn case."""
    style = random_style(rng)
    kind = rng.choice(ID_TYPES)
    utterances = random_utterances(rng, style, kind)
    systems = rng.choice((1, 1, 1, 2, 3))
    files = {"ref.trn": reference_file(rng, utterances)}
    choice = options.draw(rng, confidences=False, words=style.words)
    for path in rng.sample(HYPOTHESES, systems):
        files[path] = hypothesis_file(rng, style, utterances)
        choice.options.append(options.hypothesis_option(rng, path, "trn"))
    reference = ("-r", "ref.trn") if rng.random() < 0.3 else ("-r", "ref.trn", "trn")
    choice.options[0:0] = [reference, ("-i", kind)]
    return choice.case(name, "trn", files)
