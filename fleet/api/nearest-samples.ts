import { average } from "../../host/statistics.ts";
import type { Neighbour } from "./api.ts";

const NEIGHBOURS = 5;

/** Of labelled samples those that are most like x, readings measured in their standard deviations. */
export function nearest(x: ArrayLike<number>, labelled: readonly Omit<Neighbour, "distance">[]): Neighbour[] {
  const alike = labelled.filter((each) => each.x.length === x.length);
  const scales = Array.from(x, (_, k) => deviation(alike.map((each) => each.x[k])) || 1);
  const distance = (other: readonly number[]) =>
    Math.sqrt(other.reduce((sum, value, k) => sum + ((value - x[k]) / scales[k]) ** 2, 0));
  return alike
    .map((each) => ({ ...each, distance: distance(each.x) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEIGHBOURS);
}

/** The standard deviation, of the whole. */
export function deviation(values: readonly number[]): number {
  const mean = average(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
