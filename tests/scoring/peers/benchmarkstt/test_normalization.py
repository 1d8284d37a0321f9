"""Normalizers, alone, in files and in configs; and what they tell of their changes."""

import logging
import re
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest

from scoring.peers.benchmarkstt.normalization import (
    Config,
    ConfigSectionNotFoundError,
    CSVParserError,
    File,
    FileFactory,
    Lowercase,
    NormalizationAggregate,
    Normalizer,
    NormalizerWithFileSupport,
    Regex,
    Replace,
    ReplaceWords,
    UnclosedQuoteError,
    Unidecode,
    factory,
)
from scoring.peers.benchmarkstt.normalization_log import (
    DiffLoggingFormatter,
    DiffLoggingTextFormatterDialect,
    ListHandler,
    LogCapturer,
    NormalizedLogItem,
    listening,
    log,
    log_line,
    log_record,
    normalization_logger,
)
from tests.each_case import each_case
from tests.tables import table_of


@each_case(
    ("normalizer", "text", "expected"),
    [
        (Lowercase(), "PRÁZDNÉ Straße", "prázdné straße"),
        (Unidecode(), "große Städte", "grosse Stadte"),
        (Unidecode(), "𝖂𝖊𝖓𝖓 𝖎𝖘𝖙 𝕾𝖑ü𝖌", "Wenn ist Slug"),
        (Replace("nudge", "wink"), "Nudge nudge!", "Nudge wink!"),
        (Replace("a", ""), "banana", "bnn"),
        (Replace(".", " "), "a.b", "a b"),
        (Replace("a b", "c"), "a bb", "cb"),
        (ReplaceWords("a", "the"), "She has a heart, A heart", "She has the heart, The heart"),
        (ReplaceWords(" on ", " off "), "On and on; only", "Off and off; only"),
        (ReplaceWords("on", ""), "on and on", " and "),
        (ReplaceWords("on", "."), "on!", ".!"),
        (Regex("(?i)(h)a", r"\1e"), "HAHA! Hahaha!", "HeHe! Hehehe!"),
        (Regex("(?msi)new.line", "newline"), "New\nline", "newline"),
        (Regex("[,.-]", " "), "a, b.", "a  b "),
        (Regex("</?[?!\\[\\]a-zA-Z][^>]*>", " "), '<tt x="1"><p>a</p>', "  a "),
        (Regex('^.*"text":"([^"]+)".*', r"\1"), '{"x":1,"text":"all words","y":2}', "all words"),
    ],
)
def test_normalizers(normalizer: Normalizer, text: str, expected: str) -> None:
    assert normalizer.normalize(text) == expected


def test_arguments_that_mean_nothing() -> None:
    with pytest.raises(ValueError, match="expected a word to search for"):
        ReplaceWords(" ", "x")
    with pytest.raises(re.error):
        Regex("(", "x")
    with pytest.raises(TypeError):
        Lowercase("x")  # type: ignore[call-arg]


def test_aggregates() -> None:
    inner = NormalizationAggregate()
    assert inner.normalize("Ä") == "Ä"
    inner.add(Lowercase())
    outer = NormalizationAggregate()
    outer.add(inner)
    outer.add(Replace("ä", "ae"))
    assert outer.normalize("Ä") == "ae"
    inner.add(Unidecode())
    assert outer.normalize("Ä") == "a"


@pytest.fixture
def folder(current_folder: Path) -> Path:
    files = {
        "rules.csv": '# what to say instead\n"a b",c\nx, y\n',
        "bad.csv": 'a,b\n"x',
        "short.csv": "a,b\n\nc\n",
        "main.conf": "lowercase\n[other]\nregex rules.csv\n[normalization]\nreplace rules.csv\n"
        "config main.conf other\n[empty]\n",
    }
    for name, text in files.items():
        (current_folder / name).write_text(text, "utf-8")
    (current_folder / "latin.csv").write_bytes("é,e\n".encode("latin-1"))
    return current_folder


def test_files(folder: Path) -> None:
    assert File(Replace, "rules.csv").normalize("a b x") == "c y"
    assert File("replace", "rules.csv").normalize("a b x") == "c y"
    assert File("REGEX", "latin.csv", "latin-1").normalize("é") == "e"
    sub = folder / "sub"
    sub.mkdir()
    assert File(Replace, "../rules.csv", None, sub).normalize("x") == "y"


def test_the_default_encoding_of_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnicodeDecodeError):
        File(Replace, "latin.csv")
    monkeypatch.setenv("DEFAULT_ENCODING", "latin-1")
    assert File(Replace, "latin.csv").normalize("é") == "e"


