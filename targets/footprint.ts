import { findsWidth, type KernelOption } from "../src/kernel/kernel.ts";
import { rowsOfWork } from "../src/learn/dual-ascent.ts";
import { LEFT_WAITING } from "../src/learn/expansion.ts";
import { TASK } from "../src/learn/learner.ts";
import type { Layout } from "../src/memory/layout.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../src/node/node.ts";
import { stationBytes } from "../src/node/station.ts";
import { selfTestBytes } from "../src/selftest/self-test.ts";
import { featureDimension, settleFeatures } from "../src/signal/features.ts";
import { checkpointBytes, storeBytes } from "../src/store/checkpoint-store.ts";
import { HEADER_BYTES } from "../src/store/slot.ts";
import {
  BOARDS,
  type Board,
  type BoardMemory,
  C_STACK_BYTES,
  SLOT_BYTES,
  type Target,
  TLS_BYTES,
  type Wifi,
} from "./boards.ts";
import {
  cost,
  type FeatureShape,
  learnerTerms,
  learnTerms,
  longest,
  nodeTerms,
  sharedTerms,
  spectrumTerms,
} from "./cost-model.ts";
import costs from "./costs.json";

/** How a node is connected. */
export interface PlannedLine {
  /**
   * Whether by the chip's own USB, which moves bytes in one call. Default: a UART, which does so on an ESP32
   * and elsewhere moves them one by one.
   */
  readonly usb?: boolean;
  /** Whether frames, and labels themselves, have tags; default: neither has. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** Whether by an MQTT broker over Wi-Fi, in place of either. */
  readonly wifi?: boolean;
}

/** Optional parts of a node; each was measured by itself. */
export type Part = keyof typeof costs.objects.parts;

/** A node for a board. */
export interface PlannedNode {
  /** The name under which its instructions were measured: the learner's, with /q15 for vectors of 16 bits. */
  readonly costed: string;
  /** The learner's name; with one-vs-all, the name of each class's learner. */
  readonly learner: string;
  /** Whether it corrects labels for their sources. */
  readonly corrects: boolean;
  /** Its optional parts, in the order of `costs.objects.parts`. */
  readonly parts: readonly Part[];
  /** Whether a drift alarm restarts the learner's confidence. */
  readonly restarts: boolean;
  /** Binary problems for its classes: 1, or K >= 3. */
  readonly problems: number;
  /** Whether these problems share one dictionary. */
  readonly shares: boolean;
  /** Vectors that it stores when its budget is full. */
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
}

/** Most inputs that wait for the width, and are learned with it. */
const WIDTH_INPUTS = 16;
/** Additional predictions of a label that tries another width. */
const TRIAL_PREDICTIONS = 2;

/**
 * Learners that compute kernel values of all their vectors when they find another width, for the new |f|^2:
 * so many with a label.
 */
const NORM_ANEW = ["dual-rho", "dual-aga", "dual-greedy"];

/** Learners with a member that finds its kernel's width. */
const FINDING_MEMBERS: { readonly [learner: string]: string } = { auto: "bsgd" };

/** What one-vs-all puts before a learner's name. */
const ONE_VS_ALL = "ova:";

/** The parts that a node has, of those that were measured. */
function partsOf(
  { learner, labelBudget = 0, coverage = 0, drift = "none" }: NodeOptions,
  { usb, key, labelKey, wifi }: PlannedLine,
): Part[] {
  const isRegression = learner.task === TASK.regression;
  const has: { readonly [part in Part]: boolean } = {
    requests: labelBudget > 0,
    sets: coverage > 0 && !isRegression,
    intervals: coverage > 0 && isRegression,
    drift: drift !== "none",
    uart: !(usb || wifi),
    keyed: key !== undefined,
    keyedLabels: labelKey !== undefined,
  };
  return (Object.keys(costs.objects.parts) as Part[]).filter((part) => has[part]);
}

