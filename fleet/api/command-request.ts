import { whole } from "../../host/schema-parts.ts";
import { ASKED_BY, RequestBody } from "./request-body.ts";

const COMMANDS = ["checkpoint", "rollback", "configure", "copy", "restore", "retrain"] as const;

export interface Command {
  /**
   * `copy`: the gateway keeps a copy of the node's memory. `restore`: the node resumes from one. `retrain`: the node gets a model of its group anew.
   */
  readonly do: (typeof COMMANDS)[number];
  /** Of `restore`: the copy's id. */
  readonly copy?: number;
  /** Who asks. */
  readonly by: string;
  /** Of `configure`: labels between two checkpoints, milliseconds between two statistics. */
  readonly checkpointEvery?: number;
  readonly statisticsMs?: number;
}

const WORD_MAX = 0xffffffff;

export const COMMAND = new RequestBody<Command>("command", {
  type: "object",
  required: ["do"],
  properties: {
    do: {
      enum: COMMANDS,
      description:
        "`copy`: the gateway keeps a copy of the node's memory; `restore`: the node resumes from one; `retrain`: the node gets a model of its group anew",
    },
    copy: whole(1, Number.MAX_SAFE_INTEGER, "of `restore`: the copy's id"),
    by: ASKED_BY,
    checkpointEvery: whole(0, WORD_MAX, "of `configure`: labels between two checkpoints"),
    statisticsMs: whole(100, WORD_MAX, "of `configure`: milliseconds between two statistics"),
  },
  if: { properties: { do: { const: "restore" } } },
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's
  then: { required: ["copy"] },
});
