"""A decorator that logs the calls of a function.

>>> import logging, sys
>>> logger = logging.getLogger("calls")
>>> logger.setLevel(logging.WARNING)
>>> logger.addHandler(logging.StreamHandler(sys.stdout))
>>> @log_call(logger, logging.WARNING, result=True)
... def double(number, by=2):
...     return number * by
>>> double(3, by=2)
double(3, by=2)
double returned: 6
6
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from scoring.peers.benchmarkstt.deferred import DeferredCallback

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def log_call(
    logger: logging.Logger, log_level: int | None = None, result: object = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Log each call of a function with its arguments and, if `result` is true, its result.

    Parameters
    ----------
    log_level
        Default `logging.DEBUG`.
    result
        Whether to log the result as well.
    """
    level = logging.DEBUG if log_level is None else log_level

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def logged(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            def arguments() -> str:
                named = (f"{name}={value!r}" for name, value in kwargs.items())
                return ", ".join([*map(repr, args), *named])

            logger.log(level, "%s(%s)", function.__name__, DeferredCallback(arguments))
            returned = function(*args, **kwargs)
            if result:
                logger.log(level, "%s returned: %s", function.__name__, returned)
            return returned

        return logged

    return decorate
