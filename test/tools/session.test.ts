import { rmSync } from "node:fs";
import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { perform } from "../../fleet/gateway/command.ts";
import { DeviceError } from "../../host/errors.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { REQUEST } from "../../src/node/requests.ts";
import { SELF_TEST_ITEMS } from "../../src/selftest/self-test.ts";
import { StartFault } from "../../src/start/start-fault.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import { Encoder, putText } from "../../src/wire/encoder.ts";
import {
  type DownName,
  MESSAGES,
  type Message,
  messageNames,
  PROTOCOL,
  seedsById,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { readDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { bitsText } from "../../tools/session/same-bits.ts";
import { Session } from "../../tools/session/session.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, SMALL_NODE as NODE, startStation } from "./stations.ts";

const OPTIONS = { ...NODE, learner: familyNamed("olk-c")! };

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("it should have failed");
}

test("a session meets the node, compares its arithmetic, and asks for its state until it comes", async () => {
  const listen = inFolder("meet");
  const station = await startStation({ listen, node: NODE, fed: true });
  const session = await Session.open({ port: `unix:${listen}` });
  const bits = await session.bits(OPTIONS);
  assert.equal(bits, { verdict: "same bits", primitives: SELF_TEST_ITEMS.length - 1, learner: true });
  assert.ok(
    bitsText(await session.bits()).startsWith(
      `not compared: the learner, whose options aren't known; ${SELF_TEST_ITEMS.length - 1} primitives agree`,
    ),
  );
  const { firmware, learner, fed, channels, restore } = session.hello!;
  assert.equal([firmware, learner, fed, channels, restore], ["station 1", "olk-c", true, 2, "fresh"]);
  const { sid, seq } = await session.ask("state");
  assert.equal([sid, seq], [5, 0]);
  assert.is((await session.ask("configuration")).predictions, 1);
  assert.is((await session.ask("checkpoint")).status, SAVE_STATUS.nowhere);
  assert.not.ok(await session.checkpoint(1), "the node answered no label");
  await session.close();
  await killStation(station);
});

test("a node saves as often as its options say, though it is configured to save less often, and the outcome says so", async () => {
  const listen = inFolder("configured");
  const station = await startStation({ listen, node: { ...NODE, checkpointEvery: 4 }, fed: true });
  const session = await Session.open({ port: `unix:${listen}` });
  const configure = (given: object) => perform(session, "configure", { do: "configure", by: "", ...given });
  assert.is((await session.configure({ checkpointEvery: 0, samples: 1 })).checkpointEvery, 4);
  const { checkpointEvery, samples } = await session.ask("configuration");
  assert.equal([checkpointEvery, samples], [4, 1]);
  assert.is(await configure({ checkpointEvery: 3 }), 'configured: {"checkpointEvery":3}');
  assert.is(
    await configure({ checkpointEvery: 900, statisticsMs: 200 }),
    'configured: {"checkpointEvery":900,"statisticsMs":200}, but the node\'s own options have it write a checkpoint after 4 labels at the latest',
  );
  assert.is(await configure({ statisticsMs: 300 }), 'configured: {"statisticsMs":300}');
  await session.close();
  await killStation(station);
});

test("several requests at once are all answered, and changes at once are all kept", async () => {
  const listen = inFolder("at-once");
  const station = await startStation({ listen, node: { ...NODE, checkpointEvery: 4 }, fed: true });
  const session = await Session.open({ port: `unix:${listen}` });
  await session.awaitHello();
  const changes = [{ samples: 1 }, { statisticsMs: 300 }, { checkpointEvery: 3 }].map((change) =>
    session.configure(change),
  );
  const asked = await Promise.all(Array.from({ length: 5 }, () => session.ask("configuration")));
  assert.is(asked.length, 5);
  await Promise.all(changes);
  const { samples, statisticsMs, checkpointEvery } = await session.ask("configuration");
  assert.equal([samples, statisticsMs, checkpointEvery], [1, 300, 3]);
  await session.close();
  await killStation(station);
});

test("a request that is given up ends, though the node never answers, and a change that waits for it isn't made", async () => {
  const listen = inFolder("given-up");
  const server = createServer((socket) => socket.on("error", () => {})).listen(listen);
  const session = await Session.open({ port: `unix:${listen}`, giveUp: 0 });
  const giveUp = new AbortController();
  const asked = [session.configure({ samples: 1 }, giveUp.signal), session.ask("state", giveUp.signal)];
  const why = new Error("nobody waits");
  giveUp.abort(why);
  for (const each of asked) assert.is(await failure(each), why);
  await session.close();
  server.close();
});

test("a node that speaks another protocol is named in one line, at once", async () => {
  const listen = inFolder("other-protocol");
  const encoder = new Encoder(["hello"]);
  encoder.message("hello").protocol = 1;
  const frame = encoder.frame.slice(0, encoder.encode("hello"));
  const server = createServer((socket) => socket.on("error", () => {}).write(frame))
    .listen(listen)
    .unref();
  const session = await Session.open({ port: `unix:${listen}` });
  const { message } = await failure(session.awaitHello());
  assert.is(
    message,
    `unix:${listen}: the node speaks protocol 1, this tool ${PROTOCOL}; ` +
      "flash the node again, or use the motelearn that it was flashed with",
  );
  await session.close();
  server.close();
});

test("a node that can't start says why, and the session ends with that at once", async () => {
  const listen = inFolder("unstarted");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const write = (bytes: Uint8Array, from: number, to: number) => {
      socket.write(bytes.slice(from, to));
      return to - from;
    };
    new StartFault({ read: () => 0, write }, "startNode: option sensors: got []; takes one at least").say();
  })
    .listen(listen)
    .unref();
  const session = await Session.open({ port: `unix:${listen}` });
  const { message } = await failure(session.awaitHello());
  assert.is(
    message,
    `unix:${listen}: the node can't start: startNode: option sensors: got []; takes one at least`,
  );
  await session.close();
  server.close();
});

