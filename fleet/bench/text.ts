import { table } from "../../host/terminal/table.ts";
import type { FleetCost } from "./bench-fleet.ts";

/** What stands where nothing was measured. */
const NONE = "n/a";

/** A fleet's figures, and each part's cost. */
export function fleetText(cost: FleetCost): string {
  const { nodes, seconds, speed, samples, labels, latencyMs, parts } = cost;
  const ms = (value: number | undefined) => (value === undefined ? NONE : `${value.toFixed(0)} ms`);
  const times = speed === 1 ? "" : `, ${speed} times as fast as real`;
  const about = [
    `${nodes} nodes for ${seconds} s of their time${times}: ${samples} samples; labels: ${labels.given} given, ` +
      `${labels.taken} on disk, ${labels.refused} refused, ${labels.applied} applied, ${labels.otherwise} answered otherwise`,
    `from given to known as applied: p50 ${ms(latencyMs.p50)}, p99 ${ms(latencyMs.p99)}`,
  ].join("\n");
  const rows = parts.map(({ part, cpuUsPerNodeSecond, cores, rssBytes }) => [
    part,
    cpuUsPerNodeSecond.toFixed(0),
    cores.toFixed(2),
    (rssBytes / 2 ** 20).toFixed(0),
  ]);
  const head = ["", "us CPU a node and second", "cores", "MiB"];
  const costs = table(rows, { head, aligns: ["left", "right"] });
  return [about, "", costs].join("\n");
}

/** What became of samples, labels and nodes in the whole run. */
export function verdictText({ nodes, storm }: FleetCost, verdict: NonNullable<FleetCost["verdict"]>): string {
  const { samples, stored, taken, applied, tooLate, unanswered, waiting, lost, doubled, different } = verdict;
  const killed = storm && [
    `killed: the gateway ${storm.gateway} times, the broker ${storm.broker} times; ` +
      `${storm.drops} connections dropped besides; ${storm.restarts} nodes restarted`,
  ];
  return [
    "",
    ...(killed ?? []),
    `in the whole run: ${samples} samples, ${stored} of them at the gateway; of ${taken} labels that it took, ` +
      `${applied} applied, ${tooLate} after their sample was gone, ${unanswered} without an answer; ${waiting} still wait, ${lost} lost, ${doubled} doubled`,
    `${nodes - different.length} of ${nodes} nodes are in the state of a simulated node` +
      `${different.length > 0 ? `; not ${different.slice(0, 5).join(", ")}` : ""}`,
  ].join("\n");
}
