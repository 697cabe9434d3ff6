import { arithmetic } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { PowerCut, SimulatedFlash } from "../../host-sim/network/flash.ts";
import { lineKeys } from "../../host-sim/network/line-keys.ts";
import { PowerSupply } from "../../host-sim/network/power.ts";
import { HERE, type SimulatedNode } from "../../host-sim/network/simulated-node.ts";
import { VirtualTime } from "../../host-sim/network/time.ts";
import { Wire } from "../../host-sim/network/wire.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Label } from "../../src/node/ports.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { ReferenceNode } from "./twin.ts";

const CHANNELS = 3;
const PERIOD_MS = 500;
/** Delay of a label in samples, and samples between two power failures. */
const DELAY = 5;
const CUT_EVERY = 2000;
const NEVER = Number.POSITIVE_INFINITY;

/** Labels from their issue until they are durable, so that no list grows with the length of a life. */
class SoakLabels implements LabelSource {
  issued = 0;
  durableUpTo = 0;
  private readonly kept = new Map<number, Label & { readonly from: number }>();

  constructor(private readonly sampleNow: () => number) {}

  issue(sid: number, seq: number, y: number): void {
    const number = ++this.issued;
    this.kept.set(number, { number, sid, seq, y, from: this.sampleNow() + DELAY });
  }

  /** Label `number`, even if it isn't issued yet. */
  label(number: number): Label {
    const label = this.kept.get(number);
    if (!label) throw new Error(`label ${number} is asked for after it was durable`);
    return label;
  }

  at(number: number): Label | undefined {
    const label = this.kept.get(number);
    return label && label.from <= this.sampleNow() ? label : undefined;
  }

  durable(number: number): void {
    while (this.durableUpTo < number) this.kept.delete(++this.durableUpTo);
  }
}

/**
 * One node's life of any number of samples: the firmware's boot, station and store on a keyed line of bytes
 * that loses, doubles and damages frames. Its power fails, half of the time during a save, and its clock
 * wraps soon after each start. A twin gets the same samples and labels directly; `check` throws where their
 * states differ.
 */
export class NodeLifetime {
  readonly counts = { samples: 0, unpowered: 0, checks: 0 };
  readonly power: PowerSupply;
  readonly wire: Wire;
  readonly labels = new SoakLabels(() => this.k);
  readonly node: SimulatedNode;
  private readonly twin: ReferenceNode;
  private readonly time = new VirtualTime();
  private readonly random: Random;
  private readonly reading = new Float32Array(CHANNELS);
  private k = 0;
  private starts = 0;
  private pollAt = NEVER;

  /** @param samples of the whole life, over which the power failures are spread. */
  constructor(seed: number, samples: number) {
    const scenario = parseScenario(
      JSON.stringify({
        schema: "motelearn.scenario/1",
        seed,
        stream: { type: "scene" },
        link: { framing: "bytes", loss: 0.01, duplicates: 0.01, byteErrors: 0.0001, window: 8 },
        node: { periodMs: PERIOD_MS },
        power: { count: Math.min(10_000, Math.ceil(samples / CUT_EVERY)), duringSave: 0.5 },
        tasks: [{ name: "soak", task: "classification", learners: [{ learner: "olk-c" }] }],
      }),
      "soak",
    );
    const options: NodeOptions = {
      sid: 1,
      channels: CHANNELS,
      pending: 32,
      labelWindow: 8,
      checkpointEvery: 50,
      features: { standardise: true },
      learner: familyNamed("olk-c")!,
      options: { budget: 16 },
    };
    const keys = lineKeys(seed, "soak");
    const { time } = this;
    const listener = { answered() {}, predicted() {}, remarked() {} };
    const flash = new SimulatedFlash(storeBytes(nodeLayout(options)), seed);
    this.random = new Random(seed, "soak");
    this.twin = new ReferenceNode(options);
    this.power = new PowerSupply(scenario, "soak", samples, flash, time);
    this.wire = new Wire({
      scenario,
      name: "soak",
      samples,
      time,
      listener,
      bytes: true,
      peer: { id: 1, labels: this.labels, ...keys.peer },
    });
    const { uart } = this.wire;
    const memory = arithmetic().allocate(nodeLayout(options));
    this.node = HERE.make({
      options,
      memory,
      fed: false,
      uart,
      flash,
      time,
      listener,
      makeKeyed: keys.makeKeyed,
    });
  }

