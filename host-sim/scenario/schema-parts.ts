/** The parts of which the scenario's JSON schema is made. */
import { number, object, whole } from "../../host/schema-parts.ts";
import type { OptionSpec } from "../disturbances/index.ts";

export const rate = (description: string, maximum = 1) =>
  number(description, { minimum: 0, maximum, default: 0 });
export const count = (description: string, minimum: number, first: number, maximum = 1e9) =>
  whole(minimum, maximum, description, { default: first });
export const amount = (description: string, first: number, minimum = 0, maximum = 1e9) =>
  number(description, { minimum, maximum, default: first });
// biome-ignore lint/suspicious/noExplicitAny: a JSON schema is any JSON.
export const group = (description: string, properties: Record<string, any>) => ({
  ...object({ default: {}, description }, properties),
  required: [],
});

/** The options of a stage as keys of a scenario; those without a default are computed from the stream. */
export function stageOptions(specs: readonly OptionSpec[]) {
  const TYPES = {
    number: (spec: OptionSpec) => ({ type: "number", minimum: spec.min, maximum: spec.max }),
    integer: (spec: OptionSpec) => ({ type: "integer", minimum: spec.min, maximum: spec.max }),
    choice: (spec: OptionSpec) => ({ enum: spec.values }),
    choices: (spec: OptionSpec) => ({ type: "array", minItems: 1, items: { enum: spec.values } }),
    matrix: () => ({ type: "array", items: { type: "array", items: { type: "number" } } }),
  };
  return Object.fromEntries(
    specs.map((spec) => {
      const first = spec.default === null ? {} : { default: spec.default };
      return [spec.name, { ...TYPES[spec.type](spec), ...first, description: spec.doc }];
    }),
  );
}

/** Stages by name: each is off unless its key is there. */
export function stages(entries: Readonly<Record<string, { doc: string; options: readonly OptionSpec[] }>>) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, { doc, options }]) => {
      const { default: _, ...off } = group(`${doc}; default: off`, stageOptions(options));
      return [name, off];
    }),
  );
}
