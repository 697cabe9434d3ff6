import { test } from "uvu";
import * as assert from "uvu/assert";
import { NodeLifetime } from "../../dev/soak/life.ts";

test("a node that lives through cuts and a bad line equals a twin that is given the same directly", () => {
  const life = new NodeLifetime(7, 6000);
  for (let part = 0; part < 6; part++) {
    life.run(1000);
    life.check();
  }
  const { counts, power, labels } = life;
  assert.is(counts.checks, 6);
  assert.is(counts.samples + counts.unpowered, 6000);
  assert.is(labels.issued, counts.samples);
  assert.ok(power.tally.cuts >= 3 && power.tally.restored >= 1);
});

test("a save that was whole when the power failed holds labels that the twin takes, too", () => {
  const life = new NodeLifetime(19, 6000); // its power fails so before label 500
  life.run(1000);
  life.check();
  assert.ok(life.power.tally.duringSave >= 1 && life.power.tally.restored >= 1);
});

test.run();
