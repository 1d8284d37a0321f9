// One transcript: its tiers as lanes over time, its segments in pages of rows, and remarks at their places.

const TIER = { height: 40, top: 9, box: 22 };
const PAGE_ROWS = 100;
const LONGEST_TEXT = 3000; // letters of one segment in the list; all are in the file
const WORDS_FROM = 50; // pixels a second from which single words are drawn

class Tiers extends Timeline {
  // choose(number) names a segment.
  constructor(data, choose) {
    super({ scale: 25, lane: TIER.height });
    this.data = data;
    this.choose = choose;
    this.named = -1;
    this.names.classList.add("tiers");
    this.box.classList.add("tall");
    this.box.style.blockSize = "auto";
    this.open(0);
  }

  open(recording) {
    const { lanes, stretches } = this.data;
    this.recording = recording;
    const own = lanes.map(({ recording: one }, at) => (one === recording ? at : -1)).filter((at) => at >= 0);
    this.row = new Map(own.map((lane, at) => [lane, at]));
    this.shown = stretches.filter(({ lane, start }) => start >= 0 && this.row.has(lane));
    this.lay(this.shown, own.map((lane) => element("div", { title: lanes[lane].name }, isolated(lanes[lane].name))), ({ remarks }) => (remarks.length ? "D" : ""));
    this.box.style.blockSize = "";
  }

  *shapes(isSeen) {
    for (const one of this.shown) {
      if (!isSeen(one)) continue;
      const y = AXIS + TIER.height * this.row.get(one.lane) + TIER.top;
      const kind = `${one.number === this.named ? " named" : ""}${one.remarks.length ? " wrong" : ""}`;
      const timed = this.scale >= WORDS_FROM ? one.words.filter(({ start }) => start >= 0) : [];
      for (const word of timed.length ? timed.filter(isSeen) : [one]) {
        const told = [word.text, clock(word.start), ...one.remarks.map(({ message }) => message)].join(", ");
        const made = this.labelled(word, y, TIER.box, told, true);
        made.setAttribute("class", `lane-word${kind}`);
        made.setAttribute("data-number", one.number);
        yield made;
      }
    }
  }

  clicked(event) {
    const found = event.target.closest("[data-number]");
    if (found) this.choose(Number(found.dataset.number));
  }
}

class Transcript {
  constructor(data) {
    this.data = data;
    this.first = 0;
    this.named = -1;
    this.tiers = data.stretches.some(({ start }) => start >= 0)
      ? new Tiers(data, (number) => this.name(number, false)) : null;
    if (this.tiers) byId("timeline").append(this.controls(), this.tiers.element);
    else byId("timeline").append(element("p", { class: "quiet" }, "There are no times."));
    this.body = element("tbody");
    this.state = element("span", { role: "status", id: "state" });
    const step = (text, rows) =>
      element("button", { type: "button", class: "plain", onclick: () => this.list(this.first + rows) }, text);
    this.search = element("input", { id: "search", type: "search", "aria-label": "Find words", placeholder: "Find words" });
    const form = element("form", {
      class: "keys", role: "search", onsubmit: (event) => { event.preventDefault(); this.find(); },
    }, this.search, element("button", { class: "plain" }, "Next"), step("Earlier", -PAGE_ROWS),
    step("Later", PAGE_ROWS), this.state);
    const heads = ["Time", "Who", "Words", "Line"].map((text) => element("th", { scope: "col" }, text));
    byId("list").append(form, element("table", { class: "stretches" }, element("thead", null, element("tr", null, heads)), this.body));
    this.remarks();
    this.list(0);
  }

  controls() {
    const { recordings } = this.data;
    const made = element("p", { class: "keys" });
    if (recordings.length > 1) {
      const names = recordings.map((name, at) => [String(at), name]);
      made.append(choice("recording", "Recording", names, (at) => this.tiers.open(Number(at))));
    }
    made.append(this.tiers.scaleChoice());
    return made;
  }

  remarks() {
    const { remarks } = this.data;
    const made = remarks.map((one) => {
      const text = `${one.severity}: ${one.message} [${one.code}]`;
      const place = one.line === null ? "" : `line ${one.line}: `;
      return element("li", null, place, one.number < 0 ? isolated(text) : element("button", {
        type: "button", class: "link", onclick: () => this.name(one.number, true),
      }, isolated(text)));
    });
    byId("remarks").append(made.length ? element("ul", null, made) : element("p", { class: "quiet" }, "No remarks."));
  }

  // Show the rows from here on.
  list(first) {
    const { stretches, lanes } = this.data;
    this.first = Math.max(0, Math.min(first, stretches.length - 1));
    const last = Math.min(stretches.length, this.first + PAGE_ROWS);
    this.body.replaceChildren(...stretches.slice(this.first, last).map((one) => {
      const text = one.text.length > LONGEST_TEXT ? `${one.text.slice(0, LONGEST_TEXT)}…` : one.text;
      const time = one.start < 0 ? "" : element("button", {
        type: "button", class: "link", onclick: () => this.name(one.number, true),
      }, clock(one.start));
      return element("tr", { class: one.number === this.named ? "named" : null, "data-number": one.number },
        element("td", null, time),
        element("td", null, isolated(lanes[one.lane].name)),
        element("td", { dir: "auto" }, text, one.remarks.map(({ message }) =>
          element("div", { class: "remark" }, isolated(message)))),
        element("td", null, one.line === null ? "" : String(one.line)));
    }));
    this.state.textContent = stretches.length
      ? `${whole(this.first + 1)} to ${whole(last)} of ${plural(stretches.length, "segment", "segments")}` : "No segments";
  }

  // Mark a segment, in the list and over time; scroll there if it was not chosen there.
  name(number, scrolls) {
    const one = this.data.stretches[number];
    this.named = number;
    this.list(number < this.first || number >= this.first + PAGE_ROWS ? number - 3 : this.first);
    if (!this.tiers) return;
    this.tiers.named = number;
    const { recording } = this.data.lanes[one.lane];
    if (recording !== this.tiers.recording) {
      byId("recording").value = String(recording);
      this.tiers.open(recording);
    }
    if (scrolls && one.start >= 0) this.tiers.show(one.start);
    else this.tiers.render();
  }

  // The next segment with the words that are looked for, from the beginning again after the last.
  find() {
    const wanted = this.search.value.trim().toLowerCase();
    const { stretches } = this.data;
    if (!wanted) return;
    for (let step = 1; step <= stretches.length; step++) {
      const one = stretches[(this.named + step) % stretches.length];
      if (one.text.toLowerCase().includes(wanted)) {
        this.name(one.number, true);
        return;
      }
    }
    this.state.textContent = "Not found";
  }
}

function unpackedTranscript() {
  const { recordings, lanes, columns, remarks } = JSON.parse(byId("data").textContent);
  const stretches = columns.lane.map((lane, number) => {
    const texts = columns.words[number], starts = columns.starts[number], ends = columns.ends[number];
    const words = starts === null ? [] : texts.map((text, at) => ({ text, start: starts[at], end: ends[at] }));
    return {
      number, lane, start: columns.start[number], end: columns.end[number], line: columns.line[number],
      text: texts.join(" "), words, remarks: [],
    };
  });
  for (const one of remarks) if (one.number >= 0) stretches[one.number].remarks.push(one);
  return { recordings, lanes, stretches, remarks };
}

startTheme();
new Transcript(unpackedTranscript());
document.documentElement.dataset.ready = "";
