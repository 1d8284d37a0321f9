"""Random vectors of every area, without expected values; equal numbers give equal vectors."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.judges.meeteval.run import PLAIN, TIMED, meeting

Vector = dict[str, Any]
WORDS = (
    *("the", "a", "of", "to", "and", "in", "we", "saw", "train", "leaves", "at", "five", "red"),
    *("house", "river", "today", "people", "green", "light", "over", "under", "north", "south"),
    *("water", "paper", "seven", "open", "door", "small", "great", "old", "new", "street", "hand"),
)
ACCENTED = (*("été", "naïve", "straße", "GROSS", "Ωmega", "жук", "ЖУК", "Été", "mañana", "MAÑANA"),)
MIXED = (*("The", "THE", "the", "McDonald", "mcdonald", "US", "us", "A", "a"),)
HAN = "天地玄黄宇宙洪荒日月盈昃"
SCLITE = {"costs": [4, 3, 3], "ties": "sclite"}
KALDI = {"costs": [1, 1, 1], "ties": "kaldialign"}


def spoilt(rng: Random, words: list[str], vocabulary: tuple[str, ...], rate: float) -> list[str]:
    """The words with substitutions, deletions and insertions."""
    heard: list[str] = []
    for word in words:
        if rng.random() < rate / 3:
            heard.append(rng.choice(vocabulary))
        draw = rng.random()
        if draw < rate / 3:
            continue
        heard.append(rng.choice(vocabulary) if draw < rate else word)
    return heard


def pair(
    rng: Random, vocabulary: tuple[str, ...], lengths: tuple[int, ...] = (0, 1, 3, 5, 8, 12)
) -> tuple[list[str], list[str]]:
    """A reference and a hypothesis of words."""
    words = rng.choices(vocabulary, k=rng.choice(lengths))
    heard = spoilt(rng, words, vocabulary, rng.choice((0.1, 0.3, 0.6)))
    return words, heard or rng.choices(vocabulary, k=rng.choice((0, 0, 1)))


def words_vector(sides: tuple[list[str], list[str]], options: Vector) -> Vector:
    """A vector of plain words."""
    return {"options": options, "reference": " ".join(sides[0]), "hypothesis": " ".join(sides[1])}


def plain(rng: Random, number: int) -> Vector:
    kind = number % 3
    options, source = ((SCLITE, "sclite"), (KALDI, "kaldialign"), (KALDI, "kaldialign"))[kind]
    sides = pair(rng, WORDS, (1, 3, 5, 8, 12, 20))
    return {"source": source, **words_vector(sides, {**options, "case": "exact"})}


def ties(rng: Random, number: int) -> Vector:
    letters = ("a", "b", "c")[: rng.choice((2, 3))]
    sides = tuple(rng.choices(letters, k=rng.randint(1, 7)) for _ in range(2))
    options, source = ((SCLITE, "sclite"), (KALDI, "kaldialign"))[number % 2]
    return {"source": source, **words_vector(sides, {**options, "case": "exact"})}  # type: ignore[arg-type]


def optional(rng: Random, number: int) -> Vector:
    reference, hypothesis = pair(rng, WORDS, (2, 4, 7))
    marked = [
        f"({word})" if rng.random() < 0.3 else f"{word}-" if rng.random() < 0.15 else word
        for word in reference
    ]
    options: Vector = {**SCLITE, "case": "exact"}
    if number % 2:
        options["optional"] = True
    if number % 4 > 1:
        options["fragments"] = True
    return {"source": "sclite", **words_vector((marked, hypothesis), options)}


def alternation(rng: Random, number: int) -> Vector:
    reference, hypothesis = pair(rng, WORDS, (2, 4, 7))
    items = []
    for word in reference:
        if rng.random() < 0.35:
            choices = [word, *(" ".join(rng.choices(WORDS, k=rng.choice((1, 1, 2)))) for _ in "a")]
            choices += ["@"] * (rng.random() < 0.3)
            rng.shuffle(choices)
            items.append(f"{{ {' / '.join(choices)} }}")
        else:
            items.append(word)
    options: Vector = {**SCLITE, "case": "exact"}
    if number % 3 == 2:
        items = [f"({item})" if rng.random() < 0.2 and item[0] != "{" else item for item in items]
        options["optional"] = True
    return {"source": "sclite", **words_vector((items, hypothesis), options)}


def case(rng: Random, number: int) -> Vector:
    options: Vector = {**SCLITE, "case": ("ignore", "exact")[number % 2]}
    vocabulary: tuple[str, ...] = MIXED
    if number % 4 > 1:
        options["encoding"] = "utf-8"
        vocabulary = (*MIXED, *ACCENTED)
    return {"source": "sclite", **words_vector(pair(rng, vocabulary), options)}


def characters(rng: Random, number: int) -> Vector:
    kind = number % 4
    if kind == 3:
        options: Vector = {"costs": [1, 1, 1], "ties": "any", "unit": "char+space"}
        reference, hypothesis = pair(rng, WORDS, (1, 3, 5))
        return {"source": "jiwer", **words_vector((reference or ["a"], hypothesis), options)}
    units = ("char", "char, ASCII words whole", "char, without hyphens")
    words = tuple("".join(rng.choices(HAN, k=rng.choice((1, 2, 3)))) for _ in range(4))
    vocabulary = (*words, "ok", "a-b", "of")
    options = {**SCLITE, "case": "exact", "unit": units[kind], "encoding": "utf-8"}
    return {"source": "sclite", **words_vector(pair(rng, vocabulary, (1, 2, 4)), options)}


def compounds(rng: Random, number: int) -> Vector:
    pieces = ("a", "b", "ab", "ba", "c", "abc", "bc", "aa")
    if number % 2:
        pieces = ("rail", "way", "railway", "high", "highway", "land", "landway", "highland")
    sides = pair(rng, pieces, (1, 2, 4, 6))
    options: Vector = {**KALDI, "case": "exact", "compounds": True}
    if number % 4 > 1:
        options["costs"] = [4, 3, 3]
    return {"source": "kaldialign", **words_vector(sides, options)}


def times(rng: Random, _number: int) -> Vector:
    sides: list[list[list[object]]] = []
    for words in pair(rng, WORDS[:8], (1, 3, 5, 8)):
        start, rows = rng.randrange(30), []
        for word in words or ["red"]:
            span = rng.randint(1, 9)
            rows.append([word, start / 10, span / 10])
            start += span + rng.choice((0, 0, 1, 5))
        sides.append(rows)
    options = {**SCLITE, "case": "exact", "times": True}
    return {"source": "sclite", "options": options, "reference": sides[0], "hypothesis": sides[1]}


def segments(rows: list[dict[str, Any]]) -> list[list[object]]:
    """The segments of a side as lists."""
    return [[row[name] for name in ("speaker", "start_time", "end_time", "words")] for row in rows]


def session(rng: Random) -> tuple[list[list[object]], list[list[object]]]:
    """A meeting of two to four speakers; every stream has words, as ORC and MIMO need them."""
    while True:
        sides = meeting(rng)
        if all(
            1 <= len({row["speaker"] for row in side if row["words"]}) <= 4
            and all(row["words"] for row in side)
            and len(side) <= 8
            for side in sides
        ):
            return segments(sides[0]), segments(sides[1])


def speakers(rng: Random, number: int) -> Vector:
    names = (*PLAIN, *TIMED)
    options: Vector = {"measure": names[number % len(names)]}
    if options["measure"] in TIMED:
        options["collar"] = rng.choice((0, 0.5, 2.5, 5))
    reference, hypothesis = session(rng)
    return {"source": "meeteval", "options": options, "reference": reference, "hypothesis": hypothesis}  # fmt: skip


def diarisation(rng: Random, number: int) -> Vector:
    sides = []
    for names in ("ABC", "xyzw"):
        rows: list[list[object]] = []
        for name in rng.sample(names, rng.randint(1, len(names))):
            start = rng.randrange(20)
            for _ in range(rng.randint(1, 4)):
                span = rng.randint(1, 40)
                rows.append([name, start / 10, span / 10])
                start += span + rng.randint(1, 30)
        sides.append(rows)
    options = {"collar": (0, 0.25, 0.5)[number % 3], "single_speaker": number % 2 == 1}
    sides = [sorted(side, key=lambda row: float(str(row[1]))) for side in sides]
    return {
        "source": "md-eval.pl",
        "options": options,
        "tolerance": 0.0101,
        "reference": sides[0],
        "hypothesis": sides[1],
    }


def has_equal_mappings(vector: Vector) -> bool:
    """Whether two mappings of speakers have most common time: rounding would choose."""
    spans: list[dict[str, list[tuple[int, int]]]] = [{}, {}]
    for side, rows in zip(spans, (vector["reference"], vector["hypothesis"]), strict=True):
        for name, start, length in rows:
            first = round(100 * start)
            side.setdefault(name, []).append((first, first + round(100 * length)))
    left, right = (list(side.values()) for side in spans)
    totals: Counter[int] = Counter()
    common = [
        [sum(max(0, min(b, d) - max(a, c)) for a, b in one for c, d in two) for two in right]
        for one in left
    ]

    def add(row: int, taken: frozenset[int], total: int) -> None:
        if row == len(left):
            totals[total] += 1
            return
        add(row + 1, taken, total)
        for column, value in enumerate(common[row]):
            if value and column not in taken:
                add(row + 1, taken | {column}, total + value)

    add(0, frozenset(), 0)
    return totals[max(totals)] > 1


_PHRASES = (
    "I'm | won't | it's | Mr. Smith | twenty-five | $20 | 20% | 3.5 | (laughs) | [noise] | uh | "
    "hmm | colour | café | naïve | two hundred and five | 1st | €3 million | o'clock | they've "
    "| St. John | ten thousand | the 1960s | £5 | one oh one | double three | à la | Hello, "
    "World! | e-mail | A.B.C. | half past six | minus four | ½ | Straße | ﬁne"
)
PHRASES = tuple(_PHRASES.split(" | "))


def normalisers(rng: Random, number: int) -> Vector:
    parts = rng.choices((*PHRASES, *WORDS), k=rng.randint(1, 7))
    source, normaliser = (
        ("openai-whisper", "whisper-english"),
        ("openai-whisper", "whisper-basic"),
        ("open_asr_leaderboard", "leaderboard-english@2026-08-21"),
    )[number % 3]
    text = rng.choice((" ", " ", ", ")).join(parts) + rng.choice(("", ".", "?"))
    return {"source": source, "options": {"normaliser": normaliser}, "text": text}


MARKED = (*WORDS, *MIXED, *ACCENTED, *PHRASES)
_SPOKEN = (
    "kinda",
    "dunno",
    "'cause",
    "gonna",
    "would've",
    "she's been",
    "all right",
    "mum",
    "Steven",
)
_HANS = ("你好", "世界", "天地,", "hello你", "<unk>", "McDonald")
# Of each kind of recipe vectors the original, the recipe, the words, and the unit of characters. The
# first five are drawn up to number 400, the others from there on.
RECIPES: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("meeteval", "meeteval/chime-8@0.4", (), ""),
    ("jiwer", "jiwer@4", WORDS, ""),
    ("jiwer", "evaluate@0.4", WORDS, ""),
    ("sclite", "sclite@2.4.10", MIXED, ""),
    ("openai-whisper", "whisper-paper@2022-12", (*WORDS, *PHRASES), ""),
    ("torchmetrics", "torchmetrics@1", MARKED, ""),
    ("torchmetrics", "torchmetrics@1", MARKED, "char+space"),
    ("kaldi", "kaldi@5.5", MARKED, ""),
    ("kaldi", "kaldi@5.5", MARKED, "char"),
    ("nemo", "nemo@3", MARKED, ""),
    ("nemo", "nemo@3", MARKED, "char+space"),
    ("wenet", "wenet@2025-12", (*MARKED, *_HANS * 10), ""),
    ("espnet", "espnet@202511", tuple(word for word in MARKED if "(" not in word), ""),
    ("espnet", "espnet@202511", (*WORDS, *MIXED, *ACCENTED), "char+space"),
    ("openai-whisper", "whisper-paper/multilingual@2022-12", MARKED, ""),
    ("openai-whisper", "whisper-paper@2022-12", (*MARKED, *_SPOKEN), ""),
    ("open_asr_leaderboard", "open-asr@2026-08", (*MARKED, *_SPOKEN), ""),
)


def recipes(rng: Random, number: int) -> Vector:
    kinds = RECIPES[:5] if number < 400 else RECIPES[5:]
    source, recipe, vocabulary, unit = kinds[number % len(kinds)]
    options = {"recipe": recipe, **({"unit": unit} if unit else {})}
    if source == "meeteval":
        texts: Any = session(rng)
    else:
        pairs = [pair(rng, vocabulary, (1, 3, 8)) for _ in range(rng.randint(1, 4))]
        pairs[0][0].append("train")  # what no normaliser removes
        texts = [[" ".join(side[at]) for side in pairs] for at in (0, 1)]
    return {"source": source, "options": options, "reference": texts[0], "hypothesis": texts[1]}


# Of each area what draws a vector, and how many there are.
AREAS: dict[str, tuple[Callable[[Random, int], Vector], int]] = {
    "plain": (plain, 600),
    "optional": (optional, 480),
    "alternation": (alternation, 480),
    "case": (case, 480),
    "ties": (ties, 800),
    "characters": (characters, 480),
    "compounds": (compounds, 480),
    "times": (times, 300),
    "speakers": (speakers, 400),
    "diarisation": (diarisation, 240),
    "normalisers": (normalisers, 600),
    "recipes": (recipes, 880),
}


def draw(seed: int, share: float = 1.0) -> Iterator[Vector]:
    """The vectors of all areas."""
    for area, (create, number) in AREAS.items():
        for at in range(round(number * share)):
            vector = create(Random(f"{seed}/{area}/{at}"), at)
            yield {"id": f"{area}-{at:04d}", "area": area, **vector}
