import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get } from "node:https";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { PASSWORD_VARIABLE } from "../../tools/ports/address.ts";
import { become } from "../tools/awaited.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "../tools/certificate.ts";
import { test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

const TOKENS = { n1: newToken(), n2: newToken(), camera: newToken(), guest: newToken(), plc: newToken() };
const USERS = [
  { name: "plc", role: "operate", token: tokenHash(TOKENS.plc) },
  { name: "camera", role: "label", token: tokenHash(TOKENS.camera) },
  { name: "guest", role: "look", token: tokenHash(TOKENS.guest) },
];
type User = keyof typeof TOKENS;
/** A gateway's state of a node. */
interface Said {
  readonly connected: boolean;
  readonly seq?: number;
  readonly labelled?: number;
}

/** Resolves when the broker ends the connection. */
const cut = (client: MqttClient) => new Promise<void>((done) => client.once("close", () => done()));

/** A gateway of n1 and n2 with a broker, TLS and users, and n1 in a process of its own that samples. */
async function guardedFleet() {
  const broker = await freePort();
  const [cert, key] = ["cert.pem", "key.pem"];
  writeFileSync(inFolder(cert), CERTIFICATE);
  writeFileSync(inFolder(key), CERTIFICATE_KEY);
  const at = (name: string, user = "") => `mqtts://${user}localhost:${broker}/${name}`;
  const nodes = [
    { name: "n1", port: at("n1"), token: tokenHash(TOKENS.n1), labels: at("inspections") },
    { name: "n2", port: at("n2"), token: tokenHash(TOKENS.n2) },
  ];
  const listen = { host: "0.0.0.0", tls: { cert, key } };
  const { child, url } = await startGateway(fleet("guarded", nodes, { users: USERS, broker, listen }));
  assert.match(url, /^https:/);
  Object.assign(process.env, { NODE_EXTRA_CA_CERTS: inFolder(cert), [PASSWORD_VARIABLE]: TOKENS.n1 });
  const station = await startStation({ listen: at("n1", "n1@"), node: nameLearner(NODE), sampleMs: 50 });
  for (const name of ["NODE_EXTRA_CA_CERTS", PASSWORD_VARIABLE]) delete process.env[name];
  const ask = async (path: string) => {
    const options = { ca: CERTIFICATE, headers: { authorization: `Bearer ${TOKENS.plc}` } };
    const [response] = await once(get(`${url}${path}`, options), "response");
    return JSON.parse((await response.toArray()).join(""));
  };
  const connection = (given: IClientOptions) =>
    connectAsync({
      ...{ protocol: "mqtts", host: "localhost", port: broker, ca: CERTIFICATE, reconnectPeriod: 0 },
      ...given,
    });
  return {
    ask,
    connection,
    as: (user: User, rest: IClientOptions = {}) =>
      connection({ username: user, password: TOKENS[user], ...rest }),
    /** Waits until the gateway's report of n1 is right; returns the report. */
    n1: async (what: string, right: (said: Said) => boolean): Promise<Said> => {
      let said: Said = { connected: false };
      const done = async () => {
        [said] = (await ask("/api/nodes")).nodes;
        return right(said);
      };
      await become(what, done, () => JSON.stringify(said));
      return said;
    },
    close: async () => {
      await kill(child);
      await killStation(station);
    },
  };
}

type Fleet = Awaited<ReturnType<typeof guardedFleet>>;

/** Waits for more samples of n1. */
async function samples({ n1 }: Fleet, count: number): Promise<void> {
  const { seq: before = 0 } = await n1("a sample", ({ connected, seq }) => connected && seq !== undefined);
  await n1(`${count} samples more`, ({ seq = 0 }) => seq >= before + count);
}

async function refused(taken: Promise<MqttClient>): Promise<void> {
  const code = await taken.then(
    () => "taken in",
    (error) => error.code,
  );
  assert.is(code, 4);
}

/** The broker ends a connection that publishes what it may not. */
async function publishes(client: MqttClient, topic: string): Promise<void> {
  const ended = cut(client);
  client.publish(topic, "offline", { retain: true });
  await ended;
}

/** Waits until the trail has all of that. */
async function trail({ ask }: Fleet, parts: readonly string[]): Promise<void> {
  let texts = "";
  const done = async () => {
    texts = JSON.stringify((await ask("/api/audit")).entries);
    return parts.every((part) => texts.includes(part));
  };
  await become("the trail", done, () => texts);
}

test("over TLS a node at the broker has its own topics alone, and nobody another's name", async () => {
  const guarded = await guardedFleet();
  const { connection, as } = guarded;
  await samples(guarded, 3);
  await refused(connection({}));
  await refused(connection({ username: "n2", password: TOKENS.n1 }));
  await refused(connection({ username: "n1", password: tokenHash(TOKENS.n1) }));
  await refused(connection({ username: "$gateway", password: TOKENS.n1 }));
  await refused(connection({ username: "guest", password: TOKENS.guest }));
  for (const topic of ["n1/up", "n1/down", "n1/status", "n2/down", "inspections", "$SYS/x"])
    await publishes(await as("n2"), topic);
  const willing = await as("n2", { will: { topic: "n1/status", payload: Buffer.from("offline") } });
  willing.stream.destroy();
  const client = await as("n2", { clientId: "n1" });
  for (const topic of ["n1/up", "n1/down", "#", "+/up", "n2/up", "inspections", "$SYS/#"])
    await client.subscribeAsync(topic).then(
      () => assert.unreachable(topic),
      () => {},
    );
  await client.subscribeAsync("n2/down");
  await client.publishAsync("n2/status", "offline", { qos: 1 });
  await client.endAsync();
  await samples(guarded, 5);
  await trail(guarded, [
    "wrong user or password, n2",
    "wrong user or password, $gateway",
    "may not publish n1/up",
    "may not publish n1/status",
    "may not subscribe to #",
  ]);
  await guarded.close();
});

test("a user who may label publishes labels in its own name, and nothing else", async () => {
  const guarded = await guardedFleet();
  const { as, n1, ask } = guarded;
  await samples(guarded, 3);
  for (const topic of ["n1/up", "n1/down", "n1/status"]) await publishes(await as("camera"), topic);
  const camera = await as("camera");
  await camera.subscribeAsync("inspections").then(
    () => assert.unreachable("subscribed"),
    () => {},
  );
  // A busy machine's label may come after its sample was discarded, so newer samples get one, too.
  let published = 0;
  await n1("the label's answer", ({ seq = 0, labelled = 0 }) => {
    if (labelled === 0 && seq > published) {
      published = seq;
      camera.publish("inspections", JSON.stringify({ seq, label: 1, by: "anna" }), { qos: 1 });
    }
    return labelled > 0;
  });
  const { labellers } = await ask("/api/labellers");
  assert.equal(
    labellers.map(({ by }: { by: string }) => by),
    ["camera"],
  );
  await camera.endAsync();
  await guarded.close();
});

test.run();
