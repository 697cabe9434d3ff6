import type { Message, UpName } from "../../src/wire/messages.ts";
import type { Configuration, Received } from "./session-options.ts";

/** The requests, and the message that answers each. */
export const ANSWERS = {
  state: "state",
  statistics: "statistics",
  configuration: "configuration",
  checkpoint: "checkpoint",
  copy: "checkpoint",
} as const;

/** The answer to a request. */
export type Answer<W extends keyof typeof ANSWERS> = Message<(typeof ANSWERS)[W]>;

/** Who waits for a message of the node. Several may wait for the same one; each hears all that come. */
export class Askers {
  private readonly askers = new Map<UpName, Set<(message: never) => void>>();

  /** @returns to be called when it waits no longer. */
  add<N extends UpName>(name: N, hear: (message: Message<N>) => void): () => void {
    const ofName = this.askers.get(name) ?? new Set();
    this.askers.set(name, ofName.add(hear));
    return () => {
      ofName.delete(hear);
    };
  }

  take(...[name, message]: Received): void {
    for (const hear of [...(this.askers.get(name) ?? [])]) hear(message as never);
  }
}

/** Makes changes one at a time, each after the last has ended: a change of some options sends all of them. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as `act` does. */
  take<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.last.then(act);
    this.last = turn.catch(() => {});
    return turn;
  }
}

/**
 * Tells of each of the node's messages whether it confirms these options. `checkpointEvery` becomes no more than the node's own options have it:
 * such a message is believed the second time, as the first may answer what was asked before.
 */
export function confirming(wanted: Configuration): (message: Configuration) => boolean {
  const names = Object.keys(wanted) as (keyof Configuration)[];
  let others = 0;
  return (message) => {
    const differs = names.filter((name) => message[name] !== wanted[name]);
    const isLess = wanted.checkpointEvery === 0 || message.checkpointEvery < wanted.checkpointEvery;
    const isMost = `${differs}` === "checkpointEvery" && isLess && ++others > 1;
    return differs.length === 0 || isMost;
  };
}
