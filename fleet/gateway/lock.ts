import { existsSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync } from "node:fs";
import { DeviceError } from "../../host/errors.ts";
import { writeNew } from "../../host/files/new-file.ts";
import { writeFault } from "../../host/files/write-fault.ts";

/** Milliseconds between two signs of life of a gateway: it touches its lock. */
const TOUCH_MS = 1000;
/** How long a gateway of another machine or container is watched for one, and how often. */
const WATCH_MS = 5000;
const LOOK_MS = 250;

/** Pauses this thread: nothing of the gateway runs yet. */
function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

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

/** The numbers among which this process has its own: a container has others. Undefined where the system doesn't say. */
function readNamespace(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** What this process writes into a lock: its number, the system's start, its own, and whose numbers they are. */
function lockText(): string {
  return [process.pid, readProcessStart(process.pid) ?? [], readNamespace() ?? []].flat().join(" ");
}

/** True if such a lock is of another machine or container, or from before the system last started: its number says nothing here. */
function isForeign(text: string): boolean {
  const [, boot, , namespace] = text.trim().split(" ");
  const [, ownBoot, , ownNamespace] = lockText().split(" ");
  return boot !== undefined && (boot !== ownBoot || (namespace ?? ownNamespace) !== ownNamespace);
}

function touchedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** True if somebody touches the lock meanwhile. */
function isAlive(path: string, pause: (ms: number) => void): boolean {
  const before = touchedAt(path);
  for (let ms = 0; ms < WATCH_MS; ms += LOOK_MS) {
    pause(LOOK_MS);
    if (touchedAt(path) !== before) return true;
  }
  return false;
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
  const [first, ...rest] = text.trim().split(" ").slice(0, 3);
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
 * be written. Of another machine or container, which may share the folder, it waits some seconds for a sign of
 * life. Returns a function that releases it.
 * @param pause waits so many milliseconds; default: this thread does nothing.
 */
export function lock(file: string, pause = pauseThread): () => void {
  const path = `${file}.pid`;
  const text = `${lockText()}\n`;
  const write = () => {
    try {
      return writeNew(path, text, 0o600);
    } catch (error) {
      throw new DeviceError(`${path}: ${writeFault(path, error)}`);
    }
  };
  if (!write()) {
    checkFree(file, path, pause);
    rmSync(path);
    if (!write()) throw new DeviceError(`${file}: another process uses it`);
  }
  const touching = setInterval(() => touch(path), TOUCH_MS).unref();
  return () => {
    clearInterval(touching);
    // One that another gateway wrote meanwhile is that one's.
    if (existsSync(path) && textIn(path) === text) rmSync(path, { force: true });
  };
}

/** Throws a DeviceError if somebody holds the lock. */
function checkFree(file: string, path: string, pause: (ms: number) => void): void {
  const text = textIn(path);
  if (isForeign(text)) {
    if (isAlive(path, pause))
      throw new DeviceError(
        `${file}: a gateway of another machine or container uses it; end that, or give this one a store of its own`,
      );
    return;
  }
  const holder = readHolder(text);
  if (holder !== undefined)
    throw new DeviceError(`${file}: process ${holder} uses it; if that is no gateway, remove ${path}`);
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {} // somebody removed it
}
