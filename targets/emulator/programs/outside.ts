import type { Family } from "../../../src/learn/family.ts";

/** Learners of plugins: none, unless `bundle` puts another module in this one's place. */
export const learners: readonly Family[] = [];
