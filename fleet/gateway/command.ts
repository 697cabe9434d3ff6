import { Ajv, type ErrorObject } from "ajv";
import { parseJson } from "../../host/json.ts";
import { schemaFault } from "../../host/schema-fault.ts";
import type { Configuration, Session } from "../../tools/session/session.ts";
import { configuredText } from "../api/configured.ts";

const ANSWER_MS = 15_000;
const word = { type: "integer", minimum: 0, maximum: 0xffffffff };

/** A command to a node. */
export interface Command {
  /** `copy`: the gateway keeps a copy of the node's memory. `restore`: the node resumes from one. */
  readonly do: "checkpoint" | "rollback" | "configure" | "copy" | "restore";
  /** Of `restore`: the copy's id. */
  readonly copy?: number;
  /** Who asks. */
  readonly by: string;
  /** Of `configure`: labels between two checkpoints, milliseconds between two statistics. */
  readonly checkpointEvery?: number;
  readonly statisticsMs?: number;
}

const check = new Ajv({ useDefaults: true, verbose: true }).compile<Command>({
  type: "object",
  additionalProperties: false,
  required: ["do"],
  properties: {
    do: { enum: ["checkpoint", "rollback", "configure", "copy", "restore"] },
    copy: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    by: { type: "string", maxLength: 64, default: "" },
    checkpointEvery: word,
    statisticsMs: { ...word, minimum: 100 },
  },
  if: { properties: { do: { const: "restore" } } },
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's
  then: { required: ["copy"] },
});

/** Reads a request's body; returns a text about a wrong one. */
export function readCommand(body: string): Command | string {
  let given: unknown;
  try {
    given = parseJson(body);
  } catch (error) {
    return (error as Error).message;
  }
  return check(given) ? given : schemaFault((check.errors as ErrorObject[])[0], "the command");
}

/** The options that may change while the node runs. */
export async function configurationOf(session: Session): Promise<Configuration> {
  const { length: _, ...options } = await inTime(session.ask("configuration"));
  return options;
}

/**
 * Executes the command; resolves with the outcome in words. Rejects with an Error if nothing happened, or the
 * node doesn't answer.
 */
export function perform(session: Session, what: Act, command: Command): Promise<string> {
  return inTime(ACTS[what](session, command));
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the node hasn't answered")), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Act = Exclude<Command["do"], "copy" | "restore">;

const ACTS: { readonly [what in Act]: (session: Session, command: Command) => Promise<string> } = {
  checkpoint: async (session) => {
    const { labelled } = session.peer.node;
    let waits = 0;
    const early = (ms: number) => {
      waits = ms;
    };
    const kept = await Promise.race([
      session.checkpoint(labelled, early),
      new Promise<"early">((done) => {
        const timer = setInterval(() => {
          if (waits > 0) done("early");
          if (waits > 0 || !session.port.open) clearInterval(timer);
        }, 100);
        timer.unref();
      }),
    ]);
    if (kept === "early")
      return `the node spares its flash: it keeps the checkpoint in ${Math.ceil(waits / 1000)} s`;
    if (!kept) throw new Error("the node keeps no checkpoint");
    return `a checkpoint holds label ${session.peer.node.durable}`;
  },
  rollback: async (session) => {
    const hello = await session.rollback();
    if (!hello) throw new Error("the node holds no checkpoint before its newest; nothing was changed");
    return `resumes after sample ${hello.seq} and label ${hello.labelled} (${hello.restore})`;
  },
  configure: async (session, { checkpointEvery, statisticsMs }) => {
    await session.configure({
      ...(checkpointEvery !== undefined && { checkpointEvery }),
      ...(statisticsMs !== undefined && { statisticsMs }),
    });
    return configuredText(
      { checkpointEvery, statisticsMs },
      (await session.ask("configuration")).checkpointEvery,
    );
  },
};
