// Sums of the selected utterances: by speaker, label, length, confidence; and of pairs of words.

const LENGTHS = [0, 1, 2, 4, 6, 11, 16, 21, 31, 51, 101];
const DURATIONS = [0, 1, 2, 5, 10, 15, 20, 30, 60]; // seconds
const MILLION = 1_000_000;
const CONFIDENCE_BINS = 10;

// Each kind of group: its name, the names of its groups, and the groups of a row.
function kindsOfGroups(data) {
  const kinds = [];
  const one = (column) => (row) => [column[row]];
  if (data.group) {
    const names = data.groups.map((group) => group ?? "(none)");
    kinds.push({ name: "group", title: data.groupTitle, one: data.groupTitle, names, of: one(data.group) });
  }
  // speakers that groups show already have no second view
  const isShown = data.group && data.groupTitle.toLowerCase() === "speaker";
  if (isShown) kinds.pop();
  if (data.speakers.length > 1 || data.speakers[0] !== null) {
    const names = data.speakers.map((speaker) => speaker ?? "(no speaker)");
    kinds.push({ name: "speaker", title: "Rates by speaker", one: "Speaker", names, of: one(data.speaker) });
  }
  if (data.labelSet) kinds.push(labelKind(data));
  if (data.recording && data.recordings.length > 1) {
    const names = data.recordings.map((recording) => recording ?? "(no recording)");
    kinds.push({
      name: "recording", title: "Recordings", one: "Recording", names, of: one(data.recording),
    });
  }
  const unit = document.body.dataset.counted;
  kinds.push({
    name: "length", title: "Length", one: "Reference " + unit, ordered: true,
    names: binNames(LENGTHS, 1, ""), of: (row) => [binOf(LENGTHS, data.length[row])],
  });
  if (data.start) {
    const bin = (row) => {
      const seconds = (data.end[row] - data.start[row]) / 1000;
      return data.start[row] < 0 || data.end[row] < 0 ? DURATIONS.length : binOf(DURATIONS, seconds);
    };
    kinds.push({
      name: "duration", title: "Duration", one: "Seconds", ordered: true,
      names: [...binNames(DURATIONS, 0, ""), "(unknown)"], of: (row) => [bin(row)],
    });
  }
  return kinds;
}

function labelKind(data) {
  const labels = [...new Set(data.labelSets.flat())];
  const sets = data.labelSets.map((set) => set.map((label) => labels.indexOf(label)));
  const names = labels.map((label) => {
    const title = data.labelTitles[label];
    return title ? `${label}: ${title}` : label;
  });
  if (sets.some((set) => !set.length)) names.push("(no label)");
  const groups = sets.map((set) => (set.length ? set : [labels.length]));
  return {
    name: "label", title: "Labels", one: "Label", names, of: (row) => groups[data.labelSet[row]],
  };
}

// Bins of whole numbers end one before the next begins; others where it begins.
function binNames(begins, step, unit) {
  return begins.map((begin, at) => {
    if (at === begins.length - 1) return `${begin}${step ? " or more" : " s or more"}`;
    const end = begins[at + 1] - step;
    return end === begin ? `${begin}${unit}` : `${begin}–${end}${unit}`;
  });
}

function binOf(begins, value) {
  let at = begins.length - 1;
  while (at > 0 && value < begins[at]) at--;
  return at;
}

const emptySum = (systems) => ({
  rows: 0,
  counts: Array.from({ length: systems }, () => [0, 0, 0, 0]),
  // of errors e and words n of each utterance the sums of 1, e * e, e * n, n * n
  moments: Array.from({ length: systems }, () => [0, 0, 0, 0]),
});

function addRow(sum, data, row) {
  sum.rows++;
  for (const system of data.systems) {
    const at = 4 * system.position[row];
    if (at < 0) continue;
    const counts = sum.counts[system.number], moments = sum.moments[system.number];
    for (let kind = 0; kind < 4; kind++) counts[kind] += system.counts[at + kind];
    const substitutions = system.counts[at + 1], deletions = system.counts[at + 2];
    const e = substitutions + deletions + system.counts[at + 3];
    const n = system.counts[at] + substitutions + deletions;
    moments[0] += 1;
    moments[1] += e * e;
    moments[2] += e * n;
    moments[3] += n * n;
  }
}

