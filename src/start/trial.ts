import type { Clock, FirmwareSlots } from "../node/ports.ts";
import type { Image } from "../store/paged-image.ts";

/** Milliseconds within which a peer must welcome firmware on trial. */
export const TRIAL_MS = 120_000;

/**
 * The trial of firmware received over the wire. It stays once a peer welcomes its hello, and falls back if none does in
 * two minutes. On a board with two slots the bootloader falls back, too, if the firmware restarts before.
 */
export class Trial {
  private on: boolean;
  private readonly start: number;

  constructor(
    private readonly slots: FirmwareSlots,
    private readonly clock: Clock,
  ) {
    this.on = slots.trial();
    this.start = clock.now();
  }

  /** True if the trial still runs. */
  get isOn(): boolean {
    return this.on;
  }

  /**
   * Falls back if the self-test gave another hash than the firmware's sender expects; 0: the sender expects none. So it does if the slot
   * doesn't describe the firmware any more: the image after it had begun when a cut brought this one back.
   */
  judge(image: Image | undefined, found: number): void {
    const expected = image?.selfTest;
    if (this.on && expected !== 0 && expected !== found) this.fallBack();
  }

  turn(welcomed: boolean): void {
    if (!this.on) return;
    if (welcomed) this.on = !this.slots.confirm();
    else if (this.clock.now() - this.start >= TRIAL_MS) this.fallBack();
  }

  private fallBack(): void {
    this.on = false;
    this.slots.revert();
  }
}
