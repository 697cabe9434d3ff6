// A learner's module as a firmware has it: the planned image, bundled as for the SDK, on XS. The machine preloads it with a checked
// configuration, as the SDK's linker does, which computes the node's plan; then it runs the node in C and bytecode, behind its line.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleForXs, imported } from "../../../targets/emulator/bundle.mjs";
import { cache, root, runLinux } from "../../../targets/emulator/engine.mjs";
import { moduleScript } from "../../../targets/emulator/flashed.mjs";
import { compileModules, loadBundler } from "../../firmware/load.mjs";
import { check, each, printTable, readOutcome } from "../checks.mjs";

const KEY = "000102030405060708090a0b0c0d0e0f";
const WATCHFUL = { drift: "watch", coverage: 0.9, labelBudget: 0.9 };
const SLEEP = { sleep: { talkEvery: 4, talkMs: 60 } };
const SOURCES = { budget: 16, sources: [[0.1, 0.1]] };
/** A node's learner, the learner's options, the node's own, and its keys. */
const NODES = {
  "olk-c": ["olk-c", { budget: 16 }],
  "olk-c, sources, drift, coverage, label budget": ["olk-c", SOURCES, WATCHFUL],
  "olk-c, q15": ["olk-c", { budget: 16, storage: "q15" }],
  "olk-c, both keys": ["olk-c", { budget: 16 }, WATCHFUL, { key: KEY, labelKey: KEY }],
  "olk-c, deep sleep": ["olk-c", { budget: 16 }, SLEEP],
  auto: ["auto", {}],
};
/** At least so many of 200 samples are labelled. */
const LABELLED = 180;
const LEARNERS = ["olk-c", "auto"];
/** The bench lies in the machine, too: its flash alone has 64 KB. */
const BLOCK = 4 * 1024 * 1024;

/** The learners' modules, built as the package's are. Returns their folder. */
async function buildModules() {
  const folder = join(cache, "firmware");
  compileModules(folder);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const writeFirmware = await loadBundler();
  await writeFirmware(root, folder, LEARNERS);
  return join(folder, "learners");
}

/** A script that preloads the bench, the configuration and the module. Returns its path. */
function writeScript(bench, config, module, name) {
  const file = join(cache, `firmware-${name.replace(/\W+/g, "-")}.js`);
  const given = `sdkModules["mc/config"] = ${JSON.stringify(config)};`;
  writeFileSync(file, `${bench}\n${given}\n${moduleScript(module, "globalThis.firmware")}\n`);
  return file;
}

/** Each of `NODES` on that machine does what src/ does on Node. */
export async function checkFirmware(linux) {
  const [folder, { expectation }, benchFile] = await Promise.all([
    buildModules(),
    imported("test/targets/firmware-on-node.ts"), // the node of src/, which says what to expect
    bundleForXs("test/targets/firmware-on-xs.ts"),
  ]);
  const bench = readFileSync(benchFile, "utf8");
  const rows = await each(Object.keys(NODES), async (name) => {
    const [learner, options, more = {}, wire = {}] = NODES[name];
    const { bench: given, config, outcome } = expectation(learner, options, more, wire);
    const module = readFileSync(join(folder, `${learner}.js`), "utf8");
    const script = writeScript(bench, config, module, name);
    const found = readOutcome(await runLinux(linux, script, given, ["--block", `${BLOCK}`]));
    const isSame = JSON.stringify(found) === JSON.stringify(outcome);
    check(`the planned firmware of ${name} does on XS what src/ does on Node`, isSame, { found, outcome });
    const isWhole = outcome.labelled > LABELLED && outcome.faults === (wire.key ? 1 : 0);
    check(`${name}: most samples are labelled, and no frame is lost`, isWhole, outcome);
    return [name, found.state, found.bytes, found.bytesHash, found.labelled, found.starts];
  });
  printTable("The planned firmware's modules on XS, as on Node", [
    ["", "state", "bytes up", "their hash", "labels", "starts"],
    ...rows,
  ]);
}
