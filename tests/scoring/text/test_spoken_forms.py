"""Written forms and the ways to say them: readings, places, laws."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from formats.schema.words import Alternation, Token
from scoring import wer
from scoring.cli.scoring import main
from scoring.results.messages import OTHER_SCRIPT
from scoring.text.language_tables import folder_of, languages, spoken_languages, table_rows
from scoring.text.pipeline_files import as_pipeline
from scoring.text.removed import letters_and_marks, script_instead
from scoring.text.spoken.names import names_of
from scoring.text.spoken.places import CLASSES, MOST_PATHS
from scoring.text.spoken.table import KEYS, SpokenTable, table_of
from scoring.text.spoken_forms import SpokenForms
from tests.each_case import each_case
from tests.remarks import fields_of
from tests.scoring.text.cldr_tables import table_from_cldr
from tests.scoring.text.spoken_page import EXAMPLES, PAGE, generated
from tests.tables import table_of as cases

LANGUAGES = languages("spoken")
NO_ERROR = ("--normalize", "plain", "--normalize", "spoken-forms", "--fail-above", "0")
WORDS = (
    "so $50 -5 20% 5 km 3 p.m. 10:30 March 3, 2020 the 21st Dr. Jones St. TV 1,250.5 ½ & + 12B "
    "a@b.com [noise 5] <b> it's don't 1980s 919-696-3901 II 2020-03-04 ， 3. , ... 00 ١٢ 五 x=1"
)
PARTS = WORDS.split()


PLAIN_CORE = """
import sys
from scoring import wer
from tests.scoring.text.test_spoken_forms import readings_of
for lang in sys.argv[1:]:
    pairs = list(readings_of(lang))
    rates = wer(*map(list, zip(*pairs)), normalize=("plain", f"spoken-forms:lang={lang}"))
    print(lang, len(pairs), rates.counts.errors)
