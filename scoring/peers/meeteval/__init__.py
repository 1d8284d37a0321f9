"""meeteval's error rates of meetings under its names: `from scoring.peers import meeteval`.

As in `meeteval.wer`, inputs are paths of files, or segments as dictionaries with `session_id`,
`speaker`, `words` and, if times are needed, `start_time` and `end_time`. Functions return a
dictionary from sessions to objects with meeteval's fields and printed form. Word times are computed
as in meeteval, including rounding. `dicpwer` and `ditcpwer` find the optimum; meeteval computes
these measures only greedily. The functions of a single session (such as `cp_word_error_rate`) also
take nested lists and dictionaries of texts.
"""

from scoring.peers.meeteval.der import *  # noqa: F403
from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
