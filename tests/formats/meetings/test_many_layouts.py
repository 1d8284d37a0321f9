"""Layouts that recorders, services, chats, plays and parliaments write: one line of table each."""

from io import BytesIO

import pytest

import formats
from formats.meetings.messages import MINUTES_LEFT, TOO_SLOW
from formats.meetings.turns.plain import without_doubles
from tests.each_case import each_case
from tests.formats.checks import codes
from tests.formats.conftest import ReadText

TURNS = [
    (("Ann Lee", "Bob", "Cy Roe")[n % 3], 4 * n, 4 * n + 3, f"well, it was the year {n} and so on.")
    for n in range(12)
]
SPEAKERS = [speaker for speaker, *_ in TURNS]
TEXTS = [text for *_, text in TURNS]
TIMED = [
    "[{m}] {n}\n{x}\n", "{n}:\t{m}\t{x}\n", "**[{m}] {n}**\n{x}\n", "{n}({m}): {x}\n",
    "{m} | {n}\n{x}\n", "{m} - {n} (Acme)\n  {x}\n", "{m} - {n} - {x}\n", "{m}, {n}, {x}\n",
    "{n} @ {m}: {x}\n", "@{m} {n}: {x}\n", "{n}, {m} - {e}: {x}\n", "{n}: {s}.00 - {t}.50\n{x}\n",
    "{n} ({s}.0s - {t}.5s): {x}\n", "{m}-{e} --> {n}: {x}\n".replace("-{e} -->", " -->").replace(
        "--> {n}", "--> {e} {n}"),
    "{n}\n({m}) {x}\n\n", "{n}\n{m}\n{x}\n\n", "{n} ({m} (https://a.example/v?t={s}))\n{x}\n",
    "{n}\t{m}\t{e}\t{x}\n", "{m} - {e}\t{x}\t{n}\n", "👤 {n} [{m}]: {x}\n",
    "{n} | {m}\n{x}\n\n", "{n} from {s}.0s to {t}.5s: {x}\n",
]  # fmt: skip
LABELLED = [
    "{s}.00 {t}.50 SPEAKER_0{k} {x}\n", "({s}.0, {t}.5) SPEAKER_0{k}: {x}\n",
    "[{s}.0, {t}.5] SPEAKER_0{k}: {x}\n", "{s}.0\t{t}.5\tSPEAKER_0{k}\t{x}\n",
    "SPEAKER_0{k}\t{s}.0\t{t}.5\t{x}\n",
]  # fmt: skip
UNNAMED = [
    "{s}.00 {t}.50 {x}\n", "{s}.0s - {t}.5s: {x}\n", "({s}.0, {t}.5): {x}\n",
    "[{s}.0, {t}.5] {x}\n", "[{s}.00:{t}.50] {x}\n", "{s}.00s: {x}\n", "<{m}> {x}\n",
    "* [{m}] {x}\n", "[{m}](https://a.example/v?t={s}) {x}\n", "({m}) (https://a.example) {x}\n",
    "{x} [{m}]\n", "[00:00:0{s:02}.00 - 00:00:0{t:02}.50] {x}\n",
    "{s}.00 --> {t}.50\n{x}\n\n", "{x} start={s}.00 end={t}.50\n", "{x} [{s}.00 - {t}.50]\n",
    "{x}  start= {s}.00 end={t}.50\n", "00:00:{s:02}:00 00:00:{t:02}:00 {x}\n", "{s}s {x}\n",
    "[0m{s:02}s] {x}\n", "[{s}.00s -> {t}.50s] (0.93) {x}\n", "[{s}.00s -> {t}.50s] [en] {x}\n",
    "[{s}.00s -> {t}.50s] {x} (confidence: 0.93)\n", "🕒 [{m}] {x}\n", "{m}\n{s} seconds\n{x}\n",
    "[i={s}] [{s}.0s -> {t}.5s] [a={t}.5] [b=0.97] [c=0.2] {x}\n",
]  # fmt: skip
OF_DAY = [
    "10:{m} From  {n}  to  Everyone:\n\t{x}\n", "10:{m}\t From  {n} : {x}\n",
    "10:{m} From {n} to Everyone: {x}\n", "[10:{m}] <{n}> {x}\n", "10:{m} <@{n}> {x}\n",
    "[05/11/2023 10:{m}] {n}\n{x}\n\n", "{n}, [05.11.2023 10:{m}]\n{x}\n",
    "{n}, [Nov 5, 2023 at 10:{m}]:\n{x}\n", "{n} — Today at 10:{m} AM\n{x}\n",
    "2023-11-05 10:{m}\t{n}\t{x}\n", "{n}  10:{m} AM\n{x}\n\n",
    "2023-11-05 10:{m} From {n} to Everyone:\n\t{x}\n", "[05-Nov-23 10:{m} AM] {n}\n{x}\n\n",
    "{n} — Today at 10:{m} AM\n{x}\n\n",
]  # fmt: skip
UNTIMED = [
    "{c}\n{x}\n\n", "          {c}\n     {x}\n\n", "{c}. {x}\n", "_{n}_. {x}\n", "{c} -- {x}\n",
    "**{n}**\n{x}\n\n", "**{n}** {x}\n\n", "* {n}: {x}\n", "({n}) {x}\n", "[{n}] {x}\n",
    "[{n}]\n{x}\n\n", "<{n}> {x}\n", "{n} > {x}\n", "{n} >> {x}\n", "{s}. {n}: {x}\n",
    "🎤 {n}: {x}\n", "{n} (Leeds) (Lab): {x}\n\n", "{n} (ABC). – {x}\n\n", "Mr. {c}. {x}\n\n",
    "M. {n}. {x}\n\n", "<{n}>{x}</{n}>\n", "@{n}: {x}\n", "__{n}__: {x}\n\n",
    "{n} (0.9{k}): {x}\n", "{n} said: {x}\n",
]  # fmt: skip


