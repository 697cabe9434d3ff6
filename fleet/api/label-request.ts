import { Ajv, type ErrorObject } from "ajv";
import { parseJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import type { WrittenLabel } from "../../host/streams/class-names.ts";
import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import type { GivenLabel } from "../store/label-rows.ts";

/** A label as a program or a page gives it. */
export interface LabelRequest extends Omit<GivenLabel, "sid" | "y"> {
  /** Session of the sample; default: the node's. */
  readonly sid?: number;
  /** A class by its name or its target (-1 and +1, or from 0), or a value. */
  readonly label: WrittenLabel;
}

const byte = (first: number) => ({ type: "integer", minimum: 0, maximum: 255, default: first });
const word = { type: "integer", minimum: 0, maximum: 0xffffffff };
const FLOAT32_MAX = 3.4028234663852886e38;

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["seq", "label"],
  properties: {
    sid: word,
    seq: { ...word, minimum: 1 },
    label: {
      type: ["number", "string"],
      minimum: -FLOAT32_MAX,
      maximum: FLOAT32_MAX,
      minLength: 1,
      maxLength: 64,
    },
    source: byte(SOURCE_UNTOLD),
    confidence: byte(CERTAIN),
    by: { type: "string", maxLength: 64, default: "" },
  },
};

const check = new Ajv({ useDefaults: true, verbose: true, allowUnionTypes: true }).compile<LabelRequest>(
  SCHEMA,
);

/** Reads a request's body; returns a text about a wrong one. */
export function readLabelRequest(body: string): LabelRequest | string {
  let given: unknown;
  try {
    given = parseJson(body);
  } catch (error) {
    return (error as Error).message;
  }
  return checkLabelRequest(given);
}

/** A received label with defaults filled in; or a text about a wrong one. */
export function checkLabelRequest(given: unknown): LabelRequest | string {
  return check(given) ? given : schemaFault((check.errors as ErrorObject[])[0], "the label");
}
