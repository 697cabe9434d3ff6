import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BOARDS } from "../../targets/boards.ts";
import { isAtLeast } from "../../tools/toolchain/check.ts";
import { type Run, refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { words } from "../words.ts";
import { AUTHORITY } from "./certificate.ts";

const PROGRAM = join(process.cwd(), "dist/motelearn.js");
const folder = makeFolder();

const CALLS = join(folder, "calls.txt");

/** Writes a program that prints a line, and records its working folder and arguments. */
function program(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const name = basename(path);
  writeFileSync(path, `#!/bin/sh\necho "$PWD ${name} $* to $UPLOAD_PORT" >> ${CALLS}\necho "${line}"\n`);
  chmodSync(path, 0o755);
}

/** The environment of a machine whose PATH has those programs only. */
function environment(name: string, programs: { readonly [name: string]: string }, env: object) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [program_, line] of Object.entries(programs)) program(join(path, program_), line);
  return { HOME: folder, PATH: path, ...env };
}

type Programs = Parameters<typeof environment>[1];

/** Has this process that environment. Programs that it starts don't see a new object in `process.env`, from Node 26 on. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Runs it on such a machine, in this process: for what runs no program that prints. */
function machine(name: string, programs: Programs, env: object = {}) {
  const inside = environment(name, programs, env);
  return async (...args: string[]): Promise<Run> => {
    const outside = { env: { ...process.env }, folder: process.cwd() };
    setEnvironment(inside);
    process.chdir(folder);
    try {
      return await runHere(args);
    } finally {
      setEnvironment(outside.env);
      process.chdir(outside.folder);
    }
  };
}

/** Runs it on such a machine. */
function building(name: string, programs: Programs, env: object = {}) {
  const inside = environment(name, programs, env);
  return (...args: string[]): Run => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      encoding: "utf8",
      cwd: folder,
      env: inside,
    });
    return { code: status, stdout, stderr };
  };
}

/** A folder that looks like an SDK of that version to whom asks for it. */
function sdk(version: string): string {
  const path = join(folder, `sdk-${version}`);
  mkdirSync(join(path, "tools"), { recursive: true });
  mkdirSync(join(path, "build/devices/esp32"), { recursive: true });
  writeFileSync(join(path, "tools/VERSION"), `${version}\n`);
  writeFileSync(join(path, "build/devices/esp32/manifest.json"), '{"build": {"EXPECTED_ESP_IDF": "v6.1"}}');
  return path;
}

const NODE = ["--learner", "olk-c", "--dimension", "1"];
const FOLDER = join(folder, "firmware");

test("what is missing is said line by line, with its cure, and nothing is built", async () => {
  const bare = machine("bare", {});
  const { code, stdout, stderr } = await bare(
    "flash",
    "--target",
    "esp32c3",
    ...NODE,
    "--port",
    "/dev/nowhere",
    "--folder",
    FOLDER,
  );
  assert.is(code, 2);
  assert.is(stdout, "");
  const lines = stderr.trim().split("\n");
  for (const [i, parts] of [
    ["missing: Moddable SDK", "set MODDABLE"],
    ["missing: ESP-IDF", "v6.0", "IDF_PATH"],
    ["missing: TypeScript", "npm install -g typescript"],
    ["missing: /dev/nowhere", "no such device"],
    ["motelearn: flash: not built"],
  ].entries()) {
    for (const part of parts) assert.ok(lines[i].includes(part), `${lines[i]} says ${part}`);
  }
  assert.is(lines.length, 5);
});

test("versions that are too old are named with the versions required: the SDK says which ESP-IDF", async () => {
  const env = { MODDABLE: sdk("8.1.9"), IDF_PATH: folder };
  const old = machine("old", { git: "v5.5", tsc: "Version 5.9.3", mcconfig: "" }, env);
  const { stderr } = await old("flash", "--target", "esp32", ...NODE, "--dry-run", "--folder", FOLDER);
  assert.match(stderr, /missing: Moddable SDK: 8\.1\.9 in .*; take 8\.2\.3 or later/);
  assert.match(stderr, /missing: ESP-IDF: v5\.5 in .*; the SDK wants v6\.1: git -C /);
  assert.match(stderr, /missing: TypeScript: Version 5\.9\.3; mcconfig runs tsc 6 or later/);
  assert.ok(isAtLeast("8.10.0", "8.2.3") && isAtLeast("6", "6") && !isAtLeast("8.2", "8.2.3"));
});

test("for an ESP-IDF whose tools aren't on PATH, flash prints how to put them there", async () => {
  const env = { MODDABLE: sdk("8.2.3"), IDF_PATH: folder };
  const { stdout } = await machine("unsourced", { git: "v6.1", mcconfig: "" }, env)("doctor");
  assert.match(
    stdout,
    /missing +ESP-IDF +v6\.1 in .*; idf\.py isn't on PATH: source .*\/export\.sh, in each new shell/,
  );
});

