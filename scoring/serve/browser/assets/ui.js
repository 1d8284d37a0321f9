// The page: files, choices, tasks, results. Texts of files only ever become text nodes.

// What can be downloaded of a result, by task.
const REPORTS = {
  score: { html: "HTML", json: "JSON", csv: "CSV", sys: ".sys", pra: ".pra" },
  der: { html: "HTML", json: "JSON", csv: "CSV" },
  kws: { html: "HTML", json: "JSON", csv: "CSV", txt: "TXT" },
};
const KINDS = ["ecf", "kwlist", "rttm", "kwslist"]; // the files of a keyword search
const SHOWN_CUES = 300; // that are listed at first
const [TALL, FASTEST] = [48, 40]; // pixels of a strip, and the characters per second that fill it
const OUTPUTS = ["problem", "player", "words", "remarks", "texts", "notes", "downloads", "text", "details", "report", "command"];
const MEGABYTE = 1e6;
const LARGE = 10 * MEGABYTE; // of all files, where the work is done in the browser
const SECONDS = 9; // that it takes for a megabyte there
const ENTRY = 4000; // bytes of a file that are shown
const UNUSUAL = ["txt", "txt-lines"]; // formats of texts that may have speakers or times
const POLL = 300; // milliseconds between questions for progress
const { service } = document.documentElement.dataset;
const MESSAGES = JSON.parse(byId("messages").textContent);
const TITLES = JSON.parse(byId("titles").textContent);
const byForm = (id) => document.forms[id];
let language = "en";
const filled = (key, values) => MESSAGES[language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const t = (key, ...values) => filled(key, values);
// A value of a choice or a title of a figure in the language of the page, as far as the page knows it.
const valueText = (value) => MESSAGES[language][`value.${value}`] ?? value;
const figureText = (title) => MESSAGES[language][`figure.${title}`] ?? title;
// The name of a number of a measure. Definitions, JSON and papers have these names only in English.
const figureName = (name) => element("bdi", { lang: figureText(name) === name ? "en" : null }, figureText(name));
const number = (value, digits = 0) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const show = (id, value) => { byId(id).hidden = !value; };
const put = (id, ...content) => {
  byId(id).replaceChildren(...content);
  show(id, content.length);
};
const putList = (id, items) => put(id, ...(items.length ? [element("ul", null, items.map((item) => element("li", null, item)))] : []));
let status = () => t("starting");
// Show a status, in another language after that is chosen.
const say = (made) => {
  status = made;
  byId("status").textContent = made();
};
const plainButton = (text, onclick) => element("button", { type: "button", class: "plain", onclick }, text);
const addressOf = (content, type) => URL.createObjectURL(new Blob([content], { type }));
const chosen = (form) => [...new FormData(byForm(form))].filter(([, value]) => value);

// The number in a field with a comma or a point before its decimals, as commands read it; nothing for an empty field.
const numberOf = (input) => input.value.trim().replace(",", ".").replace("−", "-");

// What is wrong with the fields of numbers that a person sees.
function wrongNumbers() {
  const fields = [...document.querySelectorAll("input[data-least]")].filter((input) => input.offsetParent);
  const isRight = (input, text = numberOf(input), { least, most } = input.dataset) =>
    !text || (/^-?\d+(\.\d+)?$/.test(text) && Number(text) >= Number(least) && Number(text) <= Number(most));
  for (const input of fields) input.setAttribute("aria-invalid", String(!isRight(input)));
  const wrong = fields.filter((input) => !isRight(input));
  wrong[0]?.focus();
  return wrong.map(({ labels: [label], value, dataset: { least, most } }) => t("notNumber", label.innerText.trim(), least, most, value));
}

const cancelled = () => new DOMException("cancelled", "AbortError");

// ---- languages

let redraw = () => {};
const slots = [];

// The name of a language in the language of the page, or else in English.
function languageName(code) {
  const names = [language, "en"].map((known) => new Intl.DisplayNames(known, { type: "language", fallback: "none" }));
  return names.map((known) => known.of(code)).find(Boolean);
}

function speak(code) {
  language = code;
  document.documentElement.lang = code;
  document.title = t("title");
  byId("language").value = code;
  byId("report").title = t("report");
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t, valueText(node.dataset.tWith));
  for (const node of document.querySelectorAll("[data-t-label]")) {
    node.setAttribute("aria-label", t(node.dataset.tLabel, node.dataset.tOf && t(node.dataset.tOf)));
  }
  for (const option of document.querySelectorAll("option[data-title]")) {
    const title = code === "en" ? option.dataset.title : TITLES[code][option.value];
    option.textContent = title ? `${option.value}: ${title}` : option.value;
  }
  for (const option of document.querySelectorAll("option[data-figure]")) {
    option.textContent = `${option.value}: ${figureText(option.dataset.figure)}`;
  }
  // a language whose name the browser does not know leaves the list
  for (const option of [...(byId("forms-language")?.options || [])]) {
    const name = languageName(option.value);
    if (name) option.textContent = name;
    else option.remove();
  }
  listLanguages();
  for (const slot of slots) slot.draw();
  say(status);
  redraw();
}

function preferred() {
  const known = navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in MESSAGES);
  return known || "en";
}

// ---- engines: requests and answers are a line of JSON, then the bytes of files

const parts = {};
// The sizes of the scripts with parts of the page, and what has to be done before the page can score: to load
// the parts, to unpack them, and to start the scorer.
const sizes = JSON.parse(byId("parts")?.textContent || "{}");
const allBytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const SHARES = { load: 0.1, unpack: 0.05, start: 0.85 }; // of the time
const arrived = new Set();
const unpackedParts = new Set();
let hearOfStart = null;

const shareOf = (names) => [...names].reduce((sum, name) => sum + sizes[name], 0) / (allBytes || 1);
function tellOfStart(started = 0) {
  const done = SHARES.load * shareOf(arrived) + SHARES.unpack * shareOf(unpackedParts) + SHARES.start * started;
  hearOfStart?.({ stage: "loading", done, of: 1 });
}

// Called by the scripts with parts of the page.
globalThis.sclitePart = (name, text) => {
  arrived.add(name);
  tellOfStart();
  parts[name] = unpacked(text).then((content) => {
    unpackedParts.add(name);
    tellOfStart();
    return content;
  });
};

const loaded = new Promise((resolve) => { addEventListener("load", resolve); });

// Load the parts of a page that began with a scored demo.
async function loadParts(names) {
  if (!names.length) throw new Error(t("demoOnly"));
  await Promise.all(names.filter((name) => !(name in parts)).map((name) => new Promise((resolve) => {
    const script = element("script", { src: `parts/${name}.js`, onload: resolve, onerror: resolve });
    document.body.append(script);
  })));
}

