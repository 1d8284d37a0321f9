"""Runs in the interpreter that has the originals: cases from stdin, their figures to stdout.

    PYTHON tests/judges/der/originals.py [DSCORE]

It needs pyannote.metrics and spyder, and the folder of dscore's sources for its figures; it imports
nothing of ours. A case is `{"reference": [[name, begin, end] …], "hypothesis": …, "collar": c,
"skip_overlap": b, "tolerance": s, "regions": r, "uem": [[b, e] …] or null}`, in seconds.
"""

import json
import os
import sys
import tempfile
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

SPEAKER = "SPEAKER r 1 {} {} <NA> <NA> {} <NA> <NA>\n"


def of_pyannote(case: dict[str, Any]) -> dict[str, float]:
    """Return the figures of pyannote.metrics."""
    core = import_module("pyannote.core")
    names = ("detection", "diarization", "identification", "segmentation")
    detection, diarization, identification, segmentation = (
        import_module(f"pyannote.metrics.{name}") for name in names
    )
    sides: list[Any] = []
    for side in ("reference", "hypothesis"):
        annotation = core.Annotation(uri="r")
        for number, (name, begin, end) in enumerate(case[side]):
            annotation[core.Segment(begin, end), number] = name
        sides.append(annotation)
    uem = None
    if case["uem"] is not None:
        uem = core.Timeline([core.Segment(begin, end) for begin, end in case["uem"]])
    options = {"collar": 2 * case["collar"], "skip_overlap": case["skip_overlap"]}
    found: dict[str, float] = {}

    def amounts(prefix: str, metric: Any) -> None:
        parts = metric(*sides, uem=uem, detailed=True)
        for name in ("total", "missed detection", "false alarm", "confusion"):
            found[f"{prefix} {name}"] = parts[name]

    amounts("identification", identification.IdentificationErrorRate(**options))
    amounts("greedy", diarization.GreedyDiarizationErrorRate(**options))
    found["homogeneity"] = diarization.DiarizationHomogeneity(**options)(*sides, uem=uem)
    found["completeness"] = diarization.DiarizationCompleteness(**options)(*sides, uem=uem)
    metric = detection.DetectionPrecisionRecallFMeasure(**options)
    parts = metric(*sides, uem=uem, detailed=True)
    rates = metric.compute_metrics(parts)
    found |= dict(zip(("speech_precision", "speech_recall", "speech_f1"), rates, strict=True))
    overlaps = [side.get_overlap().to_annotation() for side in sides]
    times = [
        time for side in ("reference", "hypothesis") for _, *turn in case[side] for time in turn
    ]
    extent = uem or core.Timeline([core.Segment(min(times), max(times))])
    scored = metric.extrude(extent, sides[0], **options)
    metric = detection.DetectionPrecisionRecallFMeasure()
    parts = metric(*overlaps, uem=scored, detailed=True)
    rates = metric.compute_metrics(parts)
    found |= dict(zip(("overlap_precision", "overlap_recall", "overlap_f1"), rates, strict=True))
    for name, kind in (
        ("change_precision", segmentation.SegmentationPrecision),
        ("change_recall", segmentation.SegmentationRecall),
        ("segmentation_purity", segmentation.SegmentationPurity),
        ("segmentation_coverage", segmentation.SegmentationCoverage),
    ):
        found[name] = kind(tolerance=case["tolerance"])(*sides)
    return {name: float(value) for name, value in found.items()}


def of_spyder(case: dict[str, Any]) -> dict[str, float]:
    """Return the figures of spyder: times as shares of the duration."""
    sides = [[tuple(turn) for turn in case[side]] for side in ("reference", "hypothesis")]
    uem = None if case["uem"] is None else [tuple(span) for span in case["uem"]]
    spyder = import_module("spyder")
    found = spyder.DER(*sides, uem=uem, regions=case["regions"], collar=case["collar"])
    names = ("duration", "miss", "falarm", "conf")
    return {f"spyder {name}": float(getattr(found, name)) for name in names}


def of_dscore(case: dict[str, Any], folder: Path) -> dict[str, float]:
    """Return the figures of dscore's `score` on the files that its program reads."""
    turn, uem, rttm, score = (
        import_module(f"scorelib.{name}") for name in ("turn", "uem", "rttm", "score")
    )
    sides = []
    for side in ("reference", "hypothesis"):
        path = folder / f"{side}.rttm"
        lines = (
            SPEAKER.format(format(begin, ".6f"), format(round(end - begin, 6), ".6f"), name)
            for name, begin, end in case[side]
        )
        path.write_text("".join(lines))
        sides.append(rttm.load_rttm(str(path))[0])
    if case["uem"] is None:
        regions = uem.gen_uem(*sides)
    else:
        regions = uem.UEM({"r": [tuple(span) for span in case["uem"]]})
    sides = [turn.merge_turns(turn.trim_turns(side, regions)) for side in sides]
    try:
        [figures], _ = score.score(
            *sides, regions, collar=case["collar"], ignore_overlaps=case["skip_overlap"]
        )
    except KeyError:  # its md-eval has nothing to score
        return {}
    return {name: float(value) for name, value in figures._asdict().items() if name != "file_id"}


def main() -> int:
    """Answer the cases of stdin."""
    warnings.simplefilter("ignore")
    cases = json.load(sys.stdin)
    answers = []
    has_dscore = len(sys.argv) > 1
    if has_dscore:
        sys.path.insert(0, sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="originals-") as folder, open(os.devnull, "w") as null:
        stdout, sys.stdout, sys.stderr = sys.stdout, null, null
        for case in cases:
            answer = of_pyannote(case) | of_spyder(case)
            if has_dscore:
                answer |= {f"dscore {name}": v for name, v in of_dscore(case, Path(folder)).items()}
            answers.append(answer)
        sys.stdout, sys.stderr = stdout, sys.__stderr__
    versions = {name: version(name) for name in ("pyannote.metrics", "pyannote.core", "spy-der")}
    json.dump({"versions": versions, "answers": answers}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
