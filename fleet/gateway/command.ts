import type { Session } from "../../tools/session/session.ts";
import type { Configuration } from "../../tools/session/session-options.ts";
import type { Command } from "../api/command-request.ts";
import { configuredText } from "../api/configured.ts";

const ANSWER_MS = 15_000;

/** The options that may change while the node runs. */
export async function requestConfiguration(session: Session): Promise<Configuration> {
  const { length: _, ...options } = await inTime(session.ask("configuration"));
  return options;
}

/**
 * Executes the command; resolves with the outcome in words. Rejects with an Error if nothing happened, or the
 * node doesn't answer.
 */
export function perform(session: Session, what: SimpleCommand, command: Command): Promise<string> {
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

type SimpleCommand = Exclude<Command["do"], "copy" | "restore" | "retrain">;

const ACTS: { readonly [what in SimpleCommand]: (session: Session, command: Command) => Promise<string> } = {
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
