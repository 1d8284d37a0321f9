// Turns of speakers over time: of the reference above, of the hypothesis below, errors in colour.

const TURN_LANE = { height: 50, rows: [5, 27], box: 18 };
const TURN_KINDS = { S: "confusion", D: "missed", I: "false alarm" };

class Turns extends Timeline {
  constructor(recordings) {
    super({ scale: FIT, lane: TURN_LANE.height, label: "Turns over time" });
    this.recordings = recordings;
    this.element.classList.add("of-turns");
    this.nodes = [this.controls(), this.element];
  }

  controls() {
    const made = element("p", { class: "sorting lane-keys" });
    if (this.recordings.length > 1) {
      const names = this.recordings.map(({ name }, at) => [String(at), name]);
      made.append(choice("turns-recording", "Recording", names, (at) => this.choose(Number(at))));
    }
    made.append(this.scaleChoice());
    for (const [letter, name] of Object.entries(TURN_KINDS)) {
      made.append(element("span", null, element("span", { class: `key ${letter}` }, letter), " ", name));
    }
    return made;
  }

  choose(number) {
    const { lanes, spans } = this.recordings[number];
    this.names_of = lanes;
    this.spans = spans.map(([lane, side, start, end, kind]) => ({ lane, side, start, end, kind }));
    this.lay(this.spans, lanes.map(([left, right]) => element("div", null,
      element("strong", null, isolated(left ?? "(nobody)")),
      element("span", { class: "quiet" }, isolated(right ?? "(nobody)")))), ({ kind }) => kind);
  }

  *shapes(isSeen) {
    for (const span of this.spans) if (isSeen(span)) yield this.turn(span);
  }

  turn(span) {
    const { lane, side, start, end, kind } = span;
    const who = this.names_of[lane][side];
    const text = kind ? `${TURN_KINDS[kind]}, ` : "";
    const told = `${text}${who}, ${side ? "hypothesis" : "reference"}, ${clock(start)} to ${clock(end)}`;
    const y = AXIS + TURN_LANE.height * lane + TURN_LANE.rows[side];
    const made = this.labelled({ start, end, text: "" }, y, TURN_LANE.box, told);
    made.setAttribute("class", `lane-word turn-box ${kind}`);
    return made;
  }

  clicked() {}
}

function showTurns() {
  for (const data of document.querySelectorAll(".turns-data")) {
    const turns = new Turns(JSON.parse(data.textContent));
    data.previousElementSibling.replaceChildren(...turns.nodes);
    turns.choose(0);
  }
}
