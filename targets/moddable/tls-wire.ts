/** The module `motelearn/tls`: TLS for a board's line to its broker, by the Mbed TLS of ESP-IDF. */
import SNTP from "sntp";
import Time from "time";
import type { BytePort } from "../../src/node/ports.ts";
import type { Socket } from "./mqtt-client.ts";
import { textBytes } from "./mqtt-line.ts";
import type { Network } from "./network.ts";
import { tlsSocket } from "./tls-socket.ts";

/** Asks the server for the time, every five seconds until it answers; sets the board's clock, and calls `then`. */
function setClock(host: string, then: () => void): void {
  new SNTP({ host }, (message, seconds) => {
    if (message === SNTP.error) return host; // asks again
    if (message !== SNTP.time) return undefined;
    Time.set(seconds as number);
    then();
    return undefined;
  });
}

/** Writes lines to a serial port, which it opens with the first; to none if the application has the port. */
function sayOn(serial: () => BytePort): (line: string) => void {
  let port: BytePort | undefined;
  return (line) => {
    const bytes = textBytes(`${line}\r\n`);
    try {
      port ??= serial();
      port.write(bytes, 0, bytes.length);
    } catch {} // the SDK's Serial throws if its port is open
  };
}

interface BoardTls {
  /** Trusts the stored certificate; without one, the broker's `ca` as text. */
  readonly socket: Socket;
  /** Calls `connect` at once, or, with the network's `time`, once the board's clock is set. */
  awaitClock(connect: () => void): void;
}

/** Why it refuses a broker it says in a line on `serial`. Throws a RangeError if there is no certificate. */
export function openTls(
  { broker: { ca = "" }, time }: Network,
  authority: ArrayBuffer | undefined,
  serial: () => BytePort,
): BoardTls {
  const bytes = authority ? new Uint8Array(authority) : textBytes(ca);
  return {
    socket: tlsSocket(bytes, time !== undefined, sayOn(serial)),
    awaitClock: (connect) => (time === undefined ? connect() : setClock(time, connect)),
  };
}