/** A node of these options, with sensors of its own, as a board sees it. */
export function plannedNode(node: NodeOptions, line: PlannedLine = {}): PlannedNode {
  const { learner: family } = node;
  const { prototypes, budget = family.options.budget?.default ?? 0, sources = [] } = node.options;
  const kernel = (node.options.kernel ?? family.options.kernel?.default) as KernelOption | undefined;
  const classes = node.options.classes ?? family.options.classes?.default ?? 2;
  const learner = family.name.startsWith(ONE_VS_ALL) ? family.name.slice(ONE_VS_ALL.length) : family.name;
  const { key, labelKey } = line;
  return {
    learner,
    costed: node.options.storage === "q15" ? `${learner}/q15` : learner,
    corrects: (sources as readonly unknown[]).length > 0,
    parts: partsOf(node, line),
    restarts: node.drift === "restart",
    problems: classes > 2 ? classes : 1,
    shares: node.options.shared === true,
    rows: prototypes || budget,
    rank: node.options.rank as number | undefined,
    finder: kernel !== undefined && findsWidth(kernel) ? learner : FINDING_MEMBERS[learner],
    features: featureShape(node),
    layout: nodeLayout(node),
    selfTest: selfTestBytes(nodeLearner(node)),
    wire: stationBytes({ node, firmware: "", boot: 0, key, labelKey }),
    wifi: line.wifi ?? false,
  };
}

function featureShape({ channels, features }: NodeOptions): FeatureShape {
  const { window, standardise, bands, lines = [], burst = 1 } = settleFeatures(features);
  const dimension = featureDimension(channels, features);
  const shape = { channels, window, standardise, dimension };
  if (!bands) return shape;
  return { ...shape, spectrum: { sensors: channels / burst, bands, lines: lines.length } };
}

/** Bytes of chunks and slots of the heap. */
export interface Room {
  readonly chunk: number;
  readonly slots: number;
}

export interface Item extends Room {
  readonly item: string;
}

/** What doesn't fit: needed, available, and the unit. */
export interface Misfit {
  readonly what: string;
  readonly needs: number;
  readonly gives: number;
  readonly unit: "B" | "slots" | "ms";
}

export interface Ram {
  readonly items: readonly Item[];
  readonly needs: Room;
  readonly stack: { readonly slots: number; readonly measured: number };
  readonly cStack: { readonly bytes: number; readonly measured: number };
  /** Bytes taken but unused, because one block's parts grow by whole steps. */
  readonly rounding: number;
  /** Bytes of everything, against the board's memory. */
  readonly bytes: number;
  readonly gives: BoardMemory;
}

export interface Flash {
  readonly checkpoint: number;
  readonly header: number;
  readonly slot: number;
  readonly bytes: number;
  readonly gives: number;
}

/**
 * A part's instructions in a sample and its label. `watch`: to check that a width found still fits;
 * `sources`: to correct the label for its source.
 */
export interface PartTime {
  readonly part: Part | "watch" | "sources";
  readonly instructions: number;
}

/** Instructions of a sample and its label. */
export interface Time {
  readonly clockHz: number;
  /** Features, pending ring, labels: the node's work besides the learner. */
  readonly node: number;
  readonly predict: number;
  /**
   * An upper bound of a step, with the fit's error. Occasional work counts as if it came each time: a
   * factorisation, an eigenproblem, a stale vector that leaves.
   */
  readonly learn: number;
  /**
   * For a learner that finds its kernel's width: the longest label, which learns the first inputs, or tries
   * or takes another width. Few other labels take so long.
   */
  readonly width?: number;
  /** A received label, a sent prediction and acknowledgement; statistics once a second. */
  readonly wire: number;
  /** The optional parts. */
  readonly parts: readonly PartTime[];
  /** To restart the learner's confidence at a drift alarm. */
  readonly restart?: number;
  readonly sample: number;
  /** The largest relative error of the fits, on fitted and held-out sizes. */
  readonly error: number;
  readonly periodMs?: number;
}

/** The heap that Wi-Fi leaves, and the node's share of it. Bytes. */
export interface WifiRam {
  /**
   * Free heap once Wi-Fi has an address, and the source of the figure; both undefined where nobody publishes
   * it.
   */
  readonly free?: number;
  readonly source?: string;
  /** XS's memory, and the stack of its task. */
  readonly xs: number;
  readonly cStack: number;
  readonly left?: number;
  /** The heap that TLS would take besides. */
  readonly tls: number;
}

