import { test } from "uvu";
import * as assert from "uvu/assert";
import { modelBytes } from "../../src/learn/installed-model.ts";
import { decodeModel, encodeModel, type Model, modelCrc } from "../../src/learn/model-bytes.ts";
import * as fc from "../properties.ts";

const PLANE: Model = { weights: [2, -1], bias: 0.5, gamma: 0, coefficients: [], vectors: [] };
const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 16);
const pair = fc.array(value, { minLength: 2, maxLength: 2 });

test("a model is its plane and its Gaussians, in double precision to within float32's error", () => {
  const vector = fc.tuple(value, pair);
  fc.assert(
    fc.property(pair, value, fc.array(vector, { maxLength: 9 }), pair, (weights, bias, terms, x) => {
      const gamma = terms.length > 0 ? 0.75 : 0;
      const [coefficients, vectors] = [terms.map(([a]) => a), terms.map(([, c]) => c)];
      const bytes = encodeModel({ weights, bias, gamma, coefficients, vectors });
      assert.is(bytes.length, modelBytes(2, terms.length));
      let f = weights[0] * x[0] + weights[1] * x[1] + bias;
      for (const [a, c] of terms) f += a * Math.exp(-gamma * ((c[0] - x[0]) ** 2 + (c[1] - x[1]) ** 2));
      assert.ok(Math.abs(decodeModel(bytes, 2, 9)(x) - f) < 1e-4);
    }),
  );
});

test("bytes that are no model for the node are refused with one line", () => {
  const vector = { gamma: 1, coefficients: [1], vectors: [[0, 1]] };
  const refused: [Uint8Array, RegExp][] = [
    [new Uint8Array(0), /^model of 0 bytes: it isn't gamma, w, b and whole vectors .* takes 16 to 40 bytes/],
    [encodeModel(PLANE).subarray(1), /whole vectors/],
    [encodeModel({ ...PLANE, weights: [1, 2, 3] }), /whole vectors/],
    [encodeModel({ ...PLANE, ...vector, vectors: [[0]] }), /whole vectors/],
    [
      encodeModel({
        ...PLANE,
        gamma: 1,
        coefficients: [1, 1, 1],
        vectors: [
          [0, 0],
          [0, 1],
          [1, 1],
        ],
      }),
      /more vectors/,
    ],
    [encodeModel({ ...PLANE, bias: Number.NaN }), /isn't finite/],
    [encodeModel({ ...PLANE, weights: [1, 1e39] }), /isn't finite/],
    [encodeModel({ ...PLANE, gamma: 1 }), /gamma/],
    [encodeModel({ ...PLANE, ...vector, gamma: 0 }), /gamma/],
    [encodeModel({ ...PLANE, ...vector, gamma: -1 }), /gamma/],
  ];
  for (const [bytes, line] of refused) assert.throws(() => decodeModel(bytes, 2, 2), line);
});

test("random bytes are either refused or give a decision", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), pair, (bytes, x) => {
      let decide: ((x: readonly number[]) => number) | undefined;
      try {
        decide = decodeModel(bytes, 2, 2);
      } catch (error) {
        assert.instance(error, RangeError);
      }
      assert.type(decide?.(x) ?? 0, "number");
    }),
  );
});

test("an input that isn't the dimension's finite numbers has no decision", () => {
  const decide = decodeModel(encodeModel(PLANE), 2, 0);
  for (const x of [[1], [1, 2, 3], [1, Number.NaN]]) assert.ok(Number.isNaN(decide(x)));
  assert.is(decide([1, 1]), 1.5);
});

test("its CRC-32 is that of zlib", () => {
  assert.is(modelCrc(new TextEncoder().encode("123456789")), 0xcbf43926);
});

test.run();
