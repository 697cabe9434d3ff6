// The self-test must see one operation that errs as a chip's or a compiler's might: a multiplication and an addition fused
// into one that rounds once, or a subnormal result flushed to zero. So each such operation of the primitives' sources is made to
// err, one at a time.
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { PRIMITIVES } from "../../src/selftest/calls.ts";
import { testPrimitives } from "../../src/selftest/portable-tests.ts";
import {
  firstDifference,
  selfTest,
  selfTestBytes,
  type TestedLearner,
} from "../../src/selftest/self-test.ts";

const OPTIONS: TestedLearner = { learner: familyNamed("olk-c")!, options: { dimension: 3, budget: 8 } };
/** The classes of `PortableF32`. */
const PARTS = ["f32", "f32-vectors", "f32-rows", "f32-support-sets", "f32-learners", "f32-features"] as const;
const SOURCES = [
  ...PARTS,
  "packed",
  "elementary",
  "fourier",
  "q15",
  "class-steps",
  "block-products",
] as const;
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

/** Every place of `pattern` in what the self-test runs: all but comments and guards, which only compare. */
function* places(source: Mutant["source"], pattern: RegExp) {
  const text = readFileSync(`src/math/${source}.ts`, "utf8");
  for (const match of text.matchAll(pattern)) {
    const number = text.slice(0, match.index + match[0].length).split("\n").length;
    const line = text.split("\n")[number - 1].trim();
    if (line.startsWith("*") || line.includes("isFinite32")) continue;
    yield {
      text,
      from: match.index,
      to: match.index + match[0].length,
      line,
      place: `${source}.ts:${number}: ${line}`,
    };
  }
}

/** A term without what is in its parentheses and brackets. */
function outermost(term: string): string {
  const shorter = term.replace(/[\w.]*(\([^()[\]]*\)|\[[^()[\]]*\])/g, "v");
  return shorter === term ? term : outermost(shorter);
}

/**
 * Products that are exact, by how their factors were chosen, those that are rounded to a whole number next or to a lane of 16 bits, where one in a thousand shows, those of a polynomial's small terms, whose rounding reaches one result in
 * thousands: what a compiler fuses there it fuses in the terms after them, too; and that of a slope, by which Newton's steps come to the same result.
 */
