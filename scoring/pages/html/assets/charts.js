// Charts, drawn from the same sums as the tables that stand beside them.

const MARKS = ["circle", "square", "triangle", "diamond"];
const CHART = { height: 300, left: 70, right: 16, top: 16, bottom: 44 };
const PAPER = 680; // pixels: the width of charts that are printed, or not shown yet
const NARROW = 560;
const LETTER = 6.6; // pixels of a letter of a tick, about

// A chart is drawn for the room it has: its letters keep their size on every screen.
function fitted(draw) {
  const box = element("div", { class: "fitted" });
  let width = 0;
  box.draw = (room) => {
    if (room && room !== width) box.replaceChildren(draw((width = room)));
  };
  box.draw(PAPER);
  new ResizeObserver(() => box.draw(Math.round(box.clientWidth))).observe(box);
  return box;
}

function canvasOf(width, height, label) {
  return drawn("svg", {
    viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label,
  });
}

// The titles of the axes: one in the middle below, one turned at the left, where there is one.
function nameAxes(svg, { left, right, height, below, beside }) {
  svg.append(drawn("text", { x: (left + right) / 2, y: height - 6, class: "axis middle" }, below));
  if (!beside) return;
  const middle = (CHART.top + height - CHART.bottom) / 2;
  const place = { x: 14, y: middle, class: "axis middle", transform: `rotate(-90 14 ${middle})` };
  svg.append(drawn("text", place, beside));
}

const rateName = () => document.body.dataset.rate;

// Round steps so that a few ticks reach a value.
function ticksTo(most, steps = 5) {
  const rough = most / steps || 0.02;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const ticks = [];
  for (let at = 0; at <= Math.ceil(most / step - 1e-9); at++) ticks.push(at * step);
  return ticks;
}

const ticked = (ratio) => `${Number((100 * ratio).toPrecision(6))}`;

function markOf(number, x, y, title) {
  const kind = MARKS[number % MARKS.length];
  const shapes = {
    circle: ["circle", { cx: x, cy: y, r: 4.5 }],
    square: ["rect", { x: x - 4, y: y - 4, width: 8, height: 8 }],
    triangle: ["path", { d: `M${x} ${y - 5.5}L${x + 5} ${y + 4}H${x - 5}Z` }],
    diamond: ["path", { d: `M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z` }],
  };
  const [tag, attributes] = shapes[kind];
  const made = drawn(tag, { ...attributes, class: `mark system${number % 8}` });
  if (title) made.append(drawn("title", null, title));
  return made;
}

function legend(systems) {
  return element("ul", { class: "legend" }, systems.map(({ name, number }) => {
    const key = drawn("svg", { viewBox: "0 0 28 14", width: 28, height: 14, "aria-hidden": "true" });
    key.append(drawn("path", { d: "M1 7H27", class: `line system${number % 8}` }), markOf(number, 14, 7));
    return element("li", null, key, isolated(name));
  }));
}

