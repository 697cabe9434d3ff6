import type { Command } from "commander";
import { wholeNumber } from "../cli/arguments.ts";
import { Interrupt } from "../cli/interrupt.ts";
import { printText } from "../cli/print.ts";
import { type NetworkChoice, simulatedReplays } from "../fusion/replays.ts";
import { FusionServer } from "../fusion/server.ts";
import { parseSocketAddress } from "../ports/listen.ts";

interface FusionFlags extends NetworkChoice {
  readonly listen: string;
  readonly json?: boolean;
}

/** Prints an event: NDJSON of schema motelearn.fusion-log/1, or a line for people. */
function printer(json: boolean) {
  return (event: string, what: { readonly [name: string]: unknown }, text: string) => {
    if (json) printText(JSON.stringify({ schema: "motelearn.fusion-log/1", event, ...what }));
    else printText(text);
  };
}

/** For people: whether a node came a tenth of its labels further than when it was last told of. */
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
  parseSocketAddress("--listen", flags.listen); // refused before the simulation, which takes seconds
  const replays = await simulatedReplays(flags);
  const server = await FusionServer.listen(flags.listen, replays, {
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
  });
  const nodes = replays.map(({ node, labels, after, stateHash, nodeHash }) => ({
    node,
    labels: labels.length,
    samples: after.length,
    stateHash,
    nodeHash,
  }));
  const names = nodes.map(({ node, labels, samples }) => `  ${node}: ${labels} labels, ${samples} samples`);
  tell(
    "listening",
    { address: server.address, nodes },
    `listening on ${server.address}\n${names.join("\n")}`,
  );
  await new Promise<void>((done) => new Interrupt().onStop(done));
  await server.close();
}

/** Adds `motelearn fusion`. */
export function addFusion(program: Command): void {
  program
    .command("fusion")
    .description(
      "be the fusion centre of a simulated network: serve its labels, as late and as wrong, to `labels`",
    )
    .requiredOption("--listen <address>", "tcp://HOST:PORT (port 0: any that is free) or unix:PATH")
    .option("--scenario <scenario>", "a scenario file, or one that ships (default: four-motes)")
    .option("--seed <n>", "seed of everything random, instead of the scenario's", wholeNumber(0, 0xffffffff))
    .option("--task <name>", "the scenario's task (default: its first)")
    .option("--learner <name>", "the task's learner, whose final state is told (default: its first)")
    .option("--json", "print what happens as NDJSON, motelearn.fusion-log/1")
    .action(fusion);
}
