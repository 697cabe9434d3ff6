import { findsWidth, type KernelOption } from "../src/kernel/kernel.ts";
import type { UserOptions } from "../src/learn/family.ts";
import { TASK } from "../src/learn/learner.ts";
import { sizedBytes } from "../src/learn/traits.ts";
import { type Layout, regionLine } from "../src/memory/layout.ts";
import { nodeLayout } from "../src/node/node-layout.ts";
import { type NodeOptions, nodeLearner } from "../src/node/node-options.ts";
import { stationBytes } from "../src/node/station-options.ts";
import { selfTestBytes } from "../src/selftest/self-test.ts";
import { featureDimension, resolveFeatures } from "../src/signal/features.ts";
import { CLASSES, costTraits, type FeatureShape, sizeOption } from "./cost-model.ts";
import costs from "./costs.json";

/** How a node is connected. */
export interface PlannedLine {
  /**
   * True if by the chip's own USB, which moves bytes in one call. Default: a UART, which does so on an ESP32
   * and elsewhere moves them one by one.
   */
  readonly usb?: boolean;
  /** Keys of the frames' tags and of the labels' own tags; default: neither has tags. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** True if by an MQTT broker over Wi-Fi, in place of either. */
  readonly wifi?: boolean;
  /** True if that connection is encrypted. */
  readonly tls?: boolean;
  /** True if in a firmware whose manifest no tool wrote: the board checks its options at the start, and lays out its memory. */
  readonly isOwn?: boolean;
}

/** Optional parts of a node; each was measured by itself. */
export type Part = keyof typeof costs.objects.parts;

/** A node for a board. */
export interface PlannedNode {
  /** The name under which its instructions were measured: the learner's, with /q15 for vectors of 16 bits, or the flag of `CostTraits.dearer`. */
  readonly costed: string;
  /** The learner's name; with one-vs-all, the name of each class's learner. */
  readonly learner: string;
  /** True if it corrects labels for their sources. */
  readonly corrects: boolean;
  /** True if it is a kernel expansion. */
  readonly expands: boolean;
  /** Its optional parts, in the order of `costs.objects.parts`. */
  readonly parts: readonly Part[];
  /** Characters of the text of the learner's layout without the part that lies around it, which is kept a second time; 0: none does. */
  readonly inner: number;
  /** Vectors of the largest model of its fleet; 0: a plane; -1: it takes none. */
  readonly fleet: number;
  /** True if a drift alarm restarts the learner's confidence. */
  readonly restarts: boolean;
  /** K, its classes. */
  readonly classes: number;
  /** Binary problems for its classes: 1, or K >= 3. */
  readonly problems: number;
  /** True if these problems share one dictionary. */
  readonly shares: boolean;
  /** The bytes that an option gives the learner; undefined or 0: none does. */
  readonly bytes?: number;
  /** Vectors that it stores when its budget is full; 0 where `bytes` says how many. */
  readonly rows: number;
  /** Eigenvectors that it keeps, where that is an option. */
  readonly rank?: number;
  /** Which learner finds its kernel's width, see `motelearn learners`: itself, or a member. */
  readonly finder?: string;
  readonly features: FeatureShape;
  readonly layout: Layout;
  /** Bytes that the self-test works in before the node is made. */
  readonly selfTest: number;
  /** Bytes of the station's buffers. */
  readonly wire: number;
  readonly wifi: boolean;
  readonly tls: boolean;
  /** True if its firmware computes the plan that a tool would have written into it. */
  readonly isOwn: boolean;
}

/** What one-vs-all puts before a learner's name. */
const ONE_VS_ALL = "ova:";

/** Why no board runs one-vs-all. Emulated boards do. */
export const NO_ONE_VS_ALL = "the firmware has no one-vs-all";

/** True for the name of one-vs-all over a learner. */
export function isOneVsAll(learner: string): boolean {
  return learner.startsWith(ONE_VS_ALL);
}

/** The parts that a node has, of those that were measured. */
function listParts(
  { learner, options, labelBudget = 0, coverage = 0, drift = "none" }: NodeOptions,
  { usb, key, labelKey, wifi }: PlannedLine,
): Part[] {
  const isRegression = learner.task === TASK.regression;
  const has: { readonly [part in Part]: boolean } = {
    requests: labelBudget > 0,
    sets: coverage > 0 && !isRegression,
    intervals: coverage > 0 && isRegression,
    drift: drift !== "none",
    balance: options.balanced === true,
    alarms: options.falseAlarms > 0,
    residual: (options.residual ?? "none") !== "none",
    uart: !(usb || wifi),
    keyed: key !== undefined,
    keyedLabels: labelKey !== undefined,
  };
  return (Object.keys(costs.objects.parts) as Part[]).filter((part) => has[part]);
}

