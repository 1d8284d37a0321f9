"""How a file of a side is read, as the options state it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoring.options import Options


class Reading(NamedTuple):
    """How to read a file; fields as of `scoring.Options`, by side.

    `predicted` decides about manifests with columns for what was said and what was recognised,
    unless `options` name one: `no` takes the former, `maybe` the latter where there is one, `yes`
    only the latter. `side` is `reference`, `hypothesis` or empty; messages name its options.
    """

    format: str | None = None
    encoding: str = "utf-8"
    options: tuple[tuple[str, object], ...] = ()
    interpolate: str = "none"
    keep: bool = False
    channel_aliases: tuple[tuple[str, str], ...] = ()
    text_view: str = "lexical"
    predicted: str = "no"
    side: str = ""


AS_FOUND = Reading()


def keeps_segments(options: Options) -> bool:
    """Whether more of the utterances is asked for than their words and speakers."""
    return options.keep_sources or any(name != "speaker" for name in options.by)


def readings_of(options: Options, predicted: str = "maybe") -> tuple[Reading, Reading]:
    """How both sides are to be read; `predicted` is of the hypothesis."""
    view, keep = options.text_view, keeps_segments(options)
    return (
        Reading(
            options.reference_format,
            options.reference_encoding or options.encoding,
            tuple(options.reference_options.items()),
            keep=keep,
            text_view=view,
            side="reference",
        ),
        Reading(
            options.hypothesis_format,
            options.hypothesis_encoding or options.encoding,
            tuple(options.hypothesis_options.items()),
            options.interpolate,
            keep,
            tuple(options.channel_aliases.items()),
            view,
            predicted,
            "hypothesis",
        ),
    )