// Bars of substitutions, deletions and insertions, one above the other, with intervals.
function ratesChart(data, sum, intervals, width) {
  const systems = data.systems;
  const rates = systems.map(({ number }) => share(sum.counts[number]));
  const highs = intervals.map((one) => (one ? one[1] : 0));
  const isNarrow = width < NARROW;
  const most = Math.max(0.01, ...rates.filter((rate) => rate === rate), ...highs);
  const ticks = ticksTo(most, isNarrow ? 3 : 5);
  // names stand before the bars, or above them where there is no room
  const [left, right, above] = isNarrow ? [8, 84, 20] : [roomOf(systems.map(({ name }) => name), width), 96, 0];
  const band = 50 + above;
  const height = 54 + band * systems.length;
  const span = width - left - right;
  const x = (ratio) => left + (span * ratio) / ticks.at(-1);
  const svg = canvasOf(width, height, "Error rate of each system, by kind of error");
  for (const tick of ticks) {
    svg.append(
      drawn("path", { d: `M${x(tick)} 4V${height - 46}`, class: "grid" }),
      drawn("text", { x: x(tick), y: height - 30, class: `tick ${tick ? "middle" : ""}` }, ticked(tick) + " %"),
    );
  }
  nameAxes(svg, { left, right: width - right, height, below: rateName() });
  systems.forEach(({ name, number }, at) => {
    const y = 8 + at * band + above;
    const counts = sum.counts[number];
    const place = isNarrow ? { x: left, y: y - 6, class: "name" } : { x: left - 10, y: y + 20, class: "name end" };
    svg.append(nameOf(name, place, isNarrow ? width - left : left - 10));
    let begin = 0;
    ["S", "D", "I"].forEach((letter, kind) => {
      const part = said(counts) ? counts[kind + 1] / said(counts) : 0;
      const width = x(begin + part) - x(begin);
      const title = `${letter}: ${whole(counts[kind + 1])} (${(100 * part).toFixed(2)} %)`;
      const bar = drawn("rect", { x: x(begin), y, width, height: 28, class: `edit${letter}` });
      bar.append(drawn("title", null, title));
      svg.append(bar);
      if (width > 18) {
        const middle = { x: x(begin) + width / 2, y: y + 19, class: "onbar middle" };
        svg.append(drawn("text", middle, letter));
      }
      begin += part;
    });
    const shown = rates[at] === rates[at] ? `${(100 * rates[at]).toFixed(2)} %` : "n/a";
    svg.append(drawn("text", { x: x(begin) + 10, y: y + 20, class: "value" }, shown));
    if (intervals[at]) svg.append(whisker(x(intervals[at][0]), x(intervals[at][1]), y + 36));
  });
  return svg;
}

// A name that ends where its room does; the whole one is told where it is pointed at.
function nameOf(name, place, room) {
  const label = drawn("text", place, apart(shortened(name, Math.floor(room / (1.1 * LETTER)))));
  label.append(drawn("title", null, name));
  return label;
}

function whisker(low, high, y) {
  const d = `M${low} ${y}H${high}M${low} ${y - 5}V${y + 5}M${high} ${y - 5}V${y + 5}`;
  return drawn("path", { d, class: "whisker" });
}

// The room before bars or dots for their names, in pixels.
function roomOf(names, width) {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return Math.round(Math.min(Math.max(190, 1.1 * LETTER * longest + 20), 0.3 * width));
}

const shortened = (text, most) => (text.length > most ? "…" + text.slice(1 - most) : text);

// Lines over bins, or over the shares that `across` tells, then with a diagonal; faint bars behind them say how much is in each bin.
function linesChart({ label, systems, bins, value, weight, ticks, across, below, beside }, width) {
  const { height, left, right, top, bottom } = CHART;
  const step = (width - left - right) / bins.length;
  const x = (at) => left + step * (at + 0.5);
  const y = (ratio) => height - bottom - ((height - top - bottom) * ratio) / ticks.at(-1);
  const svg = canvasOf(width, height, label);
  // names that would touch each other are dropped: the table beside has them all
  const longest = Math.max(...bins.map(({ name }) => name.length));
  const apart = Math.ceil((longest * LETTER + 6) / step);
  const heaviest = Math.max(1, ...bins.map(weight));
  bins.forEach((bin, at) => {
    const tall = ((height - top - bottom) * weight(bin)) / heaviest;
    const bar = drawn("rect", {
      x: left + step * at + 2, y: height - bottom - tall, width: Math.max(1, step - 4), height: tall,
      class: "weight",
    });
    bar.append(drawn("title", null, `${bin.name}: ${whole(weight(bin))}`));
    svg.append(bar);
    if (at % apart === 0) {
      svg.append(drawn("text", { x: x(at), y: height - bottom + 18, class: "tick middle" }, bin.name));
    }
  });
  for (const tick of ticks) {
    svg.append(
      drawn("path", { d: `M${left} ${y(tick)}H${width - right}`, class: "grid" }),
      drawn("text", { x: left - 8, y: y(tick) + 4, class: "tick end" }, ticked(tick) + " %"),
    );
  }
  nameAxes(svg, { left, right: width - right, height, below, beside });
  if (across) {
    const d = `M${left} ${y(0)}L${width - right} ${y(1)}`;
    svg.append(drawn("path", { d, class: "diagonal" }));
  }
  for (const { number, name } of systems) {
    const points = bins
      .map((bin, at) => [across ? left + (width - left - right) * across(bin, number) : x(at), value(bin, number), bin])
      .filter(([, ratio]) => ratio === ratio);
    const d = points.map(([at, ratio], first) => `${first ? "L" : "M"}${at} ${y(ratio)}`).join("");
    svg.append(drawn("path", { d, class: `line system${number % 8}` }));
    for (const [at, ratio, bin] of points) {
      svg.append(markOf(number, at, y(ratio), `${name}, ${bin.name}: ${(100 * ratio).toFixed(2)} %`));
    }
  }
  return svg;
}

