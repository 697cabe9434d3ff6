import { type Learner, noteWords } from "../../../src/learn/learner.ts";
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

/** A machine's task. */
export interface ProgramArgument {
  /**
   * A learner's name, `turn:` and one, `node`, `wire`, `hour`, `boot`, `wire costs`, `frame bytes`, `frame
   * costs`, `nothing`, or a failure: `recursion`, `endless`, `exception`.
   */
  readonly run: string;
  readonly steps: number;
  /** Where the primitives come from: `js` everywhere, `c` on XS, `wasm` on Node. */
  readonly path: string;
  readonly dimension: number;
  readonly budget: number;
  /** The place of a learner's samples; default: the usual. */
  readonly place?: Place;
  /** Options of a `node`, or of the node of `wire` or `hour`; default: the usual. */
  readonly node?: Partial<NodeShape>;
  /** Options of the line between the node of `wire` and its peer; default: the usual. */
  readonly line?: LineShape;
  /** Memory must not grow from this step to the last. */
  readonly settled?: number;
  /** The steps at the end over which instructions are averaged; 64 unless given. */
  readonly measured?: number;
  /** The step at which one object is planted, to check that the test sees it. */
  readonly plant?: number;
}

/** The outcome, printed as JSON. */
export interface Outcome {
  readonly hash: string;
  /** Bytes of the learner's or the node's range. */
  readonly bytes: number;
  readonly slots: number;
  readonly chunks: number;
  /** Of those, the engine's, and the share of the learner's or node's surroundings. */
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
  /** Instructions of the longest of some predictions behind the last step, each with its sample's note. */
  readonly mostPerPredict: number;
  /** Instructions to restart a learner's confidence, measured last; 0 if it has none. */
  readonly perRestart: number;
  /** Instructions of the largest step. */
  readonly mostPerStep: number;
  /** Vectors stored at the end, and at most. */
  readonly size: number;
  readonly mostSize: number;
  /** The line's traffic; `hour` only. */
  readonly traffic?: Traffic;
}

/** Each path that a host has, by name. */
export type Arithmetics = { readonly [path: string]: Arithmetic };

const TURN = "turn:";

function recurse(depth: number): number {
  return 1 + recurse(depth + 1);
}

function chooseArithmetic({ path }: ProgramArgument, arithmetics: Arithmetics): Arithmetic {
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
  const arithmetic = chooseArithmetic(argument, arithmetics);
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
  const mostPerPredict = instructionsOfLongestPredict(host, loop, reading);
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
    mostPerPredict,
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

/** Instructions of `learner.predict(x)` with the call; 0 where nothing predicts alone. */
function instructionsOfPredict(host: Host, { learner, x }: Loop, reading: number): number {
  if (!learner || !x) return 0;
  const before = host.instructions();
  learner.predict(x);
  return host.instructions() - before - reading;
}

/** So many predictions are counted; the longest is reported. One sample in 16 is an outlier: its kernel values are 0, which software multiplies fast. */
const PREDICTED = 32;

/**
 * Instructions of the longest of so many predictions, from the last sample on, each with the note of its sample where a node takes one: a
 * learner may compute in the note what its prediction didn't need.
 */
function instructionsOfLongestPredict(host: Host, loop: Loop, reading: number): number {
  const { learner } = loop;
  if (!learner) return 0;
  const takesNote = noteWords(learner.layout) > 0;
  let most = 0;
  for (let i = 0; i < PREDICTED; i++) {
    host.feed();
    let took = instructionsOfPredict(host, loop, reading);
    if (takesNote) took += instructionsOfNote(host, learner, reading);
    if (took > most) most = took;
    loop.next();
  }
  return most;
}

function instructionsOfNote(host: Host, learner: Learner, reading: number): number {
  const before = host.instructions();
  learner.note();
  return host.instructions() - before - reading;
}

function instructionsOfRestart(host: Host, { learner }: Loop, reading: number): number {
  if (!learner) return 0;
  const before = host.instructions();
  const isRestarted = learner.restartConfidence();
  return isRestarted ? host.instructions() - before - reading : 0;
}

/** Runs the program in the host's argument on one of its paths, and prints the outcome as a line of JSON. */
export function runProgram(host: Host, arithmetics: Arithmetics, pipe = bytePipe()): void {
  const argument = JSON.parse(host.argument()) as ProgramArgument;
  if (argument.run === "nothing") {
    host.collect();
    host.print(JSON.stringify({ slots: host.slots(), chunks: host.chunks() }));
    return;
  }
  if (argument.run === "boot") {
    host.print(JSON.stringify(boot(host, argument.budget, chooseArithmetic(argument, arithmetics))));
    return;
  }
  if (argument.run === "wire costs") {
    host.print(
      JSON.stringify(wireCosts(host, pipe, argument.budget, chooseArithmetic(argument, arithmetics))),
    );
    return;
  }
  if (argument.run === "frame bytes") {
    const arithmetic = chooseArithmetic(argument, arithmetics);
    host.print(JSON.stringify({ frames: frameBytes(arithmetic, argument.steps, () => host.feed()) }));
    return;
  }
  if (argument.run === "frame costs") {
    host.print(JSON.stringify(frameCosts(host, chooseArithmetic(argument, arithmetics))));
    return;
  }
  if (argument.run === "recursion") host.print(`${recurse(0)}`);
  if (argument.run === "exception") throw new RangeError("nobody catches this");
  if (argument.run === "endless") for (;;);
  host.print(JSON.stringify(runLoop(host, argument, arithmetics, pipe)));
}
