import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { familyNamed } from "../../src/learn/registry.ts";

test("a noise that float32 can't hold is refused with its sample: the state stays finite, with twenty seeds", () => {
  const family = familyNamed("rls-hmm")!;
  for (const { title, check } of PROPERTIES.filter(({ title }) => title.includes("finite")))
    for (let seed = 1; seed <= 20; seed++) assert.not.throws(() => check(family, {}, seed), title);
});

test.run();
