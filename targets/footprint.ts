import type { Layout } from "../src/memory/layout.ts";
import { checkpointBytes, SECTOR_BYTES, storeBytes } from "../src/store/checkpoint-store.ts";
import { HEADER_BYTES } from "../src/store/slot.ts";
import { BOARDS, type Board, type Target } from "./boards.ts";
import costs from "./costs.json";
import { longestSample, milliseconds, planTime, type Time } from "./instructions.ts";
import type { PlannedNode } from "./planned-node.ts";
import { planRam, planWifiRam, type Ram, type WifiRam } from "./ram.ts";

/** What doesn't fit: needed, available, and the unit. */
export interface Misfit {
  readonly what: string;
  readonly needs: number;
  readonly gives: number;
  readonly unit: "B" | "slots" | "ms";
}

export interface Flash {
  readonly checkpoint: number;
  readonly header: number;
  readonly slot: number;
  readonly bytes: number;
  readonly gives: number;
  /** Sectors that a save erases, all in one turn, and the milliseconds of that: usually, and at most. */
  readonly erases: number;
  readonly eraseMs: { readonly usual: number; readonly most: number };
}

/** A node on a board: its needs, the board's resources, and what doesn't fit. */
export interface Footprint {
  readonly target: Target;
  readonly board: Board;
  readonly ram: Ram;
  readonly flash: Flash;
  /** Undefined where the learner's costs weren't measured; its objects then count as the largest measured. */
  readonly time: Time | undefined;
  /** The longest time in which no other task of the chip runs; undefined as `time` is. */
  readonly unyielding: Unyielding | undefined;
  readonly misfits: readonly Misfit[];
  /** The chip's heap beside Wi-Fi; undefined for a node without Wi-Fi. */
  readonly wifi?: WifiRam;
  /** Sizes beyond the measured range. */
  readonly beyond: readonly string[];
}

/**
 * Milliseconds without a yield: between two steps of the start, and in the turn of the longest sample and label, at most. While flash is
 * erased, an ESP32's other tasks run: see moddable/sdkconfig.
 */
export interface Unyielding {
  readonly startMs: number;
  readonly turnMs: number;
  readonly mostMs: number;
}

function planUnyielding(time: Time | undefined, { chip }: Board): Unyielding | undefined {
  if (!time) return undefined;
  const startMs = milliseconds(time, costs.start.longestStep[chip]);
  const turnMs = milliseconds(time, longestSample(time));
  return { startMs, turnMs, mostMs: Math.max(startMs, turnMs) };
}

function planFlash(layout: Layout, { checkpoints: gives, erase }: Board): Flash {
  const bytes = storeBytes(layout);
  const checkpoint = checkpointBytes(layout);
  const slot = bytes / 2;
  const erases = slot / SECTOR_BYTES;
  const eraseMs = { usual: erases * erase.usualMs, most: erases * erase.mostMs };
  return { checkpoint, header: HEADER_BYTES, slot, bytes, gives, erases, eraseMs };
}

/** The parts of a footprint that are limited. */
type LimitedParts = Pick<Footprint, "board" | "ram" | "flash" | "time" | "unyielding" | "wifi">;

function findMisfits({ board, ram, flash, time, unyielding, wifi }: LimitedParts): Misfit[] {
  const { gives, needs } = ram;
  const limits: Misfit[] = gives.static
    ? [{ what: "RAM", needs: ram.bytes, gives: gives.static, unit: "B" }]
    : [
        { what: "RAM, chunks", needs: needs.chunk, gives: gives.chunk.initial, unit: "B" },
        { what: "RAM, heap", needs: needs.slots, gives: gives.heap.initial, unit: "slots" },
      ];
  limits.push({ what: "XS stack", needs: ram.stack.measured, gives: ram.stack.slots, unit: "slots" });
  limits.push({ what: "flash", needs: flash.bytes, gives: flash.gives, unit: "B" });
  if (wifi?.free !== undefined)
    limits.push({
      ...{ what: "RAM beside Wi-Fi", needs: wifi.xs + wifi.cStack + wifi.tls },
      ...{ gives: wifi.free, unit: "B" },
    });
  if (time?.periodMs !== undefined) {
    const needs = milliseconds(time, longestSample(time));
    limits.push({ what: "period", needs, gives: time.periodMs, unit: "ms" });
  }
  if (unyielding && board.watchdogMs !== undefined)
    limits.push({ what: "watchdog", needs: unyielding.mostMs, gives: board.watchdogMs, unit: "ms" });
  return limits.filter(({ needs, gives }) => needs > gives);
}

function beyondMeasured({ bytes, rows, features: { dimension } }: PlannedNode): string[] {
  const beyond = (what: string, got: number, [low, high]: readonly number[]) =>
    got < low || got > high ? [`${what} ${got}, not ${low}..${high}`] : [];
  return [
    ...beyond("d", dimension, costs.measured.dimension),
    ...(bytes ? beyond("bytes", bytes, costs.measured.bytes) : []),
    ...(rows > 0 ? beyond("rows", rows, costs.measured.rows) : []),
  ];
}

/**
 * The node's footprint on the target's board, and what doesn't fit. `periodMs`: from one sample to the next.
 */
export function footprint(target: Target, node: PlannedNode, periodMs?: number): Footprint {
  const board: Board = BOARDS[target];
  const ram = planRam(node, board.most);
  const flash = planFlash(node.layout, board);
  const time = planTime(node, board, periodMs);
  const wifi = node.wifi ? planWifiRam(ram, board.wifi ?? {}, node.tls) : undefined;
  const unyielding = planUnyielding(time, board);
  const limited = { board, ram, flash, time, unyielding, wifi };
  return { ...limited, target, misfits: findMisfits(limited), beyond: beyondMeasured(node) };
}
