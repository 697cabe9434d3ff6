import type { Family } from "./family.ts";
import { OLK } from "./olk.ts";
import { QKLMS } from "./qklms.ts";

/** Every learner there is; what is listed here is tested, planned, benchmarked and offered. */
export const FAMILIES: readonly Family[] = [...OLK, ...QKLMS];

/** The family of that name, or undefined. */
export function familyNamed(name: string): Family | undefined {
  return FAMILIES.find((family) => family.name === name);
}
