// Sessions of many speakers: a lane a speaker over time, and lines to words given to others.

const LANE = { axis: 24, height: 62, rows: [4, 31], box: 22 };
const SCALES = [10, 25, 50, 100, 200, 400]; // pixels a second
const LANE_MARGIN = 200; // pixels beyond what is seen

class Lanes {
  // jump(row, system, place) shows a place of an alignment.
  constructor(data, jump) {
    this.data = data;
    this.jump = jump;
    this.system = data.systems.find(({ lanes }) => lanes);
    this.scale = 100;
    this.names = element("div", { class: "lane-names" });
    this.drawing = drawn("svg", { class: "lane-drawing", "aria-hidden": "true" });
    this.space = element("div", { class: "lane-space" }, this.drawing);
    this.box = element("div", {
      class: "lane-box", id: "lanes", tabindex: "0", role: "region", "aria-label": "Words over time",
      onscroll: () => this.render(), onclick: (event) => this.clicked(event),
    }, this.space);
    this.given = element("div");
    this.nodes = [this.controls(), element("div", { class: "lanes" }, this.names, this.box), this.given];
    new ResizeObserver(() => this.render()).observe(this.box);
    this.choose(this.system, 0);
  }

  controls() {
    const systems = this.data.systems.filter(({ lanes }) => lanes);
    const made = element("p", { class: "sorting lane-keys" });
    if (systems.length > 1) {
      const names = systems.map(({ name, number }) => [String(number), name]);
      made.append(choice("lanes-system", "System", names, (number) => this.choose(this.data.systems[number], 0)));
    }
    this.sessions = element("select", {
      id: "lanes-session", "aria-label": "Session", onchange: () => this.choose(this.system, this.sessions.value),
    });
    const scales = SCALES.map((scale) => [String(scale), `${scale} pixels a second`]);
    const scale = choice("lanes-scale", "Scale", scales, (value) => this.zoom(Number(value)));
    scale.value = String(this.scale);
    made.append(this.sessions, scale);
    const kinds = [["S", "substitution"], ["D", "deletion"], ["I", "insertion"]];
    made.append(...kinds.map(([letter, name]) =>
      element("span", null, element("span", { class: `key ${letter}` }, letter), " ", name)));
    return made;
  }

  choose(system, number) {
    const meetings = system.meetings;
    if (this.system !== system || !this.sessions.options.length) {
      this.sessions.replaceChildren(...meetings.map(({ name }, at) => element("option", { value: at }, name)));
    }
    this.system = system;
    this.sessions.value = String(number);
    this.meeting = meetings[number];
    this.words = wordsOfMeeting(this.data, system, Number(number));
    const timed = this.words.filter(({ start }) => start >= 0);
    this.begin = Math.min(...timed.map(({ start }) => start), Infinity);
    this.end = Math.max(...timed.map(({ end }) => end), 0);
    if (!timed.length) this.begin = 0;
    this.height = LANE.axis + LANE.height * this.meeting.lanes.length;
    this.names.replaceChildren(...this.meeting.lanes.map(laneName));
    this.box.style.blockSize = `${this.height + 18}px`;
    this.given.replaceChildren(this.givenTable());
    this.zoom(this.scale);
    this.box.scrollLeft = 0;
  }

  zoom(scale) {
    const middle = this.timeAt(this.box.clientWidth / 2);
    this.scale = Math.min(scale, (1000 * TALLEST) / Math.max(1, this.end - this.begin));
    this.space.style.inlineSize = `${Math.ceil(this.x(this.end)) + 24}px`;
    this.space.style.blockSize = `${this.height}px`;
    this.show(middle);
  }

  // Pixels from the left end of the space.
  x(time) {
    return 8 + ((time - this.begin) * this.scale) / 1000;
  }

  timeAt(shift) {
    return this.begin + ((this.box.scrollLeft + shift - 8) * 1000) / this.scale;
  }

  // Scroll so that a time is in the middle.
  show(time) {
    this.box.scrollLeft = this.x(time) - this.box.clientWidth / 2;
    this.render();
  }

  render() {
    const width = this.box.clientWidth;
    if (!width) return;
    const shift = Math.min(this.box.scrollLeft, Math.max(0, this.x(this.end) + 24 - width));
    const from = this.timeAt(-LANE_MARGIN), to = this.timeAt(width + LANE_MARGIN);
    const isSeen = ({ start, end }) => start >= 0 && end >= from && start <= to;
    const shapes = [...this.axis(from, to)];
    this.meeting.lanes.forEach((_, lane) => {
      const y = LANE.axis + LANE.height * lane;
      shapes.push(drawn("path", { d: `M${shift} ${y}h${width}`, class: "lane-edge" }));
    });
    this.words.forEach((word, at) => {
      if (isSeen(word)) shapes.push(this.drawnWord(word, at));
    });
    for (const word of this.words) {
      if (word.given && word.side === 0 && (isSeen(word) || isSeen(word.given))) shapes.push(this.line(word));
    }
    this.drawing.setAttribute("width", width);
    this.drawing.setAttribute("height", this.height);
    this.drawing.setAttribute("viewBox", `${shift} 0 ${width} ${this.height}`);
    this.drawing.style.transform = `translateX(${shift}px)`;
    this.drawing.replaceChildren(...shapes);
  }