const said = (counts) => counts[0] + counts[1] + counts[2];
const wrong = (counts) => counts[1] + counts[2] + counts[3];
const share = (counts) => (said(counts) ? wrong(counts) / said(counts) : NaN);

const FEWEST = 10; // utterances of which an interval says something
const BOOTSTRAPPED = 50; // utterances from which tables of commands have a bootstrap interval: `scoring.stats.limits.SMALL`
const Z = 1.959964; // the normal distribution's quantile for 95 %

// Student's quantile for 95 %, by Cornish and Fisher; off by less than 0.0003 from 9 degrees on.
function student(degrees) {
  const first = (Z ** 3 + Z) / 4, second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

// The 95 % interval of a rate, utterances being independent: that of a ratio of sums, linearised.
function intervalOf({ counts, moments }, number) {
  const [utterances, ee, en, nn] = moments[number];
  const words = said(counts[number]);
  if (utterances < FEWEST || !words) return null;
  const rate = share(counts[number]);
  const spread = Math.max(0, ee - 2 * rate * en + rate * rate * nn) / (utterances - 1);
  const half = (student(utterances - 1) * Math.sqrt(spread * utterances)) / words;
  // of the logarithm, as in all tables (scoring.stats.limits), unless it is uncertain by a factor of 8
  if (!rate || half > rate * Math.log(8)) return [Math.max(0, rate - half), rate + half];
  const factor = Math.exp(half / rate);
  return [rate / factor, rate * factor];
}

function sumOf(data, rows) {
  const sum = emptySum(data.systems.length);
  for (const row of rows) addRow(sum, data, row);
  return sum;
}

function grouped(data, rows, kind) {
  const sums = kind.names.map(() => null);
  for (const row of rows) {
    for (const group of kind.of(row)) {
      sums[group] ??= emptySum(data.systems.length);
      addRow(sums[group], data, row);
    }
  }
  return sums
    .map((sum, group) => sum && { group, name: kind.names[group], ...sum })
    .filter(Boolean);
}

// For each system with confidences: by tenths of confidence the words, right ones, and their sum.
function byConfidence(data, rows) {
  return data.systems.map((system) => {
    const { confidences, offsets } = system.hypothesis;
    if (!confidences) return null;
    const bins = Array.from({ length: CONFIDENCE_BINS + 1 }, () => ({ words: 0, right: 0, sum: 0 }));
    for (const row of rows) {
      const at = system.position[row];
      if (at < 0) continue;
      let word = offsets[at];
      for (let place = system.offsets[at]; place < system.offsets[at + 1]; place++) {
        const edit = system.edits[place];
        if (!HAS_HYPOTHESIS[edit]) continue;
        const confidence = confidences[word++];
        const tenth = Math.min(
          CONFIDENCE_BINS - 1, Math.floor((confidence * CONFIDENCE_BINS) / MILLION),
        );
        const bin = bins[confidence < 0 ? CONFIDENCE_BINS : tenth];
        bin.words++;
        if (EDITS[edit] === "C") bin.right++;
        if (confidence >= 0) bin.sum += confidence / MILLION;
      }
    }
    return bins;
  });
}

// The mean distance of confidence and correctness, over tenths of confidence; NaN without words.
function calibrationError(bins) {
  const known = bins.slice(0, CONFIDENCE_BINS);
  const words = known.reduce((sum, bin) => sum + bin.words, 0);
  return words ? known.reduce((sum, bin) => sum + Math.abs(bin.right - bin.sum), 0) / words : NaN;
}

const WINDOWS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]; // seconds
const MOST_WINDOWS = 40;

