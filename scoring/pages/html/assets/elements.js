// Elements and texts. Texts of transcripts only ever become text nodes.

const canvas = document.createElement("canvas").getContext("2d");
const TALLEST = 8_000_000; // pixels; browsers stop counting at some height
const byId = (id) => document.getElementById(id);
const LTR_NUMBER = new Intl.NumberFormat("en");

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(made, attributes);
  made.append(...children.flat());
  return made;
}

function fill(made, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
}

// What a row of the data is: an utterance, or a speaker or a segment of a session.
const itemsName = () => document.body.dataset.items;
const itemName = () => itemsName().slice(0, -1);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

function choice(id, label, options, change) {
  return element("select", { id, "aria-label": label, onchange: (event) => change(event.target.value) },
    options.map(([value, text]) => element("option", { value }, text)));
}

// Text in a direction of its own, so that scripts from right to left disturb nothing around them.
function isolated(text) {
  return element("bdi", null, apart(text));
}

// The parts of a name such as accent/range keep their order, whatever their scripts are.
function apart(name) {
  return RIGHT_TO_LEFT.test(name) && name.includes("/") ? name.split("/").map((part) => `\u2068${part}\u2069`).join("/") : name;
}

const TAIL = 6; // letters

// A name where room may lack: its end is always seen, because numbered names differ there.
function squeezed(name) {
  const letters = Array.from(name);
  if (letters.length <= 3 * TAIL) return isolated(name);
  const [head, tail] = [letters.slice(0, -TAIL), letters.slice(-TAIL)].map((part) => element("span", null, part.join("")));
  return element("bdi", { class: "squeezed", title: name }, head, tail);
}

const whole = (number) => LTR_NUMBER.format(number);

function percent(part, all) {
  return all ? ((100 * part) / all).toFixed(2) : "n/a";
}

function signed(difference) {
  const amount = Math.abs(difference).toFixed(2);
  return (Number(amount) === 0 ? "±" : difference > 0 ? "+" : "−") + amount;
}

// Seconds from milliseconds; hours and minutes only where there are some.
function clock(milliseconds) {
  if (milliseconds < 60000) return (milliseconds / 1000).toFixed(2) + " s";
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  const texts = parts.map((part, at) => (at ? String(part).padStart(2, "0") : String(part)));
  return texts.join(":") + "." + String(Math.floor((milliseconds % 1000) / 10)).padStart(2, "0");
}

// A time on an axis whose ticks are whole seconds: 0:30, 1:00, 1:00:00.
function roundClock(milliseconds) {
  const text = clock(Math.max(milliseconds, 60000)).replace(/\.\d+$/, "");
  return milliseconds < 60000 ? `0:${String(Math.round(milliseconds / 1000)).padStart(2, "0")}` : text;
}

function plural(number, one, many) {
  return whole(number) + " " + (number === 1 ? one : many);
}

const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

// Whether the first word with letters is of a script from right to left.
function runsRightToLeft(texts) {
  const first = texts.find((text) => /\p{L}/u.test(text));
  return first !== undefined && RIGHT_TO_LEFT.test(first.match(/\p{L}/u)[0]);
}
