import { REQUEST } from "../node/requests.ts";
import type { Message } from "../wire/messages.ts";
import type { Line } from "./line.ts";

type Request = keyof typeof REQUEST | "configure" | "rollback" | "inspect";

/** What is asked of the node and credit hasn't allowed yet: each kind once, in the order in which they were asked for first. */
export class Requests {
  /** How each is sent; false: credit doesn't allow it. */
  private readonly waiting = new Map<Request, (start: number) => boolean>();

  constructor(private readonly line: Line) {}

  /** Each adds a request in place of the last of its kind. Returns how it is withdrawn, if it hasn't been sent. */
  add(what: keyof typeof REQUEST): () => void {
    return this.wait(what, () => {
      this.line.port.outgoing("request").what = REQUEST[what];
      return this.line.send("request") > 0;
    });
  }

  has(what: keyof typeof REQUEST): boolean {
    return this.waiting.has(what);
  }

  configure(configuration: Omit<Message<"configuration">, "length">): () => void {
    return this.wait("configure", () => {
      Object.assign(this.line.port.outgoing("configuration"), configuration);
      return this.line.send("configuration") > 0;
    });
  }

  rollback(): () => void {
    return this.wait("rollback", (start) => {
      Object.assign(this.line.port.outgoing("rollback"), { start, status: 0 });
      return this.line.send("rollback") > 0;
    });
  }

  inspect(first: number, count: number): () => void {
    return this.wait("inspect", (start) => {
      Object.assign(this.line.port.outgoing("inspect"), { start, first, count });
      return this.line.send("inspect") > 0;
    });
  }

  /** The node started: perhaps by the rollback that was asked for. */
  restart(): void {
    this.waiting.delete("rollback");
  }

  /** Sends what credit allows. */
  tick(start: number): void {
    for (const [what, send] of this.waiting) if (send(start)) this.waiting.delete(what);
  }

  private wait(what: Request, send: (start: number) => boolean): () => void {
    this.waiting.set(what, send);
    return () => {
      if (this.waiting.get(what) === send) this.waiting.delete(what);
    };
  }
}
