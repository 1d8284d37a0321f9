// The page: files, choices, tasks, results. Texts of files only ever become text nodes.

const KEPT_DOWNLOADS = [["html", "HTML"], ["json", "JSON"], ["csv", "CSV"], ["sys", ".sys"], ["pra", ".pra"]];
const ENCODINGS = ["utf-8", "auto", "windows-1252", "iso-8859-1", "utf-16"];
const SERVE = "python3 -m http.server --bind 127.0.0.1";

// ---- the engines: requests and answers are a line of JSON, then the bytes of files

const parts = {};

// Called by the scripts with parts of the page.
globalThis.sclitePart = (name, text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  parts[name] = new Response(stream).arrayBuffer();
};

function loadScript(address) {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: address });
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${address} is missing, or the browser does not load it. ` +
      `Copy the whole folder; if that is not it, serve the folder: ${SERVE}`));
    document.head.append(script);
  });
}

// Python in a worker of this page, which loads it from the folder.
class WorkerEngine {
  constructor(names) {
    this.names = names;
  }

  async start() {
    if (this.worker) return;
    await Promise.all(this.names.filter((name) => !(name in parts)).map((name) => loadScript(`parts/${name}.js`)));
    const contents = {};
    for (const name of this.names) contents[name] = await parts[name];
    const address = URL.createObjectURL(new Blob([contents["worker.js"]], { type: "text/javascript" }));
    this.worker = new Worker(address);
    await this.send({ parts: contents });
  }

  send(message, hear) {
    return new Promise((resolve, reject) => {
      this.stop = reject;
      this.worker.onerror = (event) => reject(new Error(event.message || "the worker does not start"));
      this.worker.onmessage = ({ data }) => {
        if ("stage" in data) hear(data);
        else if (data.problem) reject(new Error(data.problem));
        else resolve(data.body);
      };
      this.worker.postMessage(message);
    });
  }

  async call(blob, hear) {
    await this.start();
    const body = await blob.arrayBuffer();
    return new Uint8Array(await this.send({ body }, hear));
  }

  // A worker that works hears nothing: it is ended, and the next task starts another.
  cancel() {
    if (!this.worker) return;
    this.worker.terminate();
    this.worker = null;
    this.stop(new DOMException("cancelled", "AbortError"));
  }
}

// The service that served this page.
class ServiceEngine {
  constructor(address) {
    this.address = address;
  }

  async start() {}

  async call(body) {
    this.request = new AbortController();
    const answer = await fetch(this.address, { method: "POST", body, signal: this.request.signal });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.ok) return bytes;
    const { error } = JSON.parse(new TextDecoder().decode(bytes));
    throw new Error(`${error.message}: ${error.data || ""}`);
  }

  cancel() {
    if (this.request) this.request.abort();
  }
}

const engine = document.documentElement.dataset.service
  ? new ServiceEngine(document.documentElement.dataset.service)
  : new WorkerEngine(document.documentElement.dataset.parts.split(" "));

let last = Promise.resolve();

// Run a task after those before it; its record and its files.
function task(record, inputs = [], hear = () => {}) {
  const files = inputs.flatMap((input) => input.files);
  const work = async () => {
    const head = JSON.stringify({ ...record, files: files.map(({ name, file }) => [name, file.size]) }) + "\n";
    const bytes = await engine.call(new Blob([head, ...files.map(({ file }) => file)]), hear);
    const end = bytes.indexOf(10);
    const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    let start = end + 1;
    answer.files = answer.files.map(([name, size]) => {
      start += size;
      return { name, content: bytes.subarray(start - size, start) };
    });
    return answer;
  };
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

// ---- files: slots to drop them on

async function entriesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const inner of some) found.push(...(await entriesOf(inner)));
  }
}

// Inputs of a command: a file of its own, or all that lies in one folder.
function inputsOf(files) {
  const inputs = new Map();
  for (const { name, file } of files) {
    const top = name.split("/")[0];
    if (!inputs.has(top)) inputs.set(top, { name: top, files: [] });
    inputs.get(top).files.push({ name, file });
  }
  return [...inputs.values()];
}

class Slot {
  constructor(parent, id, title, hint, several) {
    this.inputs = [];
    this.id = id;
    this.several = several;
    this.list = element("ul");
    this.format = element("select", { id: `${id}-format`, "aria-label": `${title}: format` });
    this.encoding = choice(`${id}-encoding`, `${title}: encoding`, ENCODINGS.map((name) => [name, name]), () => this.detect());
    const file = this.picker(`${id}-file`, title, {});
    const folder = this.picker(`${id}-folder`, `${title}: folder`, { webkitdirectory: true });
    const press = (input, text) => element("button", { type: "button", class: "plain", onclick: () => input.click() }, text);
    this.box = element("div", { class: "slot", role: "group", "aria-label": title },
      element("h2", null, title), element("p", { class: "quiet" }, hint), this.list,
      element("div", { class: "row" }, file, folder, press(file, `Choose ${several ? "files" : "a file"} …`),
        press(folder, "Choose a folder …"), element("label", null, "Format ", this.format),
        element("label", null, "Encoding ", this.encoding)));
    for (const name of ["dragover", "dragleave", "drop"]) {
      this.box.addEventListener(name, (event) => {
        event.preventDefault();
        this.box.classList.toggle("over", name === "dragover");
      });
    }
    this.box.addEventListener("drop", async (event) => {
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      const files = [];
      for (const entry of entries) files.push(...(await entriesOf(entry)));
      this.add(files);
    });
    byId(parent).append(this.box);
  }

  picker(id, label, more) {
    return element("input", { type: "file", id, multiple: this.several, "aria-label": label, ...more, onchange: (event) => {
      this.add([...event.target.files].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
      event.target.value = "";
    } });
  }

  add(files) {
    const inputs = inputsOf(files);
    if (!this.several) this.inputs = inputs.slice(0, 1);
    else this.inputs = [...this.inputs.filter(({ name }) => !inputs.some((one) => one.name === name)), ...inputs];
    if (inputs.length > 1 && !this.several) showProblem([`expected one file or folder, found ${inputs.length}: ${inputs[0].name} is taken`]);
    this.detect();
  }

  async detect() {
    this.show();
    for (const input of this.inputs) {
      try {
        const answer = await task({ task: "check", verb: "detect", input: input.name, encoding: this.encoding.value }, [input]);
        const formats = new Set([...answer.text.matchAll(/: (\S+)$/gm)].map(([, name]) => name));
        input.format = [...formats].join(", ") || lines(answer.messages)[0] || "";
      } catch (problem) {
        input.format = "";
        if (problem.name !== "AbortError") throw problem;
      }
      this.show();
    }
  }

  show() {
    this.list.replaceChildren(...this.inputs.map((input) => element("li", null,
      element("strong", null, isolated(input.name)),
      element("span", { class: "quiet" }, input.files.length > 1 ? plural(input.files.length, "file", "files") : "",
        " ", input.format === undefined ? "…" : input.format),
      element("button", { type: "button", class: "link", "aria-label": `Remove ${input.name}`, onclick: () => {
        this.inputs = this.inputs.filter((one) => one !== input);
        this.show();
      } }, "remove"))));
  }
}

// ---- results

const lines = (text) => (text || "").split("\n").filter((line) => line.trim());
const shown = (id, value) => { byId(id).hidden = !value; };
const itemised = (texts) => element("ul", null, texts.map((text) => element("li", null, text)));
let begun = 0;

function showProgress({ stage, done, of }) {
  const bar = byId("progress");
  if (of) [bar.max, bar.value] = [of, done];
  else bar.removeAttribute("value");
  byId("status").textContent = stage ? `${stage[0].toUpperCase()}${stage.slice(1)} …` : "Working …";
}

function showProblem(texts) {
  byId("problem").replaceChildren(itemised(texts));
  shown("problem", texts.length);
}

function save({ name, content }) {
  const address = URL.createObjectURL(new Blob([content]));
  const link = element("a", { href: address, download: name.split("/").pop() });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

const downloadButton = (text, press) => element("button", { type: "button", class: "plain", onclick: press }, text);

// Run a task that a person asked for, and show what came of it.
async function work(record, inputs, showFiles) {
  for (const id of ["problem", "remarks", "downloads", "text", "command", "report"]) shown(id, false);
  const answer = await busy(record, inputs);
  if (answer === null) return;
  const isDone = answer.status === 0 || answer.status === 3;
  const messages = lines(answer.messages);
  if (!isDone) {
    byId("status").textContent = "This did not work.";
    return showProblem(messages.length ? messages : [`exit status ${answer.status}`]);
  }
  byId("status").textContent = `Done in ${((performance.now() - begun) / 1000).toFixed(1)} s.`;
  byId("remarks").replaceChildren(itemised(messages));
  shown("remarks", messages.length);
  byId("text").textContent = answer.text;
  shown("text", answer.text);
  byId("command").replaceChildren("The same on a command line: ", element("code", null, answer.command));
  shown("command", true);
  if (showFiles) showFiles(answer);
}

async function busy(record, inputs) {
  begun = performance.now();
  showProgress({});
  shown("working", true);
  for (const button of document.querySelectorAll(".main")) button.disabled = true;
  try {
    return await (record === null ? engine.start() : task(record, inputs, showProgress));
  } catch (problem) {
    byId("status").textContent = problem.name === "AbortError" ? "Cancelled." : "This did not work.";
    if (problem.name !== "AbortError") showProblem([problem.message]);
    return null;
  } finally {
    shown("working", false);
    for (const button of document.querySelectorAll(".main")) button.disabled = false;
  }
}

function offer(buttons) {
  byId("downloads").replaceChildren("Download: ", ...buttons);
  shown("downloads", true);
}

// ---- choices

let steps = [];
const reference = new Slot("score-files", "reference", "Reference", "What was said: drop a file or a folder here.", false);
const hypotheses = new Slot("score-files", "hypothesis", "Hypotheses", "What the recogniser wrote: drop one or more files or folders here.", true);
const converted = new Slot("convert-files", "convert-in", "Transcript", "Drop a file or a folder here.", false);
const checked = new Slot("check-files", "check-in", "Transcript", "Drop a file or a folder here.", false);
const FIELDS = { unit: "Unit", profile: "Alignment", missing: "No hypothesis", measure: "Speakers", like: "Recipe" };
const SWITCHES = { ignore_case: "Ignore case", forgive_optional: "Forgive optional words", allow_unmatched: "Allow extra utterances" };

function showChoices(about) {
  const labelled = (text, control) => element("label", null, `${text} `, control);
  const options = (values) => [["", "default"], ...values.map((value) => [value, value])];
  const selects = Object.entries(FIELDS).map(([name, text]) =>
    labelled(text, choice(name, text, options(about.choices[name]), showLink)));
  const switches = Object.entries(SWITCHES).map(([name, text]) =>
    element("label", null, element("input", { type: "checkbox", id: name, onchange: showLink }), ` ${text}`));
  const names = [["", "add a step …"], ...Object.entries(about.steps).map(([name, title]) => [name, `${name}: ${title}`])];
  const adding = choice("steps", "Normalisation", names, (name) => {
    byId("steps").value = "";
    if (name) steps.push(name);
    showSteps();
  });
  byId("choices").replaceChildren(...selects, labelled("Normalisation", adding), element("span", { id: "chosen-steps" }), ...switches);
  const formats = Object.entries(about.reads).map(([name, title]) => [name, `${name}: ${title}`]);
  for (const slot of [reference, hypotheses, converted, checked]) {
    slot.format.replaceChildren(...[["", "detected"], ...formats].map(([value, text]) => element("option", { value }, text)));
    slot.format.onchange = showLink;
    slot.encoding.addEventListener("change", showLink);
  }
  byId("to").replaceChildren(...about.writes.map((name) => element("option", { value: name }, `${name}: ${about.reads[name]}`)));
  byId("to").value = "srt";
}

function showSteps() {
  byId("chosen-steps").replaceChildren(...steps.map((name, at) => element("button", {
    type: "button", class: "tag", "aria-label": `Remove ${name}`, onclick: () => {
      steps.splice(at, 1);
      showSteps();
    } }, `${name} ×`)));
  showLink();
}

function choices() {
  const chosen = { normalize: steps, reference_format: reference.format.value, hypothesis_format: hypotheses.format.value };
  for (const name of Object.keys(FIELDS)) chosen[name] = byId(name).value;
  for (const name of Object.keys(SWITCHES)) chosen[name] = byId(name).checked;
  for (const slot of [reference, hypotheses]) {
    if (slot.encoding.value !== "utf-8") chosen[`${slot.id}_encoding`] = slot.encoding.value;
  }
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => (Array.isArray(value) ? value.length : value)));
}

function showLink() {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(choices())) for (const one of [value].flat()) words.append(name, one);
  byId("share").href = `#${words}`;
}

