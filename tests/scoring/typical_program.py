"""What a typical user writes: a program that type checkers read as strictly as they can."""

import sys
from pathlib import Path

import sclite_kit as sk

DEMO = Path("resources/demo")


def gate(reference: Path, hypothesis: Path, limit: float) -> bool:
    rates = sk.wer(reference, hypothesis, normalize="lowercase", by=["speaker"], missing="error")
    rate: float = rates.error_rate
    print(f"{hypothesis.name}: {rates:.2%} ({rate:.4f}), {rates.counts.errors} errors")
    for speaker, own in rates.by("speaker").items():
        print(speaker or "nobody", f"{own.error_rate:.2%}")
    for names, own in (
        rates.by("recording", "speaker").items() if "recording" in rates.groups else ()
    ):
        print(*names, own.counts.errors)
    alignment = rates.alignment(rates.identifiers[0])
    wrong = [pair.reference for pair in alignment if pair.edit is not sk.Edit.CORRECT]
    print(len(wrong), alignment.letters)
    maybe = rates.error_rate_or_none
    return maybe is not None and rates < limit


def characters(reference: list[str], hypothesis: list[str]) -> float:
    options = sk.Options(profile="levenshtein", text_view="display")
    return sk.cer(reference, hypothesis, unit="grapheme", options=options, jobs=1).error_rate


class Rows:
    """A table with two columns of texts, as data frames have them."""

    columns = ("text", "pred")

    def __getitem__(self, name: str) -> list[str]:
        return {"text": ["a b"], "pred": ["a c"]}[name]


def of_table() -> float:
    return sk.wer(Rows(), reference="text", hypothesis="pred").error_rate


def compared(baseline: sk.ErrorRates, new: sk.ErrorRates) -> float | None:
    found = sk.compare(baseline, new, tests=["randomisation"], block="speaker")
    print(found)
    return found.tests[0].p_value


def main() -> int:
    reference = DEMO / "reference.stm"
    transcript = sk.formats.read(reference)
    print(sum(len(segment.words) for segment in transcript), "words")
    old = sk.wer(reference, DEMO / "baseline.ctm")
    new = sk.wer(reference, DEMO / "improved.ctm")
    print(compared(old, new), characters(["ab"], ["ac"]), of_table(), sk.__version__)
    try:
        print(sk.wer([""], ["a"]).error_rate)
    except sk.NoReferenceError as problem:
        print(problem)
    return 0 if gate(reference, DEMO / "improved.ctm", 0.2) else 1


if __name__ == "__main__":
    sys.exit(main())
