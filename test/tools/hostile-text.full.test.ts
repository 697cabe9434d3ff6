import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { printable, printableJson } from "../../host/printable.ts";
import { html as template } from "../../host/report/html.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { type MessageName, PROTOCOL } from "../../src/wire/messages.ts";
import { FUSION_SCHEMA, nameLearner } from "../../tools/fusion/lines.ts";
import { Prequential } from "../../tools/monitor/prequential.ts";
import { draw } from "../../tools/monitor/screen.ts";
import { type Run, refusesHere, runHere, start } from "../cli/program.ts";
import { writerTo } from "../folder.ts";
import { words } from "../words.ts";
import { test } from "./contained.ts";
import { inFolder, startStation } from "./stations.ts";
import { NODE } from "./taught-node.ts";

/** Sets a title, clears the screen, turns the direction of writing, and begins a line of its own. */
const HOSTILE = "a\x1b]0;t\x07\x1b[2J\u009b31m\u202e\nFORGED\r";
/** The same as a node's wire has it. */
const BYTES = Uint8Array.from("a\x1b[2J\x9b\x07\nFORGED", (character) => character.charCodeAt(0));

/** Nothing printed moves the cursor or turns the writing, and no line is of another's making. */
function assertPlain(what: string, text: string): void {
  assert.not.match(
    text,
    /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029\ud800-\udfff]/u,
    `${what}: ${JSON.stringify(text)}`,
  );
  assert.not.match(text, /^\s*FORGED/m, what);
}

/** It names what was hostile, in escapes. */
function assertNames({ stdout, stderr }: Run, what: string, named: RegExp = /\\x1b|\\u001b/): void {
  assertPlain(what, stdout + stderr);
  assert.match(stdout + stderr, named, `${what} says nothing of it: ${stdout}${stderr}`);
}

test("a text is printable when no character of it does anything but show itself", () => {
  assert.is(printable(HOSTILE), "a\\x1b]0;t\\x07\\x1b[2J\\x9b31m\\u{202e}\\nFORGED\\x0d");
  assert.equal(JSON.parse(printableJson({ [HOSTILE]: `${HOSTILE}é\u{1f600}` })), {
    [HOSTILE]: `${HOSTILE}é\u{1f600}`,
  });
  assertPlain("JSON", printableJson({ [HOSTILE]: HOSTILE }, 2));
  assert.is(String(template`${"a\x1b<\u202e\u009b\u2028é"}`), "a\\x1b&lt;\\u{202e}\\x9b\\u{2028}é");
});

test("all that the tools print goes through terminal/print.ts, but for the monitor's screen and stream", () => {
  const files = ["host", "host-sim", "tools", "fleet", "lab", "cli"].flatMap((room) =>
    readdirSync(room, { recursive: true }).map((name) => join(room, String(name))),
  );
  const writers = files.filter(
    (name) =>
      name.endsWith(".ts") &&
      /console\.(log|error)\((?!name)|\b(stdout|stderr)\.write\(/.test(readFileSync(name, "utf8")),
  );
  assert.equal(writers.sort(), ["cli/commands/monitor.ts", "host/terminal/print.ts"]);
});

/** Files whose names and contents are hostile. */
const folder = inFolder("hostile");
mkdirSync(folder);
const hostileFile = writerTo(folder);

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
  x: [i % 2, i / 8],
  label: i % 2 ? HOSTILE : "b",
  node: HOSTILE,
}));
const STREAM = hostileFile(`${HOSTILE}.ndjson`, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""));
const TORN = hostileFile("torn.ndjson", `{"x":[1],"label":1}\n{"x":${HOSTILE}\n`);
const LABEL = hostileFile("label.ndjson", `{"x":[1],"label":${JSON.stringify([HOSTILE])}}\n`);
const PLUGIN = hostileFile(
  "plugin.mjs",
  `import { defineLearner } from "motelearn";
   throw new Error(${JSON.stringify(HOSTILE)});`,
);
const shipped = JSON.parse(readFileSync("host-sim/scenarios/one-scene.json", "utf8"));
const [task] = shipped.tasks;
const SCENARIO = hostileFile(
  "scenario.json",
  JSON.stringify({
    ...shipped,
    title: HOSTILE,
    stream: { ...shipped.stream, samples: 300 },
    tasks: [{ ...task, name: HOSTILE, learners: [{ learner: "pa" }] }],
  }),
);
const WRONG = hostileFile("wrong.json", JSON.stringify({ ...shipped, [HOSTILE]: 1 }));

