/** What the page runs in the browser: each table can be sorted by a click on a heading, and a long one filtered by the names of its rows. */
export const SCRIPT = `
"use strict";
const LONG = 10;
const textOf = (row, column) => row.cells[column].textContent.trim();
const numberOf = (text) => Number.parseFloat(text.replaceAll(",", "").replace("least", "0"));

function compare(a, b) {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return a.localeCompare(b, "en", { numeric: true });
  return (Number.isNaN(x) ? Infinity : x) - (Number.isNaN(y) ? Infinity : y);
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const [body] = table.tBodies;
  heads.forEach((head, column) => {
    if (head.textContent === "") return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rises = head.getAttribute("aria-sort") !== "ascending";
      for (const each of heads) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", rises ? "ascending" : "descending");
      const byName = (a, b) => a.localeCompare(b, "en", { numeric: true });
      const order = column === 0 ? byName : compare;
      const rows = [...body.rows].filter((row) => !row.classList.contains("trivial"));
      rows.sort((a, b) => (rises ? 1 : -1) * order(textOf(a, column), textOf(b, column)));
      body.prepend(...rows);
    });
  });
  if (body.rows.length > LONG) table.parentElement.before(filterOf(table, body));
}

function filterOf(table, body) {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "filter by " + table.dataset.rows;
  input.setAttribute("aria-label", input.placeholder);
  input.addEventListener("input", () => {
    const part = input.value.toLowerCase();
    for (const row of body.rows) row.hidden = !textOf(row, 0).toLowerCase().includes(part);
  });
  return input;
}

document.querySelectorAll("table[data-rows]").forEach(makeSortable);
`;
