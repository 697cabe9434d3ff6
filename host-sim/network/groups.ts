import { suggestion } from "../../host/suggestions.ts";
import { GroupTrainer, type Standing } from "../../host/training/group-trainer.ts";
import { type Scenario, ScenarioError, type TogetherOptions } from "../scenario/scenario.ts";

interface Place {
  readonly group: number;
  readonly place: number;
}

/** What a node of the network is to its group. */
export interface Member {
  /** The sample before which it joins. */
  readonly joins: number;
  /** Its group's trainer; undefined: it learns by itself. */
  readonly trainer: GroupTrainer | undefined;
  /** Takes a label that the node learned, with the features that its sample had there. */
  taught(y: number, x: Float32Array): void;
  /** What the gateway knows of it; undefined without a group. */
  standing(): Standing | undefined;
}

/** The groups of a network's nodes, and their trainers, in virtual time. */
export class Groups {
  readonly members: readonly Member[];
  private readonly trainers: readonly GroupTrainer[];
  private readonly nodes: readonly (readonly number[])[];

  /** @param names the nodes' @param dimension features of a sample. Throws a ScenarioError for a name that no node has. */
  constructor(
    { seed }: Pick<Scenario, "seed">,
    options: TogetherOptions,
    names: readonly string[],
    dimension: number,
  ) {
    const { groups, vectors, newcomers } = options;
    const findPlace = (name: string, key: string) => nodeNamed(name, names, key);
    this.nodes =
      groups.length === 0
        ? [[...names.keys()]]
        : groups.map((group, g) => group.map((name) => findPlace(name, `groups.${g}`)));
    this.trainers = this.nodes.map(
      ({ length }, g) => new GroupTrainer(length, { dimension, vectors, seed: seed + g }),
    );
    const joins = new Map(Object.entries(newcomers).map(([name, at]) => [findPlace(name, "newcomers"), at]));
    this.members = names.map((name, node) => this.makeMember(this.placeIn(node, name), joins.get(node) ?? 0));
  }

  private placeIn(node: number, name: string): Place | undefined {
    const places = this.nodes.flatMap((nodes, group): Place[] =>
      nodes.flatMap((each, place) => (each === node ? [{ group, place }] : [])),
    );
    if (places.length > 1)
      throw new ScenarioError(`together.groups: ${name} is in several groups; takes one`);
    return places[0];
  }

  private makeMember(at: Place | undefined, joins: number): Member {
    const trainer = at && this.trainers[at.group];
    const taught = (y: number, x: Float32Array) => trainer?.take(at?.place as number, { x, y });
    return { joins, trainer, taught, standing: () => trainer?.standing(at?.place as number) };
  }

  /** Hands over each model that is due before sample k. */
  install(k: number, to: (node: number, model: Uint8Array) => void): void {
    this.trainers.forEach((trainer, group) => {
      const nodes = this.nodes[group];
      const isThere = (place: number) => this.members[nodes[place]].joins <= k;
      for (const { node, bytes } of trainer.models(isThere)) to(nodes[node], bytes);
    });
  }
}

function nodeNamed(name: string, names: readonly string[], key: string): number {
  const place = names.indexOf(name);
  if (place >= 0) return place;
  throw new ScenarioError(`together.${key}: no node ${name}${suggestion(name, names)}`);
}
