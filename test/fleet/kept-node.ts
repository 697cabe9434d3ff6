import { createServer, type Server, type Socket } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Live } from "../../fleet/gateway/live.ts";
import { Log } from "../../fleet/gateway/log.ts";
import { NodeKeeper } from "../../fleet/gateway/node-keeper.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import type { Row } from "../../fleet/store/tables.ts";
import { Training } from "../../fleet/training/training.ts";
import { SimulatedFlash } from "../../host-sim/network/flash.ts";
import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { become } from "../tools/awaited.ts";
import { inFolder } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";

const NAME = "n1";
/** Milliseconds of the node's clock that a turn takes, and real ones from turn to turn. */
const TURN_MS = 20;
const PAUSE_MS = 2;
const MINUTE_MS = 60_000;
/** Turns in which a node that hears its gateway gets a label many times over. */
const TURNS_ENOUGH = 2000;

/** A node that learns together: the label keys of the node, and of its gateway's fleet file; its group. */
export interface KeptTogether {
  readonly labelKey?: Uint8Array;
  readonly filed?: Uint8Array;
  /** The other nodes of its group. */
  readonly fellows?: readonly string[];
  /** How newcomers start. */
  readonly start?: "group" | "nothing";
  /** What the database has before the gateway meets the node. */
  fill?(store: FleetStore): void;
}

/** A node in this process behind a socket that a test can cut, and the gateway's keeper of it. */
export class KeptNode implements BytePort {
  readonly store: FleetStore;
  keeper: NodeKeeper;
  /** Room for several labels, as over MQTT. */
  readonly fifoBytes = 512;
  /** The minutes by which the gateway counts what the node may do in one. */
  minutes = 0;
  /** True if what the node sends is lost. */
  mute = false;
  private node: StartedNode;
  private readonly come: number[] = [];
  private readonly path: string;
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private readonly flash: SimulatedFlash;
  private runs: Promise<void>;
  private socket: Socket | undefined;
  private training: Training | undefined;
  private turns = 0;

  private constructor(
    name: string,
    private readonly options: NodeOptions,
    private readonly state?: GivenCopy,
    private readonly together?: KeptTogether,
  ) {
    this.path = inFolder(name);
    this.flash = new SimulatedFlash(storeBytes(nodeLayout(options)));
    this.node = this.boot(1);
    this.server = createServer((socket) => this.take(socket));
    this.timer = setInterval(() => this.turn(), PAUSE_MS);
    this.store = new FleetStore(inFolder(`${name}.db`));
    together?.fill?.(this.store);
    this.keeper = this.kept();
    this.server.listen(this.path);
    this.runs = this.keeper.run();
  }

  /** A gateway's keeper of the node, with the training of its group. */
  private kept(): NodeKeeper {
    const { path, state, store, together } = this;
    const node = { name: NAME, port: `unix:${path}`, baud: 115200, state, labelKey: together?.filed };
    const copying = { everyMs: undefined, kept: 1, running: 0 };
    const keeper = new NodeKeeper(node, {
      ...{ store, log: new Log("error", true), live: new Live(() => []), copying },
      now: () => this.minutes * MINUTE_MS,
    });
    if (together) this.training = this.train(keeper, together);
    keeper.labels.group = this.training?.findNode(NAME);
    return keeper;
  }

  /** Resolves once the gateway has met it. */
  static async met(
    name: string,
    options: NodeOptions = NODE,
    state?: GivenCopy,
    together?: KeptTogether,
  ): Promise<KeptNode> {
    const kept = new KeptNode(name, options, state, together);
    await kept.become("the gateway meets the node", () => kept.keeper.connected);
    return kept;
  }

  /** Trains it, by default as a group of one. */
  private train(keeper: NodeKeeper, { fellows = [], start = "nothing" }: KeptTogether): Training {
    const { store } = this;
    return new Training(
      { vectors: 0, groups: [[NAME, ...fellows]], start },
      {
        store,
        install: (_, model) => keeper.labels.install(model),
        committed: async () => {
          store.commit();
          await keeper.labels.sendCommitted();
          return undefined;
        },
        say: (_, text) => keeper.say("together", text),
        failed: (why) => keeper.say("failed", why),
      },
      pathToFileURL(resolve("dist/train-worker.js")),
    );
  }

