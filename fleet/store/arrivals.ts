import { deserialize, serialize } from "node:v8";

interface ArrivalRow {
  readonly node: string;
  readonly sid: number;
  readonly seq: number;
  /** By the machine's clock, and by the store's own. */
  readonly time: number;
  readonly ran: number;
}

interface SampleCame extends ArrivalRow {
  readonly x: Float32Array;
}

interface PredictionCame extends ArrivalRow {
  /** NaN: none. */
  readonly decision: number;
  readonly remarks: number;
}

export type Arrival = SampleCame | PredictionCame;

/** Stands for the number of readings of a prediction, which has none. */
const PREDICTION = -1;

/** Its memory besides the readings, about. */
const NUMBERS_OF_ARRIVAL = 16;

/** Arrivals by columns, which `node:v8` writes as they lie in memory. */
interface Columns {
  readonly names: readonly string[];
  /** Places among `names`. */
  readonly node: Uint32Array;
  readonly sid: Uint32Array;
  readonly seq: Uint32Array;
  readonly time: Float64Array;
  readonly ran: Float64Array;
  /** How many readings a sample has; or `PREDICTION`. */
  readonly readings: Int32Array;
  /** The readings of all samples, one after the other. */
  readonly x: Float32Array;
  /** Those of the predictions, one after the other. */
  readonly decision: Float64Array;
  readonly remarks: Float64Array;
}

/** Arrivals as the bytes of one row of the database. */
export function packArrivals(arrivals: readonly Arrival[]): Uint8Array {
  const places = new Map<string, number>();
  const nodePlace = ({ node }: Arrival) => {
    const place = places.get(node) ?? places.size;
    places.set(node, place);
    return place;
  };
  const samples = arrivals.filter((each): each is SampleCame => "x" in each);
  const predictions = arrivals.filter((each): each is PredictionCame => !("x" in each));
  const x = new Float32Array(samples.reduce((sum, sample) => sum + sample.x.length, 0));
  let at = 0;
  for (const sample of samples) {
    x.set(sample.x, at);
    at += sample.x.length;
  }
  const node = Uint32Array.from(arrivals, nodePlace);
  const columns: Columns = {
    names: [...places.keys()],
    node,
    sid: Uint32Array.from(arrivals, ({ sid }) => sid),
    seq: Uint32Array.from(arrivals, ({ seq }) => seq),
    time: Float64Array.from(arrivals, ({ time }) => time),
    ran: Float64Array.from(arrivals, ({ ran }) => ran),
    readings: Int32Array.from(arrivals, (each) => ("x" in each ? each.x.length : PREDICTION)),
    x,
    decision: Float64Array.from(predictions, ({ decision }) => decision),
    remarks: Float64Array.from(predictions, ({ remarks }) => remarks),
  };
  return serialize(columns);
}

/** The arrivals of such a row. */
export function unpackArrivals(bytes: Uint8Array): Arrival[] {
  const { names, node, sid, seq, time, ran, readings, x, decision, remarks }: Columns = deserialize(bytes);
  let at = 0;
  let predictions = 0;
  return Array.from(node, (place, i) => {
    const came = { node: names[place], sid: sid[i], seq: seq[i], time: time[i], ran: ran[i] };
    const count = readings[i];
    if (count === PREDICTION) {
      const p = predictions++;
      return { ...came, decision: decision[p], remarks: remarks[p] };
    }
    at += count;
    return { ...came, x: x.slice(at - count, at) };
  });
}

/**
 * Samples and predictions that aren't in their tables yet. Their database's transaction takes them, and
 * `confirm` or `rollBack` says how it ended.
 */
export class Arrivals {
  private readonly waiting = new Map<string, Arrival[]>();
  /** Numbers in those of each node. */
  private readonly sizes = new Map<string, number>();
  /** Those that no transaction before has written; this one has written the first so many. */
  private latest: Arrival[] = [];
  private written = 0;
  /** Those that this transaction moved to their tables. */
  private moved: Arrival[] = [];

  add(arrival: Arrival): void {
    this.latest.push(arrival);
    this.put(arrival);
  }

  get nodes(): string[] {
    return [...this.waiting.keys()];
  }

  /** Those of them whose arrivals have more numbers than that. */
  heavier(numbers: number): string[] {
    return [...this.sizes].flatMap(([node, size]) => (size > numbers ? [node] : []));
  }

  /** When the first of those that wait came; infinite: none waits. */
  get oldest(): number {
    return Math.min(...[...this.waiting.values()].map(([{ ran }]) => ran));
  }

  /** Those that this transaction has to write, which then has written them. */
  takeFresh(): readonly Arrival[] {
    const fresh = this.latest.slice(this.written);
    this.written = this.latest.length;
    return fresh;
  }

  /** Those of the node, in the order in which they came. */
  of(node: string): readonly Arrival[] {
    return this.waiting.get(node) ?? [];
  }

  /** Those of the node, for this transaction to write into their tables. */
  take(node: string): readonly Arrival[] {
    const taken = this.of(node);
    this.waiting.delete(node);
    this.sizes.delete(node);
    for (const each of taken) this.moved.push(each);
    return taken;
  }

  /** The transaction is on the disk. */
  confirm(): void {
    this.latest = [];
    this.written = 0;
    this.moved = [];
  }

  /** The transaction failed: what was new is lost, and what it moved waits again. */
  rollBack(): void {
    const lost = new Set(this.latest);
    const left = [...this.moved, ...[...this.waiting.values()].flat()].filter((each) => !lost.has(each));
    this.waiting.clear();
    this.sizes.clear();
    this.confirm();
    for (const each of left) this.put(each);
  }

  /** One that is on the disk, and waits for its table. */
  put(arrival: Arrival): void {
    const own = this.waiting.get(arrival.node);
    if (own) own.push(arrival);
    else this.waiting.set(arrival.node, [arrival]);
    const size = NUMBERS_OF_ARRIVAL + ("x" in arrival ? arrival.x.length : 0);
    this.sizes.set(arrival.node, size + (this.sizes.get(arrival.node) ?? 0));
  }
}
