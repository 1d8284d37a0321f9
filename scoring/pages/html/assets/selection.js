// Which utterances are looked at, and in which order.

const KINDS = {
  all: ["all " + itemsName(), null],
  errors: ["with errors", (c) => c[1] + c[2] + c[3] > 0],
  none: ["without errors", (c) => c[1] + c[2] + c[3] === 0],
  substitutions: ["with substitutions", (c) => c[1] > 0],
  deletions: ["with deletions", (c) => c[2] > 0],
  insertions: ["with insertions", (c) => c[3] > 0],
  outside: ["with words out of the vocabulary", null],
  differ: ["where systems differ", null],
  better: ["where the last system beats the first", null],
  worse: ["where the first system beats the last", null],
};
const SCOPES = {
  anywhere: "anywhere",
  reference: "in the reference",
  hypothesis: "in a hypothesis",
  errors: "in errors",
  names: "in names",
};
const ORDERS = {
  errors: "errors",
  position: "order of the file",
  rate: "error rate",
  length: "reference length",
  difference: "difference of systems",
  confidence: "lowest confidence",
  start: "time",
  name: "name",
  speaker: "speaker",
};
const CLEAR = {
  text: "", scope: "anywhere", kind: "all", system: "", least: "", groups: {}, pair: null,
};

class Selection {
  constructor(data) {
    this.data = data;
    this.state = { ...CLEAR };
    this.order = { by: "errors", descending: true };
    this.found = null; // by word: whether the search found it
    this.listeners = [];
    this.grouping = new Map(); // by the name of a kind of group: whether a row is in one
    this.lower = null;
    this.names = null;
    this.keys = new Map();
    this.rows = this.sorted(Uint32Array.from({ length: data.rows }, (_, row) => row));
  }

  change(changes) {
    this.state = { ...this.state, ...changes };
    this.update();
  }

  changeGroup(kind, group) {
    const groups = { ...this.state.groups };
    if (group === null) delete groups[kind];
    else groups[kind] = group;
    this.change({ groups });
  }

  sort(by, descending) {
    this.order = { by, descending };
    this.update();
  }

  get isAll() {
    return this.rows.length === this.data.rows;
  }

  systems() {
    const { system } = this.state;
    return system === "" ? this.data.systems : [this.data.systems[Number(system)]];
  }

  update() {
    const tests = this.tests();
    const rows = [];
    for (let row = 0; row < this.data.rows; row++) {
      if (tests.every((test) => test(row))) rows.push(row);
    }
    this.rows = this.sorted(Uint32Array.from(rows));
    for (const listener of this.listeners) listener();
  }

  tests() {
    const { kind, least, groups, pair } = this.state;
    const tests = [];
    for (const [name, group] of Object.entries(groups)) tests.push(this.grouping.get(name)(group));
    if (kind !== "all") tests.push(this.kindTest(kind));
    if (least !== "" && !Number.isNaN(Number(least))) {
      const limit = Number(least) / 100;
      tests.push((row) => this.systems().some((system) => rateOf(system, row) >= limit));
    }
    if (pair) tests.push(this.pairTest(pair));
    this.found = null;
    if (this.state.text.trim()) tests.push(this.textTest());
    return tests;
  }

  kindTest(kind) {
    const first = this.data.systems[0], last = this.data.systems.at(-1);
    const errors = (row) => this.data.systems.map((system) => errorsOf(system, row));
    if (kind === "outside") return (row) => referenceWords(this.data, row).some((word) => this.data.outside[word]);
    if (kind === "differ") return (row) => new Set(errors(row)).size > 1;
    if (kind === "better") return (row) => errorsOf(last, row) < errorsOf(first, row);
    if (kind === "worse") return (row) => errorsOf(last, row) > errorsOf(first, row);
    const test = KINDS[kind][1];
    const counts = (system, row) => system.counts.subarray(4 * system.position[row]);
    const scored = (system, row) => system.position[row] >= 0 && test(counts(system, row));
    // without errors: by every system looked at; with errors: by any of them
    if (kind === "none") return (row) => this.systems().every((system) => scored(system, row));
    return (row) => this.systems().some((system) => scored(system, row));
  }