test("the dry run prints the commands, runs none, and writes the manifest of the node that was planned", async () => {
  const bare = machine("bare", {});
  const sensors = [
    { analog: 2 },
    { sensor: "embedded:sensor/A", io: "I2C", data: 4, clock: 5, fields: ["a", "b"] },
  ];
  const args = [...words`--learner qkrls --dimension 3 --budget 24 --options {"epsilon":0.2} --standardise`];
  const more = [
    ...words`--pending 32 --period 250 --checkpoint-every 64 --sensors`,
    JSON.stringify(sensors),
    ...["--sleep", "--talk-every", "12"],
  ];
  const driver = ["--include", "$(MODDABLE)/modules/a/manifest.json"];
  const { code, stdout } = await bare(
    ...["flash", "--target", "esp32s3", "--board", "m5stamp_s3", "--port", "/dev/nowhere", "--dry-run"],
    ...[...args, ...more, ...driver, "--folder", FOLDER],
  );
  assert.is(code, 0);
  assert.equal(stdout.trim().split("\n"), [
    `cd ${process.cwd()} && node dev/build.mjs --moddable --if-older`,
    `cd ${FOLDER} && mcconfig -m -p esp32/m5stamp_s3 -t build`,
    `cd ${FOLDER} && UPLOAD_PORT=/dev/nowhere mcconfig -m -p esp32/m5stamp_s3 -t deploy`,
  ]);
  const manifest = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));
  const shipped = JSON.parse(readFileSync("targets/esp32s3/board.json", "utf8"));
  const plan = await runJsonHere(
    "motelearn.plan/1",
    "plan",
    ...args,
    "--pending",
    "32",
    "--target",
    "esp32s3",
  );
  assert.equal(manifest.creation, plan.target.creation);
  assert.ok(manifest.creation.chunk.initial < BOARDS.esp32s3.most.chunk.initial);
  assert.equal(manifest.config.sensors, sensors);
  assert.equal(manifest.config.wire, shipped.config.wire);
  assert.equal(manifest.config.node, {
    learner: "qkrls",
    channels: 3,
    options: { epsilon: 0.2, budget: 24 },
    features: { window: 0, standardise: true },
    ...{ pending: 32, labelWindow: 16, checkpointEvery: 64, checkpointMs: 600_000, periodMs: 250 },
    sleep: { talkEvery: 12, talkMs: 2000 },
  });
  const [own, learner, driverManifest] = manifest.include;
  assert.is(join(FOLDER, own), join(process.cwd(), "targets/moddable/firmware.json"));
  assert.is(join(FOLDER, learner), join(process.cwd(), "dist/moddable/learners/qkrls.json"));
  assert.is(driverManifest, driver[1]);
});

test("when to talk is for a node that sleeps", async () => {
  const bare = machine("bare", {});
  for (const flag of ["--talk-every", "--talk-ms"]) {
    const { code, stderr } = await bare(
      ...words`flash --target esp32c3 --learner pa --dimension 1 --dry-run ${flag} 3`,
    );
    assert.is(code, 2);
    assert.match(
      stderr,
      new RegExp(`^motelearn: ${flag}: is for a node that sleeps between its samples; give --sleep\n$`),
    );
  }
});

/** A machine with all that flashing takes, whose objdump lists an object of f32.c with that instruction. */
function whole(name: string, instruction: string) {
  const env = { MODDABLE: sdk("8.2.3"), IDF_PATH: folder };
  const listing = `00000000 <f32_dot>:\n   0:\t${instruction}\tf0, f1, f2`;
  return building(
    name,
    {
      ...{ git: "v6.1", tsc: "Version 7.0.2", mcconfig: "built", "idf.py": "", node: "" },
      ...{ "xtensa-esp32-elf-objdump": listing, "riscv32-esp-elf-objdump": listing },
    },
    env,
  );
}

const ONTO_NULL = ["flash", ...NODE, "--port", "/dev/null", "--folder", FOLDER, "--target"];

test("with everything installed, flash runs the commands in their folders, and names a port where no node answers", () => {
  writeFileSync(CALLS, "");
  const archive = join(sdk("8.2.3"), "build/bin/esp32/nodemcu/release/firmware/xs_esp32.a");
  mkdirSync(dirname(archive), { recursive: true });
  writeFileSync(archive, "");
  const flash = whole("whole", "mul.s");
  flash(...ONTO_NULL, "esp32", "--dry-run");
  assert.ok(existsSync(archive));
  const { code, stdout, stderr } = flash(...ONTO_NULL, "esp32");
  assert.not.ok(existsSync(archive), "objects of an earlier learner aren't linked");
  assert.match(stdout, /^built$/m);
  const object = join(sdk("8.2.3"), "build/tmp/esp32/nodemcu/release/firmware/f32.c.o");
  assert.equal(readFileSync(CALLS, "utf8").trim().split("\n").slice(-4), [
    `${process.cwd()} node dev/build.mjs --moddable --if-older to `,
    `${FOLDER} mcconfig -m -p esp32/nodemcu -t build to `,
    `${folder} xtensa-esp32-elf-objdump -d ${object} to `,
    `${FOLDER} mcconfig -m -p esp32/nodemcu -t deploy to /dev/null`,
  ]);
  assert.is(code, 4);
  assert.match(stderr, /^motelearn: \/dev\/null: [^\n]+\n$/);
});

