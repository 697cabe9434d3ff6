import type { Command } from "commander";
import { wholeNumber } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printJsonLine, printLine } from "../../host/terminal/print.ts";
import { type NetworkChoice, simulatedNetwork } from "../../tools/fusion/replays.ts";
import { type CentreEvents, type CentreOptions, FusionServer } from "../../tools/fusion/server.ts";
import { keyReader } from "../../tools/keys/key-file.ts";
import { addInsecureOption, parseSocketAddress } from "../../tools/ports/listen.ts";

interface FusionFlags extends NetworkChoice, CentreOptions {
  readonly listen: string;
  readonly json?: boolean;
}

/** Prints an event: NDJSON of schema motelearn.fusion-log/1, or a line for people. */
function printer(json: boolean) {
  return (event: string, what: { readonly [name: string]: unknown }, ...lines: string[]) => {
    if (json) printJsonLine({ schema: "motelearn.fusion-log/1", event, ...what });
    else printLine(...lines);
  };
}

/** True if a node has advanced by a tenth of its labels since its last printed line. */
function tenths(): (node: string, share: number) => boolean {
  const told = new Map<string, number>();
  return (node, share) => {
    const tenth = Math.floor(10 * share);
    if (tenth === (told.get(node) ?? 0)) return false;
    told.set(node, tenth);
    return true;
  };
}

async function fusion(flags: FusionFlags): Promise<void> {
  const tell = printer(flags.json ?? false);
  const isTenth = tenths();
  parseSocketAddress("--listen", flags.listen, { insecure: flags.insecure }); // refused before the simulation, which would take seconds
  const { replays, fusion: votes } = await simulatedNetwork(flags);
  const events: CentreEvents = {
    subscribed: (node, label, sample) => {
      const samples = sample === null ? "" : `, samples from ${sample}`;
      tell("subscribed", { node, label, sample }, `${node}: labels from ${label}${samples}`);
    },
    durable: (node, number) => {
      const total = replays.find((replay) => replay.node === node)?.labels.length ?? 0;
      if (flags.json || isTenth(node, number / total))
        tell("durable", { node, number }, `${node}: durable up to label ${number} of ${total}`);
    },
    refused: (error) => tell("refused", { error }, `refused: ${error}`),
  };
  const server = await FusionServer.listen(flags.listen, replays, events, flags);
  const nodes = replays.map(({ node, labels, after, stateHash, nodeHash }) => ({
    node,
    labels: labels.length,
    samples: after.length,
    stateHash,
    nodeHash,
    ...(votes && { wrongVotes: votes.estimated[node] }),
  }));
  const names = nodes.map(({ node, labels, samples, wrongVotes }) => {
    const wrong =
      wrongVotes === undefined ? "" : `, votes wrong at an estimated rate of ${wrongVotes.toFixed(3)}`;
    return `  ${node}: ${labels} labels, ${samples} samples${wrong}`;
  });
  tell("listening", { address: server.address, nodes }, `listening on ${server.address}`, ...names);
  for (const { node, decision, rate } of votes?.alarms ?? []) {
    const until = `until then its votes were wrong at a rate of ${rate.toFixed(3)}`;
    tell(
      "alarm",
      { node, decision, rate },
      `alarm: ${node} errs more often, noticed at decision ${decision}; ${until}`,
    );
  }
  await new Promise<void>((done) => new Interrupt().onStop(done));
  await server.close();
}

export function addFusion(program: Command): void {
  addInsecureOption(
    program
      .command("fusion")
      .description("serve the labels of a simulated network to `labels`, late and wrong as its scenario says")
      .requiredOption("--listen <address>", "tcp://HOST:PORT (port 0: any that is free) or unix:PATH"),
  )
    .option("--scenario <scenario>", "a scenario file, or one that ships (default: four-motes)")
    .option("--seed <n>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--task <name>", "the scenario's task (default: its first)")
    .option("--learner <name>", "the task's learner, whose final state is sent (default: its first)")
    .option(
      "--label-key <file>",
      "tag the labels, by the keys that follow from this one: see `motelearn key --of`",
      keyReader("--label-key"),
    )
    .option("--json", "print what happens as NDJSON, motelearn.fusion-log/1")
    .action(fusion);
}
