import { readFileSync, readlinkSync, rmSync } from "node:fs";
import { DeviceError } from "../../host/errors.ts";
import { writeNew } from "../../host/files/new-file.ts";
import { writeFault } from "../../host/files/write-fault.ts";

/** True if a process has that number; one of another user counts. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * What no other process of that number has, before or after it: the system's start, and when the process
 * started, in ticks since then. Undefined where the system doesn't say; only Linux does.
 */
function readProcessStart(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fromThird = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the second, its name, may have any character
    return `${boot} ${fromThird[22 - 3]}`;
  } catch {
    return undefined;
  }
}

/** True if a process may be a gateway: it runs the program that this one runs, or the system doesn't say. */
function mayBeGateway(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === readlinkSync("/proc/self/exe");
  } catch {
    return true;
  }
}

/** The running process that wrote such a lock; undefined: it has ended, perhaps before the system last started. */
function readHolder(text: string): number | undefined {
  const [first, ...rest] = text.trim().split(" ");
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid || !runs(pid)) return undefined;
  const [written, present] = [rest.join(" "), readProcessStart(pid)];
  const isIt = written !== "" && present !== undefined ? written === present : mayBeGateway(pid);
  return isIt ? pid : undefined;
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    throw new DeviceError(`${path}: can't be read (${(error as NodeJS.ErrnoException).code}); remove it`);
  }
}

/**
 * Locks `FILE.pid`, so that two gateways never use one database, and takes over a killed process's lock, also
 * when another process has its number since. Throws a DeviceError if a running process holds it, or it can't
 * be written. Returns a function that releases it.
 */
export function lock(file: string): () => void {
  const path = `${file}.pid`;
  const text = [process.pid, readProcessStart(process.pid) ?? []].flat().join(" ");
  const write = () => {
    try {
      return writeNew(path, `${text}\n`, 0o600);
    } catch (error) {
      throw new DeviceError(`${path}: ${writeFault(path, error)}`);
    }
  };
  if (!write()) {
    const holder = readHolder(textIn(path));
    if (holder !== undefined)
      throw new DeviceError(`${file}: process ${holder} uses it; if that is no gateway, remove ${path}`);
    rmSync(path);
    if (!write()) throw new DeviceError(`${file}: another process uses it`);
  }
  return () => rmSync(path, { force: true });
}
