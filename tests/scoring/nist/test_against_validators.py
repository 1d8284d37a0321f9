"""NIST's own validators and ours agree on which files are in order."""

import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import formats
from formats import Segment, Transcript
from scoring.nist.hub.validators import validate_ctm, validate_rttm, validate_stm

FOLDER = Path("/usr/lib/sctk/bin")

pytestmark = pytest.mark.skipif(
    shutil.which("perl") is None or not (FOLDER / "ctmValidator.pl").is_file(),
    reason="needs the sctk package",
)

few = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def is_in_order(text: str, name: str, folder: Path, *flags: str) -> bool:
    """What the validator says of a text."""
    path = folder / f"rec1.{name}"
    path.write_text(text, "utf-8")
    command = ["perl", str(FOLDER / f"{name}Validator.pl"), *flags, "-i", str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode == 0


def complaints(text: str, name: str, language: str = "english") -> list[bytes]:
    """What we say of it."""
    path, data = f"rec1.{name}".encode(), text.encode()
    if name == "rttm":
        found = validate_rttm(data, path)
    else:
        found = (validate_ctm if name == "ctm" else validate_stm)(data, path, language)
    return [text for text in found.findings if not text.startswith(b"WARNING")]


CTM_RECORDS = st.tuples(
    st.sampled_from(["rec1", "rec1", "rec1", "rec.1", "réc"]),
    st.sampled_from(["1", "1", "A", "C", "10"]),
    st.sampled_from(["0.5", "1", "0.25", ".5", "1.", "-1", "x"]),
    st.sampled_from(["0.5", "1", "0.25", "1,5"]),
    st.sampled_from(["hello", "it's", "b.", "b.c", "a1", "%hesitation", "né", "@"]),
    st.sampled_from(["0.5", "1", "2.5", "NA", "1e-5", "-1"]),
    st.sampled_from(["lex", "frag", "non-lex", "LEX", "laugh"]),
    st.sampled_from(["anne", "b_1", "b.1"]),
)


@given(fields=CTM_RECORDS, count=st.integers(4, 9), language=st.sampled_from(["english", "other"]))
@few
def test_ctm(tmp_path: Path, fields: tuple[str, ...], count: int, language: str) -> None:
    text = " ".join((*fields, "more")[:count]) + "\n"
    expected = is_in_order(text, "ctm", tmp_path, "-l", language)
    assert (complaints(text, "ctm", language) == []) == expected


STM_WORDS = st.sampled_from([
    "hello", "well-known", "it's", "they've", "b.", "b.s", "b.'s", "fra-", "-ment", "(um)",
    "(fra-)", "%hesitation", "(%bcack)", "{", "}", "/", "@", "o'clock", "d'etre", "a1", "word.",
    "word,", "né", "%x", "(a", "b'd'", "we're'", "(it's)", "IGNORE_TIME_SEGMENT_IN_SCORING",
])  # fmt: skip


@given(word=STM_WORDS, language=st.sampled_from(["english", "other"]))
@few
def test_stm_words(tmp_path: Path, word: str, language: str) -> None:
    if word in ("{", "}", "/", "@") or word == "(a":
        word = f"{{ a / {word.strip('{}/')} b }}"
    text = f"rec1 1 anne 0.5 1.5 <o> hello {word}\n"
    expected = is_in_order(text, "stm", tmp_path, "-l", language)
    assert (complaints(text, "stm", language) == []) == expected


SPANS = st.tuples(st.integers(0, 6), st.integers(1, 4))
SUBTYPES = {
    "SPEAKER": ["<NA>"],
    "LEXEME": ["lex", "fp", "alpha", "odd"],
    "NON-LEX": ["breath", "noise"],
    "SU": ["statement"],
    "EDIT": ["revision"],
    "FILLER": ["filled_pause"],
    "NOSCORE": ["<NA>"],
}


@st.composite
def rttm_records(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(sorted(SUBTYPES)))
    start, length = draw(SPANS)
    subtype = draw(st.sampled_from(SUBTYPES[kind]))
    text = draw(st.sampled_from(["hello", "b.", "<NA>"])) if kind == "LEXEME" else "<NA>"
    speaker = "<NA>" if kind == "NOSCORE" else draw(st.sampled_from(["anne", "anne", "bob"]))
    channel = draw(st.sampled_from(["1", "1", "1", "2", "3"]))
    sure = draw(st.sampled_from(["<NA>", "<NA>", "0.5", "1.5"]))
    return f"{kind} rec1 {channel} {start} {length} {text} {subtype} {speaker} {sure} <NA>"


@given(records=st.lists(rttm_records(), max_size=4), has_bob=st.booleans())
@few
def test_rttm(tmp_path: Path, records: list[str], has_bob: bool) -> None:
    known = ["anne", "bob"] if has_bob else ["anne"]
    lines = [f"SPKR-INFO rec1 1 <NA> <NA> <NA> unknown {name} <NA> <NA>" for name in known]
    text = "\n".join([*lines, *records, ""])
    expected = is_in_order(text, "rttm", tmp_path)
    assert (complaints(text, "rttm") == []) == expected


@given(
    places=st.lists(st.sampled_from([0, 1, 2, 3, 4, 5, 6]), max_size=3, unique=True),
    uses=st.lists(st.sampled_from(["edit", "filler", "edit&filler"]), min_size=3, max_size=3),
    edit=st.none() | st.integers(0, 4),
    filler=st.none() | st.integers(0, 4),
)
@few
def test_interruption_points(
    tmp_path: Path, places: list[int], uses: list[str], edit: int | None, filler: int | None
) -> None:
    lines = [
        "SPKR-INFO rec1 1 <NA> <NA> <NA> unknown anne <NA> <NA>",
        "SPEAKER rec1 1 0 6 <NA> <NA> anne <NA> <NA>",
        "SU rec1 1 0 6 <NA> statement anne <NA> <NA>",
        *(f"LEXEME rec1 1 {n} 1 a lex anne <NA> <NA>" for n in range(6)),
    ]
    if edit is not None:
        lines.append(f"EDIT rec1 1 {edit} 1 <NA> revision anne <NA> <NA>")
    if filler is not None:
        lines.append(f"FILLER rec1 1 {filler} 1 <NA> filled_pause anne <NA> <NA>")
    for place, use in zip(places, uses, strict=False):
        lines.append(f"IP rec1 1 {place} <NA> <NA> {use} anne <NA> <NA>")
    text = "\n".join([*lines, ""])
    expected = is_in_order(text, "rttm", tmp_path)
    assert (complaints(text, "rttm") == []) == expected


# The validator wants words, confidences and speakers that our writers leave out unless asked.
WRITTEN = {"ctm": {"conf_missing": "0"}, "rttm": {"rttm_words": True, "speaker_info": True}}


def test_what_we_write_is_in_order(tmp_path: Path) -> None:
    turn = Segment.of(
        "rec1", ["hello", "wor-"], channel="1", speaker="anne", start=0.5, end=2.25,
        starts=[0.5, 0.8004], ends=[0.7996, 2.2504], kinds=[None, "frag"], confidences=[0.5, None],
    )  # fmt: skip
    regions = [
        Segment.of("rec1", ["breath"], channel="1", speaker="anne", start=3, end=4, kind="event"),
        Segment.of("rec1", channel="1", start=0.25, end=60, kind="scored"),
    ]
    outputs = {}
    for name, segments in (("rttm", [turn, regions[0]]), ("ctm", [turn]), ("uem", regions[1:])):
        options = WRITTEN.get(name, {})
        output = StringIO()
        formats.write(Transcript(segments), output, name, **options)  # type: ignore[arg-type]
        outputs[name] = output.getvalue()
    assert is_in_order(outputs["rttm"], "rttm", tmp_path, "-u")
    assert is_in_order(outputs["ctm"], "ctm", tmp_path)
    for name, text in outputs.items():
        (tmp_path / f"rec1.{name}").write_text(text)
    command = ["perl", str(FOLDER / "md-eval.pl"), "-u", "rec1.uem", "-r", "rec1.rttm"]
    done = subprocess.run(
        [*command, "-s", "rec1.rttm"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "OVERALL SPEAKER DIARIZATION ERROR = 0.00 percent" in done.stdout