  /** The length of its life so far. */
  get days(): number {
    return this.time.now / 86_400_000;
  }

  /** Lives through so many samples more. */
  run(samples: number): void {
    for (let i = 0; i < samples; i++) this.sample();
  }

  /** Waits until every label is processed, then compares the states. */
  check(): void {
    const before = this.k;
    while (!this.power.on || this.node.labelled < this.labels.issued) {
      if (this.k - before > 100_000)
        throw new Error(`labels stop at ${this.node.labelled} of ${this.labels.issued}`);
      this.advance((++this.k + 1) * PERIOD_MS);
    }
    const own = this.node.hashes();
    const twin = this.twin.hashes();
    if (own.node !== twin.node || own.state !== twin.state)
      throw new Error(`after sample ${this.k}: node ${own.node}, its twin ${twin.node}`);
    this.counts.checks++;
  }

  private sample(): void {
    const { reading, node, random } = this;
    this.advance((++this.k + 1) * PERIOD_MS);
    const y = random.uniform() < 0.5 ? 1 : -1;
    for (let c = 0; c < CHANNELS; c++) reading[c] = random.normal() + (c === 0 ? y : 0);
    if (!this.power.on) {
      this.counts.unpowered++;
      return;
    }
    node.sample(reading);
    this.twin.sample(reading);
    this.counts.samples++;
    this.labels.issue(node.sid, node.seq, random.uniform() < 0.1 ? -y : y);
    this.pollAt = this.time.now;
    this.wire.peer.tick();
  }

  private advance(until: number): void {
    const { time, power, wire } = this;
    for (;;) {
      const at = Math.min(power.nextAt, wire.down.nextAt, this.pollAt, wire.up.nextAt, wire.peer.dueAt);
      if (at > until) break;
      time.now = Math.max(time.now, at);
      this.step();
    }
    time.now = until;
  }

  private step(): void {
    const { power, wire } = this;
    const { now } = this.time;
    if (power.nextAt <= now) this.switchPower();
    else if (wire.down.nextAt <= now) this.arrive();
    else if (this.pollAt <= now) this.turn();
    else if (wire.up.nextAt <= now) wire.deliverUp();
    else wire.peer.tick();
  }

  private arrive(): void {
    const parcel = this.wire.down.take();
    if (!this.power.on) return;
    this.wire.uart.arrive(parcel);
    this.pollAt = this.time.now;
  }

  private switchPower(): void {
    const what = this.power.step();
    if (what === "fails") this.switchOff();
    else if (what === "back") this.start();
  }

  private switchOff(): void {
    this.pollAt = NEVER;
    this.wire.uart.reset();
  }

  private start(): void {
    const { node, twin } = this;
    const restored = node.start(++this.starts);
    if (node.stop) throw new Error(`the node stopped: ${JSON.stringify(node.stop)}`);
    this.power.tally[restored]++;
    this.teachTwin(); // a save that was whole before the power failed holds labels of a turn that didn't end
    twin.goBackTo(node.labelled, node.sid);
    this.pollAt = this.time.now;
  }

  private turn(): void {
    const { node, wire } = this;
    this.pollAt = NEVER;
    try {
      const more = node.poll();
      this.pollAt = more || wire.uart.unread ? this.time.now : node.waiting ? wire.uart.emptyAt : node.dueAt;
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
      this.power.fail(true);
      this.switchOff();
      return;
    }
    this.teachTwin();
  }

  private teachTwin(): void {
    const { node, twin, labels } = this;
    while (twin.labelled < node.labelled) twin.label(labels.label(twin.labelled + 1));
  }
}
