// Checks targets/costs.json, plan's data, against the runs on the emulated chips.
import { readFileSync } from "node:fs";
import { check, readOutcome } from "../checks.mjs";
import { model } from "../costs/runs.mjs";

const costs = JSON.parse(readFileSync(new URL("../../../targets/costs.json", import.meta.url), "utf8"));
/** How far plan's costs may lie from a run's. */
const STALE = 0.05;
/** Thousands of steps may have a longer one than the few hundred of build:costs: CW's, when it rescales. */
const STALE_LEARN = 0.5;

/**
 * targets/costs.json holds for these runs, and no step that forgets took longer than plan says; else npm run
 * build:costs is due. `forgetting`: outcomes of forgetful learners at places where they forget.
 */
export function checkCosts(chip, run, { dimension }, outcome, forgetting) {
  const fits = costs.instructions[chip]?.learners[run];
  if (!fits) return; // the node, several classes, a chip that stands for no board
  const all = [outcome, ...forgetting];
  const most = (of) => Math.max(...all.map((one) => one[of]));
  const planned = (call, size) =>
    model.longest(fits[call].coefficients, model.callTerms(run, call, size, dimension));
  const errors = [
    planned("predict", outcome.size) / outcome.mostPerPredict - 1,
    planned("learn", most("mostSize")) / most("mostPerStep") - 1,
  ];
  const bounded = forgetting.length === 0 || (1 + errors[1]) / (1 - fits.learn.error) >= 1 - STALE;
  const holds = Math.abs(errors[0]) <= STALE && Math.abs(errors[1]) <= STALE_LEARN && bounded;
  check(
    `${run}: ${chip} costs what targets/costs.json says (npm run build:costs makes it again)`,
    holds,
    errors,
  );
}

/**
 * The same for classes that share a dictionary, with a given width. Without an FPU a coefficient's cost
 * depends on the kernel values, since a sum omits the smallest; the fit states its error.
 */
export function checkShared(chip, run, { dimension }, { size, perPredict, mostSize, mostPerStep }) {
  const fits = costs.instructions[chip]?.shared;
  if (!fits) return;
  const classes = Number(/\/(\d+)\/shared$/.exec(run)[1]);
  const holds = ({ coefficients, error }, rows, counted) => {
    const reckoned = model.cost(coefficients, model.sharedTerms(rows, dimension, classes));
    return Math.abs(reckoned / counted - 1) <= error + STALE;
  };
  check(
    `${run}: ${chip} costs what targets/costs.json says (npm run build:costs -- shared makes it again)`,
    holds(fits.predict, size, perPredict) && holds(fits.learn, mostSize, mostPerStep),
    { perPredict, mostPerStep, ...fits },
  );
}

/** The same for a step of the usual learner's node with spectral features. */
export function checkSpectrum(chip, { channels, window, bands, lines, burst }, { size, perStep }) {
  if (!costs.instructions[chip]) return;
  const sensors = channels / burst;
  const dimension = sensors * (bands + 2 + lines.length);
  const shape = {
    channels,
    window,
    standardise: true,
    dimension,
    spectrum: { sensors, bands, lines: lines.length },
  };
  const { node, spectrum, learners } = costs.instructions[chip];
  const { predict, learn } = learners["olk-c"];
  const terms = model.learnerTerms(size, dimension);
  const planned = [
    [node, model.nodeTerms(shape)],
    [spectrum, model.spectrumTerms(shape, shape.spectrum)],
    [predict, terms],
    [learn, terms],
  ].reduce((sum, [{ coefficients }, terms]) => sum + model.cost(coefficients, terms), 0);
  const holds = Math.abs(planned / perStep - 1) <= STALE;
  check(
    `spectra of ${window}: ${chip} costs what targets/costs.json says (npm run build:costs -- spectrum makes it again)`,
    holds,
    planned / perStep,
  );
}

/**
 * Plan's sums for the usual node (programs/loops.ts), alone and behind its wire (programs/wire-loop.ts):
 * slots, chunk bytes, instructions of a step.
 */
export function checkNode(chip, run, outcome) {
  if (!costs.instructions[chip]) return;
  const { learners, window, standardise } = costs.objects;
  const parts = [learners["olk-c"], window, window, window, standardise];
  if (run === "wire") parts.push(costs.wire);
  const sumParts = (of) => parts.reduce((sum, part) => sum + part[of], 0);
  const shape = { channels: 3, window: 8, standardise: true, dimension: 9 };
  const { predict, learn } = costs.instructions[chip].learners["olk-c"];
  const terms = model.learnerTerms(outcome.size, shape.dimension);
  const learner = model.cost(predict.coefficients, terms) + model.cost(learn.coefficients, terms);
  const own = model.cost(costs.instructions[chip].node.coefficients, model.nodeTerms(shape));
  const wire = run === "wire" ? costs.instructions[chip].wire : 0;
  const ratios = [
    sumParts("slots") / (outcome.slots - outcome.besides.slots),
    (sumParts("chunk") + outcome.bytes) / (outcome.chunks - outcome.besides.chunks),
    (own + learner + wire) / outcome.perStep,
  ];
  const holds = ratios.every((ratio) => Math.abs(ratio - 1) <= STALE);
  check(
    `${run}: ${chip} takes what targets/costs.json says (npm run build:costs makes it again)`,
    holds,
    ratios,
  );
}

/** Nodes with optional parts, each on its own line. */
const BUSY_NODES = {
  "AROW that corrects labels, asks for them, has sets, watches for drift, with keys": {
    node: {
      ...{ learner: "arow/sources", options: {}, labelBudget: 0.25, coverage: 0.9, drift: "restart" },
      ...{ channels: 3, window: 8, standardise: true },
    },
    line: { quiet: true, keyed: true, keyedLabels: true },
  },
  "NORMA with intervals": {
    node: {
      ...{ learner: "norma-r/given", options: {}, coverage: 0.9 },
      ...{ channels: 8, window: 0, standardise: false },
    },
    line: { quiet: true },
  },
  "OLK-C that finds its width": {
    node: { learner: "olk-c", options: {}, channels: 8, window: 0, standardise: true },
    line: { quiet: true },
  },
};
/** Steps after which no checkpoint is due, and few labels try another width. */
const QUIET = 590;

/** Plan's cost of a sample and its label holds for nodes with optional parts, within the same tolerance. */
export async function checkParts(chip, run, onNode) {
  for (const [what, shape] of Object.entries(BUSY_NODES)) {
    const line = { ...shape.line, uart: !chip.startsWith("rv32") };
    const argument = { run: "wire", budget: 20, dimension: 1, steps: QUIET, ...shape, line };
    const time = await onNode({ ...argument, run: "planned", chip });
    if (!time) continue;
    const c = readOutcome(await run({ ...argument, path: "c" }));
    const ts = await onNode({ ...argument, path: "wasm" });
    check(`${what}: ${chip} ends where Node does`, c.hash === ts.hash, c);
    const ratio = time.sample / c.perStep;
    check(
      `${what}: ${chip} takes what plan says (npm run build:costs makes it again)`,
      Math.abs(ratio - 1) <= STALE,
      { ratio, ...time, counted: c.perStep },
    );
  }
}