function groupsChart(data, entries, below) {
  const value = (entry, number) => share(entry.counts[number]);
  const rates = entries.flatMap((entry) => data.systems.map(({ number }) => value(entry, number)));
  const most = rates.reduce((one, rate) => (rate > one ? rate : one), 0.01);
  return figure(data.systems, `Error rate; the bars are numbers of ${itemsName()}`, (width) => linesChart({
    label: `Error rate by ${below.toLowerCase()}`,
    systems: data.systems,
    bins: entries,
    value,
    weight: (entry) => entry.rows,
    ticks: ticksTo(most),
    below,
    beside: rateName(),
  }, width));
}

const DOTTED = 30; // groups that are drawn
const PRINTED_DOTS = 12; // with more of them a chart is too large for paper

// A group a line, a dot a system, with intervals.
function dotsChart(data, entries, kind) {
  const shown = [...entries].sort((a, b) => b.rows - a.rows).slice(0, DOTTED);
  const isLarge = entries.some(({ rows }) => rows >= BOOTSTRAPPED);
  const note = `Error rate with its 95 % interval (t of the log rate), ${itemsName()} taken as independent (drawn from ${FEWEST} ${itemsName()} on)` +
    (isLarge ? `; from ${BOOTSTRAPPED} ${itemsName()} on, tables of the command line, and all ${itemsName()} together, have the bootstrap interval instead` : "") +
    (shown.length < entries.length ? `; the ${DOTTED} largest of ${whole(entries.length)}` : "");
  const made = figure(data.systems, note, (width) => drawnDots(data, shown, kind, width));
  made.classList.toggle("screen", shown.length > PRINTED_DOTS);
  return made;
}

function drawnDots(data, shown, kind, width) {
  const { systems } = data;
  const rates = shown.flatMap((entry) => systems.map(({ number }) =>
    intervalOf(entry, number)?.[1] ?? share(entry.counts[number])));
  const most = rates.reduce((one, rate) => (rate > one ? rate : one), 0.01);
  const isNarrow = width < NARROW;
  const ticks = ticksTo(most, isNarrow ? 3 : 5);
  const [left, above] = isNarrow ? [10, 18] : [roomOf(shown.map(({ name }) => name), width), 0];
  const band = above + 16 * systems.length + 8;
  const height = 50 + band * shown.length;
  const x = (ratio) => left + ((width - left - 24) * ratio) / ticks.at(-1);
  const svg = canvasOf(width, height, `Error rate by ${kind.one.toLowerCase()}, with intervals`);
  for (const tick of ticks) {
    svg.append(
      drawn("path", { d: `M${x(tick)} 0V${height - 44}`, class: "grid" }),
      drawn("text", { x: x(tick), y: height - 28, class: `tick ${tick ? "middle" : ""}` }, ticked(tick) + " %"),
    );
  }
  nameAxes(svg, { left, right: width - 24, height, below: rateName() });
  shown.forEach((entry, at) => {
    const top = at * band + above;
    const place = isNarrow
      ? { x: left, y: top - 4, class: "name" }
      : { x: left - 10, y: top + 4 + 8 * systems.length, class: "name end" };
    svg.append(nameOf(entry.name, place, isNarrow ? width - left : left - 10));
    systems.forEach(({ name, number }, line) => {
      const rate = share(entry.counts[number]);
      if (rate !== rate) return;
      const y = top + 8 + 16 * line;
      const interval = intervalOf(entry, number);
      if (interval) svg.append(whisker(x(interval[0]), x(interval[1]), y));
      svg.append(markOf(number, x(rate), y, `${name}, ${entry.name}: ${(100 * rate).toFixed(2)} %`));
    });
  });
  return svg;
}

