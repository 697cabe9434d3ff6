import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectAsync } from "mqtt";
import * as assert from "uvu/assert";
import { TOKEN_VARIABLE } from "../../fleet/alarms/webhook.ts";
import type { LiveEvent } from "../../fleet/api/api.ts";
import type { NodeAlarm } from "../../fleet/api/node-state.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { become } from "../tools/awaited.ts";
import { TestBroker } from "../tools/broker.ts";
import { ended, endsWithTest, test } from "../tools/contained.ts";
import { inFolder, startStation, takeSamples } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

const RULES = [
  { name: "running", classes: ["on"] },
  { name: "silent", silentSeconds: 1 },
];
const TOPIC = "plant/alarms/press/running";
const STATE = "motelearn/motelearn_press/state";
/** Samples that are labelled, all of the same class. */
const TAUGHT = 30;
/** Samples of one class that switch an alarm. */
const FEW = 3;

interface Alarms {
  readonly alarms: readonly NodeAlarm[];
  readonly changes: readonly LiveEvent[];
}

test("an alarm reaches the page's interface, MQTT, Home Assistant and a webhook, once, and lasts over a killed gateway", async () => {
  const broker = await TestBroker.start();
  const posts: { readonly alarm: string; readonly on: boolean }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    assert.is(request.headers.authorization, "Bearer word");
    posts.push(JSON.parse(body));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endsWithTest(() => server.close());
  const heard = new Map<string, string>();
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  endsWithTest(() => client.end(true));
  client.on("message", (topic, payload) => heard.set(topic, String(payload)));
  await client.subscribeAsync([TOPIC, STATE, "homeassistant/#"]);

  const listen = inFolder("alarmed.s");
  const checkpoint = inFolder("alarmed.ck");
  const station = await startStation({ listen, node: nameLearner(NODE), checkpoint, fed: false } as never);
  const { port } = server.address() as AddressInfo;
  const file = fleet("alarmed", [{ name: "press", port: `unix:${listen}`, classes: ["off", "on"] }], {
    homeAssistant: broker.address("homeassistant"),
    alarms: {
      rules: RULES,
      mqtt: broker.address("plant/alarms"),
      webhook: `http://127.0.0.1:${port}/secret`,
    },
  });
  let gateway = await startGateway(file, { [TOKEN_VARIABLE]: "word" });
  const ask = async (path: string) => (await fetch(`${gateway.url}${path}`)).json();
  const said = () => JSON.stringify([...heard, posts]);
  const alarm = async (name: string) =>
    ((await ask("/api/alarms")) as Alarms).alarms.find((each) => each.name === name);
  const switched = (name: string, on: boolean) =>
    become(`${name} ${on}`, async () => (await alarm(name))?.on === on, said);
  const met = async () =>
    become("the node's classes", async () => (await alarm("running")) !== undefined, said);

  let labels = 0;
  const label = async (seq: number, name: string) => {
    const body = JSON.stringify({ seq, label: name, by: "anna" });
    const headers = { "content-type": "application/json" };
    await fetch(`${gateway.url}/api/nodes/press/labels`, { method: "POST", headers, body });
    labels++;
    await become(
      "the label",
      async () => ((await ask("/api/nodes/press")) as { labelled: number }).labelled === labels,
      said,
    );
  };

  await met();
  await switched("silent", true);
  takeSamples(station, FEW); // an untaught node decides for +1: that says nothing of its machine
  await switched("silent", false);
  assert.is((await alarm("running"))?.on, false);
  assert.is((await alarm("running"))?.class, undefined);
  await label(1, "on");
  takeSamples(station, FEW);
  await switched("running", true);
  const { since, class: current } = (await alarm("running"))!;
  assert.is(current, "on");
  await become("the topic", () => heard.get(TOPIC)?.includes('"on":true') ?? false, said);
  await become(
    "Home Assistant's value",
    () => heard.get(STATE)?.includes('"alarm_running":"on"') ?? false,
    said,
  );
  const config = JSON.parse(heard.get("homeassistant/device/motelearn_press/config")!);
  assert.is(config.components.alarm_running.device_class, "problem");
  const running = () => posts.filter((each) => each.alarm === "running").map(({ on }) => on);
  await become("a post", () => running().length === 1, said);
  const { changes } = (await ask("/api/alarms")) as Alarms;
  assert.match(changes.map(({ text }) => text).join("; "), /running is on; the machine is on/);
  // Silence is noticed within a second, and all that changed before is then on disk.
  await switched("silent", true);
  await kill(gateway.child);

  gateway = await startGateway(file, { [TOKEN_VARIABLE]: "word" });
  await met();
  assert.equal(await alarm("running"), { node: "press", name: "running", on: true, since, class: "on" });
  assert.equal(running(), [true], "it isn't posted again");
  takeSamples(station, TAUGHT);
  const last = 2 * FEW + TAUGHT;
  await become(
    "samples",
    async () => ((await ask("/api/nodes/press")) as { seq: number }).seq === last,
    said,
  );
  for (let seq = last - TAUGHT + 1; seq <= last; seq++) await label(seq, "off");
  takeSamples(station, 5);
  await switched("running", false);
  await become("a post that it is off", () => running().length === 2, said);
  assert.equal(running(), [true, false]);
  await become("the topic", () => heard.get(TOPIC)?.includes('"on":false') ?? false, said);
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
});

test.run();
