"""The commands: they turn command-line arguments into files, output and an exit status.

Each command is a module with a function `main`, which takes the arguments and returns the exit
status. Commands read input, call other packages and write output; they do not compute scores.
"""

import os
import sys

from scoring.alignment import VARIABLE, load_core

if VARIABLE in os.environ:
    # commands load the core while they are imported, where nobody could report an invalid choice
    try:
        load_core()
    except (ValueError, ImportError) as problem:
        if sys.stderr is not None:
            print(f"scoring: error: {problem}", file=sys.stderr)
        raise SystemExit(2) from None
