import { escapeHtml } from "../../host-sim/report/html.ts";

/** A row of a table, its cells' HTML; the first is its heading. */
interface PageRow {
  readonly cells: readonly string[];
  /** Of a predictor that learns nothing: grey, and last in any order. */
  readonly isTrivial?: boolean;
}

/** A table that the page's script sorts, and filters by the first column where it is long. `rows` says what its rows are. */
export function tableOf(what: string, heads: readonly string[], rows: readonly PageRow[]): string {
  const [first, ...others] = heads.map(escapeHtml);
  const head = `<th scope="col" class="name">${first}</th>${others.map((each) => `<th scope="col">${each}</th>`).join("")}`;
  const body = rows.map(({ cells: [name, ...cells], isTrivial }) => {
    const style = isTrivial ? ' class="trivial"' : "";
    return `<tr${style}><th scope="row" class="name">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  return `<div class="wide"><table data-rows="${escapeHtml(what)}"><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}
