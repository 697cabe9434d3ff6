import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BALANCE_OPTIONS } from "../src/learn/balanced.ts";
import { ALARM_OPTIONS } from "../src/learn/false-alarms.ts";
import type { Family } from "../src/learn/family.ts";
import type { Option } from "../src/learn/options.ts";
import { FAMILIES } from "../src/learn/registry.ts";
import { RESIDUAL_OPTIONS } from "../src/learn/residual.ts";

/** Options that families add to those of their learner's class. */
const ADDED = { ...RESIDUAL_OPTIONS, ...ALARM_OPTIONS, ...BALANCE_OPTIONS };

/** From src/learn, where the text lies. */
const SRC = "..";

const HEAD = `// Made from the learners' tables of options by \`npm run build:options\`: don't edit.
// biome-ignore-all format: as made
import type { ComponentRange } from "${SRC}/dictionary/grid.ts";
import type { KernelOption } from "${SRC}/kernel/kernel.ts";
import type { MemoryRange } from "${SRC}/memory/layout.ts";
import type { FlipRates } from "./label-noise.ts";

/** Parameters of every learner's constructor. */
interface EveryLearner {
  /** The learner's memory: \`layout.range(memory)\`. Default: a memory of its own. */
  readonly memory?: MemoryRange;
}
`;

const WIDTH = 110;

function typeText({ kind, words = [] }: Option<unknown>): string {
  if (kind === "choice") return words.map((word) => JSON.stringify(word)).join(" | ");
  return {
    real: "number",
    whole: "number",
    flag: "boolean",
    kernel: "KernelOption",
    rates: "readonly FlipRates[]",
    ranges: "readonly ComponentRange[]",
  }[kind];
}

/** A comment in lines of at most \`WIDTH\` characters. */
function comment(text: string): string {
  const one = `  /** ${text} */`;
  if (one.length <= WIDTH) return one;
  const lines: string[] = [];
  let line = "   *";
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = "   *";
    }
    line += ` ${word}`;
  }
  return ["  /**", ...lines, line, "   */"].join("\n");
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

/** Meaning, beginning with the paper's symbol where it has one, range and default. */
export function docText({ doc, takes, default: usual }: Option<unknown>): string {
  const fallback = usual === undefined ? "Required." : `Default ${JSON.stringify(usual)}.`;
  return `${doc}. ${capital(takes)}. ${fallback}`;
}

/** The name of a learner's class. The bundler prefixes "_" to a class that refers to itself. */
export const className = ({ create }: Family) => create({ dimension: 1 }).constructor.name.replace(/^_/, "");

/** Families whose learner has a class: `defineLearner` makes one without. */
export const WITH_CLASS = FAMILIES.filter((family) => className(family) !== "DefinedLearner");

/** A member of an interface, with its comment. */
const member = (option: string, of: Option<unknown>) =>
  `${comment(docText(of))}\n  readonly ${option}${of.default === undefined ? "" : "?"}: ${typeText(of)};`;

/** The options of a learner's class, which doesn't know those that its family adds. */
const ownOptions = ({ options }: Family) =>
  Object.entries(options).filter(([option]) => !Object.hasOwn(ADDED, option));

/**
 * The member of each option that several learners have alike, by option; of an option with several meanings,
 * the commonest.
 */
function sharedMembers(): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const shared = new Map<string, string>();
  const all = WITH_CLASS.flatMap(ownOptions).map(([option, of]) => [option, member(option, of)]);
  for (const [, text] of all) counts.set(text, (counts.get(text) ?? 0) + 1);
  const count = (text = "") => counts.get(text) ?? 1;
  for (const [option, text] of all) if (count(text) > count(shared.get(option))) shared.set(option, text);
  return shared;
}

const sharedInterface = (
  shared: ReadonlyMap<string, string>,
) => `/** Options that several learners have, with one meaning, range and default. */
interface SharedOptions {
${[...shared.values()].join("\n")}
}

type Shared<Option extends keyof SharedOptions> = EveryLearner & Pick<SharedOptions, Option>;
`;

/** `head` and the interface that it extends, with options of `names`, on a second line if one is too short. */
function extending(head: string, names: readonly string[]): string {
  const shared = `extends Shared<${names.map((name) => JSON.stringify(name)).join(" | ")}> {`;
  return head.length + 1 + shared.length <= WIDTH ? `${head} ${shared}` : `${head}\n  ${shared}`;
}

function interfaceText(family: Family, learner: string, shared: ReadonlyMap<string, string>): string {
  const members = ownOptions(family).map(([option, of]) => [option, member(option, of)]);
  const alike = members.filter(([option, text]) => shared.get(option) === text).map(([option]) => option);
  const own = members.filter(([option]) => !alike.includes(option)).map(([, text]) => `\n${text}`);
  return `/** Options of \`${learner}\`: \`${family.name}\`, ${family.title}. */
${extending(`export interface ${learner}Options`, alike)}${own.join("")}
}
`;
}

/**
 * src/learn/learner-options.ts: the options of each learner's constructor, documented where an editor shows
 * them.
 */
export function optionsText(): string {
  const shared = sharedMembers();
  const interfaces = WITH_CLASS.map((family) => interfaceText(family, className(family), shared));
  return [HEAD, sharedInterface(shared), ...interfaces].join("\n");
}

const CLASSES_HEAD = `// Made from the registry by \`npm run build:options\`: don't edit.
// The classes of the learners, for programs.
`;

/** The module of src/learn that has a class: its file's name without ".ts", the order of imports. */
function findFile(learner: string): string {
  const definition = new RegExp(`^export class ${learner} extends `, "m");
  const file = readdirSync("src/learn").find((name) =>
    definition.test(readFileSync(join("src/learn", name), "utf8")),
  );
  if (!file) throw new Error(`src/learn: no file exports a class ${learner}`);
  return file.slice(0, -".ts".length);
}

/** src/learn/learners.ts: the class of each learner, which src/index.ts exports. */
export function classesText(): string {
  const classes = WITH_CLASS.map(className);
  const files = [...new Set(classes.map(findFile))].sort();
  const lines = files.map((file) => {
    const own = classes.filter((learner) => findFile(learner) === file).sort();
    return `export { ${own.join(", ")} } from "./${file}.ts";\n`;
  });
  return CLASSES_HEAD + lines.join("");
}
