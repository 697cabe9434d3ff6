import { cpuTime } from "../../../host/cpu-time.ts";
import { Random } from "../../../host/random.ts";
import { GroupTrainer } from "../../../host/training/group-trainer.ts";
import { normals } from "../../experiments/lib/drawing.ts";

/** What a group's training costs the gateway. */
export interface TrainerCost {
  readonly nodes: number;
  /** Labels of each node. */
  readonly labels: number;
  readonly vectors: number;
  /** Models that were sent. */
  readonly models: number;
  readonly cpuSeconds: number;
  /** The longest that the gateway's worker was busy with what one label made due. */
  readonly longestMs: number;
}

const DIMENSION = 8;
/** Share of labels that are wrong. */
const WRONG = 0.05;

/** A group's life with so many labels each, in turn. */
export function trainerCost(nodes: number, labels: number, vectors: number): TrainerCost {
  const random = new Random(1, "cost");
  const trainer = new GroupTrainer(nodes, { dimension: DIMENSION, vectors });
  const begin = cpuTime();
  let models = 0;
  let longestMs = 0;
  for (let k = 0; k < nodes * labels; k++) {
    const x = Float32Array.from(normals(random, DIMENSION));
    const isRight = random.uniform() >= WRONG;
    trainer.take(k % nodes, { x, y: x[0] + x[1] * x[2] > 0 === isRight ? 1 : -1 });
    const before = performance.now();
    models += trainer.models().length;
    longestMs = Math.max(longestMs, performance.now() - before);
  }
  return { nodes, labels, vectors, models, cpuSeconds: (cpuTime() - begin) / 1e6, longestMs };
}
