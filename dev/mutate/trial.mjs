// The tests, bundled with a fault planted in src/ and run in a worker.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { context } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * The tests that a bundle ran; undefined if one failed, or took more than `limit` ms of CPU, since a fault
 * may hang.
 */
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

/** Test files that try one mutant after the other. */
export class Trial {
  /** Replacements for files' texts in the bundles. */
  planted = (_file) => undefined;
  files = [];

  /** @param sources each file with its marked text, `marks` marks in all. */
  constructor(root, sources, marks) {
    this.root = root;
    this.marked = new Map(sources.map(({ file, marked }) => [file, marked]));
    this.first = `globalThis.entered = new Uint8Array(${marks});\n`;
  }

  setup(build) {
    build.onResolve({ filter: /^uvu$/ }, () => ({ path: join(here, "uvu.mjs") }));
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const contents = this.planted(relative(this.root, path));
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
  }

  /**
   * Bundles the test files that use one of `faulty`, and records once for each bundle which functions its
   * tests enter.
   */
  async prepare(paths, faulty) {
    const keptIn = join(this.root, "dist/mutate.json");
    const kept = existsSync(keptIn) ? JSON.parse(readFileSync(keptIn, "utf8")) : {};
    const plugins = [{ name: "mutant", setup: (build) => this.setup(build) }];
    const forNode = { platform: "node", target: "node20", format: "cjs", packages: "external" };
    const shared = { bundle: true, ...forNode, write: false };
    this.planted = (file) => this.marked.get(file);
    for (const path of paths) {
      const own = { entryPoints: [path], absWorkingDir: this.root, logLevel: "silent" };
      const bundle = await context({ ...shared, ...own, plugins });
      const code = this.first + (await this.bundledCode(bundle));
      const sources = new Set(Array.from(code.matchAll(/^\/\/ (src\/\S+)$/gm), ([, file]) => file));
      if (!faulty.some((file) => sources.has(file))) {
        await bundle.dispose();
        continue;
      }
      const hash = createHash("sha256").update(code).digest("hex");
      kept[hash] ??= await run(code, {}, 600_000);
      if (!kept[hash]) throw new Error(`${path} fails without a fault`);
      const tests = kept[hash].map(({ ms, marks }) => ({ ms, marks: new Set(marks) }));
      this.files.push({ bundle, sources, tests });
    }
    writeFileSync(keptIn, JSON.stringify(kept));
  }

  async close() {
    for (const { bundle } of this.files) await bundle.dispose();
  }

  /** The present bundle. A property need only fail, without its smallest example. */
  async bundledCode(bundle) {
    const { outputFiles } = await bundle.rebuild();
    const code = outputFiles[0].text;
    const first = 'require("fast-check").configureGlobal({ endOnFailure: true });\n';
    return code.includes('require("fast-check")') ? first + code : code;
  }

  /**
   * True if a test fails that enters the faulty function, or has the file of a faulty table. Fast ones come
   * first.
   */
  async catches({ file, mutated, mark }) {
    this.planted = (other) => (other === file ? mutated : undefined);
    const chosen = this.files.map(({ bundle, sources, tests }) => {
      const concerns = ({ marks }) => (mark === undefined ? sources.has(file) : marks.has(mark));
      const wanted = [...tests.keys()].filter((i) => concerns(tests[i]));
      return { bundle, wanted, ms: wanted.reduce((sum, i) => sum + tests[i].ms, 0) };
    });
    for (const { bundle, wanted, ms } of chosen.sort((a, b) => a.ms - b.ms)) {
      if (wanted.length === 0) continue;
      const code = await this.bundledCode(bundle).catch(() => undefined);
      if (!code || !(await run(code, { wanted }, 3 * ms + 2000))) return true;
    }
    return false;
  }
}
