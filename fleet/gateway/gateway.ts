import { dirname } from "node:path";
import { DeviceError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { isLoopback } from "../../tools/ports/listen.ts";
import { Access, type Caller, type Giver } from "../access/access.ts";
import { Quota } from "../access/quota.ts";
import { Machines } from "../alarms/machines.ts";
import type { Command } from "../api/command-request.ts";
import type { LabelRequest } from "../api/label-request.ts";
import type { NodeAlarm, NodeState } from "../api/node-state.ts";
import { Cluster, type ClusterOptions } from "../cluster/cluster.ts";
import type { NodeLog } from "../cluster/node-log.ts";
import { SharedLabels } from "../cluster/shared-labels.ts";
import { FleetStore } from "../store/fleet-store.ts";
import { type Together, Training } from "../training/training.ts";
import { Audit } from "./audit.ts";
import { afterTime } from "./body.ts";
import { type Broker, startBroker } from "./broker.ts";
import { Explanations } from "./explain-thread.ts";
import type { Fleet, FleetNode } from "./fleet.ts";
import { ALARM_OFF, ALARM_ON } from "./history.ts";
import { serve } from "./http.ts";
import { LabelSources } from "./label-sources.ts";
import { Labelling } from "./labelling.ts";
import { Live } from "./live.ts";
import { lock } from "./lock.ts";
import type { Log } from "./log.ts";
import type { Copying } from "./node-copies.ts";
import { NodeKeeper } from "./node-keeper.ts";
import { Outages } from "./outages.ts";
import { Publishing } from "./publishing.ts";
import { Upkeep } from "./upkeep.ts";

const HOUR_MS = 3_600_000;
const MACHINES_MS = 1000;
const CROWDED_MS = 60_000;
/**
 * Connections of a node at the built-in broker: its own, and ended ones not noticed yet; and those for others.
 */
const CONNECTIONS_OF_NODE = 4;
const CONNECTIONS_SPARE = 1000;
/** Those of one network that have not authenticated: its nodes connect at once when the broker starts; and others. */
const STRANGERS_SPARE = 256;

/** Labellers without HTTP. */
const THIS_PROCESS = { name: "", from: "" };

/** Makes the database's folder if it isn't there. */
function makeStoreFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw new DeviceError(`${path}: ${writeFault(path, error)}`);
  }
}

/** All nodes of a fleet in one process: lines, labels, records, figures. `start` begins, `close` ends it. */
export class Gateway {
  /** Where its figures are; 0: not yet. */
  port = 0;
  /** The nodes' messages, live. */
  readonly live = new Live(() => this.states);
  private readonly byName: Map<string, NodeKeeper>;
  /** The cluster, if gateways share the fleet; and the running parts of each node that this one holds. */
  private cluster: Cluster | undefined;
  private readonly held = new Map<string, Promise<void>>();
  private readonly unlock: () => void;
  readonly store: FleetStore;
  private readonly explanations: Explanations;
  readonly trail: Audit;
  private readonly access: Access;
  private readonly copying: Copying;
  private readonly upkeep: Upkeep;
  private readonly outages = new Outages({
    say: (level, event, text) => this.log.write(level, "", event, text),
    now: () => performance.now(),
    after: afterTime,
  });
  private broker: Broker | undefined;
  private stopServing = () => Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private readonly labelling: Labelling;
  private readonly crowdings = new Quota(1, CROWDED_MS, () => performance.now());
  private runs: Promise<void>[] = [];
  private readonly sources: LabelSources;
  private publishing: Publishing | undefined;
  /** Trains models for nodes that learn together; undefined: each learns alone. */
  readonly training: Training | undefined;
  readonly machines: Machines;

  /** Throws a DeviceError if the database can't be used. */
  constructor(
    private readonly fleet: Fleet,
    private readonly log: Log,
  ) {
    makeStoreFolder(dirname(fleet.store));
    this.unlock = lock(fleet.store);
    try {
      this.store = new FleetStore(fleet.store);
    } catch (error) {
      this.unlock();
      throw error;
    }
    this.explanations = new Explanations(this.store);
    const now = () => performance.now();
    this.upkeep = new Upkeep(fleet, this.store, log);
    this.access = new Access({ ...fleet, tls: fleet.listen.tls !== undefined, now });
    const { copyHours, keepCopies } = fleet;
    const everyMs = copyHours === undefined ? undefined : copyHours * HOUR_MS;
    this.copying = { everyMs, kept: keepCopies, running: 0 };
    this.trail = new Audit(this.store, now);
    this.labelling = new Labelling(this.store, log, {
      elsewhere: (keeper, sid) => this.elsewhere(keeper, sid),
      record: (node, who, from, text) => this.trail.add({ who, from, what: "label", node, text }),
    });
    this.sources = new LabelSources({
      store: this.store,
      labelling: this.labelling,
      ca: fleet.ca,
      inside: (port) => this.broker?.inside(port),
      elsewhere: (keeper, sid) => this.elsewhere(keeper, sid),
    });
    this.machines = this.watchMachines();
    this.training = fleet.together && this.train(fleet.together);
    this.byName = new Map(fleet.nodes.map((node) => [node.name, this.keep(node)]));
  }

