// Translates src/selftest/self-test.c, from where it says so, into src/selftest/calls.ts. It knows the C that stands there, and refuses
// other: constants as `enum` or `#define`, structs, tables, functions of numbers and of the memory m. Numbers that are shifted right aren't
// negative, and whole numbers are divided by shifts or `%` alone.
import { runInNewContext } from "node:vm";

const BEGIN = "/* From here on also in TypeScript. */\n";
/** Of C what no translation may keep. */
const FOREIGN = /->|#|\b(u?int32_t|float|double|struct|static|sizeof|m)\b|__builtin|[(,=] ?[&*]\w/;
const STRUCTS = ["Batch", "Run"];

const camel = (name) => name.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A C type as TypeScript's. */
function typeOf(type, isPointer) {
  if (type === "void" || STRUCTS.includes(type)) return type;
  if (!isPointer) return "number";
  return type === "float" ? "Primitives" : "Uint32Array";
}

/** Every constant by name, as a number. */
function constantsOf(text) {
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
function parametersOf(list) {
  return list.split(", ").map((parameter) => {
    const [, type, pointer, name] = /^(?:const )?(\w+) (\*?)(\w+)$/.exec(parameter);
    return `${name === "m" ? "f32" : camel(name)}: ${typeOf(type, pointer)}`;
  });
}

function interfaceOf(members, name) {
  const fields = [...members.matchAll(/^ *(?:const )?(\w+) (.*);$/gm)].flatMap(([, type, names]) =>
    names.split(", ").map((field) => `  ${field.replace("*", "")}: ${typeOf(type, field.startsWith("*"))};`),
  );
  return `interface ${name} {\n${fields.join("\n")}\n}`;
}

const declared = "(?:u?int32_t|float|double|Batch|Run)";
/** What is replaced, in this order: lines that only C has, types, then expressions; names last. */
const STEPS = [
  [/^.*\bIS_LINKED\b.*\n|^_Static_assert.*\n|^#define .*\n|^enum \{[^}]*\};\n/gm, ""],
  [/^typedef struct \{(.*?)\} (\w+);/gms, (_, members, name) => interfaceOf(members, name)],
  [
    /^(?:static )?(\w+) (\w+)\((.*?)\) \{/gms,
    (_, type, name, list) =>
      `${name === "self_test_batch" ? "export " : ""}function ${name}(${parametersOf(list).join(", ")}): ${typeOf(type)} {`,
  ],
  [
    /^static const uint32_t (\w+)(?:\[\d\])+ = (.*?);/gms,
    (_, name, list) =>
      `const ${name} = /* @__PURE__ */ frozen(${list.replaceAll("{", "[").replaceAll("}", "]")});`,
  ],
  [/(= )\{ (\..*) \};/g, (_, before, list) => `${before}{ ${list.replace(/\.(\w+) = /g, "$1: ")} };`],
  [new RegExp(`\\bconst ${declared} \\*?(\\w+)`, "g"), "const $1"],
  [new RegExp(`\\b${declared} (\\w+) = `, "g"), "let $1 = "],
  [/\((?:float|u?int32_t)\)/g, ""],
  [/\bTEST\((\w+)\)/g, "case $1:"],
  [/\bIS\((\w+)\)/g, "(primitive === $1)"],
  [/->did = (f32_\w+\(.*\));/g, "->did = Number($1);"],
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

/** From src/selftest, where the calls lie. */
const SRC = "..";
/** Constants that other modules take. */
const EXPORTED = ["BATCH", "VECTORS", "WORDS", "PRIMITIVES"];

/** The text of calls.ts for that of self-test.c. */
export function selfTestCalls(c) {
  const text = c.slice(c.indexOf(BEGIN) + BEGIN.length);
  const code = STEPS.reduce((sum, [pattern, by]) => sum.replace(pattern, by), text);
  const left = FOREIGN.exec(code.replace(/\/\*.*?\*\//gs, ""));
  if (left) throw new Error(`self-test.c: no translation of ${code.slice(left.index).split("\n", 1)[0]}`);
  const constants = Object.entries(constantsOf(text));
  const lines = constants
    .filter(([name]) => EXPORTED.includes(name) || new RegExp(`\\b${name}\\b`).test(code))
    .map(([name, value]) => `${EXPORTED.includes(name) ? "export " : ""}const ${name} = ${value};`);
  const names = constants.map(([name]) => name);
  const primitives = names.slice(names.indexOf("CRC32"), names.indexOf("PRIMITIVES")).map(camel);
  return `// Generated from self-test.c by \`npm run build:wasm\`. Don't edit.
// biome-ignore-all format: as the C
// biome-ignore-all lint: as the C
import type { Primitives } from "${SRC}/math/primitives.ts";
import { frozen } from "${SRC}/memory/frozen.ts";
import { bitsOf, bytesFrom, loadScaled, loadWords, magnitude, moveWords, setBits, taken } from "./access.ts";

${lines.join("\n")}

// Marked as pure, so that a board's bundle, which has the calls in C, is without it.
/** The item that each hash of a self-test covers, in order. */
export const SELF_TEST_ITEMS: readonly string[] = /* @__PURE__ */ frozen([
${[...primitives, "learner"].map((name) => `  "${name}",`).join("\n")}
]);

${code.trim().replace(/\n{3,}/g, "\n\n")}
`;
}