const SPOTS = { across: 44, up: 20, highest: 1.5 };

// Words of the reference that a system was scored with.
const lengthOf = (system, row) => said(system.counts.subarray(4 * system.position[row]));

// Length of the reference and rate of every utterance of a system; like ones are one dot, as large as they are many.
// The axes are those of all systems, whose charts are side by side.
function scatterChart(rows, system, systems) {
  const scoredBy = (one) => rows.filter((row) => one.position[row] >= 0);
  const scored = scoredBy(system);
  const greatest = (measure, least) => systems.reduce((most, one) => scoredBy(one).reduce((found, row) => {
    const value = measure(one, row);
    return value > found ? value : found;
  }, most), least);
  const longest = greatest(lengthOf, 1);
  const highest = Math.max(0.2, Math.min(SPOTS.highest, greatest(rateOf, 0)));
  const wide = Math.max(1, Math.ceil((longest + 1) / SPOTS.across));
  const spots = new Map();
  let beyond = 0;
  for (const row of scored) {
    const rate = rateOf(system, row);
    if (rate !== rate) continue;
    if (rate > highest) beyond++;
    const up = Math.round((SPOTS.up * Math.min(rate, highest)) / highest);
    const key = Math.floor(lengthOf(system, row) / wide) * 1000 + up;
    spots.set(key, (spots.get(key) ?? 0) + 1);
  }
  const many = [...spots.values()].reduce((most, one) => Math.max(most, one), 1);
  const note = `${capital(itemsName())} by the length of their reference and their rate; the area of a dot is their number` +
    (beyond ? `; ${whole(beyond)} with a rate above ${ticked(highest)} % are drawn on the upper edge` : "");
  return figure([system], note, (width) => {
    const { height, left, right, top, bottom } = CHART;
    const ticks = ticksTo(highest);
    const x = (length) => left + ((width - left - right) * (length + 0.5)) / (longest + 1);
    const y = (rate) => height - bottom - ((height - top - bottom) * rate) / ticks.at(-1);
    const svg = canvasOf(width, height, `Length of the reference and error rate of ${itemsName()}`);
    for (const tick of ticks) {
      svg.append(
        drawn("path", { d: `M${left} ${y(tick)}H${width - right}`, class: "grid" }),
        drawn("text", { x: left - 8, y: y(tick) + 4, class: "tick end" }, ticked(tick) + " %"),
      );
    }
    const step = Math.max(1, Math.round(ticksTo(longest, width < NARROW ? 4 : 8)[1]));
    for (let length = 0; length <= longest; length += step) {
      svg.append(drawn("text", { x: x(length), y: height - bottom + 23, class: "tick middle" }, whole(length)));
    }
    const below = "Reference " + document.body.dataset.counted;
    nameAxes(svg, { left, right: width - right, height, below, beside: rateName() });
    for (const [key, number] of spots) {
      const length = Math.floor(key / 1000) * wide, rate = ((key % 1000) * highest) / SPOTS.up;
      const r = Math.max(1.5, 11 * Math.sqrt(number / many));
      const spot = drawn("circle", {
        cx: x(length + (wide - 1) / 2), cy: y(rate), r, class: `spot mark system${system.number % 8}`,
      });
      const about = wide > 1 ? `${length}–${length + wide - 1}` : String(length);
      spot.append(drawn("title", null, `${about}, ${(100 * rate).toFixed(0)} %: ${plural(number, itemName(), itemsName())}`));
      svg.append(spot);
    }
    return svg;
  });
}

