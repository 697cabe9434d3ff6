import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { writeFirmware } from "../../dev/firmware/bundles.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { bundled as bundledIn, type Keys, makeConfig, markChecked, plain } from "./bundled-node.ts";
import { CHANNELS, KEY_TEXT, SAMPLES } from "./firmware-bench.ts";

/** Features and options of a node that are parts of their own. */
const SIGNAL = { features: { window: 64, bands: 4, standardise: true } };
const WAVELET = { features: { window: 8, wavelet: "haar" } };
const WATCHFUL = { drift: "watch", coverage: 0.9, labelBudget: 0.9 };
const GIVEN = { budget: 16, kernel: { type: "gaussian", sigma: 0.5 } };
const LEARNERS: readonly (readonly [string, object, object?])[] = [
  ["olk-c", { budget: 16 }],
  ["olk-c", GIVEN],
  ["olk-c", { budget: 16, sources: [[0.1, 0.1]] }, WATCHFUL],
  ["olk-c", { budget: 16 }, SIGNAL],
  ["olk-c", { budget: 16 }, WAVELET],
  ["auto", {}],
  ["olk-drift", { budget: 16 }],
  ["rls-hmm", {}],
  ["lol", {}],
  ["qkrls", { budget: 16 }],
  ["qkrls", { budget: 16 }, { coverage: 0.9 }],
  ["arow", {}],
  ["arow", {}, { fleetBudget: 4 }],
  ["arow", { balanced: true }],
  ["auto", { balanced: true }],
];
const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "motelearn-"));

/** The learner's module made for these tests. */
function bundled(name: string, config: object, options: object = config) {
  return bundledIn(join(folder, "learners"), name, config, options);
}

test.before(async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const out = ["--outDir", folder, "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  execFileSync(process.execPath, [tsc, "-p", join(root, "targets/moddable/tsconfig.json"), ...out]);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  await writeFirmware(root, folder, [...new Set(LEARNERS.map(([name]) => name))]);
});
test.after(() => rmSync(folder, { recursive: true }));

for (const [name, options, more] of LEARNERS) {
  const what = more ? `${name} with ${Object.keys(more).join(", ")}` : `${name}, ${JSON.stringify(options)}`;
  test(`a board's module of ${what} says, learns and stores what src/ does`, async () => {
    const expected = plain(familyNamed(name) as Family, options, more);
    assert.ok(expected.labelled > SAMPLES / 2, `${expected.labelled} labels`);
    assert.is(expected.faults, 0);
    assert.equal(await bundled(name, makeConfig(name, options, more)), expected);
    assert.equal(await bundled(name, {}, makeConfig(name, options, more)), expected);
  });
}

/** Nodes with keys, and nodes that sleep, as a battery's do. */
const KEYS: Keys = { key: KEY_TEXT, labelKey: KEY_TEXT };
const GUARDED: readonly (readonly [string, object, Keys])[] = [
  ["a keyed line", {}, { key: KEY_TEXT }],
  ["keyed labels", {}, { labelKey: KEY_TEXT }],
  ["both keys", WATCHFUL, KEYS],
  ["deep sleep", { sleep: { talkEvery: 4, talkMs: 60 } }, {}],
  ["deep sleep and both keys", { sleep: { talkEvery: 4, talkMs: 60 } }, KEYS],
];

for (const [what, more, wire] of GUARDED) {
  test(`a board's module with ${what} does what src/ does, with its plan and without`, async () => {
    const expected = plain(familyNamed("olk-c") as Family, { budget: 16 }, more, wire);
    assert.ok(expected.labelled > SAMPLES / 2, `${expected.labelled} labels`);
    assert.is(expected.starts > 1, "sleep" in more, `${expected.starts} starts`);
    const config = makeConfig("olk-c", { budget: 16 }, more, wire);
    assert.equal(await bundled("olk-c", config), expected);
    assert.equal(await bundled("olk-c", markChecked(config)), expected);
  });
}

