// Tables that sort by a click on a heading, and show more rows on demand.

const FIRST_ROWS = 100;
const MORE_ROWS = 1000;
const PRINTED_ROWS = 12;
const PRINTED_COLUMNS = 14; // as many numbers stand side by side on paper

// columns: {title, of(entry) -> number or text, cell(entry) -> node or text, text?, system?}
function sortableTable({ caption, columns, entries, sum = null, by, descending = true }) {
  const box = element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption });
  if (!entries.length) {
    box.render = box.print = () => {};
    box.append(element("h3", null, caption), element("p", { class: "quiet" }, "None."));
    return box;
  }
  let limit = FIRST_ROWS;
  let order = { by, descending };
  box.print = () => render(PRINTED_ROWS, partsOf(columns));
  box.render = () => render(limit, [columns]);
  box.render();
  return box;

  function render(limit, parts) {
    const column = columns[order.by];
    const sorted = entries.map((entry, at) => [column.of(entry), at, entry]);
    const sign = order.descending ? -1 : 1;
    sorted.sort((a, b) => sign * compared(a[0], b[0], sign) || a[1] - b[1]);
    const shown = sorted.slice(0, limit).map(([, , entry]) => entry);
    box.replaceChildren(...parts.map((part) => element("table", { class: "numbers" },
      element("caption", null, `${caption} (${whole(entries.length)})`),
      element("thead", null, systemsRow(part), element("tr", { class: "heads" }, part.map(heading))),
      element("tbody", null, shown.map((entry) => row(part, entry))),
      sum && element("tfoot", null, row(part, sum)),
    )));
    const save = () => saveTable(caption, columns, sorted.map(([, , entry]) => entry));
    box.append(element("button", { type: "button", class: "plain more csv", onclick: save, "aria-label": `${caption} as CSV` }, "CSV"));
    if (entries.length <= limit) return;
    const rest = entries.length - limit;
    box.append(moreButton(rest), element("p", { class: "rest quiet" }, `and ${whole(rest)} more`));
  }

  // Names of systems above the columns they have in common.
  function systemsRow(columns) {
    const runs = [];
    for (const { system } of columns) {
      if (runs.length && system !== undefined && runs.at(-1).system === system) runs.at(-1).size++;
      else runs.push({ system, size: 1 });
    }
    if (!runs.some((run) => run.system !== undefined && run.size > 1)) return null;
    const cells = runs.map(({ system, size }) =>
      system === undefined
        ? element("td", { colspan: size })
        : element("th", { colspan: size, scope: "colgroup", class: "system" }, isolated(system)),
    );
    return element("tr", null, cells);
  }

  function heading(column) {
    const at = columns.indexOf(column);
    const isKey = at === order.by;
    const state = isKey ? (order.descending ? "descending" : "ascending") : "none";
    const sign = isKey ? (order.descending ? " ▾" : " ▴") : "";
    const click = () => {
      order = { by: at, descending: isKey ? !order.descending : !column.text };
      box.render();
      box.querySelectorAll("thead button")[at].focus();
    };
    const button = element("button", { type: "button", class: "sort", onclick: click }, column.title);
    button.append(element("span", { "aria-hidden": "true" }, sign));
    const kind = column.text ? "text" : column.named ? "named" : null;
    return element("th", { scope: "col", "aria-sort": state, class: kind }, button);
  }

  function moreButton(left) {
    const click = () => {
      limit += MORE_ROWS;
      box.render();
    };
    const label = `Show ${whole(Math.min(left, MORE_ROWS))} more of ${whole(left)}`;
    return element("button", { type: "button", class: "plain more", onclick: click }, label);
  }
}

// The columns in parts that fit on paper, each with the names of the rows; systems stay whole.
function partsOf(columns) {
  const names = columns.filter(({ text, aside }) => text && !aside);
  const parts = [[]];
  columns.filter(({ text }) => !text).forEach((column, at, numbers) => {
    const isNew = column.system === undefined || column.system !== numbers[at - 1]?.system;
    const together = isNew ? numbers.filter(({ system }) => system && system === column.system).length : 0;
    if (isNew && parts.at(-1).length && parts.at(-1).length + Math.max(1, together) > PRINTED_COLUMNS) parts.push([]);
    parts.at(-1).push(column);
  });
  return parts.map((part) => [...names, ...part]);
}

