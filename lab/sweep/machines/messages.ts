import { Ajv } from "ajv";
import { parseJson } from "../../../host/json.ts";
import { PARTS_MAX } from "../../../host-sim/runs/pieces.ts";
import type { NetworkRows } from "../../../host-sim/runs/rows.ts";
import type { Fault } from "../../../host-sim/runs/threads.ts";
import type { Scenario } from "../../../host-sim/scenario/scenario.ts";
import type { PieceRows, RunPiece } from "../large.ts";
import { checkLine, type StoreHead, withChecksum } from "../store.ts";

/** A file that a run reads, as workers receive it. */
export interface SentFile {
  /** Its name in the scenario. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A run, or a piece of one, to be performed. */
export interface Job {
  /** Its identity, or the piece's. */
  readonly run: string;
  readonly program: string;
  /** With one task of one learner. */
  readonly scenario: Scenario;
  readonly files: readonly SentFile[];
  /** Default: all of it. */
  readonly piece?: RunPiece;
}

/** The outcome of a run, or of a piece of one: its rows or a fault. */
export interface Outcome {
  readonly run: string;
  readonly program: string;
  readonly kept?: NetworkRows | PieceRows;
  readonly fault?: Fault;
}

/** The program and plugins of a sweep or a worker. */
export type Greeting = Pick<StoreHead, "program" | "version">;

/** Bytes of the files that go to workers, together. */
export const FILES_BYTES_MAX = 64 << 20;
/** Characters of a fault's line. */
export const FAULT_MAX = 1000;
/** Characters of a message: what a server may be configured to pass. */
const MESSAGE_MAX = 64 << 20;
const RUN = { type: "string", pattern: "^[0-9a-f]{32}$" };
const SHA256 = { type: "string", pattern: "^[0-9a-f]{64}$" };

function closedSchema(properties: Record<string, object>, required = Object.keys(properties)): object {
  return { type: "object", additionalProperties: false, required, properties };
}

const FILE = closedSchema({
  path: { type: "string", maxLength: 4096 },
  sha256: SHA256,
  bytes: { type: "integer", minimum: 0, maximum: FILES_BYTES_MAX },
});

const COUNT = { type: "integer", minimum: 0, maximum: PARTS_MAX };
const PIECE = { oneOf: [closedSchema({ fuses: { const: true } }), closedSchema({ part: COUNT, of: COUNT })] };

const JOB = closedSchema(
  {
    run: RUN,
    program: SHA256,
    scenario: { type: "object" },
    files: { type: "array", maxItems: 4096, items: FILE },
    piece: PIECE,
  },
  ["run", "program", "scenario", "files"],
);

const NODE_ROW = {
  type: "object",
  maxProperties: 4096,
  propertyNames: { maxLength: 256, not: { const: "__proto__" } },
  additionalProperties: { type: ["number", "string", "null"], maxLength: 4096 },
};

const NODE_ROWS = { type: "array", minItems: 1, maxItems: 100_000, items: NODE_ROW };
const CURVE = closedSchema({
  at: { type: "array", items: { type: "number" } },
  value: { type: "array", items: { type: ["number", "null"] } },
});

const KEPT = {
  oneOf: [
    closedSchema({ nodes: NODE_ROWS, error: CURVE }),
    closedSchema({ nodes: NODE_ROWS, curves: { type: "array", items: CURVE } }),
    closedSchema({ fusion: { type: ["number", "null"] } }),
  ],
};

const FAULT = closedSchema({ message: { type: "string", maxLength: FAULT_MAX }, given: { type: "boolean" } });

const OUTCOME = {
  ...closedSchema({ run: RUN, program: SHA256, kept: KEPT, fault: FAULT }, ["run", "program"]),
  oneOf: [{ required: ["kept"] }, { required: ["fault"] }],
};

const GREETING = closedSchema({ program: SHA256, version: { type: "string", maxLength: 64 } });

const ajv = new Ajv({ allowUnionTypes: true, strict: false });

/** Reads a message of one kind; undefined: it isn't one. Whoever reaches the servers may have sent it. */
function reader<T>(schema: object, lengthMax: number): (text: string) => T | undefined {
  const isOne = ajv.compile<T>(schema);
  return (text) => {
    if (text.length > lengthMax) return undefined;
    try {
      const value = parseJson(text);
      return isOne(value) ? value : undefined;
    } catch {
      return undefined; // no JSON, or nested too deep
    }
  };
}

export const readJob = reader<Job>(JOB, MESSAGE_MAX);
export const readGreeting = reader<Greeting>(GREETING, 256);
const readOutcomeText = reader<Outcome>(OUTCOME, MESSAGE_MAX);

/** An outcome in transit: behind its checksum, as in a store. */
export function outcomeLine(outcome: Outcome): string {
  return withChecksum(JSON.stringify(outcome));
}

/** Reads what `outcomeLine` made; undefined where it is torn, changed or something else. */
export function readOutcome(line: string): Outcome | undefined {
  const text = checkLine(line);
  return text === undefined ? undefined : readOutcomeText(text);
}
