import type { FusionResult } from "../scoring/result.ts";
import { type Bar, barChart } from "./bars.ts";
import { escapeHtml } from "./html.ts";

/** How good the fusion centre's labels were: its rule beside the other rules, and each node's own vote. */
export function fusionSection(fusion: readonly FusionResult[]): string {
  if (fusion.length === 0) return "";
  return `<section id="fusion"><h2>Fusion</h2>
<p>Share of wrong decisions: of each rule on the same votes, and of each node's vote alone.</p>
${fusion.map(oneTask).join("\n")}
</section>`;
}

function oneTask(result: FusionResult): string {
  const { task, rule, decisions, error, rules, votes, estimated } = result;
  const ruleBars = Object.entries(rules).map(([name, value]) => ({ name, value, strong: name === rule }));
  const voteBars = Object.entries(votes).map(([name, value]) => ({ name, value, strong: false }));
  const estimatedBars = Object.entries(estimated).map(([name, value]) => ({ name, value, strong: false }));
  const all = [...ruleBars, ...voteBars, ...estimatedBars];
  return `<h3>${escapeHtml(task)}</h3>
<p>The labels came from rule <strong>${escapeHtml(rule)}</strong>, wrong in ${error.toFixed(3)} of its ${decisions} decisions.</p>
<div class="pair">${chart("rules", ruleBars, all)}${chart("votes of single nodes", voteBars, all)}${chart("the same, estimated from the votes alone", estimatedBars, all)}</div>
${alarmList(result)}`;
}

function alarmList({ alarms }: FusionResult): string {
  if (alarms.length === 0) return "<p>No node began to err more often.</p>";
  const lines = alarms.map(
    ({ node, decision, rate }) =>
      `<li><strong>${escapeHtml(node)}</strong>, noticed at decision ${decision}; its rate until then: ${rate.toFixed(3)}</li>`,
  );
  return `<p>Nodes that began to err more often, by the votes alone:</p>\n<ul>${lines.join("")}</ul>`;
}

function chart(title: string, bars: readonly Bar[], all: readonly Bar[]): string {
  if (bars.length === 0) return "";
  return `<div class="panel"><h5>${title}</h5>${barChart(bars, all, "share wrong")}</div>`;
}