// Errors of a recording by windows of time. Words without a time of their own, or a time of what
// they are aligned with, are spread evenly over their utterance.
function overTime(data, rows, recording) {
  const heard = Array.from(rows).filter((row) =>
    data.recording[row] === recording && data.start[row] >= 0 && data.end[row] >= data.start[row]);
  if (!heard.length) return [];
  const begin = heard.reduce((least, row) => Math.min(least, data.start[row]), Infinity);
  const end = heard.reduce((most, row) => Math.max(most, data.end[row]), 0);
  const seconds = WINDOWS.find((one) => one * 1000 * MOST_WINDOWS >= end - begin) ??
    Math.ceil((end - begin) / (1000 * MOST_WINDOWS));
  const origin = Math.floor(begin / 1000 / seconds) * seconds;
  const windows = new Map();
  for (const row of heard) {
    for (const system of data.systems) {
      const places = placesOf(system, row);
      if (!places) continue;
      let { left, right } = places;
      const step = (data.end[row] - data.start[row]) / (places.end - places.begin);
      for (let place = places.begin; place < places.end; place++) {
        const edit = system.edits[place];
        const times = [
          HAS_HYPOTHESIS[edit] ? system.hypothesis.starts?.[right++] : NONE,
          HAS_REFERENCE[edit] ? system.reference.starts?.[left++] : NONE,
        ];
        const even = data.start[row] + (place - places.begin + 0.5) * step;
        const time = times.find((one) => one >= 0) ?? even;
        const at = Math.floor((Math.min(Math.max(time, begin), end) / 1000 - origin) / seconds);
        if (!windows.has(at)) windows.set(at, { ...emptySum(data.systems.length), at, rows: new Set() });
        const window = windows.get(at);
        window.rows.add(row);
        const kind = "CSDI".indexOf(EDITS[edit]);
        if (kind >= 0) window.counts[system.number][kind]++;
      }
    }
  }
  const name = (at) => clock(1000 * (origin + at * seconds)).replace(/\.\d+/, "");
  return [...windows.values()].sort((a, b) => a.at - b.at)
    .map((window) => ({ ...window, rows: window.rows.size, name: name(window.at) }));
}

const EXAMPLES = 3; // utterances of a confusion

// Substitutions, deletions and insertions with examples and their numbers by system, most frequent first.
function confusions(data, rows) {
  const size = data.words.length;
  const kinds = [SUBSTITUTION, DELETION, INSERTION].map(() => new Map());
  const spoken = new Uint32Array(size);
  const count = (map, key, reference, hypothesis, ...example) => {
    let entry = map.get(key);
    if (!entry) {
      entry = { reference, hypothesis, counts: new Array(data.systems.length).fill(0), examples: [] };
      map.set(key, entry);
    }
    const [row, system] = example;
    entry.counts[system.number]++;
    if (entry.examples.length < EXAMPLES && entry.examples.at(-1)?.[0] !== row) entry.examples.push(example);
  };
  for (const row of rows) {
    for (const word of referenceWords(data, row)) spoken[word]++;
    for (const system of data.systems) {
      anyPlace(system, row, (edit, left, right, place) => {
        if (edit === SUBSTITUTION) count(kinds[0], left * size + right, left, right, row, system, place);
        if (edit === DELETION) count(kinds[1], left, left, NONE, row, system, place);
        if (edit === INSERTION) count(kinds[2], right, NONE, right, row, system, place);
        return false;
      });
    }
  }
  const lists = kinds.map((map) => [...map.values()]);
  for (const entry of lists[1]) entry.spoken = spoken[entry.reference];
  return lists;
}

// Every word of the references: how often it was scored, and correct, by system.
function wordAccuracy(data, rows) {
  const entries = new Map();
  for (const row of rows) {
    for (const system of data.systems) {
      anyPlace(system, row, (edit, left) => {
        const kind = "CSD".indexOf(EDITS[edit]);
        if (left === NONE || kind < 0) return;
        if (!entries.has(left)) entries.set(left, { word: left, counts: data.systems.map(() => [0, 0]) });
        const counts = entries.get(left).counts[system.number];
        counts[0]++;
        if (kind === CORRECT) counts[1]++;
      });
    }
  }
  return [...entries.values()];
}
