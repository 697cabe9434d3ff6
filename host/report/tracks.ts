import { type Axis, coordinate } from "./axis.ts";
import { type Html, html, type Part } from "./html.ts";

/** What lies on a track: from one value to another, or at a value. */
export type TrackMark = { readonly colour: string; readonly title?: string } & (
  | { readonly as: "bar" | "reach" | "span"; readonly from: number; readonly to: number }
  | { readonly as: "full" | "open"; readonly at: number }
);

/** A name, its figures, and a track that they lie on. */
export interface TrackRow {
  readonly name: Part;
  readonly figure?: Part;
  readonly marks: readonly TrackMark[];
  readonly remark?: Part;
}

const percent = (share: number) => `${coordinate(100 * share)}%`;

function shape(mark: TrackMark, { place }: Axis): Html {
  const title = mark.title && html`<title>${mark.title}</title>`;
  const { as, colour } = mark;
  if ("at" in mark)
    return html`<circle class="${as}" cx="${percent(place(mark.at))}" cy="50%" r="4.5" fill="${colour}" stroke="${colour}">${title}</circle>`;
  const { from, to } = mark;
  const [left, right] = [place(from), place(to)].sort((a, b) => a - b);
  return html`<rect class="${as}" x="${percent(left)}" width="${percent(right - left)}" fill="${colour}">${title}</rect>`;
}

/** Marks on one track, as wide as its place. */
export function track(marks: readonly TrackMark[], axis: Axis): Html {
  const rules = axis.ticks.map((tick) => {
    const at = percent(axis.place(tick));
    return html`<line class="rule" x1="${at}" y1="0" x2="${at}" y2="100%"/>`;
  });
  return html`<svg class="track" aria-hidden="true">${rules}${marks.map((mark) => shape(mark, axis))}</svg>`;
}

/** Tracks under one another on one axis: bars, intervals, and pairs of points, as wide as the page lets them. */
export function tracks(
  rows: readonly TrackRow[],
  axis: Axis,
  unit: Part,
  heads?: Omit<TrackRow, "marks">,
): Html {
  const hasFigures = rows.some(({ figure }) => figure !== undefined);
  const row = ({ name, figure, remark }: Omit<TrackRow, "marks">, middle: Part, style: string) =>
    html`<div class="row${style}"><b>${name}</b>${hasFigures && html`<span class="figure">${figure}</span>`}${middle}<span class="remark">${remark}</span></div>`;
  const ticks = axis.ticks.map(
    (tick) =>
      html`<text class="tick" x="${percent(axis.place(tick))}" y="10" text-anchor="middle">${tick}</text>`,
  );
  const scale = html`<svg class="track" aria-hidden="true">${ticks}</svg>`;
  return html`<div class="tracks${hasFigures && " figures"}">${heads && row(heads, html`<span class="track"></span>`, " heads")}
${rows.map((each) => row(each, track(each.marks, axis), ""))}
${row({ name: "" }, scale, " ticks")}<p class="unit">${unit}</p></div>`;
}
