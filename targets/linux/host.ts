import type { BytePort } from "../../src/node/ports.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import type { Host } from "../emulator/programs/host.ts";

/**
 * A program's view of its process: the C functions of program.c. A process doesn't count its instructions.
 */
export class LinuxHost implements Host {
  print(line: string): void {
    native("host_print").call(this, line);
  }

  argument(): string {
    return native("host_argument").call(this);
  }

  /** A file's text. Throws if it can't be read. */
  text(path: string): string {
    return native("host_text").call(this, path);
  }

  /** A file's bytes. Throws if it can't be read. */
  bytes(path: string): ArrayBuffer {
    return native("host_bytes").call(this, path);
  }

  move(to: Uint8Array, from: Uint8Array, count: number): void {
    for (let i = 0; i < count; i++) to[i] = from[i];
  }

  slots(): number {
    return native("host_slots").call(this);
  }

  chunks(): number {
    return native("host_chunks").call(this);
  }

  collections(): number {
    return native("host_collections").call(this);
  }

  collect(): void {
    native("host_collect").call(this);
  }

  instructions(): number {
    return 0;
  }

  watchStack(): void {}

  stack(): number {
    return 0;
  }

  /** True if timers and sockets keep the program running after its module has run. */
  stay(stays: boolean): void {
    native("host_stay").call(this, stays);
  }

  /** 1 if the program has a mod; -1 if XS can't map its archive. */
  mod(): number {
    return native("host_mod").call(this);
  }

  feed(): void {}

  /** 32 bits, different at each start; `Math.random` gives each process the same. */
  noise(): number {
    return native("host_noise").call(this);
  }
}

/** Stdin and stdout as a node's port; `ended` once stdin is. */
export class StandardPort implements BytePort {
  ended = false;

  read(to: Uint8Array): number {
    const count = this.take(to);
    if (count < 0) this.ended = true;
    return count < 0 ? 0 : count;
  }

  private take(to: Uint8Array): number {
    return native("host_read").call(this, to);
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    return native("host_write").call(this, bytes, from, to);
  }

  /** Waits for input, at most so many milliseconds. */
  pause(ms: number): void {
    native("host_pause").call(this, ms);
  }
}

/** A file as flash. */
export class FileFlash implements BlockDevice {
  readonly sectorBytes = 4096;
  readonly programBytes = 4;
  private readonly erased = new Uint8Array(this.sectorBytes).fill(0xff);

  /** Throws if the file can't be opened; makes it, erased, of that length. */
  constructor(
    path: string,
    readonly bytes: number,
  ) {
    this.open(path);
    for (let at = this.size(); at < bytes; at += this.sectorBytes) this.erase(at);
  }

  private open(path: string): void {
    native("host_open").call(this, path);
  }

  private size(): number {
    return native("host_flash_size").call(this);
  }

  erase(offset: number): boolean {
    return this.program(offset, this.erased);
  }

  read(offset: number, into: Uint8Array): boolean {
    return native("host_flash_read").call(this, offset, into);
  }

  program(offset: number, from: Uint8Array): boolean {
    return native("host_flash_write").call(this, offset, from);
  }
}
