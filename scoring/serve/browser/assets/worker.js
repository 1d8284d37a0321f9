// The scorer within the browser: a worker that runs our packages in the Python runtime.
"use strict";

const address = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));
let answer;

// How far the start is, from 0 to 1.
const tell = (done) => self.postMessage({ stage: "loading", done });

async function start(parts) {
  // the runtime asks for its files by name: they are all here, and the policy allows no request
  self.fetch = async (url) =>
    new Response(parts[String(url).split("/").pop()], { headers: { "Content-Type": "application/wasm" } });
  // with it the runtime would try whether it may load a script: it must not
  self.importScripts = () => { throw new Error("not here"); };
  const [runtime, program] = await Promise.all(
    ["pyodide.mjs", "pyodide.asm.mjs"].map((name) => import(address(parts[name]))));
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
  for (const name of Object.keys(parts).filter((part) => part.endsWith(".whl"))) {
    python.unpackArchive(parts[name], "zip", { extractDir: "/lib/python3.14/site-packages" });
  }
  python.unpackArchive(parts["packages.zip"], "zip", { extractDir: "/lib/python3.14/site-packages" });
  tell(0.8);
  answer = python.runPython(`
import sys
from scoring.serve.browser.tasks import answer
lambda body, tell: answer(body.to_bytes(), lambda stage, done, of: tell(stage, done, of))`);
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
  try {
    self.postMessage({ body: await (data.parts ? start(data.parts) : reply(data)) });
  } catch (problem) {
    self.postMessage({ problem: String(problem) });
  }
};