/** Parts that lie around a learner, and the option without which it would lie alone. */
const AROUND: { readonly [part in Part]?: UserOptions } = {
  balance: { balanced: false },
  alarms: { falseAlarms: 0 },
  residual: { residual: "none" },
};

/** Characters of the text in which a layout keeps its regions, with the end of a line before the first. */
export function textLength({ regions }: Layout): number {
  return regions.reduce((sum, region) => {
    const line = regionLine(region, region.kind === "state" ? 0 : 1, region.offset);
    return sum + line.length;
  }, 1);
}

function innerText(node: NodeOptions, parts: readonly Part[]): number {
  const around = parts.find((part) => AROUND[part]);
  if (!around) return 0;
  const { learner, options } = nodeLearner(node);
  return textLength(learner.layout({ ...options, ...AROUND[around] }));
}

/** The learner's name, and behind it the options with which it costs otherwise. */
function costedAs(learner: string, options: UserOptions, classes: number): string {
  const { dearer: known = [] } = costTraits(learner);
  if (classes > 2 && known.includes(CLASSES)) return `${learner}/${CLASSES}`;
  const dearer = known.filter((flag) => flag !== CLASSES && options[flag]);
  return [learner, ...dearer, ...(options.storage === "q15" ? ["q15"] : [])].join("/");
}

/** Vectors that a learner stores when it is full. */
function storedRows({ learner: family, options }: NodeOptions): number {
  const { prototypes, budget = family.options.budget?.default ?? 0 } = options;
  return (prototypes || budget) as number;
}

/** A node of these options, with sensors of its own, as a board sees it. */
export function plannedNode(node: NodeOptions, line: PlannedLine = {}): PlannedNode {
  const { learner: family } = node;
  const { sources = [] } = node.options;
  const kernel = (node.options.kernel ?? family.options.kernel?.default) as KernelOption | undefined;
  const classes = node.options.classes ?? family.options.classes?.default ?? 2;
  const learner = isOneVsAll(family.name) ? family.name.slice(ONE_VS_ALL.length) : family.name;
  const { key, labelKey } = line;
  const features = featureShape(node);
  const bytes = sizedBytes(family, { ...node.options, dimension: features.dimension });
  const parts = listParts(node, line);
  const sized = bytes ? { ...node.options, [sizeOption(learner) ?? ""]: bytes } : node.options;
  return {
    learner,
    costed: costedAs(learner, sized, classes),
    corrects: (sources as readonly unknown[]).length > 0,
    expands: family.options.kernel !== undefined && !costTraits(learner).findsByBudget,
    parts,
    inner: innerText(node, parts),
    fleet: node.fleetBudget ?? -1,
    restarts: node.drift === "restart",
    classes,
    // The classes of a learner that an option gives its bytes share them.
    problems: classes > 2 && !bytes ? classes : 1,
    shares: node.options.shared === true,
    bytes,
    rows: bytes ? 0 : storedRows(node),
    rank: node.options.rank as number | undefined,
    finder: kernel !== undefined && findsWidth(kernel) ? learner : costTraits(learner).finder,
    features,
    layout: nodeLayout(node),
    selfTest: selfTestBytes(nodeLearner(node)),
    wire: stationBytes({ node, firmware: "", boot: 0, key, labelKey }),
    wifi: line.wifi ?? false,
    tls: line.tls ?? false,
    isOwn: line.isOwn ?? false,
  };
}

function featureShape({ channels, features }: NodeOptions): FeatureShape {
  const { window, standardise, bands, lines = [], burst = 1 } = resolveFeatures(features);
  const dimension = featureDimension(channels, features);
  const shape = { channels, window, standardise, dimension };
  if (!bands) return shape;
  return { ...shape, spectrum: { sensors: channels / burst, bands, lines: lines.length } };
}

/** The number of dictionaries: one for each problem that shares none. */
export function countDictionaries({ problems, shares }: Pick<PlannedNode, "problems" | "shares">): number {
  return shares ? 1 : problems;
}
