import { Random } from "../../host/random.ts";
import { type Family, type UserOptions, withBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { easyStream, meanLoss, type Sample, trivialLoss } from "./easy-streams.ts";
import { must, mustBe } from "./violation.ts";

const DIMENSION = 3;
const BUDGET = 24;
/**
 * Ordinary samples: before most faults, after each fault until recovery is due, and in the measurement of it.
 */
const BEFORE = 200;
const WITHIN = 500;
const MEASURED = 300;
/** How far the mean loss may exceed the undisturbed twin's, as a share of the best constant's loss. */
const SHARE = 0.25;

/** A fault: samples that a learner gets in place of ordinary ones. */
interface Fault {
  readonly name: string;
  /** True if it comes first of all. */
  readonly atStart?: boolean;
  readonly onlyRegression?: boolean;
  readonly count: number;
  spoil(random: Random, sample: Sample): Sample;
}

/** A magnitude between the powers of ten, of either sign. */
function huge(random: Random, from: number, to: number): number {
  const power = Number(`1e${from + random.below(to - from + 1)}`);
  return (random.below(2) === 0 ? -1 : 1) * power * (1 + random.uniform());
}

const farInputs =
  (from: number, to: number) =>
  (random: Random, { x, y }: Sample) => ({
    x: x.map(() => huge(random, from, to)),
    y,
  });
const wrongLabels =
  (from: number, to: number) =>
  (random: Random, { x }: Sample) => ({
    x,
    y: Math.fround(huge(random, from, to)),
  });
const stuck = Float32Array.of(0.3, -0.2, 0.1);

const FAULTS: readonly Fault[] = [
  { name: "an input of 1e6", count: 1, spoil: farInputs(6, 6) },
  { name: "20 inputs of 1e4 to 1e6", count: 20, spoil: farInputs(4, 6) },
  { name: "150 inputs of 1e6 to 1e30", count: 150, spoil: farInputs(6, 30) },
  { name: "100 inputs of 1e6 at the start", atStart: true, count: 100, spoil: farInputs(6, 6) },
  {
    name: "100 times the same input at the start",
    atStart: true,
    count: 100,
    spoil: (_, { y }) => ({ x: stuck, y }),
  },
  { name: "a label of 1e20", onlyRegression: true, count: 1, spoil: wrongLabels(20, 20) },
  { name: "50 labels of 1e6 to 1e30", onlyRegression: true, count: 50, spoil: wrongLabels(6, 30) },
  {
    name: "20 labels of 1e6 at the start",
    atStart: true,
    onlyRegression: true,
    count: 20,
    spoil: wrongLabels(6, 6),
  },
];

/** The learner's mean loss at the end of the stream; it may refuse nothing there. */
function lossAfter(learner: Learner, stream: readonly Sample[], seed: number, fault?: Fault): number {
  const random = new Random(seed, "faults");
  const before = fault?.atStart ? 0 : BEFORE;
  const from = stream.length - MEASURED;
  let overflowed = 0;
  const decisions = stream.map(({ x, y }, t) => {
    if (fault !== undefined && t === before) {
      for (let k = 0; k < fault.count; k++) {
        const spoilt = fault.spoil(random, stream[(t + k) % stream.length]);
        learner.learn(spoilt.x, spoilt.y);
      }
    }
    if (t === from) overflowed = learner.count("overflowed");
    return learner.learn(x, y);
  });
  mustBe(
    learner.count("overflowed") - overflowed,
    0,
    `ordinary samples refused after ${fault?.name ?? "nothing"}`,
  );
  return meanLoss(learner.task, decisions.slice(from), stream.slice(from));
}

/**
 * After any finite input a learner recovers: 500 ordinary samples later its loss is near an undisturbed
 * twin's.
 */
export function recovers(family: Family, options: UserOptions, seed: number): void {
  const create = () => family.create(withBudget(family, { ...options, dimension: DIMENSION }, BUDGET));
  const { task } = create();
  for (const atStart of [false, true]) {
    const stream = easyStream(task, DIMENSION, (atStart ? 0 : BEFORE) + WITHIN + MEASURED, seed);
    const most = lossAfter(create(), stream, seed) + SHARE * trivialLoss(task, stream.slice(-MEASURED));
    for (const fault of FAULTS) {
      if ((fault.atStart ?? false) !== atStart || (fault.onlyRegression && task !== "regression")) continue;
      const loss = lossAfter(create(), stream, seed, fault);
      must(
        loss < most,
        () => `${WITHIN} ordinary samples after ${fault.name}: mean loss ${loss}, to be below ${most}`,
      );
    }
  }
}