// Python in a worker of this page, whose parts are scripts beside it. It answers in the order of the requests.
const inWorker = {
  waiting: [],
  async start(hear) {
    const turn = (this.turn = {});
    hearOfStart = (state) => turn === this.turn && hear?.(state);
    tellOfStart();
    await loaded;
    if (byId("prepared")) await loadParts(Object.keys(sizes));
    for (const { src } of document.querySelectorAll("script[src]")) {
      if (decodeURIComponent(src).replace(/.*\/|\.js$/g, "") in parts) continue;
      throw new Error(t("missingPart", src, "python3 -m http.server --bind 127.0.0.1"));
    }
    const script = await parts["worker.js"];
    if (turn !== this.turn) throw cancelled();
    const worker = (this.worker = new Worker(addressOf(script, "text/javascript")));
    // an ended worker may have sent something before
    const ifCurrent = (action) => (event) => { if (worker === this.worker) action(event); };
    worker.onerror = ifCurrent((event) => this.end(new Error(event.message || t("noWorker"))));
    worker.onmessage = ifCurrent(({ data }) => {
      if ("stage" in data) this.waiting[0].hear?.(data);
      else if (data.problem) this.waiting.shift().reject(new Error(data.problem));
      else this.waiting.shift().resolve(data.body);
    });
    const started = this.send({ start: true }, ({ done }) => tellOfStart(done));
    // the runtime starts while the other parts are unpacked
    const sent = Object.entries(parts).map(async ([name, content]) => worker.postMessage({ name, content: await content }));
    await Promise.all([started, ...sent]);
    hearOfStart = null;
    return true;
  },
  send(message, hear, moved = []) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, hear });
      this.worker.postMessage(message, moved);
    });
  },
  async call(blob, hear, signal) {
    const [body] = await Promise.all([blob.arrayBuffer(), (this.started ??= this.start(hear))]);
    signal.throwIfAborted();
    return this.send(body, hear, [body]);
  },
  // A worker at work hears nothing: it is ended, and the next task starts another.
  end(reason) {
    this.worker?.terminate();
    this.worker = this.started = this.turn = null;
    for (const { reject } of this.waiting.splice(0)) reject(reason);
  },
};

const atService = {
  async call(body, hear, signal, id) {
    const ask = async () => {
      const answer = await fetch(`/progress/${id}`, { signal }).then((found) => found.json()).catch(() => ({}));
      if ("stage" in answer && timer) hear(answer);
    };
    let timer = hear && setInterval(ask, POLL);
    try {
      const answer = await fetch(service, { method: "POST", body, signal });
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
      const { error } = await answer.json();
      throw new Error(`${error.message}: ${error.data || ""}`);
    } finally {
      clearInterval(timer);
      timer = null;
    }
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
  const id = `${performance.now()}-${Math.random()}`.replaceAll(".", "-");
  const head = JSON.stringify({ ...record, id, files: files.map(({ name, file }) => [name, file.size]) }) + "\n";
  const body = new Blob([head, ...files.map(({ file }) => file)]);
  const bytes = await engine.call(body, hear && ((state) => signal.aborted || hear(state)), signal, id);
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

const MEDIA = { image: "isPicture", audio: "isSound", video: "isFilm" };
const isMedium = ({ files }) => files.length === 1 && files[0].file.type.split("/")[0] in MEDIA;

// The files of an event: those of folders with the folder's name before theirs.
async function dropped({ dataTransfer }) {
  const items = [...dataTransfer.items].filter((item) => item.kind === "file");
  const roots = await Promise.all(items.map((item) => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry()));
  return (await Promise.all(roots.map((root) => filesIn(root)))).flat();
}

class Slot {
  constructor(id) {
    const box = byId(id);
    Object.assign(this, { box, inputs: [], list: box.querySelector("ul"), several: byId(`${id}-file`).multiple, encoding: byId(`${id}-encoding`) });
    if (this.encoding) {
      this.encoding.addEventListener("change", () => this.detect());
      Object.assign(this, { entry: byId(`${id}-entry`), pattern: byId(`${id}-pattern`) });
      byId(`${id}-show`).onclick = () => this.showEntry();
      this.entry.querySelector("button").onclick = () => this.describe();
    }
    for (const picker of box.querySelectorAll("input[type=file]")) {
      picker.nextElementSibling.onclick = () => picker.click();
      picker.onchange = () => {
        this.add([...picker.files].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
        picker.value = "";
      };
    }
    for (const name of ["dragover", "dragleave", "drop"]) {
      box.addEventListener(name, () => box.classList.toggle("over", name === "dragover"));
    }
    box.addEventListener("drop", async (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.add(await dropped(event));
    });
  }

  // Inputs of a command are files, and folders with all that lies in them. What the box refuses replaces nothing.
  add(files) {
    put("problem");
    if (scored.includes(this)) scored.forEach((slot) => slot.removeDemo());
    const inputs = new Map(this.several ? this.inputs.map((input) => [input.name, input]) : []);
    for (const [name, group] of Map.groupBy(files, (file) => file.name.split("/")[0])) inputs.set(name, { name, files: group });
    if (!this.several && inputs.size > 1) return this.refuse(() => t("tooMany", inputs.size));
    this.refuse(null);
    const replaced = this.inputs.filter((input) => !inputs.has(input.name));
    this.inputs = [...inputs.values()];
    return this.detect(replaced);
  }

  // Say in the box why it refuses a file, until another file comes; null: it refuses nothing.
  refuse(reason) {
    this.reason = reason;
    this.draw();
  }

  title() {
    return this.box.querySelector("h2").textContent;
  }

  // Mark the box whose files or choices have to change.
  mark(isWrong) {
    this.box.classList.toggle("wrong", isWrong);
  }

  // A person's own files are not scored with those of the demo.
  removeDemo() {
    if (!this.inputs.some((input) => input.isDemo)) return;
    this.inputs = this.inputs.filter((input) => !input.isDemo);
    this.draw();
  }

  // Detect the formats of all files; `detected` is the work that others may wait for. A sound or a picture gives the
  // box back to the files that it replaced.
  detect(replaced = []) {
    for (const input of this.inputs) input.format = "…";
    this.draw();
    this.detected = this.detectEach(replaced);
  }

  async detectEach(replaced) {
    for (const input of this.inputs) {
      const request = { task: "detect", input: input.name, choices: this.encoding?.value ? [["encoding", this.encoding.value]] : [] };
      const asked = () => task(request, [input]);
      // who cancels other work still wants to know the format
      const { text, said } = await asked().catch((problem) => problem.name === "AbortError" && asked()).catch(() => ({ text: "" }));
      const formats = [...new Set([...(text || "").matchAll(/: (\S+)$/gm)].map(([, name]) => name))];
      input.format = formats.join(", ") || (said?.length ? saidBy(said[0]) : "");
      input.kind = formats.length === 1 ? formats[0] : "";
      if (this === converted && !byId("to").dataset.isChosen && offers(byId("to"), input.kind)) byId("to").value = input.kind;
      if (this === checked) offerCheck(input.kind);
      input.isUnusual = Boolean(this.entry) && formats.length > 0 && formats.every((name) => UNUSUAL.includes(name));
      if (!formats.length && isMedium(input)) this.take(input, replaced);
      this.draw();
    }
  }

  // The beginning of the file, in which a person marks an entry.
  async showEntry() {
    const [first] = this.inputs.flatMap((input) => input.files);
    putList("problem", first ? [] : [t("needOne")]);
    if (!first) return;
    const encoding = this.encoding.value === "auto" ? "" : this.encoding.value;
    const bytes = await first.file.slice(0, ENTRY).arrayBuffer();
    this.entry.querySelector("textarea").value = new TextDecoder(encoding || "utf-8").decode(bytes);
    this.entry.closest("details").open = true;
    show(this.entry.id, true);
  }

  // Propose a layout for what is marked, which can be edited.
  async describe() {
    const { value, selectionStart, selectionEnd } = this.entry.querySelector("textarea");
    const answer = await busy(() => task({ task: "describe", entry: value.slice(selectionStart, selectionEnd) }));
    if (answer === null) return;
    say(() => t("ready"));
    putList("problem", answer.status ? [t("noEntry")] : []);
    if (!answer.status) this.pattern.value = answer.text.replaceAll("\n", "⏎");
  }

  // A sound or a film belongs beside the cues that are checked; elsewhere it is named as what it is.
  take(input, replaced) {
    const others = this.inputs.filter((other) => other !== input);
    this.inputs = others.length ? others : replaced;
    const [{ file }] = input.files;
    if (this === checked && !file.type.startsWith("image")) return showMedium(file);
    this.refuse(() => t(MEDIA[file.type.split("/")[0]], input.name));
  }

  draw() {
    showSize();
    this.list.replaceChildren(...this.inputs.map((input) => element("li", null, element("strong", null, isolated(input.name)),
      element("span", { class: "quiet" }, input.files.length > 1 ? `${t("files", input.files.length)} ` : "", input.format),
      this === searched && KINDS.includes(input.kind) ? element("span", { class: "quiet" }, t(`kind.${input.kind}`)) : null,
      this === hypotheses && this.inputs.length > 1 ? element("input", { class: "title", placeholder: t("systemName"),
        "aria-label": t("systemNameOf", input.name), value: input.title || "", oninput: ({ target }) => { input.title = target.value.trim(); } }) : null,
      input.isUnusual ? element("button", { type: "button", class: "link", onclick: () => this.showEntry() }, t("unusual")) : null,
      element("button", { type: "button", class: "link", "aria-label": t("removeFile", input.name), onclick: () => {
        this.inputs = this.inputs.filter((other) => other !== input);
        this.draw();
      } }, t("remove")))), ...(this.reason ? [element("li", { class: "notice", role: "alert" }, this.reason())] : []));
  }
}

// ---- results

function clear() {
  redraw = () => {};
  medium.show(null);
  for (const slot of slots) slot.mark(false);
  URL.revokeObjectURL(byId("report").src);
  byId("report").removeAttribute("src");
  for (const id of OUTPUTS) {
    if (!["details", "report"].includes(id)) byId(id).replaceChildren();
    show(id, false);
  }
  byId("details").open = false;
}

function showProgress({ stage, done, of }) {
  const share = of ? Math.min(done / of, 1) : null;
  if (of) Object.assign(byId("progress"), { max: 1, value: share });
  else byId("progress").removeAttribute("value");
  const [verb, ...names] = stage?.split(" ") || [];
  const key = [stage, verb].map((name) => `stage.${name}`).find((name) => name in MESSAGES.en) || "working";
  say(() => `${t(key, names.join(" "))}${share === null ? "" : ` ${number(100 * share)} %`}`);
}

function fail(texts) {
  say(() => t("failed"));
  putList("problem", texts);
}

const save = ({ name, content }) => saveFile(name.split("/").pop(), "", content);

// Save the files of an answer, or say why there are none.
function saveAll({ files, said }) {
  if (!files.length) return fail(said.map(advice));
  say(() => t("isReady", files[0].name));
  files.forEach(save);
}

// Work that a person waits for; null if it is cancelled or fails.
async function busy(work) {
  const enable = (value) => document.querySelectorAll(".main, #demo, #checks > button, #downloads button").forEach((button) => { button.disabled = !value; });
  const { signal } = requests;
  const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  showProgress({});
  show("working", true);
  enable(false);
  try {
    // whatever the work waits for: a person who cancels does not
    return (await Promise.race([work(), aborted])) ?? null;
  } catch (problem) {
    if (problem.name === "AbortError") say(() => t("cancelled"));
    else fail([problem.message]);
    return null;
  } finally {
    show("working", false);
    enable(true);
  }
}

// A message of a command in the language of the page: its code and its fields. A list is a label and its values.
const field = (value) =>
  typeof value === "number" ? number(value, Number.isInteger(value) ? 0 : 1) : Array.isArray(value) ? t(value[0], ...value.slice(1).map((name) => t(name))) : value;
const phrase = ([code, fields]) =>
  filled(`said.${code}`, Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, field(value)])));

