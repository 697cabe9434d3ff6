import { connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { LineSplitter } from "../../tools/fusion/line-splitter.ts";
import { FUSION_SCHEMA } from "../../tools/fusion/lines.ts";
import { CentreSupply } from "../../tools/labels/centre-supply.ts";
import { runHere, start } from "../cli/program.ts";
import { become } from "./awaited.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

process.setMaxListeners(32); // each run in this process has one

const deep = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);

/** Numbers that follow from a seed, in 0..below - 1. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Values that a key may have instead of the right one. */
const VALUES = [
  ...["null", "true", "-1", "0", "1.5", "1e400", "-1e400", "1e39", "4294967296", "9007199254740993"],
  ...['""', '"1"', '"__proto__"', '"\\u0000\\ud800"', `"${"x".repeat(5000)}"`, "[]", "{}", "[null]"],
  ...[
    '[{"sid":0,"first":1,"seq":1}]',
    '{"sid":1,"seq":1,"hash":"zz"}',
    '{"sid":4294967296,"seq":1,"hash":"0011223344556677"}',
  ],
  ...["[1e400]", '["1"]', deep(20), deep(400_000), deep(100_000, '{"a":', "}"), '{"__proto__":{"x":1}}'],
];

/** Lines that are never valid. */
const NO_LINES = [
  ...["{", "nonsense", "[]", "null", "1", '"', "{}", "\0\0\0", "\ufeff{}", '{"":1}', '{"__proto__":1}'],
  ...[deep(400_000), deep(100_000, '{"a":', "}"), "[".repeat(1_000_000), "GET / HTTP/1.1\r"],
  ...['{"toString":1}', '{"constructor":{"prototype":{}}}', `{"${"k".repeat(3000)}":1}`],
].map((line) => Buffer.from(line));
const NOT_UTF8 = [
  Buffer.from([0xff, 0xfe, 0x80, 0xc0, 0xaf]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
];

/** A valid line with one or two keys changed, left out or repeated. */
function mutated(right: { readonly [key: string]: unknown }, draw: (below: number) => number): Buffer {
  let entries = Object.entries(right).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)]);
  for (let changes = 1 + draw(2); changes > 0; changes--) {
    const at = draw(entries.length);
    const kind = draw(8);
    if (kind === 0) entries = entries.filter((_, i) => i !== at || entries.length === 1);
    else if (kind === 1) entries.push([entries[at][0], VALUES[draw(VALUES.length)]]);
    else entries[at] = [entries[at][0], VALUES[draw(VALUES.length)]];
  }
  return Buffer.from(`{${entries.map((entry) => entry.join(":")).join(",")}}`);
}

function oddLine(
  rights: readonly { readonly [key: string]: unknown }[],
  draw: (below: number) => number,
): Buffer {
  const kind = draw(10);
  if (kind === 0) return NO_LINES[draw(NO_LINES.length)];
  if (kind === 1) return NOT_UTF8[draw(NOT_UTF8.length)];
  return mutated(rights[draw(rights.length)], draw);
}

const SPANS = [{ sid: 1, first: 1, seq: 1 }];
const SUBSCRIPTION = { schema: FUSION_SCHEMA, ask: 1, node: 1, label: 1, sample: null, spans: SPANS };

/** Runs `motelearn fusion`; `lines` is what it logged of some event. */
async function startCentre(name: string) {
  const path = inFolder(name);
  const centre = start("fusion", "--listen", `unix:${path}`, "--scenario", "one-scene", "--json");
  await centre.says("listening");
  const count = (event: string) => centre.printed().split(`"event":"${event}"`).length - 1;
  const stop = async () => {
    centre.child.kill("SIGINT");
    const { code, stderr } = await centre.ended;
    assert.is(stderr, "");
    assert.is(code, 130);
  };
  /** A connection may end before what was logged of it has come here. */
  const refused = (times: number) =>
    become(
      `${times} refusals`,
      () => count("refused") >= times,
      () => `${count("refused")}`,
    );
  return { path, centre, count, refused, stop };
}

