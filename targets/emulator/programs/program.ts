import { boot } from "./boot.ts";
import { type BytePipe, bytePipe } from "./byte-pipe.ts";
import { frameBytes } from "./frame-bytes.ts";
import { frameCosts } from "./frame-costs.ts";
import type { Host } from "./host.ts";
import { HourLoop, type Traffic } from "./hour-loop.ts";
import type { LineShape } from "./line.ts";
import { type Arithmetic, type Loop, learnerLoop, type NodeShape, nodeLoop } from "./loops.ts";
import type { Place } from "./stream.ts";
import { TurnLoop } from "./turn-loop.ts";
import { wireCosts } from "./wire-costs.ts";
import { wireLoop } from "./wire-loop.ts";

/** What a machine is to do. */
export interface ProgramArgument {
  /** A learner's name, `turn:` and one, `node`, `wire`, `hour`, `boot`, `wire costs`, `frame bytes`, `frame costs`, `nothing`, or a failure: `recursion`, `endless`, `exception`. */
  readonly run: string;
  readonly steps: number;
  /** Where the primitives come from: `js` everywhere, `c` on XS, `wasm` on Node. */
  readonly path: string;
  readonly dimension: number;
  readonly budget: number;
  /** Where a learner's samples lie, other than usual. */
  readonly place?: Place;
  /** What a `node` has, or that of `wire` or `hour`, where it isn't the usual. */
  readonly node?: Partial<NodeShape>;
  /** What is between the node of `wire` and its peer, where it isn't the usual. */
  readonly line?: LineShape;
  /** Memory is compared from this step to the last. */
  readonly settled?: number;
  /** The steps at the end over which instructions are averaged; 64 unless given. */
  readonly measured?: number;
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
  /** Of those, what the engine takes, and what stands for the surroundings of learner or node. */
  readonly besides: { readonly slots: number; readonly chunks: number };
  /** Between the settled step and the last. */
  readonly slotsMore: number;
  readonly chunksMore: number;
  readonly collections: number;
  /** Bytes of the C stack at its deepest during the steps; 0 where it isn't watched. */
  readonly stack: number;
  /** Instructions a step and a prediction, at the end; 0 where they aren't counted. */
  readonly perStep: number;
  readonly perPredict: number;
  /** Instructions to restart the confidence of a learner that has any, once all else is known; 0 of any other. */
  readonly perRestart: number;
  /** Instructions of the largest step. */
  readonly mostPerStep: number;
  /** Vectors stored at the end, and at most. */
  readonly size: number;
  readonly mostSize: number;
  /** What went over the line; of `hour` only. */
  readonly traffic?: Traffic;
}

/** Each path that a host has, by name. */
export type Arithmetics = { readonly [path: string]: Arithmetic };

const TURN = "turn:";

function recurse(depth: number): number {
  return 1 + recurse(depth + 1);
}

function arithmeticOf({ path }: ProgramArgument, arithmetics: Arithmetics): Arithmetic {
  const arithmetic = arithmetics[path];
  if (!arithmetic) throw new RangeError(`path: got ${path}; takes ${Object.keys(arithmetics).join(" or ")}`);
  return arithmetic;
}

function makeLoop(
  host: Host,
  argument: ProgramArgument,
  arithmetics: Arithmetics,
  pipe: BytePipe,
  begins: () => void,
): Loop {
  const { run, dimension, budget, place, node = {}, line = {} } = argument;
  const arithmetic = arithmeticOf(argument, arithmetics);
  if (run === "node") return nodeLoop(node, budget, arithmetic, begins);
  if (run === "wire") return wireLoop(pipe, { ...node, budget }, line, arithmetic, begins);
  if (run === "hour") return new HourLoop(host, node, budget, arithmetic);
  if (run.startsWith(TURN)) return new TurnLoop(run.slice(TURN.length), dimension, budget, arithmetic);
  return learnerLoop(run, dimension, budget, arithmetic, place);
}

