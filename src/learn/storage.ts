import type { ComponentRange, Storage } from "../dictionary/grid.ts";
import { frozen } from "../memory/frozen.ts";
import type { Family, UserOptions } from "./family.ts";
import { choice, type Defaulted, expansionOptions } from "./options.ts";

const RANGES_MOST = 4096;

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isFinite)) return false;
  return value[0] < value[1] && Math.abs(value[0]) <= 1e38 && Math.abs(value[1]) <= 1e38;
}

const ranges: Defaulted<readonly ComponentRange[]> = frozen({
  kind: "ranges",
  default: frozen([]),
  takes: "[least, largest] of each component, or one of all",
  doc: 'ranges of the components, for storage "q15": a value outside counts as the end of the range. A node gives its own ranges, or +-5 if it standardises',
  accepts: (value) => Array.isArray(value) && value.length <= RANGES_MOST && value.every(isRange),
});

/** No literals where a node is made. */
const RANGES = "ranges";
const Q15 = "q15";

/** True if these options store vectors of 16 bits, or of 8, without ranges of the components. */
export function asksForRanges({ options }: Family, given: UserOptions): boolean {
  if (options.ranges?.kind !== RANGES || given.ranges !== undefined) return false;
  return options.storage === undefined || given.storage === Q15;
}

/** The options of a learner whose stored vectors may be of 16 bits. */
export const stored = frozen({
  storage: choice<Storage>(
    ["float32", "q15"],
    "float32",
    "form of stored vectors: float32; or 16 bits in a grid over `ranges`, half the bytes, with kernel rows in whole numbers, which cost far less where there is no floating-point unit. Takes a Gaussian kernel",
  ),
  ranges,
});

/** The options of a kernel expansion whose stored vectors may be of 16 bits. */
export const storedExpansion = frozen({ ...expansionOptions, ...stored });
