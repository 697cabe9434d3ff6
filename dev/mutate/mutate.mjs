// Plants faults in src/, one at a time, drawn by a seed, and runs the tests that enter the faulty function.
// Prints each fault that no test catches, unless equivalent.json says why it changes nothing. Fails below 90
// % caught. Usage: npm run mutate -- [--seed 1] [--from 0] [--count 300] [--only src/wire] [--key PART]
// [--again FILE]: only the faults that survived in FILE, an earlier run's output.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readNumbers, refuse } from "../../targets/emulator/command-line.mjs";
import { sourcesIn } from "./faults.mjs";
import { Trial } from "./trial.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const ROOMS = ["learn", "wire", "store", "node", "peer", "start"];
const TESTED_IN = [...ROOMS, "memory", "dictionary", "signal"];
const LEAST_SHARE = 90;

/** A permutation that the seed decides, the same on every machine. */
function shuffle(list, seed) {
  const drawn = [...list];
  let state = seed;
  for (let i = drawn.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j], drawn[i]];
  }
  return drawn;
}

/** The keys of the faults that survived in an earlier run's output; undefined without one: any. */
function survivorsIn(file) {
  if (file === undefined) return undefined;
  try {
    const lines = readFileSync(file, "utf8").matchAll(/^survived: line \d+ of (.*)$/gm);
    return new Set([...lines].map(([, survivor]) => survivor));
  } catch (error) {
    return refuse("mutate", `--again ${file}: ${error.code}; takes a file`);
  }
}

const { seed, from, count, only, key, again } = readNumbers(
  "mutate",
  "--seed N, --from N, --count N, --only FOLDER, --key PART, --again FILE",
  { seed: [1, 0], from: [0, 0], count: [300, 0] },
  {
    only: { type: "string", default: "src/" },
    key: { type: "string", default: "" },
    again: { type: "string" },
  },
);
const survivors = survivorsIn(again);
const rooms = ROOMS.map((room) => `src/${room}`);
const { sources, marks } = sourcesIn(root, rooms);
const all = sources.flatMap(({ mutants }) => mutants);
const asked = all.filter(
  (mutant) =>
    mutant.file.startsWith(only) && mutant.key.includes(key) && (survivors?.has(mutant.key) ?? true),
);
const drawn = shuffle(asked, seed).slice(from, from + count);
if (drawn.length === 0)
  refuse("mutate", `no mutant: ${asked.length} of ${rooms.join(", ")} fit --only, --key and --again`);
const equivalent = JSON.parse(readFileSync(join(here, "equivalent.json"), "utf8"));
const keys = new Set(all.map((mutant) => mutant.key));
for (const known of Object.keys(equivalent)) {
  if (!keys.has(known)) console.log(`equivalent.json names no mutant: ${known}`);
}

const trial = new Trial(root, sources, marks);
const testFiles = (room) =>
  readdirSync(join(root, "test", room))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${room}/${name}`);
await trial.prepare(
  TESTED_IN.flatMap(testFiles),
  drawn.map((mutant) => mutant.file),
);
const sum = { caught: 0, equivalent: 0, survived: 0 };
for (const mutant of drawn) {
  const known = mutant.key in equivalent;
  const became = known ? "equivalent" : (await trial.catches(mutant)) ? "caught" : "survived";
  sum[became]++;
  if (became === "survived") console.log(`survived: line ${mutant.line} of ${mutant.key}`);
}
await trial.close();
const share = (100 * sum.caught) / (sum.caught + sum.survived);
console.log(
  `${drawn.length} of ${asked.length} mutants: ${sum.caught} caught, ${sum.survived} survived, ` +
    `${sum.equivalent} equivalent: ${share.toFixed(1)} % of those that change behaviour are caught`,
);
process.exit(share < LEAST_SHARE ? 1 : 0);
