"""Frozen recipes: what they fix, what contradicts them, and the number that they print."""

import json
import os
import pickle
import re
import sys
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import scoring
from scoring.cli.nist.sclite import main as sclite
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import ScoringError
from scoring.options import FIELDS, FREE, Options
from scoring.peers.metrics import CharErrorRate
from scoring.serve.errors import InvalidFieldError
from scoring.serve.methods import Methods
from scoring.sides.given import READ_MARKS
from scoring.text import downloads, leaderboard_multilingual, whisper
from scoring.text.pipeline_files import as_pipeline
from scoring.text.recipes import Headline, RecipeError, recipe_named, recipes
from scoring.text.sclite_words import ScliteCharacters, ScliteWords
from tests.each_case import each_case
from tests.judges.recipes.originals import ORIGINALS
from tests.judges.recipes.run import score_by_recipe
from tests.remarks import said

GOLDENS = Path(__file__).resolve().parents[1] / "golden" / "recipes"
FOLDER = Path(scoring.__file__).parent / "text" / "recipes"
# A published recipe never changes: another hash needs another name.
HASHES = {
    "espnet@202511": "11e77b07f01941e2",
    "evaluate@0.4": "fa9717d862b5d283",
    "fstalign@1.13": "b92dc3fbdae7c1dc",
    "hike@2026-01": "ee35f183631460fa",
    "jiwer@4": "4689a19e9da352c4",
    "kaldi@5.5": "52e146da79ed83b5",
    "meeteval/chime-8@0.4": "85da603685de3bf0",
    "meeteval@0.4": "7e9210ed1fbe679a",
    "mlc-slm/characters@2025": "9b0a6665ccb28ef8",
    "mlc-slm@2025": "22f5e75484f4278c",
    "nemo@3": "5e93b5b9e1768d01",
    "open-asr/de@2026-08": "d7dfd4f8e9da7885",
    "open-asr/es@2026-08": "f5fd0b503eaa2acc",
    "open-asr/fr@2026-08": "9d3efa45b666edb2",
    "open-asr/it@2026-08": "d36a57c5ac6a9caa",
    "open-asr/pt@2026-08": "2fb44231c30d808c",
    "open-asr@2026-08": "a32e8561e8cc2c73",
    "sclite@2.4.10": "45931b0ae807e684",
    "seame@2022-01": "c0b0d5c55758b5c8",
    "seed-tts-eval/zh@2024-06": "2aca66a221382364",
    "seed-tts-eval@2024-06": "c963c572075c8512",
    "torchmetrics@1": "cf799a237b653526",
    "wenet@2025-12": "ef1d1d8e3d6efaf6",
    "whisper-paper/multilingual@2022-12": "49ff3f709e965191",
    "whisper-paper@2022-12": "255e2f7ee14d68bb",
}
# What every recipe states for itself, unless it leaves all options free.
STATED = {"profile", "unit", "normalize", "missing", "ignore_case", "forgive_optional", "meeting"}


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    Path("ref.trn").write_text("a b (s_1)\nc d e (s_2)\n")
    Path("hyp.trn").write_text("a B (s_1)\nc d (s_2)\n")
    return "ref.trn", "hyp.trn"


def test_recipes_are_what_was_published() -> None:
    assert {recipe.name: recipe.hash for recipe in recipes().values()} == HASHES


