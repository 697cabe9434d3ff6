// The self-test must see one operation that errs as a chip's or a compiler's might: a multiplication and an addition fused
// into one that rounds once, or a subnormal result flushed to zero. So each such operation of the primitives' sources is made to
// err, one at a time.
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import { firstDifference, SELF_TEST_ITEMS, selfTest, selfTestBytes } from "../../src/node/self-test.ts";

const OPTIONS: NodeOptions = { sid: 1, channels: 3, learner: familyNamed("olk-c")!, options: { budget: 8 } };
const SOURCES = ["f32", "packed", "elementary"] as const;
const FLUSHED = `
function flushed(v: number): number {
  const r = Math.fround(v);
  return r > -1.1754943508222875e-38 && r < 1.1754943508222875e-38 ? 0 : r;
}
`;

interface Mutant {
  readonly source: (typeof SOURCES)[number];
  readonly text: string;
  /** Where, for people. */
  readonly place: string;
}

/** Index of the parenthesis that closes the one before `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let i = from; ; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")" && --depth === 0) return i;
  }
}

/** Every place of `pattern` that the self-test reaches: in f32.ts its own primitives, elsewhere all. */
function* places(source: Mutant["source"], pattern: RegExp) {
  const text = readFileSync(`src/math/${source}.ts`, "utf8");
  for (const match of text.matchAll(pattern)) {
    const lines = text.slice(0, match.index).split("\n");
    const line = text.split("\n")[lines.length - 1].trim();
    const within = lines.filter((line) => /^ {2}(private )?\w+\(.*$/.test(line)).pop() ?? "";
    const method = /\w+(?=\()/.exec(within)?.[0] ?? "";
    if (line.startsWith("*") || line.includes("isFinite32")) continue;
    if (source === "f32" && !SELF_TEST_ITEMS.includes(method)) continue;
    yield {
      text,
      from: match.index,
      to: match.index + match[0].length,
      line,
      place: `${source}.ts: ${line}`,
    };
  }
}

/**
 * Products that are exact, by how their factors were chosen, and those of a polynomial's small terms, whose rounding reaches one result in
 * thousands: what a compiler fuses there it fuses in the terms after them, too.
 */
const UNSEEN = /n \* (LN2_HI|PI_2A|PI_2B|PI_2C)|0\.5 \* z|[rz] \* (E4|L2|C2|S2)|k \* LN2_LO/;
const SMALL = /^(q = f32\(E[12]|t = f32\(L0|y = f32\([CS]0)/;
/**
 * Results that don't depend on a subnormal here: a difference that is squared, so small that its square is 0; an exponent so small that its exp is 1.
 */
const ABSORBED = /^const t\d = round\(|elementary\.exp\(-round/;

/** Each product that is added or subtracted, unrounded: in a double it is exact. */
function* fused(source: Mutant["source"]): Generator<Mutant> {
  for (const { text, from, to, line, place } of places(source, /[+-] (round|f32)\(/g)) {
    const end = closing(text, to);
    const inner = text.slice(to, end);
    const product = inner.replace(/(round|f32)\([^()]*\)/g, "v");
    if (!/^[^+-]* \* [^+-]*$/.test(product.replace(/\[[^\]]*\]/g, "")) || UNSEEN.test(inner)) continue;
    if (SMALL.test(line)) continue;
    yield {
      source,
      text: `${text.slice(0, from + 2)}(${inner})${text.slice(end + 1)}`,
      place: `${place} at ${from}`,
    };
  }
}

/** Each rounded sum, difference or product, flushed. */
function* flushing(source: Mutant["source"]): Generator<Mutant> {
  for (const { text, from, to, line, place } of places(source, /\bround\(/g)) {
    if (!/ [*+-] /.test(text.slice(to, closing(text, to)).replace(/\[[^\]]*\]/g, ""))) continue;
    if (ABSORBED.test(line)) continue;
    yield {
      source,
      text: `${text.slice(0, from)}flushed(${text.slice(to)}${FLUSHED}`,
      place: `${place} at ${from}`,
    };
  }
}

async function hashesOf({ source, text }: Mutant): Promise<Uint32Array> {
  const planted = {
    name: "planted",
    setup(setup: { onLoad: (at: { filter: RegExp }, load: () => object) => void }) {
      const filter = new RegExp(`src/math/${source}\\.ts$`);
      setup.onLoad({ filter }, () => ({ contents: text, loader: "ts" }));
    },
  };
  const shared = { bundle: true, write: false, format: "esm", logLevel: "warning" } as const;
  const { outputFiles } = await build({ ...shared, entryPoints: ["src/math/f32.ts"], plugins: [planted] });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const { PortableF32: Faulty } = await import(`data:text/javascript;base64,${code}`);
  return hashesFrom(new Faulty(new ArrayBuffer(selfTestBytes(OPTIONS))));
}

function hashesFrom(f32: PortableF32): Uint32Array {
  return selfTest(OPTIONS, { f32, state: 0, counters: 0, scratch: 0 });
}

async function checkEach(mutants: Iterable<Mutant>, least: number): Promise<void> {
  const right = hashesFrom(new PortableF32(new ArrayBuffer(selfTestBytes(OPTIONS))));
  const unseen: string[] = [];
  let count = 0;
  for (const mutant of mutants) {
    count++;
    if (!firstDifference(right, await hashesOf(mutant))) unseen.push(mutant.place);
  }
  assert.equal(unseen, []);
  assert.ok(count >= least, `${count} places`);
}

test("one fused multiply-add in any primitive is seen", async () => {
  await checkEach(
    SOURCES.flatMap((source) => [...fused(source)]),
    30,
  );
});

test("one subnormal that is flushed to zero is seen", async () => {
  await checkEach([...flushing("f32"), ...flushing("packed")], 30);
});

test.run();