const LINKED = 24; // substitutions that are drawn

// What was said on the left, what was heard on the right, the most frequent substitutions as lines.
function confusionGraph(data, substitutions) {
  const sum = ({ counts }) => counts.reduce((all, one) => all + one, 0);
  const links = [...substitutions].sort((a, b) => sum(b) - sum(a)).slice(0, LINKED);
  if (!links.length) return null;
  const saids = [...new Set(links.map(({ reference }) => reference))];
  // words that were heard stand about where the words they stand for do
  const middle = (word) => {
    const own = links.filter(({ hypothesis }) => hypothesis === word);
    return own.reduce((all, { reference }) => all + saids.indexOf(reference), 0) / own.length;
  };
  const heards = [...new Set(links.map(({ hypothesis }) => hypothesis))].sort((a, b) => middle(a) - middle(b));
  const most = sum(links[0]);
  const note = `The ${links.length} most frequent substitutions; wider lines are more frequent`;
  const made = figure([], note, (width) => {
    const room = Math.min(170, width * 0.34), end = Math.min(width, 640);
    const top = 22, height = 20 * Math.max(saids.length, heards.length) + 12;
    const y = (words, word) => top + ((words.indexOf(word) + 0.5) * height) / words.length;
    const svg = canvasOf(width, top + height, "The most frequent substitutions as a graph");
    svg.append(
      drawn("text", { x: room - 8, y: 13, class: "axis end" }, "Reference word"),
      drawn("text", { x: end - room + 8, y: 13, class: "axis" }, "Recognised word"),
    );
    for (const link of links) {
      const [from, to] = [y(saids, link.reference), y(heards, link.hypothesis)];
      const middle = end / 2;
      const d = `M${room} ${from}C${middle} ${from} ${middle} ${to} ${end - room} ${to}`;
      const line = drawn("path", { d, class: "confusion", "stroke-width": Math.max(1, (9 * sum(link)) / most) });
      const words = [link.reference, link.hypothesis].map((word) => data.words[word]);
      line.append(drawn("title", null, `${words.join(" → ")}: ${whole(sum(link))}`));
      svg.append(line);
    }
    for (const word of saids) svg.append(nameOf(data.words[word], { x: room - 8, y: y(saids, word) + 4, class: "name end" }, room - 8));
    for (const word of heards) svg.append(nameOf(data.words[word], { x: end - room + 8, y: y(heards, word) + 4, class: "name" }, room - 8));
    return svg;
  });
  made.classList.add("screen");
  return made;
}

function confidenceChart(data, all) {
  const systems = data.systems.filter(({ number }) => all[number]);
  const bins = Array.from({ length: CONFIDENCE_BINS }, (_, tenth) => ({
    tenth, name: `${tenth / 10}–${(tenth + 1) / 10}`,
  }));
  const errors = systems.map(({ name, number }) =>
    `${name} ${(100 * calibrationError(all[number])).toFixed(2)} %`);
  const note = "Share of correct words by mean confidence. On the dashed line, the share equals the confidence. " +
    `The bars are numbers of words. Expected calibration error (ECE, of tenths): ${errors.join(", ")}.`;
  return figure(systems, note, (width) => linesChart({
    label: "Share of correct words by confidence",
    systems,
    bins,
    value: ({ tenth }, number) => {
      const { words, right } = all[number][tenth];
      return words ? right / words : NaN;
    },
    weight: ({ tenth }) => systems.reduce((sum, { number }) => sum + all[number][tenth].words, 0),
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
    across: ({ tenth }, number) => all[number][tenth].sum / all[number][tenth].words,
    below: "Confidence",
    beside: "Share of correct words",
  }, width));
}

function figure(systems, note, draw) {
  return element("figure", null, fitted(draw), systems.length ? legend(systems) : null, element("figcaption", { class: "quiet" }, note));
}
