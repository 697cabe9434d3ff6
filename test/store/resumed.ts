import { test } from "uvu";
import * as assert from "uvu/assert";
import { withBudget } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { EmulatedFlash } from "./emulated-flash.ts";
import { feed, readings, start } from "./node-at-work.ts";

const SUBJECTS = [
  ...FAMILIES.map((learner) => ({ learner, options: {} })),
  ...FAMILIES.filter(({ manyClasses }) => manyClasses).map((learner) => ({
    learner,
    options: { classes: 3 },
  })),
  { learner: oneVsAllFamily(familyNamed("olk-c")!), options: { classes: 3 } },
  { learner: oneVsAllFamily(familyNamed("olk-c")!), options: { classes: 3, shared: true } },
];

/** A test of each learner: over so many samples, resumed at every 1st, 7th, ... of them. */
export function checkResumed(count: number, steps: readonly number[]): void {
  for (const { learner, options: given } of SUBJECTS) {
    const classes = "classes" in given;
    test(`${learner.name}${classes ? ", three classes" : ""}: resumed at every k-th step equals never stopped`, () => {
      const task = classes ? "multiclass" : learner.task;
      const samples = readings(task, 3, count);
      for (const k of steps) {
        const options: NodeOptions = {
          sid: 3,
          channels: 3,
          pending: 8,
          labelWindow: 4,
          checkpointEvery: k,
          features: { window: 3, standardise: true },
          learner,
          options: withBudget(learner, given, 20),
        };
        const blank = () => EmulatedFlash.ofSectors(storeBytes(nodeLayout(options)) / 4096);
        const whole = start(options, blank()).node;
        let flash = blank();
        let { node, status } = start(options, flash);
        assert.is(status, "fresh");
        for (let seq = 1; seq <= count; seq++) {
          feed(whole, samples, seq);
          feed(node, samples, seq);
          if (seq % k !== 0) continue;
          flash = flash.restarted();
          ({ node, status } = start(options, flash));
          assert.is(status, "restored");
          assert.is(node.stateHash(), whole.stateHash(), `resumed after ${seq}`);
        }
        assert.is(node.stateHash(), whole.stateHash());
        for (const counter of ["learned", "inserted", "evicted", "refused"] as const)
          assert.is(node.learner.count(counter), whole.learner.count(counter), counter);
        assert.is(node.learner.count("learned"), whole.count("applied"));
      }
    });
  }
}
