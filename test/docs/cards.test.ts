import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { GROUPS, readCards } from "../../dev/docs/cards.ts";
import { guideFiles } from "../../dev/docs/guide.ts";
import { withNodeGoals } from "../../dev/docs/node-goals.ts";
import { Random } from "../../host/random.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

const FILES = guideFiles();
const DOCS = join(process.cwd(), "docs");

test("the goals of a node in docs/results.md are what npm run build:cards writes", () => {
  const page = readFileSync(join(DOCS, "results.md"), "utf8");
  assert.ok(withNodeGoals(page) === page, "results.md is stale: npm run build:cards");
  const older = page.replace(/\| ([\d,]+) bytes \| ([\d,]+)/, "| $1 bytes | 1");
  assert.is.not(older, page);
  assert.is(withNodeGoals(older), page);
});

test("every learner has a card, and every card a learner, once", () => {
  const named = readCards().flatMap(({ learners }) => learners);
  assert.equal(named.sort(), FAMILIES.map(({ name }) => name).sort());
});

test("learners that share a card are one algorithm by default: the same options, and the same state after any samples", () => {
  const shared = readCards().filter(({ learners }) => learners.length > 1);
  assert.equal(
    shared.map(({ learners }) => learners),
    [["dual-aga", "dual-greedy"]],
  );
  for (const { learners } of shared) {
    const families = FAMILIES.filter(({ name }) => learners.includes(name));
    for (const { options } of families) assert.equal(options, families[0].options);
    const random = new Random(1, "card");
    const made = families.map((family) => family.create({ dimension: 2, budget: 16 }));
    for (let t = 0; t < 300; t++) {
      const x = [random.normal(), random.normal()];
      const y = x[0] * x[1] + 0.2 * random.normal() > 0 ? 1 : -1;
      const decisions = made.map((learner) => learner.learn(x, y));
      assert.is(new Set(decisions).size, 1, `sample ${t}`);
    }
  }
});

test("what a learner cites is what the documentation of its class cites", () => {
  const sources = readdirSync("src/learn").map((file) => readFileSync(join("src/learn", file), "utf8"));
  const cited = new Set(
    sources.flatMap((text) => [...text.matchAll(/^ \* @see (.+)$/gm)].map(([, paper]) => paper)),
  );
  for (const { name, paper } of FAMILIES) assert.ok(cited.has(paper), `${name}: ${paper}`);
});

test("a card says which option of a dual ascent is off by default", () => {
  for (const { name, options } of FAMILIES.filter((family) => "forget" in family.options)) {
    assert.is(options.forget.default, false);
    const card = readCards().find(({ learners }) => learners.includes(name));
    assert.match(card?.idea ?? "", /`forget`, which is off by default/, name);
  }
});

test("the guide has each learner once, in the first group that takes it", () => {
  const page = FILES["learners.md"];
  const headings = [...page.matchAll(/^### ([^:]+): (.+)$/gm)];
  const named = headings.flatMap(([, names]) => names.split(", "));
  assert.equal(named.sort(), FAMILIES.map(({ name }) => name).sort());
  for (const { name, title } of FAMILIES)
    assert.ok(
      headings.some(
        ([, names, titles]) => names.split(", ").includes(name) && titles.split("; ").includes(title),
      ),
      name,
    );
  for (const [title, takes] of GROUPS) assert.ok(FAMILIES.some(takes) && page.includes(`\n## ${title}\n`));
});

test("the guide shows each option of each learner once: in its card, or in the table of options that several share", () => {
  const [shared, ...cards] = FILES["learners.md"]
    .slice(FILES["learners.md"].indexOf("\n## Options of several"))
    .split("\n### ");
  const listedLearners = (text: string) => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  for (const { name, options } of FAMILIES) {
    const card = cards.find((text) => text.split(": ")[0].split(", ").includes(name)) as string;
    const named = [...(/^Options of several learners: (.*)$/m.exec(card)?.[1].matchAll(/`(\w+)`/g) ?? [])];
    const others = named.map(([, option]) => option);
    assert.equal([...listedLearners(card), ...others].sort(), Object.keys(options).sort(), name);
    for (const option of others) assert.ok(listedLearners(shared).includes(option), `${name}: ${option}`);
  }
});

test("the guide to the learners and its pictures are what npm run build:cards writes", () => {
  for (const [path, text] of Object.entries(FILES)) {
    assert.ok(existsSync(join(DOCS, path)), `docs/${path} is missing: npm run build:cards writes it`);
    // Not `assert.is`: of two pages it would print a difference of a thousand lines.
    assert.ok(
      readFileSync(join(DOCS, path), "utf8") === text,
      `docs/${path} is stale: npm run build:cards writes it`,
    );
  }
  const pictures = readdirSync(join(DOCS, "learners")).map((name) => `learners/${name}`);
  assert.equal(
    pictures.sort(),
    Object.keys(FILES)
      .filter((path) => path.startsWith("learners/"))
      .sort(),
  );
});

test("a picture shows samples, and what the learner says of places", () => {
  for (const [path, text] of Object.entries(FILES).filter(([path]) => path.endsWith(".svg"))) {
    assert.match(text, /<path d="M\d+ -?\d+[hL]/, path);
    assert.ok(text.length < 4096, `${path}: ${text.length} bytes`);
    assert.not.match(text, /NaN|Infinity|undefined/, path);
  }
});

test.run();
