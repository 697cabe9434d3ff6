import { UserError } from "../cli/exit.ts";

/** Where the bytes come from and go to. */
export type Address =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "serial"; readonly path: string };

/** Bytes of a socket's path: the system cuts a longer one, and so means another file. */
const UNIX_PATH_MAX = process.platform === "linux" ? 107 : 103;

const TAKES = "takes a device such as /dev/ttyUSB0 or COM3, tcp://HOST:PORT or unix:PATH";

/**
 * Reads an address: `tcp://HOST:PORT`, `unix:PATH`, or the path of a serial device or pty. Throws a UserError.
 *
 *     parseAddress("tcp://[::1]:4000") // { kind: "tcp", host: "::1", port: 4000 }
 */
export function parseAddress(text: string): Address {
  if (text.startsWith("tcp:")) return tcpAddress(text);
  if (text.startsWith("unix:")) {
    const path = text.slice("unix:".length);
    if (path === "") throw new UserError(`${text}: no path; ${TAKES}`);
    if (Buffer.byteLength(path) > UNIX_PATH_MAX)
      throw new UserError(`${text}: a socket's path has at most ${UNIX_PATH_MAX} bytes; give a shorter one`);
    return { kind: "unix", path };
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new UserError(`${text}: not the address of a port; ${TAKES}`);
  if (!text.includes("/") && !/^COM\d+$/i.test(text)) {
    throw new UserError(`${text === "" ? '""' : text}: not the address of a port; ${TAKES}`);
  }
  return { kind: "serial", path: text };
}

function tcpAddress(text: string): Address {
  const parts = /^tcp:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (!parts || port > 65535)
    throw new UserError(`${text}: not an address; takes tcp://HOST:PORT, PORT 0..65535`);
  return { kind: "tcp", host: parts[1] ?? parts[2], port };
}
