import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Command, Option } from "commander";
import { type Level, LOG_LEVELS, Log } from "../../fleet/gateway/log.ts";
import { UserError } from "../../host/errors.ts";
import { EXIT_OF_SIGNAL, EXIT_OK } from "../../host/terminal/exit.ts";
import { Interrupt } from "../../host/terminal/interrupt.ts";
import { printDocument, printNote, printText } from "../../host/terminal/print.ts";

interface GatewayFlags {
  readonly logLevel: Level;
  readonly json?: boolean;
  readonly schema?: boolean;
  readonly export?: string;
  readonly node?: string;
  readonly demo?: boolean;
  readonly hashPassword?: boolean;
  readonly newToken?: boolean;
}

const PASSWORD_MAX = 1024;
const PASSWORD_MIN = 8;

/**
 * Prints the hash of a password, the first line of stdin: every user of the machine can see a command line.
 */
async function hashPassword(): Promise<void> {
  const { passwordHash } = await import("../../fleet/access/secrets.ts");
  if (process.stdin.isTTY) printNote("the password, and Enter; the terminal shows it:");
  const lines = createInterface({ input: process.stdin });
  let password = "";
  for await (const line of lines) {
    password = line;
    break;
  }
  lines.close();
  process.stdin.destroy();
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX)
    throw new UserError(
      `--hash-password: takes a line of ${PASSWORD_MIN} to ${PASSWORD_MAX} characters on stdin`,
    );
  printText(await passwordHash(password));
}

/** Prints a token for a program or a node, and its hash for the fleet file. */
async function printNewToken(): Promise<void> {
  const { newToken, tokenHash } = await import("../../fleet/access/secrets.ts");
  const token = newToken();
  printText(`token  ${token}\nhash   ${tokenHash(token)}`);
}

/** Exports a stopped gateway's records to a file. */
async function exportTo(path: string, file: string, node: string | undefined): Promise<void> {
  const [{ exportSamples }, { FleetStore }, { lock }, { readFleet }] = await Promise.all([
    import("../../fleet/gateway/export.ts"),
    import("../../fleet/store/fleet-store.ts"),
    import("../../fleet/gateway/lock.ts"),
    import("../../fleet/gateway/fleet-file.ts"),
  ]);
  const fleet = readFleet(file);
  if (node !== undefined && !fleet.nodes.some(({ name }) => name === node))
    throw new UserError(`--node ${node}: ${file} has ${fleet.nodes.map(({ name }) => name).join(", ")}`);
  if (!existsSync(fleet.store))
    throw new UserError(`${file}: store: there is no ${fleet.store}; a gateway makes it when it runs`);
  const unlock = lock(fleet.store);
  try {
    const store = new FleetStore(fleet.store);
    try {
      printText(`${exportSamples(store, path, node)} samples in ${path}`);
    } finally {
      store.close();
    }
  } finally {
    unlock();
  }
}

/** Shows a fleet of simulated nodes until it is stopped. */
async function demonstrate(log: Log): Promise<void> {
  const { Demo } = await import("../../fleet/demo/demo.ts");
  const stopped = untilStopped(); // also while it starts: it has a folder to remove
  const demo = await Demo.start(log);
  printText(`Eight simulated machines learn to tell worn from sound: ${demo.page}  (Ctrl-C ends it)`);
  await stopped;
  await demo.close();
}

/** Resolves at Ctrl-C, SIGTERM or SIGHUP. SIGTERM is how a service is ended: no failure. */
function untilStopped(): Promise<void> {
  const stop = new Interrupt();
  return new Promise((done) =>
    stop.onStop(() => {
      if (process.exitCode === EXIT_OF_SIGNAL.SIGTERM) process.exitCode = EXIT_OK;
      done();
    }),
  );
}

async function gateway(
  file: string | undefined,
  { logLevel, json = false, schema = false, export: path, node, demo, ...make }: GatewayFlags,
): Promise<void> {
  if (make.hashPassword) return hashPassword();
  if (make.newToken) return printNewToken();
  if (schema) return printDocument((await import("../../fleet/gateway/fleet-schema.ts")).FLEET_SCHEMA);
  // Loaded late with its database and broker, which other commands don't need.
  const [{ Gateway }, { readFleet }] = await Promise.all([
    import("../../fleet/gateway/gateway.ts"),
    import("../../fleet/gateway/fleet-file.ts"),
  ]);
  if (demo && file !== undefined) throw new UserError("--demo brings a fleet of its own: give no fleet file");
  if (demo) return demonstrate(new Log(logLevel, json));
  if (file === undefined)
    throw new UserError("no fleet file; --demo runs without one, --schema prints its format");
  if (path !== undefined) return exportTo(path, file, node);
  if (node !== undefined) throw new UserError("--node goes with --export");
  const running = new Gateway(readFleet(file), new Log(logLevel, json));
  let stopped = Promise.resolve();
  await running.start(() => {
    stopped = untilStopped();
  });
  await stopped;
  await running.close();
}

export function addGateway(program: Command): void {
  program
    .command("gateway")
    .description("keep a fleet of nodes: their lines, labels and records, in one process")
    .argument("[file]", "fleet file: motelearn.fleet/1")
    .addOption(
      new Option("--log-level <level>", "least level that is logged").choices(LOG_LEVELS).default("info"),
    )
    .option(
      "--export <file>",
      "write the stored samples, predictions and labels to a file .ndjson, .csv or .parquet, and end",
    )
    .option("--node <name>", "export: of this node alone")
    .option("--demo", "run eight simulated nodes that learn, with a page on which you label")
    .option(
      "--hash-password",
      "print the hash of a password, the first line of stdin, for the fleet file, and end",
    )
    .option("--new-token", "print a token for a program or a node, and its hash for the fleet file, and end")
    .option("--schema", "print the JSON Schema of fleet files, and end")
    .option("--json", "log NDJSON")
    .action(gateway);
}
