// Verdicts: differing spans that mean the same or are minor errors, marked here and saved for --verdicts.

const VERDICTS = [["", "undecided"], ["same", "same"], ["minor", "minor error"], ["error", "error"]];
const CONTEXT_WORDS = 5; // of the reference on each side of a span
const HASH_BYTES = 8;

// The runs of substitutions, deletions and insertions of a row, with the words around them.
function spansOf(data, system, row) {
  const places = placesOf(system, row);
  if (!places) return [];
  const { reference, hypothesis, edits } = system;
  const last = reference.offsets[places.at + 1];
  const text = (words, from, to) => Array.from(words.subarray(from, to), (word) => data.words[word]).join(" ");
  const spans = [];
  let { left, right } = places;
  let first = null;
  for (let place = places.begin; place <= places.end; place++) {
    const edit = place < places.end ? edits[place] : CORRECT;
    const isWrong = edit >= SUBSTITUTION && edit <= INSERTION;
    if (isWrong) first ??= { place, left, right };
    else if (first) {
      spans.push({
        place: first.place,
        reference: text(reference.words, first.left, left),
        hypothesis: text(hypothesis.words, first.right, right),
        before: text(reference.words, Math.max(places.left, first.left - CONTEXT_WORDS), first.left),
        after: text(reference.words, left, Math.min(last, left + CONTEXT_WORDS)),
      });
      first = null;
    }
    left += HAS_REFERENCE[edit];
    right += HAS_HYPOTHESIS[edit];
  }
  return spans;
}

// The hash of the words around a span; browsers compute it for files and https alone.
async function contextOf({ before, after }) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${before}\t${after}`));
  return Array.from(new Uint8Array(digest, 0, HASH_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

class Verdicts {
  constructor(data) {
    this.data = data;
    this.by = "";
    this.isSaved = true;
    this.decisions = new Map(data.verdicts.map((one) => [this.key(one, one.context), one]));
    addEventListener("beforeunload", (event) => {
      if (!this.isSaved) event.preventDefault();
    });
  }

  key({ reference, hypothesis }, context) {
    const texts = [reference, hypothesis];
    return JSON.stringify([...(this.data.ignoreCase ? texts.map((text) => text.toLowerCase()) : texts), context]);
  }

  verdictOn(span, context) {
    return this.decisions.get(this.key(span, context))?.verdict ?? "";
  }

  decide({ reference, hypothesis }, context, verdict) {
    const key = this.key({ reference, hypothesis }, context);
    if (verdict) this.decisions.set(key, { reference, hypothesis, context, verdict, decided_at: new Date().toISOString() });
    else this.decisions.delete(key);
    this.isSaved = false;
  }

  // A choice of verdicts on a span; in a context, or wherever it is (null).
  choice(span, context) {
    const label = `Verdict on ${span.reference || "nothing"} → ${span.hypothesis || "nothing"}`;
    const select = element("select", {
      "aria-label": context === null ? label : `${label}, here`,
      onchange: ({ target }) => this.decide(span, context, target.value),
    }, VERDICTS.map(([value, text]) => element("option", { value }, text)));
    select.value = this.verdictOn(span, context);
    return select;
  }

  // The spans of an utterance, each with a choice that holds for its context alone.
  ofRow(row) {
    if (!window.crypto?.subtle) return [];
    const spans = this.data.systems.flatMap((system) => spansOf(this.data, system, row).map((span) => [system, span]));
    if (!spans.length) return [];
    const list = element("ul", { class: "scores" });
    Promise.all(spans.map(([, span]) => contextOf(span))).then((contexts) => {
      list.append(...spans.map(([system, span], at) => element("li", null, this.choice(span, contexts[at]), " ",
        isolated(span.reference || "–"), " → ", isolated(span.hypothesis || "–"),
        this.data.systems.length > 1 ? [" ", element("span", { class: "quiet" }, isolated(system.name))] : null)));
    });
    return [element("details", { class: "switches" }, element("summary", null, "Verdicts in this place"), list)];
  }

  // All spans of the selected utterances, most frequent first.
  view(rows, jump) {
    const { data } = this;
    const found = new Map();
    for (const row of rows) {
      for (const system of data.systems) {
        if (!errorsOf(system, row)) continue;
        for (const span of spansOf(data, system, row)) {
          const key = this.key(span, null);
          if (!found.has(key)) found.set(key, { ...span, count: 0, examples: [] });
          const entry = found.get(key);
          entry.count++;
          if (entry.examples.length < EXAMPLES && entry.examples.at(-1)?.[0] !== row) entry.examples.push([row, system, span.place]);
        }
      }
    }
    const word = (title, name) => ({ title, text: true, of: (span) => span[name], cell: (span) => isolated(span[name] || "–"), csv: (span) => span[name] });
    const columns = [
      word("Reference", "reference"),
      word("Hypothesis", "hypothesis"),
      { title: "Count", of: ({ count }) => count, cell: ({ count }) => whole(count) },
      {
        title: "Verdict", text: true, of: (span) => this.verdictOn(span, null),
        cell: (span) => this.choice(span, null), csv: (span) => this.verdictOn(span, null),
      },
      {
        title: "Examples", text: true, aside: true, of: ({ examples: [[row]] }) => data.utterances[row],
        cell: ({ examples }) => element("span", { class: "examples" }, examples.map(([row, system, place]) =>
          linkTo(data.utterances[row], `Show the place, ${system.name}`, () => jump(row, system, place)))),
        csv: ({ examples }) => examples.map(([row]) => data.utterances[row]).join(" "),
      },
    ];
    const by = element("input", { id: "verdicts-by", value: this.by, autocomplete: "name", oninput: ({ target }) => { this.by = target.value; } });
    const save = element("button", { type: "button", class: "plain", id: "save-verdicts", onclick: () => this.save() }, "Save verdicts");
    return [element("div", { class: "screen" },
      element("p", { class: "quiet" }, "A verdict here applies wherever the same difference occurs; a verdict below an utterance applies only there. ",
        "To count the verdicts, save the file and score again with --verdicts."),
      element("p", { class: "sorting" }, element("label", null, "Decided by ", by), " ", save),
      sortableTable({ caption: "Differing spans", columns, entries: [...found.values()], by: 2 }))];
  }

  save() {
    const lines = Array.from(this.decisions.values(), ({ reference, hypothesis, context, verdict, reviewer = this.by || null, decided_at }) =>
      JSON.stringify({ reference, hypothesis, context, verdict, reviewer, decided_at }) + "\n");
    const head = JSON.stringify({ schema: "sclite-kit/verdicts", version: 1 }) + "\n";
    saveFile("verdicts.jsonl", "application/x-ndjson", head + lines.join(""));
    this.isSaved = true;
  }
}
