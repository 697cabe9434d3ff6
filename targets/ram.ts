import type { Layout } from "../src/memory/layout.ts";
import { type BoardMemory, C_STACK_BYTES, SLOT_BYTES, type Wifi } from "./boards.ts";
import { findMeasured } from "./cost-model.ts";
import costs from "./costs.json";
import { countDictionaries, type Part, type PlannedNode } from "./planned-node.ts";

/** Bytes of chunks and slots of the heap. */
export interface Room {
  readonly chunk: number;
  readonly slots: number;
}

export interface Item extends Room {
  readonly item: string;
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
  /** An encrypted connection, in C; 0: there is none. */
  readonly tls: number;
  readonly left?: number;
}

const STATIC_STEP = 1024;

/** Reserve for what isn't measured: drivers of sensors, and an application's own objects. */
const APPLICATION: Room = { chunk: 512, slots: 64 };
/** Sensors, as analogue pins, whose objects are in that reserve: more are counted. */
const RESERVED_SENSORS = 4;

/**
 * What a node takes beyond its start as it learns labels and answers requests. In Espressif's QEMU some learners' nodes took up to 108 bytes of
 * texts more, and some one more step of slots.
 */
const LIFE: Room = { chunk: 128, slots: 64 };

/**
 * What a node at a broker takes more than at its UART: its line, the SDK's client, and a message. In Espressif's QEMU a node with `pa` on an ESP32-C3,
 * whose start leaves the least garbage, took 2,544 bytes of chunks and 192 slots more at most; a step of chunks is for a longer message.
 */
const MQTT: Room = { chunk: 3072, slots: 192 };

/**
 * What TLS takes more in XS: the buffers of a socket, and a broker's certificate of up to 2,048 bytes. That node took 3,048 bytes of chunks and
 * 64 slots more, with a certificate of 771 bytes.
 */
const TLS: Room = { chunk: 4352, slots: 64 };

/**
 * Bytes of the chip's heap that a connection takes in C at most, while it is made: docs/emulated.md has what it took with RSA of 2,048 bits; longer
 * keys and chains take more.
 */
const TLS_HEAP_BYTES = 49_152;

