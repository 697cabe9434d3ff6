// A whole node on the emulated board: its wire is a socket or a pty, its flash a file, and its power can be
// cut. For tests, and for `npm run board`, which tries the tools without hardware.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boardCommand, buildFirmware } from "./device.mjs";
import { buildLinux } from "./engine.mjs";

/** A line of machine/firmware.c. */
const STACK = /^stack: (\d+) of (\d+) slots$/;
/** QEMU takes a file of exactly the bank's size. */
const FLASH_BYTES = 32 * 1024 * 1024;

/** The file of a bank of flash: empty flash unless it is there. Returns its path. */
export function flashFile(path) {
  if (!existsSync(path)) writeFileSync(path, Buffer.alloc(FLASH_BYTES, 0xff));
  return path;
}

/**
 * Builds the firmware for a chip (chips.mjs), unless it exists, from a script whose `main` the machine calls. `say` gets lines while that
 * takes long.
 */
export async function boardFirmware(chip, script, say) {
  return buildFirmware(chip, await buildLinux(say), script, say);
}

/** QEMU's end of the wire. Each start makes a new socket. */
function wire({ unix, tcp, pty }) {
  if (unix) return `socket,id=wire,path=${unix},server=on,wait=off`;
  if (tcp) return `socket,id=wire,host=127.0.0.1,port=${tcp},server=on,wait=off`;
  if (pty) return "pty,id=wire";
  throw new RangeError("board: uart: got none; takes { unix: PATH }, { tcp: PORT } or { pty: PATH }");
}

/** QEMU's output until it runs: its control channel sends a greeting once all devices exist. */
function greeting(child) {
  return new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes('"QMP"')) done(said);
    });
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    child.on("close", () => fail(new Error(`board: QEMU ended: ${said.trim()}`)));
  });
}

/** Running boards, which end with this process. */
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

class EmulatedBoard {
  starts = 0;

  constructor({ firmware, argument, uart, flash }) {
    this.uart = uart;
    this.folder = mkdtempSync(join(tmpdir(), "motelearn-"));
    this.printed = join(this.folder, "printed");
    const text = join(this.folder, "argument");
    writeFileSync(text, `${JSON.stringify(argument)}\0`);
    this.command = boardCommand(firmware, text, this.printed, flashFile(flash));
    this.ends = ["-chardev", wire(uart), "-serial", "chardev:wire", "-qmp", "stdio"];
  }

  /** Powers the board on. It starts from its flash. */
  async start() {
    this.starts++;
    const usual = process.umask(0o077); // only the user may open the wire's socket, since whoever writes there can teach
    this.child = spawn(this.command.program, [...this.command.arguments(), ...this.ends]);
    process.umask(usual);
    running.add(this.child);
    this.ended = new Promise((done) => this.child.on("close", done));
    const said = await greeting(this.child);
    if (!this.uart.pty) return;
    rmSync(this.uart.pty, { force: true });
    symlinkSync(/redirected to (\S+)/.exec(said)[1], this.uart.pty);
  }

  /** Cuts the power at any time. */
  async cutPower() {
    this.child.kill("SIGKILL");
    await this.ended;
    running.delete(this.child);
  }

  async reboot() {
    await this.cutPower();
    await this.start();
  }

  /** All that the firmware printed since its last start. */
  printedLines() {
    return readFileSync(this.printed, "utf8")
      .split(/\r?\n/)
      .filter((line) => line !== "");
  }

  /** What it printed but for its stack's depth: nothing unless it failed. */
  lines() {
    return this.printedLines().filter((line) => !STACK.test(line));
  }

  /** Slots of XS's stack that were ever in use since its last start, and how many there are. */
  stack() {
    const lines = this.printedLines().filter((line) => STACK.test(line));
    const [, used, slots] = STACK.exec(lines.at(-1)) ?? [];
    return used && { used: Number(used), slots: Number(slots) };
  }

  /** Cuts the power for good. The flash's file stays. */
  async close() {
    await this.cutPower();
    rmSync(this.folder, { recursive: true });
    if (this.uart.pty) rmSync(this.uart.pty, { force: true });
  }
}

/**
 * Starts a board: `firmware` by `boardFirmware`, `argument` a StationArgument (programs/station.ts), `uart`
 * the end of its wire, `{ unix: PATH }`, `{ tcp: PORT }` or `{ pty: PATH }` (a link to the pty, which a
 * reboot leads to the next), `flash` a file, made if it is missing. Its time is the host's.
 */
export async function startBoard(options) {
  const board = new EmulatedBoard(options);
  await board.start();
  return board;
}
