import { text, whole } from "../../host/schema-parts.ts";
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

const byte = (first: number, description: string) => whole(0, 255, description, { default: first });
const WORD_MAX = 0xffffffff;
const FLOAT32_MAX = 3.4028234663852886e38;

export const LABEL = new RequestBody<LabelRequest>("label", {
  type: "object",
  required: ["seq", "label"],
  properties: {
    sid: whole(0, WORD_MAX, "session of the sample; default: the node's"),
    seq: whole(1, WORD_MAX, "number of the sample"),
    label: {
      type: ["number", "string"],
      minimum: -FLOAT32_MAX,
      maximum: FLOAT32_MAX,
      minLength: 1,
      maxLength: 64,
      description: "a class by its name or its target (-1 and +1, or from 0), or a value",
    },
    source: byte(SOURCE_UNTOLD, "the labeller's number, which learners may judge"),
    confidence: byte(CERTAIN, "how sure the labeller is; 255: certain"),
    by: text("the labeller's name; where there are users, the request's user", {
      maxLength: 64,
      default: "",
    }),
  },
});