/** A node on a board: its needs, the board's resources, and what doesn't fit. */
export interface Footprint {
  readonly target: Target;
  readonly board: Board;
  readonly ram: Ram;
  readonly flash: Flash;
  /** Undefined where the learner's costs weren't measured; its objects then count as the largest measured. */
  readonly time: Time | undefined;
  readonly misfits: readonly Misfit[];
  /** The chip's heap beside Wi-Fi; undefined for a node without Wi-Fi. */
  readonly wifi?: WifiRam;
  /** Sizes beyond the measured range. */
  readonly beyond: readonly string[];
}

const STATIC_STEP = 1024;

/**
 * Reserve for parts that aren't measured: drivers of sensors, UART and flash, timers, the self-test's hashes.
 */
const APPLICATION: Room = { chunk: 2048, slots: 512 };

/**
 * A node in the program for x-cli-lin takes 188 slots and 2,720 bytes of chunks more at a broker than at its
 * standard input, connected and after collection; the garbage of a message of 1,024 bytes comes on top.
 */
const MQTT: Room = { chunk: 4096, slots: 256 };

/** The item that a region of the node's range counts towards, by the prefix of its name. */
const PARTS: readonly (readonly [string, readonly string[]])[] = [
  ["learner", ["learner."]],
  ["pending ring", ["pending."]],
  ["held labels", ["held"]],
  ["features", ["window.", "standardiser.", "readings", "statistics", "samples", "vector"]],
  ["requests, coverage, drift", ["requests", "sets.", "intervals", "drift"]],
  ["cursors and counters", ["cursors", "node.counters", "ledger"]],
];

function rangeItems({ regions }: Layout): Item[] {
  return PARTS.map(([item, beginnings]) => {
    const own = regions.filter(({ name }) => beginnings.some((beginning) => name.startsWith(beginning)));
    return { item, chunk: own.reduce((sum, { words }) => sum + 4 * words, 0), slots: 0 };
  });
}

function plus(...rooms: readonly Room[]): Room {
  return {
    chunk: rooms.reduce((sum, { chunk }) => sum + chunk, 0),
    slots: rooms.reduce((sum, { slots }) => sum + slots, 0),
  };
}

function times(n: number, { chunk, slots }: Room): Room {
  return { chunk: n * chunk, slots: n * slots };
}

/** A learner's measured costs; undefined where nothing was measured, as for a plugin's. */
function measured<T>(of: { readonly [name: string]: T }, learner: string): T | undefined {
  return Object.hasOwn(of, learner) ? of[learner] : undefined;
}

/** The largest objects of any measured learner. */
function largest(rooms: readonly Room[]): Room {
  return {
    chunk: Math.max(...rooms.map(({ chunk }) => chunk)),
    slots: Math.max(...rooms.map(({ slots }) => slots)),
  };
}

/** The number of dictionaries: one for each problem that shares none. */
function dictionariesOf({ problems, shares }: Pick<PlannedNode, "problems" | "shares">): number {
  return shares ? 1 : problems;
}

/** The JS objects of learner and node; a learner's own objects count once a class. */
function objectsOf({ learner, parts, problems, shares, finder, features }: PlannedNode): Room {
  const { learners, window, standardise, spectrum, problem, shared, width } = costs.objects;
  const one = measured<Room>(learners, learner) ?? largest(Object.values(learners));
  const windowed = features.spectrum?.sensors ?? features.channels;
  const windows = times(features.window > 0 ? windowed : 0, window);
  const several = shares ? shared : times(problems > 1 ? problems : 0, problem);
  const widths = times(finder ? dictionariesOf({ problems, shares }) : 0, width);
  const options = times(features.spectrum ? 1 : 0, spectrum);
  const standardised = times(features.standardise ? 1 : 0, standardise);
  return plus(
    one,
    windows,
    options,
    standardised,
    several,
    widths,
    ...parts.map((part) => costs.objects.parts[part]),
  );
}

function upTo(multiple: number, value: number): number {
  return multiple * Math.ceil(value / multiple);
}

/** How XS divides one block: each part begins with `initial` and grows by `incremental`. */
function grown({ initial, incremental }: BoardMemory["chunk"], needs: number): number {
  return needs <= initial ? initial : initial + upTo(incremental, needs - initial);
}

