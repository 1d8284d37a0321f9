// Runs sclite within the page's runtime, in folders of this machine: a request per line, as of the
// worker of our sclite; an answer per line. The argument is a folder with the parts of the page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, ...roots] = process.argv.slice(2);
const read = (name) => new Uint8Array(readFileSync(`${folder}/${name}`));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: folder,
  lockFileContents: JSON.stringify({
    info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
    packages: {},
  }),
  env: { HOME: "/", SCORING_ALIGN: "plain", LC_ALL: "C", TZ: "UTC" },
});
for (const name of ["msgspec.whl", "packages.zip"]) {
  python.unpackArchive(read(name), "zip", { extractDir: "/lib/python3.14/site-packages" });
}
python.globals.set("checkout", roots[0]);
python.globals.set("work", roots[1]);
for (const root of roots) {
  python.FS.mkdirTree(root);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, root);
}

// no browser has other programs: alignment by diff (-d) borrows that of this machine
let borrowed = 0;
python.globals.set("borrow", (...command) => {
  borrowed += 1;
  return new Uint8Array(spawnSync(command[0], command.slice(1)).stdout);
});
const run = python.runPython(`
import os, sys, tempfile
sys.path.append(checkout)
tempfile.tempdir = work
from scoring.alignment import side_by_side
from tests.judges.sclite.worker import open_streams, status_of

side_by_side._run = lambda command: borrow(*command).to_bytes()

def run(line):
    directory, streams, *arguments = map(os.fsdecode, bytes.fromhex(line).split(b"\\0"))
    sys.stdout.flush(), sys.stderr.flush()
    open_streams(streams)
    os.chdir(directory)
    status = status_of(arguments)
    sys.stdout.flush(), sys.stderr.flush()
    return status & 0xFF
run`);
for await (const line of createInterface({ input: process.stdin })) {
  borrowed = 0;
  const status = run(line.trim());
  process.stdout.write(`${status} ${borrowed}\n`);
}
