// Compiles the modules in archives with the runtime that the page will run them in: node runs this during the export.
// Arguments: the folder of the runtime, and the names of archives in it, which are overwritten.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: folder,
  lockFileContents: JSON.stringify({
    info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
    packages: {},
  }),
  env: { HOME: "/tmp", PYTHONNODEBUGRANGES: "1" }, // without columns, whose tables are a third of the modules
});
// a compiled module is used without its source, and never compared with it
const compiled = python.runPython(`
import io, importlib.util, marshal, zipfile
HEAD = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)

def compiled(content):
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content.to_bytes())) as source, zipfile.ZipFile(target, "w") as file:
        for member in source.infolist():
            name, data = member.filename, source.read(member)
            if name.endswith(".py"):
                code = compile(data, name, "exec", dont_inherit=True)
                name, data = f"{name}c", HEAD + marshal.dumps(code)
            file.writestr(zipfile.ZipInfo(name), data)
    return target.getvalue()
compiled`);
for (const name of names) {
  const content = compiled(new Uint8Array(readFileSync(`${folder}/${name}`)));
  writeFileSync(`${folder}/${name}`, content.toJs());
}
