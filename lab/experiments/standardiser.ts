import { Random } from "../../host/random.ts";
import { average } from "../../host/statistics.ts";
import { prequentialDecisions } from "../../host-sim/prequential/prequential.ts";
import { Confusion } from "../../host-sim/scoring/confusion.ts";
import { decidedClass } from "../../src/index.ts";
import { nodeFeatures } from "../evaluation/features.ts";
import { SHARE } from "../sweep/statistics/statistics.ts";
import { ELEC2, OCCUPANCY, type PapersData, type RecordedStream } from "./lib/data.ts";
import type { Experiment, Findings, Row, RunMeasures } from "./lib/experiment.ts";
import { makeLearner } from "./lib/learner.ts";
import { asSamples, part, type Samples } from "./lib/samples.ts";
import { type Summary, withInterval } from "./lib/summary.ts";
import { claim } from "./lib/verdict.ts";

const PAPER = "Standardiser";
const SAMPLES = 3000;
/** Samples between a sample and its label. */
const DELAY = 30;
const GLITCHES = 10;
const GLITCH = 1000;
const RUNS = 20;

const LEARNERS = [
  { key: "arow", label: "AROW", options: {} },
  { key: "bsgd", label: "BSGD, 32 vectors", options: { budget: 32, kernel: { type: "gaussian", sigma: 2 } } },
] as const;

/** 3000 samples in a row, from where the seed says. */
async function segment(seed: number, data: PapersData, { file, options }: RecordedStream): Promise<Samples> {
  const table = await data.table(file, options);
  const from = new Random(seed, file).below(table.count - SAMPLES);
  return part(
    asSamples(table, (label) => (label > 0 ? 1 : -1)),
    from,
    from + SAMPLES,
  );
}

/** Ten readings, each in a channel of its own choice, thrown a thousand deviations of its channel high. */
function withGlitches(seed: number, { inputs, labels }: Samples): Samples {
  const random = new Random(seed, "glitches");
  const thrown = inputs.map((x) => x.slice());
  for (let i = 0; i < GLITCHES; i++) {
    const channel = random.below(inputs[0].length);
    const readings = inputs.map((x) => x[channel]);
    const mean = average(readings);
    const squares = readings.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
    thrown[random.below(SAMPLES)][channel] += GLITCH * Math.sqrt(squares / SAMPLES);
  }
  return { inputs: thrown, labels };
}

/** Mean and variance of all readings so far (Welford), z clipped at 5: what a glitch throws. */
function plainMean(inputs: readonly Float32Array[]): Float32Array[] {
  const mean = new Float64Array(inputs[0].length);
  const variance = new Float64Array(inputs[0].length);
  return inputs.map((x, t) =>
    x.map((value, c) => {
      const delta = value - mean[c];
      const z = variance[c] > 0 ? delta / Math.sqrt(variance[c]) : 0;
      mean[c] += delta / (t + 1);
      variance[c] += (delta * (value - mean[c]) - variance[c]) / (t + 1);
      return z < -5 ? -5 : z < 5 ? z : 5;
    }),
  );
}

function robust(inputs: readonly Float32Array[], horizon?: number): Float32Array[] {
  return inputs.map(nodeFeatures(inputs[0].length, { standardise: true, horizon }));
}

/** Balanced accuracy of the predictions made before each label comes, so many samples late. */
function prequential(
  learner: (typeof LEARNERS)[number],
  inputs: readonly Float32Array[],
  labels: readonly number[],
) {
  const made = makeLearner(learner.key, { dimension: inputs[0].length, ...learner.options });
  const confusion = new Confusion([-1, 1]);
  const decisions = prequentialDecisions(made, inputs, labels, DELAY);
  for (const [t, decision] of decisions.entries())
    confusion.add(labels[t], decidedClass(made.task, decision));
  return confusion.balancedAccuracy;
}

async function measure(seed: number, data: PapersData, stream: RecordedStream): Promise<RunMeasures> {
  const rest = await segment(seed, data, stream);
  const glitched = withGlitches(seed, rest);
  const scaled = {
    plain: plainMean(rest.inputs),
    robust: robust(rest.inputs),
    "robust-500": robust(rest.inputs, 500),
    "plain/glitches": plainMean(glitched.inputs),
    "robust/glitches": robust(glitched.inputs),
  };
  const numbers: { [name: string]: number } = {};
  for (const learner of LEARNERS)
    for (const [name, inputs] of Object.entries(scaled)) {
      const accuracy = prequential(learner, inputs, rest.labels);
      if (typeof accuracy === "number") numbers[`${learner.key}/${name}`] = accuracy;
    }
  return { numbers };
}

const ROWS: readonly Row[] = LEARNERS.flatMap(({ key, label }) => [
  { name: `${key}/plain`, label: `${label}, running mean and variance of all` },
  { name: `${key}/robust`, label: `${label}, Standardiser` },
  { name: `${key}/robust-500`, label: `${label}, Standardiser, horizon 500` },
  { name: `${key}/plain/glitches`, label: `${label}, running mean, ten glitches` },
  { name: `${key}/robust/glitches`, label: `${label}, Standardiser, ten glitches` },
]);

/** The goals, in balanced accuracy: what the Standardiser may cost at rest, and ten glitches with it. */
const GOALS = { rest: 0.03, glitches: 0.01 };

function verdict(summary: Summary): Findings {
  const thrown = LEARNERS.map(
    ({ key, label }) =>
      `${label} ${withInterval(summary.difference(`${key}/plain`, `${key}/plain/glitches`), 3)}`,
  );
  return {
    claims: LEARNERS.flatMap(({ key, label }) => {
      const rest = summary.difference(`${key}/plain`, `${key}/robust`);
      const glitches = summary.difference(`${key}/robust`, `${key}/robust/glitches`);
      return [
        claim(
          rest.mean <= GOALS.rest,
          `${label}: at rest the Standardiser costs at most ${GOALS.rest} (${withInterval(rest, 3)})`,
        ),
        claim(
          glitches.mean <= GOALS.glitches,
          `${label}: ten glitches cost at most ${GOALS.glitches} (${withInterval(glitches, 3)})`,
        ),
      ];
    }),
    note: `With a running mean and variance ten glitches cost ${thrown.join(", ")}.`,
  };
}

function experiment(id: string, title: string, stream: RecordedStream): Experiment {
  return {
    id: `standardiser-${id}`,
    paper: PAPER,
    ours: true,
    title,
    setup:
      `${SAMPLES} samples in a row from a random place; labels ${DELAY} samples late; balanced accuracy of what is said before; ` +
      `${GLITCHES} single readings thrown by ${GLITCH} deviations of their channel.`,
    runs: RUNS,
    files: [stream.file],
    run: (seed, data) => measure(seed, data, stream),
    rows: ROWS,
    figureRange: () => SHARE,
    figures: [],
    verdict,
  };
}

/** What the robust standardisation of a node costs at rest, and what glitches cost it, on recorded streams. */
export const STANDARDISER: readonly Experiment[] = [
  experiment("occupancy", "Room occupancy, minute by minute", OCCUPANCY),
  experiment("elec2", "Electricity prices, half-hourly", ELEC2),
];
