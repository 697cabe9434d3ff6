import type { Family } from "../src/learn/family.ts";
import type { Layout } from "../src/memory/layout.ts";
import { nodeLayout } from "../src/node/node.ts";

/**
 * The memory to plan for: a whole node whose features are its readings, with a pending ring of that many samples; for 0
 * the learner alone.
 */
export function plannedLayout(
  family: Family,
  options: { readonly [name: string]: unknown },
  dimension: number,
  pending: number,
): Layout {
  if (pending === 0) return family.layout({ ...options, dimension });
  return nodeLayout({ sid: 1, channels: dimension, pending, learner: family, options });
}
