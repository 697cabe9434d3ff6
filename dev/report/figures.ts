import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withBudget } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { TARGETS } from "../../targets/boards.ts";
import { footprint } from "../../targets/footprint.ts";
import { plannedNode } from "../../targets/planned-node.ts";

/** Numbers by name; smaller is better. A name is a path: `instructions/rv32imac/pa/learn`. */
export type Figures = { readonly [name: string]: number };

/** The size at which learners are compared, as `counts.json` has it. */
const SIZE = { channels: 8, budget: 64 };

interface Counts {
  readonly chips: {
    readonly [chip: string]: { readonly [what: string]: { readonly [call: string]: number } };
  };
}

/** Exact instructions on emulated chips, which test:device checks for each program. */
function countedInstructions(root: string): Figures {
  const { chips } = JSON.parse(readFileSync(join(root, "targets/emulator/counts.json"), "utf8")) as Counts;
  const rows = Object.entries(chips).flatMap(([chip, programs]) =>
    Object.entries(programs).flatMap(([program, calls]) =>
      Object.entries(calls).map(([call, count]) => [`instructions/${chip}/${program}/${call}`, count]),
    ),
  );
  return Object.fromEntries(rows);
}

/**
 * The figures of `motelearn plan --target` for a node with each learner: RAM, and instructions from costs
 * measured at several sizes.
 */
function plannedFigures(): Figures {
  const figures: { [name: string]: number } = {};
  for (const target of TARGETS) {
    for (const learner of FAMILIES) {
      const options = withBudget(learner, {}, SIZE.budget);
      const node = plannedNode({ sid: 1, channels: SIZE.channels, learner, options });
      const { ram, time } = footprint(target, node);
      figures[`ram/${target}/${learner.name}`] = ram.bytes;
      if (!time) continue;
      figures[`plan/${target}/${learner.name}/predict`] = time.predict;
      figures[`plan/${target}/${learner.name}/learn`] = time.learn;
    }
  }
  return figures;
}

/** All figures of the clone in that folder that need no compiler. */
export function knownFigures(root: string): Figures {
  return { ...plannedFigures(), ...countedInstructions(root) };
}

/** Names of code sizes: for a source's module, and for a whole firmware. */
export function codeFigures(code: { readonly modules: Figures; readonly firmware: Figures }): Figures {
  const nameFigures = (kind: string, sizes: Figures) =>
    Object.entries(sizes).map(([name, bytes]) => [`${kind}/${name}`, bytes] as const);
  return Object.fromEntries([
    ...nameFigures("code", code.modules),
    ...nameFigures("firmware", code.firmware),
  ]);
}
