import type { FusionResult } from "../result.ts";
import { type Bar, barChart } from "./bars.ts";
import { escapeHtml } from "./html.ts";

/** How good the fusion centre's labels were: the rule that made them beside the others, and each node's own vote. */
export function fusionSection(fusion: readonly FusionResult[]): string {
  if (fusion.length === 0) return "";
  return `<section id="fusion"><h2>Fusion</h2>
<p>How often the fusion centre was wrong, by rule, all on the same votes; and how often each node's vote alone was.</p>
${fusion.map(oneTask).join("\n")}
</section>`;
}

function oneTask({ task, rule, decisions, error, rules, votes }: FusionResult): string {
  const ruleBars = Object.entries(rules).map(([name, value]) => ({ name, value, strong: name === rule }));
  const voteBars = Object.entries(votes).map(([name, value]) => ({ name, value, strong: false }));
  const largest = Math.max(0, ...[...ruleBars, ...voteBars].map(({ value }) => value));
  return `<h3>${escapeHtml(task)}</h3>
<p>The labels came from rule <strong>${escapeHtml(rule)}</strong>: ${error.toFixed(3)} of ${decisions} decisions wrong.</p>
<div class="pair">${chart("rules", ruleBars, largest)}${chart("votes of single nodes", voteBars, largest)}</div>`;
}

function chart(title: string, bars: readonly Bar[], largest: number): string {
  if (bars.length === 0) return "";
  return `<div class="panel"><h5>${title}</h5>${barChart(bars, largest, "share wrong")}</div>`;
}
