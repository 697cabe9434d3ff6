import type { CheckpointReader } from "../store/checkpoint-reader.ts";
import { FORMATS_BY_ID } from "../wire/format.ts";
import { type Message, NAME } from "../wire/messages.ts";
import type { Lesson } from "./lesson.ts";
import type { SensorNode } from "./node.ts";
import type { FramePort } from "./ports.ts";

/** Seeds in message schema: one an id. */
const SEEDS = FORMATS_BY_ID.length;
const SELF_TEST = NAME["self-test"];
/** Words from this number on are those of the newest checkpoint as it lies in flash, header first. */
export const KEPT_WORDS = 0x80000000;

/** Lists that go up in parts, as there is room: seeds, hashes of the self-test, the description, features, words of memory. */
export abstract class ListReports {
  /** Next element of a list that goes up in parts; beyond its end: no list goes up. */
  private nextSeed = Number.POSITIVE_INFINITY;
  /**
   * The node's description, and the characters that are left to go up; -1: none, nor an end of none. XS allocates an object where it reads a
   * text's length or character, so that happens only on request.
   */
  description = "";
  private lettersLeft = -1;
  /** Hashes of the self-test that are left to go up. */
  private hashesLeft = 0;
  /** Features of the last labelled sample that are left to go up. */
  private featuresLeft = 0;
  /** The next word of memory that goes up, and the one behind the last. */
  private nextWord = 0;
  private endWord = 0;
  /** The checkpoint whose words go up; undefined: those of memory. */
  private kept: CheckpointReader | undefined;
  /** The starts of node and peer in which the peer asked for memory. */
  private askedIn = 0;
  /** True if parts of a list are due. */
  protected parts = false;

  constructor(
    protected readonly wire: FramePort,
    protected readonly node: SensorNode,
    private readonly selfTest: Uint32Array | undefined,
  ) {}

  /** The peer asks for words of memory, or of the newest checkpoint, in that start of node and peer. */
  askMemory(start: number, first: number, count: number): void {
    const { node } = this;
    this.askedIn = start;
    this.kept = first < KEPT_WORDS ? undefined : node.reader;
    this.nextWord = first % KEPT_WORDS;
    this.endWord = Math.min(this.nextWord + count, this.kept ? this.kept.words : node.words);
    if (first >= KEPT_WORDS && !this.kept?.begin(first === KEPT_WORDS)) this.endWord = 0;
    this.parts = true;
  }

  askSchema(): void {
    this.nextSeed = 0;
    this.parts = true;
  }

  askSelfTest(): void {
    this.hashesLeft = this.selfTest ? this.selfTest.length : 0;
    this.parts = true;
  }

  askDescription(): void {
    this.lettersLeft = this.description.length;
    this.parts = true;
  }

  /** Sends parts of lists, as long as there is room for an urgent frame. */
  protected sendLists(): void {
    const { wire } = this;
    while (this.nextSeed < SEEDS && wire.hasRoom(true)) this.sendSeeds();
    while (this.hashesLeft > 0 && wire.hasRoom(true)) this.sendHashes();
    while (this.lettersLeft >= 0 && wire.hasRoom(true)) this.sendLetters();
    if (this.featuresLeft > 0) this.sendFeatures(this.node.lesson as Lesson);
  }

  /** Sends words of memory, as long as there is room for any frame. */
  protected sendWords(): void {
    while (this.nextWord < this.endWord && this.wire.hasRoom(false)) this.sendMemory();
    const isListing = this.nextSeed < SEEDS || this.hashesLeft > 0 || this.lettersLeft >= 0;
    this.parts = isListing || this.featuresLeft > 0 || this.nextWord < this.endWord;
  }

  /** Sends the features of the last sample whose label was applied, as long as there is room, and the rest in later turns. */
  sendLesson(): void {
    const { lesson } = this.node;
    if (!lesson) return;
    this.featuresLeft = lesson.features.length;
    this.parts = true;
    this.sendFeatures(lesson);
  }

  private sendFeatures({ number, sid, seq, features }: Lesson): void {
    const { wire } = this;
    while (this.featuresLeft > 0 && wire.hasRoom(true)) {
      const message = wire.outgoing(NAME.features);
      message.boot = wire.outgoing(NAME.acknowledgement).boot;
      message.number = number;
      message.labelled = this.node.labelled;
      message.sid = sid;
      message.seq = seq;
      message.total = features.length;
      message.first = features.length - this.featuresLeft;
      message.length = copyPart(message.x, features, message.first);
      this.featuresLeft -= message.length;
      wire.send(NAME.features, true);
    }
  }

  private sendSeeds(): void {
    const { wire } = this;
    const schema = wire.outgoing(NAME.schema);
    schema.first = this.nextSeed;
    schema.total = SEEDS;
    schema.length = Math.min(schema.seeds.length, SEEDS - this.nextSeed);
    for (let i = 0; i < schema.length; i++) schema.seeds[i] = FORMATS_BY_ID[this.nextSeed + i]?.seed ?? 0;
    this.nextSeed += schema.length;
    wire.send(NAME.schema, true);
  }

  private sendHashes(): void {
    const { wire } = this;
    const hashes = this.selfTest as Uint32Array;
    const message = wire.outgoing(SELF_TEST);
    const first = hashes.length - this.hashesLeft;
    message.first = first;
    message.total = hashes.length;
    message.length = copyPart(message.hashes, hashes, first);
    this.hashesLeft -= message.length;
    wire.send(SELF_TEST, true);
  }

  private sendLetters(): void {
    const { description, lettersLeft, wire } = this;
    const message = wire.outgoing(NAME.description);
    const { text } = message;
    message.total = description.length;
    message.first = message.total - lettersLeft;
    message.length = Math.min(text.length, lettersLeft);
    for (let i = 0; i < message.length; i++) text[i] = description.charCodeAt(message.first + i);
    this.lettersLeft = message.length < lettersLeft ? lettersLeft - message.length : -1;
    wire.send(NAME.description, true);
  }

  private sendMemory(): void {
    const { kept, node, wire, nextWord, endWord } = this;
    const memory = wire.outgoing(NAME.memory);
    const { words } = memory;
    memory.start = this.askedIn;
    if (kept) {
      this.sendKept(kept, memory);
      return;
    }
    memory.seq = node.seq;
    memory.labelled = node.labelled;
    memory.first = nextWord;
    memory.total = node.words;
    memory.length = Math.min(words.length, endWord - nextWord);
    for (let i = 0; i < memory.length; i++) words[i] = node.word(nextWord + i);
    this.nextWord += memory.length;
    wire.send(NAME.memory, false);
  }

  private sendKept(kept: CheckpointReader, memory: Message<"memory">): void {
    const { node, nextWord } = this;
    memory.seq = node.learner.range.state - node.range.state;
    memory.labelled = kept.generation;
    memory.first = KEPT_WORDS + nextWord;
    memory.total = kept.words;
    memory.length = kept.read(nextWord, memory.words, this.endWord - nextWord);
    this.nextWord += memory.length;
    if (memory.length > 0) this.wire.send(NAME.memory, false);
    else this.endWord = 0;
  }
}

/** Copies list[first..] to `to`, as much as fits; returns how many. */
export function copyPart(to: Float32Array | Uint32Array, list: ArrayLike<number>, first: number): number {
  const count = Math.min(to.length, list.length - first);
  for (let i = 0; i < count; i++) to[i] = list[first + i];
  return count;
}
