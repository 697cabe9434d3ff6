import { PortableF32 } from "../../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../../src/math/wasm.ts";
import { textLength } from "../../planned-node.ts";
import type { Host } from "./host.ts";
import { minimumBytes } from "./minimum.ts";
import { planFigures } from "./planned.ts";
import { runProgram } from "./program.ts";
import { finders, forgets, subjects } from "./subjects.ts";

/** Of a layout whose text is measured. */
const DIMENSION = 2;

// The programs of the machines, on Node: `node node.mjs ARGUMENT`; `{"run":"names"}` lists the programs,
// `{"run":"forgetful"}` the learners that forget, `{"run":"finders"}` those that find their width unless it
// is given, `{"run":"minima"}` each one's least bytes at the argument's size, `{"run":"planned"}` plan's
// figures for a node on a chip, `{"run":"texts"}` the characters of each learner's layout. Memory and instructions aren't measured on Node.
const host: Host = {
  print: (line) => console.log(line),
  argument: () => process.argv[2],
  slots: () => 0,
  chunks: () => 0,
  collections: () => 0,
  collect: () => {},
  watchStack: () => {},
  stack: () => 0,
  feed: () => {},
  instructions: () => 0,
};

const arithmetics = {
  js: (bytes: number) => new PortableF32(new ArrayBuffer(bytes)),
  wasm: (bytes: number) => new WasmF32(compileWasm(), bytes),
};

const forgetful = subjects().flatMap(({ name, family }) => (forgets(family) ? [name] : []));
const names = [...subjects().map(({ name }) => name), "node", "wire"];
const argument = JSON.parse(host.argument());
const { run, dimension, budget } = argument;
if (run === "names") host.print(JSON.stringify(names));
else if (run === "forgetful") host.print(JSON.stringify(forgetful));
else if (run === "finders") host.print(JSON.stringify(finders().map(({ name }) => name)));
else if (run === "texts")
  host.print(
    JSON.stringify(
      Object.fromEntries(
        subjects().map(({ name, family, given }) => [
          name,
          textLength(family.layout({ dimension: DIMENSION, ...given })),
        ]),
      ),
    ),
  );
else if (run === "planned") host.print(JSON.stringify(planFigures(argument.chip, argument) ?? null));
else if (run === "minima")
  host.print(JSON.stringify(names.map((name) => minimumBytes(name, dimension, budget))));
else runProgram(host, arithmetics);