/** Writes to a new connection as fast as it is taken, until the other end closes; returns the bytes that came back. */
function pour(path: string, bytes: Uint8Array, piece = bytes.length): Promise<number> {
  return new Promise((done) => {
    const socket = connect(path);
    let at = 0;
    const write = () => {
      while (at < bytes.length && socket.writable) {
        at += piece;
        if (!socket.write(bytes.subarray(at - piece, at))) return;
      }
    };
    socket
      .on("connect", write)
      .on("drain", write)
      .on("error", () => {});
    socket.on("data", () => {}).on("close", () => done(socket.bytesRead));
    socket.on("end", () => socket.destroy());
  });
}

test("a centre outlives thousands of odd lines: each costs its sender the connection, and a line in the log", async () => {
  const { path, count, refused, stop } = await startCentre("odd-lines");
  const draw = draws(7);
  const first = [...NO_LINES, ...NOT_UTF8];
  let refusals = 0;
  for (let i = 0; i < 150; i++) {
    const odd = first[i] ?? oddLine([SUBSCRIPTION, { durable: 1 }], draw);
    const lines: Buffer[] = [...(draw(2) ? [Buffer.from(JSON.stringify(SUBSCRIPTION))] : []), odd];
    for (let k = 0; k < 5; k++) lines.push(oddLine([SUBSCRIPTION, { durable: 1 }], draw));
    lines.push(Buffer.from("no line"));
    await pour(path, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
    refusals++;
  }
  await refused(refusals);
  await stop();
  assert.is(count("refused"), refusals);
});

test("a centre keeps no more than a megabyte for who asks and doesn't read", async () => {
  const { path, count, centre, stop } = await startCentre("deaf");
  const socket: Socket = connect(path)
    .on("error", () => {})
    .pause();
  const lines = Buffer.from(`${JSON.stringify({ ...SUBSCRIPTION, sample: 1 })}\n`.repeat(1000));
  const closed = new Promise((done) => socket.once("close", done));
  const write = () => {
    while (socket.writable && socket.write(lines));
  };
  socket.on("drain", write);
  write();
  await centre.says("bytes unread; up to 1048576 are kept");
  assert.ok(count("subscribed") < 10_000, `${count("subscribed")} were answered`);
  assert.is(count("refused"), 1);
  socket.resume();
  await closed;
  await stop();
});

test("a megabyte that comes byte by byte, or never ends, is refused at its 4097th byte", async () => {
  const { path, count, refused, stop } = await startCentre("trickle");
  await pour(path, Buffer.alloc(1 << 20, 120), 1);
  await pour(path, Buffer.alloc(1 << 24, 120));
  await refused(2);
  await stop();
  assert.is(count("refused"), 2);
});

const GREETING = { schema: FUSION_SCHEMA, ask: 1, node: "a", label: 1 };
const OPTIONS = { sid: 1, channels: 2, learner: "pa", options: { C: 1 } };
const TAG = { sid: 1, seq: 1, hash: "0011223344556677" };
const LABEL = { node: "a", number: 1, seq: 1, label: 1, due: 1, tag: TAG };
const SAMPLE = { node: "a", seq: 1, x: [1, 2], after: 0 };
const END = { node: "a", end: true, labels: 1, samples: 1 };

/** A hostile centre's answer to each subscription, with its `ask`; then it closes. */
function drawAnswers(draw: (below: number) => number): (ask: number) => Buffer[] {
  const lines = [{ ...GREETING, ...(draw(2) && { options: OPTIONS }) }, SAMPLE, LABEL, END] as readonly {
    readonly [key: string]: unknown;
  }[];
  const odd = draw(lines.length);
  const seed = draw(1 << 30);
  return (ask) => {
    const again = draws(seed);
    return lines.map((line, i) => {
      const asked = "ask" in line ? { ...line, ask } : line;
      if (i !== odd) return Buffer.from(JSON.stringify(asked));
      return again(4) === 0 && "options" in asked ? mutatedOptions(asked, again) : oddLine([asked], again);
    });
  };
}

function mutatedOptions(greeting: object, draw: (below: number) => number): Buffer {
  const odd = [
    { ...OPTIONS, channels: 4096, learner: "qkrls", options: { budget: 65536 } },
    { ...OPTIONS, options: { C: {} } },
    { ...OPTIONS, options: { __proto__: null, C: "x".repeat(9) } },
    { ...OPTIONS, features: 5 },
    { ...OPTIONS, features: { window: 1e9 } },
    { ...OPTIONS, pending: 1e9 },
    { ...OPTIONS, pending: -1, labelWindow: "x" },
    { ...OPTIONS, learner: "ova:".repeat(60) },
    { ...OPTIONS, learner: "fogd", options: { features: 1e9 } },
  ];
  return Buffer.from(JSON.stringify({ ...greeting, options: odd[draw(odd.length)] }));
}

test("a supply ends with its centre's fault, or has what it asked for, after thousands of odd lines", async () => {
  const path = inFolder("odd-supply");
  const draw = draws(3);
  let answers = drawAnswers(draw);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const splitter = new LineSplitter(1 << 20);
    socket.on("data", (bytes) => {
      for (const line of splitter.take(bytes as Uint8Array)) {
        const lines = [...answers(JSON.parse(line).ask), Buffer.from('{"error":"that is all"}')];
        socket.write(Buffer.concat(lines.flatMap((each) => [each, Buffer.from("\n")])));
      }
    });
  });
  await new Promise<void>((done) => server.listen(path, done));
  const outcomes = new Map<string, number>();
  for (let i = 0; i < 400; i++) {
    answers = drawAnswers(draw);
    const supply = await CentreSupply.open(`unix:${path}`, 1, { baud: 115200, giveUp: 30 }, {});
    supply.goOn(1, 1, []);
    let outcome = "";
    const over = () => {
      try {
        supply.label(1);
      } catch (error) {
        assert.instance(error, UserError);
        outcome = "fault";
      }
      return outcome !== "";
    };
    while (!over()) await new Promise((again) => setImmediate(again));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    await supply.close();
  }
  assert.is(outcomes.get("fault"), 400);
  server.close();
});

