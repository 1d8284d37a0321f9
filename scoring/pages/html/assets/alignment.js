// One utterance: reference and hypotheses word above word, and the forms before normalisation.

const NAMES_OF_EDITS = {
  C: "correct", S: "substitution", D: "deletion", I: "insertion", M: "merged", T: "split",
};
const FIRST_BLOCKS = 60;
const CELL_PADDING = 16;

// Systems of the same reference, which stand in one table: alternatives, rules or files may differ.
function families(data, row) {
  const found = new Map();
  for (const system of data.systems) {
    const at = system.position[row];
    if (at < 0) continue;
    const { offsets, words } = system.reference;
    const key = words.subarray(offsets[at], offsets[at + 1]).join(" ");
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(system);
  }
  return [...found.values()];
}

// What each system has before and at every word of the reference.
function slotsOf(data, system, row) {
  const { at, begin, end, left, right } = placesOf(system, row);
  const size = system.reference.offsets[at + 1] - left;
  const slots = Array.from({ length: size + 1 }, () => ({ before: [], at: null }));
  let reference = 0, hypothesis = right;
  for (let place = begin; place < end; place++) {
    const edit = system.edits[place];
    const cell = { letter: EDITS[edit], edit, word: null, place: `${system.number}.${place}` };
    if (HAS_HYPOTHESIS[edit]) {
      cell.forgiven = system.forgiven(1, at, hypothesis - right);
      Object.assign(cell, cellOf(data, system.hypothesis, hypothesis++));
    }
    if (HAS_REFERENCE[edit]) slots[reference++].at = cell;
    else slots[reference].before.push(cell);
  }
  return slots;
}

function cellOf(data, side, index) {
  return {
    number: side.words[index],
    isOutside: Boolean(data.outside?.[side.words[index]]),
    word: data.words[side.words[index]],
    start: side.starts ? side.starts[index] : NONE,
    end: side.ends ? side.ends[index] : NONE,
    confidence: side.confidences ? side.confidences[index] : NONE,
  };
}

// Columns of the table: a cell of the reference (or null) and one of each system (or null).
function columnsOf(data, systems, row) {
  const { reference } = systems[0];
  const { left } = placesOf(systems[0], row);
  const all = systems.map((system) => slotsOf(data, system, row));
  const columns = [];
  for (let slot = 0; slot < all[0].length; slot++) {
    const most = Math.max(...all.map((slots) => slots[slot].before.length));
    for (let at = 0; at < most; at++) {
      columns.push({ reference: null, cells: all.map((slots) => slots[slot].before[at] ?? null) });
    }
    if (slot < all[0].length - 1) {
      const cells = all.map((slots) => slots[slot].at);
      const forgiven = forgivenAt(systems, row, slot);
      columns.push({ reference: { ...cellOf(data, reference, left + slot), forgiven }, cells });
    }
  }
  return columns;
}

// What was forgiven at a word of the reference, by the first system that has it.
function forgivenAt(systems, row, word) {
  const titles = systems.map((system) => system.forgiven(0, system.position[row], word));
  return titles.find((title) => title !== null) ?? null;
}

// options: {times, confidences, found (by word), width of a line in pixels, lines at first}
function alignmentOf(data, row, options) {
  return families(data, row).map((systems) => {
    const columns = columnsOf(data, systems, row);
    const names = ["Reference", ...systems.map(({ name }) => name)];
    const isRightToLeft = runsRightToLeft(columns.flatMap((c) => (c.reference ? [c.reference.word] : [])));
    const box = element("div", { class: "alignment", dir: isRightToLeft ? "rtl" : "ltr" });
    if (!columns.length) box.append(element("p", { class: "quiet" }, "No words on either side."));
    const blocks = linesOf(columns, names, options);
    const show = (from, to) => {
      for (const block of blocks.slice(from, to)) box.append(blockTable(block, names, systems, options));
      if (to >= blocks.length) return;
      const rest = plural(blocks.length - to, "more line", "more lines");
      box.append(restButton(rest, () => show(to, Infinity)), element("p", { class: "rest quiet" }, `and ${rest}`));
    };
    show(0, options.lines ?? FIRST_BLOCKS);
    return box;
  });
}

function restButton(rest, click) {
  return element("button", { type: "button", class: "plain", onclick: ({ target }) => {
    target.nextSibling.remove();
    target.remove();
    click();
  } }, `Show ${rest}`);
}

// Columns gathered to lines that fit.
function linesOf(columns, names, options) {
  canvas.font = "15px system-ui, sans-serif";
  const known = new Map();
  const widthOf = (text) => {
    if (!known.has(text)) known.set(text, canvas.measureText(text).width);
    return known.get(text);
  };
  const least = options.times ? 42 : options.confidences ? 26 : 22;
  const room = options.width - Math.min(180, Math.max(...names.map(widthOf)) + 24);
  const lines = [[]];
  let used = 0;
  for (const column of columns) {
    const texts = [column.reference, ...column.cells].map((cell) => cell?.word ?? "");
    const width = Math.max(least, ...texts.map(widthOf)) + CELL_PADDING;
    if (used + width > room && lines.at(-1).length) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1).push(column);
    used += width;
  }
  return lines.filter((line) => line.length);
}

