// The scorer within the browser: a worker that runs our packages in the Python runtime.
"use strict";

const address = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));
let answer;

// The contents of the parts of the page, which arrive while the runtime starts.
const parts = {};
const arrived = {};
const part = (name) => (parts[name] ??= new Promise((resolve) => { arrived[name] = resolve; }));

// A request that loads the modules of a score before somebody waits for them.
const FIRST = new TextEncoder().encode(`${JSON.stringify({
  task: "score", reference: "a.txt", hypotheses: ["b.txt"], choices: [], files: [["a.txt", 2], ["b.txt", 2]],
})}\na\na\n`);

// How far the start is, from 0 to 1.
const tell = (done) => self.postMessage({ stage: "loading", done });

const PACKAGES = "/lib/python3.14/site-packages";

// Write the files of the packages: a line of JSON with their names and sizes, then their bytes.
function write(python, content) {
  let begin = content.indexOf(10) + 1;
  const folders = new Set();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(content.subarray(0, begin))).files) {
    const folder = `${PACKAGES}/${name}`.replace(/\/[^/]*$/, "");
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(`${PACKAGES}/${name}`, content.subarray(begin, (begin += size)));
  }
}

async function start() {
  // the runtime asks for its files by name: they are all here, and the policy allows no request
  self.fetch = async (url) =>
    new Response(await part(String(url).split("/").pop()), { headers: { "Content-Type": "application/wasm" } });
  // with it the runtime would try whether it may load a script: it must not
  self.importScripts = () => { throw new Error("not here"); };
  const [runtime, program] = await Promise.all(
    ["pyodide.mjs", "pyodide.asm.mjs"].map(async (name) => import(address(await part(name)))));
  const python = await runtime.loadPyodide({
    indexURL: "parts:/",
    createPyodideModule: program.default,
    lockFileContents: JSON.stringify({
      info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
      packages: {},
    }),
    env: { HOME: "/tmp", SCORING_ALIGN: "plain" },
  });
  tell(0.75);
  write(python, await part("packages"));
  python.unpackArchive(await part("msgspec.whl"), "zip", { extractDir: PACKAGES });
  tell(0.8);
  answer = python.runPython(`
import sys
from scoring.serve.browser.tasks import answer
lambda body, tell=None: answer(body.to_bytes(), tell and (lambda stage, done, of: tell(stage, done, of)))`);
}

function reply(body) {
  let last = 0;
  const result = answer(new Uint8Array(body), (stage, done, of) => {
    if (performance.now() - last < 100) return;
    last = performance.now();
    self.postMessage({ stage, done, of });
  });
  const bytes = result.toJs();
  result.destroy();
  return bytes;
}

self.onmessage = async ({ data }) => {
  if (data.name) {
    part(data.name);
    arrived[data.name](data.content);
    return;
  }
  try {
    self.postMessage({ body: await (data.start ? start() : reply(data)) });
  } catch (problem) {
    self.postMessage({ problem: String(problem) });
  }
  if (data.start) answer?.(FIRST).destroy();
};
