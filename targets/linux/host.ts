import type { BlockDevice } from "../../src/store/block-device.ts";

/** A program's view of its process: the C functions of program.c. */
export class LinuxHost {
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

  slots(): number {
    return native("host_slots").call(this);
  }

  chunks(): number {
    return native("host_chunks").call(this);
  }

  collect(): void {
    native("host_collect").call(this);
  }

  /** Timers and sockets keep the program running after its module has run, if `stays`. */
  stay(stays: boolean): void {
    native("host_stay").call(this, stays);
  }

  /** Milliseconds from any moment on, of a clock that nobody sets. */
  milliseconds(): number {
    return native("host_milliseconds").call(this);
  }

  /** 1 if the program has a mod; -1 if XS can't map its archive. */
  mod(): number {
    return native("host_mod").call(this);
  }

  /** 32 bits, different at each start; `Math.random` gives each process the same. */
  noise(): number {
    return native("host_noise").call(this);
  }
}

/** Stdin, whose end ends a node that is fed. */
export class StandardInput {
  private readonly byte = new Uint8Array(1);

  /** Discards a byte that has come; never waits. */
  hasEnded(): boolean {
    return this.take(this.byte) < 0;
  }

  private take(to: Uint8Array): number {
    return native("host_read").call(this, to);
  }
}

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
