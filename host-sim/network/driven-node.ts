import type { Counter } from "../../src/learn/learner.ts";
import { type NodeCounter, type NodeOptions, nodeLayout, SensorNode } from "../../src/node/node.ts";
import type { Label, LabelStatus, Storage } from "../../src/node/ports.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import { arithmetic } from "../arithmetic.ts";
import type { Stop } from "../result.ts";

/** A sensor node as the simulator drives it, wherever it runs. */
export interface DrivenNode {
  /** Takes a sample, one reading a channel. Returns the prediction; NaN if there is none. */
  sample(readings: Float32Array): number;
  /** Takes a label. */
  label(label: Label): void;
  /** Number of the last sample, from 1. */
  readonly seq: number;
  /** Vectors stored. */
  readonly size: number;
  count(name: NodeCounter): number;
  learnerCount(name: Counter): number;
  /** The hash of the learner's state, and of the whole node's. */
  hashes(): { readonly state: string; readonly node: string };
  /** Set once the node can't go on: it then predicts nothing, answers nothing, and keeps its last figures. */
  readonly stop?: Stop;
  close(): void;
}

/** Makes a node; it tells `acknowledge` of each label that it answers, before `label` returns. */
export type MakeNode = (
  options: NodeOptions,
  acknowledge: (number: number, status: LabelStatus) => void,
) => DrivenNode;

/** A disk that keeps the last checkpoint. */
class Disk implements Storage {
  private kept: Uint8Array | undefined;

  save(checkpoint: Uint8Array): boolean {
    this.kept = checkpoint.slice();
    return true;
  }

  load(checkpoint: Uint8Array): RestoreStatus {
    if (this.kept?.length !== checkpoint.length) return "fresh";
    checkpoint.set(this.kept);
    return "restored";
  }
}

/** A node in this process, on `arithmetic()`. */
export const nodeHere: MakeNode = (options, acknowledge) => {
  const memory = arithmetic().allocate(nodeLayout(options));
  const link = { predicted() {}, acknowledge };
  const node = new SensorNode(options, { now: () => 0 }, link, new Disk(), memory);
  return {
    sample: (readings) => node.sample(readings),
    label: (label) => {
      node.label(label);
    },
    get seq() {
      return node.seq;
    },
    get size() {
      return node.learner.size;
    },
    count: (name) => node.count(name),
    learnerCount: (name) => node.learner.count(name),
    hashes: () => ({ state: node.learner.stateHash(), node: node.stateHash() }),
    close() {},
  };
};
