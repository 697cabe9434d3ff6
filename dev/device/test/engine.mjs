// npm run test:engine [-- --full | --brief]: the learners, the node loop and firmware's own modules on XS, as a Linux program,
// against Node: the same state to the bit, nothing allocated, clean failures. Needs cc, and the npm registry the first
// time. With --brief, as in CI, it takes fewer steps of each, which still fill the budget, and compiles the engine once.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, bundleForXs } from "../../../targets/emulator/bundle.mjs";
import {
  buildLinux,
  cache,
  engineSource,
  objectPath,
  root,
  runLinux,
} from "../../../targets/emulator/engine.mjs";
import { allocates, check, checkPaths, close, each, largest, printTable, readOutcome } from "../checks.mjs";
import { runOnNode, SIZE, SIZE_TEXT } from "./bed.mjs";
import { checkFirmware } from "./firmware.mjs";
import { checkTraffic } from "./hour.mjs";
import { checkInstalls } from "./installs.mjs";
import { checkSimulate } from "./simulate.mjs";
import { checkSpectra } from "./spectra.mjs";

const FULL = process.argv.includes("--full");
const BRIEF = process.argv.includes("--brief");
const STEPS = BRIEF ? 2_000 : 10_000;
const SETTLED = BRIEF ? 400 : 1_000;
const LONG = FULL ? 100_000 : BRIEF ? 2_000 : 20_000;
/** Steps on the JS path, which no board runs: OSKM's take 40 ms each, so fewer, but enough to fill the budget. */
const JS_STEPS = FULL ? STEPS : BRIEF ? 100 : 400;
const JS_LONG = FULL ? LONG : BRIEF ? 800 : 3_000;
/** Minutes of traffic. */
const HOUR = BRIEF ? 10 : 60;
const FUZZED = BRIEF ? 20_000 : 100_000;
const FRAMES = 10_000;
/** Scenarios drawn at random. */
const DRAWN = BRIEF ? 3 : 30;
/** They fill a budget of 20. */
const NODE_STEPS = 188;
const ESP32_BLOCK = 165_888;
/** On the JS path. */
const JS_SIZE = BRIEF ? { dimension: 8, budget: 24 } : SIZE;
/**
 * For long runs on the JS path; OSKM's budget is at least its agents and points, NOGD's at least its rank.
 */
const SMALL = { dimension: 3, budget: 8 };
const OSKM_SMALL = { ...SMALL, budget: 24 };
const NOGD_SMALL = { ...SMALL, budget: 16 };

const linux = await buildLinux();
const { program, node } = await bundle();
const onNode = (argument) => runOnNode(node, argument);
const onXs = (argument, options) => runLinux(linux, program, argument, options);
/** In an ESP32's memory: for the JS path, and for both ends and the line in one machine, as slots are twice as large as a board's. */
const onEsp32 = (argument) => onXs(argument, ["--block", `${ESP32_BLOCK}`]);

const subjects = await onNode({ run: "names" });

async function checkHashes() {
  const rows = await each(subjects, async (run) => {
    const argument = { run, steps: STEPS, ...SIZE };
    const brief = { ...argument, ...JS_SIZE, steps: JS_STEPS };
    const ts = await onNode({ ...argument, path: "js" });
    const wasm = await onNode({ ...argument, path: "wasm" });
    const tsBrief = await onNode({ ...brief, path: "js" });
    const js = readOutcome(await onEsp32({ ...brief, path: "js" }));
    const c = readOutcome(await onXs({ ...argument, path: "c" }));
    check(`${run}: WebAssembly ends where TypeScript does`, wasm.hash === ts.hash, wasm.hash);
    check(`${run}: XS ends where Node does`, js.hash === tsBrief.hash, js.hash);
    check(`${run}: XS with C primitives ends where Node does`, c.hash === ts.hash, c.hash);
    return { run, ts, wasm, js, c, tsBrief };
  });
  const sizes = `${SIZE_TEXT}; JS: ${JS_STEPS}, budget=${JS_SIZE.budget}`;
  printTable(`State hashes after ${STEPS} steps (${sizes})`, [
    ["", "Node, TypeScript", "Node, WebAssembly", "XS, C", `Node, ${JS_STEPS}`, `XS, JS, ${JS_STEPS}`],
    ...rows.map(({ run, ...by }) => [
      run,
      ...[by.ts, by.wasm, by.c, by.tsBrief, by.js].map(({ hash }) => hash),
    ]),
  ]);
  const minima = await onNode({ run: "minima", ...SIZE });
  const memory = rows.map(({ run, js, c }, i) => {
    return [run, c.bytes, minima[i], c.bytes - minima[i], js.slots, js.chunks, c.slots, c.chunks];
  });
  printTable(`Memory on XS (${sizes}), bytes; host pointers of 8 bytes, slots of 32`, [
    ["", "range", "least", "over", "JS: slots", "JS: chunks", "C: slots", "C: chunks"],
    ...memory,
  ]);
}

