import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectAsync, type MqttClient } from "mqtt";
import * as assert from "uvu/assert";
import { Alarm } from "../../fleet/alarms/alarm.ts";
import { AlarmTopic } from "../../fleet/alarms/alarm-topic.ts";
import { SteadyClass } from "../../fleet/alarms/current-class.ts";
import { Machines } from "../../fleet/alarms/machines.ts";
import { WAITING_MAX, Webhook } from "../../fleet/alarms/webhook.ts";
import type { NodeAlarm, NodeState } from "../../fleet/api/node-state.ts";
import { HomeAssistantPublisher } from "../../fleet/home-assistant/publisher.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { refusesHere, runHere } from "../cli/program.ts";
import { become } from "../tools/awaited.ts";
import { TestBroker } from "../tools/broker.ts";
import { endsWithTest, test } from "../tools/contained.ts";
import { fleet } from "./fleets.ts";

const at = (second: number) => ({ elapsed: 1000 * second, time: 1e12 + 1000 * second });

test("one odd decision changes no current class; three in a row do, since the first of them", () => {
  const steady = new SteadyClass();
  const decide = (...classes: number[]) => classes.map((each) => steady.decided(each, 10 * ++time));
  let time = 0;
  assert.equal(decide(-1), [true]);
  assert.equal(decide(1, -1, 1, 1, -1, 1, 2, 1), Array(8).fill(false));
  assert.equal(steady.value, { class: -1, since: 10 });
  assert.equal(decide(1, 1), [false, true]);
  assert.equal(steady.value, { class: 1, since: 90 });
});

test("an alarm goes on and off by samples in a row that last long enough, and not by single ones", () => {
  const alarm = new Alarm({ name: "worn", classes: ["worn"], onSamples: 2, onSeconds: 5, offSamples: 3 });
  const seen = (raised: boolean, ...seconds: number[]) =>
    seconds.map((second) => alarm.observe(raised, at(second)));
  assert.equal(seen(true, 1), [false]);
  assert.equal(seen(false, 2), [false]);
  assert.equal(seen(true, 3, 4, 7, 8), [false, false, false, true]);
  assert.equal(alarm.state, { name: "worn", on: true, since: at(3).time });
  assert.equal(seen(false, 9, 10), [false, false]);
  assert.equal(seen(true, 11), [false]);
  assert.equal(seen(false, 12, 13, 14), [false, false, true]);
  assert.equal(alarm.state, { name: "worn", on: false, since: at(12).time });
});

/** Machines whose clock, database and messages a test has. */
function watched(kept = new Map<string, string>()) {
  const switched: (readonly [string, string, boolean])[] = [];
  const said: string[] = [];
  const clock = { second: 0 };
  const elsewhere = new Set<string>();
  const machines = new Machines(
    ["press", "fan"],
    [
      { name: "worn", classes: ["worn", "broken"] },
      { name: "silent", silentSeconds: 60, nodes: ["press"] },
      { name: "odd", classes: ["odd"], nodes: ["fan"] },
    ],
    {
      now: () => at(clock.second),
      readKept: (node) => (kept.has(node) ? JSON.parse(kept.get(node)!) : undefined),
      keep: (node, machine) => void kept.set(node, JSON.stringify(machine)),
      holds: (node) => !elsewhere.has(node),
      switched: ({ node, name, on }) => switched.push([node, name, on]),
      say: (node, text) => said.push(`${node}: ${text}`),
    },
  );
  return { machines, switched, said, clock, kept, elsewhere };
}

