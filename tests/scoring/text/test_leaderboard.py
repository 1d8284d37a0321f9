"""The Open ASR Leaderboard's normalisers give the texts of the original."""

import importlib.metadata
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.options import Options
from scoring.text import english_rules, leaderboard, leaderboard_tables
from scoring.text.leaderboard import LeaderboardEnglish
from scoring.text.leaderboard_multilingual import LeaderboardMultilingual
from scoring.text.pipeline_files import as_pipeline
from scoring.text.recipes import recipe_named
from tests.each_case import each_case
from tests.tables import table_of

# As many entries of the leaderboard's lists as the goldens need.
LISTS = r"""
english_spelling_normalizer = {
    "colour": "color", "favourite": "favorite", "centre": "center", "flyer": "flier",
    "ok": "okay", "kay": "okay",
}
english_name_normalizer = {"stephen": "steven", "alan": "allen"}
english_compound_normalizer = {
    r"\bwi\s+fi\b": "wifi", r"\be\s+mail\b": "email", r"\bp\s+m\b": "pm", r"\bo\s+k\b": "okay",
}
"""
NAME = "leaderboard-english@2026-08-21"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A file of lists, taken for that of the day."""
    path = tmp_path / "english_abbreviations.py"
    path.write_text(LISTS)
    with monkeypatch.context() as patch:
        with pytest.raises(ValueError, match="expected the lists of 2026-08-21, found others"):
            leaderboard_tables.read_tables(str(path))
        contents: dict[str, dict[str, str]] = {}
        exec(LISTS, contents)
        lists = [contents[name] for name in leaderboard_tables._LISTS]
        digest = leaderboard_tables.LeaderboardTables(*lists).digest
        patch.setattr(leaderboard_tables, "DIGEST", digest)
        yield str(path)
    leaderboard._english.cache_clear()


def test_english_texts_of_the_original(tables: str) -> None:
    step = LeaderboardEnglish(tables)
    cases = table_of(__file__, "english")
    # first with nothing known, then with all words and groups known
    for _ in range(2):
        assert [step(text) for text, _ in cases] == [expected for _, expected in cases]


def test_a_small_memory_changes_nothing(tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english_rules, "_MOST", 3)
    step = LeaderboardEnglish(tables)
    for text, expected in table_of(__file__, "english")[:60]:
        assert step(text) == expected


def test_it_is_a_named_step_that_the_signature_has(tables: str) -> None:
    reference, hypothesis = (
        "Mr. O'Neil won't pay $20.50, okay?",
        "mister 0 neil will not pay $20.50 ok",
    )
    for name in (NAME, "leaderboard-english"):
        rates = scoring.wer(reference, hypothesis, normalize=f"{name}:tables={tables}")
        assert rates.corpus_rate == 0
        assert f"norm:{NAME}#" in rates.signature
    # where the lists are does not count
    pipeline = as_pipeline(LeaderboardEnglish(tables))
    copy = Path(tables).with_name("copy.py")
    copy.write_text(LISTS)
    assert as_pipeline(LeaderboardEnglish(str(copy))).digest == pipeline.digest
    assert pickle.loads(pickle.dumps(pipeline))("The Flyer") == "the flier"


def test_the_clone_that_the_environment_names(
    tables: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "normalizer").mkdir()
    Path(tables).rename(tmp_path / leaderboard_tables.FILE)
    monkeypatch.setenv(leaderboard_tables.VARIABLE, str(tmp_path))
    assert as_pipeline("leaderboard-english")("colour") == "color"


def test_without_the_lists_there_is_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(leaderboard_tables.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "a.trn").write_text("a (u1)\n")
    argv = ["wer", str(tmp_path / "a.trn"), str(tmp_path / "a.trn"), "--normalize"]
    assert main([*argv, NAME]) == 2
    message = capsys.readouterr().err
    assert "expected the leaderboard's normalizer/english_abbreviations.py of 2026-08-21" in message
    assert "scoring recipes install open-asr" in message
    for content in ("import os\nos.abort()", "x = (", "\0", "english_spelling_normalizer = {}"):
        (tmp_path / "lists.py").write_text(content)
        with pytest.raises(ValueError, match=r"lists\.py: expected the leaderboard's"):
            as_pipeline(f"{NAME}:tables={tmp_path / 'lists.py'}")


@pytest.mark.parametrize(("sets", "results", "average"), table_of(__file__, "table"))
def test_rates_of_sets_and_their_average(
    tables: str,
    sets: dict[str, list[tuple[str, str]]],
    results: dict[str, tuple[float, int, int, int]],
    average: float,
) -> None:
    recipe = recipe_named("open-asr@2026-08")
    chosen = {**recipe.options, "normalize": LeaderboardEnglish(tables)}
    numbers: list[float] = []
    for name, pairs in sets.items():
        references, hypotheses = map(list, zip(*pairs, strict=True))
        rates = scoring.wer(references, hypotheses, options=Options(**chosen))
        number = recipe.headline.value(rates.counts, rates.per_utterance)
        assert number is not None
        numbers.append(number)
        found = (number, rates.insertions, rates.deletions, rates.substitutions)
        assert found == results[name]
    assert recipe.headline.mean(numbers) == average


def test_a_number_too_long_for_python_names_the_step(tables: str) -> None:
    with pytest.raises(ValueError, match=f"^{NAME}: .* in '999"):
        LeaderboardEnglish(tables)("9" * 5000)


@each_case(("lang", "text", "expected"), table_of(__file__, "multilingual"), ids=lambda value: None)
def test_other_languages_as_the_original(lang: str, text: str, expected: str) -> None:
    pytest.importorskip("num2words")
    assert LeaderboardMultilingual(lang)(text) == expected


def test_other_languages_need_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ValueError, match="found none: scoring recipes install open-asr/de"):
        as_pipeline("leaderboard-multilingual:lang=de")


def test_numbers_that_the_package_cannot_write_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int, lang: str) -> str:
        raise NotImplementedError

    package = SimpleNamespace(CONVERTER_CLASSES={"de": object()}, num2words=fail)
    monkeypatch.setitem(__import__("sys").modules, "num2words", package)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0")
    # a number of no other test, as readings of numbers are kept
    assert LeaderboardMultilingual("de")("Um 90 817 Uhr, [Lärm] ÜBER!") == "um 90817 uhr über"
    with pytest.raises(ValueError, match="lang: expected a language of num2words, de, found 'xx'"):
        LeaderboardMultilingual("xx")
    with pytest.raises(ValueError, match=r"expected num2words 1\.0, found 0\.0"):
        LeaderboardMultilingual("de", "1.0")