async function checkNoAllocation() {
  await each(subjects, async (run) => {
    const argument = { run, steps: LONG, settled: SETTLED };
    const small = { oskm: OSKM_SMALL, nogd: NOGD_SMALL }[run.split("/")[0]] ?? SMALL;
    const c = readOutcome(await onXs({ ...argument, ...SIZE, path: "c" }));
    const js = readOutcome(await onXs({ ...argument, ...small, path: "js", steps: JS_LONG }));
    const planted = readOutcome(
      await onXs({ ...argument, ...SIZE, path: "c", steps: 2 * SETTLED, plant: 1.5 * SETTLED }),
    );
    check(`${run}: nothing allocated, C`, !allocates(c), c);
    check(`${run}: nothing allocated, JS`, !allocates(js), js);
    check(`${run}: one planted allocation is seen`, allocates(planted) && planted.slotsMore > 0, planted);
  });
  console.log(`
No slot, chunk byte or collection more from step ${SETTLED} to ${LONG}, C at ${SIZE_TEXT}, and to ${JS_LONG}, JS at d=3,
budget=8 (OSKM 24, NOGD 16); one planted object is seen in each`);
}

/** Learners with the options that add members to them, and their budgets or bytes. */
const EXTENDED = [
  ["auto/bytes", 2_048],
  ["auto/bytes", 10_240],
  ["auto/5/bytes", 4_096],
  ["olk-drift/apart", 20],
];

/** They end where they do on Node, and allocate nothing. */
async function checkExtended() {
  for (const [run, budget] of EXTENDED) {
    const argument = { run, budget, dimension: 8, steps: STEPS, settled: SETTLED };
    const here = await onNode({ ...argument, path: "js" });
    await checkPaths(`${run} of ${budget}: XS`, ["c", "js"], onXs, argument, here.hash);
  }
}

/** `plan` counts the slots of a node's objects as they are: targets/costs.json has them from a board, on which they are as many. */
async function checkSlots() {
  const { objects, wire } = JSON.parse(readFileSync(join(root, "targets/costs.json"), "utf8"));
  const shape = { options: {}, channels: 8, window: 0, standardise: false };
  const countSlots = async (learner, more) => {
    const node = { ...shape, learner };
    const argument = { run: "node", path: "c", dimension: 1, budget: 20, steps: NODE_STEPS, node, ...more };
    const { slots, besides } = readOutcome(await onXs(argument));
    return slots - besides.slots;
  };
  const behind = { run: "wire", line: { quiet: true } };
  const found = {
    pa: await countSlots("pa"),
    "olk-c": await countSlots("olk-c/given"),
    width: (await countSlots("olk-c")) - (await countSlots("olk-c/given")),
    wire: (await countSlots("olk-c/given", behind)) - (await countSlots("olk-c/given")),
  };
  const { pa, "olk-c": olkC } = objects.learners;
  const stated = { pa: pa.slots, "olk-c": olkC.slots, width: objects.width.slots, wire: wire.slots };
  for (const [what, slots] of Object.entries(found))
    check(`${what}: as many slots as plan counts`, slots === stated[what], { slots, stated: stated[what] });
  console.log(`\nSlots of a node's objects, as plan counts them: ${JSON.stringify(found)}`);
}

