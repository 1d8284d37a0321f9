"""Frozen recipes: what they fix, what contradicts them, and the number that they print."""

import json
import os
import pickle
from dataclasses import fields, replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.options import FREE, Options
from scoring.peers.metrics import CharErrorRate
from scoring.serve.errors import InvalidFieldError
from scoring.serve.methods import Methods
from scoring.text.pipeline_files import as_pipeline
from scoring.text.recipes import Headline, RecipeError, recipe_named, recipes
from tests.judges.recipes.originals import ORIGINALS
from tests.judges.recipes.run import score_by_recipe

GOLDENS = Path(__file__).resolve().parents[1] / "golden" / "recipes"
FOLDER = Path(scoring.__file__).parent / "text" / "recipes"
# A published recipe never changes: another hash needs another name.
HASHES = {
    "espnet@202511": "e7916b5cd9bab828",
    "evaluate@0.4": "d651d889a75842d8",
    "jiwer@4": "b2d12a5c63dd4c9f",
    "kaldi@5.5": "2084064f800eac80",
    "meeteval/chime-8@0.4": "e545874a28ff9407",
    "meeteval@0.4": "7e9210ed1fbe679a",
    "nemo@3": "1d481e2e10508644",
    "open-asr/de@2026-08": "5bacb612b1134239",
    "open-asr/es@2026-08": "0f678c760775f821",
    "open-asr/fr@2026-08": "ec12bbfe3ddffa6a",
    "open-asr/it@2026-08": "ba89e38e24ca9934",
    "open-asr/pt@2026-08": "e77dc3642f5a11e7",
    "open-asr@2026-08": "e5749fd6ed7e8c4e",
    "sclite@2.4.10": "750f3609daa6d681",
    "seed-tts-eval/zh@2024-06": "d03a0477cac354df",
    "seed-tts-eval@2024-06": "9076a07a788c5d0a",
    "torchmetrics@1": "95c9704af7415b40",
    "wenet@2025-12": "e099ded23b34d1c6",
    "whisper-paper/multilingual@2022-12": "8d2cf19d06dd180b",
    "whisper-paper@2022-12": "22e14e33fe6f32c0",
}
# What every recipe states for itself, unless it leaves all options free.
STATED = {"profile", "unit", "normalize", "missing", "ignore_case", "forgive_optional", "measure"}


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    Path("ref.trn").write_text("a b (s_1)\nc d e (s_2)\n")
    Path("hyp.trn").write_text("a B (s_1)\nc d (s_2)\n")
    return "ref.trn", "hyp.trn"


def test_recipes_are_what_was_published() -> None:
    assert {recipe.name: recipe.hash for recipe in recipes().values()} == HASHES


