import type { AlarmState } from "../api/node-state.ts";

/** An alarm of the fleet file: what raises it, and when it goes on and off. */
export interface AlarmRule {
  readonly name: string;
  /** The classes that raise it, by names or numbers. */
  readonly classes?: readonly (string | number)[];
  /** Or the seconds without a sample that do. */
  readonly silentSeconds?: number;
  /** The nodes that it watches; default: all that can raise it. */
  readonly nodes?: readonly string[];
  /** It goes on after this many samples in a row that last this many seconds. */
  readonly onSamples?: number;
  readonly onSeconds?: number;
  /** The same until it goes off. */
  readonly offSamples?: number;
  readonly offSeconds?: number;
}

/** Samples in a row that switch an alarm of classes, and one of silence. */
const SAMPLES_OF_CLASS = 3;
const SAMPLES_OF_SILENCE = 1;
const SECOND_MS = 1000;

/** A moment by a clock that nobody sets, and by the machine's, in milliseconds. */
export interface Moment {
  readonly elapsed: number;
  readonly time: number;
}

/** One alarm of one node. It is switched by observations in a row that agree, so that a single one does nothing. */
export class Alarm {
  private run = 0;
  private began: Moment = { elapsed: 0, time: 0 };

  constructor(
    readonly rule: AlarmRule,
    public state: AlarmState = { name: rule.name, on: false },
  ) {}

  /** Takes one more observation: whether what raises the alarm is there. Returns whether the alarm switched. */
  observe(raised: boolean, at: Moment): boolean {
    if (raised === this.state.on) {
      this.run = 0;
      return false;
    }
    if (this.run++ === 0) this.began = at;
    const { samples, seconds } = this.needs(raised);
    if (this.run < samples || at.elapsed - this.began.elapsed < SECOND_MS * seconds) return false;
    this.run = 0;
    this.state = { name: this.rule.name, on: raised, since: this.began.time };
    return true;
  }

  private needs(raised: boolean): { readonly samples: number; readonly seconds: number } {
    const { silentSeconds, onSamples, onSeconds = 0, offSamples, offSeconds = 0 } = this.rule;
    const usual = silentSeconds === undefined ? SAMPLES_OF_CLASS : SAMPLES_OF_SILENCE;
    if (!raised) return { samples: offSamples ?? usual, seconds: offSeconds };
    // Silence has no samples, and lasts already.
    if (silentSeconds !== undefined) return { samples: 1, seconds: 0 };
    return { samples: onSamples ?? usual, seconds: onSeconds };
  }
}