/** The item that a region of the node's range counts towards, by the prefix of its name. */
const PARTS: readonly (readonly [string, readonly string[]])[] = [
  ["learner", ["learner."]],
  ["pending ring", ["pending."]],
  ["held labels", ["held"]],
  ["features", ["window.", "standardiser.", "readings", "statistics", "samples", "vector"]],
  ["requests, coverage, drift", ["requests", "sets.", "intervals", "drift"]],
  ["a fleet's model", ["installed.", "lesson."]],
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

/** The largest objects of any measured learner. */
function largest(rooms: readonly Room[]): Room {
  return {
    chunk: Math.max(...rooms.map(({ chunk }) => chunk)),
    slots: Math.max(...rooms.map(({ slots }) => slots)),
  };
}

/** The name under which memory was measured: vectors of 16 bits take no other objects. */
function measuredAs({ costed }: PlannedNode): string {
  return costed.replace(/\/q15$/, "");
}

/** The sensors of a node, each with a window where it has windows. */
function countSensors({ spectrum, channels }: PlannedNode["features"]): number {
  return spectrum?.sensors ?? channels;
}

/** The objects of an optional part. One that lies around the learner keeps the text of the learner's layout in its own, too. */
function planPart(part: Part, { inner }: PlannedNode): Room {
  const { inner: measured, ...room }: Room & { inner?: number } = costs.objects.parts[part];
  return measured === undefined ? room : plus(room, { chunk: upTo(8, inner) - upTo(8, measured), slots: 0 });
}

/** The JS objects of learner and node; a learner's own objects count once a class. */
function planObjects(node: PlannedNode): Room {
  const { parts, problems, shares, finder, features } = node;
  const { learners, window, standardise, spectrum, problem, shared, width, fleet } = costs.objects;
  const one = findMeasured<Room>(learners, measuredAs(node)) ?? largest(Object.values(learners));
  const windows = times(features.window > 0 ? countSensors(features) : 0, window);
  const several = shares ? shared : times(problems > 1 ? problems : 0, problem);
  const widths = times(finder ? countDictionaries({ problems, shares }) : 0, width);
  const options = times(features.spectrum ? 1 : 0, spectrum);
  const standardised = times(features.standardise ? 1 : 0, standardise);
  return plus(
    one,
    windows,
    options,
    standardised,
    several,
    widths,
    times(node.fleet < 0 ? 0 : 1, fleet),
    ...parts.map((part) => planPart(part, node)),
  );
}

/** Parts of the wire, which a start makes without a layout or options of their own. */
const OF_WIRE: readonly Part[] = ["uart", "keyed", "keyedLabels"];

/**
 * What a firmware's start takes beyond the node at rest: the layouts that it computes, options, promises, what runs the node's turns. A part is
 * garbage until the next collection. A learner that wasn't measured counts as the largest of those that were.
 */
function planStart(node: PlannedNode): Room {
  const kind = node.isOwn ? "own" : "flashed";
  const starts = costs.start[kind];
  const { sensor, window, part, fleet, spread } = costs.start.beside[kind];
  const sensors = countSensors(node.features);
  const beside = plus(
    times(node.features.window > 0 ? sensors : 0, window),
    times(node.parts.filter((name) => !OF_WIRE.includes(name)).length, part),
    times(node.fleet < 0 ? 0 : 1, fleet),
  );
  return plus(
    findMeasured<Room>(starts, measuredAs(node)) ?? largest(Object.values(starts)),
    times(Math.max(0, sensors - RESERVED_SENSORS), sensor),
    beside,
    times(beside.slots > 0 ? 1 : 0, spread),
  );
}

function upTo(multiple: number, value: number): number {
  return multiple * Math.ceil(value / multiple);
}

/** How XS divides one block: each part begins with `initial` and grows by `incremental`. */
function growTo({ initial, incremental }: BoardMemory["chunk"], needs: number): number {
  return needs <= initial ? initial : initial + upTo(incremental, needs - initial);
}

export function planRam(node: PlannedNode, most: BoardMemory): Ram {
  const { layout, selfTest, wire } = node;
  const items: Item[] = [
    ...rangeItems(layout),
    { item: "self-test, beyond that", chunk: Math.max(0, selfTest - layout.bytes), slots: 0 },
    { item: "objects of learner, node, store", ...planObjects(node) },
    { item: "wire: frames, messages, outbox", ...plus(costs.wire, { chunk: wire, slots: 0 }) },
    ...(node.wifi ? [{ item: "MQTT: line, client, a message", ...MQTT }] : []),
    ...(node.tls ? [{ item: "TLS: socket, certificate", ...TLS }] : []),
    { item: "engine at rest", ...costs.engine },
    { item: "start, and what runs the node", ...planStart(node) },
    { item: "labels and requests", ...LIFE },
    { item: "kept for the application", ...APPLICATION },
  ];
  const needs = plus(...items);
  const stack = { slots: most.stack, measured: costs.stack.slots };
  const heap = most.static ? growTo(most.heap, needs.slots) : needs.slots;
  const chunk = most.static ? growTo(most.chunk, needs.chunk) : needs.chunk;
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

export function planWifiRam(
  { bytes, cStack }: Ram,
  { heap: free, source }: Wifi,
  isEncrypted: boolean,
): WifiRam {
  const xs = upTo(STATIC_STEP, bytes);
  const tls = isEncrypted ? TLS_HEAP_BYTES : 0;
  const left = free === undefined ? undefined : free - xs - cStack.bytes - tls;
  return { free, source, xs, cStack: cStack.bytes, tls, left };
}

/** Steps of memory in a manifest. */
const HEAP_STEP = 64;

/**
 * The `creation` of the target's manifest: the footprint's need in whole steps, and never more than the
 * board's own manifest.
 *
 * @param own bytes of chunks that an application takes beyond its reserve.
 */
export function planCreation({ ram: { bytes, needs, gives } }: { readonly ram: Ram }, own = 0): BoardMemory {
  if (gives.static) return { ...gives, static: Math.min(gives.static, upTo(STATIC_STEP, bytes + own)) };
  const chunk = Math.min(gives.chunk.initial, upTo(STATIC_STEP, needs.chunk + own));
  const heap = Math.min(gives.heap.initial, upTo(HEAP_STEP, needs.slots));
  return {
    ...gives,
    chunk: { initial: chunk, incremental: gives.chunk.incremental },
    heap: { initial: heap, incremental: gives.heap.incremental },
  };
}
