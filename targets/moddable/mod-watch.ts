import type { OwnSensors } from "./own-sensors.ts";

const TRIAL_MS = 10_000;
const TRIAL_SAMPLES = 3;

/** Milliseconds of a mod's trial: ten seconds and three samples, `periodMs` from one to the next. */
export function trialMs(periodMs = 1000): number {
  return Math.max(TRIAL_MS, TRIAL_SAMPLES * periodMs);
}

/** Levels of message log. */
const ERROR = 0;
const NOTE = 2;

/** The end of the wire that reports the mod's outcome. */
interface ModReporter {
  /** True if a peer is there. */
  readonly welcomed: boolean;
  log(level: number, text: string): void;
}

/** Ends the trial of a node's mod once, and reports the mod, or its fault, to the first peer. */
export class ModWatch {
  private isTold: boolean;
  private onTrial: boolean;

  constructor(
    private readonly own: OwnSensors,
    private readonly teller: ModReporter,
  ) {
    this.onTrial = own.mod !== undefined;
    this.isTold = !this.onTrial && own.fault === undefined;
  }

  /** Called after each turn of the node. */
  turn(): void {
    if (!this.isTold && this.teller.welcomed) this.tell();
  }

  /** Called when `trialMs` have passed, or before deep sleep. */
  endTrial(): void {
    if (this.onTrial) this.own.mod?.endTrial();
    this.onTrial = false;
  }

  private tell(): void {
    this.isTold = true;
    const { fault } = this.own;
    if (fault === undefined) this.teller.log(NOTE, "mod in use");
    else this.teller.log(ERROR, `mod left out: ${fault}`);
  }
}