def written(template: str) -> str:
    """Return the turns in a layout: name, capitals, label; seconds, clocks; text."""
    return "".join(
        template.format(
            n=name, c=name.upper(), k=number % 3, s=start, t=end, x=text,
            m=f"{start // 60:02}:{start % 60:02}", e=f"{end // 60:02}:{end % 60:02}",
        )
        for number, (name, start, end, text) in enumerate(TURNS)
    )  # fmt: skip


def read(text: str) -> formats.Transcript:
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    return formats.read(source)


def texts(transcript: formats.Transcript) -> list[str]:
    return [" ".join(map(str, segment.words)) for segment in transcript]


@each_case("template", [*TIMED, *LABELLED])
def test_names_times_and_texts_are_read(template: str) -> None:
    transcript = read(written(template))
    assert texts(transcript) == TEXTS
    labels = [f"SPEAKER_0{n % 3}" for n in range(len(TURNS))]
    assert [s.speaker for s in transcript] == (SPEAKERS if template in TIMED else labels)
    assert [s.start for s in transcript] == [float(start) for _, start, *_ in TURNS]


@each_case("template", UNNAMED)
def test_times_and_texts_are_read(template: str) -> None:
    transcript = read(written(template))
    assert texts(transcript) == TEXTS
    assert [s.start for s in transcript] == [float(start) for _, start, *_ in TURNS]


@each_case("template", OF_DAY)
def test_messages_of_chats_are_read(template: str) -> None:
    transcript = read(written(template))
    assert texts(transcript) == TEXTS
    assert [s.speaker for s in transcript] == SPEAKERS
    assert {s.start for s in transcript} - {None} <= {60.0 * s for _, s, *_ in TURNS} | {
        float(s) for _, s, *_ in TURNS
    }


@each_case("template", UNTIMED)
def test_names_and_texts_are_read(template: str) -> None:
    transcript = read(written(template))
    assert texts(transcript) == TEXTS
    assert [(s.speaker or "").split(". ")[-1].casefold() for s in transcript] == [
        name.casefold() for name in SPEAKERS
    ]


