import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DeviceError } from "../../host/errors.ts";
import { freePort } from "../../host/free-port.ts";
import { listens } from "../../host/listens.ts";
import { killProcess, PartProcess, type Usage } from "./parts.ts";

/** The broker of a bench. The bench can't kill or measure one that it didn't start. */
export interface BenchBroker {
  /** mqtt://HOST:PORT, the same after each start. */
  readonly address: string;
  readonly name: string;
  usage?(): Promise<Usage>;
  /** Kills it by SIGKILL. */
  kill?(): Promise<void>;
  start?(): Promise<void>;
}

/** The flag's word for mosquitto on this machine. */
export const MOSQUITTO = "mosquitto";

/** The gateway's built-in broker, in a process of its own. */
class OwnBroker implements BenchBroker {
  readonly name = "broker";
  private process: PartProcess | undefined;
  constructor(private readonly port: number) {}

  get address(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.process = await PartProcess.start({ part: "broker", port: this.port });
  }

  usage(): Promise<Usage> {
    return (this.process as PartProcess).usage();
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }
}

/** Ticks of the CPU a second, and bytes of a page, as Linux has them. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

/** mosquitto, on Linux. */
class Mosquitto implements BenchBroker {
  readonly name = MOSQUITTO;
  private readonly folder = mkdtempSync(join(tmpdir(), "motelearn-mosquitto-"));
  private readonly file = join(this.folder, "mosquitto.conf");
  private child: ChildProcess | undefined;

  constructor(private readonly port: number) {
    writeFileSync(this.file, `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n`);
  }

  get address(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const child = spawn("mosquitto", ["-c", this.file], { stdio: "ignore" });
    this.child = child;
    child.once("error", () => {}); // `listening` says it
    await listening(this.port, () => child.pid !== undefined && child.exitCode === null);
  }

  async usage(): Promise<Usage> {
    const stat = readFileSync(`/proc/${this.child?.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, pages] = [11, 12, 21].map((at) => Number(fields[at]));
    return { cpuMs: TICK_MS * (user + system), rssBytes: PAGE_BYTES * pages };
  }

  async kill(): Promise<void> {
    if (this.child) await killProcess(this.child);
  }

  /** Removes its folder, once it is killed. */
  forget(): void {
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true });
  }
}

/** Resolves when that port has a listener. Rejects with a DeviceError if its program has ended. */
async function listening(port: number, runs: () => boolean): Promise<void> {
  while (!(await listens({ port, host: "127.0.0.1" }))) {
    if (!runs()) throw new DeviceError(`${MOSQUITTO}: can't be started (Debian: mosquitto)`);
    await pause(20);
  }
}

/**
 * Starts the broker that `--broker` names: mosquitto; mqtt://HOST:PORT, which runs already; undefined: the
 * gateway's own. `started` gets a process to end that `PartProcess` doesn't know.
 */
export async function startBenchBroker(
  named: string | undefined,
  started: (end: () => Promise<void>) => void,
): Promise<BenchBroker> {
  if (named !== undefined && named !== MOSQUITTO) return { address: named, name: "broker" };
  const port = await freePort();
  if (named === undefined) {
    const own = new OwnBroker(port);
    await own.start();
    return own;
  }
  const broker = new Mosquitto(port);
  started(async () => {
    await broker.kill();
    broker.forget();
  });
  await broker.start();
  return broker;
}
