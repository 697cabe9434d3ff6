import type { SignalStageEntry } from "../disturbances/index.ts";
import { OPTION_TYPES, type OptionSpec, specFault } from "../disturbances/options.ts";
import type { LabelNoiseEntry } from "../labels/index.ts";
import { isText } from "./family-table.ts";

/** A key of a scenario, as the others are written. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

function optionFault(spec: OptionSpec): string | undefined {
  if (typeof spec?.name !== "string" || !NAME.test(spec.name)) {
    return `option name: got ${JSON.stringify(spec?.name)}; takes one word such as rateMean`;
  }
  if (!OPTION_TYPES.includes(spec.type)) {
    return `option ${spec.name}: type: got ${spec.type}; takes one of ${OPTION_TYPES.join(", ")}`;
  }
  if (!isText(spec.doc)) return `option ${spec.name}: doc: takes a line of text`;
  const fault = specFault(spec);
  return fault && `option ${spec.name}: ${fault}`;
}

/** What is wrong with a stage's listing, in one line; undefined: nothing. */
export function checkStage(name: string, entry: SignalStageEntry | LabelNoiseEntry): string | undefined {
  if (!NAME.test(name)) return `${name}: takes a name of one word, such as supplySag`;
  if (!isText(entry?.doc)) return `${name}: doc: takes a line of text`;
  if (typeof entry.make !== "function") return `${name}: make: takes a function`;
  if (!Array.isArray(entry.options)) return `${name}: options: takes a list of options`;
  const names = entry.options.map((spec) => spec?.name);
  for (const [i, spec] of entry.options.entries()) {
    const fault =
      optionFault(spec) ??
      (names.indexOf(spec.name) < i ? `option ${spec.name}: stands there twice` : undefined);
    if (fault) return `${name}: ${fault}`;
  }
  return undefined;
}
