import { retainedBytes, SLEEP_DEFAULTS } from "../src/start/sleep.ts";
import { ESP_ERASE, type Power, SLEEP_MEMORY_BYTES } from "./boards.ts";

/** A battery, and its node's schedule. */
export interface BatteryOptions {
  /** Milliampere hours. */
  readonly mAh: number;
  readonly periodMs: number;
  /** Milliseconds from the end of a sleep to the sample. */
  readonly wakeMs?: number;
  readonly talkEvery?: number;
  readonly talkMs?: number;
}

/**
 * From the end of a sleep to the sample: boot loader, ESP-IDF, then start of the JavaScript machine and the
 * node. An estimate: no board was measured.
 */
const WAKE_MS = 300;
/** What feeds the chip. */
const VOLTS = 3.3;
/** A page's typical time and the endurance of the modules' flash, from the data sheet of `ESP_ERASE`. */
const PAGE_MS = 0.8;
const ERASES = 100_000;
const SECTOR_BYTES = 4096;
const PAGE_BYTES = 256;
const HEADER_BYTES = 64;
/** Most items in a self-test. */
const HASHES = 64;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The charge that a sample takes, and the battery's life. */
export interface BatteryLife {
  readonly mJ: number;
  readonly averageMa: number;
  readonly days: number;
}

export interface Battery {
  readonly mAh: number;
  readonly awake: BatteryLife;
  /** Undefined where the period is too short to sleep. */
  readonly asleep: (BatteryLife & Sleep) | undefined;
}

/** How the time between two samples is spent. */
export interface Sleep {
  /** Milliseconds awake in a period: to wake, to sample and learn, to talk, to save to flash. */
  readonly wakeMs: number;
  readonly sampleMs: number;
  readonly talkMs: number;
  readonly saveMs: number;
  /** Days until saves wear the flash out; undefined: RTC memory holds the state. */
  readonly flashDays: number | undefined;
}

function life(mAh: number, periodMs: number, mAms: number): BatteryLife {
  const averageMa = mAms / periodMs;
  return { mJ: (VOLTS * mAms) / 1000, averageMa, days: (mAh / averageMa) * (HOUR_MS / DAY_MS) };
}

/** Milliseconds of a save of a checkpoint to flash, with that many bytes of state and counters. */
function saveMs(bytes: number): number {
  const whole = HEADER_BYTES + bytes;
  return ESP_ERASE.usualMs * Math.ceil(whole / SECTOR_BYTES) + PAGE_MS * (2 + Math.ceil(whole / PAGE_BYTES));
}

/** The battery life of a node that needs `sampleMs` of CPU a sample, on a chip with this `power`. */
export function planBattery(
  power: Power,
  checkpoint: number,
  sampleMs: number,
  options: BatteryOptions,
): Battery {
  const { mAh, periodMs, wakeMs = WAKE_MS } = options;
  const { talkEvery = SLEEP_DEFAULTS.talkEvery, talkMs = SLEEP_DEFAULTS.talkMs } = options;
  const isRetained = retainedBytes(HASHES, checkpoint) <= SLEEP_MEMORY_BYTES;
  const sleep = {
    ...{ wakeMs, sampleMs, talkMs: talkMs / talkEvery },
    saveMs: isRetained ? 0 : saveMs(checkpoint),
    flashDays: isRetained ? undefined : (2 * ERASES * periodMs) / DAY_MS,
  };
  const awakeMs = wakeMs + sampleMs + sleep.talkMs + sleep.saveMs;
  const mAms = power.awakeMa * awakeMs + (power.asleepUa / 1000) * (periodMs - awakeMs);
  return {
    mAh,
    awake: life(mAh, periodMs, power.awakeMa * periodMs),
    asleep: awakeMs < periodMs ? { ...life(mAh, periodMs, mAms), ...sleep } : undefined,
  };
}
