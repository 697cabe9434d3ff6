import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DeviceError } from "../../host/errors.ts";
import type { Address } from "./address.ts";

/** The name of a group of this system; its number if it has none. */
function groupName(gid: number): string {
  try {
    const line = readFileSync("/etc/group", "utf8")
      .split("\n")
      .find((entry) => Number(entry.split(":")[2]) === gid);
    return line?.split(":")[0] || String(gid);
  } catch {
    return String(gid);
  }
}

/** A socket to be made needs its folder; the system reports a missing folder as a permission error, too. */
function permissionFault(path: string): string {
  if (existsSync(path)) return `no permission to read and write it; ${permissionCure(path)}`;
  const folder = dirname(path);
  return existsSync(folder) ? `no permission to write into ${folder}` : `no folder ${folder}`;
}

function permissionCure(path: string): string {
  const { gid, mode } = statSync(path);
  if (gid === 0 || (mode & 0o060) !== 0o060) return `its mode is ${(mode & 0o777).toString(8)}`;
  const group = groupName(gid);
  return `join its group ${group}: sudo usermod -aG ${group} $USER, and log in again`;
}

const UNKNOWN_AUTHORITY =
  "nobody known vouches for the broker's certificate; give the certificate of who does: --ca FILE, or ca in the fleet file";

const REASONS: { readonly [code: string]: string } = {
  ENOENT: "no such device or socket",
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "the host can't be reached",
  ETIMEDOUT: "no answer",
  ECONNRESET: "the other end closed it",
  EPIPE: "the other end closed it",
  EISDIR: "a folder, not a device",
  ENOTSOCK: "not a socket",
  EADDRINUSE: "something listens there already",
  EADDRNOTAVAIL: "not an address of this machine",
  CERT_HAS_EXPIRED: "the broker's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/** The system's errors for a device that was unplugged. */
const GONE = ["EIO", "ENXIO", "EBADF"];

/**
 * Why a serial device closed by itself. When its other end is gone, `serialport` reports "disconnected", with
 * the poll's "bad file descriptor" as reason, or a write fails. A pseudo-terminal has a program behind it,
 * any other device has hardware.
 */
export function serialLoss(
  device: string,
  error: (NodeJS.ErrnoException & { readonly disconnected?: boolean }) | undefined,
): Error | undefined {
  if (!error?.disconnected && !GONE.includes(error?.code ?? "")) return error;
  const isPty = /^\/dev\/(pts\/|ttys)/.test(device);
  return new Error(isPty ? REASONS.EPIPE : "the device was unplugged or switched off");
}

/** What `serialport` says of a device that another program has locked: on Unix, and on Windows. */
const LOCKED = /Cannot lock port|Resource busy|Opening COM\d+: Access denied/i;

function holderCure(path: string | undefined): string {
  const who = path === undefined || process.platform === "win32" ? "" : ` (fuser ${path} prints its number)`;
  return `end that program${who}, or have both use one motelearn monitor --share`;
}

/** Why a port can't be opened or was lost, in one line; without permission, with the group to join; held by another program, how to find that. */
export function portFault(name: string, address: Address, error: NodeJS.ErrnoException): DeviceError {
  const path = "path" in address ? address.path : undefined;
  if ((error.code === "EACCES" || error.code === "EPERM") && path !== undefined) {
    return new DeviceError(`${name}: ${permissionFault(path)}`);
  }
  if (error.code === "EBUSY" || LOCKED.test(error.message))
    return new DeviceError(`${name}: another program holds it; ${holderCure(path)}`, { cause: error });
  if (/ioctl/.test(error.message)) return new DeviceError(`${name}: not a serial device`);
  const reason = REASONS[error.code ?? ""] ?? error.message.replace(/^Error:?\s*/, "");
  return new DeviceError(`${name}: ${reason}`, { cause: error });
}
