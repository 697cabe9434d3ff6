import { type Command, Option } from "commander";
import { UserError } from "../cli/exit.ts";
import { Interrupt } from "../cli/interrupt.ts";
import { printDocument } from "../cli/print.ts";
import { type Level, LOG_LEVELS, Log } from "../gateway/log.ts";

interface GatewayFlags {
  readonly logLevel: Level;
  readonly json?: boolean;
  readonly schema?: boolean;
}

async function gateway(
  file: string | undefined,
  { logLevel, json = false, schema = false }: GatewayFlags,
): Promise<void> {
  // A database and a broker come with it: the list of commands needs neither.
  const [{ Gateway }, { FLEET_SCHEMA, readFleet }] = await Promise.all([
    import("../gateway/gateway.ts"),
    import("../gateway/fleet-file.ts"),
  ]);
  if (schema) return printDocument(FLEET_SCHEMA);
  if (file === undefined) throw new UserError("no fleet file; --schema prints what one may say");
  const stop = new Interrupt();
  const running = new Gateway(readFleet(file), new Log(logLevel, json));
  await running.start();
  await new Promise<void>((done) => {
    stop.onStop(done);
    process.once("SIGTERM", done);
  });
  await running.close();
}

/** Adds `motelearn gateway`. */
export function addGateway(program: Command): void {
  program
    .command("gateway")
    .description("keep a fleet of nodes: their lines, labels and records, in one process")
    .argument("[file]", "fleet file: motelearn.fleet/1")
    .addOption(
      new Option("--log-level <level>", "least level that is logged").choices(LOG_LEVELS).default("info"),
    )
    .option("--schema", "print the JSON Schema of fleet files, and end")
    .option("--json", "log NDJSON")
    .action(gateway);
}