// A table as a file: all its rows, numbers as they are.
function saveTable(name, columns, entries) {
  const several = new Set(columns.map(({ system }) => system)).size > 2;
  const heads = columns.map(({ title, system }) => (several && system !== undefined ? `${system}: ${title}` : title));
  const value = (column, entry) => {
    const found = column.csv?.(entry) ?? (column.text ? column.cell(entry) : column.of(entry));
    return found instanceof Node ? found.textContent : found;
  };
  saveRows(name, [heads, ...entries.map((entry) => columns.map((column) => value(column, entry)))]);
}

function saveRows(name, rows) {
  const field = (value) => {
    const text = typeof value === "number" && !Number.isFinite(value) ? "" : String(value).replaceAll("\u00a0", " ");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const text = rows.map((row) => row.map(field).join(",") + "\r\n").join("");
  saveFile(`${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.csv`, "text/csv", text);
}

function saveFile(download, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href, download }).click();
  URL.revokeObjectURL(href);
}

// A button below each table that stands in the page from the start.
function addSaving() {
  for (const box of document.querySelectorAll("#panel-overview .wide")) {
    const name = box.getAttribute("aria-label");
    const save = () => saveRows(name, Array.from(box.querySelectorAll("tr"), (row) =>
      Array.from(row.cells, (cell) => cell.innerText.trim().replace(/\s*\n\s*/g, " "))));
    box.append(element("button", { type: "button", class: "plain more csv", onclick: save, "aria-label": `${name} as CSV` }, "CSV"));
  }
}

// What has no number stands last, whichever way is sorted.
function compared(a, b, sign) {
  if (typeof a === "string") return a.localeCompare(b, "en", { numeric: true });
  if (a !== a || b !== b) return sign * ((a !== a) - (b !== b));
  return a - b;
}

function row(columns, entry) {
  return element("tr", null, columns.map((column, at) => {
    const content = column.cell(entry);
    const attributes = { class: column.text ? "text" : null };
    return at === 0
      ? element("th", { scope: "row", ...attributes }, content)
      : element("td", attributes, content);
  }));
}

// The columns of counts that every table of groups has.
// most: the greatest rate of all, which has the longest bar
function countColumns(data, most) {
  const columns = [
    { title: capital(itemsName()), of: (entry) => entry.rows },
    { title: capital(document.body.dataset.counted), of: (entry) => said(entry.counts[0]) },
  ];
  for (const { name, number } of data.systems) {
    const rate = (entry) => share(entry.counts[number]);
    columns.push(
      { title: "Rate\u00a0%", system: name, of: rate, cell: (entry) => rateCell(rate(entry), most), csv: (entry) => 100 * rate(entry) },
      {
        title: "95\u00a0% (t)", system: name, of: (entry) => intervalOf(entry, number)?.[0] ?? NaN,
        cell: (entry) => boundsOf(entry, number) ?? element("span", { class: "quiet" }, "n/a"),
        csv: (entry) => boundsOf(entry, number) ?? "",
      },
      { title: "Sub", system: name, of: (entry) => entry.counts[number][1] },
      { title: "Del", system: name, of: (entry) => entry.counts[number][2] },
      { title: "Ins", system: name, of: (entry) => entry.counts[number][3] },
    );
  }
  if (data.systems.length === 2) {
    const change = (entry) => share(entry.counts[1]) - share(entry.counts[0]);
    const cell = (entry) => (change(entry) === change(entry) ? signed(100 * change(entry)) : "n/a");
    columns.push({ title: "Change (pt)", of: change, cell, csv: (entry) => 100 * change(entry) });
  }
  for (const column of columns) column.cell ??= (entry) => whole(column.of(entry));
  return columns;
}

