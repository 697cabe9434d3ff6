import { within } from "../../host/within.ts";
import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import { noteWords } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { hashWords } from "../../src/memory/hash.ts";
import type { Layout } from "../../src/memory/layout.ts";
import { KEPT_WORDS } from "../../src/node/list-reports.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";
import { checkpointIn } from "../../src/store/checkpoint-image.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import { HEADER_BYTES } from "../../src/store/slot.ts";
import type { Message } from "../../src/wire/messages.ts";
import { readMemory } from "../../tools/inspect/read-memory.ts";
import { Snapshot } from "../../tools/inspect/snapshot.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { requestSchema, sendCopy } from "../../tools/session/send-copy.ts";
import type { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import type { NodeCopyRow } from "../store/fleet-store.ts";
import { learnerLayout } from "./followed-node.ts";
import type { NodeLabels } from "./node-labels.ts";

/** Most words of a node's memory to copy; no sensor node has more. */
const WORDS_MAX = 1 << 18;
/** How often words that labels and samples changed meanwhile are read again. */
const ROUNDS = 8;
/** Times in all where each sample changes the learner, too: all must be read between two samples. */
const ROUNDS_BETWEEN_SAMPLES = 32;
const COPY_MS = 120_000;
/** Milliseconds within which a node answers that it keeps a checkpoint for a copy, and sends each part of it: else its firmware can't. */
const ANSWER_MS = 5000;
/** Milliseconds to wait while it is too early for such a checkpoint, before the newest one is read instead; and those between two requests. */
const EARLY_MS = 20_000;
const AGAIN_MS = 1000;
/** How often a checkpoint is read, if it comes damaged. */
const READS = 3;
/** Most words of counters of a node's features. */
const FEATURE_COUNTERS_MAX = 64;

/** Options of the node's learner that aren't the defaults. */
type Options = { readonly [name: string]: unknown };

/** A copy of a node's state and counters, as in a checkpoint. */
type NodeCopied = Omit<NodeCopyRow, "id" | "time">;

/** Makes copies of a node's memory, and has the node take one back: one at a time. */
export class CopyTaker {
  private snapshot: Snapshot | undefined;

  /** @param whileAhead restores a copy whose last label has that number; default: nobody need know. */
  constructor(private readonly whileAhead: NodeLabels["whileAhead"] = (_, restore) => restore()) {}

  get busy(): boolean {
    return this.snapshot !== undefined;
  }

  take(message: Message<"memory">): void {
    if (message.total <= WORDS_MAX) this.snapshot?.take(message);
  }

  /**
   * Copies the node's memory: a checkpoint that the node keeps for it, which samples don't change; or, where it keeps none, the memory
   * itself, whose learner's part the node's hash confirms. Rejects with an Error that gives the reason.
   * @param options of its learner that aren't the defaults.
   */
  copy(session: Session, options: Options = {}): Promise<NodeCopied> {
    const kept = new Snapshot(KEPT_WORDS);
    const read = async (now: () => number) => {
      const copied = await readCheckpoint(session, kept, options, now);
      if (copied) return copied;
      now(); // its time may be over: then another copy may be under way
      this.snapshot = new Snapshot();
      return receiveCopy(session, this.snapshot, options, now);
    };
    return this.alone(session, kept, read, "the node's memory came too slowly");
  }

  /**
   * Has the node resume from a copy; resolves with its hello then. Rejects with an Error that gives the reason.
   * @param labelKey of the node; default: it has none.
   */
  restore(session: Session, copy: GivenCopy, labelKey?: Uint8Array): Promise<Hello> {
    const send = (now: () => number) =>
      this.whileAhead(copy.labelled, () => sendCopy(session, copy, now, labelKey));
    return this.alone(session, new Snapshot(), send, "the node took the copy too slowly");
  }

  private async alone<T>(
    session: Session,
    snapshot: Snapshot,
    work: (now: () => number) => Promise<T>,
    over: string,
  ): Promise<T> {
    if (this.busy) throw new Error("a copy is being made or restored already");
    this.snapshot = snapshot;
    try {
      return await inTime(session, work, over);
    } finally {
      this.snapshot = undefined;
    }
  }
}

/** A copy as it can be sent. Throws an Error with the reason if it can't. */
export function restorable({ whole, checkpoint, ...copy }: NodeCopyRow): GivenCopy {
  if (!whole)
    throw new Error("samples changed that copy's rest while it was read: restore another, or keep one");
  if (checkpoint === null) throw new Error("that copy has no schema: the node keeps no checkpoints");
  return { ...copy, checkpoint };
}

/** Bounds the time of work that waits for a node; `now` throws once it is over, so that its waits end. */
function inTime<T>({ clock }: Session, work: (now: () => number) => Promise<T>, over: string): Promise<T> {
  const end = clock.now() + COPY_MS;
  const now = () => {
    if (clock.now() > end) throw new Error(over);
    return clock.now();
  };
  return within(COPY_MS, () => work(now), over);
}

/** The layout of the node's learner. */
async function requestLayout(session: Session, options: Options): Promise<Layout> {
  const hello = await session.awaitHello();
  const family = familyNamed(hello.learner);
  if (!family) throw new Error(`${hello.learner}: this gateway doesn't know that learner`);
  const { capacity } = await session.ask("statistics");
  const layout = learnerLayout(family, { name: "", hello, capacity, options });
  if (layout.state <= WORDS_MAX) return layout;
  throw new Error(`its learner would have ${layout.state} words; no sensor node has more than ${WORDS_MAX}`);
}

/** A checkpoint that the node keeps for it, as the copy; undefined: the node can't. */
async function readCheckpoint(
  session: Session,
  snapshot: Snapshot,
  options: Options,
  now: () => number,
): Promise<NodeCopied | undefined> {
  const { learner, firmware } = await session.awaitHello();
  const layout = await requestLayout(session, options);
  if ((await requestSchema(session, now)) === undefined || !(await isKept(session, now))) return undefined;
  for (let reads = 0; reads < READS; reads++) {
    if (!(await readMemory(session, snapshot, now, ANSWER_MS))) return undefined;
    const image = snapshot.words.slice();
    const checkpoint = checkpointIn(new Uint8Array(image.buffer))?.schema;
    if (checkpoint !== undefined) {
      const words = image.slice(HEADER_BYTES / 4);
      const from = learnerAt(words, layout, snapshot.seq);
      const hash = hashWords(words, from, layout.state);
      const [sid, seq, labelled] = words;
      return { sid, seq, labelled, learner, firmware, hash, from, whole: true, checkpoint, words };
    }
    snapshot.forget();
  }
  return undefined;
}

/** Has the node keep a checkpoint, unless the newest is younger than its interval; false: it can't. */
async function isKept(session: Session, now: () => number): Promise<boolean> {
  const from = now();
  while (now() - from < EARLY_MS) {
    const status = (await session.askWithin("copy", ANSWER_MS))?.status;
    if (status !== SAVE_STATUS.early) return status === SAVE_STATUS.kept;
    const at = now();
    await session.until(() => now() - at >= AGAIN_MS);
  }
  return true;
}

/** The learner's first word, as the node says; throws where the learner has other options than the gateway knows. */
function learnerAt(words: Uint32Array, layout: Layout, from: number): number {
  const counters = words.length - from - layout.state - layout.counters - NODE_COUNTERS.length;
  if (counters >= 0 && counters < FEATURE_COUNTERS_MAX) return from;
  throw new Error("the node's learner has other options than the fleet file names");
}

async function receiveCopy(
  session: Session,
  snapshot: Snapshot,
  options: Options,
  now: () => number,
): Promise<NodeCopied> {
  const hello = await session.awaitHello();
  const layout = await requestLayout(session, options);
  const takesNotes = noteWords(layout) > 0;
  const rounds = takesNotes ? ROUNDS_BETWEEN_SAMPLES : ROUNDS;
  for (let round = 1; ; round++) {
    await readMemory(session, snapshot, now);
    const state = await session.ask("state");
    const { words, labelled, seq } = snapshot;
    const found = state.labelled === labelled ? learnerIn(words, layout, state) : undefined;
    if (found?.whole || (found && round >= ROUNDS)) {
      const { sid } = session.peer.node;
      const { learner, firmware } = hello;
      const checkpoint = (await requestSchema(session, now)) ?? null;
      return { sid, seq, labelled, learner, firmware, ...found, checkpoint, words: words.slice() };
    }
    if (round === rounds)
      throw new Error(
        `${takesNotes ? "samples" : "labels"} changed the node faster than it could be read, or it has other options`,
      );
    const [from, to] = found && !takesNotes ? [found.from, found.from + layout.state] : [0, 0];
    snapshot.refresh(from, to, state.seq);
  }
}

/**
 * Where the learner's state, the last part of a node's, lies among the words, found by the node's hashes.
 * Counters follow it: the learner's, the node's, and an unknown number of its features'.
 */
function learnerIn(words: Uint32Array, layout: Layout, state: Message<"state">) {
  const { stateHash: hash, nodeHash: all } = stateFields(state);
  const last = words.length - NODE_COUNTERS.length - layout.counters;
  let found: { hash: string; from: number; whole: boolean } | undefined;
  for (let end = last; end >= layout.state && end > last - FEATURE_COUNTERS_MAX; end--) {
    const from = end - layout.state;
    if (hashWords(words, from, layout.state) !== hash) continue;
    const whole = hashWords(words, 0, end) === all;
    if (whole || !found) found = { hash, from, whole };
  }
  return found;
}
