import type { FusionResult } from "../result.ts";
import { type Bar, barChart } from "./bars.ts";
import { escapeHtml } from "./html.ts";

/** How good the fusion centre's labels were: the rule that made them beside the others, and each node's own vote. */
export function fusionSection(fusion: readonly FusionResult[]): string {
  if (fusion.length === 0) return "";
  return `<section id="fusion"><h2>Fusion</h2>
<p>Share of wrong decisions: of each rule on the same votes, and of each node's vote alone.</p>
${fusion.map(oneTask).join("\n")}
</section>`;
}

function oneTask({ task, rule, decisions, error, rules, votes }: FusionResult): string {
  const ruleBars = Object.entries(rules).map(([name, value]) => ({ name, value, strong: name === rule }));
  const voteBars = Object.entries(votes).map(([name, value]) => ({ name, value, strong: false }));
  const all = [...ruleBars, ...voteBars];
  return `<h3>${escapeHtml(task)}</h3>
<p>The labels came from rule <strong>${escapeHtml(rule)}</strong>, wrong in ${error.toFixed(3)} of its ${decisions} decisions.</p>
<div class="pair">${chart("rules", ruleBars, all)}${chart("votes of single nodes", voteBars, all)}</div>`;
}

function chart(title: string, bars: readonly Bar[], all: readonly Bar[]): string {
  if (bars.length === 0) return "";
  return `<div class="panel"><h5>${title}</h5>${barChart(bars, all, "share wrong")}</div>`;
}
