import { list, name, number, object, text, whole } from "../../host/schema-parts.ts";
import { CLASSES_MAX } from "../../host/streams/class-names.ts";
import { NODE } from "./scenario-schema.ts";

/** The version of node files that this program reads. */
export const NODE_VERSION = "motelearn.node/1";

/** Keys of a scenario's `node` that its file has too, with the same meaning. */
const SHARED = [
  ...["pending", "window", "wavelet", "bands", "lines", "burst", "standardise", "horizon", "stepAfter"],
  ...["coverage", "coverageBy", "labelFlips", "grossLabels", "drift", "labelRange"],
  ...["checkpointEvery", "periodMs", "sleep", "fleetBudget"],
] as const;

/** Such a key's part of the schema, without a default: a key that is absent leaves the default of the command that reads the file. */
function sharedKeys(): { readonly [key: string]: object } {
  return Object.fromEntries(
    SHARED.map((key) => {
      const { default: _, ...part } = NODE.properties[key];
      return [key, part];
    }),
  );
}

const CHANNEL = object(
  {},
  {
    name: name("what pages call it", { maxLength: 32 }),
    unit: text("its unit, as pages show it", { maxLength: 16 }),
    range: {
      type: ["array", "null"],
      minItems: 2,
      maxItems: 2,
      items: { type: "number" },
      description: "its possible values, [least, largest]; the node refuses a sample with another",
    },
  },
);

/**
 * A node's file as a JSON schema: the one place where its keys, ranges and meanings stand. Paths are relative to the file's folder.
 */
export const NODE_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["schema", "learner", "channels"],
  properties: {
    $schema: { type: "string", description: "where an editor finds this schema; not read" },
    schema: { const: NODE_VERSION, description: "version of this format" },
    learner: { type: "string", minLength: 1, description: "id of a learner: see `motelearn learners`" },
    options: {
      type: "object",
      description: "its options, such as budget, without dimension and classes",
      not: { anyOf: [{ required: ["dimension"] }, { required: ["classes"] }] },
    },
    channels: {
      type: ["array", "integer"],
      minItems: 1,
      maxItems: 4096,
      minimum: 1,
      maximum: 4096,
      items: CHANNEL,
      description: "readings in a sample: how many, or each with name, unit and range",
    },
    classes: {
      type: ["array", "integer"],
      minItems: 2,
      maxItems: CLASSES_MAX,
      minimum: 2,
      maximum: CLASSES_MAX,
      uniqueItems: true,
      items: { type: "string", pattern: "^[^\\s,]([^,]*[^\\s,])?$", maxLength: 64 },
      description:
        "names of its classes without commas, in the order of its labels: -1 and +1, or 0, 1, 2 and so on; or how many",
    },
    ...sharedKeys(),
    labelBudget: number("share of samples whose labels the node asks for; a scenario's labels.budget", {
      minimum: 0,
      exclusiveMaximum: 1,
    }),
    labelWindow: whole(1, 1024, "labels that may come before their turn; a scenario's link.window"),
    checkpointMs: {
      type: "integer",
      minimum: 0,
      description: "milliseconds between two checkpoints, at least",
    },
    board: name("the board, as `flash --target` names it"),
    sdkBoard: name("the board as the Moddable SDK names it; default: the usual one"),
    wire: { enum: ["uart", "usb"], description: "its wire: a UART of the board, or the chip's own USB" },
    sensors: list(
      { type: "object" },
      { minItems: 1 },
      "`config.sensors` of its firmware; default: the board's usual one",
    ),
    key: name("file with the key of its wire"),
    labelKey: name("file with the key of its labels"),
    wifi: name("file with its Wi-Fi, broker and name there"),
    state: name("file with the state that it starts from, of `evaluate --save` or a gateway's copies"),
  },
};

/** The schema of node files as editors take it: `host-sim/node.schema.json`. */
export const nodeJsonSchema = () => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: NODE_VERSION,
  description: "A node: its learner, readings, features and board.",
  ...NODE_SCHEMA,
});
