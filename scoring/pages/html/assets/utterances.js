// The list of utterances, of which only the visible ones exist, and the one that is looked at.

const ROW_HEIGHT = 58;
const SNIPPET_WORDS = 40;
const PRINTED = 50;
const SMALLER = 1.65; // letters on screens, in those on paper
const PRINTED_LINES = 9; // of an utterance, those of the reference and all systems together

class UtteranceList {
  constructor(data, selection, onpick) {
    this.data = data;
    this.selection = selection;
    this.onpick = onpick;
    this.active = 0;
    this.space = element("div", { class: "space" });
    this.box = element("div", {
      class: "list", id: "list", role: "listbox", tabindex: "0", "aria-label": "Utterances",
      onscroll: () => this.render(), onkeydown: (event) => this.pressed(event),
      onclick: (event) => this.clicked(event),
    }, this.space);
    new ResizeObserver(() => this.render()).observe(this.box);
  }

  get count() {
    return this.selection.rows.length;
  }

  // More rows than fit in the greatest height are scrolled faster than they are tall.
  get height() {
    return Math.min(TALLEST, this.count * ROW_HEIGHT);
  }

  firstVisible() {
    const room = this.height - this.box.clientHeight;
    if (room <= 0) return 0;
    const rows = this.count - this.box.clientHeight / ROW_HEIGHT;
    return (Math.min(this.box.scrollTop, room) / room) * rows;
  }

  refresh() {
    this.active = Math.max(0, Math.min(this.active, this.count - 1));
    this.box.scrollTop = 0;
    this.render();
  }

