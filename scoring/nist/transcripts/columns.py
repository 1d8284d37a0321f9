"""Choice of the functions that convert text files to columns: compiled, or in plain Python."""

from __future__ import annotations

from scoring.alignment.native import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.nist.transcripts.plain import TokenTable, number, scan_ctm, scan_trn
else:
    _chosen = load()
    if _chosen is None:
        from scoring.nist.transcripts import plain as _chosen
    TokenTable = _chosen.TokenTable
    scan_trn = _chosen.scan_trn
    scan_ctm = _chosen.scan_ctm
    number = _chosen.number

__all__ = ["TokenTable", "number", "scan_ctm", "scan_trn"]