function ramOf(node: PlannedNode, most: BoardMemory): Ram {
  const { layout, selfTest, wire } = node;
  const items: Item[] = [
    ...rangeItems(layout),
    { item: "self-test, beyond that", chunk: Math.max(0, selfTest - layout.bytes), slots: 0 },
    { item: "objects of learner, node, store", ...objectsOf(node) },
    { item: "wire: frames, messages, outbox", ...plus(costs.wire, { chunk: wire, slots: 0 }) },
    ...(node.wifi ? [{ item: "MQTT: line, client, a message", ...MQTT }] : []),
    { item: "engine at rest", ...costs.engine },
    { item: "kept for the application", ...APPLICATION },
  ];
  const needs = plus(...items);
  const stack = { slots: most.stack, measured: costs.stack.slots };
  const heap = most.static ? grown(most.heap, needs.slots) : needs.slots;
  const chunk = most.static ? grown(most.chunk, needs.chunk) : needs.chunk;
  const bytes = chunk + SLOT_BYTES * (heap + most.stack);
  return {
    items,
    needs,
    stack,
    rounding: bytes - needs.chunk - SLOT_BYTES * (needs.slots + most.stack),
    cStack: { bytes: C_STACK_BYTES, measured: costs.stack.cBytes },
    bytes,
    gives: most,
  };
}

function flashOf(layout: Layout, gives: number): Flash {
  const bytes = storeBytes(layout);
  const checkpoint = checkpointBytes(layout);
  return { checkpoint, header: HEADER_BYTES, slot: bytes / 2, bytes, gives };
}

interface Fitted {
  readonly coefficients: readonly number[];
  /** Whether it bounds the longest of the labels that share an eigenproblem: see `learnTerms`. */
  readonly spread?: boolean;
  /** The largest relative error on the measured sizes, fitted and held out. */
  readonly error: number;
}

interface LearnerCosts {
  readonly predict: Fitted;
  readonly learn: Fitted;
  /** For a learner whose confidence can be restarted. */
  readonly restart?: Fitted;
}

/** A chip's measured costs of shared dictionaries and of widths; for some learners of the whole label. */
interface ChipCosts {
  /** For classes that share a dictionary; where it wasn't measured, they count as if each had its own. */
  readonly shared?: { readonly predict: Fitted; readonly learn: Fitted };
  readonly width: Fitted;
  readonly found?: { readonly [learner: string]: Fitted };
}

/** Learners that leave some of the first inputs to the next labels. */
const EASED = ["qkapa"];

/** The fit's value, with its error added. */
function bound({ coefficients, error }: Fitted, rows: number, { dimension }: FeatureShape): number {
  return (1 + error) * cost(coefficients, learnerTerms(rows, dimension));
}

/** The instructions of `call` for all problems together, with the fit's error added for a bound. */
function callCost(
  { learner, problems, shares, rank, features: { dimension } }: PlannedNode,
  chip: Board["chip"],
  call: "predict" | "learn",
  own: LearnerCosts,
  rows: number,
): number {
  const { learners, problem } = costs.instructions[chip];
  const { shared } = costs.instructions[chip] as ChipCosts;
  const terms = learnerTerms(rows, dimension);
  const labels = own[call].spread ? learnTerms(learner, rows, dimension, rank) : [terms];
  const one = longest(own[call].coefficients, labels);
  const margin = (...errors: number[]) => (call === "learn" ? 1 + Math.max(...errors) : 1);
  if (!shares || !shared) {
    const more = problems > 1 ? problem[call] : 0;
    return problems * (margin(own[call].error) * one + more);
  }
  // Measured with OLK-C: another learner's dictionary may cost a different time, its classes the same.
  const all = cost(shared[call].coefficients, sharedTerms(rows, dimension, problems));
  const alone = cost(learners["olk-c"][call].coefficients, terms);
  return margin(own[call].error, shared[call].error) * Math.max(one, one + all - alone);
}

/**
 * The label that finds the width: that learner's measured cost, else the cost of finding it plus the first
 * inputs, each as long as the longest with so few vectors.
 */
