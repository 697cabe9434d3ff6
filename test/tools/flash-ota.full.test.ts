import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { makeFolder } from "../folder.ts";
import { image, KIND } from "../start/emulated-board.ts";
import { awaited, LIMIT_MS } from "./awaited.ts";
import { childOfTest, test } from "./contained.ts";

const PROGRAM = join(process.cwd(), "dist/motelearn.js");
const BOARD = join(process.cwd(), "dist/test/tools/board.program.js");
const folder = makeFolder();

const SDK = join(folder, "sdk");
const FIRMWARE = join(folder, "firmware");
const BUILT = join(SDK, "build/bin/esp32/esp32c3/release/firmware/xs_esp32.bin");
const NODE = ["--learner", "olk-c", "--dimension", "1", "--budget", "16"];
const TARGET = ["flash", "--target", "esp32c3", "--folder", FIRMWARE];

function write(path: string, contents: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
  chmodSync(path, mode);
}

/** An SDK whose tools say that all is built. */
write(join(SDK, "tools/VERSION"), "8.2.3\n");
write(join(SDK, "build/devices/esp32/manifest.json"), '{"build": {"EXPECTED_ESP_IDF": "v6.0"}}');
for (const [name, says] of Object.entries({
  ...{ git: "v6.0", tsc: "Version 7.0.2", mcconfig: "built", "idf.py": "", node: "" },
  "riscv32-esp-elf-objdump": "00000000 <f32_dot>:",
}))
  write(join(folder, "bin", name), `#!/bin/sh\necho "${says}"\n`, 0o755);

/** An image as the SDK builds it, with what its firmware does. */
function built(kind: number, version: number, bytes = 9000): Uint8Array {
  const found = image(kind, version, bytes);
  found.set([0xe9, 0, 0, 0, kind, version]);
  return found;
}

function motelearn(...args: string[]) {
  const env = { HOME: folder, PATH: join(folder, "bin"), MODDABLE: SDK, IDF_PATH: folder };
  const limits = { encoding: "utf8", timeout: LIMIT_MS } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env,
    ...limits,
  });
  return { code: status, stdout, stderr };
}