  // Utterances with a certain substitution, deletion or insertion, or with a word in the reference (no edit).
  pairTest({ edit, reference, hypothesis }) {
    return (row) =>
      this.systems().some((system) =>
        anyPlace(system, row, (code, left, right) => {
          if (edit === NONE) return left === reference;
          if (code !== edit) return false;
          return (
            (edit === INSERTION || left === reference) && (edit === DELETION || right === hypothesis)
          );
        }),
      );
  }

  textTest() {
    const { scope } = this.state;
    const text = this.state.text.trim().normalize("NFC").toLowerCase();
    const quoted = text.length > 2 && text.startsWith('"') && text.endsWith('"');
    const names = this.nameTest(quoted ? text.slice(1, -1) : text);
    if (scope === "names") return names;
    const words = this.wordTest(quoted ? text.slice(1, -1) : text, quoted);
    return scope === "anywhere" ? (row) => words(row) || names(row) : words;
  }

  // What is searched, in small letters: made before it is asked for, as the first search would wait for it.
  prepare() {
    this.names ??= this.data.utterances.map((name) => name.toLowerCase());
    this.lower ??= this.data.words.map((word) => word.normalize("NFC").toLowerCase());
  }

  nameTest(text) {
    const { speakers, speaker } = this.data;
    const known = speakers.map((name) => name !== null && name.toLowerCase().includes(text));
    this.prepare();
    return (row) => known[speaker[row]] || this.names[row].includes(text);
  }

  wordTest(text, quoted) {
    this.prepare();
    const terms = text.split(/\s+/u).filter(Boolean).slice(0, 30);
    const isCut = !this.data.space;
    const columns = this.sides();
    if (isCut || quoted) {
      const needle = terms.join("");
      const pieces = new Set(isCut ? [...needle] : terms);
      this.found = Uint8Array.from(this.lower, (word) => (pieces.has(word) ? 1 : 0));
      // whether the terms stand in words, one after the other, from one place to another
      const inOrder = (words, begin, end) => {
        for (let at = begin; at + terms.length <= end; at++) {
          if (this.found[words[at]] && terms.every((term, next) => this.lower[words[at + next]] === term)) return true;
        }
        return false;
      };
      const joined = (words, begin, end) =>
        Array.from(words.slice(begin, end), (word) => this.lower[word]).join("").includes(needle);
      const holds = isCut ? joined : inOrder;
      if (this.state.scope === "errors") {
        return (row) => this.wrongWords(row).some((words) => holds(words, 0, words.length));
      }
      return (row) => columns.some(([{ offsets, words }, position]) =>
        position[row] >= 0 && holds(words, offsets[position[row]], offsets[position[row] + 1]));
    }
    const bits = new Uint32Array(this.lower.length);
    terms.forEach((term, at) => {
      this.lower.forEach((word, number) => {
        if (word.includes(term)) bits[number] |= 1 << at;
      });
    });
    this.found = Uint8Array.from(bits, (set) => (set ? 1 : 0));
    const all = 2 ** terms.length - 1;
    if (this.state.scope === "errors") {
      return (row) => this.wrongWords(row).flat().reduce((seen, word) => seen | bits[word], 0) === all;
    }
    return (row) => {
      let seen = 0;
      for (const [{ offsets, words }, position] of columns) {
        const at = position[row];
        if (at < 0) continue;
        for (let word = offsets[at]; word < offsets[at + 1]; word++) seen |= bits[words[word]];
      }
      return seen === all;
    };
  }

  // The sides that are searched, each with the places of rows in it.
  sides() {
    const { scope } = this.state;
    const found = new Map();
    for (const { reference, hypothesis, position } of this.systems()) {
      if (scope !== "hypothesis") found.set(reference, position);
      if (scope !== "reference") found.set(hypothesis, position);
    }
    return [...found];
  }

