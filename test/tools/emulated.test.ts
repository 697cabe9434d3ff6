import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { qemuWords, runQemu } from "../../tools/toolchain/espressif-qemu.ts";
import { flasherFile, readContents, writeFlash } from "../../tools/toolchain/flash-file.ts";
import { refusesHere, runHere } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { freePort } from "./ports.ts";

const folder = makeFolder();
const FLASH = join(folder, "board/flash");
const SIZE = 4 << 20;
const SECTOR = 4096;

/** A build of the SDK that writes those files. */
function build(files: { readonly [offset: string]: Uint8Array }, name = "node"): string {
  const list = flasherFile(folder, name, "esp32/esp32c3", "esp32c3");
  mkdirSync(join(list, ".."), { recursive: true });
  const named = Object.keys(files).map((offset) => [offset, `${offset}.bin`]);
  for (const [offset, file] of named) writeFileSync(join(list, "..", file), files[offset]);
  const flash_settings = { flash_mode: "dio", flash_size: "4MB", flash_freq: "80m" };
  writeFileSync(list, JSON.stringify({ flash_settings, flash_files: Object.fromEntries(named) }));
  return list;
}

const BOOTLOADER = new Uint8Array(5000).fill(0xb0);
const FIRMWARE = new Uint8Array(9000).fill(0xf1);

test("the flash holds each file of the build at its offset, and is erased elsewhere", () => {
  const list = build({ "0x0": BOOTLOADER, "0x20000": FIRMWARE });
  writeFlash(FLASH, readContents(list));
  const flash = readFileSync(FLASH);
  const expected = Buffer.alloc(SIZE, 0xff);
  expected.set(BOOTLOADER, 0);
  expected.set(FIRMWARE, 0x20000);
  assert.ok(flash.equals(expected));
  assert.is(statSync(FLASH).mode & 0o777, 0o600, "it may hold keys");
});

test("written again, only the sectors of the build change: a checkpoint stays", () => {
  const kept = readFileSync(FLASH);
  kept.fill(0xcc, 0x380000, 0x380100);
  kept.fill(0xcc, 0x20000 + 3 * SECTOR, 0x20000 + 4 * SECTOR);
  writeFileSync(FLASH, kept);
  writeFlash(FLASH, readContents(build({ "0x20000": new Uint8Array(2).fill(0xf2) })));
  const flash = readFileSync(FLASH);
  kept.fill(0xff, 0x20000, 0x20000 + SECTOR);
  kept.fill(0xf2, 0x20000, 0x20002);
  assert.ok(flash.equals(kept));
});

