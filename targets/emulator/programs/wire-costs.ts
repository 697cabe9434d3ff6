import { nodeLayout } from "../../../src/node/node-layout.ts";
import { CERTAIN, type Storage } from "../../../src/node/ports.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { Station } from "../../../src/node/station.ts";
import type { BlockDevice } from "../../../src/store/block-device.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import { Encoder } from "../../../src/wire/encoder.ts";
import type { BytePipe } from "./byte-pipe.ts";
import type { Host } from "./host.ts";
import { CallLine } from "./line.ts";
import { type Arithmetic, nodeOptions, SESSION } from "./loops.ts";
import { MemoryFlash, SECTOR } from "./memory-flash.ts";
import { Stream } from "./stream.ts";

const BOOT = 1;
const PEER = 2;
const STATISTICS = 6;
const CREDIT_MS = 250;
/** Samples, each with its label, before anything is measured. */
const WARM = 200;

/** Counts the instructions of the flash in memory, to subtract them: a board's flash doesn't take them. */
class CountedFlash implements BlockDevice {
  spent = 0;
  readonly sectorBytes = SECTOR;
  readonly programBytes = 4;

  constructor(
    private readonly host: Host,
    private readonly block: MemoryFlash,
  ) {}

  get bytes(): number {
    return this.block.bytes;
  }

  private count(before: number, done: boolean): boolean {
    this.spent += this.host.instructions() - before;
    return done;
  }

  read(offset: number, into: Uint8Array): boolean {
    return this.count(this.host.instructions(), this.block.read(offset, into));
  }

  erase(offset: number): boolean {
    return this.count(this.host.instructions(), this.block.erase(offset));
  }

  program(offset: number, from: Uint8Array): boolean {
    return this.count(this.host.instructions(), this.block.program(offset, from));
  }
}

/** A node behind its wire, whose peer sends one thing at a time. */
class Bench {
  readonly station: Station;
  readonly block: CountedFlash;
  readonly stream: Stream;
  now = 0;
  private readonly line: CallLine;
  private readonly encoder = new Encoder(["welcome", "label", "sample", "request"]);

  constructor(host: Host, pipe: BytePipe, budget: number, arithmetic: Arithmetic) {
    this.line = new CallLine(pipe);
    const node = { ...nodeOptions({}, budget), checkpointEvery: 0 };
    const layout = nodeLayout(node);
    const memory = layout.range(arithmetic(layout.bytes));
    const clock = { now: () => this.now };
    this.block = new CountedFlash(host, new MemoryFlash(storeBytes(layout, SECTOR)));
    const storage: Storage = nodeStore(node, this.block, clock, 0, memory.f32);
    this.station = new Station(
      { node, firmware: "emulator", boot: BOOT, fed: true },
      { clock, port: this.line.port, storage },
      memory,
    );
    this.stream = new Stream(node.channels);
    this.station.begin("fresh");
    Object.assign(this.encoder.message("welcome"), { boot: BOOT, peer: PEER });
    this.come("welcome");
    this.station.poll();
  }

  private come(name: "welcome" | "label" | "sample" | "request"): void {
    this.line.carry(this.encoder.frame, this.encoder.encode(name));
  }

  label(y: number): void {
    const number = this.station.node.labelled + 1;
    Object.assign(this.encoder.message("label"), {
      start: BOOT ^ PEER,
      number,
      sid: SESSION,
      seq: number,
      confidence: CERTAIN,
      y,
    });
    this.come("label");
  }

  feed(): void {
    const { x } = this.stream;
    const sample = this.encoder.message("sample");
    const seq = this.station.node.seq + 1;
    Object.assign(sample, { start: BOOT ^ PEER, sid: SESSION, seq, total: x.length, length: x.length });
    sample.x.set(x);
    this.come("sample");
  }

  ask(what: number): void {
    this.encoder.message("request").what = what;
    this.come("request");
  }

  /** The next sample; returns its label. */
  next(): number {
    return this.stream.next(this.station.node.learner.task);
  }
}

/** Instructions of a node's work at its wire, by name. */
export function wireCosts(
  host: Host,
  pipe: BytePipe,
  budget: number,
  arithmetic: Arithmetic,
): { [what: string]: number } {
  const bench = new Bench(host, pipe, budget, arithmetic);
  const { station, stream, block } = bench;
  const { learner } = station.node;
  const x = new Float32Array(learner.dimension);
  for (let i = 0; i < WARM; i++) {
    const y = bench.next();
    station.sample(stream.x);
    bench.label(y);
    station.poll();
  }
  const countInstructions = (work: () => void): number => {
    host.collect();
    const before = host.instructions();
    const reading = host.instructions() - before;
    work();
    return host.instructions() - before - 2 * reading;
  };
  const poll = () => station.poll();
  const costs: { [what: string]: number } = {};
  costs["a turn in which nothing comes"] = countInstructions(poll);
  bench.now += CREDIT_MS;
  costs["a turn that sends credit"] = countInstructions(poll);
  const y = bench.next();
  costs["a sample of its own sensors"] = countInstructions(() => station.sample(stream.x));
  costs["  of which the learner"] = countInstructions(() => learner.predict(x));
  costs["a turn that sends a prediction"] = countInstructions(poll);
  bench.label(y);
  costs["a turn with a label"] = countInstructions(poll);
  bench.next();
  bench.feed();
  costs["a turn with a sample that is fed"] = countInstructions(poll);
  bench.ask(STATISTICS);
  costs["a turn that sends statistics"] = countInstructions(poll);
  station.node.checkpoint();
  block.spent = 0;
  costs["a checkpoint, without its flash"] = countInstructions(() => station.node.checkpoint()) - block.spent;
  return costs;
}