function blockTable(columns, names, systems, options) {
  const head = (name) => element("th", { scope: "row" }, isolated(name));
  const first = element("tr", { class: "reference" }, head(names[0]));
  for (const column of columns) {
    first.append(wordCell(column.reference, column.reference ? "" : "gap", options));
  }
  const rows = systems.map((system, at) => {
    const row = element("tr", null, head(names[at + 1]));
    for (const column of columns) row.append(hypothesisCell(column, column.cells[at], options));
    return row;
  });
  return element("table", { class: "words" }, element("tbody", null, first, rows));
}

function hypothesisCell(column, cell, options) {
  if (!cell) return element("td", { class: "gap", "aria-label": "no word" });
  const isRight = cell.letter === "C";
  const made = wordCell(cell, isRight ? (cell.edit === SPELLED_OTHERWISE ? "otherwise" : "") : cell.letter, options);
  made.dataset.place = cell.place;
  if (!isRight) {
    const title = NAMES_OF_EDITS[cell.letter];
    made.append(element("abbr", { class: "letter", title }, cell.letter));
    made.title = [describe(cell, column.reference, title), cell.forgiven].filter(Boolean).join("\n");
  } else if (cell.word === null) {
    made.title = "optional word, omitted";
  }
  return made;
}

function describe(cell, reference, title) {
  const words = [reference?.word, cell.word].filter((word) => word !== null && word !== undefined);
  return `${title}: ${words.join(" → ")}`;
}

function wordCell(cell, kind, options) {
  const made = element("td", { class: kind || null });
  if (!cell) {
    made.setAttribute("aria-label", "no word");
    return made;
  }
  if (cell.word === null) made.append(element("span", { class: "nothing" }, "–"));
  else {
    const isFound = options.found && options.found[cell.number];
    made.append(isFound ? element("mark", null, isolated(cell.word)) : isolated(cell.word));
  }
  if (cell.forgiven) {
    made.classList.add("forgiven");
    made.title = cell.forgiven;
  }
  if (cell.isOutside) made.append(element("abbr", { class: "outside", title: "not in the vocabulary" }, "OOV"));
  if (cell.start >= 0) Object.assign(made.dataset, { start: cell.start, end: Math.max(cell.end, cell.start + 1) });
  if (options.times && cell.start >= 0) {
    const title = cell.end >= 0 ? `${clock(cell.start)} – ${clock(cell.end)}` : clock(cell.start);
    made.append(element("small", { title, dir: "ltr" }, clock(cell.start)));
  }
  if (options.confidences && cell.confidence >= 0) {
    const value = cell.confidence / MILLION;
    made.append(element("small", { title: `confidence ${value}`, dir: "ltr" }, value.toFixed(2)));
  }
  return made;
}

// The forms of a text from what was read to what was scored, for each side that has any.
function stagesOf(data, row) {
  const seen = new Set();
  const parts = [];
  for (const system of data.systems) {
    const at = system.position[row];
    if (at < 0) continue;
    for (const [side, name] of [[system.reference, "Reference"], [system.hypothesis, system.name]]) {
      if (seen.has(side) || !side.stages.length) continue;
      seen.add(side);
      const items = stageItems(data, side, at);
      const key = JSON.stringify([name, items]);
      if (seen.has(key)) continue;
      seen.add(key);
      if (items.length > 1) parts.push(stageList(name, items));
    }
  }
  if (seen.size && !parts.length) {
    parts.push(element("p", { class: "quiet" }, "Everything was scored as it was read."));
  }
  return parts;
}

// Pairs of a title and a text; only one where nothing changed.
function stageItems(data, side, at) {
  const text = (words) => Array.from(words, (word) => data.words[word]).join(" ");
  const scored = text(side.words.subarray(side.offsets[at], side.offsets[at + 1]));
  const items = [];
  let last = null;
  side.stages.forEach(({ title, counts, offsets, words }, number) => {
    if (counts[at]) last = text(words.subarray(offsets[at], offsets[at + 1]));
    else if (number === 0) last = scored;
    if (counts[at] || number === 0) items.push([title, last]);
  });
  const isWhole = side.stages.length > 1 || !side.steps?.length;
  if (!isWhole && last !== scored) items.push([side.steps.join(", "), scored]);
  else if (last !== scored) items.push(["as scored", scored]);
  return items;
}

function stageList(name, items) {
  return element("section", null,
    element("h3", null, isolated(name)),
    element("dl", { class: "stages" }, items.flatMap(([title, form]) => [
      element("dt", null, title),
      element("dd", { dir: "auto" }, form || element("span", { class: "quiet" }, "(no words)")),
    ])),
  );
}
