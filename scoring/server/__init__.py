"""The JSON-RPC service: scoring, conversion and normalisation for other programs.

`create_app` and `serve` need the extra `server` (starlette, uvicorn).
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
        ".application": "create_app",
        ".settings": "Limits Settings",
        ".transport": "serve",
    },
)
