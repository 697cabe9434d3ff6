import type { Checksum } from "../math/crc32.ts";
import { WordHash } from "../memory/hash.ts";
import type { PlacedRegion } from "../memory/layout.ts";
import type { BlockDevice } from "../store/block-device.ts";
import { CheckpointStore, checkpointBytes } from "../store/checkpoint-store.ts";
import { nodeLayout } from "./node-layout.ts";
import { type NodeOptions, resolvedOptions } from "./node-options.ts";
import type { Clock } from "./ports.ts";

/**
 * Identifies what the bytes of a node's checkpoint mean, by 16 hex digits: a hash of its layout's state and counters, and of
 * every option with its default filled in, except the session and the labels between two checkpoints.
 */
export function nodeSchema(options: NodeOptions): string {
  const hash = new ValueHash();
  hash.take(schemaValue(options));
  return hash.digits;
}

/** What `nodeSchema` hashes: the learner's name, the options, the regions that are saved. */
export function schemaValue(options: NodeOptions): readonly [string, object, readonly PlacedRegion[]] {
  const regions = nodeLayout(options).regions.filter(({ kind }) => kind !== "scratch");
  const places = regions.map(({ name, kind, words, offset }) => ({ name, kind, words, offset }));
  return [options.learner.name, resolvedOptions(options), places];
}

/** Where a node made from these options keeps its checkpoints. Throws an OptionError if they don't fit. */
export function nodeStore(
  options: NodeOptions,
  block: BlockDevice,
  clock: Clock,
  intervalMs = 0,
  crc?: Checksum,
): CheckpointStore {
  const schema = nodeSchema(options);
  const length = checkpointBytes(nodeLayout(options));
  return new CheckpointStore(block, { schema, length, intervalMs }, clock, crc);
}

/** Hash of values as words, so that different values give different words; the names of an object in order. */
class ValueHash {
  private readonly words = new WordHash();
  private readonly number = new Float64Array(1);
  private readonly halves = new Uint32Array(this.number.buffer);

  get digits(): string {
    return this.words.digits;
  }

  take(value: unknown): void {
    if (typeof value === "object" && value !== null) this.takeObject(value as { [name: string]: unknown });
    else if (typeof value === "number") this.takeNumber(value);
    else this.takeText(String(value));
  }

  private takeObject(value: { [name: string]: unknown }): void {
    const names = Object.keys(value).sort();
    this.words.take(1);
    this.words.take(names.length);
    for (const name of names) {
      this.takeText(name);
      this.take(value[name]);
    }
  }

  private takeNumber(value: number): void {
    this.number[0] = value;
    this.words.take(2);
    this.words.take(this.halves[0]);
    this.words.take(this.halves[1]);
  }

  private takeText(text: string): void {
    this.words.take(3);
    this.words.take(text.length);
    for (let i = 0; i < text.length; i++) this.words.take(text.charCodeAt(i));
  }
}
