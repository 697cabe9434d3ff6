import { UserError } from "../../host/errors.ts";
import { suggestion } from "../../host/suggestions.ts";
import { resolveFeatures } from "../../src/signal/features.ts";
import type { Together } from "../training/training.ts";
import type { FleetNode } from "./fleet.ts";
import type { FleetText } from "./fleet-schema.ts";

/** The classes that a model of a group decides between. */
const CLASSES = 2;

/** The groups of a fleet file, checked; without a list of them all nodes are one. Throws a UserError. */
export function resolveTogether(
  place: string,
  { together, cluster }: FleetText,
  nodes: readonly FleetNode[],
): Together | undefined {
  if (!together) return undefined;
  if (cluster) throw new UserError(`${place}: gateways of a cluster train no models; remove it, or cluster`);
  const names = nodes.map(({ name }) => name);
  const groups = together.groups.length === 0 ? [names] : together.groups;
  groups.forEach((group, index) => {
    const at = `${place}.groups.${index}`;
    for (const name of group) {
      if (!names.includes(name)) throw new UserError(`${at}: no node ${name}${suggestion(name, names)}`);
      if (groups.slice(0, index).some((other) => other.includes(name)))
        throw new UserError(`${at}: ${name} is in another group, too; takes each node once`);
    }
    checkAlike(
      at,
      group.map((name) => nodes.find((node) => node.name === name) as FleetNode),
    );
  });
  return { ...together, groups };
}

/** What nodes of a group have in common, as far as the fleet file says it. */
const SHARED: { readonly [what: string]: (node: FleetNode) => string | undefined } = {
  "as many channels": ({ channels }) => channels && `${channels.length}`,
  "the same classes": ({ classes }) => classes?.join(", "),
  "the same features": ({ features }) => features && JSON.stringify(resolveFeatures(features)),
};

function checkAlike(at: string, nodes: readonly FleetNode[]): void {
  const many = nodes.find(({ classes = [] }) => classes.length > CLASSES);
  if (many)
    throw new UserError(`${at}: ${many.name} has ${many.classes?.length} classes; a group's nodes have two`);
  for (const [what, of] of Object.entries(SHARED)) {
    const [first, ...others] = nodes.filter((node) => of(node) !== undefined);
    const other = others.find((node) => of(node) !== of(first));
    if (other)
      throw new UserError(
        `${at}: ${first.name} and ${other.name} aren't alike; a group's nodes have ${what}`,
      );
  }
}
