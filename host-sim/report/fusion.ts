import { type Axis, axisFrom0 } from "../../host/report/axis.ts";
import { type Html, html, type Part } from "../../host/report/html.ts";
import { panel } from "../../host/report/plot.ts";
import { tracks } from "../../host/report/tracks.ts";
import type { FusionResult } from "../scoring/result.ts";

/** How good the fusion centre's labels were: its rule beside the other rules, and each node's own vote. */
export function fusionSection(fusion: readonly FusionResult[]): Part {
  if (fusion.length === 0) return "";
  return html`<section id="fusion"><h2>Fusion</h2>
<p>Share of wrong decisions: of each rule on the same votes, and of each node's vote alone.</p>
${fusion.map(oneTask)}
</section>`;
}

function oneTask(result: FusionResult): Html {
  const { task, rule, decisions, error, rules, votes, estimated } = result;
  const all = [rules, votes, estimated].flatMap((shares) => Object.values(shares));
  const axis = axisFrom0(all, 4);
  return html`<h3>${task}</h3>
<p>The labels came from rule <strong>${rule}</strong>, wrong in ${error.toFixed(3)} of its ${decisions} decisions.</p>
<div class="pair">${bars("rules", rules, axis, rule)}${bars("votes of single nodes", votes, axis)}${bars("the same, estimated from the votes alone", estimated, axis)}</div>
${alarmList(result)}`;
}

function alarmList({ alarms }: FusionResult): Html {
  if (alarms.length === 0) return html`<p>No node began to err more often.</p>`;
  const lines = alarms.map(
    ({ node, decision, rate }) =>
      html`<li><strong>${node}</strong>, noticed at decision ${decision}; its rate until then: ${rate.toFixed(3)}</li>`,
  );
  return html`<p>Nodes that began to err more often, by the votes alone:</p>\n<ul>${lines}</ul>`;
}

/** Shares as bars; the `chosen` one stands out. */
function bars(title: string, shares: Readonly<Record<string, number>>, axis: Axis, chosen?: string): Part {
  const rows = Object.entries(shares).map(([name, value]) => ({
    name: name === chosen ? html`<strong>${name}</strong>` : name,
    marks: [{ as: "bar" as const, from: 0, to: value, colour: name === chosen ? "var(--c0)" : "var(--bar)" }],
    remark: value.toFixed(3),
  }));
  return rows.length > 0 && panel(title, tracks(rows, axis, "share wrong"));
}
