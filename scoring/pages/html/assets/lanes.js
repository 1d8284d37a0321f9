// Sessions of many speakers: a lane a speaker over time, and lines to words given to others.

const LANE = { height: 62, rows: [4, 31], box: 22 };
const WORDS_SINGLE = 20; // pixels a second from which every word has a box of its own
const PAUSE = 2000; // milliseconds that end a turn
const MOST_TURNS = 80; // in the text below the drawing

const POINT = "Point at a word to read it; a click shows it in its alignment.";

class Lanes extends Timeline {
  // jump(row, system, place) shows a place of an alignment.
  constructor(data, jump) {
    super({ scale: FIT, lane: LANE.height });
    this.isFitted = true;
    this.data = data;
    this.jump = jump;
    this.system = data.systems.find(({ lanes }) => lanes);
    this.given = element("div");
    this.pointed = element("p", { class: "quiet lane-pointed" }, POINT);
    this.text = element("ol", { class: "lane-text" });
    this.box.addEventListener("mouseover", (event) => {
      const shape = event.target.closest("[data-at]");
      this.pointed.textContent = shape ? shape.querySelector("title").textContent : POINT;
    });
    const heading = element("h2", null, "Text in view");
    this.nodes = [this.controls(), this.element, this.pointed, heading, this.text, this.given];
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
    made.append(this.sessions, this.scaleChoice());
    const kinds = [["S", "substitution"], ["D", "deletion"], ["I", "insertion"], ["given", "attributed to another speaker"]];
    made.append(...kinds.map(([kind, name]) =>
      element("span", null, element("span", { class: `key ${kind}` }, kind.length === 1 ? kind : "→"), " ", name)));
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
    this.given.replaceChildren(this.givenTable());
    this.turns = turnsOfLanes(this.words);
    this.lay(this.words.filter(({ start }) => start >= 0), this.meeting.lanes.map(laneName),
      (word) => (isWrong(word) ? word.letter : ""));
  }

  *shapes(isSeen) {
    const seen = this.words.map((word, at) => ({ ...word, at })).filter(isSeen);
    const drawnWords = this.scale < WORDS_SINGLE ? runsOf(seen, this.scale) : seen;
    for (const word of drawnWords) yield this.drawnWord(word);
    for (const word of this.words) {
      if (word.given && word.side === 0 && (isSeen(word) || isSeen(word.given))) yield this.line(word);
    }
  }

  drawnWord(word) {
    const kind = word.given ? `${word.letter} given` : word.letter;
    const made = this.labelled(word, topOf(word), LANE.box, this.told(word));
    made.setAttribute("class", `lane-word ${kind}`);
    made.setAttribute("data-at", word.at);
    return made;
  }

  line(word) {
    const [one, other] = [word, word.given].map((each) => ({
      x: (this.x(each.start) + this.x(each.end)) / 2, y: topOf(each),
    }));
    const down = one.y < other.y;
    const y = down ? one.y + LANE.box : one.y;
    return drawn("path", { d: `M${one.x} ${y}L${other.x} ${down ? other.y : other.y + LANE.box}`, class: this.scale < WORDS_SINGLE ? "lane-line thin" : "lane-line" });
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

  // The turns in view, the words of both sides beside each other.
  inView(from, to) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const turns = this.turns.filter(({ start, end }) => end >= from && start <= to);
      const items = turns.slice(0, MOST_TURNS).map((turn) => this.turn(turn));
      if (turns.length > MOST_TURNS) {
        items.push(element("li", { class: "lane-more quiet" }, `${whole(turns.length - MOST_TURNS)} more turns: zoom in to read them.`));
      }
      this.text.replaceChildren(headOfTurns(), ...items);
    }, 100);
  }

  turn({ start, end, lane, words }) {
    const [speaker, stream] = this.meeting.lanes[lane];
    const side = (number) => element("div", { dir: "auto" }, words.filter((word) => word.side === number).flatMap(
      (word) => [element("span", { class: word.letter, title: this.told(word) }, word.text), this.data.space]));
    const button = (text, label, onclick) =>
      element("button", { type: "button", class: "link", "aria-label": label, onclick }, text);
    const address = this.data.sound && this.data.sounds[this.data.sound[words[0].row]];
    return element("li", null,
      element("div", null,
        button(clock(start), `Show ${clock(start)}`, () => this.show(start)), " ",
        address ? button("▶", `Play from ${clock(start)}`, () => this.play(address, start, end)) : null),
      element("strong", null, isolated(speaker ?? stream)), side(0), side(1));
  }

  play(address, start, end) {
    this.sound?.remove();
    this.sound = element("audio", {
      controls: true, autoplay: true, src: `${address}#t=${start / 1000},${end / 1000}`, "aria-label": "Sound of the turn",
    });
    this.pointed.after(this.sound);
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
      caption: "Words attributed to another speaker", columns, entries, by: 0, descending: false,
    });
  }
}

const headOfTurns = () => element("li", { class: "lane-head quiet" },
  element("div"), element("div"), element("div", null, "Reference"), element("div", null, "Hypothesis"));
const isWrong = ({ letter }) => letter !== EDITS[0];

// Words of one lane, side and kind that are close together at a scale, as one.
function runsOf(words, scale) {
  const runs = [], last = new Map();
  for (const word of words) {
    const key = `${word.lane}.${word.side}.${word.letter}`;
    const run = last.get(key);
    if (run && !word.given && !run.given && ((word.start - run.end) * scale) / 1000 < 2) {
      run.end = Math.max(run.end, word.end);
      if (run.text.length < MOST_LETTERS) run.text += ` ${word.text}`;
      continue;
    }
    const begun = { ...word };
    last.set(key, begun);
    runs.push(begun);
  }
  // errors lie above
  return runs.sort((left, right) => isWrong(left) - isWrong(right));
}

// The words of both sides by turns: {start, end, lane, words}, in the order of time.
function turnsOfLanes(words) {
  const timed = words.filter(({ start }) => start >= 0);
  timed.sort((left, right) => left.lane - right.lane || left.start - right.start);
  const turns = [];
  for (const word of timed) {
    const turn = turns.at(-1);
    if (turn && turn.lane === word.lane && word.start - turn.end < PAUSE) {
      turn.words.push(word);
      turn.end = Math.max(turn.end, word.end);
    } else turns.push({ start: word.start, end: word.end, lane: word.lane, words: [word] });
  }
  return turns.sort((left, right) => left.start - right.start);
}

const topOf = ({ lane, side }) => AXIS + LANE.height * lane + LANE.rows[side];

function laneName([speaker, stream]) {
  return element("div", null,
    speaker === null ? element("span", { class: "quiet" }, "nobody") : element("strong", null, squeezed(speaker)),
    stream === null ? element("span", { class: "quiet" }, "no stream") : element("span", { class: "quiet" }, squeezed(stream)));
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