test("each node has the alarms that it can raise; classes and alarms last over a restart of the gateway", () => {
  const { machines, switched, said, clock, kept } = watched();
  machines.describe("press", new ClassNames(["sound", "worn", "broken"]));
  machines.describe("fan", new ClassNames(["sound", "idle"]));
  assert.equal(said, ["fan: alarms: no class odd; the node has sound -1, idle +1"]);
  const names = () => machines.alarms.map(({ node, name }) => `${node} ${name}`);
  assert.equal(names(), ["press worn", "press silent"]);
  for (const decided of [0, 1, 2, 1]) {
    clock.second++;
    machines.decided("press", decided);
  }
  machines.decided("press", Number.NaN);
  assert.equal(switched, [["press", "worn", true]]);
  machines.keep();

  const again = watched(kept);
  const [worn] = again.machines.nodeState("press").alarms!;
  assert.equal(worn, { name: "worn", on: true, since: at(2).time });
  assert.equal(again.machines.nodeState("press").current, { class: 0, since: at(1).time, name: "sound" });
  again.machines.describe("press", new ClassNames(["sound", "worn", "broken"]));
  for (let k = 0; k < 3; k++) again.machines.decided("press", 0);
  assert.equal(again.switched, [["press", "worn", false]]);
});

test("a node without samples raises an alarm since its last one, until the next", () => {
  const { machines, switched, clock } = watched();
  const lookAt = (second: number) => {
    clock.second = second;
    machines.look();
  };
  lookAt(59);
  assert.equal(switched, []);
  machines.decided("press", 1);
  lookAt(118);
  assert.equal(switched, []);
  lookAt(119);
  lookAt(120);
  assert.equal(switched, [["press", "silent", true]]);
  assert.is(machines.nodeState("press").alarms?.[0].since, at(59).time);
  machines.decided("press", 1);
  assert.equal(switched[1], ["press", "silent", false]);
});

test("a node that another gateway has is neither silent nor in alarm here", () => {
  const { machines, switched, clock, elsewhere } = watched();
  elsewhere.add("press");
  clock.second = 1000;
  machines.look();
  assert.equal(machines.nodeState("press"), {});
  elsewhere.clear();
  clock.second = 1059;
  machines.look();
  assert.equal(switched, []);
  clock.second = 1060;
  machines.look();
  assert.equal(switched, [["press", "silent", true]]);
});