// What a message of a command says: in the language of the page, as far as that knows it.
const saidBy = ({ text, message = [], first }) =>
  message.length ? `${phrase(message)}${first ? ` ${phrase(["seen", { seen: first }])}` : ""}` : text;

// The measure of times: a shift changes no error rate of words.
const TIMES = "subtitles";

// Scores with and without a shift, if the page can measure times.
async function scoreWithoutShift(set) {
  const hasTimes = () => shownSystems.some(({ measures }) => measures.some(({ name }) => name === TIMES));
  if (!hasTimes()) await scoreAgain([["measures", TIMES]]);
  if (hasTimes()) await scoreAgain(set);
}
const timesButton = (set) =>
  offers(byId("measures"), TIMES) ? [" ", plainButton(t("advice.shift"), () => scoreWithoutShift(set))] : byId("measures") ? [] : [" ", t("noTimes")];

// The choices that give captions of another frame rate the times of the reference, and the label of the button.
function stretchedBack({ percent, made, shown, seconds = 0 }) {
  const factor = made ? shown / made : 100 / percent;
  const choices = [["stretch", made ? `${shown}/${made}` : factor.toFixed(7)], ["offset", seconds ? (-seconds * factor).toFixed(3) : ""]];
  return { choices, label: t("advice.stretch"), ending: "-corrected" };
}

function movedBack(code, { seconds }) {
  const offset = code.startsWith("CLOCK.later") ? -seconds : seconds;
  return { choices: [["offset", offset.toFixed(3)]], label: t("advice.move", number(offset, 2)), ending: "-moved" };
}

const isStretched = ([code = ""] = []) => /^CLOCK\.(frame-rates|stretched)/.test(code);

// A button that saves a hypothesis with the times of the reference; nothing if its format cannot be written.
function moveButton(message) {
  const [code, { path } = {}] = message;
  const input = filesOf(scored)[1].find(({ files }) => files.some(({ name }) => name === path));
  const ofSlot = (name) => byId(`hypothesis-${name}`).value;
  const format = ofSlot("format") || input?.kind;
  if (!input || ofSlot("pattern") || !offers(byId("to"), format)) return [];
  const { choices: times, label, ending } = isStretched(message) ? stretchedBack(message[1]) : movedBack(code, message[1]);
  const choices = [["to", format], ...times, ["format", ofSlot("format")], ["encoding", ofSlot("encoding")]];
  const request = { task: "convert", input: path, choices: choices.filter(([, value]) => value) };
  return [" ", plainButton(label, async () => {
    const answer = await busy(() => task(request, [{ ...input, files: input.files.filter(({ name }) => name === path) }], showProgress));
    if (!answer) return;
    saveAll({ ...answer, files: answer.files.map(({ name, content }) => ({ name: name.replace(/(?=\.[^.]*$)/, ending), content })) });
    byId("remarks").querySelector("ul").append(...answer.said.map((loss) => element("li", null, saidBy(loss))));
  })];
}

