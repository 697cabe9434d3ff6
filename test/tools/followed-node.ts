import type { FollowedNode } from "../../fleet/gateway/followed-node.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { type LabelStatus, NO_STORAGE } from "../../src/node/ports.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { inFolder } from "./stations.ts";

export const SID = 7;
export const SAMPLES = 120;
/** Samples that a label is late. */
export const LATE = 9;
export const BUDGET = 8;

export interface Given {
  readonly learner: string;
  readonly options?: { readonly [name: string]: unknown };
  readonly features?: FeaturesOption;
  /** Samples that wait for a label. */
  readonly pending?: number;
  /** The sample after which the gateway makes a copy of the node. */
  readonly copyAt?: number;
  /** What becomes of the copy's words; \`from\`: the learner's first. */
  readonly spoil?: (words: Uint32Array, from: number) => void;
  /** The class of every sample. */
  readonly always?: 1 | -1;
}

/** A node that is taught, and a store that heard of it as a gateway does. */
export function taught({ learner, options = {}, features = {}, pending = 64, copyAt, spoil, always }: Given) {
  const family = familyNamed(learner)!;
  let ran = 0;
  const name = `${learner}-${Object.values(features).join("-")}-${pending}-${copyAt}-${JSON.stringify(options).length}-${always}-${spoil !== undefined}`;
  const store = new FleetStore(
    inFolder(`${name}.db`),
    () => 1000 * ran,
    () => ran,
  );
  const decisions: number[] = [];
  const statuses: LabelStatus[] = [];
  const link = {
    predicted: (seq: number, _at: number, decision: number) => {
      decisions[seq] = decision;
      store.prediction("n", SID, seq, Math.fround(decision), 0);
    },
    acknowledge: (number: number, status: LabelStatus) => {
      statuses[number] = status;
      store.labels.storeAnswer("n", number, status);
      const after = { sid: SID, seq: decisions.length - 1 };
      store.labels.answeredAfter("n", { sid: SID, seq: number }, after);
    },
  };
  const budget = family.options.budget ? { budget: BUDGET } : {};
  const node = new SensorNode(
    {
      sid: SID,
      channels: 2,
      pending,
      labelWindow: 4,
      learner: family,
      options: { ...budget, ...options },
      features,
    },
    { now: () => ran },
    link,
    NO_STORAGE,
  );
  const label = (seq: number, number: number) => {
    const y = always ?? (seq % 3 === 0 ? 1 : -1);
    store.labels.add("n", {
      sid: SID,
      seq,
      y,
      source: seq % 2,
      confidence: 255,
      by: seq % 2 ? "anna" : "bert",
    });
    store.labels.number("n", number - 1);
    node.label({ number, sid: SID, seq, y, source: seq % 2 });
  };
  const keepCopy = (seq: number) => {
    const { f32, state } = node.range;
    const from = node.layout.within("learner", node.range).state - state;
    const words = f32.bits.slice(state, state + node.layout.state + node.layout.counters);
    const hash = node.learner.stateHash();
    spoil?.(words, from);
    store.copy(
      "n",
      {
        ...{ sid: SID, seq, labelled: seq - LATE, learner, firmware: "", hash },
        ...{ whole: true, from, checkpoint: null, words },
      },
      8,
    );
  };
  for (let seq = 1; seq <= SAMPLES; seq++) {
    ran++;
    const x = Float32Array.from([((7 * seq) % 11) / 4, (seq % 3) + ((5 * seq) % 7) / 10]);
    store.sample("n", SID, seq, x);
    node.sample(x);
    if (seq > LATE) label(seq - LATE, seq - LATE);
    if (seq === copyAt) keepCopy(seq);
  }
  store.commit();
  const dimension = featureDimension(2, features);
  const hello = { learner, channels: 2, dimension, sid: SID, pending, labelWindow: 4 } as Hello;
  const channels = [{ name: "heat" }, { name: "damp" }];
  const given = features.window === undefined ? {} : { features };
  const followed: FollowedNode = { name: "n", hello, capacity: BUDGET, options, channels, ...given };
  return { store, followed, decisions, statuses, node };
}