const UNSEEN =
  /[nk] \* (LN2_HI|PI_2A|PI_2B|PI_2C)|x \* (LOG2E|TWO_OVER_PI)|s \* f32\(h \+ t|x \* m\[rows|m\[x \+ j\] - (c|before)|0\.5 \* z|[rz] \* (E4|L2|C2|S2)|k \* LN2_LO|\(L \+ L\)/;
const SMALL = /^(q = f32\(E[12]|t = f32\(L0|y = f32\([CS]0)/;
/**
 * Results that don't depend on a subnormal here: a difference that is squared, so small that its square is 0; a square that is added to 1; an exponent so small that its exp is 1;
 * of a merge its share, which is never so small that it counts beside 1; of the C from errors what is no smaller than its constants.
 */
const ABSORBED =
  /^const (t\d|L|rest|root|q|T|slope) = round\(|^(let )?h = |elementary\.exp\(-round|[sS]hare\(|\(share|ERRORS_SCALE|FIRST_C/;

/** Each product that is added or subtracted, on either side, unrounded: in a double it is exact. */
function* fused(source: Mutant["source"]): Generator<Mutant> {
  for (const { text, from, to, line, place } of places(source, /\b(round|f32)\(/g)) {
    const end = closing(text, to);
    const inner = text.slice(to, end);
    if (!/[+-]\s+$/.test(text.slice(0, from)) && !/^\)\s+[+-]\s/.test(text.slice(end))) continue;
    if (!/^[^+-]* \* [^+-]*$/.test(outermost(inner)) || UNSEEN.test(inner)) continue;
    if (SMALL.test(line)) continue;
    yield { source, text: `${text.slice(0, from)}(${inner})${text.slice(end + 1)}`, place };
  }
}

/** Each rounded sum, difference or product, flushed. */
function* flushing(source: Mutant["source"]): Generator<Mutant> {
  for (const { text, from, to, line, place } of places(source, /\bround\(/g)) {
    if (!/ [*+-] /.test(outermost(text.slice(to, closing(text, to))))) continue;
    if (ABSORBED.test(line)) continue;
    yield {
      source,
      text: `${text.slice(0, from)}flushed(${text.slice(to)}${FLUSHED}`,
      place: `${place} at ${from}`,
    };
  }
}

/** Each number that is computed where it is stored, flushed. */
function* flushedStores(source: Mutant["source"]): Generator<Mutant> {
  for (const { text, from, to, place } of places(source, /\b(words|m)\[[^\]]+\] [+-]?= (?=[^;]* [*/+-] )/g)) {
    const end = text.indexOf(";", to);
    const [, place_, operator] = /^(.*\]) ([+-]?)= $/.exec(text.slice(from, to)) as RegExpExecArray;
    const value = operator ? `${place_} ${operator} (${text.slice(to, end)})` : text.slice(to, end);
    yield {
      source,
      text: `${text.slice(0, from)}${place_} = flushed(${value})${text.slice(end)}${FLUSHED}`,
      place,
    };
  }
}

/** What steps in double precision compute before they store it: in float32 as a chip without doubles might, one operation a pair. */
const DOUBLES_OF_LEARNERS = [
  ["+= step * words[y + m]", "+= round(step * words[y + m])"],
  ["step * (words[p + i]", "round(step) * (words[p + i]"],
  ["words[p + i] - words[v + i] + words[u + i]", "round(words[p + i] - words[v + i]) + words[u + i]"],
  ["words[p + i] - words[v + i] + words[u + i]", "round(words[p + i] - words[v + i] + words[u + i])"],
  ["sum += words[p + ji] + words[u + ji]", "sum += round(words[p + ji] + words[u + ji])"],
  ["sum += words[p + ji] + words[u + ji]", "sum = round(sum + (words[p + ji] + words[u + ji]))"],
  ["words[u + ji] += words[p + ji] - words[v + i]", "words[u + ji] += round(words[p + ji] - words[v + i])"],
  ["1 - y * f", "round(1 - y * f)"],
  ["loss / ((1 + share)", "loss / (round(1 + share)"],
  ["(1 + share) * this.dot(x, x, d)", "round((1 + share) * this.dot(x, x, d))"],
  ["loss / ((1 + share) * this.dot(x, x, d))", "round(loss / ((1 + share) * this.dot(x, x, d)))"],
  ["e * share * y", "round(e) * share * y"],
] as const;
const DOUBLES_OF_FEATURES = [
  ["sum += x;", "sum = round(sum + x);"],
  ["squares += x * x", "squares += round(x * x)"],
  ["squares += x * x", "squares = round(squares + x * x)"],
  ["Math.sqrt(squares / n)", "Math.sqrt(round(squares / n))"],
  ["const mean = words[s] + words[s + d]", "const mean = round(words[s] + words[s + d])"],
  ["const delta = value - mean", "const delta = round(value - mean)"],
  ["const deviation = Math.sqrt(variance)", "const deviation = round(Math.sqrt(variance))"],
  ["const z = delta / deviation", "const z = round(round(delta) / deviation)"],
  ["const share = 1 / n", "const share = round(1 / n)"],
  ["mean + delta * share", "mean + round(delta * share)"],
  ["const after = mean + delta * share", "const after = round(mean + delta * share)"],
  ["(delta - delta * share)", "(delta - round(delta * share))"],
  ["(delta * (delta - delta * share) - variance)", "(round(delta * (delta - delta * share)) - variance)"],
  [
    "share * (delta * (delta - delta * share) - variance)",
    "round(share * (delta * (delta - delta * share) - variance))",
  ],
] as const;
const DOUBLES_OF_WAVES = [
  ["total += m[i]", "total = round(total + m[i])"],
  ["const mean = total / n", "const mean = round(total / n)"],
  ["squares += v * v", "squares += round(v * v)"],
  ["squares += v * v", "squares = round(squares + v * v)"],
  ["Math.sqrt(squares / n)", "Math.sqrt(round(squares / n))"],
  ["(c * s - last)", "(round(c) * s - last)"],
  ["(c * s - last)", "(round(c * s) - last)"],
  ["(c * s - last)", "round(c * s - last)"],
  ["m[i] + (c * s - last)", "round(m[i] + (c * s - last))"],
  ["round(s * s + last", "round(round(s * s) + last"],
  ["+ last * last -", "+ round(last * last) -"],
  ["s * s + last * last - c", "round(s * s + last * last) - c"],
  ["- c * s * last", "- round(c * s) * last"],
  ["- c * s * last", "- round(c * s * last)"],
] as const;

function* single(): Generator<Mutant> {
  for (const [source, doubles] of [
    ["f32-learners", DOUBLES_OF_LEARNERS],
    ["f32-features", DOUBLES_OF_FEATURES],
    ["fourier", DOUBLES_OF_WAVES],
  ] as const) {
    const text = readFileSync(`src/math/${source}.ts`, "utf8");
    for (const [double, float] of doubles) {
      assert.is(text.split(double).length, 2, double);
      yield { source, text: text.replace(double, float), place: float };
    }
  }
}

/** The primitives of the sources with one fault. */
async function faulty({ source, text }: Mutant): Promise<PortableF32> {
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
  return new Faulty(new ArrayBuffer(selfTestBytes(OPTIONS)));
}

function hashesFrom(f32: PortableF32): Uint32Array {
  return selfTest(OPTIONS, { f32, state: 0, counters: 0, scratch: 0 });
}

/** The primitives' hashes before each batch of vectors, as `look` sees them. */
function followHashes(f32: PortableF32, look: (hashes: Uint32Array, batch: number) => void): void {
  const hashes = new Uint32Array(PRIMITIVES + 1);
  let batch = 0;
  testPrimitives(f32, 0, hashes, () => look(hashes, batch++));
}

const DIFFERS = new Error("a hash differs");

/** True if a hash differs before the last batch. Each step of a hash is one to one, so that what follows hardly ever makes it right again. */
function differsEarly(f32: PortableF32, right: readonly Uint32Array[]): boolean {
  try {
    followHashes(f32, (hashes, batch) => {
      if (hashes.some((hash, i) => hash !== right[batch][i])) throw DIFFERS;
    });
    return false;
  } catch (error) {
    if (error !== DIFFERS) throw error;
    return true;
  }
}

async function checkEach(mutants: Iterable<Mutant>, least: number): Promise<void> {
  const sound = new PortableF32(new ArrayBuffer(selfTestBytes(OPTIONS)));
  const batches: Uint32Array[] = [];
  followHashes(sound, (hashes) => void batches.push(hashes.slice()));
  assert.not.ok(differsEarly(sound, batches));
  const right = hashesFrom(sound);
  const unseen: string[] = [];
  let count = 0;
  for (const mutant of mutants) {
    count++;
    const f32 = await faulty(mutant);
    if (!differsEarly(f32, batches) && !firstDifference(right, hashesFrom(f32))) unseen.push(mutant.place);
  }
  assert.equal(unseen, []);
  assert.ok(count >= least, `${count} places`);
}

test("one fused multiply-add in any primitive is seen", async () => {
  await checkEach(
    SOURCES.flatMap((source) => [...fused(source)]),
    43,
  );
});

test("one subnormal that is flushed to zero is seen", async () => {
  const sources = [...PARTS, "packed", "fourier", "block-products"] as const;
  await checkEach(
    sources.flatMap((source) => [...flushing(source)]),
    67,
  );
});

test("one subnormal that is flushed where it is stored is seen", async () => {
  const sources = [...PARTS, "packed", "fourier", "block-products"] as const;
  await checkEach(
    sources.flatMap((source) => [...flushedStores(source)]),
    34,
  );
});

test("one operation in float32 that has to be in double precision is seen", async () => {
  await checkEach(
    single(),
    DOUBLES_OF_LEARNERS.length + DOUBLES_OF_FEATURES.length + DOUBLES_OF_WAVES.length,
  );
});

test.run();
