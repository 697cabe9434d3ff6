import { rmSync } from "node:fs";
import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { SELF_TEST_ITEMS } from "../../src/selftest/self-test.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { PROTOCOL } from "../../src/wire/messages.ts";
import { DeviceError } from "../../tools/cli/exit.ts";
import { perform } from "../../tools/gateway/command.ts";
import { bitsText } from "../../tools/session/same-bits.ts";
import { Session } from "../../tools/session/session.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const NODE = {
  sid: 5,
  channels: 2,
  pending: 16,
  labelWindow: 16,
  checkpointEvery: 0,
  learner: "olk-c",
  options: { budget: 8 },
};
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
      `same bits: ${SELF_TEST_ITEMS.length - 1} primitives; the learner wasn't compared`,
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

test("a node that speaks another protocol is named in one line, at once", async () => {
  const listen = inFolder("other-protocol");
  const encoder = new Encoder(["hello"]);
  encoder.message("hello").protocol = 1;
  const frame = encoder.frame.slice(0, encoder.encode("hello"));
  const server = createServer((socket) => socket.on("error", () => {}).write(frame))
    .listen(listen)
    .unref();
  const session = await Session.open({ port: `unix:${listen}` });
  const { message } = await failure(session.met());
  assert.is(
    message,
    `unix:${listen}: the node speaks protocol 1, this tool ${PROTOCOL}; ` +
      "flash the node again, or use the motelearn that it was flashed with",
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
  const other = session.met();
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

test.run();
