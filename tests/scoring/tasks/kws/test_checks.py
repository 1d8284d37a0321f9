from formats.keywords.model import (
    DetectedKeyword,
    Detection,
    Ecf,
    Excerpt,
    Keyword,
    KeywordList,
    Kwslist,
    KwslistHeader,
    SearchedKeyword,
)
from scoring.tasks.kws.checks import check_kwslist

ECF = Ecf((Excerpt("dir/a.sph", "1", 0, 10), Excerpt("b.wav", "1", 5, 10)))
KEYWORDS = KeywordList(tuple(Keyword(name, name) for name in ("K1", "K2", "K3")))


def searched(keyword: str, *detections: tuple[str, float, float, float]) -> DetectedKeyword:
    return DetectedKeyword(
        SearchedKeyword(keyword),
        tuple(Detection(keyword, file, "1", begin, duration, value, True) for file, begin, duration, value in detections),
    )  # fmt: skip


def test_a_list_in_order() -> None:
    kwslist = Kwslist(
        KwslistHeader("", "", ""),
        (searched("K1", ("a", 0, 10, 0.5)), searched("K2"), searched("K3", ("b", 5, 1, 1))),
    )
    checked = check_kwslist(kwslist, KEYWORDS, ECF)
    assert (checked.errors, checked.warnings, checked.messages) == (0, 0, ())
    assert checked.purged == kwslist


def test_every_fault() -> None:
    kwslist = Kwslist(
        KwslistHeader("", "", ""),
        (
            searched("K1", ("a", 0, 10.5, 0.5), ("a", 1, 1, 0.25), ("a", 1, 1, 0.25)),
            searched("X", ("c", 0, 1, 0.5)),
            searched("K1"),
        ),
    )
    checked = check_kwslist(kwslist, KEYWORDS, ECF)
    assert checked.messages == (
        "ERROR - KWS detected term ID 'K1' (File 'a', Channel '1', Begin time '0', duration "
        "'10.5') not defined in the ECF.",
        "WARNING - KWS detected term ID 'K1' (File 'a', Channel '1', Begin time '1', duration "
        "'1', duration '0.25', duration 'YES') is a duplicate.",
        "ERROR - KWS detected term ID 'X' (File 'c', Channel '1', Begin time '0', duration "
        "'1') not defined in the ECF.",
        "ERROR - ID 'X' present in KWS file but not defined in the Term List.",
        "ERROR - ID 'K1' is searched more than once in the KWS file.",
        "ERROR - ID 'K2' defined in the Term List but absent in KWS file.",
        "ERROR - ID 'K3' defined in the Term List but absent in KWS file.",
    )
    assert (checked.errors, checked.warnings) == (6, 1)
    assert [len(keyword.detections) for keyword in checked.purged.keywords] == [1, 0, 0]
    assert check_kwslist(kwslist, KEYWORDS, ECF, allow_missing=True).errors == 4
