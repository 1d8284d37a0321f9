"""A replacement for jiwer 4: `import sclite_kit.compat.jiwer as jiwer`.

Functions, transforms, results, printed texts, numbers, errors and messages are those of jiwer; the
tests compare them with the installed jiwer. The alignment is that of `profile="jiwer"` of
`scoring.wer`. The results differ in these cases:

- If a text has more than about 2,000 words, jiwer's library cuts it in halves. jiwer can then
  choose another alignment with equally many errors; `wer` and `cer` are the same.
- `wer`, `mer`, `wil`, `wip` and `cer` count without building the chunks of an alignment.

Examples
--------
>>> import sclite_kit.compat.jiwer as jiwer
>>> output = jiwer.process_words(["the cat sat", "it rained"], ["the bat sat down", "it rained"])
>>> output.wer, output.substitutions, output.insertions
(0.4, 1, 1)
>>> print(jiwer.visualize_alignment(output, show_measures=False))
=== SENTENCE 1 ===
<BLANKLINE>
REF: the cat sat ****
HYP: the bat sat down
           S        I
<BLANKLINE>
"""

from __future__ import annotations

from scoring.peers.jiwer import alignment, measures, process, transformations, transforms
from scoring.peers.jiwer.alignment import *  # noqa: F403
from scoring.peers.jiwer.measures import *  # noqa: F403
from scoring.peers.jiwer.process import *  # noqa: F403
from scoring.peers.jiwer.transformations import *  # noqa: F403
from scoring.peers.jiwer.transforms import *  # noqa: F403

__all__ = ["alignment", "measures", "name", "process", "transformations", "transforms"]
__all__ += alignment.__all__
__all__ += measures.__all__
__all__ += process.__all__
__all__ += transformations.__all__
__all__ += transforms.__all__

name = "jiwer"
