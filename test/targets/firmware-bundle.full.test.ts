import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { PortableLedger } from "../../src/node/portable-ledger.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { sessionOf } from "../../src/node/station.ts";
import { testPrimitives } from "../../src/selftest/portable-tests.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { FORMATS, type Format } from "../../src/wire/format.ts";
import { PortableFrames } from "../../src/wire/portable-frames.ts";
import { Labeller } from "../../targets/emulator/programs/labeller.ts";
import type { SerialLine } from "../../targets/emulator/programs/serial-line.ts";
import { digestOf } from "../../tools/toolchain/firmware.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";

const SAMPLES = 200;
const PERIOD_MS = 100;
const STEP_MS = 5;
const SECTORS = 8;
const BOOT = 7;
/** Readings in a sample. */
const CHANNELS = 2;
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
  ["rls-hmm", {}],
  ["lol", {}],
  ["qkrls", { budget: 16 }],
  ["qkrls", { budget: 16 }, { coverage: 0.9 }],
  ["arow", {}],
];
const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "motelearn-"));

/** One way of a line that loses nothing, and keeps all that it carried. */
class Way {
  readonly carried: number[] = [];
  private at = 0;

  read(to: Uint8Array): number {
    const bytes = this.carried.slice(this.at, this.at + to.length);
    to.set(bytes);
    this.at += bytes.length;
    return bytes.length;
  }

  send(bytes: Uint8Array, from: number, to: number): number {
    this.carried.push(...bytes.subarray(from, to));
    return to - from;
  }
}

/** A node's surroundings: its time, its line with a peer that labels its predictions, its flash. */
class Bench {
  now = 0;
  readonly up = new Way();
  readonly down = new Way();
  readonly flash = EmulatedFlash.ofSectors(SECTORS);
  readonly sensor: Sensor;
  readonly port: BytePort = {
    read: (to) => this.down.read(to),
    write: (bytes, from, to) => this.up.send(bytes, from, to),
  };
  private readonly labeller: Labeller;

  constructor(regression: boolean) {
    const [up, down] = [this.up, this.down].map((way) => way as unknown as SerialLine);
    this.labeller = new Labeller(up, down, sessionOf(BOOT), new PortableFrames());
    const random = new Random(1, "bundle");
    let seq = 0;
    this.sensor = {
      channels: CHANNELS,
      read: (to, first) => {
        const [x, y] = [random.uniform() * 2 - 1, random.uniform() * 2 - 1];
        to.set([x, y], first);
        this.labeller.expect(++seq, regression ? x * y : x * y > 0 ? 1 : -1);
      },
    };
  }

  /** Runs the node's turns until its samples are predicted; returns its messages and state. */
  run({ station }: StartedNode, turn: () => void) {
    for (const end = SAMPLES * PERIOD_MS; this.now < end; this.now += STEP_MS) {
      turn();
      this.labeller.turn(this.now);
    }
    const { labelled, faults } = this.labeller;
    return {
      labelled,
      faults,
      bytes: this.up.carried,
      state: station.node.stateHash(),
      sum: sumOf(this.flash),
    };
  }
}

/** Bytes that a flash holds, summed. */
function sumOf(flash: EmulatedFlash): number {
  const bytes = new Uint8Array(flash.bytes);
  flash.read(0, bytes);
  return bytes.reduce((sum, byte, i) => (sum + (i + 1) * byte) % 2 ** 32, 0);
}

const NODE = {
  sid: 1,
  pending: 16,
  labelWindow: 8,
  checkpointEvery: 32,
  features: { window: 0, standardise: true },
};

/** The node of src/ itself. */
function plain(learner: Family, options: object, more: object = {}) {
  const bench = new Bench(learner.task === "regression");
  const started = startNode({
    node: { ...NODE, ...more, learner, options } as never,
    sensors: [bench.sensor],
    periodMs: PERIOD_MS,
    clock: { now: () => bench.now },
    transport: bench.port,
    block: bench.flash,
    memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
    firmware: "bundle",
    ...{ boot: BOOT, reset: 1, random: () => BOOT, feed: () => {} },
  });
  return bench.run(started, () => started.turn());
}

/** A format as TypeScript has it: a board's has other names, and what C reads of it comes first. */
function wholeFormat(given: unknown): unknown {
  if (!(given instanceof Object) || ArrayBuffer.isView(given)) return given;
  const [codes, up, down, id, seed] = Object.values(given);
  const isSame = (one: Format) =>
    one.codes === codes && one.up === up && one.down === down && one.id === id && one.seed === seed;
  return Object.values(FORMATS).find(isSame) ?? given;
}

