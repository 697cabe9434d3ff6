import { within } from "../../host/within.ts";
import type { Session } from "../../tools/session/session.ts";
import type { Configuration } from "../../tools/session/session-options.ts";
import type { Command } from "../api/command-request.ts";
import { configuredText } from "../api/configured.ts";

const ANSWER_MS = 15_000;
const NO_ANSWER = "the node hasn't answered";

/** The options that may change while the node runs. */
export async function requestConfiguration(session: Session): Promise<Configuration> {
  const { length: _, ...options } = await within(
    ANSWER_MS,
    (signal) => session.ask("configuration", signal),
    NO_ANSWER,
  );
  return options;
}

/**
 * Executes the command; resolves with the outcome in words. Rejects with an Error if nothing happened, or the
 * node doesn't answer.
 */
export function perform(session: Session, what: SimpleCommand, command: Command): Promise<string> {
  return within(ANSWER_MS, (signal) => ACTS[what](session, command, signal), NO_ANSWER);
}

type SimpleCommand = Exclude<Command["do"], "copy" | "restore" | "retrain">;

type Act = (session: Session, command: Command, signal: AbortSignal) => Promise<string>;

const ACTS: { readonly [what in SimpleCommand]: Act } = {
  checkpoint: async (session, _, signal) => {
    const { node } = session.peer;
    const kept = await new Promise<boolean | number>((done, fail) => {
      session.checkpoint(node.labelled, done, signal).then(done, fail);
    });
    if (typeof kept === "number")
      return `the node spares its flash: it keeps the checkpoint in ${Math.ceil(kept / 1000)} s`;
    if (!kept) throw new Error("the node keeps no checkpoint");
    return `a checkpoint holds label ${node.durable}`;
  },
  rollback: async (session, _, signal) => {
    const hello = await session.rollback(signal);
    if (!hello) throw new Error("the node holds no checkpoint before its newest; nothing was changed");
    return `resumes after sample ${hello.seq} and label ${hello.labelled} (${hello.restore})`;
  },
  configure: async (session, { checkpointEvery, statisticsMs }, signal) => {
    const change = {
      ...(checkpointEvery !== undefined && { checkpointEvery }),
      ...(statisticsMs !== undefined && { statisticsMs }),
    };
    await session.configure(change, signal);
    return configuredText(
      { checkpointEvery, statisticsMs },
      (await session.ask("configuration", signal)).checkpointEvery,
    );
  },
};
