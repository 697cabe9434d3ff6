/** A gateway in this process whose HTTP a test attacks: its one node was heard up to a sample, and nothing waits for a clock. */
import type { Server } from "node:http";
import { Access, type User } from "../../fleet/access/access.ts";
import { Gateway } from "../../fleet/gateway/gateway.ts";
import { serve } from "../../fleet/gateway/http.ts";
import type { Log } from "../../fleet/gateway/log.ts";
import type { NodeKeeper } from "../../fleet/gateway/node-keeper.ts";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { inFolder } from "./stations.ts";

export const NODE_NAME = "pump/1";
export const SID = 7;
export const HEARD = 2000;
const MINUTE_MS = 60_000;

export class ServedGateway {
  /** What its log says at levels warn and error. */
  readonly said: string[] = [];
  /** What ends the bodies that have not come whole; `endLate` calls it, and no clock. */
  private readonly late = new Set<() => void>();
  private waits = { count: 0, met: () => {} };

  private constructor(
    readonly gateway: Gateway,
    readonly file: string,
    private readonly node: string,
    readonly server: Server,
    readonly port: number,
  ) {}

  /** Has a free port. Each request comes a minute after the one before, so that no limit a minute is met. */
  static async start(name: string, node = NODE_NAME, users?: readonly User[]): Promise<ServedGateway> {
    const file = inFolder(`${name}.db`);
    const said: string[] = [];
    const write: Log["write"] = (level, node, event, text) => {
      if (level === "warn" || level === "error") said.push(`${event}: ${node}${text}`);
    };
    const fleet = {
      ...{ port: 0, store: file, keepCopies: 1, keepDays: 1, listen: { host: "127.0.0.1" } },
      ...{ sessionHours: 1, labelsPerMinute: 1e6, users },
      nodes: [{ name: node, port: `unix:${inFolder(name)}`, baud: 115200 }],
    };
    const gateway = new Gateway(fleet, { write } as Log);
    const { byName, store } = gateway as unknown as { byName: Map<string, NodeKeeper>; store: FleetStore };
    Object.assign(byName.get(node)!, { reached: { sid: SID, seq: HEARD } });
    for (let seq = 1; seq <= HEARD; seq++) {
      store.sample(node, SID, seq, new Float32Array([seq, -seq]));
      store.prediction(node, SID, seq, seq % 3 ? 1 : -1, 0);
    }
    let now = 0;
    const access = new Access({ ...fleet, tls: false, now: () => (now += MINUTE_MS) });
    let served: ServedGateway | undefined;
    const { server, port } = await serve(gateway, access, fleet.listen, 0, (_ms, act) => {
      return served!.afterLong(act);
    });
    served = new ServedGateway(gateway, file, node, server, port);
    Object.assign(served, { said });
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends the bodies that are late, once it waits for so many. */
  async endLate(count: number): Promise<void> {
    await new Promise<void>((met) => {
      this.waits = { count, met };
      this.look();
    });
    for (const act of [...this.late]) act();
  }

  /** Closes it; returns the labels that are on its disk, by sample. */
  async close(): Promise<Map<number, number>> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    await this.gateway.close();
    const store = new FleetStore(this.file);
    const labels = [...store.rows("label", this.node)].map(({ seq, y }) => [Number(seq), Number(y)] as const);
    store.close();
    return new Map(labels);
  }

  private afterLong(act: () => void): () => void {
    this.late.add(act);
    this.look();
    return () => {
      this.late.delete(act);
      this.look();
    };
  }

  private look(): void {
    if (this.late.size === this.waits.count) this.waits.met();
  }
}
