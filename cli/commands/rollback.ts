import type { Command } from "commander";
import { DeviceError, UserError } from "../../host/errors.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import { keyReader } from "../../tools/keys/key-file.ts";
import { addPortOption, namedPorts, type PortFlags } from "../../tools/ports/options.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { openSession } from "../../tools/session/open-session.ts";
import { sendCopy } from "../../tools/session/send-copy.ts";

interface RollbackFlags extends PortFlags {
  readonly json?: boolean;
  readonly copy?: string;
  readonly labelKey?: Uint8Array;
}

/** A node's position. */
function place({ sid, seq, labelled, durable }: Hello) {
  return { sid, seq, labelled, durable };
}

async function rollback(flags: RollbackFlags): Promise<void> {
  const ports = await namedPorts(flags);
  if (!ports) return;
  const [port] = ports;
  const { json, labelKey } = flags;
  if (labelKey && flags.copy === undefined)
    throw new UserError("--label-key: tags a copy; give --copy, too, or leave it out");
  const copy = flags.copy === undefined ? undefined : readCopy(flags.copy);
  const session = await openSession(port, flags);
  try {
    await session.awaitHello();
    const { seq, labelled } = await session.ask("state");
    const before = { ...place(session.hello as Hello), seq, labelled };
    const hello = copy
      ? await sendCopy(session, copy, () => performance.now(), labelKey)
      : await session.rollback();
    if (!hello)
      throw new DeviceError(`${port}: the node holds no checkpoint before its newest; nothing was changed`);
    const after = place(hello);
    const restore = copy ? "copy" : hello.restore;
    if (json) printJson({ schema: "motelearn.rollback/1", port, restore, before, after });
    else printText(rollbackText({ ...hello, restore }, seq, labelled));
  } finally {
    await session.close();
  }
}

const FROM: Record<string, string> = {
  copy: "resumes from the copy",
  fallback: "resumes from the checkpoint before its newest",
  restored: "couldn't use the checkpoint before its newest, and resumes from the newest",
  fresh: "couldn't read any checkpoint, and starts fresh",
};

function rollbackText(
  { restore, sid, seq, labelled }: Hello,
  seqBefore: number,
  labelledBefore: number,
): string {
  const from = FROM[restore] ?? restore;
  const lines = [`the node ${from}: after sample ${seq} and label ${labelled}, in session ${sid}`];
  if (seqBefore >= seq && labelledBefore >= labelled)
    lines.push(
      `abandoned: ${seqBefore - seq} samples and ${labelledBefore - labelled} labels; it refuses their labels: they are of another session`,
    );
  return lines.join("\n");
}

export function addRollback(program: Command): void {
  addPortOption(
    program
      .command("rollback")
      .description(
        "restore the checkpoint before a node's newest, or a copy of its memory; the node begins a new session",
      ),
  )
    .option("--copy <file>", "resume from this copy, a file that a gateway's page or `evaluate --save` gives")
    .option(
      "--label-key <file>",
      "tag the copy by the label key of the node, if it has one: see `motelearn key`",
      keyReader("--label-key"),
    )
    .option("--json", "print motelearn.rollback/1")
    .action(rollback);
}
