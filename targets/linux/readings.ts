/** The readings of a node that samples by itself, known by the number of the sample: after a restart the node takes those that follow its checkpoint. */
import type { Task } from "../../src/learn/learner.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { sessionId } from "../../src/node/station.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { Stream } from "../emulator/programs/stream.ts";

/** The readings of each sample. */
export interface Readings {
  readonly channels: number;
  /** See `Sensor.session`. */
  readonly session?: number;
  /** Copies those of sample n, from 0. */
  copy(n: number, to: Float32Array, first: number): void;
}

/** The stream that every engine sees, without end. */
export class GeneratedReadings implements Readings {
  private stream: Stream;
  private drawn = 0;

  constructor(
    readonly channels: number,
    private readonly task: Task,
  ) {
    this.stream = new Stream(channels);
  }

  copy(n: number, to: Float32Array, first: number): void {
    if (n < this.drawn) {
      this.stream = new Stream(this.channels);
      this.drawn = 0;
    }
    for (; this.drawn <= n; this.drawn++) this.stream.next(this.task);
    const { x } = this.stream;
    for (let j = 0; j < x.length; j++) to[first + j] = x[j];
  }
}

function readingsIn(line: string, where: string): readonly unknown[] | undefined {
  let record: { readonly x?: unknown };
  try {
    record = JSON.parse(line);
  } catch {
    throw new RangeError(`${where}: no JSON; takes lines as "motelearn record" writes them`);
  }
  if (record?.x === undefined) return undefined; // a label or a prediction of a log
  if (Array.isArray(record.x) && record.x.length > 0) return record.x;
  throw new RangeError(`${where}: x: takes a list of readings`);
}

/** A recorded stream, NDJSON as `motelearn record` writes it. It begins again after its last sample. */
export class RecordedReadings implements Readings {
  readonly channels: number;
  /** Another recording has another. */
  readonly session: number;
  private readonly all: Float32Array;

  /** Throws a RangeError that names the file and its line. */
  constructor(text: string, file: string) {
    const found: number[] = [];
    let channels = 0;
    let number = 0;
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf("\n", from);
      const line = text.slice(from, end < 0 ? text.length : end);
      from += line.length + 1;
      const where = `readings: ${file}:${++number}`;
      const x = line.trim() === "" ? undefined : readingsIn(line, where);
      if (!x) continue;
      channels ||= x.length;
      if (x.length !== channels)
        throw new RangeError(`${where}: x: got ${x.length} readings; takes ${channels}, as before`);
      for (const reading of x) found.push(typeof reading === "number" ? reading : Number.NaN);
    }
    if (channels === 0) throw new RangeError(`readings: ${file}: no sample in it`);
    this.channels = channels;
    this.all = Float32Array.from(found);
    const bytes = new Uint8Array(this.all.buffer);
    this.session = sessionId(new Crc32().crc32(bytes, 0, bytes.length, channels));
  }

  copy(n: number, to: Float32Array, first: number): void {
    const { all, channels } = this;
    const at = (n % (all.length / channels)) * channels;
    for (let j = 0; j < channels; j++) to[first + j] = all[at + j];
  }
}

/** The readings as a node's sensor; `taken`: the samples that the node has taken. */
export function makeSensor(readings: Readings, taken: () => number): Sensor {
  return {
    channels: readings.channels,
    session: readings.session,
    read: (to, first) => readings.copy(taken(), to, first),
  };
}
