import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { FeatureFlow } from "../../src/peer/features.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { Ends, NODE } from "./ends.ts";
import { LABELS, newNode, TOGETHER } from "./installs.ts";
import { recorded, stream } from "./recorded.ts";

const ASK_MS = 1000;

/** A peer that keeps the features of each label, whose disk takes a while, over starts of both ends. */
class Keeping {
  readonly kept = new Map<number, number[]>();
  /** Features that came again. */
  again = 0;
  readonly ends: Ends;
  private readonly flow = new FeatureFlow();
  private waiting: {
    readonly seq: number;
    readonly x: number[];
    readonly done: (isKept: boolean) => void;
  }[] = [];
  private askedAt = 0;

  constructor(seed: number, rate: number, samples: ReturnType<typeof stream>) {
    const { samples: fed, labels } = recorded(samples.slice(0, LABELS));
    const at = (number: number) =>
      this.flow.allows(number, this.ends.peer.node.labelled) ? labels.at(number) : undefined;
    const on = (name: UpName, message: Message<UpName>) => this.take(name, message);
    const peer = { samples: fed, labels: { at, restart: () => this.flow.restart() }, on: on as never };
    this.ends = new Ends({ seed, rate, fed: true, node: TOGETHER, peer });
  }

  private take(name: UpName, message: Message<UpName>): void {
    if (name === "acknowledgement") {
      const { number, status } = message as Message<"acknowledgement">;
      this.flow.answered(number, status);
    } else if (name === "features")
      this.flow.take(
        message as Message<"features">,
        ({ seq, x }) => new Promise((done) => this.waiting.push({ seq, x: [...x], done })),
      );
  }

  /** What came is on disk. */
  async commit(): Promise<void> {
    for (const { seq, x, done } of this.waiting) {
      if (this.kept.has(seq)) this.again++;
      this.kept.set(seq, x);
      done(true);
    }
    this.waiting = [];
    await Promise.resolve();
  }

  /** The peer is killed: what wasn't on disk is lost. */
  kill(): void {
    this.waiting = [];
    this.flow.restart();
    this.ends.restartPeer();
  }

  async until(done: () => boolean, seconds: number): Promise<void> {
    const { ends } = this;
    for (const end = ends.now + 1000 * seconds; !done(); ) {
      assert.ok(ends.now < end, "it takes too long");
      ends.step();
      if (ends.now - this.askedAt >= ASK_MS) {
        this.askedAt = ends.now;
        if (this.flow.lacks(ends.peer.node.labelled)) ends.peer.request("features");
      }
      if (ends.now % 50 === 0) await this.commit();
    }
  }
}

/** The features of each sample, where nothing is lost. */
function recordFeatures(samples: ReturnType<typeof stream>): Map<number, number[]> {
  const node = newNode(TOGETHER);
  return new Map(
    samples.slice(0, LABELS).map(({ x, y }, i) => {
      node.sample(x);
      node.label({ number: i + 1, sid: NODE.sid, seq: i + 1, y });
      return [i + 1, [...node.lesson!.features]];
    }),
  );
}

test("features of every label come, bit for bit, over a line that loses, doubles, delays and damages frames", async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const samples = stream(seed);
    const keeping = new Keeping(seed, 0.3, samples);
    await keeping.until(() => keeping.kept.size === LABELS, 3000);
    assert.equal(keeping.kept, recordFeatures(samples));
  }
});

test("the same with starts of the node and kills of the peer at any moment", async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const random = new Random(seed, "cuts");
    const samples = stream(seed);
    const keeping = new Keeping(seed, 0.15, samples);
    const { ends } = keeping;
    for (let cuts = 0; cuts < 12; cuts++) {
      const at = Math.min(LABELS, ends.station.node.labelled + random.below(6));
      await keeping.until(() => ends.station.node.labelled >= at, 1000);
      if (random.uniform() < 0.5) ends.restartNode();
      else keeping.kill();
    }
    await keeping.until(() => keeping.kept.size === LABELS && ends.station.node.labelled === LABELS, 3000);
    assert.equal(new Map([...keeping.kept].sort(([a], [b]) => a - b)), recordFeatures(samples));
  }
});

test("a node that applied no label says so, and one that takes no models answers nothing", () => {
  for (const node of [TOGETHER, NODE]) {
    const seen: number[] = [];
    const on = (name: UpName, message: Message<UpName>) => {
      if (name === "features") seen.push((message as Message<"features">).number);
    };
    const ends = new Ends({ seed: 1, rate: 0, fed: true, node, peer: { on: on as never } });
    ends.until(() => ends.peer.met, 10);
    ends.peer.request("features");
    ends.until(() => false, 2);
    assert.equal(seen, node === TOGETHER ? [0] : []);
  }
});

test.run();