  /** Ends the gateway, and starts another on its database; resolves once that has met the node. */
  async restartGateway(): Promise<void> {
    await this.endGateway();
    this.keeper = this.kept();
    this.runs = this.keeper.run();
    await this.become("the gateway meets the node again", () => this.keeper.connected);
  }

  private async endGateway(): Promise<void> {
    this.keeper.close();
    await this.runs;
    await this.training?.close();
  }

  /** The node itself. */
  get own(): SensorNode {
    return this.node.station.node;
  }

  get stateHash(): string {
    return this.node.station.node.learner.stateHash();
  }

  get labelled(): number {
    return this.node.station.node.labelled;
  }

  /** The gateway's labels of the node, in the order in which they came. */
  get labels(): Row[] {
    return [...this.store.rows("label", NAME)].sort((a, b) => Number(a.id) - Number(b.id));
  }

  /** The node takes so many samples. */
  sample(count: number): void {
    const { node } = this;
    for (let k = 0; k < count; k++) node.station.sample([k % 3, k % 2]);
  }

  /** The gateway takes a label for that sample, which its labeller tagged if there is a key, and has it on disk. */
  give(seq: number, sid = this.node.station.node.sid, key?: Uint8Array): void {
    const label = { sid, seq, y: seq % 2 ? 1 : -1, source: 0, confidence: 255, by: "anna" };
    const tag = key && new LabelTag(key);
    tag?.compute(label);
    this.keeper.labels.give({ ...label, ...(tag && { tag: [tag.low, tag.high] as const }) });
    this.store.commit();
    this.keeper.labels.sendCommitted();
  }

  /** The node loses its power, and starts. */
  restart(boot: number): void {
    this.node = this.boot(boot);
  }

  /** The kinds and texts of the gateway's events of the node. */
  get events(): (readonly [kind: string, text: string])[] {
    const rows = this.store.read("SELECT kind, text FROM event WHERE node = ? ORDER BY id", [NAME]);
    return rows.map(({ kind, text }) => [String(kind), String(text)] as const);
  }

  /** Ends the connection; resolves once the gateway knows. */
  async cut(): Promise<void> {
    this.server.close();
    this.socket?.destroy();
    await this.become("the gateway notices that the line is cut", () => !this.keeper.connected);
  }

  /** Lets the gateway connect again. */
  async join(): Promise<void> {
    this.server.listen(this.path);
    await this.become("the gateway connects again", () => this.keeper.connected);
  }

  /** Resolves when that is so; rejects after as many turns of the node as surely suffice. */
  async become(what: string, done: () => boolean): Promise<void> {
    const from = this.turns;
    await become(
      what,
      () => {
        if (done()) return true;
        if (this.turns - from > TURNS_ENOUGH) throw new Error(`${what}: not in ${TURNS_ENOUGH} turns`);
        return false;
      },
      () => JSON.stringify(this.labels.map(({ number, status }) => [number, status])),
    );
  }

  async close(): Promise<void> {
    await this.endGateway();
    clearInterval(this.timer);
    this.socket?.destroy();
    this.server.close();
    this.store.close();
  }

  read(to: Uint8Array): number {
    const bytes = this.come.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    if (!this.mute) this.socket?.write(bytes.slice(from, to));
    return to - from;
  }

  private boot(boot: number): StartedNode {
    const memory = (bytes: number) => new PortableF32(new ArrayBuffer(bytes));
    const clock = { now: () => TURN_MS * this.turns };
    const about = { firmware: "kept 1", boot, clock, memory, selfTest: false };
    const channels = NODE.channels;
    const sensors = [{ channels, read() {} }];
    return startNode({
      ...{ ...about, node: this.options, sensors, periodMs: 0, transport: this, block: this.flash },
      labelKey: this.together?.labelKey,
    });
  }

  private turn(): void {
    this.turns++;
    while (this.node.turn() === 0);
  }

  private take(socket: Socket): void {
    this.socket = socket;
    this.come.length = 0;
    socket.on("error", () => {});
    socket.on("data", (bytes) => void this.come.push(...bytes));
  }
}
