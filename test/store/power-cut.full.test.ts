import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { CUT_KINDS, EmulatedFlash, PowerCut } from "./emulated-flash.ts";
import { feed, readings, type StartedNode, start } from "./node-at-work.ts";

const EVERY = 4;
const SAMPLES = 5 * EVERY + 2;
const CHANNELS = 3;
const STREAM = readings("classification", 16, SAMPLES);

function nodeOptions(channels: number, pending: number, budget: number): NodeOptions {
  const learner = familyNamed("kernel-perceptron")!;
  return { sid: 9, channels, pending, labelWindow: 1, checkpointEvery: EVERY, learner, options: { budget } };
}

const SMALLEST = nodeOptions(CHANNELS, 1, 4);
const LARGEST = nodeOptions(16, 64, 1024);
const TOGETHER = { ...SMALLEST, fleetBudget: 4 };

function cutSamples({ channels }: NodeOptions) {
  return STREAM.map(({ x, y }) => ({ x: x.subarray(0, channels), y }));
}

function blankFlash(options: NodeOptions): EmulatedFlash {
  return EmulatedFlash.ofSectors(storeBytes(nodeLayout(options)) / 4096);
}

/** The final state of a node that is never stopped. */
function uninterrupted(options: NodeOptions): string {
  const { node } = start(options, blankFlash(options));
  feed(node, cutSamples(options));
  return node.stateHash();
}

/** Lets a node work on until the power is cut; true if it was. */
function cutShort(node: StartedNode["node"], options: NodeOptions, end: number): boolean {
  try {
    feed(node, cutSamples(options), end);
    return false;
  } catch (error) {
    if (error instanceof PowerCut) return true;
    throw error;
  }
}

/** The headers that lie in the flash, as text. */
function headers({ contents }: EmulatedFlash): [string, string] {
  const half = contents.length / 2;
  const text = (from: number) => contents.subarray(from, from + 64).join();
  return [text(0), text(half)];
}

/** True if each start reads the same headers. */
function hasFirmHeaders(flash: EmulatedFlash): boolean {
  return flash.isFirm(0, 64) && flash.isFirm(flash.bytes / 2, flash.bytes / 2 + 64);
}

const BLANK = new Uint8Array(64).fill(0xff).join();

/** The status that must be said: a header that changed, and is neither blank nor loaded, is what a later save left. */
function expected(
  options: NodeOptions,
  before: EmulatedFlash,
  after: EmulatedFlash,
  kept: number,
  found: number,
): string {
  if (found > kept) return "restored";
  if (kept === 0) return "fresh";
  const was = headers(before);
  const changed = headers(after).find((header, i) => header !== was[i]);
  if (changed === undefined) return start(options, before).status;
  return changed === BLANK ? "restored" : "fallback";
}

/**
 * Cuts every operation of the save after `kept` labels, in each way, and passes on the node's start after
 * it.
 */
function cutEverySave(
  options: NodeOptions,
  from: EmulatedFlash,
  kept: number,
  each: (flash: EmulatedFlash, cut: string) => void,
): number {
  let cuts = 0;
  for (const kind of CUT_KINDS) {
    for (let at = 0; ; at++) {
      const flash = from.restarted();
      const { node } = start(options, flash);
      assert.is(node.labelled, kept);
      flash.cutAfter(at, kind);
      if (!cutShort(node, options, kept + EVERY)) break;
      cuts++;
      const after = flash.restarted();
      const cut = `${kind} cut at operation ${at} of the save after label ${kept + EVERY}`;
      const restarted = start(options, after);
      // What a start has found, and made firm if it was in doubt, no later start finds otherwise.
      const again = after.restarted();
      assert.is(start(options, again).node.stateHash(), restarted.node.stateHash(), cut);
      if (after.operations > 0) assert.is(again.operations, 0, `${cut}: the second start writes, too`);
      assert.ok([kept, kept + EVERY].includes(restarted.node.labelled), `${cut}: ${restarted.node.labelled}`);
      assert.is(restarted.node.durable, restarted.node.labelled, cut);
      if (hasFirmHeaders(after))
        assert.is(restarted.status, expected(options, from, after, kept, restarted.node.labelled), cut);
      each(after, cut);
    }
  }
  return cuts;
}

/** Flash with two checkpoints (or as many as `saves`), the newest after label EVERY * saves. */
function flashAfter(options: NodeOptions, saves: number): EmulatedFlash {
  const flash = blankFlash(options);
  const { node } = start(options, flash);
  feed(node, cutSamples(options), EVERY * saves);
  assert.is(node.count("saved"), saves);
  return flash.restarted();
}

function finish(options: NodeOptions, flash: EmulatedFlash, hash: string, cut: string): void {
  const { node, store } = start(options, flash);
  feed(node, cutSamples(options));
  assert.is(node.stateHash(), hash, cut);
  assert.is(store.failed, 0, cut);
}

for (const [size, options] of Object.entries({ smallest: SMALLEST, largest: LARGEST, "fleet's": TOGETHER })) {
  test(`the ${size} state outlives a power cut at every erase and program of a save`, () => {
    const hash = uninterrupted(options);
    const sectors = storeBytes(nodeLayout(options)) / 2 / 4096;
    for (const saves of size === "smallest" ? [0, 1, 2, 3] : [2]) {
      const from = flashAfter(options, saves);
      const cuts = cutEverySave(options, from, EVERY * saves, (flash, cut) => {
        finish(options, flash, hash, cut);
      });
      assert.ok(cuts >= 2 * (sectors + 3), `${cuts} cuts`);
    }
  });
}

test("the smallest state outlives a second cut, at every erase and program of the save that follows", () => {
  const hash = uninterrupted(SMALLEST);
  let second = 0;
  cutEverySave(SMALLEST, flashAfter(SMALLEST, 2), 2 * EVERY, (once, cut) => {
    const { node } = start(SMALLEST, once.restarted());
    second += cutEverySave(SMALLEST, once.restarted(), node.labelled, (twice, then) => {
      finish(SMALLEST, twice, hash, `${cut}, then ${then}`);
    });
  });
  assert.ok(second >= 64, `${second} second cuts`);
});

test.run();