  // The words of a row that are in errors, a list for each system.
  wrongWords(row) {
    return this.systems().map((system) => {
      const wrong = [];
      anyPlace(system, row, (code, left, right) => {
        if (code < SUBSTITUTION || code > INSERTION) return false;
        if (code !== INSERTION) wrong.push(left);
        if (code !== DELETION) wrong.push(right);
        return false;
      });
      return wrong;
    });
  }

  // Takes rows in the order of the file, which rows with equal keys keep.
  sorted(rows) {
    const { by, descending } = this.order;
    if (by === "position") return descending ? rows.reverse() : rows;
    const key = this.keyOf(by);
    // a million rows have few different keys: only these are compared
    const places = new Map();
    for (const row of rows) places.set(key[row], (places.get(key[row]) ?? 0) + 1);
    const keys = Float64Array.from(places.keys()).filter((value) => value === value).sort();
    if (descending) keys.reverse();
    let next = 0;
    // rows without a key are last in both orders
    for (const value of [...keys, NaN]) {
      const count = places.get(value) ?? 0;
      places.set(value, next);
      next += count;
    }
    const sorted = new Uint32Array(rows.length);
    for (const row of rows) {
      const place = places.get(key[row]);
      sorted[place] = row;
      places.set(key[row], place + 1);
    }
    return sorted;
  }

  keyOf(by) {
    const name = `${by} ${this.state.system}`;
    if (!this.keys.has(name)) this.keys.set(name, this.makeKey(by));
    return this.keys.get(name);
  }

  makeKey(by) {
    const { data } = this;
    const systems = this.systems();
    const largest = (value) =>
      systems.length === 1
        ? (row) => value(systems[0], row)
        : (row) => Math.max(...systems.map((system) => value(system, row)));
    const makers = {
      errors: largest(errorsOf),
      rate: (row) => {
        const rates = systems.map((system) => rateOf(system, row)).filter((rate) => rate === rate);
        return rates.length ? Math.max(...rates) : NaN;
      },
      length: (row) => data.length[row],
      difference: (row) => errorsOf(data.systems.at(-1), row) - errorsOf(data.systems[0], row),
      confidence: (row) => Math.min(...systems.map((system) => lowestConfidence(system, row))),
      start: (row) => (data.start && data.start[row] >= 0 ? data.start[row] : NaN),
    };
    if (by === "name") return ranks(data.utterances);
    if (by === "speaker") {
      const order = ranks(data.speakers.map((speaker) => speaker ?? ""));
      return Float64Array.from(data.speaker, (speaker) => order[speaker]);
    }
    return Float64Array.from({ length: data.rows }, (_, row) => makers[by](row));
  }
}

// Whether a function of edit and words is true at any place of a row.
function anyPlace(system, row, test) {
  const places = placesOf(system, row);
  if (!places) return false;
  let { left, right } = places;
  for (let place = places.begin; place < places.end; place++) {
    const edit = system.edits[place];
    const before = HAS_REFERENCE[edit] ? system.reference.words[left++] : NONE;
    const after = HAS_HYPOTHESIS[edit] ? system.hypothesis.words[right++] : NONE;
    if (test(edit, before, after, place)) return true;
  }
  return false;
}

function lowestConfidence(system, row) {
  const { confidences, offsets } = system.hypothesis;
  const at = system.position[row];
  let lowest = NaN;
  if (!confidences || at < 0) return lowest;
  for (let word = offsets[at]; word < offsets[at + 1]; word++) {
    if (confidences[word] >= 0 && !(lowest <= confidences[word])) lowest = confidences[word];
  }
  return lowest;
}

function ranks(texts) {
  const order = texts.map((_, at) => at);
  const collator = new Intl.Collator("en", { numeric: true });
  order.sort((a, b) => collator.compare(texts[a], texts[b]) || a - b);
  const made = new Float64Array(texts.length);
  order.forEach((at, rank) => {
    made[at] = rank;
  });
  return made;
}
