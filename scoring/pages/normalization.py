"""Pages on normalisation: the available steps and pipelines, and what they change in texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from formats.console import shown
from formats.schema.model import Segment
from scoring.model.errors import InputError
from scoring.text.bundled import BUNDLED
from scoring.text.readings import written
from scoring.text.registry import REQUIRED, Parameter, all_steps
from scoring.text.step import Step
from scoring.text.utterances import Normalized, normalize_utterances


def listing_lines() -> Iterator[str]:
    """Yield lines that list the steps with their parameters, and then the pipelines."""
    yield "steps:"
    for spec in all_steps():
        removes = " [may remove letters or marks]" if spec.removes else ""
        yield f"  {spec.name:<17} {spec.title}{removes}"
        yield from (f"    {_parameter(parameter)}" for parameter in spec.parameters)
    yield from ("", "pipelines:")
    yield from (f"  {pipeline.name:<22}{pipeline.title}" for pipeline in BUNDLED)


def _parameter(parameter: Parameter) -> str:
    values = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
    default = parameter.default
    if isinstance(default, tuple):
        default = "+".join(default)
    elif isinstance(default, bool):
        default = str(default).lower()
    text = "required" if default is REQUIRED else f"default {default or 'none'}"
    return f"{parameter.name}: {parameter.title}{values}; {text}"


def title_of(segment: Segment) -> str:
    """Return the words of a segment, and in parentheses its identifier, speaker or recording."""
    name = segment.utterance or segment.speaker or segment.recording
    return f"{written(segment.items())} ({name})"


def explained_lines(texts: Iterable[tuple[str, Segment]], steps: Sequence[Step]) -> Iterator[str]:
    """Yield each text, followed by its form after every step that changes it."""
    for text, segment in texts:
        yield shown(text)
        before = written(segment.items())
        is_open = segment.alternations or segment.optional is not None
        utterances = Normalized([segment.words], {0: segment} if is_open else {})
        for step in steps:
            utterances = applied(utterances, step)
            special = utterances.special.get(0)
            after = " ".join(utterances.words[0]) if special is None else written(special.items())
            if after != before:
                yield f"  {shown(str(step))}: {shown(after)}"
            before = after


def applied(utterances: Normalized, step: Step) -> Normalized:
    """Apply a step to utterances; convert a ValueError of the step to an InputError."""
    try:
        return normalize_utterances(utterances.words, utterances.special, [step])
    except ValueError as problem:
        raise InputError("<text>", None, None, str(problem)) from None
