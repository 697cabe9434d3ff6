// Translates the random calls of primitives from C, below a mark, to TypeScript: those of src/selftest/self-test.c, and those of
// dev/fuzz-math-calls.h whenever fuzz-math-calls.ts is loaded. It knows the C that stands there, and refuses other: constants as `enum` or
// `#define`, structs, tables, functions of numbers and of the memory m. Numbers that are shifted right aren't negative, and whole numbers are divided by shifts or `%` alone.
import { runInNewContext } from "node:vm";
import { fillLines } from "./fill-lines.mjs";

const MARKED = /\/\* From here on also in TypeScript\. \*\/\n(.*)/s;
/** Of C what no translation may keep. */
const FOREIGN = /->|#|\b(u?int32_t|float|double|struct|static|sizeof|m)\b|__builtin|[(,=] ?[&*]\w/;
const STRUCTS = ["Batch", "Run", "Call"];

const camel = (name) => name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A C type as TypeScript's. */
function translateType(type, isPointer) {
  if (type === "void" || STRUCTS.includes(type)) return type;
  if (!isPointer) return "number";
  return type === "float" ? "Primitives" : "Uint32Array";
}

/** Every constant by name, as a number. */
function readConstants(text) {
  const known = {};
  const bare = text.replace(/\/\*.*?\*\//gs, "");
  for (const [, list, name, value] of bare.matchAll(/^enum \{(.*?)\};|^#define (\w+) (\S+)/gms)) {
    let next = 0;
    for (const item of (list ?? `${name} = ${value}`).split(",")) {
      const [, constant, expression] = /^\s*(\w+)(?: = (.*\S))?\s*$/s.exec(item) ?? [];
      if (!constant) continue;
      known[constant] = expression ? runInNewContext(expression, { ...known }) : next;
      next = known[constant] + 1;
    }
  }
  return known;
}

/** `name: type` of each parameter. */
function readParameters(list) {
  if (list === "void") return [];
  return list.split(", ").map((parameter) => {
    const [, type, pointer, name] = /^(?:const )?(\w+) (\*?)(\w+)$/.exec(parameter);
    return `${name === "m" ? "f32" : camel(name)}: ${translateType(type, pointer)}`;
  });
}

function translateStruct(members, name) {
  const fields = [...members.matchAll(/^ *(?:const )?(\w+) (.*);$/gm)].flatMap(([, type, names]) =>
    names
      .split(", ")
      .map((field) => `  ${field.replace("*", "")}: ${translateType(type, field.startsWith("*"))};`),
  );
  return `export interface ${name} {\n${fields.join("\n")}\n}`;
}

const declared = `(?:u?int32_t|float|double|${STRUCTS.join("|")})`;
/** What is replaced, in this order: lines that only C has, types, then expressions; names last. */
const STEPS = [
  [/^.*\bIS_LINKED\b.*\n|^_Static_assert.*\n|^#define .*\n|^enum \{[^}]*\};\n/gm, ""],
  [/^typedef struct \{(.*?)\} (\w+);/gms, (_, members, name) => translateStruct(members, name)],
  [
    /^(?:static )?(\w+) (\w+)\((.*?)\) \{/gms,
    (_, type, name, list) => `function ${name}(${readParameters(list).join(", ")}): ${translateType(type)} {`,
  ],
  [/^static uint32_t (\w+);/gm, "let $1 = 0;"],
  [
    /^static const uint32_t (\w+)(?:\[\d+\])+ = (.*?);/gms,
    (_, name, list) =>
      `const ${name} = /* @__PURE__ */ frozen(${list.replaceAll("{", "[").replaceAll("}", "]")});`,
  ],
  [/(= )\{ (\..*) \};/g, (_, before, list) => `${before}{ ${list.replace(/\.(\w+) = /g, "$1: ")} };`],
  [new RegExp(`\\bconst ${declared} \\*?(\\w+)`, "g"), "const $1"],
  [new RegExp(`\\b${declared} (\\w+) = `, "g"), "let $1 = "],
  [/\((?:float|u?int32_t)\)/g, ""],
  [/\bTEST\((\w+)\)/g, "case $1:"],
  [/\bIS\((\w+)\)/g, "(primitive === $1)"],
  [/(->did =|return) (f32_\w+\(.*\));/g, "$1 Number($2);"],
  [/\btaken\(m, ([^,]+), /g, "$1, taken(f32, "],
  [/\bm\[/g, "f32.words["],
  [/\bf32_(\w+)\((?:m, )?/g, (_, name) => `f32.${camel(name)}(`],
  [/\((?:m)(?=[,)])/g, "(f32"],
  [/([(,] ?)&(\w)/g, "$1$2"],
  [/->/g, "."],
  [/ ([=!])= /g, " $1== "],
  [/ >> /g, " >>> "],
  [/\b[a-z]+(?:_[a-z0-9]+)+\b/g, camel],
];

/** The marked calls of a file: constants, names of the primitives in its order, code; exported are these constants and functions. */
function translate(c, exported) {
  const [, text] = MARKED.exec(c);
  const code = STEPS.reduce((sum, [pattern, by]) => sum.replace(pattern, by), text);
  const left = code
    .replace(/\/\*.*?\*\//gs, "")
    .split("\n")
    .find((line) => FOREIGN.test(line));
  if (left !== undefined) throw new Error(`no translation of ${left.trim()}`);
  const exportMark = (name) => (exported.includes(name) ? "export " : "");
  const constants = Object.entries(readConstants(text)).map(([name, value]) => [name, `${name} = ${value}`]);
  const own = constants.filter(
    ([name]) => !exported.includes(name) && new RegExp(`\\b${name}\\b`).test(code),
  );
  const shared = constants.filter(([name]) => exported.includes(name));
  const [, list] = /^enum \{([^}]*?),\s+PRIMITIVES\b/m.exec(text);
  return {
    constants: [
      ...shared.map(([, text]) => `export const ${text};`),
      `const\n${fillLines(
        "  ",
        own.map(([, text]) => text),
      )};`,
    ].join("\n"),
    names: list.split(",").map((name) => camel(name.trim())),
    code: code
      .trim()
      .replace(/\n{3,}/g, "\n\n")
      .replace(/^function (\w+)/gm, (head, name) => exportMark(name) + head),
  };
}

function quotedList(names) {
  return `${fillLines(
    "  ",
    names.map((name) => `"${name}"`),
  )},`;
}

/** From src/selftest. */
const SRC = "..";

/** The text of src/selftest/calls.ts for that of self-test.c. */
export function selfTestCalls(c) {
  const exported = ["BATCH", "VECTORS", "WORDS", "PRIMITIVES", "selfTestBatch"];
  const { constants, names, code } = translate(c, exported);
  return `// Generated from self-test.c by \`npm run build:wasm\`. Don't edit.
// biome-ignore-all format: as the C
// biome-ignore-all lint: as the C
import type { Primitives } from "${SRC}/math/primitives.ts";
import { frozen } from "${SRC}/memory/frozen.ts";
import { bytesFrom, loadScaled, loadWords, magnitude, moveWords, readBits, setBits, taken } from "./access.ts";

${constants}

// Marked as pure, so that a board's bundle, which has the calls in C, is without it.
/** The item that each hash of a self-test covers, in order. */
export const SELF_TEST_ITEMS: readonly string[] = /* @__PURE__ */ frozen([
${quotedList([...names, "learner"])}
]);

${code}
`;
}

/** The calls of dev/fuzz-math-calls.h as TypeScript, without the imports. */
export function fuzzCalls(c) {
  const { constants, names, code } = translate(c, ["WORDS", "draw", "run"]);
  return `${constants}

export const NAMES = [
${quotedList(names)}
];

${code}
`;
}