test("a file of another size, a part beyond the flash and a missing build are refused in one line", () => {
  const small = join(folder, "small");
  writeFileSync(small, "x");
  assert.throws(
    () => writeFlash(small, { size: SIZE, parts: [] }),
    /--flash-file .*small: has 1 bytes; takes a flash of 4194304/,
  );
  assert.is(readFileSync(small, "utf8"), "x");
  const far = { size: SIZE, parts: [{ offset: SIZE - 1, bytes: new Uint8Array(2) }] };
  assert.throws(
    () => writeFlash(join(folder, "far"), far),
    /2 bytes at 4194303 of a flash of 4194304: they don't fit/,
  );
  assert.not.ok(existsSync(join(folder, "far")));
  assert.throws(
    () => readContents(join(folder, "none.json")),
    /none\.json: can't be read \(ENOENT\): the SDK built no firmware$/,
  );
  writeFileSync(join(folder, "other.json"), "{}");
  assert.throws(() => readContents(join(folder, "other.json")), /not ESP-IDF's list of files/);
});

const NODE = ["--learner", "olk-c", "--dimension", "2", "--target", "esp32c3"];
const ROOM = join(folder, "room.csv");
writeFileSync(ROOM, "t,h,label\n20.5,40,1\n21,41,-1\n22.25,42,1\n");

test("the dry run prints how the flash is written and how QEMU starts; the firmware plays the recording", async () => {
  const at = join(folder, "dry");
  const flags = ["--emulate", "--from", ROOM, "--folder", at, "--tcp", "5631", "--dry-run"];
  const { code, stdout, stderr } = await runHere(["flash", ...NODE, ...flags]);
  assert.is(code, 0, stderr);
  const lines = stdout.trim().split("\n");
  assert.match(
    lines.at(-2) ?? "",
    /^write the files of \S+\/build\/tmp\/esp32\/esp32c3\/release\/dry\/xsProj-esp32c3\/build\/flasher_args\.json into \S+\/dry\/flash$/,
  );
  const started =
    "qemu-system-riscv32 -M esp32c3 -icount 3 -drive file=FLASH,if=mtd,format=raw -serial tcp:127.0.0.1:5631,server=on,wait=off -monitor none -display none";
  assert.is(lines.at(-1), `cd ${at} && ${started.replace("FLASH", join(at, "flash"))}`);
  assert.match(stderr, /missing: Espressif's QEMU: .*idf_tools\.py install qemu-riscv32/);
  const manifest = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8"));
  assert.match(manifest.include[0], /targets\/moddable\/recorded\.json$/);
  assert.equal([manifest.config.sensors, manifest.data], [[], { "*": "./readings" }]);
  const bytes = readFileSync(join(at, "readings.bin"));
  const readings = Array.from({ length: 6 }, (_, i) => bytes.readFloatLE(4 + 4 * i));
  assert.equal([bytes.length, readings], [28, [20.5, 40, 21, 41, 22.25, 42]]);
  assert.ok(bytes.readUInt32LE() > 0, "the samples' session");
});

test("with --wifi the emulated board has Ethernet, and its firmware the driver of it", async () => {
  const at = join(folder, "net");
  const wifi = join(folder, "wifi.json");
  const network = { wifi: { ssid: "plant" }, broker: { host: "10.0.2.2" }, node: "plant/n1" };
  writeFileSync(wifi, JSON.stringify(network), { mode: 0o600 });
  const flags = ["--emulate", "--from", ROOM, "--folder", at, "--wifi", wifi, "--dry-run"];
  const { code, stdout, stderr } = await runHere(["flash", ...NODE, ...flags]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^cd .* qemu-system-riscv32 .* -nic user,model=open_eth$/m);
  const { include } = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8"));
  assert.match(include[1], /targets\/moddable\/mqtt-ethernet\.json$/);
});

test("what an emulated board lacks is refused, with what to give", async () => {
  const emulate = ["flash", ...NODE, "--dry-run", "--emulate"];
  await refusesHere(emulate, "--emulate: QEMU has no sensors; give --from FILE");
  await refusesHere(
    [...emulate, "--from", ROOM, "--port", "/dev/ttyUSB0"],
    "--emulate and --port: takes one of them",
  );
  await refusesHere([...emulate, "--from", ROOM, "--sleep"], "--emulate and --sleep: takes one of them");
  await refusesHere([...emulate, "--from", ROOM, "--wire", "usb"], "takes --wire uart");
  await refusesHere(
    [...emulate, "--from", ROOM, "--target", "pico"],
    "QEMU doesn't emulate pico; takes esp32, esp32s3, esp32c3",
  );
  await refusesHere(
    [...emulate, "--from", ROOM, "--dimension", "1"],
    `--from ${ROOM}: has 2 readings in a sample; the node takes 1`,
  );
  await refusesHere(
    [...emulate, "--from", ROOM, "--sensors", "[]"],
    "--from and --sensors: takes one of them",
  );
  await refusesHere([...emulate, "--from", join(folder, "nowhere.csv")], "nowhere.csv");
  await refusesHere(
    ["flash", ...NODE, "--dry-run", "--from", ROOM],
    "--from: only with --emulate, or with --ota",
  );
});

test("a board in Espressif's QEMU runs a flash that was written, which says the rest", async () => {
  const board = ["board", "--chip", "esp32c3"];
  await refusesHere(board, "--chip esp32c3: no --flash; give what motelearn flash --emulate wrote");
  await refusesHere([...board, "--flash", join(folder, "nowhere")], "nowhere: no such file");
  await refusesHere([...board, "--flash", FLASH, "--learner", "pa"], "--learner: not with --chip esp32c3");
  await refusesHere([...board, "--flash", FLASH, "--sample-ms", "0"], "--sample-ms: not with --chip esp32c3");
});

/** Has the shell's program of QEMU's name do that. */
function withQemu(script: string): void {
  const program = join(folder, "bin/qemu-system-riscv32");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  process.env.PATH = `${join(folder, "bin")}:/usr/bin:/bin`;
}

const never = () => new Promise<void>(() => {});

test("a QEMU that is missing, or ends by itself, is named with its last line", async () => {
  const board = { target: "esp32c3", flash: FLASH, port: await freePort() } as const;
  const why = async () =>
    await runQemu(board, never).then(
      () => "it ran",
      (error: Error) => error.message,
    );
  process.env.PATH = folder;
  assert.is(await why(), "qemu-system-riscv32: can't be run (ENOENT)");
  withQemu("echo 'qemu-system-riscv32: Failed to get \"write\" lock' >&2; exit 1");
  assert.is(await why(), 'qemu-system-riscv32: Failed to get "write" lock');
});

test("a port at which another program listens is refused before QEMU starts", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { readonly port: number };
  const board = { target: "esp32c3", flash: FLASH, port } as const;
  const message = await runQemu(board, never).then(
    () => "it ran",
    (error: Error) => error.message,
  );
  server.close();
  assert.is(message, `--tcp ${port}: another program listens there; give another port`);
});

test("a comma in the name of the flash stays one", () => {
  const words = qemuWords({ target: "esp32c3", flash: "a,b", port: 1 });
  assert.ok(words.includes("file=a,,b,if=mtd,format=raw"));
});

test.run();
