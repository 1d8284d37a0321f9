
"use strict";
const list = document.getElementById("methods"), text = document.getElementById("description");
const title = document.getElementById("title"), params = document.getElementById("params");
const output = document.getElementById("answer"), send = document.getElementById("send");
const templates = {
  "align": {reference: "a b c", hypothesis: "a x c"},
  "wer": {reference: ["a b c", "d"], hypothesis: ["a x c", "d"]},
  "compare": {reference: ["a b", "c"], baseline: ["a x", "c"], "new": ["a b", "c"]},
  "convert": {content: "a b (anne-1)\n", to: "txt-lines"},
  "detect": {content: "a b (anne-1)\n"},
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
  if (/^(metrics|benchmark)\./.test(name)) return {ref: "Hello darkness", hyp: "hello darkness"};
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
    output.textContent = status + "\n" + JSON.stringify(record, null, 2);
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