  render() {
    const first = this.firstVisible();
    const begin = Math.max(0, Math.floor(first) - 3);
    const end = Math.min(this.count, Math.ceil(first + this.box.clientHeight / ROW_HEIGHT) + 3);
    this.space.style.blockSize = `${this.height}px`;
    const shift = this.box.scrollTop - first * ROW_HEIGHT;
    const made = [];
    for (let at = begin; at < end; at++) {
      const item = this.item(at);
      item.style.transform = `translateY(${at * ROW_HEIGHT + shift}px)`;
      made.push(item);
    }
    this.space.replaceChildren(...made);
    const isThere = this.active >= begin && this.active < end;
    if (isThere && this.count) this.box.setAttribute("aria-activedescendant", `row-${this.active}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  item(at) {
    const { data } = this;
    const row = this.selection.rows[at];
    const words = referenceWords(data, row, SNIPPET_WORDS);
    const facts = [];
    if (data.speakers[data.speaker[row]] !== null) facts.push(isolated(data.speakers[data.speaker[row]]));
    if (data.starts && data.starts[row] >= 0) facts.push(clock(data.starts[row]));
    const rates = data.systems.map((system) => this.chip(system, row));
    return element("div", {
      class: "row", role: "option", id: `row-${at}`, "data-at": at, "aria-selected": String(at === this.active),
      "aria-posinset": at + 1, "aria-setsize": this.count,
    },
      element("div", { class: "names" },
        element("strong", null, squeezed(data.utterances[row])),
        facts.map((fact) => element("span", { class: "quiet" }, fact)),
      ),
      element("div", { class: "chips" }, rates),
      element("div", { class: "snippet", dir: "auto" },
        Array.from(words, (word) => data.words[word]).join(data.space) ||
          element("span", { class: "quiet" }, "(no reference words)")),
    );
  }

  chip(system, row) {
    if (system.position[row] < 0) return element("span", { class: "chip", title: system.name }, "–");
    const rate = rateOf(system, row);
    const errors = errorsOf(system, row);
    const level = errors === 0 ? "none" : rate < 0.25 ? "few" : rate < 0.5 ? "some" : "many";
    const text = rate === rate ? `${(100 * rate).toFixed(0)} %` : `${errors} ins`;
    const title = `${system.name}: ${plural(errors, "error", "errors")}`;
    return element("span", { class: `chip ${level}`, title }, text);
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    this.pick(Number(row.dataset.at));
    // on small screens the utterance stands below the list
    const detail = document.getElementById("detail");
    const { bottom } = this.box.getBoundingClientRect();
    if (detail.getBoundingClientRect().top >= bottom) detail.scrollIntoView({ block: "start" });
  }

  pressed(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    const moves = {
      ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page,
      Home: -this.count, End: this.count,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      event.preventDefault();
      this.pick(this.active + moves[event.key]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      document.getElementById("detail").focus();
    }
  }

  pick(at) {
    if (!this.count) return;
    this.active = Math.max(0, Math.min(at, this.count - 1));
    this.reveal();
    this.render();
    this.onpick(this.selection.rows[this.active]);
  }

  // Scroll so that the active row is seen.
  reveal() {
    const seen = this.box.clientHeight / ROW_HEIGHT;
    const first = this.firstVisible();
    let wanted = first;
    if (this.active < first) wanted = this.active;
    else if (this.active + 1 > first + seen) wanted = this.active + 1 - seen;
    if (wanted === first) return;
    const rows = this.count - seen;
    const room = this.height - this.box.clientHeight;
    this.box.scrollTop = rows > 0 ? (wanted / rows) * room : 0;
  }
}

// Everything about one utterance.
class Detail {
  constructor(data, selection, verdicts) {
    this.data = data;
    this.selection = selection;
    this.verdicts = verdicts;
    this.row = null;
    this.place = null;
    this.options = { times: false, confidences: false, waveform: location.protocol !== "file:" };
    this.box = element("article", {
      class: "detail", id: "detail", tabindex: "-1", "aria-label": "Utterance", "aria-live": "polite",
    });
    this.box.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-start]");
      if (cell && this.sound) this.sound.currentTime = Number(cell.dataset.start) / 1000;
    });
    let width = 0;
    new ResizeObserver(() => {
      if (this.box.clientWidth !== width && this.row !== null) this.show(this.row);
      width = this.box.clientWidth;
    }).observe(this.box);
  }

  addressOf(row) {
    try {
      return addressOf(this.data, row);
    } catch {
      return null; // a name that is no text has no address
    }
  }

  show(row) {
    if (row !== this.row) this.place = null;
    this.row = row;
    if (row === null || row === undefined) {
      this.box.replaceChildren(element("p", { class: "quiet" }, `No ${itemName()} is selected.`));
      return;
    }
    const options = { ...this.options, found: this.selection.found, width: this.box.clientWidth - 36 };
    const stages = stagesOf(this.data, row);
    this.box.replaceChildren(
      element("h2", null, isolated(this.data.utterances[row]), " ",
        element("a", { class: "address", href: this.addressOf(row), "aria-label": `Link to this ${itemName()}` }, "#")),
      factsOf(this.data, row),
      scoresOf(this.data, row),
      ...this.player(row),
      ...this.switches(),
      ...alignmentOf(this.data, row, options),
      ...this.verdicts.ofRow(row),
    );
    if (stages.length) {
      this.box.append(element("details", { class: "normalisation", open: true },
        element("summary", null, "Text as read, and after each step of normalisation"), stages));
    }
    if (this.place) this.mark();
  }

  // The sound of the utterance, from its recording's file; nothing where no files were given.
  player(row) {
    const { sound, sounds, recording, recordings, start, end, utterances } = this.data;
    if (!sound) return [];
    const address = sounds[sound[row]];
    if (!address) {
      this.sound = null;
      const name = (recording && recordings[recording[row]]) ?? utterances[row];
      return [element("p", { class: "quiet no-sound" },
        "No sound of ", isolated(name), ": the folder given with --audio has no file of this name.")];
    }
    const part = start ? [start[row], end[row]].filter((time) => time >= 0).map((time) => time / 1000) : [];
    const source = part.length ? `${address}#t=${part.join(",")}` : address;
    if (this.sound?.getAttribute("src") !== source) {
      this.sound?.pause();
      const run = () => {
        this.follow();
        if (this.sound && !this.sound.paused) requestAnimationFrame(run);
      };
      this.sound = element("audio", {
        controls: true, preload: "metadata", src: source, "aria-label": "Sound of the utterance",
        onplay: run, ontimeupdate: () => this.follow(), onseeked: () => this.follow(),
      });
    }
    return this.options.waveform ? [this.sound, waveformOf(address, part)] : [this.sound];
  }

  // Mark the words that are being heard.
  follow() {
    const time = this.sound ? 1000 * this.sound.currentTime : NONE;
    for (const cell of this.box.querySelectorAll("[data-start]")) {
      cell.classList.toggle("heard", cell.dataset.start <= time && time < cell.dataset.end);
    }
  }

  // Bring a place of a system's alignment into view.
  reveal(system, place) {
    this.place = `${system.number}.${place}`;
    this.mark();
  }

  mark() {
    const find = () => this.box.querySelector(`[data-place="${this.place}"]`);
    if (!find()) this.box.querySelector(".alignment > .plain")?.click();
    const cell = find();
    if (!cell) return;
    cell.classList.add("here");
    cell.tabIndex = -1;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "center", inline: "center" });
  }

  switches() {
    const { sides } = this.data;
    const made = [];
    const add = (name, label) => {
      const change = (event) => {
        this.options[name] = event.target.checked;
        this.show(this.row);
        document.getElementById(`show-${name}`).focus();
      };
      const input = element("input", {
        type: "checkbox", id: `show-${name}`, checked: this.options[name], onchange: change,
      });
      made.push(element("label", null, input, " ", label));
    };
    if (sides.some((side) => side.timed)) add("times", "times of words");
    if (sides.some((side) => side.confident)) add("confidences", "confidences");
    if (this.sound) add("waveform", "waveform");
    return made.length ? [element("p", { class: "switches" }, made)] : [];
  }
}