def test_a_start_and_an_end_before_a_label_are_no_speaker_and_text(read_text: ReadText) -> None:
    text = "0\t7.5\tmusic\n7.5\t9.25\tspeech\n9.25\t12.0\tmusic\n12.0\t\tspeech\n"
    with pytest.raises(formats.FormatError):
        read_text(text, "speaker-text")


def test_a_span_with_microseconds_is_no_date() -> None:
    lines = [
        f"[0:00:0{n}.835000 - 0:00:0{n}.935000] SPEAKER_0{n % 2} - so it was" for n in range(8)
    ]
    transcript = read("\n".join(lines) + "\n")
    assert texts(transcript) == ["so it was"] * 8


@pytest.mark.parametrize("template", ["{m} | {n} | {x}\n", "{m}\t{n}\t{x}\n", "{n}\t{s}.0\t{x}\n"])
def test_a_title_above_a_table_is_no_row(template: str) -> None:
    transcript = read("A weekly meeting\n\n" + written(template))
    assert texts(transcript) == TEXTS
    assert "SPEAKER-TEXT-HEAD" in codes(transcript)


def test_questions_and_answers_of_a_court_have_no_colon() -> None:
    lines = "".join(f"     {'QA'[n % 2]}    {text}\n" for n, text in enumerate(TEXTS))
    transcript = read(f"      THE COURT:  {TEXTS[0]}\n{lines}      THE COURT:  {TEXTS[1]}\n")
    assert [s.speaker for s in transcript] == ["THE COURT", *"QA" * 6, "THE COURT"]
    assert texts(transcript)[1:-1] == TEXTS


def test_times_behind_texts_are_ends_unless_the_first_is_zero() -> None:
    transcript = read("".join(f"{text} [0:0{n + 2}]\n" for n, text in enumerate(TEXTS[:6])))
    assert [s.end for s in transcript] == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert texts(transcript) == TEXTS[:6]


def test_pages_of_teams_repeat_names_and_times() -> None:
    page = "".join(
        f"{name}\n0 minutes {start} seconds0:{start:02}\n{name} 0 minutes {start} seconds\n{text}\n\n"
        for name, start, _, text in TURNS
    )
    transcript = read(page)
    assert [(s.speaker, s.start) for s in transcript] == [(n, float(s)) for n, s, *_ in TURNS]
    assert texts(transcript) == TEXTS
    lines = [(0, "Ann"), (1, "0 minutes 4 seconds0:04")]
    assert without_doubles(lines) is lines


@pytest.mark.parametrize(
    "template",
    [
        "{n} {m} minutes {s} seconds{m}:{s:02}\n{x}\n",
        "{n}\n{m} Minuten {s} Sekunden{m}:{s:02}\n{n} {m} Minuten {s} Sekunden\n{x}\n",
        "[idx={m}] [{s}.00s -> {s}.50s] [audio={n}] {x}\n",
    ],
)
def test_times_twice_and_values_in_brackets_are_no_words(
    read_text: ReadText, template: str
) -> None:
    rows = [template.format(n=n, m=0, s=s, x=x) for n, s, _, x in TURNS]
    transcript = read_text("".join(rows), None)
    assert texts(transcript) == TEXTS
    assert [s.start for s in transcript] == [float(s) for _, s, *_ in TURNS]


def test_data_are_words_of_a_speaker_who_says_other_things_too(read_text: ReadText) -> None:
    rows = ["**Ann:** so", '**Bob:** {"a": 1}', "**Ann:** no", "**Bob:** yes", '{"b": 2}']
    transcript = read_text("\n\n".join(rows) + "\n", "markdown")
    assert texts(transcript) == ["so", '{"a": 1}', "no", "yes"]