// Buttons that estimate missing times of words, and convert again.
const interpolateButtons = () => [...byId("interpolate").options].filter(({ value }) => value).flatMap(({ value }) => [" ", plainButton(
  `${t("interpolate")}: ${valueText(value)}`, () => {
    byId("interpolate").value = value;
    return lastAction();
  })]);

// What a message says, with a control for what it advises.
function advice({ set, share, ...item }) {
  const text = saidBy(item);
  if (item.message?.[0] === "CLOCK.shifted" || isStretched(item.message)) return [text, ...moveButton(item.message)];
  const [first] = set;
  if (first?.[0] === "interpolate" && !byId("panel-convert").hidden) return [text, ...interpolateButtons()];
  const control = first && byForm("form-score").elements[first[0] === "normalize" ? "ignore-spelling" : first[0]];
  if (!control) return [text];
  const button = (label) => plainButton(label, () => scoreAgain(set));
  if (first[0] === "shift") return byId("panel-score").hidden ? [text] : [text, ...timesButton(set), ...moveButton(item.message)];
  if (first[0] === "meeting") return [t("advice.overlap"), " ", button(t("advice.meeting"))];
  if (share.length) return [t("advice.spelling", ...share.map((value) => number(value))), " ", button(t("advice.without"))];
  const plain = `advice.${first[1]}`;
  if (first[0] === "normalize" && set.length === 1 && plain in MESSAGES[language]) return [text, " ", button(t(plain))];
  return [text, " ", button(t("advice.use", t(first[0] === "normalize" ? "steps" : first[0]), set.map(([, value]) => valueText(value)).join(", ")))];
}

// The box of the panel that holds a file, and its title.
function boxOf(path) {
  const [root, next] = (path || "").split("/");
  const panel = ofPanel[document.querySelector("[role=tabpanel]:not([hidden])").id];
  return panel.findLast(({ inputs }) => inputs.some(({ name }) => name === (root === "hypothesis" && next ? next : root)));
}

// For a file in another encoding: opens the choice of its box, and a button detects the encoding and starts the task again.
function encodingButton({ message: [code] = [] }, box) {
  if (code !== "EncodingFormatError" || !box?.encoding) return [];
  box.encoding.closest("details").open = true;
  if (box.encoding.value === "auto") return [];
  const action = lastAction;
  return [" ", plainButton(t("advice.use", t("encoding"), valueText("auto")), () => {
    box.encoding.value = "auto";
    box.encoding.dispatchEvent(new Event("change", { bubbles: true }));
    return action();
  })];
}

// What refuses a task, with the box or the choice that has to change.
function refusal(item) {
  const box = item.control ? null : boxOf(item.path);
  box?.mark(true);
  const control = item.control === "where" && byId("panel-score").hidden ? "whereRecordings" : item.control;
  const place = control ? t("inChoice", t(control)) : box && t("inBox", box.title());
  return [...advice(item), ...(place ? [element("br"), place] : []), ...encodingButton(item, box)];
}

// A person who asked for it knows; elsewhere the first words say what is missing.
const saysNothing = ({ text }) => !text.trim();

const piece = ([kind, said, written]) =>
  kind ? element("span", { class: `error ${kind}` }, said && element("del", null, isolated(said)), said && written ? " " : null,
    written && element("ins", null, isolated(written))) : said;

function sentence({ unit, errors, of, rate }) {
  if (rate === null) return t("nothing");
  return errors ? t(`wrong.${unit}`, number(errors), number(of), number(100 * rate, 1)) : t(`right.${unit}`, number(of));
}

function frequentTable({ frequent }) {
  const cells = ["said", "written", "times"].map((key) => element("th", { scope: "col", class: key === "times" ? null : "text" }, t(key)));
  const word = (text) => element("td", { class: "text" }, text ? isolated(text) : element("span", { class: "quiet" }, t("empty")));
  return element("div", { class: "wide" }, element("table", { class: "numbers frequent" }, element("caption", null, t("frequent")),
    element("thead", null, element("tr", null, cells)),
    element("tbody", null, frequent.map(([said, written, times]) => element("tr", null, word(said), word(written), element("td", null, number(times)))))));
}

// The systems of the result that is shown, and of the one before it if advice led from that to this.
let shownSystems = [];
let systemsBefore = [];
// Scores the same files with choices that advice names.
let scoreAgain = () => {};
// What the last button started.
let lastAction = () => {};

const systemBefore = ({ name }) => systemsBefore.find((other) => other.name === name);

// What the rate was before a person followed advice.
function rateBefore(system) {
  const before = systemBefore(system);
  // a choice may change other measures only
  if (!before || before.rate === null || before.rate === system.rate) return null;
  return element("p", { class: "quiet" }, t("before", number(100 * before.rate, 1)));
}

// A number that a command has written, in the language of the page.
const figure = (text) => (/^-?\d+(\.\d+)?$/.test(text) ? number(Number(text), (text.split(".")[1] || "").length) : text);

// A table with a column for each system, or for a single one before and after advice.
function comparedTable(caption, systems, rowsOf, shownName = isolated) {
  const [first] = systems;
  const before = systems.length === 1 && systemBefore(first);
  const columns = [...(before ? [[t("was"), rowsOf(before)]] : []), ...systems.map((system) => [before ? t("isNow") : isolated(system.name), rowsOf(system)])]
    .map(([head, rows]) => [head, new Map(rows)]);
  const names = [...new Set(systems.flatMap((system) => rowsOf(system).map(([name]) => name)))];
  return element("div", { class: "wide" }, element("table", { class: "numbers frequent" }, element("caption", null, caption),
    element("thead", null, element("tr", null, element("td"), columns.map(([head]) => element("th", { scope: "col" }, head)))),
    element("tbody", null, names.map((name) => element("tr", null, element("th", { scope: "row", class: "text" }, shownName(name)),
      columns.map(([, values]) => element("td", null, figure(values.get(name) ?? ""))))))));
}

// Groups and measures of all systems.
function inTables(systems) {
  const titles = [...new Set(systems.flatMap(({ measures }) => measures.map(({ title }) => title)))];
  const figures = (title) => ({ measures }) => measures.find((measure) => measure.title === title)?.figures || [];
  const rates = ({ groups }) => groups.map(([name, errors, of]) => [name, of ? t("rateOf", number((100 * errors) / of, 1), number(errors), number(of)) : ""]);
  return [...(systems.some(({ groups }) => groups.length) ? [comparedTable(t("by"), systems, rates)] : []),
    ...titles.map((title) => comparedTable(figureText(title), systems, figures(title), figureName))];
}

// What a system got wrong in a sentence; characters and the rate before advice, if they are known.
const inSentences = (system, _, all) => [
  element("h2", { class: "sentence" }, all.length > 1 ? [isolated(system.name), ": "] : [], system.meeting ? `${system.meeting}: ` : [],
    sentence(system)),
  ...[rateBefore(system), system.characters && element("p", null, sentence(system.characters))].filter(Boolean),
];

