import { writeFileSync } from "node:fs";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { inFolder } from "./stations.ts";

/** A node of two channels that learns within eight vectors. */
export const SMALL: NodeOptions = {
  sid: 9,
  channels: 2,
  pending: 16,
  labelWindow: 16,
  checkpointEvery: 0,
  classes: ["cold", "warm"],
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
};

/** 60 samples of two classes in words, every fifth without a label. */
export const ROWS = Array.from({ length: 60 }, (_, i) => ({
  x: [Math.fround((i % 7) / 3), i % 2],
  ...(i % 5 === 4 ? {} : { label: i % 2 ? "warm" : "cold" }),
}));

/** The rows, or the first of them, as a file of that name. */
export function stream(name: string, count = ROWS.length): string {
  const file = inFolder(name);
  const lines = ROWS.slice(0, count).map((row) => `${JSON.stringify(row)}\n`);
  writeFileSync(file, lines.join(""));
  return file;
}

/** The states of a node in this process that is given the rows, and each label at once. */
export function plainStates(): { stateHash: string; nodeHash: string } {
  const plain = loneNode(SMALL);
  let number = 0;
  ROWS.forEach(({ x, label }, i) => {
    plain.sample(x);
    if (label) plain.label({ number: ++number, sid: 9, seq: i + 1, y: label === "warm" ? 1 : -1 });
  });
  return { stateHash: plain.learner.stateHash(), nodeHash: plain.stateHash() };
}
