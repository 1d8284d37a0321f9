// How the search of the site ranks pages: options and commands first, pages of single formats last.
var Scorer = {
  score: ([page, , , , score]) => {
    if (page.startsWith("formats/")) return score / 4;
    if (page === "wer" || page === "reference/commands") return score + 10;
    return score;
  },
  objNameMatch: 40,
  objPartialMatch: 15,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