  *axis(from, to) {
    const step = [1, 2, 5, 10, 15, 30, 60].find((seconds) => seconds * this.scale >= 80) * 1000;
    for (let time = Math.max(0, Math.ceil(from / step) * step); time <= to; time += step) {
      const x = this.x(time);
      yield drawn("path", { d: `M${x} ${LANE.axis - 6}V${this.height}`, class: "grid" });
      yield drawn("text", { x: x + 3, y: 15, class: "tick" }, clock(time));
    }
  }

  drawnWord(word, at) {
    const x = this.x(word.start);
    const width = Math.max(3, this.x(word.end) - x - 1);
    const y = topOf(word);
    const kind = word.given ? `${word.letter} given` : word.letter;
    const made = drawn("g", { class: `lane-word ${kind}`, "data-at": at });
    made.append(
      drawn("rect", { x, y, width, height: LANE.box, rx: 3 }),
      drawn("title", null, this.told(word)),
    );
    canvas.font = "12px system-ui, sans-serif";
    if (canvas.measureText(word.text).width + 4 <= width) {
      made.append(drawn("text", { x: x + width / 2, y: y + 15 }, word.text));
    }
    return made;
  }

  line(word) {
    const [one, other] = [word, word.given].map((each) => ({
      x: (this.x(each.start) + this.x(each.end)) / 2, y: topOf(each),
    }));
    const down = one.y < other.y;
    const y = down ? one.y + LANE.box : one.y;
    return drawn("path", { d: `M${one.x} ${y}L${other.x} ${down ? other.y : other.y + LANE.box}`, class: "lane-line" });
  }

  told(word) {
    const [speaker, stream] = this.meeting.lanes[word.lane];
    const parts = [word.text, NAMES_OF_EDITS[word.letter], clock(word.start)];
    parts.push(word.side ? `heard on ${stream}` : `said by ${speaker}`);
    if (word.given) {
      const [other, its] = this.meeting.lanes[word.given.lane];
      parts.push(word.side ? `said by ${other}` : `given to ${other ?? its}`);
    }
    return parts.join(", ");
  }

  clicked(event) {
    const found = event.target.closest("[data-at]");
    if (found) this.open(this.words[Number(found.dataset.at)]);
  }

  open(word) {
    this.jump(word.row, this.system, word.place);
  }

  givenTable() {
    const { lanes } = this.meeting;
    const button = (text, onclick) => element("button", { type: "button", class: "link", onclick }, text);
    const name = ([speaker, stream]) => speaker ?? stream;
    const columns = [
      { title: "Time", of: (word) => word.start,
        cell: (word) => button(clock(word.start), () => this.show(word.start)) },
      { title: "Word", text: true, of: (word) => word.text,
        cell: (word) => button(isolated(word.text), () => this.open(word)) },
      { title: "Said by", text: true, of: (word) => name(lanes[word.lane]),
        cell: (word) => isolated(name(lanes[word.lane])) },
      { title: "Given to", text: true, of: (word) => name(lanes[word.given.lane]),
        cell: (word) => isolated(name(lanes[word.given.lane])) },
    ];
    const entries = this.words.filter(({ side, given }) => given && side === 0);
    return sortableTable({
      caption: "Words given to another speaker", columns, entries, by: 0, descending: false,
    });
  }
}

const topOf = ({ lane, side }) => LANE.axis + LANE.height * lane + LANE.rows[side];

function laneName([speaker, stream]) {
  return element("div", null,
    speaker === null ? element("span", { class: "quiet" }, "nobody") : element("strong", null, isolated(speaker)),
    stream === null ? element("span", { class: "quiet" }, "no stream") : element("span", { class: "quiet" }, isolated(stream)));
}

// Both sides' words: {side, lane, start, end, text, letter, row, place in the system, given}.
function wordsOfMeeting(data, system, number) {
  const { lanes, meetings } = system;
  const first = meetings.slice(0, number).reduce((sum, { utterances }) => sum + utterances, 0);
  const rows = new Map();
  system.position.forEach((at, row) => rows.set(at, row));
  const found = [];
  const places = [new Map(), new Map()];
  const add = (side, index, numbers, letter, row, place) => {
    const { starts, ends, lane } = lanes.sides[side];
    const word = {
      side, letter, row, place, lane: lane[index], start: starts[index], end: Math.max(starts[index], ends[index]),
      text: data.words[numbers[index]], given: null,
    };
    places[side].set(index, word);
    found.push(word);
  };
  for (let at = first; at < first + meetings[number].utterances; at++) {
    const row = rows.get(at);
    let { begin, end, left, right } = placesOf(system, row);
    for (let place = begin; place < end; place++) {
      const edit = system.edits[place];
      if (HAS_REFERENCE[edit]) add(0, left++, system.reference.words, EDITS[edit], row, place);
      if (HAS_HYPOTHESIS[edit]) add(1, right++, system.hypothesis.words, EDITS[edit], row, place);
    }
  }
  lanes.given[0].forEach((one, at) => {
    const word = places[0].get(one), other = places[1].get(lanes.given[1][at]);
    if (!word || !other || word.start < 0 || other.start < 0) return;
    word.given = other;
    other.given = word;
  });
  return found;
}
