import type { TogetherOptions } from "../../host-sim/scenario/scenario.ts";
import { TASK } from "../../src/learn/learner.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { featureDimension } from "../../src/signal/features.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { KeptModel } from "../store/lesson-rows.ts";
import type { FirstState } from "./first-state.ts";
import type { NewcomerLine } from "./newcomer.ts";
import { NodeInGroup } from "./node-in-group.ts";
import type { GroupTurn, RememberedNode } from "./trained-group.ts";
import { TrainingThread } from "./training-thread.ts";

/** The database's key for the groups that are off: their nodes' names. */
const OFF = "together-off";

/** What training needs of its gateway. */
interface TrainingPorts {
  readonly store: FleetStore;
  /** Takes a model for the node, in a label's place. */
  install(node: string, model: KeptModel): void;
  /** Resolves once all that was taken is on disk, and on its way to the node; or with a text: why not. */
  committed(node: string): Promise<string | undefined>;
  /** Logs what happens to a node, or to training as a whole. */
  say(node: string, text: string): void;
  failed(why: string): void;
}

/** Nodes that learn together: the options of a scenario, but for nodes that join later. */
export type Together = Omit<TogetherOptions, "newcomers">;

/** A group, and what its first node says that it is. */
interface LikeNodes {
  readonly nodes: readonly string[];
  isOn: boolean;
  first?: { readonly name: string; readonly dimension: number; readonly classes?: readonly string[] };
  standings: GroupTurn["standings"];
}

/** Trains models for groups of nodes from the labels of all, and hands them out. */
export class Training {
  private readonly groups: LikeNodes[];
  private readonly nodes = new Map<string, NodeInGroup>();
  private readonly thread: TrainingThread;
  /** True if the node takes a model now, by name. */
  private readonly there = new Map<string, boolean>();
  /** Who waits for a newcomer's first state, by name. */
  private readonly newcomers = new Map<string, ((first: FirstState | undefined) => void)[]>();
  private hasFailed = false;

  constructor(
    private readonly options: Together,
    private readonly ports: TrainingPorts,
    worker?: URL,
  ) {
    const off: string[] = JSON.parse(ports.store.labels.readPlace("", OFF) ?? "[]");
    this.groups = options.groups.map((nodes) => ({
      nodes,
      isOn: !nodes.every((name) => off.includes(name)),
      standings: {},
    }));
    this.thread = new TrainingThread(
      { trained: (group, turn) => void this.trained(group, turn), failed: (why) => this.failed(why) },
      worker,
    );
    this.groups.forEach((group, place) => {
      for (const name of group.nodes) this.nodes.set(name, this.join(name, place));
    });
  }

  /** The node in its group; undefined: it learns alone. */
  findNode(name: string): NodeInGroup | undefined {
    return this.nodes.get(name);
  }

  /** The groups in the fleet file's order. */
  get list(): { readonly nodes: readonly string[]; readonly on: boolean; readonly labels: number }[] {
    return this.groups.map(({ nodes, isOn, standings }) => ({
      nodes,
      on: isOn,
      labels: Object.values(standings).reduce((sum, { labels }) => sum + labels, 0),
    }));
  }

