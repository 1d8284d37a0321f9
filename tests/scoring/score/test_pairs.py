"""Plain files whose format the other side decides, in every pair of names that people use."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.detection.errors import UnknownFormatError
from formats.io.messages import NO_SENTENCE, UNKNOWN_JSON
from formats.io.source import open_source
from formats.schema.errors import FormatError
from scoring.cli.messages import AS_KALDI_FILES, INTEGERS_IN_FILES, NO_SPEAKERS, UNRELATED_FILES
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import InputError, ScoringError
from scoring.score.messages import UNEQUAL_LINES, WORD_NUMBERS
from scoring.sides.matching import DifferentLengthsError
from scoring.sides.messages import NO_WORDS, OTHER_NAMES_BUT
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import said, says

REFERENCE = {
    "utt-1": "the cat sat on the mat",
    "utt-2": "a dog ran off",
    "utt-3": "hello there world now",
}
HYPOTHESIS = {
    "utt-1": "the hat sat on the mat",
    "utt-2": "a dog ran",
    "utt-3": "hello there big world then",
}
FOUR = Counts(11, 2, 1, 1)
Texts = dict[str, str]


def kaldi(texts: Texts) -> str:
    return "".join(f"{name} {text}\n" for name, text in texts.items())


def trn(texts: Texts) -> str:
    return "".join(f"{text} ({name})\n" for name, text in texts.items())


def lines(texts: Texts) -> str:
    return "".join(f"{text}\n" for text in texts.values())


def jsonl(texts: Texts) -> str:
    return "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())


def stm(texts: Texts) -> str:
    return "".join(f"{name} 1 anne 0 9 {text}\n" for name, text in texts.items())


WRITERS: dict[str, Callable[[Texts], str]] = {
    ".txt": kaldi,
    ".text": kaldi,
    ".kaldi": kaldi,
    "": kaldi,
    ".json": json.dumps,
    ".trn": trn,
    ".jsonl": jsonl,
}


def file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@each_case(("one", "other"), list(product(WRITERS, WRITERS)))
def test_identifiers_decide_the_format(tmp_path: Path, one: str, other: str) -> None:
    reference = file(tmp_path, f"ref{one}", WRITERS[one](REFERENCE))
    rates = scoring.wer(reference, file(tmp_path, f"hyp{other}", WRITERS[other](HYPOTHESIS)))
    assert rates.counts == FOUR
    assert rates.matching_summary.matched_by == "identifier"
    notes = [remark for remark in rates.remarks if remark.severity == "note"]
    assert len(notes) == sum(name not in (".trn", ".jsonl") for name in (one, other))


@pytest.mark.parametrize("write", [kaldi, json.dumps])
def test_an_utterance_may_be_missing_on_either_side(
    tmp_path: Path, write: Callable[[Texts], str]
) -> None:
    whole = file(tmp_path, "whole", write(REFERENCE))
    part = file(tmp_path, "part", write({"utt-2": REFERENCE["utt-2"]}))
    assert scoring.wer(whole, part).counts == Counts(4, 0, 10, 0)
    with pytest.warns(scoring.UnscoredHypothesisWarning, match="utt-1, utt-3"):
        assert scoring.wer(part, whole).counts == Counts(4, 0, 0, 0)


def test_what_is_no_identifier_on_both_sides_is_a_word(tmp_path: Path) -> None:
    texts = ("anne says hello\nbob says hi\n", "50 people came\n", "- hello you\n- hi there\n")
    for text in texts:
        reference = file(tmp_path, "ref.txt", text)
        rates = scoring.wer(reference, file(tmp_path, "hyp.txt", text))
        assert rates.counts == Counts(len(text.split()), 0, 0, 0)
        by = "file" if text.count("\n") < 2 else "position"
        assert rates.matching_summary.matched_by == by


def test_names_of_the_other_side_decide_whatever_their_shape(tmp_path: Path) -> None:
    reference = file(tmp_path, "ref.trn", "says hello (anne)\nsays hi (bob)\n")
    hypothesis = file(tmp_path, "hyp.txt", "anne says hello\nbob says ho\n")
    assert scoring.wer(reference, hypothesis).counts == Counts(3, 1, 0, 0)
    recordings = file(tmp_path, "ref.stm", stm(REFERENCE))
    assert scoring.wer(recordings, file(tmp_path, "h", kaldi(HYPOTHESIS))).counts == FOUR


def test_a_text_without_a_known_ending_is_plain_text(tmp_path: Path) -> None:
    rates = scoring.wer(file(tmp_path, "ref", "a b\nc\n"), file(tmp_path, "hyp", "a b d\n"))
    assert rates.counts == Counts(2, 1, 0, 0)
    assert said(rates.remarks)[0] == ("READ-AS.text", {"path": str(tmp_path / "ref")})
    broken = file(tmp_path, "broken", "rec A 0.1 0.2 a\nrec A 0.5 x b\nrec A 0.7 0.2 c\n")
    with pytest.raises(UnknownFormatError):
        scoring.wer(tmp_path / "ref", broken)


@each_case("name", ["ref.txt", "text", "ref.trn"])
@each_case("empty", ["empty.txt", "empty"])
def test_an_empty_file_is_a_hypothesis_of_deletions(tmp_path: Path, name: str, empty: str) -> None:
    reference = file(tmp_path, name, WRITERS[Path(name).suffix](REFERENCE))
    rates = scoring.wer(reference, file(tmp_path, empty, ""))
    assert rates.counts == Counts(0, 0, 14, 0)
    assert rates.matching_summary.reference_only.identifiers == tuple(REFERENCE)


def test_one_text_in_python_is_compared_with_all_lines_of_a_text(tmp_path: Path) -> None:
    text = " ".join(REFERENCE.values())
    for reference in (text, [text]):
        assert scoring.wer(reference, file(tmp_path, "h.txt", lines(HYPOTHESIS))).counts == FOUR


@pytest.mark.parametrize("name", [".trn", ".text", ".jsonl", ".stm"])
def test_as_many_lines_are_matched_by_position(tmp_path: Path, name: str) -> None:
    write = stm if name == ".stm" else WRITERS[name]
    for texts, others, swapped in ((REFERENCE, HYPOTHESIS, False), (HYPOTHESIS, REFERENCE, True)):
        named = file(tmp_path, f"named{name}", write(texts))
        plain = file(tmp_path, "plain.txt", lines(others))
        rates = scoring.wer(plain, named) if swapped else scoring.wer(named, plain)
        assert rates.counts == FOUR
        assert rates.matching_summary.matched_by == "position"
        fields = {"path": str(plain), "lines": 3, "partner": str(named)}
        assert ("READ-AS.utterances", fields) in said(rates.remarks)


def test_blank_lines_count_and_ignored_segments_do_not(tmp_path: Path) -> None:
    reference = file(tmp_path, "ref.trn", "a b (u1)\nc (u2)\nd (u3)\n")
    rates = scoring.wer(reference, file(tmp_path, "hyp.txt", "a b\n\nd\n"))
    assert (rates.counts, list(rates.identifiers)) == (Counts(3, 0, 1, 0), ["u1", "u2", "u3"])
    ignored = "r3 1 anne 9 10 IGNORE_TIME_SEGMENT_IN_SCORING\n"
    segments = file(tmp_path, "ref.stm", f"r1 1 anne 0 9 a b\nr2 1 anne 0 9 c\n{ignored}")
    assert scoring.wer(segments, file(tmp_path, "two.txt", "a b\nc\n")).counts.errors == 0


def test_an_object_with_text_is_one_text(tmp_path: Path) -> None:
    said = {"text": " ".join(HYPOTHESIS.values()), "language": "en"}
    hypothesis = file(tmp_path, "hyp.json", json.dumps(said))
    rates = scoring.wer(file(tmp_path, "ref.txt", lines(REFERENCE)), hypothesis)
    assert (rates.counts, rates.matching_summary.matched_by) == (FOUR, "file")


def refusal(reference: Path, hypothesis: Path) -> str:
    with pytest.raises((ScoringError, FormatError)) as refused:
        scoring.wer(reference, hypothesis)
    return str(refused.value)


def test_other_numbers_of_lines_are_refused(tmp_path: Path) -> None:
    short = file(tmp_path, "short.txt", "a\n")
    for name, text in (("ref.trn", trn(REFERENCE)), ("ref.stm", stm(REFERENCE))):
        named = file(tmp_path, name, text)
        assert refusal(named, short) == (
            f"{short}: expected 3 lines, one for each utterance of {named}, or identifiers as in trn, found 1 line without identifiers"
        )


def test_two_plausible_readings_are_refused(tmp_path: Path) -> None:
    numbered = file(tmp_path, "ref.txt", kaldi(REFERENCE))
    plain = file(tmp_path, "hyp.txt", "one text of one line\n")
    assert "each line may begin with an identifier" in refusal(numbered, plain)
    others = file(tmp_path, "others.trn", trn({f"x{name}": one for name, one in REFERENCE.items()}))
    assert says(refusal(numbered, others), OTHER_NAMES_BUT, what="identifiers")
    # names without a digit may be those of messages of a program
    words = {"ab"[number]: one for number, one in enumerate(list(REFERENCE.values())[:2])}
    mapping = file(tmp_path, "map.json", json.dumps(words))
    assert says(refusal(mapping, plain), UNKNOWN_JSON, "reference")
    twice = file(tmp_path, "twice.json", '{"utt-1": "a", "utt-1": "b"}')
    assert says(refusal(numbered, twice), NO_SENTENCE, "hypothesis")


LISTS = {
    "captions saved by Zoom": "[Anne] 10:00:01\nhello there\n\n[Bob] 10:00:04\nhi\n",
    "a VITS file list": "wavs/a-1.wav|3|hello there\nwavs/a-2.wav|3|hi\n",
    "dialogue acts": "A|hello there|sd\nB|hi|qy\n",
}


@each_case("kind", list(LISTS))
@each_case("ending", ["", ".txt", ".hyp"])
def test_names_and_times_of_texts_in_lines_are_not_scored(
    tmp_path: Path, kind: str, ending: str
) -> None:
    path = file(tmp_path, f"file{ending}", LISTS[kind])
    other = file(tmp_path, "other.txt", "hello there\nhi\n")
    for sides in ((path, other), (other, path), (path, path)):
        assert scoring.wer(*sides).counts == Counts(3, 0, 0, 0)


@pytest.mark.parametrize("ending", ["", ".txt", ".hyp"])
def test_a_table_of_speakers_and_utterances_is_not_scored(tmp_path: Path, ending: str) -> None:
    path = file(tmp_path, f"file{ending}", "a1 a1-1 a1-2\nb1 b1-1 b1-2\n")
    other = file(tmp_path, "other.txt", "hello there\nhi\n")
    for sides in ((path, other), (other, path), (path, path)):
        assert "look like Kaldi's spk2utt" in refusal(*sides)


WORDLESS = {
    "a.rttm": ("SPEAKER rec 1 0.0 1.5 <NA> <NA> anne <NA> <NA>\n", "rttm", "der"),
    "a.uem": ("rec 1 0.000 10.000\n", "uem", "der"),
    "a.ecf.xml": (
        '<ecf source_signal_duration="9" language="english" version="v1"><excerpt '
        'audio_filename="rec.wav" channel="1" tbeg="0" dur="9" source_type="cts"/></ecf>',
        "ecf",
        "kws",
    ),
    "a.kwlist.xml": (
        '<kwlist ecf_filename="a" version="1" language="english" encoding="UTF-8" '
        'compareNormalize=""><kw kwid="K1"><kwtext>hello</kwtext></kw></kwlist>',
        "kwlist",
        "kws",
    ),
    "a.kwslist.xml": (
        '<kwslist kwlist_filename="a" language="english" system_id="s"><detected_kwlist '
        'kwid="K1" search_time="1" oov_count="0"><kw file="rec" channel="1" tbeg="1" dur="0.5" '
        'score="0.9" decision="YES"/></detected_kwlist></kwslist>',
        "kwslist",
        "kws",
    ),
}


@each_case("name", list(WORDLESS))
def test_formats_without_words_name_the_command_for_them(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, format_name, command = WORDLESS[name]
    path = file(tmp_path, name, text)
    words = file(tmp_path, "words.stm", "rec 1 anne 0 5 hello there\n")
    fields = {"format": format_name, "command": f"scoring {command}"}
    problem = f"{path}: {message_text(NO_WORDS, **fields)}"
    assert refusal(words, path) == refusal(path, words) == problem
    for arguments in (["wer", "--quiet"], ["diff"], ["wer"]):
        assert main([*arguments, str(words), str(path)]) == 2
        assert capsys.readouterr().err == f"scoring: error: {problem} [NO-WORDS]\n"


def test_rttm_with_words_is_scored(tmp_path: Path) -> None:
    path = file(tmp_path, "w.rttm", "LEXEME rec 1 0.0 0.5 hello lex anne <NA> <NA>\n")
    assert scoring.wer(path, path).counts == Counts(1, 0, 0, 0)


def test_commands_print_the_note_unless_they_are_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = str(file(tmp_path, "ref.txt", kaldi(REFERENCE)))
    hypothesis = str(file(tmp_path, "hyp.txt", kaldi(HYPOTHESIS)))
    assert main(["wer", reference, hypothesis, hypothesis + "x"]) == 2
    capsys.readouterr()
    assert main(["wer", reference, hypothesis]) == 0
    out, err = capsys.readouterr()
    assert "%WER 28.57 [ 4 / 14, 1 ins, 1 del, 2 sub ]" in out
    assert err.splitlines() == [
        f"scoring: note: {message_text(AS_KALDI_FILES, path=reference, number=1)} [READ-AS]"
    ]
    copy = str(file(tmp_path, "copy.txt", kaldi(HYPOTHESIS)))
    assert main(["wer", reference, hypothesis, copy, "--by", "speaker"]) == 0
    err = capsys.readouterr().err
    assert says(err, AS_KALDI_FILES, path=reference, number=2)
    assert err.count("[READ-AS]") == 1
    assert says(err, NO_SPEAKERS, path=reference)
    assert err.count(f"[{NO_SPEAKERS.code}]") == 1
    assert main(["wer", "--quiet", reference, hypothesis]) == 0
    assert capsys.readouterr().err == ""


def test_doubts_about_several_files_are_printed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files that a shell sorted by letters are scored in the order of their numbers."""
    said = {f"utt-{number}": f"one two three four {number}" for number in range(9)}
    reference = str(file(tmp_path, "ref.txt", kaldi(said)))
    texts = {".tra": "16 15 14 13 12 11", ".txt": "five six seven eight nine ten"}
    entries = {".tra": INTEGERS_IN_FILES, ".txt": UNRELATED_FILES}
    for suffix, words in texts.items():
        heard = kaldi(dict.fromkeys(said, words))
        paths = [str(file(tmp_path, f"{weight}{suffix}", heard)) for weight in (10, 11, 9)]
        named = ["--hypothesis-format", "kaldi"] if suffix == ".tra" else []
        assert main(["wer", reference, *paths, *named]) == 0
        out, err = capsys.readouterr()
        assert says(err, entries[suffix], path=paths[2], number=2)
        assert err.count(f"[{entries[suffix].code}]") == 1
        assert err.count("UNRELATED") == (suffix == ".txt")
        titles = [line for line in out.splitlines() if line.startswith("== ")]
        assert titles == [f"== {path}" for path in (paths[2], *paths[:2])]


