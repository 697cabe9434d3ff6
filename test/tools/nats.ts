import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { connectAsync } from "mqtt";
import { become } from "./awaited.ts";
import { childOfTest, ended } from "./contained.ts";
import { freePort } from "./ports.ts";
import { inFolder } from "./stations.ts";

/** One of the servers of a cluster, a process of its own. */
interface NatsServer {
  readonly nats: number;
  readonly mqtt: number;
  readonly http: number;
  /** Its configuration. */
  readonly file: string;
  child: ChildProcess;
}

function startServer(file: string): ChildProcess {
  return childOfTest(spawn("nats-server", ["-c", file], { stdio: "ignore" }));
}

/** nats-servers with JetStream and MQTT in one cluster. */
export class NatsServers {
  private constructor(private readonly servers: readonly NatsServer[]) {}

  /** Resolves when they agree. */
  static async start(name: string, count: number): Promise<NatsServers> {
    const ports: number[] = [];
    while (ports.length < 4 * count) ports.push(await freePort());
    const routes = ports.slice(3 * count).map((port) => `"nats://127.0.0.1:${port}"`);
    const servers = Array.from({ length: count }, (_, i) => {
      const [nats, mqtt, http, route] = [0, 1, 2, 3].map((k) => ports[k * count + i]);
      const folder = inFolder(`${name}-nats-${i}`);
      mkdirSync(folder);
      const file = inFolder(`${name}-nats-${i}.conf`);
      writeFileSync(
        file,
        `server_name: s${i}
         listen: 127.0.0.1:${nats}
         http: 127.0.0.1:${http}
         jetstream { store_dir: "${folder}" }
         mqtt { listen: 127.0.0.1:${mqtt} }
         cluster { name: ${name}, listen: 127.0.0.1:${route}, routes: [${routes.join(", ")}] }`,
      );
      return { nats, mqtt, http, file, child: startServer(file) };
    });
    const all = new NatsServers(servers);
    await become(
      "NATS servers to agree",
      () => all.healthy(),
      () => all.addresses.join(", "),
    );
    await all.beginMqtt();
    return all;
  }

  /** Their addresses for gateways. */
  get addresses(): string[] {
    return this.servers.map(({ nats }) => `nats://127.0.0.1:${nats}`);
  }

  /** A node's address at them, that server first. */
  address(node: string, first: number): string {
    const { servers } = this;
    const inTurn = servers.map((_, i) => servers[(first + i) % servers.length].mqtt);
    return `mqtt://${inTurn.map((port) => `127.0.0.1:${port}`).join(",")}/${node}`;
  }

  async kill(index: number): Promise<void> {
    await ended(this.servers[index].child, "SIGKILL");
  }

  /**
   * Starts one that was killed again, with what it had on disk. Resolves when it answers: it may still have to learn what it missed, which the
   * others know.
   */
  async revive(index: number): Promise<void> {
    const server = this.servers[index];
    server.child = startServer(server.file);
    await become(
      `server ${index} to answer`,
      () => this.answers(server),
      () => String(server.child.exitCode),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((_, i) => this.kill(i)));
  }

  /**
   * Connects a client to each. At the first one a server makes its streams for MQTT; where all did at once, 2.9.10 kept
   * messages of one server from clients of another.
   */
  private async beginMqtt(): Promise<void> {
    for (const { mqtt } of this.servers) {
      const client = await connectAsync({ host: "127.0.0.1", port: mqtt, protocol: "mqtt" });
      await client.publishAsync("begin", "", { qos: 1, retain: true });
      await client.endAsync();
    }
  }

  private async answers({ http }: NatsServer): Promise<boolean> {
    try {
      return (await fetch(`http://127.0.0.1:${http}/healthz?js-server-only=true`)).ok;
    } catch {
      return false;
    }
  }

  private async healthy(): Promise<boolean> {
    try {
      const answers = await Promise.all(
        this.servers.map(({ http }) => fetch(`http://127.0.0.1:${http}/healthz`)),
      );
      return answers.every(({ ok }) => ok);
    } catch {
      return false;
    }
  }
}
