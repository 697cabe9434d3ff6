/** What a scenario's schema can't say: keys that take each other, or have no effect beside another. */
import type { Scenario, StreamOptions } from "./scenario.ts";
import { FAULTS, NODE, STREAM } from "./scenario-schema.ts";

type StreamKey = Exclude<keyof StreamOptions, "type">;

const FILES = ["files"] as const;
const GENERATED = ["scene", "bearings"] as const;

/** The types of stream that take a key. */
const TYPES: { readonly [key in StreamKey]: readonly StreamOptions["type"][] } = {
  ...{ files: FILES, format: FILES, columns: FILES, label: FILES, missing: FILES },
  ...{ nodes: GENERATED, samples: GENERATED, channels: GENERATED, persistence: GENERATED },
  ...{ separation: ["scene"], severity: ["bearings"] },
};

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function streamFault({ stream }: Scenario): string | undefined {
  for (const [key, types] of Object.entries(TYPES)) {
    const value = stream[key as StreamKey];
    if (types.includes(stream.type) || isSame(value, STREAM.properties[key].default)) continue;
    return `stream.${key}: has no effect with stream.type ${stream.type}; goes with ${types.join(" or ")}`;
  }
  return undefined;
}

function labelFault({ labels: usual, tasks }: Scenario): string | undefined {
  const all = [{ labels: usual, task: "any" }, ...tasks.map(({ labels, task }) => ({ labels, task }))];
  for (const [at, { labels, task }] of all.entries()) {
    const place = labels && at > 0 ? `tasks.${at - 1}.labels` : "labels";
    const { delayMean, delayMax, budget } = labels ?? usual;
    if (delayMax !== undefined && delayMean > delayMax)
      return `${place}.delayMean: got ${delayMean}; takes at most ${place}.delayMax, ${delayMax}`;
    if (task === "regression" && budget < 1)
      return `${place}.budget: got ${budget}; takes 1 with task regression: an estimate has no margin by which to ask`;
  }
  return undefined;
}

const usualFaults = Object.fromEntries(
  Object.entries(FAULTS.properties).map(([name, { default: usual }]) => [name, usual]),
);

function taskFault({ tasks }: Scenario): string | undefined {
  for (const [at, { name, task, faults, classes }] of tasks.entries()) {
    if (tasks.findIndex((other) => other.name === name) < at)
      return `tasks.${at}.name: ${name} is there twice; give each task a name of its own`;
    const without = (key: string, others: string) =>
      `tasks.${at}.${key}: has no effect with task ${task}; goes with ${others}`;
    if (task !== "faults" && !isSame(faults, usualFaults)) return without("faults", "faults");
    if (task === "regression" && classes) return without("classes", "classification, novelty or faults");
  }
  return undefined;
}

/** Keys that say how much of what another key switches on. */
const PARTS: { readonly [key: string]: readonly string[] } = {
  "node.coverageBy": ["node.coverage"],
  "node.labelFlips": ["node.coverage", "node.drift"],
  "node.grossLabels": ["node.coverage"],
  "link.stalls.lengthMs": ["link.stalls.rate"],
  "link.cuts.lengthMs": ["link.cuts.count"],
  "power.off": ["power.count", "power.at"],
  "power.duringSave": ["power.count", "power.at"],
  "outages.lengthMean": ["outages.count"],
};

/** True if the JSON has a value at that key. */
const has = (whole: unknown, key: string) =>
  key.split(".").reduce((at, name) => Object(at)[name], whole) !== undefined;

/** A scenario's tasks, before any check. */
function tasksIn(written: unknown): readonly unknown[] {
  const { tasks } = Object(written) as { readonly tasks?: unknown };
  return Array.isArray(tasks) ? tasks : [];
}

/**
 * What is wrong with a scenario as written, before defaults fill it in: a key without the one that switches it on. That one may be there and
 * off, as at a point of a sweep.
 */
export function loneFault(written: unknown): string | undefined {
  for (const place of ["", ...tasksIn(written).map((_, at) => `tasks.${at}.`)])
    for (const [key, needs] of Object.entries(PARTS))
      if (has(written, place + key) && !needs.some((each) => has(written, place + each)))
        return `${place}${key}: has no effect without ${needs.join(" or ")}`;
  return undefined;
}

function nodeFault({ node: usual, tasks, together }: Scenario): string | undefined {
  const all = [usual, ...tasks.map((task) => task.node)];
  for (const [at, node] of all.entries()) {
    if (!node) continue;
    const place = `${at > 0 ? `tasks.${at - 1}.` : ""}node`;
    for (const key of ["horizon", "stepAfter"] as const)
      if (!node.standardise && node[key] !== NODE.properties[key].default)
        return `${place}.${key}: has no effect with node.standardise false`;
    const { fleetBudget } = node;
    if (together && fleetBudget >= 0 && fleetBudget < together.vectors)
      return `${place}.fleetBudget: got ${fleetBudget}; takes at least together.vectors, ${together.vectors}, or no such model fits`;
  }
  return undefined;
}

/** What is wrong with a scenario that fits its schema, in one line: where, what, and what would be right. */
export function combinationFault(scenario: Scenario): string | undefined {
  return streamFault(scenario) ?? labelFault(scenario) ?? nodeFault(scenario) ?? taskFault(scenario);
}
