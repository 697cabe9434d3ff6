// Plants faults in src/, one at a time, drawn by a seed, and runs the tests that enter the faulty function, in a worker
// each. Prints each fault that no test catches, unless equivalent-mutants.json says why it changes nothing.
// Usage: npm run mutate -- [--seed 1] [--from 0] [--count 300] [--only src/wire] [--key PART]
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { context } from "esbuild";
import { sourcesIn } from "./mutations.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ROOMS = ["learn", "wire", "store", "node", "peer", "start"];
const TESTED_IN = [...ROOMS, "memory", "dictionary", "signal"];
const text = (fallback) => ({ type: "string", default: fallback });
const options = { seed: text("1"), from: text("0"), count: text("300"), only: text("src"), key: text("") };
const { values } = parseArgs({ options });
const equivalent = JSON.parse(readFileSync(join(root, "tools/dev/equivalent-mutants.json"), "utf8"));

/** A permutation that the seed decides, the same on every machine. */
function shuffled(list, seed) {
  let state = seed >>> 0;
  const drawn = [...list];
  for (let i = drawn.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j], drawn[i]];
  }
  return drawn;
}

/** What the bundles take instead of a file's text. */
let planted = (_file) => undefined;
const plugin = {
  name: "mutant",
  setup(build) {
    build.onResolve({ filter: /^uvu$/ }, () => ({ path: join(root, "tools/dev/mutant-tests.mjs") }));
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const contents = planted(relative(root, path));
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
  },
};

/** What the bundle's tests ran; undefined if one failed, or took more than `limit` ms of CPU: a fault may hang. */
function run(code, workerData, limit) {
  return new Promise((done) => {
    const quiet = { stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 1024 } };
    const worker = new Worker(code, { eval: true, workerData, ...quiet });
    const begun = process.cpuUsage();
    const guard = setInterval(() => {
      const { user, system } = process.cpuUsage(begun);
      if (user + system > 1000 * limit) end();
    }, 50);
    const end = (ran) => {
      clearInterval(guard);
      done(worker.terminate().then(() => ran));
    };
    worker.once("message", end).once("error", () => end());
    worker.once("exit", () => end());
  });
}

/** The bundle as it is now. A property need only fail: its smallest example isn't wanted. */
async function codeOf(bundle) {
  const { outputFiles } = await bundle.rebuild();
  const code = outputFiles[0].text;
  const first = 'require("fast-check").configureGlobal({ endOnFailure: true });\n';
  return code.includes('require("fast-check")') ? first + code : code;
}

/** What the tests of each bundle ran when nothing was planted, by the bundle's hash: kept for the next time. */
const KEPT = join(root, "dist/mutate.json");
const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, "utf8")) : {};

/** A test file's bundle, and each of its tests' milliseconds and marks. */
async function testFile(path, marks) {
  const shared = { bundle: true, platform: "node", format: "cjs", packages: "external", write: false };
  const more = { logLevel: "silent", absWorkingDir: root, plugins: [plugin] };
  const bundle = await context({ entryPoints: [path], ...shared, ...more });
  const code = `globalThis.entered = new Uint8Array(${marks});\n${await codeOf(bundle)}`;
  const hash = createHash("sha256").update(code).digest("hex");
  kept[hash] ??= await run(code, {}, 600_000);
  if (!kept[hash]) throw new Error(`${path} fails without a fault`);
  const files = new Set(Array.from(code.matchAll(/^\/\/ (src\/\S+)$/gm), ([, file]) => file));
  return { bundle, files, tests: kept[hash].map(({ ms, marks }) => ({ ms, marks: new Set(marks) })) };
}

/** Whether a test fails that enters the faulty function, or has its file, if it is a fault of a table. Fast ones first. */
async function caught({ file, mutated, mark }, testFiles) {
  planted = (other) => (other === file ? mutated : undefined);
  const chosen = testFiles.map(({ bundle, files, tests }) => {
    const concerns = ({ marks }) => (mark === undefined ? files.has(file) : marks.has(mark));
    const wanted = [...tests.keys()].filter((i) => concerns(tests[i]));
    return { bundle, wanted, ms: wanted.reduce((sum, i) => sum + tests[i].ms, 0) };
  });
  for (const { bundle, wanted, ms } of chosen.sort((a, b) => a.ms - b.ms)) {
    if (wanted.length === 0) continue;
    const code = await codeOf(bundle).catch(() => undefined);
    if (!code || !(await run(code, { wanted }, 3 * ms + 2000))) return true;
  }
  return false;
}

const { sources, marks } = sourcesIn(
  root,
  ROOMS.map((room) => `src/${room}`),
);
const all = sources.flatMap(({ mutants }) => mutants);
for (const key of Object.keys(equivalent)) {
  if (!all.some((mutant) => mutant.key === key))
    console.log(`equivalent-mutants.json names no mutant: ${key}`);
}
const asked = all.filter(({ file, key }) => file.startsWith(values.only) && key.includes(values.key));
const drawn = shuffled(asked, Number(values.seed)).slice(Number(values.from)).slice(0, Number(values.count));
const marked = new Map(sources.map(({ file, marked }) => [file, marked]));
planted = (file) => marked.get(file);
const files = [];
for (const room of TESTED_IN) {
  for (const name of readdirSync(join(root, "test", room)).filter((name) => name.endsWith(".test.ts"))) {
    files.push(await testFile(`test/${room}/${name}`, marks));
  }
}
writeFileSync(KEPT, JSON.stringify(kept));
const sum = { killed: 0, equivalent: 0, survived: 0 };
for (const mutant of drawn) {
  const known = mutant.key in equivalent;
  const killed = !known && (await caught(mutant, files));
  sum[known ? "equivalent" : killed ? "killed" : "survived"]++;
  if (!known && !killed) console.log(`survived: line ${mutant.line} of ${mutant.key}`);
}
const share = (100 * sum.killed) / (sum.killed + sum.survived);
console.log(
  `${drawn.length} of ${asked.length} mutants: ${sum.killed} killed, ${sum.survived} survived, ` +
    `${sum.equivalent} equivalent: ${share.toFixed(1)} % of those that change behaviour are caught`,
);
process.exit(share >= 90 ? 0 : 1);
