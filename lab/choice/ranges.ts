import type { DataSet } from "../../host/streams/table.ts";
import type { ComponentRange } from "../../src/dictionary/grid.ts";
import { featureRanges } from "../../src/signal/features.ts";
import { measureRanges, type Scale } from "../evaluation/scaling.ts";
import { standardises } from "./on-board.ts";

/** Ranges of the features for vectors of 16 bits: one each, or one for all. */
export interface KnownRanges {
  readonly ranges: readonly ComponentRange[];
  /** From the file's least and largest values; a standardising node's; or from --options. */
  readonly from: "file" | "node" | "options";
}

/** A range's ends are written with so many digits of its width. */
const DIGITS = 3;

/** The range with short ends, rounded outwards: no value of the file lies outside. */
function roundRange([least, largest]: ComponentRange): ComponentRange {
  const places = DIGITS - 1 - Math.floor(Math.log10(largest - least));
  if (!(places >= 0 && places <= 15)) return [least, largest];
  const factor = 10 ** places;
  return [Math.floor(least * factor) / factor, Math.ceil(largest * factor) / factor];
}

/** One range where all features have the same. */
function joinRanges(ranges: readonly ComponentRange[]): readonly ComponentRange[] {
  const [[least, largest]] = ranges;
  return ranges.every((range) => range[0] === least && range[1] === largest) ? [ranges[0]] : ranges;
}

/** Those that --options gives; else the ranges of the file, as it is scaled. A node that standardises has its own, whatever the file's are. */
export function knownRanges(train: DataSet, scale: Scale, own: { readonly ranges?: unknown }): KnownRanges {
  if (own.ranges !== undefined) return { ranges: own.ranges as KnownRanges["ranges"], from: "options" };
  const ofNode = standardises(scale) ? featureRanges(undefined, { standardise: true }) : undefined;
  if (ofNode) return { ranges: ofNode, from: "node" };
  return { ranges: joinRanges(measureRanges(train).map(roundRange)), from: "file" };
}
