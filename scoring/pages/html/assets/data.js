// From the packed columns to arrays: what is said of the form stands in the writer, columns.py.

const EDITS = ["C", "S", "D", "I", "C", "C", "M", "T", "C"];
const CORRECT = 0, SUBSTITUTION = 1, DELETION = 2, INSERTION = 3, SPELLED_OTHERWISE = 8;
const SKIPPED_REFERENCE = 4, SKIPPED_HYPOTHESIS = 5;
const BLANK = 32;
// By edit: whether a place has a word of the reference, of the hypothesis, and one of its own.
const HAS_REFERENCE = [1, 1, 1, 0, 1, 0, 1, 1, 1];
const HAS_HYPOTHESIS = [1, 1, 0, 1, 0, 1, 1, 1, 1];
const NONE = -1;

async function unpacked(base64) {
  const bytes = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(base64)
    : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function makeData(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const column = (name) => columnOf(bytes, 4 + size, head.columns[name]);
  const has = (name) => name in head.columns;
  const data = {
    ...head,
    // between the texts of two places: characters stand as they were written
    space: head.unit === "word" || head.unit === "phoneme" ? " " : "",
    has,
    rows: head.utterances.length,
    speaker: column("speaker"),
    start: has("start") ? optional(column("start")) : null,
    end: has("end") ? optional(column("end")) : null,
    recording: has("recording") ? column("recording") : null,
    group: has("group") ? column("group") : null,
    sound: has("sound") ? column("sound") : null,
    outside: has("outside") ? column("outside") : null,
    labelSet: has("labels") ? column("labels") : null,
  };
  data.sides = head.sides.map((side, number) => makeSide(side, `side${number}`, column, has));
  // times in recordings; durations alone give starts of 0, which are no times
  data.starts = data.sides.some(({ timed }) => timed) || data.start?.some((time) => time > 0) ? data.start : null;
  data.systems = head.systems.map((system, number) => makeSystem(system, number, data, column));
  for (const system of data.systems) system.lanes = makeLanes(system, column);
  data.length = lengths(data);
  // of a word its characters, as they are compared
  const codes = new Map();
  data.codes = (word) => {
    if (!codes.has(word)) {
      const text = data.ignoreCase ? data.words[word].toLowerCase() : data.words[word];
      codes.set(word, Array.from(text, (character) => character.codePointAt(0)));
    }
    return codes.get(word);
  };
  return data;
}

function columnOf(bytes, base, [at, count, planes]) {
  const numbers = new Uint32Array(count);
  for (let plane = 0; plane < planes; plane++) {
    const begin = base + at + plane * count;
    const shift = 8 * plane;
    for (let index = 0; index < count; index++) numbers[index] |= bytes[begin + index] << shift;
  }
  return numbers;
}

// Numbers one less than written; 0 was "unknown".
function optional(numbers) {
  const made = new Float64Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) made[at] = numbers[at] - 1;
  return made;
}

function offsetsOf(counts, less = 0) {
  const offsets = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) {
    offsets[at + 1] = offsets[at] + (counts[at] > less ? counts[at] - less : 0);
  }
  return offsets;
}

const unfolded = (number) => (number % 2 ? -(number + 1) / 2 : number / 2);

// What takes long for a million words, and is not shown at first, is unpacked when it is asked for.
function once(make) {
  let made = null;
  return () => (made ??= make());
}

function makeSide(side, name, column, has) {
  const known = once(() => times(column(`${name}.starts`), column(`${name}.durations`)));
  const sure = once(() => optional(column(`${name}.confidences`)));
  const made = {
    ...side,
    offsets: null,
    words: null,
    get starts() { return side.timed ? known()[0] : null; },
    get ends() { return side.timed ? known()[1] : null; },
    get confidences() { return side.confident ? sure() : null; },
  };
  if (has(`${name}.lengths`)) {
    made.offsets = offsetsOf(column(`${name}.lengths`));
    made.words = column(`${name}.words`);
  }
  made.stages = side.stages.map((title, number) => {
    const counts = column(`${name}.stage${number}.lengths`);
    const words = once(() => column(`${name}.stage${number}.words`));
    return { title, counts, offsets: offsetsOf(counts, 1), get words() { return words(); } };
  });
  return made;
}

// Starts are steps from the known start before; unknown is -1.
function times(steps, durations) {
  const starts = new Float64Array(steps.length).fill(NONE);
  const ends = new Float64Array(steps.length).fill(NONE);
  let last = 0;
  for (let at = 0; at < steps.length; at++) {
    if (!steps[at]) continue;
    last += unfolded(steps[at] - 1);
    starts[at] = last;
    if (durations[at]) ends[at] = last + unfolded(durations[at] - 1);
  }
  return [starts, ends];
}

