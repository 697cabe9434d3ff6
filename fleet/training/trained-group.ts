import { GroupTrainer, type KeptMember, type Standing } from "../../host/training/group-trainer.ts";
import type { NamedOptions } from "../../tools/fusion/lines.ts";
import type { KeptLesson } from "../store/lesson-rows.ts";
import { type FirstState, firstState } from "./first-state.ts";

/** What a thread begins to train a group with. */
export interface GroupBeginning {
  /** The nodes' names. */
  readonly nodes: readonly string[];
  /** Features of a sample. */
  readonly dimension: number;
  /** Vectors of a model; 0: a plane. */
  readonly vectors: number;
  /** The lessons of all nodes, in the order in which they came. */
  readonly lessons: readonly KeptLesson[];
  /** What was remembered of each node, by name. */
  readonly remembered: Readonly<Record<string, RememberedNode>>;
}

/** What is kept of a node over restarts of the gateway. */
export interface RememberedNode extends KeptMember {
  /** The last lesson of its group that was taken before. */
  readonly last: number;
}

/** A model that a node gets. */
interface DueModel {
  readonly node: string;
  readonly candidate: string;
  readonly bytes: Uint8Array;
}

/** What a turn of a group's training made. */
export interface GroupTurn {
  readonly models: readonly DueModel[];
  /** Nodes of which something else is to be remembered, by name. */
  readonly remembered: Readonly<Record<string, RememberedNode>>;
  readonly standings: Readonly<Record<string, Standing>>;
  /** Newcomers' first states, by name; null: none, as there are no labels. */
  readonly firsts: Readonly<Record<string, FirstState | null>>;
}

/** A group of nodes that learn together, by their names, over restarts of the gateway. */
export class TrainedGroup {
  readonly nodes: readonly string[];
  private readonly trainer: GroupTrainer;
  /** The nodes that take a model now. */
  private readonly there = new Set<number>();
  /** The nodes of which something has changed since the last turn, and the last lesson. */
  private readonly changed = new Set<number>();
  private last = 0;
  /** Newcomers that wait for their first state. */
  private newcomers: (readonly [node: string, options: NamedOptions])[] = [];

  /** Resumes where an earlier one was. */
  constructor({ nodes, lessons, remembered, ...form }: GroupBeginning) {
    this.nodes = nodes;
    this.trainer = new GroupTrainer(nodes.length, form);
    const kept = new Map(Object.entries(remembered));
    const known = Math.max(0, ...[...kept.values()].map(({ last }) => last));
    for (const lesson of lessons) if (lesson.id <= known) this.take(lesson);
    this.trainer.resume(nodes.map((name) => kept.get(name)));
    this.changed.clear();
    for (const lesson of lessons) if (lesson.id > known) this.take(lesson);
  }

  take({ id, node, x, y }: KeptLesson): void {
    const place = this.nodes.indexOf(node);
    this.trainer.take(place, { x, y });
    this.changed.add(place);
    this.last = id;
  }

  /** The node takes a model now, or doesn't. */
  set(node: string, isThere: boolean): void {
    const place = this.nodes.indexOf(node);
    if (isThere) this.there.add(place);
    else this.there.delete(place);
  }

  /** Has these nodes get a model at the next turn. */
  order(nodes: readonly string[]): void {
    for (const node of nodes) this.trainer.order(this.nodes.indexOf(node));
  }

  /** Has the next turn make a newcomer's first state. */
  begin(node: string, options: NamedOptions): void {
    this.newcomers.push([node, options]);
  }

  /** Trains what is due. */
  turn(): GroupTurn {
    const { changed, last, newcomers, nodes, there, trainer } = this;
    const models = trainer.models((place) => there.has(place));
    for (const { node } of models) changed.add(node);
    const named = <T>(places: Iterable<number>, of: (place: number) => T) =>
      Object.fromEntries([...places].map((place) => [nodes[place], of(place)]));
    const remembered = models.length > 0 ? named(changed, (place) => ({ ...trainer.kept(place), last })) : {};
    if (models.length > 0) changed.clear();
    this.newcomers = [];
    const firsts = newcomers.map(([node, options]) => [node, firstState(options, trainer) ?? null]);
    return {
      models: models.map(({ node, candidate, bytes }) => ({ node: nodes[node], candidate, bytes })),
      remembered,
      standings: named(nodes.keys(), (place) => trainer.standing(place)),
      firsts: Object.fromEntries(firsts),
    };
  }
}
