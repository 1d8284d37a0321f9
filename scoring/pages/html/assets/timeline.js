// A drawing over time: lanes below an axis, which scroll, and of which only what is seen is drawn.

const FIT = 0; // the scale at which everything is in view
const SCALES = [FIT, 1, 2, 5, 10, 25, 50, 100, 200, 400]; // pixels a second
const OVERVIEW = { columns: 400, height: 28 };
const LANE_MARGIN = 200; // pixels beyond what is seen
const AXIS = 24;
const MOST_LETTERS = 400; // in a box

class Timeline {
  // Who extends it gives *shapes(isSeen), and clicked(event); a lane is so many pixels high.
  constructor({ scale, lane, label = "Words over time" }) {
    this.scale = scale;
    this.lane = lane;
    this.names = element("div", { class: "lane-names" });
    this.drawing = drawn("svg", { class: "lane-drawing", "aria-hidden": "true" });
    this.space = element("div", { class: "lane-space" }, this.drawing);
    this.box = element("div", {
      class: "lane-box", id: "lanes", tabindex: "0", role: "region", "aria-label": label,
      onscroll: () => this.render(), onclick: (event) => this.clicked(event),
      onkeydown: (event) => {
        const step = { "+": 1, "=": 1, "-": -1 }[event.key];
        if (step && !event.ctrlKey && !event.metaKey) this.zoomBy(step);
      },
    }, this.space);
    const { columns, height } = OVERVIEW;
    this.overview = drawn("svg", {
      class: "lane-overview", "aria-hidden": "true", viewBox: `0 0 ${columns} ${height}`, preserveAspectRatio: "none",
      onpointerdown: (event) => this.showAt(event), onpointermove: (event) => event.buttons && this.showAt(event),
    });
    this.window = drawn("rect", { class: "lane-window", y: 0.5, height: height - 1 });
    this.element = element("div", { class: "lanes" }, element("div"), this.overview, this.names, this.box);
    new ResizeObserver(() => this.resized()).observe(this.box);
  }

  scaleChoice() {
    const scales = SCALES.map((scale) => [String(scale), scale === FIT ? "fit" : `${scale} pixels a second`]);
    this.scales = choice("lanes-scale", "Scale", scales, (value) => this.zoom(Number(value)));
    this.scales.value = String(this.scale);
    const button = (text, label, step) => element("button", {
      type: "button", class: "plain", "aria-label": label, title: label, onclick: () => this.zoomBy(step),
    }, text);
    return element("span", null, button("−", "Zoom out", -1), " ", this.scales, " ", button("+", "Zoom in", 1));
  }

  // To the next scale in the list; the time in the middle stays there.
  zoomBy(step) {
    const fitting = this.fitting();
    const next = step > 0
      ? SCALES.find((scale) => scale > 1.01 * this.scale)
      : SCALES.findLast((scale) => scale < 0.99 * this.scale);
    if (next === undefined || (step < 0 && this.isFitted)) return;
    this.scales.value = String(next < fitting ? FIT : next);
    this.zoom(next < fitting ? FIT : next);
  }

  // The scale at which everything is in view, at most the greatest one.
  fitting() {
    const room = Math.max(100, this.box.clientWidth - 34);
    return Math.min(SCALES.at(-1), (1000 * room) / Math.max(1, this.end - this.begin));
  }

  resized() {
    if (this.isFitted && this.box.clientWidth) this.zoom(FIT);
    else this.render();
  }

  // What has times, {start, end} in milliseconds, and an element that names each lane.
  // `kindOf` returns the letter of an error, or nothing where there is none.
  lay(timed, names, kindOf) {
    this.begin = timed.reduce((least, { start }) => Math.min(least, start), Infinity);
    this.end = timed.reduce((most, { end }) => Math.max(most, end), 0);
    if (!timed.length) this.begin = 0;
    this.lanes = names.length;
    this.height = AXIS + this.lane * this.lanes;
    this.names.replaceChildren(...names);
    this.box.style.blockSize = `${this.height + 18}px`;
    this.drawOverview(timed, kindOf);
    this.zoom(this.isFitted ? FIT : this.scale);
    this.box.scrollLeft = 0;
  }

