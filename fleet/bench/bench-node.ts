import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS, type Label } from "../../src/node/ports.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { PASSING } from "../../tools/session/label-status.ts";
import { NodeAtBroker } from "../demo/node-at-broker.ts";

/** Options of the bench's nodes, without session and channels. A storm may delay a label by minutes. */
const NODE: Omit<NodeOptions, "sid" | "channels"> = {
  learner: familyNamed("olk-c")!,
  options: { budget: 16 },
  pending: 512,
  labelWindow: 16,
  checkpointEvery: 16,
};
const CHANNELS = 3;
/** Milliseconds of a node between looks at its clock; received frames are processed at once. */
const POLL_MS = 250;

/** A label in the gateway's database. */
export interface DealtLabel extends Required<Omit<Label, "tag">> {
  /** True if the node reported it as applied; undefined: the gateway received no answer. */
  readonly applied?: boolean;
}

/** Readings that follow from the node's name: reading n is the same in each run. */
class Readings implements Sensor {
  readonly channels = CHANNELS;
  readonly last = new Float32Array(CHANNELS);
  /** How often it was read. */
  count = 0;
  private readonly random: Random;

  constructor(name: string) {
    this.random = new Random(1, `readings of ${name}`);
  }

  read(to: Float32Array, first: number): void {
    this.count++;
    for (let c = 0; c < CHANNELS; c++) {
      this.last[c] = this.random.normal();
      to[first + c] = this.last[c];
    }
  }
}

interface BenchNodeOptions {
  readonly name: string;
  /** Its broker's address. */
  readonly broker: string;
  readonly periodMs: number;
  /** Speed of its clock relative to this machine's. */
  readonly speed: number;
  /** Called for each sample, with its correct label. */
  readonly sampled: (sid: number, seq: number, label: number) => void;
}

/** A node at a broker with reproducible readings, so that its learning can be repeated. */
export class BenchNode {
  private readonly node: NodeAtBroker;
  /** By session: the number of the reading before its sample 1. */
  private readonly sessions = new Map<number, number>();
  /** Numbers of labels whose last answer wasn't applied. */
  private readonly notApplied = new Set<number>();

  constructor(private readonly options: BenchNodeOptions) {
    const { name, broker, periodMs, speed, sampled } = options;
    const sensor = new Readings(name);
    this.node = new NodeAtBroker({
      ...{ address: parseAddress(`${broker}/${name}`) as MqttAddress, node: NODE, sensor, periodMs, speed },
      ...{ pollMs: POLL_MS, selfTest: false },
      sampled: (sid, seq) => {
        this.sessions.set(sid, this.sessions.get(sid) ?? sensor.count - seq);
        sampled(sid, seq, sensor.last[0] * sensor.last[1] > 0 ? 1 : -1);
      },
      answered: (number, status) => {
        if (status === LABEL_STATUS.applied) this.notApplied.delete(number);
        else if (!PASSING.includes(status)) this.notApplied.add(number);
      },
    });
    this.node.start();
  }

  /** The number of the last label that it processed. */
  get labelled(): number {
    return this.node.node?.labelled ?? 0;
  }

  /**
   * True if its learner's hash equals a simulated node's that learns the applied labels once each, in order.
   * For a label whose answer the gateway missed, the node itself knows whether it was applied.
   */
  matchesReplay(labels: readonly DealtLabel[]): boolean {
    const applied = labels.filter(({ number, applied = !this.notApplied.has(number) }) => applied);
    return this.node.node?.learner.stateHash() === this.replay(applied);
  }

  /** Power-cycles it; it resumes from its checkpoint. */
  async restart(): Promise<void> {
    await this.node.cutPower();
    this.node.start();
  }

  /** Drops its connection without a DISCONNECT. */
  drop(): void {
    this.node.drop();
  }

  /** The learner's hash of a simulated node that takes only these labels, once each, in order. */
  private replay(labels: readonly DealtLabel[]): string {
    const options: NodeOptions = { ...NODE, sid: 1, channels: CHANNELS };
    const plain = loneNode(options);
    const readings = this.replayReadings(labels);
    labels.forEach(({ y, source, confidence }, i) => {
      plain.sample(readings[i]);
      plain.label({ number: i + 1, sid: 1, seq: i + 1, y, source, confidence });
    });
    return plain.learner.stateHash();
  }

  /** The readings of those samples, drawn again. */
  private replayReadings(labels: readonly DealtLabel[]): Float32Array[] {
    const wanted = labels.map(({ sid, seq }) => (this.sessions.get(sid) as number) + seq);
    const last = Math.max(0, ...wanted);
    const sensor = new Readings(this.options.name);
    const drawn = new Map<number, Float32Array>();
    const needed = new Set(wanted);
    while (sensor.count < last) {
      sensor.read(sensor.last, 0);
      if (needed.has(sensor.count)) drawn.set(sensor.count, sensor.last.slice());
    }
    return wanted.map((n) => drawn.get(n) as Float32Array);
  }
}