function foundWidth(planned: PlannedNode, finder: string, own: LearnerCosts, chip: Board["chip"]): number {
  const { problems, shares, features } = planned;
  const { found = {}, width } = costs.instructions[chip] as ChipCosts;
  const once = learnerTerms(0, features.dimension);
  const counted = measured(found, finder);
  if (counted && !shares) return problems * (1 + counted.error) * cost(counted.coefficients, once);
  const inputs = EASED.includes(finder) ? WIDTH_INPUTS - LEFT_WAITING : WIDTH_INPUTS;
  const each =
    callCost(planned, chip, "predict", own, WIDTH_INPUTS) +
    callCost(planned, chip, "learn", own, WIDTH_INPUTS);
  return dictionariesOf(planned) * (1 + width.error) * cost(width.coefficients, once) + inputs * each;
}

/**
 * Most rows of kernel values that a label computes for |f|^2: `rowsOfWork`, one beyond it, and the input's.
 */
function rowsRenewed(rows: number, dimension: number): number {
  return Math.min((rows + 1) / 2, rowsOfWork(rows, dimension)) + 2;
}

/** The optional parts, and watching the width of each dictionary. */
function partTimes(planned: PlannedNode, chip: Board["chip"]): PartTime[] {
  const { learner, parts, rows, finder, corrects, features } = planned;
  const { parts: each, width, sources } = costs.instructions[chip];
  const { coefficients } = rows > 0 ? sources.kernel : sources.linear;
  const corrected = cost(coefficients, learnerTerms(rows, features.dimension));
  return [
    // A member's cost is part of the whole learner's measured cost.
    ...(finder === learner
      ? [{ part: "watch" as const, instructions: Math.round(dictionariesOf(planned) * width.watch) }]
      : []),
    ...(corrects ? [{ part: "sources" as const, instructions: Math.round(corrected) }] : []),
    ...parts
      .map((part) => ({ part, instructions: each[part] }))
      .filter(({ instructions }) => instructions > 0),
  ];
}

function timeOf(planned: PlannedNode, board: Board, periodMs?: number): Time | undefined {
  const { learner, costed, problems, shares, rows, finder, features, restarts } = planned;
  const { node, spectrum, learners, wire } = costs.instructions[board.chip];
  const { shared } = costs.instructions[board.chip] as ChipCosts;
  const of = measured<LearnerCosts>(learners, costed);
  if (!of) return undefined;
  const spectral = features.spectrum
    ? cost(spectrum.coefficients, spectrumTerms(features, features.spectrum))
    : 0;
  const own = Math.round(cost(node.coefficients, nodeTerms(features)) + spectral);
  const predict = Math.round(callCost(planned, board.chip, "predict", of, rows));
  const learn = Math.round(callCost(planned, board.chip, "learn", of, rows));
  const parts = partTimes(planned, board.chip);
  const finding = finder && measured<LearnerCosts>(learners, finder);
  const others = finder === learner ? 0 : learn;
  const found = finding ? foundWidth(planned, finder, finding, board.chip) + others : 0;
  const watched = learn + instructionsOf("watch", parts);
  const changed = NORM_ANEW.includes(learner)
    ? watched + (TRIAL_PREDICTIONS + rowsRenewed(rows, features.dimension)) * predict
    : 0;
  const longest = Math.max(found, watched + TRIAL_PREDICTIONS * predict, changed);
  const error = Math.max(
    node.error,
    features.spectrum ? spectrum.error : 0,
    shares && shared ? Math.max(shared.predict.error, shared.learn.error) : 0,
    of.predict.error,
    of.learn.error,
  );
  return {
    clockHz: board.clockHz,
    node: own,
    predict,
    learn,
    ...(finding && { width: Math.round(longest) }),
    wire,
    parts,
    ...(restarts && of.restart && { restart: Math.round(problems * bound(of.restart, rows, features)) }),
    sample: own + predict + learn + wire + parts.reduce((sum, { instructions }) => sum + instructions, 0),
    error,
    periodMs,
  };
}

/** The part's cost; 0 where the node lacks it. */
function instructionsOf(name: PartTime["part"], parts: Time["parts"]): number {
  return parts.find(({ part }) => part === name)?.instructions ?? 0;
}

