import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Moments } from "../../lab/bench/learning/peers/moments.ts";
import { type Peer, Ring } from "../../lab/bench/learning/peers/peer.ts";
import { PEERS, peerNamed } from "../../lab/bench/learning/peers/peers.ts";
import { Elementary } from "../../src/math/elementary.ts";

function near(got: number, wanted: number): void {
  assert.ok(Math.abs(got - wanted) < 1e-4, `${got}, not ${wanted}`);
}

function made(name: string, dimension: number, bytes: number): Peer {
  const peer = peerNamed(name)?.create(dimension, bytes, new Random(1, name));
  assert.ok(peer, `${name} of ${bytes} bytes`);
  return peer;
}

/** The share of the second half of the samples that are wrong. */
function measureError(peer: Peer, sample: (random: Random) => [number[], number], samples: number): number {
  const random = new Random(5, "peers");
  let wrong = 0;
  for (let t = 0; t < samples; t++) {
    const [values, y] = sample(random);
    const x = Float32Array.from(values);
    if (t >= samples / 2 && peer.decide(x) > 0 !== y > 0) wrong++;
    peer.learn(x, y);
  }
  return wrong / (samples / 2);
}

/** Classes alternate in four bands of one feature; the other says nothing. */
function bands(random: Random): [number[], number] {
  const [u, v] = [4 * random.uniform(), random.normal()];
  return [[u - 2, v], Math.floor(u) % 2 === 0 ? 1 : -1];
}

/** The sign of a product. */
function quarters(random: Random): [number[], number] {
  const [u, v] = [random.normal(), random.normal()];
  return [[u, v], u * v > 0 ? 1 : -1];
}

test("every method keeps to its memory, and there is none where the least form is larger", () => {
  for (const { name, create } of PEERS) {
    assert.is(create(8, 40, new Random(1)), undefined, name);
    for (const dimension of [1, 2, 8, 24])
      for (const bytes of [2048, 8192, 32_768]) {
        const peer = create(dimension, bytes, new Random(1));
        assert.ok(peer && peer.bytes <= bytes && peer.bytes > 0, `${name}, ${dimension}, ${bytes}`);
      }
  }
});

test("equal draws give equal decisions", () => {
  for (const { name } of PEERS) {
    const [first, second] = [0, 1].map(() => made(name, 2, 4096));
    for (const peer of [first, second]) measureError(peer, quarters, 200);
    const x = Float32Array.of(0.3, -0.7);
    assert.is(first.decide(x), second.decide(x), name);
    assert.is.not(first.decide(x), made(name, 2, 4096).decide(x), name);
  }
});

test("nag's first step is the paper's, and no scale of a feature changes its decisions", () => {
  const nag = made("nag", 1, 64);
  nag.learn(Float32Array.of(2), 1);
  // Gradients -1 and -1/2, scales 2 and 1, N = 2: steps of .5 sqrt(1 / 2) / 2 and .5 sqrt(1 / 2).
  near(nag.decide(Float32Array.of(0)), 0.353553);
  near(nag.decide(Float32Array.of(2)), Math.SQRT1_2);
  const [small, large] = [1, 1024].map((scale) => {
    const peer = made("nag", 1, 64);
    const random = new Random(3);
    for (let t = 0; t < 100; t++) peer.learn(Float32Array.of(scale * random.normal()), t % 3 ? 1 : -1);
    return peer.decide(Float32Array.of(0.5 * scale));
  });
  near(small, large);
});

test("the ring keeps the last samples in 8 bits, clipped at four deviations", () => {
  const ring = new Ring(2, 2);
  ring.add(Float32Array.of(9, -1), 1);
  ring.add(Float32Array.of(0, 0), -1);
  ring.add(Float32Array.of(-4, 2), 1);
  const x = new Float32Array(2);
  assert.is(ring.count, 2);
  assert.is(ring.read(0, x), 1);
  near(x[0], -4);
  near(x[1], (64 * 4) / 127);
  assert.is(ring.read(1, x), -1);
});

test("moments have a weighted mean and variance, and a Gaussian's weight below a value", () => {
  const moments = new Moments(new Elementary());
  moments.add(1, 1);
  moments.add(4, 2);
  // Mean 3, squares 4 + 2, variance 6 / 2.
  near(moments.below(3), 1.5);
  near(moments.below(3 + Math.sqrt(3)), 3 * 0.8413447);
  near(moments.logDensity(3), -0.5 * Math.log(2 * Math.PI * 3));
});

test("a tree splits where classes are in bands, and a tree without room for that can't", () => {
  assert.ok(measureError(made("hoeffding-tree", 2, 4096), bands, 4000) < 0.1);
  assert.ok(measureError(made("hoeffding-tree", 2, 90), bands, 4000) > 0.35);
});

test("a network and a forest learn what no linear function does", () => {
  for (const name of ["mlp", "forest"]) {
    const error = measureError(made(name, 2, 8192), quarters, 3000);
    assert.ok(error < 0.15, `${name}: ${error}`);
  }
  assert.ok(measureError(made("nag", 2, 8192), quarters, 3000) > 0.4);
});

test("a network's bytes are those of its weights and of the samples that it keeps", () => {
  // Of 2,048 bytes half: 63 units of 4 words, and an offset; 256 samples of 3 bytes.
  assert.is(made("mlp", 2, 2048).bytes, 4 * (63 * 4 + 1) + 256 * 3);
});

test.run();
