import { test } from "uvu";
import * as assert from "uvu/assert";
import type { FirmwareSlots } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { ModWatch, trialMs } from "../../targets/moddable/mod-watch.ts";
import { type Mod, onTrial, openBy } from "../../targets/moddable/own-sensors.ts";

/** A module that makes a sensor which reads that value. */
const reading = (value: number) => ({
  makeSensor: (): Sensor => ({ channels: 1, read: (to, first) => to.fill(value, first, first + 1) }),
});

/** A mod that exports that, and the events of its trial. */
function makeMod(load: () => object, fault?: string): Mod & { readonly trials: string[] } {
  const trials: string[] = [];
  return {
    ...{ isThere: true, fault, trials, load: async () => load() },
    beginTrial: () => void trials.push("begin"),
    endTrial: () => void trials.push("end"),
  };
}

/** What must not be called, or throws. */
function fails(message?: string): () => never {
  return () => assert.unreachable(message) as never;
}

const NONE: Mod = { ...makeMod(fails()), isThere: false };

async function opened(mod: Mod, builtIn = reading(1)) {
  const own = await openBy(mod, builtIn, ({ makeSensor }) => [makeSensor()]);
  const sample = new Float32Array(1);
  for (const sensor of own.sensors) sensor.read(sample, 0);
  return { reads: sample[0], ...own };
}

test("without a mod the firmware's own module opens the sensors", async () => {
  const { reads, mod, fault } = await opened(NONE);
  assert.equal([reads, mod, fault], [1, undefined, undefined]);
});

test("a mod's module opens them in its place, on trial until whoever runs the node ends that", async () => {
  const mod = makeMod(() => reading(2));
  const { reads, fault, ...own } = await opened(mod);
  assert.equal([reads, fault, mod.trials], [2, undefined, ["begin"]]);
  assert.is(own.mod, mod);
});

test("what a mod doesn't export is the firmware's", async () => {
  const { reads, fault } = await opened(makeMod(() => ({ other: 3 })));
  assert.equal([reads, fault], [1, undefined]);
});

test("a mod that can't be loaded isn't", async () => {
  const mod = makeMod(fails(), "it isn't for this firmware's engine");
  const { reads, fault } = await opened(mod);
  assert.equal([reads, fault, mod.trials], [1, "it isn't for this firmware's engine", []]);
});

test("a mod that throws, or gives what is no sensor, is left out by name, and its trial is over", async () => {
  const faults: [() => object, string][] = [
    [fails("a fault"), "Assertion: a fault"],
    [() => ({ makeSensor: 1 }), "TypeError: makeSensor is not a function"],
    [() => ({ makeSensor: () => ({ channels: 0.5, read() {} }) }), "TypeError: a sensor without channels"],
    [() => ({ makeSensor: () => ({ channels: 1 }) }), "TypeError: a sensor without read"],
  ];
  for (const [load, expected] of faults) {
    const mod = makeMod(load);
    const { reads, fault, ...own } = await opened(mod);
    assert.equal([reads, own.mod, mod.trials], [1, undefined, ["begin", "end"]]);
    assert.match(fault as string, expected);
  }
});

test("a fault of the firmware's own module is no mod's", async () => {
  const broken = { makeSensor: fails("no pin") };
  for (const mod of [NONE, makeMod(() => ({}))]) {
    try {
      await opened(mod, broken);
      assert.unreachable("it was opened");
    } catch (error) {
      assert.is((error as Error).message, "no pin");
    }
  }
});

/** A watch that records into a list. */
function watchSensors(own: object) {
  const told: [number, string][] = [];
  const teller = { welcomed: false, log: (level: number, text: string) => void told.push([level, text]) };
  return { told, teller, watch: new ModWatch({ sensors: [], ...own }, teller) };
}

test("the node logs to its first peer once that a mod is in use, or ignored; without a mod it logs nothing", () => {
  for (const [own, expected] of [
    [{ mod: makeMod(fails()) }, [[2, "mod in use"]]],
    [{ fault: "Error: no pin" }, [[0, "mod left out: Error: no pin"]]],
    [{}, []],
  ] as const) {
    const { told, teller, watch } = watchSensors(own);
    watch.turn();
    assert.equal(told, []);
    teller.welcomed = true;
    for (let i = 0; i < 3; i++) watch.turn();
    assert.equal(told, expected);
  }
});

test("a mod's trial ends once, after ten seconds and three samples at least", () => {
  const mod = makeMod(fails());
  const { watch } = watchSensors({ mod });
  for (let i = 0; i < 2; i++) watch.endTrial();
  assert.equal(mod.trials, ["end"]);
  watchSensors({}).watch.endTrial();
  assert.equal([trialMs(), trialMs(100), trialMs(5000)], [10_000, 10_000, 15_000]);
});

test("new firmware whose own sensor doesn't open falls back at once, and says why; other firmware stays", async () => {
  for (const trial of [true, false, undefined]) {
    const said: string[] = [];
    const slots = { trial: () => trial, revert: () => void said.push("reverts") } as unknown as FirmwareSlots;
    const openSlots = () => (trial === undefined ? undefined : slots);
    const builtIn = {
      makeSensor: (): Sensor => {
        throw new Error("no answer at address 0x76");
      },
    };
    const opening = onTrial(
      () => openBy(NONE, builtIn, ({ makeSensor }) => [makeSensor()]),
      openSlots,
      (line) => said.push(line),
    );
    let why = "";
    await opening.catch(({ message }) => {
      why = message;
    });
    assert.is(why, "no answer at address 0x76");
    const line = "motelearn: new firmware falls back: Error: no answer at address 0x76\n";
    assert.equal(said, trial ? [line, "reverts"] : []);
  }
  const own = await onTrial(
    () => openBy(NONE, reading(1), ({ makeSensor }) => [makeSensor()]),
    fails(),
    fails(),
  );
  assert.is(own.sensors.length, 1);
});

test.run();
