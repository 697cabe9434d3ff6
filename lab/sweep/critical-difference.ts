import { coordinate } from "../../host/report/axis.ts";
import { type Html, html, shorten } from "../../host/report/html.ts";
import type { LearnerRanking } from "./statistics/ranking.ts";
import { alike } from "./statistics/statistics.ts";

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 190;
const AXIS = 46;
const ROW = 18;
const GAP = 9;
const NAME_MAX = 26;

/**
 * Demsar's drawing: learners along their mean ranks, the best on the left; a bar joins those whose difference is below the critical one.
 */
export function criticalDifferenceDrawing(ranking: LearnerRanking): Html {
  const { learners, ranks, criticalDifference } = ranking;
  const { length: k } = learners;
  const x = (rank: number) => LEFT + ((rank - 1) / (k - 1)) * (WIDTH - LEFT - RIGHT);
  const order = [...ranks.keys()].sort((i, j) => ranks[i] - ranks[j] || i - j);
  const groups = alike(ranking);
  const barsEnd = AXIS + 10 + GAP * groups.length;
  const half = Math.ceil(k / 2);
  const ticks = Array.from({ length: k }, (_, i) => {
    const at = coordinate(x(i + 1));
    return html`<line class="rule" x1="${at}" y1="${AXIS - 6}" x2="${at}" y2="${AXIS}"/><text class="tick" x="${at}" y="${AXIS - 10}" text-anchor="middle">${i + 1}</text>`;
  });
  const names = order.map((place, i) => {
    const onLeft = i < half;
    const y = barsEnd + ROW * (1 + (onLeft ? i : k - 1 - i));
    const end = onLeft ? LEFT - 12 : WIDTH - RIGHT + 12;
    const at = coordinate(x(ranks[place]));
    const text = `${shorten(learners[place], NAME_MAX)} ${ranks[place].toFixed(2)}`;
    return html`<polyline points="${at},${AXIS} ${at},${y} ${end},${y}" style="fill:none;stroke:var(--muted)"/><text x="${end + (onLeft ? -5 : 5)}" y="${y + 4}" text-anchor="${onLeft ? "end" : "start"}">${text}</text>`;
  });
  const bars = groups.map((places, i) => {
    const own = places.map((place) => ranks[place]);
    const y = AXIS + 10 + GAP * i;
    return html`<line x1="${coordinate(x(Math.min(...own)) - 4)}" y1="${y}" x2="${coordinate(x(Math.max(...own)) + 4)}" y2="${y}" style="stroke:var(--ink);stroke-width:4"/>`;
  });
  const reach = coordinate(Math.min(WIDTH - RIGHT, x(1 + criticalDifference)));
  const critical = html`<line x1="${LEFT}" y1="14" x2="${reach}" y2="14" style="stroke:var(--c1);stroke-width:2"/><text x="${LEFT - 5}" y="18" text-anchor="end">CD ${criticalDifference.toFixed(2)}</text>`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${barsEnd + ROW * (half + 1)}" style="max-width:${WIDTH}px" role="img" aria-label="mean ranks, with the critical difference">${critical}<line x1="${LEFT}" y1="${AXIS}" x2="${WIDTH - RIGHT}" y2="${AXIS}" style="stroke:var(--ink)"/>${ticks}${names}${bars}</svg>`;
}
