"""Files of tiers whose words, times and speakers are known, in many shapes.

A sample is a conversation of one or two speakers: utterances, their words with times, phones, and
what annotators add. It is written as a TextGrid, EAF, CHAT or label track with one to three
unusual things. `verdict` says how it is read, as in `tests.formats.subtitles.made_files`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape

import formats
from formats import FormatError

SENTENCES = (
    "we went down to the river", "nobody was there", "what did you see", "only the old boat",
    "it had rained for three days", "so the path was under water", "you could have told me",
    "bring the lamp over here", "the door was open all night", "try the other key",
)  # fmt: skip
PHONES = ("a", "e", "i", "t", "s", "n", "r", "k", "m", "d")
Span: TypeAlias = tuple[float, float, str]
Tier: TypeAlias = tuple[str, bool, list[Span]]
Change: TypeAlias = Callable[["Talk", random.Random], None]


@dataclass
class Utterance:
    """What somebody says from a begin to an end, with the spans of the words."""

    speaker: str
    words: list[Span]

    @property
    def start(self) -> float:
        """The begin of the first word."""
        return self.words[0][0]

    @property
    def end(self) -> float:
        """The end of the last word."""
        return self.words[-1][1]

    @property
    def text(self) -> str:
        """The words with blanks."""
        return " ".join(word for *_, word in self.words)


@dataclass
class Talk:
    """A conversation, how it is written, and what is unusual in it."""

    utterances: list[Utterance]
    style: dict[str, object] = field(default_factory=dict)
    axes: list[str] = field(default_factory=list)
    more: list[Tier] = field(default_factory=list)
    unsaid: list[Span] = field(default_factory=list)

    def written(self, key: str, usual: str) -> str:
        """Return a setting of the style as text."""
        return str(self.style.get(key, usual))


def plain_talk(chance: random.Random) -> Talk:
    """Return utterances of two speakers, one after another."""
    now, utterances = 0.5, []
    for n in range(chance.randrange(6, 12)):
        words = []
        for word in chance.choice(SENTENCES).split():
            length = round(chance.uniform(0.1, 0.4), 3)
            words.append((round(now, 3), round(now + length, 3), word))
            now += length
        utterances.append(Utterance("AB"[n % 2], words))
        now += round(chance.uniform(0.2, 1.5), 3)
    return Talk(utterances)


def set_style(**style: object) -> Change:
    """Return a change that sets something of the style."""

    def change(talk: Talk, chance: random.Random) -> None:
        talk.style.update(style)

    return change


def phones_of(words: list[Span], chance: random.Random) -> list[Span]:
    """Cut words into phones."""
    found = []
    for start, end, word in words:
        step = (end - start) / len(word)
        found += [(round(start + n * step, 4), round(start + (n + 1) * step, 4) if n + 1 < len(word)
                   else end, chance.choice(PHONES)) for n in range(len(word))]  # fmt: skip
    return found


def all_words(talk: Talk) -> list[Span]:
    return [word for u in talk.utterances for word in u.words]


def spans(talk: Talk) -> list[Span]:
    return [(u.start, u.end, u.text) for u in talk.utterances]


def add_tier(
    name: str, make: Callable[[Talk, random.Random], list[Span]], *, points: bool = False
) -> Change:
    """Return a change that adds a tier that is no speech."""

    def change(talk: Talk, chance: random.Random) -> None:
        talk.more.append((name, points, make(talk, chance)))

    return change


def of_words(*labels: str) -> Callable[[Talk, random.Random], list[Span]]:
    return lambda talk, chance: [(a, b, chance.choice(labels)) for a, b, _ in all_words(talk)]


def of_utterances(*labels: str) -> Callable[[Talk, random.Random], list[Span]]:
    return lambda talk, chance: [(a, b, chance.choice(labels)) for a, b, _ in spans(talk)]


NO_SPEECH: dict[str, Change] = {
    "phones": add_tier("phones", lambda t, c: phones_of(all_words(t), c)),
    "phonemes": add_tier("phonemes", lambda t, c: phones_of(all_words(t), c)),
    "segments of sounds": add_tier("segments", lambda t, c: phones_of(all_words(t), c)),
    "Phon": add_tier("Phon", lambda t, c: phones_of(all_words(t), c)),
    "son": add_tier("son", lambda t, c: phones_of(all_words(t), c)),
    "parts of speech": add_tier("pos", of_words("N", "V", "ADJ", "DET", "PRON")),
    "tags": add_tier("tag", of_words("NOUN", "VERB", "ADV")),
    "lemmas": add_tier("lemma", lambda t, c: [(a, b, w.upper()) for a, b, w in all_words(t)]),
    "glosses": add_tier("gloss", of_words("1SG", "go.PST", "DEF", "NEG", "PL")),
    "translation": add_tier("translation", of_utterances("nous sommes allés", "personne", "la clé")),
    "free translation": add_tier("ft", of_utterances("nous sommes allés", "personne", "la clé")),
    "English translation": add_tier("English", of_utterances("nous sommes là", "personne", "la clé")),
    "traduction": add_tier("traduction", of_utterances("nous sommes là", "personne", "la clé")),
    "Übersetzung": add_tier("Übersetzung", of_utterances("wir gingen", "niemand", "der Weg")),
    "notes": add_tier("notes", of_utterances("unclear", "overlap with noise", "check this")),
    "comments": add_tier("comment", of_utterances("laughs here", "check", "loud")),
    "Bemerkungen": add_tier("Bemerkungen", of_utterances("lacht", "laut", "unklar")),
    "tones": add_tier("tones", of_words("H*", "L%", "L+H*"), points=True),
    "breaks": add_tier("breaks", of_words("1", "3", "4"), points=True),
    "gestures": add_tier("gesture", of_utterances("beat", "point", "rest")),
    "gaze": add_tier("gaze", of_utterances("left", "right", "up")),
    "emotion": add_tier("emotion", of_utterances("neutral", "happy", "angry")),
    "speakers' names": add_tier("speaker", of_utterances("A", "B")),
    "vowels": add_tier("vowel", lambda t, c: [x for x in phones_of(all_words(t), c) if x[2] in "aei"]),
    "syllables": add_tier("syllables", lambda t, c: phones_of(all_words(t), c)),
    "numbers": add_tier("f0", of_words("120", "133.5", "98")),
    "noises": add_tier("noise", of_utterances("click", "cough", "door")),
    "pauses": add_tier("pause", lambda t, c: [(a[1], b[0], "p") for a, b in zip(spans(t), spans(t)[1:], strict=False)]),
    "turn numbers": add_tier("turn", lambda t, c: [(a, b, str(n)) for n, (a, b, _) in enumerate(spans(t), 1)]),
}  # fmt: skip


def silent_labels(label: str) -> Change:
    """Return a change that fills gaps between words with a label of silence."""
    return set_style(gap=label)


FILES: dict[str, Change] = {
    "short": set_style(short=True),
    "UTF-16": set_style(encoding="utf-16"),
    "BOM": set_style(encoding="utf-8-sig"),
    "CRLF": set_style(eol="\r\n"),
    "words only": set_style(levels="words"),
    "utterances only": set_style(levels="utterances"),
    "names of speakers": set_style(levels="speakers"),
    "words of each speaker": set_style(levels="speakers' words"),
    **{f"gaps {label}": silent_labels(label) for label in (
        "sil", "<sil>", "SIL", "sp", "#", "_", "<p:>", "-", "...", "[silence]", "*",
    )},
    **{f"words are {name}": set_style(words=name) for name in (
        "word", "Words", "tokens", "ort", "orthography", "mots", "Wörter", "palabras", "palavras",
        "слова", "ORT-MAU", "Mary - words", "wrd", "word_tier", "lexical",
    )},
    **{f"utterances are {name}": set_style(utterances=name) for name in (
        "utterance", "sentence", "text", "transcript", "transcription", "phrase", "IPU", "ref",
        "énoncé", "Satz", "frase", "utt", "trans", "ortho", "default",
    )},
}  # fmt: skip


def tiers_of(talk: Talk) -> list[Tier]:
    """Return the tiers of a talk."""
    levels = talk.written("levels", "both")
    said: list[Tier] = []
    if levels == "speakers":
        said = [(f"Speaker {x}", False, [(u.start, u.end, u.text) for u in talk.utterances if u.speaker == x])
                for x in "AB"]  # fmt: skip
    elif levels == "speakers' words":
        for x in "AB":
            own = [u for u in talk.utterances if u.speaker == x]
            said.append((f"{x} - utterances", False, [(u.start, u.end, u.text) for u in own]))
            said.append((f"{x} - words", False, [w for u in own for w in u.words]))
    else:
        if levels != "words":
            said.append((talk.written("utterances", "utterances"), False, spans(talk)))
        if levels != "utterances":
            said.append((talk.written("words", "words"), False, all_words(talk)))
    return [*said, *talk.more]


def textgrid(talk: Talk) -> str:
    """Write the tiers as a TextGrid."""
    end = max(u.end for u in talk.utterances) + 1
    is_short, gap = talk.style.get("short"), talk.written("gap", "")

    def line(key: str, value: object) -> str:
        shown = '"' + value.replace('"', '""') + '"' if isinstance(value, str) else f"{value:g}"
        return f"{shown}\n" if is_short else f"    {key} = {shown} \n"

    tiers = tiers_of(talk)
    out = ['File type = "ooTextFile"\nObject class = "TextGrid"\n\n']
    out.append(f"0\n{end:g}\n<exists>\n{len(tiers)}\n" if is_short else
               f"xmin = 0 \nxmax = {end:g} \ntiers? <exists> \nsize = {len(tiers)} \nitem []: \n")  # fmt: skip
    for n, (name, is_points, labels) in enumerate(tiers, 1):
        kind = "TextTier" if is_points else "IntervalTier"
        out.append("" if is_short else f"    item [{n}]:\n")
        out += [line("class", kind), line("name", name), line("xmin", 0), line("xmax", end)]
        rows: list[tuple[float, float, str]] = []
        if is_points:
            rows = [((a + b) / 2, 0.0, text) for a, b, text in labels]
        else:
            now = 0.0
            fill = gap if name in spoken_names(talk) else ""
            for a, b, text in labels:
                if a > now:
                    rows.append((now, a, fill))
                rows.append((a, b, text))
                now = b
            if now < end:
                rows.append((now, end, fill))
        out.append(f"{len(rows)}\n" if is_short else
                   f"    {'points' if is_points else 'intervals'}: size = {len(rows)} \n")  # fmt: skip
        for k, (a, b, text) in enumerate(rows, 1):
            if not is_short:
                out.append(f"    {'points' if is_points else 'intervals'} [{k}]:\n")
            if is_points:
                out += [line("number", a), line("mark", text)]
            else:
                out += [line("xmin", a), line("xmax", b), line("text", text)]
    return "".join(out)


def spoken_names(talk: Talk) -> set[str]:
    return {name for name, *_ in tiers_of(talk)} - {name for name, *_ in talk.more}


def eaf(talk: Talk) -> str:
    """Write the tiers as EAF, all with times of their own."""
    slots: list[float] = []
    tiers = []
    for name, _, labels in tiers_of(talk):
        rows = []
        for a, b, text in labels:
            slots += [a, b]
            n = len(slots)
            rows.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{n}" TIME_SLOT_REF1="ts{n - 1}" '
                f'TIME_SLOT_REF2="ts{n}"><ANNOTATION_VALUE>{escape(text)}</ANNOTATION_VALUE>'
                "</ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        tiers.append(
            f'<TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID="{escape(name)}">{"".join(rows)}</TIER>'
        )
    order = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{n}" TIME_VALUE="{round(t * 1000)}"/>'
                    for n, t in enumerate(slots, 1))  # fmt: skip
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="" FORMAT="3.0" '
        'VERSION="3.0"><HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>'
        f"<TIME_ORDER>{order}</TIME_ORDER>{''.join(tiers)}"
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>'
        "</ANNOTATION_DOCUMENT>"
    )


MARKS: dict[str, tuple[str, str]] = {
    "retracing": ("<we went> [/] we went", "we went we went"),
    "correction": ("the boat [//] the lamp", "the boat the lamp"),
    "overlap": ("<so it was> [<]", "so it was"),
    "filler": ("&-um so it was", "um so it was"),
    "event": ("so it was &=laughs", "so it was"),
    "shortened": ("(be)cause it rained", "because it rained"),
    "unclear": ("so xxx it was", "so it was"),
    "pause": ("so (.) it (..) was (1.5)", "so it was"),
    "replacement": ("gonna [: going to] rain", "gonna rain"),
    "special form": ("a woofwoof@o there", "a woofwoof there"),
    "compound": ("the rail+road there", "the railroad there"),
    "linker": ("+< so it was", "so it was"),
    "interrupted": ("so it +/.", "so it"),
    "explanation": ("that [= the boat] was it", "that was it"),
    "post code": ("so it was [+ bch]", "so it was"),
    "error": ("goed [*] away", "goed away"),
    "long": ("so:: it was", "so it was"),
}


def chat(talk: Talk) -> str:
    """Write the utterances as CHAT; some have a mark."""
    out = ["@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tA Anne Adult, B Ben Adult\n",
           "@ID:\teng|x|A|||||Adult|||\n@ID:\teng|x|B|||||Adult|||\n"]  # fmt: skip
    for n, u in enumerate(talk.utterances):
        text, names = u.text, talk.style.get("marks", ())
        assert isinstance(names, tuple)
        if names and n % 3 == 1:
            written, spoken = MARKS[names[n % len(names)]]
            text = written
            count = len(spoken.split())
            step = (u.end - u.start) / count
            u.words = [(u.start + k * step, u.end if k + 1 == count else u.start + (k + 1) * step, w)
                       for k, w in enumerate(spoken.split())]  # fmt: skip
        times = (
            ""
            if talk.style.get("no times")
            else f" \x15{round(u.start * 1000)}_{round(u.end * 1000)}\x15"
        )
        end = "" if text.endswith("+/.") else " ."
        out.append(f"*{u.speaker}:\t{text}{end}{times}\n")
        if talk.style.get("mor"):
            out.append("%mor:\tpro|we v|go&PAST .\n%gra:\t1|2|SUBJ 2|0|ROOT 3|2|PUNCT\n")
        if talk.style.get("com"):
            out.append("%com:\tsomebody laughs\n")
    return "".join(out) + "@End\n"


CHAT: dict[str, Change] = {
    "mor": set_style(mor=True),
    "com": set_style(com=True),
    "no times": set_style(**{"no times": True}),
    **{name: set_style(marks=(name,)) for name in MARKS},
}


def audacity(talk: Talk) -> str:
    """Write the labels of a label track."""
    rows = all_words(talk) if talk.written("levels", "") == "words" else spans(talk)
    tail = "\\\t-1.000000\t5000.000000\n" if talk.style.get("bands") else ""
    text = "".join(f"{a:.6f}\t{b:.6f}\t{label}\n{tail}" for a, b, label in rows)
    return text.replace(".", ",") if talk.style.get("comma") else text


AUDACITY: dict[str, Change] = {
    "words only": set_style(levels="words"),
    "bands": set_style(bands=True),
    "comma": set_style(comma=True),
    "CRLF": set_style(eol="\r\n"),
}
WRITERS = {".TextGrid": textgrid, ".eaf": eaf, ".cha": chat, ".txt": audacity}
NOT_OF_WORDS = frozenset(
    ("ENCODING", "LINE-ENDS", "CHAT-DEPENDENT", "CHAT-HEADER", "AUDACITY-COMMA", "UTF-16")
)


def made(seed: int) -> tuple[str, bytes, Talk]:
    """Return a file's name, its bytes and what it means."""
    chance = random.Random(seed)
    suffix = chance.choices(list(WRITERS), [6, 4, 2, 1])[0]
    talk = plain_talk(chance)
    pools: list[dict[str, Change]] = {".cha": [CHAT], ".txt": [AUDACITY]}.get(
        suffix, [FILES, NO_SPEECH]
    )
    if suffix == ".eaf":
        skip = ("short", "UTF-16", "BOM", "gaps")
        pools[0] = {k: v for k, v in FILES.items() if not k.startswith(skip)}
    names: dict[str, Change] = {}
    for _ in range(chance.choice((1, 1, 2, 3))):
        pool = chance.choice(pools)
        name = chance.choice(list(pool))
        heads = {n.split(" ")[0] for n in names}
        if name.split(" ")[0] not in heads and not ("only" in name and names):
            names[name] = pool[name]
    if any("only" in n or n in ("names of speakers", "words of each speaker") for n in names):
        names = {k: v for k, v in names.items() if " are " not in k}
    for change in names.values():
        change(talk, chance)
    talk.axes = [f"{suffix} {name}" for name in names]
    raw = WRITERS[suffix](talk).replace("\n", talk.written("eol", "\n"))
    return f"talk{suffix}", raw.encode(talk.written("encoding", "utf-8")), talk


