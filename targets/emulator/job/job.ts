import { PortableF32 } from "../../../src/math/f32.ts";
import type { Host } from "./host.ts";
import { type Loop, learnerLoop, nodeLoop } from "./loops.ts";
import { nativeF32 } from "./native-f32.ts";

/** What a machine is to do. */
export interface Job {
  /** A learner's name, `node`, or a failure: `recursion`, `endless`, `exception`. */
  readonly run: string;
  readonly steps: number;
  /** Where the primitives come from. */
  readonly path: "js" | "c";
  readonly dimension: number;
  readonly budget: number;
  /** Memory is compared from this step to the last. */
  readonly settled?: number;
  /** The step at which one object is made, to see that it is seen. */
  readonly plant?: number;
}

/** What came of it, printed as JSON. */
export interface Outcome {
  readonly hash: string;
  /** Bytes of the learner's or the node's range. */
  readonly bytes: number;
  readonly slots: number;
  readonly chunks: number;
  /** Between the settled step and the last. */
  readonly slotsMore: number;
  readonly chunksMore: number;
  readonly collections: number;
  /** Instructions a step and a prediction, at the end; 0 where they aren't counted. */
  readonly perStep: number;
  readonly perPredict: number;
}

/** The steps at the end over which instructions are averaged. */
const MEASURED = 64;

function recurse(depth: number): number {
  return 1 + recurse(depth + 1);
}

function makeLoop({ run, path, dimension, budget }: Job): Loop {
  const arithmetic = (buffer: ArrayBuffer) => (path === "c" ? nativeF32(buffer) : new PortableF32(buffer));
  if (run === "node") return nodeLoop(budget, arithmetic);
  return learnerLoop(run, dimension, budget, arithmetic);
}

function runLoop(host: Host, job: Job): Outcome {
  const { steps, plant = -1, settled = 0 } = job;
  const bin = { planted: undefined as unknown };
  const loop = makeLoop(job);
  const reading = instructionsOfReading(host);
  let slots = 0;
  let chunks = 0;
  let collections = 0;
  let spent = 0;
  host.collect();
  const atRest = { slots: host.slots(), chunks: host.chunks() };
  for (let i = 0; i < steps; i++) {
    if (i === settled) {
      slots = host.slots();
      chunks = host.chunks();
      collections = host.collections();
    }
    if (i === plant) bin.planted = { i };
    loop.next();
    const before = host.instructions();
    loop.step();
    if (i >= steps - MEASURED) spent += host.instructions() - before - reading;
  }
  const slotsMore = host.slots() - slots;
  const chunksMore = host.chunks() - chunks;
  const collected = host.collections() - collections;
  const perPredict = loop.predict ? instructionsOfPredict(host, loop) - reading : 0;
  const perStep = Math.round(spent / MEASURED);
  const { bytes } = loop;
  return {
    hash: loop.hash(),
    bytes,
    ...atRest,
    slotsMore,
    chunksMore,
    collections: collected,
    perStep,
    perPredict,
  };
}

function instructionsOfReading(host: Host): number {
  const before = host.instructions();
  return host.instructions() - before;
}

function instructionsOfPredict(host: Host, loop: Loop): number {
  const before = host.instructions();
  loop.predict?.();
  return host.instructions() - before;
}

/** Runs the host's job and prints its outcome as a line of JSON. */
export function runJob(host: Host): void {
  const job = JSON.parse(host.job()) as Job;
  if (job.run === "recursion") host.print(`${recurse(0)}`);
  if (job.run === "exception") throw new RangeError("nobody catches this");
  if (job.run === "endless") for (;;);
  host.print(JSON.stringify(runLoop(host, job)));
}
