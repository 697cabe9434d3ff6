import { type NodeOptions, resolvedOptions } from "../../src/node/node-options.ts";

/** The first place at which two values differ, with both. */
function firstDifference(path: string, ours: unknown, theirs: unknown): string | undefined {
  if (Object.is(ours, theirs)) return undefined;
  const isGroup = (value: unknown): value is object => typeof value === "object" && value !== null;
  if (!isGroup(ours) || !isGroup(theirs)) return `${path} is ${quoteValue(theirs)}, not ${quoteValue(ours)}`;
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const at = path === "" ? name : `${path}.${name}`;
    const found = firstDifference(at, ours[name as keyof object], theirs[name as keyof object]);
    if (found) return found;
  }
  return undefined;
}

function quoteValue(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

/** The first option in which a node differs from the one that was expected: "learner.budget is 64, not 32"; undefined: none. */
export function optionDifference(expected: NodeOptions, node: NodeOptions): string | undefined {
  const [ours, theirs] = [expected, node].map((one) => ({ name: one.learner.name, ...resolvedOptions(one) }));
  if (ours.name !== theirs.name) return `learner is ${theirs.name}, not ${ours.name}`;
  return firstDifference("", ours, theirs);
}
