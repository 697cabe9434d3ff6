import { Wave } from "./wave.ts";

/** `embedded:io/digital`: an input is high while its wave is in the upper half; an output has no effect. */
export default class Digital {
  static readonly Input = 0;
  static readonly InputPullUp = 1;
  static readonly InputPullDown = 2;
  static readonly InputPullUpDown = 3;
  static readonly Output = 8;
  static readonly OutputOpenDrain = 9;
  static readonly Rising = 1;
  static readonly Falling = 2;
  private readonly wave: Wave;

  constructor({ pin }: { pin: number }) {
    this.wave = new Wave(pin);
  }

  read(): 0 | 1 {
    return this.wave.next() > 0.5 ? 1 : 0;
  }

  write(): void {}
  close(): void {}
}