// The choices of a link; names and values that the page does not have are ignored.
function follow() {
  const words = new URLSearchParams(location.hash.slice(1));
  const offered = new Set([...byId("steps").options].map((option) => option.value));
  steps = words.getAll("normalize").filter((name) => name && offered.has(name));
  for (const name of Object.keys(SWITCHES)) byId(name).checked = words.get(name) === "true";
  const selects = Object.keys(FIELDS).map((name) => [name, byId(name), ""]);
  for (const slot of [reference, hypotheses]) {
    selects.push([`${slot.id}_format`, slot.format, ""], [`${slot.id}_encoding`, slot.encoding, "utf-8"]);
  }
  for (const [name, select, usual] of selects) {
    const value = words.get(name) || usual;
    select.value = [...select.options].some((option) => option.value === value) ? value : usual;
  }
  showSteps();
}

// ---- tasks

// The same name on both sides: hypotheses get a folder of their own.
function apart() {
  const taken = new Set(reference.inputs.map(({ name }) => name));
  return hypotheses.inputs.map((input) => !taken.has(input.name) ? input : {
    name: `hypothesis/${input.name}`,
    files: input.files.map(({ name, file }) => ({ name: `hypothesis/${name}`, file })),
  });
}

async function score() {
  if (!reference.inputs.length || !hypotheses.inputs.length) {
    return showProblem(["expected a reference and a hypothesis: drop files on both boxes"]);
  }
  const systems = apart();
  const inputs = [...reference.inputs, ...systems];
  const request = {
    task: "score", reference: reference.inputs[0].name, hypotheses: systems.map(({ name }) => name), choices: choices(),
  };
  await work({ ...request, report: "html" }, inputs, ({ files }) => {
    URL.revokeObjectURL(byId("report").src);
    byId("report").src = URL.createObjectURL(new Blob([files[0].content], { type: "text/html" }));
    shown("report", true);
    offer(KEPT_DOWNLOADS.map(([report, text]) => downloadButton(text, async () => {
      const answer = report === "html" ? { files } : await busy({ ...request, report }, inputs);
      if (answer === null) return;
      showProblem(answer.files.length ? [] : lines(answer.messages));
      byId("status").textContent = answer.files.length ? `${answer.files[0].name} is ready.` : "This did not work.";
      answer.files.forEach(save);
    })));
  });
}