def test_files_that_cannot_be_used(folder: Path) -> None:
    with pytest.raises(UnclosedQuoteError) as caught:
        File(Replace, "bad.csv")
    assert (caught.value.line, caught.value.char, caught.value.index) == (2, 1, 5)
    assert isinstance(caught.value, CSVParserError)
    with pytest.raises(ValueError, match=r"^short.csv:3 Replace\(\['c'\]\) TypeError"):
        File(Replace, "short.csv")
    with pytest.raises(ValueError, match=r"^rules.csv:2 Lowercase\(\['a b', 'c'\]\)"):
        File(Lowercase, "rules.csv")
    with pytest.raises(FileNotFoundError):
        File(Replace, "none.csv")
    with pytest.raises(ImportError, match="Could not find class 'nope'"):
        File("nope", "rules.csv")


def test_sections(folder: Path) -> None:
    assert Config("main.conf").normalize("A a b x") == "A c y"
    assert Config("main.conf", "other").normalize("A x") == "A y"
    assert Config("main.conf", "empty").normalize("A") == "A"
    assert Config("main.conf", Config.MAIN_SECTION).normalize("A x") == "a x"
    assert Config("main.conf", "").normalize("A x") == "a x"
    assert Config._default_section == "normalization"
    with Config.default_section("other"):
        assert Config("main.conf").normalize("A x") == "A y"
    with pytest.raises(ConfigSectionNotFoundError):
        Config("main.conf", "Other")
    assert issubclass(ConfigSectionNotFoundError, ValueError)


def test_names_are_relative_to_the_config(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "near.conf").write_text(
        '[normalization]\nreplace ../rules.csv "utf 8"\nconfig ../main.conf other\n'
        "file replacewords ../rules.csv utf8\n"
    )
    assert Config("sub/near.conf").normalize("a b") == "c"
    text = f"replace {folder / 'rules.csv'}"
    assert Config(StringIO(text), Config.MAIN_SECTION).normalize("x") == "y"


@each_case("text", table_of(__file__, "config_text"))
def test_config_text(text: str) -> None:
    assert Config(StringIO(text)).normalize("Ab") == "ab"


