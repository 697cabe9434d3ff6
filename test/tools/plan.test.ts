import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { boardArgument } from "../../cli/commands/board.ts";
import { TARGETS } from "../../targets/boards.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { words } from "../words.ts";

const SCHEMA = "motelearn.plan/1";

interface PlannedRegion {
  name: string;
  kind: string;
  offset: number;
  bytes: number;
}

test("regions lie one after the other, state first, and sum up to the bytes", async () => {
  const plan = await runJsonHere(SCHEMA, "plan", "--learner", "qkrls", "--dimension", "8", "--budget", "20");
  let end = 0;
  for (const { name, offset, bytes } of plan.regions as PlannedRegion[]) {
    assert.is(offset, end, name);
    end += bytes;
  }
  assert.is(plan.bytes, end);
  const kinds = plan.regions.map((region: PlannedRegion) => region.kind);
  assert.equal([...new Set(kinds)], ["state", "counters", "scratch"]);
  assert.is(plan.state + plan.counters + plan.scratch, plan.bytes);
  assert.is(plan.learner, "qkrls");
});

test("the pending ring is in the plan, a sample's features, session and number for each place", async () => {
  const args = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "16", "--pending"];
  const ring = ({ regions }: { regions: PlannedRegion[] }) =>
    regions.filter(({ name }) => name.startsWith("pending")).reduce((sum, { bytes }) => sum + bytes, 0);
  const small = await runJsonHere(SCHEMA, ...args, "10");
  const large = await runJsonHere(SCHEMA, ...args, "11");
  assert.is(ring(small), 10 * 10 * 4);
  assert.is(large.bytes - small.bytes, 10 * 4);
  const alone = await runJsonHere(SCHEMA, ...args, "0");
  assert.is(alone.bytes, alone.learnerBytes);
  assert.is(alone.learnerBytes, small.learnerBytes);
});

test("--label-delay sets the default of pending, in plan, flash and board", async () => {
  const args = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "16"];
  const pending = async (...more: string[]) => (await runJsonHere(SCHEMA, ...args, ...more)).pending;
  assert.is(await pending(), 64);
  assert.is(await pending("--label-delay", "20"), 64);
  assert.is(await pending("--label-delay", "300"), 310);
  assert.is(await pending("--label-delay", "65533"), 65_535);
  assert.is(await pending("--label-delay", "300", "--pending", "100"), 100);
  const own = await runJsonHere(SCHEMA, ...args, "--pending", "310");
  assert.is((await runJsonHere(SCHEMA, ...args, "--label-delay", "300")).bytes, own.bytes);
  await refusesHere([...args, "--label-delay", "65534"], "--label-delay", "65533");
  const flash = [...words`flash --target esp32c3 --learner pa --dimension 1 --label-delay 300 --dry-run`];
  const { stdout, stderr } = await runHere(flash);
  assert.match(stdout, /"pending": 310\b/, stderr);
  const node = (labelDelay?: number) =>
    boardArgument({ chip: "rv32imac", labelDelay }).node as { pending?: number };
  assert.is(node(300).pending, 310);
  assert.is(node().pending, undefined);
});

test("vectors of 16 bits are in the plan, with the ranges that a node gives; time by their own costs", async () => {
  const args = ["plan", "--learner", "olk-c", "--dimension", "8", "--standardise"];
  const short = ["--options", '{"storage":"q15"}'];
  const [long, half] = [await runJsonHere(SCHEMA, ...args), await runJsonHere(SCHEMA, ...args, ...short)];
  assert.is(long.bytes - half.bytes, 64 * 8 * 2 - 4 * (2 + 8));
  const on = async (...more: string[]) =>
    (await runJsonHere(SCHEMA, ...args, ...more, "--target", "esp32c3")).target.time.instructions;
  assert.ok(4 * (await on(...short)).predict < (await on()).predict);
  await refusesHere(
    [...args.slice(0, -1), "--no-standardise", ...short],
    "olk-c: option ranges: got nothing; takes [least",
  );
});

