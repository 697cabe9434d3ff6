import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { DeviceError } from "../../host/errors.ts";
import { Random } from "../../host/random.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { messageNames } from "../../src/wire/messages.ts";
import { portFault } from "../../tools/ports/fault.ts";
import { Session } from "../../tools/session/session.ts";
import { test } from "./contained.ts";
import { inFolder } from "./stations.ts";

/** Predictions whose fields have these bytes, as a node sends them. */
function framesWith(special: readonly number[]): number[] {
  const up = new Encoder(messageNames("up"));
  return [1, 2, 3].flatMap((k) => {
    const word = special.reduceRight((sum, byte) => 256 * sum + byte, 0);
    Object.assign(up.message("prediction"), {
      sid: word >>> 0,
      seq: 0x01010100 + k,
      ts: 77,
      dr: 0,
      decision: k,
      length: 0,
    });
    return [...up.frame.slice(0, up.encode("prediction"))];
  });
}

/** What a session says that never meets a node on such a line. */
async function complaint(name: string, bytes: readonly number[]): Promise<string> {
  const path = inFolder(name);
  const server = createServer((socket) => socket.on("error", () => {}).write(Uint8Array.from(bytes))).listen(
    path,
  );
  let now = 0;
  const session = await Session.open({ port: `unix:${path}`, giveUp: 1, clock: { now: () => now } });
  await session.until(() => session.port.received === bytes.length);
  const waits = session
    .until(() => session.hello !== undefined)
    .then(
      () => "met",
      (error: Error) => error.message,
    );
  now = 1001;
  const message = await waits;
  await session.close();
  server.close();
  assert.ok(message.startsWith(`unix:${path}: `) && message.endsWith(" (for 1 s)"), message);
  return message.slice(`unix:${path}: `.length);
}

const [LF, CR, IAC, XON, XOFF] = [0x0a, 0x0d, 0xff, 0x11, 0x13];
const each = (change: (byte: number) => readonly number[]) => (bytes: readonly number[]) =>
  bytes.flatMap(change);

for (const [what, special, alter] of [
  ["turns LF into CR LF", [LF, CR, LF, 1], each((byte) => (byte === LF ? [CR, LF] : [byte]))],
  [
    "turns CR LF into LF",
    [CR, LF, 1, LF],
    (bytes: readonly number[]) => bytes.filter((byte, at) => byte !== CR || bytes[at + 1] !== LF),
  ],
  ["turns CR into LF", [CR, LF, CR, 1], each((byte) => [byte === CR ? LF : byte])],
  ["turns LF into CR", [LF, CR, 1, 1], each((byte) => [byte === LF ? CR : byte])],
  ["doubles bytes of 255", [IAC, 1, IAC, IAC], each((byte) => (byte === IAC ? [IAC, IAC] : [byte]))],
  ["swallows bytes 17 and 19", [XON, 1, 1, 1], each((byte) => (byte === XON ? [] : [byte]))],
  ["swallows bytes 17 and 19", [1, 1, XOFF, 1], each((byte) => (byte === XOFF ? [] : [byte]))],
] as const)
  test(`a line that ${what} is named, with the remedy: ${special}`, async () => {
    const bytes = framesWith(special);
    const altered = alter(bytes);
    assert.not.equal(altered, bytes);
    const text = await complaint(`altered-${special.join("-")}`, altered);
    assert.ok(text.startsWith(`the line ${what}`), text);
    assert.match(text, /stty -F DEVICE|raw bytes in place of telnet/);
    assert.not.match(text, /baud/);
  });

test("telnet's negotiation before the frames is undone, too", async () => {
  const bytes = framesWith([IAC, 1, 1, IAC]).flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte]));
  assert.match(
    await complaint("negotiated", [IAC, 0xfb, 1, IAC, 0xfd, 3, ...bytes]),
    /^the line doubles bytes of 255/,
  );
});

test("a line that damages bytes at random isn't said to change them in a constant way", async () => {
  const random = new Random(3, "damage");
  const bytes = framesWith([CR, LF, IAC, XON]).map((byte) =>
    byte !== 0 && random.uniform() < 0.3 ? 1 + random.below(255) : byte,
  );
  assert.match(await complaint("noisy", bytes), /is 115200 the node's baud rate\?/);
});

test("a port that another program holds says so, with how to find that program", () => {
  const address = { kind: "serial", path: "/dev/ttyUSB0" } as const;
  const held =
    /^\/dev\/ttyUSB0: another program holds it; end that program \(fuser \/dev\/ttyUSB0 .*, or have both use one motelearn monitor --share$/;
  for (const error of [
    new Error("Error: Resource temporarily unavailable Cannot lock port"),
    Object.assign(new Error("EBUSY: resource busy or locked, open"), { code: "EBUSY" }),
    new Error("Error: Resource busy, cannot open /dev/ttyUSB0"),
  ]) {
    const fault = portFault("/dev/ttyUSB0", address, error);
    assert.instance(fault, DeviceError);
    assert.match(fault.message, held);
  }
});

test.run();
