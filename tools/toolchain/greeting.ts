/** Meets a node that was just flashed, over its wire. */
import { DifferentStateError } from "../../host/errors.ts";
import { printLine } from "../../host/terminal/print.ts";
import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { PASSWORD_VARIABLE } from "../ports/address.ts";
import { bitsText } from "../session/same-bits.ts";
import { sendCopy } from "../session/send-copy.ts";
import { type Firmware, sendFirmware } from "../session/send-firmware.ts";
import { Session } from "../session/session.ts";
import { brokerAddress, type NetworkFile } from "./network-file.ts";

/** Longest silence of a node while new firmware is on trial, seconds. */
const TRIAL_S = 150;
/** Longest silence of a node while it joins its Wi-Fi, seconds. */
const JOIN_S = 60;

/** What the flashed node must be, and what goes to it over its wire. */
export interface Greeting {
  readonly node: NodeOptions;
  readonly key?: Uint8Array;
  /** With which the state is tagged, if the node has one. */
  readonly labelKey?: Uint8Array;
  readonly firmware?: Firmware;
  readonly state?: GivenCopy;
  /** Longest silence, seconds; 0: any. */
  readonly giveUp?: number;
  /** Certificate, PEM, of who vouches for the broker of the node's wire. */
  readonly ca?: string;
}

/**
 * Sends the firmware if it goes over the wire, meets the flashed node, and compares its arithmetic, with its
 * learner's steps, to this machine's; then has it resume from the state. Throws a DifferentStateError if they differ.
 */
export async function greet(port: string, greeting: Greeting): Promise<void> {
  const { node, key, labelKey, firmware, state, giveUp, ca } = greeting;
  const session = await Session.open({ port, key, ca, giveUp: giveUp ?? (firmware && TRIAL_S) });
  try {
    if (firmware) await sendFirmware(session, firmware, printLine);
    const bits = await session.bits(node);
    if (bits.verdict === "different bits") throw new DifferentStateError(`${port}: ${bitsText(bits)}`);
    printLine(bitsText(bits));
    if (!state) return;
    const { seq, labelled } = await sendCopy(session, state, () => session.clock.now(), labelKey);
    printLine(`the node begins with the state after sample ${seq} and label ${labelled}`);
  } finally {
    await session.close();
  }
}

/**
 * Meets a flashed node at its broker, as the node's user there, unless the environment has another password. The node has a minute to join its
 * network, to learn the time, and to connect.
 */
export async function greetAtBroker({ network, authority }: NetworkFile, greeting: Greeting): Promise<void> {
  const { password } = network.broker;
  if (password !== undefined) process.env[PASSWORD_VARIABLE] ??= password;
  const { NodeAbsent } = await import("../ports/mqtt.ts"); // loaded late: it takes as long to load as the rest of a command
  const wanted = { giveUp: JOIN_S, ...greeting, ca: authority?.pem };
  for (const end = performance.now() + 1000 * JOIN_S; ; ) {
    try {
      return await greet(brokerAddress(network), wanted);
    } catch (error) {
      const isAbsent = (error as Error).cause instanceof NodeAbsent;
      if (!isAbsent || performance.now() > end) throw error;
    }
  }
}
