/**
 * Options of a node that `plan` and `flash` take as one JSON object, as they have no flag of their own: its optional parts, the ranges of
 * readings and labels, and how its features are made.
 */
export const NODE_NAMES = [
  "labelBudget",
  "coverage",
  "coverageBy",
  "labelFlips",
  "grossLabels",
  "drift",
  "fleetBudget",
  "ranges",
  "labelRange",
  "labelWindow",
  "wavelet",
  "horizon",
  "stepAfter",
] as const;
