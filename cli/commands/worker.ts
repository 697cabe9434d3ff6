import type { Command } from "commander";
import { natsServers } from "../../host/terminal/arguments.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printLine } from "../../host/terminal/print.ts";
import { addPluginOption, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { programHash, VERSION, WORKER } from "../../lab/sweep/program-key.ts";
import { threadsOption } from "../options/threads.ts";

interface WorkerFlags {
  readonly plugin: readonly string[];
  readonly threads: number;
  readonly user?: string;
}

async function work(servers: readonly string[], { plugin, threads, user }: WorkerFlags): Promise<void> {
  const catalogue = await catalogueWith(plugin);
  const program = programHash(WORKER, plugin);
  const interrupt = new Interrupt();
  const { SweepWorker } = await import("../../lab/sweep/machines/worker.ts");
  const worker = await SweepWorker.open({ servers, user, program, plugin, catalogue, threads }, interrupt);
  printLine(
    `ready   motelearn ${VERSION}, program ${program.slice(0, 8)}, ${threads} threads; Ctrl-C ends it`,
  );
  await worker.perform();
  printLine(`done    ${worker.performed} runs`);
}

export function addWorker(program: Command): void {
  addPluginOption(program.command("worker"))
    .description("perform runs of `motelearn sweep --workers`, of any sweep at these NATS servers")
    .argument(
      "<servers>",
      "NATS servers with JetStream, nats://HOST:PORT,... or tls://HOST:PORT,...",
      natsServers,
    )
    .addOption(threadsOption("networks run at once"))
    .option("--user <name>", "user at the servers; MOTELEARN_NATS_PASSWORD has the password")
    .addHelpText(
      "after",
      `
Ctrl-C finishes the runs under way; a second one, kill -9 or a power cut gives them to another worker. A worker
takes runs of its own version and plugins only.`,
    )
    .action(work);
}