/** The result of the self-test in C after its last batch. */
function testAtOnce(f32: PortableF32, at: number, first: number, hashes: Uint32Array): void {
  if (first === 0) testPrimitives(f32, at, hashes, () => {});
}

type Methods = { readonly [name: string]: (...given: unknown[]) => unknown };

/** Stand-ins for the SDK's modules and the C functions. */
function board(bench: Bench) {
  const frames = new PortableFrames();
  const memories = new WeakMap<object, PortableF32>();
  const memoryOf = (owner: { words: Float32Array }) => {
    const known = memories.get(owner) ?? new PortableF32(owner.words.buffer as ArrayBuffer);
    memories.set(owner, known);
    return known;
  };
  const ledgers = new WeakMap<object, PortableLedger>();
  const ledgerOf = (owner: { bits: Uint32Array; at: number }) => {
    const memory = () => new PortableF32(owner.bits.buffer as ArrayBuffer);
    const known = ledgers.get(owner) ?? new PortableLedger(memory(), owner.at);
    ledgers.set(owner, known);
    return known;
  };
  const called: { [name: string]: () => unknown } = {
    ...{ board_debugged: () => false, board_reset: () => 1, board_feed: () => {}, board_random: () => BOOT },
    ...{
      board_slots: () => 0,
      board_chunks: () => 0,
      deep_sleep_bytes: () => 0,
      stored_keys_read: () => false,
    },
    stored_keys_take: () => {},
  };
  const native = (name: string) => {
    const [, ofFrame] = /^motelearn_frame_(\w+)$/.exec(name) ?? [];
    const [, ofLedger] = /^motelearn_ledger_(\w+)$/.exec(name) ?? [];
    const [, primitive] = /^motelearn_(\w+)$/.exec(name) ?? [];
    return function (this: { words: Float32Array }, ...given: unknown[]) {
      if (primitive === "testBatch")
        return testAtOnce(memoryOf(this), ...(given as [number, number, Uint32Array]));
      if (ofFrame) return (frames as never as Methods)[ofFrame](...given.map(wholeFormat));
      if (ofLedger) return (ledgerOf(this as never) as never as Methods)[ofLedger](...given);
      if (primitive) return (memoryOf(this) as never as Methods)[primitive](...given);
      return called[name]();
    };
  };
  const { flash } = bench;
  const partition = {
    status: () => ({ size: flash.bytes, blockLength: flash.sectorBytes, blocks: SECTORS, writeAlign: 1 }),
    read: (into: Uint8Array, offset: number) => flash.read(offset, into),
    write: (from: Uint8Array, offset: number) => flash.program(offset, from),
    eraseBlock: (start: number) => flash.erase(start * flash.sectorBytes),
  };
  return {
    native,
    flash: { open: () => partition },
    time: {
      get ticks() {
        return bench.now;
      },
    },
  };
}

/** As targets/moddable/learner.ts has it. */
interface LearnerModule {
  readonly default: Family;
  runFirmware(
    config: object,
    learner: Family,
    own: object,
    slots: undefined,
    wire: () => BytePort,
  ): StartedNode;
}

let made = 0;

/** The learner's module as a board has it with a manifest of that configuration; `given` runs it. */
async function bundled(name: string, config: object, given: object = config) {
  const text = readFileSync(join(folder, "learners", `${name}.js`), "utf8");
  const file = join(folder, `${name}-${++made}.mjs`);
  const stand = (_: string, as: string, module: string) =>
    `const ${as}=globalThis.sdk[${JSON.stringify(module)}]`;
  // The binding of calls exists only in C, and may be absent.
  const portable = text.replace(/bind\([^)]*\)\{return native\("motelearn_bind"\)[^}]*\}/, "");
  assert.is.not(portable, text, "a module has what binds a call");
  writeFileSync(file, portable.replace(/import ([\w$]+) from"([^"]+)"/g, stand));
  const family = familyNamed(name) as Family;
  const bench = new Bench(family.task === "regression");
  const { native, flash, time } = board(bench);
  let turn = () => {};
  const repeat = (given: () => void) => {
    turn = given;
  };
  const timer = { repeat, schedule: () => {}, set: () => {} };
  const sdk = { "embedded:storage/flash": flash, time, timer, "mc/config": config };
  Object.assign(globalThis, { native, sdk });
  const module: LearnerModule = await import(pathToFileURL(file).href);
  const own = { sensors: [bench.sensor] };
  const started = module.runFirmware(given, module.default, own, undefined, () => bench.port);
  return bench.run(started, () => turn());
}

const configOf = (learner: string, options: object, more: object = {}, wire: object = {}) => ({
  node: { ...NODE, ...more, learner, options, periodMs: PERIOD_MS },
  wire: { firmware: "bundle", ...wire },
});

