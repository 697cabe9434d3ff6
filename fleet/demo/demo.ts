import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../host/free-port.ts";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { Gateway } from "../gateway/gateway.ts";
import type { Log } from "../gateway/log.ts";
import { MACHINE_CHANNELS, MACHINE_CLASSES, Machine } from "./machine.ts";
import { NodeAtBroker } from "./node-at-broker.ts";

const NAMES = ["pump-1", "pump-2", "pump-3", "pump-4", "fan-1", "fan-2", "mixer", "press"];
/** The machines that learn together, and the one that joins later. */
const GROUP = ["pump-1", "pump-2", "pump-3", "pump-4"];
const NEWCOMER = "pump-4";
const JOINS_MS = 40_000;
/** Vectors of the largest model of the group. */
const VECTORS = 64;
/** The machine whose readings drift, and the one whose power fails now and then. */
const DRIFTING = "fan-2";
const FAILING = "press";
const POWER_CUT_MS = 45_000;
const DARK_MS = 5000;
const PERIOD_MS = 250;
const PAGE_PORT = 8080;

const NODE: Omit<NodeOptions, "sid" | "channels"> = {
  learner: familyNamed("auto")!,
  options: {},
  features: { standardise: true },
  pending: 128,
  labelWindow: 16,
  checkpointEvery: 5,
  labelBudget: 0.25,
  coverage: 0.9,
  drift: "watch",
};

const ALARMS = {
  rules: [
    { name: "worn", classes: ["worn"], onSamples: 8, offSamples: 12 },
    { name: "silent", silentSeconds: 3 },
  ],
};

/** The simulated labellers: their share of a machine's samples and of the newcomer's, their delay and error rate. */
const LABELLERS = [
  { by: "inspector", source: 1, share: 0.15, newcomer: 0.03, late: 20, wrong: 0.02 },
  { by: "camera", source: 2, share: 0.1, newcomer: 0, late: 5, wrong: 0.1 },
];

/**
 * A demonstration fleet without a board: eight simulated machines at a broker, two labellers, and the
 * gateway.
 */
export class Demo {
  private readonly random = new Random(1, "labellers");
  private readonly nodes: NodeAtBroker[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly folder: string,
    private readonly brokerPort: number,
    private readonly gateway: Gateway,
  ) {}

  /** Starts it; its page has port 8080, or another where that one is taken. */
  static async start(log: Log): Promise<Demo> {
    const folder = mkdtempSync(join(tmpdir(), "motelearn-demo-"));
    const [port, broker] = [await freePort(PAGE_PORT), await freePort()];
    const nodes = NAMES.map((name) => ({
      ...{ name, port: `mqtt://127.0.0.1:${broker}/${name}`, baud: 115200, channels: MACHINE_CHANNELS },
      ...{ features: NODE.features, classes: MACHINE_CLASSES },
    }));
    let demo: Demo;
    try {
      const gateway = new Gateway(
        {
          ...{ port, store: join(folder, "fleet.db"), broker, keepCopies: 8, keepDays: 1, nodes },
          ...{ listen: { host: "127.0.0.1" }, sessionHours: 12, labelsPerMinute: 6000, alarms: ALARMS },
          together: { vectors: VECTORS, groups: [GROUP], start: "group" },
        },
        log,
      );
      demo = new Demo(folder, broker, gateway);
      await gateway.start();
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    for (const name of NAMES) demo.addNode(name);
    return demo;
  }

  /** The page's address. */
  get page(): string {
    return `http://localhost:${this.gateway.port}/`;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.nodes.map((node) => node.cutPower()));
    await this.gateway.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private addNode(name: string): void {
    const machine = new Machine(name, name === DRIFTING);
    const address = parseAddress(`mqtt://127.0.0.1:${this.brokerPort}/${name}`) as MqttAddress;
    const sampled = (sid: number, seq: number) => this.label(name, sid, seq, machine.worn);
    const node = new NodeAtBroker({
      ...{ address, sensor: machine, periodMs: PERIOD_MS, sampled },
      node: GROUP.includes(name) ? { ...NODE, fleetBudget: VECTORS } : NODE,
      // An explanation follows a node from its first sample on.
      waits: true,
    });
    this.nodes.push(node);
    if (name === NEWCOMER) this.later(JOINS_MS, () => node.start());
    else node.start();
    if (name === FAILING) this.failPower(node);
  }

  private failPower(node: NodeAtBroker): void {
    this.later(POWER_CUT_MS, () => {
      node.cutPower();
      this.later(DARK_MS, () => {
        node.start();
        this.failPower(node);
      });
    });
  }

  /** Each labeller looks at some samples; a sample that has a label keeps its first. */
  private label(name: string, sid: number, seq: number, worn: boolean): void {
    for (const { by, source, share, newcomer, late, wrong } of LABELLERS) {
      if (this.random.uniform() >= (name === NEWCOMER ? newcomer : share)) continue;
      const label = worn !== this.random.uniform() < wrong ? 1 : -1;
      const options = { sid, seq, label, source, confidence: Math.round(255 * (1 - wrong)), by };
      const give = () => this.gateway.teach(name, options).catch(() => this.later(PERIOD_MS, give));
      this.later(late * PERIOD_MS, give);
    }
  }

  private later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer);
  }
}
