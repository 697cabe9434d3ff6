import * as assert from "uvu/assert";
import { NodeAtBroker } from "../../fleet/demo/node-at-broker.ts";
import { MODELS } from "../../fleet/store/label-rows.ts";
import type { Row } from "../../fleet/store/tables.ts";
import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { type BytePort, LABEL_STATUS } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { endsWithTest } from "../tools/contained.ts";

export const CHECKPOINT_EVERY = 4;

/** Options of a watched node. */
export type WatchedOptions = Omit<NodeOptions, "sid" | "channels">;

export const NODE: WatchedOptions = {
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
  pending: 1024, // on a busy machine a gateway takes long to start
  labelWindow: 16,
  checkpointEvery: CHECKPOINT_EVERY,
};

/** Readings that no other sample has. */
class Readings implements Sensor {
  readonly channels = 2;
  readonly last = new Float32Array(2);
  constructor(private readonly random: Random) {}
  read(to: Float32Array, first: number): void {
    for (let i = 0; i < 2; i++) {
      this.last[i] = this.random.normal();
      to[first + i] = this.last[i];
    }
  }
}

/** A node with all that it sampled, and the labels that the gateway took for it. */
export class Watched {
  readonly samples = new Map<string, number[]>();
  readonly taken = new Set<string>();
  readonly node: NodeAtBroker;
  newest: { sid: number; seq: number } | undefined;
  constructor(
    readonly name: string,
    address: string,
    periodMs = 500,
    readonly options = NODE,
    line?: (port: BytePort) => BytePort,
  ) {
    const sensor = new Readings(new Random(5, name));
    this.node = new NodeAtBroker({
      address: parseAddress(address) as MqttAddress,
      node: options,
      sensor,
      periodMs,
      pollMs: periodMs / 10,
      line,
      sampled: (sid, seq) => {
        this.newest = { sid, seq };
        this.samples.set(`${sid} ${seq}`, [...sensor.last]);
      },
    });
    this.node.start();
    endsWithTest(() => this.node.node && this.node.cutPower());
  }
}

/** Gives the node's newest sample a label at a gateway, unless `most` were taken. */
export async function give(url: string, most: number, { name, newest, taken }: Watched): Promise<void> {
  if (!newest || taken.size >= most) return;
  const { sid, seq } = newest;
  if (taken.has(`${sid} ${seq}`)) return;
  try {
    const response = await fetch(`${url}/api/nodes/${encodeURIComponent(name)}/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sid, seq, label: seq % 3 === 0 ? 1 : -1, by: "anna" }),
    });
    if (response.status === 202) taken.add(`${sid} ${seq}`);
  } catch {} // the gateway was killed: the labeller tries again
}

/** What came to a node besides its labels. */
export interface Sent {
  /** The bytes of its model, by the model's row. */
  readModel?(name: string, seq: number): Uint8Array;
  /** The memory with which it began; undefined: it began with nothing. */
  readonly first?: Uint32Array;
}

/** What labels and models made of a node: its learner, its model, and who judges. */
export function describeState({ learner, fleet }: SensorNode): string {
  const { model, ownLoss, modelLoss, judged } = fleet ?? {};
  return `${learner.stateHash()} ${model?.size} ${model?.crc} ${ownLoss} ${modelLoss} ${judged}`;
}

/** The state of a node in this process that takes these labels and models, each once, in their order. */
export function replayed(watched: Watched, rows: readonly Row[], { readModel, first }: Sent = {}): string {
  const options: NodeOptions = { ...watched.options, sid: 1, channels: 2 };
  const plain = loneNode(options);
  if (first) {
    plain.checkpointView.set(new Uint8Array(first.buffer));
    assert.ok(plain.adopt(), `${watched.name}: no such node has what it began with`);
  }
  rows.forEach(({ sid, seq, y, source, confidence }, i) => {
    if (sid === MODELS && readModel) {
      assert.is(installWhole(plain, i + 1, readModel(watched.name, Number(seq))), LABEL_STATUS.applied);
      return;
    }
    plain.sample(watched.samples.get(`${sid} ${seq}`) as number[]);
    const [number, given] = [i + 1, { y: Number(y), source: Number(source), confidence: Number(confidence) }];
    const { sid: session, seq: last } = plain;
    assert.is(plain.label({ number, sid: session, seq: last, ...given }), LABEL_STATUS.applied);
  });
  return describeState(plain);
}

/** The store's status of a label whose answer never came, or was under way when the gateway was killed. */
const UNANSWERED: readonly unknown[] = [-1, null];

/** The rows that were surely applied, with each choice of the rows that only the node knows about. */
function* choices(rows: readonly Row[]): Generator<Row[]> {
  const open = rows.filter(({ status }) => UNANSWERED.includes(status));
  assert.ok(open.length <= 12, `${open.length} answers never came`);
  for (let chosen = 0; chosen < 2 ** open.length; chosen++)
    yield rows.filter((row) =>
      UNANSWERED.includes(row.status)
        ? (chosen >> open.indexOf(row)) & 1
        : row.status === LABEL_STATUS.applied,
    );
}

/** The node's state is that of one that learned these labels once each, in order, but for those that it had lost the samples of. */
export function hasLearned(watched: Watched, rows: readonly Row[], sent?: Sent): void {
  const node = watched.node.node!;
  const dealt = rows.filter(({ number }) => Number(number) <= node.labelled);
  const state = describeState(node);
  const same = [...choices(dealt)].some((some) => replayed(watched, some, sent) === state);
  assert.ok(same, `${watched.name}: ${JSON.stringify(dealt.map(({ number, status }) => [number, status]))}`);
}
