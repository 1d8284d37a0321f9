"""A page to try methods on: complete in itself, and allowed to talk to its own address only."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

_STYLE, _SCRIPT, _BODY = (
    files("scoring.server").joinpath("assets", f"explorer.{kind}").read_text("utf-8")
    for kind in ("css", "js", "html")
)
PAGE = _BODY.replace("{style}", _STYLE).replace("{script}", _SCRIPT)


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {_source(_SCRIPT)}",
        f"style-src {_source(_STYLE)}",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
