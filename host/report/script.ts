/**
 * What a report runs in the browser. It shows the values of a chart's lines under the pointer, sorts and filters tables
 * and nodes, and copies the command that repeats a run.
 */
export const SCRIPT = `
"use strict";
const LONG = 10;

function valueAt([low, high, isLog, from, to], place) {
  const share = (place - from) / (to - from);
  return isLog ? low * (high / low) ** share : low + share * (high - low);
}

function nearest(points, x) {
  let best = points[0];
  for (const point of points) if (Math.abs(point.x - x) < Math.abs(best.x - x)) best = point;
  return best;
}

let shown = null;
function readOut({ target, clientX, clientY }) {
  const chart = target.closest?.(".chart[data-axes]");
  const output = chart?.closest(".panel")?.querySelector("output");
  if (shown && shown !== output) shown.replaceChildren();
  shown = output;
  const lines = output ? [...chart.querySelectorAll("[data-name]")] : [];
  if (lines.length === 0) return;
  const [across, down] = JSON.parse(chart.dataset.axes);
  const { x } = new DOMPoint(clientX, clientY).matrixTransform(chart.getScreenCTM().inverse());
  const first = nearest(lines[0].points, x);
  output.textContent = "at " + Number(valueAt(across, first.x).toPrecision(4));
  for (const line of lines) {
    const figure = document.createElement("b");
    figure.style.color = line.getAttribute("stroke");
    figure.title = line.dataset.name;
    figure.textContent = Number(valueAt(down, nearest(line.points, first.x).y).toPrecision(3));
    output.append(figure);
  }
}

const cellText = (row, column) => row.cells[column].textContent.trim();
const leadingNumber = (text) => Number.parseFloat(text.replaceAll(",", "").replace("least", "0"));

function compare(a, b) {
  const [x, y] = [leadingNumber(a), leadingNumber(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return a.localeCompare(b, "en", { numeric: true });
  return (Number.isNaN(x) ? Infinity : x) - (Number.isNaN(y) ? Infinity : y);
}

function makeSortable(table) {
  const heads = [...[...table.tHead.rows].at(-1).cells];
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
      rows.sort((a, b) => (rises ? 1 : -1) * order(cellText(a, column), cellText(b, column)));
      body.prepend(...rows);
    });
  });
  if (body.rows.length > LONG) table.parentElement.before(makeFilter(table, body));
}

function makeFilter(table, body) {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "filter by " + table.dataset.rows;
  input.setAttribute("aria-label", input.placeholder);
  input.addEventListener("input", () => {
    const part = input.value.toLowerCase();
    for (const row of body.rows) row.hidden = !cellText(row, 0).toLowerCase().includes(part);
  });
  return input;
}

function sortNodes(all) {
  const ranks = new Map(JSON.parse(all.dataset.worst).map((name, rank) => [name, rank]));
  const [filter, order] = [all.querySelector("input"), all.querySelector("select")];
  const parts = [...all.querySelectorAll(".scores tbody, [data-node], details tbody tr")].map((part, place) => {
    const name = part.dataset.node ?? part.querySelector("th").textContent;
    return { part, place, name, rank: ranks.get(name) ?? ranks.size };
  });
  filter.addEventListener("input", () => {
    for (const { part, name } of parts) part.hidden = !name.toLowerCase().includes(filter.value.toLowerCase());
  });
  order.addEventListener("change", () => {
    const by = order.value === "worst" ? (a, b) => a.rank - b.rank || a.place - b.place : (a, b) => a.place - b.place;
    for (const { part } of [...parts].sort(by)) part.parentElement.append(part);
  });
}

async function copy({ target }) {
  const command = document.getElementById("repeat");
  getSelection().selectAllChildren(command);
  try {
    await navigator.clipboard.writeText(command.textContent);
    target.textContent = "copied";
  } catch {
    target.textContent = "selected";
  }
}

document.addEventListener("pointermove", readOut);
document.querySelectorAll("table[data-rows]").forEach(makeSortable);
document.querySelectorAll("details.all").forEach(sortNodes);
document.getElementById("copy")?.addEventListener("click", copy);
`;