test("classes: the learner itself where it can, else one-vs-all with a state for each", async () => {
  const plan = (learner: string, classes: string) =>
    runJsonHere(SCHEMA, ...words`plan --learner ${learner} --dimension 4 --budget 8 --classes ${classes}`);
  assert.is((await plan("lol", "5")).learner, "lol");
  assert.is((await plan("lol", "5")).options.classes, 5);
  assert.is((await plan("lol", "a,b,c,d,e")).options.classes, 5);
  assert.is((await plan("lol", "ok,fault")).bytes, (await plan("lol", "2")).bytes);
  assert.is((await plan("olk-c", "2")).learner, "olk-c");
  const [three, four] = [await plan("olk-c", "3"), await plan("olk-c", "4")];
  assert.is(three.learner, "ova:olk-c");
  assert.ok(four.state > three.state && four.scratch - three.scratch <= 4, "scratch is shared");
});

test("the text has every region and the total", async () => {
  const { code, stdout } = await runHere([...words`plan --learner olk-c --dimension 8 --budget 64`]);
  assert.is(code, 0);
  for (const word of ["rows", "coefficients", "pending", "total", "scratch"])
    assert.ok(stdout.includes(word), word);
});

/** The node for which the shipped manifests are made. */
const SHIPPED = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "64"];

/** It must end with exit code 3 and one line on stderr that says each of the parts; returns stdout. */
async function doesNotFit(args: readonly string[], ...parts: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args);
  assert.is(code, 3, stderr);
  assert.match(stderr, /^motelearn: [^\n]+\n$/);
  for (const part of parts) assert.ok(stderr.includes(part), `"${stderr}" says ${part}`);
  return stdout;
}

interface PlannedItem {
  item: string;
  chunk: number;
  slots: number;
}

test("windows and standardisation are in the plan: three features of a reading, their memory, the learner's size", async () => {
  const plain = await runJsonHere(SCHEMA, ...SHIPPED);
  const plan = await runJsonHere(SCHEMA, ...SHIPPED, "--window", "16", "--standardise");
  assert.is(plain.options.dimension, 8);
  assert.is(plan.options.dimension, 24);
  const names = plan.regions.map(({ name }: PlannedRegion) => name);
  assert.ok(names.includes("window.7.ring") && names.includes("standardiser.mean"));
  assert.ok(plan.bytes > plain.bytes);
});

test("spectral features are in the plan: bands, lines and two more of each sensor, its window, one wave", async () => {
  const spectral = ["--window", "256", "--bands", "8", "--lines", "0.01,0.1", "--burst", "4"];
  const plan = await runJsonHere(SCHEMA, ...SHIPPED, ...spectral, "--standardise");
  assert.is(plan.options.dimension, 2 * 12);
  const words = (wanted: string) =>
    plan.regions.find(({ name }: PlannedRegion) => name === wanted)?.bytes / 4;
  assert.equal([words("window.0.ring"), words("window.1.ring"), words("samples")], [256, 256, 256]);
  const { target } = await runJsonHere(SCHEMA, ...SHIPPED, ...spectral, "--target", "esp32c3");
  const without = (await runJsonHere(SCHEMA, ...SHIPPED, "--target", "esp32c3")).target;
  assert.ok(
    target.time.instructions.node > without.time.instructions.node + 1e6,
    "a transform without FPU takes over a million instructions",
  );
  for (const [given, says] of [
    [["--bands", "8"], "features: option window: got 0; takes one of 64, 128, 256, 512 with bands"],
    [
      ["--window", "64", "--bands", "8", "--burst", "3"],
      "features: option burst: got 3; takes a divisor of the channels, 8",
    ],
    [["--window", "64", "--lines", "0.1"], "features: option lines: got [0.1]; takes none without bands"],
    [["--window", "64", "--bands", "8", "--lines", "0.7"], "cycles a reading"],
  ] as const)
    await refusesHere([...SHIPPED, ...given], says);
});

