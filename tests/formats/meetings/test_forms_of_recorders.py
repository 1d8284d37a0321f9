"""Forms in which parliaments, courts, programs and corpora write turns, and what is around them."""

import formats
from formats.detection.line_shapes import shape_of_lines
from formats.meetings.messages import UNSEEN_LEFT
from tests.each_case import each_case
from tests.formats.meetings.said import SAID, named, turns
from tests.remarks import fields_of


def said(form: str, names: tuple[str, ...] = ("Ann", "Bob")) -> str:
    """Return the text with a turn for each sentence; times are five seconds apart."""
    return "".join(
        form.format(
            n=n + 1, name=names[n % len(names)], text=text, at=5 * n, until=5 * n + 4,
            clock=f"0:{5 * n:02}",
        )
        for n, text in enumerate(SAID)
    )  # fmt: skip


def assert_said(text: str, names: tuple[str, ...] = ("Ann", "Bob"), *, is_timed: bool) -> None:
    """Check that a text is read as `SAID` with these speakers and, perhaps, times."""
    assert turns(text) == [
        (names[n % len(names)], 5.0 * n if is_timed else None, sentence)
        for n, sentence in enumerate(SAID)
    ]


@each_case(
    "form",
    [
        "({n}) {name}: {text}\n", "[{n}] {name}: {text}\n", "{n:3}  {name}: {text}\n",
        "{name} says, \"{text}\"\n", "''{name}:'' {text}\n", "* {name}: {text}\n",
        "\f{name}: {text}\n",
    ],
)  # fmt: skip
def test_names_are_read_behind_numbers_and_in_other_signs(form: str) -> None:
    assert_said(said(form), is_timed=False)


def test_numbers_in_margins_go_on_above_a_hundred() -> None:
    texts = [sentence.replace(" ", f" {word} ", 1) for word in ["red", "blue", "old"]
             for sentence in SAID * 2]  # fmt: skip
    lines = [line for n, text in enumerate(texts) for line in (["Ann", "Bob"][n % 2], text, "")]
    text = "".join(f"{n:4}  {line}\n" for n, line in enumerate(lines, 1))
    assert len(lines) > 100
    assert [words for *_, words in turns(text)] == texts


def test_pages_of_courts_number_the_lines_before_questions_and_answers() -> None:
    lines = (said("{name}.   {text}\n", ("Q", "A")) * 3).splitlines()
    text = "".join(f"{n % 12 + 1:2}            {line}\n" for n, line in enumerate(lines))
    assert turns(text)[:2] == [("Q", None, SAID[0]), ("A", None, SAID[1])]
    assert len(turns(text)) == len(lines)


@each_case("form", ["Q{n}. {first}\nA{n}. {second}\n", "Q{n}: {first}\nA{n}: {second}\n"])
def test_numbered_questions_and_answers_are_of_two_speakers(form: str) -> None:
    pairs = zip(SAID[::2], SAID[1::2], strict=True)
    text = "".join(form.format(n=n, first=a, second=b) for n, (a, b) in enumerate(pairs, 1))
    assert_said(text, ("Q", "A"), is_timed=False)


@each_case(
    "form",
    [
        "{at}.00 {until}.50\t{name}: \t{text}\n", "A {clock} {text}\n",
        "spk_0 {at}.00 {until}.50 {text}\n",
        "{name}: {text}\nStart Time: {at}.00\nEnd Time: {until}.50\n",
    ],
)  # fmt: skip
def test_times_of_corpora_and_recognisers_are_read(form: str) -> None:
    names = ("A",) if form[0] == "A" else ("spk_0",) if form[0] == "s" else ("Agent", "Customer")
    text = said(form, names)
    if form[0] in "As":  # several speakers
        other = {"A": "B", "s": "spk_1"}[form[0]]
        rows = text.splitlines(keepends=True)
        text = "".join(row.replace(names[0], other, n % 2) for n, row in enumerate(rows))
        names = (names[0], other)
    assert_said(text, names, is_timed=True)


def test_a_row_without_a_name_goes_on_with_the_speaker_above() -> None:
    text = said("{at}.00 {until}.50\t{name}: \t{text}\n").replace("\tBob: ", "\t")
    assert {name for name, _, _ in turns(text)} == {"Ann"}


