"""What the page draws and saves beyond counts: intervals, time, calibration, dots, graphs, files."""

import math
import re
from collections import Counter
from pathlib import Path

import pytest
import scipy

import scoring
from scoring.cli.scoring import main
from scoring.score.rates import ErrorRates

from .conftest import DEMO, Browser
from .test_page import HOSTILE

SYSTEMS = "document.querySelector('#systems tbody tr').cells[2].innerText"
TITLES = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def systems() -> list[ErrorRates]:
    return [
        scoring.wer(DEMO / "reference.stm", DEMO / name, normalize="lowercase", keep_sources=True)
        for name in ("baseline.ctm", "improved.ctm")
    ]


def linearised(counts: list[scoring.Counts]) -> tuple[float, float]:
    """The 95 % interval of a ratio of sums, in percent: Student's t of the log rate."""
    words = sum(one.reference_tokens for one in counts)
    rate = sum(one.errors for one in counts) / words
    left = [one.errors - rate * one.reference_tokens for one in counts]
    size = len(counts)
    variance = size / (size - 1) * sum(one * one for one in left) / words**2
    half = float(scipy.stats.t.ppf(0.975, size - 1)) * math.sqrt(variance)
    factor = math.exp(half / rate)
    return 100 * rate / factor, 100 * rate * factor


def test_intervals_of_groups(demo: Path, browser: Browser, systems: list[ErrorRates]) -> None:
    browser.open(demo)
    browser.click("#tab-speaker")
    rows = {row[0]: row for row in browser.rows("#panel-speaker")}
    speakers = systems[0].per_speaker()
    for speaker, positions in speakers.items():
        for rates, cell in zip(systems, (4, 9), strict=True):
            low, high = linearised([rates.per_utterance[at] for at in positions])
            found = [float(number) for number in rows[str(speaker)][cell].split(" – ")]
            assert found == pytest.approx([low, high], abs=0.011)
    marks = browser.run(TITLES, "#panel-speaker svg.chart .mark title")
    assert len(marks) == 2 * len(speakers)
    rate = systems[0].sum_of(speakers["anna"]).error_rate
    assert rate is not None
    assert f"baseline.ctm, anna: {100 * rate:.2f} %" in marks
    assert len(browser.run(TITLES, "#panel-speaker svg.chart .whisker")) == len(marks)


def test_all_utterances_have_the_interval_of_the_overview(demo: Path, browser: Browser) -> None:
    browser.open(demo)
    browser.click("#tab-speaker")
    sum_row = "return [...document.querySelector('#panel-speaker tfoot tr').cells].map((c) => c.textContent)"
    overview = browser.run(TITLES, "#systems .bounds")
    assert [browser.run(sum_row)[at] for at in (4, 9)] == [text.split(" (")[0] for text in overview]


def test_intervals_follow_what_is_selected(
    demo: Path, browser: Browser, systems: list[ErrorRates]
) -> None:
    browser.open(demo)
    browser.click("#tab-speaker")
    browser.search("the")
    [first, *_] = browser.rows("#panel-speaker")
    positions = [
        at
        for at in systems[0].per_speaker()[first[0]]
        if any(
            "the" in word
            for rates in systems
            for side in (rates.aligned.references, rates.aligned.hypotheses)
            for word in side[at]
        )
    ]
    assert first[1] == str(len(positions))
    if len(positions) < 10:
        assert first[4] == "n/a"
    else:
        bounds = linearised([systems[0].per_utterance[at] for at in positions])
        assert [float(one) for one in first[4].split(" – ")] == pytest.approx(bounds, abs=0.011)


