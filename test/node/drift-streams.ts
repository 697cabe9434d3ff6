import { Random } from "../../host/random.ts";
import type { UserOptions } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK } from "../../src/node/ports.ts";

/** Inputs and true classes; at sample `change`, if any, the concept changes. */
export interface DriftStream {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly change?: number;
}

export const DELAY = 30;

/** Two Gaussian classes in 6 dimensions, Bayes error 10 %, of that persistence; half way the line between them turns by 90 degrees, if it turns. */
export function scene(seed: number, turns: boolean, count = 3000, persistence = 50): DriftStream {
  const random = new Random(seed, "drift-scene");
  const x: number[][] = [];
  const y: number[] = [];
  for (let t = 0, c = 1; t < count; t++) {
    if (random.uniform() < 1 / persistence) c = -c;
    const along = turns && t >= count / 2 ? 1 : 0;
    y.push(c);
    x.push(Array.from({ length: 6 }, (_, j) => random.normal() + (j === along ? 1.3 * c : 0)));
  }
  return { x, y, ...(turns && { change: count / 2 }) };
}

/** SEA (Street and Kim 2001): three readings; two of them count, against a threshold that changes with every quarter. */
export function sea(seed: number, count = 6000): DriftStream {
  const random = new Random(seed, "drift-sea");
  const x = Array.from({ length: count }, () => Array.from({ length: 3 }, () => 10 * random.uniform()));
  const y = x.map(([a, b], t) => (a + b <= [8, 9, 7, 9.5][Math.floor((4 * t) / count)] ? 1 : -1));
  return { x: x.map((each) => each.map((value) => (value - 5) / 2.9)), y };
}

/** A hyperplane in 6 dimensions that turns slowly, by 180 degrees in all. */
export function hyperplane(seed: number, count = 6000): DriftStream {
  const random = new Random(seed, "drift-plane");
  const x = Array.from({ length: count }, () => Array.from({ length: 6 }, () => random.normal()));
  const y = x.map(([a, b], t) => {
    const angle = (Math.PI * t) / count;
    return Math.cos(angle) * a + Math.sin(angle) * b >= 0 ? 1 : -1;
  });
  return { x, y };
}

/** Labels as they come: each wrong with that probability. */
export function flipped({ y }: DriftStream, seed: number, flips: number): number[] {
  const random = new Random(seed, `flips ${flips}`);
  return y.map((label) => (random.uniform() < flips ? -label : label));
}

/** Balanced accuracy of the decisions. */
export function balanced(said: readonly number[], truth: readonly number[]): number {
  const right = [0, 0];
  const all = [0, 0];
  truth.forEach((y, t) => {
    const row = y > 0 ? 1 : 0;
    all[row]++;
    if (said[t] === y) right[row]++;
  });
  return (right[0] / all[0] + right[1] / all[1]) / 2;
}

/** A node's result on a stream: its accuracy, and the samples of its alarms. */
export interface NodeRun {
  readonly accuracy: number;
  readonly drifts: readonly number[];
  readonly shifts: readonly number[];
}

/** A node on a stream whose labels come 30 samples late, wrong at that rate. */
export function runNode(
  stream: DriftStream,
  seed: number,
  flips: number,
  given: { learner?: string; options?: UserOptions; node?: Partial<NodeOptions> } = {},
): NodeRun {
  const { learner = "arow", options = {}, node: more } = given;
  const said: number[] = [];
  const [drifts, shifts] = [[] as number[], [] as number[]];
  const link = {
    predicted(seq: number, _ts: number, decision: number, remarks: number) {
      said.push(decision < 0 ? -1 : 1);
      if (remarks & REMARK.drift) drifts.push(seq);
      if (remarks & REMARK.shift) shifts.push(seq);
    },
    acknowledge() {},
  };
  const about = {
    sid: 1,
    channels: stream.x[0].length,
    pending: 64,
    learner: familyNamed(learner)!,
    options,
  };
  const node = new SensorNode(
    { ...about, labelFlips: [flips, flips], ...more },
    { now: () => 0 },
    link,
    NO_STORAGE,
  );
  const labels = flipped(stream, seed, flips);
  stream.x.forEach((x, t) => {
    node.sample(x);
    const seq = t - DELAY + 1;
    if (seq > 0) node.label({ number: seq, sid: 1, seq, y: labels[seq - 1] });
  });
  return { accuracy: balanced(said, stream.y), drifts, shifts };
}