def verdict(seed: int, folder: Path) -> tuple[str, Talk, str]:
    """Read a sample; return how it was read, the sample, and the difference."""
    name, raw, talk = made(seed)
    path = folder / name
    path.write_bytes(raw)
    levels = talk.written("levels", "")
    has_speakers = name.endswith(".cha") or levels.startswith("speakers")
    try:
        transcript = formats.read(path)
    except FormatError as error:
        return "refused", talk, str(error)
    segments = sorted((s for s in transcript if s.kind == "segment" and s.words),
                      key=lambda s: (s.start is None, s.start or 0))  # fmt: skip
    found = [word for s in segments for word in s.words if word not in (".", "+/.")]
    truth = [word for *_, word in all_words(talk)]
    remarks = [str(d) for d in transcript.diagnostics if d.code not in NOT_OF_WORDS]
    shown = ""
    if found != truth:
        odd = next((n for n, pair in enumerate(zip(truth, found, strict=False)) if pair[0] != pair[1]),
                   min(len(truth), len(found)))  # fmt: skip
        shown = f"words: expected {truth[odd : odd + 6]}, found {found[odd : odd + 6]}"
    elif not talk.style.get("no times") and levels != "words" and segments:
        starts = {round(u.start, 3) for u in talk.utterances} | {
            round(w[0], 3) for w in all_words(talk)
        }
        odd_time = [s.start for s in segments if s.start is None or round(s.start, 3) not in starts]
        shown = f"times {odd_time[:3]}" if odd_time else ""
    if not shown and has_speakers and {(s.speaker or "-")[-1] for s in segments} != {"A", "B"}:
        shown = f"speakers {sorted({str(s.speaker) for s in segments})}"
    if not shown and not has_speakers and any(s.speaker for s in segments):
        shown = f"speakers {sorted({str(s.speaker) for s in segments})}"
    if not shown:
        return "right", talk, ""
    return ("told" if remarks else "silent"), talk, f"{shown} | {' '.join(remarks)[:250]}"