  private train(together: Together): Training {
    const { store, log, labelling } = this;
    return new Training(together, {
      store,
      install: (node, model) => this.findKeeper(node).labels.install(model),
      committed: (node) => labelling.awaitCommit(this.findKeeper(node)),
      say: (node, text) => this.findKeeper(node).say("together", text),
      failed: (why) => log.write("error", "", "together", `no models are trained any more: ${why}`),
    });
  }

  private watchMachines(): Machines {
    const { fleet, store } = this;
    const names = fleet.nodes.map(({ name }) => name);
    return new Machines(names, fleet.alarms?.rules ?? [], {
      now: () => ({ elapsed: performance.now(), time: Date.now() }),
      readKept: (node) => {
        const text = store.readMachine(node);
        return text === undefined ? undefined : JSON.parse(text);
      },
      keep: (node, machine) => store.keepMachine(node, JSON.stringify(machine)),
      holds: (node) => this.cluster?.elsewhere(node) === undefined,
      switched: (change) => this.alarm(change),
      say: (node, text) => this.findKeeper(node).say("alarm", text, "error"),
    });
  }

  private keep(node: FleetNode, shared?: SharedLabels): NodeKeeper {
    const { store, log, live, copying, fleet, outages, machines } = this;
    const { ca } = fleet;
    const nodes = fleet.nodes.length;
    const keeper = new NodeKeeper(node, { store, log, live, copying, shared, nodes, outages, ca, machines });
    keeper.labels.group = this.training?.findNode(node.name);
    return keeper;
  }

  private get keepers(): readonly NodeKeeper[] {
    return [...this.byName.values()];
  }

  /** Why nothing can be written; undefined: all is well. */
  get fault(): string | undefined {
    return this.labelling.fault;
  }

  get states(): readonly NodeState[] {
    return this.keepers.map(({ state }) => state);
  }

  /** True if the fleet has a node of that name; its state is dearer. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  nodeState(name: string): NodeState {
    return this.findKeeper(name).state;
  }

  /** True if labels over HTTP need a name, which users have by their login. */
  get asksName(): boolean {
    return (this.fleet.askName ?? false) && this.fleet.users === undefined;
  }

  get size(): number {
    return this.byName.size;
  }

  /** Nodes that are met and can be taught. */
  get connected(): number {
    return this.keepers.filter(({ connected }) => connected).length;
  }

  /**
   * Listens and begins to talk to the nodes. Throws a DeviceError if it can't listen; it is closed then.
   * @param opened called when it listens, before the log says so.
   */
  async start(opened: () => void = () => {}): Promise<void> {
    const { fleet, log, keepers } = this;
    try {
      if (fleet.broker !== undefined) this.broker = await this.openBroker(fleet.broker);
      const { server, port } = await serve(this, this.access, fleet.listen, fleet.port);
      this.port = port;
      this.stopServing = () =>
        new Promise((done) => {
          server.close(() => done());
          server.closeAllConnections();
        });
      if (fleet.cluster) this.cluster = await this.join(fleet.cluster);
    } catch (error) {
      await this.close();
      throw error;
    }
    this.labelling.start();
    this.timer = setInterval(() => this.machines.look(), MACHINES_MS);
    this.upkeep.start();
    opened();
    log.write(
      "info",
      "",
      "started",
      `${keepers.length} ${keepers.length === 1 ? "node" : "nodes"}, ${this.address}, ${fleet.store}`,
    );
    const scheme = fleet.listen.tls ? "mqtts" : "mqtt";
    if (this.broker) log.write("info", "", "broker", `${scheme}://${this.host}:${this.broker.port}`);
    this.publishing = new Publishing(fleet, {
      ...{ store: this.store, log, machines: this.machines },
      inside: (at) => this.broker?.inside(at),
      states: () => this.states.filter(({ name }) => this.cluster?.elsewhere(name) === undefined),
      write: () => this.labelling.write(),
    });
    if (fleet.cluster) return;
    this.runs = [
      ...keepers.map((keeper, i) => keeper.run(this.broker?.inside(fleet.nodes[i].port))),
      ...keepers.map((keeper, i) => this.sources.open(fleet.nodes[i], keeper)),
    ];
  }

  /** Shares the fleet with the gateways of a cluster. */
  private join(options: ClusterOptions): Promise<Cluster> {
    const { fleet } = this;
    return Cluster.join(options, {
      nodes: fleet.nodes.map(({ name }) => name),
      hold: (name, log) => this.hold(name, log),
      release: (name, by) => this.release(name, by),
      teach: (name, { label, caller }) => this.labelling.take(this.findKeeper(name), label, caller),
      say: (event, text) => this.log.write("info", "", event, text),
    });
  }

  /** Talks to a node that this gateway of a cluster took. */
  private hold(name: string, log: NodeLog): void {
    const { store } = this;
    store.labels.adopt(name, log.log);
    store.commit();
    const keeper = this.keep(this.findNode(name), new SharedLabels(name, store, log));
    this.byName.set(name, keeper);
    const runs = [keeper.run(), this.sources.open(this.findNode(name), keeper)];
    this.held.set(
      name,
      Promise.all(runs).then(() => {}),
    );
  }