test.before(async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const out = ["--outDir", folder, "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  execFileSync(process.execPath, [tsc, "-p", join(root, "targets/moddable/tsconfig.json"), ...out]);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const { writeFirmware } = await import(join(root, "tools/dev/firmware/bundles.mjs"));
  await writeFirmware(folder, [...new Set(LEARNERS.map(([name]) => name))]);
});
test.after(() => rmSync(folder, { recursive: true }));

for (const [name, options, more] of LEARNERS) {
  const what = more ? `${name} with ${Object.keys(more).join(", ")}` : `${name}, ${JSON.stringify(options)}`;
  test(`a board's module of ${what} says, learns and stores what src/ does`, async () => {
    const expected = plain(familyNamed(name) as Family, options, more);
    assert.ok(expected.labelled > SAMPLES / 2, `${expected.labelled} labels`);
    assert.is(expected.faults, 0);
    assert.equal(await bundled(name, configOf(name, options, more)), expected);
    assert.equal(await bundled(name, {}, configOf(name, options, more)), expected);
  });
}

test("learners that make others are those that carried.js names", () => {
  const carried = readFileSync(join(root, "targets/moddable/carried.js"), "utf8");
  const named = JSON.parse(/const MAKING = (\[.*\]);/.exec(carried)?.[1] ?? "");
  const learn = join(root, "src/learn");
  const making = readdirSync(learn).filter((file) => {
    const text = readFileSync(join(learn, file), "utf8");
    return /\bmemory: this\.part\(/.test(text);
  });
  assert.equal(
    making.map((file) => file.replace(".ts", "")),
    named,
  );
});

/** The form that a checking tool writes: for a sample of so many readings, or any. */
function checkedOf<Config extends { node: object }>(config: Config, channels: number | undefined = CHANNELS) {
  const node = { ...config.node, ...(channels && { channels }) };
  return { ...config, node, checked: digestOf(JSON.stringify(node)) };
}

/** Vectors of 16 bits, whose ranges come from the sensors: a firmware plans no such node. */
const NARROW = ["olk-c", { budget: 16, storage: "q15" }] as const;

for (const [name, options, more] of [...LEARNERS, NARROW]) {
  test(`with its plan and without checks ${name} does the same: ${JSON.stringify([options, more])}`, async () => {
    const expected = plain(familyNamed(name) as Family, options, more);
    assert.equal(await bundled(name, checkedOf(configOf(name, options, more))), expected);
  });
}

test("a firmware for any number of readings does the same", async () => {
  const [[name, options]] = LEARNERS;
  const expected = plain(familyNamed(name) as Family, options);
  assert.equal(await bundled(name, checkedOf(configOf(name, options), 0)), expected);
});

/** A configuration for another number of readings than the sensor's. */
const WIDER = checkedOf(configOf("olk-c", { budget: 16 }), CHANNELS + 1);

/** Refusals of a firmware with checked options, and of one whose manifest changed after the check. */
const REFUSED: readonly (readonly [string, object, object, RegExp])[] = [
  [
    "another node than the one checked",
    checkedOf(configOf("olk-c", { budget: 16 })),
    configOf("olk-c", { budget: 8 }),
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
    { ...checkedOf(configOf("olk-c", { budget: 16 })), ...configOf("olk-c", { budget: 0 }) },
    configOf("olk-c", { budget: 0 }),
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
  ["drift", configOf("olk-c", GIVEN, { drift: "watch" })],
  ["coverage", configOf("olk-c", GIVEN, { coverage: 0.9 })],
  ["labelBudget", configOf("olk-c", GIVEN, { labelBudget: 0.1 })],
  ["a window", configOf("olk-c", GIVEN, SIGNAL)],
  ["a width to be found", configOf("olk-c", { budget: 16 })],
  ["sources", configOf("olk-c", { ...GIVEN, sources: [[0.1, 0.1]] })],
  ["sleep", configOf("olk-c", GIVEN, { sleep: {} })],
  ["a key", configOf("olk-c", GIVEN, {}, { key: "00".repeat(16) })],
  ["a label key", configOf("olk-c", GIVEN, {}, { labelKey: "00".repeat(16) })],
];

for (const [what, given] of LACKING) {
  test(`a firmware that was built without ${what} says so`, async () => {
    let said: unknown;
    await bundled("olk-c", configOf("olk-c", GIVEN), given).catch((error) => {
      said = error;
    });
    assert.instance(said, RangeError);
    assert.match(String(said), /asks for a part that the firmware leaves out/);
  });
}

test.run();