@pytest.mark.parametrize("name", recipes())
def test_every_recipe_is_complete(name: str) -> None:
    recipe = recipe_named(name)
    file = FOLDER / f"{name.replace('/', '.')}.json"
    options = {field.name for field in fields(Options)}
    assert json.loads(file.read_text())["name"] == name
    assert recipe.free == ("*",) or set(recipe.options) >= STATED
    assert {*recipe.options, *(recipe.characters or ())} <= options - FREE
    assert recipe.title
    assert recipe.source
    assert recipe.date.count("-") == 2
    measure: Any = {"measure": "tcp"} if recipe.arithmetic == "meeteval" else {}
    if name == "open-asr@2026-08" and not os.environ.get("OPEN_ASR_LEADERBOARD"):
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


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"like": "jiwr"}, "found 'jiwr'; did you mean jiwer?"),
        ({"like": "kaldi@4"}, "like: expected kaldi@5.5, found 'kaldi@4'"),
        ({"like": "kaldi", "profile": "sclite"}, "profile: expected 'kaldi', as in the recipe"),
        ({"like": "kaldi", "normalize": "plain"}, "normalize: expected None, as in the recipe"),
        ({"like": "sclite", "ignore_case": True}, "ignore_case: expected False, as in the"),
        ({"like": "sclite", "normalize": as_pipeline("lowercase")}, "normalize: expected ['regex"),
        ({"like": "jiwer", "unit": "grapheme"}, "unit: expected 'word', as in the recipe jiwer@4"),
        ({"like": "jiwer", "measure": "cp"}, "measure: expected None, as in the recipe jiwer@4"),
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
    assert Options(like="meeteval", measure="cp").changed(jobs=2).measure == "cp"
    with pytest.raises(RecipeError):
        Options(ignore_case=True).changed(like="jiwer")
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
        "wer|like:sclite@2.4.10|unit:word|norm:regex+regex+regex+lowercase#00e9caee|align:sclite(4,3,3)"
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


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--like kaldi --profile sclite", "profile: expected 'kaldi', as in the recipe kaldi@5.5"),
        ("--like kaldi --normalize plain", "normalize: expected None, as in the recipe kaldi@5.5"),
        ("--like kaldi --missing delete", "missing: expected 'skip', as in the recipe kaldi@5.5"),
        ("--like jiwer --measure cp", "measure: expected None, as in the recipe jiwer@4"),
        ("--like kaldy", "found 'kaldy'; did you mean kaldi?"),
        ("--like meeteval", "needs a measure of many speakers (--measure tcp)"),
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
        shard = ["--shard", f"{number}/2", "--output", f"{number}.json"]
        assert main(["wer", *sides, "--like", "kaldi", *shard]) == 0
    assert main(["wer", *sides, "--like", "kaldi"]) == 0
    whole = capsys.readouterr().out
    assert main(["merge", "1.json", "2.json"]) == 0
    assert capsys.readouterr().out == whole
    assert main(["wer", *sides, "--like", "jiwer", "--shard", "2/2", "--output", "2.json"]) == 0
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
        assert "expected a result by kaldi@5.5" in capsys.readouterr().err
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
    [head, row] = capsys.readouterr().out.splitlines()[1:3]
    assert dict(zip(head.split(), row.split(), strict=False))["headline"] == "20.00"


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
    for other in ({"profile": "sclite"}, {"ignore_case": True}, {"normalize": ["plain"]}):
        with pytest.raises(InvalidFieldError, match="as in the recipe kaldi"):
            call("wer", {**texts, "like": "kaldi", **other})
    with pytest.raises(InvalidFieldError, match="did you mean kaldi"):
        call("wer", {**texts, "like": "kaldy"})


def test_a_list_of_steps_may_state_its_hash() -> None:
    digest = as_pipeline("whisper-basic").digest
    assert as_pipeline(["whisper-basic", f"#{digest[:8]}"]).signature.endswith(digest[:8])
    with pytest.raises(ValueError, match="expected whisper-basic#00000000, found #"):
        as_pipeline(["whisper-basic", "#00000000"])


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.json")), ids=lambda path: path.stem)
def test_numbers_are_those_of_the_original(path: Path) -> None:
    record = json.loads(path.read_text("utf-8"))
    if "whisper" in path.stem:
        pytest.importorskip("whisper_normalizer")
    references, hypotheses, lines = map(list, zip(*record["lines"], strict=True))
    rates = score_by_recipe(record["recipe"], references, hypotheses, record["characters"])
    assert json.loads(json.dumps(ORIGINALS[record["recipe"]].ours(rates))) == lines
    assert rates.headline == record["number"]


def test_a_table_that_is_not_there_is_an_error(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0.9")
    assert main(["wer", *sides, "--like", "whisper-paper"]) == 2
    assert "expected whisper-normalizer 0.1.15, found 0.0.9" in capsys.readouterr().err

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", version)
    assert main(["wer", *sides, "--like", "whisper-paper"]) == 2
    printed = capsys.readouterr()
    assert "expected the package whisper-normalizer, found none" in printed.err
    assert not printed.out
    with pytest.raises(ValueError, match="expected the package whisper-normalizer"):
        scoring.wer("a", "a", like="whisper-paper")


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