const boundsOf = (entry, number) => entry.bounds?.[number] ?? boundsText(intervalOf(entry, number));
// The interval that the overview shows for a system, if its level is that of the other rows.
const boundsOfAll = ({ name }) =>
  Array.from(document.querySelectorAll("#systems .bounds, #ranking .bounds"))
    .find(({ parentNode }) => parentNode.cells[0].textContent === name
      && parentNode.closest("table").tHead.textContent.includes("95\u00a0% interval"))?.textContent.split(" (")[0];
const boundsText = (bounds) => bounds && bounds.map((bound) => (100 * bound).toFixed(2)).join(" – ");

// A rate with a bar beside it.
function rateCell(rate, most) {
  if (rate !== rate) return element("span", { class: "quiet" }, "n/a");
  const bar = element("span", { class: "bar", "aria-hidden": "true" });
  bar.style.inlineSize = `${(most ? (54 * rate) / most : 0).toFixed(1)}%`;
  return element("span", { class: "barred" }, bar, element("span", null, (100 * rate).toFixed(2)));
}

function linkTo(text, label, click) {
  return element("button", { type: "button", class: "link", title: label, onclick: click }, isolated(text));
}

function groupTable(data, rows, kind, follow) {
  const entries = grouped(data, rows, kind);
  const name = {
    title: kind.one,
    text: true,
    of: (entry) => (kind.ordered ? entry.group : entry.name),
    cell: (entry) =>
      entry.group === undefined
        ? entry.name
        : linkTo(entry.name, "Show these utterances", () => follow(kind, entry)),
  };
  const sum = { name: "All shown", ...sumOf(data, rows) };
  if (rows.length === data.rows) sum.bounds = data.systems.map(boundsOfAll);
  let most = 0;
  for (const { counts } of entries) for (const one of counts) if (share(one) > most) most = share(one);
  const columns = [name, ...countColumns(data, most)];
  const options = kind.ordered ? { by: 0, descending: false } : { by: 1, descending: true };
  return sortableTable({ caption: kind.title, columns, entries, sum, ...options });
}

const RATES = [0, 0.1, 0.2, 0.5, 1, Infinity]; // each the greatest of its column

// How many utterances of a system have a length and a rate.
function scatterTable(rows, system) {
  const names = binNames(LENGTHS, 1, "");
  const entries = names.map((name, bin) => ({ name, bin, counts: RATES.map(() => 0) }));
  for (const row of rows) {
    const rate = rateOf(system, row);
    if (rate === rate) entries[binOf(LENGTHS, lengthOf(system, row))].counts[RATES.findIndex((most) => rate <= most)]++;
  }
  const title = (most, at) =>
    at === 0 ? "0\u00a0%" : most > 1 ? "more" : `to ${ticked(most)}\u00a0%`;
  const columns = [
    { title: "Reference " + document.body.dataset.counted, text: true, of: ({ bin }) => bin, cell: ({ name }) => name },
    ...RATES.map((most, at) => ({
      title: title(most, at), of: ({ counts }) => counts[at], cell: ({ counts }) => whole(counts[at]),
    })),
  ];
  const filled = entries.filter(({ counts }) => counts.some(Boolean));
  return sortableTable({ caption: `${capital(itemsName())} by length and rate, ${system.name}`, columns, entries: filled, by: 0, descending: false });
}

function confusionTables(data, [substitutions, deletions, insertions], follow, jump) {
  const word = (title, of, edit) => ({
    title,
    text: true,
    of: (entry) => data.words[of(entry)],
    cell: (entry) =>
      linkTo(data.words[of(entry)], "Show these utterances", () => follow(edit, entry)),
  });
  const sum = (entry) => entry.counts.reduce((all, one) => all + one, 0);
  const numbers = data.systems.map(({ name, number }) => ({
    title: data.systems.length > 1 ? name : "Count",
    named: data.systems.length > 1,
    of: (entry) => entry.counts[number],
    cell: (entry) => whole(entry.counts[number]),
  }));
  if (data.systems.length > 1) numbers.push({ title: "Sum", of: sum, cell: (entry) => whole(sum(entry)) });
  const spoken = {
    title: "Spoken", of: (entry) => entry.spoken, cell: (entry) => whole(entry.spoken),
  };
  const examples = {
    title: "Examples", text: true, aside: true, of: ({ examples: [[row]] }) => data.utterances[row],
    cell: ({ examples }) => element("span", { class: "examples" }, examples.map(([row, system, place]) =>
      linkTo(data.utterances[row], `Show the place, ${system.name}`, () => jump(row, system, place)))),
    csv: (entry) => entry.examples.map(([row]) => data.utterances[row]).join(" "),
  };
  const reference = (edit) => word("Reference", (entry) => entry.reference, edit);
  const hypothesis = (edit) => word("Hypothesis", (entry) => entry.hypothesis, edit);
  const tables = [
    ["Substitutions", [reference(SUBSTITUTION), hypothesis(SUBSTITUTION), ...numbers, examples], substitutions],
    ["Deletions", [reference(DELETION), ...numbers, spoken, examples], deletions],
    ["Insertions", [hypothesis(INSERTION), ...numbers, examples], insertions],
  ];
  return tables.map(([caption, columns, entries]) => {
    const by = columns.indexOf(numbers.at(-1));
    return sortableTable({ caption, columns, entries, by });
  });
}

