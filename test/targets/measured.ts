import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import costs from "../../targets/costs.json";

/** Shipped learners whose costs were measured, for which an emulator is needed. */
export const MEASURED: readonly Family[] = FAMILIES.filter(({ name }) =>
  Object.hasOwn(costs.objects.learners, name),
);
if (MEASURED.length < 37) throw new Error(`targets/costs.json has ${MEASURED.length} learners`);