@pytest.mark.parametrize(("text", "message"), table_of(__file__, "configs_that_cannot_be_used"))
def test_configs_that_cannot_be_used(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Config(StringIO(text))


def test_configs_that_name_one_another(folder: Path) -> None:
    (folder / "loop.conf").write_text("[normalization]\nconfig loop.conf\n")
    with pytest.raises(ValueError, match="expected at most 20 config files nested in each other"):
        Config("loop.conf")
    assert Config("main.conf").normalize("x") == "y"


def test_a_class_of_ones_own_in_a_config() -> None:
    class Shout(Normalizer):
        def __init__(self, mark: str, times: str = "1") -> None:
            self._mark = mark * int(times)

        def _normalize(self, text: str) -> str:
            return text.upper() + self._mark

    class Swap(NormalizerWithFileSupport):
        def __init__(self, one: str, other: str) -> None:
            self._table = str.maketrans({one: other, other: one})

        def _normalize(self, text: str) -> str:
            return text.translate(self._table)

    factory.register(Shout)
    factory.register(Swap)
    try:
        assert Config(StringIO("shout ! 2"), Config.MAIN_SECTION).normalize("a") == "A!!"
        with pytest.raises(FileNotFoundError):
            Config(StringIO("swap a b"), Config.MAIN_SECTION)
    finally:
        del factory[Shout]
        del factory[Swap]


def test_the_factory_of_config_files(folder: Path) -> None:
    files = FileFactory(Normalizer)
    files.register(Replace)
    files.register(Lowercase)
    assert files.create("replace", "rules.csv").normalize("x") == "y"
    assert files.create("lowercase").normalize("X") == "x"


def changes(normalizer: Normalizer, text: str) -> list[NormalizedLogItem]:
    found: list[NormalizedLogItem] = []
    with listening(found.append):
        normalizer.normalize(text)
    return found


def test_changes_are_told_innermost_first(folder: Path) -> None:
    aggregate = NormalizationAggregate()
    aggregate.add(Lowercase())
    aggregate.add(Config("main.conf", "other"))
    outer = "NormalizationAggregate"
    config = f"{outer}/Config/main.conf[other]"
    assert [
        ("/".join(one.stack), one.original, one.normalized) for one in changes(aggregate, "A x")
    ] == [
        (f"{outer}/Lowercase", "A x", "a x"),
        (f"{config}/File/rules.csv/Regex", "a x", "a y"),
        (f"{config}/File/rules.csv", "a x", "a y"),
        (f"{config}/File", "a x", "a y"),
        (config, "a x", "a y"),
        (f"{outer}/Config", "a x", "a y"),
        (outer, "A x", "a y"),
    ]


def test_what_is_unchanged_is_not_logged() -> None:
    aggregate = NormalizationAggregate("title")
    aggregate.add(Replace("a", "a"))
    assert changes(aggregate, "a") == []
    aggregate.add(Lowercase())
    assert [item.stack for item in changes(aggregate, "A")] == [("title", "Lowercase"), ("title",)]
    # the config of a text has no file name
    config = Config(StringIO("[normalization]\nlowercase"))
    names = ("Config", "[normalization]", "Lowercase")
    assert [item.stack for item in changes(config, "A")] == [names, names[:2], names[:1]]


def test_lines_and_records() -> None:
    item = NormalizedLogItem(("One", "Two"), "Hi\n", "hi\n")
    assert log_line(item, "Reference") == "Reference: One/Two: \x1b[31mH\x1b[0m\x1b[32mh\x1b[0mi␊"
    assert log_line(item, None) == "One/Two: \x1b[31mH\x1b[0m\x1b[32mh\x1b[0mi␊"
    assert log_record(item, None) == {
        "title": None,
        "stack": ["One", "Two"],
        "diff": '<span class="delete">H</span><span class="insert">h</span>i\n',
    }


def test_an_error_leaves_no_trace_in_later_logs(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Normalizer):
        def _normalize(self, text: str) -> str:
            raise RuntimeError(text)

    with pytest.raises(RuntimeError):
        Broken().normalize("x")
    caplog.set_level(logging.DEBUG)
    assert [item.stack for item in changes(Lowercase(), "A")] == [("Lowercase",)]
    names = {record.name for record in caplog.records}
    assert names <= {"benchmarkstt.normalize"}  # nothing reaches other loggers


def test_threads_do_not_see_each_others_changes() -> None:
    found: dict[str, list[NormalizedLogItem]] = {}

    def work(text: str) -> None:
        found[text] = [one for _ in range(50) for one in changes(Lowercase(), text)]

    threads = [Thread(target=work, args=(text,)) for text in ("A", "B")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for text in ("A", "B"):
        assert {one.original for one in found[text]} == {text}
        assert len(found[text]) == 50


def test_tables_of_unidecode_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIDECODE_TABLES", "other")
    with pytest.raises(ValueError, match="expected anyascii, unidecode, found 'other'"):
        Unidecode()


def test_the_logger_receives_changes() -> None:
    a = '<span class="delete">A</span><span class="insert">a</span>'
    b = '<span class="delete">b</span><span class="insert">c</span>'
    changes = [
        (["aggregate", "Lowercase"], f"{a} b"),
        (["aggregate", "Replace"], f"a {b}"),
        (["aggregate"], f"{a} {b}"),
    ]
    with LogCapturer("html", title="T") as texts, LogCapturer("html", "dict") as records:
        NormalizationAggregateOf("aggregate", Lowercase(), Replace("b", "c")).normalize("A b")
        Lowercase().normalize("small")
        assert normalization_logger.stack == []
        assert texts.logs == [f"T: {'/'.join(stack)}: {diff}" for stack, diff in changes]
        assert records.logs == [
            {"title": None, "stack": stack, "diff": diff} for stack, diff in changes
        ]
    assert texts.logs == []  # a context that is left has none


def test_formatters_of_the_logger() -> None:
    assert DiffLoggingFormatter.has_dialect("dict")
    assert not DiffLoggingFormatter.has_dialect("html")
    assert type(DiffLoggingFormatter.get_dialect("html")) is DiffLoggingTextFormatterDialect
    with pytest.raises(ValueError, match="Unknown diff formatter dialect"):
        DiffLoggingFormatter("text", "html")
    plain = logging.LogRecord("name", logging.INFO, "path", 1, "%s!", ("hello",), None)
    assert DiffLoggingFormatter("text").format(plain) == "hello!"
    handler = ListHandler()
    handler.emit(plain)
    assert (handler.flush(), handler.logs) == (["hello!"], [])


class NormalizationAggregateOf(NormalizationAggregate):
    """Several normalizers under a title."""

    def __init__(self, title: str, *normalizers: Normalizer) -> None:
        super().__init__(title)
        for normalizer in normalizers:
            self.add(normalizer)


class Shouting(Normalizer):
    """A normalizer whose method is decorated."""

    @log
    def normalize(self, text: str) -> str:
        return text.upper()

    def _normalize(self, text: str) -> str:
        return text

    def __repr__(self) -> str:
        return "Loud"


def test_the_decorator_logs() -> None:
    with LogCapturer("text") as capturer:
        assert Shouting().normalize("a") == "A"
        assert capturer.logs == ["Loud: a\u0338A\u0359"]
