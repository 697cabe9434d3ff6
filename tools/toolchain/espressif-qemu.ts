/** Espressif's QEMU, which ESP-IDF installs: the whole chip, from its ROM on, with the flash in a file. */

import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { DeviceError, UserError } from "../../host/errors.ts";
import { listens } from "../../host/listens.ts";
import { BOARDS, type BoardSdk, TARGETS, type Target } from "../../targets/boards.ts";

/** The TCP port that Espressif's own tools take for QEMU's UART. */
export const UART_PORT = 5555;

export const QEMU_TARGETS = TARGETS.filter((name) => (BOARDS[name].sdk as BoardSdk).qemu !== undefined);

/** The package of ESP-IDF with a target's QEMU. Throws a UserError if Espressif has none for it. */
export function qemuPackage(target: Target): string {
  const { qemu }: BoardSdk = BOARDS[target].sdk;
  if (qemu) return qemu;
  const names = QEMU_TARGETS.join(", ");
  throw new UserError(`--emulate: Espressif's QEMU doesn't emulate ${target}; takes ${names}`);
}

export function qemuProgram(name: string): string {
  return name.replace("qemu-", "qemu-system-");
}

/** A board in QEMU: its target, its flash, and the TCP port of this machine at which its UART 0 listens. */
export interface EmulatedBoard {
  readonly target: Target;
  readonly flash: string;
  readonly port: number;
  /** True if it has an Ethernet: a network of its own, where this machine is 10.0.2.2. */
  readonly ethernet?: boolean;
}

/** This machine in an emulated board's network. */
export const EMULATED_HOST = "10.0.2.2";

/** Each instruction takes 2 ** 3 ns of the board's time: deterministic, and a CPU of 125 MHz, as Espressif recommends. */
const ICOUNT = "3";

/** The command that starts it. */
export function qemuWords({ target, flash, port, ethernet }: EmulatedBoard): string[] {
  const uart = `tcp:127.0.0.1:${port},server=on,wait=off`;
  return [
    ...[qemuProgram(qemuPackage(target)), "-M", target, "-icount", ICOUNT],
    ...["-drive", `file=${flash.replaceAll(",", ",,")},if=mtd,format=raw`],
    ...["-serial", uart, "-monitor", "none", "-display", "none"],
    ...(ethernet ? ["-nic", "user,model=open_eth"] : []),
  ];
}

interface StartedQemu {
  /** Resolves when it has ended, with its last line on stderr. */
  readonly ended: Promise<string>;
  /** Ends it: to the board a power cut. */
  stop(): void;
}

const TRY_MS = 50;
const START_MS = 20_000;

function lastLine(text: string, program: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return line.replace(`${program}: `, "") || "it ended by itself";
}

function awaitEnd(child: ChildProcess, program: string): Promise<string> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve(`can't be run (${error.code})`));
    child.once("close", () => resolve(lastLine(said, program)));
  });
}

/** Starts it, and waits until its UART listens. Rejects with a DeviceError that says why it doesn't. */
async function startQemu(board: EmulatedBoard): Promise<StartedQemu> {
  const wire = { port: board.port, host: "127.0.0.1" };
  if (await listens(wire))
    throw new UserError(`--tcp ${board.port}: another program listens there; give another port`);
  const [program, ...words] = qemuWords(board);
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"] });
  let why: string | undefined;
  const ended = awaitEnd(child, program).then((line) => {
    why = line;
    return line;
  });
  const started = performance.now();
  while (why === undefined && performance.now() - started < START_MS) {
    if (await listens(wire)) return { ended, stop: () => void child.kill("SIGKILL") };
    await pause(TRY_MS);
  }
  child.kill("SIGKILL");
  throw new DeviceError(`${program}: ${why ?? "its UART doesn't listen"}`);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a board until this process is asked to end; does `act` meanwhile. Rejects with act's error, or with a
 * DeviceError if QEMU ends by itself. In any case QEMU has ended afterwards, and the flash file stays.
 */
export async function runQemu(board: EmulatedBoard, act: () => Promise<void>): Promise<void> {
  const qemu = await startQemu(board);
  let asked = false;
  const end = () => {
    asked = true;
    qemu.stop();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await Promise.race([act(), qemu.ended]);
    const line = await qemu.ended;
    if (!asked) throw new DeviceError(`${qemuWords(board)[0]}: ${line}`);
  } catch (error) {
    if (!asked) throw error;
  } finally {
    qemu.stop();
    await qemu.ended;
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
