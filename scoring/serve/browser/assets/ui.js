// The page: files, choices, tasks, results. Texts of files only ever become text nodes.

const REPORTS = { html: "HTML", json: "JSON", csv: "CSV", sys: ".sys", pra: ".pra" };
const OUTPUTS = ["problem", "remarks", "downloads", "text", "command", "report"];
const { service } = document.documentElement.dataset;
const lines = (text) => (text || "").split("\n").filter((line) => line.trim());
const show = (id, value) => { byId(id).hidden = !value; };
const put = (id, ...content) => {
  byId(id).replaceChildren(...content);
  show(id, content.length);
};
const putList = (id, texts) => put(id, ...(texts.length ? [element("ul", null, texts.map((text) => element("li", null, text)))] : []));
const say = (text) => { byId("status").textContent = text; };
const plainButton = (text, onclick) => element("button", { type: "button", class: "plain", onclick }, text);
const addressOf = (content, type) => URL.createObjectURL(new Blob([content], { type }));
const chosen = (form) => [...new FormData(byId(form))].filter(([, value]) => value);

const cancelled = () => new DOMException("cancelled", "AbortError");

// ---- engines: requests and answers are a line of JSON, then the bytes of files

const parts = {};

// Called by the scripts with parts of the page.
globalThis.sclitePart = (name, text) => { parts[name] = unpacked(text); };

const loaded = new Promise((resolve) => { addEventListener("load", resolve); });

// Python in a worker of this page, whose parts are scripts beside it. It answers in the order of the requests.
const inWorker = {
  waiting: [],
  async start() {
    const turn = (this.turn = {});
    await loaded;
    for (const { src } of document.querySelectorAll("script[src]")) {
      if (decodeURIComponent(src).replace(/.*\/|\.js$/g, "") in parts) continue;
      throw new Error(`${src} is missing, or the browser does not load it. Copy the whole folder; ` +
        "if it is whole, serve it: python3 -m http.server --bind 127.0.0.1");
    }
    const contents = Object.fromEntries(await Promise.all(Object.keys(parts).map(async (name) => [name, await parts[name]])));
    if (turn !== this.turn) throw cancelled();
    this.worker = new Worker(addressOf(contents["worker.js"], "text/javascript"));
    this.worker.onerror = (event) => this.end(new Error(event.message || "the worker does not start"));
    this.worker.onmessage = ({ data }) => {
      if ("stage" in data) this.waiting[0].hear?.(data);
      else if (data.problem) this.waiting.shift().reject(new Error(data.problem));
      else this.waiting.shift().resolve(data.body);
    };
    await this.send({ parts: contents });
  },
  send(message, hear) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, hear });
      this.worker.postMessage(message);
    });
  },
  async call(body, hear) {
    await (this.started ??= this.start());
    return this.send(body, hear);
  },
  // A worker at work hears nothing: it is ended, and the next task starts another.
  end(reason) {
    this.worker?.terminate();
    this.started = this.turn = null;
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  },
};

const atService = {
  async call(body, hear, signal) {
    const answer = await fetch(service, { method: "POST", body, signal });
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    const { error } = await answer.json();
    throw new Error(`${error.message}: ${error.data || ""}`);
  },
  end() {},
};

const engine = service ? atService : inWorker;

// What runs until somebody cancels it: a task belongs to it before its files are read.
let requests = new AbortController();

function cancel() {
  requests.abort(cancelled());
  requests = new AbortController();
  engine.end(cancelled());
}

// Run a task; its record and its files.
async function task(record, inputs = [], hear = null) {
  const { signal } = requests;
  const files = inputs.flatMap((input) => input.files);
  const head = JSON.stringify({ ...record, files: files.map(({ name, file }) => [name, file.size]) }) + "\n";
  const body = await new Blob([head, ...files.map(({ file }) => file)]).arrayBuffer();
  signal.throwIfAborted();
  const bytes = await engine.call(body, hear, signal);
  let end = bytes.indexOf(10) + 1;
  const answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  answer.files = answer.files.map(([name, size]) => ({ name, content: bytes.subarray(end, (end += size)) }));
  return answer;
}

// ---- slots for files

// The files of what was dropped: handles in Chromium, where pages from a disk cannot read entries; entries elsewhere.
async function filesIn(root, name = root.name) {
  const asked = (object, method) => new Promise((resolve, reject) => object[method](resolve, reject));
  if (root.kind === "file") return [{ name, file: await root.getFile() }];
  if (root.isFile) return [{ name, file: await asked(root, "file") }];
  const members = [];
  if (root.kind) for await (const member of root.values()) members.push(member);
  else for (let reader = root.createReader(), some; (some = await asked(reader, "readEntries")).length;) members.push(...some);
  return (await Promise.all(members.map((member) => filesIn(member, `${name}/${member.name}`)))).flat();
}

