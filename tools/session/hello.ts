import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import type { Message } from "../../src/wire/messages.ts";
import { textOf } from "../../src/wire/receiver.ts";

const RESTORE_NAMES = Object.keys(RESTORE_STATUS) as (keyof typeof RESTORE_STATUS)[];
const RESET_NAMES = [
  "unknown",
  "power",
  "external",
  "software",
  "watchdog",
  "brownout",
  "exception",
  "memory",
] as const;

/** Message hello for people and programs: names instead of codes. */
export interface Hello {
  readonly protocol: number;
  readonly restore: string;
  readonly reset: string;
  readonly fed: boolean;
  readonly boot: number;
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly durable: number;
  readonly since: number;
  readonly channels: number;
  readonly dimension: number;
  readonly plan: number;
  readonly selfTest: number;
  readonly firmware: string;
  readonly learner: string;
}

/** The name of a reset's reason. */
export function resetName(reason: number): string {
  return RESET_NAMES[reason] ?? `reason ${reason}`;
}

/** A copy of the record, which stays. */
export function helloOf(message: Message<"hello">): Hello {
  const { protocol, boot, sid, seq, labelled, durable, since, channels, dimension, plan, selfTest } = message;
  return {
    protocol,
    restore: RESTORE_NAMES[message.restore] ?? `status ${message.restore}`,
    reset: resetName(message.reset),
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
    selfTest,
    firmware: textOf(message.firmware),
    learner: textOf(message.learner),
  };
}
