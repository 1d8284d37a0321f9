from collections.abc import Callable

from scoring.alignment.system import System
from scoring.nist.report.registry import CONFIDENCE_REPORTS, REPORTS, ReportSettings
from scoring.nist.report.tables import TableDrawer

SYSTEM = {"a": ["b/b c/d"], "e": ["f/f"]}


def test_parts_in_order(make_system: Callable[..., System]) -> None:
    system = make_system(SYSTEM)
    settings = ReportSettings(TableDrawer(), lambda text: None, 1000)
    written = {
        part.suffix: (part.announcement, len(b"".join(part.content)))
        for report in REPORTS
        if report.skipped(system) is None
        for part in report.parts(system, settings)
    }
    originals = [
        ".sys", ".raw", ".snt.a", ".snt.e", ".spk.a", ".spk.e", ".dtl", ".lur", ".pra", ".prf",
        ".sgml", ".nl.sgml",
    ]  # fmt: skip
    assert [suffix for suffix in written if suffix in originals] == originals
    assert all(size for _, size in written.values())
    assert written[".spk.e"][0] == "    Writing speaker scoring report for 'e' to '"
    assert written[".dtl"][0] == "    Writing overall detailed scoring report '"


def test_every_selecting_word_is_known_once() -> None:
    names = [name for report in REPORTS for name in report.names]
    assert len(names) == len(set(names))


def test_weighted_summary_is_skipped_without_weights(make_system: Callable[..., System]) -> None:
    (weighted,) = (report for report in REPORTS if "wws" in report.names)
    system = make_system(SYSTEM)
    assert weighted.skipped(system) == "    Skipping WWS Report, no word weights supplied.\n"
    system.weights_name = "unity"
    assert weighted.skipped(system) is None


def test_confidence_reports(make_system: Callable[..., System]) -> None:
    system = make_system(SYSTEM)
    suffixes = [
        [one.suffix for one in report.contents(system, "root", lambda text: None)]
        for report in CONFIDENCE_REPORTS
    ]
    assert suffixes == [
        [".det.plt", ".det.dat.00"],
        [".bhist.dat1", ".bhist.plt"],
        [".hist.dat", ".hist.plt"],
        [".sbhist.dat", ".sbhist.plt"],
    ]
    announced = [report.announcement("root") for report in CONFIDENCE_REPORTS]
    assert announced[2] == "    Writing Confidence Histogram 'root.hist.[plt,dat]'\n"
    assert CONFIDENCE_REPORTS[1].unwritable("r") == CONFIDENCE_REPORTS[2].unwritable("r")
    assert CONFIDENCE_REPORTS[0].unwritable("r")[0] == (
        "Error: Unable to open DET Curve GNUPLOT file 'r.det.plt' for writing."
    )


def test_utterances_are_rows_with_their_place_and_counts(
    make_system: Callable[..., System],
) -> None:
    system = make_system(SYSTEM)
    [report] = [report for report in REPORTS if "utt" in report.names]
    [part] = report.parts(system, ReportSettings(TableDrawer(), lambda text: None, 1000))
    lines = b"".join(part.content).decode().split("\n")
    titles = lines[0].split("\t")
    rows = [dict(zip(titles, line.split("\t"), strict=True)) for line in lines[1:-1]]
    assert [row["speaker"] for row in rows] == ["a", "e"]
    counts = [[int(row[name]) for name in titles[6:]] for row in rows]
    assert counts == [[2, 1, 1, 0, 0], [1, 1, 0, 0, 0]]