"""
"""Scores written forms of tables against their readings, in an interpreter of its own."""
SAMPLE = 12
"""Forms of each sort of row that are tried, and half as many of the readings of each."""


def some(forms: Iterable[object], most: int = SAMPLE) -> list[object]:
    listed = list(forms)
    return listed[:: max(1, -(-len(listed) // most))]


def readings_of(lang: str) -> Iterator[tuple[str, str]]:
    """Written forms of every row that has some, with a few of the readings of their places."""
    table = table_of(lang)
    written = [f"x {part} x" for part in (*PARTS, *some(range(31)), 1234, 10**6)]
    written.remove("x <b> x")  # `plain` takes it for a mark, and cut at its signs it is none
    for forms in (table.abbreviations, table.spellings, table.symbols):
        written += [f"x {form} x" for form in some(forms)]
    written += [f"x {form} Xyz" for form in some(table.titles)]
    written += [f"Xyz {form}" for form in some(table.after)]
    for forms in (table.units, table.scales, table.periods):
        written += [f"x 5 {form} x" for form in some(forms)]
    written += [f"x {form}5 x" for form in some(table.currencies)]
    step = SpokenForms(lang)
    for text in dict.fromkeys(written):
        items = step.items(text.split())
        for at, item in enumerate(items):
            if isinstance(item, Alternation):
                for branch in some(item.branches[1:], SAMPLE // 2):
                    assert isinstance(branch, tuple | list)
                    chosen = [*items[:at], *branch, *items[at + 1 :]]
                    if all(isinstance(one, Token) for one in chosen):
                        yield text, " ".join(one.text for one in chosen if isinstance(one, Token))


def errors(reference: str, hypothesis: str, lang: str, **options: Any) -> int:
    steps: Any = ("plain", f"spoken-forms:lang={lang}")
    if not table_of(lang).has_blanks:
        options = {"unit": "mixed", **options}
    return wer(reference, hypothesis, normalize=steps, **options).counts.errors


def errors_of(pairs: Mapping[str, tuple[str, str]], lang: str) -> dict[str, int]:
    """The errors of each pair of texts, which are scored together."""
    steps: Any = ("plain", f"spoken-forms:lang={lang}")
    unit: Any = "word" if table_of(lang).has_blanks else "mixed"
    sides: Any = [{key: pair[side] for key, pair in pairs.items()} for side in (0, 1)]
    rates = wer(*sides, normalize=steps, unit=unit)
    counts = zip(rates.identifiers, rates.aligned.counts, strict=True)
    return {key: count.errors for key, count in counts}


EQUAL = cases(__file__, "equal")


@each_case("lang", sorted({lang for lang, _, _ in EQUAL}))
def test_equal(lang: str) -> None:
    rows = [row[1:] for row in EQUAL if row[0] == lang]
    pairs = {f"{a} = {b}": (a, b) for row in rows for a, b in (row, row[::-1])}
    found = errors_of(pairs, lang)
    assert found.keys() == pairs.keys()
    assert [pair for pair, count in found.items() if count] == []


@each_case(("lang", "written", "other"), cases(__file__, "different"))
def test_different(lang: str, written: str, other: str) -> None:
    assert errors(written, other, lang)


def _collisions(words: list[str], lang: str) -> list[str]:
    """Return the words that hide a number beside them, or that equal a number."""
    said = names_of(lang).cardinals(5)[0]
    pairs = {word: (f"{word} 5 {word}", f"{word} {said} {word}") for word in words}
    pairs |= {f"= {word}": (f"qq {word} qq", f"qq {said} qq") for word in words if word != said}
    found = errors_of(pairs, lang)
    return [key for key, count in found.items() if bool(count) != key.startswith("=")]


@each_case("lang", LANGUAGES)
def test_no_word_of_a_table_hides_a_number_beside_it(lang: str) -> None:
    table = table_of(lang)
    names = (*table.units, *table.currencies, *table.scales, *table.months, *table.periods)
    words = sorted({name for name in names if name.isalpha() and name.islower()})
    assert _collisions(words[:: max(1, len(words) // 16)], lang) == []


def _common_words(lang: str) -> list[str]:
    """Return common words of a language from `wordfreq`, or the fewer ones of `stopwordsiso`."""
    wordfreq, stopwords = pytest.importorskip("wordfreq"), pytest.importorskip("stopwordsiso")
    code = lang.partition("-")[0]
    if code in {*wordfreq.available_languages(), "bs", "hr", "no", "sr"}:
        words = wordfreq.top_n_list(code, 3000)
        assert len(words) == 3000
    elif stopwords.has_lang(code):
        words = sorted(stopwords.stopwords(code))
    else:
        pytest.skip("no list of words")
    return [word for word in words if not any(map(str.isdigit, word))]


@pytest.mark.release
@pytest.mark.parametrize("lang", spoken_languages())
def test_no_common_word_hides_a_number_beside_it(lang: str) -> None:
    assert _collisions(_common_words(lang), lang) == []


@each_case(("written", "kind", "spoken"), cases(__file__, "forgiven"))
def test_what_is_forgiven_has_its_class(written: str, kind: str, spoken: str) -> None:
    rates = wer(f"so {written}", f"so {spoken}", normalize=("plain", "spoken-forms"))
    (place,) = rates.forgiven
    assert place.kind == kind
    assert " ".join(place.chosen) in spoken


@given(st.lists(st.sampled_from(PARTS), max_size=8), st.sampled_from(LANGUAGES))
def test_the_written_form_is_a_path_and_places_have_few_readings(
    words: list[str], lang: str
) -> None:
    first: list[str] = []
    for item in SpokenForms(lang).items(words):
        if isinstance(item, Token):
            first.append(item.text)
            continue
        assert isinstance(item, Alternation)
        assert item.origin in CLASSES
        assert 2 <= len(item.branches) <= MOST_PATHS + 1
        first += [token.text for token in item.branches[0] if isinstance(token, Token)]
    assert first == words


@given(
    st.lists(st.sampled_from(PARTS), max_size=6),
    st.lists(st.sampled_from(PARTS), max_size=6),
    st.sampled_from(LANGUAGES),
    st.sampled_from((("plain",), ("brackets", "lowercase"), ("whisper-english-safe",))),
)
def test_errors_never_rise(
    reference: list[str], hypothesis: list[str], lang: str, steps: tuple[str, ...]
) -> None:
    texts = " ".join(reference), " ".join(hypothesis)
    options: Any = {"profile": "levenshtein", "variants_length": "written"}
    without = wer(*texts, normalize=steps, **options)
    both = wer(*texts, normalize=(*steps, f"spoken-forms:lang={lang}"), **options)
    assert both.counts.errors <= without.counts.errors


@given(st.lists(st.from_regex(r"[b-hj-np-z]{4,9}q", fullmatch=True)), st.sampled_from(LANGUAGES))
def test_text_without_written_forms_stays(words: list[str], lang: str) -> None:
    step = SpokenForms(lang)
    assert step.items(words) == list(map(Token, words))
    assert not step.touches(words)


@each_case("lang", LANGUAGES)
def test_tables_are_sound(lang: str) -> None:
    table = table_of(lang)
    assert sorted(table.month_names) in ([], list(range(1, 13)))
    assert table.points
    assert len({tuple(row) for row in table_rows("spoken", lang)}) == len(
        table_rows("spoken", lang)
    )
    step = SpokenForms(lang)
    assert pickle.loads(pickle.dumps(step)) == step
    assert step.items(["36"]) != [Token("36")]


@each_case("lang", languages("varieties"))
def test_varieties_have_one_direction_and_lead_to_other_words(lang: str) -> None:
    varieties = table_of(lang).varieties
    for spelling, others in varieties.items():
        assert spelling == spelling.casefold()
        assert others
        assert not {*others} & varieties.keys()


CARDINALS_ALONE = ("zu",)


@pytest.mark.share(9)
@pytest.mark.parametrize("lang", languages("cldr"))
def test_tables_from_cldr_are_sound(lang: str) -> None:
    table = table_of(lang)
    if lang not in CARDINALS_ALONE:
        assert sorted(table.month_names) == list(range(1, 13))
        assert table.points
        assert table.currencies
        assert table.values("date")
    (item,) = SpokenForms(lang).items(["36"])
    assert isinstance(item, Alternation)
    assert not any("\u200b" in str(branch) for branch in item.branches)


REGIONS = {
    "pt-PT": ("17", "dezassete", "dezessete"),
    "pt-BR": ("17", "dezessete", "dezassete"),
    "fr-FR": ("75", "soixante-quinze", "septante-cinq"),
    "fr-BE": ("75", "septante-cinq", "soixante-quinze"),
    "fr-CH": ("80", "huitante", "nonante"),
    "de-AT": ("30 dag", "dreißig deka", "dreißig dekar"),
    "de-CH": ("30", "dreissig", "dreizehn"),
    "es-MX": ("$5.50", "cinco pesos con cincuenta centavos", "cinco dólares con cinco centavos"),
    "es-AR": ("$5", "cinco pesos argentinos", "cinco dólares"),
    "es-ES": ("$5", "cinco dólares", "cinco pesos"),
    "en-GB": ("3/4/2020", "the third of april twenty twenty", "march fourth twenty twenty"),
    "en-US": ("3/4/2020", "march fourth twenty twenty", "the third of april twenty twenty"),
}


def test_a_region_adds_rows_to_its_language_and_removes_some() -> None:
    assert sorted(REGIONS) == sorted(languages("regions"))
    for lang, (written, spoken, other) in REGIONS.items():
        assert errors(written, spoken, lang) == 0, lang
        assert errors(written, other, lang), lang


def test_british_and_american_spelling_are_a_class() -> None:
    pair = "the colour of grey tyres", "the color of gray tires"
    assert errors(*pair, "en") == errors(pair[1], pair[0], "en-GB") == 0
    places = wer(*pair, normalize=("plain", "spoken-forms")).forgiven
    assert [place.kind for place in places] == ["variety"] * 3
    assert wer(*pair, normalize=("plain", "spoken-forms:classes=spelling")).counts.errors == 3


def test_tables_from_cldr_are_what_its_packages_have() -> None:
    babel = pytest.importorskip("babel")
    text = Path(folder_of("cldr"), "el.csv").read_text("utf-8")
    if f"babel {babel.__version__} and unicode-rbnf {version('unicode-rbnf')}" not in text:
        pytest.skip("tables of other versions")
    assert table_from_cldr("el") == text


DANISH = """\
rbnf,da
script,Latin
point,",",komma
group,.
minus,minus
percent,%|pct,procent
currency,€|EUR,euro,cent
unit,km,kilometer
symbol,&,og
"""


def test_a_table_from_outside_reads_a_further_language(tmp_path: Path) -> None:
    path = tmp_path / "da.csv"
    path.write_text(DANISH, "utf-8")
    steps: Any = ("plain", f"spoken-forms:rows={path}")
    for written, spoken in (
        ("21", "enogtyve"),
        ("20 %", "tyve procent"),
        ("3,5 km", "tre komma fem kilometer"),
        ("5 €", "fem euro"),
        ("salt & peber", "salt og peber"),
    ):
        assert wer(written, spoken, normalize=steps).counts.errors == 0
        assert wer(written, f"{spoken} x", normalize=steps).counts.errors == 1
    assert wer("21", "twenty one", normalize=steps).counts.errors
    assert as_pipeline(steps).digest != as_pipeline(("plain", "spoken-forms")).digest


def test_rows_from_outside_are_of_a_domain(tmp_path: Path) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("abbreviation,bid,twice daily\nunit,mcg,micrograms\n", "utf-8")
    steps: Any = ("plain", f"spoken-forms:rows={path}")
    rates = wer("5 mcg bid 20%", "five micrograms twice daily twenty percent", normalize=steps)
    assert rates.counts.errors == 0
    step = SpokenForms(rows=str(path))
    assert pickle.loads(pickle.dumps(step)) == step
    path.write_text("colour,red\n", "utf-8")
    with pytest.raises((ValueError, scoring.ScoringError), match="a known key, found 'colour'"):
        as_pipeline(steps)


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected a known key, found 'colour'"):
        SpokenTable("xx", [("colour", "red")])


def test_it_sees_the_text_as_written_wherever_it_stands() -> None:
    texts = [
        as_pipeline(("plain", "spoken-forms"))("$5"),
        as_pipeline(("spoken-forms", "plain"))("$5"),
    ]
    assert texts[0] == texts[1]
    assert "five dollars" in texts[0]
    step = SpokenForms(classes=("numbers",))
    assert step.items(["$5"]) == [Token("$5")]
    assert isinstance(step.items(["5"])[0], Alternation)


def test_signatures_tell_languages_and_classes() -> None:
    names = ("spoken-forms", "spoken-forms:lang=de", "spoken-forms:classes=money+date")
    assert len({as_pipeline(name).digest for name in names}) == 3
    with pytest.raises((ValueError, scoring.ScoringError), match="lang: expected"):
        as_pipeline("spoken-forms:lang=xx")


@each_case("unit", ["word", "char", "mixed"])
@each_case("profile", ["sclite", "levenshtein"])
def test_it_goes_with_everything(unit: str, profile: str) -> None:
    options: Any = {"unit": unit, "profile": profile}
    assert (
        errors(
            "it was $50 {really|truly}",
            "it was fifty dollars truly",
            "en",
            variants=True,
            **options,
        )
        == 0
    )
    assert errors("20 % of it", "20 % of it", "en", **options) == 0


def note_of(lang: str, text: str) -> list[Mapping[str, Any]]:
    steps: Any = ("plain", f"spoken-forms:lang={lang}")
    remarks = wer(text, text, normalize=steps).remarks
    return fields_of(remarks, OTHER_SCRIPT)


@each_case(
    ("lang", "text", "found"),
    [
        ("ru", "all of it is English", "Latin"),
        ("en", "это совсем другой язык", "Cyrillic"),
        ("ja", "ひらがなとカタカナだけです", ""),
        ("ko", "한국어와 漢字를 씁니다", ""),
        ("zh", "use iPhone and Windows 电脑手机", ""),
        ("ru", "OK", ""),
        ("de", "12 3 4,5", ""),
    ],
)
def test_a_text_in_another_script_than_the_language_is_noted(
    lang: str, text: str, found: str
) -> None:
    notes = note_of(lang, text)
    assert len(notes) == (2 if found else 0)  # one for each side
    for note in notes:
        assert note["step"] == f"spoken-forms(lang={lang})" or lang == "en"
        assert note["found"] == found


def test_the_readings_of_the_tables_have_the_script_of_the_language() -> None:
    for lang in LANGUAGES:
        words = [word for name in names_of(lang).cardinals(21) for word in name.split()]
        script = SpokenForms(lang).script
        assert script
        assert not script_instead(script, letters_and_marks(" ".join(words * 9))), lang


@pytest.mark.parametrize(("second", "is_equal"), [("it were 70", False), ("it was $60 then", True)])
def test_it_goes_with_several_references(tmp_path: Path, second: str, is_equal: bool) -> None:
    for name, text in (("a", "it was $50 then"), ("b", second), ("h", "it was sixty dollars then")):
        (tmp_path / f"{name}.trn").write_text(f"{text} (s-1)\n")
    files = [str(tmp_path / f"{name}.trn") for name in "ahb"]
    assert main(["wer", *files[:2], "--further-reference", files[2], *NO_ERROR]) == 3 * (
        not is_equal
    )


def test_it_goes_with_meetings(tmp_path: Path) -> None:
    line = "m1 1 {} {} {} {}\n".format
    (tmp_path / "ref.stm").write_text(
        line("anne", 0, 1, "it was $50") + line("bob", 2, 3, "at 10:30 with Dr. Jones")
    )
    (tmp_path / "hyp.stm").write_text(
        line("x", 0, 1, "at ten thirty with doctor jones") + line("y", 2, 3, "it was fifty dollars")
    )
    files = [str(tmp_path / f"{side}.stm") for side in ("ref", "hyp")]
    assert main(["wer", *files, "--meeting", "cp", *NO_ERROR]) == 0


@pytest.mark.release
def test_readings_of_tables_parse_in_the_plain_core() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAIN_CORE, *LANGUAGES],
        cwd=Path(__file__).resolve().parents[3],
        env={**os.environ, "SCORING_ALIGN": "plain"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [lang for lang, *_ in rows] == list(LANGUAGES)
    assert [row for row in rows if int(row[1]) < 90 or int(row[2])] == []


def test_it_merges_compounds() -> None:
    assert errors("$50 data base", "fifty dollars database", "en", merge_compounds="words") == 0


def test_the_page_has_the_tables_and_its_examples_hold() -> None:
    page = PAGE.read_text("utf-8")
    assert page == generated(page), "python -m tests.scoring.text.spoken_page"
    assert {name for name, *_ in EXAMPLES} == set(CLASSES)
    for _, written, spoken in EXAMPLES:
        for reading in spoken.split(", "):
            assert errors(written, reading, "en") == 0, reading


def test_the_page_explains_every_key_of_a_table() -> None:
    page = PAGE.read_text("utf-8")
    assert [key for key in sorted(KEYS) if f"`{key}," not in page and f"`{key}`" not in page] == []


def test_scripts_are_known_without_the_package_regex(monkeypatch: pytest.MonkeyPatch) -> None:
    from scoring.text import removed

    letters = "aéßжЖאبहกあカ漢한Աγ1 ."
    expected = [removed.script_of(letter) for letter in letters]
    assert len(set(expected)) > 10
    monkeypatch.setitem(sys.modules, "regex", None)
    monkeypatch.setattr(removed, "_tests", removed._tests.__wrapped__)
    found = [removed.script_of.__wrapped__(letter) for letter in letters if letter.isalpha()]
    assert found == [x for x, letter in zip(expected, letters, strict=True) if letter.isalpha()]
