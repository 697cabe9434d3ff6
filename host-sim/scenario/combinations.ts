/** What a scenario's schema can't say: keys that take each other, or have no effect beside another. */
import type { Scenario, StreamOptions } from "./scenario.ts";
import { FAULTS, STREAM } from "./scenario-schema.ts";

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

function labelFault({ labels, tasks }: Scenario): string | undefined {
  const all = [labels, ...tasks.map((task) => task.labels)];
  const at = all.findIndex((each) => each?.delayMax !== undefined && each.delayMean > each.delayMax);
  if (at < 0) return undefined;
  const place = at > 0 ? `tasks.${at - 1}.labels` : "labels";
  const { delayMean, delayMax } = all[at] as Scenario["labels"];
  return `${place}.delayMean: got ${delayMean}; takes at most ${place}.delayMax, ${delayMax}`;
}

const usualFaults = Object.fromEntries(
  Object.entries(FAULTS.properties).map(([name, { default: usual }]) => [name, usual]),
);

function taskFault({ tasks }: Scenario): string | undefined {
  const at = tasks.findIndex(({ task, faults }) => task !== "faults" && !isSame(faults, usualFaults));
  return at < 0
    ? undefined
    : `tasks.${at}.faults: has no effect with task ${tasks[at].task}; goes with faults`;
}

/** What is wrong with a scenario that fits its schema, in one line: where, what, and what would be right. */
export function combinationFault(scenario: Scenario): string | undefined {
  return streamFault(scenario) ?? labelFault(scenario) ?? taskFault(scenario);
}
