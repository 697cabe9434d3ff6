import { easyStream } from "../../host-sim/conformance/easy-streams.ts";

/** An easy stream as CSV: features, then the label as a word or number. */
export function easyCsv(
  task: Parameters<typeof easyStream>[0],
  count: number,
  seed: number,
  label = (y: number) => `${y}`,
): string {
  return easyStream(task, 2, count, seed)
    .map(({ x, y }) => `${[...x].join(",")},${label(y)}\n`)
    .join("");
}