function makeSystem(system, number, data, column) {
  const name = `system${number}`;
  const offsets = offsetsOf(column(`${name}.places`));
  const edits = new Uint8Array(column(`${name}.edits`));
  const reference = data.sides[system.reference];
  const hypothesis = data.sides[system.hypothesis];
  const utterances = offsets.length - 1;
  const counts = new Uint32Array(4 * utterances);
  const tally = [0, 1, 2, 3, 0, 0, -1, -1, 0];
  const own = column(`${name}.words`);
  const words = new Uint32Array(edits.length);
  const begins = new Uint32Array(utterances + 1);
  let taken = 0, left = 0, right = 0;
  for (let at = 0; at < utterances; at++) {
    begins[at] = right;
    for (let place = offsets[at]; place < offsets[at + 1]; place++) {
      const edit = edits[place];
      if (tally[edit] >= 0) counts[4 * at + tally[edit]]++;
      if (HAS_HYPOTHESIS[edit]) {
        words[right++] = edit === CORRECT ? reference.words[left] : own[taken++];
      }
      left += HAS_REFERENCE[edit];
    }
  }
  begins[utterances] = right;
  // by places they are not those of the edits
  if (system.counted) counts.set(column(`${name}.counts`));
  hypothesis.offsets = begins;
  hypothesis.words = words.subarray(0, right);
  const position = new Int32Array(data.rows).fill(NONE);
  const rows = system.rows ? column(`${name}.rows`) : null;
  for (let at = 0; at < utterances; at++) position[rows ? rows[at] : at] = at;
  const titles = once(() => forgivenTitles(system.forgiven));
  const forgiven = (side, at, word) => titles().get(`${side}.${at}.${word}`) ?? null;
  return { ...system, number, offsets, edits, counts, position, reference, hypothesis, forgiven };
}

// What was forgiven at words, by side, utterance and word.
function forgivenTitles(places) {
  const titles = new Map();
  for (const [at, side, begin, end, title] of places) {
    for (let word = begin; word < end; word++) {
      const key = `${side}.${at}.${word}`;
      titles.set(key, titles.has(key) ? `${titles.get(key)}\n${title}` : title);
    }
  }
  return titles;
}

// Where the words of both sides stand in their sessions; null where that is not known.
function makeLanes({ number, meetings }, column) {
  if (!meetings.length) return null;
  const sides = once(() => ["said", "heard"].map((side) => {
    const name = `system${number}.${side}`;
    const [starts, ends] = times(column(`${name}.starts`), column(`${name}.durations`));
    return { starts, ends, lane: column(`${name}.lanes`) };
  }));
  const given = ["said", "heard"].map((side) => column(`system${number}.given.${side}`));
  return { get sides() { return sides(); }, given };
}

// Words of the reference of every row, by the first system that has it.
function lengths(data) {
  const made = new Uint32Array(data.rows);
  for (const { position, counts } of data.systems.toReversed()) {
    for (let row = 0; row < data.rows; row++) {
      const at = 4 * position[row];
      if (at >= 0) made[row] = counts[at] + counts[at + 1] + counts[at + 2];
    }
  }
  return made;
}

// The place of a row in a system with where its words begin; null where it is not scored.
function placesOf(system, row) {
  const at = system.position[row];
  if (at < 0) return null;
  return {
    at,
    begin: system.offsets[at],
    end: system.offsets[at + 1],
    left: system.reference.offsets[at],
    right: system.hypothesis.offsets[at],
  };
}

function errorsOf(system, row) {
  const at = 4 * system.position[row];
  if (at < 0) return 0;
  return system.counts[at + 1] + system.counts[at + 2] + system.counts[at + 3];
}

const MOST_EDITS = 10_000; // of characters in an utterance; counting more takes seconds

// The least number of edits between two sequences: how far each diagonal gets with ever more edits. NaN: too many.
function distanceOf(a, b) {
  const middle = Math.max(a.length, b.length) + 1;
  const goal = b.length - a.length;
  let [before, after] = [0, 1].map(() => new Int32Array(2 * middle + 1).fill(-1));
  for (let edits = 0; edits <= MOST_EDITS; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal++) {
      if (Math.abs(diagonal) >= middle) continue;
      const at = middle + diagonal;
      let reached = edits ? Math.max(before[at] + 1, before[at - 1], before[at + 1] + 1) : 0;
      reached = Math.min(reached, a.length, b.length - diagonal);
      while (reached < a.length && reached + diagonal < b.length && a[reached] === b[reached + diagonal]) reached++;
      if (diagonal === goal && reached === a.length) return edits;
      after[at] = reached;
    }
    [before, after] = [after, before];
  }
  return NaN;
}

// Wrong and all characters of a row, with a blank between words, as `scoring cer` counts; null where it is not scored.
function charactersOf(data, system, row) {
  if (system.position[row] < 0) return null;
  const texts = [[], []];
  const add = (side, word) => {
    if (word === NONE) return;
    if (texts[side].length) texts[side].push(BLANK);
    for (const code of data.codes(word)) texts[side].push(code);
  };
  anyPlace(system, row, (edit, left, right) => {
    if (edit === SKIPPED_REFERENCE || edit === SKIPPED_HYPOTHESIS) return;
    add(0, left);
    add(1, right);
  });
  return [errorsOf(system, row) ? distanceOf(...texts) : 0, texts[0].length];
}

// NaN where there is no reference word, or the row is not scored.
function rateOf(system, row) {
  const at = 4 * system.position[row];
  if (at < 0) return NaN;
  const said = system.counts[at] + system.counts[at + 1] + system.counts[at + 2];
  return said ? errorsOf(system, row) / said : NaN;
}

// The words of a row's reference, by the first system that has it.
function referenceWords(data, row, most = Infinity) {
  for (const system of data.systems) {
    const at = system.position[row];
    if (at < 0) continue;
    const { offsets, words } = system.reference;
    return words.subarray(offsets[at], Math.min(offsets[at + 1], offsets[at] + most));
  }
  return [];
}