  /** Turns a group on or off: an off group gets no models, and keeps those that it has. False: there is no such group. */
  turn(place: number, isOn: boolean): boolean {
    const group = this.groups[place];
    if (!group) return false;
    group.isOn = isOn;
    const off = this.groups.flatMap(({ nodes, isOn }) => (isOn ? [] : nodes));
    this.ports.store.labels.keepPlace("", OFF, JSON.stringify(off));
    this.tellThere(place);
    return true;
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private join(name: string, group: number): NodeInGroup {
    const { ports, thread } = this;
    return new NodeInGroup({
      vectors: this.options.vectors,
      unlike: (dimension, classes) => this.unlike(group, { name, dimension, classes }),
      keep: async (features) => {
        if (!features.x.every(Number.isFinite)) {
          ports.say(name, "sends features that aren't finite: its group doesn't learn that label");
          return true;
        }
        const lesson = ports.store.lessons.keep(name, features);
        if ((await ports.committed(name)) !== undefined) return false;
        if (lesson) thread.tell({ group, lesson });
        return true;
      },
      set: (isThere) => {
        if (this.there.get(name) === isThere) return;
        this.there.set(name, isThere);
        this.tellThere(group, [name]);
      },
      order: () => thread.tell({ group, order: [name] }),
      standing: () => {
        const { isOn, standings } = this.groups[group];
        const why = isOn ? this.nodes.get(name)?.why : "its group is off";
        return { ...standings[name], group, ...(why && { why }) };
      },
      say: (text) => ports.say(name, text),
      ...(this.options.start === "group" && { newcomer: this.newcomerIn(group, name) }),
    });
  }

  private newcomerIn(group: number, name: string): NewcomerLine {
    const { lessons } = this.ports.store;
    return {
      make: (hello, options, classes) => this.makeFirstState(group, name, { hello, options, classes }),
      kept: () => lessons.readStart(name),
      keep: (start) => lessons.keepStart(name, start),
      drop: () => this.ports.store.dropCopy(name),
      say: (text) => this.ports.say(name, text),
    };
  }

  /** The newcomer's first state, once the thread has made it. */
  private async makeFirstState(
    group: number,
    name: string,
    { hello: { dimension }, options, classes }: NewcomerDescription,
  ): Promise<FirstState | undefined> {
    const { task, name: learner } = options.learner;
    if (task !== TASK.classification)
      throw new Error(`${learner} doesn't learn the two classes of its labels`);
    const features = featureDimension(options.channels, options.features);
    if (features !== dimension)
      throw new Error(
        `by its options it makes ${features} features of a sample, and by its hello ${dimension}`,
      );
    const why = this.unlike(group, { name, dimension, classes });
    if (why !== undefined) throw new Error(why);
    if (this.hasFailed || !this.groups[group].isOn) return undefined;
    const waiting = this.newcomers.get(name) ?? [];
    this.newcomers.set(name, waiting);
    if (waiting.length === 0)
      this.thread.tell({ group, newcomer: { node: name, options: { ...options, learner } } });
    return new Promise((done) => waiting.push(done));
  }

  /** The thread has made it; undefined: there are no labels, or no thread any more. */
  private made(name: string, first: FirstState | undefined): void {
    for (const done of this.newcomers.get(name) ?? []) done(first);
    this.newcomers.delete(name);
  }

  private failed(why: string): void {
    this.hasFailed = true;
    for (const name of this.newcomers.keys()) this.made(name, undefined);
    this.ports.failed(why);
  }

  private tellThere(place: number, names = this.groups[place].nodes): void {
    const { isOn } = this.groups[place];
    const there = names.map((name) => [name, isOn && this.there.get(name) === true]);
    this.thread.tell({ group: place, there: Object.fromEntries(there) });
  }

  /** The first node of a group that is met says what the others are like. */
  private unlike(place: number, node: NonNullable<LikeNodes["first"]>): string | undefined {
    const group = this.groups[place];
    const { first } = group;
    if (!first) {
      group.first = node;
      this.begin(place, node.dimension);
      return undefined;
    }
    if (node.dimension !== first.dimension)
      return `it makes ${node.dimension} features of a sample, and ${first.name} of its group ${first.dimension}`;
    const [own = "", others = ""] = [node.classes?.join(", "), first.classes?.join(", ")];
    return own === others
      ? undefined
      : `its classes are ${own || "numbers"}, and those of ${first.name} ${others || "numbers"}`;
  }

  private begin(place: number, dimension: number): void {
    const { store } = this.ports;
    const { vectors } = this.options;
    const { nodes } = this.groups[place];
    const known = nodes.flatMap((name): [string, RememberedNode][] => {
      const text = store.lessons.readTrainer(name);
      const { form, ...node } = text === undefined ? {} : JSON.parse(text);
      return form === formText(dimension, vectors) ? [[name, node]] : [];
    });
    const lessons = store.lessons.of(nodes, dimension);
    this.thread.tell({
      group: place,
      begin: { nodes, dimension, vectors, lessons, remembered: Object.fromEntries(known) },
    });
    this.tellThere(place);
  }

  private async trained(place: number, turn: GroupTurn): Promise<void> {
    const { ports, groups } = this;
    const { models, remembered, standings, firsts } = turn;
    const { first } = groups[place];
    groups[place].standings = standings;
    const form = formText(first?.dimension, this.options.vectors);
    for (const [name, node] of Object.entries(remembered))
      ports.store.lessons.remember(name, JSON.stringify({ form, ...node }));
    for (const { node, candidate, bytes } of models)
      ports.install(node, { candidate, bytes, crc: modelCrc(bytes) });
    for (const [name, first] of Object.entries(firsts)) this.made(name, first ?? undefined);
    await Promise.all(models.map(({ node }) => ports.committed(node)));
  }
}

/** A newcomer, as it says that it is. */
interface NewcomerDescription {
  readonly hello: Hello;
  readonly options: NodeOptions;
  readonly classes?: readonly string[];
}

/** What lessons and models are made of: what is remembered of others is of no use. */
function formText(dimension: number | undefined, vectors: number): string {
  return `${dimension} features, ${vectors} vectors`;
}
