import { Random } from "../../host/random.ts";
import type { MessageName } from "../../src/wire/messages.ts";
import type { LinkOptions } from "../scenario/scenario.ts";
import type { FrameInTransit } from "./frame-in-transit.ts";
import { byteTime, exact } from "./time.ts";

/** Places of frames that came, from which on they are given up. */
const PASSED_MAX = 1024;

/** Times at which all that is on a line is lost; milliseconds. */
export type Cuts = readonly { readonly from: number; readonly to: number }[];

/** The line's cuts, drawn over so many samples; both ways have the same. */
export function lineCuts(
  { cuts, periodMs }: { readonly cuts: LinkOptions["cuts"]; readonly periodMs: number },
  random: Random,
  samples: number,
): Cuts {
  return Array.from({ length: cuts.count }, () => {
    const from = exact(random.uniform() * (samples + 1) * periodMs);
    return { from, to: from + exact(cuts.lengthMs) };
  });
}

/**
 * One way of a line between a node and its peer: frames that are lost, doubled, held back, damaged or
 * stalled, by seed. Each kind of harm draws from a random stream of its own, frame by frame, so that one
 * moves no other.
 */
export class Line<N extends MessageName = MessageName> {
  readonly tally = { frames: 0, bytes: 0, lost: 0, doubled: 0, damaged: 0, stalls: 0 };
  readonly byteMs: number;
  /** When the next frame comes; infinite if there is none. */
  nextAt = Number.POSITIVE_INFINITY;
  /** Frames on their way, from place `first` to before `end`, by the time at which they come. */
  private readonly queue: FrameInTransit<N>[] = [];
  private first = 0;
  private end = 0;
  private stalledUntil = Number.NEGATIVE_INFINITY;
  /** Bytes that pass until the next that is changed. */
  private soundBytes: number;
  private readonly losses: Random;
  private readonly duplicates: Random;
  private readonly delays: Random;
  private readonly errors: Random;
  private readonly changes: Random;
  private readonly stalls: Random;

  constructor(
    private readonly options: LinkOptions,
    private readonly periodMs: number,
    private readonly cuts: Cuts,
    seed: number,
    place: string,
  ) {
    this.byteMs = byteTime(options.baud);
    this.losses = new Random(seed, place);
    this.duplicates = new Random(seed, `${place}/duplicates`);
    this.delays = new Random(seed, `${place}/reorder`);
    this.errors = new Random(seed, `${place}/byteErrors`);
    this.changes = new Random(seed, `${place}/changes`);
    this.stalls = new Random(seed, `${place}/stalls`);
    this.soundBytes = this.drawSoundBytes();
  }

  /** Takes a frame whose last byte is sent at that time. */
  send(at: number, parcel: FrameInTransit<N>): void {
    const { options, tally } = this;
    tally.frames++;
    tally.bytes += parcel.length;
    if (options.loss > 0 && this.losses.uniform() < options.loss) {
      tally.lost++;
      return;
    }
    const doubled = options.duplicates > 0 && this.duplicates.uniform() < options.duplicates;
    const again = doubled ? parcel.retry() : undefined; // before the line damages the first
    this.post(at, parcel);
    if (!again) return;
    tally.doubled++;
    this.post(at + parcel.length * this.byteMs, again);
  }

  private post(sent: number, parcel: FrameInTransit<N>): void {
    const { options, tally } = this;
    let at = this.drawStall(sent);
    if (options.reorder > 0) at += this.delays.below(options.reorder + 1) * this.periodMs;
    if (options.byteErrors > 0) this.damage(parcel);
    if (this.isCut(sent, at)) tally.lost++;
    else this.insert(at, parcel);
  }

  private drawStall(at: number): number {
    const { stalls } = this.options;
    if (stalls.rate > 0 && this.stalls.uniform() < stalls.rate) {
      this.tally.stalls++;
      const from = Math.max(at, this.stalledUntil);
      this.stalledUntil = from + exact(this.stalls.exponential(stalls.lengthMs));
    }
    return Math.max(at, this.stalledUntil);
  }

  /** Changes bytes at the rate of the options, each to any other value. */
  private damage(parcel: FrameInTransit<N>): void {
    let at = 0;
    while (this.soundBytes < parcel.length - at) {
      at += this.soundBytes;
      if (!parcel.damaged) this.tally.damaged++;
      parcel.damaged = true;
      if (parcel.bytes) parcel.bytes[at] ^= 1 + this.changes.below(255);
      at++;
      this.soundBytes = this.drawSoundBytes();
    }
    this.soundBytes -= parcel.length - at;
  }

  private drawSoundBytes(): number {
    const { byteErrors } = this.options;
    return byteErrors > 0 ? Math.floor(this.errors.exponential(1 / byteErrors)) : Number.POSITIVE_INFINITY;
  }

  private isCut(sent: number, at: number): boolean {
    return this.cuts.length > 0 && this.cuts.some(({ from, to }) => from <= at && sent < to);
  }

  /** Inserts a frame behind those that come earlier or at the same time. */
  private insert(at: number, parcel: FrameInTransit<N>): void {
    const { queue } = this;
    parcel.at = at;
    let place = this.end++;
    while (place > this.first && queue[place - 1].at > at) {
      queue[place] = queue[place - 1];
      place--;
    }
    queue[place] = parcel;
    this.nextAt = queue[this.first].at;
  }

  /** Takes the next frame that comes. */
  take(): FrameInTransit<N> {
    const { queue } = this;
    const parcel = queue[this.first++];
    if (this.first < this.end) {
      this.nextAt = queue[this.first].at;
      if (this.first >= PASSED_MAX && 2 * this.first >= this.end) this.giveUpPassed();
    } else {
      this.first = this.end = 0; // the array keeps its length: to empty and to fill it takes several times as long
      this.nextAt = Number.POSITIVE_INFINITY;
    }
    return parcel;
  }

  /** Where frames are held back, some are always on their way: the places of those that came would never be used again. */
  private giveUpPassed(): void {
    this.queue.splice(0, this.first);
    this.end -= this.first;
    this.first = 0;
  }
}
