// Generates what follows from the methods of `Primitives` and the functions of f32.c: their declarations in f32.h, and their bindings,
// src/math/wasm-calls.ts for WebAssembly, targets/moddable/native-f32.ts and native-f32.h for XS; and the calls of the self-test in TypeScript.
// `npm run build:wasm` writes them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillLines, wrapList } from "./fill-lines.mjs";
import { primitivesC } from "./firmware/primitives-c.mjs";
import { selfTestCalls } from "./translate-calls.mjs";

/** XS searches methods in order, so the calls of every prediction and step come first. */
const FIRST = ["load", "gaussianExpansion", "stepExpansion", "localDecision", "localStep"];
/** Rare calls come last. */
const LAST = [
  ...["diagonalProduct", "diagonalRankOne", "mergeNearest", "fourierFeatures", "classScores", "classStep"],
  ...["exp", "log", "cos", "sin"],
];

/** Methods of `Primitives`: name, parameters with their types, result. */
function readMethods(primitives) {
  const found = primitives.matchAll(/^ {2}(\w+)\(([^)]*)\): (\w+);$/gm);
  return [...found].map(([, name, list, result]) => {
    const parameters = [...list.matchAll(/(\w+): ([\w<>]+)/g)].map(([, parameter, type]) => ({
      parameter,
      type,
    }));
    return { name, parameters, result, isArray: parameters.some(({ type }) => type !== "number") };
  });
}

/** The primitives in f32.c by method: C's name, types of parameters and result, parameters as they stand there. */
function readDefinitions(source) {
  const found = source.matchAll(/^(\w+) (f32_\w+)\(([^)]*)\) \{/gms);
  return new Map(
    [...found].map(([, result, c, list]) => {
      const name = c.slice(4).replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
      const parameters = list.split(",").map((given) => given.trim());
      return [name, { c, result, parameters, types: parameters.map((given) => given.split(/[\s*]/)[0]) }];
    }),
  );
}