test("names of files, columns and classes, and what stands in files, reach the terminal as escapes", async () => {
  const reports = inFolder("hostile-reports");
  for (const args of [
    [HOSTILE],
    ["learners", `--${HOSTILE}`],
    ["learners", HOSTILE],
    ["learners", "--plugin", PLUGIN],
    ["check", PLUGIN],
    ["check", HOSTILE],
    ["evaluate", "--learner", "pa", "--train", STREAM],
    ["evaluate", "--learner", "pa", "--train", TORN],
    ["evaluate", "--learner", "pa", "--train", LABEL],
    [
      "evaluate",
      "--learner",
      "olk-n",
      "--train",
      STREAM,
      "--novel",
      HOSTILE,
      "--options",
      `{"${HOSTILE}":1}`,
    ],
    ["choose", "--train", TORN, "--report", reports],
    ["plan", "--learner", HOSTILE, "--dimension", "2"],
    ["plan", "--learner", "pa", "--options", `["${HOSTILE}"]`],
    ["labels", "--port", `unix:${folder}/${HOSTILE}`, "--from", STREAM],
    ["labels", "--port", "unix:/nowhere", "--from", STREAM, "--node", `x${HOSTILE}`],
    ["labels", "--port", HOSTILE, "--from", STREAM],
    ["fusion", "--listen", HOSTILE],
    ["fusion", "--listen", "tcp://127.0.0.1:0", "--scenario", SCENARIO, "--task", `x${HOSTILE}`],
    ["monitor", "--port", `unix:${HOSTILE}`],
    ["record", "--port", `unix:${HOSTILE}`, "--out", inFolder("hostile-out.ndjson")],
    ["inspect", "--port", `unix:${HOSTILE}`],
    ["rollback", "--port", `unix:${HOSTILE}`],
    ["flash", "--target", "esp32", "--learner", "pa", "--dimension", "2", "--dry-run", "--include", HOSTILE],
    [...words`flash --target esp32 --learner pa --dimension 2 --sensors [{"${HOSTILE}":1}] --dry-run`],
    ["papers", "--only", HOSTILE],
    ["init", join(STREAM, "x")],
    ["board", "--project", join(folder, HOSTILE)],
    ["bench", "--only", HOSTILE],
    ["simulate", HOSTILE],
    ["simulate", WRONG],
    ["simulate", SCENARIO, "--report", reports],
    ["simulate", SCENARIO, "--report", reports, "--json"],
  ]) {
    assertNames(await runHere(args), args.join(" "));
  }
  process.env.MODDABLE = join(folder, HOSTILE);
  assertNames(await runHere(["doctor"]), "doctor");
  delete process.env.MODDABLE;
  const [page] = readdirSync(reports).filter((name) => name.endsWith(".html"));
  const html = readFileSync(join(reports, page), "utf8");
  const text = html.replace(/[\n&<>"']/g, "");
  assert.is(String(template`${text}`), text);
});

test("JSON that is too deep is refused in one line, in data, scenarios and options", async () => {
  const levels = "[".repeat(400_000) + "]".repeat(400_000);
  const data = hostileFile("deep.ndjson", `{"x":[1],"label":${levels}}\n`);
  const deep = "nested deeper than 32 levels";
  await refusesHere(["evaluate", "--learner", "pa", "--train", data], `${data}:1: ${deep}`);
  await refusesHere(["simulate", hostileFile("deep.json", `{"tasks":${levels}}`)], deep);
  await refusesHere(["simulate", "/dev/zero"], "/dev/zero: can't be read (EFBIG)");
  await refusesHere(["plan", "--learner", "pa", "--options", levels.slice(0, 50_000)], `--options: ${deep}`);
});

function encodeFrame(name: MessageName, fields: object): Uint8Array {
  const encoder = new Encoder([name]);
  Object.assign(encoder.message(name), fields);
  return encoder.frame.slice(0, encoder.encode(name));
}

function textField(length: number): Uint8Array {
  const text = new Uint8Array(length);
  text.set(BYTES.subarray(0, length));
  return text;
}

const HELLO = { protocol: PROTOCOL, boot: 7, sid: 1, channels: 2, dimension: 2, fed: 1 };
const NODE_FRAMES = [
  encodeFrame("hello", HELLO),
  encodeFrame("hello", { ...HELLO, boot: 8, firmware: textField(16), learner: textField(16) }),
  encodeFrame("log", { level: 0, text: BYTES, length: BYTES.length }),
  encodeFrame("reset", { reason: 1, text: BYTES, length: BYTES.length }),
];

/** A node that says hello, and whose every text is hostile: the receiver takes no such frame. */
async function hostileNode(name: string): Promise<string> {
  const path = inFolder(name);
  const server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    const timer = setInterval(() => {
      for (const frame of NODE_FRAMES) socket.write(frame);
    }, 20);
    socket.on("close", () => clearInterval(timer));
    socket.resume();
  });
  await new Promise<void>((done) => server.listen(path, done));
  server.unref();
  return `unix:${path}`;
}

