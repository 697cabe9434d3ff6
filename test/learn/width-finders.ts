import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

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
