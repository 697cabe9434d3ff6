import { spawn } from "node:child_process";
import * as assert from "uvu/assert";
import { Cluster } from "../../fleet/cluster/cluster.ts";
import { listens } from "../../host/listens.ts";
import { become } from "../tools/awaited.ts";
import { childOfTest, endsWithTest, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder } from "../tools/stations.ts";

/** A NATS server that keeps a fleet's labels; its address. */
async function startServer(name: string): Promise<string> {
  const port = await freePort();
  const options = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", inFolder(name)];
  childOfTest(spawn("nats-server", options, { stdio: "ignore" }));
  await become(
    "a NATS server",
    () => listens({ port, host: "127.0.0.1" }),
    () => String(port),
  );
  return `nats://127.0.0.1:${port}`;
}

/** A gateway of a fleet of one node, by what it does. */
async function join(server: string, ports: Partial<Parameters<typeof Cluster.join>[1]>) {
  const said: string[] = [];
  const cluster = await Cluster.join(
    { servers: [server], name: "one", replicas: 1 },
    {
      ...{ nodes: ["n"], hold: () => {}, release: async () => {}, teach: async () => undefined },
      say: (_, text) => said.push(text),
      ...ports,
    },
  );
  return { cluster, said };
}

test("a gateway that can't begin with a node tries again, and has it then", async () => {
  let holds = 0;
  const hold = () => {
    if (++holds === 1) throw new Error("the disk is full");
  };
  const { cluster, said } = await join(await startServer("full"), { hold });
  endsWithTest(() => cluster.close());
  await become(
    "the gateway to have the node",
    () => holds > 1 && cluster.elsewhere("n") === undefined,
    () => said.join("; "),
  );
  assert.equal(said, ["n: the disk is full"]);
});

test.run();