def test_the_rate_over_time(tmp_path: Path, browser: Browser) -> None:
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    # the second utterance has no times of words but those of its right ones
    reference.write_text("t 1 A 100 104 a b c d\nt 1 A 170 180 e f g h i j k l m n\nu 1 A 1 2 z\n")
    hypothesis.write_text(
        "t 1 100.1 0.1 a\nt 1 101.2 0.1 x\nt 1 102.3 0.1 c\nt 1 103.4 0.1 d\nt 1 103.6 0.1 d\n"
        "t 1 179.5 0.2 n\nu 1 1 1 z\n"
    )
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer(reference, hypothesis, keep_sources=True), path)
    browser.open(path)
    browser.click("#tab-time")
    # 80 seconds are 40 windows of 2; nothing is said between
    rows = [row[:3] + row[4:] for row in browser.rows("#panel-time")]
    # from, utterances, words, substitutions, deletions, insertions
    assert rows[0] == ["1:40", "1", "2", "1", "0", "0"]
    assert rows[1] == ["1:42", "1", "2", "0", "0", "1"]
    assert [row[0] for row in rows] == ["1:40", "1:42", "2:50", "2:52", "2:54", "2:56", "2:58"]
    assert sum(int(row[4]) for row in rows[2:]) == 9
    assert [int(row[2]) for row in rows[2:]] == [2, 2, 2, 2, 2]
    browser.choose(
        "recording", browser.run("return document.getElementById('recording').options[1].value")
    )
    assert [row[:3] for row in browser.rows("#panel-time")] == [["1 s", "1", "1"]]


def test_durations_alone_are_no_times(tmp_path: Path, browser: Browser) -> None:
    """Rows of a table without starts do not all begin at 0 s of one recording."""
    table, path = tmp_path / "t.csv", tmp_path / "page.html"
    table.write_text(
        "utt_id,speaker,duration,text,pred_text\n"
        "u1,anna,15.5,the ferry is late,the ferry was late\nu2,ben,2.5,so it is,so it is\n"
    )
    assert main(["wer", str(table), "--html", str(path)]) == 0
    browser.open(path)
    tabs = browser.run(TITLES, "[role=tab]")
    assert "Duration" in tabs
    assert "Rate over time" not in tabs
    browser.click("#tab-utterances")
    assert browser.run(TITLES, "#panel-utterances .facts > span")[-1:] == ["Duration 15.50 s"]
    browser.click("#tab-text")
    text = browser.run("return document.querySelector('main').textContent")
    assert "0.00 s" not in text


def test_calibration(tmp_path: Path, browser: Browser) -> None:
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    words = [("a", 0.91, True), ("b", 0.97, True), ("x", 0.93, False), ("d", 0.55, True)]
    words += [("y", 0.52, False), ("z", 0.13, False), ("g", 1.0, True)]
    reference.write_text("t 1 A 0 7 a b c d e f g\n")
    hypothesis.write_text(
        "".join(f"t 1 {at}.2 0.1 {word} {sure}\n" for at, (word, sure, _) in enumerate(words))
    )
    path = tmp_path / "page.html"
    scoring.html_report(scoring.wer(reference, hypothesis, keep_sources=True), path)
    bins: dict[int, list[tuple[float, bool]]] = {}
    for _, sure, right in words:
        bins.setdefault(min(9, int(10 * sure)), []).append((sure, right))
    error = sum(
        abs(sum(right for _, right in held) - sum(sure for sure, _ in held))
        for held in bins.values()
    ) / len(words)
    browser.open(path)
    browser.click("#tab-confidence")
    assert f"h.ctm {100 * error:.2f} %" in browser.text("#panel-confidence figcaption")
    marks = browser.run(TITLES, "#panel-confidence .mark title")
    assert sorted(marks) == [
        "h.ctm, 0.1–0.2: 0.00 %",
        "h.ctm, 0.5–0.6: 50.00 %",
        "h.ctm, 0.9–1: 75.00 %",
    ]
    # a point stands over the mean confidence of its words
    left = 70
    # one call reads both: the page draws its charts again when the width of the window changes
    right, places = browser.run(
        "const chart = document.querySelector('#panel-confidence svg.chart');"
        "return [chart.viewBox.baseVal.width - 16,"
        " [...chart.querySelectorAll('circle')].map((one) => one.cx.baseVal.value)]"
    )
    means = [sum(sure for sure, _ in bins[at]) / len(bins[at]) for at in sorted(bins)]
    assert places == pytest.approx([left + mean * (right - left) for mean in means], abs=0.5)