// The text of a system with its errors, and its most frequent errors.
function inText(system, at, all) {
  const { unit, text } = system;
  if (!text.length) return [];
  const join = unit === "char" ? "" : " ";
  const body = text.map(({ speaker, pieces, start, cue }) => {
    const words = element("p", { dir: "auto" }, speaker ? element("strong", null, isolated(speaker), ": ") : null, pieces.flatMap((one) => [piece(one), join]));
    if (start === null) return words;
    return element("div", { class: "turn" }, element("span", { class: "quiet" }, timecode(start), cue === null ? "" : ` ${t("cue", number(cue))}`), words);
  });
  const legend = element("ul", { class: "legend" }, ["S", "D", "I"].map((kind) =>
    element("li", null, element("span", { class: `error ${kind}` }, element(kind === "I" ? "ins" : kind === "D" ? "del" : "span", null, t(`legend.${kind}`))))));
  const parts = [element("div", { class: "talk", tabindex: "0", role: "region", "aria-label": `${t("text")} ${at + 1}` }, body)];
  if (!system.is_whole) parts.push(element("p", { class: "quiet" }, t("firstWords")));
  if (system.frequent.length) parts.unshift(legend), parts.push(frequentTable(system));
  if (all.length === 1) return parts;
  return [element("details", { open: at === 0 }, element("summary", null, t("text"), ": ", isolated(system.name)), parts)];
}

// Run a command, and show what came of it.
async function run(request, inputs, showFiles) {
  const wrong = wrongNumbers();
  if (wrong.length) return fail(wrong);
  const begun = performance.now();
  const answer = await busy(() => task(request, inputs, showProgress));
  if (answer === null) return;
  const said = (answer.said || []).filter((item) => !saysNothing(item));
  const seconds = (performance.now() - begun) / 1000;
  if (answer.status !== 0 && answer.status !== 3) {
    const isOne = request.task === "score" && !request.hypotheses.length;
    return fail(isOne ? [t("needTwo")] : said.length ? said.map(refusal) : [t("failed")]);
  }
  present(request, answer, showFiles, () => t("done", number(seconds, 1)));
}

// Show what came of a request, again after another language is chosen.
function present(request, answer, showFiles, made) {
  const said = (answer.said || []).filter((item) => !saysNothing(item));
  const { text = answer.text, buttons, parts = () => [], isReport = false } = showFiles(answer);
  const { systems = [] } = answer;
  shownSystems = systems;
  redraw = () => {
    say(made);
    put("words", ...systems.flatMap(inSentences), ...parts());
    put("texts", ...inTables(systems), ...systems.flatMap(inText));
    const isQuiet = ({ is_note, set, message: [code] = [] }) => is_note && !set.length && code !== "CLOCK.shifted";
    const notes = said.filter(isQuiet);
    putList("remarks", said.filter((item) => !isQuiet(item)).map(advice));
    put("notes", ...(notes.length ? [element("h2", null, t("notes")), element("ul", null, notes.map((item) => element("li", null, advice(item))))] : []));
    put("command", element("h2", null, t("commandLine")), element("p", null, t(request.is_demo ? "inEmpty" : "inFolder")),
      element("pre", { tabindex: "0", role: "region", "aria-label": t("commandLine") }, element("code", null, answer.command)));
    put("downloads", ...(buttons.length ? [t("download"), ...buttons] : []));
    show("details", true);
  };
  redraw();
  byId("details").open = isReport;
  put("text", ...(text ? [text] : []));
}

// ---- choices

const offers = (select, value) => [...(select?.options || [])].some((option) => option.value === value);
const shared = () => chosen("form-score").filter(([name]) => !name.endsWith("pattern"));
const showLink = () => { byId("share").href = `#${new URLSearchParams(shared())}`; };
const FORMS = /^spoken-forms:lang=(.+)$/;

// The box counts forms of the chosen language as equal: of the page's until somebody chooses.
function updateForms() {
  const box = byId("spoken-forms");
  if (box) box.value = `spoken-forms:lang=${byId("forms-language").value}`;
}

// Menus from which several values can be chosen, by the names of their choices.
const MENUS = { normalize: "steps", measures: "measures" };

function addTag(name, value) {
  const [menu, chosenTags] = [byId(MENUS[name]), byId(`chosen-${MENUS[name]}`)];
  const isChosen = [...(chosenTags?.querySelectorAll("input") || [])].some((input) => input.value === value);
  if (!value || !menu || !offers(menu, value) || isChosen) return;
  const tag = element("button", { type: "button", class: "tag", "aria-label": t("removeFile", value), onclick: () => {
    tag.remove();
    showLink();
  } }, `${value} ×`, element("input", { type: "hidden", name, value }));
  chosenTags.append(tag);
}

// Set a choice; names and values that the page does not have are ignored.
function choose(name, value) {
  const control = byForm("form-score").elements[name];
  const [, code] = FORMS.exec(value) || [];
  if (name === "normalize" && value === "plain") byId("ignore-spelling").checked = true;
  else if (name === "normalize" && code && byId("spoken-forms") && offers(byId("forms-language"), code)) {
    byId("forms-language").value = code;
    updateForms();
    byId("spoken-forms").checked = true;
  } else if (name in MENUS) addTag(name, value);
  else if (control?.type === "checkbox") control.checked = value === "true";
  else if (name === "where" || (control?.options && offers(control, value))) control.value = value;
}

// The choices of a link.
function follow() {
  byForm("form-score").reset();
  for (const menu of Object.values(MENUS)) byId(`chosen-${menu}`)?.replaceChildren();
  const forms = byId("forms-language");
  if (forms) forms.value = [language, "en"].find((code) => offers(forms, code)) || forms.options[0].value;
  updateForms();
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) choose(name, value);
  showLink();
}

// ---- tasks

const SLOTS = ["reference", "hypothesis", "turns", "system-turns", "convert-in", "check-in", "search"];
slots.push(...SLOTS.filter((id) => byId(id)).map((id) => new Slot(id)));
const [reference, hypotheses, turns, systemTurns, converted, checked, searched] = slots;
const scored = [reference, hypotheses];

// Large files take minutes in a browser: a person hears of it before, not after.
function showSize() {
  const bytes = scored.flatMap(({ inputs }) => inputs).flatMap(({ files }) => files)
    .reduce((sum, { file }) => sum + file.size, 0);
  const isLarge = !service && bytes >= LARGE;
  byId("large").textContent = isLarge ? t("large", number(bytes / MEGABYTE), number(Math.ceil(bytes * SECONDS / MEGABYTE / 60))) : "";
  show("large", isLarge);
}
const ofPanel = {
  "panel-score": scored, "panel-meetings": [turns, systemTurns], "panel-keywords": [searched],
  "panel-convert": [converted], "panel-check": [checked],
};

// Files dropped beside the boxes: the first, or the one whose name says so, is the reference.
function addAnywhere(files) {
  const [left, right] = ofPanel[document.querySelector("[role=tabpanel]:not([hidden])").id];
  if (!right) return left.add(files);
  if (left.inputs.length) return right.add(files);
  const names = [...new Set(files.map(({ name }) => name.split("/")[0]))];
  const first = names.find((name) => /ref|truth|gold/i.test(name)) || names[0];
  const isFirst = ({ name }) => name.split("/")[0] === first;
  left.add(files.filter(isFirst));
  if (names.length > 1) right.add(files.filter((file) => !isFirst(file)));
}

