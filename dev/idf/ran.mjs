// What passed in Espressif's QEMU, on each chip, in this and earlier runs: dev/idf/ran.json, of which `npm run build:emulated` writes docs/emulated.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../targets/emulator/engine.mjs";

const FILE = "dev/idf/ran.json";
const path = join(root, FILE);

/** For each chip: the versions of its tools, and a result for each learner and each trial. */
const readRan = () => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});

/** One result a line, so a run changes its own lines. */
function ranText(ran) {
  const line = ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const lines = (object) => `{\n${Object.entries(object).map(line).join(",\n")}\n}`;
  const chips = Object.entries(ran).map(
    ([chip, { versions, learners, trials }]) =>
      `"${chip}": {\n${line(["versions", versions])},\n"learners": ${lines(learners)},\n"trials": ${lines(trials)}\n}`,
  );
  return `{\n${chips.join(",\n")}\n}\n`;
}

/** Why this machine's results can't stand beside those that were kept of a chip, or undefined. */
export function strangerTo(chip, versions) {
  const kept = readRan()[chip]?.versions ?? versions;
  const name = Object.keys(versions).find((tool) => kept[tool] !== versions[tool]);
  if (name === undefined) return undefined;
  return `${FILE}: has results of ${chip} with ${name} ${kept[name]}, here is ${versions[name]}; remove them to begin anew`;
}

/** Keeps a result of a chip; `kind`: learners or trials. */
export function keepRan(chip, versions, kind, name, result) {
  const ran = readRan();
  const of = ran[chip] ?? { versions, learners: {}, trials: {} };
  const date = new Date().toISOString().slice(0, 10);
  const next = { ...of, versions, [kind]: { ...of[kind], [name]: { ...result, date } } };
  writeFileSync(path, ranText({ ...ran, [chip]: next }));
}