class Slot {
  constructor(id) {
    const box = byId(id);
    Object.assign(this, { inputs: [], list: box.querySelector("ul"), several: byId(`${id}-file`).multiple, encoding: byId(`${id}-encoding`) });
    this.encoding.addEventListener("change", () => this.detect());
    for (const picker of box.querySelectorAll("input")) {
      picker.nextElementSibling.onclick = () => picker.click();
      picker.onchange = () => {
        this.add([...picker.files].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
        picker.value = "";
      };
    }
    for (const name of ["dragover", "dragleave", "drop"]) {
      box.addEventListener(name, () => box.classList.toggle("over", name === "dragover"));
    }
    box.addEventListener("drop", async ({ dataTransfer }) => {
      const items = [...dataTransfer.items].filter((item) => item.kind === "file");
      const roots = await Promise.all(items.map((item) => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry()));
      this.add((await Promise.all(roots.map((root) => filesIn(root)))).flat());
    });
  }

  // Inputs of a command are files, and folders with all that lies in them.
  add(files) {
    const inputs = new Map(this.several ? this.inputs.map((input) => [input.name, input]) : []);
    for (const [name, group] of Map.groupBy(files, (file) => file.name.split("/")[0])) inputs.set(name, { name, files: group });
    this.inputs = [...inputs.values()];
    const isTooMany = !this.several && this.inputs.length > 1;
    putList("problem", isTooMany ? [`expected one file or folder, found ${this.inputs.length}: put them into a folder`] : []);
    if (isTooMany) this.inputs = [];
    this.detect();
  }

  async detect() {
    for (const input of this.inputs) input.format = "…";
    this.draw();
    for (const input of this.inputs) {
      const request = { task: "detect", input: input.name, choices: this.encoding.value ? [["encoding", this.encoding.value]] : [] };
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

function fail(texts) {
  say("This did not work.");
  putList("problem", texts);
}

const save = ({ name, content }) => saveFile(name.split("/").pop(), "", content);

// Work that a person waits for; null if it is cancelled or fails.
async function busy(work) {
  const enable = (value) => document.querySelectorAll(".main").forEach((button) => { button.disabled = !value; });
  showProgress({});
  show("working", true);
  enable(false);
  try {
    return (await work()) ?? null;
  } catch (problem) {
    if (problem.name === "AbortError") say("Cancelled.");
    else fail([problem.message]);
    return null;
  } finally {
    show("working", false);
    enable(true);
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
  putList("remarks", messages);
  put("command", "The same on a command line: ", element("code", null, answer.command));
  const { text = answer.text, buttons } = showFiles(answer);
  put("text", ...(text ? [text] : []));
  put("downloads", ...(buttons.length ? ["Download: ", ...buttons] : []));
}

// ---- choices

const offers = (select, value) => [...select.options].some((option) => option.value === value);
const showLink = () => { byId("share").href = `#${new URLSearchParams(chosen("form-score"))}`; };

function addStep(value) {
  if (!value || !offers(byId("steps"), value)) return;
  const tag = element("button", { type: "button", class: "tag", "aria-label": `Remove ${value}`, onclick: () => {
    tag.remove();
    showLink();
  } }, `${value} ×`, element("input", { type: "hidden", name: "normalize", value }));
  byId("chosen-steps").append(tag);
}

// The choices of a link; names and values that the page does not have are ignored.
function follow() {
  const form = byId("form-score");
  form.reset();
  byId("chosen-steps").replaceChildren();
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const control = form.elements[name];
    if (name === "normalize") addStep(value);
    else if (control?.type === "checkbox") control.checked = value === "true";
    else if (control?.options && offers(control, value)) control.value = value;
  }
  showLink();
}

// ---- tasks

const [reference, hypotheses, converted, checked] = ["reference", "hypothesis", "convert-in", "check-in"].map((id) => new Slot(id));

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
  const request = { task: "score", reference: given.name, hypotheses: systems.map(({ name }) => name), choices: chosen("form-score") };
  await run({ ...request, report: "html" }, inputs, ({ files }) => {
    URL.revokeObjectURL(byId("report").src);
    byId("report").src = addressOf(files[0].content, "text/html");
    show("report", true);
    const buttons = Object.entries(REPORTS).map(([report, text]) => plainButton(text, async () => {
      const answer = report === "html" ? { files } : await busy(() => task({ ...request, report }, inputs, showProgress));
      if (answer === null) return;
      if (!answer.files.length) return fail(lines(answer.messages));
      say(`${answer.files[0].name} is ready.`);
      answer.files.forEach(save);
    }));
    return { buttons };
  });
}

async function demo() {
  const answer = await busy(() => task({ task: "demo" }));
  if (answer === null) return;
  const [first, ...others] = answer.files.map(({ name, content }) => ({ name, file: new Blob([content]) }));
  reference.inputs = hypotheses.inputs = [];
  reference.add([first]);
  hypotheses.add(others);
  location.hash = "normalize=lowercase";
  follow();
  await score();
}

function simple(slot, form, verb) {
  const [input] = slot.inputs;
  if (!input) return fail(["expected a transcript: drop a file on the box"]);
  return run({ task: verb, input: input.name, choices: chosen(form) }, [input], ({ files }) => {
    const [first] = files.filter(({ name }) => !name.endsWith(".zip"));
    const text = first && new TextDecoder().decode(first.content.subarray(0, 20000));
    return { text, buttons: files.map((file) => plainButton(file.name, () => save(file))) };
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

const actions = {
  score, demo, cancel,
  convert: () => simple(converted, "form-convert", "convert"),
  validate: () => simple(checked, "form-check", "validate"),
  lint: () => simple(checked, "form-check", "lint"),
};

async function begin() {
  byId("tabs").onclick = ({ target }) => target.role === "tab" && open(target);
  byId("tabs").onkeydown = ({ key, target }) => {
    const next = { ArrowRight: target.nextElementSibling, ArrowLeft: target.previousElementSibling }[key];
    if (next?.role !== "tab") return;
    open(next);
    next.focus();
  };
  open(byId("tab-score"));
  for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
  for (const [id, action] of Object.entries(actions)) byId(id).onclick = action;
  byId("steps").onchange = ({ target }) => {
    addStep(target.value);
    target.value = "";
  };
  byId("form-score").addEventListener("change", showLink);
  follow();
  window.addEventListener("hashchange", follow);
  if (!service) await busy(() => (engine.started = engine.start()));
  if (byId("problem").hidden) say("Ready.");
  document.documentElement.dataset.ready = "";
}

begin();