def by_length_and_rate(rates: ErrorRates) -> dict[str, list[str]]:
    """Numbers of utterances by bins of length, and by rates up to each limit."""
    bins = {"0": 0, "1": 1, "2–3": 2, "4–5": 4, "6–10": 6, "11–15": 11, "16–20": 16, "21–30": 21}
    limits = (0, 0.1, 0.2, 0.5, 1, math.inf)
    found: dict[str, list[int]] = {}
    for one in rates.per_utterance:
        if one.error_rate is None:
            continue
        name = max((low, name) for name, low in bins.items() if low <= one.reference_tokens)[1]
        counts = found.setdefault(name, [0] * len(limits))
        counts[next(at for at, most in enumerate(limits) if one.error_rate <= most)] += 1
    return {name: list(map(str, counts)) for name, counts in found.items()}


def test_every_utterance_is_in_the_scatter(
    demo: Path, browser: Browser, systems: list[ErrorRates]
) -> None:
    browser.open(demo)
    browser.click("#tab-length")
    for number, rates in enumerate(systems):
        titles = browser.run(TITLES, f"#panel-length .spot.system{number} title")
        drawn: Counter[int] = Counter()
        for title in titles:
            length, many = re.match(r"(\d+), .*: ([\d,]+) utt", title).groups()  # type: ignore[union-attr]
            drawn[int(length)] += int(many)
        assert drawn == Counter(one.reference_tokens for one in rates.per_utterance)
        # and in figures, for those who do not see dots
        figures = f"#panel-length .scatters > div:nth-child({number + 1}) details"
        browser.click(f"{figures} summary")
        table = {length: counts for length, *counts in browser.rows(figures)}
        assert table == by_length_and_rate(rates)


def test_the_graph_has_the_most_frequent_confusions(
    demo: Path, browser: Browser, systems: list[ErrorRates]
) -> None:
    pairs: Counter[str] = Counter()
    for rates in systems:
        for position in range(len(rates)):
            pairs.update(
                f"{pair.reference} → {pair.hypothesis}"
                for pair in rates.alignment_at(position)
                if pair.edit.letter == "S"
            )
    browser.open(demo)
    browser.click("#tab-errors")
    titles = browser.run(TITLES, "#panel-errors .confusion title")
    assert len(titles) == 24
    shown = {title.rpartition(": ")[0]: int(title.rpartition(": ")[2]) for title in titles}
    assert shown.items() <= pairs.items()
    assert sorted(shown.values()) == sorted(sorted(pairs.values())[-24:])


def test_tables_are_saved(
    demo: Path, browser: Browser, systems: list[ErrorRates], tmp_path: Path
) -> None:
    browser.open(demo)
    browser.click("#tab-speaker")
    [heads, *rows] = browser.saved("#panel-speaker .csv", tmp_path / "rates-by-speaker.csv")
    assert heads[:4] == ["Speaker", "Utterances", "Words", "baseline.ctm: Rate %"]
    for speaker, positions in systems[0].per_speaker().items():
        [row] = [row for row in rows if row[0] == speaker]
        rate = systems[0].sum_of(positions).error_rate
        assert rate is not None
        assert float(row[3]) == pytest.approx(100 * rate)
    browser.click("#tab-errors")
    saved = browser.saved("#panel-errors .csv", tmp_path / "substitutions.csv")
    caption = browser.text("#panel-errors caption")
    assert caption == f"Substitutions ({len(saved) - 1})"
    browser.click("#tab-overview")
    [heads, *rows] = browser.saved("[aria-label='Ranking as CSV']", tmp_path / "ranking.csv")
    assert heads[:3] == ["System", "Rank", "Errors"]
    assert [row[1] for row in rows] == ["1", "2"]
    browser.search("anna")
    browser.click("#tab-utterances")
    browser.choose("order", "position")
    [heads, *rows] = browser.saved("#save-utterances", tmp_path / "utterances.csv")
    assert [row[0] for row in rows] == [
        name
        for name, speaker in zip(systems[0].identifiers, systems[0].speakers, strict=True)
        if speaker == "anna"
    ]
    at = heads.index("improved.ctm: substitutions")
    assert sum(int(row[at]) for row in rows) == sum(
        systems[1].per_utterance[at].substitutions for at in systems[1].per_speaker()["anna"]
    )