def test_word_numbers_are_not_scored_against_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {f"utt-{number}": "four three two one" for number in range(9)}
    reference = file(tmp_path, "ref.txt", kaldi(said))
    numbers = file(tmp_path, "10.tra", kaldi(dict.fromkeys(said, "901 17 5 4")))
    for sides in ((reference, numbers), (numbers, reference)):
        with pytest.raises(InputError) as caught:
            scoring.wer(*sides)
        assert caught.value.value is not None
        assert caught.value.value.entry is WORD_NUMBERS
    assert main(["wer", str(reference), str(numbers)]) == 2
    assert f"[{WORD_NUMBERS.code}]" in capsys.readouterr().err
    # spoken digits are numbers, too
    digits = file(tmp_path, "digits.txt", kaldi(dict.fromkeys(said, "4 3 2 1")))
    assert scoring.wer(reference, digits, normalize="numbers").counts.errors == 0
    assert scoring.wer(numbers, digits).counts.substitutions == 36


def test_a_reference_of_several_hypotheses_is_decided_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = file(tmp_path, "ref.txt", kaldi(REFERENCE))
    names = [".txt", ".trn", ".json"]
    paths = [file(tmp_path, f"hyp{one}", WRITERS[one](HYPOTHESIS)) for one in names]
    assert main(["wer", "--quiet", str(reference), *map(str, paths)]) == 0
    assert capsys.readouterr().out.count("%WER 28.57 [ 4 / 14") == 3