/** A board that runs the node that was planned; returns its address. */
async function board(name: string): Promise<string> {
  assert.is(motelearn(...TARGET, ...NODE, "--dry-run").code, 0);
  const first = join(folder, `${name}.bin`);
  writeFileSync(first, built(KIND.good, 1));
  const listen = join(folder, `${name}.socket`);
  const options = JSON.stringify({ listen, manifest: join(FIRMWARE, "manifest.json"), image: first });
  const child = childOfTest(
    spawn(process.execPath, [BOARD, options], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const ready = new Promise((done) => child.stdout?.once("data", done));
  await awaited(`a board at ${listen}`, ready, () => "nothing");
  return `unix:${listen}`;
}

test("a node that says nothing is given up after the seconds that --give-up says", async () => {
  const listen = join(folder, "silent.socket");
  const silent = `require("node:net").createServer().listen(${JSON.stringify(listen)}, () => console.log())`;
  const child = childOfTest(
    spawn(process.execPath, ["-e", silent], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const ready = new Promise((done) => child.stdout?.once("data", done));
  await awaited("a silent node", ready, () => "nothing");
  write(BUILT, built(KIND.good, 2));
  const { code, stderr } = motelearn(...TARGET, ...NODE, "--ota", `unix:${listen}`, "--give-up", "1");
  assert.is(stderr, `motelearn: unix:${listen}: nothing comes from a node (for 1 s)\n`);
  assert.is(code, 4);
});

test("firmware goes over the wire, takes over, keeps the checkpoint, and is compared; what runs isn't sent again", async () => {
  const ota = await board("good");
  write(BUILT, built(KIND.good, 2));
  const sent = motelearn(...TARGET, ...NODE, "--ota", ota);
  assert.is(sent.stderr, "");
  assert.is(sent.code, 0);
  assert.match(
    sent.stdout,
    /the node resumes from its checkpoint\n(?:sent \d+ % of 9000 bytes\n)*sent 100 % of 9000 bytes\nthe new firmware runs\nsame bits: \d+ primitives of \d+, all that its learner calls, and the learner's steps\n$/,
  );
  const again = motelearn(...TARGET, ...NODE, "--ota", ota);
  assert.match(again.stdout, /the node runs this firmware already\nsame bits/);
});

test("firmware for which the node would lose what it learned is refused before it is sent, unless --fresh", async () => {
  const ota = await board("other");
  write(BUILT, built(KIND.good, 2));
  const other = ["--learner", "olk-c", "--dimension", "1", "--budget", "17"];
  const refused = motelearn(...TARGET, ...other, "--ota", ota);
  assert.is(refused.code, 2);
  assert.match(
    refused.stderr,
    /^motelearn: unix:\S+: nothing was sent: the node would lose what it learned: its checkpoint has schema [0-9a-f]{16}, the new firmware [0-9a-f]{16}; give the options that it has, or --fresh\n$/,
  );
  const { stdout } = motelearn(...TARGET, ...other, "--ota", ota, "--fresh");
  assert.match(stdout, /the node starts fresh: its checkpoint has schema .*\n(?:sent .*\n)+/);
});

test("firmware that computes other bits, or crashes, falls back, and that is said", async () => {
  const ota = await board("bad");
  for (const kind of [KIND.wrongBits, KIND.crashes]) {
    write(BUILT, built(kind, 2));
    const { code, stderr } = motelearn(...TARGET, ...NODE, "--ota", ota);
    assert.is(code, 4);
    assert.match(stderr, /^motelearn: unix:\S+: the node fell back to its previous firmware: [^\n]+\n$/);
  }
});

test("what can't be sent is refused on one line", async () => {
  const ota = await board("refusing");
  const refuses = (code: number, pattern: RegExp, ...args: string[]) => {
    const found = motelearn(...TARGET, ...NODE, ...args);
    assert.is(found.code, code);
    assert.match(found.stderr, /^motelearn: [^\n]+\n$/);
    assert.match(found.stderr, pattern);
  };
  write(BUILT, built(KIND.good, 2, 50_000));
  refuses(3, /firmware of 50000 bytes: the node's slot has 45056/, "--ota", ota);
  write(BUILT, "text");
  refuses(2, /xs_esp32.bin: not an image of firmware/, "--ota", ota);
  rmSync(BUILT);
  refuses(2, /xs_esp32.bin: can't be read \(ENOENT\)/, "--ota", ota);
  refuses(2, /--port and --ota: takes one of them/, "--ota", ota, "--port", "/dev/null");
  refuses(2, /--fresh: only with --ota/, "--fresh");
  write(BUILT, built(KIND.good, 2));
  refuses(4, /ENOENT|no such/, "--ota", "unix:/nowhere");
});

/** A state that evaluate learned of 20 samples, with that budget. */
function learnedState(budget: string): string {
  const train = join(folder, "learned.csv");
  const save = join(folder, `learned-${budget}.json`);
  write(train, Array.from({ length: 20 }, (_, i) => `${(i % 5) - 2},${i % 5 > 2 ? 1 : -1}\n`).join(""));
  const learner = ["--learner", "olk-c", "--budget", budget];
  assert.is(motelearn("evaluate", "--train", train, ...learner, "--save", save).code, 0);
  return save;
}

test("--state: the node begins with what evaluate learned; another learner's is refused before the build", async () => {
  const ota = await board("learned");
  write(BUILT, built(KIND.good, 2));
  const { code, stdout, stderr } = motelearn(...TARGET, ...NODE, "--ota", ota, "--state", learnedState("16"));
  assert.is(stderr, "");
  assert.is(code, 0);
  assert.match(stdout, /\nsame bits: .*\nthe node begins with the state after sample 20 and label 20\n$/);
  const refuses = (pattern: RegExp, ...args: string[]) => {
    const found = motelearn(...TARGET, ...NODE, ...args);
    assert.is(found.code, 2);
    assert.is(found.stdout, "");
    assert.match(found.stderr, pattern);
  };
  refuses(
    /^motelearn: --state \S+: a state of another learner or other options: learner.budget is 8, not 16; give .*\n$/,
    ...["--ota", ota, "--state", learnedState("8")],
  );
  refuses(/--state: goes over the node's wire; give --port/, "--state", learnedState("16"));
});

test("the dry run says what would be sent, and where", () => {
  const { code, stdout } = motelearn(...TARGET, ...NODE, "--ota", "tcp://localhost:1", "--dry-run");
  assert.is(code, 0);
  assert.is(stdout.trim().split("\n").at(-1), `send ${BUILT} to tcp://localhost:1`);
});

test.run();
