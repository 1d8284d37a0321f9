"""The tools in a row on random tables, against plain computations of the same things."""

import random
from collections import Counter
from pathlib import Path

import pytest

from scoring.model.errors import InputError
from scoring.peers.kaldi.details import (
    EncodedText,
    ShownLines,
    operations,
    per_speaker,
    per_utterance,
    read_speakers,
)
from scoring.peers.kaldi.programs import align_tables, error_rates
from tests.each_case import each_case
from tests.scoring.peers.kaldi.corpora import EPSILON, Table, align, letters, lines, random_table
from tests.tables import table_of

CORPORA = 200


def centred(word: str, width: int) -> str:
    while len(word) < width:
        word = f" {word}" if (width - len(word)) % 2 else f"{word} "
    return word


def expected_per_utterance(key: str, table: Table) -> str:
    pairs = align(table.references[key], table.hypotheses[key], "SDI")
    edits = letters(pairs)
    text = ""
    for name, row in (
        ("ref ", [a for a, _ in pairs]),
        ("hyp ", [b for _, b in pairs]),
        ("op  ", list(edits)),
    ):
        cells = [centred(word, max(map(len, pair))) for word, pair in zip(row, pairs, strict=True)]
        text += f"{key} {name} " + "  ".join(cells) + "\n"
    return text + f"{key} #csid " + " ".join(str(edits.count(edit)) for edit in "CSID") + "\n"


def expected_per_speaker(table: Table, keys: list[str]) -> str:
    said: dict[str, list[str]] = {}
    for key in keys:
        edits = letters(align(table.references[key], table.hypotheses[key], "SDI"))
        said.setdefault(table.speakers[key], []).append(edits)
    width = max(15, *map(len, table.speakers.values()))
    titles = ["#SENT", "#WORD", "Corr", "Sub", "Ins", "Del", "Err", "S.Err"]
    text = f"{'SPEAKER':<{width}} id " + "".join(f" {title:>10}" for title in titles) + "\n"
    rows = [(name, said[name]) for name in sorted(said)]
    rows.append(("SUM", [edits for _, all_edits in rows for edits in all_edits]))
    for name, all_edits in rows:
        counts = Counter("".join(all_edits))
        right, words = counts["C"], counts["C"] + counts["S"] + counts["D"]
        wrong = counts["S"] + counts["D"] + counts["I"]
        sentences, bad = len(all_edits), sum(set(edits) - {"C"} != set() for edits in all_edits)
        numbers = (right, counts["S"], counts["I"], counts["D"], wrong)
        head = f"{sentences:11}{words:11}"
        counts_shown = "".join(f"{number:11}" for number in [*numbers, bad])
        text += f"{name:<{width}} raw{head}{counts_shown}\n"
        if words:
            rates = [number / words for number in numbers] + [bad / sentences]
            shown = "".join(f"{100 * rate:11.2f}" for rate in rates)
            text += f"{name:<{width}} sys{head}{shown}\n"
    return text


def expected_operations(table: Table, keys: list[str]) -> str:
    counted: Counter[tuple[str, str]] = Counter()
    for key in keys:
        counted.update(align(table.references[key], table.hypotheses[key], "SDI"))
    width = min(16, max((max(len(a), len(b)) for a, b in counted), default=0))
    digits = max((len(str(count)) for count in counted.values()), default=0)
    text = ""
    for a, b in sorted(counted):
        kind = {"C": "correct", "S": "substitution", "D": "deletion", "I": "insertion"}
        name = kind[letters([(a, b)])]
        text += f"{name:<14}{a:>{width}}    {b:>{width}}    {counted[a, b]:{digits}}\n"
    return text


def refuse_warnings(text: str) -> None:
    assert text.startswith(("Key ", "ark:", "ark,p:")), text


def test_the_tools_in_a_row(tmp_path: Path) -> None:
    rng = random.Random(20_260)
    first, second = f"ark:{tmp_path / 'ref'}", f"ark:{tmp_path / 'hyp'}"
    for _ in range(CORPORA):
        table = random_table(rng)
        (tmp_path / "ref").write_text(lines(table.references), "utf-8")
        (tmp_path / "hyp").write_text(lines(table.hypotheses), "utf-8")
        keys = [key for key in table.references if key in table.hypotheses]

        aligned = align_tables(first, second, EPSILON, refuse_warnings)
        assert aligned.keys == [key.encode().decode("latin-1") for key in keys]
        assert aligned.failed == len(table.references) - len(keys)
        text = "".join(f"{line}\n" for line in aligned.lines())
        stream = EncodedText.of("<stdin>", text.encode("latin-1"))

        per_utt = list(per_utterance(stream, ShownLines()))
        assert "".join(per_utt) == "".join(expected_per_utterance(key, table) for key in keys)

        details = EncodedText.of("<stdin>", "".join(per_utt).encode())
        speakers = read_speakers(
            EncodedText.of(
                "utt2spk", "".join(f"{a} {b}\n" for a, b in table.speakers.items()).encode()
            )
        )
        assert "".join(per_speaker(details, speakers)) == expected_per_speaker(table, keys)
        assert "".join(operations(details)) == expected_operations(table, keys)


