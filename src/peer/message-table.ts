import { MESSAGES, type Message, type MessageName, seedsById } from "../wire/messages.ts";

/** The node's table of messages, as the parts of its schema report it: a seed for each id. */
export class MessageTable {
  private readonly seeds = new Map<number, number>();

  /** The node started, perhaps with another table. */
  restart(): void {
    this.seeds.clear();
  }

  /** Takes a part. Returns the messages in which the tables differ once all parts came; undefined until then. */
  take({ first, total, seeds, length }: Message<"schema">): string[] | undefined {
    for (let i = 0; i < length; i++) this.seeds.set(first + i, seeds[i]);
    return this.seeds.size === total ? differences(this.seeds) : undefined;
  }
}

/** The messages in which our table differs from one with those seeds by id. */
function differences(theirs: ReadonlyMap<number, number>): string[] {
  const ours = seedsById();
  const names = new Map(
    (Object.keys(MESSAGES) as MessageName[]).map((name) => [MESSAGES[name].id as number, name]),
  );
  const found: string[] = [];
  for (let id = 0; id < Math.max(ours.length, theirs.size); id++) {
    const mine = ours[id] ?? 0;
    const other = theirs.get(id) ?? 0;
    if (mine === other) continue;
    const name = names.get(id) ?? `message ${id}`;
    if (other === 0) found.push(`${name}: the node doesn't have it`);
    else if (mine === 0) found.push(`${name}: only the node has it`);
    else found.push(`${name}: its fields differ`);
  }
  return found;
}
