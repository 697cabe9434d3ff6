import { COUNTERS } from "../../../src/learn/learner.ts";
import { NODE_COUNTERS, type NodeOptions, nodeLayout, SensorNode } from "../../../src/node/node.ts";
import type { Label, Storage } from "../../../src/node/ports.ts";
import type { Host } from "./host.ts";
import { nativeF32 } from "./native-f32.ts";
import { COMMAND } from "./pipe.ts";
import { nodeOptionsOf, type ServedOptions } from "./served-options.ts";

/** The simulator's end of pipe.c. Nothing here allocates. */
interface Pipe {
  /** Sends what was put, and waits for a command; its arguments go into `readings`, too. Returns its kind. */
  next(readings: Float32Array): number;
  /** Argument i of the command. */
  argument(i: number): number;
  put(value: number): void;
  save(checkpoint: Uint8Array): boolean;
  load(checkpoint: Uint8Array): boolean;
}

declare const host: Host;
declare const pipe: Pipe;

function makeNode(options: NodeOptions): SensorNode {
  const layout = nodeLayout(options);
  const memory = layout.range(nativeF32(new ArrayBuffer(layout.bytes)));
  const link = {
    predicted() {},
    acknowledge(number: number, status: number) {
      pipe.put(number);
      pipe.put(status);
    },
  };
  const storage: Storage = {
    save: (checkpoint) => pipe.save(checkpoint),
    load: (checkpoint) => (pipe.load(checkpoint) ? "restored" : "fresh"),
  };
  return new SensorNode(options, { now: () => 0 }, link, storage, memory);
}

function takeLabel(label: { number: number; sid: number; seq: number; y: number }): Label {
  label.number = pipe.argument(0);
  label.sid = pipe.argument(1);
  label.seq = pipe.argument(2);
  label.y = pipe.argument(3);
  return label;
}

function putText(text: string): void {
  for (let i = 0; i < text.length; i++) pipe.put(text.charCodeAt(i));
}

/** See `TAIL`. */
function putTail(node: SensorNode, decision: number): void {
  const { learner } = node;
  pipe.put(decision);
  pipe.put(node.seq);
  pipe.put(learner.size);
  for (let i = 0; i < COUNTERS.length; i++) pipe.put(learner.count(COUNTERS[i]));
  for (let i = 0; i < NODE_COUNTERS.length; i++) pipe.put(node.count(NODE_COUNTERS[i]));
}

/** A node that does what the simulator says, until the machine ends. */
function main(): void {
  const options = nodeOptionsOf(JSON.parse(host.argument()) as ServedOptions);
  const node = makeNode(options);
  const readings = new Float32Array(options.channels);
  const label = { number: 0, sid: 0, seq: 0, y: 0 };
  let decision = Number.NaN;
  for (;;) {
    putTail(node, decision);
    const kind = pipe.next(readings);
    decision = Number.NaN;
    if (kind === COMMAND.sample) decision = node.sample(readings);
    else if (kind === COMMAND.label) node.label(takeLabel(label));
    else if (kind === COMMAND.hashes) {
      putText(node.learner.stateHash());
      putText(node.stateHash());
    }
  }
}

Object.assign(globalThis, { main });
