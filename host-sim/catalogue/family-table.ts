import type { Family } from "../../src/learn/family.ts";
import { TASK } from "../../src/learn/learner.ts";
import type { Option } from "../../src/learn/options.ts";

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const KINDS = ["real", "whole", "choice", "flag", "kernel", "rates", "ranges"];

/** True for a line of text. */
export function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !value.includes("\n");
}

function optionFault(option: Partial<Option<unknown>> | null): string | undefined {
  const made = "make it with real(), whole(), choice(), flag() or kernel()";
  if (typeof option !== "object" || option === null || !KINDS.includes(option.kind as string)) return made;
  if (!isText(option.takes) || !isText(option.doc) || typeof option.accepts !== "function") return made;
  if (option.default === undefined || option.accepts(option.default)) return undefined;
  return `its default ${JSON.stringify(option.default)} isn't what it takes, ${option.takes}`;
}

function optionsFault(options: Family["options"] | undefined): string | undefined {
  if (typeof options !== "object" || options === null) return "options: takes a table of options by name";
  for (const [name, option] of Object.entries(options)) {
    const fault = optionFault(option);
    if (fault) return `option ${name}: ${fault}`;
  }
  if (!options.dimension) return "options: dimension is missing; take `dimension` of motelearn";
  return undefined;
}

/** The layout with `dimension` and defaults; a learner with other required options isn't tried. */
function layoutFault(family: Family): string | undefined {
  const needed = Object.entries(family.options).filter(([, option]) => option.default === undefined);
  if (needed.length > 1) return undefined;
  try {
    const layout = family.layout({ dimension: 2 });
    if (Array.isArray(layout?.regions) && Number.isInteger(layout.bytes)) return undefined;
    return `layout: returned ${layout}; takes a Layout`;
  } catch (error) {
    return `layout: throws ${(error as Error).message ?? error}`;
  }
}

/**
 * What is wrong with a learner's listing, in one line; undefined: nothing. `check` judges what it computes.
 */
export function checkFamily(family: Family): string | undefined {
  if (typeof family !== "object" || family === null) return "learners: takes what defineLearner() makes";
  const { name, task, title, paper } = family;
  if (typeof name !== "string" || !NAME.test(name)) {
    return `learner name: got ${JSON.stringify(name)}; takes lower-case words joined by hyphens`;
  }
  const tasks = Object.keys(TASK);
  if (!tasks.includes(task)) return `learner ${name}: task: got ${task}; takes one of ${tasks.join(", ")}`;
  for (const [key, text] of Object.entries({ title, paper })) {
    if (!isText(text)) return `learner ${name}: ${key}: got ${JSON.stringify(text)}; takes a line of text`;
  }
  for (const key of ["layout", "create"] as const) {
    if (typeof family[key] !== "function") return `learner ${name}: ${key}: takes a function`;
  }
  const fault = optionsFault(family.options) ?? layoutFault(family);
  return fault && `learner ${name}: ${fault}`;
}
