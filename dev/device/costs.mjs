// npm run build:costs [-- WHAT... --chip NAME... --plugin FILE...]: measures learners and node at several
// sizes on the emulated chips, fits the cost model, and writes targets/costs.json for `motelearn plan
// --target`. WHAT is a learner, or one of node, spectrum, parts, width, wire, problem, shared, objects, stack, start;
// the default is all. It writes the file after each. --chip limits the chips; --plugin adds learners.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flashFile } from "../../targets/emulator/board.mjs";
import { bundle, loadModel } from "../../targets/emulator/bundle.mjs";
import { FIRMWARE_CHIPS, lackOf } from "../../targets/emulator/chips.mjs";
import { commandLineOf, refuse } from "../../targets/emulator/command-line.mjs";
import { buildFirmware, runFirmware } from "../../targets/emulator/device.mjs";
import { buildLinux, root } from "../../targets/emulator/engine.mjs";
import { flashedProgram, flashedScript, leastMemory, planOf } from "../../targets/emulator/flashed.mjs";
import { buildPackage, guideArguments, installInto, MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { projectScript } from "../../targets/emulator/project.mjs";
import { each, outcomeOf } from "./checks.mjs";

/**
 * Sizes [d, budget] to fit, and held-out sizes for the fit's error, within the fitted range and beyond it.
 */
const FITTED = [
  [2, 20],
  [2, 64],
  [8, 20],
  [8, 40],
  [8, 64],
  [16, 48],
  [24, 64],
  [32, 20],
  [32, 40],
];
const HELD_OUT = [
  [4, 32],
  [12, 56],
  [20, 28],
  [16, 80],
];
/**
 * The same for vectors of 16 bits, which double the number of learners: fewer sizes, and only the model's
 * terms for steps with at most some products of rows and components, or of rows.
 */
const SHORT_FITTED = [
  [2, 20],
  [2, 64],
  [8, 40],
  [16, 48],
  [24, 64],
  [32, 20],
];
const SHORT_HELD_OUT = [
  [12, 56],
  [16, 80],
];
const SHORT_TERMS = 5;
/** Sizes at which 16 inputs give the width, the last one held out, and the steps that this takes. */
const WIDTH_SIZES = [
  [2, 80],
  [16, 64],
  [32, 40],
  [8, 64],
];
const WIDTH_INPUTS = 16;
const WIDTH_STEPS = 40;
/**
 * Sizes at which to measure the label that finds the width, with everything each learner does in it; the last
 * one held out.
 */
const FOUND_SIZES = [
  [2, 64],
  [12, 64],
  [32, 64],
  [8, 64],
];
/** Sizes at which to measure the correction of a label, the last one held out. */
const CORRECTED = [
  [2, 20],
  [8, 64],
  [16, 48],
  [32, 20],
  [8, 40],
  [12, 56],
];
/** Sizes [classes, d, budget] of classes that share a dictionary: to fit, and held out. */
const FITTED_SHARED = [
  [3, 2, 20],
  [10, 2, 64],
  [26, 8, 20],
  [3, 8, 64],
  [10, 16, 48],
  [26, 16, 40],
  [5, 24, 64],
  [10, 32, 20],
];
const HELD_OUT_SHARED = [
  [26, 8, 64],
  [7, 12, 56],
];
/** Steps after which one label in eight tries another width. */
const WATCH_STEPS = 608;
/** Shapes [channels, window, standardise] of a node's features, likewise. */
const FITTED_SHAPES = [
  [2, 0, false],
  [8, 0, false],
  [24, 0, false],
  [2, 4, false],
  [2, 16, false],
  [8, 8, false],
  [2, 0, true],
  [8, 0, true],
  [8, 8, true],
  [4, 16, true],
];
const HELD_OUT_SHAPES = [
  [3, 8, true],
  [6, 0, true],
  [5, 12, false],
];
/**
 * Steps at a run's end for the mean, as in programs/program.ts: the windows are full by then, and no
 * checkpoint is due.
 */
const MEASURED = 64;
/** Shapes [sensors, window, bands, lines, burst] of spectral features, likewise. */
const FITTED_SPECTRA = [
  [1, 64, 4, 0, 1],
  [1, 128, 8, 2, 8],
  [1, 256, 8, 0, 32],
  [1, 512, 16, 4, 64],
  [2, 64, 16, 1, 16],
  [2, 256, 4, 4, 2],
  [3, 128, 8, 0, 1],
  [1, 512, 4, 1, 128],
  [1, 256, 16, 8, 16],
];
const HELD_OUT_SPECTRA = [
  [1, 256, 8, 2, 32],
  [2, 128, 4, 2, 8],
];
/** Learners that store few samples: novelties, or inputs on which a perceptron errs. */
const STORES_FEW = /-n$|^kernel-perceptron$|^forgetron$/;
/**
 * Steps enough to fill the budget, then to learn, forget and evict. osKM, whose steps take long, stores every
 * sample; a forgetful learner stores at least every other where forgetting is measured.
 */
function steps(budget, name, place) {
  if (name === "oskm") return budget + 16;
  if (STORES_FEW.test(name)) return 8 * budget + 256;
  return place ? 2 * budget + 96 : 3 * budget + 128;
}

const file = join(root, "targets/costs.json");
const before = JSON.parse(readFileSync(file, "utf8"));
const { positionals: named, values } = commandLineOf("build:costs", "WHAT..., --chip NAME, --plugin FILE", {
  allowPositionals: true,
  options: {
    plugin: { type: "string", multiple: true, default: [] },
    chip: { type: "string", multiple: true, default: FIRMWARE_CHIPS },
  },
});
const isWanted = (what) => named.length === 0 || named.includes(what);

const strange = values.chip.find((name) => !FIRMWARE_CHIPS.includes(name));
if (strange !== undefined) refuse("build:costs", `--chip ${strange}: takes ${FIRMWARE_CHIPS.join(", ")}`);
const lack = lackOf("build:costs", values.chip);
if (lack) {
  console.log(lack);
  process.exit(1);
}

const { program, node } = await bundle(values.plugin);
const linux = await buildLinux();
const model = await loadModel();
const SIZES = [...FITTED, ...HELD_OUT];
const SHORT_SIZES = [...SHORT_FITTED, ...SHORT_HELD_OUT];
const SHAPES = [...FITTED_SHAPES, ...HELD_OUT_SHAPES];
const names = JSON.parse(execFileSync(process.execPath, [node, '{"run":"names"}'], { encoding: "utf8" }));
/**
 * Learners whose longest step is one that forgets, or for NOGD the eigenproblem after it: see Place in
 * programs/stream.ts.
 */
const forgetful = JSON.parse(
  execFileSync(process.execPath, [node, '{"run":"forgetful"}'], { encoding: "utf8" }),
);
/** Learners that find their width unless it is given. Measurements give it, but for the cost of finding it. */
const finders = JSON.parse(execFileSync(process.execPath, [node, '{"run":"finders"}'], { encoding: "utf8" }));
const placesOf = (name) => {
  if (name === "nogd") return [undefined, "near"]; // far samples make no eigenproblem longer
  return forgetful.includes(name.replace("/q15", "")) ? [undefined, "near", "far"] : [undefined];
};
/** Learners by themselves; several classes cost so many times one. */
const learners = names.filter((name) => !["node", "wire"].includes(name) && !name.includes("/"));
/**
 * Learners with vectors of 16 bits, which take other instructions: some, plus all that are named or in the
 * file.
 */
const filed = Object.values(before.instructions).flatMap((chip) => Object.keys(chip.learners));
const isShort = (name) => name.endsWith("/q15") && learners.includes(name.slice(0, -"/q15".length));
const costed = [...new Set([...learners, ...[...names, ...named, ...filed].filter(isShort)])];

/**
 * Measurements of a chip besides learners, in this order: a spectrum is measured beside a node, several
 * classes beside OLK-C.
 */
const OF_CHIP = {
  node: measureNode,
  spectrum: (firmware, { node }) => measureSpectrum(firmware, node),
  parts: measureParts,
  sources: measureSources,
  wire: measureWire,
  problem: (firmware, { learners }) => measureProblem(firmware, learners["olk-c"]),
  shared: measureShared,
  width: measureWidth,
  found: measureFound,
};

const BESIDES = ["objects", "stack", "start"];
const known = [...costed, ...Object.keys(OF_CHIP), ...BESIDES];
const unknown = named.find((name) => !known.includes(name));
if (unknown) {
  const others = [...Object.keys(OF_CHIP), ...BESIDES].join(", ");
  console.log(
    `build:costs: no learner ${unknown}, nor one of ${others}; one from outside takes --plugin FILE`,
  );
  process.exit(2);
}

async function outcome(firmware, argument) {
  const result = await runFirmware(firmware, { path: "c", ...argument });
  const { hash, ...found } = outcomeOf(result);
  if (found.slots === undefined) throw new Error(`${JSON.stringify(argument)}: ${hash}`);
  return { ...found, ...stacksOf(result) };
}

/** How deep the stacks of XS and of C went. */
function stacksOf({ lines }) {
  const text = lines.join(" ");
  const number = (pattern) => Number(pattern.exec(text)[1]);
  return { stack: number(/stack peak (\d+) slots/), cStack: number(/C stack peak (\d+)/) };
}

/** The outcomes of many runs, in order. */
function outcomes(firmware, runs) {
  return each(
    runs.map((_, i) => `${i}`),
    (i) => outcome(firmware, runs[i]),
  );
}

/**
 * The fit to the first rows, for one label or the longest of several, and its largest relative error in all
 * rows.
 */
function fitted(rows, count) {
  const longest = rows.map(({ terms, labels = [terms], cost }) => ({ labels, cost }));
  const coefficients = model.fitLongest(longest.slice(0, count));
  const errors = longest.map(({ labels, cost }) => Math.abs(model.longest(coefficients, labels) / cost - 1));
  return { coefficients, error: Number(Math.max(...errors).toFixed(4)) };
}

/**
 * The cost of finding the width: the step that finds it, the longest so far, less the predictions and steps
 * of the inputs that waited, which cost as much as with a given width.
 */
async function measureWidth(firmware) {
  const runs = (run, steps) =>
    WIDTH_SIZES.map(([dimension, budget]) => ({ run, dimension, budget, steps, measured: WIDTH_INPUTS }));
  const found = await outcomes(firmware, runs("olk-c", WIDTH_STEPS));
  const given = await outcomes(firmware, runs("olk-c/given", WIDTH_INPUTS));
  const rows = found.map(({ mostPerStep }, i) => ({
    terms: model.learnerTerms(0, WIDTH_SIZES[i][0]),
    cost: mostPerStep - WIDTH_INPUTS * given[i].perStep,
  }));
  return { ...fitted(rows, WIDTH_SIZES.length - 1), watch: await measureWatch(firmware) };
}

/**
 * Each learner's longest label until the width is found; with it, it learns the inputs that waited, or FOGD draws frequencies in their place. Of those
 * that are named, if any are.
 */
async function measureFound(firmware, { found = {} }) {
  const of = {};
  const isNamed = learners.some((each) => named.includes(each));
  for (const name of finders.filter(
    (each) => learners.includes(each) && (!isNamed || named.includes(each)),
  )) {
    const [sizes, count] = name === "fogd" ? [SIZES, FITTED.length] : [FOUND_SIZES, FOUND_SIZES.length - 1];
    const measured = await outcomes(
      firmware,
      sizes.map(([dimension, budget]) => ({ run: name, dimension, budget, steps: WIDTH_STEPS })),
    );
    const rows = measured.map(({ mostPerStep }, i) => ({
      terms: model.foundTerms(name, sizes[i][1], sizes[i][0]),
      cost: mostPerStep,
    }));
    of[name] = fitted(rows, count);
  }
  return { ...found, ...of };
}

/**
 * The additional cost of a label where the width is watched, apart from the one in eight that tries another
 * width.
 */
async function measureWatch(firmware) {
  const argument = { dimension: 32, budget: 40, steps: WATCH_STEPS };
  const [found, given] = await outcomes(firmware, [
    { ...argument, run: "olk-c" },
    { ...argument, run: "olk-c/given" },
  ]);
  return Math.max(0, Math.round(found.perStep - given.perStep - (2 / 8) * found.perPredict));
}

/**
 * The additional cost of a label that is corrected for its source, whose step isn't bound: for a kernel
 * expansion by OLK-C, for a learner that stores no vectors by AROW.
 */
async function measureSources(firmware) {
  const added = async (name) => {
    const runs = (run) =>
      CORRECTED.map(([dimension, budget]) => ({ run, dimension, budget, steps: steps(budget, name) }));
    const plain = await outcomes(firmware, runs(name));
    const correcting = await outcomes(firmware, runs(`${name}/sources`));
    return correcting.map(({ mostSize, mostPerStep }, i) => ({
      terms: model.learnerTerms(mostSize, CORRECTED[i][0]),
      cost: Math.max(1, mostPerStep - plain[i].mostPerStep),
    }));
  };
  const [linear, kernel] = [await added("arow"), await added("olk-c/given")];
  return { linear: fitted(linear, CORRECTED.length - 1), kernel: fitted(kernel, CORRECTED.length - 1) };
}

/** The longest prediction and step for any place of the samples. */
async function measureLearner(firmware, name) {
  const run = finders.includes(name) ? `${name}/given` : name;
  const [sizes, count] = isShort(name) ? [SHORT_SIZES, SHORT_FITTED.length] : [SIZES, FITTED.length];
  const found = [];
  for (const place of placesOf(name)) {
    const runs = sizes.map(([dimension, budget]) => ({
      ...{ run, dimension, budget, place },
      steps: steps(budget, name, place),
    }));
    found.push(await outcomes(firmware, runs));
  }
  const some = (terms) => terms.slice(0, isShort(name) ? SHORT_TERMS : undefined);
  const most = (i, of) => Math.max(...found.map((outcomes) => outcomes[i][of]));
  const row = (i, size, cost) => ({ terms: some(model.learnerTerms(size, sizes[i][0])), cost });
  const predict = sizes.map((_, i) => {
    const longest = most(i, "perPredict");
    const { size } = found.find((outcomes) => outcomes[i].perPredict === longest)[i];
    return row(i, size, longest);
  });
  const learn = sizes.map(([dimension], i) => ({
    labels: model.learnTerms(name, most(i, "mostSize"), dimension).map(some),
    cost: most(i, "mostPerStep"),
  }));
  const restart = sizes.map((_, i) => row(i, most(i, "size"), most(i, "perRestart")));
  return {
    predict: fitted(predict, count),
    learn: { ...fitted(learn, count), ...(learn[0].labels.length > 1 && { spread: true }) },
    ...(restart.every(({ cost }) => cost > 0) && { restart: fitted(restart, count) }),
  };
}

function nodeArgument(learner, [channels, window, standardise]) {
  const node = { learner, options: {}, channels, window, standardise };
  return { run: "node", budget: 20, dimension: 1, steps: steps(20, learner), node };
}

/** The node's work besides its learner: measured around the linear learner, whose own cost is subtracted. */
async function measureNode(firmware) {
  const dimensions = SHAPES.map(([channels, window]) => (window > 0 ? 3 * channels : channels));
  const alone = await outcomes(
    firmware,
    dimensions.map((dimension) => ({ run: "pa", dimension, budget: 1, steps: steps(20) })),
  );
  const found = await outcomes(
    firmware,
    SHAPES.map((shape) => nodeArgument("pa", shape)),
  );
  const rows = found.map((o, i) => {
    const [channels, window, standardise] = SHAPES[i];
    const terms = model.nodeTerms({ channels, window, standardise, dimension: dimensions[i] });
    return { terms, cost: o.perStep - alone[i].perPredict - alone[i].perStep };
  });
  return fitted(rows, FITTED_SHAPES.length);
}

function spectralArgument(learner, [sensors, window, bands, count, burst]) {
  const lines = Array.from({ length: count }, (_, l) => (l + 1) / 64);
  const { node, ...argument } = nodeArgument(learner, [sensors * burst, window, true]);
  const full = Math.ceil(window / burst) + MEASURED;
  return { ...argument, steps: Math.max(argument.steps, full), node: { ...node, bands, lines, burst } };
}

/** The additional cost of a spectrum over a node with as many features. */
async function measureSpectrum(firmware, node) {
  const spectra = [...FITTED_SPECTRA, ...HELD_OUT_SPECTRA];
  const shapes = spectra.map(([sensors, window, bands, lines, burst]) => ({
    ...{ channels: sensors * burst, window, standardise: true, dimension: sensors * (bands + 2 + lines) },
    spectrum: { sensors, bands, lines },
  }));
  const alone = await outcomes(
    firmware,
    shapes.map(({ dimension }) => ({ run: "pa", dimension, budget: 1, steps: steps(20) })),
  );
  const found = await outcomes(
    firmware,
    spectra.map((spectrum) => spectralArgument("pa", spectrum)),
  );
  const rows = found.map((o, i) => {
    const rest =
      alone[i].perPredict + alone[i].perStep + model.cost(node.coefficients, model.nodeTerms(shapes[i]));
    return { terms: model.spectrumTerms(shapes[i], shapes[i].spectrum), cost: o.perStep - rest };
  });
  return fitted(rows, FITTED_SPECTRA.length);
}

/** The additional cost of one-vs-all for each class over as many separate learners. */
async function measureProblem(firmware, { predict, learn }) {
  const [classes, dimension, budget] = [3, 8, 20];
  const argument = { run: `ova:olk-c/${classes}/given`, dimension, budget, steps: steps(budget) };
  const { perPredict, mostPerStep } = await outcome(firmware, argument);
  const terms = model.learnerTerms(budget, dimension);
  const added = (all, { coefficients }) =>
    Math.ceil(Math.max(0, all / classes - model.cost(coefficients, terms)));
  return { predict: added(perPredict, predict), learn: added(mostPerStep, learn) };
}

/** The longest prediction and step of classes that share a dictionary, by OLK-C. */
async function measureShared(firmware) {
  const sizes = [...FITTED_SHARED, ...HELD_OUT_SHARED];
  const found = await outcomes(
    firmware,
    sizes.map(([classes, dimension, budget]) => ({
      ...{ run: `ova:olk-c/${classes}/shared/given`, dimension, budget },
      steps: steps(budget, "olk-c"),
    })),
  );
  const rows = (size, cost) =>
    found.map((o, i) => {
      const [classes, dimension] = sizes[i];
      return { terms: model.sharedTerms(o[size], dimension, classes), cost: o[cost] };
    });
  return {
    predict: fitted(rows("size", "perPredict"), FITTED_SHARED.length),
    learn: fitted(rows("mostSize", "mostPerStep"), FITTED_SHARED.length),
  };
}

/** Makes the requested measurements of a chip, and updates its part of the file. */
async function measureChip(chip) {
  const of = before.instructions[chip];
  let firmware;
  const measure = async (to, what, measured) => {
    if (!isWanted(what)) return;
    firmware ??= await buildFirmware(chip, linux, program);
    to[what] = await measured(firmware);
    console.log(chip, what, ...errorsIn(to[what]));
    write();
  };
  for (const name of costed) await measure(of.learners, name, (firmware) => measureLearner(firmware, name));
  for (const [what, measured] of Object.entries(OF_CHIP))
    await measure(of, what, (firmware) => measured(firmware, of, chip));
}

const percent = (error) => `${(100 * error).toFixed(1)} %`;

/** The errors of fits, by name where there are several. */
function errorsIn(found) {
  if (found.error !== undefined) return [percent(found.error)];
  return Object.entries(found).flatMap(([of, { error }]) =>
    error === undefined ? [] : [`${of} ${percent(error)}`],
  );
}

/** The same node behind its wire. */
const wired = (argument, line) => ({ ...argument, run: "wire", line });
/** Steps after which no checkpoint is due. */
const QUIET = 290;

const BARE = { ...nodeArgument("pa", [2, 0, false]), steps: QUIET };
const LINE = { quiet: true };
/**
 * A UART as the chip's driver moves its bytes: in one call on an ESP32, which the RISC-V chips stand for,
 * else one by one.
 */
const uartOf = (chip) => ({ ...LINE, uart: !chip.startsWith("rv32") });

/** The wire's additional cost of a sample and its label. */
async function measureWire(firmware) {
  const [without, behind] = await outcomes(firmware, [BARE, wired(BARE, LINE)]);
  return behind.perStep - without.perStep;
}

/** Two nodes, one with the part and one without, at the chip's UART, so that additional traffic counts. */
function pairOf(chip, part) {
  const uart = uartOf(chip);
  const of = (learner, beside, line = uart) => {
    const { node, ...argument } = BARE;
    return wired({ ...argument, node: { ...node, learner, ...beside } }, line);
  };
  const plain = of("pa");
  const pairs = {
    requests: [of("pa", { labelBudget: 0.25 }), plain],
    sets: [of("pa", { coverage: 0.9 }), plain],
    intervals: [of("norma-r/given", { coverage: 0.9 }), of("norma-r/given")],
    drift: [of("pa", { drift: "watch" }), plain],
    uart: [plain, of("pa", {}, LINE)],
    keyed: [of("pa", {}, { ...uart, keyed: true }), plain],
    keyedLabels: [of("pa", {}, { ...uart, keyedLabels: true }), plain],
  };
  return pairs[part];
}

const PARTS = ["requests", "sets", "intervals", "drift", "uart", "keyed", "keyedLabels"];

/** Each optional part's additional cost of a sample and its label. */
async function measureParts(firmware, _, chip) {
  const found = {};
  for (const part of PARTS) {
    const [having, without] = await outcomes(firmware, pairOf(chip, part));
    found[part] = Math.max(0, having.perStep - without.perStep);
  }
  return found;
}

/** The memory of an outcome's objects, without its range and buffers. */
function room({ slots, chunks, besides, bytes }) {
  return { slots: slots - besides.slots, chunk: chunks - besides.chunks - bytes };
}

/** The most that one outcome's objects take beyond another's, for each of so many parts. */
function more(a, b, parts = 1) {
  return {
    slots: Math.ceil((room(a).slots - room(b).slots) / parts),
    chunk: Math.ceil((room(a).chunk - room(b).chunk) / parts),
  };
}

/** A spectrum's options, beside as many windows. */
async function measureSpectrumsObjects(firmware) {
  const [spectral, windowed] = await outcomes(firmware, [
    spectralArgument("olk-c", [2, 64, 8, 16, 1]),
    nodeArgument("olk-c", [2, 64, true]),
  ]);
  return more(spectral, windowed);
}

/** Objects of the parts; none take fewer than none. */
async function measurePartsObjects(firmware) {
  const found = {};
  for (const part of PARTS) {
    const { slots, chunk } = more(...(await outcomes(firmware, pairOf(BYTEWISE, part))));
    found[part] = { slots: Math.max(0, slots), chunk: Math.max(0, chunk) };
  }
  return found;
}

/** So little of `auto` that the block holds it beside its wire and the emulated flash: how deep it goes doesn't depend on that. */
const LITTLE = { landmarks: 2, lag: 2 };
/** Steps that fill a budget of 20. */
const DEEP_STEPS = 64;

/** A node behind its wire with features and the learner of that name. */
function deepNode(name) {
  const { node, ...argument } = { ...nodeArgument(name, [2, 4, true]), steps: DEEP_STEPS };
  return wired(
    name === "auto" ? { ...argument, budget: 4, node: { ...node, options: LITTLE } } : { ...argument, node },
  );
}

/** Time in which the project starts, and takes samples. */
const PROJECT_MS = 10_000;

/** The chip on which objects are measured. */
const OBJECTS = "rv32imafc";
/** One whose UART has most objects. */
const BYTEWISE = "m4f";

/** How deep the stacks go with the project that `motelearn init` makes, whose own code is called between machine and library. */
async function measureProject() {
  buildPackage();
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    installInto(place);
    execFileSync(process.execPath, [MOTELEARN, ...guideArguments("init")], { cwd: place });
    const firmware = await buildFirmware(
      OBJECTS,
      linux,
      projectScript(place, () => {}),
    );
    return stacksOf(await runFirmware(firmware, { untilMs: PROJECT_MS }, flashFile(join(place, "flash"))));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** How deep the stacks of XS and of C go at most: with each learner's node behind its wire, and with a project. */
async function measureStack() {
  const firmware = await buildFirmware(OBJECTS, linux, program);
  const deep = await outcomes(firmware, [...learners, "ova:olk-c/3"].map(deepNode));
  const all = [...deep, await measureProject()];
  return {
    slots: Math.max(...all.map(({ stack }) => stack)),
    cBytes: Math.max(...all.map(({ cStack }) => cStack)),
  };
}

/**
 * XS slots and chunk bytes of objects, which are the same on every chip: the engine's, a node's by learner,
 * and the additions of features, classes and the wire.
 */
async function measureObjects() {
  const firmware = await buildFirmware(OBJECTS, linux, program);
  const spectrum = await measureSpectrumsObjects(firmware);
  const parts = await measurePartsObjects(firmware);
  const { slots, chunks } = await outcome(firmware, { run: "nothing" });
  const engine = { slots, chunk: chunks };
  const [bare, windows, whole] = [
    [8, 0, false],
    [8, 8, false],
    [8, 8, true],
  ];
  const given = (name) => (finders.includes(name) ? `${name}/given` : name);
  const found = await outcomes(
    firmware,
    learners.map((name) => nodeArgument(given(name), bare)),
  );
  const [several, sharing, finding, windowed, standardised, behind] = await outcomes(firmware, [
    nodeArgument("ova:olk-c/3/given", bare),
    nodeArgument("ova:olk-c/3/shared/given", bare),
    nodeArgument("olk-c", bare),
    nodeArgument("olk-c/given", windows),
    nodeArgument("olk-c/given", whole),
    wired(nodeArgument("olk-c/given", bare), LINE),
  ]);
  const plain = found[learners.indexOf("olk-c")];
  return {
    engine,
    objects: {
      learners: Object.fromEntries(learners.map((name, i) => [name, room(found[i])])),
      problem: more(several, plain, 3),
      shared: more(sharing, plain),
      width: more(finding, plain),
      window: more(windowed, plain, 8),
      standardise: more(standardised, windowed),
      spectrum,
      parts,
    },
    wire: more(behind, plain),
  };
}

/** Items of a plan that aren't of the node at rest. */
const NOT_AT_REST = /^(start|kept)/;
/** Bytes of XS's stack, and of all the memory, on an ESP32-C3. */
const STACK_BYTES = 16 * 512;
const MOST_BYTES = 94_208;

/**
 * What a firmware's start takes beyond what plan counts of its node at rest: in the least memory in which it starts. On the Linux machine,
 * for all chips.
 */
async function measureStart() {
  buildPackage();
  const firmwares = Object.keys(before.objects.learners);
  const run = await flashedProgram();
  const startOf = async (learner, isOwn) => {
    const { script } = await flashedScript(run, learner, isOwn);
    const least = await leastMemory(linux, script, MOST_BYTES);
    const { items } = (await planOf(learner)).target.ram;
    const atRest = items.filter(({ item }) => !NOT_AT_REST.test(item));
    const sum = (of) => atRest.reduce((all, item) => all + item[of], 0);
    const chunk = least.bytes - STACK_BYTES - 16 * least.slots;
    return { slots: Math.max(0, least.slots - sum("slots")), chunk: Math.max(0, chunk - sum("chunk")) };
  };
  const all = async (isOwn) =>
    Object.fromEntries(
      (await each(firmwares, (learner) => startOf(learner, isOwn))).map((room, i) => [firmwares[i], room]),
    );
  return { flashed: await all(false), own: await all(true), longestStep: await measureSteps(run) };
}

/** The learner whose start takes longest, and so do its steps. */
const LONGEST_START = "auto";

/** Instructions of the longest step of a start, between two calls that let other tasks run, by chip. */
async function measureSteps(run) {
  const { script } = await flashedScript(run, LONGEST_START);
  const steps = await each(FIRMWARE_CHIPS, async (chip) => {
    const { hash, longest } = outcomeOf(await runFirmware(await buildFirmware(chip, linux, script), {}));
    if (!longest) throw new Error(`${LONGEST_START} on ${chip}: ${hash}`);
    return longest;
  });
  return Object.fromEntries(steps.map((longest, i) => [FIRMWARE_CHIPS[i], longest]));
}

function range(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function write() {
  const dimension = range(SIZES.map(([d]) => d));
  const measured = { dimension, rows: range(SIZES.map(([, budget]) => budget)) };
  const { engine, objects, wire, stack, start } = before;
  const instructions = Object.fromEntries(
    FIRMWARE_CHIPS.map((chip) => [chip, ordered(before.instructions[chip])]),
  );
  writeFileSync(
    file,
    JSON.stringify({
      made: "npm run build:costs",
      measured,
      engine,
      objects,
      wire,
      stack,
      start,
      instructions,
    }),
  );
  execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", file], { stdio: "ignore" });
}

/** A chip's measurements in a fixed order; plugins' learners come last. */
function ordered({ learners: measured, ...of }) {
  const names = [...new Set([...learners, ...Object.keys(measured)])].filter((name) => measured[name]);
  const parts = Object.keys(OF_CHIP).map((what) => [what, of[what]]);
  return {
    ...Object.fromEntries(parts),
    learners: Object.fromEntries(names.map((name) => [name, measured[name]])),
  };
}

if (values.chip.includes(OBJECTS) && isWanted("objects")) {
  Object.assign(before, await measureObjects());
  write();
}
if (values.chip.includes(OBJECTS) && isWanted("stack")) {
  before.stack = await measureStack();
  console.log("stack", before.stack);
  write();
}
if (values.chip.includes(OBJECTS) && isWanted("start")) {
  before.start = await measureStart();
  write();
}
for (const chip of values.chip) {
  before.instructions[chip] ??= { learners: {} };
  await measureChip(chip);
}
