import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { installPacked } from "./packed.ts";

const root = process.cwd();
const { app } = installPacked();

/** What the compiler says for programs that import the library, each as it is and with a wrong type: it refuses the wrong ones alone. */
function compiles(name: string, compiler: string, options: object, ...programs: string[]): void {
  const files = programs.flatMap((program, i) => {
    const right = `${program}\nexport const y: number = learner.learn(new Float32Array(2), 1);\n`;
    writeFileSync(join(app, `${name}-${i}.ts`), right);
    writeFileSync(join(app, `${name}-${i}-wrong.ts`), right.replace("y: number", "y: string"));
    return [`${name}-${i}.ts`, `${name}-${i}-wrong.ts`];
  });
  const project = {
    compilerOptions: { target: "es2022", lib: ["es2022"], strict: true, types: [], noEmit: true, ...options },
    files,
  };
  const file = join(app, `${name}.json`);
  writeFileSync(file, JSON.stringify(project));
  const tsc = join(root, "node_modules", compiler, "bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false", "-p", file], {
    encoding: "utf8",
    cwd: app,
  });
  const refused = programs.map((_, i) => `${name}-${i}-wrong\\.ts\\(\\d+,14\\): error TS2322: [^\\n]+\\n`);
  assert.match(stdout, new RegExp(`^${refused.join("")}$`));
}

const ON_NODE = `import { OlkC } from "motelearn";
const learner = new OlkC({ dimension: 2, budget: 8 });`;
/** A plugin, and a program that runs a scenario with it. */
const PLUGIN = `import { defineLearner, real } from "motelearn";
import { type LabelNoiseEntry, runScenario, type WrittenScenario } from "motelearn/simulator";
const mean = defineLearner({
  name: "mean", task: "regression", title: "A running mean", paper: "None",
  options: { rate: real({ default: 0.1, above: 0, max: 1 }, "share of a label") },
  state: () => ({ mean: 1 }),
  predict: ({ f32, at }) => f32.words[at.mean],
  update({ f32, at, options }, y, decision) {
    f32.words[at.mean] += options.rate * (y - decision);
    return true;
  },
});
const deaf: LabelNoiseEntry = { doc: "none", options: [], make: () => ({ corrupt: (label) => label }) };
export const written: WrittenScenario = {
  schema: "motelearn.scenario/1", stream: { type: "scene", nodes: 2 }, node: { file: "node.json", window: 4 },
  labels: { noise: { symmetric: { rate: 0.1 } } }, link: { cuts: { count: 1 } },
  tasks: [{ name: "t", task: "regression", learners: [{ learner: "mean" }], node: "node.json" }],
};
// @ts-expect-error: no such key
export const misspelt: WrittenScenario = { ...written, labels: { los: 0.1 } };
export const result = runScenario(written, { learners: [mean], labelNoises: { deaf } }).then(({ nodes }) => nodes.length);
const learner = mean.create({ dimension: 2 });`;
const ON_MODDABLE = `import { type Family, FlashPartition, familyNamed, nativeF32, Station } from "motelearn";
export const made = [FlashPartition, Station];
const family = familyNamed("olk-c") as Family;
const options = { dimension: 2, budget: 8 };
const layout = family.layout(options);
const learner = family.create({ ...options, memory: layout.range(nativeF32(new ArrayBuffer(layout.bytes))) });`;

test("its types resolve as a bundler, as Node and as Node 10 resolve modules", () => {
  const [bundler, node16] = [
    { module: "esnext", moduleResolution: "bundler" },
    { module: "node16", moduleResolution: "node16" },
  ];
  compiles("bundler", "typescript", bundler, ON_NODE, PLUGIN);
  compiles("node16", "typescript", node16, ON_NODE, PLUGIN);
  compiles("node10", "typescript-5", { module: "esnext", moduleResolution: "node10" }, ON_NODE, PLUGIN);
});

test("the types of what a device imports resolve, by the condition moddable and by a path", () => {
  symlinkSync(join(root, "node_modules/@moddable"), join(app, "node_modules/@moddable"));
  const condition = { customConditions: ["moddable"], skipLibCheck: true };
  const paths = { motelearn: ["./node_modules/motelearn/targets/moddable/motelearn.d.ts"] };
  compiles(
    "moddable",
    "typescript",
    { module: "esnext", moduleResolution: "bundler", ...condition },
    ON_MODDABLE,
  );
  compiles(
    "moddable-node16",
    "typescript",
    { module: "node16", moduleResolution: "node16", ...condition },
    ON_MODDABLE,
  );
  compiles(
    "moddable-node10",
    "typescript-5",
    { module: "esnext", moduleResolution: "node10", baseUrl: ".", paths, skipLibCheck: true },
    ON_MODDABLE,
  );
});

/** The TypeScript in a guide, or in the docstrings of a source file. */
function findExamples(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md"))
    return [...text.matchAll(/^```(?:ts|typescript)\n([\s\S]*?)^```/gm)].map(([, code]) => code);
  const blocks = text.matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```/gm);
  return [...blocks].map(([, code]) => code.replace(/^ *\* ?/gm, ""));
}

test("every example in TypeScript of the guides and docstrings compiles with --strict, as a user's program", () => {
  const guides = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
  const sources = ["src", "host-sim"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  const texts = [...guides, ...sources].filter((name) => /\.(md|ts)$/.test(name));
  mkdirSync(join(app, "examples"));
  const files = texts.flatMap((text) =>
    findExamples(text).map((code, i) => {
      const name = `examples/${text.replace(/\W/g, "-")}-${i}.ts`;
      writeFileSync(join(app, name), code);
      return name;
    }),
  );
  assert.ok(files.includes("examples/docs-program-md-0.ts") && files.includes("examples/README-md-0.ts"));
  assert.ok(files.length > 30, `${files.length} examples`);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--pretty", "false"];
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...flags, ...files], {
    encoding: "utf8",
    cwd: app,
  });
  assert.equal([status, stdout], [0, ""]);
});

test.run();