def test_hostile_names_are_saved_whole(tmp_path: Path, browser: Browser) -> None:
    name = HOSTILE.replace("\ud800", "") + '"quoted", \N{ARABIC LETTER ALEF}\N{HEBREW LETTER ALEF}'
    path = tmp_path / "page.html"
    scoring.html_report(
        scoring.wer({name: "a b"}, {name: "a c"}, speakers={name: name}), path, title=name
    )
    browser.open(path)
    browser.click("#tab-utterances")
    [_, row] = browser.saved("#save-utterances", tmp_path / "utterances.csv")
    assert row[:2] == [name, name]
    assert browser.run("return window.hacked") is None
    assert browser.complaints() == []


def test_an_address_leads_to_its_utterance(
    demo: Path, browser: Browser, systems: list[ErrorRates]
) -> None:
    name = systems[0].identifiers[-1]
    browser.open(demo)
    browser.search("anna")
    browser.run("location.hash = '#utterance=' + arguments[0]", name)
    browser.wait(f"return document.querySelector('#detail bdi')?.innerText === '{name}'")
    assert browser.run("return document.getElementById('search').value") == ""
    href = browser.run("return document.querySelector('#detail .address').href")
    assert href == f"{demo.as_uri()}#utterance={name}"


SEARCHED = ("the", "th is", '"of the"', '"the a"', '"rain the"')


def holds(text: str, sequences: list[list[str]]) -> bool:
    """Whether texts of an utterance have the words, or the phrase, that is searched."""
    terms = text.strip('"').split()
    if text.startswith('"'):
        phrase = f" {' '.join(terms)} "
        return any(phrase in f" {' '.join(words)} " for words in sequences)
    return all(any(term in word for words in sequences for word in words) for term in terms)


def texts_of(systems: list[ErrorRates], at: int, scope: str) -> list[list[str]]:
    """What a search looks at, of one utterance."""
    sequences: list[list[str]] = []
    for rates in systems:
        if scope == "errors":
            pairs = [pair for pair in rates.alignment_at(at) if pair.edit.letter in "SDI"]
            both = [word for pair in pairs for word in (pair.reference, pair.hypothesis)]
            sequences.append([word for word in both if word is not None])
        if scope in ("anywhere", "reference"):
            sequences.append(list(rates.aligned.references[at]))
        if scope in ("anywhere", "hypothesis"):
            sequences.append(list(rates.aligned.hypotheses[at]))
    return sequences


@pytest.mark.share(4)
@pytest.mark.parametrize("scope", ["anywhere", "reference", "hypothesis", "errors"])
def test_search_finds_what_is_there(
    demo: Path, browser: Browser, systems: list[ErrorRates], scope: str
) -> None:
    browser.open(demo)
    browser.choose("scope", scope)
    for text in SEARCHED:
        found = 0
        for at, name in enumerate(systems[0].identifiers):
            named = text.strip('"') in f"{name}\n{systems[0].speakers[at]}"
            found += holds(text, texts_of(systems, at, scope)) or (scope == "anywhere" and named)
        browser.search(text)
        assert browser.text("#state strong").split()[0] == str(found), text


def test_examples_of_a_confusion_lead_to_their_places(
    demo: Path, browser: Browser, systems: list[ErrorRates]
) -> None:
    browser.open(demo)
    browser.click("#tab-errors")
    [first, *_] = browser.rows("#panel-errors .wide:nth-child(1)")
    names = browser.run(TITLES, "#panel-errors .wide:nth-child(1) tr:nth-child(1) .examples bdi")
    assert len(names) == len(set(names)) == 3
    pair = (first[0], first[1])
    for name in names:
        pairs = [rates.alignment(name) for rates in systems]
        assert pair in [(one.reference, one.hypothesis) for pairs_ in pairs for one in pairs_]
    browser.click("#panel-errors .wide:nth-child(1) .examples button:nth-child(2)")
    assert browser.text("#detail h2 bdi") == names[1]
    assert browser.text("#detail td.here bdi") == pair[1]


