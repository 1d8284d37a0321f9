"""meeteval's error rates of meetings under its names: `from scoring.compat import meeteval`.

Functions take what `meeteval.wer` takes: paths of files, or segments as dictionaries with
`session_id`, `speaker`, `words` and, where times matter, `start_time` and `end_time`; they give a
dictionary from sessions to objects with meeteval's fields, which print as its own do. Word times
are reckoned as meeteval reckons them, rounding included. `dicpwer` and `ditcpwer`, the exact forms
of what meeteval has greedily only, stand beside the others. The functions of one session
(`cp_word_error_rate` and so on) take nested lists and dictionaries of texts, too.
"""

from __future__ import annotations

from formats.lazy import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.compat.meeteval.der import DiaErrorRate as DiaErrorRate
    from scoring.compat.meeteval.der import dscore as dscore
    from scoring.compat.meeteval.der import md_eval_22 as md_eval_22
    from scoring.compat.meeteval.rates import CPErrorRate as CPErrorRate
    from scoring.compat.meeteval.rates import DICPErrorRate as DICPErrorRate
    from scoring.compat.meeteval.rates import ErrorRate as ErrorRate
    from scoring.compat.meeteval.rates import MimoErrorRate as MimoErrorRate
    from scoring.compat.meeteval.rates import OrcErrorRate as OrcErrorRate
    from scoring.compat.meeteval.rates import SelfOverlap as SelfOverlap
    from scoring.compat.meeteval.rates import combine_error_rates as combine_error_rates
    from scoring.compat.meeteval.wer import cp_word_error_rate as cp_word_error_rate
    from scoring.compat.meeteval.wer import cpwer as cpwer
    from scoring.compat.meeteval.wer import dicpwer as dicpwer
    from scoring.compat.meeteval.wer import ditcpwer as ditcpwer
    from scoring.compat.meeteval.wer import (
        greedy_di_cp_word_error_rate as greedy_di_cp_word_error_rate,
    )
    from scoring.compat.meeteval.wer import (
        greedy_di_tcp_word_error_rate as greedy_di_tcp_word_error_rate,
    )
    from scoring.compat.meeteval.wer import greedy_dicpwer as greedy_dicpwer
    from scoring.compat.meeteval.wer import greedy_ditcpwer as greedy_ditcpwer
    from scoring.compat.meeteval.wer import greedy_orc_word_error_rate as greedy_orc_word_error_rate
    from scoring.compat.meeteval.wer import greedy_orcwer as greedy_orcwer
    from scoring.compat.meeteval.wer import greedy_tcorcwer as greedy_tcorcwer
    from scoring.compat.meeteval.wer import (
        greedy_time_constrained_orc_wer as greedy_time_constrained_orc_wer,
    )
    from scoring.compat.meeteval.wer import mimo_word_error_rate as mimo_word_error_rate
    from scoring.compat.meeteval.wer import mimower as mimower
    from scoring.compat.meeteval.wer import orc_word_error_rate as orc_word_error_rate
    from scoring.compat.meeteval.wer import orcwer as orcwer
    from scoring.compat.meeteval.wer import siso_word_error_rate as siso_word_error_rate
    from scoring.compat.meeteval.wer import sisower as sisower
    from scoring.compat.meeteval.wer import tcmimower as tcmimower
    from scoring.compat.meeteval.wer import tcorcwer as tcorcwer
    from scoring.compat.meeteval.wer import tcp_word_error_rate as tcp_word_error_rate
    from scoring.compat.meeteval.wer import tcpwer as tcpwer
    from scoring.compat.meeteval.wer import (
        time_constrained_mimo_word_error_rate as time_constrained_mimo_word_error_rate,
    )
    from scoring.compat.meeteval.wer import time_constrained_orc_wer as time_constrained_orc_wer
    from scoring.compat.meeteval.wer import (
        time_constrained_siso_word_error_rate as time_constrained_siso_word_error_rate,
    )

_RATES, _WER = "scoring.compat.meeteval.rates", "scoring.compat.meeteval.wer"
_DER = "scoring.compat.meeteval.der"
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "CPErrorRate": _RATES,
        "DICPErrorRate": _RATES,
        "DiaErrorRate": _DER,
        "ErrorRate": _RATES,
        "MimoErrorRate": _RATES,
        "dscore": _DER,
        "md_eval_22": _DER,
        "OrcErrorRate": _RATES,
        "SelfOverlap": _RATES,
        "combine_error_rates": _RATES,
        "cp_word_error_rate": _WER,
        "cpwer": _WER,
        "dicpwer": _WER,
        "ditcpwer": _WER,
        "greedy_di_cp_word_error_rate": _WER,
        "greedy_di_tcp_word_error_rate": _WER,
        "greedy_dicpwer": _WER,
        "greedy_ditcpwer": _WER,
        "greedy_orc_word_error_rate": _WER,
        "greedy_orcwer": _WER,
        "greedy_tcorcwer": _WER,
        "greedy_time_constrained_orc_wer": _WER,
        "mimo_word_error_rate": _WER,
        "mimower": _WER,
        "orc_word_error_rate": _WER,
        "orcwer": _WER,
        "siso_word_error_rate": _WER,
        "sisower": _WER,
        "tcmimower": _WER,
        "tcorcwer": _WER,
        "tcp_word_error_rate": _WER,
        "tcpwer": _WER,
        "time_constrained_mimo_word_error_rate": _WER,
        "time_constrained_orc_wer": _WER,
        "time_constrained_siso_word_error_rate": _WER,
    },
)