test("a firmware whose f32.c holds a fused multiply-add is refused before the board is written", () => {
  for (const [target, instruction] of [
    ["esp32", "madd.s"],
    ["esp32c3", "fmadd.s"],
  ]) {
    writeFileSync(CALLS, "");
    const { code, stderr } = whole(`fused-${target}`, instruction)(...ONTO_NULL, target);
    assert.is(code, 5);
    assert.match(
      stderr,
      new RegExp(`^motelearn: \\S+f32\\.c\\.o: holds ${instruction}: [^\\n]+not flashed\\n$`),
    );
    assert.ok(!readFileSync(CALLS, "utf8").includes("deploy"));
  }
});

test("an object of f32.c that can't be looked at is not flashed", () => {
  const env = { MODDABLE: sdk("8.2.3"), IDF_PATH: folder };
  const programs = { git: "v6.1", tsc: "Version 7.0.2", mcconfig: "built", "idf.py": "", node: "" };
  const without = building("no-objdump", programs, env)(...ONTO_NULL, "esp32s3");
  assert.is(without.code, 2);
  assert.match(
    without.stderr,
    /^motelearn: xtensa-esp32s3-elf-objdump: can't be run \(ENOENT\); not flashed\n$/,
  );
  const empty = building("empty-object", { ...programs, "xtensa-esp32s3-elf-objdump": "" }, env);
  const { code, stderr } = empty(...ONTO_NULL, "esp32s3");
  assert.is(code, 2);
  assert.match(stderr, /f32\.c\.o: none of f32\.c's functions in it; not flashed\n$/);
});

test("a dry run without --folder prints the manifest and leaves nothing behind", async () => {
  const bare = machine("bare", {});
  const before = readdirSync(folder).sort();
  const { code, stdout } = await bare("flash", "--target", "esp32c3", ...NODE, "--dry-run");
  assert.is(code, 0);
  const end = stdout.lastIndexOf("\n}\n") + 3;
  const { config } = JSON.parse(stdout.slice(0, end));
  assert.is(config.node.learner, "olk-c");
  assert.match(
    stdout.slice(end),
    /^cd \S+ && node .*\ncd \S+motelearn-esp32c3 && mcconfig -m -p esp32\/esp32c3 -t build\ncd \S+motelearn-esp32c3 && mcconfig -m -p esp32\/esp32c3 -t deploy\n$/,
  );
  assert.equal(readdirSync(folder).sort(), before);
});

const TMP117 = {
  sensor: "embedded:sensor/Temperature/TMP117",
  ...{ io: "SMBus", data: 6, clock: 7, fields: ["temperature"] },
};

/** Dry runs of a node with that sensor on that target. */
function withSensor(target: string, sensor: object, ...more: string[]): string[] {
  return ["flash", "--target", target, ...NODE, "--dry-run", "--sensors", JSON.stringify([sensor]), ...more];
}

test("a pin that can't be is refused, with those that can", async () => {
  await refusesHere(
    withSensor("esp32c3", { analog: 5 }),
    "number 1: analog: got 5",
    "takes a pin of esp32c3",
    ": 0, 1, 2, 3, 4",
  );
  await refusesHere(withSensor("esp32", { analog: 5 }), "analog: got 5", "36, 37, 38, 39");
  await refusesHere(withSensor("esp32s3", { analog: 21 }), "analog: got 21", "19, 20");
  await refusesHere(
    withSensor("esp32", { ...TMP117, data: 34, clock: 22 }),
    "data: got 34",
    "a pin of esp32",
  );
  await refusesHere(withSensor("esp32", { ...TMP117, data: 21, clock: 6 }), "clock: got 6");
  await refusesHere(
    withSensor("esp32c3", { ...TMP117, data: 20 }),
    "data: got 20",
    "that the wire leaves free",
  );
  await refusesHere(withSensor("esp32c3", { ...TMP117, clock: 6 }), "data and clock: both pin 6");
  await refusesHere(withSensor("esp32c3", { analog: "0" }), 'analog: got "0"');
});

test("what the node does beside learning goes into the manifest, and its creation is the plan's", async () => {
  const bare = machine("bare", {});
  const beside = { coverage: 0.9, labelFlips: [0.1, 0.2], drift: "watch" };
  const args = [...NODE, "--target", "esp32c3", "--node", JSON.stringify(beside)];
  const { code, stdout } = await bare("flash", ...args, "--dry-run");
  assert.is(code, 0);
  const { config, creation } = JSON.parse(stdout.slice(0, stdout.lastIndexOf("\n}\n") + 3));
  const { coverage, labelFlips, drift } = config.node;
  assert.equal({ coverage, labelFlips, drift }, beside);
  assert.equal(creation, (await runJsonHere("motelearn.plan/1", "plan", ...args)).target.creation);
  await refusesHere(
    ["flash", ...NODE, "--target", "esp32c3", "--node", '{"sid":2}', "--dry-run"],
    "has no option sid",
  );
});

test("the wire may be the chip's own USB, whose pins no sensor gets then; a board without it is refused", async () => {
  const bare = machine("bare", {});
  const usb = await bare("flash", "--target", "esp32c3", ...NODE, "--wire", "usb", "--dry-run");
  assert.is(usb.code, 0);
  const { config } = JSON.parse(usb.stdout.slice(0, usb.stdout.lastIndexOf("\n}\n") + 3));
  const shipped = JSON.parse(readFileSync("targets/esp32c3/board.json", "utf8")).config.wire;
  assert.equal(config.wire, { ...shipped, release: "usb" });
  const bus = { ...TMP117, data: 20, clock: 21 };
  assert.is((await bare(...withSensor("esp32c3", bus, "--wire", "usb"))).code, 0, "the UART's pins are free");
  await refusesHere(
    withSensor("esp32c3", { ...bus, data: 18 }, "--wire", "usb"),
    "data: got 18",
    "leaves free",
  );
  await refusesHere(
    ["flash", "--target", "esp32", ...NODE, "--dry-run", "--wire", "usb"],
    "--wire usb: esp32 has no wire over the chip's USB, which esp32s3, esp32c3 have",
  );
  await refusesHere(["flash", "--target", "esp32c3", ...NODE, "--wire", "jtag"], "--wire", "uart, usb");
});

test("an option of a sensor that can't be is refused, with what can", async () => {
  await refusesHere(
    withSensor("esp32c3", { ...TMP117, adress: 72 }),
    "no option adress",
    "did you mean address?",
  );
  await refusesHere(withSensor("esp32c3", { ...TMP117, toString: 72 }), "no option toString");
  await refusesHere(withSensor("esp32c3", { ...TMP117, io: "SPI" }), 'io: got "SPI"', "takes I2C or SMBus");
  await refusesHere(withSensor("esp32c3", { ...TMP117, address: 0x80 }), "address: got 128", "8..119");
  await refusesHere(withSensor("esp32c3", { ...TMP117, hz: 0 }), "hz: got 0", "1..1000000");
  await refusesHere(withSensor("esp32c3", { ...TMP117, fields: [] }), "fields: got []", '["temperature"]');
  await refusesHere(withSensor("esp32c3", { ...TMP117, fields: ["a b"] }), 'fields: got ["a b"]');
  await refusesHere(
    withSensor("esp32c3", { ...TMP117, sensor: "TMP117" }),
    'sensor: got "TMP117"',
    "takes a module",
  );
  await refusesHere(
    withSensor("esp32c3", { ...TMP117, ranges: [[85, -40]] }),
    "ranges: got [[85,-40]]",
    "[[-40, 85]]",
  );
  await refusesHere(
    withSensor("esp32c3", { ...TMP117, ranges: [null, [0, 1]] }),
    "ranges: got 2",
    "each of 1 fields",
  );
  const { io: _, ...without } = TMP117;
  await refusesHere(withSensor("esp32c3", without), "io: got nothing");
});

test("where an SDK is, a driver that it hasn't is refused, and one that isn't included", async () => {
  const path = sdk("8.2.3");
  const chip = join(path, "modules/drivers/sensors/tmp117");
  mkdirSync(chip, { recursive: true });
  writeFileSync(join(chip, "manifest.json"), JSON.stringify({ modules: { [TMP117.sensor]: "tmp117" } }));
  const bare = machine("sdk", { mcconfig: "" }, { MODDABLE: path });
  const included = ["--include", "$(MODDABLE)/modules/drivers/sensors/tmp117/manifest.json"];
  const said = async (...args: string[]) => {
    const { code, stderr } = await bare(...args);
    return `${code} ${stderr.trim().split("\n").at(-1)}`;
  };
  assert.match(await said(...withSensor("esp32c3", TMP117, ...included)), /^0 /);
  assert.match(
    await said(...withSensor("esp32c3", TMP117)),
    /^2 .*its driver isn't included; give --include '\$\(MODDABLE\)\/modules\/drivers\/sensors\/tmp117\/manifest.json'$/,
  );
  assert.match(
    await said(...withSensor("esp32c3", { ...TMP117, sensor: "embedded:sensor/Temperature/TMP171" })),
    /^2 .*no driver embedded:sensor\/Temperature\/TMP171 .*did you mean embedded:sensor\/Temperature\/TMP117\?$/,
  );
  assert.match(
    await said(
      "flash",
      "--target",
      "esp32c3",
      ...NODE,
      "--dry-run",
      "--include",
      "$(MODDABLE)/modules/x/manifest.json",
    ),
    /^2 .*--include \$\(MODDABLE\)\/modules\/x\/manifest.json: can't be read \(ENOENT\)/,
  );
  const own = join(folder, "own.json");
  writeFileSync(own, '{ "modules": { "embedded:sensor/Own/Probe": "./probe" } }');
  const probe = { ...TMP117, sensor: "embedded:sensor/Own/Probe" };
  assert.match(await said(...withSensor("esp32c3", probe, "--include", own)), /^0 /);
});

test("an --include that is no manifest is refused", async () => {
  const flash = ["flash", "--target", "esp32c3", ...NODE, "--dry-run", "--include"];
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  await refusesHere(
    [...flash, "/nowhere.json"],
    "--include /nowhere.json",
    "can't be read (ENOENT)",
    "takes a driver's",
  );
  await refusesHere([...flash, folder], "can't be read (EISDIR)");
  await refusesHere([...flash, file("text.json", "modules")], "not JSON");
  await refusesHere([...flash, file("list.json", "[]")], "not a manifest");
  await refusesHere(
    [...flash, file("module.json", '{ "module": {} }')],
    "has the key module",
    "did you mean modules",
  );
});

test("a node that doesn't fit isn't flashed", async () => {
  const bare = machine("bare", {});
  const large = ["--learner", "qkrls", "--dimension", "64", "--budget", "250"];
  const { code, stdout, stderr } = await bare("flash", "--target", "esp32c3", ...large, "--dry-run");
  assert.is(code, 3);
  assert.is(stdout, "");
  assert.match(stderr, /^motelearn: qkrls doesn't fit on esp32c3: .* too few\n$/);
});

test("a folder in which the system makes none is named", async () => {
  const bare = machine("bare", {});
  const { code, stderr } = await bare(
    "flash",
    "--target",
    "esp32c3",
    ...NODE,
    "--dry-run",
    "--folder",
    "/proc/x",
  );
  assert.is(code, 2);
  assert.match(stderr, /^motelearn: --folder \/proc\/x: can't be written \(\w+\); [^\n]+\n$/m);
});

test("what can't be used is refused on one line", async () => {
  const target = ["flash", "--target", "esp32c3", "--dry-run"];
  await refusesHere(["flash", ...NODE], "--target");
  await refusesHere(
    [...target, "--learner", "olk-c", "--dimension", "2"],
    "esp32c3",
    "its sensors suit --dimension 1, not",
    "--dimension 2",
    "--sensors",
  );
  await refusesHere([...target, ...NODE, "--sensors", "[]"], "--sensors", "JSON array");
  await refusesHere(
    [...target, ..."--learner pa --dimension 192 --window 64 --bands 4 --burst 64".split(" ")],
    "a sample has 64 readings of each of 3 sensors, and --sensors take one each; a sensor class of your own takes them: npx motelearn init FOLDER",
  );
  await refusesHere([...target, ...NODE, "--port", "tcp://localhost:1"], "--port", "serial device");
  await refusesHere(
    [...target, "--learner", "ova:norma-c", "--dimension", "1", "--classes", "3"],
    "one-vs-all",
    "lol",
  );
});

test("the doctor distinguishes what simulate needs from what is optional, and says how to install what is missing", async () => {
  const bare = machine("bare", {});
  const { code, stdout } = await bare("doctor", "--json");
  assert.is(code, 0, "Node is all that simulate needs");
  const { schema, ok, checks } = JSON.parse(stdout);
  assert.equal([schema, ok], ["motelearn.doctor/1", true]);
  const named = (name: string) => checks.find((check: { name: string }) => check.name === name);
  assert.ok(named("Node").found.startsWith(process.versions.node));
  assert.is(named("WebAssembly SIMD").ok, true);
  for (const name of [
    "C compiler",
    "RISC-V compiler",
    "picolibc",
    "QEMU",
    "clang",
    "Moddable SDK",
    "ESP-IDF",
    "TypeScript",
  ]) {
    assert.is(named(name).ok, false, name);
    assert.ok(named(name).cure.length > 10 && named(name).purpose.length > 4, name);
  }
  const lines = (await bare("doctor")).stdout.trim().split("\n");
  assert.is(lines.length, checks.length);
  assert.ok(lines.every((line) => /^(ok|missing) /.test(line)));
  const full = machine(
    "full",
    { cc: "cc 13", git: "v6.1", tsc: "Version 7.0.2", mcconfig: "", "idf.py": "" },
    { MODDABLE: sdk("8.2.3"), IDF_PATH: folder },
  );
  const text = (await full("doctor")).stdout;
  for (const part of [
    /ok +C compiler +cc 13/,
    /ok +Moddable SDK +8\.2\.3/,
    /ok +ESP-IDF +v6\.1/,
    /ok +TypeScript +Version 7/,
  ])
    assert.match(text, part);
});

const KEY = "000102030405060708090a0b0c0d0e0f";

/** A file with that key, with a quote in its name. */
function keyFile(): string {
  const file = join(folder, 'the "one".key');
  writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
  return file;
}

test("keys are put into a partition of their own by ESP-IDF's programs, once the firmware, which hasn't them, is there", () => {
  writeFileSync(CALLS, "");
  const path = join(folder, "keyed");
  const keyed = whole("keyed", "mul.s");
  const python = `#!/bin/sh\necho "python $* to \`stat -c %a keys.bin\`" >> ${CALLS}\n`;
  writeFileSync(join(path, "python"), python, { mode: 0o755 });
  for (const name of ["rm", "stat"]) symlinkSync(`/bin/${name}`, join(path, name));
  const { stdout } = keyed(...ONTO_NULL, "esp32", "--key", keyFile());
  const components = join(folder, "components");
  const table = join(process.cwd(), "targets/moddable/partitions.csv");
  assert.equal(readFileSync(CALLS, "utf8").trim().split("\n").slice(-3), [
    `${FOLDER} mcconfig -m -p esp32/nodemcu -t deploy to /dev/null`,
    `python ${components}/nvs_flash/nvs_partition_generator/nvs_partition_gen.py generate keys.csv keys.bin 0x3000 to 600`,
    `python ${components}/partition_table/parttool.py --port /dev/null --partition-table-file ${table} write_partition --partition-name keys --input keys.bin to 600`,
  ]);
  const rows = ["key,type,encoding,value", "motelearn,namespace,,"];
  rows.push(`key,file,hex2bin,"${folder}/the ""one"".key"`, "");
  assert.is(readFileSync(join(FOLDER, "keys.csv"), "utf8"), rows.join("\n"));
  assert.is(existsSync(join(FOLDER, "keys.bin")), false, "no copy of the key is left");
  const manifest = readFileSync(join(FOLDER, "manifest.json"), "utf8");
  assert.not.match(manifest, new RegExp(KEY));
  assert.is(JSON.parse(manifest).config.wire.key, "stored");
  assert.match(stdout, /^keys: the board keeps them in clear: \S+ doesn't set CONFIG_NVS_ENCRYPTION=y$/m);
});

test("keys aren't put without the Python module that makes them: one line says so, and the command that installs it", () => {
  const path = join(folder, "unequipped");
  const unequipped = whole("unequipped", "mul.s");
  const python = "#!/bin/sh\necho 'Traceback (most recent call last):' >&2\nexit 1\n";
  writeFileSync(join(path, "python"), python, { mode: 0o755 });
  const { code, stderr } = unequipped(...ONTO_NULL, "esp32", "--key", keyFile());
  assert.is(code, 2);
  assert.is(
    stderr,
    "missing: esp_idf_nvs_partition_gen: ESP-IDF's Python lacks it: python -m pip install esp-idf-nvs-partition-gen\nmotelearn: flash: not built: the missing parts are listed above\n",
  );
});

test("a dry run says whether the board encrypts its keys, by the sdkconfig of the last manifest that has one", async () => {
  const config = join(folder, "sdkconfig");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "sdkconfig.defaults"), "CONFIG_NVS_ENCRYPTION=y\n");
  const own = join(folder, "encrypted.json");
  writeFileSync(own, '{ "build": { "SDKCONFIGPATH": "./sdkconfig" } }');
  const dry = ["flash", "--target", "esp32c3", ...NODE, "--dry-run", "--key", keyFile()];
  const bare = machine("bare", {});
  const { stdout } = await bare(...dry, "--include", own);
  assert.match(stdout, /^keys: the board keeps them encrypted, by \S+\/sdkconfig\/sdkconfig\.defaults$/m);
  assert.match(stdout, /python \$IDF_PATH\/components\/\S+ generate keys\.csv keys\.bin 0x3000\n/);
  const sent = (await bare(...dry, "--ota", "tcp://localhost:1")).stdout;
  assert.not.match(sent, /keys\.bin|in clear/, "a node that runs has its keys");
  assert.match(sent, /"key": "stored"/);
});

const SECRETS = ["the Wi-Fi's secret", "the broker's secret"];

/** A file of a network, and what was changed of it. */
function wifiFile(changed: object = {}, mode = 0o600): string {
  const file = join(folder, "wifi.json");
  const [password, brokers] = SECRETS;
  const network = {
    wifi: { ssid: "plant", password },
    broker: { host: "broker", user: "n1", password: brokers },
    node: "plant/n1",
    ...changed,
  };
  writeFileSync(file, JSON.stringify(network));
  chmodSync(file, mode);
  return file;
}

/** That none of a network's passwords are in a text. */
function tellsNoSecret(text: string): void {
  for (const secret of SECRETS) assert.not.match(text, secret);
}

test("a dry run with --wifi prints a node over MQTT, and no password; a board's NVS gets the network from its file", async () => {
  const bare = machine("bare", {});
  for (const target of ["esp32", "esp32s3", "esp32c3"]) {
    const { stdout, stderr } = await bare(
      "flash",
      "--target",
      target,
      ...NODE,
      "--dry-run",
      "--wifi",
      wifiFile(),
    );
    const manifest = JSON.parse(stdout.slice(0, stdout.indexOf("\n}\n") + 2));
    assert.ok(manifest.include.some((file: string) => file.endsWith("targets/moddable/mqtt.json")));
    assert.equal([manifest.config.wire.transport, manifest.config.wire.network], ["mqtt", "stored"]);
    assert.match(stdout, /^network: the board keeps them in clear: /m);
    assert.match(stdout, /nvs_partition_gen\.py generate keys\.csv keys\.bin 0x3000\n/);
    tellsNoSecret(stdout + stderr);
  }
  const flash = ["flash", "--target", "esp32c3", ...NODE, "--wifi", wifiFile(), "--key", keyFile()];
  const sent = (await bare(...flash, "--ota", "mqtt://n1@broker/plant/n1", "--dry-run")).stdout;
  assert.not.match(sent, /keys\.bin/, "a node that runs has its network");
});

test("flash --wifi writes a table that names the network's file, and a manifest without it", () => {
  const path = join(folder, "joined");
  const joined = whole("joined", "mul.s");
  writeFileSync(join(path, "python"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("/bin/rm", join(path, "rm"));
  const run = joined(...ONTO_NULL, "esp32c3", "--wifi", wifiFile({ broker: { host: "127.0.0.1", port: 1 } }));
  assert.match(run.stderr, /^motelearn: mqtt:\/\/127\.0\.0\.1:1\/plant\/n1: nothing listens there/);
  const table = readFileSync(join(FOLDER, "keys.csv"), "utf8");
  assert.is(
    table,
    `key,type,encoding,value\nmotelearn,namespace,,\nnetwork,file,binary,"${folder}/wifi.json"\n`,
  );
  tellsNoSecret(table + run.stdout + run.stderr + readFileSync(join(FOLDER, "manifest.json"), "utf8"));
});

const BROKER = { host: "broker", user: "n1", password: SECRETS[1] };

test("a broker's authority goes into NVS as DER, its firmware has TLS, and its plan a row for it", async () => {
  writeFileSync(join(folder, "authority.pem"), AUTHORITY);
  const { raw } = new X509Certificate(AUTHORITY);
  writeFileSync(join(folder, "authority.der"), raw);
  const bare = machine("bare", {});
  for (const ca of ["authority.pem", "authority.der", join(folder, "authority.pem")]) {
    const network = wifiFile({ broker: { ...BROKER, ca }, time: "10.0.0.3" });
    const flash = ["flash", "--target", "esp32c3", ...NODE, "--dry-run", "--wifi", network];
    const { code, stdout, stderr } = await bare(...flash, "--folder", FOLDER);
    assert.is(code, 0, stderr);
    const { include, config } = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));
    assert.is(include.filter((file: string) => /targets\/moddable\/(mqtt|tls)\.json$/.test(file)).length, 2);
    assert.is(config.wire.network, "stored");
    const [, , ...rows] = readFileSync(join(FOLDER, "keys.csv"), "utf8").trim().split("\n");
    const files = { network, ca: join(FOLDER, "ca.der") };
    const expected = Object.entries(files).map(([name, file]) => `${name},file,binary,"${file}"`);
    assert.equal(rows, expected);
    assert.ok(readFileSync(join(FOLDER, "ca.der")).equals(raw));
    assert.match(
      stderr,
      /missing: ESP-IDF's Mbed TLS: git -C \$IDF_PATH submodule update --init --recursive/,
    );
    tellsNoSecret(stdout);
  }
  const plan = ["plan", "--target", "esp32c3", "--learner", "olk-c", "--dimension", "1", "--wifi"];
  const [plain, encrypted] = [await runHere(plan), await runHere([...plan, "--tls"])];
  assert.not.match(plain.stdout, /TLS/);
  assert.match(encrypted.stdout, /^TLS: socket, certificate +\d+ +\d+ +\d+$/m);
  assert.match(encrypted.stdout, /^TLS, while it connects +\d+$/m);
});

test("a Pico W's network is in its firmware, which its user alone reads; a dry run prints no password", async () => {
  const flash = ["flash", "--target", "pico", "--learner", "olk-c", "--dimension", "1", "--budget", "64"];
  const wifi = [...flash, "--board", "pico_w", "--wifi", wifiFile(), "--dry-run"];
  const bare = machine("bare", {});
  tellsNoSecret((await bare(...wifi)).stdout);
  tellsNoSecret((await bare(...wifi, "--folder", FOLDER)).stdout);
  const file = join(FOLDER, "manifest.json");
  assert.is(statSync(file).mode & 0o777, 0o600);
  const { network } = JSON.parse(readFileSync(file, "utf8")).config.wire;
  assert.equal([network.wifi.password, network.broker.password], SECRETS);
});

test("what flash --wifi can't take is refused in one line that repeats no password", async () => {
  const refused = async (target: string, changed: object, part: RegExp, mode?: number, ...more: string[]) => {
    const args = [
      "flash",
      "--target",
      target,
      ...NODE,
      "--dry-run",
      "--wifi",
      wifiFile(changed, mode),
      ...more,
    ];
    const { code, stderr } = await machine("bare", {})(...args);
    assert.is(code, 2, stderr);
    assert.match(stderr, part);
    assert.match(stderr, /^motelearn: [^\n]+\n$/);
    tellsNoSecret(stderr);
  };
  const broker = { host: "broker", user: "n1", password: SECRETS[1] };
  await refused("esp32c3", {}, /others may use it; chmod 600/, 0o644);
  await refused("esp32c3", { node: "a+b" }, /node: takes 1\.\.64 letters/);
  await refused("esp32c3", { broker: { ...broker, port: 0 } }, /broker\.port: must be >= 1/);
  await refused(
    "esp32c3",
    { broker: { ...broker, tls: true } },
    /broker: must NOT have additional properties \(tls\)/,
  );
  await refused(
    "esp32c3",
    { wifi: { ssid: "plant", password: "short" } },
    /wifi\.password: must NOT have fewer than 8/,
  );
  await refused("esp32c3", { broker: { host: "h".repeat(500) } }, /a board has room for 512/);
  const withCa = (ca: string) => ({ broker: { ...broker, ca } });
  await refused("esp32c3", withCa("none.pem"), /broker\.ca: can't be read \(ENOENT\); takes the file of one/);
  await refused("esp32c3", withCa("wifi.json"), /broker\.ca: not a certificate; takes the file of one/);
  await refused("esp32c3", { time: "10.0.0.3" }, /time: is for the dates of a broker's certificate/);
  writeFileSync(join(folder, "authority.pem"), AUTHORITY);
  await refused("pico2", withCa("authority.pem"), /pico2 has none/, 0o600, "--board", "pico_2_w");
  await refused("nrf52840", {}, /nrf52840 has no Wi-Fi/);
  await refused("pico2", {}, /give --board pico_2_w/);
  await refused("esp32c3", {}, /takes one of them/, 0o600, "--sleep");
  const file = wifiFile();
  writeFileSync(file, `{"wifi": ${JSON.stringify(SECRETS[0])}`);
  const run = await machine("bare", {})("flash", "--target", "esp32c3", ...NODE, "--dry-run", "--wifi", file);
  assert.match(run.stderr, /not JSON; takes \{"wifi"/);
  tellsNoSecret(run.stderr);
});

test("a Pico's keys are in its firmware, which its user alone reads", async () => {
  const flash = ["flash", "--target", "pico", "--learner", "olk-c", "--dimension", "1", "--budget", "64"];
  const { stdout } = await machine("bare", {})(...flash, "--dry-run", "--key", keyFile(), "--folder", FOLDER);
  assert.not.match(stdout, /keys/);
  const file = join(FOLDER, "manifest.json");
  assert.is(JSON.parse(readFileSync(file, "utf8")).config.wire.key, KEY);
  assert.is(statSync(file).mode & 0o777, 0o600);
});

test("boards of other makers are built for as the SDK names them, and what they need is named", async () => {
  const pico = ["Pico SDK", "PICO_SDK_DIR"];
  const boards = {
    pico: ["pico", ...pico],
    pico2: ["pico/pico_2", ...pico],
    nrf52840: ["nrf52/dk", "nRF5 SDK", "NRF_SDK_DIR"],
  };
  for (const [target, [board, kit, variable]] of Object.entries(boards)) {
    const node = ["--learner", "olk-c", "--dimension", "1", "--budget", "64"];
    const { code, stdout, stderr } = await machine("bare", {})(
      "flash",
      "--target",
      target,
      ...node,
      "--dry-run",
    );
    assert.is(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`&& mcconfig -m -p ${board} -t build\n.*&& mcconfig -m -p ${board} -t deploy\n$`),
    );
    assert.match(stderr, new RegExp(`missing: ${kit}: install it and set ${variable} `));
    assert.not.match(stderr, /ESP-IDF|serial port/);
    const refused = await machine("bare", {})("flash", "--target", target, ...node, "--sleep", "--dry-run");
    assert.is(refused.code, 2);
    assert.is(refused.stderr, `motelearn: --sleep: ${target} doesn't sleep deeply; leave it out\n`);
  }
});

test.run();
