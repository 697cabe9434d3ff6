import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { NodeKind } from "./node-kind.ts";
import type { NodeMaker } from "./simulated-node.ts";
import type { StartState } from "./start-state.ts";
import type { NodeStream } from "./stream.ts";

/** What a mote needs to run. */
export interface MoteParts {
  readonly stream: NodeStream;
  readonly options: NodeOptions;
  readonly kind: NodeKind;
  /** Default: it starts from nothing. */
  readonly start?: StartState;
  /** With the task's nodes and labels. */
  readonly scenario: Scenario;
  readonly place: MotePlace;
  /** Samples to a point of the curve. */
  readonly stride: number;
  readonly maker: NodeMaker;
  readonly keepJournal: boolean;
  readonly listener: {
    /** Called with a fed node's decision on a recorded sample, by its number from 1. */
    predicted(seq: number, decision: number): void;
    /** Called when the node first processes a label, applied or too late. */
    received(y: number): void;
    /** Called when the peer gets the features of the sample of an applied label, which are the caller's. */
    taught(y: number, x: Float32Array): void;
  };
}

export interface MotePlace {
  /** Names it among random streams. */
  readonly name: string;
  /** Its place among the nodes, from 0, and how many they are: no two nodes share a session. */
  readonly index: number;
  readonly nodes: number;
}
