import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { neighboursLayout, RecentNeighbours } from "../../src/learn/recent-neighbours.ts";
import { Layout } from "../../src/memory/layout.ts";

const SAMPLES = 40;

interface Sample {
  readonly x: readonly number[];
  readonly y: number;
}

/** Both votes on x by the last of all samples, the newest at the end: of the 5 nearest, and of the 15 nearest by their age. */
function naiveVotes(all: readonly Sample[], x: readonly number[]) {
  const steps = (value: number) => Math.round(((Math.fround(value) + 5) * 255) / 10);
  const distance = (of: Sample) => of.x.reduce((sum, value, j) => sum + (steps(value) - steps(x[j])) ** 2, 0);
  const kept = all.map((sample, i) => ({ ...sample, place: i % SAMPLES, age: all.length - 1 - i }));
  const nearest = kept
    .slice(-SAMPLES)
    .sort((a, b) => distance(a) - distance(b) || a.place - b.place)
    .slice(0, 15);
  const near = nearest.slice(0, 5).reduce((sum, { y }, place) => sum + (place === 0 ? 1.5 : 1) * y, 0);
  const recent = nearest.reduce((sum, { y, age }) => sum + y / (32 + age) ** 2, 0);
  return { near, recent };
}

/** A memory of samples: a function that votes on x, near and recent, and one that stores x with its label. */
function openNeighbours(dimension: number) {
  const layout = new Layout([
    ...neighboursLayout(dimension, SAMPLES).parts("neighbours"),
    { name: "x", kind: "scratch", words: dimension },
    { name: "votes", kind: "scratch", words: 2 },
  ]);
  const range = layout.ownRange();
  const { words } = range.f32;
  const [at, votes] = [layout.at("x", range), layout.at("votes", range)];
  const neighbours = new RecentNeighbours(dimension, SAMPLES, layout.within("neighbours", range));
  return {
    vote(x: readonly number[]) {
      words.set(x, at);
      neighbours.vote(at, votes);
      return { near: words[votes], recent: words[votes + 1] };
    },
    learn(x: readonly number[], y: number) {
      words.set(x, at);
      neighbours.store(at, y > 0 ? 1 : 0);
    },
  };
}

test("it votes by the 5 nearest, and by the age of the 15 nearest, before its room is full and after", () => {
  const random = new Random(4, "neighbours");
  const neighbours = openNeighbours(3);
  const all: Sample[] = [];
  let differed = 0;
  for (let t = 0; t < 200; t++) {
    const x = Array.from({ length: 3 }, () => random.normal());
    const y = x[0] * x[1] > 0 === t % 80 < 40 ? 1 : -1;
    const { near, recent } = neighbours.vote(x);
    const wanted = naiveVotes(all, x);
    assert.is(near, wanted.near, `sample ${t}`);
    assert.is(recent, Math.fround(wanted.recent), `sample ${t}`);
    if (near * recent < 0) differed++;
    neighbours.learn(x, y);
    all.push({ x, y });
  }
  assert.ok(differed > 5, `the votes differed on ${differed} samples`);
});

test("without a sample it votes for none", () => {
  assert.equal(openNeighbours(1).vote([1]), { near: 0, recent: 0 });
});

test.run();
