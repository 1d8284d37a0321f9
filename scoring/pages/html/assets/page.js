// The page: views, filter, theme, keys.

const PATIENT = 100, LONGEST_WAIT = 150; // milliseconds
const PHONE = "(max-width: 480px)"; // as in the style
const MOST_OFFERED = 400; // names in a list to choose from

const addressOf = (data, row) => "#utterance=" + encodeURIComponent(data.utterances[row]);
const FIELDS_OF_ADDRESS = { text: "search", scope: "scope", kind: "kind", system: "system", least: "least" };

class Page {
  constructor(data) {
    this.data = data;
    this.selection = new Selection(data);
    this.kinds = kindsOfGroups(data);
    for (const kind of this.kinds) {
      this.selection.grouping.set(kind.name, (group) => (row) => kind.of(row).includes(group));
    }
    this.verdicts = new Verdicts(data);
    this.detail = new Detail(data, this.selection, this.verdicts);
    this.list = new UtteranceList(data, this.selection, (row) => this.look(row));
    this.reading = new Reading(data, this.selection, (row) => this.jumpTo(row));
    this.views = new Map();
    this.stale = new Set();
    this.makeViews();
    this.makeFilter();
    this.selection.listeners.push(() => this.changed());
    addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.follow());
    addEventListener("beforeprint", () => this.prepareForPaper());
    addEventListener("afterprint", () => {
      byId("printed")?.remove();
      for (const box of document.querySelectorAll(".panel .wide")) box.render?.();
    });
  }

  makeViews() {
    this.addView("overview", "Overview", () => this.drawRates());
    this.addView("text", "Text", () => this.reading.view());
    if (this.data.systems.some(({ lanes }) => lanes)) this.addView("lanes", "Speakers over time", () => this.lanesView());
    for (const kind of this.kinds) this.addView(kind.name, kind.title, () => this.groupView(kind));
    if (this.data.starts && this.data.recording) this.addView("time", "Rate over time", () => this.timeView());
    if (this.data.systems.some((system) => system.hypothesis.confident)) {
      this.addView("confidence", "Confidence", () => this.confidenceView());
    }
    for (const panel of document.querySelectorAll("section[data-title]")) {
      this.addView(panel.id.slice("panel-".length), panel.dataset.title, null);
    }
    this.addView("errors", "Confusions", () => this.confusionView());
    this.addView("words", "Words", () => this.wordView());
    this.addView("verdicts", "Verdicts", () =>
      this.verdicts.view(this.selection.rows, (row, system, place) => this.jump(row, system, place)));
    this.addView("utterances", capital(itemsName()), null);
    const panel = byId("panel-utterances");
    const list = element("div", null, this.sorting(), this.list.box);
    panel.append(element("div", { class: "split" }, list, this.detail.box));
    byId("tabs").hidden = false;
    byId("tabs").addEventListener("keydown", (event) => this.tabKey(event));
  }

  addView(name, title, draw) {
    const tab = element("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
      onclick: () => this.open(name),
    }, title);
    byId("tabs").append(tab);
    let panel = byId(`panel-${name}`);
    if (!panel) {
      panel = element("section", { class: "panel", id: `panel-${name}` });
      document.querySelector("main").append(panel);
    }
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.views.set(name, { tab, panel, draw });
    this.stale.add(name);
  }

  open(name) {
    for (const [other, { tab, panel }] of this.views) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    this.current = name;
    this.refresh(name);
    if (name === "utterances") {
      this.list.render();
      if (this.detail.row === null) this.list.pick(0);
      else this.detail.show(this.detail.row);
    }
    this.writeAddress();
  }

  refresh(name) {
    const { panel, draw } = this.views.get(name);
    if (!this.stale.delete(name) || !draw) return;
    const content = draw();
    if (content) panel.replaceChildren(...content);
  }

  changed() {
    for (const name of this.views.keys()) this.stale.add(name);
    this.list.refresh();
    this.showState();
    this.refresh(this.current);
    if (this.current !== "utterances") this.detail.row = null;
    else if (this.list.count) this.list.pick(0);
    else this.detail.show(null);
    this.writeAddress();
  }

  tabKey(event) {
    const names = [...this.views.keys()];
    const at = names.indexOf(this.current);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const name = names[(moves[event.key] + names.length) % names.length];
    this.open(name);
    this.views.get(name).tab.focus();
  }

  pressed(event) {
    const isTyping = event.target.closest?.("input, select, textarea");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      byId("search").focus();
      byId("search").select();
    } else if (event.key === "Escape" && event.target === byId("search")) {
      event.preventDefault(); // which would clear the field by itself, unnoticed here
      clearTimeout(this.waiting);
      if (byId("search").value) this.selection.change({ text: (byId("search").value = "") });
      else byId("search").blur();
    } else if (event.key === "Escape" && byId("detail").contains(event.target)) {
      byId("list").focus();
    }
  }

  // Views

  drawRates() {
    const { data, selection } = this;
    const rows = document.querySelectorAll("#systems tbody tr");
    const number = (text) => (text === "" ? null : Number(text));
    const intervals = Array.from(rows, ({ dataset }) =>
      dataset.low === "" || !selection.isAll ? null : [number(dataset.low), number(dataset.high)]);
    const { reading } = this;
    const title = data.systems.length < 2 ? [] : [element("h2", null, "Text with its errors: ", isolated(reading.system.name))];
    byId("words-first").replaceChildren(...title, ...reading.preview(), element("button", {
      type: "button", class: "plain", onclick: () => this.open("text"),
    }, "Read the whole text"));
    const note = selection.isAll ? "" : `These are the selected ${itemsName()}; the table below shows all.`;
    const keys = [["S", "substitutions"], ["D", "deletions"], ["I", "insertions"]];
    const figure = byId("chart-rates");
    figure.hidden = false;
    figure.replaceChildren(
      fitted((width) => ratesChart(data, sumOf(data, selection.rows), intervals, width)),
      element("ul", { class: "legend" }, keys.map(([letter, name]) =>
        element("li", null, element("span", { class: `key ${letter}` }, letter), name))),
    );
    if (note) figure.append(element("figcaption", { class: "quiet" }, note));
    return null;
  }

  // The rate of characters beside that of words, in steps that leave the page time to answer.
  async addCharacterRates() {
    const { data } = this;
    if (data.unit !== "word") return;
    const title = "Errors of characters and blanks in the scored words, as scoring cer counts them";
    const heads = byId("systems").tHead.rows[0].cells;
    const before = heads[2].textContent === "Interval" ? 2 : 1;
    heads[before].after(element("th", { scope: "col", title }, "CER\u00a0%"));
    const cells = Array.from(byId("systems").tBodies[0].rows, (row) => {
      const cell = element("td", null, "…");
      row.cells[before].after(cell);
      return cell;
    });
    for (const system of data.systems) {
      let wrong = 0, all = 0, begun = performance.now();
      for (let row = 0; row < data.rows; row++) {
        const [errors, characters] = charactersOf(data, system, row) ?? [0, 0];
        wrong += errors;
        all += characters;
        if (performance.now() - begun < PATIENT) continue;
        await new Promise((resume) => setTimeout(resume));
        begun = performance.now();
      }
      cells[system.number].textContent = wrong === wrong ? percent(wrong, all) : "n/a";
    }
  }

  groupView(kind) {
    const { data, selection } = this;
    const content = [];
    const entries = grouped(data, selection.rows, kind);
    content.push(kind.ordered ? groupsChart(data, entries, kind.one) : dotsChart(data, entries, kind));
    if (kind.name === "length") {
      content.push(element("div", { class: "columns scatters" },
        selection.systems().map((system) => element("div", null, scatterChart(selection.rows, system, selection.systems()),
          element("details", null, element("summary", null, "The dots in figures"), scatterTable(selection.rows, system))))));
    }
    content.push(groupTable(data, selection.rows, kind, (one, { group }) => {
      selection.changeGroup(one.name, group);
      this.open("utterances");
    }));
    return content;
  }

  // Drawn once: it is of whole sessions, whatever is selected.
  lanesView() {
    if (this.lanes) return null;
    this.lanes = new Lanes(this.data, (row, system, place) => this.jump(row, system, place));
    return this.lanes.nodes;
  }

  // Show a place of an alignment.
  jump(row, system, place) {
    if (!this.selection.rows.includes(row)) this.clear();
    this.open("utterances");
    this.list.pick(this.selection.rows.indexOf(row));
    this.detail.reveal(system, place);
  }

  // The rate along a recording.
  timeView() {
    const { data, selection } = this;
    const heard = new Set(Array.from(selection.rows, (row) => data.recording[row]));
    const names = [...heard].filter((one) => data.recordings[one] !== null).map((one) => [String(one), data.recordings[one]]);
    if (!names.length) return [element("p", { class: "quiet" }, "No recording is selected.")];
    const box = element("div");
    const show = (recording) => {
      this.recording = recording;
      const entries = overTime(data, selection.rows, Number(recording));
      const name = { title: "From", text: true, of: (entry) => entry.at, cell: (entry) => entry.name };
      const columns = [name, ...countColumns(data, 0).filter(({ title }) => !title.startsWith("95"))];
      box.replaceChildren(
        entries.length ? groupsChart(data, entries, "Time in the recording (minutes:seconds)") : "",
        sortableTable({ caption: "Rate over time", columns, entries, by: 0, descending: false }),
      );
    };
    const select = choice("recording", "Recording", names, show);
    if (names.some(([value]) => value === this.recording)) select.value = this.recording;
    show(select.value);
    return [element("p", { class: "sorting" }, element("label", null, "Recording ", select)), box];
  }

  confidenceView() {
    const all = byConfidence(this.data, this.selection.rows);
    return [confidenceChart(this.data, all), confidenceTable(this.data, all)];
  }

  confusionView() {
    const { data, selection } = this;
    const follow = (edit, { reference, hypothesis }) => {
      selection.change({ pair: { edit, reference, hypothesis } });
      this.open("utterances");
    };
    const found = confusions(data, selection.rows);
    const graph = confusionGraph(data, found[0]);
    return [...(graph ? [graph] : []), element("div", { class: "columns" }, confusionTables(data, found, follow,
      (row, system, place) => this.jump(row, system, place)))];
  }

  wordView() {
    return wordTable(this.data, this.selection.rows, (word) => {
      this.selection.change({ pair: { edit: NONE, reference: word, hypothesis: NONE } });
      this.open("utterances");
    });
  }

  look(row) {
    this.detail.show(row);
    this.writeAddress();
  }

  jumpTo(row) {
    if (!this.selection.rows.includes(row)) this.clear();
    this.open("utterances");
    this.list.pick(this.selection.rows.indexOf(row));
  }

  // What is looked at as the part of the address behind #: view, filters, utterance.
  address() {
    const { data, selection } = this;
    const { groups, pair } = selection.state;
    const parts = [];
    const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
    for (const name of Object.keys(FIELDS_OF_ADDRESS)) {
      if (selection.state[name] !== CLEAR[name]) add(name, selection.state[name]);
    }
    for (const kind of this.kinds) {
      if (kind.name in groups) add(`by-${kind.name}`, kind.names[groups[kind.name]]);
    }
    if (pair) {
      const word = (number) => (number === NONE ? null : data.words[number]);
      add("pair", JSON.stringify([pair.edit, word(pair.reference), word(pair.hypothesis)]));
    }
    if (this.current !== "utterances") {
      if (this.current !== "overview" || parts.length) add("view", this.current);
    } else if (this.detail.row !== null) add("utterance", data.utterances[this.detail.row]);
    else add("view", this.current);
    return parts.length ? `#${parts.join("&")}` : "";
  }

  writeAddress() {
    if (this.following) return;
    try {
      history.replaceState(null, "", this.address() || location.pathname + location.search);
    } catch {
      // a name that is no text has no address, nor has a page in a frame
    }
  }

  // Show what the part behind # in the address names; whether it names something that is there.
  follow() {
    let wanted;
    try {
      wanted = new Map(location.hash.slice(1).split("&").filter((part) => part.includes("=")).map((part) => {
        const [name, ...value] = part.split("=");
        return [name, decodeURIComponent(value.join("="))];
      }));
    } catch {
      return false;
    }
    const row = wanted.has("utterance") ? this.data.utterances.indexOf(wanted.get("utterance")) : NONE;
    const view = row === NONE ? wanted.get("view") ?? "overview" : "utterances";
    if (!wanted.size || !this.views.has(view) || (wanted.has("utterance") && row === NONE)) return false;
    this.following = true;
    const state = this.stateOf(wanted);
    this.open(view);
    if (state) {
      this.fillFilter({ ...CLEAR, ...state });
      this.selection.change({ ...CLEAR, ...state });
    }
    if (row !== NONE) this.jumpTo(row);
    this.following = false;
    return true;
  }

  // The filters that an address names; null if it names none.
  stateOf(wanted) {
    const state = {};
    for (const [name, id] of Object.entries(FIELDS_OF_ADDRESS)) {
      if (!wanted.has(name) || !byId(id)) continue;
      const value = wanted.get(name), field = byId(id);
      if (!field.options || Array.from(field.options).some((one) => one.value === value)) state[name] = value;
    }
    for (const kind of this.kinds) {
      const group = kind.names.indexOf(wanted.get(`by-${kind.name}`));
      if (group >= 0) (state.groups ??= {})[kind.name] = group;
    }
    const pair = this.pairOf(wanted.get("pair"));
    if (pair) state.pair = pair;
    return Object.keys(state).length ? state : null;
  }

  pairOf(text) {
    if (text === undefined) return null;
    try {
      const [edit, ...words] = JSON.parse(text);
      const [reference, hypothesis] = words.map((word) => (word === null ? NONE : this.data.words.indexOf(word)));
      return { edit, reference, hypothesis };
    } catch {
      return null;
    }
  }

  fillFilter(state) {
    for (const [name, id] of Object.entries(FIELDS_OF_ADDRESS)) if (byId(id)) byId(id).value = state[name];
  }

  // The filter

  makeFilter() {
    const { data, selection } = this;
    const form = byId("filter");
    const several = data.systems.length > 1;
    const search = element("input", {
      type: "search", id: "search", placeholder: "Search words and names   /", "aria-label": "Search",
      autocomplete: "off", spellcheck: "false", dir: "auto",
      oninput: (event) => {
        clearTimeout(this.waiting);
        // while a search takes long, further letters are waited for
        this.waiting = setTimeout(() => {
          const begun = performance.now();
          selection.change({ text: event.target.value });
          this.took = performance.now() - begun;
        }, this.took > PATIENT ? LONGEST_WAIT : 0);
      },
    });
    const kinds = Object.entries(KINDS)
      .filter(([name]) => several || !["differ", "better", "worse"].includes(name))
      .filter(([name]) => data.outside || name !== "outside")
      .map(([name, [text]]) => [name, text]);
    const controls = element("div");
    const folded = element("details", { class: "controls" }, element("summary", null, "Filters"), controls);
    const narrow = matchMedia(PHONE);
    const fold = () => { folded.open = !narrow.matches; };
    narrow.addEventListener("change", fold);
    fold();
    form.append(search, folded);
    controls.append(
      choice("scope", "Where to search", Object.entries(SCOPES), (scope) => selection.change({ scope })),
      choice("kind", "Errors", kinds, (kind) => selection.change({ kind })),
    );
    if (several) {
      const names = [["", "any system"], ...data.systems.map(({ name, number }) => [String(number), name])];
      controls.append(choice("system", "System", names, (system) => selection.change({ system })));
    }
    for (const kind of this.kinds.filter(({ names }) => names.length <= MOST_OFFERED)) {
      const names = [["", `any ${kind.one.toLowerCase()}`], ...kind.names.map((name, at) => [String(at), name])];
      if (!["group", "speaker", "label"].includes(kind.name)) continue;
      controls.append(choice(`group-${kind.name}`, kind.one, names, (group) =>
        selection.changeGroup(kind.name, group === "" ? null : Number(group))));
    }
    const least = element("input", {
      type: "number", id: "least", min: "0", step: "any", placeholder: "0", size: "4",
      oninput: (event) => selection.change({ least: event.target.value }),
    });
    controls.append(element("label", null, "rate from ", least, " %"));
    form.append(element("div", { id: "state", role: "status" }));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
  }

  sorting() {
    const orders = Object.entries(ORDERS).filter(([name]) => this.canSortBy(name));
    const order = () => this.selection.sort(byId("order").value, byId("descending").checked);
    const largestFirst = ["errors", "rate", "difference", "length"];
    const select = choice("order", "Sort by", orders, (name) => {
      byId("descending").checked = largestFirst.includes(name);
      order();
    });
    const input = element("input", { type: "checkbox", id: "descending", checked: true, onchange: order });
    return element("p", { class: "sorting" },
      element("label", null, "Sort by ", select), element("label", null, input, " descending"),
      element("button", { type: "button", class: "plain", id: "save-utterances", onclick: () => this.saveUtterances() }, "CSV"));
  }

  // The selected utterances as a file.
  saveUtterances() {
    const { data, selection } = this;
    const counts = (system, row, kind) => (system.position[row] < 0 ? "" : system.counts[4 * system.position[row] + kind]);
    const columns = [
      { title: "utterance", of: (row) => data.utterances[row] },
      { title: "speaker", of: (row) => data.speakers[data.speaker[row]] ?? "" },
      { title: "reference", of: (row) => data.length[row] },
      ...data.systems.flatMap((system) => ["correct", "substitutions", "deletions", "insertions"].map((title, kind) => (
        { title, system: system.name, of: (row) => counts(system, row, kind) }))),
    ];
    saveTable("Utterances", columns, Array.from(selection.rows));
  }

  canSortBy(name) {
    const { data } = this;
    if (name === "difference") return data.systems.length > 1;
    if (name === "confidence") return data.systems.some((system) => system.hypothesis.confident);
    if (name === "start") return data.starts !== null;
    if (name === "speaker") return data.speakers.length > 1;
    return true;
  }

  // How much is selected, with what rates, and by which groups.
  showState() {
    const { data, selection } = this;
    const { groups, pair } = selection.state;
    const sum = sumOf(data, selection.rows);
    const names = [itemName(), itemsName()];
    const parts = [element("strong", null, selection.isAll
      ? plural(data.rows, ...names)
      : `${whole(selection.rows.length)} of ${plural(data.rows, ...names)}`)];
    for (const { name, number } of data.systems) {
      const counts = sum.counts[number];
      const rate = said(counts) ? `${percent(wrong(counts), said(counts))} %` : "n/a";
      parts.push(element("span", null, isolated(name), " ", rate));
    }
    for (const kind of this.kinds) {
      if (!(kind.name in groups)) continue;
      const text = `${kind.one}: ${kind.names[groups[kind.name]]}`;
      parts.push(this.tag(text, () => selection.changeGroup(kind.name, null)));
    }
    if (pair) {
      const words = [pair.reference, pair.hypothesis].filter((word) => word !== NONE);
      const text = `${EDITS[pair.edit] ?? "reference"}: ${words.map((word) => data.words[word]).join(" → ")}`;
      parts.push(this.tag(text, () => selection.change({ pair: null })));
    }
    const isClear = JSON.stringify(selection.state) === JSON.stringify(CLEAR);
    if (!isClear) {
      parts.push(element("button", { type: "button", class: "plain", id: "clear", onclick: () => this.clear() },
        "Clear"));
    }
    byId("state").replaceChildren(...parts);
    for (const kind of ["group", "speaker", "label"]) {
      const select = byId(`group-${kind}`);
      if (select) select.value = String(groups[kind] ?? "");
    }
  }

  tag(text, remove) {
    return element("button", { type: "button", class: "tag", title: "Remove", onclick: remove },
      isolated(text), element("span", { "aria-hidden": "true" }, " ×"));
  }

  clear() {
    this.fillFilter(CLEAR);
    this.selection.change(CLEAR);
    byId("search").focus();
  }

  prepareForPaper() {
    for (const name of this.views.keys()) this.refresh(name);
    for (const box of document.querySelectorAll(".panel .wide")) box.print?.();
    for (const box of document.querySelectorAll(".fitted")) box.draw(PAPER);
    byId("printed")?.remove();
    for (const folded of document.querySelectorAll("#panel-overview > details")) folded.open = true;
    document.querySelector("main").append(printedUtterances(this.data, this.selection));
  }
}

async function start() {
  startTheme();
  const notice = byId("notice");
  const say = (text) => {
    notice.textContent = text;
    notice.hidden = false;
  };
  if (!("DecompressionStream" in window)) {
    say("This browser cannot unpack the data of this page (it has no DecompressionStream). The tables, " +
      "charts and utterances need Chrome 80, Firefox 113, Safari 16.4 or newer.");
    return;
  }
  const holder = byId("data");
  let data;
  try {
    data = makeData(await unpacked(holder.textContent));
  } catch (problem) {
    say(`The data of this page cannot be read; the file may be incomplete: ${problem.message}`);
    return;
  }
  holder.remove();
  addSaving();
  const page = new Page(data);
  page.showState();
  if (!page.follow()) page.open("overview");
  // milliseconds since the page was asked for
  document.documentElement.dataset.ready = Math.round(performance.now());
  // Safari has no such callback
  (window.requestIdleCallback ?? setTimeout)(() => page.selection.prepare());
  page.addCharacterRates();
}

start();
