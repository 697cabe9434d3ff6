import type { WrittenLabel } from "../../host/streams/class-names.ts";
import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import type { GivenLabel } from "../store/label-rows.ts";
import { RequestBody } from "./request-body.ts";

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

export const LABEL = new RequestBody<LabelRequest>("label", {
  type: "object",
  required: ["seq", "label"],
  properties: {
    sid: { ...word, description: "session of the sample; default: the node's" },
    seq: { ...word, minimum: 1, description: "number of the sample" },
    label: {
      type: ["number", "string"],
      minimum: -FLOAT32_MAX,
      maximum: FLOAT32_MAX,
      minLength: 1,
      maxLength: 64,
      description: "a class by its name or its target (-1 and +1, or from 0), or a value",
    },
    source: { ...byte(SOURCE_UNTOLD), description: "the labeller's number, which learners may judge" },
    confidence: { ...byte(CERTAIN), description: "how sure the labeller is; 255: certain" },
    by: {
      type: "string",
      maxLength: 64,
      default: "",
      description: "the labeller's name; where there are users, the request's user",
    },
  },
});
