// Why a node that is heard can't be understood or taught: lines for people.
import { DeviceError } from "../../host/errors.ts";
import type { Peer } from "../../src/peer/peer.ts";
import { PROTOCOL } from "../../src/wire/messages.ts";
import type { Hello } from "./hello.ts";

/** The baud rate of a port that was given none. */
const USUAL_BAUD = 115200;

/** Why nothing can be sent to a node though it is heard; undefined if it can. */
export function creditObstacle({ holder, ungrantedSince, unansweredSince }: Peer): string | undefined {
  if (ungrantedSince === undefined) {
    return unansweredSince === undefined ? undefined : "the node answers no label that is sent to it";
  }
  if (holder === undefined) return "the node is heard, and grants no credit: nothing can be sent to it";
  const id = holder.toString(16).padStart(8, "0");
  return `another program holds the node (peer ${id}); end it, or have both use one monitor --share`;
}

/** The message about a node with another protocol than this program's. */
export function otherProtocol(port: string, spoken: number): DeviceError {
  return new DeviceError(
    `${port}: the node speaks protocol ${spoken}, this tool ${PROTOCOL}; flash the node again, or use the motelearn that it was flashed with`,
  );
}

/** A node's frames don't fit the key. */
export function wrongKey(key: Uint8Array | undefined): string {
  return key
    ? "every frame comes with another key, or none: is --key the node's?"
    : "the node is keyed: give --key FILE";
}

/** So many bytes came, and no frame was among them; `change`: what the line does to them. */
export function strangeBytes(received: number, change: string | undefined, baud = USUAL_BAUD): string {
  if (received === 0) return "nothing comes from a node";
  return change ?? `${received} bytes came and no frame was among them: is ${baud} the node's baud rate?`;
}

/** The message about a node that was asked for a rollback, and started without one, or without saying so. */
export function startedByItself(port: string, { seq, labelled }: Hello): DeviceError {
  return new DeviceError(
    `${port}: the node started before it answered: it resumes after sample ${seq} and label ${labelled}`,
  );
}
