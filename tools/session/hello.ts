import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import type { NodePosition } from "../../src/peer/position.ts";
import { CRASHES, type Message, RESET_REASONS } from "../../src/wire/messages.ts";
import { readText } from "../../src/wire/receiver.ts";

const RESTORE_NAMES = Object.keys(RESTORE_STATUS) as (keyof typeof RESTORE_STATUS)[];

/** Message hello for people and programs: names instead of codes. */
export interface Hello extends Readonly<NodePosition> {
  readonly protocol: number;
  readonly restore: string;
  /** The reason for the start, see `readReset`; whether its firmware crashed. */
  readonly reset: string;
  readonly crash: boolean;
  readonly since: number;
  readonly dimension: number;
  readonly plan: number;
  /** Hash of the self-test; null if it didn't run. */
  readonly selfTest: number | null;
  /** Samples that wait for a label, and their most. */
  readonly waiting: number;
  readonly pending: number;
  /** Bytes of the transport's FIFO. */
  readonly fifo: number;
  readonly firmware: string;
  readonly learner: string;
}

/** Why a node started: the name of the reason, and whether its firmware failed. */
interface Reset {
  readonly name: string;
  readonly crash: boolean;
}

/** Why a node started, by the code on the wire; a code of later firmware is no crash. */
export function readReset(code: number): Reset {
  return { name: RESET_REASONS[code] ?? `reason ${code}`, crash: CRASHES.includes(code) };
}

/** The same for people, who look for crashes. */
export function resetText({ name, crash }: Reset): string {
  return crash ? `crash (${name})` : name;
}

/** A copy of the record, which stays. */
export function readHello(message: Message<"hello">): Hello {
  const { protocol, boot, sid, seq, labelled, durable, since, channels, dimension, plan } = message;
  const { waiting, pending, labelWindow, fifo, frame } = message;
  return {
    protocol,
    restore: RESTORE_NAMES[message.restore] ?? `status ${message.restore}`,
    reset: readReset(message.reset).name,
    crash: readReset(message.reset).crash,
    fed: message.fed !== 0,
    boot,
    sid,
    seq,
    labelled,
    durable,
    since,
    channels,
    dimension,
    plan,
    selfTest: message.tests === 0 ? null : message.selfTest,
    waiting,
    pending,
    labelWindow,
    fifo,
    frame,
    firmware: readText(message.firmware),
    learner: readText(message.learner),
  };
}