function wordTable(data, rows, follow) {
  const columns = [{
    title: "Word", text: true, of: ({ word }) => data.words[word],
    cell: ({ word }) => linkTo(data.words[word], "Show the utterances with this word in the reference", () => follow(word)),
  }];
  const several = data.systems.length > 1;
  for (const { name, number } of data.systems) {
    const system = several ? name : undefined;
    const ratio = ({ counts }) => (counts[number][0] ? (100 * counts[number][1]) / counts[number][0] : NaN);
    columns.push(
      { title: "Said", system, of: ({ counts }) => counts[number][0] },
      { title: "Correct", system, of: ({ counts }) => counts[number][1] },
      { title: "Correct\u00a0%", system, of: ratio, cell: (entry) => percent(entry.counts[number][1], entry.counts[number][0]), csv: ratio },
    );
  }
  for (const column of columns) column.cell ??= (entry) => whole(column.of(entry));
  const all = wordAccuracy(data, rows);
  const box = element("div");
  const show = (text) => {
    const wanted = text.trim().normalize("NFC").toLowerCase();
    const entries = wanted ? all.filter(({ word }) => data.words[word].normalize("NFC").toLowerCase().includes(wanted)) : all;
    box.replaceChildren(sortableTable({ caption: "Words of the reference", columns, entries, by: 1 }));
  };
  show("");
  const search = element("input", { type: "search", id: "search-words", dir: "auto", autocomplete: "off", oninput: ({ target }) => show(target.value) });
  return [element("div", { class: "screen" }, element("p", { class: "sorting" }, element("label", null, "Find a word ", search)), box)];
}

function confidenceTable(data, all) {
  const known = data.systems.filter(({ number }) => all[number]);
  const tenths = all.find(Boolean).map((_, tenth) => tenth);
  const title = (tenth) =>
    tenth === CONFIDENCE_BINS ? "(none between 0 and 1)" : `${tenth / 10} – ${(tenth + 1) / 10}`;
  const columns = [{ title: "Confidence", text: true, of: (tenth) => tenth, cell: title }];
  for (const { name, number } of known) {
    const bin = (tenth) => all[number][tenth];
    const ratio = (part, tenth) => (bin(tenth).words ? (100 * part(bin(tenth))) / bin(tenth).words : NaN);
    const columnOf = (heading, part) => ({
      title: heading,
      system: name,
      of: (tenth) => ratio(part, tenth),
      cell: (tenth) => (bin(tenth).words ? ratio(part, tenth).toFixed(2) : "n/a"),
    });
    columns.push(
      {
        title: capital(document.body.dataset.counted), system: name, of: (tenth) => bin(tenth).words,
        cell: (tenth) => whole(bin(tenth).words),
      },
      columnOf("Correct %", (one) => one.right),
      columnOf("Mean confidence %", (one) => one.sum),
    );
    columns.at(-1).cell = (tenth) =>
      bin(tenth).words && tenth < CONFIDENCE_BINS ? ratio((one) => one.sum, tenth).toFixed(2) : "n/a";
  }
  return sortableTable({ caption: "Confidence", columns, entries: tenths, by: 0, descending: false });
}
