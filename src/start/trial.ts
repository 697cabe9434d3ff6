import type { Clock, FirmwareSlots } from "../node/ports.ts";

/** Milliseconds within which firmware on trial must have been welcomed by a peer. */
export const TRIAL_MS = 120_000;

/**
 * The trial of firmware that came over the wire: it stays once a peer has welcomed its hello, and falls back if none does in
 * two minutes. On a board with flash for it the bootloader falls back, too, if it restarts before.
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

  /** Whether it goes on. */
  get isOn(): boolean {
    return this.on;
  }

  /** Falls back if the self-test came to another hash than whoever sent the firmware expects; 0: expects none. */
  judge(expected: number, found: number): void {
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
