// Turns of speakers over time: of the reference above, of the hypothesis below, errors in colour.
// A person can choose the sound of a recording, which stays on the machine, and hear a turn by a click.

const TURN_LANE = { height: 50, rows: [5, 27], box: 18 };
const TURN_KINDS = { S: "confusion", D: "missed", I: "false alarm" };

class Turns extends Timeline {
  constructor(recordings) {
    super({ scale: FIT, lane: TURN_LANE.height, label: "Turns over time" });
    this.recordings = recordings;
    this.sounds = new Map(); // addresses of files, by the number of the recording
    this.player = element("audio", { controls: true, hidden: true, "aria-label": "Sound of the recording",
      ontimeupdate: () => this.player.currentTime >= this.until && this.player.pause(),
      onerror: () => { this.message.textContent = "The browser cannot play this file."; } });
    this.message = element("span", { role: "status" });
    this.element.classList.add("of-turns");
    this.nodes = [this.controls(), this.player, this.element];
  }

  controls() {
    const made = element("p", { class: "sorting lane-keys" });
    if (this.recordings.length > 1) {
      const names = this.recordings.map(({ name }, at) => [String(at), name]);
      made.append(choice("turns-recording", "Recording", names, (at) => this.choose(Number(at))));
    }
    made.append(this.scaleChoice());
    for (const [letter, name] of Object.entries(TURN_KINDS)) {
      made.append(element("span", null, element("span", { class: `key ${letter}` }), " ", name));
    }
    const picker = element("input", { type: "file", accept: "audio/*,video/*", hidden: true, "aria-label": "Choose the sound of the recording",
      onchange: () => this.hear(picker.files[0]) });
    made.append(picker, element("button", { type: "button", class: "plain", onclick: () => picker.click() }, "Sound …"), this.message);
    return made;
  }

  hear(file) {
    if (!file) return;
    URL.revokeObjectURL(this.sounds.get(this.number));
    this.sounds.set(this.number, URL.createObjectURL(file));
    this.message.textContent = `${file.name}: click a turn to hear it.`;
    this.showPlayer();
    for (const row of document.querySelectorAll(".turns ~ details tbody tr")) this.makeAudible(row);
  }

  showPlayer() {
    const address = this.sounds.get(this.number);
    this.player.hidden = !address;
    this.until = Infinity;
    if (address) this.player.src = address;
    else this.player.removeAttribute("src");
  }

  // The begin of a long error plays it: for people who use no mouse.
  makeAudible({ cells: [recording, , , begin, duration] }) {
    const number = this.recordings.findIndex(({ name }) => name === recording.textContent);
    if (begin.querySelector("button") || number !== this.number) return;
    const start = 1000 * Number(begin.textContent);
    const onclick = () => {
      if (number !== this.number) this.choose(number);
      this.play(start, start + 1000 * Number(duration.textContent));
    };
    begin.replaceChildren(element("button", { type: "button", class: "link", onclick, "aria-label": `Play from ${clock(start)}` }, begin.textContent));
  }

  play(start, end) {
    if (this.player.hidden) return;
    this.player.currentTime = start / 1000;
    this.until = end / 1000;
    this.player.play().catch(() => {});
  }

  choose(number) {
    const { lanes, spans } = this.recordings[number];
    this.number = number;
    this.showPlayer();
    this.names_of = lanes;
    this.spans = spans.map(([lane, side, start, end, kind]) => ({ lane, side, start, end, kind }));
    this.lay(this.spans, lanes.map(([left, right]) => element("div", null,
      element("strong", null, squeezed(left ?? "(nobody)")),
      element("span", { class: "quiet" }, squeezed(right ?? "(nobody)")))), ({ kind }) => kind);
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
    made.dataset.start = start;
    made.dataset.end = end;
    return made;
  }

  clicked({ target }) {
    const turn = target.closest(".turn-box");
    if (turn) this.play(Number(turn.dataset.start), Number(turn.dataset.end));
  }
}

function showTurns() {
  for (const data of document.querySelectorAll(".turns-data")) {
    const turns = new Turns(JSON.parse(data.textContent));
    data.previousElementSibling.replaceChildren(...turns.nodes);
    turns.choose(0);
  }
}