test("learners that make others are those that carried.js names", () => {
  const carried = readFileSync(join(root, "targets/moddable/carried.js"), "utf8");
  const named = JSON.parse(/const MAKING = (\[.*\]);/.exec(carried)?.[1] ?? "");
  const learn = join(root, "src/learn");
  const making = readdirSync(learn).filter((file) => {
    const text = readFileSync(join(learn, file), "utf8");
    // Only auto makes a committee.
    return /\bmemory: this\.part\(/.test(text) && file !== "committee.ts";
  });
  // auto's members have a file of their own.
  assert.equal(making.map((file) => file.replace(/(-members)?\.ts$/, "")).sort(), named.sort());
});

/** Vectors of 16 bits, whose ranges come from the sensors: a firmware plans no such node. */
const NARROW = ["olk-c", { budget: 16, storage: "q15" }] as const;

for (const [name, options, more] of [...LEARNERS, NARROW]) {
  test(`with its plan and without checks ${name} does the same: ${JSON.stringify([options, more])}`, async () => {
    const expected = plain(familyNamed(name) as Family, options, more);
    assert.equal(await bundled(name, markChecked(makeConfig(name, options, more))), expected);
  });
}

test("a firmware for any number of readings does the same", async () => {
  const [[name, options]] = LEARNERS;
  const expected = plain(familyNamed(name) as Family, options);
  assert.equal(await bundled(name, markChecked(makeConfig(name, options), 0)), expected);
});

/** A configuration for another number of readings than the sensor's. */
const WIDER = markChecked(makeConfig("olk-c", { budget: 16 }), CHANNELS + 1);

/** Refusals of a firmware with checked options, and of one whose manifest changed after the check. */
const REFUSED: readonly (readonly [string, object, object, RegExp])[] = [
  [
    "another node than the one checked",
    markChecked(makeConfig("olk-c", { budget: 16 })),
    makeConfig("olk-c", { budget: 8 }),
    /isn't the manifest's, whose options were checked/,
  ],
  [
    "sensors with another number of readings",
    WIDER,
    WIDER,
    /config.node.channels: got 3, but the sensors have 2; flash it for these sensors/,
  ],
  [
    "an option that was changed after the check",
    { ...markChecked(makeConfig("olk-c", { budget: 16 })), ...makeConfig("olk-c", { budget: 0 }) },
    makeConfig("olk-c", { budget: 0 }),
    /olk-c: option budget: got 0; takes/,
  ],
];

for (const [what, config, given, line] of REFUSED) {
  test(`a firmware refuses ${what}`, async () => {
    let said: unknown;
    await bundled("olk-c", config, given).catch((error) => {
      said = error;
    });
    assert.instance(said, RangeError);
    assert.match(String(said), line);
  });
}

/** The parts missing in a firmware built for `GIVEN` alone. */
const LACKING: readonly (readonly [string, object])[] = [
  ["drift", makeConfig("olk-c", GIVEN, { drift: "watch" })],
  ["coverage", makeConfig("olk-c", GIVEN, { coverage: 0.9 })],
  ["labelBudget", makeConfig("olk-c", GIVEN, { labelBudget: 0.1 })],
  ["a fleet's model", makeConfig("olk-c", GIVEN, { fleetBudget: 4 })],
  ["a window", makeConfig("olk-c", GIVEN, SIGNAL)],
  ["a width to be found", makeConfig("olk-c", { budget: 16 })],
  ["sources", makeConfig("olk-c", { ...GIVEN, sources: [[0.1, 0.1]] })],
  ["sleep", makeConfig("olk-c", GIVEN, { sleep: {} })],
  ["a key", makeConfig("olk-c", GIVEN, {}, { key: "00".repeat(16) })],
  ["a label key", makeConfig("olk-c", GIVEN, {}, { labelKey: "00".repeat(16) })],
];

for (const [what, given] of LACKING) {
  test(`a firmware that was built without ${what} says so`, async () => {
    let said: unknown;
    await bundled("olk-c", makeConfig("olk-c", GIVEN), given).catch((error) => {
      said = error;
    });
    assert.instance(said, RangeError);
    assert.match(String(said), /asks for a part that the firmware leaves out/);
  });
}

test.run();