test("no text of a hostile node reaches the terminal raw, from monitor or record", async () => {
  const port = await hostileNode("hostile-node");
  const watch = ["monitor", "--port", port, "--max-bytes", "2000", "--no-reset"];
  for (const args of [watch, [...watch, "--json"]])
    await start(...args).ended.then(({ stdout, stderr }) => {
      assertPlain(args.join(" "), stdout + stderr);
      assert.match(stdout, /start/);
    });
  const file = inFolder("hostile-record.ndjson");
  const recorded = await start("record", "--port", port, "--out", file, "--max-seconds", "1").ended;
  assertPlain("record", recorded.stdout + recorded.stderr);
});

test("a fusion centre's texts reach the terminal as escapes", async () => {
  const listen = inFolder("centre-node");
  await startStation({ listen, fed: true, node: nameLearner(NODE) });
  const port = `unix:${listen}`;
  const answers: readonly string[] = [
    JSON.stringify({ error: HOSTILE }),
    `${HOSTILE}\n${HOSTILE}\n${HOSTILE}\n${HOSTILE}`,
    JSON.stringify({ schema: HOSTILE, ask: 1, node: HOSTILE, label: 1 }),
  ];
  for (const [i, answer] of answers.entries()) {
    const path = inFolder(`hostile-centre-${i}`);
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write(`${answer}\n`));
    });
    await new Promise<void>((done) => server.listen(path, done));
    server.unref();
    for (const json of [[], ["--json"]]) {
      const ended = await start("labels", "--port", port, "--from", `unix:${path}`, ...json).ended;
      assertNames(ended, answer, /\\x1b|\\u001b|\\\\u001b/);
      assert.is(ended.code, 2, ended.stderr);
    }
    server.close();
  }
});

test("what a subscriber says reaches the centre's log as escapes", async () => {
  const address = `unix:${inFolder("hostile-subscriber")}`;
  const centre = start("fusion", "--listen", address, "--scenario", SCENARIO);
  await centre.says("listening");
  const lines = [
    { schema: FUSION_SCHEMA, ask: 1, node: HOSTILE, label: 1, sample: null },
    { schema: HOSTILE },
    { [HOSTILE]: HOSTILE },
  ];
  for (const line of lines) {
    const from = centre.printed().length;
    connect(address.slice(5))
      .on("error", () => {})
      .resume()
      .end(`${JSON.stringify(line)}\n`);
    await centre.says("refused", from);
  }
  connect(address.slice(5))
    .on("error", () => {})
    .resume()
    .end(`${HOSTILE}\n`);
  await centre.says("not JSON");
  centre.child.kill("SIGINT");
  assertNames(await centre.ended, "fusion");
});

test("the monitor's screen shows texts as escapes", () => {
  const node = { ...HELLO, firmware: HOSTILE, learner: HOSTILE, restore: HOSTILE, reset: HOSTILE };
  const link = { open: true, losses: 0, bytes: 0, damaged: 0, damagedBytes: 0 };
  const status = { node, starts: 1, seq: 0, labelled: 0, durable: 0, link, dropped: 0, marks: 0 };
  const lines = draw(
    {
      port: HOSTILE,
      seconds: 1,
      status: { ...status, prequential: { kind: "accuracy" } } as never,
      prequential: new Prequential("accuracy"),
      marks: [],
      notice: HOSTILE,
    },
    { columns: 120, rows: 24, unicode: false },
  );
  for (const { text } of lines) assertPlain("screen", text);
  assert.ok(lines.some(({ text }) => text.includes("\\x1b")));
});

test.run();