@each_case("name", recipes())
def test_every_recipe_is_complete(name: str) -> None:
    recipe = recipe_named(name)
    file = FOLDER / f"{name.replace('/', '.')}.json"
    options = set(FIELDS)
    assert json.loads(file.read_text())["name"] == name
    assert recipe.free == ("*",) or {*recipe.options, *recipe.usual} >= STATED
    assert set(recipe.usual) <= set(recipe.free)
    assert {*recipe.options, *(recipe.characters or ())} <= options - FREE
    assert recipe.title
    assert recipe.source
    assert recipe.date.count("-") == 2
    measure: Any = {"meeting": "tcp"} if recipe.arithmetic == "meeteval" else {}
    clone = os.environ.get("OPEN_ASR_LEADERBOARD")
    if name == "open-asr@2026-08" and not (clone or downloads.LEADERBOARD_LISTS.is_installed):
        pytest.skip("the leaderboard's lists are not here")
    if name.startswith("open-asr/"):
        pytest.importorskip("num2words")
    assert Options(like=name, **measure).like == name
    for steps in (recipe.options.get("normalize"), (recipe.characters or {}).get("normalize")):
        if steps is not None and not any("whisper-english" in step for step in steps):
            # of other rules this raises
            pin = steps[-1]
            assert pin[0] == "#"
            assert as_pipeline(steps).digest.startswith(pin[1:])


@each_case(
    ("choices", "message"),
    [
        ({"like": "jiwr"}, "found 'jiwr'; did you mean jiwer?"),
        ({"like": "kaldi@4"}, "like: expected kaldi@5.5, found 'kaldi@4'"),
        ({"like": "kaldi", "profile": "sclite"}, "profile: expected 'kaldi', as in the recipe"),
        (
            {"like": "sclite", "normalize": as_pipeline("lowercase")},
            "normalize: expected ['sclite-words",
        ),
        ({"like": "jiwer", "unit": "grapheme"}, "unit: expected 'word', as in the recipe jiwer@4"),
        ({"like": "meeteval/chime-8", "collar": 4}, "collar: expected '5s', as in the recipe"),
        ({"like": "meeteval"}, "meeteval@0.4 needs a measure of many speakers"),
    ],
)
def test_contradictions_are_errors(choices: Any, message: str) -> None:
    with pytest.raises(RecipeError) as refused:
        Options(**choices)
    assert message in str(refused.value)


def test_changes_keep_the_recipe() -> None:
    options = Options(like="jiwer", jobs=2)
    assert options.like == "jiwer@4"
    assert options.profile == "jiwer"
    assert pickle.loads(pickle.dumps(options)) == options
    assert options.changed(jobs=3) == Options(like="jiwer@4", jobs=3)
    assert options.changed(like="kaldi") == Options(like="kaldi", jobs=2)
    assert options.changed(like=None) == Options(jobs=2)
    assert Options(jobs=2).changed(like="jiwer") == options
    assert Options(like="meeteval", meeting="cp").changed(jobs=2).meeting == "cp"
    with pytest.raises(RecipeError):
        Options(profile="kaldi").changed(like="jiwer")
    with pytest.raises(RecipeError):
        options.changed(profile="sclite")


def test_characters_have_the_unit_of_the_recipe() -> None:
    assert scoring.cer("a b", "ab", like="jiwer").rules.unit == "char+space"
    assert scoring.cer("a b", "ab", like="kaldi").rules.unit == "char"
    assert scoring.cer("a b", "ab", options=Options(like="kaldi")).rules.profile == "kaldi"
    metric = CharErrorRate(like="kaldi")
    metric.update("ab", "a b")
    assert metric.compute() == 0
    with pytest.raises(RecipeError, match="has no character error rate, only that of words"):
        scoring.cer("a b", "ab", like="sclite")


def test_headlines_are_rounded_as_the_original_does() -> None:
    counts, empty = [Counts(1, 2, 0, 0), Counts(1, 0, 0, 0)], Counts(0, 0, 0, 2)
    total = counts[0] + counts[1]
    assert Headline("corpus", "percent", decimals=1).value(total, counts) == 50.0
    assert Headline("utterances", "percent", decimals=2).value(total, counts) == 33.33
    assert Headline("corpus", "ratio").value(total, counts) == 0.5
    assert Headline("corpus", "ratio").value(empty, [empty]) is None
    assert Headline("corpus", "ratio", empty="insertions").value(empty, [empty]) == 2
    single = Headline("utterances", "ratio", "single").value(total, counts)
    assert single == pytest.approx(1 / 3, abs=1e-7)
    assert single != 1 / 3
    # 100 * (1 / 800) and 100 * 1 / 800 differ in the last bit of others
    rates = {scale: Headline("corpus", scale).value(Counts(93, 7, 0, 0), []) for scale in SCALES}
    assert rates == {"percent": 7.0, "100*ratio": 7.000000000000001}
    assert Headline(decimals=2, sets="mean").mean([33.33, 66.67, 16.67]) == 38.89


