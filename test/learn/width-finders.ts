import { Random } from "../../host/random.ts";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import type { Family } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";

export const AUTO = { type: "gaussian", width: "auto" } as const;

/** Those that take a width from the first inputs. */
export const FINDERS = FAMILIES.filter(({ options }) => options.kernel?.accepts(AUTO));

/** The family with a width given by default. */
export function givenWidth(family: Family): Family {
  const GIVEN = { type: "gaussian", p: 1 } as const;
  const kernel = { ...family.options.kernel, default: GIVEN };
  const filled = (given: object) => ({ kernel: GIVEN, ...given });
  return {
    ...family,
    options: { ...family.options, kernel },
    layout: (given) => family.layout(filled(given) as never),
    create: (given) => family.create(filled(given) as never),
  };
}

export function make(name: string, options: object = {}): KernelExpansion {
  const family = familyNamed(name) as Family;
  return family.create({ dimension: 3, ...options } as never) as KernelExpansion;
}

/** The lower median of the distances, in doubles. */
export function median(inputs: readonly ArrayLike<number>[]): number {
  const distances = inputs.flatMap((u, i) =>
    inputs.slice(0, i).map((v) => Math.hypot(...Array.from(u, (value, j) => value - v[j]))),
  );
  distances.sort((a, b) => a - b);
  return distances[(distances.length - 1) >> 1];
}

/** A board of 4 x 4 fields, or two halves of it. */
export function board(count: number, fields: number) {
  const random = new Random(15, "board");
  return Array.from({ length: count }, () => {
    const x = [4 * random.uniform(), 4 * random.uniform()];
    return { x, y: Math.floor((fields * x[0]) / 4) % 2 === Math.floor((fields * x[1]) / 4) % 2 ? 1 : -1 };
  });
}