/** f32.h with the declarations of those primitives. */
function header(text, methods, definitions) {
  const lines = methods
    .filter(({ name }) => name !== "load")
    .map(({ name }) => {
      const { c, result, parameters } = definitions.get(name);
      return `${result} ${c}(${parameters.join(", ")});`;
    });
  const generated = `#define F32_PRIMITIVES ${methods.length}\n${lines.join("\n")}`;
  return text.replace(/(?<=Don't edit\. \*\/\n).*?(?=\n\n)/s, () => generated);
}

/** In the order in which XS searches them. */
function inOrder(methods) {
  const rank = ({ name }) => {
    if (FIRST.includes(name)) return FIRST.indexOf(name) - FIRST.length;
    if (LAST.includes(name)) return methods.length + LAST.indexOf(name);
    return methods.findIndex((method) => method.name === name);
  };
  return [...methods].sort((a, b) => rank(a) - rank(b));
}

function methodText({ name, parameters, result }, body) {
  const list = parameters.map(({ parameter, type }) => `${parameter}: ${type}`);
  return `${wrapList("  ", name, list, `: ${result} {`)}\n${body}\n  }`;
}

const parameterNames = ({ parameters }) => parameters.map(({ parameter }) => parameter);

/** A method that loads x first, where it takes one, then calls C. */
function wasmMethod(method, { c, types }) {
  const { name, result } = method;
  const given = parameterNames(method).filter((parameter) => !(method.isArray && parameter === "x"));
  const list = types.length > given.length ? ["this.m", ...given] : given;
  const head = `${result === "void" ? "" : "return "}this.code.${c}`;
  const call = wrapList("    ", head, list, result === "boolean" ? " !== 0;" : ";");
  if (!method.isArray) return methodText(method, call);
  if (given[0] !== "to") throw new Error(`${name}: expected to, x, ...`);
  return methodText(method, `    if (!this.load(to, x, components(d))) return Number.NaN;\n${call}`);
}

function wasmCalls(methods, definitions) {
  const called = methods.filter(({ name }) => name !== "load" && name !== "crc32");
  const names = called.map(({ name }) => `"${definitions.get(name).c}"`);
  return `// Generated from primitives.ts and f32.c by \`npm run build:wasm\`. Don't edit.
// biome-ignore-all format: as made
import { components } from "./primitives.ts";

/** The primitives of f32.h. */
type Name = [
${fillLines("  ", names)},
][number];

/** Each takes the byte at which the words begin, if it works on them, then the primitive's numbers. A boolean comes as 0 or 1. */
export type WasmFunctions = { readonly [name in Name]: (...numbers: number[]) => number };

/** The primitives that are one call of WebAssembly. */
export abstract class WasmCalls {
  protected abstract readonly code: WasmFunctions;
  /** Byte at which the words begin. */
  protected abstract readonly m: number;

  abstract load(to: number, x: ArrayLike<number>, n: number): boolean;

${called.map((method) => wasmMethod(method, definitions.get(method.name))).join("\n\n")}
}
`;
}

/** A method that binds a call, and how many arguments the function has that it makes. */
const BINDINGS = [
  ["bindExpansion", 1],
  ["bindExpansionStep", 2],
  ["bindLocal", 1],
  ["bindLocalStep", 2],
  ["bindClasses", 1],
  ["bindClassStep", 2],
];

const bindingMethods = BINDINGS.map(
  ([name]) => `  ${name}(given: BoundArguments): BoundCall {
    return native("motelearn_${name}").call(this, given);
  }`,
);

/** The C function of a call's name: `boundLocalStep` of `bindLocalStep`. */
const bindingLines = BINDINGS.map(
  ([name, length]) => `\tNATIVE(${name}, 1, bindCall(the, bound${name.slice("bind".length)}, ${length}))`,
);

function nativeMethod(method) {
  const call = `${method.result === "void" ? "" : "return "}native("motelearn_${method.name}").call`;
  return methodText(method, wrapList("    ", call, ["this", ...parameterNames(method)], ";"));
}

/** From targets/moddable, where the class lies. */
const SRC = "../../src";

function nativeClass(methods) {
  return `// Generated from primitives.ts and f32.c by \`npm run build:wasm\`. Don't edit.
// biome-ignore-all format: as made
import type { BoundArguments } from "${SRC}/math/bound.ts";
import type { BoundCall, Primitives } from "${SRC}/math/primitives.ts";
import type { Ledger, LedgerSource } from "${SRC}/node/ledger.ts";
import type { FrameBytes, FrameSource } from "${SRC}/wire/frame-bytes.ts";
import { NATIVE_FRAMES } from "./native-frames.ts";
import { nativeLedger } from "./native-ledger.ts";

/** Methods of native-f32.c, which finds the memory by \`this\`, whose first property is \`words\`. */
class NativeF32 implements Primitives, FrameSource, LedgerSource {
  readonly words: Float32Array;
  readonly bits: Uint32Array;

  constructor(buffer: ArrayBuffer) {
    this.words = new Float32Array(buffer);
    this.bits = new Uint32Array(buffer);
  }

  get frames(): FrameBytes {
    return NATIVE_FRAMES;
  }

  ledger(at: number): Ledger {
    return nativeLedger(this, at);
  }

${methods.map(nativeMethod).join("\n\n")}

${bindingMethods.join("\n\n")}

  testBatch(at: number, first: number, hashes: Uint32Array): void {
    native("motelearn_testBatch").call(this, at, first, hashes);
  }
}

/** The primitives of f32.c on the XS of the Moddable SDK. */
export function nativeF32(buffer: ArrayBuffer): Primitives {
  return new NativeF32(buffer);
}
`;
}

/** The conversion of a C result to XS. */
function resultGiver(result, c) {
  if (result === "boolean") return "giveBoolean";
  return c === "int32_t" ? "giveInteger" : "giveNumber";
}

const ARGUMENT = {
  int32_t: (i) => `W(${i})`,
  uint32_t: (i) => `(uint32_t)W(${i})`,
  double: (i) => `R(${i})`,
};

/** native-f32.c has a function of its own for a method that takes an array. */
function nativeLine({ name, parameters, result, isArray }, { c, result: cResult, types }) {
  const head = `NATIVE(${name}, ${parameters.length}, `;
  if (isArray) return `${head}${resultGiver(result, cResult)}(the, ${name}(the))) \\`;
  const hasMemory = types.length > parameters.length;
  const list = types.slice(hasMemory ? 1 : 0).map((type, i) => ARGUMENT[type](i));
  const call = `${c}(${[...(hasMemory ? ["M"] : []), ...list].join(", ")})`;
  return `${head}${result === "void" ? call : `${resultGiver(result, cResult)}(the, ${call})`}) \\`;
}

function nativeHeader(methods, definitions) {
  const lines = methods.map((method) =>
    nativeLine(method, definitions.get(method.name) ?? { result: "float" }),
  );
  return `/*
 * Generated from primitives.ts and f32.c by \`npm run build:wasm\`. Don't edit.
 *
 * The primitives as XS calls them: NATIVE(name, number of arguments, C expression that gives the result). M is the memory,
 * W(i) the argument i as a whole number, R(i) as a real one. One line a primitive; native-f32.ts declares the same ones.
 */
#ifndef MOTELEARN_NATIVE_F32_H
#define MOTELEARN_NATIVE_F32_H

#define F32_NATIVES(NATIVE) \\
${lines
  .map((line) => `\t${line}`)
  .join("\n")
  .replace(/ \\$/, "")}

/* Each makes a function of a whole call: see \`bindExpansion\` of primitives.ts. */
#define F32_BIND(NATIVE) \\
${bindingLines.join(" \\\n")}

/* The self-test's calls of them: see \`testBatch\` of primitives.ts. */
#define F32_TESTS(NATIVE) NATIVE(testBatch, 3, testBatch(the))

#endif
`;
}

/** The files by path in the project at `root`, with their texts. */
export function bindings(root) {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const methods = readMethods(read("src/math/primitives.ts"));
  const definitions = readDefinitions(primitivesC(root));
  const lacking = methods.filter(({ name }) => name !== "load" && !definitions.has(name));
  if (lacking.length > 0) throw new Error(`f32.c defines no ${lacking.map(({ name }) => name).join(", ")}`);
  const ordered = inOrder(methods);
  return {
    "src/math/f32.h": header(read("src/math/f32.h"), methods, definitions),
    "src/math/wasm-calls.ts": wasmCalls(methods, definitions),
    "targets/moddable/native-f32.ts": nativeClass(ordered),
    "targets/moddable/native-f32.h": nativeHeader(ordered, definitions),
    "src/selftest/calls.ts": selfTestCalls(read("src/selftest/self-test.c")),
  };
}

export function writeBindings(root) {
  for (const [path, text] of Object.entries(bindings(root))) writeFileSync(join(root, path), text);
}
