import { Ajv, type ValidateFunction } from "ajv";
import { placed, UserError } from "../../host/errors.ts";
import { isJsonObject, type JsonError, parseJson } from "../../host/json.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { CentreLine, DurableLine, NamedOptions, Subscription } from "./lines.ts";
import { SPANS_MAX } from "./spans.ts";

/** Bytes of a line from `labels`, and from a centre, whose samples have up to 4096 readings. */
export const REQUEST_MAX = 1 << 12;
export const CENTRE_LINE_MAX = 1 << 20;
const CHANNELS_MAX = 4096;
const NAME_MAX = 256;
/** Characters of the text of an error. */
export const ERROR_MAX = 1024;
/** Most bytes of a node with a centre's options: a board has less, and more would keep this machine busy. */
const NODE_MAX = 1 << 24;
const FLOAT_MAX = 3.4028234663852886e38;
const EXCERPT = 40;

const count = { type: "integer", minimum: 0, maximum: 0xffffffff };
const place = { ...count, minimum: 1 };
const byte = { type: "integer", minimum: 0, maximum: 255 };
const float32 = { type: "number", minimum: -FLOAT_MAX, maximum: FLOAT_MAX };
const name = { type: "string", maxLength: NAME_MAX };
const hash = { type: "string", pattern: "^[0-9a-f]{16}$" };
const options = {
  type: "object",
  required: ["learner", "channels", "options"],
  properties: { learner: name, channels: { ...place, maximum: CHANNELS_MAX }, options: { type: "object" } },
};

type Properties = { readonly [name: string]: object };

function shape(required: readonly string[], properties: Properties): object {
  return { type: "object", required, properties };
}

const span = shape(["sid", "first", "seq"], { sid: place, first: place, seq: place });
const tag = shape(["sid", "seq", "hash"], { sid: count, seq: count, hash });

/**
 * The schemas of the lines, each by a key that only it has. `node` of a label, a sample or an end is the
 * greeting's.
 */
const REQUESTS = {
  durable: shape(["durable"], { durable: count }),
  schema: shape(["schema", "ask", "node", "label", "sample"], {
    schema: name,
    ask: count,
    node: { anyOf: [name, place] },
    label: place,
    sample: { anyOf: [place, { type: "null" }] },
    spans: { type: "array", minItems: 1, maxItems: SPANS_MAX, items: span },
  }),
};

const CENTRE_LINES = {
  error: shape(["error"], { error: { type: "string", maxLength: ERROR_MAX } }),
  schema: shape(["schema", "ask", "node", "label"], {
    schema: name,
    ask: count,
    node: name,
    label: place,
    options,
  }),
  end: shape(["end", "labels", "samples"], {
    end: { const: true },
    labels: count,
    samples: count,
    stateHash: hash,
    nodeHash: hash,
  }),
  x: shape(["seq", "x"], {
    seq: place,
    x: { type: "array", minItems: 1, maxItems: CHANNELS_MAX, items: float32 },
    after: count,
  }),
  number: shape(["number", "seq", "label"], {
    number: place,
    seq: place,
    label: float32,
    due: count,
    source: byte,
    confidence: byte,
    tag,
  }),
};

const compiled = new Map<object, ValidateFunction>();

/** The schema's check, compiled when first asked for. */
function compileSchema(schema: object): ValidateFunction {
  const check = compiled.get(schema) ?? new Ajv({ allowUnionTypes: true }).compile(schema);
  compiled.set(schema, check);
  return check;
}

/** One line about the first wrong key of a value. */
function whatIsWrong(check: ValidateFunction): string {
  const [{ instancePath, params }] = check.errors ?? [];
  return `no valid ${instancePath.split("/")[1] ?? params.missingProperty}`;
}

/** Reads a line by one of those schemas; returns a text about a wrong line. */
function readLine(text: string, lengthMax: number, shapes: Properties): object | string {
  if (text.length > lengthMax) return `longer than ${lengthMax} bytes`;
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    return (error as JsonError).kind;
  }
  if (!isJsonObject(line)) return "not an object";
  const names = Object.keys(shapes);
  const kind = names.find((key) => Object.hasOwn(line as object, key));
  if (kind === undefined) return `none of ${names.join(", ")} in it`;
  const check = compileSchema(shapes[kind]);
  return check(line) ? line : whatIsWrong(check);
}

/** Reads a line of the centre's; returns a text about a wrong line. */
export function readCentreLine(text: string): CentreLine | string {
  return readLine(text, CENTRE_LINE_MAX, CENTRE_LINES) as CentreLine | string;
}

/** Reads a line of `labels`; returns a text about a wrong line. */
export function readRequest(text: string): Subscription | DurableLine | string {
  return readLine(text, REQUEST_MAX, REQUESTS) as Subscription | DurableLine | string;
}

/** The beginning of a line, in quotes, for a message about it. */
export function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, EXCERPT));
}

/** The valid options of a node. Throws a UserError for an unknown learner, or invalid options. */
export function withLearner({ learner: named, ...others }: NamedOptions): NodeOptions {
  const node: NodeOptions = { ...others, learner: chooseFamily(named) };
  const { bytes } = placed("its options make no node", () => nodeLayout(node));
  if (bytes > NODE_MAX)
    throw new UserError(`its options make a node of ${bytes} bytes; takes up to ${NODE_MAX}`);
  return node;
}
