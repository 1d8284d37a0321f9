// The whole talk as running text with its errors marked, by speaker and time.

const TURN_WORDS = 120; // after so many words a paragraph ends
const FIRST_TURNS = 40;
const PREVIEW_WORDS = 90;

class Reading {
  // jump(row) shows the alignment of an utterance.
  constructor(data, selection, jump) {
    this.data = data;
    this.selection = selection;
    this.jump = jump;
    this.system = data.systems[0];
    this.sound = null;
  }

  view() {
    const { data } = this;
    const box = element("div", { class: "reading", id: "reading" });
    const controls = element("p", { class: "sorting" });
    if (data.systems.length > 1) {
      const names = data.systems.map(({ name, number }) => [String(number), name]);
      const systems = choice("reading-system", "System", names, (number) => {
        this.system = data.systems[Number(number)];
        this.fill(box);
      });
      systems.value = String(this.system.number);
      controls.append(element("label", null, "System ", systems));
    }
    controls.append(...markKeys());
    this.fill(box);
    return [controls, box];
  }

  fill(box) {
    const turns = turnsOf(this.data, this.system, rowsOverTime(this.data, this.selection.rows), TURN_WORDS);
    const show = (from, to) => {
      for (const turn of turns.slice(from, to)) box.append(this.turn(turn));
      if (to >= turns.length) return;
      box.append(element("button", { type: "button", class: "plain more", onclick: ({ target }) => {
        target.remove();
        show(to, to + FIRST_TURNS);
      } }, plural(turns.length - to, "more paragraph", "more paragraphs")));
    };
    box.replaceChildren();
    if (!turns.length) box.append(element("p", { class: "quiet" }, "No words are selected."));
    show(0, FIRST_TURNS);
  }

  // The beginning of the text, from the first error on.
  preview() {
    const rows = rowsOverTime(this.data, this.selection.rows);
    const first = Math.max(0, rows.findIndex((row) => errorsOf(this.system, row)));
    const shown = [];
    let words = 0;
    for (const row of rows.slice(first)) {
      if (words >= PREVIEW_WORDS) break;
      words += this.data.length[row];
      shown.push(row);
    }
    return turnsOf(this.data, this.system, shown, TURN_WORDS).map((turn) => this.turn(turn, PREVIEW_WORDS));
  }

  // Of each utterance at most so many words: the words of a speaker in a meeting may be one utterance.
  turn({ speaker, recording, rows }, most = Infinity) {
    const { data } = this;
    const start = data.starts ? data.starts[rows[0]] : NONE;
    const heads = [];
    if (speaker !== null) heads.push(element("strong", null, isolated(speaker)));
    if (recording !== null && data.recordings.length > 1) heads.push(element("span", null, isolated(recording)));
    if (start >= 0) heads.push(element("span", null, clock(start)));
    const text = element("p", { dir: "auto" }, rows.flatMap((row) => [this.utterance(row, most), " "]));
    return element("article", { class: "turn" },
      heads.length ? element("header", { class: "quiet" }, heads.flatMap((head) => [head, " "])) : null, text);
  }

  utterance(row, most) {
    const { data } = this;
    const name = data.utterances[row];
    const made = element("span", { class: "spoken", "data-row": row },
      element("button", { type: "button", class: "link at", title: name, "aria-label": `Show the alignment of ${name}`,
        onclick: () => this.jump(row) }, "¶"));
    if (data.sound && data.sounds[data.sound[row]]) {
      made.append(element("button", { type: "button", class: "link at", "aria-label": `Play ${name}`,
        onclick: () => this.play(row) }, "▶"));
    }
    made.append(...markedWords(data, this.system, row, most));
    return made;
  }

  play(row) {
    const { sound, sounds, start, end } = this.data;
    const part = start ? [start[row], end[row]].filter((time) => time >= 0).map((time) => time / 1000) : [];
    this.sound?.pause();
    this.sound = new Audio(sounds[sound[row]] + (part.length ? `#t=${part.join(",")}` : ""));
    this.sound.play();
  }
}

function markKeys() {
  return [["D", "del", "missing"], ["I", "ins", "added"], ["S", "ins", "instead of"]].map(([kind, tag, name]) =>
    element("span", { class: "reading" }, element(tag, { class: kind }, name)));
}

// Rows in the order of the file, or where all have times in that of recordings and times.
function rowsOverTime(data, selected) {
  const rows = Array.from(selected).sort((a, b) => a - b);
  if (!data.starts || rows.some((row) => data.starts[row] < 0)) return rows;
  const recording = (row) => (data.recording ? data.recording[row] : 0);
  return rows.sort((a, b) => recording(a) - recording(b) || data.start[a] - data.start[b] || a - b);
}

// Rows of the same speaker and recording that follow each other, as paragraphs.
function turnsOf(data, system, rows, most) {
  const turns = [];
  let last = null, words = 0;
  for (const row of rows) {
    if (system.position[row] < 0) continue;
    const recording = data.recording ? data.recordings[data.recording[row]] : null;
    const speaker = data.speakers[data.speaker[row]];
    if (!last || last.speaker !== speaker || last.recording !== recording || words >= most) {
      last = { speaker, recording, rows: [] };
      turns.push(last);
      words = 0;
    }
    last.rows.push(row);
    words += data.length[row];
  }
  return turns;
}

// The words of a row: right ones as text, wrong ones marked; an ellipsis replaces those after so many.
function markedWords(data, system, row, most) {
  const { space } = data;
  const nodes = [];
  let right = [], words = 0;
  const flush = () => {
    if (right.length) nodes.push(space + right.join(space));
    right = [];
  };
  const mark = (tag, kind, word) => nodes.push(space, element(tag, { class: kind }, data.words[word]));
  anyPlace(system, row, (edit, left, heard) => {
    words += 1;
    if (words > most) return;
    const letter = EDITS[edit];
    if (letter === "C") {
      right.push(data.words[heard === NONE ? left : heard]);
      return;
    }
    flush();
    if (left !== NONE) mark("del", letter, left);
    if (heard !== NONE) mark("ins", letter, heard);
  });
  flush();
  if (words > most) nodes.push(" …");
  return nodes;
}
