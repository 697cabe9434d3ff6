import { COPIED, type RESTORE_STATUS } from "../../src/node/handshake.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { NodeDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { KeptStart } from "../store/lesson-rows.ts";
import type { FirstState } from "./first-state.ts";

/** The state of a node that restored none. */
const FRESH: keyof typeof RESTORE_STATUS = "fresh";

/** What a newcomer needs of those that train its group. */
export interface NewcomerLine {
  /** Makes such a node's first state; undefined: its group has no labels, or is off. Rejects with an Error that says why such a node can have none. */
  make(hello: Hello, options: NodeOptions, classes?: readonly string[]): Promise<FirstState | undefined>;
  /** What was kept last; undefined: nothing. */
  kept(): KeptStart | undefined;
  keep(start: KeptStart): void;
  /** The first state that was under way won't be the node's. */
  drop(): void;
  say(text: string): void;
}

/**
 * Whether a node begins with a first state that its group's labels make. That is settled once for each of its starts: a node that began with nothing
 * learns by its own labels, whatever its group learns later.
 */
export class Newcomer {
  /** What it begins with, until it does. */
  first: FirstState | undefined;
  /** The start whose first state is being made or given. */
  private boot: number | undefined;

  /** @param line undefined: newcomers begin with nothing */
  constructor(private readonly line: NewcomerLine | undefined) {}

  /** True until its first state is settled: labels and models wait. */
  get isAwaited(): boolean {
    return this.boot !== undefined;
  }

  /** The node started, and hasn't said yet what it is. */
  started(): void {
    this.first = this.boot = undefined;
  }

  /** The node said what it is. Calls `settled` once labels and models needn't wait any more, unless the node starts before. */
  async described(
    hello: Hello,
    description: NodeDescription | null | undefined,
    settled: () => void,
  ): Promise<void> {
    const { line } = this;
    if (!line || !isNew(hello, line)) return;
    const { node = "it doesn't say what it is", names } = description ?? {};
    const { boot } = hello;
    this.boot = boot;
    let first: FirstState | undefined;
    try {
      if (typeof node === "string") throw new Error(node);
      first = await line.make(hello, node, names);
    } catch (error) {
      line.say(`doesn't begin with its group's labels: ${(error as Error).message}`);
    }
    if (this.boot !== boot) return;
    this.first = first;
    if (first) return;
    this.refused();
    settled();
  }

  /** Its first state is being sent. */
  giving(): void {
    if (this.boot !== undefined) this.line?.keep({ boot: this.boot, isOpen: true });
  }

  /** It begins without a first state: that is settled. */
  refused(): void {
    const { boot, line } = this;
    if (boot !== undefined && line) {
      if (line.kept()?.isOpen) line.drop();
      line.keep({ boot, isOpen: false });
    }
    this.started();
  }
}

/**
 * True if a node of that hello has learned nothing, and its first state isn't settled yet. A gateway or a node that died may have left a first
 * state half sent: before it came the node kept a checkpoint, which has learned nothing, either.
 */
function isNew({ boot, restore, labelled }: Hello, line: NewcomerLine): boolean {
  const kept = line.kept();
  if (!kept?.isOpen) return labelled === 0 && restore === FRESH && kept?.boot !== boot;
  if (labelled === 0 && restore !== COPIED) return true;
  line.keep({ boot, isOpen: false });
  return false;
}
