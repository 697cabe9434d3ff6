import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import type { Message } from "../../src/wire/messages.ts";
import { UserError } from "../cli/exit.ts";
import type { Hello } from "../session/hello.ts";
import { type Answer, ToldLabels } from "./told-labels.ts";

export const RECORD_SCHEMA = "motelearn.record/1";

/** What is known of one stay at a port. Times are milliseconds since 1970-01-01 UTC. */
export interface Stay {
  readonly port: string;
  readonly node: string;
  readonly label?: string | number;
  readonly began: number;
  ended?: number;
  /** Each start of the node. */
  readonly hellos: Hello[];
  /** Events that were marked, each at the last sample before it. */
  readonly marks: { readonly number: number; readonly seq: number; readonly time: number }[];
  /** Samples written; numbers that never came; those with a reading that isn't finite, which no stream can hold. */
  samples: number;
  missing: number;
  unreadable: number;
  /** What a log has besides samples: predictions, and labels that the node dealt with. */
  predictions: number;
  labels: number;
  linkLosses: number;
  bytesThrown: number;
}

/** What lies beside a stream file, as FILE.json. */
interface Metadata {
  readonly schema: typeof RECORD_SCHEMA;
  readonly file: string;
  readonly recordings: Stay[];
}

const TAIL_MAX = 1 << 20;

/** Puts the parts of one sample together. */
class SampleParts {
  private readings = new Float32Array(0);
  private seq = 0;
  private have = 0;

  /** The readings once all parts have come. */
  take({ seq, first, total, x, length }: Message<"sample">): Float32Array | undefined {
    if (first === 0) {
      this.readings = new Float32Array(total);
      this.seq = seq;
      this.have = 0;
    }
    if (seq !== this.seq || first !== this.have || first + length > this.readings.length) return undefined;
    this.readings.set(x.subarray(0, length), first);
    this.have += length;
    return this.have === this.readings.length ? this.readings : undefined;
  }
}

/** Runs `act` on a file; what the system says against it becomes a UserError. */
function onFile<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UserError) throw error;
    if (code === "EEXIST") throw new UserError(`${file}: exists; give another name, or --append`);
    throw new UserError(`${file}: can't be written (${code ?? message}); give a file in a folder that can`);
  }
}

/**
 * A stream file that grows: each sample, and in a log what the node says besides, is written whole as soon as it came, so that nothing received is lost when the
 * program ends, however it does. A line that an earlier end left torn is cut off first.
 */
export class Recording {
  readonly stay: Stay;
  private readonly descriptor: number;
  private readonly metadata: Metadata;
  private readonly parts = new SampleParts();
  private readonly told = new ToldLabels();
  private last = { sid: 0, seq: 0 };

  /** Throws a UserError if the file exists and isn't to be appended to, or can't be written. */
  constructor(
    private readonly file: string,
    append: boolean,
    about: { readonly port: string; readonly node: string; readonly label?: string | number },
  ) {
    this.stay = {
      ...about,
      began: Date.now(),
      hellos: [],
      marks: [],
      samples: 0,
      missing: 0,
      unreadable: 0,
      predictions: 0,
      labels: 0,
      linkLosses: 0,
      bytesThrown: 0,
    };
    this.descriptor = onFile(file, () => openSync(file, append ? "a+" : "ax+"));
    onFile(file, () => cutTornLine(this.descriptor));
    const earlier = append ? readMetadata(`${file}.json`) : [];
    this.metadata = { schema: RECORD_SCHEMA, file: basename(file), recordings: [...earlier, this.stay] };
  }

  /** The node started. */
  started(hello: Hello): void {
    this.stay.hellos.push(hello);
    this.told.restart(hello.labelled);
    this.describe();
  }

  /** An event was marked. */
  mark({ number, seq }: { readonly number: number; readonly seq: number }): void {
    this.stay.marks.push({ number, seq, time: Date.now() });
    this.describe();
  }

  /** Takes a message `sample`, a part or the whole of one. */
  take(message: Message<"sample">): void {
    const { sid, seq, ts } = message;
    const x = this.parts.take(message);
    if (!x) return;
    const { stay, last } = this;
    if (sid === last.sid && seq > last.seq) stay.missing += seq - last.seq - 1;
    this.last = { sid, seq };
    if (!x.every(Number.isFinite)) {
      stay.unreadable++;
      return;
    }
    this.write({ ticks: ts, sid, seq, x: Array.from(x), label: stay.label });
    stay.samples++;
  }

  /** What the learner said of a sample, for a log: null where that is no number. */
  predicted({ ts, sid, seq, decision }: Message<"prediction">): void {
    this.write({ type: "prediction", ticks: ts, sid, seq, decision });
    this.stay.predictions++;
  }

  /** Another program tells the node a label. */
  tell(label: Message<"label">): void {
    this.told.tell(label);
  }

  /** What the node says of its labels: those that it dealt with go into the log. */
  answered(answer: Answer): void {
    for (const { number, sid, seq, y, status } of this.told.answer(answer)) {
      this.write({ type: "label", sid, seq, label: y, number, status });
      this.stay.labels++;
    }
  }

  private write(line: object): void {
    const whole = { time: Date.now(), node: this.stay.node, ...line };
    onFile(this.file, () => writeWhole(this.descriptor, `${JSON.stringify(whole)}\n`));
  }

  /** Writes what is known beside the stream: whole, or as it was. */
  describe(): void {
    const file = `${this.file}.json`;
    onFile(file, () => {
      writeFileSync(`${file}.new`, `${JSON.stringify(this.metadata, null, 2)}\n`);
      renameSync(`${file}.new`, file);
    });
  }

  /** Ends it. If no node was met, nothing is left of it. */
  close(): void {
    this.stay.ended = Date.now();
    if (this.stay.hellos.length > 0) this.describe();
    const { size } = fstatSync(this.descriptor);
    closeSync(this.descriptor);
    if (size === 0 && this.stay.hellos.length === 0) rmSync(this.file);
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Ends the last line, or cuts it off if it isn't whole. */
function cutTornLine(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, TAIL_MAX));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  const line = tail.subarray(tail.lastIndexOf(10) + 1);
  if (line.length === 0) return;
  try {
    JSON.parse(line.toString());
    writeWhole(descriptor, "\n");
  } catch {
    ftruncateSync(descriptor, size - line.length);
  }
}

function readMetadata(file: string): Stay[] {
  if (!existsSync(file)) return [];
  try {
    const { schema, recordings } = JSON.parse(readFileSync(file, "utf8"));
    if (schema === RECORD_SCHEMA && Array.isArray(recordings)) return recordings;
  } catch {} // said below
  throw new UserError(`${file}: not of schema ${RECORD_SCHEMA}; move it away, or record into another file`);
}
