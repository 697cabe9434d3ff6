import { Wave } from "./wave.ts";

/** `embedded:io/analog`: each pin reads its own wave. */
export default class Analog {
  readonly resolution: number;
  private readonly wave: Wave;

  constructor({ pin, resolution = 12 }: { pin: number; resolution?: number }) {
    this.resolution = resolution;
    this.wave = new Wave(pin);
  }

  read(): number {
    return Math.floor(this.wave.next() * 2 ** this.resolution);
  }

  close(): void {}
}