test("a primitive that differs is named, and a learner with other options", async () => {
  const listen = inFolder("spoilt");
  const station = await startStation({ listen, node: NODE, spoilt: "gaussianRow" });
  const session = await Session.open({ port: `unix:${listen}` });
  assert.equal(await session.bits(OPTIONS), { verdict: "different bits", first: "gaussianRow" });
  await session.close();
  await killStation(station);
  rmSync(listen);
  const other = await startStation({ listen, node: NODE });
  const again = await Session.open({ port: `unix:${listen}` });
  const bits = await again.bits({ ...OPTIONS, options: { budget: 9 } });
  assert.equal(bits, { verdict: "different bits", first: "learner" });
  await again.close();
  await killStation(other);
});

test("a wait whose condition throws ends with that error, and the other waits continue", async () => {
  const listen = inFolder("throwing");
  const station = await startStation({ listen, node: NODE });
  const session = await Session.open({ port: `unix:${listen}` });
  let looks = 0;
  const wait = session.until(() => {
    if (++looks < 3) return false;
    throw new DeviceError("the centre is gone");
  });
  const other = session.awaitHello();
  assert.is((await failure(wait)).message, "the centre is gone");
  assert.is((await other).learner, "olk-c");
  await session.close();
  await killStation(station);
});

test("a port that can't be opened, stays silent, or brings garbage is named, each with its own line", async () => {
  const missing = await failure(Session.open({ port: `unix:${inFolder("missing")}` }));
  assert.instance(missing, DeviceError);
  assert.match(missing.message, /missing: no such device or socket$/);
  for (const [bytes, what] of [
    ["", "nothing comes from a node (for 1 s)"],
    [
      "Hello, world!\0\0",
      "15 bytes came and no frame was among them: is 115200 the node's baud rate? (for 1 s)",
    ],
  ]) {
    const path = inFolder(`strange${bytes.length}`);
    const server = createServer((socket) => socket.write(bytes)).listen(path);
    let now = 0;
    const clock = { now: () => now };
    const session = await Session.open({ port: `unix:${path}`, giveUp: 1, clock });
    await session.until(() => session.port.received === bytes.length);
    const waits = failure(session.until(() => session.hello !== undefined));
    now = 1001;
    const { message } = await waits;
    assert.ok(message.endsWith(what), message);
    await session.close();
    server.close();
  }
});

/** Hostile or merely other descriptions of a node whose hello is this. */
const HELLO = { learner: "olk-c", channels: 2 } as Hello;

test("a node's description gives its options and its classes' names, anew at each start", async () => {
  const listen = inFolder("described");
  const named = { ...NODE, learner: "pa", options: {}, classes: ["ok", "worn", "br\u00fcchig"] };
  const station = await startStation({ listen, node: named, fed: true });
  let told = 0;
  const events = {
    described: () => {
      told++;
    },
  };
  const session = await Session.open({ port: `unix:${listen}`, events });
  const description = await session.awaitDescription();
  assert.equal(description?.names, named.classes);
  assert.equal(session.classes?.names, named.classes);
  const bits = await session.bits(description?.node as NodeOptions);
  assert.equal([bits.verdict, "learner" in bits && bits.learner], ["same bits", true]);
  const { boot } = session.hello!;
  await killStation(station);
  rmSync(listen);
  const other = await startStation({ listen, node: NODE, fed: true });
  await session.until(() => session.hello?.boot !== boot);
  assert.equal((await session.awaitDescription())?.names, undefined);
  assert.equal([session.classes?.names, session.classes?.isNumbered, told], [["-1", "1"], true, 2]);
  await session.close();
  await killStation(other);
});

