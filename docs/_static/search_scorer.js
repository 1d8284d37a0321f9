// How the search of the site ranks results: an option of this name first, or the page of a system of this name, then pages
// before their sections, pages of formats and of commands last. Other words for the subject of a page are entries of its index (SYNONYMS in conf.py).
var Scorer = {
  score: ([page, , anchor, , score]) => {
    const name = new URLSearchParams(window.location.search).get("q").trim().replace(/^-+/, "");
    if (anchor === `#cmdoption-scoring-wer-${name}`) return score + 50;
    if (anchor?.startsWith("#cmdoption-") && anchor.endsWith(`-${name}`)) return score + 40;
    const system = name.toLowerCase().replace(/^.* |\.metrics$/g, "");
    if (!anchor && (page === `from-${system}` || page === system)) return score + 40;
    if (page === "in-place-of" && anchor?.replace("metrics", "").endsWith(`-${system}`)) return score + 40;
    if (page.startsWith("formats/") || page.startsWith("reference/commands/")) return score / 4;
    if (anchor) return score / 2;
    if (page === "wer" || page === "reference/commands") return score + 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 3,
  objPrio: {0: 15, 1: 0, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
