import { CopyTaker, restorable } from "../../fleet/gateway/copy.ts";
import type { NodeCopyRow } from "../../fleet/store/fleet-store.ts";
import type { UpName } from "../../src/wire/messages.ts";
import { type Hello, readHello } from "../../tools/session/hello.ts";
import type { Session } from "../../tools/session/session.ts";
import { hearing, type Received } from "../../tools/session/session-options.ts";
import { Restored, reading, SENSING } from "../wire/restored.ts";

const ANSWERS = { state: "state", statistics: "statistics", copy: "checkpoint" } as const;
type Asked = keyof typeof ANSWERS;

/** A node with flash on a line, and a gateway's copies of it, in simulated time: nothing depends on this machine. */
export class CopiedNode {
  readonly at: Restored;
  readonly copier = new CopyTaker();
  /** What happens before each turn of the node. */
  before = () => {};
  /** The learner's options as the gateway knows them. */
  options: object = SENSING.options;
  /** Fields of its answers that it says otherwise. */
  claims: object = {};
  /** A message of it that is lost. */
  mute: UpName | undefined;
  /** Parts of its memory that came. */
  parts = 0;
  hello: Hello | undefined;
  private readonly came = new Map<UpName, object>();

  constructor(options: ConstructorParameters<typeof Restored>[0] = {}, flash?: Restored["flash"]) {
    const on = hearing((...received) => this.take(...received));
    this.at = new Restored({ ...options, peer: { on } }, flash);
  }

  get node() {
    return this.at.node;
  }

  /** Has the gateway copy its memory, as it would be stored. */
  async copy(): Promise<NodeCopyRow> {
    return { id: 1, time: 0, ...(await this.copier.copy(this.session, this.options as never)) };
  }

  restore(copied: NodeCopyRow, labelKey?: Uint8Array): Promise<Hello> {
    return this.copier.restore(this.session, restorable(copied), labelKey);
  }

  /** Takes a sample, and no label. */
  sample(): void {
    this.node.sample(reading(this.node.seq + 1));
  }

  private take(...[name, message]: Received): void {
    if (name === "hello") this.hello = readHello(message);
    if (name === "memory") {
      this.parts++;
      this.copier.take(message);
    }
    if (name !== this.mute) this.came.set(name, { ...message, ...this.claims });
  }

  /** What a copy asks of a session; its waits pass simulated time. */
  private get session(): Session {
    const { ends } = this.at;
    const self = this;
    const until = async (done: () => boolean) => {
      while (!done()) {
        this.before();
        ends.step();
        await undefined; // an error elsewhere ends the race
      }
    };
    const askWithin = async (what: Asked, ms: number) => {
      this.came.delete(ANSWERS[what]);
      let askedAt = Number.NEGATIVE_INFINITY;
      const from = ends.now;
      await until(() => {
        if (this.came.has(ANSWERS[what]) || ends.now - from >= ms) return true;
        if (ends.now - askedAt >= 1000) {
          askedAt = ends.now;
          ends.peer.request(what);
        }
        return false;
      });
      return this.came.get(ANSWERS[what]);
    };
    const session = {
      peer: ends.peer,
      port: { name: "the line" },
      clock: { now: () => ends.now },
      get hello() {
        return self.hello;
      },
      until,
      askWithin,
      ask: (what: Asked) => askWithin(what, Number.POSITIVE_INFINITY),
      awaitHello: async () => {
        await until(() => this.hello !== undefined && ends.peer.met);
        return this.hello;
      },
    };
    return session as unknown as Session;
  }
}