test("on a board, the items sum up to what is needed, and the range's to the plan's bytes", async () => {
  for (const target of TARGETS) {
    const plan = await runJsonHere(SCHEMA, ...SHIPPED, "--target", target);
    const { ram, flash, creation, fits, misfits } = plan.target;
    const sum = (of: "chunk" | "slots") =>
      ram.items.reduce((s: number, item: PlannedItem) => s + item[of], 0);
    assert.equal(ram.needs, { chunk: sum("chunk"), slots: sum("slots") });
    const range = ["learner", "pending ring", "held labels", "features", "cursors and counters"];
    const own = ram.items.filter(({ item }: PlannedItem) => range.includes(item));
    assert.is(
      own.reduce((s: number, { chunk }: PlannedItem) => s + chunk, 0),
      plan.bytes,
    );
    assert.is(ram.bytes, ram.needs.chunk + ram.rounding + 16 * (ram.needs.slots + ram.stack.slots));
    assert.is(flash.checkpoint, plan.state + plan.counters);
    assert.is(flash.slot % 4096, 0);
    assert.ok(flash.slot >= flash.header + flash.checkpoint);
    assert.equal([fits, misfits], [true, []]);
    assert.ok(creation.static <= ram.gives.static && creation.chunk.initial <= ram.gives.chunk.initial);
  }
});

test("without --target there is nothing about a board", async () => {
  assert.is((await runJsonHere(SCHEMA, ...SHIPPED)).target, undefined);
});

test("the manifests' creation is the plan's for OLK-C with d = 8, a budget of 64, 64 pending", async () => {
  for (const target of TARGETS) {
    const { code, stdout } = await runHere([...SHIPPED, "--target", target, "--creation"]);
    assert.is(code, 0);
    const manifest = JSON.parse(readFileSync(`targets/${target}/board.json`, "utf8"));
    assert.equal(manifest.creation, JSON.parse(stdout).creation, target);
  }
});

test("what doesn't fit, and by how much, is said once: above the items, or on stderr where none are printed; exit 3", async () => {
  const short = [...SHIPPED, "--target", "esp32", "--period", "0.1"];
  const shown = await doesNotFit(short, "olk-c doesn't fit on esp32: period\n");
  for (const word of ["pending ring", "engine at rest", "XS stack", "two slots", "predict", "left"])
    assert.ok(shown.includes(word), word);
  assert.match(
    shown,
    /A save erases 2 sectors in one turn: usually 140 ms, at most 1000 \(ESP32-C3-MINI-1 Datasheet v2\.2, Table 6-8\)\./,
  );
  assert.match(shown, /With the longest sample and label that turn takes 14[\d.]+ ms\./);
  assert.match(
    shown,
    /^esp32: doesn't fit\n {2}period needs [\d.]+ ms, there are 0\.100, [\d.]+ too few\n\n/,
  );
  const queue = [...SHIPPED, "--pending", "8000", "--target", "esp32"];
  assert.is(await doesNotFit([...queue, "--creation"], "RAM, chunks needs", "; flash needs"), "");
  const planned = JSON.parse(await doesNotFit([...queue, "--json"], "esp32: RAM, chunks; flash\n")).target;
  assert.not.ok(planned.fits);
  assert.equal(
    planned.misfits.map(({ what }: { what: string }) => what),
    ["RAM, chunks", "flash"],
  );
});

test("a battery's life is printed with its units and the source of its currents", async () => {
  const { code, stdout } = await runHere([
    ...SHIPPED,
    ...words`--target esp32c3 --period 60000 --battery 2000`,
  ]);
  assert.is(code, 0);
  assert.match(stdout, /^battery of 2000 mAh +mJ a sample +mA on average +days$/m);
  assert.match(stdout, /^always awake +5544 +28\.0 +2\.98$/m);
  assert.match(stdout, /^asleep between samples +[\d.]+ +[\d.]+ +[\d.]+$/m);
  assert.match(stdout, /^Awake 28 mA, asleep 5 uA, at 3\.3 V: ESP32-C3-MINI-1 Datasheet/m);
});

