import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { SipHash } from "../../src/wire/siphash.ts";
import { byDefinition } from "./by-definition.ts";

/** SipHash-2-4 of the first 0, 1, ... 63 bytes 00 01 02 ... with the key 00..0f: `vectors_sip64` of the authors' reference. */
const VECTORS = `
310e0edd47db6f72 fd67dc93c539f874 5a4fa9d909806c0d 2d7efbd796666785
b7877127e09427cf 8da699cd64557618 cee3fe586e46c9cb 37d1018bf50002ab
6224939a79f5f593 b0e4a90bdf82009e f3b9dd94c5bb5d7a a7ad6b22462fb3f4
fbe50e86bc8f1e75 903d84c02756ea14 eef27a8e90ca23f7 e545be4961ca29a1
db9bc2577fcc2a3f 9447be2cf5e99a69 9cd38d96f0b3c14b bd6179a71dc96dbb
98eea21af25cd6be c7673b2eb0cbf2d0 883ea3e395675393 c8ce5ccd8c030ca8
94af49f6c650adb8 eab8858ade92e1bc f315bb5bb835d817 adcf6b0763612e2f
a5c91da7acaa4dde 716595876650a2a6 28ef495c53a387ad 42c341d8fa92d832
ce7cf2722f512771 e37859f94623f3a7 381205bb1ab0e012 ae97a10fd434e015
b4a31508beff4d31 81396229f0907902 4d0cf49ee5d4dcca 5c73336a76d8bf9a
d0a704536ba93e0e 925958fcd6420cad a915c29bc8067318 952b79f3bc0aa6d4
f21df2e41d4535f9 87577519048f53a9 10a56cf5dfcd9adb eb75095ccd986cd0
51a9cb9ecba312e6 96afadfc2ce666c7 72fe52975a4364ee 5a1645b276d592a1
b274cb8ebf87870a 6f9bb4203de7b381 eaecb2a30b22a87f 9924a43cc1315724
bd838d3aafbf8db7 0b1a2a3265d51aea 135079a3231ce660 932b2846e4d70666
e1915f5cb1eca46c f325965ca16d629f 575ff28e60381be5 724506eb4c328a95
`;

const words = (bytes: Uint8Array) => new Int32Array(bytes.slice().buffer);
const hex = ({ low, high }: SipHash) => Buffer.from(new Int32Array([low, high]).buffer).toString("hex");

function sipHash(key: Uint8Array, input: Uint8Array): string {
  const sip = new SipHash();
  sip.start(words(key));
  sip.finish(input, 0, input.length);
  return hex(sip);
}

const key = Uint8Array.from({ length: 16 }, (_, i) => i);

test("all 64 vectors of the reference implementation", () => {
  const vectors = VECTORS.trim().split(/\s+/);
  assert.is(vectors.length, 64);
  const input = Uint8Array.from({ length: 63 }, (_, i) => i);
  vectors.forEach((vector, n) => {
    assert.is(sipHash(key, input.subarray(0, n)), vector, `${n} bytes`);
    assert.is(byDefinition(key, input.subarray(0, n)), vector, `${n} bytes, by definition`);
  });
});

test("random keys and inputs give what the definition gives", () => {
  const random = new Random(5, "siphash");
  const bytes = (length: number) => Uint8Array.from({ length }, () => random.below(256));
  for (let i = 0; i < 2000; i++) {
    const k = bytes(16);
    const input = bytes(random.below(150));
    assert.is(sipHash(k, input), byDefinition(k, input), `${Buffer.from(k).toString("hex")}, input ${i}`);
  }
});

test("words of all ones carry through both halves", () => {
  const k = new Uint8Array(16).fill(0xff);
  for (let length = 0; length < 40; length++) {
    const input = new Uint8Array(length).fill(0xff);
    assert.is(sipHash(k, input), byDefinition(k, input), `${length} bytes`);
  }
});

test("blocks given as words are as good as bytes, and a part of an array as a whole one", () => {
  const input = Uint8Array.from({ length: 29 }, (_, i) => 255 - i);
  const view = new DataView(input.buffer);
  const sip = new SipHash();
  sip.start(words(key));
  sip.block(view.getInt32(0, true), view.getInt32(4, true));
  sip.finish(Uint8Array.of(9, 9, ...input.subarray(8), 9), 2, 23);
  assert.is(hex(sip), sipHash(key, input));
});

test("an input of whole blocks ends as its bytes do", () => {
  const input = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);
  const view = new DataView(input.buffer);
  const sip = new SipHash();
  sip.start(words(key));
  for (const at of [0, 8]) sip.block(view.getInt32(at, true), view.getInt32(at + 4, true));
  sip.end();
  assert.is(hex(sip), sipHash(key, input));
});

test.run();
