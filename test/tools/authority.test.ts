import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { Aedes } from "aedes";
import * as assert from "uvu/assert";
import { readFleet } from "../../fleet/gateway/fleet-file.ts";
import { Gateway } from "../../fleet/gateway/gateway.ts";
import type { Log } from "../../fleet/gateway/log.ts";
import { AVAILABILITY } from "../../fleet/home-assistant/discovery.ts";
import { openIntake } from "../../fleet/intake/intake.ts";
import type { LabelIntakePorts } from "../../fleet/intake/label-intake.ts";
import { UserError } from "../../host/errors.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { authorityReader } from "../../tools/ports/authority.ts";
import { MqttNode } from "../../tools/ports/mqtt-node.ts";
import { Port } from "../../tools/ports/port.ts";
import { refusesHere, runHere } from "../cli/program.ts";
import { AUTHORITY, CERTIFICATE, SIGNED, SIGNED_KEY } from "./certificate.ts";
import { endsWithTest, test } from "./contained.ts";
import { inFolder } from "./stations.ts";

const UNKNOWN =
  /nobody known vouches for the broker's certificate; give the certificate of who does: --ca FILE/;

/** An MQTT broker over TLS in this process, whose certificate only `AUTHORITY` vouches for. */
async function tlsBroker() {
  const aedes = await Aedes.createBroker();
  const server = createServer({ cert: SIGNED, key: SIGNED_KEY }, aedes.handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    aedes.close();
    server.close();
  };
  endsWithTest(close);
  const { port } = server.address() as AddressInfo;
  /** Topics that somebody subscribed to or published on. */
  const topics: string[] = [];
  let look = () => {};
  const take = (topic: string) => {
    topics.push(topic);
    look();
  };
  aedes.on("subscribe", (all) => {
    for (const { topic } of all) take(topic);
  });
  aedes.on("publish", ({ topic }) => take(topic));
  return {
    at: (name: string) => `mqtts://localhost:${port}/${name}`,
    /** Resolves when there was one like that. */
    heard: (topic: RegExp) =>
      new Promise<void>((done) => {
        look = () => topics.some((each) => topic.test(each)) && done();
        look();
      }),
  };
}

function file(name: string, text: string): string {
  const path = inFolder(name);
  writeFileSync(path, text);
  return path;
}

test("a broker whose authority the system doesn't know is reached by --ca, and by no other certificate", async () => {
  const { at } = await tlsBroker();
  const met = new Promise<void>((done) => {
    const node = new MqttNode(parseAddress(at("n1"), AUTHORITY) as MqttAddress, () => {}, {
      met: done,
      left() {},
    });
    endsWithTest(() => node.close());
  });
  await met;
  const port = await Port.open(at("n1"), { ca: AUTHORITY }, { data() {} });
  assert.ok(port.open);
  await port.close();
  for (const ca of [undefined, CERTIFICATE])
    try {
      await Port.open(at("n1"), { ca }, { data() {} });
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, UNKNOWN);
    }
  const { code, stderr } = await runHere([
    "monitor",
    "--port",
    at("n1"),
    "--ca",
    file("other.pem", CERTIFICATE),
  ]);
  assert.is(code, 4);
  assert.match(stderr, UNKNOWN);
});

test("the fleet file's ca is for the nodes, the labels and Home Assistant", async () => {
  const { at, heard } = await tlsBroker();
  file("ca.pem", AUTHORITY);
  const fleet = readFleet(
    file(
      "tls-fleet.json",
      JSON.stringify({
        ...{ schema: "motelearn.fleet/1", port: 0, store: "tls.db", ca: "ca.pem" },
        ...{
          homeAssistant: at("homeassistant"),
          nodes: [{ name: "n1", port: at("n1"), labels: at("labels") }],
        },
      }),
    ),
  );
  const gateway = new Gateway(fleet, { write() {} } as unknown as Log);
  await gateway.start();
  for (const topic of [/^n1\/up$/, AVAILABILITY]) await heard(topic);
  await gateway.close();
  // A gateway takes labels once it has met the node.
  const hello = () => ({ sid: 1, seq: 0 });
  const ports = { node: "n1", hello, place() {}, keep() {}, awaitCommit: async () => undefined };
  const { desk, intake } = openIntake(
    at("labels"),
    "n1",
    ports as unknown as LabelIntakePorts,
    undefined,
    fleet.ca,
  );
  const runs = intake.run();
  await heard(/^labels$/);
  desk.close();
  await runs;
});

test("a file that holds no certificate, or an address without TLS, is refused with what is right", async () => {
  const text = file("text.pem", "no certificate");
  for (const path of [text, inFolder("missing.pem")])
    assert.throws(
      () => authorityReader("--ca")(path),
      (error: Error) =>
        error instanceof UserError && /; takes a file of certificates, PEM$/.test(error.message),
    );
  const ca = file("ca.pem", AUTHORITY);
  for (const address of ["mqtt://localhost/n1", "tcp://localhost:1"])
    await refusesHere(
      ["monitor", "--port", address, "--ca", ca],
      "--ca: goes with mqtts://HOST/NAME",
      address,
    );
  await refusesHere(
    ["bridge", "--port", "unix:/nowhere", "--to", "mqtt://localhost/n1", "--ca", ca],
    "--ca: goes with mqtts://HOST/NAME",
  );
});

test.run();