// The files of two boxes; with the same name on both sides, the hypothesis gets a folder of its own.
function filesOf([left, right]) {
  const [given = right.inputs[0]] = left.inputs;
  const systems = right.inputs.filter((input) => input !== given).map((input) => input.name !== given.name ? input : {
    ...input, name: `hypothesis/${input.name}`,
    files: input.files.map(({ name, file }) => ({ name: `hypothesis/${name}`, file })),
  });
  return [given, systems];
}

// Score words; advice scores them again, and shows the numbers from before.
async function score(before = []) {
  clear();
  systemsBefore = before;
  scoreAgain = (set) => {
    for (const [name, value] of set) choose(name, value);
    showLink();
    return score(shownSystems);
  };
  const [given, systems] = filesOf(scored);
  if (!given) return fail([t("needTwo")]);
  const request = {
    task: "score", reference: given.name, hypotheses: systems.map(({ name }) => name), choices: chosen("form-score"),
    names: Object.fromEntries(systems.filter(({ title }) => title).map(({ name, title }) => [name, title])),
    is_demo: [given, ...hypotheses.inputs].every((input) => input.isDemo), report: "html",
  };
  await run(request, [given, ...systems], reportOf(request, [given, ...systems]));
}

async function scoreMeeting(before = [], added = []) {
  clear();
  systemsBefore = before;
  scoreAgain = (set) => {
    for (const [, value] of set.filter(([name]) => name === "meeting")) byId("meeting-rate").value = value;
    return scoreMeeting(shownSystems, [...added, ...set.filter(([name]) => name !== "meeting")]);
  };
  const [given, systems] = filesOf([turns, systemTurns]);
  if (!systems?.length) return fail([t("needTwo")]);
  const where = byId("where-recordings").value.trim();
  const choices = [...chosen("form-meetings"), ["meeting", byId("meeting-rate").value], ...(where ? [["where", where]] : []), ...added];
  const request = { task: "score", reference: given.name, hypotheses: systems.map(({ name }) => name), choices, report: "html" };
  // the report has the speakers over time
  await run(request, [given, ...systems], reportOf(request, [given, ...systems], () => []));
}

const seconds = (value) => number(value, 1);

async function scoreTurns() {
  clear();
  const [given, systems] = filesOf([turns, systemTurns]);
  if (!systems?.length) return fail([t("needTwo")]);
  const choices = [...chosen("form-meetings"), ["boundary_collar", numberOf(byId("boundary-collar"))], ["like", byId("turns-like").value],
    ["skip_overlap", byId("skip-overlap").checked ? "true" : ""]].filter(([, value]) => value);
  const inputs = [given, ...systems];
  const request = { task: "der", inputs: inputs.map(({ name }) => name), choices, report: "html" };
  await run(request, inputs, reportOf(request, inputs, ({ overall }) => [
    element("h2", { class: "sentence" }, t("wrongTime", number(100 * overall.error_rate, 1), seconds(overall.missed_seconds),
      seconds(overall.false_alarm_seconds), seconds(overall.confusion_seconds), seconds(overall.scored_seconds))),
  ]));
}

// What is wrong with the kinds of the files, in words; nothing if there is one of each.
function problemsOfSearch(inputs) {
  const ofKind = Map.groupBy(inputs, ({ kind }) => kind);
  const others = inputs.filter(({ kind }) => !KINDS.includes(kind)).map(({ name }) => t("otherKind", name));
  // several systems are compared
  const twice = KINDS.filter((kind) => kind !== "kwslist" && ofKind.get(kind)?.length > 1)
    .map((kind) => t("twoOfAKind", t(`kind.${kind}`), ofKind.get(kind).map(({ name }) => name).join(", ")));
  const missing = KINDS.filter((kind) => !ofKind.has(kind)).map((kind) => t(`kind.${kind}`));
  return [...others, ...twice, ...(missing.length ? [t("stillNeeded", missing.join("; "))] : [])];
}

async function scoreSearch() {
  clear();
  const isKnown = await busy(async () => {
    await searched.detected;
    return true;
  });
  if (!isKnown) return;
  const { inputs } = searched;
  const problems = problemsOfSearch(inputs);
  if (problems.length) return fail(problems);
  const isCompared = inputs.length > KINDS.length;
  const request = { task: "kws", inputs: inputs.map(({ name }) => name), choices: chosen("form-keywords"), report: "html", is_compared: isCompared };
  // the report says in its first sentence which system is the best
  if (isCompared) return run(request, inputs, reportOf(request, inputs, () => []));
  const value = (twv) => (twv === null ? t("none") : number(twv, 4));
  await run(request, inputs, reportOf(request, inputs, ({ overall: { correct, targets, false_alarms: wrong, actual, maximum } }) => [
    element("h2", { class: "sentence" }, t("foundKeywords", number(correct), number(targets), number(wrong), value(actual.twv))),
    ...(maximum?.threshold == null ? [] : [element("p", null, t("bestThreshold", number(maximum.threshold, 3), value(maximum.twv)))]),
  ]));
}

// Puts the report into its frame; with buttons for the other reports. `inWords` makes elements of a summary.
function reportOf(request, inputs, inWords = null) {
  return ({ files, summary }) => {
    byId("report").src = addressOf(files[0].content, "text/html");
    show("report", true);
    const reports = Object.entries(REPORTS[request.task]).filter(([report]) => report === "html" || !request.is_compared);
    const buttons = reports.map(([report, text]) => plainButton(text, async () => {
      const answer = report === "html" ? { files } : await busy(() => task({ ...request, report }, inputs, showProgress));
      if (answer) saveAll(answer);
    }));
    return { text: "", buttons, parts: () => (inWords && summary ? inWords(summary) : []), isReport: Boolean(inWords) };
  };
}

// The scored demo with which a page begins.
function showPrepared({ files, request, ...answer }) {
  const inputs = [request.reference, ...request.hypotheses].map((name) => ({
    name, format: name.split(".").pop(), isDemo: true, files: [{ name, file: new Blob([files[name]]) }],
  }));
  [reference.inputs, hypotheses.inputs] = [inputs.slice(0, 1), inputs.slice(1)];
  for (const slot of scored) slot.draw();
  const report = { name: "report.html", content: new TextEncoder().encode(answer.report) };
  present(request, { ...answer, files: [report] }, reportOf(request, inputs), () => t("ready"));
  // in the frame of a page the result is seen at first; the page around it does not move
  if (parent !== window) document.scrollingElement.scrollTop = byId("words").offsetTop - 6;
}

async function demo() {
  clear();
  const answer = await busy(() => task({ task: "demo" }));
  if (answer === null) return;
  const [first, ...others] = answer.files.map(({ name, content }) => ({ name, file: new Blob([content]) }));
  reference.inputs = hypotheses.inputs = [];
  reference.add([first]);
  hypotheses.add(others);
  for (const { inputs } of scored) for (const input of inputs) input.isDemo = true;
  history.replaceState(null, "", location.pathname + location.search);
  follow();
  await score();
}

