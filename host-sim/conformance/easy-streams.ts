import { Random } from "../../host/random.ts";
import { average } from "../../host/statistics.ts";
import { decidedClass, type Task } from "../../src/learn/learner.ts";
import { Elementary } from "../../src/math/elementary.ts";
import { Auc } from "../scoring/auc.ts";

export interface Sample {
  readonly x: Float32Array;
  readonly y: number;
}

const elementary = new Elementary();
const SPREAD = 0.35;
/** Where the clusters of the classes lie, in the first two components. */
const CENTRES = [
  [-1, 0],
  [1, 0],
  [0, 1.6],
];
const FAR = 4;

/** Labelled samples from which any learner of the task must learn something; two components or more. */
export function easyStream(task: Task, dimension: number, count: number, seed = 1): Sample[] {
  const random = new Random(seed, `easy ${task}`);
  const noise = (scale: number) => Float32Array.from({ length: dimension }, () => scale * random.normal());
  const cluster = (k: number) => noise(SPREAD).map((value, j) => value + (CENTRES[k][j] ?? 0));
  const make: Record<Task, () => Sample> = {
    classification() {
      const k = random.below(2);
      return { x: cluster(k), y: 2 * k - 1 };
    },
    multiclass() {
      const y = random.below(CENTRES.length);
      return { x: cluster(y), y };
    },
    regression() {
      const x = noise(0.05);
      x[0] = 2 * random.uniform() - 1;
      return { x, y: Math.fround(elementary.sin(3 * x[0]) + 0.05 * random.normal()) };
    },
    novelty() {
      if (random.uniform() < 0.9) return { x: noise(SPREAD), y: random.below(2) };
      return { x: noise(SPREAD).map((value, j) => (j < 2 ? value + FAR : value)), y: -1 };
    },
  };
  return Array.from({ length: count }, make[task]);
}

/** The loss of a decision: a wrong class, or the squared error. */
function loss(task: Task, decision: number, y: number): number {
  if (task === "regression") return (decision - y) * (decision - y);
  return decidedClass(task, decision) === decidedClass(task, y) ? 0 : 1;
}

/** Mean loss of the decisions; for novelty 1 - AUC, since a threshold on the score takes time to converge. */
export function meanLoss(task: Task, decisions: readonly number[], stream: readonly Sample[]): number {
  if (task !== "novelty") return average(stream.map(({ y }, i) => loss(task, decisions[i], y)));
  const auc = new Auc();
  stream.forEach(({ y }, i) => {
    auc.add(y < 0 ? -1 : 1, decisions[i]);
  });
  return 1 - (auc.value as number);
}

/** Mean loss of the best constant prediction. */
export function trivialLoss(task: Task, stream: readonly Sample[]): number {
  const constants = task === "regression" ? [average(stream.map(({ y }) => y))] : [-1, 0, 1, 2];
  return Math.min(
    ...constants.map((constant) => meanLoss(task, new Array(stream.length).fill(constant), stream)),
  );
}