def test_a_folder_of_such_files(tmp_path: Path) -> None:
    for side, texts in (("ref", REFERENCE), ("hyp", HYPOTHESIS)):
        (tmp_path / side).mkdir()
        for number, (name, text) in enumerate(texts.items()):
            file(tmp_path / side, f"{number}.txt", f"{name} {text}\n")
    assert scoring.wer(tmp_path / "ref", tmp_path / "hyp").counts == FOUR


def test_a_mixed_file_is_not_taken_for_kaldis(tmp_path: Path) -> None:
    names = [f"utt-{number}" for number in range(1, 11)]
    named = file(tmp_path, "ref.trn", "".join(f"w ({name})\n" for name in names))
    nine = [f"{name} w\n" for name in names[:9]]
    other = file(tmp_path, "h", "".join([*nine, "x-9 w\n"]))
    assert scoring.wer(named, other, allow_unmatched=True).counts.correct == 9
    with pytest.raises(InputError, match="expected 10 lines"):
        scoring.wer(named, file(tmp_path, "h", "".join([*nine[:5], "some\n", "words\n"])))


def test_numbers_that_begin_texts_of_a_folder_are_words(tmp_path: Path) -> None:
    for side, texts in (("ref", ("50 people", "3 men", "u1 x")), ("hyp", ("60 people", "3 men"))):
        (tmp_path / side).mkdir()
        for number, text in enumerate(texts):
            file(tmp_path / side, f"{number}.txt", f"{text}\n")
    rates = scoring.wer(tmp_path / "ref", tmp_path / "hyp")
    assert (rates.counts, rates.matching_summary.matched_by) == (Counts(3, 1, 2, 0), "recording")
    cues = "1\n00:00:00,000 --> 00:00:04,000\n"
    (tmp_path / "srt").mkdir()
    for number in range(3):
        file(tmp_path / "srt", f"{number}.srt", f"{cues}3 men\n")
    assert scoring.wer(tmp_path / "ref", tmp_path / "srt").counts.correct == 2