async function checkFailure(name, code, line, argument, options) {
  const { code: got, lines, errors } = await onXs(argument, options);
  const clean = got === code && lines.length === 0 && errors.length === 1 && line.test(errors[0]);
  check(`${name}: exit code ${code} and one line`, clean, { got, lines, errors });
  console.log(`${name}: exit ${got}, "${errors[0]}"`);
}

async function checkFailures() {
  const argument = (budget) => ({ run: "olk-c", steps: 1, path: "c", dimension: 8, budget });
  const most = await largest(4096, async (budget) => (await onXs(argument(budget))).code === 0);
  console.log(`\nolk-c, d=8: room for a budget of ${most} in the block`);
  check("a budget fits", most > 64, most);
  await checkFailure("one row too large", 71, /memory full: \d+ bytes asked, \d+ left/, argument(most + 1));
  await checkFailure("deep recursion", 72, /stack overflow/, { run: "recursion" });
  await checkFailure("uncaught exception", 75, /RangeError: nobody catches this/, { run: "exception" });
  await checkFailure("endless loop", 77, /too much computation/, { run: "endless" }, ["--meter", "10000000"]);
}

/** A node with a label key refuses a state without its tag, takes one with it, and learns on: the same bits as on Node. */
async function checkOrders() {
  const argument = {
    run: "wire",
    steps: NODE_STEPS,
    dimension: 1,
    budget: 20,
    line: { quiet: true, keyedLabels: true },
  };
  const given = { ...argument, line: { ...argument.line, restored: true } };
  const here = await onNode({ ...given, path: "js" });
  const without = await onNode({ ...argument, path: "js" });
  check("the state that was given makes a difference", here.hash !== without.hash, here.hash);
  for (const path of ["c", "js"]) {
    const there = readOutcome(await onXs({ ...given, path }));
    check(
      `a node given a state with its label key's tag, ${path}: as on Node`,
      there.hash === here.hash,
      there,
    );
  }
  console.log(`\nA node given a state with its label key's tag: ${here.hash} on XS and on Node`);
}

/** C and TypeScript handle the bytes of frames alike. */
async function checkFrames() {
  const { frames, hash } = readOutcome(await onXs({ run: "frame bytes", path: "c", steps: FRAMES }));
  check(`${FRAMES} frames and as many random bytes in C: the same as in TypeScript`, frames === FRAMES, hash);
}

/** Two nodes and a sender of mutated and hostile frames, in an ESP32's memory. */
async function checkFuzz() {
  const script = await bundleForXs("test/wire/fuzz-on-xs.ts");
  const argument = { frames: FUZZED, seed: 1 };
  const result = await runLinux(linux, script, argument, ["--block", `${ESP32_BLOCK}`]);
  const { sent, slotsMore, chunksMore } = readOutcome(result);
  const flat = sent === FUZZED && slotsMore === 0 && chunksMore === 0;
  check(
    `${FUZZED} mutated frames: each thrown away, the next good one understood, memory flat`,
    flat,
    result,
  );
  console.log(`\n${sent} mutated frames on XS: ${slotsMore} slots and ${chunksMore} chunk bytes more`);
}

/** A second build reuses the engine's objects; a build with another key compiles them again. */
async function checkCache() {
  const engine = join(cache, "linux/engine");
  const builtAt = () => statSync(objectPath(engine, engineSource("xsRun.c"))).mtimeMs;
  const first = builtAt();
  await buildLinux();
  check("the engine's objects are kept between builds", builtAt() === first);
  writeFileSync(join(engine, "key"), "other flags");
  await buildLinux();
  check("the engine's objects are compiled again when flags change", builtAt() > first);
}

await checkHashes();
await checkSpectra("XS on Linux", ["c", "js"], onXs, onNode);
await checkInstalls("XS on Linux", ["c", "js"], onXs, onNode);
await checkOrders();
await checkNoAllocation();
await checkExtended();
await checkSlots();
// Each of these mostly runs one machine after the other.
await Promise.all([
  checkTraffic("XS on Linux", HOUR, onEsp32, onNode),
  checkFailures().then(checkFrames).then(checkFuzz),
  checkSimulate(linux, DRAWN),
  checkFirmware(linux),
]);
if (!BRIEF) await checkCache();
close();
