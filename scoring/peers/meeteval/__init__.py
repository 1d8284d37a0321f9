"""meeteval's error rates of meetings under its names: `from scoring.peers import meeteval`.

Functions take what `meeteval.wer` takes: paths of files, or segments as dictionaries with
`session_id`, `speaker`, `words` and, where times matter, `start_time` and `end_time`. They return a
dictionary from sessions to objects with meeteval's fields, which print as its own do. Word times
are computed as meeteval computes them, rounding included. `dicpwer` and `ditcpwer` are the exact
forms of measures that meeteval has greedily only. The functions of a single session
(`cp_word_error_rate` and so on) take nested lists and dictionaries of texts, too.
"""

from scoring.peers.meeteval.der import *  # noqa: F403
from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