// Save what a check shows as a page of its own: all listed cues, in the language of the page, without controls.
function saveShown(title) {
  for (const more of byId("words").querySelectorAll("li:not([data-cue]) > button")) more.click();
  const copies = ["words", "remarks", "notes"].filter((id) => !byId(id).hidden).map((id) => byId(id).cloneNode(true));
  for (const copy of copies) {
    for (const menu of copy.querySelectorAll("select")) menu.closest("p")?.remove();
    for (const button of copy.querySelectorAll("button")) button.replaceWith(button.textContent);
  }
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  const head = [
    element("meta", { charset: "utf-8" }), element("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("meta", { name: "color-scheme", content: "light dark" }), element("title", null, title),
    element("style", null, document.querySelector("style").textContent),
  ];
  const header = element("header", { class: "top" }, element("h1", null, isolated(title)));
  const page = element("html", { lang: language }, element("head", null, head), element("body", null, header, element("main", null, copies)));
  saveFile("report.html", "text/html", `<!doctype html>\n${page.outerHTML}`);
}

// The beginning of a text, for people; null for a binary file.
function textOf(content) {
  const [first, second] = content;
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(content.subarray(0, 20000), { stream: true });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function simple(slot, form, verb, more = [], files = []) {
  clear();
  const [input] = slot.inputs;
  if (!input) return fail([t("needOne")]);
  return run({ task: verb, input: input.name, choices: [...chosen(form), ...more.filter(([, value]) => value)] }, [input, ...files], ({ files }) => {
    // what is written besides a report for people is not shown as well
    const [first] = verb === "convert" ? files.filter(({ name }) => !name.endsWith(".zip")) : [];
    const text = first && textOf(first.content);
    const buttons = files.map((file) => plainButton(file.name, () => save(file)));
    const isBinary = first && text === null;
    if (isBinary) return { text: "", buttons, parts: () => [element("p", { class: "quiet" }, t("binary", first.name))] };
    if (!["lint", "validate"].includes(verb) || files.length !== 1) return { text, buttons };
    const report = JSON.parse(new TextDecoder().decode(files[0].content));
    buttons.unshift(plainButton("HTML", () => saveShown(input.name)));
    if (verb === "validate") return { text: "", buttons, parts: () => report.files.map(inWordsOfCheck) };
    medium.show(report.files);
    return { text: "", buttons, parts: () => report.files.flatMap((file, _, all) => inCues(file, all)) };
  });
}

// What a file without errors contains, in the language of the page.
const inWordsOfCheck = ({ path, format, segment_count: segments, word_count: words }) =>
  element("p", null, isolated(path), ": ", t("contents", format, number(segments), number(words)), " ", t("allRead"));

// Sound or video beside the cues that are checked: it stays on this machine, and no task reads it.
const medium = {
  file: null,
  player: null,
  choose(file) {
    this.file = file || null;
    const note = byId("medium-note");
    note.querySelector("bdi").textContent = file?.name || "";
    show(note.id, file);
    this.show(this.begins || null);
  },
  // Show the player, if there are cues whose begins and ends (in seconds) it can follow.
  show(rows) {
    this.begins = rows;
    URL.revokeObjectURL(this.player?.src);
    this.player = null;
    if (!this.file || !rows) return put("player");
    const isSound = this.file.type.startsWith("audio");
    this.until = Infinity;
    this.player = element("video", { controls: true, class: isSound ? "sound" : null, src: URL.createObjectURL(this.file), "aria-label": t("player"),
      ontimeupdate: () => this.follow(), onerror: () => putList("problem", [t("mediumFails", this.file.name)]) });
    return put("player", this.player);
  },
  play(start, end) {
    if (!this.player) return;
    this.player.currentTime = start;
    this.until = end;
    this.player.play().catch(() => {});
  },
  follow() {
    const { currentTime } = this.player;
    if (currentTime >= this.until) {
      this.player.pause();
      this.until = Infinity;
    }
    for (const row of document.querySelectorAll(".cues li")) {
      const isNow = currentTime >= Number(row.dataset.start) && currentTime < Number(row.dataset.end);
      if (isNow) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  },
};

// A time of a file in hours if there are some, minutes, and seconds with milliseconds.
function timecode(time) {
  const [minutes, rest] = [Math.floor(Math.round(1000 * time) / 60000), (Math.round(1000 * time) % 60000) / 1000];
  const digits = { minimumIntegerDigits: 2, minimumFractionDigits: 3, maximumFractionDigits: 3 };
  const [hours, last] = [Math.floor(minutes / 60), new Intl.NumberFormat(language, digits).format(rest)];
  return hours ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${last}` : `${minutes}:${last}`;
}

// Rules of guides by the ends of their codes, with the decimals that people read.
const RULES = { CPS: 1, WPM: 0, "MAX-DURATION": 3, "MIN-DURATION": 3, LINES: 0, "LINE-LENGTH": 0, OVERLAP: 3, GAP: 3, "CUE-TIMES": 0 };
const ruleOf = (code) => Object.keys(RULES).find((name) => code === name || code.endsWith(`-${name}`));

// What a cue breaks, in the language of the page; with more decimals if its value looked like the limit.
function breach({ code, value, limit, text }) {
  const rule = ruleOf(code);
  if (!rule) return text;
  const shown = (amount, digits) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(amount);
  let digits = RULES[rule];
  while (digits < 3 && shown(value, digits) === shown(limit, digits)) digits += 1;
  return t(`breach.${rule}`, shown(value, digits), shown(limit, 3));
}

const isOfSpeed = ({ code }) => ["CPS", "WPM"].includes(ruleOf(code));

// Characters per second of a cue; nothing without its times.
const speedOf = ({ start, end, character_count: size }) => (start !== null && end > start ? size / (end - start) : null);

// A cue: its time, which plays it, its text, and the rules that it breaks.
function cueRow(cue, broken) {
  const { start, end, word_count: words } = cue;
  const time = start === null ? "" : timecode(start);
  const play = () => medium.play(start, end ?? Infinity);
  const button = element("button", { type: "button", class: "link", "aria-label": t("playCue", number(cue.cue)), onclick: play }, `▶ ${time}`);
  const speed = speedOf(cue);
  return element("li", { "data-cue": cue.cue, "data-start": start, "data-end": end },
    element("span", null, medium.file && start !== null ? button : time, element("span", { class: "quiet" }, ` ${t("cue", number(cue.cue))}`),
      speed === null ? null : element("div", { class: "quiet" },
        t("cueNumbers", number(end - start, 1), number(speed, 1), number((60 * words) / (end - start))))),
    element("span", { dir: "auto" }, cue.text.split("\n").map((line) => element("div", { class: "line" }, line))),
    element("span", { class: "breaks" }, broken.map((each) => element("div", { title: each.code }, breach(each)))));
}

// The name of a guide and its date, as its menu has it; other names as they are.
function guideName(guide) {
  const [name, date] = (guide || "").split("@");
  return `guide.${name}` in MESSAGES.en ? t(`guide.${name}`, date) : guide;
}

// The findings of one file: a sentence, a strip over time, and its cues; all of them, or those that break a rule.
function inCues({ path, cues, end, findings, shown, rule_set: guide, language: code }, all) {
  const ofCue = Map.groupBy(findings, ({ cue }) => cue);
  const verdict = ofCue.size ? t("brokenCues", number(ofCue.size), number(cues)) : t("noBroken", number(cues));
  const head = element("h2", { class: "sentence" }, all.length > 1 ? [isolated(path), ": "] : [], verdict);
  const limits = [guideName(guide), code && t("limitsFor", languageName(code) || code)].filter(Boolean).join(" · ");
  const strip = drawn("svg", { class: "strip", viewBox: `0 0 1000 ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const rows = element("ol", { class: "cues" });
  const choose = (code) => {
    const isChosen = (finding) => !code || code === "*" || finding.code === code;
    const breaks = ({ cue }) => (ofCue.get(cue) || []).filter(isChosen);
    const chosenCues = new Set(findings.filter(isChosen).map(({ cue }) => cue));
    const timed = shown.filter((cue) => speedOf(cue) !== null);
    strip.replaceChildren(...timed.map((cue) => {
      const height = TALL * Math.min(1, Math.max(0.1, speedOf(cue) / FASTEST));
      const across = { x: (1000 * cue.start) / end, width: Math.max(2, (1000 * (cue.end - cue.start)) / end) };
      const onclick = () => {
        medium.play(cue.start, cue.end);
        rows.querySelector(`[data-cue="${cue.cue}"]`)?.scrollIntoView({ block: "center" });
      };
      return drawn("rect", { ...across, y: TALL - height, height, class: breaks(cue).some(isOfSpeed) ? "broken" : null, onclick },
        drawn("title", null, [timecode(cue.start), ...breaks(cue).map(breach)].join(" · ")));
    }));
    const listed = shown.filter(({ cue }) => code === "*" || chosenCues.has(cue));
    const list = (limit) => {
      rows.replaceChildren(...listed.slice(0, limit).map((cue) => cueRow(cue, breaks(cue))));
      const rest = listed.length - limit;
      if (rest > 0) rows.append(element("li", null, plainButton(t("moreCues", number(rest)), () => list(Infinity))));
    };
    list(SHOWN_CUES);
  };
  const codes = [...Map.groupBy(findings, ({ code }) => code)].map(([code, some]) => [code, `${ruleOf(code) ? t(`rule.${ruleOf(code)}`) : code} (${some.length})`]);
  const rules = findings.length ? [["", `${t("allRules")} (${findings.length})`]] : [];
  const menu = choice(`rules-${all.length}-${path}`, t("rule"), [...rules, ["*", `${t("allCues")} (${cues})`], ...codes], choose);
  choose(findings.length ? "" : "*");
  return [head, element("p", { class: "quiet" }, limits), strip,
    ...(end ? [element("p", { class: "quiet ends" }, element("span", null, timecode(0)), element("span", null, timecode(end)))] : []),
    element("p", { class: "quiet" }, t("speedOverTime", number(FASTEST))), element("p", null, menu), rows];
}

// Take a sound or a video, and list the cues again, with or without buttons that play them.
function showMedium(file) {
  medium.choose(file);
  redraw();
}

// The usual check of a file is that of its style for subtitles, and that of errors for all others.
function offerCheck(kind) {
  const isCaptions = JSON.parse(byId("checks").dataset.captions).includes(kind);
  byId("lint").className = isCaptions ? "main" : "plain";
  byId("validate").className = isCaptions ? "plain" : "main";
}

// Check subtitles by a guide of the page, or by one from a file.
const guideFiles = new Map();

// List the languages for which the chosen guide has limits: the one chosen before, that of the page, or English comes first.
function listLanguages() {
  const menu = byId("guide-language");
  const codes = JSON.parse(menu.dataset.languages)[byId("guide").value] || [];
  const chosen = [menu.dataset.chosen, language, "en"].find((code) => codes.includes(code)) || "";
  const named = codes.map((code) => [languageName(code), code]).sort(([a], [b]) => a.localeCompare(b, language));
  menu.replaceChildren(...named.map(([name, value]) => element("option", { value }, name)));
  menu.value = chosen;
  menu.parentElement.hidden = !codes.length;
}

function lint() {
  const guide = byId("guide").value;
  const file = guideFiles.get(guide);
  return simple(checked, "form-check", "lint", [["rules", guide], ["rules_language", byId("guide-language").value]], file ? [{ name: file.name, files: [{ name: file.name, file }] }] : []);
}

function addGuide(file) {
  if (!file) return;
  const value = `@${file.name}`;
  if (!guideFiles.has(value)) byId("guide").append(element("option", { value }, file.name));
  guideFiles.set(value, file);
  byId("guide").value = value;
  listLanguages();
}

function open(tab) {
  for (const other of document.querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    show(other.getAttribute("aria-controls"), other === tab);
  }
  clear();
  // the time of a result belongs to the result
  if ("ready" in document.documentElement.dataset && byId("working").hidden) say(() => t("ready"));
}

const actions = {
  score: () => score(), demo, cancel, "score-words": () => scoreMeeting(), "score-turns": scoreTurns, "score-search": scoreSearch,
  convert: () => simple(converted, "form-convert", "convert", [["offset", numberOf(byId("offset"))]]),
  validate: () => simple(checked, "form-check", "validate"),
  lint,
};

async function begin() {
  byId("tabs").onclick = ({ target }) => target.role === "tab" && open(target);
  byId("to").addEventListener("change", ({ target }) => { target.dataset.isChosen = "true"; });
  byId("tabs").onkeydown = ({ key, target }) => {
    const next = { ArrowRight: target.nextElementSibling, ArrowLeft: target.previousElementSibling }[key];
    if (next?.role !== "tab") return;
    open(next);
    next.focus();
  };
  open(byId("tab-score"));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    addAnywhere(await dropped(event));
  });
  for (const [id, action] of Object.entries(actions)) byId(id)?.addEventListener("click", () => {
    lastAction = action;
    return action();
  });
  for (const [name, menu] of Object.entries(MENUS)) byId(menu)?.addEventListener("change", ({ target }) => {
    addTag(name, target.value);
    target.value = "";
  });
  byForm("form-score").addEventListener("change", () => {
    updateForms();
    showLink();
  });
  for (const [id, choosePicked] of [["own-guide", addGuide], ["medium", (file) => file && showMedium(file)]]) {
    const picker = byId(id);
    picker.nextElementSibling.onclick = () => picker.click();
    picker.onchange = () => {
      choosePicked(picker.files[0]);
      picker.value = "";
    };
  }
  byId("medium-note").querySelector("button").onclick = () => showMedium(null);
  byId("guide").onchange = listLanguages;
  byId("guide-language").onchange = ({ target }) => (target.dataset.chosen = target.value);
  byId("language").onchange = ({ target }) => speak(target.value);
  speak(preferred());
  follow();
  window.addEventListener("hashchange", follow);
  if (byId("prepared")) showPrepared(JSON.parse(byId("prepared").textContent));
  else if (service || (await busy(() => (engine.started = engine.start(showProgress))))) say(() => t("ready"));
  document.documentElement.dataset.ready = "";
}

begin();
