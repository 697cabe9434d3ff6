import { familyNamed } from "../src/learn/registry.ts";
import { BOARDS, TARGETS, type Target, usualSensors, wireConfig } from "../targets/boards.ts";
import { footprint } from "../targets/footprint.ts";
import { plannedNode } from "../targets/planned-node.ts";
import { planCreation } from "../targets/ram.ts";

/**
 * The learner of the usual firmware, and the size of node that a board's memory is for unless `flash` plans
 * it.
 */
const LEARNER = "olk-c";
const SIZE = { sid: 1, channels: 8, options: { budget: 64 }, features: { standardise: true } };

/** The manifest that firmwares of a target include: the UART of the wire, and memory for a usual node. */
function boardManifest(target: Target): object {
  const learner = familyNamed(LEARNER);
  if (!learner) throw new Error(`no learner ${LEARNER}`);
  const creation = planCreation(footprint(target, plannedNode({ ...SIZE, learner }, { isOwn: true })));
  return { include: "../moddable/manifest.json", config: wireConfig(target), creation };
}

function usualManifest(target: Target): object {
  const include = ["./board.json", "../moddable/usual.json", `../../dist/moddable/learners/${LEARNER}.json`];
  return { include, config: { sensors: usualSensors(target) } };
}

/** What the folder of each target holds, by path. */
export function boardFiles(): { readonly [path: string]: object } {
  const files = TARGETS.flatMap((target) => [
    [`targets/${target}/board.json`, boardManifest(target)],
    [`targets/${target}/manifest.json`, usualManifest(target)],
  ]);
  return Object.fromEntries(files);
}

export function withBoards(page: string): string {
  const names = TARGETS.map((target) => `\`${target}\` (${BOARDS[target].title})`);
  return page.replace(/^Boards: .*$/m, () => `Boards: ${names.join(", ")}.`);
}
