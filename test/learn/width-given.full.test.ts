import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { Family } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { FINDERS, givenWidth } from "./width-finders.ts";

const BRIEF = ["olk-n", "norma-r", "qkrls", "krls-novelty", "projectron-pp", "bsgd"];
for (const family of FINDERS.filter(({ name }) => BRIEF.includes(name))) {
  for (const { title, check } of PROPERTIES) {
    test(`${family.name} with a width given ${title}`, () => check(givenWidth(family), {}, 1));
  }
}
for (const { title, check } of PROPERTIES) {
  const family = oneVsAllFamily(givenWidth(familyNamed("olk-c") as Family));
  test(`one-vs-all with a width given ${title}`, () => check(family, { classes: 3 }, 1));
}

test.run();