@pytest.mark.parametrize("mode", ["present", "all"])
def test_error_rates(tmp_path: Path, mode: str) -> None:
    rng = random.Random(20_260)
    first, second = f"ark:{tmp_path / 'ref'}", f"ark,p:{tmp_path / 'hyp'}"
    for _ in range(CORPORA):
        table = random_table(rng)
        (tmp_path / "ref").write_text(lines(table.references), "utf-8")
        (tmp_path / "hyp").write_text(lines(table.hypotheses), "utf-8")
        keys = [key for key in table.references if mode == "all" or key in table.hypotheses]
        edits = [
            letters(align(table.references[k], table.hypotheses.get(k, []), "IDS")) for k in keys
        ]
        absent = len(set(table.references) - set(table.hypotheses))
        count = Counter("".join(edits))
        wrong = count["S"] + count["D"] + count["I"]
        words = count["C"] + count["S"] + count["D"]
        bad = sum(set(one) - {"C"} != set() for one in edits)
        rate = f"{100 * wrong / words:.2f}" if words else "inf" if wrong else "-nan"
        sentences = f"{100 * bad / len(keys):.2f}" if keys else "-nan"
        found = error_rates(first, second, mode, refuse_warnings)
        assert found.text() == (
            f"%WER {rate} [ {wrong} / {words}, {count['I']} ins, {count['D']} del, "
            f"{count['S']} sub ]{' [PARTIAL]' if absent else ''}\n"
            f"%SER {sentences} [ {bad} / {len(keys)} ]\n"
            f"Scored {len(keys)} sentences, {absent} not present in hyp.\n"
        )


@each_case(
    ("data", "message"),
    [
        (b"u1 a b |", "1: Detected incorrect separator | (expected ;)."),
        (b"\nu1 a b ; c\n", "2: expected pairs of words with ; between them, found 'c' at the end of utterance u1"),
        (b"u1 a b ;", "1: expected pairs of words with ; between them, found ';' at the end of utterance u1"),
        (b"u1 ref a\nu1 ref b", "2: The input stream contains duplicate entry u1 ref (line 1 has it, too)"),
        (b"u1 hyp a", '1: The input stream does not contain entry "ref" for utterance u1'),
        (b"u1 ref a\nu1 hyp a b", "2: expected 1 fields as in the reference of utterance u1, found 2"),
    ],
)  # fmt: skip
def test_alignments_and_details_that_are_none(data: bytes, message: str) -> None:
    stream = EncodedText.of("<stdin>", data)
    is_details = b" ref " in data or b" hyp " in data
    with pytest.raises(InputError) as refusal:
        list(operations(stream) if is_details else per_utterance(stream, ShownLines()))
    assert str(refusal.value) == f"<stdin>:{message}"


@each_case(
    ("data", "speakers", "message"),
    table_of(__file__, "counts_that_belong_to_nobody"),
)  # fmt: skip
def test_counts_that_belong_to_nobody(data: bytes, speakers: bytes, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        list(
            per_speaker(
                EncodedText.of("<stdin>", data), read_speakers(EncodedText.of("utt2spk", speakers))
            )
        )
    assert str(refusal.value) == message


def test_many_strangers_are_counted() -> None:
    data = "".join(f"u{number} #csid 1 0 0 0\n" for number in range(13)).encode()
    with pytest.raises(InputError, match=r"u0, u1, .* u9 and 3 more is not in the utt2spk"):
        list(per_speaker(EncodedText.of("<stdin>", data), {}))


def test_only_an_empty_input_gives_tables_without_counts() -> None:
    empty = EncodedText.of("<stdin>", b"\n")
    assert [*per_speaker(empty, {"u1": "A"})][-1].split()[:4] == ["SUM", "raw", "0", "0"]
    assert [*operations(empty)] == []
    with pytest.raises(InputError, match="<stdin>:2: expected the output of wer_per_utt_details"):
        list(operations(EncodedText.of("<stdin>", b"\nu1 a b ; c c\n")))