  // The whole length as bars: where there is speech, and which parts of it are errors of which kind.
  drawOverview(timed, kindOf) {
    const { columns, height } = OVERVIEW;
    const sums = Array.from({ length: columns }, () => ({ all: 0, S: 0, D: 0, I: 0 }));
    const column = (time) => Math.min(columns - 1, Math.floor((columns * (time - this.begin)) / Math.max(1, this.end - this.begin)));
    for (const stretch of timed) {
      const kind = kindOf(stretch);
      for (let at = column(stretch.start); at <= column(stretch.end); at++) {
        sums[at].all += 1;
        if (kind) sums[at][kind] += 1;
      }
    }
    // the bars of a kind stand on those of the kinds before it
    const bars = (kind, below) => sums.map((sum, at) => {
      const of = (names) => (height * names.reduce((total, name) => total + sum[name], 0)) / sum.all;
      return sum[kind] ? `M${at + 0.5} ${height - of(below)}v${-of([kind])}` : "";
    }).join("");
    this.overview.replaceChildren(
      drawn("path", { class: "lane-speech", d: bars("all", []) }),
      ...["S", "D", "I"].map((kind, at, kinds) => drawn("path", { class: `lane-errors ${kind}`, d: bars(kind, kinds.slice(0, at)) })),
      this.window,
    );
  }

  showAt(event) {
    const { left, width } = this.overview.getBoundingClientRect();
    this.show(this.begin + ((event.clientX - left) / width) * (this.end - this.begin));
  }

  zoom(scale) {
    const middle = this.timeAt(this.box.clientWidth / 2);
    this.isFitted = scale === FIT;
    this.scale = Math.min(scale || this.fitting(), (1000 * TALLEST) / Math.max(1, this.end - this.begin));
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
    const shapes = [...this.axis(from, to)];
    for (let lane = 0; lane < this.lanes; lane++) {
      shapes.push(drawn("path", { d: `M${shift} ${AXIS + this.lane * lane}h${width}`, class: "lane-edge" }));
    }
    shapes.push(...this.shapes(({ start, end }) => start >= 0 && end >= from && start <= to));
    this.drawing.setAttribute("width", width);
    this.drawing.setAttribute("height", this.height);
    this.drawing.setAttribute("viewBox", `${shift} 0 ${width} ${this.height}`);
    this.drawing.style.transform = `translateX(${shift}px)`;
    this.drawing.replaceChildren(...shapes);
    const length = Math.max(1, this.end - this.begin);
    const [first, last] = [0, width].map((side) =>
      Math.min(1, Math.max(0, (this.timeAt(side) - this.begin) / length)) * OVERVIEW.columns);
    this.window.setAttribute("x", first);
    this.window.setAttribute("width", Math.max(2, last - first));
    this.inView(this.timeAt(0), this.timeAt(width));
  }

  // For a subclass that lists what is in view.
  inView() {}

  *axis(from, to) {
    const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].find((one) => one * this.scale >= 80) ?? 36000;
    for (let time = Math.max(0, Math.ceil(from / (1000 * step)) * 1000 * step); time <= to; time += 1000 * step) {
      const x = this.x(time);
      yield drawn("path", { d: `M${x} ${AXIS - 6}V${this.height}`, class: "grid" });
      // a label at the end would be cut
      if (x < this.x(this.end) - 28) yield drawn("text", { x: x + 3, y: 15, class: "tick" }, roundClock(time));
    }
  }

  // A box over a stretch {start, end, text}, with the text if there is room for it, or its beginning.
  labelled({ start, end, text }, y, height, told, cuts = false) {
    const x = this.x(start);
    const width = Math.max(3, this.x(end) - x - 1);
    const made = drawn("g", null, drawn("rect", { x, y, width, height, rx: 3 }), drawn("title", null, told));
    canvas.font = "12px system-ui, sans-serif";
    const head = text.slice(0, MOST_LETTERS);
    const needed = canvas.measureText(head).width + 4;
    const letters = Math.floor((head.length * (width - 12)) / needed);
    if (needed <= width && head === text) made.append(drawn("text", { x: x + width / 2, y: y + 15 }, text));
    else if (cuts && letters > 1) {
      made.append(drawn("text", { x: x + width / 2, y: y + 15 }, `${head.slice(0, letters)}…`));
    }
    return made;
  }
}