/** A node that says hello, its schema, and of all else its credit alone; `seeds`: those of its messages. */
function terseNode(listen: string, seeds: Uint32Array) {
  const up = new Encoder(messageNames("up"));
  const down = new Receiver(messageNames("down"));
  return createServer((socket) => {
    const say = (name: UpName, fields: object) => {
      Object.assign(up.message(name), fields);
      socket.write(up.frame.slice(0, up.encode(name)));
    };
    const greet = () => {
      putText(up.message("hello").learner, "olk-c");
      say("hello", { protocol: PROTOCOL, boot: 3, table: 1, channels: 2, frame: 128, fifo: 128 });
    };
    const answer = (name: DownName) => {
      if (name === "welcome") {
        const { peer, sent } = down.message("welcome" as DownName) as never as Message<"welcome">;
        say("credit", { boot: 3, peer, received: sent, window: 4000 });
      } else if (name === "request") {
        const { what } = down.message("request" as DownName) as never as Message<"request">;
        if (what === REQUEST.hello) greet();
        else if (what === REQUEST.schema) {
          for (let first = 0; first < seeds.length; first += 20) {
            const part = seeds.subarray(first, first + 20);
            up.message("schema").seeds.set(part);
            say("schema", { first, total: seeds.length, length: part.length });
          }
        } else say("credit", up.message("credit"));
      }
    };
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const byte of bytes) {
        const name = down.take(byte);
        if (name) answer(name);
      }
    });
    greet();
  }).listen(listen);
}

test("an older node, which has no description, is known by its hello alone", async () => {
  const listen = inFolder("older");
  const server = terseNode(listen, seedsById().subarray(0, MESSAGES.description.id));
  const session = await Session.open({ port: `unix:${listen}` });
  assert.is(await session.awaitDescription(), undefined);
  assert.equal(session.classes?.names, ["-1", "1"]);
  await session.close();
  server.close();
});

test("a node that is heard, and never answers a request, is named after --give-up seconds", async () => {
  const listen = inFolder("unanswered");
  const server = terseNode(listen, seedsById());
  let now = 0;
  const message = () => {
    now += 1000;
  };
  const clock = { now: () => now };
  const session = await Session.open({ port: `unix:${listen}`, giveUp: 2, clock, events: { message } });
  await session.until(() => session.peer.met);
  assert.is(
    (await failure(session.ask("state"))).message,
    `unix:${listen}: the node is heard, and sends no state (for 2 s)`,
  );
  await session.close();
  server.close();
});

test("a description that isn't one, or not this node's, says nothing; one that makes no node keeps its names", () => {
  const read = (value: unknown) =>
    readDescription(typeof value === "string" ? value : JSON.stringify(value), HELLO);
  for (const wrong of [
    ...["", "x", "{", "null", "[]", "7", "[".repeat(60)],
    ...[{}, { learner: "olk-c" }, { learner: 3, options: {} }, { learner: "olk-c", options: [] }],
    ...[
      { learner: "pa", options: {} },
      { learner: "olk-c", options: {}, channels: 3 },
    ],
    ...[["a"], "ab", ["a", "a"], ["a", ""], ["a", 1], [["a"], "b"]].map((classes) => ({
      ...{ learner: "olk-c", options: {}, classes },
    })),
  ])
    assert.is(read(wrong), undefined, JSON.stringify(wrong));
  for (const [more, why] of [
    [{ options: { budget: -1 } }, /budget/],
    [{ options: { nothing: 1 } }, /nothing/],
    [{ options: { budget: 65536 }, pending: 65535, features: { window: 4096 } }, /./],
    [{ pending: 1e9 }, /pending/],
    [{ classes: ["a", "b", "c"] }, /two names/],
    [{ ranges: "x" }, /ranges/],
    [{ options: JSON.parse('{"__proto__": {"budget": 3}}') }, /__proto__/],
  ] as const) {
    const description = read({ learner: "olk-c", options: {}, ...more });
    assert.type(description?.node, "string", JSON.stringify(more));
    assert.match(description?.node as string, why);
  }
  const plugin = readDescription('{"learner": "own", "options": {}, "classes": ["a", "b"]}', {
    ...HELLO,
    learner: "own",
  });
  assert.equal(plugin?.names, ["a", "b"]);
  assert.type(plugin?.node, "string");
});

test.run();
