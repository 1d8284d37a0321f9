// The page: files, choices, tasks, results. Texts of files only ever become text nodes.

const REPORTS = [["html", "HTML"], ["json", "JSON"], ["csv", "CSV"], ["sys", ".sys"], ["pra", ".pra"]];
const ENCODINGS = ["utf-8", "auto", "windows-1252", "iso-8859-1", "utf-16"];
const FIELDS = { unit: "Unit", profile: "Alignment", missing: "No hypothesis", measure: "Speakers", like: "Recipe" };
const SWITCHES = { ignore_case: "Ignore case", forgive_optional: "Forgive optional words", allow_unmatched: "Allow extra utterances" };
const OUTPUTS = ["problem", "remarks", "downloads", "text", "command", "report"];
const { service, parts: names = "" } = document.documentElement.dataset;
const lines = (text) => (text || "").split("\n").filter((line) => line.trim());
const itemised = (texts) => element("ul", null, texts.map((text) => element("li", null, text)));
const show = (id, value) => { byId(id).hidden = !value; };
const say = (text) => { byId("status").textContent = text; };
const plainButton = (text, onclick) => element("button", { type: "button", class: "plain", onclick }, text);
const labelled = (text, control) => element("label", null, `${text} `, control);
const addressOf = (content, type) => URL.createObjectURL(new Blob([content], { type }));

// ---- engines: requests and answers are a line of JSON, then the bytes of files

const parts = {};

// Called by the scripts with parts of the page.
globalThis.sclitePart = (name, text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  parts[name] = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

const load = (src) => new Promise((resolve, reject) => {
  const onerror = () => reject(new Error(`${src} is missing, or the browser does not load it. Copy the whole folder; ` +
    "if it is whole, serve it: python3 -m http.server --bind 127.0.0.1"));
  document.head.append(element("script", { src, onload: resolve, onerror }));
});

// Python in a worker of this page, whose parts are scripts beside it.
const inWorker = {
  async start() {
    if (this.worker) return;
    const contents = {};
    await Promise.all(names.split(" ").filter((name) => !(name in parts)).map((name) => load(`parts/${name}.js`)));
    for (const name of Object.keys(parts)) contents[name] = await parts[name];
    this.worker = new Worker(addressOf(contents["worker.js"], "text/javascript"));
    await this.send({ parts: contents });
  },
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
  },
  call(body, hear) {
    return this.send({ body }, hear);
  },
  // A worker at work hears nothing: it is ended, and the next task starts another.
  cancel() {
    this.worker?.terminate();
    this.worker = null;
    this.stop?.(cancelled());
  },
};

const atService = {
  async start() {},
  async call(body) {
    this.request = new AbortController();
    const answer = await fetch(service, { method: "POST", body, signal: this.request.signal });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    const { error } = await answer.json();
    throw new Error(`${error.message}: ${error.data || ""}`);
  },
  cancel() {
    this.request?.abort();
  },
};

const engine = service ? atService : inWorker;
const cancelled = () => new DOMException("cancelled", "AbortError");
let last = Promise.resolve();
let cancels = 0;

// Run a task after those before it; its record and its files.
function task(record, inputs = [], hear = () => {}) {
  const files = inputs.flatMap((input) => input.files);
  const before = cancels;
  const result = last.then(async () => {
    const head = JSON.stringify({ ...record, files: files.map(({ name, file }) => [name, file.size]) }) + "\n";
    const body = await new Blob([head, ...files.map(({ file }) => file)]).arrayBuffer();
    await engine.start();
    if (before !== cancels) throw cancelled();
    const bytes = await engine.call(body, hear);
    let end = bytes.indexOf(10) + 1;
    const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    answer.files = answer.files.map(([name, size]) => ({ name, content: bytes.subarray(end, (end += size)) }));
    return answer;
  });
  last = result.catch(() => {});
  return result;
}

// ---- slots for files