test("labels ends with one line and an exit code, whatever lines a centre says", async () => {
  const node = inFolder("fed-node");
  const child = await startStation({
    listen: node,
    fed: true,
    node: { sid: 1, channels: 2, learner: "pa", options: {} },
  });
  const draw = draws(11);
  for (let i = 0; i < 24; i++) {
    const path = inFolder(`odd-centre-${i}`);
    const answers = drawAnswers(draw);
    const said: string[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      const splitter = new LineSplitter(1 << 20);
      socket.on("data", (bytes) => {
        for (const line of splitter.take(bytes as Uint8Array)) {
          const { ask, schema } = JSON.parse(line);
          if (!schema) continue;
          const answer = Buffer.concat(answers(ask).flatMap((each) => [each, Buffer.from("\n")]));
          said.push(answer.subarray(0, 2000).toString());
          socket.write(answer);
        }
      });
    });
    await new Promise<void>((done) => server.listen(path, done));
    server.unref();
    const args = ["--port", `unix:${node}`, "--from", `unix:${path}`, "--give-up", "1"];
    const { code, stderr } = await runHere(["labels", ...args]);
    assert.ok([0, 2, 4, 5].includes(code as number), `${code}: ${stderr}; it was told ${said[0]}`);
    assert.match(stderr, code === 0 ? /^$/ : /^motelearn: [^\n]+\n$/, said[0]);
    server.close();
  }
  await killStation(child);
});

test.run();
