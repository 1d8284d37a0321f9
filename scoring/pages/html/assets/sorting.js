// Tables whose headings sort their rows: numbers from the greatest, texts from the first.

function sortTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const sort = () => sortBy(table, headings, column);
      heading.replaceChildren(
        element("button", { type: "button", class: "sort", onclick: sort }, heading.textContent),
      );
    });
  }
}

function sortBy(table, headings, column) {
  const isText = headings[column].classList.contains("text");
  const first = isText ? "ascending" : "descending";
  const second = isText ? "descending" : "ascending";
  const order = headings[column].getAttribute("aria-sort") === first ? second : first;
  for (const heading of headings) heading.removeAttribute("aria-sort");
  headings[column].setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [row.cells[column].textContent, row]);
  keyed.sort(([before], [after]) => {
    if (isText) return sign * before.localeCompare(after);
    const [left, right] = [Number(before), Number(after)];
    const [noLeft, noRight] = [left, right].map((number) => !Number.isFinite(number));
    // what is no number is last in both orders
    if (noLeft || noRight) return noLeft - noRight;
    return sign * (left - right);
  });
  body.append(...keyed.map(([, row]) => row));
}
