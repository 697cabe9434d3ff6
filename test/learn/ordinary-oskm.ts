import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { Oskm } from "../../src/learn/oskm.ts";

/** A test of inputs whose components are of that order. */
export function checkOrdinary(scale: number): void {
  test(`osKM takes every ordinary sample, its components being of the order of ${scale}: the agreement's step is bounded`, () => {
    const stream = easyStream("classification", 3, 600, 7);
    const choices = [
      {},
      { mode: "coefficients" as const },
      { norm: "none" as const },
      { points: "own" as const },
    ];
    for (const options of choices) {
      const learner = new Oskm({ dimension: 3, ...options });
      let wrong = 0;
      stream.forEach(({ x, y }, t) => {
        const decision = learner.learn(
          x.map((value) => scale * value),
          y,
        );
        if (t >= 300 && decision * y <= 0) wrong++;
      });
      assert.is(learner.count("overflowed"), 0, JSON.stringify(options));
      // At small components each agent's own points leave it far from the others: it is no better than that.
      assert.ok(wrong < (options.points === "own" ? 120 : 12), `${JSON.stringify(options)}: ${wrong} of 300`);
    }
  });
}