function runLoop(host: Host, argument: ProgramArgument, arithmetics: Arithmetics, pipe: BytePipe): Outcome {
  const { steps, plant = -1, settled = 0, measured = 64 } = argument;
  const bin = { planted: undefined as unknown };
  const besides = { slots: 0, chunks: 0 };
  const begins = () => {
    host.collect();
    besides.slots = host.slots();
    besides.chunks = host.chunks();
  };
  begins();
  const loop = makeLoop(host, argument, arithmetics, pipe, begins);
  const reading = instructionsOfReading(host);
  let slots = 0;
  let chunks = 0;
  let collections = 0;
  let spent = 0;
  let mostPerStep = 0;
  let mostSize = 0;
  host.collect();
  const atRest = { slots: host.slots(), chunks: host.chunks() };
  loop.begin?.();
  host.watchStack();
  for (let i = 0; i < steps; i++) {
    host.feed();
    if (i === settled) {
      slots = host.slots();
      chunks = host.chunks();
      collections = host.collections();
    }
    if (i === plant) bin.planted = { i };
    loop.next();
    const before = host.instructions();
    loop.step();
    const took = host.instructions() - before - reading;
    if (i >= steps - measured) spent += took;
    if (took > mostPerStep) mostPerStep = took;
    if (loop.size > mostSize) mostSize = loop.size;
  }
  const stack = host.stack();
  const slotsMore = host.slots() - slots;
  const chunksMore = host.chunks() - chunks;
  const collected = host.collections() - collections;
  const perPredict = instructionsOfPredict(host, loop, reading);
  const perStep = Math.round(spent / measured);
  const { bytes, size, traffic } = loop;
  const hash = loop.hash();
  return {
    hash,
    bytes,
    ...atRest,
    besides,
    slotsMore,
    chunksMore,
    collections: collected,
    stack,
    perStep,
    perPredict,
    perRestart: instructionsOfRestart(host, loop, reading),
    mostPerStep,
    size,
    mostSize,
    traffic,
  };
}

function instructionsOfReading(host: Host): number {
  const before = host.instructions();
  return host.instructions() - before;
}

/** Of `learner.predict(x)`, the call included; 0 where nothing predicts alone. */
function instructionsOfPredict(host: Host, { learner, x }: Loop, reading: number): number {
  if (!learner || !x) return 0;
  const before = host.instructions();
  learner.predict(x);
  return host.instructions() - before - reading;
}

function instructionsOfRestart(host: Host, { learner }: Loop, reading: number): number {
  if (!learner) return 0;
  const before = host.instructions();
  const isRestarted = learner.restartConfidence();
  return isRestarted ? host.instructions() - before - reading : 0;
}

/** Runs what the host's argument says, on one of its paths, and prints the outcome as a line of JSON. */
export function runProgram(host: Host, arithmetics: Arithmetics, pipe = bytePipe()): void {
  const argument = JSON.parse(host.argument()) as ProgramArgument;
  if (argument.run === "nothing") {
    host.collect();
    host.print(JSON.stringify({ slots: host.slots(), chunks: host.chunks() }));
    return;
  }
  if (argument.run === "boot") {
    host.print(JSON.stringify(boot(host, argument.budget, arithmeticOf(argument, arithmetics))));
    return;
  }
  if (argument.run === "wire costs") {
    host.print(JSON.stringify(wireCosts(host, pipe, argument.budget, arithmeticOf(argument, arithmetics))));
    return;
  }
  if (argument.run === "frame bytes") {
    const arithmetic = arithmeticOf(argument, arithmetics);
    host.print(JSON.stringify({ frames: frameBytes(arithmetic, argument.steps, () => host.feed()) }));
    return;
  }
  if (argument.run === "frame costs") {
    host.print(JSON.stringify(frameCosts(host, arithmeticOf(argument, arithmetics))));
    return;
  }
  if (argument.run === "recursion") host.print(`${recurse(0)}`);
  if (argument.run === "exception") throw new RangeError("nobody catches this");
  if (argument.run === "endless") for (;;);
  host.print(JSON.stringify(runLoop(host, argument, arithmetics, pipe)));
}