@pytest.mark.parametrize("head", ["", "[0:0{n}] "])
def test_decisions_and_actions_among_turns_are_spoken_by_nobody(head: str) -> None:
    names = ["Ann", "Bob"] * 4
    lines = [f"{head.format(n=n)}{name}: {TEXTS[n]}" for n, name in enumerate(names)]
    lines[3:3] = ["Decision: we do it.", "Action: Bob writes to Cy."]
    lines.append("Action: Ann calls Di.")
    transcript = read("\n".join(lines) + "\n")
    assert [s.speaker for s in transcript] == names
    (note,) = [d for d in transcript.diagnostics if d.value.entry is MINUTES_LEFT]
    assert note.value.fields["count"] == 3


@each_case("name", ["Note", "Verse 2", "Chorus", "Pre-Chorus", "WARNING"])
def test_remarks_and_parts_of_songs_have_no_speaker(name: str) -> None:
    lines = [f"{speaker}: {text}" for speaker, text in zip(SPEAKERS, TEXTS, strict=True)]
    transcript = read("\n".join([f"{name}: so it is", *lines]) + "\n")
    assert {s.speaker for s in transcript} == set(SPEAKERS)


@each_case(
    "text",
    [
        "1.1: One thing\n1.2: Another\n2.1: A third\n2.2: The end\n",
        "0.5 1.2 apples\n0.7 1.9 pears\n0.2 0.8 plums\n1.5 3.0 figs\n",
        "A. One thing.\nB. Another.\nC. A third.\nA. More.\nB. The end.\n",
        "**Note** so it was.\n\n**Tip** more.\n\n**Note** well.\n\n**Tip** so.\n",
        "[Verse 1]\nalong the road\n\n[Chorus]\nthe light\n\n[Verse 2]\nso\n\n[Chorus]\nthe light\n",
        "INFO:root:Step 1 done\nINFO:root:Step 2 done\nINFO:root:Step 3 done\n",
        "epoch: 1\nloss: 0.5\nepoch: 2\nloss: 0.4\nepoch: 3\nloss: 0.3\n",
        "Ann\t0.5\nBob\t0.7\nAnn\t0.9\nBob\t0.1\n",
    ],
)
def test_lists_songs_and_logs_are_no_turns(text: str) -> None:
    source = BytesIO(text.encode())
    source.name = "talk.txt"
    assert formats.detect(source) == "txt"


def test_lines_of_a_log_with_times_of_day_are_warned_of(read_text: ReadText) -> None:
    log = "".join(f"[{n:02}:10:11] epoch {n} done\n" for n in range(9))
    read = read_text(log, None)
    (warning,) = [d for d in read.diagnostics if d.value.entry is TOO_SLOW]
    assert warning.value.fields["words"] == 27


@each_case(
    ("line", "expected"),
    [
        ("[00:01] well, it was so", (None, 1)),
        ("[0.00s -> 4.20s] well, it was so", (None, 0)),
        ("[00:01] SPEAKER_00: well, it was so", ("SPEAKER_00", 1)),
        ("[ 0:00:02.000 ---> 0:00:39.000 ] Speaker A : well, it was so", ("Speaker A", 2)),
    ],
)
def test_a_single_line_with_a_time_in_brackets_is_a_turn(
    line: str, expected: tuple[str | None, int]
) -> None:
    [turn] = read(f"{line}\n")
    assert (turn.speaker, turn.start) == expected
    assert turn.words == ("well,", "it", "was", "so")


@each_case("line", ["12:30 well, it was so", "well, it was so [00:01]"])
def test_a_single_line_with_another_time_is_prose(line: str) -> None:
    [segment] = read(f"{line}\n")
    assert segment.start is None


def test_programs_write_their_own_lines_below_a_transcript() -> None:
    body = written("[{m}] {x}\n")
    for footer in ("*Generated by a program*", "whisper_print_timings: total time = 2.0 ms"):
        assert texts(read(f"{body}\n{footer}\n")) == TEXTS


def test_an_ordinary_confidence_is_part_of_a_text() -> None:
    """Only a confidence that most texts have is none of their words."""
    transcript = read(written("[{m}] {x}\n") + "[01:10] so it was (0.93)\n")
    assert texts(transcript) == [*TEXTS, "so it was (0.93)"]
