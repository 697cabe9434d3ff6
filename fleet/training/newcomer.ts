import type { NodeOptions } from "../../src/node/node.ts";
import type { NodeDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { FirstState } from "./first-state.ts";

/** What a newcomer needs of those that train its group. */
export interface NewcomerLine {
  /** Makes what such a node begins with; undefined: its group has no labels, or is off. Rejects with an Error that gives the reason why such a node can't. */
  make(hello: Hello, options: NodeOptions, classes?: readonly string[]): Promise<FirstState | undefined>;
  /** The start, `boot`, that was settled last; undefined: none. */
  settled(): number | undefined;
  /** Keeps over restarts of the gateway that this start is settled. */
  settle(boot: number): void;
  say(text: string): void;
}

/**
 * Whether a node begins with what its group knows. That is settled once for each of its starts: a node that began with nothing learns by its own
 * labels, whatever its group learns later.
 */
export class Newcomer {
  /** What it begins with, until it does. */
  first: FirstState | undefined;
  /** The start whose first state is being made or given. */
  private boot: number | undefined;

  /** @param line undefined: newcomers begin with nothing */
  constructor(private readonly line: NewcomerLine | undefined) {}

  /** True until it is settled with what it begins: labels and models wait. */
  get isAwaited(): boolean {
    return this.boot !== undefined;
  }

  /** The node started, and hasn't said yet what it is. */
  started(): void {
    this.first = this.boot = undefined;
  }

  /** A node that has learned nothing said what it is. Calls `settled` once labels and models needn't wait any more, unless the node starts before. */
  async described(
    hello: Hello,
    description: NodeDescription | null | undefined,
    settled: () => void,
  ): Promise<void> {
    const { line } = this;
    const { boot } = hello;
    if (!line || line.settled() === boot) return;
    const { node = "it doesn't say what it is", names } = description ?? {};
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

  /** It doesn't begin with what its group knows: that is settled. */
  refused(): void {
    if (this.boot !== undefined) this.line?.settle(this.boot);
    this.started();
  }
}
