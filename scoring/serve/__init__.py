"""The JSON-RPC service: scoring, conversion and normalisation for other programs.

`create_app` and `serve` need the extra `server` (starlette, uvicorn).
"""

from __future__ import annotations

from formats.schema import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.serve.application import create_app as create_app
    from scoring.serve.methods import Methods as Methods
    from scoring.serve.protocol import answer as answer
    from scoring.serve.settings import Limits as Limits
    from scoring.serve.settings import Settings as Settings
    from scoring.serve.transport import serve as serve

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".application": "create_app",
        ".methods": "Methods",
        ".protocol": "answer",
        ".settings": "Limits Settings",
        ".transport": "serve",
    },
)