test("what the node does beside learning is in the plan: its memory, and its instructions by themselves", async () => {
  const node = ["--node", '{"coverage":0.9,"labelBudget":0.25,"drift":"restart"}'];
  const arow = ["plan", "--learner", "arow", "--dimension", "8"];
  const names = (await runJsonHere(SCHEMA, ...arow, ...node)).regions.map(({ name }: PlannedRegion) => name);
  for (const name of ["requests", "sets.threshold", "drift"]) assert.ok(names.includes(name), name);
  const { time } = (await runJsonHere(SCHEMA, ...arow, ...node, "--target", "esp32c3", "--keyed")).target;
  const { sample, restart, ...rest } = time.instructions;
  for (const part of ["requests", "sets", "drift", "keyed"]) assert.ok(rest[part] > 0, part);
  const sum = Object.values(rest as { [part: string]: number }).reduce((all, one) => all + one);
  assert.is(sample, sum);
  assert.ok(restart > 0);
  const { stdout } = await runHere([...arow, ...node, "--target", "esp32c3", "--keyed", "--keyed-labels"]);
  for (const line of [
    "label requests",
    "prediction sets",
    "drift watched",
    "key: tags of frames",
    "key: a label's own tag",
    "restart of the confidence, at an alarm",
  ])
    assert.ok(stdout.includes(line), line);
  const onPico = await runHere([...arow, "--target", "pico"]);
  assert.match(onPico.stdout, /^UART: bytes one by one/m);
  const usb = (await runJsonHere(SCHEMA, ...arow, "--target", "esp32c3", "--wire", "usb")).target;
  assert.is(usb.time.instructions.uart, undefined);
});

test("a node over Wi-Fi: what MQTT takes of XS, what Wi-Fi leaves of the chip, by whose figures", async () => {
  const args = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "64", "--target"];
  const wired = (await runJsonHere(SCHEMA, ...args, "esp32c3")).target;
  const { ram, wifi, fits } = (await runJsonHere(SCHEMA, ...args, "esp32c3", "--wifi")).target;
  assert.ok(fits);
  assert.ok(ram.needs.slots > wired.ram.needs.slots && ram.needs.chunk > wired.ram.needs.chunk);
  assert.is(wifi.xs, 1024 * Math.ceil(ram.bytes / 1024));
  assert.is(wifi.free, 219 * 1024);
  assert.is(wifi.left, wifi.free - wifi.xs - wifi.cStack);
  const { stdout } = await runHere([...args, "esp32c3", "--wifi"]);
  assert.match(stdout, new RegExp(`left +${wifi.left}\\nFree: Espressif, `));
  const pico = await runHere([...args, "pico", "--wifi"]);
  assert.match(pico.stdout, /Nobody publishes what this chip's Wi-Fi leaves/);
  await refusesHere([...args, "nrf52840", "--wifi"], "--wifi", "nrf52840 has no Wi-Fi");
  await refusesHere(args.slice(0, -1).concat("--wifi"), "--wifi", "on which board?");
  assert.is(wired.wifi, undefined);
});

test("options of the node that can't be are refused in one line", async () => {
  const arow = ["plan", "--learner", "arow", "--dimension", "8"];
  await refusesHere(
    [...arow, "--node", "coverage"],
    "--node coverage: can't be read (ENOENT); give a node file",
  );
  await refusesHere([...arow, "--node", "[]"], "--node: got []", '{"coverage":0.9}');
  await refusesHere(
    [...arow, "--node", '{"cover":0.9}'],
    "--node: has no option cover",
    "takes labelBudget, coverage",
  );
  await refusesHere([...arow, "--node", '{"coverage":2}'], "coverage", "got 2");
  await refusesHere([...arow, "--node", "{}", "--pending", "0"], "--pending 0", "--node");
  await refusesHere([...arow, "--keyed"], "--keyed", "Give --target");
  await refusesHere([...arow, "--wire", "usb", "--target", "esp32"], "--wire usb: esp32 has no wire");
});

test.run();
