// A drawing over time: lanes below an axis, which scroll, and of which only what is seen is drawn.

const SCALES = [1, 2, 5, 10, 25, 50, 100, 200, 400]; // pixels a second
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
    this.element = element("div", { class: "lanes" }, this.names, this.box);
    new ResizeObserver(() => this.render()).observe(this.box);
  }

  scaleChoice() {
    const scales = SCALES.map((scale) => [String(scale), `${scale} pixels a second`]);
    this.scales = choice("lanes-scale", "Scale", scales, (value) => this.zoom(Number(value)));
    this.scales.value = String(this.scale);
    const button = (text, label, step) => element("button", {
      type: "button", class: "plain", "aria-label": label, title: label, onclick: () => this.zoomBy(step),
    }, text);
    return element("span", null, button("−", "Zoom out", -1), " ", this.scales, " ", button("+", "Zoom in", 1));
  }

  // To the next scale in the list; the time in the middle stays there.
  zoomBy(step) {
    const at = this.scales.selectedIndex + step;
    if (at < 0 || at >= SCALES.length) return;
    this.scales.selectedIndex = at;
    this.zoom(SCALES[at]);
  }

  // What has times, {start, end} in milliseconds, and an element that names each lane.
  lay(timed, names) {
    this.begin = timed.reduce((least, { start }) => Math.min(least, start), Infinity);
    this.end = timed.reduce((most, { end }) => Math.max(most, end), 0);
    if (!timed.length) this.begin = 0;
    this.lanes = names.length;
    this.height = AXIS + this.lane * this.lanes;
    this.names.replaceChildren(...names);
    this.box.style.blockSize = `${this.height + 18}px`;
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
  }

  *axis(from, to) {
    const step = [1, 2, 5, 10, 15, 30, 60, 300, 900, 3600].find((one) => one * this.scale >= 80) ?? 36000;
    for (let time = Math.max(0, Math.ceil(from / (1000 * step)) * 1000 * step); time <= to; time += 1000 * step) {
      const x = this.x(time);
      yield drawn("path", { d: `M${x} ${AXIS - 6}V${this.height}`, class: "grid" });
      yield drawn("text", { x: x + 3, y: 15, class: "tick" }, clock(time));
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
