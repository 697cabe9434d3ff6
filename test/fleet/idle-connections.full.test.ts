import { connect, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { PASSWORD_VARIABLE } from "../../tools/ports/address.ts";
import { become } from "../tools/awaited.ts";
import { ended, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder, killStation, startStation, takeSamples } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { fleet, startGateway } from "./fleets.ts";

const CONNECTIONS = 10_000;
const AT_ONCE = 100;
const TOKENS = { n1: newToken(), plc: newToken() };
const headers = { authorization: `Bearer ${TOKENS.plc}` };

/** Opens so many connections from an address of this machine, sends each that, and leaves them open; `met` is called between them. */
async function crowd(
  port: number,
  from: string,
  sent: string,
  met: () => Promise<void>,
): Promise<() => void> {
  const open = new Set<Socket>();
  for (let opened = 0; opened < CONNECTIONS; opened += AT_ONCE) {
    const sockets = Array.from({ length: AT_ONCE }, () => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: from });
      open.add(socket.on("error", () => {}).on("close", () => open.delete(socket)));
      if (sent) socket.write(sent);
      return new Promise<void>((done) => socket.once("connect", done).once("close", () => done()));
    });
    await Promise.all(sockets);
    if (opened % 1000 === 0) await met();
  }
  return () => {
    for (const socket of open) socket.destroy();
  };
}

/** A gateway with users and a broker with tokens, and a node that is there. */
async function guardedFleet(name: string) {
  const broker = await freePort();
  const port = `mqtt://localhost:${broker}/n1`;
  const nodes = [{ name: "n1", port, token: tokenHash(TOKENS.n1) }];
  const users = [{ name: "plc", role: "operate", token: tokenHash(TOKENS.plc) }];
  const gateway = await startGateway(fleet(name, nodes, { broker, users }));
  process.env[PASSWORD_VARIABLE] = TOKENS.n1;
  const at = { listen: port.replace("//", "//n1@"), checkpoint: inFolder(`${name}.flash`), checkpointMs: 0 };
  const station = await startStation({ ...at, node: nameLearner(NODE) });
  delete process.env[PASSWORD_VARIABLE];
  const said = async () =>
    (await fetch(`${gateway.url}/api/nodes/n1`, { headers })).json() as Promise<{
      seq?: number;
      node?: object;
      labelled?: number;
    }>;
  const until = async (what: string, right: (its: Awaited<ReturnType<typeof said>>) => boolean) => {
    let its = await said();
    const done = async () => {
      its = await said();
      return right(its);
    };
    await become(what, done, () => JSON.stringify(its));
  };
  await until("the node", ({ node }) => node !== undefined);
  let seq = 0;
  return {
    ...{ gateway, broker },
    http: Number(new URL(gateway.url).port),
    /** Has the node take a sample and learn its label. */
    learn: async () => {
      takeSamples(station, 1);
      seq++;
      await until(`sample ${seq}`, (its) => its.seq === seq);
      const options = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
      const body = JSON.stringify({ seq, label: 1 });
      const { status } = await fetch(`${gateway.url}/api/nodes/n1/labels`, { ...options, body });
      assert.is(status, 202);
      await until(`label ${seq}`, ({ labelled }) => labelled === seq);
    },
    close: async () => {
      assert.is(await ended(gateway.child, "SIGTERM"), 0);
      await killStation(station);
    },
  };
}

for (const [what, at, sent] of [
  ["the page's port, that say nothing", "http", ""],
  ["the page's port, that begin to log in", "http", "POST /api/session HTTP/1.1\r\nHost: localhost\r\n"],
  ["the broker, that say nothing", "broker", ""],
] as const) {
  test(`10,000 connections at ${what}, keep nobody out`, async () => {
    const its = await guardedFleet(`idle-${at}-${sent.length}`);
    const { gateway, learn } = its;
    await learn();
    const leave = await crowd(its[at], "127.0.0.2", sent, learn);
    await learn();
    assert.match(
      await gateway.says("crowded"),
      /^(HTTP|MQTT): too many connections; ended 1 idle ones, the last of 127\.0\.0\.2$/,
    );
    leave();
    await its.close();
  });
}

test.run();
