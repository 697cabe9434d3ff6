import { parseNumber } from "../../host/streams/numbers.ts";
import { parseQuantity } from "../../host/streams/quantity.ts";
import {
  isClock,
  isElapsed,
  joinClock,
  parseDate,
  parseElapsed,
  UNIT_SECONDS,
} from "../../host/streams/time-text.ts";
import type { Column } from "./column.ts";
import { StepCounts } from "./step-counts.ts";
import { GAP, STEADY_SHARE, STEP_SPREAD } from "./times.ts";

const DAY_SECONDS = 86_400;
/** Any day without a change of summer time. */
const SOME_DAY = "2026-01-15";

/** The seconds of a time of the day, or of one with days before it; NaN for another text, and for 1:05, which may be of minutes. */
function secondsOfDay(text: string): number {
  if (!/\d\D+\d+\D+\d/.test(text)) return Number.NaN;
  if (isClock(text)) return parseDate(joinClock(SOME_DAY, text)) / 1000;
  return isElapsed(text) ? parseElapsed(text, "s") / 1000 : Number.NaN;
}

/** The number of a cell with its unit, such as "0.1 sec". */
const readQuantity = (cell: string) => parseNumber(parseQuantity(cell)?.number ?? "");

/** The steps of a column that may be a clock: numbers, or times of the day. */
export class ClockSteps {
  private readonly steps = new StepCounts();
  private sum = 0;
  private last = Number.NaN;

  /** @param isNamed whether its numbers may be a clock. */
  constructor(private readonly isNamed: boolean) {}

  /** @param number that the cell holds; NaN for none. */
  take(cell: string, number: number): void {
    const own = this.isNamed && Number.isNaN(number) ? readQuantity(cell) : number;
    const isNumber = !Number.isNaN(own);
    const at = isNumber ? (this.isNamed ? own : Number.NaN) : secondsOfDay(cell);
    if (Number.isNaN(at)) return;
    const step = at - this.last;
    this.last = at;
    if (Number.isNaN(step)) return;
    const onward = !isNumber && step < -DAY_SECONDS / 2 ? step + DAY_SECONDS : step;
    this.sum += onward;
    this.steps.add(onward);
  }

  /** The median step or, of steady ones without a gap, their mean; and whether they are steady. Undefined without a step. */
  found(): { readonly step: number; readonly mean: number; readonly isSteady: boolean } | undefined {
    const { steps, sum } = this;
    if (steps.total === 0) return undefined;
    const [median, mean] = [steps.median(), sum / steps.total];
    const near = steps.count((step) => Math.abs(step - median) <= STEP_SPREAD * median);
    const isSteady = median > 0 && near >= STEADY_SHARE * steps.total;
    const isWhole = steps.count((step) => step < 0 || step > GAP * median) === 0;
    return { step: isSteady && isWhole ? mean : median, mean, isSteady };
  }
}

/** A clock of the recording's own, whose rows may have no date. */
export interface OwnClock {
  readonly place: number;
  /** From one row to the next, in its unit; 0 if it stands still for most. */
  readonly step: number;
  /** The mean of all steps, in its unit. */
  readonly mean: number;
  /** Of its unit, where that is known: by its name, as it has times of the day, or, of fractions, as a guess. */
  readonly unitSeconds?: number;
  /** The seconds of a steady step. */
  readonly stepSeconds?: number;
}

/** The first clock whose steps give a rate, or else the first; undefined without one. */
export function ownClock(columns: readonly Column[], clocks: readonly ClockSteps[]): OwnClock | undefined {
  const found = columns.flatMap((column, place): OwnClock[] => {
    const steps = column.isClock || column.isTimeOfDay ? clocks[place].found() : undefined;
    if (!steps) return [];
    const { step, mean, isSteady } = steps;
    const unitSeconds = unitSecondsIn(column);
    const isKnown = unitSeconds !== undefined;
    return [
      {
        ...{ place, step, mean },
        ...(isKnown && { unitSeconds }),
        ...(isKnown && isSteady && { stepSeconds: step * unitSeconds }),
      },
    ];
  });
  return found.find(({ stepSeconds }) => stepSeconds !== undefined) ?? found[0];
}

/** The seconds of a clock's unit; undefined where nothing says it. */
function unitSecondsIn({ isTimeOfDay, clockUnit, hasFractions }: Column): number | undefined {
  if (isTimeOfDay) return 1;
  return clockUnit ? UNIT_SECONDS[clockUnit] : hasFractions ? 1 : undefined;
}
