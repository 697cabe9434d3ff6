import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Running, start } from "../cli/program.ts";

/** A learner that stands still after so many labels in a thread, so that an interruption comes in time on any machine. */
const HALTING = `
import { defineLearner } from "motelearn";
const most = Number(process.env.HALT_AFTER ?? Infinity);
let labels = 0;
export const learners = [defineLearner({
  name: "halting", task: "classification", title: "Counts labels", paper: "None", options: {}, state: () => ({ b: 1 }),
  predict: ({ f32, at }) => f32.words[at.b],
  update: ({ f32, at }, _, label) => {
    if (++labels > most) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    f32.words[at.b] += label;
    return true;
  },
})];`;

/** Writes the plugin with that learner into the folder; returns its path. */
export function haltingPlugin(folder: string): string {
  const plugin = join(folder, "halting.mjs");
  writeFileSync(plugin, HALTING);
  return plugin;
}

/** Starts the command with a learner that halts after so many labels. */
export function startHalting(labels: number, ...args: string[]): Running {
  process.env.HALT_AFTER = String(labels);
  const running = start(...args);
  delete process.env.HALT_AFTER;
  return running;
}