SCALES: Any = ("percent", "100*ratio")


def test_commands_apply_recipes(sides: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    reports = ["--json", "a.json", "--html", "a.html"]
    assert main(["wer", *sides, "--like", "sclite", "--profile", "sclite", *reports]) == 0
    page = Path("a.html").read_text("utf-8")
    assert "sclite@2.4.10</" in page
    assert "20.0 %</" in page
    printed = capsys.readouterr().out
    assert "headline: 20.0 % (as sclite@2.4.10 prints it)" in printed
    assert (
        "wer|like:sclite@2.4.10|unit:word|norm:sclite-words+lowercase#d9131eb4|align:sclite(4,3,3)"
        in printed
    )
    system = json.loads(Path("a.json").read_text())["systems"][0]
    assert (system["rates"]["headline"], system["rules"]["like"]) == (20.0, "sclite@2.4.10")
    assert scoring.load("a.json").headline == 20.0
    assert main(["cer", *sides, "--like", "kaldi"]) == 0
    assert "like:kaldi@5.5|unit:char|" in capsys.readouterr().out
    assert main(["diff", *sides, "--like", "kaldi"]) == 0
    assert "align:kaldi(1,1,1)" in capsys.readouterr().out


@pytest.mark.parametrize("recipe", ["sclite", "espnet"])
def test_marks_in_words_are_those_of_sclite(recipe: str, tmp_path: Path) -> None:
    """Counts of `sclite -r ref.trn trn -h hyp.trn trn -i spu_id -o pra stdout`, sctk 2.4.10."""
    reference = ["hello well; a\\b st* there", "bar; baz;x", "a ; b", r"c ;x d \ e", "a b* c"]
    hypothesis = ["hello well a b st there", "bar baz", "a b", r"c ;y d \\ e", "a b c;"]
    sides = [tmp_path / "ref.trn", tmp_path / "hyp.trn"]
    for path, texts in zip(sides, (reference, hypothesis), strict=True):
        path.write_text("".join(f"{text} (u-{n})\n" for n, text in enumerate(texts)))
    each = scoring.wer(*sides, like=recipe).per_utterance
    counts = [(u.correct, u.substitutions, u.deletions, u.insertions) for u in each]
    assert counts == [(4, 1, 0, 1), (2, 0, 0, 0), (2, 0, 1, 0), (5, 0, 0, 0), (3, 0, 0, 0)]


# Texts of both sides, and correct, substituted, deleted and inserted words of sctk 2.4.10.
MARKED = [
    ("a { b / c } d", "a c d", (3, 0, 0, 0)),
    ("a { b d", "a b d", (1, 0, 0, 2)),
    ("a } b", "a b", (2, 0, 1, 0)),
    ("a @ b", "a b", (2, 0, 0, 0)),
    ("a {b/c} d", "a c d", (3, 0, 0, 0)),
    ("a { b / @ } c", "a c", (2, 0, 0, 0)),
    ("a / b", "a b", (2, 0, 1, 0)),
    ("{ a / { b / c } } d", "c d", (2, 0, 0, 0)),
    ("a b", "a { b", (1, 0, 1, 0)),
    ("a @x b", "a b", (2, 0, 1, 0)),
    ("a b", "a { b / c }", (2, 0, 0, 0)),
    (
        "b \\ {@ / d} a* b c",
        "\\; (b) {c/e d/e a} }c { a d/b/c d } e",
        (2, 3, 0, 2),
    ),
]


@each_case(("reference", "hypothesis", "expected"), MARKED)
def test_braces_are_those_of_sclite_in_texts_and_files(
    reference: str, hypothesis: str, expected: tuple[int, ...], tmp_path: Path
) -> None:
    texts = ([reference, "z"], [hypothesis, "z"])
    files = (tmp_path / "ref.trn", tmp_path / "hyp.trn")
    for path, side in zip(files, texts, strict=True):
        path.write_text("".join(f"{text} (u-{n})\n" for n, text in enumerate(side)))
    for rates in (scoring.wer(*texts, like="sclite"), scoring.wer(*files, like="sclite")):
        counts = rates.per_utterance[0]
        found = (counts.correct, counts.substitutions, counts.deletions, counts.insertions)
        assert found == expected
    assert sclite(["-r", str(files[0]), "-h", str(files[1]), "trn", "-i", "rm"]) == 0


def test_braces_of_characters_are_those_of_espnet() -> None:
    rates = scoring.cer(["ab {c/d} x", "{"], ["ab d x", "a"], like="espnet")
    # a b <space> { c / d } <space> x; an open brace drops the rest
    assert [u.reference_tokens for u in rates.per_utterance] == [6, 0]
    assert [u.errors for u in rates.per_utterance] == [0, 1]
    # of equal paths, the one that sclite 2.4.10 chooses
    for text, correct in (("a c c {@ / b}", 8), ("b a {b @/d} -", 7), ("{@ / { d / b }}", 4)):
        assert scoring.cer([text], [text], like="espnet").counts.correct == correct


def test_files_are_read_without_marks_for_the_steps_that_read_them() -> None:
    assert (ScliteWords.name, ScliteCharacters.name) == READ_MARKS


def test_braces_that_crash_sclite_are_an_error() -> None:
    for text, problem in (("a { } b", "expected alternatives"), ("a{b", "a brace inside")):
        with pytest.raises(ScoringError, match=f"sclite-words: .*{problem}"):
            scoring.wer([text], ["a b"], like="sclite")


@pytest.mark.parametrize(
    "more", [{"ignore_case": True}, {"normalize": "plain"}, {"merge_compounds": "any"}], ids=str
)
def test_what_a_recipe_does_not_state_may_stand_beside_it(more: dict[str, Any]) -> None:
    sides = ["The black board.", "a b"], ["the blackboard", "a b"]
    rates = scoring.wer(*sides, like="kaldi", **more)
    assert rates.headline == rates.corpus_rate
    assert "like:" not in rates.signature
    [(key, fields)] = said(rates.remarks)
    assert (key, fields["recipe"]) == ("BESIDE-RECIPE", "kaldi@5.5")
    assert [choice["option"] for _, choice in said(fields["choices"])] == list(more)
    assert rates.counts == scoring.wer(*sides, profile="kaldi", missing="skip", **more).counts
    again = Options(like="kaldi", **more).changed(jobs=2)
    assert again.beside_recipe == tuple(more)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--like kaldi --profile sclite", "profile: expected 'kaldi', as in the recipe kaldi@5.5"),
        ("--like kaldi --missing delete", "missing: expected 'skip', as in the recipe kaldi@5.5"),
        ("--like kaldy", "found 'kaldy'; did you mean kaldi?"),
        ("--like meeteval", "needs a measure of many speakers (--meeting tcp)"),
    ],
)
def test_commands_refuse_contradictions(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str], flags: str, message: str
) -> None:
    assert main(["wer", *sides, *flags.split()]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


def test_shards_keep_the_recipe(sides: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for number in "12":
        shard = ["--shard", f"{number}/2", "--shard-output", f"{number}.json"]
        assert main(["wer", *sides, "--like", "kaldi", *shard]) == 0
    assert main(["wer", *sides, "--like", "kaldi"]) == 0
    whole = capsys.readouterr().out
    assert main(["merge", "1.json", "2.json"]) == 0
    assert capsys.readouterr().out == whole
    assert (
        main(["wer", *sides, "--like", "jiwer", "--shard", "2/2", "--shard-output", "2.json"]) == 0
    )
    assert main(["merge", "1.json", "2.json"]) == 2
    assert "expected a shard of the same run" in capsys.readouterr().err


def test_compare_refuses_results_of_different_recipes(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for like in ("kaldi", "jiwer"):
        assert main(["wer", *sides, "--like", like, "--json", f"{like}.json"]) == 0
    assert main(["wer", *sides, "--json", "none.json"]) == 0
    assert main(["compare", "kaldi.json", "kaldi.json"]) == 0
    assert "signature: wer|like:kaldi@5.5|" in capsys.readouterr().out
    for other in ("jiwer", "none"):
        assert main(["compare", "kaldi.json", f"{other}.json"]) != 0
        assert "expected a result of recipe kaldi@5.5" in capsys.readouterr().err
    assert main(["compare", "none.json", "none.json", "--like", "kaldi"]) == 2
    assert "--like: expected none, as the result was scored, found kaldi@5.5" in (
        capsys.readouterr().err
    )
    assert main(["compare", "kaldi.json", "kaldi.json", "--like", "kaldi"]) == 0
    capsys.readouterr()
    reference, hypothesis = sides
    options = ["--reference", reference, "--like", "sclite"]
    assert main(["compare", hypothesis, reference, *options]) == 0
    assert "like:sclite@2.4.10|" in capsys.readouterr().out


def test_sets_are_averaged_as_the_recipe_says(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kaldi = recipe_named("kaldi")
    mean = replace(kaldi, name="mean@1", headline=replace(kaldi.headline, sets="mean"))
    monkeypatch.setattr("scoring.text.recipes.recipes", lambda: {"mean@1": mean})
    sets = "".join(f"sets.{name}.reference = {sides[0]!r}\n" for name in "ab")
    systems = f"systems.x.a = {sides[1]!r}\nsystems.x.b = {sides[0]!r}\n"
    Path("plan.toml").write_text(f'recipes = ["mean"]\n{sets}{systems}', "utf-8")
    assert main(["bench", "plan.toml"]) == 0
    [head, row] = capsys.readouterr().out.splitlines()[3:5]
    cells = dict(zip(re.split("  +", head), re.split("  +", row), strict=False))
    assert cells["headline"] == "20.00"


def test_records_of_unknown_recipes_are_errors(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wer", *sides, "--like", "kaldi", "--json", "a.json"]) == 0
    Path("a.json").write_text(Path("a.json").read_text().replace("kaldi@5.5", "kaldi@9"))
    assert main(["compare", "a.json", "a.json"]) == 2
    assert "expected kaldi@5.5, found 'kaldi@9'" in capsys.readouterr().err


def test_the_service_applies_recipes() -> None:
    call = Methods()
    texts = {"reference": ["a b"], "hypothesis": ["a c"]}
    answer = call("wer", {**texts, "like": "kaldi"})
    assert answer["rates"]["headline"] == 50.0
    assert answer["signature"].startswith("wer|like:kaldi@5.5|")
    for other in ({"profile": "sclite"}, {"missing": "delete"}):
        with pytest.raises(InvalidFieldError, match="as in the recipe kaldi"):
            call("wer", {**texts, "like": "kaldi", **other})
    with pytest.raises(InvalidFieldError, match="did you mean kaldi"):
        call("wer", {**texts, "like": "kaldy"})


def test_a_list_of_steps_may_state_its_hash() -> None:
    digest = as_pipeline("whisper-basic").digest
    assert as_pipeline(["whisper-basic", f"#{digest[:8]}"]).signature.endswith(digest[:8])
    with pytest.raises(ValueError, match="expected whisper-basic#00000000, found #"):
        as_pipeline(["whisper-basic", "#00000000"])


@each_case("path", sorted(GOLDENS.glob("*.json")), ids=lambda path: path.stem)
def test_numbers_are_those_of_the_original(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    if "whisper" in path.stem:
        pytest.importorskip("whisper_normalizer")
    references, hypotheses, lines = map(list, zip(*record["lines"], strict=True))
    rates = score_by_recipe(record["recipe"], references, hypotheses, record["characters"])
    assert json.loads(json.dumps(ORIGINALS[record["recipe"]].ours(rates))) == lines
    assert rates.headline == record["number"]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without extras, clones, network and cache."""

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    def no_network(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr("importlib.metadata.version", version)
    monkeypatch.setattr("importlib.metadata.files", version)
    monkeypatch.setattr("socket.create_connection", no_network)
    monkeypatch.delenv("OPEN_ASR_LEADERBOARD", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    whisper._spellings.cache_clear()
    return tmp_path / "cache" / "sclite-kit" / "recipes"


def test_a_table_of_another_version_is_an_error(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0.9")
    assert main(["wer", *sides, "--like", "whisper-paper"]) == 2
    assert (
        "expected whisper-normalizer 0.1.15, found 0.0.9: scoring recipes install whisper-paper\n"
    ) in capsys.readouterr().err


@pytest.mark.usefixtures("bare")
def test_every_recipe_answers_or_names_one_command(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    refused = {}
    for name in recipes():
        measure = ["--meeting", "tcp"] if recipe_named(name).arithmetic == "meeteval" else []
        sources = ["a.json", "a.json"] if measure else sides
        Path("a.json").write_text(
            '[{"session_id": "a", "speaker": "b", "words": "c", "start_time": 0, "end_time": 1}]'
        )
        status = main(["wer", *sources, "--like", name, *measure])
        printed = capsys.readouterr()
        if status:
            assert (status, printed.out) == (2, "")
            [first, _] = printed.err.splitlines()
            refused[name.partition("@")[0]] = first.rpartition(": ")[2]
    assert refused == {
        "whisper-paper": "scoring recipes install whisper-paper",
        "open-asr": "scoring recipes install open-asr",
        **{
            f"open-asr/{lang}": "scoring recipes install open-asr/de"
            for lang in ("de", "es", "fr", "it", "pt")
        },
    }
    with pytest.raises(ValueError, match="scoring recipes install whisper-paper"):
        scoring.wer("a", "a", like="whisper-paper")
    with pytest.raises(ValueError, match="scoring recipes install whisper-paper"):
        as_pipeline("whisper-spelling")


@pytest.fixture
def spellings(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of two words, taken for Whisper's."""
    file = Path("english.json")
    file.write_text('{"colour": "color", "centre": "center"}')
    pinned = downloads.WHISPER_LIST._replace(digest=sha256(file.read_bytes()).hexdigest())
    for module in (downloads, whisper):
        monkeypatch.setattr(module, "WHISPER_LIST", pinned)
    monkeypatch.setitem(downloads.OF_STEPS, "whisper-english", pinned)
    return file


def test_a_recipe_is_installed_from_a_copy_without_a_network(
    sides: tuple[str, str], bare: Path, spellings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["recipes", "install", "whisper-paper"]
    assert main(command) == 2
    message = capsys.readouterr().err
    assert "scoring recipes install whisper-paper --from-file FILE" in message
    assert not bare.exists()
    Path("other.json").write_text("{}")
    assert main([*command, "--from-file", "other.json"]) == 2
    assert "other.json: expected english.json with the SHA-256" in capsys.readouterr().err
    assert main([*command, "--from-file", "cache"]) == 2
    assert main([*command, "--from-file", "."]) == 0
    [kept] = bare.glob("*/*")
    assert kept.name == "english.json"
    assert str(kept) in capsys.readouterr().out
    Path("ref.trn").write_text("The colour won't (s_1)\n")
    Path("hyp.trn").write_text("the color will not (s_1)\n")
    assert main(["wer", *sides, "--like", "whisper-paper"]) == 0
    shown = capsys.readouterr().out
    assert "headline: 0.00 %" in shown
    assert "#5b1d127e" in shown
    with ZipFile("package.whl", "w") as archive:
        archive.write(spellings, "package/normalizers/english.json")
    kept.unlink()
    assert main([*command, "--from-file", "package.whl"]) == 0
    assert kept.exists()


def test_a_download_is_verified_and_kept(
    sides: tuple[str, str],
    bare: Path,
    spellings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[str] = []

    def answer(url: str, timeout: float) -> BytesIO:
        asked.append(url)
        return BytesIO(spellings.read_bytes() if len(asked) > 1 else b"<html>")

    monkeypatch.setattr("urllib.request.urlopen", answer)
    assert main(["recipes", "install", "whisper-paper"]) == 2
    assert not bare.exists()
    assert main(["recipes", "install", "whisper-paper", "kaldi"]) == 0
    assert "kaldi@5.5: ready" in capsys.readouterr().out
    assert asked == [downloads.WHISPER_LIST.url] * 2
    assert "/c0d2f624c09dc18e709e37c2ad90c039a4eb72a2/" in asked[0]
    assert len(list(bare.glob("*/*"))) == 1
    assert main(["recipes", "show", "kaldi", "--from-file", "a"]) == 2


def test_a_wheel_in_the_cache_is_imported(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ZipFile("num2words.whl", "w") as archive:
        archive.writestr(
            "num2words/__init__.py",
            "CONVERTER_CLASSES = {'de': 0}\ndef num2words(n, lang): return f'{lang}{n}'",
        )
    digest = sha256(Path("num2words.whl").read_bytes()).hexdigest()
    pinned = downloads.NUM2WORDS._replace(digest=digest)
    monkeypatch.setattr(leaderboard_multilingual, "NUM2WORDS", pinned)
    monkeypatch.setattr("sys.path", list(sys.path))
    others = {name: sys.modules[name] for name in sys.modules if name.startswith("num2words")}
    try:
        assert downloads.install(pinned, "num2words.whl").startswith(str(bare))
        leaderboard_multilingual._in_words.cache_clear()
        assert as_pipeline("leaderboard-multilingual:lang=de")("Um 7") == "um de7"
    finally:
        leaderboard_multilingual._in_words.cache_clear()
        for name in [name for name in sys.modules if name.startswith("num2words")]:
            del sys.modules[name]
        sys.modules.update(others)


def test_only_letters_of_ascii_lose_their_case() -> None:
    assert as_pipeline("lowercase:lang=ascii")("ABZ \u00c9\u0130") == "abz \u00c9\u0130"
    with pytest.raises(ValueError, match="lang"):
        as_pipeline("casefold:lang=ascii")


def test_recipes_are_listed_and_shown(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recipes"]) == 0
    listed = capsys.readouterr().out
    for recipe in recipes().values():
        assert recipe.name in listed
        assert recipe.hash in listed
        assert recipe.source in listed
    assert main(["recipes", "show", "kaldi", "jiwer"]) == 0
    shown = capsys.readouterr().out.split("\n")
    assert "profile: kaldi" in shown
    assert "characters.unit: char+space" in shown
    assert "headline.decimals: 2" in shown
    assert main(["recipes", "show", "kaldy"]) == 2
    assert "did you mean kaldi?" in capsys.readouterr().err
    assert main(["recipes", "show"]) == 2
    assert main(["recipes", "mean"]) == 2


def test_a_longer_name_means_the_recipe_that_it_begins_with() -> None:
    with pytest.raises(ValueError, match=r"did you mean open-asr\?"):
        recipe_named("open-asr-leaderboard")
