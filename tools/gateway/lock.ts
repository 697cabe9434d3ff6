import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DeviceError } from "../cli/exit.ts";
import { writeFault } from "../cli/write-fault.ts";

/** Whether a process has that number; one of another user counts. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function holderIn(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    throw new DeviceError(`${path}: can't be read (${(error as NodeJS.ErrnoException).code}); remove it`);
  }
}

/**
 * Locks `FILE.pid`, so that two gateways never use one database, and takes over a killed process's lock.
 * Throws a DeviceError if a running process holds it, or it can't be written. Returns a function that
 * releases it.
 */
export function lock(file: string): () => void {
  const path = `${file}.pid`;
  const write = () => writeFileSync(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") {
      rmSync(path, { force: true }); // a full disk takes the name, and no byte
      throw new DeviceError(`${path}: ${writeFault(path, error)}`);
    }
    const holder = Number(holderIn(path));
    if (holder !== process.pid && Number.isInteger(holder) && holder > 0 && runs(holder))
      throw new DeviceError(`${file}: process ${holder} uses it; if that is no gateway, remove ${path}`);
    rmSync(path);
    write();
  }
  return () => rmSync(path, { force: true });
}
