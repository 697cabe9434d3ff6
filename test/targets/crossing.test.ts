import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { writeFirmware } from "../../dev/firmware/bundles.ts";
import { compareSurfaces, holdTogether, readSurface } from "../../dev/firmware/crossing.ts";
import { makeConfig, onTrial, withoutSensors } from "./bundled-node.ts";
import { SAMPLES } from "./firmware-bench.ts";

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "motelearn-"));

test.before(async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const out = ["--outDir", folder, "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  execFileSync(process.execPath, [tsc, "-p", join(root, "targets/moddable/tsconfig.json"), ...out]);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  await writeFirmware(root, folder, ["olk-c", "auto"]);
});
test.after(() => rmSync(folder, { recursive: true }));

const SLOTS = 'const Slots = class { trial() { return native("t"); } confirm() { return native("c"); } };';
const WITHOUT = 'const Slots = class { trial() { return native("t"); } };';

/** The edges of a board's module, as it was and as it became, and of one that says `text`. */
const edges = (before: string, after: string, text: string, renamed: readonly string[] = []) => [
  compareSurfaces("board.js", readSurface(before), after, new Set(renamed)),
  compareSurfaces("learner.js", readSurface(text), text, new Set()),
];

test("a method that one module lost and another calls is refused by name, however the other takes it", () => {
  for (const text of [
    "const f = (slots) => slots.confirm();",
    "const f = ({ confirm }) => confirm();",
    "const f = (slots) => slots?.confirm;",
    'const f = (slots) => slots["confirm"]();',
  ])
    assert.throws(
      () => holdTogether(edges(SLOTS, WITHOUT, text)),
      "learner.js calls Slots.confirm, which board.js leaves out",
      text,
    );
  const calls = "const f = (slots) => slots.confirm();";
  assert.throws(() => holdTogether(edges(SLOTS, SLOTS, calls, ["confirm"])), /calls Slots\.confirm/);
  const getter = "const Slots = class { get confirm() { return 1; } };";
  assert.throws(() => holdTogether(edges(getter, "const Slots = class {};", calls)), /Slots\.confirm/);
});

test("a method that no other module calls may go, and so may a class that nothing makes", () => {
  holdTogether(edges(SLOTS, WITHOUT, "const f = (slots) => slots.trial();"));
  holdTogether(edges(SLOTS, WITHOUT, 'throw new Error("the firmware doesn\'t confirm it");'));
  holdTogether(edges(SLOTS, "", "const f = (slots) => slots.confirm();"));
  holdTogether(edges(SLOTS, SLOTS, "const f = (slots) => slots.confirm();"));
});

const WIRE = { firmware: "trial", release: { port: 0, transmit: 1, receive: 2, baud: 115200 } };

for (const learner of ["olk-c", "auto"]) {
  test(`new firmware of ${learner} on trial stays once a peer welcomes it, and runs on`, async () => {
    const { asked, labelled } = await onTrial(folder, learner, { ...makeConfig(learner, {}), wire: WIRE });
    assert.equal(asked, ["confirm"]);
    assert.ok(labelled > SAMPLES / 2, `${labelled} labels`);
  });
}

test("a firmware without sensors says so on its wire at once", async () => {
  const { error, said } = await withoutSensors(folder, "olk-c", { ...makeConfig("olk-c", {}), wire: WIRE });
  assert.is(error, "startNode: option sensors: got []; takes one at least");
  assert.equal(said, [`can't start: ${error}`]);
});

test.run();