def test_accuracy_of_every_word(demo: Path, browser: Browser, systems: list[ErrorRates]) -> None:
    spoken: list[Counter[str]] = [Counter(), Counter()]
    right: list[Counter[str]] = [Counter(), Counter()]
    for at, rates in enumerate(systems):
        for position in range(len(rates)):
            for edit, word, _ in rates.alignment_at(position):
                if word is not None:
                    spoken[at][word] += 1
                    right[at][word] += edit.letter == "C"
    browser.open(demo)
    browser.click("#tab-words")
    words = spoken[0] | spoken[1]
    assert browser.text("#panel-words caption") == f"Words of the reference ({len(words)})"
    rows = browser.rows("#panel-words")
    assert [int(row[1]) for row in rows] == sorted(spoken[0].values(), reverse=True)[:100]
    for word, *cells in rows:
        for at in (0, 1):
            said, correct = spoken[at][word], right[at][word]
            share = f"{100 * correct / said:.2f}" if said else "n/a"
            assert cells[3 * at : 3 * at + 3] == [str(said), str(correct), share]
    browser.click("#panel-words thead tr:last-child th:nth-child(4) button")
    browser.click("#panel-words thead tr:last-child th:nth-child(4) button")
    assert browser.rows("#panel-words")[0][3] == "0.00"
    browser.run(
        "const one = document.getElementById('search-words'); one.value = 'TH';"
        "one.dispatchEvent(new Event('input'))"
    )
    found = {row[0] for row in browser.rows("#panel-words")}
    assert found == {word for word in words if "th" in word}
    browser.run("[...document.querySelectorAll('#panel-words .link')]"
                ".find((one) => one.innerText === 'the').click()")  # fmt: skip
    utterances = sum("the" in text for text in systems[0].aligned.references)
    assert browser.text("#state strong") == f"{utterances} of 60 utterances"
    assert browser.text("#state .tag").startswith("reference: the")


@pytest.mark.parametrize("ignore_case", [False, True])
def test_characters_are_counted_as_by_cer(
    tmp_path: Path, browser: Browser, ignore_case: bool
) -> None:
    reference = {"u": "The cat sat", "v": "", "w": "a\N{MUSICAL SYMBOL G CLEF} b c", "x": "one"}
    hypothesis = {"u": "the cat sad on", "v": "so", "w": "a\N{MUSICAL SYMBOL F CLEF}bc", "x": "one"}
    rates = scoring.wer(reference, hypothesis, ignore_case=ignore_case)
    cer = scoring.cer(reference, hypothesis, ignore_case=ignore_case)
    scoring.html_report(rates, tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    browser.wait(f"return {SYSTEMS} === '{100 * cer.cer:.2f}'")  # type: ignore[operator]
    for name, counts in zip(cer.identifiers, cer.per_utterance, strict=True):
        browser.run("location.hash = '#utterance=' + arguments[0]", name)
        browser.wait(f"return document.querySelector('#detail bdi')?.innerText === '{name}'")
        told = re.search(r"CER ([\d.]+) %", browser.text("#detail .scores"))
        assert (told and told[1]) == (
            None if counts.error_rate is None else f"{100 * counts.error_rate:.2f}"
        )
    scoring.html_report(cer, tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    assert "CER" not in browser.text("#systems")


def test_axes_have_titles(tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "page.html"
    texts = {"u1": "a b c", "u2": "a b"}, {"u1": "a b x", "u2": "a"}
    scoring.html_report(scoring.wer(reference=texts[0], hypothesis=texts[1]), path)
    browser.open(path)
    titles = "return [...document.querySelectorAll(arguments[0] + ' svg .axis')].map((one) => one.textContent)"
    assert browser.run(titles, "#panel-overview") == ["Word error rate"]
    browser.click("#tab-length")
    axes = browser.run(titles, "#panel-length")
    assert axes == ["Reference words", "Word error rate"] * (len(axes) // 2)
    assert axes


def test_the_beginning_of_a_text_fits_a_screen_though_an_utterance_is_long(
    tmp_path: Path, browser: Browser
) -> None:
    words = [f"w{number}" for number in range(200)]
    rates = scoring.wer([" ".join(words)], [" ".join(["x", *words[1:]])])
    scoring.html_report(rates, tmp_path / "report.html")
    browser.open(tmp_path / "report.html")
    beginning = browser.text("#words-first .turn")
    assert beginning.split()[-2:] == ["w89", "…"]
    browser.click("#tab-text")
    assert browser.text("#reading").split()[-1] == "w199"
