// The memory in which a firmware starts, beyond what its node takes at rest.
import { FIRMWARE_CHIPS } from "../../../targets/emulator/chips.mjs";
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import { flashedProgram, flashedScript, readPlan } from "../../../targets/emulator/flashed.mjs";
import { buildPackage } from "../../../targets/emulator/own-project.mjs";
import { each, readOutcome } from "../checks.mjs";
import { FEW_AND_MANY, largest } from "./memory.mjs";
import { model } from "./runs.mjs";
import { hasClasses, isSized } from "./subjects.mjs";

/** Items of a plan that aren't of the node at rest. */
const NOT_AT_REST = /^(start|labels|kept)/;
/** The chip of an ESP32-C3's kind, with a device's slots and chunks, and all the memory of its board. */
const STARTED = "rv32imac";
const MOST_BYTES = 94_208;
/**
 * Rings of these sizes: XS grows chunks by steps of 512 bytes, and what a node has of a step when it needs the next one depends on the sizes
 * of its blocks.
 */
const RINGS = [64, 256];

/** The flags of a learner with the options that its name says. */
function sizeFlags(name) {
  const [, ...options] = name.split("/");
  if (hasClasses(name))
    return FEW_AND_MANY.map((bytes) => ["--classes", "3", "--options", JSON.stringify({ bytes })]);
  const sizes = isSized(name) ? FEW_AND_MANY : [true];
  return sizes.map((size) =>
    options.length > 0
      ? ["--options", JSON.stringify(Object.fromEntries(options.map((option) => [option, size])))]
      : [],
  );
}

/**
 * What a firmware takes in its start and first turns beyond what plan counts of its node at rest: the peaks that XS notes, at most with any
 * of the rings. Of the learners with those names, on one chip for all.
 */
export async function measureStart(linux, names) {
  buildPackage();
  const run = await flashedProgram();
  const measureLearner = async (name, isOwn) => {
    const [learner] = name.split("/");
    const found = [];
    for (const flags of sizeFlags(name))
      for (const ring of RINGS)
        found.push(await beyondRest(linux, run, learner, isOwn, ["--pending", `${ring}`, ...flags]));
    return largest(found);
  };
  const all = async (isOwn) =>
    Object.fromEntries(
      (await each(names, (name) => measureLearner(name, isOwn))).map((room, i) => [names[i], room]),
    );
  return { flashed: await all(false), own: await all(true), longestStep: await measureSteps(linux, run) };
}

/** What a start takes beyond what plan counts of its node at rest: the peaks that XS notes. `more`: further flags of the node. */
async function beyondRest(linux, run, learner, isOwn, more) {
  const { script } = await flashedScript(run, learner, { isOwn, more });
  const firmware = await buildFirmware(STARTED, linux, script);
  const { code, lines } = await runFirmware(firmware, {}, undefined, MOST_BYTES);
  if (code !== 0) throw new Error(`${script}: ${lines.at(-1)}`);
  const [, slots, chunk] = /slots now \d+, peak (\d+); chunks now \d+ B, peak (\d+)/.exec(lines.join(" "));
  const { items } = (await readPlan(learner, more)).target.ram;
  const atRest = items.filter(({ item }) => !NOT_AT_REST.test(item));
  const sum = (of) => atRest.reduce((all, item) => all + item[of], 0);
  return { slots: Number(slots) - sum("slots"), chunk: Number(chunk) - sum("chunk") };
}

/** The learner of the nodes whose parts are measured. */
const PLAIN = "pa";
/** So many sensors have the nodes whose parts are measured, in turn. */
const SENSORS = [1, 2, 5, 8];
/** Every set of these: window, fleet, and optional parts. */
const BESIDE = {
  window: ["--window", "8"],
  fleetBudget: 0,
  labelBudget: 0.1,
  coverage: 0.9,
  drift: "watch",
  balanced: ["--options", '{"balanced":true}'],
};

/** Nodes with every set of parts: how often each has what `startTerms` counts, and its flags. */
function nodesWithParts() {
  return Array.from({ length: 2 ** Object.keys(BESIDE).length }, (_, set) => {
    const having = Object.keys(BESIDE).filter((_, k) => set & (1 << k));
    const sensors = SENSORS[(set + (set >> 2) + (set >> 4)) % SENSORS.length];
    const isFlag = (part) => Array.isArray(BESIDE[part]);
    const node = Object.fromEntries(
      having.filter((part) => !isFlag(part)).map((part) => [part, BESIDE[part]]),
    );
    const has = (part) => (having.includes(part) ? 1 : 0);
    const [window, fleet] = [has("window") * sensors, has("fleetBudget")];
    return {
      terms: { sensor: sensors - 1, window, part: having.length - has("window") - fleet, fleet },
      flags: [
        ...["--dimension", `${sensors}`, "--node", JSON.stringify(node)],
        ...having.filter(isFlag).flatMap((part) => BESIDE[part]),
      ],
    };
  });
}

/** The fit of one kind of memory to what the nodes took, rounded up, and by how much a node took more than it says. */
function fitPart(nodes, took) {
  const rows = nodes.map(({ terms }, i) => ({ terms: [1, ...Object.values(terms)], cost: took[i] }));
  const coefficients = model.fit(rows);
  const each = coefficients.slice(1).map(Math.ceil);
  const base = took[nodes.findIndex(({ terms }) => Object.values(terms).every((count) => count === 0))];
  const lacks = rows.map(({ terms, cost }) => cost - base - model.cost(each, terms.slice(1)));
  return [...each, Math.ceil(Math.max(0, ...lacks))];
}

/**
 * What further sensors, windows, optional parts and a fleet's model add to that, each, and the most by which a start took more than their sum: `spread`.
 * Found by least squares from nodes with every set of them: XS grows in steps, so one node with a part says little of it.
 */
export async function measureBeside(linux) {
  buildPackage();
  const run = await flashedProgram();
  const nodes = nodesWithParts();
  const names = [...Object.keys(nodes[0].terms), "spread"];
  const of = async (isOwn) => {
    const took = await each(
      nodes.map((_, i) => `${i}`),
      (i) => beyondRest(linux, run, PLAIN, isOwn, nodes[i].flags),
    );
    const [slots, chunk] = ["slots", "chunk"].map((kind) =>
      fitPart(
        nodes,
        took.map((room) => room[kind]),
      ),
    );
    return Object.fromEntries(names.map((name, k) => [name, { slots: slots[k], chunk: chunk[k] }]));
  };
  return { flashed: await of(false), own: await of(true) };
}

/** The learner whose start takes longest, and so do its steps. */
const LONGEST_START = "auto";

/** Instructions of the longest step of a start, between two calls that let other tasks run, by chip. */
async function measureSteps(linux, run) {
  const { script } = await flashedScript(run, LONGEST_START);
  const steps = await each(FIRMWARE_CHIPS, async (chip) => {
    const { hash, longest } = readOutcome(await runFirmware(await buildFirmware(chip, linux, script), {}));
    if (!longest) throw new Error(`${LONGEST_START} on ${chip}: ${hash}`);
    return longest;
  });
  return Object.fromEntries(steps.map((longest, i) => [FIRMWARE_CHIPS[i], longest]));
}