/** Instructions of the learner alone: a prediction, and the learning of its label. */
export function learnerInstructions({ predict, learn, parts }: Time): number {
  return predict + learn + instructionsOf("watch", parts) + instructionsOf("sources", parts);
}

/** Instructions of the sample whose label takes longest. */
export function longestSample({ sample, learn, parts, width, restart = 0 }: Time): number {
  const longer = width === undefined ? 0 : width - learn - instructionsOf("watch", parts);
  return sample + longer + restart;
}

/** Milliseconds for so many instructions at one a clock cycle. */
export function milliseconds({ clockHz }: { readonly clockHz: number }, instructions: number): number {
  return (1000 * instructions) / clockHz;
}

function wifiRamOf({ bytes, cStack }: Ram, { heap: free, source }: Wifi): WifiRam {
  const xs = upTo(STATIC_STEP, bytes);
  const left = free === undefined ? undefined : free - xs - cStack.bytes;
  return { free, source, xs, cStack: cStack.bytes, left, tls: TLS_BYTES };
}

function misfitsOf(ram: Ram, flash: Flash, time: Time | undefined, wifi: WifiRam | undefined): Misfit[] {
  const { gives, needs } = ram;
  const limits: Misfit[] = gives.static
    ? [{ what: "RAM", needs: ram.bytes, gives: gives.static, unit: "B" }]
    : [
        { what: "RAM, chunks", needs: needs.chunk, gives: gives.chunk.initial, unit: "B" },
        { what: "RAM, heap", needs: needs.slots, gives: gives.heap.initial, unit: "slots" },
      ];
  limits.push({ what: "XS stack", needs: ram.stack.measured, gives: ram.stack.slots, unit: "slots" });
  limits.push({ what: "flash", needs: flash.bytes, gives: flash.gives, unit: "B" });
  if (wifi?.free !== undefined)
    limits.push({ what: "RAM beside Wi-Fi", needs: wifi.xs + wifi.cStack, gives: wifi.free, unit: "B" });
  if (time?.periodMs !== undefined) {
    const needs = milliseconds(time, longestSample(time));
    limits.push({ what: "period", needs, gives: time.periodMs, unit: "ms" });
  }
  return limits.filter(({ needs, gives }) => needs > gives);
}

function beyondMeasured({ rows, features: { dimension } }: PlannedNode): string[] {
  const beyond = (what: string, got: number, [low, high]: readonly number[]) =>
    got < low || got > high ? [`${what} ${got}, not ${low}..${high}`] : [];
  return [
    ...beyond("d", dimension, costs.measured.dimension),
    ...(rows > 0 ? beyond("rows", rows, costs.measured.rows) : []),
  ];
}

/**
 * The node's footprint on the target's board, and what doesn't fit. `periodMs`: from one sample to the next.
 */
export function footprint(target: Target, node: PlannedNode, periodMs?: number): Footprint {
  const board: Board = BOARDS[target];
  const ram = ramOf(node, board.most);
  const flash = flashOf(node.layout, board.checkpoints);
  const time = timeOf(node, board, periodMs);
  const wifi = node.wifi ? wifiRamOf(ram, board.wifi ?? {}) : undefined;
  const misfits = misfitsOf(ram, flash, time, wifi);
  return { target, board, ram, flash, time, misfits, wifi, beyond: beyondMeasured(node) };
}

/** Steps of memory in a manifest. */
const HEAP_STEP = 64;

/**
 * The `creation` of the target's manifest: the footprint's need in whole steps, and never more than the
 * board's own manifest.
 */
export function creationOf({ ram: { bytes, needs, gives } }: Footprint): BoardMemory {
  if (gives.static) return { ...gives, static: Math.min(gives.static, upTo(STATIC_STEP, bytes)) };
  const chunk = Math.min(gives.chunk.initial, upTo(STATIC_STEP, needs.chunk));
  const heap = Math.min(gives.heap.initial, upTo(HEAP_STEP, needs.slots));
  return {
    ...gives,
    chunk: { initial: chunk, incremental: gives.chunk.incremental },
    heap: { initial: heap, incremental: gives.heap.incremental },
  };
}