function factsOf(data, row) {
  const facts = [];
  const speaker = data.speakers[data.speaker[row]];
  if (speaker !== null) facts.push(["Speaker", isolated(speaker)]);
  const recording = data.recording && data.recordings[data.recording[row]];
  if (recording) facts.push(["Recording", isolated(recording)]);
  if (data.starts && data.starts[row] >= 0) {
    const end = data.end[row] >= 0 ? ` – ${clock(data.end[row])}` : "";
    facts.push(["Time", clock(data.starts[row]) + end]);
  } else if (data.end?.[row] > 0) facts.push(["Duration", clock(data.end[row])]);
  const labels = data.labelSet ? data.labelSets[data.labelSet[row]] : [];
  if (labels.length) facts.push(["Labels", isolated(labels.join(", "))]);
  return element("p", { class: "facts" }, facts.map(([name, value]) =>
    element("span", null, element("span", { class: "quiet" }, name + " "), value)));
}

function scoresOf(data, row) {
  const counted = document.body.dataset.counted;
  return element("ul", { class: "scores" }, data.systems.map((system) => {
    const at = 4 * system.position[row];
    if (at < 0) return element("li", null, isolated(system.name), ": not scored");
    const counts = system.counts.subarray(at, at + 4);
    const rate = said(counts) ? `${percent(wrong(counts), said(counts))} %` : "no rate";
    const characters = data.unit === "word" && said(counts) ? charactersOf(data, system, row) : null;
    const cer = characters ? `, CER ${cerText(characters)}` : "";
    return element("li", null, isolated(system.name), ": ", element("strong", null, rate),
      ` — ${plural(wrong(counts), "error", "errors")} in ${whole(said(counts))} ${counted}` +
      ` (${counts[1]} sub, ${counts[2]} del, ${counts[3]} ins)${cer}`);
  }));
}

const cerText = ([wrong, all]) => (wrong === wrong ? `${percent(wrong, all)} %` : "n/a");

// The worst of the selected utterances with their alignments, for paper.
function printedUtterances(data, selection) {
  const errors = new Map();
  for (const row of selection.rows) {
    const most = Math.max(...data.systems.map((system) => errorsOf(system, row)));
    if (most) errors.set(row, most);
  }
  const rows = [...errors.keys()].sort((a, b) => errors.get(b) - errors.get(a) || a - b);
  const title = rows.length > PRINTED
    ? `The ${PRINTED} with the most errors of ${plural(rows.length, itemName(), itemsName())} with errors`
    : plural(rows.length, `${itemName()} with errors`, `${itemsName()} with errors`);
  const lines = Math.max(1, Math.floor(PRINTED_LINES / (1 + data.systems.length)));
  const options = { times: false, confidences: false, found: null, width: SMALLER * PAPER, lines };
  return element("section", { id: "printed" }, element("h2", null, title),
    rows.slice(0, PRINTED).map((row) => element("article", null,
      element("h3", null, isolated(data.utterances[row])),
      factsOf(data, row), scoresOf(data, row), alignmentOf(data, row, options))));
}
