"""A page to try methods on: complete in itself, and allowed to talk to its own address only."""

from __future__ import annotations

import base64
import hashlib

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 16rem 1fr; margin: 0; min-height: 100vh; }
nav { border-right: 1px solid #8886; padding: 1rem; }
nav button { background: none; border: 0; color: inherit; cursor: pointer; display: block;
  font: inherit; padding: .1rem .3rem; text-align: left; width: 100%; }
nav button[aria-current=true] { background: #8883; font-weight: 600; }
main { padding: 1rem 2rem; min-width: 0; }
pre { border: 1px solid #8886; overflow: auto; padding: .5rem; white-space: pre-wrap; }
textarea { box-sizing: border-box; font-family: monospace; font-size: .9rem; height: 14rem;
  width: 100%; }
@media (max-width: 50rem) { body { display: block; } nav { border: 0; } }
"""

_SCRIPT = """
"use strict";
const list = document.getElementById("methods"), text = document.getElementById("description");
const title = document.getElementById("title"), params = document.getElementById("params");
const output = document.getElementById("answer"), send = document.getElementById("send");
const templates = {
  "align": {reference: "a b c", hypothesis: "a x c"},
  "wer": {reference: ["a b c", "d"], hypothesis: ["a x c", "d"]},
  "compare": {reference: ["a b", "c"], baseline: ["a x", "c"], "new": ["a b", "c"]},
  "convert": {content: "a b (anne-1)\\n", to: "txt-lines"},
  "detect": {content: "a b (anne-1)\\n"},
  "normalize": {text: "Hello, World!", normalize: ["plain"]},
};
let method = "help";
async function call(name, given) {
  const body = JSON.stringify({jsonrpc: "2.0", id: 1, method: name, params: given});
  const answer = await fetch(location.pathname, {method: "POST", body});
  return {status: answer.status, record: await answer.json()};
}
function suggested(name) {
  if (templates[name]) return templates[name];
  if (name.startsWith("normalization.")) return {text: "Hello, World!"};
  if (/^(metrics|benchmark)\\./.test(name)) return {ref: "Hello darkness", hyp: "hello darkness"};
  return {};
}
function show(name, description) {
  method = name;
  title.textContent = name;
  text.textContent = description;
  params.value = JSON.stringify(suggested(name), null, 2);
  output.textContent = "";
  for (const button of list.children)
    button.setAttribute("aria-current", String(button.textContent === name));
}
send.addEventListener("click", async () => {
  try {
    const {status, record} = await call(method, JSON.parse(params.value || "{}"));
    output.textContent = status + "\\n" + JSON.stringify(record, null, 2);
  } catch (problem) {
    output.textContent = String(problem);
  }
});
call("help", {}).then(({record}) => {
  const entries = Object.entries(record.result);
  for (const [name, description] of entries) {
    const button = document.createElement("button");
    button.textContent = name;
    button.addEventListener("click", () => show(name, description));
    list.append(button);
  }
  show(...entries[0]);
});
"""

PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>sclite-kit: methods</title>
<style>{_STYLE}</style>
</head>
<body>
<nav id="methods" aria-label="Methods"></nav>
<main>
<h1 id="title">Methods</h1>
<pre id="description"></pre>
<label for="params">Parameters, as JSON</label>
<textarea id="params" spellcheck="false"></textarea>
<p><button id="send">Send</button></p>
<pre id="answer" aria-live="polite"></pre>
</main>
<script>{_SCRIPT}</script>
</body>
</html>
"""


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