  /** Leaves a node to another gateway. */
  private async release(name: string, by: string): Promise<void> {
    this.sources.close(name);
    this.findKeeper(name).close();
    await this.held.get(name);
    this.byName.set(name, this.keep(this.findNode(name)).park(`${by} holds it`));
  }

  private findNode(name: string): FleetNode {
    return this.fleet.nodes.find((node) => node.name === name) as FleetNode;
  }

  /**
   * Takes a label for a sample of the node; repeating it changes nothing. Resolves when it is on disk, or
   * with a text: why it isn't taken.
   */
  teach(name: string, label: LabelRequest, caller: Giver = THIS_PROCESS): Promise<string | undefined> {
    if (this.cluster?.elsewhere(name) !== undefined) return this.cluster.forward(name, { label, caller });
    return this.labelling.take(this.findKeeper(name), label, caller);
  }

  /** Explains a node's decision. Rejects with an Error with the reason if it can't. */
  async explain({ name, node: hello, statistics, classes }: NodeState, sid: number, seq: number) {
    if (!hello || !statistics) throw new Error("the node wasn't met yet");
    const { options, features, channels } = this.findNode(name);
    const { capacity } = statistics;
    const followed = { name, hello, capacity, options, features, channels, classes };
    return this.explanations.explain(followed, sid, seq);
  }

  /** Sends a command to a node; resolves with the outcome in words. Rejects if nothing happened. */
  async command(name: string, command: Command, { name: who, from }: Caller): Promise<string> {
    const entry = { who: who || command.by, from, what: command.do, node: name };
    try {
      const text = await this.findKeeper(name).command(command);
      this.trail.add({ ...entry, text });
      return text;
    } catch (error) {
      this.trail.add({ ...entry, text: `nothing was done: ${(error as Error).message}` });
      throw error;
    }
  }

  /** Records a refusal in the trail, and logs it. */
  recordRefusal(from: string, who: string, text: string): void {
    const kept = this.trail.addRefusal({ who, from, what: "refused", node: "", text });
    if (kept) this.log.write("warn", "", "refused", `${who || "somebody"} at ${from}: ${text}`);
  }

  /** Logs what should not have happened while it did that; it continues. */
  logFailure(what: string, why: string): void {
    this.log.write("error", "", "failed", `${what}: ${why}`);
  }

  /** Logs a connection ended for another, at once, and then once a minute the count. */
  logCrowding(from: string, protocol: string): void {
    const unsaid = this.crowdings.pass();
    if (unsaid === undefined) return;
    const text = `${protocol}: too many connections; ended ${unsaid + 1} idle ones, the last of ${from}`;
    this.log.write("warn", "", "crowded", text);
  }

  async close(): Promise<void> {
    this.sources.closeAll();
    this.explanations.close();
    await this.publishing?.close();
    await this.cluster?.close();
    for (const keeper of this.keepers) keeper.close();
    this.outages.end();
    this.live.close();
    await this.stopServing();
    await Promise.all(this.runs);
    clearInterval(this.timer);
    this.upkeep.close();
    this.machines.keep();
    this.labelling.close();
    await this.training?.close();
    await this.broker?.close();
    this.store.close();
    this.unlock();
  }

  private get address(): string {
    return `${this.fleet.listen.tls ? "https" : "http"}://${this.host}:${this.port}/`;
  }

  private get host(): string {
    const { host } = this.fleet.listen;
    if (isLoopback(host) || host === "0.0.0.0" || host === "::") return "localhost";
    return host.includes(":") ? `[${host}]` : host;
  }

  private openBroker(port: number): Promise<Broker> {
    const { fleet } = this;
    return startBroker(port, {
      listen: fleet.listen,
      fleet,
      connections: CONNECTIONS_OF_NODE * fleet.nodes.length + CONNECTIONS_SPARE,
      strangers: fleet.nodes.length + STRANGERS_SPARE,
      crowded: (from) => this.logCrowding(from, "MQTT"),
      failed: (why) => this.logFailure("MQTT", why),
      refused: (from, who, text) => this.recordRefusal(from, who, text),
    });
  }

  /** An alarm went on or off. */
  private alarm(change: NodeAlarm): void {
    const { node, name, on, class: current } = change;
    const text = `${name} is ${on ? "on" : "off"}${current === undefined ? "" : `; the machine is ${current}`}`;
    this.findKeeper(node).say(on ? ALARM_ON : ALARM_OFF, text, on ? "warn" : "info");
    this.publishing?.alarm(change);
  }

  /** True if another gateway of the cluster may have heard that session of the node, and alone has its predictions. */
  private elsewhere({ reach }: NodeKeeper, sid: number): boolean {
    return this.cluster !== undefined && reach?.sid !== sid;
  }

  findKeeper(name: string): NodeKeeper {
    return this.byName.get(name) as NodeKeeper;
  }
}
