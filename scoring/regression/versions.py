"""Two versions of a system compared; what only some comparisons need is loaded for those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoring.regression.changes import Changes, Request, find_changes
from scoring.regression.evidence import ScoredVersion

if TYPE_CHECKING:
    from scoring.options import Options


def compare_versions(
    baselines: Sequence[ScoredVersion],
    news: Sequence[ScoredVersion],
    request: Request,
    options: Options,
) -> Changes:
    """Compare two versions, each with one or more runs, in all and by the groups of the options."""
    if len(baselines) > 1 or len(news) > 1:
        from scoring.regression.repeated import compare_runs

        return compare_runs(baselines, news, request, options)
    changes = find_changes(baselines[0], news[0], request)
    if options.by or options.metadata is not None:
        from scoring.regression.group_changes import with_groups

        return with_groups(changes, options, request)
    return changes
