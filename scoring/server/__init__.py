"""The JSON-RPC service: scoring, conversion and normalisation for programs elsewhere.

From the ground up:

- `settings`: every limit, with its default,
- `access`: which files a request may have read,
- `parameters`, `methods`: what can be called, with which arguments,
- `protocol`: from the bytes of a request to those of its answer, without a socket,
- `worker`, `pool`: processes that do the work and can be stopped at any time,
- `application`, `transport`: HTTP.

`create_app` and `serve` are what programs need; from there on the extra `server` (starlette,
uvicorn) has to be installed.
"""

from __future__ import annotations

from formats.lazy import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.server.application import create_app as create_app
    from scoring.server.settings import Limits as Limits
    from scoring.server.settings import Settings as Settings
    from scoring.server.transport import serve as serve

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Limits": ".settings",
        "Settings": ".settings",
        "create_app": ".application",
        "serve": ".transport",
    },
)