# What the command of jiwer 4.0.0 prints: `jiwer -r ref.txt -h hyp.txt`.
OF_JIWER = {
    ("the cat sat\non the mat now\n", "the cat\nsat on the mat now\n"): "0.2857142857142857",
    ("one two\nthree four\n", "one two\nthree for you\n"): "0.5",
    ("a b\n\nc d\n", "a b\n\nc e\n"): "0.25",
    ("hello there\n", "hello\n"): "0.5",
    ("ab cd\nef\n\n\n", "ab cd\neg\n"): "0.3333333333333333",
}


@each_case("sides", OF_JIWER)
def test_lines_are_compared_as_jiwers_command_does(
    tmp_path: Path, sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [file(tmp_path, f"{at}.txt", text) for at, text in enumerate(sides)]
    assert main(["wer", *map(str, paths), "--like", "jiwer"]) == 0
    assert f"headline: {OF_JIWER[sides]} (as jiwer@4 prints it)" in capsys.readouterr().out


WHOLE = "--reference-format txt --hypothesis-format txt"


@pytest.mark.parametrize("ending", [".txt", ""])
def test_as_many_lines_of_two_texts_are_compared_line_by_line(tmp_path: Path, ending: str) -> None:
    reference = file(tmp_path, f"ref{ending}", "the cat sat\non the mat now\n")
    hypothesis = file(tmp_path, f"hyp{ending}", "the cat\nsat on the mat now\n\n")
    rates = scoring.wer(reference, hypothesis)
    assert rates.counts == Counts(6, 0, 1, 1)
    assert rates.matching_summary.matched_by == "position"
    fields = {"path": str(reference), "partner": str(hypothesis), "lines": 2}
    assert said(rates.remarks) == [("READ-AS.lines", fields)]
    assert WHOLE in str(rates.remarks[0])
    for options in ({"reference_format": "txt"}, {"hypothesis_format": "txt"}):
        rates = scoring.wer(reference, hypothesis, **options)  # type: ignore[call-overload]
        assert (rates.counts, rates.matching_summary.matched_by) == (Counts(7, 0, 0, 0), "file")


LIKE = ["espnet", "evaluate", "jiwer", "kaldi", "nemo", "sclite", "seed-tts-eval", "torchmetrics",
        "wenet", "whisper-paper"]  # fmt: skip


@each_case("like", LIKE)
def test_recipes_compare_line_by_line(tmp_path: Path, like: str) -> None:
    pytest.importorskip("whisper_normalizer" if like == "whisper-paper" else "scoring")
    reference = file(tmp_path, "ref.txt", "the cat sat\non the mat now\n")
    rates = scoring.wer(reference, file(tmp_path, "hyp.txt", "the cat\nsat on the mat now\n"),
                        like=like)  # fmt: skip
    assert (rates.counts.errors, len(rates)) == (2, 2)
    short = file(tmp_path, "short.txt", "the cat sat on the mat now\n")
    with pytest.raises(DifferentLengthsError) as refused:
        scoring.wer(reference, short, like=like)
    fields = {"path": str(short), "reference": str(reference), "wanted": 2, "number": 1}
    assert says(str(refused.value), UNEQUAL_LINES, **fields)
    rates = scoring.wer(reference, short, like=like, reference_format="txt")
    assert rates.counts.errors == 0


def test_texts_of_other_numbers_of_lines_are_whole_with_a_note(tmp_path: Path) -> None:
    reference = file(tmp_path, "ref.txt", lines(REFERENCE))
    hypothesis = file(tmp_path, "hyp.txt", " ".join(HYPOTHESIS.values()))
    rates = scoring.wer(reference, hypothesis)
    assert (rates.counts, rates.matching_summary.matched_by) == (FOUR, "file")
    fields = {"path": str(reference), "partner": str(hypothesis), "lines": 3, "partner_lines": 1}
    assert said(rates.remarks) == [("READ-AS.texts", fields)]


def test_a_plain_text_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [file(tmp_path, name, "a b\nc\n") for name in ("ref.txt", "hyp.txt")]
    opened: list[str] = []

    def counted(target: Any, **options: Any) -> Any:
        opened.extend([str(target)] if isinstance(target, str | Path) else [])
        return open_source(target, **options)

    for module in ("formats.reading", "formats.io.source"):
        monkeypatch.setattr(f"{module}.open_source", counted)
    scoring.wer(*paths)
    assert sorted(opened) == sorted(map(str, paths))