def test_offices_and_names_of_a_parliament_are_one_name() -> None:
    names = ("위원장 홍길동", "김철수 위원", "국장 이영희")
    texts = ("회의를 시작하겠습니다.", "질문드리겠습니다. 얼마입니까?", "수고하셨습니다.")
    lines = [(names[n % 3], f"{texts[n % 2]} {n}번입니다.") for n in range(12)]
    read = turns("".join(f"◯{name}  {text}\n" for name, text in lines))
    assert read == [(name, None, text) for name, text in lines]
    text = said("◯{name} {text}\n")  # first words of sentences are no names
    assert {name for name, _, _ in turns(text)} == {"Ann", "Bob"}


def test_seconds_behind_a_time_inside_a_text_are_no_words() -> None:
    form = "{name}: [00:00:{at:02}] {text} [00:00:{until:02}][4.0]\n\n"
    assert_said(said(form), is_timed=True)


def test_times_inside_turns_are_no_words_where_our_own_form_is_used() -> None:
    text = said("[00:00:{at:02}] {name}: {text} [00:00:{until:02}] Yes.\n")
    assert [words for *_, words in turns(text)] == [f"{sentence} Yes." for sentence in SAID]


@each_case("form", ["{name}\n{text}\n\n", "[0:{at:02}] {name}: {text}\n\n"])
def test_times_alone_between_turns_are_no_words(form: str) -> None:
    parts = said(form).split("\n\n")
    parts[6:6], parts[3:3], parts[0:0] = ["00:00:30"], ["00:00:15"], ["00:00:00"]
    assert [words for *_, words in turns("\n\n".join(parts))] == SAID


def test_credits_below_the_last_turn_are_no_words() -> None:
    foot = "\nSubscribe: https://example.org/feed\nFollow us on Twitter: @river\nMusic by Ann Roe\n"
    assert_said(said("{name}: {text}\n") + foot, is_timed=False)
    note = "\nNote: This transcript was created with speech recognition.\n"
    assert_said(said("{name}\n{text}\n\n") + note, is_timed=False)


def test_marks_that_nobody_sees_are_no_parts_of_words() -> None:
    text = (
        said("{name}\n{text}\n\n")
        .replace("\nThe", "\n\u200eThe")
        .replace("May,", "\u202aMay,\u202c")
    )
    assert_said(text, is_timed=False)
    assert fields_of(formats.read(named(text)).diagnostics, UNSEEN_LEFT) == [{"count": 4}]


def test_two_lines_with_long_identifiers_are_utterances() -> None:
    result = formats.read(named("84-121123-0000 GO ON\n84-121123-0001 SO HE DID\n"))
    assert [s.utterance for s in result.segments] == ["84-121123-0000", "84-121123-0001"]
    assert shape_of_lines(["555-123-4567 call me now"]) is None


def test_greetings_alone_on_lines_are_no_names() -> None:
    lines = [line for text in SAID for line in ("Hello", text, "")]
    assert {name for name, _, _ in turns("\n".join(lines))} == {None}


def test_the_original_is_read_and_not_its_translation() -> None:
    records = "".join(
        f"文件名: {n}.mp3\n原文：\n{text}\n\n翻译：\n第{n}句话很长。\n\n"
        for n, text in enumerate(SAID)
    )
    assert [words for *_, words in turns(records)] == SAID


def test_a_name_in_quotes_is_in_the_column_of_names() -> None:
    script = "INT. HALL - DAY\n\nThey come in.\n\n" + "".join(
        f"                    {('ANN', chr(34) + 'Q' + chr(34))[n % 2]}\n          {text}\n\n"
        for n, text in enumerate(SAID)
    )
    assert [words for *_, words in turns(script)] == SAID


def test_names_with_particles_may_be_alone_on_lines() -> None:
    assert_said(
        said("{name}\n{text}\n\n", ("Mr. Smith", "Ms. Van der Berg")),
        ("Mr. Smith", "Ms. Van der Berg"), is_timed=False,
    )  # fmt: skip


@each_case("form", ["[2020-10-30 20:25:{at:02}] <{name}> {text}\n", "<{name}> {text}\n"])
def test_names_of_chats_keep_two_underscores(form: str) -> None:
    names = ("fish__", "ann__b")
    assert [name for name, *_ in turns(said(form, names))] == [
        names[n % 2] for n in range(len(SAID))
    ]