async function filesIn(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.slice(1), file }];
  }
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return files;
    for (const inner of some) files.push(...(await filesIn(inner)));
  }
}

class Slot {
  constructor(parent, id, title, hint, several) {
    Object.assign(this, { id, several, inputs: [], list: element("ul") });
    this.format = element("select", { id: `${id}-format`, "aria-label": `${title}: format`, onchange: showLink });
    this.encoding = choice(`${id}-encoding`, `${title}: encoding`, ENCODINGS.map((name) => [name, name]), () => this.detect());
    const picker = (kind, text, more) => {
      const input = element("input", { type: "file", id: `${id}-${kind}`, multiple: several, "aria-label": `${title}: ${kind}`, ...more,
        onchange: () => {
          this.add([...input.files].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
          input.value = "";
        } });
      return [input, plainButton(text, () => input.click())];
    };
    const box = element("div", { class: "slot", role: "group", "aria-label": title },
      element("h2", null, title), element("p", { class: "quiet" }, hint), this.list,
      element("div", { class: "row" }, picker("file", several ? "Choose files …" : "Choose a file …", {}),
        picker("folder", "Choose a folder …", { webkitdirectory: true }), labelled("Format", this.format), labelled("Encoding", this.encoding)));
    for (const name of ["dragover", "dragleave", "drop"]) {
      box.addEventListener(name, () => box.classList.toggle("over", name === "dragover"));
    }
    box.addEventListener("drop", async ({ dataTransfer }) => {
      const entries = [...dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      this.add((await Promise.all(entries.map(filesIn))).flat());
    });
    byId(parent).append(box);
  }

  // Inputs of a command are files, and folders with all that lies in them.
  add(files) {
    const inputs = new Map(this.several ? this.inputs.map((input) => [input.name, input]) : []);
    for (const [name, group] of Map.groupBy(files, (file) => file.name.split("/")[0])) inputs.set(name, { name, files: group });
    this.inputs = [...inputs.values()];
    const isTooMany = !this.several && this.inputs.length > 1;
    showProblem(isTooMany ? [`expected one file or folder, found ${this.inputs.length}: put them into a folder`] : []);
    if (isTooMany) this.inputs = [];
    this.detect();
  }

  async detect() {
    showLink();
    for (const input of this.inputs) input.format = "…";
    this.draw();
    for (const input of this.inputs) {
      const request = { task: "check", verb: "detect", input: input.name, encoding: this.encoding.value };
      const { text, messages } = await task(request, [input]).catch(() => ({ text: "" }));
      input.format = [...new Set([...text.matchAll(/: (\S+)$/gm)].map(([, name]) => name))].join(", ") || lines(messages)[0] || "";
      this.draw();
    }
  }

  draw() {
    this.list.replaceChildren(...this.inputs.map((input) => element("li", null, element("strong", null, isolated(input.name)),
      element("span", { class: "quiet" }, input.files.length > 1 ? `${plural(input.files.length, "file", "files")} ` : "", input.format),
      element("button", { type: "button", class: "link", "aria-label": `Remove ${input.name}`, onclick: () => {
        this.inputs = this.inputs.filter((other) => other !== input);
        this.draw();
      } }, "remove"))));
  }
}

// ---- results

function showProgress({ stage, done, of }) {
  if (of) Object.assign(byId("progress"), { max: of, value: done });
  else byId("progress").removeAttribute("value");
  say(stage ? `${stage[0].toUpperCase()}${stage.slice(1)} …` : "Working …");
}

function showProblem(texts) {
  byId("problem").replaceChildren(itemised(texts));
  show("problem", texts.length);
}

function fail(texts) {
  say("This did not work.");
  showProblem(texts);
}

function save({ name, content }) {
  const href = addressOf(content, "");
  element("a", { href, download: name.split("/").pop() }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

// Work that a person waits for; null if it is cancelled or fails.
async function busy(work) {
  showProgress({});
  show("working", true);
  for (const button of document.querySelectorAll(".main")) button.disabled = true;
  try {
    return (await work()) ?? null;
  } catch (problem) {
    if (problem.name === "AbortError") say("Cancelled.");
    else fail([problem.message]);
    return null;
  } finally {
    show("working", false);
    for (const button of document.querySelectorAll(".main")) button.disabled = false;
  }
}

// Run a command, and show what came of it.
async function run(request, inputs, showFiles) {
  for (const id of OUTPUTS) show(id, false);
  const begun = performance.now();
  const answer = await busy(() => task(request, inputs, showProgress));
  if (answer === null) return;
  const messages = lines(answer.messages);
  if (answer.status !== 0 && answer.status !== 3) return fail(messages.length ? messages : [`exit status ${answer.status}`]);
  say(`Done in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  byId("remarks").replaceChildren(itemised(messages));
  show("remarks", messages.length);
  byId("text").textContent = answer.text;
  byId("command").replaceChildren("The same on a command line: ", element("code", null, answer.command));
  show("command", true);
  const buttons = showFiles(answer);
  byId("downloads").replaceChildren("Download: ", ...buttons);
  show("downloads", buttons.length);
  show("text", byId("text").textContent);
}

// ---- choices

let steps = [];
const reference = new Slot("score-files", "reference", "Reference", "What was said: drop a file or a folder here.", false);
const hypotheses = new Slot("score-files", "hypothesis", "Hypotheses", "What the recogniser wrote: drop one or more files or folders here.", true);
const converted = new Slot("convert-files", "convert-in", "Transcript", "Drop a file or a folder here.", false);
const checked = new Slot("check-files", "check-in", "Transcript", "Drop a file or a folder here.", false);

function showChoices({ reads, writes, steps: offered, choices: values }) {
  const titled = (table, first) => [["", first], ...Object.entries(table).map(([name, title]) => [name, `${name}: ${title}`])];
  const selects = Object.entries(FIELDS).map(([name, text]) =>
    labelled(text, choice(name, text, [["", "default"], ...values[name].map((value) => [value, value])], showLink)));
  const switches = Object.entries(SWITCHES).map(([id, text]) =>
    element("label", null, element("input", { type: "checkbox", id, onchange: showLink }), ` ${text}`));
  const adding = choice("steps", "Normalisation", titled(offered, "add a step …"), (name) => {
    if (name) steps.push(name);
    byId("steps").value = "";
    showSteps();
  });
  byId("choices").replaceChildren(...selects, labelled("Normalisation", adding), element("span", { id: "chosen-steps" }), ...switches);
  const options = (pairs) => pairs.map(([value, text]) => element("option", { value }, text));
  for (const slot of [reference, hypotheses, converted, checked]) slot.format.replaceChildren(...options(titled(reads, "detected")));
  byId("to").replaceChildren(...options(writes.map((name) => [name, `${name}: ${reads[name]}`])));
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

// Controls by the names of their choices, with the values that need not be said.
const controls = () => [
  ...Object.keys(FIELDS).map((name) => [name, byId(name), ""]),
  ...[reference, hypotheses].flatMap(({ id, format, encoding }) => [[`${id}_format`, format, ""], [`${id}_encoding`, encoding, "utf-8"]]),
];

function choices() {
  const chosen = controls().filter(([, control, usual]) => control.value !== usual).map(([name, control]) => [name, control.value]);
  const switched = Object.keys(SWITCHES).filter((name) => byId(name).checked).map((name) => [name, true]);
  return Object.fromEntries([...(steps.length ? [["normalize", steps]] : []), ...chosen, ...switched]);
}

function showLink() {
  byId("share").href = `#${new URLSearchParams(Object.entries(choices()).flatMap(([name, value]) => [value].flat().map((one) => [name, one])))}`;
}

// The choices of a link; names and values that the page does not have are ignored.
function follow() {
  const words = new URLSearchParams(location.hash.slice(1));
  const has = (select, value) => [...select.options].some((option) => option.value === value);
  steps = words.getAll("normalize").filter((name) => name && has(byId("steps"), name));
  for (const name of Object.keys(SWITCHES)) byId(name).checked = words.get(name) === "true";
  for (const [name, select, usual] of controls()) select.value = has(select, words.get(name)) ? words.get(name) : usual;
  showSteps();
}

// ---- tasks

async function score() {
  if (!reference.inputs.length || !hypotheses.inputs.length) {
    return fail(["expected a reference and a hypothesis: drop files on both boxes"]);
  }
  // the same name on both sides: the hypothesis gets a folder of its own
  const [given] = reference.inputs;
  const systems = hypotheses.inputs.map((input) => input.name !== given.name ? input : {
    name: `hypothesis/${input.name}`,
    files: input.files.map(({ name, file }) => ({ name: `hypothesis/${name}`, file })),
  });
  const inputs = [given, ...systems];
  const request = { task: "score", reference: given.name, hypotheses: systems.map(({ name }) => name), choices: choices() };
  await run({ ...request, report: "html" }, inputs, ({ files }) => {
    URL.revokeObjectURL(byId("report").src);
    byId("report").src = addressOf(files[0].content, "text/html");
    show("report", true);
    return REPORTS.map(([report, text]) => plainButton(text, async () => {
      const answer = report === "html" ? { files } : await busy(() => task({ ...request, report }, inputs, showProgress));
      if (answer === null) return;
      if (!answer.files.length) return fail(lines(answer.messages));
      say(`${answer.files[0].name} is ready.`);
      answer.files.forEach(save);
    }));
  });
}

async function demo() {
  const answer = await busy(() => task({ task: "demo" }));
  if (answer === null) return;
  const [first, ...others] = answer.files.map(({ name, content }) => ({ name, file: new Blob([content]) }));
  hypotheses.inputs = [];
  reference.inputs = [];
  reference.add([first]);
  hypotheses.add(others);
  steps = ["lowercase"];
  showSteps();
  await score();
}

function simple(slot, request) {
  const [input] = slot.inputs;
  if (!input) return fail(["expected a transcript: drop a file on the box"]);
  const reading = { input: input.name, format: slot.format.value, encoding: slot.encoding.value };
  return run({ ...request, ...reading }, [input], ({ files }) => {
    if (files.length && !files[0].name.endsWith(".zip")) {
      byId("text").textContent = new TextDecoder().decode(files[0].content.subarray(0, 20000));
    }
    return files.map((file) => plainButton(file.name, () => save(file)));
  });
}

function open(tab) {
  for (const other of document.querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    show(other.getAttribute("aria-controls"), other === tab);
  }
  for (const id of OUTPUTS) show(id, false);
}

async function begin() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  for (const [at, tab] of tabs.entries()) {
    tab.onclick = () => open(tab);
    tab.onkeydown = ({ key }) => {
      const next = tabs[(at + ({ ArrowRight: 1, ArrowLeft: tabs.length - 1 }[key] || 0)) % tabs.length];
      if (next === tab) return;
      next.click();
      next.focus();
    };
  }
  open(tabs[0]);
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  const actions = {
    score, demo,
    cancel: () => {
      cancels += 1;
      engine.cancel();
    },
    convert: () => simple(converted, { task: "convert", to: byId("to").value, interpolate: byId("interpolate").value }),
    validate: () => simple(checked, { task: "check", verb: "validate" }),
    lint: () => simple(checked, { task: "check", verb: "lint" }),
  };
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  showChoices(JSON.parse(byId("offered").textContent));
  follow();
  window.addEventListener("hashchange", follow);
  await busy(() => engine.start());
  if (byId("problem").hidden) say("Ready.");
  document.documentElement.dataset.ready = "";
}

begin();
