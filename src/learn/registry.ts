import { DUAL_ASCENT } from "./dual-ascent.ts";
import type { Family } from "./family.ts";
import { KERNEL_PERCEPTRON } from "./kernel-perceptron.ts";
import { LOL } from "./lol.ts";
import { NORMA } from "./norma.ts";
import { OLK } from "./olk.ts";
import { OSKM } from "./oskm.ts";
import { PASSIVE_AGGRESSIVE } from "./passive-aggressive.ts";
import { QKLMS } from "./qklms.ts";
import { QKRLS } from "./qkrls.ts";

/** Every learner there is; what is listed here is tested, planned, benchmarked and offered. */
export const FAMILIES: readonly Family[] = [
  ...OLK,
  ...QKRLS,
  ...QKLMS,
  ...LOL,
  ...PASSIVE_AGGRESSIVE,
  ...OSKM,
  ...DUAL_ASCENT,
  ...NORMA,
  ...KERNEL_PERCEPTRON,
];

/** The family of that name, or undefined. */
export function familyNamed(name: string): Family | undefined {
  return FAMILIES.find((family) => family.name === name);
}