async function demo() {
  const answer = await busy({ task: "demo" });
  if (answer === null) return;
  const [first, ...others] = answer.files.map(({ name, content }) => ({ name, file: new Blob([content]) }));
  hypotheses.inputs = [];
  reference.add([first]);
  hypotheses.add(others);
  steps = ["lowercase"];
  showSteps();
  await score();
}

function simple(slot, record) {
  if (!slot.inputs.length) return showProblem(["expected a transcript: drop a file on the box"]);
  const [input] = slot.inputs;
  const reading = { input: input.name, format: slot.format.value, encoding: slot.encoding.value };
  return work({ ...record, ...reading }, [input], ({ files, messages }) => {
    if (!files.length) return;
    offer(files.map((file) => downloadButton(file.name, () => save(file))));
    const first = new TextDecoder().decode(files[0].content.subarray(0, 20000));
    byId("text").textContent = files[0].name.endsWith(".zip") ? "" : first;
    shown("text", byId("text").textContent);
    if (!lines(messages).length) byId("status").textContent += " Nothing is lost.";
  });
}

function open(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    shown(tab.getAttribute("aria-controls"), isOpen);
  }
  for (const id of ["problem", "remarks", "downloads", "text", "command", "report"]) shown(id, false);
}

async function begin() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => open(tab.id.slice(4)));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key];
      if (!step) return;
      const next = tabs[(at + step) % tabs.length];
      next.click();
      next.focus();
    });
  }
  open("score");
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  byId("score").onclick = score;
  byId("demo").onclick = demo;
  byId("convert").onclick = () => simple(converted, { task: "convert", to: byId("to").value, interpolate: byId("interpolate").value });
  byId("validate").onclick = () => simple(checked, { task: "check", verb: "validate" });
  byId("lint").onclick = () => simple(checked, { task: "check", verb: "lint" });
  byId("cancel").onclick = () => engine.cancel();
  showChoices(JSON.parse(byId("offered").textContent));
  follow();
  window.addEventListener("hashchange", follow);
  await busy(null);
  if (byId("problem").hidden) byId("status").textContent = "Ready.";
  document.documentElement.dataset.ready = "";
}

begin();
