import type { DeviceError } from "../../host/errors.ts";
import type { ClassNames } from "../../host/streams/class-names.ts";
import type { Clock } from "../../src/node/ports.ts";
import type { PeerOptions } from "../../src/peer/peer.ts";
import type { Message, MessageName, UpName } from "../../src/wire/messages.ts";
import type { Address } from "../ports/address.ts";
import type { SerialOptions } from "../ports/channel.ts";
import type { Hello } from "./hello.ts";

/** One of those messages, with its name in front: where the name is known, so are the fields. */
export type NamedMessage<N extends MessageName> = { [M in N]: [name: M, message: Message<M>] }[N];

/** A message of the node. */
export type Received = NamedMessage<UpName>;

/** A peer's listener of such messages. The compiler doesn't know that each comes with its name. */
export function hearing(listen: (...received: Received) => void): NonNullable<PeerOptions["on"]> {
  return listen as NonNullable<PeerOptions["on"]>;
}

/** A session's events, besides the node's messages. */
export interface SessionEvents {
  /** A message of the node, before the peer acts upon it; the record is only valid during the call. */
  message?: (...received: Received) => void;
  /** The node was met, or started again; called once for each start, after the peer processed its hello. */
  started?: (hello: Hello) => void;
  /** The node said what it is, or that it doesn't say: `session.description`; its classes follow. Once for each start. */
  described?: (classes: ClassNames | undefined) => void;
  /** The peer sent what was due, at each input and each tick. An error that it throws ends the session. */
  turned?: () => void;
  /** The link was lost, and is open again. */
  lost?: (error: DeviceError) => void;
  reopened?: () => void;
  /** Why nothing can be sent or taught though the node is heard; undefined: it can again. */
  obstructed?: (why: string | undefined) => void;
  /** The two ends' tables of messages differ in these. */
  differences?: (messages: readonly string[]) => void;
}

export interface SessionOptions {
  /** The port's address: a device, tcp://HOST:PORT, unix:PATH. */
  readonly port: string;
  /** The actual address; default: the port's. */
  readonly address?: Address;
  readonly serial?: SerialOptions;
  /** Certificates, PEM, of those who vouch for a broker at `mqtts://`; default: those that Node.js knows. */
  readonly ca?: string;
  readonly labels?: PeerOptions["labels"];
  readonly samples?: PeerOptions["samples"];
  readonly window?: number;
  readonly events?: SessionEvents;
  /**
   * Seconds that the port may be closed, the node silent, or nothing sendable, before waiting ends in a
   * DeviceError; 0: no limit. Default `GIVE_UP_S`, 30.
   */
  readonly giveUp?: number;
  /** The node's key, 16 bytes; default none: a keyed node isn't met. */
  readonly key?: Uint8Array;
  /** Milliseconds between two turns without input, up to 100; default 20. */
  readonly tickMs?: number;
  /** The clock for waiting and for repeated requests; default: this machine's. */
  readonly clock?: Clock;
}

/** The options that may change while a node runs. */
export type Configuration = Omit<Message<"configuration">, "length">;