/** A server that answers with these statuses, one after the other, and then with 204. */
async function receiver(statuses: number[] = []) {
  const posts: { readonly body: string; readonly authorization?: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    posts.push({ body, authorization: request.headers.authorization });
    response.writeHead(statuses.shift() ?? 204, { location: "http://127.0.0.1:1/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endsWithTest(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret/path`;
  return { posts, url, server };
}

/** A webhook whose pauses end when the test says so. */
function hook(url: string, kept: { text?: string } = {}) {
  const said: string[] = [];
  const pauses: { readonly ms: number; readonly act: () => void; prevented: boolean }[] = [];
  const webhook = new Webhook(
    { url, token: "word" },
    {
      waiting: () => kept.text,
      keep: (text) => {
        kept.text = text;
      },
      say: (level, text) => said.push(`${level} ${text}`),
      after: (ms, act) => {
        const pause = { ms, act, prevented: false };
        pauses.push(pause);
        return () => {
          pause.prevented = true;
        };
      },
    },
  );
  endsWithTest(() => webhook.close());
  const paused = (count: number) =>
    become(
      `${count} pauses`,
      () => pauses.length === count,
      () => said.join("\n"),
    );
  return { webhook, said, pauses, paused, kept };
}

const posted = (posts: readonly object[], count: number) =>
  become(
    `${count} posts`,
    () => posts.length === count,
    () => JSON.stringify(posts),
  );

test("a webhook gets each message once and in order, through failures; no redirect is followed, no secret logged", async () => {
  const { posts, url } = await receiver([500, 302, 204, 404]);
  const { webhook, said, pauses, paused, kept } = hook(url);
  for (const message of ["1", "2", "3"]) webhook.post(message);
  await paused(1);
  pauses[0].act();
  await paused(2);
  assert.equal(
    pauses.map(({ ms }) => ms),
    [1000, 2000],
  );
  pauses[1].act();
  await posted(posts, 5);
  assert.equal(
    posts.map(({ body }) => body),
    ["1", "1", "1", "2", "3"],
  );
  assert.ok(posts.every(({ authorization }) => authorization === "Bearer word"));
  await become(
    "an empty queue",
    () => kept.text === "[]",
    () => kept.text ?? "",
  );
  assert.match(
    said.join("\n"),
    /status 500; 3 alarms wait[\s\S]*302: it leads[\s\S]*takes alarms again[\s\S]*404/,
  );
  assert.not.match(said.join("\n"), /secret|word/);
});

test("messages wait on disk while the webhook's server is away, the newest of too many", async () => {
  const { posts, url, server } = await receiver();
  server.close();
  await once(server, "close");
  const first = hook(url);
  for (let k = 0; k < WAITING_MAX + 5; k++) first.webhook.post(`${k}`);
  await first.paused(1);
  first.webhook.close();
  const waiting = JSON.parse(first.kept.text!) as string[];
  assert.is(waiting.length, WAITING_MAX);
  assert.is(waiting.at(-1), `${WAITING_MAX + 4}`);
  server.listen(Number(new URL(url).port), "127.0.0.1");
  hook(url, first.kept);
  await posted(posts, WAITING_MAX);
  assert.equal(
    posts.map(({ body }) => body),
    waiting,
  );
});

test("an alarm during a webhook's pause is tried at once, and takes the place of the next try: one waits, none after the end", async () => {
  const { url, server } = await receiver();
  server.close();
  await once(server, "close");
  const { webhook, pauses, paused } = hook(url);
  for (let k = 1; k <= 3; k++) {
    webhook.post(`${k}`);
    await paused(k);
  }
  const waits = () => pauses.map(({ prevented }) => !prevented);
  assert.equal(waits(), [false, false, true]);
  webhook.close();
  assert.equal(waits(), [false, false, false]);
});

test("the topic has each alarm as a retained message, and none that the fleet file no longer has", async () => {
  const broker = await TestBroker.start();
  const kept: { text?: string } = {};
  const open = (alarms: readonly NodeAlarm[]) => {
    const topic = new AlarmTopic(
      { at: broker.address("plant/alarms") },
      {
        alarms: () => alarms,
        readPublished: () => kept.text,
        keep: (text) => {
          kept.text = text;
        },
        say: () => {},
      },
    );
    endsWithTest(() => topic.close());
    return topic;
  };
  const heard = new Map<string, string>();
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  endsWithTest(() => client.end(true));
  client.on("message", (topic, payload) => heard.set(topic, String(payload)));
  await client.subscribeAsync("plant/alarms/#");
  const until = (what: string, so: () => boolean) => become(what, so, () => JSON.stringify([...heard]));
  const worn = { node: "hall/press", name: "worn", on: true, since: 1e12, class: "<b>\u001b" };
  const first = open([worn, { node: "fan", name: "silent", on: false }]);
  await until("both, and the gateway", () => heard.size === 3);
  const presence = [...heard.keys()].find((name) =>
    /^plant\/alarms\/gateway_[0-9a-f]{8}$/.test(name),
  ) as string;
  assert.is(heard.get(presence), "online");
  assert.equal(JSON.parse(heard.get("plant/alarms/hall/press/worn")!), {
    ...{ schema: "motelearn.alarm/1", node: "hall/press", alarm: "worn", on: true },
    ...{ since: "2001-09-09T01:46:40.000Z", class: "<b>\u001b" },
  });
  assert.not.ok(heard.get("plant/alarms/hall/press/worn")!.includes("\u001b"));
  first.publish({ ...worn, on: false });
  await until("off", () => heard.get("plant/alarms/hall/press/worn")!.includes('"on":false'));
  await first.close();
  await until("it left", () => heard.get(presence) === "offline");
  const second = open([worn]);
  await until("one removed", () => heard.get("plant/alarms/fan/silent") === "");
  await until("it is back", () => heard.get(presence) === "online");
  (second as unknown as { client: MqttClient }).client.stream.destroy();
  await until("it broke off", () => heard.get(presence) === "offline");
});

test("the entity of an alarm that a node no longer has leaves Home Assistant, at whichever start that is there", async () => {
  const broker = await TestBroker.start();
  const at = broker.address("homeassistant");
  const kept: { text?: string } = {};
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  endsWithTest(() => client.end(true));
  let components: Record<string, object> = {};
  client.on("message", (_, payload) => {
    components = JSON.parse(String(payload)).components;
  });
  await client.subscribeAsync("homeassistant/device/motelearn_press/config");
  /** Publishes a node with these alarms; returns the entities of alarms that Home Assistant then has. */
  const published = async (...names: string[]) => {
    components = {};
    const alarms = names.map((name) => ({ name, on: false }));
    const state = {
      name: "press",
      port: "unix:/s",
      node: { learner: "pa", firmware: "f" },
      alarms,
    } as unknown as NodeState;
    const keep = (text: string | undefined) => {
      kept.text = text;
    };
    const publisher = new HomeAssistantPublisher(
      { at, nodes: ["press"], alarmNames: () => names },
      { states: () => [state], readPublished: () => kept.text, keep, say: () => {} },
    );
    await become(
      "a device",
      () => "decision" in components,
      () => JSON.stringify(components),
    );
    await publisher.close();
    return Object.entries(components).flatMap(([key, component]) =>
      key.startsWith("alarm_") ? [[key, Object.keys(component).length > 1]] : [],
    );
  };
  assert.equal(await published("old", "worn"), [
    ["alarm_old", true],
    ["alarm_worn", true],
  ]);
  for (let start = 0; start < 2; start++)
    assert.equal(await published("worn"), [
      ["alarm_worn", true],
      ["alarm_old", false],
    ]);
  assert.equal(await published("old"), [
    ["alarm_old", true],
    ["alarm_worn", false],
  ]);
});

test("Home Assistant gets a node of any name that a fleet file takes, also one that every object has", async () => {
  const kept = JSON.stringify([{ at: "mqtt://127.0.0.1:1/h", id: "1", nodes: [], alarms: {} }]);
  const publisher = new HomeAssistantPublisher(
    { at: "mqtt://127.0.0.1:1/h", nodes: ["constructor"], alarmNames: () => ["worn"] },
    { states: () => [], readPublished: () => kept, keep: () => {}, say: () => {} },
  );
  await publisher.close();
});

test("a fleet file's wrong alarms are refused in one line, without a webhook's secrets", async () => {
  const node = { name: "press", port: "unix:/tmp/x", classes: ["sound", "worn"] };
  const wrong = async (alarms: object, ...parts: string[]) => {
    const args = ["gateway", fleet("alarmed", [node], { alarms })];
    await refusesHere(args, ...parts);
    assert.not.match((await runHere(args)).stderr, /hidden/);
  };
  const rule = (its: object) => ({ rules: [{ name: "a", ...its }] });
  await wrong(rule({}), "alarms.rules.0", "either classes or silentSeconds");
  await wrong(rule({ classes: ["wron"] }), "alarms.rules.0.classes: no class wron", "worn");
  await wrong(rule({ classes: [1], nodes: ["pres"] }), "alarms.rules.0.nodes: no node pres", "press");
  await wrong(rule({ silentSeconds: 9, onSamples: 2 }), "remove onSamples");
  await wrong(rule({ classes: [1], name: "a b" }), "alarms.rules.0.name", "takes 1 to 32");
  const twice = { name: "a", classes: [1] };
  await wrong({ rules: [twice, twice] }, "alarms.rules.1.name: a is another alarm's");
  await wrong({ ...rule({ classes: [1] }), webhook: "ftp://host/hidden" }, "alarms.webhook: takes https://");
  await wrong({ ...rule({ classes: [1] }), mqtt: "unix:/x" }, "alarms.mqtt", "mqtt://HOST/TOPIC");
  const nodes = [{ ...node, port: "mqtt://localhost/plant/press" }];
  const above = { ...rule({ classes: [1] }), mqtt: "mqtt://localhost/plant" };
  await refusesHere(["gateway", fleet("above", nodes, { alarms: above })], "alarms.mqtt: plant lies above");
});

test.run();
