import { REQUEST } from "../node/requests.ts";
import type { Message } from "../wire/messages.ts";
import type { Line } from "./line.ts";

/**
 * Requests that credit hasn't allowed yet, in their order; then the last configuration, a rollback, and the last request for words of
 * memory.
 */
export class Requests {
  private readonly waiting: number[] = [];
  private configures = false;
  private rollsBack = false;
  private inspects = false;

  constructor(private readonly line: Line) {}

  add(what: keyof typeof REQUEST): void {
    this.waiting.push(REQUEST[what]);
  }

  has(what: keyof typeof REQUEST): boolean {
    return this.waiting.includes(REQUEST[what]);
  }

  configure(configuration: Omit<Message<"configuration">, "length">): void {
    Object.assign(this.line.port.outgoing("configuration"), configuration);
    this.configures = true;
  }

  rollback(): void {
    this.rollsBack = true;
  }

  inspect(first: number, count: number): void {
    const inspect = this.line.port.outgoing("inspect");
    inspect.first = first;
    inspect.count = count;
    this.inspects = true;
  }

  /** The node started: perhaps by the rollback that was asked for. */
  restart(): void {
    this.rollsBack = false;
  }

  /** Sends what credit allows. */
  tick(start: number): void {
    const { line, waiting } = this;
    while (waiting.length > 0 && this.sendRequest(waiting[0])) waiting.shift();
    if (this.configures && line.send("configuration") > 0) this.configures = false;
    if (this.rollsBack) this.sendRollback(start);
    if (this.inspects) this.sendInspect(start);
  }

  private sendRequest(what: number): boolean {
    this.line.port.outgoing("request").what = what;
    return this.line.send("request") > 0;
  }

  private sendRollback(start: number): void {
    const rollback = this.line.port.outgoing("rollback");
    rollback.start = start;
    rollback.status = 0;
    if (this.line.send("rollback") > 0) this.rollsBack = false;
  }

  private sendInspect(start: number): void {
    this.line.port.outgoing("inspect").start = start;
    if (this.line.send("inspect") > 0) this.inspects = false;
  }
}
